"""Every game and variant to its end with one person left: the clock plays for the others, the record verifies offline.

The absent have no move of their own: two turns run out, then the site plays for them at once. The record is downloaded as
anybody would, checked by another process that knows nothing of the site, and refused as soon as one bit differs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from games import clocktime, observe, registry, verify
from games.models import By, Seat, Status, Table
from games.services import clocks, moves
from games.services.running import move_model
from tests.playing import open_for
from tests.real_site import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(120)]

PACE = 120
STEP = timedelta(seconds=45)
"""Shorter than the hole in the heartbeat after which the clock gives time back."""
OFFICIAL: dict[str, Any] = registry.get("cinq_rois").presets["officielle"]["options"]
VARIANTS: list[tuple[str, int, dict[str, Any]]] = [
    ("cinq", 2, {"mode": "classique", "limite": 5, "cartes": 10}),
    ("cinq", 2, {"mode": "classique", "limite": 5, "cartes": 15}),
    ("cinq", 3, {"mode": "classique", "limite": 5}),
    ("cinq", 4, {"mode": "classique", "limite": 5}),
    ("cinq", 3, {"mode": "piegeur", "limite": 5}),
    ("cinq", 4, {"mode": "piegeur", "limite": 5}),
    *(("six_fous", seats, {"jeu": deck, "limite": 20}) for seats in (3, 4) for deck in (40, 48)),
    ("cinq_rois", 2, {}),
    ("cinq_rois", 4, {}),
    ("cinq_rois", 3, OFFICIAL),
    ("cinq_rois", 6, OFFICIAL),
    ("cinq_rois", 2, {"fin_manche": "immediat_combinaisons", "jokers": "manches_11_12"}),
    *(("cinquante_cinq", seats, {"cible": 20}) for seats in (2, 3, 5, 9)),
    ("cinquante_cinq", 4, {"cible": 20, "entame": "gauche_declarant", "tous_passent": "donneur_oblige"}),
    *(("cinquante_cinq", n, {"cible": 20, "equipes": sides}) for n, sides in ((4, 2), (6, 2), (6, 3), (8, 2), (8, 4), (9, 3))),
    *(("cinq_en_ligne", 2, {"plateau": board}) for board in ("sinueux", "spirale", "rangees", "aleatoire")),
    *(("cinq_en_ligne", seats, {}) for seats in (3, 4, 8, 9)),
    *(("cinq_en_ligne", 6, {"equipes": teams, "plateau": "aleatoire"}) for teams in (2, 3)),
]


@pytest.fixture(autouse=True)
def _real_time_again() -> Iterator[None]:
    yield
    clocktime.travel(None)


def name_of(variant: tuple[str, int, dict[str, Any]]) -> str:
    game, seats, options = variant
    return "-".join([game, str(seats), *(f"{value}" for value in options.values())])


def play_as_a_person(table: Table, seat: Seat) -> None:
    """One ply of somebody who is there, chosen from what his own page tells him."""
    glimpse = observe.glimpse(table.code)
    assert glimpse is not None
    assert seat.number is not None
    text = registry.get(table.game).bots.choose(glimpse.observation(seat.number), glimpse.table.plies, level="prudent")
    moves.play(table.code, user=seat.user, text=text, seen=glimpse.table.plies, request=uuid4())


def play_with_the_clock(table: Table, who: User) -> Table:
    """The person plays whenever he is asked; time passes and the clock sweeps whenever it is somebody else."""
    while (now := Table.objects.get(pk=table.pk)).status == Status.PLAYING:
        mine = Seat.objects.select_related("user").filter(table=table, user=who, owes_move=True).first()
        if mine is not None:
            play_as_a_person(table, mine)
        elif not clocks.sweep():
            clocktime.travel(STEP)
        assert now.plies < 3000
    return now


def verified_offline(path: Path) -> str:
    """The verifier's last line, from a process without the site's settings."""
    env = {name: text for name, text in os.environ.items() if name not in {"DJANGO_SETTINGS_MODULE", "DATABASE_URL"}}
    command = [sys.executable, "-m", "games.verify", str(path)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[-1]


FREE = (b"[Player", b"[Started", b"[Ended")


def other_by_one_bit(record: bytes, rng: Random) -> bytes:
    """The record with one bit turned, anywhere but in names and dates, which prove nothing."""
    lines = record.split(b"\n")
    at = rng.choice([number for number, line in enumerate(lines) if line and not line.startswith(FREE)])
    line = bytearray(lines[at])
    line[rng.randrange(len(line))] ^= 1 << rng.randrange(8)
    return b"\n".join([*lines[:at], bytes(line), *lines[at + 1 :]])


@pytest.mark.parametrize("variant", VARIANTS, ids=name_of)
def test_one_person_is_left(
    variant: tuple[str, int, dict[str, Any]],
    user_named: Callable[..., User],
    client_of: Callable[..., Client],
    tmp_path: Path,
) -> None:
    game, seats, options = variant
    people = [user_named(f"Player{number}") for number in range(seats)]
    there = people[seats // 2]
    over = play_with_the_clock(open_for(*people, game=game, options=options, pace=PACE), there)
    assert (over.status, over.end) == (Status.FINISHED, "played")
    assert observe.audit(over) == []
    for seat in Seat.objects.filter(table=over):
        rows = move_model(game)._default_manager.filter(table=over, seat=seat.number).exclude(by=By.FORCED)
        if seat.user_id == there.pk:
            assert (seat.automatic, seat.strikes, seat.clock_moves) == (False, 0, 0)
            assert set(rows.values_list("by", flat=True)) == {By.PLAYER}
        else:
            assert (seat.automatic, seat.strikes, seat.own_moves) == (True, 2, 0)
            assert set(rows.values_list("by", flat=True)) == {By.CLOCK}
    record = client_of(None).get(f"/t/{over.code}/record.txt").content
    path = tmp_path / "record.txt"
    path.write_bytes(record)
    assert verified_offline(path) == "VERIFIED"
    rng = Random(over.code)
    for _ in range(12):
        path.write_bytes(other_by_one_bit(record, rng))
        assert verify.main([str(path)]) == 1
