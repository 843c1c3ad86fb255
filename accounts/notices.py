"""Messages owed to people: a row is the job. Written with what they are about, dropped when they are no longer true.

A layer above registers a renderer for each kind and schedules rows; `send_due` claims each row by one guarded UPDATE and
sends it once. A crash after the claim loses at most that mail; nothing sends it twice.
"""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.signing import BadSignature, Signer
from django.db.models import Q
from django.db.models.functions import Now
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts.middleware import timezone_of
from accounts.models import Notice, User

log = logging.getLogger(__name__)

BATCH = 200
TIME_TO_SEND = 20.0  # seconds; a task may take 30
KEEP_DAYS = 60
_signer = Signer(salt="accounts.unsubscribe")


class Mail(NamedTuple):
    """What a renderer gives: subject, text (without greeting or footer), and the path on the site that the mail links to."""

    subject: str
    text: str
    path: str


Renderer = Callable[[Notice], Mail | None]
_renderers: dict[str, Renderer] = {}


def register(kind: str, renderer: Renderer) -> None:
    """Say how notices of a kind are told. The renderer runs in the reader's language and zone; None = no longer true."""
    _renderers[kind] = renderer


def schedule(
    user_id: int, kind: str, table: str = "", ply: int = 0, *, send_after: dt.datetime, data: dict[str, Any] | None = None
) -> None:
    """Owe a person a message, not before `send_after` (aware). The same (user, kind, table, ply) is never owed twice."""
    notice = Notice(user_id=user_id, kind=kind, table=table, ply=ply, send_after=send_after, data=data or {})
    Notice.objects.bulk_create([notice], ignore_conflicts=True)


def drop(*, kind: str, table: str, user_id: int | None = None) -> int:
    """Forget what was not sent yet about a table (of one person or of all); returns how many."""
    rows = Notice.objects.filter(kind=kind, table=table, sent_at=None)
    if user_id is not None:
        rows = rows.filter(user_id=user_id)
    return rows.delete()[0]


def send_due(now: dt.datetime | None = None) -> int:
    """Claim and send what is due by the database's clock (or at `now`), oldest first; returns the number of mails sent."""
    due = Notice.objects.filter(sent_at=None, send_after__lte=now or Now()).order_by("send_after", "pk")
    ids = list(due.values_list("pk", flat=True)[:BATCH])
    if not ids:
        return 0
    # Opened before anything is claimed: with the mail server away, every row stays owed.
    connection = get_connection()
    connection.open()
    started, sent = time.monotonic(), 0
    try:
        for pk in ids:
            if time.monotonic() - started > TIME_TO_SEND:
                break
            if Notice.objects.filter(pk=pk, sent_at=None).update(sent_at=now or Now()):
                sent += _send(Notice.objects.select_related("user").get(pk=pk), connection)
    finally:
        connection.close()
    return sent


def purge(now: dt.datetime | None = None) -> int:
    """Delete what was sent more than 60 days ago: no turn lasts that long, so nothing is announced again."""
    limit = (now or timezone.now()) - dt.timedelta(days=KEEP_DAYS)
    return Notice.objects.filter(sent_at__lt=limit).delete()[0]


def _send(notice: Notice, connection: Any) -> int:
    """Send one claimed notice; returns 1 if a mail left. One bad row costs its own mail only."""
    try:
        message = compose(notice)
        if message is None:
            return 0
        message.connection = connection
        return int(message.send())
    except Exception:
        log.exception("notice %s (%s) was not sent", notice.pk, notice.kind)
        return 0


def compose(notice: Notice) -> EmailMessage | None:
    """The mail of a notice in its reader's language, or None when he wants none, has no proven address or it is not true."""
    user, renderer = notice.user, _renderers.get(notice.kind)
    address = _address(user)
    if renderer is None or address is None:
        return None
    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(timezone_of(user)):
        mail = renderer(notice)
        if mail is None:
            return None
        stop = settings.SITE_URL + reverse("unsubscribe", args=[unsubscribe_token(user)])
        context = {"user": user, "mail": mail, "link": settings.SITE_URL + mail.path, "unsubscribe": stop}
        headers = {
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        }
        subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{' '.join(mail.subject.split())}"
        text = render_to_string("accounts/email/notice.txt", context)
    return EmailMessage(subject, text, to=[address], headers=headers)


def _address(user: User) -> str | None:
    if user.is_guest or not user.is_active or not user.email_turns:
        return None
    proven = EmailAddress.objects.filter(Q(user=user), verified=True).order_by("-primary", "pk").first()
    return proven.email if proven else None


def unsubscribe_token(user: User) -> str:
    """The signed text in a mail's unsubscribe link. It does not expire: old mails must still be able to stop new ones."""
    return _signer.sign(str(user.pk))


def unsubscribing(token: str) -> User | None:
    """The user whom a token is for, or None for a token that is not ours."""
    try:
        return User.objects.filter(pk=int(_signer.unsign(token)), is_guest=False).first()
    except (BadSignature, ValueError):
        return None
