"""Sign-up by e-mail: confirmation by the button only, the way kept, nothing told about who has an account."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import registration
from accounts.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "un-bon-mot-de-passe"


def sign_up(client: Client, name: str = "Nadia", email: str = "nadia@example.org", **extra: Any) -> Any:
    data = {"username": name, "email": email, "password1": PASSWORD, **extra}
    return client.post("/accounts/signup/", data)


def link_in(message: Any) -> str:
    """The path of the first link to the site in a mail."""
    return re.search(r"https?://[^/\s]+(/accounts/\S+)", message.body)[1]  # type: ignore[index]


def test_nobody_is_in_before_the_button_is_pressed(client: Client) -> None:
    response = sign_up(client)
    assert response.status_code == 302
    assert response.url == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
    (message,) = mail.outbox
    assert message.to == ["nadia@example.org"]
    path = link_in(message)
    # A mail scanner: other address, several times, HEAD too.
    for _ in range(3):
        assert Client().get(path).status_code == 200
        assert Client().head(path).status_code == 200
    assert not EmailAddress.objects.get(email="nadia@example.org").verified
    assert client.post(path).status_code == 302
    assert EmailAddress.objects.get(email="nadia@example.org").verified
    # The browser that signed up is logged in by it.
    assert client.session["_auth_user_id"] == str(User.objects.get(username="Nadia").pk)


def test_a_second_press_says_that_it_is_done(client: Client) -> None:
    sign_up(client)
    path = link_in(mail.outbox[0])
    client.post(path)
    again = Client().post(path)
    assert again.status_code == 404
    assert again.context["already"] is True
    assert Client().get(path).context["already"] is True
    nonsense = Client().post("/accounts/confirm-email/nonsense:x:y/")
    assert nonsense.status_code == 404
    assert nonsense.context["already"] is False


def test_opening_a_link_does_not_log_anybody_out(client: Client, client_of: Callable[..., Client], alice: User) -> None:
    sign_up(client)
    other = client_of(alice)
    other.get(link_in(mail.outbox[0]))
    assert other.session["_auth_user_id"] == str(alice.pk)


def test_the_way_to_the_invited_table_survives(client: Client) -> None:
    sign_up(client, next="/t/ABCDEFGHJK/")
    path = link_in(mail.outbox[0])
    assert path.endswith("?next=%2Ft%2FABCDEFGHJK%2F")
    # In another browser: to the login, then on.
    elsewhere = Client().post(path, {"next": "/t/ABCDEFGHJK/"})
    assert elsewhere.url == "/accounts/login/?next=%2Ft%2FABCDEFGHJK%2F"


def test_the_way_is_carried_by_the_pages(client: Client) -> None:
    field = '<input type="hidden" name="next" value="/t/ABCDEFGHJK/"'
    for page in ("signup", "login"):
        text = client.get(f"/accounts/{page}/?next=/t/ABCDEFGHJK/").content.decode()
        assert field in text
        assert "?next=%2Ft%2FABCDEFGHJK%2F" in text  # the link from the one to the other
        assert field not in client.get(f"/accounts/{page}/?next=//evil.example").content.decode()


def test_the_way_survives_in_the_same_browser(client: Client) -> None:
    sign_up(client, next="/t/ABCDEFGHJK/")
    response = client.post(link_in(mail.outbox[0]))
    assert response.url == "/t/ABCDEFGHJK/"


def test_a_known_address_gets_the_same_answer_as_an_unknown_one(alice: User) -> None:
    known, unknown = Client(), Client()
    a = sign_up(known, "Nadia", alice.email)
    b = sign_up(unknown, "Samir", "samir@example.org")
    assert (a.status_code, a.url, sorted(a.cookies)) == (b.status_code, b.url, sorted(b.cookies))
    page_a, page_b = known.get(a.url), unknown.get(b.url)
    hide = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
    assert hide.sub(b"", page_a.content) == hide.sub(b"", page_b.content)
    assert [m.to for m in mail.outbox] == [[alice.email], ["samir@example.org"]]
    assert "/password/reset/" in mail.outbox[0].body


def test_the_name_is_gone_either_way(alice: User) -> None:
    sign_up(Client(), "Nadia", alice.email)
    sign_up(Client(), "Samir", "samir@example.org")
    answers = [sign_up(Client(), name, f"third-{name}@example.org") for name in ("Nadia", "Samir")]
    assert [a.status_code for a in answers] == [200, 200]
    errors = [a.context["form"].errors["username"] for a in answers]
    assert errors[0] == errors[1]
    # ... and both are free again when the sign-up was never confirmed.
    User.objects.filter(username="Samir").update(date_joined=timezone.now() - timedelta(days=8))
    assert registration.purge_unconfirmed(timezone.now() + timedelta(days=8)) == 1
    assert registration.free_name("Nadia") == "Nadia"
    assert registration.free_name("Samir") == "Samir"
    assert User.objects.filter(pk=alice.pk).exists()


def test_a_taken_name_is_refused_with_a_sentence(client: Client, alice: User) -> None:
    response = sign_up(client, "AIice")
    assert response.status_code == 200
    assert response.context["form"].errors.as_data()["username"][0].code == "taken"
    assert not User.objects.filter(email="nadia@example.org").exists()


@pytest.mark.parametrize("password", ["court", "password", "123456789", "nadia@example.org", "x" * 2000])
def test_weak_and_endless_passwords_are_refused(client: Client, password: str) -> None:
    response = sign_up(client, password1=password)
    assert response.status_code == 200
    assert "password1" in response.context["form"].errors
    assert not User.objects.filter(username="Nadia").exists()


def test_a_long_sentence_is_a_password(client: Client) -> None:
    sentence = "une phrase de plus de soixante-quatre caractères, avec des espaces à la fin  "
    sign_up(client, password1=sentence)
    assert User.objects.get(username="Nadia").check_password(sentence)


def test_mail_links_go_to_the_configured_host(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["evil.example", "testserver"]
    client.post("/accounts/password/reset/", {"email": "nobody@example.org"}, headers={"host": "evil.example"})
    sign_up(client)
    for message in mail.outbox:
        assert "evil.example" not in message.body
        assert settings.SITE_URL in message.body


def test_sign_up_keeps_the_language_it_was_made_in(client: Client) -> None:
    client.get("/accounts/signup/", headers={"accept-language": "es"})
    data = {"username": "Nadia", "email": "nadia@example.org", "password1": PASSWORD}
    client.post("/accounts/signup/", data, headers={"accept-language": "es"})
    assert User.objects.get(username="Nadia").language == "es"


@pytest.mark.parametrize("extra", [{"is_staff": "1"}, {"is_superuser": "on"}, {"is_guest": "1"}, {"guest": "1"}])
def test_nothing_else_can_be_set_by_a_sign_up(client: Client, extra: dict[str, str]) -> None:
    sign_up(client, **extra)
    user = User.objects.get(username="Nadia")
    assert (user.is_staff, user.is_superuser, user.is_guest, user.guest_id) == (False, False, False, None)
