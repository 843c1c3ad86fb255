"""Facebook, whose road is its own: a stand-in for its addresses on loopback."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings as django_settings
from django.test import Client

from accounts.models import User
from accounts.providers import configured
from tests.accounts.social import user_id

pytestmark = pytest.mark.django_db
KEYS = {"FACEBOOK_CLIENT_ID": "app", "FACEBOOK_CLIENT_SECRET": "s3cret"}


class Facebook(HTTPServer):
    """Answers as the graph does: a token for the code "good", and what `me` says for the token with its proof."""

    me: Any

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", django_settings.FACEBOOK_PORT), Answers)
        self.me = {}


class Answers(BaseHTTPRequestHandler):
    server: Facebook

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        proof = hmac.new(b"s3cret", b"token", hashlib.sha256).hexdigest()
        if parts.path == "/graph/oauth/access_token" and query.get("code") == "good" and query["client_secret"] == "s3cret":
            self._answer(200, {"access_token": "token", "token_type": "bearer", "expires_in": 5000})
        elif parts.path == "/graph/me" and query.get("access_token") == "token" and query.get("appsecret_proof") == proof:
            self._answer(200, self.server.me)
        else:
            self._answer(400, {"error": {"message": "no"}})

    def _answer(self, status: int, data: Any) -> None:
        body = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def facebook(settings: Any) -> Iterator[Facebook]:
    settings.SOCIALACCOUNT_PROVIDERS = configured(KEYS, debug=False)[0]
    server = Facebook()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def come_back(client: Client, query: str) -> Any:
    """Leave for Facebook and come back with `query`."""
    away = client.post("/accounts/facebook/login/", {"process": "login"})
    address = urlsplit(away.url)
    sent = parse_qs(address.query)
    assert (
        f"{address.scheme}://{address.netloc}{address.path}" == f"http://127.0.0.1:{django_settings.FACEBOOK_PORT}/dialog/oauth"
    )
    assert (sent["client_id"], sent["scope"]) == (["app"], ["email"])
    assert sent["redirect_uri"] == ["http://testserver/accounts/facebook/login/callback/"]
    return client.get(f"/accounts/facebook/login/callback/?{query}&state={sent['state'][0]}")


def test_one_tap_makes_the_account_without_an_address_facebook_does_not_vouch_for(facebook: Facebook, alice: User) -> None:
    facebook.me = {"id": "4711", "name": "Nadia Benali", "first_name": "Nadia", "email": "alice@example.org", "verified": True}
    client, again = Client(), Client()
    assert come_back(client, "code=good").url == "/"
    user = User.objects.get(pk=user_id(client))
    assert (user.username, user.email) == ("Nadia", "")
    assert not EmailAddress.objects.filter(user=user).exists()
    assert (SocialAccount.objects.get().provider, SocialAccount.objects.get().uid) == ("facebook", "4711")
    facebook.me = {"id": "4711", "first_name": "Nora"}
    come_back(again, "code=good")
    assert user_id(again) == user_id(client)


@pytest.mark.parametrize("me", [{}, {"name": "x"}, {"id": None}, [], "text", None])
def test_nonsense_is_a_kind_page(facebook: Facebook, client: Client, me: Any) -> None:
    facebook.me = me
    assert come_back(client, "code=good").status_code == 400
    assert user_id(client) is None


def test_a_wrong_code_and_a_refusal(facebook: Facebook, client: Client) -> None:
    assert come_back(client, "code=bad").status_code == 400
    assert come_back(client, "error=access_denied&error_reason=user_denied").status_code == 403
    assert user_id(client) is None


def test_the_button_is_there_with_keys_only(facebook: Facebook, client: Client, settings: Any) -> None:
    assert 'data-provider="facebook"' in client.get("/accounts/login/").content.decode()
    settings.SOCIALACCOUNT_PROVIDERS = configured({}, debug=False)[0]
    assert "data-provider" not in client.get("/accounts/login/").content.decode()
