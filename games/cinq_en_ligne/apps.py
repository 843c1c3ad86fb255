"""App configuration of 5inq en Ligne."""

from django.apps import AppConfig


class CinqEnLigneConfig(AppConfig):
    name = "games.cinq_en_ligne"
    label = "cinq_en_ligne"
    verbose_name = "5inq en Ligne"
