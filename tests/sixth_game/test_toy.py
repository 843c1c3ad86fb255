"""The toy game through lobby, table page, clock and record, with nothing of the site touched. Runs under its own settings,
called by tests/contract/test_sixth_game.py."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client

from accounts import insert_only
from accounts.models import User
from games import clocktime, observe, registry
from games.models import By, Seat, Status, Table
from games.services import clocks, moves, tables
from tests.playing import legal, open_for, play_one, play_out, seat_to_act

if "games.toy" not in settings.INSTALLED_APPS:
    pytest.skip("runs under tests.sixth_game.settings", allow_module_level=True)

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent


def toy(*people: User, **how: object) -> Table:
    return open_for(*people, game="toy", options={}, **how)


def test_it_is_offered_and_opened(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    client = client_of(alice)
    assert "Plus haut" in client.get("/new/").content.decode()
    form = {"game": "toy", "seats": "2", "pace": "86400", "competitive": "0", "visibility": "public", "points": "2"}
    answer = client.post("/new/", form)
    assert answer.status_code == 303, answer.content.decode()[-2000:]
    table = Table.objects.get(game="toy")
    assert table.options == {"points": 2}
    for page in ("/", "/lobby/", f"/t/{table.code}/"):
        assert "Plus haut" in client_of(bob).get(page).content.decode(), page
    assert client_of(bob).post(f"/t/{table.code}/sit/").status_code == 303
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING
    assert "plus haute" in client.get("/rules/toy/").content.decode()


def test_it_is_played_by_the_table_page_and_by_bots(alice: User, client_of: Callable[..., Client]) -> None:
    table = toy(alice, bots=2)
    client = client_of(alice)
    while Table.objects.get(pk=table.pk).status == Status.PLAYING:
        seat = seat_to_act(table)
        if seat.bot:
            moves.play_for_absent(table.code, seat.number or 0)
            continue
        page = client.get(f"/t/{table.code}/").content.decode()
        text = legal(table, seat)[-1]
        assert f'value="{text}"' in page
        plies = Table.objects.get(pk=table.pk).plies
        form = {"move": text, "seen": plies, "request": f"00000000-0000-4000-8000-{plies:012d}"}
        assert client.post(f"/t/{table.code}/move/", form).status_code == 303
    page = client.get(f"/t/{table.code}/").content.decode()
    assert "gagne le tour" in page


def test_the_clock_plays_it(alice: User, bob: User) -> None:
    table = toy(alice, bob)
    day = timedelta(days=1, seconds=1)
    Seat.objects.filter(table=table, owes_move=True).update(deadline=F("deadline") - day, owes_since=F("owes_since") - day)
    assert clocks.sweep() == 1
    assert Table.objects.get(pk=table.pk).plies == 1
    assert registry.get("toy").bots.LEVELS


def test_its_record_verifies_and_its_moves_are_guarded(
    alice: User, bob: User, client_of: Callable[..., Client], tmp_path: Path
) -> None:
    table = play_out(toy(alice, bob, competitive=True))
    assert observe.audit(table) == []
    from games.toy.models import ToyMove

    assert ToyMove in insert_only.guarded()
    assert ToyMove.objects.filter(table=table, by=By.FORCED).exists()
    path = tmp_path / "record.txt"
    path.write_bytes(client_of(bob).get(f"/t/{table.code}/record.txt").content)
    code = (
        "import sys, games; from pathlib import Path; games.__path__.append(str(Path('tests/sixth_game').resolve()));"
        "from games import verify; sys.exit(verify.main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Plus haut" in client_of(alice).get("/leaderboard/?game=toy").content.decode()


def test_it_may_be_cancelled_and_left(alice: User) -> None:
    table = toy(alice, bots=1)
    tables.end_alone(table.code, user=alice)
    assert clocktime.now() >= Table.objects.get(pk=table.pk).ended_at
    waiting = tables.open_table(user=alice, game="toy", options={}, seats=2, pace=None)
    tables.leave(waiting.code, user=alice)
    assert Table.objects.get(pk=waiting.pk).status == Status.CANCELLED
    assert play_one is not None
