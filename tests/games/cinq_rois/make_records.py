"""Writes the golden records of Les Cinq Rois: `python tests/games/cinq_rois/make_records.py --overwrite` at the top of the tree.

They pin every state hash of version 1 for ever. A change that alters one needs a new version of the rules, not new records.
Matches are searched, seed after seed, until one shows what its record is there for.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count, pairwise
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[3]))

from games.cinq_rois import bots
from games.cinq_rois.rules import OUT, ROUNDS, RULEBOOK, RoisMove, RoisOptions, RoisState
from games.engine.chance import Chance, commitment, deal_key, state_hash
from games.engine.codec import canonical, canonical_json
from games.engine.record import Ply, Record, write

RECORDS = Path(__file__).parent / "records"
RULES = RULEBOOK[1]
OFFICIAL = RoisOptions("libre", "dernier_tour", "officiel", "toujours")
Events = list[tuple[object, ...]]


@dataclass(frozen=True)
class Kind:
    """A record to make: options, seats, how well people and bots play, and what must happen in it."""

    options: RoisOptions
    seats: int
    level: str
    shows: Callable[[RoisState, Events], bool]


def anything(_state: RoisState, _events: Events) -> bool:
    """A match that ends."""
    return True


def first_turn_out(_state: RoisState, events: Events) -> bool:
    """Somebody goes out before everybody has had a turn."""
    turns = [event for event in events if event[0] in ("deal", "discarded", "out")]
    return any(one[0] == "deal" and other[0] == "out" for one, other in pairwise(turns))


def tie(state: RoisState, _events: Events) -> bool:
    """Two winners."""
    return sum(place.rank == 1 for place in RULES.outcome(state)) > 1


def out_too(state: RoisState, events: Events) -> bool:
    """In a last turn somebody can lay everything as well: two seats without points in one round."""
    return any(scores.count(0) > 1 and any(scores) for scores in state.sheet)


def shared_nothing(state: RoisState, _events: Events) -> bool:
    """With melds deducted, a seat that is not out scores less than its hand, in some round nothing."""
    return any(0 in scores and min(score for score in scores if score) < 10 for scores in state.sheet)


def thrown_back(_state: RoisState, events: Events) -> bool:
    """A card is taken from the pile and thrown back at once."""
    pairs = pairwise(events)
    return any(one[0] == "took" and other[:1] == ("discarded",) and one[1:] == other[1:3] for one, other in pairs)


def made_anew(_state: RoisState, events: Events) -> bool:
    """The stock runs out and is made of the discards."""
    return any(event[0] == "reshuffled" for event in events)


KINDS = {
    "maison_2": Kind(RoisOptions(), 2, "malin", anything),
    "maison_3": Kind(RoisOptions(), 3, "prudent", thrown_back),
    "maison_4": Kind(RoisOptions(), 4, "malin", first_turn_out),
    "maison_6": Kind(RoisOptions(), 6, "prudent", first_turn_out),
    "maison_6_pioche_refaite": Kind(RoisOptions(), 6, "idle", made_anew),
    "officiel_4": Kind(OFFICIAL, 4, "malin", out_too),
    "officiel_2_egalite": Kind(OFFICIAL, 2, "prudent", tie),
    "dernier_tour_5": Kind(RoisOptions(fin_manche="dernier_tour"), 5, "prudent", out_too),
    "combinaisons_3": Kind(RoisOptions(fin_manche="immediat_combinaisons"), 3, "malin", shared_nothing),
    "jokers_manches_11_12_4": Kind(RoisOptions(brelan="libre", jokers="manches_11_12"), 4, "prudent", anything),
}


def make(name: str) -> str:
    """The first match of this kind that shows what it is there for. The first to sit down plays by chance, or nearly."""
    return next(text for number in count() for text in _matches(name, number))


def _matches(name: str, number: int) -> Iterator[str]:
    """The match of this number, if it shows it."""
    kind = KINDS[name]
    code = sha256(f"{name} {number}".encode()).hexdigest()[:10].upper()
    seed = sha256(f"golden {name} {number}".encode()).digest()
    clients = ("une phrase à moi", *(f"bot/{joined}" for joined in range(1, kind.seats)))
    chance = Chance(deal_key(seed, clients))
    joined = chance.seating(kind.seats)
    plies, events, rng = [], [], Random(code)
    state = RULES.deal(kind.options, kind.seats, chance)
    while (seat := state.turn) is not None:
        by, move = ("player" if joined[seat] == 0 else "bot"), _choice(kind, state, seat, f"{code}/{len(plies) + 1}", rng, joined)
        step = RULES.apply(state, seat, move, chance)
        state = step.state
        events += step.events
        plies.append(Ply(seat, by, str(move), state_hash(chance.key, canonical(state))))
    if kind.shows(state, events):
        text = canonical_json(RULES.options_json(kind.options))
        yield write(
            Record(
                code,
                "cinq_rois",
                1,
                text,
                kind.seats,
                joined,
                clients,
                commitment(code, "cinq_rois", 1, text, seed),
                seed,
                RULES.outcome(state),
                tuple(plies),
                {"Player0": 'Zoé "la rapide"'},
            )
        )


def _choice(kind: Kind, state: RoisState, seat: int, lot: str, rng: Random, joined: tuple[int, ...]) -> RoisMove:
    """Bots play their level; the person goes out when he can and else sometimes plays by chance.

    Where all are "idle", nobody goes out in the first laps of the last round: they draw from the stock until it is empty.
    """
    moves = RULES.legal_moves(state, seat)
    idle = kind.level == "idle"
    if idle and state.hand_no == ROUNDS and state.turns < 40:
        return moves[0] if state.drawn is None else rng.choice([move for move in moves if move.number < OUT])
    if joined[seat] == 0 and rng.random() < 0.3:
        return rng.choice([move for move in moves if move.number >= OUT] or moves)
    level = "prudent" if idle or joined[seat] == 0 else kind.level
    return RoisMove.parse(bots.choose(RULES.observation(state, seat), sha256(lot.encode()).digest(), level))


def main() -> None:
    """Write the missing records, and with the flag all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--overwrite", action="store_true", help="replace records that exist")
    overwrite = parser.parse_args().overwrite
    RECORDS.mkdir(exist_ok=True)
    for name in KINDS:
        path = RECORDS / f"{name}.txt"
        if overwrite or not path.exists():
            path.write_text(make(name), encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
