"""Stakes of tables: held, given back, in escrow, paid; every test ends with audits at zero."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from accounts import wallet
from accounts.models import TokenEntry, TokenHold
from games import clocktime, errors
from games.models import Seat, Status, Table
from games.services import abandon, endings, penalties, tables, voiding
from ranking import audit
from ranking.models import Standing, XPEntry
from tests.playing import OPTIONS, open_for, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _audits() -> Iterator[None]:
    yield
    clocktime.travel(None)
    assert list(audit.everything()) == []


def free(*people):
    return [wallet.balance(person.pk).free for person in people]


def have(person):
    return tuple(wallet.balance(person.pk))


def waiting(user, stake=50, seats=3, **how):
    how = {"pace": 86400, "competitive": True, **how}
    return tables.open_table(user=user, game="cinq", options=OPTIONS, seats=seats, stake=stake, **how)


def staked(*people, stake=50, **how):
    return open_for(*people, competitive=True, stake=stake, **how)


def test_held_when_sitting_and_released_when_leaving(alice, bob):
    table = waiting(alice)
    tables.sit(table.code, user=bob)
    tables.sit(table.code, user=bob)
    assert have(alice) == have(bob) == (950, 50, 0)
    tables.leave(table.code, user=bob)
    assert have(bob) == (1000, 0, 0)
    tables.leave(table.code, user=alice)
    assert have(alice) == (1000, 0, 0)
    assert Table.objects.get(pk=table.pk).status == Status.CANCELLED


def test_whoever_is_removed_has_his_stake_back(alice, bob):
    table = waiting(alice)
    tables.sit(table.code, user=bob)
    tables.remove(table.code, by=alice, seat_id=Seat.objects.get(table=table, user=bob).pk)
    assert have(bob) == (1000, 0, 0)
    assert have(alice) == (950, 50, 0)


def test_who_is_short_is_refused_with_a_sentence_and_nothing_changes(alice, bob):
    waiting(bob, stake=980)
    table = waiting(alice)
    with pytest.raises(errors.Refused) as refusal:
        tables.sit(table.code, user=bob)
    assert (refusal.value.code, refusal.value.status) == ("short", 409)
    assert "50" in str(refusal.value.message) and "20" in str(refusal.value.message)
    assert not Seat.objects.filter(table=table, user=bob).exists()
    with pytest.raises(errors.Refused):
        waiting(bob, stake=21)
    assert Table.objects.count() == 2


@pytest.mark.parametrize(("stake", "competitive"), [(-1, True), (10_001, True), (10, False)])
def test_stakes_that_cannot_be(alice, stake, competitive):
    with pytest.raises(errors.BadTable):
        waiting(alice, stake=stake, competitive=competitive)


def test_old_waiting_tables_give_back(alice):
    waiting(alice)
    clocktime.travel(tables.NEVER_STARTED)
    assert tables.close_old() == 1
    assert have(alice) == (1000, 0, 0)


def test_escrow_at_the_start_and_the_pot_at_the_end(alice, bob, carla):
    table = staked(alice, bob, carla)
    assert have(alice) == (950, 0, 50)
    over = play_out(table)
    winners = Seat.objects.filter(table=over, place=1).count()
    for seat in Seat.objects.filter(table=over):
        assert free(seat.user) == [950 + (150 // winners if seat.place == 1 else 0)]
    assert sum(free(alice, bob, carla)) == 3000


def test_friendly_and_unstaked_tables_move_nothing(alice, bob):
    play_out(open_for(alice, bob))
    play_out(open_for(alice, bob, competitive=True))
    assert not TokenEntry.objects.exists()


def test_abandoning_leaves_the_stake_in_the_pot(alice, bob, carla):
    table = staked(alice, bob, carla)
    abandon.abandon(table.code, user=alice)
    assert have(alice) == (950, 0, 50)
    abandon.abandon(table.code, user=bob)
    assert free(alice, bob, carla) == [950, 950, 1100]
    assert XPEntry.objects.get(user=carla).delta == 30


def test_a_cancelled_match_gives_back(alice, bob):
    table = staked(alice, bob)
    abandon.agree_to_stop(table.code, user=alice)
    abandon.agree_to_stop(table.code, user=bob)
    assert free(alice, bob) == [1000, 1000]
    assert not XPEntry.objects.exists()
    table = staked(alice, bob)
    Seat.objects.filter(table=table).update(automatic_since=clocktime.now())
    game = endings.running.Running.load(tables.lock(table.code))
    endings.cancel(game.table, "absent", game.now)
    assert free(alice, bob) == [1000, 1000]


def test_one_address_gives_back_at_the_start(alice, bob):
    table = waiting(alice, seats=2, origin="a")
    tables.sit(table.code, user=bob, origin="a")
    table.refresh_from_db()
    assert (table.status, table.counts) == (Status.PLAYING, False)
    assert have(alice) == have(bob) == (1000, 0, 0)
    play_out(table)
    assert free(alice, bob) == [1000, 1000]
    assert not TokenHold.objects.exists()


def test_the_half_rule_passes_the_pot_on(alice, bob, carla):
    """Alice is away from the first card on; sooner or later the site wins a match for her."""
    for _ in range(20):
        table = staked(alice, bob, carla, stake=6)
        Seat.objects.filter(table=table, user=alice).update(automatic_since=clocktime.now())
        Seat.objects.filter(table=table, user=alice, owes_move=True).update(deadline=clocktime.now())
        before = free(alice, bob, carla)
        over = play_out(table)
        seats = {seat.user_id: seat for seat in Seat.objects.filter(table=over)}
        if seats[alice.pk].place != 1:
            continue
        best = min(seats[bob.pk].place, seats[carla.pk].place)
        heirs = [person for person in (bob, carla) if seats[person.pk].place == best]
        gained = [after - was for after, was in zip(free(alice, bob, carla), before, strict=True)]
        assert gained == [0, *(18 // len(heirs) if person in heirs else 0 for person in (bob, carla))]
        assert XPEntry.objects.get(table=over, user=alice).delta == 0
        return
    pytest.fail("the site never won")


def test_a_void_match_takes_everything_back(alice, bob):
    table = staked(alice, bob)
    abandon.abandon(table.code, user=alice)
    number = Seat.objects.get(table=table, user=alice).number
    penalties.vote(table.code, user=bob, number=number, yes=True)
    assert free(alice, bob) == [950, 1050]
    for _ in range(2):
        voiding.void(table.code)
    assert free(alice, bob) == [1000, 1000]
    table.refresh_from_db()
    assert (table.counts, table.uncounted) == (False, "void")
    assert Standing.objects.get(user=bob, ladder="cinq", period="all").xp == 0
    standing = Standing.objects.get(user=bob, ladder="all", period="all")
    assert (standing.xp, standing.wins, standing.played) == (0, 0, 0)


def test_a_void_match_gives_back_a_penalty(alice, bob):
    for _ in range(2):
        abandon.abandon(open_for(alice, bob, competitive=True).code, user=bob)
    table = staked(alice, bob)
    abandon.abandon(table.code, user=alice)
    penalties.vote(table.code, user=bob, number=Seat.objects.get(table=table, user=alice).number, yes=True)
    assert Standing.objects.get(user=alice, ladder="cinq", period="all").xp == 20
    voiding.void(table.code)
    assert Standing.objects.get(user=alice, ladder="cinq", period="all").xp == 40


def test_only_a_finished_match_that_counts_can_be_void(alice, bob):
    for table in (open_for(alice, bob), open_for(alice, bob, competitive=True), play_out(open_for(alice, bob))):
        with pytest.raises(errors.Closed):
            voiding.void(table.code)


@pytest.mark.parametrize("statement", range(40))
def test_a_crash_between_any_two_statements_of_the_end_leaves_nothing(alice, bob, statement, monkeypatch):
    from django.db import connection

    table = staked(alice, bob)
    made = 0

    def crash(execute, sql, params, many, context):
        nonlocal made
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            made += 1
            if made > statement:
                raise ZeroDivisionError
        return execute(sql, params, many, context)

    with connection.execute_wrapper(crash):
        try:
            abandon.abandon(table.code, user=alice)
        except ZeroDivisionError:
            finished = False
        else:
            finished = True
    table.refresh_from_db()
    assert (table.status == Status.FINISHED) is finished
    assert free(alice, bob) == ([950, 1050] if finished else [950, 950])
    assert XPEntry.objects.count() == (2 if finished else 0)
