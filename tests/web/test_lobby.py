"""The lobby, my tables, and the addresses of tables: what is shown, filtered, redirected."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from games.models import Table
from games.services import moves, tables

pytestmark = pytest.mark.django_db


def open_table(user, **fields):
    plan = {"options": {}, "seats": 3, "pace": 86400, "visibility": "public", "competitive": False}
    return tables.open_table(user=user, game="cinq", **(plan | fields))


def shown(client, query=""):
    html = client.get(f"/lobby/{query}").content.decode()
    return {code for code in Table.objects.values_list("code", flat=True) if f"/t/{code}/" in html}


def test_filters_choose_tables(client, alice, bob):
    quick = open_table(alice, pace=300, seats=2)
    slow = open_table(alice, pace=604800)
    free = open_table(bob, pace=None, seats=4)
    serious = open_table(bob, competitive=True)
    assert shown(client) == {quick.code, slow.code, free.code, serious.code}
    assert shown(client, "?pace=300") == {quick.code}
    assert shown(client, "?pace=0") == {free.code}
    assert shown(client, "?seats=4") == {free.code}
    assert shown(client, "?kind=competitive") == {serious.code}
    assert shown(client, "?kind=friendly&seats=3") == {slow.code}


@pytest.mark.parametrize(
    "query", ["?pace=abc", "?seats=-1", "?kind=%00", "?game=poker", "?pace=300&pace=1e400", "?_connector=OR"]
)
def test_senseless_filters_count_as_none(client, alice, query):
    table = open_table(alice)
    assert shown(client, query) == {table.code}


def test_a_row_says_what_it_is_in_words(client, alice):
    open_table(alice, competitive=True, options={"mode": "piegeur", "limite": 50})
    html = client.get("/lobby/", headers={"accept-language": "en"}).content.decode()
    assert "Cinq piégeur for 3 players, up to 50 points." in html
    assert "competitive" in html
    assert "#i-duel" in html
    assert "2 free places" in html
    assert "Alice" in html


def test_names_are_escaped(client, alice):
    get_user_model().objects.filter(pk=alice.pk).update(username="<script>x")
    open_table(alice)
    assert b"<script>x" not in client.get("/lobby/").content


def test_removed_players_do_not_see_the_table(client_of, alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    tables.remove(table.code, by=alice, seat_id=table.seats.get(user=bob).pk)
    assert shown(client_of(bob)) == set()


def test_queries_of_the_lobby_do_not_grow(client_of, alice, bob, django_assert_max_num_queries):
    client = client_of(bob)
    for _ in range(8):
        open_table(alice)
        tables.fill_with_bots(open_table(alice).code, by=alice)
    client.get("/lobby/")  # the first visit in five minutes notes the time
    with django_assert_max_num_queries(8):
        client.get("/lobby/")


def test_my_tables_are_sorted_by_what_they_want_of_me(client_of, alice, bob):
    running = open_table(alice, pace=604800)
    urgent = open_table(alice, pace=3600)
    for table in (running, urgent):
        tables.fill_with_bots(table.code, by=alice)
        moves.play_waiting(table.code)
    waiting = open_table(alice)
    over = open_table(alice)
    tables.leave(open_table(bob).code, user=bob)
    tables.fill_with_bots(over.code, by=alice)
    tables.end_alone(over.code, user=alice)
    html = client_of(alice).get("/tables/").content.decode()
    places = [html.index(f"/t/{table.code}/") for table in (urgent, running, waiting, over)]
    assert places == sorted(places)


def test_strangers_have_no_tables(client):
    assert client.get("/tables/").status_code == 200
    answer = client.get("/tables/next/")
    assert (answer.status_code, answer["Location"]) == (303, "/tables/")


def test_next_table_goes_round(client_of, alice):
    codes = []
    for pace in (3600, 86400, 604800):
        table = open_table(alice, pace=pace)
        tables.fill_with_bots(table.code, by=alice)
        moves.play_waiting(table.code)
        codes.append(table.code)
    client = client_of(alice)
    assert client.get("/tables/next/")["Location"] == f"/t/{codes[0]}/"
    assert client.get(f"/tables/next/?after={codes[0]}")["Location"] == f"/t/{codes[1]}/"
    assert client.get(f"/tables/next/?after={codes[2]}")["Location"] == f"/t/{codes[0]}/"
    assert client.get("/tables/next/?after=%00//evil.example")["Location"] == f"/t/{codes[0]}/"


def test_small_letters_in_a_code_are_redirected(client, alice):
    table = open_table(alice)
    code = table.code.lower()
    if code == table.code:
        pytest.skip("a code of digits only")
    answer = client.get(f"/t/{code}/?a=1")
    assert (answer.status_code, answer["Location"]) == (301, f"/t/{table.code}/?a=1")
    assert client.get(f"/t/{code}/record.txt").status_code == 301


@pytest.mark.parametrize(
    "path", ["/t/ABC/", "/t/ILOU000000/", "/t/0000000000/", "/t/0000000000/no/such/", "/t/0000000000//evil.example/"]
)
def test_unknown_addresses_are_404(client, path):
    assert client.get(path).status_code == 404
