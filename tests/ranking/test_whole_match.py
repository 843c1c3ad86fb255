"""A competitive match played through the services pays its players in the transaction that ends it."""

from __future__ import annotations

import pytest

from games import selectors
from ranking import audit, ledger
from ranking.models import Standing, XPEntry
from tests.playing import open_for, play_out

pytestmark = pytest.mark.django_db(transaction=True)


def test_points_are_there_with_the_result(alice, bob, carla):
    over = play_out(open_for(alice, bob, carla, competitive=True))
    assert over.status == "finished"
    for seat in selectors.seats(over):
        entry = XPEntry.objects.get(table=over, user=seat.user_id)
        assert entry.delta == (30 if seat.place == 1 else 10)
        assert entry.at == over.ended_at
        assert Standing.objects.get(user=seat.user_id, ladder="all", period="all").xp == entry.delta
    assert list(audit.differences()) == []


def test_friendly_match_with_bots_pays_nobody(alice):
    play_out(open_for(alice, bots=2))
    assert not XPEntry.objects.exists()


def test_end_that_cannot_pay_does_not_end(alice, bob, monkeypatch):
    def fail(*args, **kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr(ledger, "record", fail)
    table = open_for(alice, bob, competitive=True)
    with pytest.raises(ZeroDivisionError):
        play_out(table)
    table.refresh_from_db()
    assert table.status == "playing"
    assert not XPEntry.objects.exists()
