"""Quick match: the table that fits best, or one of one's own; two who come at once meet."""

from __future__ import annotations

import pytest

from accounts import ties
from games import esteem
from games.esteem import Cote
from games.models import Seat, Status, Table
from games.services import quick, tables

pytestmark = pytest.mark.django_db


def opened(user, game="cinq", seats=3, pace=86400, competitive=True, **more):
    return tables.open_table(user=user, game=game, options={}, seats=seats, pace=pace, competitive=competitive, **more)


@pytest.fixture
def known(monkeypatch):
    """`known(cotes={(pk, game): points}, punctual={pk: share})`: what ranking tells of people."""

    def tell(cotes=None, punctual=None):
        source = esteem.Source(
            lambda pairs: {key: Cote(points, 50) for key, points in (cotes or {}).items() if key in set(pairs)},
            lambda users: {user: share for user, share in (punctual or {}).items() if user in set(users)},
        )
        monkeypatch.setattr(esteem, "source", source)

    return tell


def test_nothing_waits_so_he_opens_a_competitive_table_where_the_next_one_sits(alice, bob):
    table = quick.play_quick(user=alice, game="cinq_en_ligne", pace="now")
    assert (table.game, table.pace, table.competitive, table.status, table.stake) == ("cinq_en_ligne", 300, True, Status.OPEN, 0)
    again = quick.play_quick(user=bob, game="cinq_en_ligne")
    assert again.pk == table.pk
    assert set(Seat.objects.filter(table=table).values_list("user", flat=True)) == {alice.pk, bob.pk}


def test_a_guest_gets_a_friendly_table(guest, alice):
    opened(alice)
    table = quick.play_quick(user=guest, game="cinq")
    assert not table.competitive and table.opener_id == guest.pk


def test_who_asks_twice_waits_once(alice):
    first = quick.play_quick(user=alice)
    assert quick.play_quick(user=alice).pk == first.pk
    assert Table.objects.count() == 1


def test_game_and_pace_are_wishes_that_bind(alice, bob):
    slow = opened(bob, pace=604800)
    other = opened(bob, game="six_fous", seats=3)
    assert quick.play_quick(user=alice, game="cinq", pace="slow").pk == slow.pk
    assert quick.play_quick(user=alice, game="six_fous", pace="day").pk == other.pk
    assert quick.play_quick(user=alice, game="cinq", pace="now").pk not in {slow.pk, other.pk}
    with pytest.raises(KeyError):
        quick.play_quick(user=alice, game="chess")


def test_a_stake_is_never_risked_unasked(alice, bob):
    table = opened(bob)
    Table.objects.filter(pk=table.pk).update(stake=50)
    assert quick.play_quick(user=alice, game="cinq", stake=10).pk != table.pk


def test_hidden_full_and_barred_tables_are_passed_over(alice, bob, carla):
    opened(bob, visibility="link")
    barred = opened(bob)
    tables.sit(barred.code, user=alice)
    tables.remove(barred.code, by=bob, seat_id=Seat.objects.get(table=barred, user=alice).pk)
    mine = quick.play_quick(user=alice, game="cinq")
    assert mine.opener_id == alice.pk


def test_people_with_a_block_between_them_do_not_meet(alice, bob, carla):
    for blocker, blocked in ((alice, bob), (carla, alice)):
        ties.block(blocker, blocked)
    theirs = {opened(bob).pk, opened(carla).pk}
    assert quick.play_quick(user=alice, game="cinq").pk not in theirs


def test_near_cotes_meet(alice, bob, carla, known):
    far, near = opened(bob), opened(carla)
    known({(alice.pk, "cinq"): 1700, (carla.pk, "cinq"): 1650, (bob.pk, "cinq"): 1200})
    assert quick.play_quick(user=alice, game="cinq").pk == near.pk
    assert far.pk != near.pk


def test_people_who_play_in_time_are_preferred(alice, bob, carla, known):
    late, prompt = opened(bob), opened(carla)
    known(punctual={bob.pk: 0.5, carla.pk: 1.0})
    assert quick.play_quick(user=alice, game="cinq").pk == prompt.pk
    assert late.pk != prompt.pk


def test_a_table_that_starts_at_once_is_preferred_then_who_waits_longest(alice, bob, carla):
    wide, nearly = opened(bob, seats=4), opened(carla, seats=2)
    assert quick.play_quick(user=alice, game="cinq").pk == nearly.pk
    nearly.refresh_from_db()
    assert nearly.status == Status.PLAYING
    opened(carla, seats=4)
    assert quick.play_quick(user=alice, game="cinq").pk == wide.pk


def test_quick_match_costs_few_queries(alice, bob, carla, django_assert_max_num_queries):
    for user in (bob, carla):
        for _ in range(5):
            opened(user, seats=4)
    with django_assert_max_num_queries(22):
        quick.play_quick(user=alice, game="cinq")


# --- The page's button ------------------------------------------------------------------------------------------------


def test_the_button_sits_down(client_of, alice, bob):
    table = opened(bob, seats=3)
    answer = client_of(alice).post("/play-quick/", {"game": "", "pace": ""})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/t/{table.code}/")
    assert Seat.objects.filter(table=table, user=alice).exists()


def test_a_stranger_becomes_a_guest(client_of):
    answer = client_of(None).post("/play-quick/", {"game": "cinq", "pace": "day"})
    assert answer.status_code == 303
    assert Table.objects.get().opener.is_guest


@pytest.mark.parametrize("posted", [{"game": "chess"}, {"pace": "never"}, {"game": "cinq\0"}])
def test_nonsense_is_422_and_opens_nothing(client_of, alice, posted):
    assert client_of(alice).post("/play-quick/", posted).status_code == 422
    assert not Table.objects.exists()
    assert client_of(alice).get("/play-quick/").status_code == 405


def test_lobby_and_home_have_the_button_and_show_cotes(client_of, alice, bob, known):
    opened(bob)
    known({(bob.pk, "cinq"): 1520})
    for page in ("/", "/lobby/"):
        html = client_of(alice).get(page).content.decode()
        assert 'action="/play-quick/"' in html
        assert "± 50" in html
