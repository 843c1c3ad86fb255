"""Every game and variant by the same measure: random play, replay of a golden record, observation and fragment of a table page.

Times are CPU times of this process; bytes are those of the fragment, plain and as nginx packs it (gzip, level 5).
"""

from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from bench.house import House, report
from bench.matches import session_of
from games import observe, registry
from games.engine.chance import Chance, deal_key
from games.engine.record import read, replay
from games.services import moves, tables

RECORDS = Path(__file__).resolve().parent.parent / "tests" / "games"
PLIES = 4000
PAINTS = 15
TURNS = 8
RUNS = 3


class Variant(NamedTuple):
    """A game with its options and seats, and the golden record that is replayed for it."""

    game: str
    seats: int
    options: Mapping[str, Any]
    record: str

    @property
    def name(self) -> str:
        """The game, its options and its seats, as the figures name them."""
        return " ".join([self.game, *map(str, self.options.values()), f"{self.seats} seats"])


OFFICIAL = {"brelan": "libre", "fin_manche": "dernier_tour", "bareme": "officiel", "jokers": "toujours"}
VARIANTS = (
    Variant("cinq", 2, {"mode": "classique"}, "classique_2"),
    Variant("cinq", 4, {"mode": "classique"}, "classique_4"),
    Variant("cinq", 4, {"mode": "piegeur"}, "piegeur_4"),
    Variant("six_fous", 4, {"jeu": 40}, "cards_40_seats_4"),
    Variant("six_fous", 3, {"jeu": 48}, "cards_48_seats_3"),
    Variant("cinq_rois", 4, {}, "maison_4"),
    Variant("cinq_rois", 4, OFFICIAL, "officiel_4"),
    Variant("cinquante_cinq", 4, {}, "alone_4"),
    Variant("cinquante_cinq", 6, {"equipes": 3}, "sides_6_in_3"),
    Variant("cinquante_cinq", 9, {}, "alone_9"),
    Variant("cinq_en_ligne", 2, {"plateau": "sinueux"}, "ligne_2_sinueux"),
    Variant("cinq_en_ligne", 9, {}, "blocage_9"),
)


def run(house: House) -> None:
    """Three figures a variant."""
    settings.ALLOWED_HOSTS.append("testserver")
    for variant in VARIANTS:
        report("games.random_play", variant.name, median(random_play(variant, run) for run in range(RUNS)), "plies/s", RUNS)
        plies, spent = zip(*(replayed(variant) for _ in range(RUNS)), strict=True)
        report("games.replay", variant.name, median(spent), "ms", RUNS, plies=plies[0])
        fragment(variant)


def random_play(variant: Variant, run: int) -> float:
    """Plies a second of uniformly random play, deals included; a match without an end is left after 500 plies."""
    rules = registry.get(variant.game).rules(registry.get(variant.game).version)
    options, pick, plies, match = rules.read_options(variant.options), Random(run).random, 0, 0
    start = process_time()
    while plies < PLIES:
        match += 1
        chance = Chance(sha256(f"{run}/{match}".encode()).digest())
        state = rules.deal(options, variant.seats, chance)
        for _ in range(500):
            if not (acting := rules.to_act(state)):
                break
            legal = rules.legal_moves(state, acting[0])
            state = rules.apply(state, acting[0], legal[int(pick() * len(legal))], chance).state
            plies += 1
    return plies / (process_time() - start)


def replayed(variant: Variant) -> tuple[int, float]:
    """(plies, milliseconds) of a golden record that is read and dealt and played again."""
    text = (RECORDS / variant.game / "records" / f"{variant.record}.txt").read_text(encoding="utf-8")
    start = process_time()
    record = read(text)
    rules = registry.get(variant.game).rules(record.version)
    chance = Chance(deal_key(record.seed or b"", record.client_seeds))
    steps = [(ply.seat, ply.notation or "") for ply in record.plies]
    for _step in replay(rules, rules.read_options(json.loads(record.options)), record.seats, chance, steps):
        pass
    return len(steps), 1000 * (process_time() - start)


def fragment(variant: Variant) -> None:
    """What a player's page fetches in the middle of a match: milliseconds of the whole view, and bytes."""
    people = [get_user_model().objects.create_user(username=f"bench-{uuid.uuid4().hex[:12]}") for _ in range(variant.seats)]
    table = tables.open_table(user=people[0], game=variant.game, options=variant.options, seats=variant.seats, pace=86400)
    for person in people[1:]:
        tables.sit(table.code, user=person, token=table.token)
    for turn in range(TURNS * variant.seats):
        seen = observe.glimpse(table.code)
        seat = next((seat for seat in seen.seats if seat.owes_move), None) if seen else None
        if seen is None or seat is None:
            break
        seed = observe.bot_seed(f"{variant.name}/{turn}")
        text = registry.get(variant.game).bots.choose(seen.observation(seat.number), seed)
        moves.play(table.code, user=seat.user, text=text, seen=seen.table.plies, request=uuid.uuid4())
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(people[0])
    client.get(f"/t/{table.code}/")
    times = []
    for _ in range(PAINTS):
        start = process_time()
        body = client.get(f"/t/{table.code}/live/?v=0").content
        times.append(1000 * (process_time() - start))
    sizes = {"bytes": len(body), "gzip": len(gzip.compress(body, 5))}
    report("games.fragment", variant.name, median(times), "ms", PAINTS, **sizes)
