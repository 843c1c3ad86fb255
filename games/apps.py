"""App configuration of games: answers to signals, the mail about a waiting turn."""

from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Tables")

    def ready(self) -> None:
        from accounts import insert_only
        from games import receivers, registry
        from games.models import TableEvent

        insert_only.guard(TableEvent, *(apps.get_model(game.move_model) for game in registry.all_games()))
        receivers.connect()
