"""Every page of accounts: renders in all languages, keeps the strict policy, shows no address; and the debug site's mails."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.template.loader import get_template
from django.test import Client, RequestFactory

from accounts import views
from accounts.mail_backend import EmailBackend
from accounts.models import User
from tests.accounts.test_login import log_in

pytestmark = pytest.mark.django_db
STRANGERS_PAGES = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/password/reset/key/done/",
    "/accounts/password/reset/key/1-nonsense/",
    "/accounts/confirm-email/",
    "/accounts/inactive/",
    "/accounts/login/code/",
    "/accounts/3rdparty/login/cancelled/",
]
OWN_PAGES = [
    "/settings/",
    "/accounts/logout/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/accounts/2fa/recovery-codes/",
    "/accounts/sessions/",
    "/accounts/3rdparty/",
    "/accounts/3rdparty/prove/",
    "/accounts/2fa/webauthn/",
]


def faults(page: str) -> list[str]:
    """What a strict policy would block, and ids that come twice."""
    ids = re.findall(r'\sid="([^"]+)"', page)
    return [
        *re.findall(r"<script(?![^>]*\s(?:src=|type=\"application/json\"))[^>]*>|<style|\sstyle=|\son\w+=|javascript:", page),
        *(f"twice: {i}" for i in set(ids) if ids.count(i) > 1),
    ]


@pytest.mark.parametrize("language", ["fr", "es", "en"])
@pytest.mark.parametrize("path", STRANGERS_PAGES)
def test_pages_for_strangers(client: Client, path: str, language: str) -> None:
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    assert faults(answer.content.decode()) == []
    assert f'<html lang="{language}">' in answer.content.decode()


@pytest.mark.parametrize("path", OWN_PAGES)
def test_own_pages(alice: User, path: str) -> None:
    client = Client()
    log_in(client, "alice@example.org")
    TOTP.activate(alice, generate_totp_secret())
    RecoveryCodes.activate(alice)
    client.post("/accounts/reauthenticate/", {"password": "quatre-cartes-5", "next": "/accounts/2fa/"})
    answer = client.get(path, follow=True)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert faults(page) == []
    # His own address stands on the page about it, and nowhere else.
    assert ("alice@example.org" in page) == (path == "/accounts/email/")


@pytest.mark.parametrize(
    "name",
    sorted(
        str(path.relative_to("templates"))
        for folder in ("account", "accounts", "mfa", "socialaccount", "usersessions")
        for path in Path("templates", folder).rglob("*")
        if path.is_file()
    ),
)
def test_every_template_is_well_formed_and_ours_wins(name: str) -> None:
    origin = get_template(name).origin.name
    assert "site-packages" not in origin


def test_a_field_with_an_error_is_tied_to_its_sentence(client: Client) -> None:
    page = client.post("/accounts/signup/", {"username": "admin", "email": "x", "password1": "court"}).content.decode()
    for name in ("username", "email", "password1"):
        tag = re.search(rf'<input[^>]*name="{name}"[^>]*>', page)[0]  # type: ignore[index]
        assert 'aria-invalid="true"' in tag
        described = re.search(r'aria-describedby="([^"]+)"', tag)[1].split()  # type: ignore[index]
        assert f"id_{name}_error" in described
        assert all(f'id="{i}"' in page for i in described)


def test_a_name_is_text_wherever_it_stands(client_of: Callable[..., Client], alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(username="<b>x</b>")
    page = client_of(User.objects.get(pk=alice.pk)).get("/settings/").content.decode()
    assert "<b>x</b>" not in page


def test_mails_are_kept_in_files_and_shown_on_a_debug_site(settings: Any, tmp_path: Path, capsys: Any, alice: User) -> None:
    settings.MAIL_FOLDER = tmp_path / "mails"
    for number in (1, 2):
        message = mail.EmailMessage(f"Sujet é {number}", f"Voici :\nhttp://127.0.0.1:8000/x{number}/ <b>", "a@b.c", ["x@y.z"])
        assert EmailBackend().send_messages([message]) == 1
    assert "Sujet é 2" in capsys.readouterr().out
    request = RequestFactory().get("/dev/mails/")
    request.player, request.user = None, alice
    settings.DEBUG = True
    page = views.dev_mails(request).content.decode()
    assert page.index("Sujet é 2") < page.index("Sujet é 1")
    assert '<a href="http://127.0.0.1:8000/x2/"' in page
    assert "&lt;b&gt;" in page


def test_the_demo_administrators_code_is_shown_on_a_debug_site_only(settings: Any, tmp_path: Path, client: Client) -> None:
    from django.http import Http404

    settings.MAIL_FOLDER = tmp_path
    settings.DEMO_ADMIN = "Camille"
    camille = User.objects.create_user("Camille", is_staff=True)
    secret = generate_totp_secret()
    TOTP.activate(camille, secret)
    request = RequestFactory().get("/dev/mails/")
    request.player, request.user = None, camille
    with pytest.raises(Http404):
        views.dev_mails(request)
    settings.DEBUG = True
    assert re.search(r"<strong>\d{6}</strong>", views.dev_mails(request).content.decode())
