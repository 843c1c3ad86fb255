"""Opening a table: what fits is opened and sat at; the rest is refused with a sentence, and nothing is left behind."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model

from games import registry
from games.models import Table

pytestmark = pytest.mark.django_db

GOOD = {
    "game": "cinq",
    "mode": "classique",
    "limite": "30",
    "seats": "3",
    "pace": "86400",
    "competitive": "0",
    "visibility": "public",
}


def test_a_friendly_table_is_opened_by_a_guest(client):
    answer = client.post("/new/", GOOD)
    table = Table.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.code}/")
    assert (table.seats_wanted, table.pace, table.competitive, table.visibility) == (3, 86400, False, "public")
    assert table.options == {"mode": "classique", "limite": 30, "cartes": 10}
    assert table.opener.is_guest
    assert table.seats.get().user == table.opener


def test_every_choice_arrives(client_of, alice):
    fields = GOOD | {
        "limite": "other",
        "limite_other": "45",
        "seats": "2",
        "cartes": "12",
        "pace": "300",
        "client_seed": "un été à Sète",
    }
    client_of(alice).post("/new/", fields | {"competitive": "1", "visibility": "link"})
    table = Table.objects.get()
    assert table.options == {"mode": "classique", "limite": 45, "cartes": 12}
    assert (table.seats_wanted, table.pace, table.competitive, table.visibility) == (2, 300, True, "link")
    assert table.seats.get().client_seed == "un été à Sète"


def test_cards_each_count_with_two_players_only(client):
    client.post("/new/", GOOD | {"cartes": "15"})
    assert Table.objects.get().options["cartes"] == 10


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "piegeur", "seats": "2"},
        {"seats": "5"},
        {"seats": ""},
        {"limite": "31"},
        {"limite": "other"},
        {"limite": "other", "limite_other": "4"},
        {"limite": "other", "limite_other": "501"},
        {"limite": "other", "limite_other": "NaN"},
        {"mode": "fou"},
        {"pace": "121"},
        {"pace": ""},
        {"visibility": "secret"},
        {"seats": "2", "cartes": "9"},
        {"client_seed": "a\nb"},
        {"client_seed": "x" * 201},
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(client_of, alice, wrong):
    answer = client_of(alice).post("/new/", GOOD | wrong)
    assert answer.status_code == 422
    assert b'role="alert"' in answer.content
    assert not Table.objects.exists()


def test_piegeur_for_two_says_why_and_keeps_the_choices(client):
    answer = client.post("/new/", GOOD | {"mode": "piegeur", "seats": "2"}, headers={"accept-language": "en"})
    html = answer.content.decode()
    assert "Cinq piégeur needs three or four players." in html
    assert 'name="mode" value="piegeur" checked' in html
    assert 'name="seats" value="2" checked' in html


def test_piegeur_is_marked_as_unfit_for_two(client):
    assert 'name="mode" value="piegeur" data-unfit="2"' in client.get("/new/").content.decode()


def test_competitive_tables_are_for_registered_players(client, client_of, guest):
    for asker in (client, client_of(guest)):
        answer = asker.post("/new/", GOOD | {"competitive": "1"})
        assert answer.status_code == 403
        assert "/accounts/signup/?next=%2Fnew%2F" in answer.content.decode()
    assert not Table.objects.exists()
    assert get_user_model().objects.count() == 1


def test_competitive_without_a_time_limit_is_refused(client_of, alice):
    assert client_of(alice).post("/new/", GOOD | {"competitive": "1", "pace": "none"}).status_code == 422
    client_of(alice).post("/new/", GOOD | {"pace": "none"})
    assert Table.objects.get().pace is None


def test_fields_that_are_not_ours_to_set_are_ignored(client_of, alice, bob):
    client_of(alice).post("/new/", GOOD | {"opener": bob.pk, "status": "playing", "version": "9", "token": "x", "origin": "y"})
    table = Table.objects.get()
    assert (table.opener, table.status, table.version) == (alice, "open", 1)
    assert table.token != "x"


def test_the_form_can_be_filled_by_a_link(client):
    html = client.get("/new/?game=cinq&mode=piegeur&seats=4&limite=50&evil=1").content.decode()
    assert 'name="mode" value="piegeur" checked' in html
    assert 'name="seats" value="4" checked' in html
    assert client.get("/new/?game=poker").status_code == 404


def test_too_many_tables(client_of, alice, settings):
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"table": (2, 3600)}
    client = client_of(alice)
    statuses = [client.post("/new/", GOOD).status_code for _ in range(3)]
    assert statuses == [303, 303, 429]
    assert Table.objects.count() == 2


def test_too_many_guests(client_of, settings):
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"guest": (2, 3600)}
    answers = [client_of().post("/play-bots/", {"game": "cinq"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]
    assert int(answers[2]["Retry-After"]) > 0


def test_opening_wants_a_token(client_of):
    assert client_of(enforce_csrf_checks=True).post("/new/", GOOD).status_code == 403
    assert client_of().put("/new/").status_code == 405


def test_only_numbers_that_fit_are_offered_to_two(client):
    """Rules 5: classique for two goes to 15, 30 or 50 points."""
    html = client.get("/new/", headers={"accept-language": "en"}).content.decode()
    assert 'name="limite" value="100" data-unfit="2"' in html
    assert 'name="limite" value="50">' in html
    assert "2 players: from 5 to 50" in html
    assert "3 and 4 players: from 5 to 500" in html


@pytest.mark.parametrize("number", [{"limite": "100"}, {"limite": "other", "limite_other": "51"}])
def test_a_limit_too_high_for_two_is_refused_with_the_numbers_that_fit(client, number):
    answer = client.post("/new/", GOOD | {"seats": "2"} | number, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert "With 2 players, choose a number from 5 to 50." in answer.content.decode()
    client.post("/new/", GOOD | {"seats": "3"} | number)
    assert Table.objects.get().seats_wanted == 3


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"cible": "other", "cible_other": "57"}, "Choose a multiple of 5 from 5 to 1000."),
        ({"cible": "other", "cible_other": "1005"}, "Choose a multiple of 5 from 5 to 1000."),
        ({"cible": "other", "cible_other": "-5"}, "Choose a multiple of 5 from 5 to 1000."),
        ({"cible": "other", "cible_other": "many"}, "Choose a multiple of 5 from 5 to 1000."),
        ({"cible": "57"}, "Choose one of these: 55, 110, 220, another number."),
        ({"entame": "middle"}, "Choose one of these: left of the dealer, left of the declarer."),
    ],
)
def test_a_refused_option_names_what_is_permitted(client, fields, sentence):
    form = GOOD | {"game": "cinquante_cinq", "seats": "4", "equipes": "0", "cible": "55", "entame": "gauche_donneur"}
    form |= {"tous_passent": "redonne"} | fields
    answer = client.post("/new/", form, headers={"accept-language": "en"})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()


def test_a_number_goes_by_its_step(client):
    assert re.search(
        r'<input type="number"[^>]* name="cible_other"[^>]* step="5"', client.get("/new/?game=cinquante_cinq").content.decode()
    )


def checked(html):
    return set(re.findall(r'name="(\w+)" value="(\w+)" checked', html))


OFFICIAL = {("brelan", "libre"), ("fin_manche", "dernier_tour"), ("bareme", "officiel"), ("jokers", "toujours")}


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_preset_fills_the_options_and_keeps_the_rest(client, method):
    """Its button is a plain submit button: nothing is opened, the form is shown again with those options."""
    sent = {"game": "cinq_rois", "preset": "officielle", "brelan": "couleurs_differentes", "seats": "5", "competitive": "0"}
    answer = getattr(client, method)("/new/", sent | {"visibility": "link", "pace": "300", "client_seed": "sel"})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert checked(html) >= OFFICIAL | {("seats", "5"), ("visibility", "link")}
    assert 'value="sel"' in html and '<option value="300" selected>' in html
    assert re.search(r'name="preset" value="officielle" formnovalidate aria-pressed="true"', html)
    assert re.search(r'name="preset" value="maison" formnovalidate aria-pressed="false"', html)
    assert not Table.objects.exists()
    assert not get_user_model().objects.exists()
    opened = dict(checked(html)) | {"game": "cinq_rois", "pace": "300"}
    client.post("/new/", opened)
    assert str(Table.objects.get().title) == str(registry.get("cinq_rois").title(dict(OFFICIAL)))


def test_enter_opens_the_table_and_sets_no_preset(client):
    """The first submit button of a form is the one that Enter presses."""
    html = client.get("/new/?game=cinq_rois").content.decode()
    first = re.search(r'<form class="new.*?(<button[^>]*>)', html, re.DOTALL)
    assert "preset" not in first[1]
    assert "presets" not in client.get("/new/?game=cinq").content.decode()


@pytest.mark.parametrize("game", ["cinq_rois", "cinq"])
def test_a_preset_that_there_is_not(client, game):
    assert client.post("/new/", {"game": game, "preset": "__class__"}).status_code == 422
    assert client.get(f"/new/?game={game}&preset=").status_code == 422


def test_a_number_that_is_no_suggestion_fills_its_own_field(client):
    html = client.get("/new/?game=cinq&limite=45").content.decode()
    assert 'name="limite" value="other" checked' in html
    assert re.search(r'name="limite_other" value="45"', html)
