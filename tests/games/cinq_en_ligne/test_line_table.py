"""5inq en Ligne at a real table: forms without script, what is stored, what every door shows, bots and clock, the record."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from accounts.models import User
from games import observe, selectors, verify
from games.cinq_en_ligne import bots as players
from games.cinq_en_ligne.models import CinqEnLigneMove
from games.cinq_en_ligne.rules import SQUARES, LineState, live_cards
from games.engine import codec
from games.models import Seat, Status, Table
from games.models.vault import Vault
from games.services import moves
from tests.games.cinq_en_ligne.line_twins import twin
from tests.playing import open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db

ClientOf = Callable[..., Client]
TEXTS = ["draw", "pass", "0@5", "99@99", "58@3"]


def a_table(*people: User, bots: int = 0, **options: Any) -> Table:
    return open_for(*people, game="cinq_en_ligne", bots=bots, options=options)


def present(table: Table) -> LineState:
    state: LineState = codec.decode(table.rules.State, Vault.objects.get(table=table).unseal("snapshot"))
    return state


def rewrite(table: Table, state: LineState) -> None:
    """Put another state into the vault, as if it had been dealt so."""
    vault = Vault.objects.get(table=table)
    vault.seal("snapshot", codec.encode(state))
    Vault.objects.filter(pk=vault.pk).update(snapshot=vault.snapshot)


def post(client: Client, table: Table, *, script: bool = False, **fields: Any) -> Any:
    form = {"seen": Table.objects.get(pk=table.pk).plies, "request": str(uuid4()), **fields}
    return client.post(f"/t/{table.code}/move/", form, headers={"X-Requested-With": "live"} if script else {})


def test_a_card_and_a_square_as_a_form(alice: User, bob: User, client_of: ClientOf) -> None:
    """Two chosen radios and a button: no script needed. What is missing or too low is said, and the choice stays."""
    table = a_table(alice, bob)
    seat = seat_to_act(table)
    client = client_of(seat.user)
    client.cookies["django_language"] = "en"
    hand = [int(card) for card in re.findall(r'name="card" value="(\d+)"', client.get(f"/t/{table.code}/").content.decode())]
    squares = re.findall(r'name="square" value="(\d+)"', client.get(f"/t/{table.code}/").content.decode())
    assert len(hand) == 4 and sorted(map(int, squares)) == list(range(hand[0], 100))
    assert post(client, table, card=hand[0]).status_code == 422
    assert post(client, table, square=hand[0]).status_code == 422
    assert post(client, table, card="x", square="5").status_code == 422
    assert post(client, table).status_code == 422
    low = post(client, table, card=hand[-1], square=hand[-1] - 1)
    assert low.status_code == 409
    assert re.search(rf'id="c-{hand[-1]}"[^>]* checked', low.content.decode())
    assert post(client, table, move="draw").status_code == 409
    assert present(table).plays == ()
    assert post(client, table, card=hand[-1], square=99).status_code == 303
    row = CinqEnLigneMove.objects.get(table=table)
    assert (row.kind, row.card, row.square, row.notation, row.by) == ("play", hand[-1], 99, f"{hand[-1]}@99", "player")
    assert post(client, table, card=hand[0], square=98).status_code == 409
    page = client.get(f"/t/{table.code}/").content.decode()
    assert 'name="square"' not in page and 'data-card="sq-99"' in page


def test_draw_as_a_button(alice: User, bob: User, client_of: ClientOf) -> None:
    table = a_table(alice, bob)
    for _ in range(2):
        play_one(table)
    seat = seat_to_act(table)
    client = client_of(seat.user)
    assert re.search(r'<button type="submit"[^>]*name="move" value="draw"', client.get(f"/t/{table.code}/").content.decode())
    # The radios of the form are sent along when something was chosen; the button decides.
    assert post(client, table, move="draw", card="5").status_code == 303
    row = CinqEnLigneMove.objects.filter(table=table).latest("ply")
    assert (row.kind, row.card, row.square) == ("draw", None, None)
    assert [list(event) for event in row.events] == [["drew", seat.number]]


def normal(body: bytes) -> bytes:
    """Without the page's own CSRF token, request id and clock."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", body)
    body = re.sub(rb'name="request" value="[^"]+"', b"", body)
    return re.sub(rb'<meta name="server-now" content="[^"]+">', b"", body)


def seen_through(client: Client, table: Table) -> list[tuple[str, int, bytes]]:
    """Status and body at every door of the table, refused moves included."""
    base = f"/t/{table.code}/"
    answers = [client.get(base + path) for path in ("", "live/?v=0", "log/", "observation.json", "record.txt")]
    for text in TEXTS:
        form = {"move": text, "seen": table.plies + 1000, "request": str(UUID(int=7))}
        answers.append(client.post(base + "move/", form, headers={"X-Requested-With": "live"}))
    return [(answer.request["PATH_INFO"], answer.status_code, normal(answer.content)) for answer in answers]


def with_a_full_rim(state: LineState) -> LineState:
    """The same table later: the squares from 80 up are taken, everybody holds two dead cards and a low one."""
    seats = len(state.hands)
    plays = tuple((number % seats, (30 + number) * SQUARES + 80 + number) for number in range(20))
    hands = [[84 + 2 * seat, 85 + 2 * seat, 5 + seat] for seat in range(seats)]
    gone = {30 + number for number in range(20)}.union(*hands)
    pegs = [sum(1 << number % SQUARES for seat, number in plays if seat == side) for side in range(seats)]
    return state._replace(
        hands=tuple(sum(1 << card for card in hand) for hand in hands),
        pegs=tuple(pegs),
        plays=plays,
        stock=tuple(card for card in range(SQUARES) if card not in gone),
    )


@pytest.mark.parametrize(("count", "seed"), [(2, 1), (3, 2)])
def test_twins_are_equal_to_the_byte(count: int, seed: int, alice: User, bob: User, carla: User, client_of: ClientOf) -> None:
    """Hands of others, order of the stock and dead cards of others change; page, fragment, log and record do not."""
    rng = Random(seed)
    table = a_table(*[alice, bob, carla][:count])
    clients = {seat.number: client_of(seat.user) for seat in Seat.objects.filter(table=table).select_related("user")}
    clients[None] = client_of(None)
    rewrite(table, with_a_full_rim(present(table)))
    dead_before = dead_after = 0
    for _ in range(3):
        state = present(table)
        for viewer, client in clients.items():
            client.get(f"/t/{table.code}/")  # marks the turn as seen, once
            before, other = seen_through(client, table), twin(state, viewer, rng)
            assert other != state
            dead_before += hidden_dead(state, viewer)
            dead_after += hidden_dead(other, viewer)
            rewrite(table, other)
            for one, two in zip(before, seen_through(client, table), strict=True):
                assert one == two, one[0]
            rewrite(table, state)
        play_one(table)
    assert dead_before > dead_after


def hidden_dead(state: LineState, viewer: int | None) -> int:
    """How many dead cards the viewer does not see."""
    live = live_cards(state.free)
    return sum((hand & ~live).bit_count() for seat, hand in enumerate(state.hands) if seat != viewer)


def test_ones_own_cards_are_seen(alice: User, bob: User, client_of: ClientOf) -> None:
    """The twin test could not fail if pages showed nothing."""
    table = a_table(alice, bob)
    seat = Seat.objects.get(table=table, user=alice)
    client, state = client_of(alice), present(table)
    client.get(f"/t/{table.code}/")
    before = seen_through(client, table)
    rewrite(table, twin(state, 1 - (seat.number or 0), Random(1)))
    assert before[0] != seen_through(client, table)[0]


def test_a_whole_match_with_bots_ends_and_verifies(alice: User, client_of: ClientOf) -> None:
    """A person in a team with bots, to the end: the result is on the page, the record holds."""
    table = a_table(alice, bots=3, plateau="aleatoire")
    for number in range(200):
        if Table.objects.get(pk=table.pk).status != Status.PLAYING:
            break
        seat = seat_to_act(table)
        if seat.user is None:
            moves.play_for_absent(table.code, seat.number or 0)
            continue
        glimpse = observe.glimpse(table.code)
        assert glimpse is not None
        play_one(table, players.choose(glimpse.observation(seat.number) or {}, number))
    table = Table.objects.get(pk=table.pk)
    assert table.status == Status.FINISHED
    assert list(verify.check(selectors.record(table)))[-1] == "result: agrees"
    page = client_of(None).get(f"/t/{table.code}/").content.decode()
    assert 'class="verdict"' in page
    places = sorted(Seat.objects.filter(table=table).values_list("place", flat=True))
    assert places in ([1, 1, 2, 2], [2, 2, 2, 2])
    assert observe.audit(table) == []


def test_refused_numbers_of_players(client_of: ClientOf, alice: User) -> None:
    client = client_of(alice)
    client.cookies["django_language"] = "en"
    page = client.get("/new/?game=cinq_en_ligne").content.decode()
    assert 'name="seats" value="6"' in page and 'name="seats" value="5"' not in page


def test_rules_page_and_home_page(client_of: ClientOf) -> None:
    client = client_of(None)
    client.cookies["django_language"] = "en"
    assert "Four dead cards end the match" in client.get("/rules/cinq_en_ligne/").content.decode()
    assert 'value="cinq_en_ligne"' in client.get("/").content.decode()
