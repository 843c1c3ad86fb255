"""Pages for players that the staff answers."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
