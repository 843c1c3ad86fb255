"""Writes the golden records of 55: `python tests/games/cinquante_cinq/make_records.py --overwrite`, from the top of the tree.

They pin every state hash of version 1 for ever. A change that alters one needs a new version of the rules, not new records.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[3]))

from games.cinquante_cinq import bots
from games.cinquante_cinq.auction import HOLD
from games.cinquante_cinq.rules import AUCTION, RULEBOOK, FiftyFiveMove, FiftyFiveOptions, FiftyFiveState
from games.engine.chance import Chance, commitment, deal_key, state_hash
from games.engine.codec import canonical, canonical_json
from games.engine.record import Ply, Record, write

RECORDS = Path(__file__).parent / "records"
RULES = RULEBOOK[1]


@dataclass(frozen=True)
class Table:
    """A table to record: its options, its seats, which deals everybody passes, and the words its seeds are made of.

    The words were chosen so that all `ways` of ending are shown.
    """

    options: FiftyFiveOptions
    seats: int
    passed: tuple[int, ...] = ()
    seed: str = "golden"


TABLES = {
    "alone_2": Table(FiftyFiveOptions(55), 2, seed="golden 3"),
    "alone_2_no_trump_played": Table(FiftyFiveOptions(55), 2, seed="golden 19"),
    "alone_3_dealer_must_open": Table(FiftyFiveOptions(55, tous_passent="donneur_oblige"), 3, (1, 3)),
    "alone_4": Table(FiftyFiveOptions(55), 4, seed="golden 1"),
    "alone_5_passed_out": Table(FiftyFiveOptions(55), 5, (2,)),
    "alone_7_from_the_declarer": Table(FiftyFiveOptions(55, entame="gauche_declarant"), 7),
    "alone_9": Table(FiftyFiveOptions(55), 9),
    "sides_4_in_2": Table(FiftyFiveOptions(110, equipes=2), 4),
    "sides_6_in_2": Table(FiftyFiveOptions(55, equipes=2), 6),
    "sides_6_in_3": Table(FiftyFiveOptions(55, equipes=3), 6),
    "sides_8_in_4": Table(
        FiftyFiveOptions(55, equipes=4, entame="gauche_declarant", tous_passent="donneur_oblige"), 8, seed="golden 1"
    ),
    "sides_9_in_3": Table(FiftyFiveOptions(55, equipes=3), 9),
}


def make(name: str) -> tuple[str, FiftyFiveState]:
    """The record of one match and its last state: the first to sit plays by chance, the others are bots."""
    table = TABLES[name]
    words = f"{table.seed} {name}"
    rng = Random(words)
    code, seed = sha256(name.encode()).hexdigest()[:10].upper(), sha256(words.encode()).digest()
    clients = ("une phrase à moi", *(f"bot/{joined}" for joined in range(1, table.seats)))
    sides = RULES.sides(table.options, table.seats)
    chosen = tuple(joined % sides for joined in range(table.seats)) if sides < table.seats else ()
    chance = Chance(deal_key(seed, clients))
    joined = chance.seating(table.seats, chosen)
    plies: list[Ply] = []
    state: FiftyFiveState = RULES.deal(table.options, table.seats, chance)
    while state.turn is not None:
        seat, (by, move) = state.turn, _decision(table, state, joined, rng, f"{code}/{len(plies) + 1}")
        state = RULES.apply(state, seat, move, chance).state
        plies.append(Ply(seat, by, str(move), state_hash(chance.key, canonical(state))))
    text = canonical_json(RULES.options_json(table.options))
    record = Record(
        code,
        "cinquante_cinq",
        1,
        text,
        table.seats,
        joined,
        clients,
        commitment(code, "cinquante_cinq", 1, text, seed),
        seed,
        RULES.outcome(state),
        tuple(plies),
        {"Player0": 'Zoé "la rapide"'},
        chosen,
    )
    return write(record, hash_every=1), state


def _decision(table: Table, state: FiftyFiveState, joined: tuple[int, ...], rng: Random, place: str) -> tuple[str, FiftyFiveMove]:
    """Who decides and what."""
    assert state.turn is not None
    forced, legal = RULES.forced(state), RULES.legal_moves(state, state.turn)
    if forced:
        return "forced", forced[1]
    if state.phase == AUCTION and state.hand_no in table.passed:
        return "clock", legal[0]
    if joined[state.turn] == 0:
        return "player", rng.choice(legal)
    lot = sha256(f"{place}/{state.turn}".encode()).digest()
    return "bot", FiftyFiveMove.parse(bots.choose(RULES.observation(state, state.turn), lot))


def ways(text: str, state: FiftyFiveState) -> set[str]:
    """The ways in which the deals and the match of a record ended."""
    found = set()
    for deal in state.sheet:
        if deal.declarer is None:
            found.add("passed out")
            continue
        found.add(f"{'60' if deal.contract == 60 else 'contract'} {'made' if deal.made else 'failed'}")
        if deal.bonus is None:
            found.add("no trump played")
        if deal.won.count(deal.won[0]) == 5 and deal.contract != 60:
            found.add("all five tricks with a lower contract")
    last, sides = state.sheet[-1], len(state.totals)
    mine = (last.declarer or 0) % sides
    if last.contract == 60 and last.made and state.winner == mine:
        found.add("won by a 60")
    else:
        found.add("won by the declarer's side" if state.winner == mine else "won by a defender")
    if state.winner != mine and not last.made:
        found.add("won though the declarer failed")
    if max(state.totals) > state.totals[state.winner or 0] or state.totals.count(max(state.totals)) > 1:
        found.add("won first, not by the highest total")
    if min(state.totals) < 0:
        found.add("a total below nothing")
    if f" {HOLD_TEXT}\n" in text:
        found.add("held")
    return found


HOLD_TEXT = str(FiftyFiveMove("call", HOLD))


def main() -> None:
    """Write the missing records, and with the flag all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--overwrite", action="store_true", help="replace records that exist")
    overwrite = parser.parse_args().overwrite
    RECORDS.mkdir(exist_ok=True)
    for name in TABLES:
        path = RECORDS / f"{name}.txt"
        if overwrite or not path.exists():
            path.write_text(make(name)[0], encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
