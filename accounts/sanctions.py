"""Measures against people: what is in force, how one is imposed, lifted, appealed against.

Enforced where it bites: chat asks for "mute", opening and sitting at a table for "no_tables". A suspension is also
a date on the user's own row, so that every request and every socket sees it without asking.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts import notices
from accounts.models import Appeal, Sanction, User
from accounts.models.sanction import Ground, Kind
from accounts.signals import session_closed

SESSION_KEY = "sanctioned"
"""In the session of somebody who was shut out: whose measures the page shows him."""
FOR_EVER = dt.datetime(9999, 1, 1, tzinfo=dt.UTC)
NOTICE = "sanction"
TEXT_LENGTH = 2000


class Refused(Exception):
    """What was asked cannot be done; `message` is a sentence in the reader's language."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code)
        self.code, self.message = code, message


def in_force(user_id: int) -> QuerySet[Sanction]:
    """The person's measures that count now; warnings count for nothing."""
    now = timezone.now()
    rows = Sanction.objects.filter(user_id=user_id, lifted_at__isnull=True, begins_at__lte=now).exclude(kind=Kind.WARNING)
    return rows.filter(Q(ends_at__isnull=True) | Q(ends_at__gt=now))


def active(user_id: int) -> frozenset[str]:
    """Which of "mute", "no_tables", "suspended" are in force now for the person."""
    return frozenset(in_force(user_id).values_list("kind", flat=True))


def suspended(user: User) -> bool:
    """Whether the account is suspended now; asks nothing of the database."""
    return user.suspended_until is not None and user.suspended_until > timezone.now()


def no_tables_sentence(user_id: int) -> str:
    """Why the person may open no table and sit down at none, "" if he may."""
    rows = list(in_force(user_id).filter(kind__in=[Kind.NO_TABLES, Kind.SUSPENDED]))
    if not rows:
        return ""
    if any(row.ends_at is None for row in rows):
        return _("The staff has barred you from new tables. Your page of measures tells why.")
    until = max(row.ends_at for row in rows if row.ends_at)
    return _("The staff has barred you from new tables until %(moment)s. Your page of measures tells why.") % {
        "moment": date_format(timezone.localtime(until), "DATETIME_FORMAT")
    }


def impose(
    user: User, *, kind: str, ground: str, by: User, ends_at: dt.datetime | None = None, words: Mapping[str, str] | None = None
) -> Sanction:
    """Impose a measure, effective at once, and owe the person a mail. `ends_at` None: without end.

    `words` by language. A suspension ends the person's sessions and closes his sockets. Raises Refused against oneself.
    """
    if user.pk == by.pk:
        raise Refused("yourself", _("Nobody imposes a measure on himself."))
    now = timezone.now()
    said = {code: text.strip()[:TEXT_LENGTH] for code, text in (words or {}).items() if text.strip()}
    with transaction.atomic():
        sanction = Sanction.objects.create(
            user=user, kind=Kind(kind), ground=Ground(ground), by=by, begins_at=now, ends_at=ends_at, words=said
        )
        if kind == Kind.SUSPENDED:
            _keep_date(user.pk)
            _end_sessions(user.pk)
        notices.schedule(user_id=user.pk, kind=NOTICE, ply=sanction.pk, send_after=now)
    return sanction


def lift(sanction: Sanction, *, by: User) -> bool:
    """End a measure before its time; returns whether this call did it."""
    with transaction.atomic():
        changed = Sanction.objects.filter(pk=sanction.pk, lifted_at__isnull=True).update(lifted_at=timezone.now(), lifted_by=by)
        if changed and sanction.kind == Kind.SUSPENDED:
            _keep_date(sanction.user_id)
    return bool(changed)


def _keep_date(user_id: int) -> None:
    """Write on the user's row until when he is suspended."""
    list(User.objects.select_for_update().filter(pk=user_id).values_list("pk"))
    ends = list(in_force(user_id).filter(kind=Kind.SUSPENDED).values_list("ends_at", flat=True))
    User.objects.filter(pk=user_id).update(suspended_until=max((end or FOR_EVER for end in ends), default=None))


def _end_sessions(user_id: int) -> None:
    for session in UserSession.objects.filter(user_id=user_id):
        session.end()
    transaction.on_commit(lambda: session_closed.send(sender=User, user_id=user_id, session_key=""))


def follow(guest: User, user: User) -> None:
    """A guest has become an account: his measures go with him."""
    Sanction.objects.filter(user=guest).update(user=user)
    _keep_date(user.pk)


def forget(user: User) -> None:
    """Somebody has left the site: which measures there were stays, what was written to and by him about them goes."""
    Sanction.objects.filter(user=user).update(words={})
    Appeal.objects.filter(sanction__user=user).update(text="", answer="")


def shown_to(request: Any) -> User | None:
    """Whose measures this visitor may read: his own, also while he is shut out."""
    if request.player is not None:
        player: User = request.player
        return player
    return User.objects.filter(pk=request.session.get(SESSION_KEY)).first()


def appeal(user: User, sanction_id: int, text: str) -> Appeal:
    """File the person's one appeal against a measure. Raises Refused: not his, text missing, filed before."""
    sanction = Sanction.objects.filter(pk=sanction_id, user=user).first()
    if sanction is None:
        raise Refused("none", _("There is no such measure."))
    if not text.strip():
        raise Refused("empty", _("Say why you think the measure is wrong."))
    refusal = Refused("twice", _("There is one appeal against a measure, and you have filed it."))
    if Appeal.objects.filter(sanction=sanction).exists():
        raise refusal
    try:
        with transaction.atomic():
            return Appeal.objects.create(sanction=sanction, text=text.strip()[:TEXT_LENGTH], at=timezone.now())
    except IntegrityError:
        raise refusal from None


def answer(appeal_id: int, *, by: User, granted: bool, text: str) -> Appeal:
    """Answer an appeal, once; granting it lifts the measure. Raises Refused for whoever imposed it, or a second answer."""
    with transaction.atomic():
        found = Appeal.objects.select_for_update(of=("self",)).select_related("sanction").get(pk=appeal_id)
        if found.answered_at is not None:
            raise Refused("answered", _("This appeal has been answered."))
        if by.pk in {found.sanction.by_id, found.sanction.user_id}:
            raise Refused("own", _("An appeal is answered by somebody else than who imposed the measure."))
        found.answered_at, found.answered_by, found.granted, found.answer = (
            timezone.now(),
            by,
            granted,
            text.strip()[:TEXT_LENGTH],
        )
        found.save(update_fields=["answered_at", "answered_by", "granted", "answer"])
        if granted:
            lift(found.sanction, by=by)
        notices.schedule(user_id=found.sanction.user_id, kind="appeal", ply=found.pk, send_after=found.answered_at)
    return found


def sanction_mail(notice: Any) -> notices.Mail | None:
    """The mail about a measure."""
    sanction = Sanction.objects.filter(pk=notice.ply).first()
    if sanction is None or sanction.lifted_at is not None:
        return None
    lines = [
        _("The staff has taken a measure: %(measure)s.") % {"measure": sanction.get_kind_display()},
        str(sanction.get_ground_display()),
    ]
    if sanction.ends_at:
        lines.append(_("Until %(moment)s.") % {"moment": date_format(timezone.localtime(sanction.ends_at), "DATETIME_FORMAT")})
    return notices.Mail(_("A measure of the staff"), "\n".join([*lines, sanction.text]).strip(), "/sanctions/")


def appeal_mail(notice: Any) -> notices.Mail | None:
    """The mail about an answered appeal."""
    found = Appeal.objects.filter(pk=notice.ply, answered_at__isnull=False).first()
    if found is None:
        return None
    text = _("Your appeal was granted: the measure is lifted.") if found.granted else _("Your appeal was turned down.")
    return notices.Mail(_("Your appeal"), f"{text}\n{found.answer}".strip(), "/sanctions/")


def languages() -> list[tuple[str, Any]]:
    """The languages in which the staff may add words."""
    return list(settings.LANGUAGES)
