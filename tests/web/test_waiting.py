"""The waiting room: who may see it, sit, leave, remove, invite, and what each refusal says with which status."""

from __future__ import annotations

import json

import pytest
from django.contrib.auth import get_user_model
from django.core import signing

from games import invitations
from games.models import Seat, Status, Table
from games.services import tables

pytestmark = pytest.mark.django_db

EN = {"accept-language": "en"}


def open_table(user, **fields):
    plan = {"options": {}, "seats": 3, "pace": 86400, "visibility": "public", "competitive": False}
    return tables.open_table(user=user, game="cinq", **(plan | fields))


def post(client, table, action, **fields):
    return client.post(f"/t/{table.code}/{action}/", fields, headers=EN)


def page(client, table, query=""):
    return client.get(f"/t/{table.code}/{query}", headers=EN)


def seated(table):
    return list(Seat.objects.filter(table=table).order_by("joined").values_list("user__username", flat=True))


# --- What one reads before sitting ----------------------------------------------------------------------------------


def test_everything_fixed_is_told_before_sitting(client, alice):
    table = open_table(alice, options={"mode": "piegeur", "limite": 50}, pace=604800, competitive=True)
    html = page(client, table).content.decode()
    assert "Cinq piégeur for 3 players, up to 50 points. You have 7 days for each turn." in html
    assert "Competitive: registered players only, no bots" in html
    assert "#i-duel" in html
    assert table.commitment in html


def test_the_opener_has_his_buttons_and_others_have_not(client, client_of, alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    opener, other, stranger = (page(c, table).content.decode() for c in (client_of(alice), client_of(bob), client))
    for action, who in {"bots": [opener], "remove": [opener], "leave": [opener, other], "sit": [stranger]}.items():
        shown = [html for html in (opener, other, stranger) if f"/{action}/" in html]
        assert shown == who, action


def test_my_own_seed_is_shown_to_me_only(client, client_of, alice):
    table = open_table(alice, client_seed="le vent se lève")
    assert "le vent se lève" in page(client_of(alice), table).content.decode()
    assert "le vent se lève" not in page(client, table).content.decode()


def test_no_secret_is_in_the_page(client_of, alice):
    table = open_table(alice, visibility="link", origin="0a1b2c3d4e5f")
    html = page(client_of(alice), table).content.decode()
    assert html.count(table.token) == 1  # in the invitation, nowhere else
    assert "0a1b2c3d4e5f" not in html


# --- Sitting --------------------------------------------------------------------------------------------------------


def test_a_stranger_sits_as_a_guest(client, alice):
    table = open_table(alice)
    answer = post(client, table, "sit", client_seed="abc")
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.code}/")
    seat = table.seats.get(joined=1)
    assert seat.user.is_guest
    assert seat.client_seed == "abc"


def test_sitting_twice_is_sitting_once(client_of, alice, bob):
    table, client = open_table(alice), client_of(bob)
    assert [post(client, table, "sit").status_code for _ in range(2)] == [303, 303]
    assert seated(table) == ["Alice", "Bob"]


def test_the_last_to_sit_starts_the_match(client_of, alice, bob):
    table = open_table(alice, seats=2)
    post(client_of(bob), table, "sit")
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING


def test_a_full_table_refuses_with_a_sentence(client_of, alice, bob, carla):
    table = open_table(alice, seats=2)
    tables.sit(table.code, user=bob)
    answer = post(client_of(carla), table, "sit")
    assert answer.status_code == 409
    assert "no longer waiting" in answer.content.decode()


def test_a_bad_seed_is_refused(client_of, alice, bob):
    table = open_table(alice)
    assert post(client_of(bob), table, "sit", client_seed="x" * 201).status_code == 422
    assert seated(table) == ["Alice"]


def test_competitive_tables_send_strangers_to_sign_up_and_back(client, client_of, guest, alice, bob):
    table = open_table(alice, competitive=True)
    for asker in (client, client_of(guest)):
        answer = post(asker, table, "sit")
        assert answer.status_code == 403
        assert f"/accounts/signup/?next=%2Ft%2F{table.code}%2F" in answer.content.decode()
        assert f"/accounts/signup/?next=/t/{table.code}/" in page(asker, table).content.decode()
    assert get_user_model().objects.count() == 3
    assert post(client_of(bob), table, "sit").status_code == 303


# --- Leaving, removing, bots ----------------------------------------------------------------------------------------


def test_leaving_hands_the_table_over_and_the_last_one_closes_it(client_of, alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    answer = post(client_of(alice), table, "leave")
    assert (answer.status_code, answer["Location"]) == (303, "/lobby/")
    assert Table.objects.get(pk=table.pk).opener == bob
    post(client_of(bob), table, "leave")
    assert Table.objects.get(pk=table.pk).status == Status.CANCELLED
    html = page(client_of(bob), table).content.decode()
    assert "never started" in html
    assert "/sit/" not in html


def test_a_running_match_cannot_be_left(client_of, alice, bob):
    table = open_table(alice, seats=2)
    tables.sit(table.code, user=bob)
    assert post(client_of(bob), table, "leave").status_code == 409


def test_the_opener_removes_a_player_who_cannot_come_back(client_of, alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    seat = table.seats.get(user=bob)
    assert post(client_of(bob), table, "remove", seat=table.seats.get(user=alice).pk).status_code == 403
    assert post(client_of(alice), table, "remove", seat=seat.pk).status_code == 303
    assert seated(table) == ["Alice"]
    assert post(client_of(bob), table, "sit").status_code == 403


@pytest.mark.parametrize("seat", ["", "abc", "-1", "1e9", "²", "9" * 40])
def test_removing_nonsense_is_422(client_of, alice, seat):
    assert post(client_of(alice), open_table(alice), "remove", seat=seat).status_code == 422


def test_bots_fill_the_table_for_its_opener(client_of, alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    assert post(client_of(bob), table, "bots").status_code == 403
    assert post(client_of(alice), table, "bots").status_code == 303
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING


def test_no_bots_at_competitive_tables(client_of, alice):
    table = open_table(alice, competitive=True)
    assert "/bots/" not in page(client_of(alice), table).content.decode()
    assert post(client_of(alice), table, "bots").status_code == 403


def test_ending_alone_and_taking_back(client_of, alice, bob):
    table = open_table(alice)
    tables.fill_with_bots(table.code, by=alice)
    assert post(client_of(bob), table, "take-back").status_code == 403
    assert post(client_of(alice), table, "take-back").status_code == 303
    assert post(client_of(bob), table, "end").status_code == 403
    assert post(client_of(alice), table, "end").status_code == 303
    assert Table.objects.get(pk=table.pk).status == Status.CANCELLED


@pytest.mark.parametrize("action", ["sit", "leave", "remove", "bots", "revoke", "take-back", "end"])
def test_every_action_wants_a_post_a_token_and_a_table(client, client_of, alice, action):
    table = open_table(alice)
    assert client.get(f"/t/{table.code}/{action}/").status_code == 405
    assert client_of(alice, enforce_csrf_checks=True).post(f"/t/{table.code}/{action}/").status_code == 403
    assert client_of(alice).post(f"/t/0000000000/{action}/").status_code == 404
    if action != "sit":
        assert client.post(f"/t/{table.code}/{action}/").status_code == 403
    assert seated(table) == ["Alice"]


def test_a_refusal_is_a_live_part_for_the_script(client_of, alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    answer = client_of(bob).post(f"/t/{table.code}/bots/", headers=EN | {"x-requested-with": "live"})
    assert answer.status_code == 403
    assert answer["X-Version"] == str(Table.objects.get(pk=table.pk).version)
    assert "no-store" in answer["Cache-Control"]
    assert "Only the player who opened the table may do this." in answer.content.decode()


# --- Tables by link -------------------------------------------------------------------------------------------------


def test_a_hidden_table_does_not_exist_for_others(client, client_of, alice, bob, guest):
    table = open_table(alice, visibility="link")
    for asker in (client, client_of(bob), client_of(guest)):
        assert page(asker, table).status_code == 404
        assert page(asker, table, "?i=").status_code == 404
        assert page(asker, table, "?i=wrong").status_code == 404
        for action in ("sit", "leave", "remove", "bots", "revoke", "take-back", "end"):
            assert post(asker, table, action, seat="1").status_code == 404, action
        assert not asker.cookies.get(invitations.COOKIE)
    assert page(client_of(alice), table).status_code == 200


def test_a_link_opens_the_table_and_stays_valid(client, alice):
    table = open_table(alice, visibility="link")
    answer = page(client, table, f"?i={table.token}")
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{table.code}/")
    cookie = answer.cookies[invitations.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert "no-store" in answer["Cache-Control"]
    assert page(client, table).status_code == 200
    assert post(client, table, "sit").status_code == 303


def test_the_invitation_survives_signing_in(client, alice, bob):
    table = open_table(alice, visibility="link", competitive=True)
    page(client, table, f"?i={table.token}")
    client.force_login(bob, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert post(client, table, "sit").status_code == 303
    assert seated(table) == ["Alice", "Bob"]


def test_a_link_is_for_one_table_and_cannot_be_forged(client, alice):
    table, other = open_table(alice, visibility="link"), open_table(alice, visibility="link")
    page(client, table, f"?i={table.token}")
    assert page(client, other).status_code == 404
    for forged in (other.token, json.dumps([[other.code, other.token]]), signing.dumps([[other.code, other.token]]), "x:y:z"):
        client.cookies[invitations.COOKIE] = forged
        assert page(client, other).status_code == 404
    for odd in ("abc", 7, [1, 2], [["a", "b", "c"]], {"a": "b"}, None):
        client.cookies[invitations.COOKIE] = signing.dumps(odd, salt=invitations.SALT)
        assert page(client, other).status_code == 404


def test_one_cookie_keeps_the_newest_links(client, client_of, alice):
    opened = [open_table(alice, visibility="link") for _ in range(invitations.MOST + 2)]
    for table in opened:
        page(client, table, f"?i={table.token}")
    names = [name for name in client.cookies if name not in {"sessionid", "csrftoken", "django_language"}]
    assert names == [invitations.COOKIE]
    assert len(client.cookies[invitations.COOKIE].value) < 3000
    assert [page(client, table).status_code for table in opened] == [404] * 2 + [200] * invitations.MOST


def test_whoever_sits_needs_no_link(client_of, alice):
    table, client = open_table(alice, visibility="link"), client_of(alice)
    assert page(client, table, f"?i={table.token}").status_code == 303
    assert invitations.COOKIE not in client.cookies


def test_a_revoked_link_is_dead_at_once(client, client_of, alice, bob):
    table = open_table(alice, visibility="link")
    page(client, table, f"?i={table.token}")
    assert page(client, table).status_code == 200
    opener = client_of(alice)
    assert post(opener, table, "revoke").status_code == 303
    assert page(client, table).status_code == 404
    assert page(client, table, f"?i={table.token}").status_code == 404
    new = Table.objects.get(pk=table.pk).token
    assert new != table.token
    assert new in page(opener, table).content.decode()
    assert page(client, table, f"?i={new}").status_code == 303


def test_only_the_opener_revokes(client_of, alice, bob):
    table = open_table(alice, visibility="link")
    tables.sit(table.code, user=bob, token=table.token)
    assert post(client_of(bob), table, "revoke").status_code == 403
    assert Table.objects.get(pk=table.pk).token == table.token


def test_the_link_is_shown_to_those_who_sit_only(client, client_of, alice):
    table = open_table(alice, visibility="link")
    assert f"/t/{table.code}/?i={table.token}" in page(client_of(alice), table).content.decode()
    page(client, table, f"?i={table.token}")
    assert table.token not in page(client, table).content.decode()


def test_a_public_table_is_shared_by_its_address(client_of, alice):
    table = open_table(alice)
    html = page(client_of(alice), table).content.decode()
    assert f'value="http://testserver/t/{table.code}/"' in html
    assert table.token not in html


# --- Sides ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def pairs(monkeypatch):
    """Cinq as if four players were two pairs."""
    from games.cinq.rules import Cinq

    monkeypatch.setattr(Cinq, "sides", lambda self, options, seats: 2 if seats == 4 else seats)


@pytest.mark.usefixtures("pairs")
def test_one_sits_on_a_side(client_of, alice, bob, carla):
    table = open_table(alice, seats=4)
    html = page(client_of(bob), table).content.decode()
    assert html.count("Sit on side A") == html.count("Sit on side B") == 1
    assert ">Sit down<" not in html
    assert post(client_of(bob), table, "sit", side="0").status_code == 303
    assert dict(Seat.objects.filter(table=table).values_list("user__username", "side")) == {"Alice": 0, "Bob": 0}
    html = page(client_of(carla), table).content.decode()
    assert "Sit on side A" not in html
    assert "Sit on side B" in html


@pytest.mark.usefixtures("pairs")
@pytest.mark.parametrize(("side", "status"), [("0", 409), ("2", 422), ("99", 422), ("x", 422), ("-1", 422), ("\u0661", 422)])
def test_a_full_side_or_none_at_all_is_refused(client_of, alice, bob, carla, side, status):
    table = open_table(alice, seats=4)
    tables.sit(table.code, user=bob, side=0)
    assert post(client_of(carla), table, "sit", side=side).status_code == status
    assert seated(table) == ["Alice", "Bob"]


@pytest.mark.usefixtures("pairs")
def test_the_lobby_leads_to_the_choice_of_a_side(client, alice):
    table = open_table(alice, seats=4)
    html = client.get("/lobby/", headers=EN).content.decode()
    assert "Choose a side" in html
    assert f"/t/{table.code}/sit/" not in html


def test_a_game_without_sides_has_one_button(client, alice):
    html = page(client, open_table(alice, seats=4)).content.decode()
    assert "Sit down" in html
    assert "Sit on side" not in html
