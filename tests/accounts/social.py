"""What the tests of social accounts share: a provider on loopback, and one trip to it and back."""

from __future__ import annotations

import json
import secrets
from typing import Any
from urllib.parse import urlsplit

import requests
from django.test import Client

from accounts.providers import configured

SECOND = "second"  # another provider, for accounts with two of them


class Provider:
    """An OpenID Connect provider at `url`, the people it knows, and the way through it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def settings(self) -> dict[str, Any]:
        """SOCIALACCOUNT_PROVIDERS with this provider, twice: as `oidc` and as SECOND."""
        rows = [
            {"id": key, "name": name, "issuer": self.url, "client_id": f"client-{key}", "secret": "s3cret"}
            for key, name in (("oidc", "Exemple"), (SECOND, "Deuxième"))
        ]
        return configured({"OIDC_PROVIDERS": json.dumps(rows)}, debug=False)[0]

    def person(self, sub: str | None = None, **claims: Any) -> str:
        """Make (or change) a person of the provider; returns the `sub`."""
        sub = sub or secrets.token_hex(6)
        requests.put(f"{self.url}/users/{sub}", json=claims, timeout=5).raise_for_status()
        return sub

    def leave(self, client: Client, process: str = "login", key: str = "oidc", **data: str) -> str:
        """Press the button: the provider's address that the site sends the browser to."""
        answer = client.post(f"/accounts/oidc/{key}/login/", {"process": process, **data})
        assert answer.status_code == 302, answer.content
        return str(answer.url)

    def agree(self, address: str, sub: str) -> str:
        """Agree there; returns the path and query of the site that the provider sends the browser back to."""
        return self._back(address, {"sub": sub})

    def deny(self, address: str) -> str:
        """Refuse there; returns the path and query of the site."""
        return self._back(address, {"action": "deny"})

    def _back(self, address: str, data: dict[str, str]) -> str:
        answer = requests.post(address, data=data, allow_redirects=False, timeout=5)
        parts = urlsplit(answer.headers["Location"])
        return f"{parts.path}?{parts.query}"

    def trip(self, client: Client, sub: str, process: str = "login", key: str = "oidc", **data: str) -> Any:
        """Leave, agree, come back: the answer of the callback."""
        return client.get(self.agree(self.leave(client, process, key, **data), sub))


def user_id(client: Client) -> str | None:
    """Who is logged in in this browser."""
    return client.session.get("_auth_user_id")
