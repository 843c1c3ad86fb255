"""The legal pages: all of them in every language, with the operator's name or a gap that cannot be overlooked."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from cinqsite.legal import PAGES
from tests.accounts.test_pages import faults

pytestmark = pytest.mark.django_db
LANGUAGES = ["fr", "es", "en"]


def text(client: Client, page: str, language: str) -> str:
    answer = client.get(f"/legal/{page}/", headers={"accept-language": language})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_in_every_language(client: Client, page: str, language: str) -> None:
    body = text(client, page, language)
    assert f'<html lang="{language}"' in body
    assert faults(body) == []
    # The same page in the other languages says as much: as many sections, as many points.
    other = text(client, page, LANGUAGES[LANGUAGES.index(language) - 1])
    assert [body.count(tag) for tag in ("<section>", "<h2>", "<li>", "<dt>")] == [
        other.count(tag) for tag in ("<section>", "<h2>", "<li>", "<dt>")
    ]
    assert len({text(client, page, other) for other in LANGUAGES}) == 3


def test_every_page_leads_to_them(client: Client) -> None:
    body = client.get("/lobby/").content.decode()
    assert all(reverse("legal", args=[page]) in body for page in PAGES)
    assert client.get("/legal/other/").status_code == 404
    assert client.get("/legal/../fr/notice.html").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_set_is_a_marked_gap_and_what_is_set_is_text(client: Client, settings: Any, language: str) -> None:
    settings.OPERATOR_NAME = settings.OPERATOR_ADDRESS = settings.OPERATOR_EMAIL = settings.HOSTING = ""
    assert text(client, "notice", language).count("<mark>[") == 4
    assert text(client, "privacy", language).count("<mark>[") == 2
    settings.OPERATOR_NAME, settings.OPERATOR_ADDRESS = "Dupont & <b>fils</b>", "1 rue des Cartes"
    settings.OPERATOR_EMAIL, settings.HOSTING = "contact@example.org", "Un hébergeur"
    for page in ("notice", "privacy"):
        body = text(client, page, language)
        assert "<mark>" not in body
        assert "Dupont &amp; &lt;b&gt;fils&lt;/b&gt;" in body
        assert "mailto:contact@example.org" in body


def test_they_name_every_cookie_that_the_site_sets(client: Client, settings: Any) -> None:
    from accounts import devices, timezones
    from games import invitations

    names = {"sessionid", "csrftoken", settings.LANGUAGE_COOKIE_NAME, devices.COOKIE, timezones.COOKIE, invitations.COOKIE}
    for language in LANGUAGES:
        assert set(re.findall(r"<li><b>(\w+)</b>", text(client, "privacy", language))) == names
