"""Talk and moves at one table at once: neither waits for ever, no message and no version is lost."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from accounts import ties
from accounts.models import Friendship
from games import errors
from games.models import ChatMessage, Seat, Table
from games.services import chat, moves, tables
from tests.concurrency.test_races import at_once
from tests.playing import legal, open_for, seat_to_act

pytestmark = pytest.mark.django_db(transaction=True)


def test_people_talk_while_moves_are_made(alice: Any, bob: Any, carla: Any) -> None:
    table = open_for(alice, bob, carla, options={"mode": "classique", "limite": 50})
    version, plies = table.version, table.plies

    def talk(who: Any, number: int) -> Any:
        return lambda: chat.say(table.code, user=who, text=f"{number}", request=uuid4())

    seat = seat_to_act(table)
    move = lambda: moves.play(table.code, user=seat.user, text=legal(table, seat)[0], seen=plies, request=uuid4())  # noqa: E731
    said = at_once([talk(who, number) for who in (alice, bob) for number in range(3)] + [move])
    assert not [answer for answer in said if isinstance(answer, errors.Refused)]
    fresh = Table.objects.get(pk=table.pk)
    assert ChatMessage.objects.filter(table=table).count() == 6
    assert fresh.version == version + 7
    assert fresh.plies > plies


def test_one_click_sent_at_once_is_one_message(alice: Any, bob: Any) -> None:
    table, click = open_for(alice, bob), uuid4()
    at_once([lambda: chat.say(table.code, user=alice, text="Une fois", request=click)] * 6)
    assert ChatMessage.objects.count() == 1
    assert Table.objects.get(pk=table.pk).version == table.version + 1


def test_two_who_ask_each_other_at_once(alice: Any, bob: Any) -> None:
    at_once([lambda: ties.ask(alice, bob), lambda: ties.ask(bob, alice)])
    assert ties.are_friends(alice.pk, bob.pk)
    assert Friendship.objects.count() == 1


def test_a_block_and_sitting_at_once(alice: Any, bob: Any) -> None:
    """Whichever is first: in the end they do not sit together."""
    for _ in range(3):
        table = tables.open_table(user=alice, game="cinq", options={}, seats=3, pace=86400)
        at_once([lambda code=table.code: tables.sit(code, user=bob), lambda: ties.block(alice, bob)])
        together = set(Seat.objects.filter(table=table).values_list("user", flat=True))
        with pytest.raises(errors.Refused):
            tables.sit(table.code, user=bob)
        assert together == {alice.pk}
        ties.unblock(alice, bob.pk)
