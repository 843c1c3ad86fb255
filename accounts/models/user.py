"""Users (people, guests, staff) and the names that nobody may take."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models, transaction
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import avatars, names
from accounts.signals import session_closed


class NameKeyField(models.CharField):
    """Always the key of the row's `username`, also in bulk inserts; a guest's key is its user name, which no person can take."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Recompute the key at every write and return it."""
        nobody = model_instance.is_guest or model_instance.deleted_at is not None  # type: ignore[attr-defined]
        key = key_of(model_instance.username, guest=nobody)  # type: ignore[attr-defined]
        setattr(model_instance, self.attname, key)
        return key


def key_of(username: str, *, guest: bool = False) -> str:
    """The unique key of a user name. A guest's or a deleted player's has a hyphen, which keys of pseudonyms never have."""
    return username if guest else names.key(username)


Loaded = tuple[str | None, bool | None]


class Theme(models.TextChoices):
    """Light or dark pages."""

    SYSTEM = "", _("as this device")
    LIGHT = "light", _("light")
    DARK = "dark", _("dark")


class User(AbstractUser):
    """A person. `username` is the public pseudonym.

    A guest (`is_guest`) has neither password nor e-mail and is never logged in: his browser's session names him.
    `guest` is the guest this person was when he signed up, until his seats have followed him. `language` and `timezone`
    are "" until chosen. `last_seen` is written at most every five minutes. `leaving_at` is when an account will be deleted whose
    owner (or the staff) has asked for it; of a deleted one only the row is left. `avatar` is "colour-figure" (accounts.avatars),
    "" for the one of his number; `languages` those he likes to talk, codes with blanks between them. Preferences go with the
    account, not with the device. `suspended_until` is kept by `accounts.sanctions` alone.
    """

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    loaded: Loaded = (None, None)

    username = models.CharField(
        _("pseudonym"),
        max_length=names.MAX_LENGTH,
        unique=True,
        validators=[names.validate],
        error_messages={"unique": _("This pseudonym is taken. Please choose another one.")},
    )
    name_key = NameKeyField(
        max_length=names.KEY_LENGTH,
        unique=True,
        editable=False,
        error_messages={"unique": _("This pseudonym looks too much like another player's. Please choose another one.")},
    )
    is_guest = models.BooleanField(_("guest"), default=False)
    guest = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="+", editable=False)
    language = models.CharField(_("language"), max_length=5, default="", blank=True)
    timezone = models.CharField(_("time zone"), max_length=64, default="", blank=True)
    account_offer = models.CharField(max_length=10, default="", blank=True, editable=False)
    languages = models.CharField(_("languages spoken"), max_length=32, default="", blank=True)
    avatar = models.CharField(_("avatar"), max_length=avatars.LONGEST, default="", blank=True)
    theme = models.CharField(_("theme"), max_length=5, choices=Theme, default="", blank=True)
    reduced_motion = models.BooleanField(_("no movement on the screen"), default=False)
    actions_left = models.BooleanField(_("buttons of the table on the left"), default=False)
    four_colours = models.BooleanField(_("four colours for the French suits"), default=True)
    play_only_moves = models.BooleanField(_("play my only move at once"), default=False)
    show_friends = models.BooleanField(_("show my friends on my profile"), default=False)
    email_turns = models.BooleanField(_("e-mail when my turn is waiting"), default=True)
    sees_insults = models.BooleanField(_("insults are shown"), default=False)
    renamed_at = models.DateTimeField(null=True, blank=True, editable=False)
    last_seen = models.DateTimeField(null=True, blank=True, editable=False)
    leaving_at = models.DateTimeField(_("to be deleted on"), null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(_("suspended until"), null=True, blank=True, editable=False)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(is_staff=False, is_superuser=False, email=""), name="user_guest_is_nobody"
            )
        ]
        indexes = [models.Index(fields=["last_seen"], name="user_idle_guest", condition=Q(is_guest=True))]

    @classmethod
    def from_db(cls, db: str | None, field_names: Any, values: Any, **kwargs: Any) -> User:
        """Load a row and remember what closes its sessions when it changes."""
        user = super().from_db(db, field_names, values, **kwargs)
        user.loaded = (user.__dict__.get("password"), user.__dict__.get("is_active"))
        return user

    def save(self, *args: Any, update_fields: Any = None, **kwargs: Any) -> None:
        """Save; a new pseudonym takes its key along; a new password or a deactivation closes the sockets of all sessions."""
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "name_key"}
        super().save(*args, update_fields=update_fields, **kwargs)
        password, active = self.loaded
        if (password is not None and password != self.password) or (active and not self.is_active):
            transaction.on_commit(lambda: session_closed.send(sender=User, user_id=self.pk, session_key=""))
        self.loaded = (self.password, self.is_active)

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """What others see: the pseudonym, or in the reader's language "Guest 1234" or "Deleted player"."""
        if self.deleted_at is not None:
            return gettext("Deleted player")
        if self.is_guest:
            return gettext("Guest %(number)s") % {"number": "".join(filter(str.isdigit, self.username))}
        return self.username

    @property
    def page_classes(self) -> list[str]:
        """The classes of <html> that his preferences ask for; none for somebody who has left everything as it is."""
        wanted = {
            f"theme-{self.theme}": bool(self.theme),
            "calm": self.reduced_motion,
            "actions-left": self.actions_left,
            "two-colours": not self.four_colours,
        }
        return [name for name, wants in wanted.items() if wants]

    def get_full_name(self) -> str:
        """The display name: the site keeps no civil names."""
        return self.display_name

    def get_short_name(self) -> str:
        """The display name: the site keeps no civil names."""
        return self.display_name


class RetiredName(models.Model):
    """A name that nobody (but `user`, if any) may take, or take one that looks like it, before `free_at`.

    Given up by a rename, or asked for in a sign-up with an address that has an account already: had the name stayed free,
    a second try would tell a stranger that the address is known.
    """

    name_key = models.CharField(max_length=names.KEY_LENGTH, unique=True)
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    free_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name_key
