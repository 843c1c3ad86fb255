"""Making, naming and clearing away accounts: whose name is free, sign-ups never confirmed, people made without a form."""

from __future__ import annotations

import datetime as dt
from typing import Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, ProtectedError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import RetiredName, User

UNCONFIRMED_DAYS = 7  # a sign-up that nobody confirmed, and a name held for one that was none
RENAME_DAYS = 90
RETIRED_DAYS = 365


def free_name(name: str, user: User | None = None) -> str:
    """The stored form of a pseudonym that may be taken (by `user`, if he has one already); raises ValidationError."""
    name = names.clean(name)
    names.validate(name)
    key = names.key(name)
    others = User.objects.filter(name_key=key)
    retired = RetiredName.objects.filter(name_key=key, free_at__gt=timezone.now())
    if user is not None:
        others, retired = others.exclude(pk=user.pk), retired.exclude(user=user)
    if others.exists() or retired.exists():
        raise taken()
    return name


def taken() -> ValidationError:
    """The refusal of a name that is somebody's, or looks like it."""
    return ValidationError(_("This pseudonym is taken, or looks too much like another one. Please choose another."), code="taken")


def hold_name(name: str) -> None:
    """Keep a name from everybody for as long as an unconfirmed sign-up would have kept it."""
    free_at = timezone.now() + dt.timedelta(days=UNCONFIRMED_DAYS)
    RetiredName.objects.update_or_create(name_key=names.key(name), defaults={"user": None, "free_at": free_at})


def may_rename_at(user: User) -> dt.datetime | None:
    """From when on the user may change his pseudonym again; None: now."""
    if user.renamed_at is None:
        return None
    free_at = user.renamed_at + dt.timedelta(days=RENAME_DAYS)
    return free_at if free_at > timezone.now() else None


def rename(user: User, name: str, *, by: User | None = None) -> None:
    """Give the user another pseudonym and reserve the old one for a year; raises ValidationError.

    `by`: the member of staff who does it, None for himself. He may do it every 90 days and may come back to a name he has
    given up. What the staff takes from him costs him no 90 days, and he cannot take it again.
    """
    try:
        with transaction.atomic():
            # Two renames in the same instant: the second one sees the first.
            user.renamed_at = User.objects.select_for_update().values_list("renamed_at", flat=True).get(pk=user.pk)
            if by is None and (again := may_rename_at(user)):
                raise ValidationError(too_early(again), code="too_early")
            name, old_key, now = free_name(name, user), user.name_key, timezone.now()
            user.username = name
            user.renamed_at = now if by is None else user.renamed_at
            user.save(update_fields=["username", "renamed_at"])
            if user.name_key != old_key:
                defaults = {"user": user if by is None else None, "free_at": now + dt.timedelta(days=RETIRED_DAYS)}
                RetiredName.objects.update_or_create(name_key=old_key, defaults=defaults)
    except IntegrityError as error:
        raise taken() from error


def too_early(again: dt.datetime) -> str:
    """The sentence that says from when on the pseudonym may be changed again."""
    return gettext("You can change it again from %(day)s on.") % {"day": date_format(timezone.localtime(again), "DATE_FORMAT")}


def create_person(username: str, email: str, password: str | None, **fields: Any) -> User:
    """A person whose e-mail address counts as confirmed: for commands and tests, not for forms."""
    with transaction.atomic():
        user = User.objects.create_user(username=username, email=email, password=password, **fields)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def drop_unconfirmed(emails: list[str]) -> None:
    """Let go of what others claimed without proof, because somebody proved that these addresses are his.

    A sign-up that nobody confirmed disappears, with its password, whatever others have written about it; an account that only
    wanted to change to such an address keeps what it has.
    """
    for claim in EmailAddress.objects.filter(email__in=emails, verified=False).select_related("user"):
        user = claim.user
        proven = user.last_login is not None or EmailAddress.objects.filter(user=user, verified=True).exists()
        if proven or user.is_staff:
            claim.delete()
            User.objects.filter(pk=user.pk, email=claim.email).update(email="")
        else:
            _clear_away(user)


def purge_unconfirmed(now: dt.datetime | None = None) -> int:
    """Delete sign-ups that were not confirmed within a week, and names held no longer; returns the number of users."""
    now = now or timezone.now()
    RetiredName.objects.filter(free_at__lt=now).delete()
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    users = User.objects.filter(
        Exists(addresses),
        ~Exists(addresses.filter(verified=True)),
        date_joined__lt=now - dt.timedelta(days=UNCONFIRMED_DAYS),
        last_login=None,
        is_guest=False,
        is_staff=False,
    )
    gone = 0
    for user in users.iterator(chunk_size=500):
        _clear_away(user)
        gone += 1
    return gone


def _clear_away(user: User) -> None:
    """Delete a sign-up that was never confirmed. One that something refers to (a report, a measure) stays as an empty row:
    else whoever reports it would keep its address and its name taken for ever."""
    from accounts import departures

    try:
        with transaction.atomic():
            user.delete()
    except ProtectedError:
        with transaction.atomic():
            departures.erase(User.objects.get(pk=user.pk))
