"""Which providers of accounts the site offers: read from the environment into allauth's settings. Standard library only.

A provider without keys is not offered. Google and every other OpenID Connect provider share one road (`openid_connect`), the
same that the demonstration provider takes in development and in the tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

NAMES = {"facebook": "Facebook", "microsoft": "Microsoft", "github": "GitHub", "discord": "Discord"}
GOOGLE = "https://accounts.google.com"
DEMO = "demo"
# Where a form's answer may lead: browsers hold the policy's form-action against every step of a redirect.
HOSTS = {
    "google": (GOOGLE,),
    "facebook": ("https://www.facebook.com", "https://m.facebook.com"),
    "apple": ("https://appleid.apple.com",),
    "microsoft": ("https://login.microsoftonline.com", "https://login.live.com"),
    "github": ("https://github.com",),
    "discord": ("https://discord.com",),
}

Settings = dict[str, dict[str, Any]]


def configured(environ: Mapping[str, str], *, debug: bool) -> tuple[Settings, list[str]]:
    """(SOCIALACCOUNT_PROVIDERS, the origins that forms may lead to) of an environment; ValueError for half a configuration.

    README.md lists the variables. `debug`: whether the demonstration provider (DEMO_PROVIDER_URL) may be offered.
    """
    found: Settings = {}
    origins: list[str] = []
    for key, name in NAMES.items():
        app = _keys(environ, key.upper())
        if app:
            found[key] = {"APPS": [{**app, "name": name, "settings": {}}], "OAUTH_PKCE_ENABLED": True}
            origins += HOSTS[key]
    if "microsoft" in found:
        found["microsoft"]["APPS"][0]["settings"]["tenant"] = environ.get("MICROSOFT_TENANT") or "common"
    apple = _apple(environ)
    if apple:
        found["apple"] = {"APPS": [apple], "OAUTH_PKCE_ENABLED": True}
        origins += HOSTS["apple"]
    oidc = [*_google(environ), *_listed(environ)]
    if debug and environ.get("DEMO_PROVIDER_URL"):
        oidc.append(_oidc(DEMO, "Demo", environ["DEMO_PROVIDER_URL"], "cinqsite-demo", "demo", []))
    if oidc:
        for field in ("provider_id", "client_id"):
            # A sign-up that waits for its pseudonym finds its provider again by the client id alone.
            if len({app[field] for app in oidc}) < len(oidc):
                raise ValueError(f"OIDC_PROVIDERS: every provider needs a {field} of its own")
        found["openid_connect"] = {"APPS": oidc, "OAUTH_PKCE_ENABLED": True}
        origins += [origin for app in oidc for origin in app["settings"]["form_origins"]]
    return found, list(dict.fromkeys(origins))


def _keys(environ: Mapping[str, str], prefix: str) -> dict[str, str]:
    client, secret = environ.get(f"{prefix}_CLIENT_ID", ""), environ.get(f"{prefix}_CLIENT_SECRET", "")
    if bool(client) != bool(secret):
        raise ValueError(f"{prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET belong together")
    return {"client_id": client, "secret": secret} if client else {}


def _apple(environ: Mapping[str, str]) -> dict[str, Any]:
    names = ("APPLE_CLIENT_ID", "APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY")
    client, team, key, private = (environ.get(name, "") for name in names)
    if not any((client, team, key, private)):
        return {}
    if not all((client, team, key, private)):
        raise ValueError(f"{', '.join(names)} belong together")
    # allauth's names: "secret" is the id of the key, "key" that of the team.
    certificate = {"certificate_key": private.replace("\\n", "\n")}
    return {"client_id": client, "secret": key, "key": team, "name": "Apple", "settings": certificate}


def _google(environ: Mapping[str, str]) -> list[dict[str, Any]]:
    app = _keys(environ, "GOOGLE")
    return [_oidc("google", "Google", GOOGLE, app["client_id"], app["secret"], [])] if app else []


def _listed(environ: Mapping[str, str]) -> list[dict[str, Any]]:
    """The providers of OIDC_PROVIDERS, a JSON list of objects: id, name, issuer, client_id, secret and, if need be, hosts."""
    try:
        rows = json.loads(environ.get("OIDC_PROVIDERS") or "[]")
        return [
            _oidc(row["id"], row["name"], row["issuer"], row["client_id"], row["secret"], row.get("hosts", [])) for row in rows
        ]
    except (json.JSONDecodeError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(
            f"OIDC_PROVIDERS must be a JSON list of objects with id, name, issuer, client_id, secret: {error}"
        ) from error


def _oidc(key: str, name: str, issuer: str, client_id: str, secret: str, hosts: list[str]) -> dict[str, Any]:
    parts = urlsplit(issuer)
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,30}", key):
        raise ValueError(f"OIDC_PROVIDERS: {key!r} is no id: small letters, digits and hyphens")
    if not parts.hostname or (parts.scheme != "https" and parts.hostname not in {"localhost", "127.0.0.1"}):
        raise ValueError(f"OIDC_PROVIDERS: {issuer!r} is not an https address")
    if not all(re.fullmatch(r"https?://[\w.:-]+", host) for host in hosts):
        raise ValueError(f"OIDC_PROVIDERS: hosts of {key!r} are origins such as https://login.example.org")
    return {
        "provider_id": key,
        "name": name,
        "client_id": client_id,
        "secret": secret,
        "settings": {"server_url": issuer.rstrip("/"), "form_origins": [f"{parts.scheme}://{parts.netloc}", *hosts]},
    }
