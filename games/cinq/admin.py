"""The staff's view of the moves of Cinq."""

from __future__ import annotations

from django.contrib import admin

from games.admin import MoveAdmin
from games.cinq.models import CinqMove


@admin.register(CinqMove)
class CinqMoveAdmin(MoveAdmin):
    """Every play, draw and pass of Cinq is made before everybody's eyes; only the card drawn is secret, and it has no column."""

    public_columns = ("kind", "suit", "rank", "hand")
