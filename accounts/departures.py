"""Leaving: a request, seven days to come back, then the personal data are gone and the row stays as "Deleted player".

Asked for: every session ends, lobby seats are freed, running seats become automatic (the layers above answer the signals).
Coming back within the week takes back the hands. After it the running seats count as abandoned; other people's results stay
as they are. A user row is never deleted, since other people's tables tell of it. The staff's way is the same. Each step may
run twice: the row is the job, and a crash leaves it to the next run.
"""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from collections.abc import Callable

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation

from accounts import sanctions, ties
from accounts.middleware import timezone_of
from accounts.models import Departure, Export, Notice, RetiredName, User
from accounts.registration import RETIRED_DAYS
from accounts.signals import departed, departure_asked, departure_kept, session_closed

log = logging.getLogger(__name__)

COOLING_OFF = dt.timedelta(days=7)
BATCH = 50

_erasers: list[Callable[[User], object]] = []


def register_eraser(eraser: Callable[[User], object]) -> None:
    """Say what else holds personal data: `eraser(user)` deletes it, inside the erasing transaction, and may run twice."""
    if eraser not in _erasers:
        _erasers.append(eraser)


def pending(user: User) -> Departure | None:
    """The open departure of a user."""
    return Departure.objects.filter(user=user, kept_at=None, done_at=None).first()


def ask(user: User, *, by_staff: bool = False, now: dt.datetime | None = None) -> Departure:
    """Ask for the deletion of an account; the same request while one is open returns that one.

    Ends all sessions and their sockets, tells the layers above, and writes to the proven address how to come back. The staff
    asks inside a transaction of its own, so the layers above hear of it from the task, within five minutes.
    """
    now = now or timezone.now()
    try:
        with transaction.atomic():
            row = Departure.objects.create(user=user, asked_at=now, due_at=now + COOLING_OFF, by_staff=by_staff)
            User.objects.filter(pk=user.pk).update(leaving_at=row.due_at)
    except IntegrityError:
        row = Departure.objects.get(user=user, kept_at=None, done_at=None)
    else:
        _write(user, row)
    end_sessions(user)
    if not by_staff:
        _tell(row)
    return row


def end_sessions(user: User) -> None:
    """End every session of the user and close its sockets."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    session_closed.send(sender=User, user_id=user.pk, session_key="")


def _tell(row: Departure) -> None:
    """Tell the layers above, outside any transaction: they lock table after table. Marked when all have answered."""
    departure_asked.send(sender=User, user=row.user)
    Departure.objects.filter(pk=row.pk, told_at=None).update(told_at=timezone.now())


def _write(user: User, row: Departure) -> None:
    address = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary").first()
    if address is None:
        return
    from django.conf import settings

    with translation.override(user.language or settings.LANGUAGE_CODE), timezone.override(timezone_of(user)):
        context = {"user": user, "due_at": row.due_at, "link": settings.SITE_URL + reverse("account_login")}
        subject = " ".join(render_to_string("accounts/email/departure_subject.txt", context).split())
        text = render_to_string("accounts/email/departure_message.txt", context)
    transaction.on_commit(
        lambda: send_mail(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", text, None, [address.email]), robust=True
    )


def keep(user: User, now: dt.datetime | None = None) -> bool:
    """Come back before the time is up: the account stays, the hands are his again. Returns whether there was one to keep.

    What the staff has asked for is not taken back by the player.
    """
    with transaction.atomic():
        open_rows = Departure.objects.filter(user=user, kept_at=None, done_at=None, by_staff=False)
        if not open_rows.update(kept_at=now or timezone.now()):
            return False
        User.objects.filter(pk=user.pk).update(leaving_at=None)
        user.leaving_at = None
    departure_kept.send(sender=User, user=user)
    return True


def complete_due(now: dt.datetime | None = None) -> int:
    """Finish what was interrupted, then complete the departures whose week is over; returns how many were completed."""
    now = now or timezone.now()
    rows = Departure.objects.filter(kept_at=None, done_at=None).select_related("user")
    for row in rows.filter(told_at=None)[:BATCH]:
        _tell(row)
    done = 0
    for row in rows.filter(due_at__lte=now).order_by("due_at")[:BATCH]:
        try:
            done += complete(row)
        except Exception:
            log.exception("departure %s was not completed", row.pk)
    return done


def complete(row: Departure) -> bool:
    """Complete one departure: the layers above first (they lock table after table), then everything personal in one
    transaction. Returns whether it was this call."""
    departed.send(sender=User, user=row.user)
    with transaction.atomic():
        if not Departure.objects.filter(pk=row.pk, kept_at=None, done_at=None).update(done_at=timezone.now()):
            return False
        erase(row.user)
    session_closed.send(sender=User, user_id=row.user_id, session_key="")
    return True


def erase(user: User) -> None:
    """Remove everything personal of an account. May run twice, also on a restored backup.

    The name stays reserved for a year, for nobody; the row becomes "Deleted player" under a random name.
    """
    user = User.objects.get(pk=user.pk)
    if user.deleted_at is None:
        free_at = timezone.now() + dt.timedelta(days=RETIRED_DAYS)
        RetiredName.objects.update_or_create(name_key=user.name_key, defaults={"user": None, "free_at": free_at})
    RetiredName.objects.filter(user=user).update(user=None)
    for personal in (EmailAddress, Authenticator, SocialAccount, Notice, Export):
        personal._default_manager.filter(user=user).delete()
    ties.forget(user)
    sanctions.forget(user)
    for session in UserSession.objects.filter(user=user):
        session.end()
    for eraser in _erasers:
        eraser(user)
    blank = {field.name: field.get_default() for field in User._meta.concrete_fields if field.name not in KEPT_COLUMNS}
    for name, value in blank.items():
        setattr(user, name, value)
    user.username = user.username if user.deleted_at else f"deleted-{secrets.token_hex(6)}"
    user.deleted_at = user.deleted_at or timezone.now()
    user.is_active = False
    user.set_unusable_password()
    user.groups.clear()
    user.user_permissions.clear()
    user.save()
    kind = ContentType.objects.get_for_model(User)
    LogEntry.objects.filter(content_type=kind, object_id=str(user.pk)).update(object_repr=user.username, change_message="")


KEPT_COLUMNS = frozenset({"id", "username", "name_key", "password", "is_active", "is_guest", "date_joined", "deleted_at"})
"""Columns of the user row that are written apart, or that say nothing about the person."""
