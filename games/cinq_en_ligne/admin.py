"""The staff's view of the moves of 5inq en Ligne."""

from __future__ import annotations

from django.contrib import admin

from games.admin import MoveAdmin
from games.cinq_en_ligne.models import CinqEnLigneMove


@admin.register(CinqEnLigneMove)
class CinqEnLigneMoveAdmin(MoveAdmin):
    """Pegs, draws and passes are seen by everybody; only the card drawn is secret, and it has no column."""

    public_columns = ("kind", "card", "square")
