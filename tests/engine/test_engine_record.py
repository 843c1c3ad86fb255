"""The text record: write, read, refuse."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.record import BadRecord, Ply, Record, read, write
from games.engine.rules import Place

RECORD = Record(
    "ABCDEF1234",
    "cinq",
    1,
    '{"cartes":10,"limite":30,"mode":"classique"}',
    2,
    (1, 0),
    ("a", "bot/1"),
    "c0ffee",
    bytes(range(32)),
    (Place(0, 1, 31), Place(1, 2, -4)),
    tuple(Ply(i % 2, "player", "7O", f"{i:016x}") for i in range(12)),
    {"Player0": "Zoé"},
)


def test_layout() -> None:
    lines = write(RECORD).split("\n")
    assert lines[:7] == [
        '[Code "ABCDEF1234"]',
        '[Game "cinq"]',
        '[Rules "1"]',
        r'[Options "{\"cartes\":10,\"limite\":30,\"mode\":\"classique\"}"]',
        '[Seats "2"]',
        '[Joined "1 0"]',
        '[Client0 "a"]',
    ]
    assert '[Result "0/1/31 1/2/-4"]' in lines
    assert [line for line in lines if line.startswith("#")] == ["# 10 0000000000000009", "# 12 000000000000000b"]
    assert "12 1 player 7O" in lines


def test_round_trip() -> None:
    assert read(write(RECORD, hash_every=1)) == RECORD
    assert write(read(write(RECORD))) == write(RECORD)
    assert read(write(RECORD).replace("\n", "\r\n")) == read(write(RECORD))


def test_running_and_unstarted_tables() -> None:
    running = dataclasses.replace(RECORD, seed=None, result=None, plies=(Ply(0, "bot", None), Ply(1, "clock", "discard DP 4C")))
    assert "1 0 bot ?\n" in write(running)
    assert read(write(running)) == running
    unstarted = dataclasses.replace(RECORD, joined=(), client_seeds=(), plies=(), result=None)
    assert read(write(unstarted)) == unstarted


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text('"\\\n\r[] \u2028\x85\0', max_size=9)


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(ANY_TEXT, ANY_TEXT, ANY_TEXT)
def test_headers_survive_any_text(code: str, client: str, name: str) -> None:
    record = dataclasses.replace(RECORD, code=code, client_seeds=(client, "bot/1"), headers={"Player0": name}, plies=())
    assert read(write(record)) == record


@pytest.mark.parametrize("name", ["Seed", "Client7", "lower", "Two words", "X]", ""])
def test_free_headers_have_their_own_names(name: str) -> None:
    with pytest.raises(ValueError, match="free header"):
        write(dataclasses.replace(RECORD, headers={name: "x"}))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n\n", "\n"),
        ('[Code "ABCDEF1234"]\n', ""),
        ('[Rules "1"]', '[Rules "one"]'),
        ('[Seats "2"]', '[Seats "02"]'),
        ('[Joined "1 0"]', '[Joined "1  0"]'),
        ('[Client0 "a"]', '[Client5 "a"]'),
        ('[Game "cinq"]', '[Game "cinq"]\n[Game "cinq"]'),
        ('[Game "cinq"]', "[Game 5]"),
        ('[Game "cinq"]', '[Game "\\ud800"]'),
        ('[Game "cinq"]', '[Game "cinq" ]'),
        ("[Seed ", "[Seed  "),
        ("0f1011", "0F1011"),
        ("0/1/31", "0/1"),
        ("3 0 player 7O", "4 0 player 7O"),
        ("3 0 player 7O", "3 0 nobody 7O"),
        ("3 0 player 7O", "3 0 player "),
        ("3 0 player 7O", "03 0 player 7O"),
        ("3 0 player 7O", "\u0663 0 player 7O"),
        ("# 10 ", "# 9 "),
        ("# 10 ", "#10 "),
        ("# 12 ", "# 12 0000000000000000\n# 12 "),
        ("1 0 player 7O", "# 1 0000000000000000\n1 0 player 7O"),
        ("12 1 player", "\n12 1 player"),
    ],
)
def test_other_texts_are_refused(old: str, new: str) -> None:
    text = write(RECORD)
    assert text.count(old) >= 1
    with pytest.raises(BadRecord):
        read(text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "\n", "\n\n", "hello", "[Code]"])
def test_no_record_at_all(text: str) -> None:
    with pytest.raises(BadRecord):
        read(text)
