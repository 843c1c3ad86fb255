"""`manage.py audit`: nothing to say of a sound site; every kind of damage is found and ends with status 1."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.management import call_command

from accounts.models import TokenHold, Wallet
from games.models import Penalty, Seat, Table
from games.services import abandon, tables
from ranking.models import Standing, XPEntry
from tests.playing import OPTIONS, open_for, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(alice, bob, carla) -> None:
    """A waiting, a running, a finished, an abandoned and a stopped table, all staked."""
    how = {"competitive": True, "stake": 20}
    tables.open_table(user=alice, game="cinq", options=OPTIONS, seats=3, pace=86400, **how)
    open_for(alice, bob, **how)
    play_out(open_for(alice, bob, carla, **how))
    abandon.abandon(open_for(alice, bob, **how).code, user=bob)
    stopped = open_for(bob, carla, **how)
    for person in (bob, carla):
        abandon.agree_to_stop(stopped.code, user=person)


def test_a_sound_site(site, capsys):
    call_command("audit")
    assert capsys.readouterr().out == "0 differences\n"


DAMAGE: dict[str, Callable[[], object]] = {
    "balance": lambda: Wallet.objects.filter(user__username="Alice").update(balance=5000),
    "hold": lambda: TokenHold.objects.all().delete(),
    "escrow": lambda: Wallet.objects.filter(name__startswith="escrow/", balance__gt=0).update(balance=1),
    "at stake": lambda: Wallet.objects.filter(user__username="Bob").update(at_stake=0),
    "stake": lambda: Table.objects.filter(status="finished", end="played").update(stake=30),
    "place": lambda: Seat.objects.filter(table__end="abandoned", place=1).update(place=2),
    "decisions": lambda: Seat.objects.filter(table__end="played", own_moves__gt=0).update(own_moves=99),
    "penalty": lambda: Seat.objects.filter(penalty="open").update(penalty=Penalty.APPLIED),
    "points": lambda: XPEntry.objects.bulk_create([_copy(XPEntry.objects.filter(reason="win").first())]),
    "standing": lambda: Standing.objects.filter(user__username="Alice", ladder="all").update(wins=7),
}


def _copy(entry: XPEntry | None) -> XPEntry:
    assert entry is not None
    return XPEntry(user=entry.user, table=entry.table, game=entry.game, delta=10, reason="finish", at=entry.at)


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_found(site, what, capsys):
    DAMAGE[what]()
    with pytest.raises(SystemExit) as ended:
        call_command("audit")
    assert ended.value.code == 1
    assert capsys.readouterr().out.count("\n") >= 2
