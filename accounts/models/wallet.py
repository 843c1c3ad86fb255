"""Tokens (jetons): accounts in double entry. What a wallet holds is what its entries say; entries are never changed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.user import User

HOUSE = "house"
ESCROW = "escrow/"


class TokenReason(models.TextChoices):
    """Why tokens moved. The first ones make tokens (the house pays), the others move them."""

    SIGNUP = "signup", _("welcome")
    REFILL = "refill", _("refill of the day")
    GRANT = "grant", _("granted by the staff")
    STAKE = "stake", _("stake")
    POT = "pot", _("pot")
    SHARED = "shared", _("match that nobody won")
    REFUND = "refund", _("stake given back")
    VOID = "void", _("match declared void")


SETTLING = (TokenReason.POT, TokenReason.SHARED, TokenReason.REFUND)
"""Of these a match gives each player one, once."""


class Wallet(models.Model):
    """The tokens of one person, or an account of the site: "house", which pays what is granted and may be below zero, and
    "escrow/CODE", the stakes of one running table.

    `balance` is the sum of the entries, `held` what waiting tables keep back of it (the sum of the holds), `at_stake` what
    of his lies in the escrow of running tables. The sum of all balances, the house's included, is always zero.
    """

    user = models.OneToOneField(User, models.PROTECT, null=True, blank=True, related_name="wallet")
    name = models.CharField(_("account"), max_length=32, default="", blank=True)
    balance = models.BigIntegerField(_("balance"), default=0)
    held = models.PositiveBigIntegerField(_("held"), default=0)
    at_stake = models.PositiveBigIntegerField(_("at stake"), default=0)
    refilled_on = models.DateField(_("last refill"), null=True, blank=True)

    class Meta:
        verbose_name = _("wallet")
        verbose_name_plural = _("wallets")
        constraints = [
            models.UniqueConstraint(fields=["name"], condition=~Q(name=""), name="wallet_name_once"),
            models.CheckConstraint(condition=Q(user__isnull=False) ^ ~Q(name=""), name="wallet_one_owner"),
            models.CheckConstraint(condition=Q(name=HOUSE) | Q(balance__gte=0), name="wallet_not_below_zero"),
            models.CheckConstraint(condition=Q(held=0) | Q(balance__gte=models.F("held")), name="wallet_holds_covered"),
        ]

    def __str__(self) -> str:
        return f"{self.user or self.name}: {self.balance}"


class TokenEntry(models.Model):
    """One side of a movement of tokens; the entries of a movement (`reason`, `ref`) add up to zero. Insert-only.

    `ref` is the cause: a table's code, a day, "" for what happens once in a life. `balance_after` chains the entries of a
    wallet: whoever would change one breaks the chain.
    """

    wallet = models.ForeignKey(Wallet, models.PROTECT, related_name="entries", db_index=False, verbose_name=_("wallet"))
    reason = models.CharField(_("reason"), max_length=16, choices=TokenReason)
    ref = models.CharField(_("cause"), max_length=40, default="", blank=True)
    delta = models.BigIntegerField(_("tokens"))
    balance_after = models.BigIntegerField(_("balance after"))
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("movement of tokens")
        verbose_name_plural = _("movements of tokens")
        constraints = [
            models.UniqueConstraint(fields=["reason", "ref", "wallet"], name="token_once"),
            models.UniqueConstraint(fields=["wallet", "ref"], condition=Q(reason__in=SETTLING), name="token_settled_once"),
        ]
        indexes = [
            models.Index(fields=["wallet", "id"], name="token_of_wallet"),
            models.Index(fields=["ref"], name="token_of_cause"),
        ]

    def __str__(self) -> str:
        return f"{self.wallet_id} {self.delta:+} ({self.reason} {self.ref})"


class TokenHold(models.Model):
    """Tokens that a waiting table keeps back of somebody's wallet until he leaves or the match starts."""

    wallet = models.ForeignKey(Wallet, models.PROTECT, related_name="holds")
    ref = models.CharField(_("cause"), max_length=40)
    amount = models.PositiveBigIntegerField(_("tokens"))

    class Meta:
        verbose_name = _("tokens held")
        verbose_name_plural = _("tokens held")
        constraints = [models.UniqueConstraint(fields=["wallet", "ref"], name="hold_once")]

    def __str__(self) -> str:
        return f"{self.wallet_id} {self.amount} ({self.ref})"
