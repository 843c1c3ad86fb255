"""App configuration of Cinq."""

from django.apps import AppConfig


class CinqConfig(AppConfig):
    name = "games.cinq"
    label = "cinq"
    verbose_name = "Cinq"
