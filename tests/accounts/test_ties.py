"""Friends and blocks: what each of two people sees after each step, what is silent, and who may do what."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import ties
from accounts.models import Block, Friendship

pytestmark = pytest.mark.django_db

EN = {"accept-language": "en"}


def between(one: Any, other: Any) -> tuple[str, str]:
    """What each is to the other, in both directions."""
    return ties.relation(one, other), ties.relation(other, one)


def press(client: Any, what: str, **fields: Any) -> Any:
    return client.post(f"/friends/{what}/", fields, headers=EN)


# --- Friends --------------------------------------------------------------------------------------------------------


def test_asking_and_accepting_make_friends(alice, bob):
    assert ties.ask(alice, bob) is False
    assert between(alice, bob) == ("sent", "received")
    assert ties.accept(bob, alice.pk)
    assert between(alice, bob) == ("friend", "friend")
    assert ties.friends_of(alice.pk) == {bob.pk}
    assert ties.friends_of(bob.pk) == {alice.pk}
    assert ties.are_friends(bob.pk, alice.pk)
    assert ties.accept(bob, alice.pk), "twice is the same as once"


def test_two_who_ask_each_other_are_friends(alice, bob):
    ties.ask(alice, bob)
    assert ties.ask(bob, alice) is True
    assert between(alice, bob) == ("friend", "friend")
    assert ties.ask(alice, bob) is True
    assert Friendship.objects.count() == 1


def test_a_refusal_is_silent_and_stands_for_a_month(alice, bob):
    ties.ask(alice, bob)
    ties.decline(bob, alice.pk)
    assert between(alice, bob) == ("sent", "none")
    ties.withdraw(alice, bob.pk)
    assert between(alice, bob) == ("none", "none")
    ties.ask(alice, bob)
    assert between(alice, bob) == ("sent", "none"), "asking again does not undo the refusal"
    Friendship.objects.update(declined_at=timezone.now() - ties.REFUSED_FOR - timedelta(seconds=1))
    ties.ask(alice, bob)
    assert between(alice, bob) == ("sent", "received")


def test_whoever_refused_may_ask_himself(alice, bob):
    ties.ask(alice, bob)
    ties.decline(bob, alice.pk)
    assert ties.ask(bob, alice) is True


def test_a_request_withdrawn_cannot_be_accepted(alice, bob):
    ties.ask(alice, bob)
    ties.withdraw(alice, bob.pk)
    assert not ties.accept(bob, alice.pk)
    assert not ties.are_friends(alice.pk, bob.pk)


def test_removing_ends_it_for_both(alice, bob):
    ties.ask(alice, bob)
    ties.accept(bob, alice.pk)
    ties.remove(bob, alice.pk)
    assert between(alice, bob) == ("none", "none")


def test_guests_and_oneself_have_no_ties(alice, guest):
    for one, other in ((alice, guest), (guest, alice), (alice, alice)):
        for change in (ties.ask, ties.block):
            with pytest.raises(ties.NobodyThere):
                change(one, other)
        assert ties.relation(one, other) == ""
    assert ties.hidden_from(None) == frozenset()
    assert ties.friends_of(None) == frozenset()
    assert not ties.any_block(None, [alice.pk])


# --- Blocks ---------------------------------------------------------------------------------------------------------


def test_a_block_holds_both_ways_and_ends_the_friendship(alice, bob, carla):
    ties.ask(alice, bob)
    ties.accept(bob, alice.pk)
    ties.block(alice, bob)
    assert between(alice, bob) == ("blocked", "none")
    assert ties.hidden_from(alice.pk) == {bob.pk}
    assert ties.hidden_from(bob.pk) == {alice.pk}
    assert ties.any_block(bob.pk, [carla.pk, None, alice.pk])
    assert not ties.any_block(bob.pk, [carla.pk, None])
    assert not ties.are_friends(alice.pk, bob.pk)
    assert ties.blocked_by(alice.pk) == {bob.pk}
    assert ties.blocked_by(bob.pk) == frozenset()


def test_what_the_blocked_one_does_looks_like_success_and_reaches_nobody(alice, bob):
    ties.block(alice, bob)
    assert ties.ask(bob, alice) is False
    assert between(bob, alice) == ("sent", "blocked")
    assert ties.people_of(alice).received == []
    ties.withdraw(bob, alice.pk)
    assert ties.relation(bob, alice) == "none"
    ties.ask(bob, alice)
    ties.unblock(alice, bob.pk)
    assert between(alice, bob) == ("none", "sent"), "what was asked meanwhile does not appear"


def test_a_waiting_request_stays_in_the_eyes_of_the_blocked_one(alice, bob):
    ties.ask(bob, alice)
    ties.block(alice, bob)
    assert ties.relation(bob, alice) == "sent"
    assert not ties.accept(alice, bob.pk)
    with pytest.raises(ties.YouBlocked):
        ties.ask(alice, bob)


def test_old_refusals_do_not_open_a_blocked_door(alice, bob):
    ties.block(alice, bob)
    ties.ask(bob, alice)
    Friendship.objects.update(declined_at=timezone.now() - timedelta(days=90))
    ties.ask(bob, alice)
    ties.unblock(alice, bob.pk)
    assert ties.people_of(alice).received == []


# --- Pages ----------------------------------------------------------------------------------------------------------


def test_the_page_shows_each_list(client_of, alice, bob, carla, user_named):
    diego, elsa = user_named("Diego"), user_named("Elsa")
    ties.ask(bob, alice)
    ties.ask(alice, carla)
    ties.ask(alice, diego)
    ties.accept(diego, alice.pk)
    ties.block(alice, elsa)
    html = client_of(alice).get("/friends/", headers=EN).content.decode()
    order = [html.index(text) for text in (">Bob<", "My friends", ">Diego<", ">Carla<", "Blocked people", ">Elsa<")]
    assert order == sorted(order)
    assert "@example.org" not in html


def test_the_buttons(client_of, alice, bob):
    mine, his = client_of(alice), client_of(bob)
    assert press(mine, "ask", name="  bOb ").status_code == 303
    assert press(his, "accept", user=alice.pk).status_code == 303
    assert ties.are_friends(alice.pk, bob.pk)
    answer = press(his, "remove", user=alice.pk, next=f"/u/{alice.pk}/")
    assert (answer.status_code, answer["Location"]) == (303, f"/u/{alice.pk}/")
    assert press(his, "block", user=alice.pk, next="//elsewhere.example/").headers["Location"] == "/friends/"
    assert ties.blocked_by(bob.pk) == {alice.pk}
    assert press(his, "ask", user=alice.pk).status_code == 409
    assert press(his, "unblock", user=alice.pk).status_code == 303
    assert not Block.objects.exists()


def test_refusals(client_of, alice, bob, guest):
    client = client_of(alice)
    for name in ("Nobody", "alice", guest.username, "\x00", "x" * 5000):
        assert press(client, "ask", name=name).status_code == 422, name
    for what in ("accept", "decline", "withdraw", "remove", "block", "unblock"):
        for odd in ("", "x", "-1", "²", "9" * 19, "9" * 40):
            assert press(client, what, user=odd).status_code == 422, (what, odd)
    for who in (guest.pk, alice.pk, 10**12):
        assert press(client, "ask", user=who).status_code == 404
        assert press(client, "block", user=who).status_code == 404
    assert press(client, "accept", user=bob.pk).status_code == 409
    assert not Friendship.objects.exists()
    assert not Block.objects.exists()


def test_ties_are_for_registered_people(client, client_of, guest, alice):
    for asker in (client, client_of(guest)):
        assert asker.get("/friends/").status_code == 302
        assert press(asker, "ask", name="Alice").status_code == 302
        assert b"/friends/ask/" not in asker.get(f"/u/{alice.pk}/").content
    assert not Friendship.objects.exists()


def test_asking_is_limited_by_day(client_of, settings, alice, bob):
    settings.RATE_LIMITS_ENABLED = True
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"friend": (2, 86400)}
    ties.block(bob, alice)
    client = client_of(alice)
    assert [press(client, "ask", name="Bob").status_code for _ in range(3)] == [303, 303, 429]


def test_the_page_of_whoever_blocked_me_tells_nothing(client_of, alice, bob, carla):
    """Asked, refused or blocked: the same bytes, save for the names."""

    def seen(who):
        client = client_of(bob)
        shown = []
        for what in (None, "ask", None, "withdraw", "ask"):
            answer = press(client, what, user=who.pk, next=f"/u/{who.pk}/") if what else None
            page = client.get(f"/u/{who.pk}/", headers=EN).content.decode()
            form = page[page.index('<form class="ties') :]
            form = form[: form.index("</form>")].replace(f"/u/{who.pk}/", "/u/0/")
            form = form.replace(f'value="{who.pk}"', 'value="0"').replace(f'person={who.pk}"', 'person=0"')
            shown.append((answer and answer.status_code, re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", form)))
        return shown

    ties.block(alice, bob)
    assert seen(alice) == seen(carla)
