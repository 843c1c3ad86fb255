"""Les Cinq Rois on the site: the table page, what is stored of a move, and twins that look the same at every door."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.test import Client

from accounts.models import User
from games import registry, selectors, verify
from games.engine import codec
from games.models import Seat, Status, Table
from games.models.vault import Vault
from games.services import moves
from tests.games.cinq_rois.rois_twins import twin
from tests.playing import legal, open_for, play_one, seat_to_act

pytestmark = pytest.mark.django_db

LAST_TURN = {"fin_manche": "dernier_tour"}


def present(table: Table) -> Any:
    return codec.decode(table.rules.State, Vault.objects.get(table=table).unseal("snapshot"))


def rewrite(table: Table, state: Any) -> None:
    """Put another state into the vault, as if it had been dealt so."""
    vault = Vault.objects.get(table=table)
    vault.seal("snapshot", codec.encode(state))
    Vault.objects.filter(pk=vault.pk).update(snapshot=vault.snapshot)


def play_well(table: Table) -> None:
    """One ply as the automatic player would do it, so that rounds end."""
    seat = seat_to_act(table)
    bots, state = registry.get(table.game).bots, present(table)
    play_one(table, bots.choose(table.rules.observation(state, seat.number), state.turns))


def normal(body: bytes) -> bytes:
    """Without the page's own CSRF token, request id and clock."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", body)
    body = re.sub(rb'name="request" value="[^"]+"', b"", body)
    return re.sub(rb'<meta name="server-now" content="[^"]+">', b"", body)


def doors(client: Client, table: Table, texts: list[str]) -> list[tuple[str, int, bytes]]:
    """Path, status and body of everything a viewer can ask for, refused moves included."""
    base = f"/t/{table.code}/"
    answers = [client.get(base + path) for path in ("", "live/?v=0", "observation.json", "record.txt", "log/")]
    for text in texts:
        form = {"move": text, "seen": 10**6, "request": str(uuid4())}
        answers.append(client.post(base + "move/", form, headers={"X-Requested-With": "live"}))
    return [(answer.request["PATH_INFO"], answer.status_code, normal(answer.content)) for answer in answers]


@pytest.mark.parametrize(("options", "seed"), [({}, 1), (LAST_TURN, 2)])
def test_twins_are_equal_to_the_byte(
    options: dict[str, Any], seed: int, alice: User, bob: User, carla: User, client_of: Callable[..., Client]
) -> None:
    rng, compared = Random(seed), 0
    table = open_for(alice, bob, carla, game="cinq_rois", options=options)
    clients = {seat.number: client_of(seat.user) for seat in Seat.objects.filter(table=table).select_related("user")}
    clients[None] = client_of(None)
    for ply in range(22):
        if ply in (4, 21):
            state = present(table)
            for viewer, client in clients.items():
                client.get(f"/t/{table.code}/")  # marks the turn as seen, once
                before = doors(client, table, ["discard 8C", "x"])
                rewrite(table, twin(state, viewer, rng))
                after = doors(client, table, ["discard 8C", "x"])
                rewrite(table, state)
                for one, other in zip(before, after, strict=True):
                    assert one == other, one[0]
                    compared += 1
        play_well(table)
    assert compared > 50


def test_a_seat_does_see_its_own_cards(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    """The twin test could not fail if pages showed nothing."""
    table = open_for(alice, bob, game="cinq_rois", options={})
    seat = Seat.objects.get(table=table, user=alice)
    client, state = client_of(alice), present(table)
    client.get(f"/t/{table.code}/")
    before = doors(client, table, [])
    rewrite(table, twin(state, 1 - (seat.number or 0), Random(1)))
    assert doors(client, table, [])[0] != before[0]


def test_the_page_offers_what_is_legal(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    """Stock and pile, then each discard, and going out only when one can; every id stands once."""
    table = open_for(alice, bob, game="cinq_rois", options={})
    clients = {seat.number: client_of(seat.user) for seat in Seat.objects.filter(table=table).select_related("user")}
    outs = 0
    for ply in range(40):
        seat = seat_to_act(table)
        texts = legal(table, seat)
        page = clients[seat.number].get(f"/t/{table.code}/").content.decode()
        offered = re.findall(r'name="move" value="([^"]+)"', page)
        assert set(offered) == set(texts)
        outs += any(text.startswith("out") for text in offered)
        ids = Counter(re.findall(r'\bid="([^"]+)"', page))
        assert [name for name, count in ids.items() if count > 1] == []
        if ply % 8 == 0:
            waiting = clients[1 - (seat.number or 0)].get(f"/t/{table.code}/").content.decode()
            assert 'name="move"' not in waiting
        play_well(table)
    assert outs


def test_the_columns_of_a_move_follow_from_its_text(alice: User, bob: User) -> None:
    table = open_for(alice, bob, game="cinq_rois", options={})
    model = apps.get_model(registry.get("cinq_rois").move_model)
    for _ in range(60):
        before = present(table)
        play_well(table)
        row = model._default_manager.filter(table=table).order_by("-ply")[0]
        verb, _, card = row.notation.partition(" ")
        assert row.round == before.hand_no + 2
        if verb in ("stock", "pile"):
            assert (row.kind, row.source) == ("draw", verb)
            assert bool(row.card) == (verb == "pile")
        else:
            assert (row.kind, row.card, row.source) == (verb, card, "")
        assert (row.melds != "") == (verb == "out")
    assert model._default_manager.filter(table=table, kind="out").exists()


def test_a_match_is_played_to_its_end(alice: User, client_of: Callable[..., Client]) -> None:
    """A person against bots; the record verifies."""
    table = open_for(alice, game="cinq_rois", bots=2, options={})
    client = client_of(alice)
    while Table.objects.get(pk=table.pk).status == Status.PLAYING:
        moves.play_waiting(table.code)
        if Table.objects.get(pk=table.pk).status != Status.PLAYING:
            break
        play_well(table)
    table = Table.objects.get(pk=table.pk)
    page = client.get(f"/t/{table.code}/").content.decode()
    assert page.count("<tfoot>") == 1
    assert list(verify.check(selectors.record(table)))[-1] == "result: agrees"


def test_what_the_others_did_stays_on_the_page_after_the_draw(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    """A turn is two plies: "since your last move" means since the turn before."""
    table = open_for(alice, bob, game="cinq_rois", options={})
    for _ in range(2):
        play_one(table, "stock")
        play_one(table)
    seat = seat_to_act(table)

    def told() -> str:
        page = client_of(seat.user).get(f"/t/{table.code}/").content.decode()
        return re.sub(r"<[^>]+>|\s+", " ", page.partition('id="since-title"')[2].partition("</section>")[0])

    assert "prend une carte dans la pioche" in (before := told())
    play_one(table, "stock")
    after = told()
    assert "Rien pour" not in after
    assert after.count("prend une carte dans la pioche") == before.count("prend une carte dans la pioche") + 1
    play_one(table)
    assert "prend une carte" not in told(), "his turn is over"
