"""Golden records of 5inq en Ligne: each ending, each layout, two and three sides; checked by the offline verifier."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from games import verify
from games.cinq_en_ligne.models import CinqEnLigneMove
from games.cinq_en_ligne.rules import RULEBOOK
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay, write

RECORDS = sorted((Path(__file__).parent / "records").glob("*.txt"))
RULES = RULEBOOK[1]


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_line_records", Path(__file__).parent / "make_records.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_records_hold(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = read(text)
    assert all(ply.state_hash for ply in record.plies)
    assert write(record, hash_every=1) == text
    assert list(verify.check(text))[-1] == "result: agrees"
    assert list(verify.check(write(record)))[-1] == "result: agrees"


def test_there_are_ten_and_they_show_everything(maker: ModuleType) -> None:
    assert {path.stem for path in RECORDS} == set(maker.TABLES) and len(RECORDS) == 10
    tables = maker.TABLES.values()
    assert {table.ending for table in tables} == {"line", "full", "dead", "blocked"}
    assert {table.options.plateau for table in tables} == set(RULES.choices["plateau"])
    assert {RULES.sides(table.options, table.seats) for table in tables} == {2, 3}
    assert {table.seats for table in tables} == {2, 3, 4, 6, 8, 9}
    assert max(table.length for table in tables) >= 6


@pytest.mark.parametrize("name", ["ligne_2_sinueux", "ligne_3_aleatoire", "quatre_mortes_6_en_3"])
def test_the_maker_still_makes_the_same_record(maker: ModuleType, name: str) -> None:
    """So the bots and forced moves of version 1 have not changed either."""
    assert maker.make(name) == next(path for path in RECORDS if path.stem == name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", RECORDS[:3], ids=lambda path: path.stem)
def test_typed_columns_come_one_way_from_the_notation(path: Path) -> None:
    record = read(path.read_text(encoding="utf-8"))
    assert record.seed is not None
    chance = Chance(deal_key(record.seed, record.client_seeds))
    options = RULES.read_options(verify._json(record.options))
    moves = [(ply.seat, ply.notation or "") for ply in record.plies]
    steps = list(replay(RULES, options, record.seats, chance, moves))
    for (_, text), step in zip(moves, steps, strict=False):
        columns = CinqEnLigneMove.columns(step.state, RULES.Move.parse(text))
        if columns["kind"] == "play":
            assert f"{columns['card']}@{columns['square']}" == text
        else:
            assert columns == {"kind": text}


def test_a_table_stopped_early_verifies() -> None:
    record = read(RECORDS[0].read_text(encoding="utf-8"))
    stopped = dataclasses.replace(record, plies=record.plies[:20], result=None)
    assert "stopped before its end" in list(verify.check(write(stopped)))[-1]
