"""Who earns which badge: each once, only in matches with people, victories only where they pay."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import translation

from games import registry
from games.models import Table
from ranking import badges, statistics
from ranking.badges import History, Ply
from ranking.models import Badge

from .conftest import NOON
from .test_statistics import finished

pytestmark = pytest.mark.django_db


def add(history, game="cinq", place=2, late=0, turns=5, *, counts=True):
    return history.add(game, place, late, turns, counts=counts)


def test_first_victory_of_each_game_then_of_all():
    history = History()
    assert add(history, place=1, counts=False) == []
    for game in registry.GAMES[:-1]:
        assert add(history, game, 1) == [f"win:{game}"]
    assert add(history, registry.GAMES[-1], 1) == [f"win:{registry.GAMES[-1]}", "every_game"]


def test_ten_matches_in_a_row_in_time():
    history = History()
    for _ in range(9):
        assert add(history, counts=False) == []
    assert add(history, late=1) == []
    for _ in range(9):
        assert add(history) == []
    assert add(history, turns=0) == [], "a match without a turn of one's own proves nothing"
    assert add(history) == ["punctual"]


def test_five_victories_of_one_game_in_a_row():
    history = History()
    for _ in range(4):
        add(history, place=1)
    add(history, "six_fous", place=2)
    assert "streak" in add(history, place=1)
    assert "streak" not in add(history, place=2)


def test_a_hundred_matches():
    history = History(matches=98, in_time=-1000)
    assert add(history) == []
    assert add(history) == ["hundred"]


def ply(*events):
    return Ply(0, "player", NOON, [list(event) for event in events])


def test_all_five_tricks_of_one_hand():
    table = Table(game="cinquante_cinq", rules_version=1, options={}, seats_wanted=3)
    swept = [ply(("deal", 1, 0)), *[ply(("trick", 2, n)) for n in range(5)], ply(("hand", 1, 2, 30, 1, []), ("deal", 2, 1))]
    assert badges.of_match(table, 2, swept) == ["sweep"]
    assert badges.of_match(table, 1, swept) == []
    split = [ply(("trick", 2, n)) for n in range(4)] + [ply(("deal", 2, 1)), ply(("trick", 2, 0))]
    assert badges.of_match(table, 2, split) == []
    assert badges.of_match(Table(game="cinq", rules_version=1, options={}, seats_wanted=3), 2, swept) == []


def test_partners_sweep_together():
    table = Table(game="cinquante_cinq", rules_version=1, options={"equipes": 2}, seats_wanted=4)
    swept = [ply(("trick", seat, 0)) for seat in (0, 2, 0, 2, 2)]
    assert [badges.of_match(table, seat, swept) for seat in range(4)] == [["sweep"], [], ["sweep"], []]


def test_a_badge_is_given_once_and_dated_by_its_match(alice, bob):
    first = finished([alice, bob], [1, 2])
    finished([alice, bob], [1, 2])
    statistics.count_fresh()
    badge = Badge.objects.get(user=alice)
    assert (badge.badge, badge.table, badge.at) == ("win:cinq", first, NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        Badge.objects.create(user=alice, badge="win:cinq", at=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        Badge.objects.update(badge="streak")


def test_friendly_and_shared_address_victories_earn_none(alice, bob):
    finished([alice, bob], [1, 2], competitive=False)
    finished([alice, bob], [1, 2], counts=False, uncounted="same_address")
    statistics.count_fresh()
    assert not Badge.objects.exists()


def test_a_badge_that_is_missing_is_found_and_given(alice, bob, monkeypatch):
    monkeypatch.setattr(badges, "award", lambda *args: None)
    finished([alice, bob], [1, 2])
    statistics.count_fresh()
    assert [str(row) for row in statistics.differences()] == [
        f"badge win:cinq of user {alice.pk}: nothing is stored, the matches give it"
    ]
    list(statistics.differences(rebuild=True))
    assert list(statistics.differences()) == []
    assert Badge.objects.get().badge == "win:cinq"


@pytest.mark.parametrize("language", ["fr", "es", "en"])
def test_every_badge_has_a_face_and_an_emblem(language, repository):
    emblems = (repository / "ranking/static/ranking/badges.svg").read_text()
    with translation.override(language):
        for key in [*(f"win:{game}" for game in registry.GAMES), *(kind for kind in badges.ORDER if kind != "win")]:
            face = badges.face(key)
            assert face.name and face.why and f'id="{face.symbol}"' in emblems
            badges.order(key)
