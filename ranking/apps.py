"""App configuration of ranking: hears the end of a match, and guards its ledger."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class RankingConfig(AppConfig):
    name = "ranking"
    verbose_name = _("Leaderboard")

    def ready(self) -> None:
        from accounts import exports, insert_only
        from games import esteem
        from ranking import punctuality, ratings, receivers, rungs  # noqa: F401
        from ranking.exports import points, skill
        from ranking.models import Badge, Played, RatingEntry, SeasonRow, XPEntry

        insert_only.guard(XPEntry, RatingEntry, Played, Badge, SeasonRow)
        exports.register(points)
        exports.register(skill)
        esteem.source.cotes, esteem.source.punctuality = ratings.cotes, punctuality.shares
        post_migrate.connect(rungs.after_migration, sender=self, dispatch_uid="ranking.rungs")
