"""App configuration of the wiring: registers the system checks."""

from django.apps import AppConfig


class CinqsiteConfig(AppConfig):
    name = "cinqsite"

    def ready(self) -> None:
        from cinqsite import checks  # noqa: F401 (importing registers them)
