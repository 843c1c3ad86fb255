"""HTTP entry point for a WSGI server (three times as many requests per core as ASGI; sockets go to cinqsite.server)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cinqsite.settings")
django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402

from cinqsite.addresses import FORWARDED, Proxies  # noqa: E402
from cinqsite.checks import refuse_to_start_unsafe  # noqa: E402

HEADERS = {"HTTP_" + name.upper().replace("-", "_") for name in FORWARDED}


class ClientAddress:
    """The same as its namesake in asgi.py, for WSGI."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application
        self.proxies = Proxies(settings.TRUSTED_PROXIES, settings.TRUSTED_PROXY_COUNT)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        sent = {name: environ.pop(name) for name in HEADERS if name in environ}
        remote = environ.get("REMOTE_ADDR", "")
        environ["wsgi.url_scheme"] = "http"
        if self.proxies.trusts(remote):
            environ["REMOTE_ADDR"] = self.proxies.client(remote, sent.get("HTTP_X_FORWARDED_FOR", ""))
            if sent.get("HTTP_X_FORWARDED_PROTO") == "https":
                environ["wsgi.url_scheme"] = "https"
        return self.application(environ, start_response)


refuse_to_start_unsafe()
application = ClientAddress(django_application)
