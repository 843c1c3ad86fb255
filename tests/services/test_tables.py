"""Opening, sitting, leaving, removing, bots, links, the start by lot, closing."""

from __future__ import annotations

import secrets
from datetime import timedelta

import pytest

from accounts.models import User
from games import clocktime, errors, observe
from games.engine import codec
from games.engine.chance import Chance, commitment, deal_key
from games.models import Removal, Seat, Status, Table, TableEvent
from games.models.vault import Vault
from games.services import moves, tables
from tests.playing import OPTIONS, open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db


def opened(user: User, **how: object) -> Table:
    defaults = {"game": "cinq", "options": OPTIONS, "seats": 3, "pace": 86400}
    return tables.open_table(user=user, **{**defaults, **how})  # type: ignore[arg-type]


def test_the_opener_sits_and_the_commitment_covers_everything(alice: User) -> None:
    table = opened(alice, options={"mode": "piegeur"}, client_seed="  mon été  ")
    seed = bytes.fromhex(Vault.objects.get(table=table).unseal("seed")["seed"])
    text = '{"cartes":10,"limite":30,"mode":"piegeur"}'
    assert codec.canonical_json(table.options) == text
    assert table.commitment == commitment(table.code, "cinq", 1, text, seed)
    seat = Seat.objects.get(table=table)
    assert (seat.user, seat.joined, seat.number, seat.client_seed) == (alice, 0, None, "mon été")
    assert table.server_seed == ""


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"game": "belote"}, "no_game"),
        ({"options": {"mode": "piegeur"}, "seats": 2}, "piegeur_needs_three"),
        ({"seats": 5}, "seats"),
        ({"seats": 1}, "seats"),
        ({"options": {"limite": 4}}, "out_of_range"),
        ({"options": {"limite": 501}}, "out_of_range"),
        ({"options": {"limite": "30"}}, "wrong_type"),
        ({"options": {"stake": 10}}, "unknown_option"),
        ({"options": {"cartes": 16}, "seats": 2}, "out_of_range"),
        ({"pace": 60}, "pace"),
        ({"pace": None, "competitive": True}, "competitive_pace"),
        ({"visibility": "secret"}, "visibility"),
        ({"client_seed": "two\nlines"}, "client_seed"),
        ({"client_seed": "x" * 201}, "client_seed"),
    ],
)
def test_what_does_not_fit_together_is_refused_with_a_sentence(alice: User, how: dict[str, object], code: str) -> None:
    with pytest.raises(errors.BadTable) as refusal:
        opened(alice, **how)
    assert refusal.value.code == code
    assert refusal.value.status == 422
    assert len(str(refusal.value.message)) > 10
    assert not Table.objects.exists()


def test_sitting_twice_is_sitting_once(alice: User, bob: User) -> None:
    table = opened(alice)
    for _ in range(3):
        tables.sit(table.code, user=bob)
    assert Seat.objects.filter(table=table).count() == 2


def test_the_last_sitter_starts_the_match(alice: User, bob: User, carla: User) -> None:
    table = opened(alice)
    tables.sit(table.code, user=bob)
    assert Table.objects.get(pk=table.pk).status == Status.OPEN
    tables.sit(table.code, user=carla)
    table = Table.objects.get(pk=table.pk)
    assert table.status == Status.PLAYING
    assert sorted(Seat.objects.filter(table=table).values_list("number", flat=True)) == [0, 1, 2]
    assert Seat.objects.filter(table=table, owes_move=True).count() == 1
    assert TableEvent.objects.filter(table=table)[0].event == ["started"]


def test_seats_are_drawn_by_lot_from_everybodys_seed(alice: User, bob: User, carla: User) -> None:
    table = opened(alice, client_seed="a")
    tables.sit(table.code, user=bob, client_seed="b")
    tables.leave(table.code, user=bob)
    tables.sit(table.code, user=carla, client_seed="c")
    tables.sit(table.code, user=bob, client_seed="b")
    seats = list(Seat.objects.filter(table=table).order_by("joined"))
    assert [(seat.joined, seat.user) for seat in seats] == [(0, alice), (1, carla), (2, bob)], "made gapless at the start"
    seed = bytes.fromhex(Vault.objects.get(table=table).unseal("seed")["seed"])
    order = Chance(deal_key(seed, ["a", "c", "b"])).seating(3)
    assert [seats[joined].number for joined in order] == [0, 1, 2]


def test_an_empty_client_seed_is_drawn_and_shown(alice: User, bob: User) -> None:
    table = opened(alice, seats=2)
    tables.sit(table.code, user=bob)
    seeds = set(Seat.objects.filter(table=table).values_list("client_seed", flat=True))
    assert len(seeds) == 2
    assert all(len(seed) == 32 for seed in seeds)


def test_a_link_table_does_not_exist_without_its_token(alice: User, bob: User) -> None:
    table = opened(alice, visibility="link")
    for token in ("", "wrong", table.token[:-1]):
        with pytest.raises(errors.NotFound):
            tables.sit(table.code, user=bob, token=token)
    old = table.token
    new = tables.revoke_link(table.code, by=alice)
    with pytest.raises(errors.NotFound):
        tables.sit(table.code, user=bob, token=old)
    tables.sit(table.code, user=bob, token=new)
    assert Seat.objects.filter(table=table, user=bob).exists()


def test_only_the_opener_revokes_removes_and_fills(alice: User, bob: User) -> None:
    table = opened(alice)
    tables.sit(table.code, user=bob)
    seat = Seat.objects.get(table=table, user=alice)
    for refused in (
        lambda: tables.revoke_link(table.code, by=bob),
        lambda: tables.remove(table.code, by=bob, seat_id=seat.pk),
        lambda: tables.fill_with_bots(table.code, by=bob),
    ):
        with pytest.raises(errors.Forbidden):
            refused()
    assert Seat.objects.filter(table=table).count() == 2


def test_a_removed_player_cannot_sit_again(alice: User, bob: User) -> None:
    table = opened(alice)
    tables.sit(table.code, user=bob)
    tables.remove(table.code, by=alice, seat_id=Seat.objects.get(table=table, user=bob).pk)
    assert Removal.objects.filter(table=table, user=bob).exists()
    with pytest.raises(errors.Forbidden):
        tables.sit(table.code, user=bob)


def test_nobody_is_removed_or_leaves_after_the_start(alice: User, bob: User) -> None:
    table = open_for(alice, bob)
    with pytest.raises(errors.Closed):
        tables.remove(table.code, by=alice, seat_id=Seat.objects.get(table=table, user=bob).pk)
    with pytest.raises(errors.Closed):
        tables.leave(table.code, user=bob)
    assert Seat.objects.filter(table=table).count() == 2


def test_the_longest_seated_person_inherits_the_table(alice: User, bob: User, carla: User) -> None:
    table = opened(alice, seats=4)
    tables.sit(table.code, user=bob)
    tables.sit(table.code, user=carla)
    tables.leave(table.code, user=alice)
    assert Table.objects.get(pk=table.pk).opener == bob
    tables.leave(table.code, user=bob)
    tables.leave(table.code, user=carla)
    table = Table.objects.get(pk=table.pk)
    assert (table.status, table.end) == (Status.CANCELLED, "empty")
    assert len(table.server_seed) == 64, "every committed table is revealed"
    with pytest.raises(errors.Closed):
        tables.sit(table.code, user=alice)


def test_a_full_table_takes_nobody(alice: User, bob: User, carla: User) -> None:
    table = open_for(alice, bob)
    with pytest.raises(errors.Closed):
        tables.sit(table.code, user=carla)


def test_bots_fill_friendly_tables_only(alice: User, bob: User) -> None:
    table = opened(alice, seats=4)
    tables.sit(table.code, user=bob)
    tables.fill_with_bots(table.code, by=alice)
    bots = Seat.objects.filter(table=table).exclude(bot="").order_by("joined")
    assert [seat.client_seed for seat in bots] == ["bot/2", "bot/3"]
    assert len({seat.bot for seat in bots}) == 2
    assert Table.objects.get(pk=table.pk).status == Status.PLAYING
    competitive = opened(alice, competitive=True)
    with pytest.raises(errors.Forbidden):
        tables.fill_with_bots(competitive.code, by=alice)


def test_guests_play_friendly_tables_only(alice: User, guest: User) -> None:
    with pytest.raises(errors.Forbidden):
        opened(guest, competitive=True)
    competitive = opened(alice, competitive=True, seats=2)
    with pytest.raises(errors.Forbidden):
        tables.sit(competitive.code, user=guest)
    friendly = opened(alice, seats=2)
    tables.sit(friendly.code, user=guest)
    assert Table.objects.get(pk=friendly.pk).status == Status.PLAYING


def test_a_person_alone_with_bots_may_end_his_match(alice: User, bob: User) -> None:
    table = open_for(alice, bots=2)
    with pytest.raises(errors.Forbidden):
        tables.end_alone(table.code, user=bob)
    tables.end_alone(table.code, user=alice)
    table = Table.objects.get(pk=table.pk)
    assert (table.status, table.end) == (Status.CANCELLED, "alone")
    assert not Seat.objects.filter(table=table, owes_move=True).exists()
    together = open_for(alice, bob, bots=1)
    with pytest.raises(errors.Forbidden):
        tables.end_alone(together.code, user=alice)


def test_tables_that_never_start_are_closed_after_14_days(alice: User) -> None:
    old, young = opened(alice), opened(alice)
    Table.objects.filter(pk=old.pk).update(created_at=clocktime.now() - timedelta(days=14, minutes=1))
    Table.objects.filter(pk=young.pk).update(created_at=clocktime.now() - timedelta(days=13, hours=23))
    assert tables.close_old() == 1
    old.refresh_from_db()
    assert (old.status, old.end) == (Status.CANCELLED, "never_started")
    assert Table.objects.get(pk=young.pk).status == Status.OPEN


def test_a_first_turn_of_seven_days_is_not_purged(alice: User, bob: User) -> None:
    table = open_for(alice, bob, pace=604800)
    Table.objects.filter(pk=table.pk).update(created_at=clocktime.now() - timedelta(days=20))
    assert tables.close_old() == 0
    play_one(table)


def test_a_guests_seats_follow_him_once(alice: User, bob: User, guest: User) -> None:
    waiting = opened(guest, seats=2)
    running = open_for(guest, bob, options={"mode": "classique", "limite": 30})
    both = open_for(guest, alice, bob)
    tables.claim_guest(guest, alice)
    assert Table.objects.get(pk=waiting.pk).opener == alice
    assert Seat.objects.get(table=waiting).user == alice
    assert set(Seat.objects.filter(table=running).values_list("user__username", flat=True)) == {"Alice", "Bob"}
    left = Seat.objects.get(table=both, user=guest)
    assert left.automatic, "one person does not play two hands"
    assert Seat.objects.get(table=both, user=alice).automatic_since is None
    while seat_to_act(running).user != alice:
        play_one(running)
    play_one(running)
    assert observe.audit(Table.objects.get(pk=running.pk)) == []


def test_ten_thousand_tables_ten_thousand_deals(alice: User) -> None:
    seeds = {secrets.token_bytes(32) for _ in range(10_000)}
    deals = {Chance(deal_key(seed, ["a", "b"])).shuffle("hand/1", 40) for seed in seeds}
    assert len(deals) == 10_000
    first, second = opened(alice), opened(alice)
    assert Vault.objects.get(table=first).unseal("seed") != Vault.objects.get(table=second).unseal("seed")


def test_bots_turns_are_played_by_whoever_is_there(alice: User) -> None:
    table = open_for(alice, bots=3)
    moves.play_waiting(table.code)
    assert seat_to_act(table).user == alice
