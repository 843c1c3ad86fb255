"""Sockets say "there is something newer", to whom it concerns, and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.contrib.auth import logout
from django.test import Client, RequestFactory

from accounts.models import User
from accounts.signals import session_closed
from cinqsite import asgi
from games import consumers, invitations, live
from games.models import Table
from games.services import tables
from tests.playing import OPTIONS, open_for, play_one, seat_to_act

pytestmark = [pytest.mark.django_db(transaction=True)]
LONG = {"mode": "classique", "limite": 50}

Connect = Callable[..., Any]


@database_sync_to_async
def running(*people: User, **how: Any) -> Table:
    return open_for(*people, options=LONG, **how)


@database_sync_to_async
def one_move(table: Table) -> int:
    return play_one(table).table.version


async def test_a_move_reaches_everybody_who_looks(
    alice: User, bob: User, client_of: Callable[..., Client], socket: Connect
) -> None:
    table = await running(alice, bob)
    mine = await socket(f"/ws/t/{table.code}/?v={table.version}", await database_sync_to_async(client_of)(alice))
    watcher = await socket(f"/ws/t/{table.code}/?v={table.version}")
    assert await watcher.receive_nothing(0.2)
    version = await one_move(table)
    for page in (mine, watcher):
        frames = [json.loads(await page.receive_from(5))]
        if frames[0] == {"turns": True}:
            frames.append(json.loads(await page.receive_from(5)))
        assert {"table": table.code, "version": version} in frames


async def test_an_old_page_hears_at_once_that_it_is_old(alice: User, bob: User, socket: Connect) -> None:
    table = await running(alice, bob)
    version = await one_move(table)
    page = await socket(f"/ws/t/{table.code}/?v=1")
    assert json.loads(await page.receive_from(5)) == {"table": table.code, "version": version}
    await page.send_to(json.dumps({"v": 1}))
    assert json.loads(await page.receive_from(5)) == {"table": table.code, "version": version}
    await page.send_to(json.dumps({"v": version}))
    assert await page.receive_nothing(0.3)


@pytest.mark.parametrize(
    "frame",
    [
        " ",
        "{",
        "[]",
        "1",
        '{"v": "1"}',
        '{"v": -1}',
        '{"v": 1e3}',
        '{"v": true}',
        '{"v": 1, "move": "5O"}',
        '{"move": "5O"}',
        "[" * 3000,
    ],
)
async def test_a_bad_frame_closes_the_socket(frame: str, alice: User, bob: User, socket: Connect) -> None:
    table = await running(alice, bob)
    page = await socket(f"/ws/t/{table.code}/?v={table.version}")
    await page.send_to(text_data=frame)
    answer = await page.receive_output(5)
    assert (answer["type"], answer["code"]) == ("websocket.close", 4400)


async def test_binary_frames_close_the_socket(alice: User, bob: User, socket: Connect) -> None:
    table = await running(alice, bob)
    page = await socket(f"/ws/t/{table.code}/?v={table.version}")
    await page.send_to(bytes_data=b"\xff\x00")
    assert (await page.receive_output(5))["type"] == "websocket.close"


async def test_a_hidden_table_has_no_socket_for_strangers(
    alice: User, bob: User, carla: User, client_of: Callable[..., Client], socket: Connect
) -> None:
    table = await database_sync_to_async(tables.open_table)(
        user=alice, game="cinq", options=OPTIONS, seats=3, pace=86400, visibility="link"
    )
    path = f"/ws/t/{table.code}/?v=0"
    unknown = await socket("/ws/t/0000000000/?v=0")
    assert await socket(path) == await socket(path, await database_sync_to_async(client_of)(carla)) == unknown
    invited = await database_sync_to_async(client_of)(bob)
    invited.cookies[invitations.COOKIE] = invitations.with_link({}, table.code, table.token)
    page = await socket(path, invited)
    assert json.loads(await page.receive_from(5))["table"] == table.code
    await database_sync_to_async(tables.revoke_link)(table.code, by=alice)
    await page.receive_from(5)
    await page.send_to(json.dumps({"v": 0}))
    assert (await page.receive_output(5))["code"] == 4404


async def test_logging_out_closes_the_socket(alice: User, bob: User, client_of: Callable[..., Client], socket: Connect) -> None:
    table = await running(alice, bob)
    client = await database_sync_to_async(client_of)(alice)
    page = await socket(f"/ws/t/{table.code}/?v={table.version}", client)
    mine = await socket("/ws/me/", client)

    def end_session() -> None:
        request = RequestFactory().post("/")
        request.session, request.user = client.session, alice
        logout(request)
        session_closed.send(sender=None, user_id=alice.pk, session_key="")

    await database_sync_to_async(end_session)()
    for one in (page, mine):
        answer = await one.receive_output(5)
        assert (answer["type"], answer["code"]) == ("websocket.close", 4401)


@pytest.mark.parametrize("how", ["password", "ban", "ended elsewhere"])
async def test_a_new_password_a_ban_and_the_list_of_sessions_close_sockets(
    how: str, alice: User, client_of: Callable[..., Client], socket: Connect
) -> None:
    client = await database_sync_to_async(client_of)(alice)
    page = await socket("/ws/me/", client)

    def change() -> None:
        user = User.objects.get(pk=alice.pk)
        if how == "password":
            user.set_password("tout-autre-chose")
        elif how == "ban":
            user.is_active = False
        else:
            key = client.session.session_key
            client.session.delete()
            session_closed.send(sender=None, user_id=alice.pk, session_key=key)
        user.save()

    await database_sync_to_async(change)()
    answer = await page.receive_output(5)
    assert (answer["type"], answer["code"]) == ("websocket.close", 4401)


async def test_my_pages_hear_that_it_is_my_turn(
    alice: User, bob: User, client_of: Callable[..., Client], socket: Connect
) -> None:
    pages = [await socket("/ws/me/", await database_sync_to_async(client_of)(person)) for person in (alice, bob)]
    assert await socket("/ws/me/") == 4401
    table = await running(alice, bob)
    owing = await database_sync_to_async(lambda: seat_to_act(table).user)()
    mine, theirs = pages if owing == alice else pages[::-1]
    assert json.loads(await mine.receive_from(5)) == {"turns": True}
    assert await theirs.receive_nothing(0.3)


@pytest.mark.parametrize(
    "origin", ["", "null", "https://evil.example", "http://127.0.0.1:9999", "http://sub.127.0.0.1:8000", "ws://127.0.0.1:8000"]
)
async def test_a_foreign_origin_is_refused(origin: str, alice: User, bob: User, socket: Connect) -> None:
    table = await running(alice, bob)
    assert isinstance(await socket(f"/ws/t/{table.code}/?v=0", None, origin), int | None)


async def test_ten_sockets_opened_at_once_all_hear_the_next_event(alice: User, bob: User, socket: Connect) -> None:
    table = await running(alice, bob)
    pages = await asyncio.gather(*(socket(f"/ws/t/{table.code}/?v={table.version}") for _ in range(10)))
    version = await one_move(table)
    for page in pages:
        assert json.loads(await page.receive_from(5)) == {"table": table.code, "version": version}


async def test_a_missed_message_is_made_good_by_looking_again(
    alice: User, bob: User, socket: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "CHECK_SECONDS", 0.5)
    table = await running(alice, bob)
    page = await socket(f"/ws/t/{table.code}/?v={table.version}")
    with monkeypatch.context() as patch:
        patch.setattr(live, "publish", lambda messages: None)
        version = await one_move(table)
    assert json.loads(await page.receive_from(5)) == {"table": table.code, "version": version}


async def test_one_person_and_one_address_open_only_so_many(
    alice: User, bob: User, client_of: Callable[..., Client], socket: Connect, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMITS_ENABLED = True
    monkeypatch.setattr(consumers, "SOCKETS_OF_ONE", 2)
    monkeypatch.setattr(asgi, "SOCKETS_AT_ONCE", 4)
    client = await database_sync_to_async(client_of)(alice)
    first, second = [await socket("/ws/me/", client) for _ in range(2)]
    assert await socket("/ws/me/", client) == 4008
    await first.disconnect()
    again = await socket("/ws/me/", client)
    assert again != 4008
    theirs = await database_sync_to_async(client_of)(bob)
    assert 4008 not in [await socket("/ws/me/", theirs) for _ in range(2)]
    assert await socket("/ws/t/0000000000/?v=0") == 4008, "four are open from this address"
    await second.disconnect()
    assert await socket("/ws/t/0000000000/?v=0") == 4404


async def test_handshakes_of_an_address_are_counted_by_the_minute() -> None:
    door = asgi.BoundedSockets(None)
    assert all(door.admits("192.0.2.1") for _ in range(asgi.SOCKETS_A_MINUTE))
    assert not door.admits("192.0.2.1")
    assert door.admits("192.0.2.2")
