"""Two players at one address: the match does not count (rules 7.4). Addresses come as the client's own REMOTE_ADDR."""

from __future__ import annotations

from datetime import timedelta

import pytest

from accounts import origin
from games import clocktime
from games.models import Seat, Table, TableEvent
from games.services import abandon, same_address
from ranking.models import XPEntry
from tests.playing import play_out

pytestmark = pytest.mark.django_db

FORM = {
    "game": "cinq", "mode": "classique", "limite": "30", "seats": "2", "cartes": "10",
    "competitive": "1", "pace": "86400", "visibility": "public", "stake": "0",
}  # fmt: skip


def opened(client, **changes) -> Table:
    answer = client.post("/new/", FORM | changes)
    assert answer.status_code == 303, answer.content.decode()
    return Table.objects.get(code=answer["Location"].split("/")[2])


def started(client_of, people, addresses, **headers) -> Table:
    clients = [client_of(person, REMOTE_ADDR=address) for person, address in zip(people, addresses, strict=True)]
    table = opened(clients[0], seats=str(len(people)))
    for client in clients[1:]:
        assert client.post(f"/t/{table.code}/sit/", headers=headers).status_code == 303
    return Table.objects.get(pk=table.pk)


def test_one_address_two_players_nothing_counts(client_of, alice, bob):
    table = started(client_of, [alice, bob], ["127.0.0.2", "127.0.0.2"])
    assert (table.counts, table.uncounted) == (False, "same_address")
    events = list(TableEvent.objects.filter(table=table).values_list("event", flat=True))
    assert events[0] == ["uncounted", "same_address"]  # before the first card
    page = client_of(bob).get(table.get_absolute_url(), headers={"Accept-Language": "en"}).content.decode()
    assert "the same Internet address" in page
    assert "127.0.0.2" not in page
    over = play_out(table)
    assert over.status == "finished"
    assert not XPEntry.objects.exists()


def test_no_penalty_where_nothing_counts(client_of, alice, bob):
    table = started(client_of, [alice, bob], ["127.0.0.2", "127.0.0.2"])
    abandon.abandon(table.code, user=alice)
    assert Seat.objects.get(table=table, user=alice).penalty == ""


@pytest.mark.parametrize(
    ("addresses", "counts"),
    [
        (["127.0.0.2", "127.0.0.3"], True),
        (["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"], False),  # one /64
        (["2001:db8:1:2::1", "2001:db8:1:3::1"], True),
        (["::ffff:127.0.0.2", "127.0.0.2"], False),
        (["100.64.0.9", "100.64.0.9"], False),  # carrier NAT: as the rule says
    ],
)
def test_which_addresses_are_one(client_of, alice, bob, addresses, counts):
    assert started(client_of, [alice, bob], addresses).counts is counts


@pytest.mark.parametrize("header", ["X-Forwarded-For", "X-Real-IP", "Forwarded", "Client-IP"])
def test_nobody_can_claim_anothers_address(client_of, alice, bob, header):
    assert started(client_of, [alice, bob], ["127.0.0.2", "127.0.0.3"], **{header: "127.0.0.2"}).counts


def test_two_of_three_are_enough_and_a_friendly_table_does_not_care(client_of, alice, bob, carla):
    assert not started(client_of, [alice, bob, carla], ["127.0.0.2", "127.0.0.3", "127.0.0.2"]).counts
    friendly = opened(client_of(alice, REMOTE_ADDR="127.0.0.2"), competitive="0")
    client_of(bob, REMOTE_ADDR="127.0.0.2").post(f"/t/{friendly.code}/sit/")
    friendly.refresh_from_db()
    assert (friendly.status, friendly.uncounted) == ("playing", "")


def test_where_a_player_looks_from_at_the_start_counts_if_he_is_there(client_of, alice, bob):
    table = opened(client_of(alice, REMOTE_ADDR="127.0.0.2"))
    client_of(alice, REMOTE_ADDR="127.0.0.3").get(table.get_absolute_url())
    client_of(bob, REMOTE_ADDR="127.0.0.3").post(f"/t/{table.code}/sit/")
    table.refresh_from_db()
    assert not table.counts


def test_where_he_looked_from_long_before_does_not(client_of, alice, bob):
    table = opened(client_of(alice, REMOTE_ADDR="127.0.0.2"))
    client_of(alice, REMOTE_ADDR="127.0.0.3").get(table.get_absolute_url())
    Seat.objects.filter(table=table).update(present_at=clocktime.now() - same_address.PRESENT - timedelta(seconds=1))
    client_of(bob, REMOTE_ADDR="127.0.0.3").post(f"/t/{table.code}/sit/")
    table.refresh_from_db()
    assert table.counts


def test_a_later_change_of_address_changes_nothing(client_of, alice, bob):
    table = started(client_of, [alice, bob], ["127.0.0.2", "127.0.0.3"])
    client_of(bob, REMOTE_ADDR="127.0.0.2").get(table.get_absolute_url())
    table.refresh_from_db()
    assert table.counts
    assert not Seat.objects.exclude(present_origin="").filter(user=bob).exists()


def test_other_tables_on_that_address_are_unaffected(client_of, alice, bob, carla):
    assert not started(client_of, [alice, bob], ["127.0.0.2", "127.0.0.2"]).counts
    assert started(client_of, [alice, carla], ["127.0.0.2", "127.0.0.4"]).counts


def test_a_developers_own_machine_is_no_address(rf, settings):
    request = rf.get("/", REMOTE_ADDR="127.0.0.1")
    assert origin.at_table(request) == origin.of(request) != ""
    settings.DEBUG = True
    assert origin.at_table(request) == ""
    assert origin.at_table(rf.get("/", REMOTE_ADDR="127.0.0.2")) != ""


def test_the_record_and_the_json_tell_no_address(client_of, alice, bob):
    table = started(client_of, [alice, bob], ["127.0.0.2", "127.0.0.2"])
    hashes = set(Seat.objects.filter(table=table).values_list("origin", flat=True))
    assert hashes == {origin.of_address("127.0.0.2")}
    for path in ("", "log/", "record.txt", "observation.json", "live/"):
        text = client_of(alice).get(f"/t/{table.code}/{path}").content.decode()
        assert not any(found in text for found in (*hashes, "127.0.0"))
