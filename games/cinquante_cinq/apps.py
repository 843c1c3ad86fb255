"""App configuration of 55."""

from django.apps import AppConfig


class FiftyFiveConfig(AppConfig):
    name = "games.cinquante_cinq"
    label = "cinquante_cinq"
    verbose_name = "55"
