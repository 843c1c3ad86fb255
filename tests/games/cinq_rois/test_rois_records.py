"""Golden records of Les Cinq Rois: they verify offline, and each shows what it is there for."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from games import verify
from games.cinq_rois.rules import RULEBOOK
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay, write

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
ROOT = Path(__file__).parents[3]
RULES = RULEBOOK[1]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_rois_records", Path(__file__).parent / "make_records.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_rois_records"] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_records_hold(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert list(verify.check(text))[-1] == "result: agrees"
    assert write(read(text)) == text


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_each_shows_what_it_is_there_for(path: Path, maker: ModuleType) -> None:
    record, kind = read(path.read_text(encoding="utf-8")), maker.KINDS[path.stem]
    assert record.seed is not None
    options = RULES.read_options(json.loads(record.options))
    assert (options, record.seats) == (kind.options, kind.seats)
    chance = Chance(deal_key(record.seed, record.client_seeds))
    moves = [(ply.seat, ply.notation or "") for ply in record.plies]
    steps = list(replay(RULES, options, record.seats, chance, moves))
    assert kind.shows(steps[-1].state, [event for step in steps[1:] for event in step.events])
    again = list(replay(RULES, options, record.seats, Chance(bytes(32), chance.results), moves))
    assert again == steps, "a running table is never dealt again: the stored results are enough"


def test_there_is_a_record_of_every_kind(maker: ModuleType) -> None:
    assert {path.stem for path in RECORDS} == set(maker.KINDS)
    assert len(RECORDS) == 10


def test_a_changed_discard_is_found() -> None:
    text = RECORDS[0].read_text(encoding="utf-8")
    line = next(line for line in text.split("\n") if " discard " in line)
    other = line.replace(line.rsplit(" ", 1)[1], "3P" if not line.endswith("3P") else "4P")
    with pytest.raises(verify.Failed):
        list(verify.check(text.replace(line, other)))


def test_command_line() -> None:
    """Without the site: Django is not even imported."""
    code = "import sys; from games.verify import main; end = main(sys.argv[1:]); sys.exit(9 if 'django' in sys.modules else end)"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code, str(RECORDS[0])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (run.returncode, "VERIFIED" in run.stdout) == (0, True), run.stderr
