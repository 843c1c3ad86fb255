"""The staff's view of the moves of 55."""

from __future__ import annotations

from django.contrib import admin

from games.admin import MoveAdmin
from games.cinquante_cinq.models import FiftyFiveMove


@admin.register(FiftyFiveMove)
class FiftyFiveMoveAdmin(MoveAdmin):
    """Calls, trump and cards are made before everybody's eyes; the cards thrown have no column."""

    public_columns = ("kind", "bid", "trump", "card", "trick", "hand")
