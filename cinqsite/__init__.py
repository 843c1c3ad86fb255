"""Wiring of the site: settings, URLs, ASGI, Celery. No rules and no tables live here."""

from cinqsite.celery import app as celery_app

__all__ = ["celery_app"]
