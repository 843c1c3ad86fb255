"""The typed moves of 55."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.cinquante_cinq import auction
from games.cinquante_cinq.moves import CALL, CARD, DISCARD, TRUMP
from games.cinquante_cinq.tricks import DECK
from games.models.move import Move


class FiftyFiveMove(Move):
    """One ply of 55: a call of the auction, the exchange, the trump or a card.

    Which cards were thrown is not stored in a column: it stays secret, like the notation that tells it.
    """

    class Kind(models.TextChoices):
        PASS = "pass", _("pass")
        BID = "bid", _("bid")
        HOLD = "hold", _("bid held")
        DISCARD = "discard", _("cards thrown")
        TRUMP = "trump", _("trump named")
        CARD = "card", _("card played")

    kind = models.CharField(_("kind"), max_length=7, choices=Kind)
    bid = models.PositiveSmallIntegerField(_("bid"), null=True, blank=True)
    trump = models.CharField(_("trump"), max_length=1, default="", blank=True)
    card = models.CharField(_("card"), max_length=3, default="", blank=True)
    trick = models.PositiveSmallIntegerField(_("trick"), null=True, blank=True)
    hand = models.PositiveSmallIntegerField(_("hand"))

    class Meta(Move.Meta):
        verbose_name = _("move of 55")
        verbose_name_plural = _("moves of 55")

    @classmethod
    def hides(cls, text: str) -> bool:
        """Discards are known to the declarer alone."""
        return text.startswith(DISCARD)

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        hand = {"hand": state.hand_no}
        if move.kind == CALL:
            return {**hand, **cls._call(state, move.value)}
        if move.kind == TRUMP:
            return {**hand, "kind": cls.Kind.TRUMP, "trump": DECK.suits[move.value]}
        if move.kind == CARD:
            return {**hand, "kind": cls.Kind.CARD, "card": str(move), "trick": len(state.won) + 1}
        return {**hand, "kind": cls.Kind.DISCARD}

    @classmethod
    def _call(cls, state: Any, call: int) -> dict[str, Any]:
        """A call with the bid that it makes or holds."""
        if call == auction.PASS:
            return {"kind": cls.Kind.PASS}
        if call == auction.HOLD:
            now = auction.standing(len(state.hands), state.dealer, [each for _, each in state.calls])
            return {"kind": cls.Kind.HOLD, "bid": now.bid}
        return {"kind": cls.Kind.BID, "bid": call}
