"""What the staff may do to tokens and results: grant tokens, declare a match void. Much of it needs a second person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django import forms
from django.db.models import Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import wallet
from accounts.models import TokenEntry, TokenReason, User
from games import clocktime
from games.models import Status, Table
from games.services import voiding
from staff.actions import Change, Impossible
from staff.people_actions import OnPerson
from staff.table_actions import OnTable, again


class Grant(OnPerson):
    """Give somebody tokens."""

    name, label, permission = "grant", gettext_lazy("Grant tokens"), "staff.grant_tokens"
    many = False
    alone = 1000
    """Up to so many, for one person in a month, one of the staff decides."""
    month = timedelta(days=30)
    most = 100_000

    def fits(self, actor: User, target: User) -> bool:
        """A registered person, never oneself."""
        return super().fits(actor, target) and not target.is_guest

    def fields(self, actor: User, targets: Sequence[User]) -> dict[str, forms.Field]:
        """How many."""
        return {"amount": forms.IntegerField(label=_("Tokens"), min_value=1, max_value=self.most)}

    def effect(self, targets: Sequence[User]) -> str:
        """A new entry."""
        return _("The person gets new tokens, by an entry of the ledger. Over 1,000 within a month a second person must confirm.")

    def said(self, target: User, data: Mapping[str, Any]) -> str:
        """To whom, how many."""
        return _("%(name)s gets %(amount)s tokens.") % {"name": target, "amount": data["amount"]}

    def second(self, target: User, data: Mapping[str, Any]) -> bool:
        """From so many on, what the person got this month counted: many small grants are a large one."""
        # Two grants in the same instant count each other.
        list(User.objects.select_for_update(no_key=True).filter(pk=target.pk).values_list("pk"))
        lately = TokenEntry.objects.filter(wallet__user=target, reason=TokenReason.GRANT, at__gt=clocktime.now() - self.month)
        return int(data["amount"]) + (lately.aggregate(sum=Sum("delta"))["sum"] or 0) > self.alone

    def require(self, actor: User, target: User) -> None:
        """Not to oneself, not to a guest."""
        super().require(actor, target)
        if not self.fits(actor, target):
            raise Impossible(_("Only a registered person has tokens."))

    def run(self, actor: User, target: User, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the wallets."""
        self.require(actor, target)
        before = wallet.balance(target.pk).free
        wallet.grant(target.pk, int(data["amount"]), ref=f"staff/{uuid4().hex[:16]}")
        return Change({"tokens": before}, {"tokens": wallet.balance(target.pk).free, "granted": int(data["amount"])})


class Void(OnTable):
    """Declare a finished match void."""

    name, label, permission = "void", gettext_lazy("Declare the match void"), "staff.void_tables"
    many = False
    danger = True

    def stands(self, target: Table) -> bool:
        """A finished one that counted."""
        return target.status == Status.FINISHED and target.counts

    def effect(self, targets: Sequence[Table]) -> str:
        """Compensating entries."""
        if targets[0].stake:
            return _(
                "The match does not count after all: new entries take back the experience points and the tokens it paid. Tokens "
                "were staked, so a second person must confirm."
            )
        return _("The match does not count after all: new entries take back the experience points it paid.")

    def require(self, actor: User, target: Table) -> None:
        """One that can still be voided, and not one's own."""
        super().require(actor, target)
        if not self.stands(target):
            raise Impossible(_("Only a finished match that counts can be declared void."))

    def second(self, target: Table, data: Mapping[str, Any]) -> bool:
        """Where tokens were staked."""
        return bool(target.stake)

    def run(self, actor: User, target: Table, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the tables."""
        before = again(target)
        self.require(actor, before)
        voiding.void(target.code)
        return Change({"counts": True, "stake": before.stake}, {"counts": False})
