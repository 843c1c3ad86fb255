"""The second factor: sealed, good for one use, limited, and compulsory for staff on every admin page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib import admin
from django.core import mail
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import access, registration
from accounts.models import User
from tests.accounts.test_login import log_in
from tests.accounts.test_signup import link_in
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def code_of(secret: str, step: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + step))


@pytest.fixture
def secret(alice: User) -> str:
    """Alice's authenticator app."""
    text = generate_totp_secret()
    TOTP.activate(alice, text)
    return text


@pytest.fixture
def staff(db: None) -> User:
    return registration.create_person("Camille", "camille@example.org", PASSWORD, is_staff=True, is_superuser=True)


def test_the_secret_is_sealed_in_the_database(alice: User, secret: str, settings: Any) -> None:
    row = Authenticator.objects.get(user=alice)
    assert secret not in str(row.data)
    settings.VAULT_KEYS = {"new": b"k" * 32, **settings.VAULT_KEYS}
    assert row.wrap().validate_code(code_of(secret))


def test_a_password_alone_is_not_enough(alice: User, secret: str) -> None:
    client = Client()
    answer = client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD, "next": "/tables/"})
    assert answer.url == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in client.session
    assert client.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code == 200
    answer = client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert answer.url == "/tables/"
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_a_code_works_once(alice: User, secret: str) -> None:
    code = code_of(secret)
    first, second = Client(), Client()
    for client in (first, second):
        log_in(client, "alice@example.org")
    assert first.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302
    assert second.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 200
    assert "_auth_user_id" not in second.session


def test_a_recovery_code_works_once(alice: User, secret: str) -> None:
    code = RecoveryCodes.activate(alice).get_unused_codes()[0]
    answers = []
    for _ in range(2):
        client = Client()
        log_in(client, "alice@example.org")
        answers.append(client.post("/accounts/2fa/authenticate/", {"code": code}).status_code)
    assert answers == [302, 200]


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_works_once_in_the_same_instant(alice: User) -> None:
    TOTP.activate(alice, generate_totp_secret())
    code = RecoveryCodes.activate(alice).get_unused_codes()[0]
    clients = [Client() for _ in range(6)]
    for client in clients:
        log_in(client, "alice@example.org")

    def post(client: Client) -> int:
        try:
            return client.post("/accounts/2fa/authenticate/", {"code": code}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(post, clients)) == [200] * 5 + [302]


def test_signing_in_works_while_redis_is_away(alice: User, secret: str, settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True
    settings.CACHE_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": settings.CACHE_URL}}
    client = Client()
    log_in(client, "alice@example.org")
    code = code_of(secret)
    assert client.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302
    # ... and what must hold holds: a used code is used.
    again = Client()
    log_in(again, "alice@example.org")
    assert again.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 200


def test_five_wrong_codes_close_the_door_for_five_minutes(alice: User, secret: str, settings: Any) -> None:
    settings.RATE_LIMITS_ENABLED = True
    client = Client()
    log_in(client, "alice@example.org")
    codes = [client.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code for _ in range(6)]
    assert codes == [200] * 5 + [429]
    assert client.post("/accounts/2fa/authenticate/", {"code": code_of(secret)}).status_code == 429


def test_a_reset_password_still_asks_for_the_code(alice: User, secret: str) -> None:
    client = Client()
    client.post("/accounts/password/reset/", {"email": "alice@example.org"})
    form = client.get(link_in(mail.outbox[-1])).url
    answer = client.post(form, {"password1": "encore-un-mot-secret", "password2": "encore-un-mot-secret"})
    assert answer.url == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db(transaction=True)
def test_setting_up_an_app_gives_recovery_codes_and_tells_the_owner(alice: User) -> None:
    client = Client()
    log_in(client, "alice@example.org")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/2fa/totp/activate/"})
    page = client.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    assert b"data:image/svg+xml" in page.content
    assert client.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    answer = client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    assert answer.url == "/accounts/2fa/recovery-codes/"
    assert len(client.get(answer.url).context["unused_codes"]) == 10
    assert mail.outbox[0].to == ["alice@example.org"]


# --- Staff ----------------------------------------------------------------------------------------------------------


def admin_paths() -> Iterator[str]:
    """One address for every route of the admin."""
    resolver = next(p for p in get_resolver().url_patterns if isinstance(p, URLResolver) and p.app_name == "admin")

    def walk(patterns: list[Any], prefix: str) -> Iterator[str]:
        for pattern in patterns:
            route = str(pattern.pattern)
            for converter in ("<path:object_id>", "<int:content_type_id>", "<path:object_id>", "<id>", "<app_label>"):
                route = route.replace(converter, "1")
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, prefix + route)
            elif isinstance(pattern, URLPattern) and not route.startswith("(?P"):
                yield prefix + route

    return walk(resolver.url_patterns, "/admin/")


def test_staff_without_a_second_factor_can_open_no_admin_page(client_of: Callable[..., Client], staff: User) -> None:
    client = client_of(staff)
    paths = [path for path in admin_paths() if "^" not in path and "(" not in path]
    assert len(paths) > 10
    for path in paths:
        for answer in (client.get(path), client.post(path)):
            assert (answer.status_code, answer.headers.get("Location")) == (302, "/accounts/2fa/totp/activate/"), path


def test_staff_with_a_second_factor_get_in(client_of: Callable[..., Client], staff: User) -> None:
    assert not access.staff_ready(staff)
    TOTP.activate(staff, generate_totp_secret())
    assert access.staff_ready(staff)
    assert client_of(staff).get("/admin/").status_code == 200


def test_recovery_codes_alone_are_no_second_factor(staff: User) -> None:
    RecoveryCodes.activate(staff)
    assert not access.staff_ready(staff)


def test_players_and_strangers_stay_outside(client_of: Callable[..., Client], alice: User, guest: User, secret: str) -> None:
    assert client_of(None).get("/admin/").status_code == 302
    assert client_of(guest).get("/admin/login/").url == "/accounts/login/?next=%2Fadmin%2Flogin%2F"
    assert client_of(alice).get("/admin/login/").status_code == 403
    assert not access.staff_ready(alice)


def test_the_admin_has_no_login_form_of_its_own(staff: User) -> None:
    client = Client()
    answer = client.post("/admin/login/?next=/admin/", {"username": "Camille", "password": PASSWORD})
    assert answer.status_code == 302
    assert answer.url == "/accounts/login/?next=%2Fadmin%2F"
    assert "_auth_user_id" not in client.session
    assert admin.site.login.__wrapped__ is not None


def test_staff_find_people_and_change_nobody(client_of: Callable[..., Client], staff: User, alice: User, guest: User) -> None:
    TOTP.activate(staff, generate_totp_secret())
    client = client_of(staff)
    people = client.get("/admin/accounts/user/").content.decode()
    assert "Alice" in people
    assert "@" not in re.sub(r"<(script|style).*?</\1>", "", people, flags=re.DOTALL)
    for term in ("ALICE", "al1ce", "Alice@example.org", str(alice.pk)):
        found = client.get("/admin/accounts/user/", {"q": term}).content.decode()
        assert "Alice" in found, term
        assert "Camille</a>" not in found, term
    page = f"/admin/accounts/user/{alice.pk}/change/"
    assert "alice@example.org" in client.get(page).content.decode()
    assert client.post(page, {"username": "Autre", "is_staff": "on"}).status_code == 403
    assert client.post(f"/admin/accounts/user/{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    alice.refresh_from_db()
    assert (alice.username, alice.is_staff) == ("Alice", False)
    for path in ("account/emailaddress/", "mfa/authenticator/", "usersessions/usersession/", "auth/group/"):
        assert client.get(f"/admin/{path}").status_code == 404
