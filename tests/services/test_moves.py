"""The one write path: what a move writes, what a refused one leaves alone, what is played at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice, User
from games import errors, observe, sealing, selectors
from games.cinq.models import CinqMove
from games.engine import codec
from games.engine.chance import Chance
from games.engine.record import replay
from games.models import By, Seat, Status, Table
from games.models.vault import Vault
from games.services import moves
from tests.playing import legal, open_for, play_one, play_out, seat_to_act

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent


def picture(table: Table) -> tuple[object, ...]:
    """Everything a refused request must leave as it was."""
    fresh = Table.objects.get(pk=table.pk)
    vault = Vault.objects.get(table=table)
    seats = list(Seat.objects.filter(table=table).order_by("pk").values())
    return fresh.version, fresh.plies, vault.snapshot, seats, CinqMove.objects.filter(table=table).count(), Notice.objects.count()


@pytest.mark.parametrize(("mode", "players"), [("classique", 2), ("classique", 3), ("piegeur", 3)])
def test_a_whole_match_is_written_replayed_and_verified(
    mode: str, players: int, alice: User, bob: User, carla: User, tmp_path: Path
) -> None:
    table = open_for(*[alice, bob, carla][:players], options={"mode": mode, "limite": 15})
    done = play_out(table)
    assert (done.status, done.end) == (Status.FINISHED, "played")
    assert observe.audit(done) == []
    places = [seat.place for seat in selectors.seats(done)]
    assert 1 in places
    path = tmp_path / "record.txt"
    path.write_text(selectors.record(done), encoding="utf-8")
    check = subprocess.run([sys.executable, "-m", "games.verify", str(path)], capture_output=True, text=True, cwd=ROOT)
    assert check.returncode == 0, check.stdout


def test_typed_columns_come_one_way_from_the_notation(alice: User, bob: User) -> None:
    table = open_for(alice, bob, options={"mode": "classique", "limite": 15})
    done = play_out(table)
    vault = Vault.objects.get(table=done)
    chance = Chance(bytes.fromhex(vault.unseal("seed")["key"]), vault.unseal("deals"))
    rows = list(CinqMove.objects.filter(table=done).order_by("ply"))
    rules = done.rules
    steps = replay(rules, rules.read_options(done.options), 2, chance, [(row.seat, row.notation) for row in rows])
    state = next(steps).state
    for row, step in zip(rows, steps, strict=True):
        columns = CinqMove.columns(state, rules.Move.parse(row.notation))
        assert {name: getattr(row, name) for name in columns} == columns
        state = step.state
    assert {row.kind for row in rows} == {"play", "draw", "pass"}
    assert all(row.rank is None and row.suit == "" for row in rows if row.kind != "play"), "a drawn card is secret"


def test_the_same_click_twice_has_one_answer(alice: User, bob: User) -> None:
    table = open_for(alice, bob)
    seat, request = seat_to_act(table), uuid4()
    text = legal(table, seat)[0]
    first = moves.play(table.code, user=seat.user, text=text, seen=table.plies, request=request)
    before = picture(table)
    again = moves.play(table.code, user=seat.user, text=text, seen=table.plies, request=request)
    assert (first.ply, first.repeated) == (table.plies + 1, False)
    assert (again.ply, again.repeated) == (table.plies + 1, True)
    assert picture(table) == before
    with pytest.raises(errors.MalformedMove):
        moves.play(table.code, user=seat.user, text="pass", seen=table.plies, request=request)
    assert picture(table) == before


def test_what_is_refused_changes_nothing(alice: User, bob: User, carla: User) -> None:
    table = open_for(alice, bob)
    seat = seat_to_act(table)
    other = bob if seat.user == alice else alice
    before, now = picture(table), table.plies
    hand = observe.glimpse(table.code).observation(seat.number)["hand"]
    unplayable = next(card for card in hand if card not in legal(table, seat))
    for user, text, seen, kind in [
        (seat.user, "8O", now, errors.MalformedMove),
        (seat.user, "", now, errors.MalformedMove),
        (seat.user, "x" * 5000, now, errors.MalformedMove),
        (seat.user, unplayable, now, errors.IllegalMove),
        (seat.user, "pass", now, errors.IllegalMove),
        (seat.user, legal(table, seat)[0], now + 99, errors.Stale),
        (other, "pass", now, errors.NotYourTurn),
        (carla, "pass", now, errors.Forbidden),
    ]:
        with pytest.raises(kind):
            moves.play(table.code, user=user, text=text, seen=seen, request=uuid4())
        assert picture(table) == before
    with pytest.raises(errors.NotFound):
        moves.play("0000000000", user=alice, text="pass", seen=0, request=uuid4())


def test_a_page_of_another_turn_is_stale(alice: User, bob: User) -> None:
    table = open_for(alice, bob, options={"mode": "classique", "limite": 30})
    first = seat_to_act(table)
    play_one(table)
    while seat_to_act(table).pk != first.pk:
        play_one(table)
    with pytest.raises(errors.Stale):
        moves.play(table.code, user=first.user, text=legal(table, first)[0], seen=table.plies, request=uuid4())


def test_a_page_of_another_hand_is_stale_for_everybody(alice: User, bob: User, carla: User) -> None:
    table = open_for(alice, bob, carla, options={"mode": "classique", "limite": 500})
    while observe.glimpse(table.code).observation(None)["hand_number"] == 1:
        seen = Table.objects.get(pk=table.pk).plies
        play_one(table)
    assert all(stale > seen for stale in Seat.objects.filter(table=table).values_list("stale_before", flat=True))
    starter = seat_to_act(table)
    with pytest.raises(errors.Stale):
        moves.play(table.code, user=starter.user, text=legal(table, starter)[0], seen=seen, request=uuid4())


def test_a_finished_match_takes_no_move(alice: User, bob: User) -> None:
    table = play_out(open_for(alice, bob))
    with pytest.raises(errors.Over):
        moves.play(table.code, user=alice, text="pass", seen=table.plies, request=uuid4())


def test_forced_moves_are_played_at_once_in_the_same_version(alice: User, bob: User) -> None:
    table = open_for(alice, bob, options={"mode": "classique", "limite": 15})
    forced = table.plies  # without a five in either hand, draws and passes come before the first card
    while Table.objects.get(pk=table.pk).status == Status.PLAYING:
        version, plies = Table.objects.values_list("version", "plies").get(pk=table.pk)
        play_one(table)
        after = Table.objects.get(pk=table.pk)
        assert after.version == version + 1
        forced += after.plies - plies - 1
    rows = CinqMove.objects.filter(table=table)
    assert forced == rows.filter(by=By.FORCED).count() > 0
    assert not rows.filter(by=By.FORCED, request__isnull=False).exists()
    assert not rows.filter(kind__in=["draw", "pass"]).exclude(by=By.FORCED).exists(), "draws and passes never wait"
    seats = Seat.objects.filter(table=table)
    assert sum(seat.own_moves for seat in seats) == rows.filter(by=By.PLAYER).count()
    assert all(seat.clock_moves == 0 for seat in seats)


def test_every_running_table_has_somebody_who_owes_by_a_time(alice: User, bob: User, carla: User) -> None:
    table = open_for(alice, bob, carla, bots=1, options={"mode": "piegeur", "limite": 5})
    while Table.objects.get(pk=table.pk).status == Status.PLAYING:
        owing = Seat.objects.filter(table=table, owes_move=True)
        assert owing
        assert all(seat.deadline and seat.owes_since for seat in owing)
        seat = seat_to_act(table)
        if seat.bot:
            moves.play_for_absent(table.code, seat.number or 0)
        else:
            play_one(table)
    assert not Seat.objects.filter(table=table, owes_move=True).exists()


def test_a_running_record_hides_seed_and_hashes(alice: User, bob: User) -> None:
    table = open_for(alice, bob)
    play_one(table)
    vault = Vault.objects.get(table=table)
    running = selectors.record(Table.objects.get(pk=table.pk))
    assert "[Seed" not in running
    assert vault.unseal("seed")["seed"] not in running
    assert vault.state_hash not in running
    assert CinqMove.objects.filter(table=table).first().state_hash not in running


def test_the_vault_is_sealed_and_bound_to_its_place(alice: User, bob: User, settings: object) -> None:
    table, other = open_for(alice, bob), open_for(alice, bob)
    vault, foreign = Vault.objects.get(table=table), Vault.objects.get(table=other)
    assert "hand" not in vault.snapshot
    assert vault.unseal("snapshot")
    vault.snapshot = foreign.snapshot
    with pytest.raises(sealing.Broken):
        vault.unseal("snapshot")
    vault.snapshot = vault.deals
    with pytest.raises(sealing.Broken):
        vault.unseal("snapshot")


def test_keys_rotate_by_id(settings: object) -> None:
    old = {"old": b"o" * 32}
    settings.VAULT_KEYS = old
    sealed = sealing.seal("secret", "1/seed")
    settings.VAULT_KEYS = {"new": b"n" * 32, **old}
    assert sealing.unseal(sealed, "1/seed") == "secret"
    assert sealing.seal("secret", "1/seed").startswith("new:")
    settings.VAULT_KEYS = {"new": b"n" * 32}
    with pytest.raises(sealing.Broken):
        sealing.unseal(sealed, "1/seed")


def test_the_snapshot_is_what_the_log_says(alice: User, bob: User) -> None:
    table = open_for(alice, bob)
    play_one(table)
    vault = Vault.objects.get(table=table)
    snapshot = vault.unseal("snapshot")
    assert observe.audit(Table.objects.get(pk=table.pk)) == []
    snapshot["totals"] = [99, 0]
    vault.seal("snapshot", snapshot)
    Vault.objects.filter(pk=vault.pk).update(snapshot=vault.snapshot)
    assert observe.audit(Table.objects.get(pk=table.pk)) == [f"{table.code}: the snapshot is not the log's"]


def test_a_move_costs_at_most_eleven_queries(alice: User, bob: User) -> None:
    table = open_for(alice, bob)
    seat = seat_to_act(table)
    text = legal(table, seat)[0]
    with CaptureQueriesContext(
        connection,
    ) as queries:
        moves.play(table.code, user=seat.user, text=text, seen=table.plies, request=uuid4())
    real = [
        query for query in queries.captured_queries if not query["sql"].startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))
    ]
    assert len(real) <= 11, [query["sql"][:80] for query in real]


def test_a_glimpse_is_one_query(alice: User, bob: User) -> None:
    table = open_for(alice, bob)
    with CaptureQueriesContext(connection) as queries:
        glimpse = observe.glimpse(table.code)
        assert glimpse is not None
        glimpse.observation(0)
        [selectors.seat_name(seat) for seat in glimpse.seats]
    assert len(queries) == 1


def test_nothing_is_dealt_anew_from_what_is_stored(alice: User, bob: User, carla: User) -> None:
    """A stored shuffle wins over its derivation: a running table is never dealt again."""
    table = open_for(alice, bob, carla)
    vault = Vault.objects.get(table=table)
    deals = vault.unseal("deals")
    assert set(deals) == {"seats", "hand/1", "odd"}
    state = codec.decode(table.rules.State, vault.unseal("snapshot"))
    turned = {**deals, "hand/1": deals["hand/1"][::-1]}
    dealt = table.rules.deal(table.rules.read_options(table.options), 3, Chance(bytes(32), turned))
    assert dealt.hands != state.hands
    same = table.rules.deal(table.rules.read_options(table.options), 3, Chance(bytes(32), deals))
    assert same.hands == state.hands
