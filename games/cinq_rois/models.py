"""The typed moves of Les Cinq Rois."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.cinq_rois.cards import TEXTS, texts, without
from games.cinq_rois.melds import best
from games.cinq_rois.rules import OUT, PILE, STOCK, law_in, wild_rank
from games.models.move import Move


class CinqRoisMove(Move):
    """One ply of Les Cinq Rois: a draw, a discard, or going out. The card drawn from the stock has no column: it is secret."""

    class Kind(models.TextChoices):
        DRAW = "draw", _("card drawn")
        DISCARD = "discard", _("card discarded")
        OUT = "out", _("gone out")

    class Source(models.TextChoices):
        STOCK = "stock", _("stock")
        PILE = "pile", _("discard pile")

    kind = models.CharField(_("kind"), max_length=7, choices=Kind)
    source = models.CharField(_("source"), max_length=5, choices=Source, default="", blank=True)
    card = models.CharField(_("card"), max_length=3, default="", blank=True)
    melds = models.CharField(_("groups laid"), max_length=100, default="", blank=True)
    round = models.PositiveSmallIntegerField(_("wild rank of the round"))

    class Meta(Move.Meta):
        verbose_name = _("move of Les Cinq Rois")
        verbose_name_plural = _("moves of Les Cinq Rois")

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        columns = {"round": wild_rank(state.hand_no)}
        if move.number == STOCK:
            return {**columns, "kind": cls.Kind.DRAW, "source": cls.Source.STOCK}
        if move.number == PILE:
            return {**columns, "kind": cls.Kind.DRAW, "source": cls.Source.PILE, "card": TEXTS[state.pile[-1]]}
        columns["card"] = TEXTS[move.card]
        if move.number < OUT:
            return {**columns, "kind": cls.Kind.DISCARD}
        laid = best(without(state.hands[state.turn], move.card), law_in(state)).melds
        return {**columns, "kind": cls.Kind.OUT, "melds": " / ".join(" ".join(texts(meld.cards)) for meld in laid)}
