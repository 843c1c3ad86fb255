"""Friends and blocks: who asked whom, and who wants nothing to do with whom. Between registered people only.

Everything one-sided is silent: a refused request, and one to somebody who has blocked the asker, look like any other to
whoever asked. A block holds in both directions for all that the layers above offer: they ask `hidden_from` and `any_block`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import names
from accounts.models import Block, Friendship, User
from accounts.signals import person_blocked

REFUSED_FOR = dt.timedelta(days=30)
"""How long a refusal stands: asking again sooner changes nothing for whoever was asked."""
MOST_SHOWN = 500


class NobodyThere(Exception):
    """No such person: unknown, a guest, no longer active, or oneself."""


class YouBlocked(Exception):
    """One cannot ask somebody whom one has blocked."""


class People(NamedTuple):
    """One person's ties, each list by name: `received` and `sent` requests, friends, and whom he has blocked."""

    received: list[User]
    sent: list[User]
    friends: list[User]
    blocked: list[User]


# --- Questions ------------------------------------------------------------------------------------------------------


def hidden_from(user_id: int | None) -> frozenset[int]:
    """The ids of everybody with a block between him and this person, in either direction. Nobody's (None) are none."""
    if user_id is None:
        return frozenset()
    pairs = Block.objects.filter(Q(blocker_id=user_id) | Q(blocked_id=user_id)).values_list("blocker_id", "blocked_id")
    return frozenset(one for pair in pairs for one in pair) - {user_id}


def people_hidden_from(user_id: int) -> QuerySet[User]:
    """The same as rows, to be part of a larger query."""
    theirs, mine = Block.objects.filter(blocked_id=user_id), Block.objects.filter(blocker_id=user_id)
    return User.objects.filter(Q(pk__in=theirs.values("blocker")) | Q(pk__in=mine.values("blocked")))


def any_block(user_id: int | None, others: Iterable[int | None]) -> bool:
    """Whether there is a block between this person and any of the others."""
    ids = {other for other in others if other is not None}
    if user_id is None or not ids:
        return False
    mine, theirs = Q(blocker_id=user_id, blocked_id__in=ids), Q(blocked_id=user_id, blocker_id__in=ids)
    return Block.objects.filter(mine | theirs).exists()


def blocked_by(user_id: int | None) -> frozenset[int]:
    """The ids of those whom this person has blocked himself."""
    if user_id is None:
        return frozenset()
    return frozenset(Block.objects.filter(blocker_id=user_id).values_list("blocked_id", flat=True))


def friends_of(user_id: int | None) -> frozenset[int]:
    """The ids of this person's friends."""
    if user_id is None:
        return frozenset()
    pairs = Friendship.objects.filter(Q(asker_id=user_id) | Q(asked_id=user_id), accepted_at__isnull=False)
    return frozenset(one for pair in pairs.values_list("asker_id", "asked_id") for one in pair) - {user_id}


def friends(user_id: int) -> QuerySet[User]:
    """This person's active friends, as rows."""
    made = Friendship.objects.filter(accepted_at__isnull=False)
    mine, theirs = made.filter(asker_id=user_id).values("asked"), made.filter(asked_id=user_id).values("asker")
    return User.objects.filter(Q(pk__in=mine) | Q(pk__in=theirs), is_active=True)


def are_friends(a: int, b: int) -> bool:
    """Whether two people are friends."""
    return Friendship.objects.filter(_between(a, b), accepted_at__isnull=False).exists()


def relation(user: User | None, other: User) -> str:
    """What `other` is to `user`: "friend", "sent", "received", "blocked", "none", or "" where there can be no tie."""
    if user is None or user.is_guest or other.is_guest or user.pk == other.pk:
        return ""
    if Block.objects.filter(blocker=user, blocked=other).exists():
        return "blocked"
    rows = list(Friendship.objects.filter(_between(user.pk, other.pk)))
    if any(row.accepted_at for row in rows):
        return "friend"
    if any(row.asked_id == user.pk and row.declined_at is None for row in rows):
        return "received"
    return "sent" if any(row.asker_id == user.pk and not row.withdrawn for row in rows) else "none"


def people_of(user: User) -> People:
    """The lists of the person's own page; at most 500 names each. People whose account is closed are in none of them."""
    rows = list(
        Friendship.objects.filter(Q(asker=user) | Q(asked=user))
        .select_related("asker", "asked")
        .filter(asker__is_active=True, asked__is_active=True)
        .order_by("-pk")
    )
    blocked = Block.objects.filter(blocker=user, blocked__is_active=True).select_related("blocked").order_by("-pk")
    received = [row.asker for row in rows if row.asked_id == user.pk and row.accepted_at is None and row.declined_at is None]
    sent = [row.asked for row in rows if row.asker_id == user.pk and row.accepted_at is None and not row.withdrawn]
    friends = [row.asked if row.asker_id == user.pk else row.asker for row in rows if row.accepted_at is not None]
    return People(*(_by_name(found) for found in (received, sent, friends, [row.blocked for row in blocked])))


def requests_waiting(user: User | None) -> int:
    """How many people wait for this person's answer."""
    if user is None or user.is_guest:
        return 0
    return Friendship.objects.filter(asked=user, accepted_at=None, declined_at=None, asker__is_active=True).count()


def person_named(name: str) -> User:
    """The active registered person of that pseudonym, however it is spelt (case, accents). Raises NobodyThere."""
    # PostgreSQL takes no NUL in a text, not even to compare it.
    key = names.key(names.clean(name[: 2 * names.MAX_LENGTH].replace("\0", "")))
    person = User.objects.filter(name_key=key, is_guest=False, is_active=True).first() if key else None
    if person is None:
        raise NobodyThere
    return person


def person_of(user_id: int) -> User:
    """The active registered person of that id. Raises NobodyThere."""
    person = User.objects.filter(pk=user_id, is_guest=False, is_active=True).first()
    if person is None:
        raise NobodyThere
    return person


# --- Changes --------------------------------------------------------------------------------------------------------


def ask(user: User, other: User) -> bool:
    """Ask to be friends; True when that made them friends, because the other had asked. Twice is the same as once.

    Raises NobodyThere for guests and for oneself, YouBlocked for somebody whom one has blocked.
    """
    if user.is_guest or other.is_guest or user.pk == other.pk:
        raise NobodyThere
    now = timezone.now()
    with _locked(user.pk, other.pk):
        if Block.objects.filter(blocker=user, blocked=other).exists():
            raise YouBlocked
        rows = {row.asker_id: row for row in Friendship.objects.filter(_between(user.pk, other.pk))}
        if any(row.accepted_at for row in rows.values()):
            return True
        theirs, mine = rows.get(other.pk), rows.get(user.pk)
        unwanted = Block.objects.filter(blocker=other, blocked=user).exists()
        if theirs is not None and not theirs.withdrawn and not unwanted:
            _become_friends(theirs, now)
            return True
        if mine is None:
            Friendship.objects.create(asker=user, asked=other, asked_at=now, declined_at=now if unwanted else None)
        elif mine.declined_at is not None:
            _ask_again(mine, now, unwanted)
    return False


def _ask_again(mine: Friendship, now: dt.datetime, unwanted: bool) -> None:
    """A refused request stands again for the asker; for the asked too once the refusal is old."""
    assert mine.declined_at is not None
    fresh = None if mine.declined_at <= now - REFUSED_FOR and not unwanted else mine.declined_at
    Friendship.objects.filter(pk=mine.pk).update(withdrawn=False, declined_at=fresh, asked_at=now)


def _become_friends(theirs: Friendship, now: dt.datetime) -> None:
    """Accept a request; a request the other way round is answered with it."""
    Friendship.objects.filter(asker_id=theirs.asked_id, asked_id=theirs.asker_id).delete()
    Friendship.objects.filter(pk=theirs.pk).update(accepted_at=now, declined_at=None, withdrawn=False)


def accept(user: User, other_id: int) -> bool:
    """Accept the request of `other_id`; False when there is none (any more) that one can accept."""
    with _locked(user.pk, other_id):
        theirs = Friendship.objects.filter(asker_id=other_id, asked=user, declined_at=None).first()
        if theirs is None:
            return are_friends(user.pk, other_id)
        if theirs.accepted_at is None:
            _become_friends(theirs, timezone.now())
    return True


def decline(user: User, other_id: int) -> None:
    """Refuse the request of `other_id`, who is not told."""
    with _locked(user.pk, other_id):
        waiting = Friendship.objects.filter(asker_id=other_id, asked=user, accepted_at=None, declined_at=None)
        waiting.update(declined_at=timezone.now())


def withdraw(user: User, other_id: int) -> None:
    """Take back one's own request."""
    with _locked(user.pk, other_id):
        mine = Friendship.objects.filter(asker=user, asked_id=other_id, accepted_at=None)
        mine.filter(declined_at=None).delete()
        mine.update(withdrawn=True)


def remove(user: User, other_id: int) -> None:
    """Stop being friends. The other is not told."""
    with _locked(user.pk, other_id):
        Friendship.objects.filter(_between(user.pk, other_id), accepted_at__isnull=False).delete()


def block(user: User, other: User) -> None:
    """Have nothing more to do with somebody, from now on; the layers above part what can be parted (`person_blocked`).

    Raises NobodyThere for guests and for oneself.
    """
    if user.is_guest or other.is_guest or user.pk == other.pk:
        raise NobodyThere
    now = timezone.now()
    with _locked(user.pk, other.pk):
        Block.objects.get_or_create(blocker=user, blocked=other, defaults={"at": now})
        Friendship.objects.filter(_between(user.pk, other.pk), accepted_at__isnull=False).delete()
        Friendship.objects.filter(asker=user, asked=other).delete()
        # His own request stays as he sees it: its end would tell him.
        Friendship.objects.filter(asker=other, asked=user, declined_at=None).update(declined_at=now)
    person_blocked.send(sender=User, user=user, other=other)


def unblock(user: User, other_id: int) -> None:
    """Take a block back. Nothing that it ended comes back."""
    Block.objects.filter(blocker=user, blocked_id=other_id).delete()


def forget(user: User) -> None:
    """End every tie of somebody who leaves the site."""
    Friendship.objects.filter(Q(asker=user) | Q(asked=user)).delete()
    Block.objects.filter(Q(blocker=user) | Q(blocked=user)).delete()


def _between(a: int, b: int) -> Q:
    return Q(asker_id=a, asked_id=b) | Q(asker_id=b, asked_id=a)


def _by_name(people: list[User]) -> list[User]:
    return sorted(people, key=lambda person: person.name_key)[:MOST_SHOWN]


@contextmanager
def _locked(a: int, b: int) -> Iterator[None]:
    """One transaction over what two people are to each other: their rows are locked, the smaller id first."""
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk__in=(a, b)).order_by("pk").values_list("pk"))
        yield
