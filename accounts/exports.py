"""The archive of one's own data: one a day, built by a worker, handed out to its owner alone for 48 hours.

Every layer registers what it knows about a person as files; nobody else's private data may be among them. The row is the job:
a worker that dies leaves it to the next one, three times at most.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import logging
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts import limits, ties
from accounts.models import Departure, Export, Notice, RetiredName, TokenEntry, User

log = logging.getLogger(__name__)

EVERY = dt.timedelta(days=1)
KEPT = dt.timedelta(hours=48)
PATIENCE = dt.timedelta(minutes=15)
"""After this long a builder that has not finished counts as dead."""
ATTEMPTS = 3
BATCH = 5

File = tuple[str, str]
"""A name inside the archive, and the text of the file."""
Section = Callable[[User], Iterable[File]]
_sections: list[Section] = []


def register(section: Section) -> None:
    """Say what else is in the archive: `section(user)` gives files. Called once by each layer when its app is ready."""
    if section not in _sections:
        _sections.append(section)


def as_json(rows: Any) -> str:
    """The text of a JSON file of the archive; dates in ISO 8601."""
    return json.dumps(rows, ensure_ascii=False, indent=1, default=lambda value: value.isoformat()) + "\n"


def latest(user: User) -> Export | None:
    """The newest archive asked for, without its content."""
    return Export.objects.filter(user=user).defer("content").order_by("-pk").first()


def ask(user: User, now: dt.datetime | None = None) -> Export:
    """Ask for an archive. One that waits is returned as it is; raises limits.TooOften within a day of the last one."""
    now = now or timezone.now()
    last = latest(user)
    if last is not None and last.built_at is None and last.failed_at is None:
        return last
    if last is not None and last.failed_at is None and last.asked_at > now - EVERY:
        raise limits.TooOften(int((last.asked_at + EVERY - now).total_seconds()) + 1)
    try:
        with transaction.atomic():
            return Export.objects.create(user=user, asked_at=now)
    except IntegrityError:  # the same click in the same instant
        return Export.objects.filter(user=user, built_at=None, failed_at=None).latest("pk")


def content(user: User, pk: int, now: dt.datetime | None = None) -> bytes | None:
    """The archive, for its owner while it is kept; None for everybody else, later, and for ids that never were."""
    row = Export.objects.filter(pk=pk, user=user, expires_at__gt=now or timezone.now(), content__isnull=False).first()
    return bytes(row.content or b"") if row is not None else None


def build_due(now: dt.datetime | None = None) -> int:
    """Claim and build the archives that wait, oldest first, and clear those that have expired; returns how many were built."""
    now = now or timezone.now()
    Export.objects.filter(expires_at__lte=now, content__isnull=False).update(content=None)
    idle = Q(started_at=None) | Q(started_at__lt=now - PATIENCE)
    waiting = Export.objects.filter(idle, built_at=None, failed_at=None)
    waiting.filter(attempts__gte=ATTEMPTS).update(failed_at=Now())
    built = 0
    for pk in list(waiting.filter(attempts__lt=ATTEMPTS).order_by("asked_at").values_list("pk", flat=True)[:BATCH]):
        row = Export.objects.select_related("user").defer("content").get(pk=pk)
        claim = Export.objects.filter(idle, pk=pk, built_at=None, failed_at=None, attempts=row.attempts)
        if claim.update(started_at=now, attempts=row.attempts + 1):
            built += _build(row)
    return built


def _build(row: Export) -> int:
    """Build one claimed archive; an error is logged and leaves it to the next attempt."""
    try:
        with translation.override(row.user.language or None):
            data = archive(row.user)
    except Exception:
        log.exception("export %s was not built", row.pk)
        return 0
    now = timezone.now()
    return Export.objects.filter(pk=row.pk, built_at=None).update(
        built_at=now, expires_at=now + KEPT, size=len(data), content=data
    )


def archive(user: User) -> bytes:
    """The zip file of everything that the registered sections give."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README.txt", _introduction(user))
        for section in _sections:
            for name, text in section(user):
                file.writestr(name, text)
    return target.getvalue()


def _introduction(user: User) -> str:
    return (
        _("Everything this site keeps about the account of %(name)s.") % {"name": user.username}
        + "\n\n"
        + _("What is still hidden at running tables is not in it: ask again once they are over.")
        + "\n"
    )


def own_account(user: User) -> Iterable[File]:
    """Profile, addresses, providers, sessions, names and notices. Client addresses are kept as keyed hashes only: left out."""
    columns = [field.name for field in User._meta.concrete_fields if field.name not in LEFT_OUT]
    profile = {name: getattr(user, name) for name in columns}
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    sessions = UserSession.objects.filter(user=user).values("user_agent", "created_at", "last_seen_at")
    names = RetiredName.objects.filter(user=user).values("name_key", "free_at")
    yield "profile.json", as_json({**profile, "addresses": list(addresses), "former_names": list(names)})
    providers = SocialAccount.objects.filter(user=user)
    yield "providers.json", as_json(list(providers.values("provider", "uid", "date_joined", "last_login", "extra_data")))
    yield "sessions.json", as_json(list(sessions))
    keys = Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
    yield "second_factors.json", as_json(list(keys))
    people = ties.people_of(user)
    yield "people.json", as_json({kind: [person.username for person in found] for kind, found in people._asdict().items()})
    notices = Notice.objects.filter(user=user).order_by("pk").values("kind", "table", "ply", "send_after", "sent_at")
    yield "notices.json", as_json(list(notices))
    departures = Departure.objects.filter(user=user).values("asked_at", "due_at", "kept_at")
    yield "departures.json", as_json(list(departures))


def own_tokens(user: User) -> Iterable[File]:
    """`tokens.json`: every movement of his tokens, oldest first."""
    rows = TokenEntry.objects.filter(wallet__user=user).order_by("pk").values("at", "reason", "ref", "delta", "balance_after")
    yield "tokens.json", as_json(list(rows))


LEFT_OUT = frozenset({"id", "password", "name_key", "guest", "is_superuser", "is_staff", "is_active", "is_guest", "deleted_at"})
"""Columns of the user row that are secrets or the site's own bookkeeping."""


def ready(row: Export | None, now: dt.datetime | None = None) -> bool:
    """Whether the archive can be downloaded now."""
    return row is not None and row.expires_at is not None and row.expires_at > (now or timezone.now())
