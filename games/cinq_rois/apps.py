"""App configuration of Les Cinq Rois."""

from django.apps import AppConfig


class CinqRoisConfig(AppConfig):
    name = "games.cinq_rois"
    label = "cinq_rois"
    verbose_name = "Les Cinq Rois"
