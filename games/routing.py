"""WebSocket routes."""

from __future__ import annotations

from django.urls import re_path

from games.consumers import MeConsumer, NoSocket, TableConsumer

websocket_urlpatterns = [
    re_path(r"^ws/t/(?P<code>[0-9A-HJKMNP-TV-Z]{10})/$", TableConsumer.as_asgi()),
    re_path(r"^ws/me/$", MeConsumer.as_asgi()),
    re_path(r"", NoSocket.as_asgi()),
]
