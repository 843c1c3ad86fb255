"""Six fous at the table: nobody's cards leave the site, and a whole match is played in a browser without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import verify
from games.models import Seat
from games.six_fous.models import SixFousMove
from tests.browser.person import Person
from tests.conftest import PHONE
from tests.games.six_fous.twins import twin
from tests.playing import open_for, play_one, play_out
from tests.web.test_secrets import present, rewrite, seen_through


@pytest.mark.django_db
def test_twins_are_equal_to_the_byte(alice: User, bob: User, carla: User, client_of: Callable[..., Client]) -> None:
    """Page, fragment, observation and record, for each seat and a spectator; refused moves included."""
    rng = Random(1)
    table = open_for(alice, bob, carla, game="six_fous", options={"jeu": 48, "limite": 100})
    clients = {seat.number: client_of(seat.user) for seat in Seat.objects.filter(table=table).select_related("user")}
    clients[None] = client_of(None)
    compared = 0
    for ply in range(17):
        if ply in (3, 9, 16):
            state = present(table)
            for viewer, client in clients.items():
                client.get(f"/t/{table.code}/")  # marks the turn as seen, once
                before = seen_through(client, table)
                rewrite(table, twin(state, viewer, rng))
                after = seen_through(client, table)
                rewrite(table, state)
                for one, other in zip(before, after, strict=True):
                    assert one == other, one[0]
                    compared += 1
        play_one(table)
    assert compared > 50


@pytest.mark.django_db
def test_a_whole_match_leaves_typed_rows(alice: User, bob: User, carla: User) -> None:
    table = play_out(open_for(alice, bob, carla, game="six_fous", options={"limite": 20}))
    assert (table.status, table.end) == ("finished", "played")
    rows = SixFousMove.objects.filter(table=table)
    assert rows.count() == table.plies
    assert all(row.notation == (f"{row.rank}{row.suit}" if row.kind == "play" else "pass") for row in rows)
    assert {row.hand for row in rows} == set(range(1, max(row.hand for row in rows) + 1))


OPEN = """
from accounts.models import User
from games.services import tables
alice = User.objects.get(username="Alice")
table = tables.open_table(user=alice, game="six_fous", options={"jeu": JEU, "limite": 20}, seats=SEATS, pace=86400)
tables.fill_with_bots(table.code, by=alice)
result = table.code
"""


@pytest.mark.browser
@pytest.mark.timeout(240)
def test_a_whole_match_without_javascript(site: Any, browser_page: Callable[..., Any]) -> None:
    person = Person(browser_page("alice", size=PHONE, js=False), site.run(OPEN, JEU=40, SEATS=3), js=False)
    person.arrive()
    for _ in range(400):
        if (state := person.state()) == "over":
            break
        if state == "turn":
            person.click()
        else:
            person.page.wait_for_timeout(50)
            person.arrive()
    assert person.page.locator(".podium li").count() == 3
    assert list(verify.check(person.page.request.get(f"{person.path}record.txt").text()))[-1] == "result: agrees"
