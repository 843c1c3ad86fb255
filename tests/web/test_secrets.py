"""Nobody's cards leave the site: twins of a table that differ only in hidden cards give equal bytes at every door (P17)."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from accounts.models import User
from games import live
from games.engine import codec
from games.models import Seat, Status, Table
from games.models.vault import Vault
from tests.games.cinq.twins import twin
from tests.playing import open_for, play_one

pytestmark = pytest.mark.django_db

MOVES = ["5O", "12B", "7C", "draw", "pass", "8O"]
REQUEST = UUID(int=7)


def rewrite(table: Table, state: Any) -> None:
    """Put another state into the vault, as if it had been dealt so."""
    vault = Vault.objects.get(table=table)
    vault.seal("snapshot", codec.encode(state))
    Vault.objects.filter(pk=vault.pk).update(snapshot=vault.snapshot)


def present(table: Table) -> Any:
    return codec.decode(table.rules.State, Vault.objects.get(table=table).unseal("snapshot"))


def normal(body: bytes) -> bytes:
    """Without the page's own CSRF token, request id and clock."""
    body = re.sub(rb'name="csrfmiddlewaretoken" value="[^"]+"', b"", body)
    body = re.sub(rb'name="request" value="[^"]+"', b"", body)
    return re.sub(rb'<meta name="server-now" content="[^"]+">', b"", body)


def seen_through(client: Client, table: Table) -> list[tuple[str, int, dict[str, str], bytes]]:
    """Status, headers and body at every door of the table, refused moves included."""
    version = Table.objects.get(pk=table.pk).version
    base = f"/t/{table.code}/"
    answers = [
        client.get(base + path)
        for path in ("", "live/?v=0", f"live/?v={version}", "observation.json", "record.txt", "nothing.css")
    ]
    if Seat.objects.filter(table=table, owes_move=True, user__isnull=False).exists():
        for text in MOVES:
            form = {"move": text, "seen": table.plies + 1000, "request": str(REQUEST)}
            answers.append(client.post(base + "move/", form, headers={"X-Requested-With": "live"}))
        answers.append(client.post(base + "move/", form))
    doors = []
    for answer in answers:
        headers = {
            name: value
            for name, value in answer.headers.items()
            if name not in ("X-Server-Now", "X-Request-Id", "Content-Length", "Expires")
        }
        doors.append((answer.request["PATH_INFO"], answer.status_code, headers, normal(answer.content)))
    return doors


@pytest.mark.parametrize(
    ("mode", "players", "seed"), [("classique", 2, 1), ("classique", 3, 2), ("piegeur", 3, 3), ("piegeur", 3, 4)]
)
def test_twins_are_equal_to_the_byte(
    mode: str, players: int, seed: int, alice: User, bob: User, carla: User, client_of: Callable[..., Client]
) -> None:
    rng = Random(seed)
    people = [alice, bob, carla][:players]
    table = open_for(*people, options={"mode": mode, "limite": 50})
    clients = {seat.number: client_of(seat.user) for seat in Seat.objects.filter(table=table).select_related("user")}
    clients[None] = client_of(None)
    compared = 0
    for ply in range(36):
        if Table.objects.get(pk=table.pk).status != Status.PLAYING:
            break
        if ply % 11 == 4:
            state = present(table)
            for viewer, client in clients.items():
                client.get(f"/t/{table.code}/")  # marks the turn as seen, once
                before = seen_through(client, table)
                rewrite(table, twin(state, viewer, rng))
                after = seen_through(client, table)
                rewrite(table, state)
                for one, other in zip(before, after, strict=True):
                    assert one == other, one[0]
                    compared += 1
        play_one(table)
    assert compared > 50


def test_a_seat_does_see_its_own_cards(alice: User, bob: User, carla: User, client_of: Callable[..., Client]) -> None:
    """The twin test could not fail if pages showed nothing: here the viewer's own cards change, and the bytes do."""
    table = open_for(alice, bob, carla)
    seat = Seat.objects.get(table=table, user=alice)
    client, state = client_of(alice), present(table)
    client.get(f"/t/{table.code}/")
    before = seen_through(client, table)
    rewrite(table, twin(state, (seat.number + 1) % 3, Random(1)))
    after = seen_through(client, table)
    assert before[1][3] != after[1][3]
    assert before[3][3] != after[3][3]


def test_no_frame_carries_more_than_a_version(
    monkeypatch: pytest.MonkeyPatch, alice: User, bob: User, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(live, "publish", sent.extend)
    with django_capture_on_commit_callbacks(execute=True):
        table = open_for(alice, bob)
        play_one(table)
    assert sent
    assert all(set(message) <= {"type", "table", "version"} for _group, message in sent)


def test_a_running_table_shows_no_seed_and_no_hash(alice: User, bob: User, client_of: Callable[..., Client]) -> None:
    table = open_for(alice, bob)
    play_one(table)
    vault = Vault.objects.get(table=table)
    secrets = [vault.unseal("seed")["seed"], vault.unseal("seed")["key"], vault.state_hash, vault.snapshot]
    for client in (client_of(alice), client_of(bob), client_of(None)):
        for _path, _status, headers, body in seen_through(client, table):
            text = body.decode() + str(headers)
            assert not any(secret in text for secret in secrets)


def test_a_hidden_table_is_nowhere(alice: User, bob: User, carla: User, client_of: Callable[..., Client]) -> None:
    table = open_for(alice, bob, visibility="link")
    for client in (client_of(None), client_of(carla)):
        hidden = seen_through(client, table)
        unknown = [client.get("/t/0000000000/" + path) for path in ("", "live/?v=0", "observation.json", "record.txt")]
        assert {status for _path, status, _headers, _body in hidden} == {404}
        assert {answer.status_code for answer in unknown} == {404}
        for path in ("/", "/lobby/", f"/u/{alice.pk}/", "/leaderboard/"):
            assert table.code not in client.get(path).content.decode()


@pytest.mark.parametrize("charset", ["utf-16", "rot13", "idna", "utf-7", "latin-1"])
def test_forms_in_another_charset_are_415_and_nothing_breaks(client: Client, charset: str) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = client.generic("POST", "/lobby/", b"a=b", content_type=f"{kind}; charset={charset}")
        assert answer.status_code == 415
        assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("key", ["abc\0", "x" * 31, "A" * 32, "é" * 32])
def test_a_session_cookie_that_is_none_of_ours_is_ignored(client: Client, key: str) -> None:
    client.cookies["sessionid"] = key
    assert client.get("/lobby/").status_code == 200


def test_a_client_seed_that_grows_is_refused(alice: User, client_of: Callable[..., Client]) -> None:
    form = {"game": "cinq", "seats": "2", "pace": "86400", "competitive": "0", "visibility": "public", "mode": "classique"}
    form |= {"limite": "30", "cartes": "10", "client_seed": "\u0958" * 150}
    assert client_of(alice).post("/new/", form).status_code == 422
