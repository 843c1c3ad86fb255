"""The staff's view of the moves of Les Cinq Rois."""

from __future__ import annotations

from django.contrib import admin

from games.admin import MoveAdmin
from games.cinq_rois.models import CinqRoisMove


@admin.register(CinqRoisMove)
class CinqRoisMoveAdmin(MoveAdmin):
    """Draws, discards and the groups laid are public; the card drawn from the stock has no column."""

    public_columns = ("kind", "source", "card", "melds", "round")
