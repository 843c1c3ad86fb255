"""The ledger and the standings written when a match ends, and the command that proves one from the other."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.db.models import F

from games.models import Table
from games.services.endings import table_finished
from ranking import audit, ledger
from ranking.models import Standing, XPEntry

from .conftest import NOON, make_match

pytestmark = pytest.mark.django_db


def standing(user, ladder="cinq", period="all"):
    return Standing.objects.get(user=user, ladder=ladder, period=period)


def test_end_of_a_match_writes_entries_and_standings_of_every_ladder_and_period(alice, bob, match):
    table = match([alice, bob], [1, 2])
    assert list(XPEntry.objects.order_by("user").values_list("user", "table", "game", "delta", "reason", "at")) == [
        (alice.pk, table.pk, "cinq", 20, "win", NOON),
        (bob.pk, table.pk, "cinq", 10, "finish", NOON),
    ]
    for ladder in ("cinq", "all"):
        for period in ("all", "2026-11", "W2026-46"):
            rows = Standing.objects.filter(ladder=ladder, period=period).order_by("-xp")
            assert list(rows.values_list("user", "xp", "wins", "played", "reached_at")) == [
                (alice.pk, 20, 1, 1, NOON),
                (bob.pk, 10, 0, 1, NOON),
            ]
    assert Standing.objects.count() == 12


def test_signal_of_the_games_pays(alice, bob):
    table, results = make_match([alice, bob], [1, 1])
    table_finished.send(sender=Table, table=table, results=results)
    assert set(XPEntry.objects.values_list("delta", flat=True)) == {20}


def test_points_add_up_and_a_new_month_starts_from_nothing(alice, bob, match):
    match([alice, bob], [1, 2])
    match([alice, bob], [2, 1], at=NOON + timedelta(days=30))
    total = standing(alice)
    assert (total.xp, total.wins, total.played, total.reached_at) == (30, 1, 2, NOON + timedelta(days=30))
    assert [standing(alice, period=month).xp for month in ("2026-11", "2026-12")] == [20, 10]


def test_time_of_the_latest_end_counts_whatever_is_written_last(alice, bob, match):
    match([alice, bob], [1, 2])
    match([alice, bob], [1, 2], at=NOON - timedelta(minutes=5))
    assert standing(alice).reached_at == NOON


def test_absent_player_has_an_entry_of_nothing_and_no_standing(alice, bob, match):
    match([alice, bob], [1, 2], moves=[(3, 4), (7, 0)])
    entry = XPEntry.objects.get(user=alice)
    assert (entry.delta, entry.reason) == (0, "absent")
    assert not Standing.objects.filter(user=alice).exists()
    assert standing(bob).xp == 10


def test_friendly_match_writes_nothing(alice, bob, match):
    match([alice, bob], [1, 2], competitive=False)
    assert not XPEntry.objects.exists()
    assert not Standing.objects.exists()


def test_guest_earns_nothing(alice, guest, match):
    match([alice, guest], [2, 1])
    assert list(XPEntry.objects.values_list("user", flat=True)) == [alice.pk]


def test_match_is_paid_once(alice, bob):
    table, results = make_match([alice, bob], [1, 2])
    ledger.record(table, results)
    with pytest.raises(IntegrityError), transaction.atomic():
        ledger.record(table, results)
    assert standing(alice).xp == 20
    assert XPEntry.objects.count() == 2


def test_points_vanish_with_the_end_that_fails(alice, bob):
    table, results = make_match([alice, bob], [1, 2])
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ledger.record(table, results)
        raise ZeroDivisionError
    assert not XPEntry.objects.exists()
    assert not Standing.objects.exists()


def test_end_of_a_match_costs_few_queries(alice, bob, carla, django_assert_max_num_queries):
    table, results = make_match([alice, bob, carla], [1, 2, 3])
    with django_assert_max_num_queries(10):  # two of them are the savepoint
        ledger.record(table, results)


# --- manage.py standings ---------------------------------------------------------------------------------------------


@pytest.fixture
def played(alice, bob, carla, match):
    match([alice, bob, carla], [1, 2, 2])
    match([alice, bob], [2, 1], at=NOON + timedelta(days=25))
    match([alice, carla], [1, 1], moves=[(1, 9), (9, 1)], at=NOON + timedelta(days=26))


def test_check_proves_what_matches_wrote(played, capsys):
    call_command("standings", "--check")
    assert capsys.readouterr().out == "The standings agree with the ledger.\n"


def stored():
    """All standings but their ids, which a rebuild may change."""
    return sorted(Standing.objects.values_list("user", "ladder", "period", "xp", "wins", "played", "reached_at"))


SPOILS = {
    "xp": lambda rows: rows.filter(period="all").update(xp=F("xp") + 10),
    "wins": lambda rows: rows.update(wins=7),
    "played": lambda rows: rows.filter(ladder="cinq").update(played=9),
    "time": lambda rows: rows.update(reached_at=NOON - timedelta(days=1)),
    "missing": lambda rows: rows.filter(period="2026-12").delete(),
    "invented": lambda rows: rows.filter(period="2026-12").update(period="2026-01"),
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_check_prints_each_difference_and_rebuild_puts_it_right(played, alice, spoil, capsys):
    before = stored()
    spoil(Standing.objects.filter(user=alice))
    spoilt = list(audit.differences())
    assert spoilt
    with pytest.raises(CommandError) as error:
        call_command("standings", "--check")
    assert error.value.returncode == 1
    assert capsys.readouterr().out.splitlines() == [str(difference) for difference in spoilt]
    assert len(list(audit.differences())) == len(spoilt), "a check changes nothing"

    call_command("standings", "--rebuild")
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(spoilt)} standings put right."
    call_command("standings", "--check")
    assert stored() == before


def test_rebuild_from_nothing(played):
    before = stored()
    Standing.objects.all().delete()
    list(audit.differences(rebuild=True))
    assert stored() == before


def test_difference_names_whose_what_and_both_sides(played, alice):
    Standing.objects.filter(user=alice, ladder="cinq", period="2026-12").delete()
    (difference,) = audit.differences()
    assert str(difference).startswith(
        f"user {alice.pk}, cinq/2026-12: standing missing, ledger 10 XP, 0 won of 1, reached 2026-12-05"
    )


def test_command_needs_to_be_told_what_to_do():
    with pytest.raises(CommandError):
        call_command("standings")
