"""The staff's view of the moves of Six fous."""

from __future__ import annotations

from django.contrib import admin

from games.admin import MoveAdmin
from games.six_fous.models import SixFousMove


@admin.register(SixFousMove)
class SixFousMoveAdmin(MoveAdmin):
    """Every card and every pass is played before everybody's eyes."""

    public_columns = ("kind", "suit", "rank", "hand")
