"""The typed moves of the toy game."""

from __future__ import annotations

from typing import Any

from django.db import models

from games.models.move import Move


class ToyMove(Move):
    """One number laid."""

    number = models.PositiveSmallIntegerField()

    @classmethod
    def columns(cls, state: Any, move: Any) -> dict[str, Any]:
        return {"number": move.number}
