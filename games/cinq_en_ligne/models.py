"""The typed moves of 5inq en Ligne."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.move import Move


class CinqEnLigneMove(Move):
    """One ply: a card played on a square, a draw or a pass. The card drawn is not stored here: it is secret."""

    class Kind(models.TextChoices):
        PLAY = "play", _("card played")
        DRAW = "draw", _("card drawn")
        PASS = "pass", _("pass")

    kind = models.CharField(_("kind"), max_length=4, choices=Kind)
    card = models.PositiveSmallIntegerField(_("card"), null=True, blank=True)
    square = models.PositiveSmallIntegerField(_("square"), null=True, blank=True)

    class Meta(Move.Meta):
        verbose_name = _("move of 5inq en Ligne")
        verbose_name_plural = _("moves of 5inq en Ligne")

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        text = str(move)
        if text in (cls.Kind.DRAW, cls.Kind.PASS):
            return {"kind": text}
        card, square = text.split("@")
        return {"kind": cls.Kind.PLAY, "card": int(card), "square": int(square)}
