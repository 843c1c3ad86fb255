"""The typed moves of 5inq en Ligne."""

from __future__ import annotations

from typing import Any

from django.db import models

from games.models.move import Move


class CinqEnLigneMove(Move):
    """One ply: a card played on a square, a draw or a pass. The card drawn is not stored here: it is secret."""

    class Kind(models.TextChoices):
        PLAY = "play"
        DRAW = "draw"
        PASS = "pass"  # noqa: S105 - a move, no secret

    kind = models.CharField(max_length=4, choices=Kind)
    card = models.PositiveSmallIntegerField(null=True, blank=True)
    square = models.PositiveSmallIntegerField(null=True, blank=True)

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        text = str(move)
        if text in (cls.Kind.DRAW, cls.Kind.PASS):
            return {"kind": text}
        card, square = text.split("@")
        return {"kind": cls.Kind.PLAY, "card": int(card), "square": int(square)}
