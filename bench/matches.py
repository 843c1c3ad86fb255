"""Running tables whose next moves are known: the bench looks into the vault, so that clients post and need not ask."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore

from games import registry
from games.engine import codec
from games.engine.chance import Chance
from games.models import Seat, Table
from games.models.vault import Vault
from games.services import tables

OPTIONS = {"mode": "classique", "limite": 50, "cartes": 10}


def session_of(user: Any) -> str:
    """A session key of that person."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[-1]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


@dataclass
class Match:
    """A two-player table, the sessions of its people by seat number, and the moves still to be posted."""

    code: str
    pk: int
    sessions: list[str]
    moves: Iterator[tuple[int, str, int]] = field(repr=False)

    def form(self) -> tuple[str, dict[str, Any]]:
        """(session, form fields) of the next move."""
        seat, text, seen = next(self.moves)
        return self.sessions[seat], {"move": text, "seen": seen, "request": uuid.uuid4()}


def open_matches(count: int, pace: int = 86400) -> list[Match]:
    """Start `count` long friendly tables for two, each with people of its own."""
    return [_open(pace) for _ in range(count)]


def _open(pace: int) -> Match:
    people = [get_user_model().objects.create_user(username=f"bench-{uuid.uuid4().hex[:12]}") for _ in range(2)]
    table = tables.open_table(user=people[0], game="cinq", options=OPTIONS, seats=2, pace=pace)
    tables.sit(table.code, user=people[1], token=table.token)
    table = Table.objects.get(pk=table.pk)
    seats = Seat.objects.filter(table=table).select_related("user").order_by("number")
    return Match(table.code, table.pk, [session_of(seat.user) for seat in seats], _moves(table))


def _moves(table: Table) -> Iterator[tuple[int, str, int]]:
    """(seat, text, plies before) of a random match from its present state on. The database is read now, not later."""
    rules = registry.get(table.game).rules(table.rules_version)
    vault = Vault.objects.get(table=table)
    chance = Chance(bytes.fromhex(vault.unseal("seed")["key"]), vault.unseal("deals"))
    return _played(rules, codec.decode(rules.State, vault.unseal("snapshot")), chance, table.plies, Random(table.pk))


def _played(rules: Any, state: Any, chance: Chance, plies: int, pick: Random) -> Iterator[tuple[int, str, int]]:
    """Random play; the site plays the forced plies itself, so they are not among the moves."""
    while to_act := rules.to_act(state):
        seat = to_act[0]
        move = pick.choice(rules.legal_moves(state, seat))
        yield seat, str(move), plies
        state = rules.apply(state, seat, move, chance).state
        plies += 1
        while (forced := rules.forced(state)) is not None:
            state = rules.apply(state, *forced, chance).state
            plies += 1
