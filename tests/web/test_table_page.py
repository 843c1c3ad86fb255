"""The table page over HTTP: who sees what, the plain form, the live part, bad input, equal bytes, number of queries."""

from __future__ import annotations

import re
import time
from html import unescape
from uuid import uuid4

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from games import observe
from games.models import Seat, Table
from games.services import clocks, moves, tables
from tests.playing import legal, open_for, play_out, seat_to_act

pytestmark = pytest.mark.django_db(transaction=True)

LIVE = {"HTTP_X_REQUESTED_WITH": "live"}


@pytest.fixture
def running(alice, bob, carla):
    """A piégeur table of three people, and a function that makes the client of whoever is to act."""
    return open_for(alice, bob, carla, options={"mode": "piegeur", "limite": 15})


def form(table, text, **changed):
    """What the page's form sends for a move."""
    plies = Table.objects.values_list("plies", flat=True).get(pk=table.pk)
    return {"move": text, "seen": plies, "request": str(uuid4()), **changed}


def mover(table, client_of):
    seat = seat_to_act(table)
    return seat, client_of(seat.user)


def questions(seen):
    """The queries that ask or change something."""
    return [query["sql"][:150] for query in seen if not query["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]


def text_of(response):
    return response.content.decode()


def test_page_has_the_form_outside_the_live_part(running, client_of):
    seat, client = mover(running, client_of)
    html = text_of(client.get(f"/t/{running.code}/"))
    before, live = html.split('<div id="live"', 1)
    assert 'name="csrfmiddlewaretoken"' in before
    assert 'name="request"' in before
    fragment = live.split("</dialog>")[0]
    assert 'name="seen"' in fragment
    assert "csrfmiddlewaretoken" not in fragment.split('id="news"')[0]
    for card in legal(running, seat):
        assert f'value="{card}"' in fragment


def test_plain_form_answers_303_to_the_table(running, client_of):
    seat, client = mover(running, client_of)
    answer = client.post(f"/t/{running.code}/move/", form(running, legal(running, seat)[0]))
    assert (answer.status_code, answer["Location"]) == (303, f"/t/{running.code}/")
    assert Table.objects.get(pk=running.pk).plies >= 1


def test_live_form_answers_the_fragment(running, client_of):
    seat, client = mover(running, client_of)
    answer = client.post(f"/t/{running.code}/move/", form(running, legal(running, seat)[0]), **LIVE)
    assert answer.status_code == 200
    assert answer["X-Version"] == str(Table.objects.get(pk=running.pk).version)
    assert "T" in answer["X-Server-Now"]
    assert "<html" not in text_of(answer)


def test_same_click_twice_is_one_move(running, client_of):
    seat, client = mover(running, client_of)
    sent = form(running, legal(running, seat)[0])
    for _ in range(2):
        assert client.post(f"/t/{running.code}/move/", sent, **LIVE).status_code == 200
    rows = Table.objects.get(pk=running.pk).plies
    client.post(f"/t/{running.code}/move/", sent, **LIVE)
    assert Table.objects.get(pk=running.pk).plies == rows


@pytest.mark.parametrize("live", [{}, LIVE])
@pytest.mark.parametrize(
    "changed",
    [
        {"move": ""},
        {"move": "8Z"},
        {"move": "7O" * 200},
        {"seen": "x"},
        {"seen": "-1"},
        {"seen": "9" * 40},
        {"seen": "²"},
        {"request": "1"},
    ],
)
def test_malformed_is_422_and_changes_nothing(running, client_of, changed, live):
    seat, client = mover(running, client_of)
    sent = {**form(running, legal(running, seat)[0]), **changed}
    answer = client.post(f"/t/{running.code}/move/", sent, **live)
    assert answer.status_code == 422
    assert 'id="error"' in text_of(answer)
    assert Table.objects.get(pk=running.pk).plies == 0


def test_illegal_is_409_with_the_rules_own_sentence_and_the_pick_is_gone(running, client_of):
    seat, client = mover(running, client_of)
    glimpse = observe.glimpse(running.code)
    hand = glimpse.observation(seat.number)["hand"]
    other = next(card for card in hand if card not in legal(running, seat))
    answer = client.post(f"/t/{running.code}/move/", form(running, other), **LIVE, HTTP_ACCEPT_LANGUAGE="en")
    assert answer.status_code == 409
    assert "This hand opens with the 5 of coins." in text_of(answer)


def test_stale_is_409_and_a_pick_that_is_still_legal_stays(running, client_of):
    seat, client = mover(running, client_of)
    card = legal(running, seat)[0]
    Seat.objects.filter(pk=seat.pk).update(stale_before=5)
    answer = client.post(f"/t/{running.code}/move/", form(running, card, seen=0), **LIVE)
    assert answer.status_code == 409
    assert re.search(rf'value="{card}"[^>]* checked', text_of(answer))


def test_not_my_turn_is_409(running, client_of, alice, bob, carla):
    seat = seat_to_act(running)
    other = next(person for person in (alice, bob, carla) if person.pk != seat.user_id)
    answer = client_of(other).post(f"/t/{running.code}/move/", form(running, "5O"), **LIVE)
    assert answer.status_code == 409


def test_strangers_may_watch_but_not_play(running, client_of, user_named):
    for reader in (client_of(), client_of(user_named("Diego"))):
        page = text_of(reader.get(f"/t/{running.code}/"))
        assert 'name="move"' not in page
        assert 'class="hand"' not in page
        assert reader.post(f"/t/{running.code}/move/", form(running, "5O"), **LIVE).status_code == 403
        assert reader.post(f"/t/{running.code}/move/", form(running, "5O")).status_code == 403


def test_a_link_table_does_not_exist_for_outsiders(alice, bob, carla, client_of):
    table = open_for(alice, bob, visibility="link")
    for reader in (client_of(), client_of(carla)):
        for path in ("", "live/", "observation.json", "record.txt"):
            assert reader.get(f"/t/{table.code}/{path}").status_code == 404
        assert reader.post(f"/t/{table.code}/move/", form(table, "5O"), **LIVE).status_code == 404
    invited = client_of(carla)
    welcome = invited.get(f"/t/{table.code}/?i={table.token}")
    assert (welcome.status_code, welcome["Location"]) == (303, f"/t/{table.code}/")
    page = invited.get(f"/t/{table.code}/")
    assert page.status_code == 200
    assert "noindex" in text_of(page)


def test_live_part_204_when_nothing_is_new(running, client_of):
    _seat, client = mover(running, client_of)
    assert client.get(f"/t/{running.code}/live/?v={running.version}").status_code == 204
    for known in ("", "0", "x", "99999999999999999999"):
        answer = client.get(f"/t/{running.code}/live/?v={known}")
        assert answer.status_code == 200
        assert "no-store" in answer["Cache-Control"]


def test_equal_versions_are_equal_bytes(running, client_of, alice):
    first, second = client_of(alice), client_of(alice)
    one = first.get(f"/t/{running.code}/live/").content
    assert second.get(f"/t/{running.code}/live/").content == one
    page = first.get(f"/t/{running.code}/").content
    assert one.strip() in page


def test_seen_is_noted_by_the_page_and_by_seen_1_only(running, client_of):
    seat, client = mover(running, client_of)
    client.get(f"/t/{running.code}/live/")
    assert Seat.objects.get(pk=seat.pk).seen_at is None
    client.get(f"/t/{running.code}/live/?v={running.version}&seen=1")
    assert Seat.objects.get(pk=seat.pk).seen_at is not None


def test_observation_is_the_readers_own(running, client_of, alice, bob):
    for person in (alice, bob):
        seat = Seat.objects.get(table=running, user=person)
        answer = client_of(person).get(f"/t/{running.code}/observation.json").json()
        assert answer["seat"] == seat.number
        assert answer["observation"] == observe.glimpse(running.code).observation(seat.number)
    assert client_of().get(f"/t/{running.code}/observation.json").json()["observation"]["hand"] == []


def test_record_is_a_text_to_download(running, client_of):
    answer = client_of().get(f"/t/{running.code}/record.txt")
    assert answer["Content-Disposition"] == f'attachment; filename="{running.code}.txt"'
    assert running.commitment in text_of(answer)


def test_a_finished_match_shows_result_sheet_and_seed(alice, bob, client_of):
    table = play_out(open_for(alice, bob))
    html = text_of(client_of(alice).get(f"/t/{table.code}/"))
    assert 'class="result"' in html
    assert 'id="sheet"' in html
    assert table.server_seed in html
    assert 'name="move"' not in html


def test_automatic_mode_offers_to_take_back(running, client_of, alice):
    seat = Seat.objects.get(table=running, user=alice)
    Seat.objects.filter(pk=seat.pk).update(automatic_since=running.started_at)
    assert f'formaction="/t/{running.code}/take-back/"' in text_of(client_of(alice).get(f"/t/{running.code}/"))


def test_turn_count(running, client_of):
    seat, client = mover(running, client_of)
    assert client.get("/tables/count.json").json() == {"count": 1, "elsewhere": 1}
    assert client.get(f"/tables/count.json?here={running.code}").json() == {"count": 1, "elsewhere": 0}
    assert client_of().get("/tables/count.json").json() == {"count": 0, "elsewhere": 0}
    moves.play(running.code, user=seat.user, text=legal(running, seat)[0], seen=0, request=uuid4())
    assert client.get("/tables/count.json").json()["count"] == 0


@pytest.fixture
def _sweeps_looked_at(monkeypatch):
    """Each process asks every 15 s whether sweeps still come: these requests are not the ones that do."""
    monkeypatch.setattr(clocks, "_asked_at", time.monotonic())
    monkeypatch.setattr(clocks, "_missing", False)


@pytest.mark.usefixtures("_sweeps_looked_at")
@pytest.mark.parametrize(("path", "most"), [("", 10), ("live/", 5), ("live/?v={version}", 4)])
def test_queries_of_reading(running, client_of, path, most):
    _seat, client = mover(running, client_of)
    client.get("/tables/count.json")
    with CaptureQueriesContext(connection) as seen:
        client.get(f"/t/{running.code}/{path.format(version=running.version)}")
    assert len(questions(seen)) <= most, "\n".join(questions(seen))


def test_queries_of_a_move(running, client_of):
    seat, client = mover(running, client_of)
    sent = form(running, legal(running, seat)[0])
    client.get("/tables/count.json")
    with CaptureQueriesContext(connection) as seen:
        client.post(f"/t/{running.code}/move/", sent)
    assert len(questions(seen)) <= 15, "\n".join(questions(seen))


@pytest.mark.parametrize(
    ("method", "path"), [("post", ""), ("post", "live/"), ("get", "move/"), ("post", "record.txt"), ("post", "observation.json")]
)
def test_wrong_method_is_405(running, client_of, method, path):
    assert getattr(client_of(), method)(f"/t/{running.code}/{path}").status_code == 405


# --- Moves with several parts, the whole log ------------------------------------------------------------------------


@pytest.fixture
def two_parts(monkeypatch):
    """Cinq as if its form had a rank and a suit, put together by `display.read_move`."""
    from games.cinq import display
    from games.engine.rules import Malformed

    def read_move(fields):
        rank, suit = fields.get("rank", [""])[0], fields.get("suit", [""])[0]
        if not suit:
            raise Malformed("must_play", {})
        return rank + suit

    monkeypatch.setattr(display, "read_move", read_move, raising=False)


@pytest.mark.usefixtures("two_parts")
def test_a_move_is_put_together_from_its_parts(running, client_of):
    seat, client = mover(running, client_of)
    card = legal(running, seat)[0]
    parts = {**form(running, ""), "rank": card[:-1], "suit": card[-1]}
    assert client.post(f"/t/{running.code}/move/", parts).status_code == 303
    assert Table.objects.get(pk=running.pk).plies >= 1


@pytest.mark.usefixtures("two_parts")
def test_missing_parts_are_refused_in_the_games_own_words(running, client_of):
    _seat, client = mover(running, client_of)
    answer = client.post(f"/t/{running.code}/move/", {**form(running, ""), "rank": "5"}, HTTP_ACCEPT_LANGUAGE="en", **LIVE)
    assert answer.status_code == 422
    assert "You hold a card that fits, so you have to play one." in text_of(answer)
    assert client.post("/t/0000000000/move/", {**form(running, ""), "rank": "5"}).status_code == 404


def test_the_whole_log_has_a_page_of_its_own(alice, client_of, client):
    table = open_for(alice, bots=2, options={"mode": "classique", "limite": 50})
    play_out(table)
    page = text_of(client_of(alice).get(f"/t/{table.code}/", HTTP_ACCEPT_LANGUAGE="en"))
    assert f'href="/t/{table.code}/log/"' in page
    assert "Hand 1 is dealt" not in page
    log = text_of(client.get(f"/t/{table.code}/log/", HTTP_ACCEPT_LANGUAGE="en"))
    assert "Hand 1 is dealt" in log
    assert log.count("<li") > 60


def test_the_log_of_a_hidden_or_waiting_table_is_not_there(client, client_of, alice, bob):
    hidden = open_for(alice, bob, visibility="link")
    assert client.get(f"/t/{hidden.code}/log/").status_code == 404
    assert client_of(bob).get(f"/t/{hidden.code}/log/").status_code == 200
    waiting = tables.open_table(user=alice, game="cinq", options={}, seats=3, pace=86400)
    assert client_of(alice).get(f"/t/{waiting.code}/log/").status_code == 404


@pytest.mark.parametrize(("places", "trophy"), [((2, 2), False), ((1, 2), True)], ids=["draw", "won"])
def test_only_a_match_that_somebody_wins_shows_a_trophy(places, trophy, alice, bob):
    table = open_for(alice, bob, options={"mode": "classique", "limite": 5})
    play_out(table)
    table.refresh_from_db()
    seats = list(Seat.objects.filter(table=table).order_by("number"))
    for seat, place in zip(seats, places, strict=True):
        seat.place = place
    names = ["Alice", "Bob"]
    context = {"table": table, "seats": seats, "names": names, "winners": names[:1] if trophy else [], "tie": False, "me": None}
    html = render_to_string("games/result.html", {**context, "board": {"players": [{"score": None}]}})
    assert ("i-trophee" in html) is trophy
    assert ('class="won"' in html) is trophy


def test_the_result_leads_to_the_same_table_again(alice, bob, client_of):
    """The new-table form is filled with everything the finished table had."""
    table = open_for(alice, bob, options={"mode": "classique", "limite": 6, "cartes": 13}, pace=3600, visibility="link")
    play_out(table)
    html = text_of(client_of(alice).get(f"/t/{table.code}/"))
    again = unescape(re.search(r'href="(/new/[^"]+)"', html)[1])
    form = text_of(client_of(alice).get(again))
    filled = set(re.findall(r'name="(\w+)" value="(\w+)" checked', form))
    assert filled >= {("mode", "classique"), ("limite", "other"), ("cartes", "13"), ("seats", "2"), ("visibility", "link")}
    assert 'name="limite_other" value="6"' in form
    assert '<option value="3600" selected>' in form


def test_the_keyboard_help_tells_a_game_s_own_keys(alice, bob, client_of):
    for game, known in (("cinq_en_ligne", True), ("cinq", False)):
        table = open_for(alice, bob, game=game, options={})
        html = text_of(client_of(alice).get(f"/t/{table.code}/"))
        assert ("<kbd>↑</kbd> <kbd>↓</kbd>" in html) is known
