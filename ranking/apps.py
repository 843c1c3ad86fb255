"""App configuration of ranking: hears the end of a match, and guards its ledger."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RankingConfig(AppConfig):
    name = "ranking"
    verbose_name = _("Leaderboard")

    def ready(self) -> None:
        from games import insert_only
        from ranking import receivers  # noqa: F401
        from ranking.models import XPEntry

        insert_only.guard(XPEntry)
