"""The staff's view of people: read-only. E-mail addresses stand on a person's page alone; secrets of second factors nowhere."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import Block, Friendship, TokenEntry, User, Wallet
from accounts.staff_lists import ReadOnlyAdmin, people_named, since, starting

# allauth's pages would let staff add an address or a second factor to anybody's account, and count whole tables.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken, UserSession, Group):
    if admin.site.is_registered(model):
        admin.site.unregister(model)


def _may_see_emails(request: HttpRequest) -> bool:
    """The permission belongs to the layer above, which says who has it."""
    user: Any = request.user
    return bool(user.has_perm("staff.see_emails"))


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """People and guests, newest first; found by pseudonym, e-mail address or number."""

    list_display = ("id", "name", "is_guest", "is_active", "is_staff", "date_joined", "seen_at")
    list_display_links = ("id", "name")
    list_filter = (since("date_joined"),)
    search_help_text = _("Beginning of a pseudonym, number, or whole e-mail address (administrators)")
    suggests = ("people",)
    fields = (
        "id",
        "username",
        "addresses",
        "is_guest",
        "is_active",
        "is_staff",
        "is_superuser",
        "second_factor",
        "language",
        "timezone",
        "email_turns",
        "date_joined",
        "seen_at",
        "last_login",
        "name_changed_at",
        "suspended_until",
    )

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Addresses for those alone who may see them."""
        return [name for name in self.fields if name != "addresses" or _may_see_emails(request)]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All of them."""
        return self.get_fields(request, obj)

    def get_search_results(self, request: HttpRequest, queryset: QuerySet[Any], search_term: str) -> tuple[QuerySet[Any], bool]:
        """A whole address finds its owner, for those who may see addresses; else by number or pseudonym."""
        term = search_term.strip()
        if "@" not in term:
            return super().get_search_results(request, queryset, search_term)
        if not _may_see_emails(request):
            return queryset.none(), False
        return queryset.filter(pk__in=EmailAddress.objects.filter(email=term.lower()).values("user_id")), False

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """By number, or by the beginning of the pseudonym (however it is spelt), each by an index."""
        if term.isascii() and term.isdecimal():
            return super().find(rows, term)
        return rows.filter(starting("name_key", names.key(names.clean(term))))

    @admin.display(description=_("pseudonym"))
    def name(self, user: User) -> str:
        """What others see."""
        return user.display_name

    @admin.display(description=_("last seen"))
    def seen_at(self, user: User) -> datetime | None:
        """To five minutes."""
        return user.last_seen

    @admin.display(description=_("pseudonym changed"))
    def name_changed_at(self, user: User) -> datetime | None:
        """The last time, for the ninety days until the next."""
        return user.renamed_at

    @admin.display(description=_("e-mail addresses"))
    def addresses(self, user: User) -> str:
        """The addresses of a person, the unconfirmed ones marked."""
        rows = EmailAddress.objects.filter(user=user).order_by("-primary", "email")
        return ", ".join(row.email if row.verified else f"{row.email} ({_('not confirmed')})" for row in rows)

    @admin.display(description=_("second factor"), boolean=True)
    def second_factor(self, user: User) -> bool:
        """Whether a second factor protects the account."""
        return Authenticator.objects.filter(user=user).exists()


@admin.register(Friendship)
class FriendshipAdmin(ReadOnlyAdmin):
    """Requests and friendships, found by the pseudonym of either."""

    list_display = ("id", "asker", "asked", "asked_at", "accepted_at", "declined_at")
    list_filter = (since("asked_at"),)
    list_select_related: ClassVar[Any] = ("asker", "asked")
    search_help_text = _("Pseudonym")
    fields = ("asker", "asked", "asked_at", "accepted_at", "declined_at", "withdrawn")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The rows where the person of that name asked or was asked."""
        person = people_named(term)
        return rows.filter(Q(asker__in=person) | Q(asked__in=person))


@admin.register(Block)
class BlockAdmin(ReadOnlyAdmin):
    """Who has blocked whom, found by the pseudonym of either."""

    list_display = ("id", "blocker", "blocked", "at")
    list_filter = (since("at"),)
    list_select_related: ClassVar[Any] = ("blocker", "blocked")
    search_help_text = _("Pseudonym")
    fields = ("blocker", "blocked", "at")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The rows of the person of that name, on either side."""
        person = people_named(term)
        return rows.filter(Q(blocker__in=person) | Q(blocked__in=person))


@admin.register(Wallet)
class WalletAdmin(ReadOnlyAdmin):
    """Wallets of people, of the house and of running tables, found by pseudonym or account."""

    list_display = ("id", "user", "name", "balance", "held", "at_stake", "refilled_on")
    list_select_related: ClassVar[Any] = ("user",)
    search_help_text = _("Pseudonym, or account of the site")
    fields = ("user", "name", "balance", "held", "at_stake", "refilled_on")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The wallet of the person of that name, or the account called so."""
        return rows.filter(Q(user__in=people_named(term)) | Q(name=term))


@admin.register(TokenEntry)
class TokenEntryAdmin(ReadOnlyAdmin):
    """Movements of tokens, found by the pseudonym or by the cause (a table's code). `manage.py audit` proves them."""

    list_display = ("id", "wallet", "reason", "ref", "delta", "balance_after", "at")
    list_filter = (since("at"),)
    list_select_related: ClassVar[Any] = ("wallet__user",)
    search_help_text = _("Pseudonym, or code of a table")
    fields = ("wallet", "reason", "ref", "delta", "balance_after", "at")

    def find(self, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
        """The movements of the person of that name, or of that cause."""
        found = rows.filter(ref=term.upper())
        return found if found.exists() else rows.filter(wallet__user__in=people_named(term))
