"""The leaderboard page and the public profile over HTTP."""

from __future__ import annotations

from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.utils import timezone, translation

from ranking import periods

from .conftest import NOON

pytestmark = pytest.mark.django_db


class Cells(HTMLParser):
    """The texts of the cells of a page's table, row by row, and every address it links to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.links: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")
            self.inside = True
        if tag == "a":
            self.links.append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in {"td", "th"}

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data.strip()


def read(client, path, status=200):
    response = client.get(path)
    assert response.status_code == status
    return Cells(response.content.decode())


def ranks_and_names(cells):
    return [(row[0], row[1]) for row in cells.rows[1:]]


def test_stranger_sees_the_ranks(client, alice, bob, carla, match):
    match([alice, bob, carla], [1, 1, 3])
    cells = read(client, "/leaderboard/")
    assert ranks_and_names(cells) == [("1", "Alice"), ("1", "Bob"), ("3", "Carla")]
    assert f"/u/{alice.pk}/" in cells.links


def test_pc_53_over_http(client_of, standings):
    users = standings([100, *[90] * 61, 80])
    client = client_of(users[62])
    first = read(client, "/leaderboard/?game=cinq")
    (lower,) = [link for link in first.links if "after=" in link]
    second = read(client, f"/leaderboard/{lower}")
    every = ranks_and_names(first) + ranks_and_names(second)
    assert [rank for rank, _ in every] == ["1", *["2"] * 61, "63"]
    assert len({name for _, name in every}) == 63
    (mine,) = [link for link in first.links if "me=1" in link]
    shown = read(client, f"/leaderboard/{mine}")
    assert ranks_and_names(shown)[-1] == ("63", users[62].username)
    (higher,) = [link for link in second.links if "before=" in link]
    assert ranks_and_names(read(client, f"/leaderboard/{higher}")) == ranks_and_names(first)


def test_my_own_line_is_marked_and_linked(client_of, alice, bob, match):
    match([alice, bob], [1, 2])
    html = client_of(bob).get("/leaderboard/").content.decode()
    assert html.count('id="me"') == 1
    assert "me=1#me" in html
    assert 'id="me"' not in client_of(None).get("/leaderboard/").content.decode()


def test_a_player_without_points_is_told_so(client_of, carla, alice, bob, match):
    match([alice, bob], [1, 2])
    html = client_of(carla).get("/leaderboard/?me=1").content.decode()
    assert 'id="me"' not in html
    assert "Alice" in html


def test_empty_leaderboard_says_so(client):
    html = client.get("/leaderboard/").content.decode()
    assert "<table" not in html
    assert "/lobby/?kind=competitive" in html


def test_months_lead_to_each_other(client, alice, bob, match):
    now = timezone.now()
    match([alice, bob], [1, 2], at=now)
    match([bob, alice], [1, 2], at=now - timedelta(days=40))
    this = periods.month_of(now)
    earlier = periods.shift(this, -1)
    month = read(client, "/leaderboard/?period=month")
    assert ranks_and_names(month) == [("1", "Alice"), ("2", "Bob")]
    assert any(f"period={earlier}" in link for link in month.links)
    assert not any(f"period={periods.shift(this, 1)}" in link for link in month.links)
    assert ranks_and_names(read(client, f"/leaderboard/?period={periods.month_of(now - timedelta(days=40))}"))[0] == ("1", "Bob")
    assert any(f"period={this}" in link for link in read(client, f"/leaderboard/?period={earlier}").links)


@pytest.mark.parametrize(
    "query",
    [
        "game=chess",
        "game=",
        "period=2026-13",
        "period=",
        "period=weeks",
        "period=W2026-60",
        "after=x",
        "before=1_2",
        "after=" + "9" * 40,
        "after=1_1_" + "9" * 30,
        "game=cinq&after=1_9999999999999999999_1",
        "game=%00",
        "after=%F0%9F%98%80",
    ],
)
def test_malformed_address_is_422_with_the_whole_leaderboard(client, alice, bob, match, query):
    match([alice, bob], [1, 2])
    response = client.get(f"/leaderboard/?{query}")
    assert response.status_code == 422
    assert "Alice" in response.content.decode()


@pytest.mark.parametrize("query", ["after=-999999999_0_1", "after=999999999_9999999999999999_999999999999999999", "before=0_0_0"])
def test_cursor_beyond_the_ends_is_a_page(client, alice, bob, match, query):
    match([alice, bob], [1, 2])
    assert client.get(f"/leaderboard/?{query}").status_code == 200


def test_only_safe_methods(client):
    assert client.post("/leaderboard/").status_code == 405


def test_leaderboard_costs_few_queries(client_of, standings, django_assert_max_num_queries):
    users = standings([10 * (n % 9 + 1) for n in range(120)])
    client = client_of(users[50])
    client.get("/leaderboard/")
    with django_assert_max_num_queries(12):
        client.get("/leaderboard/?me=1")


def test_names_are_escaped_and_isolated(client, people, match):
    from django.contrib.auth import get_user_model

    evil, other = people(2)
    # Past the form's checks, as an old import might have been.
    get_user_model().objects.filter(pk=evil.pk).update(username="<img src=x>\u202e")
    evil.refresh_from_db()
    match([evil, other], [1, 2])
    for path in ("/leaderboard/", f"/u/{evil.pk}/", f"/u/{other.pk}/"):
        html = client.get(path).content.decode()
        assert "<img" not in html
        assert "<bdi>&lt;img" in html


# --- profile ----------------------------------------------------------------------------------------------------------


def test_profile_shows_what_is_public_and_nothing_else(client, client_of, alice, bob, match):
    match([alice, bob], [1, 2])
    hidden = match([alice, bob], [1, 2], visibility="link", at=NOON + timedelta(days=1))
    html = client.get(f"/u/{alice.pk}/").content.decode()
    assert "Alice" in html and "Bob" in html
    assert "+20 XP" in html
    assert hidden.code not in html
    assert "@example.org" not in html
    assert hidden.code not in client_of(alice).get(f"/u/{alice.pk}/").content.decode()


def test_profile_of_a_player_without_matches(client, alice):
    assert client.get(f"/u/{alice.pk}/").status_code == 200


def test_guests_inactive_and_unknown_people_have_no_profile(client, guest, alice):
    alice.is_active = False
    alice.save()
    for pk in (guest.pk, alice.pk, 10**6, 0, 10**30):
        assert client.get(f"/u/{pk}/").status_code == 404


def test_inactive_player_keeps_his_line_without_a_link(client, alice, bob, match):
    match([alice, bob], [1, 2])
    alice.is_active = False
    alice.save()
    cells = read(client, "/leaderboard/")
    assert ranks_and_names(cells)[0] == ("1", "Alice")
    assert f"/u/{alice.pk}/" not in cells.links


def test_profile_pages_are_limited_by_address(client, alice, settings, monkeypatch):
    # Counted in the database: on a loaded machine Redis may be given up in the middle, and the count begins anew.
    monkeypatch.setattr("accounts.limits._sick_until", float("inf"))
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "profile": (3, 60)}
    answers = [client.get(f"/u/{alice.pk}/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[3]["Retry-After"]) > 0


def test_tag_tells_what_a_match_paid(alice, bob, match):
    from django.template import Context, Template

    tag = Template("{% load ranking_tags %}{% match_awards table %}")
    with translation.override("en"):
        paid = tag.render(Context({"table": match([alice, bob], [1, 2])}))
    assert "<bdi>Alice</bdi>: <b>+20 XP</b>" in paid
    assert "<bdi>Bob</bdi>: <b>+10 XP</b>" in paid
    friendly = tag.render(Context({"table": match([alice, bob], [1, 2], competitive=False)}))
    assert "<li" not in friendly and "<p" in friendly
