"""Golden records of 55, the ways of ending they show, and the offline verifier on them."""

from __future__ import annotations

import dataclasses
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from games import verify
from games.cinquante_cinq.rules import RULEBOOK
from games.engine.chance import Chance, commitment, deal_key
from games.engine.record import Ply, Record, read, replay, write

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
ROOT = Path(__file__).parents[3]
WAYS = {
    *("passed out", "contract made", "contract failed", "60 made", "60 failed", "no trump played", "held"),
    *("all five tricks with a lower contract", "a total below nothing", "won by a 60", "won by the declarer's side"),
    *("won by a defender", "won though the declarer failed", "won first, not by the highest total"),
}


def text_of(name: str) -> str:
    return next(path for path in RECORDS if path.stem == name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_records_55", Path(__file__).parent / "make_records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def failure(text: str) -> str:
    with pytest.raises(verify.Failed) as failed:
        list(verify.check(text))
    return str(failed.value)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_records_hold(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read(text)
    assert all(ply.state_hash for ply in record.plies)
    assert write(record, hash_every=1) == text
    assert list(verify.check(text))[-1] == "result: agrees"
    assert list(verify.check(write(record)))[-1] == "result: agrees"


def test_the_maker_still_makes_the_same_records_and_they_show_every_way_to_end(maker: ModuleType) -> None:
    """So the prudent players and the forced moves of version 1 have not changed either."""
    assert len(RECORDS) >= 10
    assert {path.stem for path in RECORDS} == set(maker.TABLES)
    shown: set[str] = set()
    for name in maker.TABLES:
        text, last = maker.make(name)
        assert text == text_of(name)
        shown |= maker.ways(text, last)
    assert shown == WAYS


Change = Callable[[Record], Record]


def recommitted(record: Record, **changes: object) -> Record:
    """A change that the site itself could have made, with a commitment that fits it."""
    new = dataclasses.replace(record, **changes)  # type: ignore[arg-type]
    assert new.seed is not None
    return dataclasses.replace(new, commitment=commitment(new.code, new.game, new.version, new.options, new.seed))


def ply(record: Record, start: str) -> int:
    """The place of the first ply whose text starts so."""
    return next(place for place, each in enumerate(record.plies) if (each.notation or "").startswith(start))


def with_ply(record: Record, place: int, notation: str | None) -> Record:
    plies = list(record.plies)
    plies[place] = dataclasses.replace(plies[place], notation=notation)
    return dataclasses.replace(record, plies=tuple(plies))


def other_discard(record: Record) -> Record:
    place = ply(record, "discard")
    _, *cards = (record.plies[place].notation or "").split()
    rules, options = RULEBOOK[1], RULEBOOK[1].read_options({"cible": 110, "equipes": 2})
    assert record.seed is not None
    chance = Chance(deal_key(record.seed, record.client_seeds))
    moves = [(each.seat, each.notation or "") for each in record.plies[:place]]
    *_, last = replay(rules, options, record.seats, chance, moves)
    ten = rules.observation(last.state, record.plies[place].seat)["hand"]
    kept = next(card for card in ten if card not in cards)
    return with_ply(record, place, "discard " + " ".join(card for card in ten if card in {*cards[1:], kept}))


CHEATS: dict[str, tuple[Change, str]] = {
    "another seed": (lambda r: recommitted(r, seed=bytes(32)), "seats were not drawn"),
    "other sides chosen": (lambda r: dataclasses.replace(r, sides=(0, 0, 1, 1)), "seats were not drawn"),
    "no sides chosen": (lambda r: dataclasses.replace(r, sides=()), "sides that people chose"),
    "unequal sides": (lambda r: dataclasses.replace(r, sides=(0, 0, 0, 1)), "do not fit"),
    "everybody alone": (
        lambda r: recommitted(r, options=r.options.replace('"equipes":2', '"equipes":0')),
        "sides that people chose",
    ),
    "another target": (lambda r: recommitted(r, options=r.options.replace("110", "220")), "hash"),
    "other discards": (other_discard, "hash"),
    "a hidden exchange": (lambda r: with_ply(r, ply(r, "discard"), None), "hidden"),
    "another trump": (lambda r: with_ply(r, ply(r, "trump"), "trump E"), "cannot be played"),
    "a bid that is none": (lambda r: with_ply(r, 0, "hold"), "only_dealer_holds"),
    "a ply after the end": (lambda r: dataclasses.replace(r, plies=(*r.plies, Ply(0, "player", "pass"))), "not_your_turn"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_cheats_are_found(name: str) -> None:
    change, message = CHEATS[name]
    assert message in failure(write(change(read(text_of("sides_4_in_2")))))


def test_a_cancelled_table_verifies() -> None:
    record = read(text_of("alone_4"))
    for stopped in (3, 5, 17, 0):
        lines = list(verify.check(write(dataclasses.replace(record, plies=record.plies[:stopped], result=None))))
        assert "stopped before its end" in lines[-1]


def test_command_line() -> None:
    """Without the site: Django is not even imported."""
    code = "import sys; from games.verify import main; end = main(sys.argv[1:]); sys.exit(9 if 'django' in sys.modules else end)"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code, str(RECORDS[0])], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, "VERIFIED" in run.stdout) == (0, True), run.stderr


def test_a_sealed_record_of_a_running_table_has_no_discards() -> None:
    """What `selectors.record` writes while a table runs: `?` for each exchange; the reader takes it."""
    record = read(text_of("alone_4"))
    hidden = [
        dataclasses.replace(each, notation=None) if (each.notation or "").startswith("discard") else each for each in record.plies
    ]
    text = write(dataclasses.replace(record, plies=tuple(hidden), seed=None, result=None))
    assert "discard" not in text
    assert read(text).plies[ply(record, "discard")].notation is None
    assert "not verifiable before the end" in failure(text)
