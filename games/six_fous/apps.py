"""App configuration of Six fous."""

from django.apps import AppConfig


class SixFousConfig(AppConfig):
    name = "games.six_fous"
    label = "six_fous"
    verbose_name = "Six fous"
