"""A block keeps two people apart at every way in, in both directions, at once and without a word (PC-85)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from accounts import guests, ties
from games.errors import NotFound
from games.models import Removal, Seat, Status, Table
from games.services import moves, quick, tables
from tests.playing import legal, open_for, seat_to_act

pytestmark = pytest.mark.django_db

EN = {"accept-language": "en"}
UNKNOWN = "0000000000"
READING = ("", "live/", "observation.json", "record.txt", "log/")


@pytest.fixture(params=["blocks", "is blocked"])
def pair(request, alice, bob):
    """(who opens tables, who wants to come in): the block goes the one way or the other."""
    return alice, bob, request.param


def block(pair):
    opener, other, which = pair
    ties.block(*((opener, other) if which == "blocks" else (other, opener)))


def open_table(user, **fields):
    plan = {"options": {}, "seats": 3, "pace": 86400, "visibility": "public", "competitive": False}
    return tables.open_table(user=user, game="cinq", **(plan | fields))


def bytes_of(answer):
    """The answer without what differs each time: the token against forged forms, the address itself."""
    lines = answer.content.decode().replace(UNKNOWN, "CODE")
    return answer.status_code, "\n".join(line for line in lines.split("\n") if "csrf" not in line)


def same_as_unknown(client, table, path, method="get", **fields):
    known = getattr(client, method)(f"/t/{table.code}/{path}", fields, headers=EN)
    unknown = getattr(client, method)(f"/t/{UNKNOWN}/{path}", fields, headers=EN)
    assert known.status_code == 404, path
    known.content = known.content.replace(table.code.encode(), UNKNOWN.encode())
    return bytes_of(known) == bytes_of(unknown)


def test_the_table_is_not_there_any_more(pair, client_of):
    """The page was open, with its button: reading it again and pressing it are answered as at a table that never was."""
    opener, other, _which = pair
    table, client = open_table(opener), client_of(other)
    assert client.get(f"/t/{table.code}/").status_code == 200
    block(pair)
    for path in READING:
        assert same_as_unknown(client, table, path), path
    for path in ("sit/", "leave/", "remove/", "bots/", "revoke/", "take-back/", "end/"):
        assert same_as_unknown(client, table, path, "post", seat="1"), path
    assert client.post(f"/t/{table.code}/sit/", headers={"X-Requested-With": "live"}).status_code == 404
    assert not Seat.objects.filter(table=table, user=other).exists()


def test_the_service_itself_refuses_under_its_lock(pair):
    opener, other, _which = pair
    table = open_table(opener)
    block(pair)
    with pytest.raises(NotFound):
        tables.sit(table.code, user=other)


def test_an_old_invitation_link_is_dead(pair, client_of):
    opener, other, _which = pair
    table, client = open_table(opener, visibility="link"), client_of(other)
    client.get(f"/t/{table.code}/?i={table.token}")
    assert client.get(f"/t/{table.code}/").status_code == 200
    block(pair)
    assert same_as_unknown(client, table, "")
    assert same_as_unknown(client, table, f"?i={table.token}")
    assert same_as_unknown(client, table, "sit/", "post")
    with pytest.raises(NotFound):
        tables.sit(table.code, user=other, token=table.token)


def test_not_only_the_opener_counts(pair, client_of, carla):
    opener, other, _which = pair
    table = open_table(carla)
    tables.sit(table.code, user=opener)
    block(pair)
    assert same_as_unknown(client_of(other), table, "")
    with pytest.raises(NotFound):
        tables.sit(table.code, user=other)
    tables.leave(table.code, user=opener)
    tables.sit(table.code, user=other)
    with pytest.raises(NotFound):
        tables.sit(table.code, user=opener)


def test_neither_sees_the_others_rows(pair, client_of, user_named):
    opener, other, _which = pair
    waiting, running = open_table(opener), open_for(opener, user_named("Diego"))
    theirs = open_table(other)
    for page in ("/lobby/", "/"):
        assert waiting.code.encode() in client_of(other).get(page).content
    block(pair)
    for page in ("/lobby/", "/"):
        for_other, for_opener = client_of(other).get(page).content, client_of(opener).get(page).content
        assert waiting.code.encode() not in for_other
        assert running.code.encode() not in for_other
        assert theirs.code.encode() not in for_opener
        assert waiting.code.encode() in for_opener


def test_a_quick_match_seats_them_apart(pair):
    opener, other, _which = pair
    table = open_table(opener, pace=86400)
    block(pair)
    assert quick.play_quick(user=other, game="cinq").pk != table.pk


def test_the_opener_who_blocks_takes_the_place_away(alice, bob):
    table = open_table(alice)
    tables.sit(table.code, user=bob)
    ties.block(alice, bob)
    assert list(Seat.objects.filter(table=table).values_list("user", flat=True)) == [alice.pk]
    assert Removal.objects.filter(table=table, user=bob).exists(), "as if the opener had removed him"


def test_whoever_blocks_at_somebody_elses_table_leaves_it(alice, bob, carla):
    table, opened = open_table(carla, seats=4), open_table(bob)
    for code in (table.code, opened.code):
        for who in (alice, bob):
            tables.sit(code, user=who)
    ties.block(alice, bob)
    assert set(Seat.objects.filter(table=table).values_list("user", flat=True)) == {carla.pk, bob.pk}
    assert list(Seat.objects.filter(table=opened).values_list("user", flat=True)) == [bob.pk]


def test_running_matches_go_on(alice, bob, client_of):
    table = open_for(alice, bob)
    ties.block(alice, bob)
    for _ in range(4):
        seat = seat_to_act(table)
        plies = Table.objects.get(pk=table.pk).plies
        moves.play(table.code, user=seat.user, text=legal(table, seat)[0], seen=plies, request=uuid4())
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING
    for who in (alice, bob):
        assert client_of(who).get(f"/t/{table.code}/").status_code == 200


def test_a_guest_who_signs_up_does_not_bring_the_blocked_one_in(pair, guest):
    opener, other, _which = pair
    table = open_table(opener)
    tables.sit(table.code, user=guest)
    block(pair)
    assert guests.claim(guest.pk, other)
    assert list(Seat.objects.filter(table=table).values_list("user", flat=True)) == [opener.pk]


def test_a_blocked_guest_account_hands_the_table_over(alice, bob, guest):
    table = open_table(guest)
    tables.sit(table.code, user=alice)
    ties.block(alice, bob)
    assert guests.claim(guest.pk, bob)
    assert Table.objects.get(pk=table.pk).opener == alice


def test_taking_a_block_back_opens_the_door(pair):
    opener, other, which = pair
    table = open_table(opener)
    block(pair)
    ties.unblock(*((opener, other.pk) if which == "blocks" else (other, opener.pk)))
    tables.sit(table.code, user=other)


def test_strangers_and_third_people_notice_nothing(pair, client, client_of, carla):
    opener, _other, _which = pair
    table = open_table(opener)
    block(pair)
    for asker in (client, client_of(carla)):
        assert asker.get(f"/t/{table.code}/").status_code == 200
        assert table.code.encode() in asker.get("/lobby/").content
    tables.sit(table.code, user=carla)
