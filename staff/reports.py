"""Reports: filed by players, gathered by suspect, taken by one person of the staff, their outcome told to who reported.

The context is what everybody at the table could see: public events, never a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import limits, notices
from accounts.models import User
from games import selectors
from games.models import ChatMessage, Seat, Table
from staff.models import Case, Report

NOTICE = "report"
ROWS_KEPT, MESSAGES_KEPT = 12, 6
"""Public facts before the turn, and messages at the table, that are kept with a report."""
TEXT_LENGTH = 1000


class Unfit(Exception):
    """No such report can be made; `message` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def context_of(table: Table, ply: int) -> dict[str, Any]:
    """What everybody saw at a table until after `ply` (0: until now): the last public facts and the names of the seats."""
    rows = [row for row in selectors.log(table, None) if not ply or row.ply <= ply][-ROWS_KEPT:]
    return {
        "names": selectors.names(table),
        "game": table.game,
        "rows": [[row.ply, row.seat, row.by, row.event] for row in rows],
    }


def messages_until(message: ChatMessage) -> list[list[Any]]:
    """The last messages at a table up to this one, as (writer, text, his id); what was removed is left out."""
    rows = ChatMessage.objects.filter(table=message.table_id, pk__lte=message.pk, hidden_at__isnull=True).select_related("user")
    return [[row.user.display_name, row.text, row.user_id] for row in reversed(rows.order_by("-pk")[:MESSAGES_KEPT])]


def suspects(table: Table, reporter: User) -> list[Seat]:
    """The people at a table whom somebody may report: everybody else."""
    seats = Seat.objects.filter(table=table, user__isnull=False).exclude(user=reporter).select_related("user")
    return list(seats.order_by("number", "joined"))


def file(
    reporter: User,
    suspect: User,
    *,
    kind: str,
    text: str = "",
    table: str = "",
    ply: int = 0,
    message: int = 0,
    context: Mapping[str, Any] | None = None,
) -> Report:
    """File a report; it joins the open case of that person. The same again is the same. Ten a day, then limits.TooOften.

    Raises Unfit for oneself.
    """
    if reporter.pk == suspect.pk:
        raise Unfit(_("You cannot report yourself."))
    limits.check("report", f"user:{reporter.pk}")
    place = {"reporter": reporter, "kind": Report.Kind(kind), "table": table, "ply": ply, "message": message}
    kept = {"text": text.strip()[:TEXT_LENGTH], "context": dict(context or {}), "at": timezone.now()}
    return _with_open_case(suspect, lambda case: Report.objects.get_or_create(case=case, **place, defaults=kept)[0])


def _with_open_case(suspect: User, use: Callable[[Case], Report]) -> Report:
    """Run `use` on the suspect's open case, locked; of two that would open one, the second finds the first one's."""
    while True:
        try:
            with transaction.atomic():
                case = Case.objects.select_for_update().filter(suspect=suspect, closed_at__isnull=True).first()
                return use(case or Case.objects.create(suspect=suspect, opened_at=timezone.now()))
        except IntegrityError:
            if not Case.objects.filter(suspect=suspect, closed_at__isnull=True).exists():
                raise


def forget(user: User) -> None:
    """Somebody has left the site: what he wrote in reports, and his words and names in what was kept with them, goes."""
    Report.objects.filter(reporter=user).exclude(text="").update(text="")
    numbers = dict(Seat.objects.filter(user=user, number__isnull=False).values_list("table__code", "number"))
    waited = Q(table__in=Seat.objects.filter(user=user).values("table__code")) | Q(case__suspect=user)
    for row in Report.objects.filter(waited).exclude(context={}):
        kept = dict(row.context)
        number = numbers.get(row.table)
        if number is not None and "names" in kept:
            kept["names"] = ["–" if seat == number else name for seat, name in enumerate(kept["names"])]
        if "messages" in kept:
            kept["messages"] = [message for message in kept["messages"] if message[2] != user.pk]
        Report.objects.filter(pk=row.pk).update(context=kept)


def claim(case: Case, by: User) -> bool:
    """Take a case; of many who try one gets it. Returns whether it is `by`'s now."""
    free = Case.objects.filter(pk=case.pk, claimed_by__isnull=True, closed_at__isnull=True).exclude(suspect=by)
    return (
        bool(free.update(claimed_by=by, claimed_at=timezone.now()))
        or Case.objects.filter(pk=case.pk, claimed_by=by, closed_at__isnull=True).exists()
    )


def release(case: Case, by: User) -> bool:
    """Give a case back; only who has it can."""
    rows = Case.objects.filter(pk=case.pk, claimed_by=by, closed_at__isnull=True)
    return bool(rows.update(claimed_by=None, claimed_at=None))


def close(case: Case, by: User, outcome: str) -> bool:
    """Close a case with its outcome, and owe everybody who reported one mail. Only who has it can."""
    now = timezone.now()
    with transaction.atomic():
        rows = Case.objects.filter(pk=case.pk, claimed_by=by, closed_at__isnull=True)
        if not rows.update(closed_at=now, outcome=Case.Outcome(outcome)):
            return False
        for reporter in set(Report.objects.filter(case=case).values_list("reporter", flat=True)):
            notices.schedule(user_id=reporter, kind=NOTICE, ply=case.pk, send_after=now)
    return True


def outcome_mail(notice: Any) -> notices.Mail | None:
    """The mail that tells a reporter what became of it."""
    case = Case.objects.filter(pk=notice.ply, closed_at__isnull=False).first()
    if case is None:
        return None
    text = _("The staff has looked at what you reported. Outcome: %(outcome)s.") % {"outcome": case.get_outcome_display()}
    return notices.Mail(_("What you reported"), text, "/reports/")
