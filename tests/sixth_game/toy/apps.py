"""App configuration of the toy game."""

from django.apps import AppConfig


class ToyConfig(AppConfig):
    name = "games.toy"
    label = "toy"
