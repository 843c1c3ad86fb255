"""The typed moves of Six fous."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.move import Move


class SixFousMove(Move):
    """One ply of Six fous: a card laid or a pass. All of it happens before everybody's eyes."""

    class Kind(models.TextChoices):
        PLAY = "play", _("card played")
        PASS = "pass", _("pass")

    kind = models.CharField(_("kind"), max_length=4, choices=Kind)
    suit = models.CharField(_("suit"), max_length=1, default="", blank=True)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True, blank=True)
    hand = models.PositiveSmallIntegerField(_("hand"))

    class Meta(Move.Meta):
        verbose_name = _("move of Six fous")
        verbose_name_plural = _("moves of Six fous")

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        text = str(move)
        if text == cls.Kind.PASS:
            return {"kind": text, "hand": state.hand_no}
        return {"kind": cls.Kind.PLAY, "suit": text[-1], "rank": int(text[:-1]), "hand": state.hand_no}
