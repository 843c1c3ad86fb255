"""One mail a waiting turn: written with the turn, dropped when it is seen, played, automatic or over."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail

from accounts import notices
from accounts.models import Notice, User
from games import clocktime
from games.models import Seat, Table
from games.services import clocks, tables
from tests.clocks.test_absence import late_twice, long_match, make_due
from tests.playing import open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db


def owed(user: User) -> list[Notice]:
    return list(Notice.objects.filter(user=user, sent_at=None))


def test_a_notice_is_written_with_the_turn_and_sent_once_after_ten_minutes(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    seat = seat_to_act(table)
    (notice,) = owed(seat.user)
    assert (notice.kind, notice.table) == ("turn", table.code)
    wait = notice.send_after - clocktime.now()
    assert timedelta(minutes=9) < wait <= timedelta(minutes=10)
    assert notices.send_due() == 0
    Notice.objects.update(send_after=clocktime.now() - timedelta(seconds=1))
    assert notices.send_due() == 1
    assert notices.send_due() == 0
    (message,) = mail.outbox
    assert message.to == [seat.user.email]
    assert f"/t/{table.code}/" in message.body
    assert "List-Unsubscribe" in message.extra_headers


def test_a_turn_that_is_seen_or_played_owes_no_mail(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    seat = seat_to_act(table)
    clocks.mark_seen(table, seat)
    assert owed(seat.user) == []
    assert Seat.objects.get(pk=seat.pk).seen_at is not None
    play_one(table)
    other = seat_to_act(table)
    assert len(owed(other.user)) == 1
    play_one(table)
    assert owed(other.user) == [] or seat_to_act(table).pk == other.pk


def test_the_second_look_writes_nothing(alice: User, bob: User, django_assert_num_queries: object) -> None:
    table = long_match(alice, bob)
    seat = seat_to_act(table)
    clocks.mark_seen(table, seat)
    again = Seat.objects.get(pk=seat.pk)
    with django_assert_num_queries(0):
        clocks.mark_seen(table, again)


def test_a_turn_played_by_the_site_and_an_ended_table_owe_no_mail(alice: User, bob: User, carla: User) -> None:
    table = long_match(alice, bob, carla)
    seat = seat_to_act(table)
    make_due(table)
    clocks.sweep()
    assert owed(seat.user) == []
    late_twice(table, seat)
    assert owed(seat.user) == []
    alone = open_for(alice, bots=1)
    clocks.sweep()
    assert Notice.objects.filter(table=alone.code).count() <= 1
    tables.end_alone(alone.code, user=alice)
    assert not Notice.objects.filter(table=alone.code, sent_at=None).exists()


def test_a_mail_about_a_turn_that_has_moved_on_is_not_sent(alice: User, bob: User) -> None:
    table = long_match(alice, bob)
    Notice.objects.update(send_after=clocktime.now() - timedelta(seconds=1))
    Table.objects.filter(pk=table.pk).update(plies=table.plies + 7)
    assert notices.send_due() == 0
    assert mail.outbox == []


def test_guests_and_people_who_want_none_get_no_mail(alice: User, guest: User) -> None:
    table = long_match(alice, guest)
    User.objects.filter(pk=alice.pk).update(email_turns=False)
    for _ in range(2):
        Notice.objects.update(send_after=clocktime.now() - timedelta(seconds=1))
        assert notices.send_due() == 0
        play_one(table)
