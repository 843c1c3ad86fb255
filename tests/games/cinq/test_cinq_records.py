"""Golden records and the offline verifier."""

import dataclasses
import importlib.util
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from games import verify
from games.cinq.rules import RULEBOOK
from games.engine.chance import Chance, commitment, deal_key
from games.engine.record import Ply, Record, read, replay, write

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
ROOT = Path(__file__).parents[3]


def text_of(name: str) -> str:
    return next(path for path in RECORDS if path.stem == name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_records", Path(__file__).parent / "make_records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
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


def test_there_is_a_record_of_every_variant(maker: ModuleType) -> None:
    assert {path.stem for path in RECORDS} == set(maker.TABLES)


@pytest.mark.parametrize("name", ["classique_3", "piegeur_3"])
def test_the_maker_still_makes_the_same_record(maker: ModuleType, name: str) -> None:
    """So the bots and forced moves of version 1 have not changed either."""
    assert maker.make(name) == text_of(name)


SWAPS = str.maketrans("0123456789abcdefghOCEB", "1234567890bcdefahgCEBO")


def changed(text: str, at: int) -> str:
    """The text with another character of the same kind at this place."""
    new = text[at].translate(SWAPS)
    return text[:at] + (new if new != text[at] else "X") + text[at + 1 :]


@pytest.mark.parametrize(
    "header", ["Code", "Game", "Rules", "Options", "Seats", "Joined", "Client0", "Client1", "Commitment", "Seed", "Result"]
)
def test_any_changed_character_of_a_header_is_found(header: str) -> None:
    text = write(read(text_of("classique_3")))
    line = re.search(rf"^\[{header} .*\]$", text, re.MULTILINE)
    assert line is not None
    for at in range(line.start(), line.end()):
        assert failure(changed(text, at))


def test_any_changed_character_of_plies_and_hashes_is_found() -> None:
    text = write(read(text_of("piegeur_3")))
    body = text.index("\n\n") + 2
    for at in range(body, len(text) - 1, 5):
        assert failure(changed(text, at)), text[at - 20 : at + 20]


def test_any_changed_bit_of_the_seed_is_found() -> None:
    record = read(text_of("classique_4"))
    assert record.seed is not None
    number = int.from_bytes(record.seed, "big")
    for bit in range(256):
        seed = (number ^ 1 << bit).to_bytes(32, "big")
        assert "commitment" in failure(write(dataclasses.replace(record, seed=seed)))


Change = Callable[[Record], Record]


def recommitted(record: Record, **changes: object) -> Record:
    """A change that the site itself could have made, with a commitment that fits it."""
    new = dataclasses.replace(record, **changes)  # type: ignore[arg-type]
    assert new.seed is not None
    return dataclasses.replace(new, commitment=commitment(new.code, new.game, new.version, new.options, new.seed))


CHEATS: dict[str, tuple[Change, str]] = {
    "another seed": (lambda r: recommitted(r, seed=bytes(32)), "seats were not drawn"),
    "another order of sitting": (lambda r: dataclasses.replace(r, client_seeds=r.client_seeds[::-1]), "seats were not drawn"),
    "a client seed too few": (lambda r: dataclasses.replace(r, client_seeds=r.client_seeds[1:]), "client seeds"),
    "an unknown game": (lambda r: recommitted(r, game="chess"), "unknown game"),
    "no game": (lambda r: recommitted(r, game="engine"), "unknown game"),
    "a path as a game": (lambda r: recommitted(r, game="cinq.rules/../x"), "unknown game"),
    "an unknown version": (lambda r: recommitted(r, version=999), "no version"),
    "options as a list": (lambda r: recommitted(r, options="[]"), "canonical"),
    "options with spaces": (lambda r: recommitted(r, options=r.options.replace(":", ": ")), "canonical"),
    "options that are no JSON": (lambda r: recommitted(r, options="{"), "canonical"),
    "unknown options": (lambda r: recommitted(r, options='{"jeu":48}'), "options do not fit"),
    "other options": (lambda r: recommitted(r, options=r.options.replace("30", "31")), "hash"),
    "a lost ply": (lambda r: dataclasses.replace(r, plies=(*r.plies[:3], *r.plies[4:])), "ply 4 cannot be played"),
    "plies without hashes": (
        lambda r: dataclasses.replace(r, plies=tuple(Ply(p.seat, p.by, p.notation) for p in r.plies)),
        "ply 10 is missing",
    ),
    "a ply after the end": (lambda r: dataclasses.replace(r, plies=(*r.plies, Ply(0, "player", "pass"))), "not_your_turn"),
    "a result too early": (lambda r: dataclasses.replace(r, plies=r.plies[:20]), "not played to its end"),
    "no result": (lambda r: dataclasses.replace(r, result=None), "result is not"),
    "a hidden ply": (lambda r: dataclasses.replace(r, plies=(Ply(0, "player", None),)), "hidden"),
    "plies of nobody": (lambda r: dataclasses.replace(r, joined=()), "nobody was seated"),
}


@pytest.mark.parametrize("name", CHEATS)
def test_cheats_are_found(name: str) -> None:
    change, message = CHEATS[name]
    assert message in failure(write(change(read(text_of("classique_3")))))


def test_a_cancelled_table_verifies() -> None:
    record = read(text_of("piegeur_4"))
    for stopped in (17, 20, 0):
        lines = list(verify.check(write(dataclasses.replace(record, plies=record.plies[:stopped], result=None))))
        assert "stopped before its end" in lines[-1]
    never = dataclasses.replace(record, joined=(), plies=(), result=None)
    assert "never started" in list(verify.check(write(never)))[-1]


def test_a_running_table_cannot_be_verified_yet() -> None:
    record = dataclasses.replace(read(text_of("piegeur_4")), seed=None, result=None)
    assert "not verifiable before the end" in failure(write(record))


def test_command_line(tmp_path: Path) -> None:
    """Without the site: Django is not even imported."""
    code = "import sys; from games.verify import main; end = main(sys.argv[1:]); sys.exit(9 if 'django' in sys.modules else end)"
    good, bad, latin = RECORDS[0], tmp_path / "bad.txt", tmp_path / "latin.txt"
    bad.write_text(changed(good.read_text(encoding="utf-8"), 8), encoding="utf-8")
    latin.write_bytes(b"\xe9")
    for arguments, status, word in (([good], 0, "VERIFIED"), ([bad], 1, "FAIL"), ([latin], 1, "FAIL"), ([], 1, "usage")):
        run = subprocess.run(
            [sys.executable, "-S", "-c", code, *map(str, arguments)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert (run.returncode, word in run.stdout) == (status, True), run.stderr
    assert verify.main([str(tmp_path / "missing")]) == 1


def test_replay_from_stored_deals() -> None:
    """A running table is never dealt again: the stored results are enough, whatever the key."""
    record, rules = read(text_of("classique_2")), RULEBOOK[1]
    assert record.seed is not None
    options = rules.read_options({"mode": "classique", "limite": 30, "cartes": 10})
    moves = [(ply.seat, ply.notation or "") for ply in record.plies]
    first = Chance(deal_key(record.seed, record.client_seeds))
    steps = list(replay(rules, options, 2, first, moves))
    again = list(replay(rules, options, 2, Chance(bytes(32), first.results), moves))
    assert steps == again
    assert steps[0].events == rules.opening(steps[0].state)
    assert len(steps) == 1 + len(record.plies)
