"""The only writer of tokens: grants, holds, stakes, settlements. Every function runs inside one transaction, its caller's.

Double entry: each movement adds up to zero over the wallets it touches. Wallets are locked people first, in the order of
user ids, then a table's escrow, then the house; a person's wallet is locked before it is judged, so no token is spent twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from accounts.models import TokenEntry, TokenHold, TokenReason, User, Wallet
from accounts.models.wallet import ESCROW, HOUSE

WELCOME = 1000
"""What an account starts with."""
REFILL_TO = 200
"""Up to this many tokens are given once a day to whoever has fewer, those held and at stake counted."""
PARIS = ZoneInfo("Europe/Paris")


class Short(Exception):
    """Somebody has not enough free tokens: `free` of the `wanted` ones."""

    def __init__(self, free: int, wanted: int) -> None:
        super().__init__(f"{free} free, {wanted} wanted")
        self.free = free
        self.wanted = wanted


class Balance(NamedTuple):
    """What somebody has: free to use, held by waiting tables, at stake in running matches."""

    free: int
    held: int
    at_stake: int = 0


class Movement(NamedTuple):
    """One side of a movement: a locked wallet and what it gets (negative: gives)."""

    wallet: Wallet
    delta: int


def balance(user_id: int) -> Balance:
    """What a registered person has; his wallet is opened at the first question. Nothing for a guest."""
    row = Wallet.objects.filter(user_id=user_id).first()
    if row is None:
        with transaction.atomic():
            row = _people([user_id]).get(user_id)
    return Balance(0, 0) if row is None else Balance(row.balance - row.held, row.held, row.at_stake)


def grant(user_id: int, amount: int, reason: str = TokenReason.GRANT, ref: str = "", at: datetime | None = None) -> bool:
    """Give somebody new tokens, for a cause that pays once; returns whether it was this call. ValueError unless positive."""
    if amount <= 0:
        raise ValueError("a grant gives at least one token")
    with transaction.atomic():
        return _pay(_people([user_id])[user_id], amount, reason, ref, at)


def refill(user_id: int, now: datetime | None = None) -> int:
    """Bring somebody who has less than 200 tokens in all up to that, once a day of Paris; returns what he got.

    Called when he visits the site; costs one question when there is nothing to give.
    """
    today = (now or timezone.now()).astimezone(PARIS).date()
    row = Wallet.objects.filter(user_id=user_id).first()
    if row is not None and (row.refilled_on == today or row.balance + row.at_stake >= REFILL_TO):
        return 0
    with transaction.atomic():
        owner = _people([user_id]).get(user_id)
        if owner is None or owner.refilled_on == today or owner.balance + owner.at_stake >= REFILL_TO:
            return 0
        amount = REFILL_TO - owner.balance - owner.at_stake
        owner.refilled_on = today
        return amount if _pay(owner, amount, TokenReason.REFILL, today.isoformat(), now) else 0


def hold(user_id: int, amount: int, ref: str) -> None:
    """Keep back tokens for a waiting table; nothing is held twice for one cause. Raises Short."""
    owner = _people([user_id])[user_id]
    if TokenHold.objects.filter(wallet=owner, ref=ref).exists():
        return
    if owner.balance - owner.held < amount:
        raise Short(owner.balance - owner.held, amount)
    TokenHold.objects.create(wallet=owner, ref=ref, amount=amount)
    owner.held += amount
    _keep([owner])


def release(ref: str, user_ids: Collection[int] | None = None) -> None:
    """Give back what is held for a cause, to these people or to all."""
    holds = TokenHold.objects.filter(ref=ref)
    if user_ids is not None:
        holds = holds.filter(wallet__user__in=user_ids)
    owners = _people(list(holds.values_list("wallet__user_id", flat=True)))
    by_wallet = {owner.pk: owner for owner in owners.values()}
    # Read again under the lock.
    for row in holds.filter(wallet__in=by_wallet):
        by_wallet[row.wallet_id].held -= row.amount
    holds.filter(wallet__in=by_wallet).delete()
    _keep(by_wallet.values())


def stake(ref: str, at: datetime) -> int:
    """A match starts: what is held for it goes into its escrow; returns how many tokens."""
    holds = {row.wallet_id: row.amount for row in TokenHold.objects.filter(ref=ref)}
    if not holds:
        return 0
    owners = _people(list(Wallet.objects.filter(pk__in=holds).values_list("user_id", flat=True)))
    for owner in owners.values():
        owner.held -= holds[owner.pk]
        owner.at_stake += holds[owner.pk]
    TokenHold.objects.filter(ref=ref).delete()
    movements = [Movement(owner, -holds[owner.pk]) for owner in owners.values()]
    total = sum(holds.values())
    _move([*movements, Movement(_account(ESCROW + ref), total)], TokenReason.STAKE, ref, at)
    return total


def settle(ref: str, paid: Mapping[int, int], staked: int, reason: str, at: datetime) -> None:
    """A match is over: its escrow goes out, `paid` to each user id (0 for those who get nothing), each of whom had `staked`.

    Once for each match: a second call finds another sum in escrow, which is a ValueError, or raises IntegrityError.
    """
    owners = _people(list(paid))
    escrow = _account(ESCROW + ref)
    if escrow.balance != sum(paid.values()):
        raise ValueError(f"{ref}: {escrow.balance} in escrow, {sum(paid.values())} to pay")
    for owner in owners.values():
        owner.at_stake -= staked
    movements = [Movement(owner, paid[user_id]) for user_id, owner in owners.items()]
    _move([*movements, Movement(escrow, -escrow.balance)], reason, ref, at)


def void(ref: str, at: datetime) -> None:
    """Undo the settlement of a match: everybody has his stake back, whoever won gives back what he gained.

    What a winner has not any more the house pays, so that nobody falls below zero.
    """
    rows = TokenEntry.objects.filter(ref=ref, wallet__user__isnull=False).exclude(reason=TokenReason.VOID)
    gained: dict[int, int] = {}
    for user_id, delta in rows.values_list("wallet__user_id", "delta"):
        gained[user_id] = gained.get(user_id, 0) + delta
    owners = _people(list(gained))
    movements = [
        Movement(owner, -min(gained[user_id], owner.balance - owner.held)) for user_id, owner in owners.items() if gained[user_id]
    ]
    rest = sum(movement.delta for movement in movements)
    if rest:
        movements.append(Movement(_account(HOUSE), -rest))
    _move(movements, TokenReason.VOID, ref, at)


def receipts(ref: str) -> dict[int, int]:
    """What a match brought each user id, stake and all: positive for who gained."""
    found: dict[int, int] = {}
    rows = TokenEntry.objects.filter(ref=ref, wallet__user__isnull=False)
    for user_id, delta in rows.values_list("wallet__user_id", "delta"):
        found[user_id] = found.get(user_id, 0) + delta
    return found


def history(user_id: int, before: int | None = None, size: int = 50) -> tuple[list[TokenEntry], int | None]:
    """Somebody's movements, newest first, from below the id `before` on; and the id to go on from, None at the end."""
    rows = TokenEntry.objects.filter(wallet__user_id=user_id).exclude(delta=0).order_by("-id")
    found = list((rows if before is None else rows.filter(id__lt=before))[: size + 1])
    return found[:size], found[size - 1].pk if len(found) > size else None


def _people(user_ids: Sequence[int]) -> dict[int, Wallet]:
    """The wallets of these people, locked in the order of user ids; a missing one is opened, with the welcome, unless the
    person is a guest."""
    wanted = set(user_ids)
    rows = Wallet.objects.filter(user__in=wanted).order_by("user_id").select_for_update(no_key=True)
    owners = {row.user_id: row for row in rows if row.user_id is not None}
    if missing := wanted - owners.keys():
        new = sorted(User.objects.filter(pk__in=missing, is_guest=False).values_list("pk", flat=True))
        Wallet.objects.bulk_create((Wallet(user_id=user_id) for user_id in new), ignore_conflicts=True)
        owners = {row.user_id: row for row in rows.all() if row.user_id is not None}
        for user_id in new:
            _pay(owners[user_id], WELCOME, TokenReason.SIGNUP, "", None)
    return owners


def _pay(owner: Wallet, amount: int, reason: str, ref: str, at: datetime | None) -> bool:
    """The house gives tokens to a locked wallet, once for each cause."""
    if TokenEntry.objects.filter(wallet=owner, reason=reason, ref=ref).exists():
        return False
    _move([Movement(owner, amount), Movement(_account(HOUSE), -amount)], reason, ref, at)
    return True


def _account(name: str) -> Wallet:
    """An account of the site, locked; made when it is first needed."""
    rows = Wallet.objects.filter(name=name).select_for_update(no_key=True)
    found = rows.first()
    if found is None:
        Wallet.objects.bulk_create([Wallet(name=name)], ignore_conflicts=True)
        found = rows.get()
    return found


def _move(movements: Sequence[Movement], reason: str, ref: str, at: datetime | None) -> None:
    """Write the entries of one movement and the balances of its locked wallets. The house's entry names the person as well:
    it pays many for one cause, such as a day."""
    if sum(movement.delta for movement in movements):
        raise ValueError(f"{reason} {ref}: a movement adds up to zero")
    moment, entries = at or timezone.now(), []
    for owner, delta in movements:
        owner.balance += delta
        cause = f"{ref}#{movements[0].wallet.user_id}" if owner.name == HOUSE else ref
        entries.append(TokenEntry(wallet=owner, reason=reason, ref=cause, delta=delta, balance_after=owner.balance, at=moment))
    TokenEntry.objects.bulk_create(entries)
    _keep([owner for owner, _delta in movements])


def _keep(wallets: Iterable[Wallet]) -> None:
    rows = list(wallets)
    if rows:
        Wallet.objects.bulk_update(rows, ["balance", "held", "at_stake", "refilled_on"])
