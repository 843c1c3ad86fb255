"""Tokens: what is granted, held, staked and paid; that nothing is made or lost; that rows are never changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from accounts import insert_only, token_audit, wallet
from accounts.models import TokenEntry, TokenHold, TokenReason, Wallet

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 30, 11, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _audit():
    """Every test ends with wallets that their entries prove."""
    yield
    assert list(token_audit.problems()) == []


def entries(user) -> list[tuple[str, str, int, int]]:
    rows = TokenEntry.objects.filter(wallet__user=user).order_by("pk")
    return list(rows.values_list("reason", "ref", "delta", "balance_after"))


def test_everybody_starts_with_a_thousand_once(alice):
    for _ in range(2):
        assert wallet.balance(alice.pk) == (1000, 0, 0)
    assert entries(alice) == [("signup", "", 1000, 1000)]
    assert Wallet.objects.get(name="house").balance == -1000


def test_a_guest_has_no_wallet(guest):
    assert wallet.balance(guest.pk) == (0, 0, 0)
    assert wallet.refill(guest.pk) == 0
    assert not Wallet.objects.exists()


def test_grants_are_once_for_each_cause(alice):
    assert wallet.grant(alice.pk, 500, ref="request/1")
    assert not wallet.grant(alice.pk, 500, ref="request/1")
    assert wallet.grant(alice.pk, 1, ref="request/2")
    assert wallet.balance(alice.pk).free == 1501
    with pytest.raises(ValueError):
        wallet.grant(alice.pk, 0, ref="request/3")


def test_refill_once_a_paris_day_up_to_two_hundred(alice, bob):
    assert wallet.refill(alice.pk, NOON) == 0  # it opens the wallet
    wallet.balance(bob.pk)
    with transaction.atomic():
        for user in (alice, bob):
            wallet.hold(user.pk, 950, "T")
        wallet.stake("T", NOON)
        wallet.settle("T", {alice.pk: 0, bob.pk: 1900}, 950, TokenReason.POT, NOON)
    assert wallet.refill(alice.pk, NOON) == 150
    assert wallet.refill(alice.pk, NOON + timedelta(hours=11)) == 0  # still that day
    assert wallet.refill(bob.pk, NOON) == 0
    with transaction.atomic():
        for user in (alice, bob):
            wallet.hold(user.pk, 150, "U")
    assert wallet.refill(alice.pk, NOON + timedelta(hours=13)) == 0  # what is held counts
    assert entries(alice)[-1] == ("refill", "2026-11-30", 150, 200)
    with transaction.atomic():
        wallet.stake("U", NOON)
    assert wallet.refill(alice.pk, NOON + timedelta(hours=13)) == 0  # and what is at stake
    with transaction.atomic():
        wallet.settle("U", {alice.pk: 0, bob.pk: 300}, 150, TokenReason.POT, NOON)
    assert wallet.refill(alice.pk, NOON + timedelta(hours=13)) == 150
    assert wallet.balance(alice.pk).free == 200


def test_hold_release_and_hold_again(alice):
    with transaction.atomic():
        wallet.hold(alice.pk, 600, "T")
        wallet.hold(alice.pk, 600, "T")
        assert wallet.balance(alice.pk) == (400, 600, 0)
        with pytest.raises(wallet.Short) as short:
            wallet.hold(alice.pk, 401, "U")
        assert (short.value.free, short.value.wanted) == (400, 401)
        wallet.hold(alice.pk, 400, "U")
        wallet.release("T", [alice.pk])
        wallet.release("T", [alice.pk])
    assert wallet.balance(alice.pk) == (600, 400, 0)
    assert [reason for reason, *_ in entries(alice)] == ["signup"]


def test_stake_and_pot(alice, bob):
    with transaction.atomic():
        for user in (alice, bob):
            wallet.hold(user.pk, 50, "T")
        assert wallet.stake("T", NOON) == 100
    assert wallet.balance(alice.pk) == (950, 0, 50)
    with transaction.atomic():
        wallet.settle("T", {alice.pk: 100, bob.pk: 0}, 50, TokenReason.POT, NOON)
    assert wallet.balance(alice.pk) == (1050, 0, 0)
    assert wallet.balance(bob.pk) == (950, 0, 0)
    assert wallet.receipts("T") == {alice.pk: 50, bob.pk: -50}
    assert not TokenHold.objects.exists()


@pytest.mark.parametrize("reason", [TokenReason.POT, TokenReason.REFUND])
def test_nothing_is_settled_twice(alice, bob, reason):
    with transaction.atomic():
        for user in (alice, bob):
            wallet.hold(user.pk, 50, "T")
        wallet.stake("T", NOON)
        wallet.settle("T", {alice.pk: 100, bob.pk: 0}, 50, TokenReason.POT, NOON)
    with pytest.raises((ValueError, IntegrityError)), transaction.atomic():
        wallet.settle("T", {alice.pk: 100, bob.pk: 0}, 50, reason, NOON)


def test_what_does_not_add_up_is_refused(alice, bob):
    with transaction.atomic():
        wallet.hold(alice.pk, 50, "T")
        wallet.stake("T", NOON)
    with pytest.raises(ValueError), transaction.atomic():
        wallet.settle("T", {alice.pk: 51}, 50, TokenReason.POT, NOON)


def test_a_void_match_gives_everything_back(alice, bob):
    with transaction.atomic():
        for user in (alice, bob):
            wallet.hold(user.pk, 50, "T")
        wallet.stake("T", NOON)
        wallet.settle("T", {alice.pk: 100, bob.pk: 0}, 50, TokenReason.POT, NOON)
        wallet.void("T", NOON)
    assert wallet.balance(alice.pk).free == wallet.balance(bob.pk).free == 1000


def test_a_winner_who_has_spent_it_does_not_fall_below_zero(alice, bob):
    with transaction.atomic():
        for user in (alice, bob):
            wallet.hold(user.pk, 1000, "T")
        wallet.stake("T", NOON)
        wallet.settle("T", {alice.pk: 2000, bob.pk: 0}, 1000, TokenReason.POT, NOON)
        wallet.hold(alice.pk, 1700, "U")
        wallet.void("T", NOON)
    assert wallet.balance(alice.pk) == (0, 1700, 0)
    assert wallet.balance(bob.pk).free == 1000
    assert Wallet.objects.get(name="house").balance == -2700


def test_history_by_key(alice):
    for number in range(7):
        wallet.grant(alice.pk, 1, ref=f"g/{number}")
    rows, older = wallet.history(alice.pk, size=5)
    assert [row.ref for row in rows] == ["g/6", "g/5", "g/4", "g/3", "g/2"]
    rows, older = wallet.history(alice.pk, older, size=5)
    assert [row.ref for row in rows] == ["g/1", "g/0", ""]
    assert older is None


# --- The database has the last word ----------------------------------------------------------------------------------


SECOND_WELCOME = """
    INSERT INTO accounts_tokenentry (wallet_id, reason, ref, delta, balance_after, at)
    VALUES (1, 'signup', '', 1, 1, '2026-11-30 12:00')
"""


def sql(statement: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_wallet SET balance = -1 WHERE name = ''",
        "UPDATE accounts_wallet SET held = 1001 WHERE name = ''",
        "UPDATE accounts_wallet SET at_stake = -1 WHERE name = ''",
        "UPDATE accounts_wallet SET name = 'x' WHERE name = ''",
        "UPDATE accounts_tokenentry SET delta = 2000 WHERE delta = 1000",
        "DELETE FROM accounts_tokenentry",
        SECOND_WELCOME,
    ],
)
def test_bad_writes_are_impossible(alice, statement):
    wallet.balance(alice.pk)
    own = Wallet.objects.get(user=alice).pk
    with pytest.raises(IntegrityError):
        sql(statement.replace("(1, '", f"({own}, '"))


def test_the_audit_finds_what_is_wrong(alice, bob):
    wallet.balance(alice.pk)
    with transaction.atomic():
        wallet.hold(alice.pk, 5, "T")
    Wallet.objects.filter(user=alice).update(balance=1001)
    assert len(list(token_audit.problems())) == 2
    Wallet.objects.filter(user=alice).update(balance=1000, held=4)
    assert len(list(token_audit.problems())) == 1
    Wallet.objects.filter(user=alice).update(held=5)
    row = Wallet.objects.get(user=alice)
    lost = TokenEntry.objects.create(wallet=row, reason="grant", ref="x", delta=1, balance_after=999, at=NOON)
    assert len(list(token_audit.problems())) == 3
    house = Wallet.objects.get(name="house")
    TokenEntry.objects.create(wallet=house, reason="grant", ref="x", delta=-1, balance_after=-1001, at=NOON)
    TokenEntry.objects.create(wallet=row, reason="grant", ref="y", delta=-1, balance_after=1000, at=NOON)
    TokenEntry.objects.create(wallet=house, reason="grant", ref="y", delta=1, balance_after=-1000, at=NOON)
    assert [problem.split()[2] for problem in token_audit.problems()] == [str(lost.pk)]
    with transaction.atomic():
        insert_only.remove([TokenEntry])
        TokenEntry.objects.filter(pk=lost.pk).update(balance_after=1001)
        insert_only.install([TokenEntry])


# --- Pages ------------------------------------------------------------------------------------------------------------


def test_the_first_visit_opens_the_wallet_and_the_page_shows_it(client_of, alice):
    client = client_of(alice)
    client.get("/")
    assert entries(alice) == [("signup", "", 1000, 1000)]
    page = client.get("/wallet/", headers={"Accept-Language": "en"}).content.decode()
    assert "1,000" in page
    assert "Welcome" in page


def test_the_page_is_for_its_owner_and_reads_keys(client_of, client, alice):
    assert client.get("/wallet/").status_code == 302
    assert client_of(alice).get("/wallet/?before=x").status_code == 422
    assert client_of(alice).get("/wallet/?before=1").status_code == 200
    assert client_of(alice).post("/wallet/").status_code == 405
