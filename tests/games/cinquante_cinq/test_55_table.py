"""55 at a real table: forms, what is stored and sealed, what every door shows, clock and bots, the record."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from accounts.models import User
from games import clocktime, observe, selectors, verify
from games.cinquante_cinq import bots as players
from games.cinquante_cinq.models import FiftyFiveMove
from games.cinquante_cinq.rules import DISCARD, FiftyFiveState
from games.cinquante_cinq.tricks import DECK
from games.engine import codec
from games.engine.record import replay
from games.models import Seat, Status, Table
from games.models.vault import Vault
from games.services import clocks, moves
from tests.games.cinquante_cinq.twins import twin
from tests.playing import legal, open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db

ClientOf = Callable[..., Client]
TEXTS = ["hold", "trump C", "AC", "discard AP 2P 3P 4P 5P"]


def a_table(*people: User, **options: Any) -> Table:
    return open_for(*people, game="cinquante_cinq", options={"cible": 55, **options})


def present(table: Table) -> FiftyFiveState:
    state: FiftyFiveState = codec.decode(table.rules.State, Vault.objects.get(table=table).unseal("snapshot"))
    return state


def rewrite(table: Table, state: FiftyFiveState) -> None:
    """Put another state into the vault, as if it had been dealt so."""
    vault = Vault.objects.get(table=table)
    vault.seal("snapshot", codec.encode(state))
    Vault.objects.filter(pk=vault.pk).update(snapshot=vault.snapshot)


def play_to(table: Table, phase: str) -> Seat:
    """Play until a deal is at this phase; whoever may bid bids what he can. Who is on turn then."""
    while present(table).phase != phase:
        seat = seat_to_act(table)
        offered = legal(table, seat)
        play_one(table, offered[1] if "10" in offered else offered[0])
    return seat_to_act(table)


def post(client: Client, table: Table, *, script: bool = False, **fields: Any) -> Any:
    form = {"seen": Table.objects.get(pk=table.pk).plies, "request": str(uuid4()), **fields}
    headers = {"X-Requested-With": "live"} if script else {}
    return client.post(f"/t/{table.code}/move/", form, headers=headers)


def test_the_exchange_as_a_form(alice: User, bob: User, client_of: ClientOf) -> None:
    """Five ticked boxes, then a suit: no script needed."""
    table = a_table(alice, bob)
    seat = play_to(table, DISCARD)
    client = client_of(seat.user)
    page = client.get(f"/t/{table.code}/").content.decode()
    boxes = re.findall(r'name="discard" value="(\w+)"', page)
    assert len(boxes) == 10
    four = post(client, table, discard=boxes[:4])
    assert four.status_code == 422
    assert "five" in four.content.decode() or "cinq" in four.content.decode()
    assert post(client, table, discard=[*boxes[:4], "8Z"]).status_code == 422
    assert post(client, table, discard=[*boxes[:4], next(c for c in DECK.cards if c not in boxes)]).status_code == 409
    assert present(table).phase == DISCARD
    assert post(client, table, discard=boxes[::-1][:5]).status_code == 303
    assert set(DECK.texts(present(table).thrown)) == set(boxes[5:])
    assert seat_to_act(table) == seat
    assert post(client, table, move="trump T").status_code == 303
    assert present(table).trump == 3


def test_the_same_click_twice_throws_once(alice: User, bob: User, client_of: ClientOf) -> None:
    table = a_table(alice, bob)
    seat = play_to(table, DISCARD)
    ten, click = DECK.texts(present(table).hands[seat.number or 0]), str(uuid4())
    plies = Table.objects.get(pk=table.pk).plies
    for _ in range(2):
        form = {"seen": plies, "request": click, "discard": ten[:5]}
        assert client_of(seat.user).post(f"/t/{table.code}/move/", form).status_code == 303
    assert Table.objects.get(pk=table.pk).plies == plies + 1


def test_both_plies_of_the_exchange_share_one_deadline(alice: User, bob: User) -> None:
    table = a_table(alice, bob)
    seat = play_to(table, DISCARD)
    Seat.objects.filter(pk=seat.pk).update(extension=5)
    play_one(table)
    again = Seat.objects.get(pk=seat.pk)
    assert (again.owes_move, again.deadline, again.extension) == (True, seat.deadline, 5)


def test_a_discard_is_stored_sealed_and_has_no_column(alice: User, bob: User, carla: User) -> None:
    table = a_table(alice, bob, carla)
    seat = play_to(table, DISCARD)
    cards = legal(table, seat)[0]
    play_one(table, cards)
    row = FiftyFiveMove.objects.get(table=table, kind="discard")
    assert (row.notation, row.card, row.events) == ("?", "", [["exchanged", seat.number, 5]])
    assert observe.notation(row) == cards
    stored = str(FiftyFiveMove.objects.filter(pk=row.pk).values())
    assert not any(f"'{card}'" in stored or f" {card} " in stored for card in cards.split()[1:])


def test_nothing_tells_the_discards_while_the_table_runs(alice: User, bob: User, carla: User, client_of: ClientOf) -> None:
    table = a_table(alice, bob, carla)
    declarer = play_to(table, DISCARD)
    thrown = legal(table, declarer)[0].split()[1:]
    play_one(table, "discard " + " ".join(thrown))
    play_one(table)
    others = [seat.user for seat in Seat.objects.filter(table=table).select_related("user") if seat.pk != declarer.pk]
    hidden = set(thrown)
    for person in (*others, None):
        client = client_of(person)
        seen = client.get(f"/t/{table.code}/observation.json").json()["observation"]
        shown = client.get(f"/t/{table.code}/").content.decode()
        record = client.get(f"/t/{table.code}/record.txt").content.decode()
        assert seen["thrown"] == []
        assert not hidden & set(re.findall(r'data-card="(\w+)"', shown)) - set(seen["hand"])
        assert "discard" not in record
        assert re.search(rf"^\d+ {declarer.number} player \?$", record, re.MULTILINE)
    mine = client_of(declarer.user).get(f"/t/{table.code}/observation.json").json()["observation"]
    assert mine["thrown"] == thrown
    assert "discard" not in client_of(declarer.user).get(f"/t/{table.code}/record.txt").content.decode()


def seen_through(client: Client, table: Table) -> list[tuple[str, int, bytes]]:
    """Status and body at every door of the table, refused moves included, without token, request id and clock."""
    base, version = f"/t/{table.code}/", Table.objects.get(pk=table.pk).version
    paths = ("", "log/", "live/?v=0", f"live/?v={version}", "observation.json", "record.txt")
    answers = [client.get(base + path) for path in paths]
    for text in TEXTS:
        form = {"move": text, "seen": table.plies + 1000, "request": str(UUID(int=7))}
        answers.append(client.post(base + "move/", form, headers={"X-Requested-With": "live"}))
    noise = rb'name="(csrfmiddlewaretoken|request)" value="[^"]+"|<meta name="server-now" content="[^"]+">'
    return [(answer.request["PATH_INFO"], answer.status_code, re.sub(noise, b"", answer.content)) for answer in answers]


def test_twins_are_equal_to_the_byte(alice: User, bob: User, carla: User, client_of: ClientOf) -> None:
    """Tables that differ only in hands, kitty, discards and undealt cards that the viewer cannot see."""
    rng, table, compared = Random(1), a_table(alice, bob, carla), 0
    clients: dict[int | None, Client] = {
        seat.number: client_of(seat.user) for seat in Seat.objects.filter(table=table).select_related("user")
    }
    clients[None] = client_of(None)
    for ply in range(20):
        state = present(table)
        if ply % 9 == 1 or state.phase in (DISCARD, "trump"):
            for viewer, client in clients.items():
                client.get(f"/t/{table.code}/")  # marks the turn as seen, once
                before = seen_through(client, table)
                rewrite(table, twin(state, viewer, rng))
                after = seen_through(client, table)
                rewrite(table, state)
                for one, other in zip(before, after, strict=True):
                    assert one == other, one[0]
                    compared += 1
        offered = legal(table, seat_to_act(table))
        play_one(table, offered[1] if "10" in offered else None)
    assert compared > 150


def test_columns_follow_from_the_notation(alice: User, bob: User, carla: User) -> None:
    table = a_table(alice, bob, carla)
    rng = Random(3)
    for _ in range(40):
        play_one(table, rng.choice(legal(table, seat_to_act(table))))
    rows = list(FiftyFiveMove.objects.filter(table=table).order_by("ply"))
    vault = Vault.objects.get(table=table)
    chance = observe.Chance(bytes.fromhex(vault.unseal("seed")["key"]), vault.unseal("deals"))
    rules = table.rules
    texts = [(row.seat, observe.notation(row)) for row in rows]
    states = [step.state for step in replay(rules, rules.read_options(table.options), 3, chance, texts)]
    for state, row in zip(states, rows, strict=False):
        columns = FiftyFiveMove.columns(state, rules.Move.parse(observe.notation(row)))
        fresh = {"bid": None, "trump": "", "card": "", "trick": None, **columns}
        assert {name: getattr(row, name) for name in fresh} == fresh
        assert FiftyFiveMove.hides(observe.notation(row)) == (row.kind == "discard")
    assert {row.kind for row in rows} >= {"pass", "discard", "trump", "card"}
    assert observe.audit(Table.objects.get(pk=table.pk)) == []


def test_passes_after_a_60_and_last_cards_are_played_at_once(alice: User, bob: User, carla: User) -> None:
    table = a_table(alice, bob, carla)
    play_one(table, "60")
    rows = list(FiftyFiveMove.objects.filter(table=table).order_by("ply"))
    assert [(row.by, row.kind) for row in rows] == [("player", "bid"), ("forced", "pass")]
    assert seat_to_act(table).number == present(table).dealer
    play_one(table, "pass")
    while present(table).hand_no == 1 and Table.objects.get(pk=table.pk).status == Status.PLAYING:
        play_one(table)
    last = FiftyFiveMove.objects.filter(table=table, hand=1, trick=5)
    assert {row.by for row in last} == {"forced"}
    assert last.count() == 3


def play_with_bots(table: Table) -> Table:
    """The person does the first thing he may, everybody else is a bot."""
    while (now := Table.objects.get(pk=table.pk)).status == Status.PLAYING:
        seat = seat_to_act(table)
        if seat.user_id is None:
            moves.play_for_absent(table.code, seat.number or 0)
        else:
            play_one(table)
        assert now.plies < 2000
    return now


@pytest.mark.parametrize(("bots", "equipes"), [(1, 0), (3, 2)])
def test_a_match_against_bots_to_its_end_and_its_record(
    bots: int, equipes: int, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CARD_WORLDS", "PLAN_WORLDS", "CALL_WORLDS"):
        monkeypatch.setattr(players, name, 12)
    options = {"cible": 30, "equipes": equipes}
    table = open_for(alice, game="cinquante_cinq", bots=bots, options=options, **({"side": 0} if equipes else {}))
    over = play_with_bots(table)
    assert over.status == Status.FINISHED
    lines = list(verify.check(selectors.record(over)))
    assert lines[-1] == "result: agrees"
    places = list(Seat.objects.filter(table=over).order_by("number").values_list("place", flat=True))
    assert places.count(1) == (2 if equipes else 1)
    assert observe.audit(over) == []
    assert "discard" in selectors.record(over)


def test_the_clock_plays_both_plies_of_an_exchange_as_one_turn(alice: User, bob: User) -> None:
    table = a_table(alice, bob)
    seat = play_to(table, DISCARD)
    for each in Seat.objects.filter(pk=seat.pk):
        assert each.deadline is not None
        assert each.owes_since is not None
        gone = each.deadline - clocktime.now() + timedelta(minutes=1)
        Seat.objects.filter(pk=seat.pk).update(deadline=each.deadline - gone, owes_since=each.owes_since - gone)
    assert clocks.sweep() == 1
    kinds = list(FiftyFiveMove.objects.filter(table=table, by="clock").order_by("ply").values_list("kind", flat=True))
    assert kinds == ["discard", "trump"]
    assert Seat.objects.get(pk=seat.pk).strikes == 1


@pytest.mark.parametrize("equipes", ["0", "2"])
def test_one_click_on_the_home_page_starts_a_match_against_bots(equipes: str, client_of: ClientOf) -> None:
    client = client_of(None)
    home = client.get("/").content.decode()
    assert f'name="equipes" value="{equipes}"' in home
    form = {"game": "cinquante_cinq", "seats": "4", "equipes": equipes, "cible": "55", "client_seed": ""}
    answer = client.post("/play-bots/", form)
    assert answer.status_code in (302, 303)
    table = Table.objects.get(code=answer["Location"].split("/t/")[1][:10])
    assert (table.status, table.options["equipes"]) == (Status.PLAYING, int(equipes))
    assert client.get(f"/t/{table.code}/").status_code == 200
