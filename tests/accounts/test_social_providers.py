"""Which providers an environment offers, and where forms may lead."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from accounts.providers import configured

ROW = {"id": "firm", "name": "Firm", "issuer": "https://sso.firm.example/realm", "client_id": "a", "secret": "b"}
KEYS = {
    f"{name}_CLIENT_{part}": "x" for name in ("GOOGLE", "FACEBOOK", "MICROSOFT", "GITHUB", "DISCORD") for part in ("ID", "SECRET")
}
APPLE = {"APPLE_CLIENT_ID": "org.site", "APPLE_TEAM_ID": "T", "APPLE_KEY_ID": "K", "APPLE_PRIVATE_KEY": "-----\\nabc\\n-----"}


def oidc(*rows: dict[str, object]) -> dict[str, str]:
    return {"OIDC_PROVIDERS": json.dumps(rows)}


def test_nothing_is_offered_without_keys() -> None:
    assert configured({}, debug=True) == ({}, [])


def test_every_provider_by_its_keys() -> None:
    found, origins = configured(KEYS | APPLE | oidc(ROW) | {"MICROSOFT_TENANT": "consumers"}, debug=False)
    assert sorted(found) == ["apple", "discord", "facebook", "github", "microsoft", "openid_connect"]
    assert all(provider["OAUTH_PKCE_ENABLED"] for provider in found.values())
    google, firm = found["openid_connect"]["APPS"]
    assert (google["provider_id"], google["settings"]["server_url"]) == ("google", "https://accounts.google.com")
    assert firm["settings"]["server_url"] == "https://sso.firm.example/realm"
    assert found["apple"]["APPS"][0]["settings"]["certificate_key"] == "-----\nabc\n-----"
    assert found["microsoft"]["APPS"][0]["settings"]["tenant"] == "consumers"
    assert {"https://accounts.google.com", "https://appleid.apple.com", "https://sso.firm.example"} <= set(origins)


def test_forms_lead_to_what_is_configured_only() -> None:
    assert configured({"GITHUB_CLIENT_ID": "a", "GITHUB_CLIENT_SECRET": "b"}, debug=False)[1] == ["https://github.com"]
    hosts = {**ROW, "hosts": ["https://login.firm.example"]}
    assert configured(oidc(hosts), debug=False)[1] == ["https://sso.firm.example", "https://login.firm.example"]


def test_the_demonstration_provider_is_for_debug_sites() -> None:
    demo = {"DEMO_PROVIDER_URL": "http://localhost:9400"}
    assert configured(demo, debug=False) == ({}, [])
    assert configured(demo, debug=True)[1] == ["http://localhost:9400"]


@pytest.mark.parametrize(
    "environ",
    [
        {"GOOGLE_CLIENT_ID": "only"},
        {"GITHUB_CLIENT_SECRET": "only"},
        {"APPLE_CLIENT_ID": "only"},
        {"OIDC_PROVIDERS": "{"},
        {"OIDC_PROVIDERS": "[1]"},
        {"OIDC_PROVIDERS": "5"},
        oidc({"id": "x"}),
        oidc({**ROW, "id": "No Id"}),
        oidc({**ROW, "issuer": "http://sso.firm.example"}),
        oidc({**ROW, "issuer": "nonsense"}),
        oidc({**ROW, "hosts": ["login.firm.example"]}),
        oidc({**ROW, "hosts": ["https://a.example; script-src *"]}),
        oidc(ROW, ROW),
        oidc(ROW, {**ROW, "id": "other"}),
    ],
)
def test_half_a_configuration_is_refused(environ: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"GOOGLE|GITHUB|APPLE|OIDC"):
        configured(environ, debug=False)


@pytest.mark.django_db
def test_the_policy_names_no_other_site(client: Client) -> None:
    assert "form-action 'self';" in client.get("/accounts/login/").headers["Content-Security-Policy"] + ";"
