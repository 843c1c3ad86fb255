"""What games answers to: a guest who signs up, a session that ends, a mail that is due, somebody who leaves the site."""

from __future__ import annotations

from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone_name, localtime
from django.utils.translation import gettext as _

from accounts import departures, exports, inapp, notices
from accounts.models import Notice, User
from accounts.signals import departed, departure_asked, departure_kept, guest_claimed, person_blocked, session_closed
from games import live, selectors
from games.exports import own_messages, tables_and_moves
from games.models import Seat
from games.services import chat, inviting, leaving, tables
from games.views import invitations


def connect() -> None:
    """Register every receiver; called once when the app is ready."""
    guest_claimed.connect(on_guest_claimed, dispatch_uid="games.guest_claimed")
    session_closed.connect(on_session_closed, dispatch_uid="games.session_closed")
    departure_asked.connect(on_departure_asked, dispatch_uid="games.departure_asked")
    departure_kept.connect(on_departure_kept, dispatch_uid="games.departure_kept")
    person_blocked.connect(on_person_blocked, dispatch_uid="games.person_blocked")
    departed.connect(on_departed, dispatch_uid="games.departed")
    notices.register("turn", turn_mail)
    notices.register(inviting.NOTICE, invitation_mail)
    exports.register(tables_and_moves)
    inapp.carry(invitations.carry)
    exports.register(own_messages)
    departures.register_eraser(chat.erase)
    departures.register_eraser(inviting.erase)


def on_guest_claimed(sender: Any, guest: User, user: User, **kwargs: Any) -> None:
    """The guest's seats and words become the account's."""
    chat.claim_guest(guest, user)
    tables.claim_guest(guest, user)


def on_departure_asked(sender: Any, user: User, **kwargs: Any) -> None:
    """He wants to be deleted: the site plays for him, or nobody sits there any more."""
    leaving.step_back(user)


def on_departure_kept(sender: Any, user: User, **kwargs: Any) -> None:
    """He stays after all."""
    leaving.come_back(user)


def on_person_blocked(sender: Any, user: User, other: User, **kwargs: Any) -> None:
    """The two begin no match together any more."""
    inviting.part(user, other)
    tables.part(user, other)


def on_departed(sender: Any, user: User, **kwargs: Any) -> None:
    """His week is over: what he still plays is abandoned."""
    leaving.go(user)


def on_session_closed(sender: Any, user_id: int, session_key: str | None = None, **kwargs: Any) -> None:
    """Tell the sockets of that person to look whether their session still lives."""
    mark = live.session_mark(session_key) if session_key else ""
    live.publish([(live.user_group(user_id), {"type": "session.closed", "session": mark})])


def turn_mail(notice: Notice) -> notices.Mail | None:
    """The mail about a turn that waits; None when it does not wait any more."""
    seat = (
        Seat.objects.select_related("table")
        .filter(table__code=notice.table, user=notice.user, owes_move=True, automatic_since__isnull=True)
        .first()
    )
    if seat is None or seat.table.plies != notice.ply:
        return None
    table = seat.table
    text = _("It is your turn at a table of %(game)s.") % {"game": table.title}
    if table.pace and seat.deadline:
        until = localtime(seat.deadline)
        text += " " + _("You have until %(day)s, %(hour)s (time zone %(zone)s); after that the site plays for you.") % {
            "day": date_format(until, "DATE_FORMAT"),
            "hour": date_format(until, "TIME_FORMAT"),
            "zone": get_current_timezone_name(),
        }
    return notices.Mail(_("Your turn at %(game)s") % {"game": table.title}, text, table.get_absolute_url())


def invitation_mail(notice: Notice) -> notices.Mail | None:
    """The mail about a friend's invitation; None when the table waits no more, is full, or he has answered."""
    row = next((row for row in selectors.invitations_for(notice.user) if row.table.code == notice.table), None)
    if row is None or row.table.seats.count() >= row.table.seats_wanted:
        return None
    said = {"name": row.by.display_name, "game": row.table.title}
    text = _("%(name)s invites you to a table of %(game)s. There is still a free place.") % said
    return notices.Mail(_("%(name)s invites you to %(game)s") % said, text, row.table.get_absolute_url())
