"""Friends are asked to a waiting table, and the invitations go when it no longer waits."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import Q

from accounts import notices, ties
from accounts.models import User
from games import clocktime, live
from games.errors import Closed, NotFound
from games.models import Invitation, Removal, Seat, Status, Table
from games.services.doors import door, lock, update

NOTICE = "invitation"


@door
def invite(code: str, *, by: User, friend_id: int) -> None:
    """Ask a friend to the waiting table where one sits; twice is the same as once. He is owed one mail.

    Raises NotFound 404 for whoever does not sit there and for somebody who is no friend, Closed 409 once it has started.
    """
    table = lock(code)
    if not Seat.objects.filter(table=table, user=by).exists() or not ties.are_friends(by.pk, friend_id):
        raise NotFound("no_table")
    if table.status != Status.OPEN:
        raise Closed("started")
    here = Seat.objects.filter(table=table, user=friend_id).exists()
    if here or Removal.objects.filter(table=table, user=friend_id).exists():
        return
    now = table.now  # type: ignore[attr-defined]
    _row, new = Invitation.objects.get_or_create(table=table, user_id=friend_id, defaults={"by": by, "at": now})
    if not new:
        return
    later = now + timedelta(seconds=settings.NOTICE_DELAY)
    notices.schedule(user_id=friend_id, kind=NOTICE, table=table.code, send_after=later)
    update(table, version=table.version + 1)
    live.announce(table)


def decline(code: str, *, user: User) -> None:
    """Refuse an invitation. Nobody is told."""
    Invitation.objects.filter(table__code=code, user=user, declined_at=None).update(declined_at=clocktime.now())
    notices.drop(user_id=user.pk, kind=NOTICE, table=code)


def forget(table: Table) -> None:
    """The table waits no longer: its invitations are worth nothing any more."""
    Invitation.objects.filter(table=table).delete()
    notices.drop(kind=NOTICE, table=table.code)


def part(user: User, other: User) -> None:
    """A block: the two have not invited each other."""
    between = Invitation.objects.filter(Q(by=user, user=other) | Q(by=other, user=user))
    for row in between.select_related("table"):
        notices.drop(user_id=row.user_id, kind=NOTICE, table=row.table.code)
        row.delete()


def erase(user: User) -> None:
    """Forget whom somebody who leaves the site has invited, and who has invited him."""
    Invitation.objects.filter(Q(by=user) | Q(user=user)).delete()
