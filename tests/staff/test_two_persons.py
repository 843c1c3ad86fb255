"""What needs a second person: it waits, another one with the permission confirms, once, in any race."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection

from accounts import wallet
from accounts.models import User
from games import clocktime
from games.models import Table
from staff import registry
from staff.actions import perform
from staff.models import Pending, StaffLog
from tests import playing

pytestmark = pytest.mark.django_db


@pytest.fixture
def second(with_role):
    return with_role("Seconde", "administrateur")


def free(user):
    return wallet.balance(user.pk).free


def test_a_small_grant_is_done_at_once(boss, act, alice):
    before = free(alice)
    assert act(boss, "grant", alice, amount=1000).status_code == 303
    assert free(alice) == before + 1000
    row = StaffLog.objects.get()
    assert row.before == {"tokens": before} and row.after == {"tokens": before + 1000, "granted": 1000}


@pytest.mark.parametrize("amount", ["0", "-5", "x", "", "100001", "1e3", "1.5"])
def test_no_other_amounts(amount, boss, act, alice):
    assert act(boss, "grant", alice, amount=amount).status_code == 422
    assert not StaffLog.objects.exists()


def test_nobody_grants_himself_or_a_guest(boss, modo, act, guest):
    before = free(boss)
    assert act(boss, "grant", boss, amount=10).status_code == 409
    assert act(boss, "grant", boss, amount=5000).status_code == 409
    assert act(boss, "grant", guest, amount=10).status_code == 409
    assert act(modo, "grant", guest, amount=10).status_code == 403
    assert free(boss) == before and not Pending.objects.exists()


def test_a_large_grant_waits_for_another_administrator(boss, second, modo, act, alice):
    before = free(alice)
    assert act(boss, "grant", alice, amount=1001).status_code == 303
    pending = Pending.objects.get()
    assert free(alice) == before and pending.data == {"amount": 1001}
    assert [row.action for row in StaffLog.objects.all()] == ["grant?"]
    assert act(boss, "confirm", pending).status_code == 409, "not oneself"
    assert act(modo, "confirm", pending).status_code == 403
    assert free(alice) == before
    assert act(second, "confirm", pending, reason="").status_code == 422
    assert act(second, "confirm", pending).status_code == 303
    assert free(alice) == before + 1001
    assert act(second, "confirm", pending).status_code == 409
    assert act(second, "decline", pending).status_code == 409
    assert free(alice) == before + 1001
    row = StaffLog.objects.get(action="confirm")
    assert row.actor == second and row.after["asked_by"] == boss.pk and row.after["granted"] == 1001


def test_who_gets_it_does_not_confirm_it(boss, second, act):
    assert act(boss, "grant", second, amount=5000).status_code == 303
    assert act(second, "confirm", Pending.objects.get()).status_code == 409
    assert Pending.objects.get().decided_at is None


def test_declined_is_declined(boss, second, act, alice):
    before = free(alice)
    act(boss, "grant", alice, amount=5000)
    pending = Pending.objects.get()
    assert act(boss, "decline", pending).status_code == 409
    assert act(second, "decline", pending).status_code == 303
    assert act(second, "confirm", pending).status_code == 409
    assert free(alice) == before and Pending.objects.get().accepted is False


def test_after_a_week_it_must_be_asked_again(boss, second, act, alice):
    act(boss, "grant", alice, amount=5000)
    Pending.objects.update(asked_at=clocktime.now() - timedelta(days=8))
    assert act(second, "confirm", Pending.objects.get()).status_code == 409


def test_the_list_shows_what_waits(boss, second, act, alice, client_of):
    act(boss, "grant", alice, amount=5000, reason="prize of the autumn cup")
    html = client_of(second).get("/admin/staff/pending/").content.decode()
    assert "prize of the autumn cup" in html
    page = client_of(second).get(f"/admin/staff/pending/{Pending.objects.get().pk}/change/").content.decode()
    assert "/admin/act/confirm/" in page
    own = client_of(boss).get(f"/admin/staff/pending/{Pending.objects.get().pk}/change/").content.decode()
    assert "/admin/act/confirm/" not in own


# --- void -----------------------------------------------------------------------------------------------------------------


def finished(alice, bob, **how):
    table = playing.open_for(alice, bob, competitive=True, **how)
    return playing.play_out(table)


def test_a_match_without_stakes_is_voided_by_one(boss, anim, act, alice, bob):
    from ranking.models import XPEntry

    table = finished(alice, bob)
    assert table.counts
    assert act(anim, "void", table).status_code == 403
    assert act(boss, "void", table).status_code == 303
    assert not Table.objects.get(pk=table.pk).counts
    assert sum(XPEntry.objects.filter(table=table).values_list("delta", flat=True)) == 0
    assert act(boss, "void", table).status_code == 409


def test_a_staked_match_needs_two_and_everybody_has_his_tokens_again(boss, second, act, alice, bob):
    before = (free(alice), free(bob))
    table = finished(alice, bob, stake=50)
    assert (free(alice), free(bob)) != before
    assert act(boss, "void", table).status_code == 303
    assert Table.objects.get(pk=table.pk).counts
    assert act(second, "confirm", Pending.objects.get()).status_code == 303
    assert not Table.objects.get(pk=table.pk).counts
    assert (free(alice), free(bob)) == before


# --- races ----------------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_confirm_at_once_one_does(boss, second, with_role, act, alice):
    third = with_role("Tierce", "administrateur")
    before = free(alice)
    act(boss, "grant", alice, amount=5000)
    pending = Pending.objects.get()
    start, results = threading.Barrier(8), []

    def confirm(user):
        from uuid import uuid4

        try:
            start.wait()
            target = Pending.objects.get(pk=pending.pk)
            actor = User.objects.get(pk=user.pk)
            results.append(perform(registry.ACTIONS["confirm"], actor, target, {}, "agreed by mail", uuid4()).how)
        finally:
            connection.close()

    threads = [threading.Thread(target=confirm, args=(user,)) for user in (second, third) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["done", *["refused"] * 7]
    assert free(alice) == before + 5000
    assert StaffLog.objects.filter(action="confirm").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_case_is_taken_by_one_of_many(with_role, alice, bob):
    from uuid import uuid4

    from staff import reports
    from staff.models import Case

    case = reports.file(alice, bob, kind="spam").case
    people = [with_role(f"Modo {letter}", "moderateur") for letter in "ABCDEF"]
    start, results = threading.Barrier(len(people)), []

    def claim(user):
        try:
            start.wait()
            target = Case.objects.get(pk=case.pk)
            results.append(perform(registry.ACTIONS["claim"], user, target, {}, "I take this", uuid4()).how)
        finally:
            connection.close()

    threads = [threading.Thread(target=claim, args=(user,)) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["done", *["refused"] * 5]


@pytest.mark.django_db(transaction=True)
def test_the_same_click_ten_times_at_once_acts_once(boss, alice):
    from uuid import uuid4

    before, click = free(alice), uuid4()
    start, results = threading.Barrier(10), []

    def grant():
        try:
            start.wait()
            actor, target = User.objects.get(pk=boss.pk), User.objects.get(pk=alice.pk)
            results.append(perform(registry.ACTIONS["grant"], actor, target, {"amount": 7}, "a small gift", click).how)
        finally:
            connection.close()

    threads = [threading.Thread(target=grant) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [*["again"] * 9, "done"]
    assert free(alice) == before + 7


@pytest.mark.parametrize(
    ("asked", "gets"),
    [({"role": "administrateur"}, "staff.set_roles"), ({"role": "moderateur", "see_hidden": "on"}, "games.see_hidden")],
)
def test_an_administrator_alone_makes_no_other_one_and_lets_nobody_see_hidden_cards(boss, second, act, alice, asked, gets):
    assert act(boss, "role", alice, **asked).status_code == 303
    assert not User.objects.get(pk=alice.pk).is_staff
    pending = Pending.objects.get()
    assert act(boss, "confirm", pending).status_code == 409
    assert not User.objects.get(pk=alice.pk).has_perm(gets)
    assert act(second, "confirm", pending).status_code == 303
    assert User.objects.get(pk=alice.pk).has_perm(gets)
