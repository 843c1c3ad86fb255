"""Writes the golden records of 5inq en Ligne: `python tests/games/cinq_en_ligne/make_records.py --overwrite`, from the top.

They pin every state hash of version 1 for ever. A change that alters one needs a new version of the rules, not new records.
Deals are drawn from seeds as at the site; `lot` is the number of the seed that brings the ending the record is to show.
"""

import argparse
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[3]))

from games.cinq_en_ligne import bots
from games.cinq_en_ligne.rules import RULEBOOK, LineMove, LineOptions, LineState
from games.engine.chance import Chance, commitment, deal_key, state_hash
from games.engine.codec import canonical, canonical_json
from games.engine.record import Ply, Record, write

RECORDS = Path(__file__).parent / "records"
RULES = RULEBOOK[1]
Player = Callable[[LineState, int, Random], LineMove]


def at_random(state: LineState, seat: int, rng: Random) -> LineMove:
    """Any move."""
    return rng.choice(RULES.legal_moves(state, seat))


def in_place(state: LineState, seat: int, rng: Random) -> LineMove:
    """Each card on the square of its own number: the only way to fill the board."""
    own = [move for move in RULES.legal_moves(state, seat) if len(set(str(move).split("@"))) == 1]
    return rng.choice(own)


def hoarding(state: LineState, seat: int, rng: Random) -> LineMove:
    """Draw whenever that is allowed, else the highest card on the lowest square it fits."""
    moves = RULES.legal_moves(state, seat)
    if str(moves[-1]) in ("draw", "pass"):
        return moves[-1]
    return min(moves, key=lambda move: (-int(str(move).split("@")[0]), int(str(move).split("@")[1])))


def sly(state: LineState, seat: int, rng: Random) -> LineMove:
    """The automatic player that one plays against."""
    return LineMove.parse(bots.choose(RULES.observation(state, seat), rng.getrandbits(32), "malin"))


def careful(state: LineState, seat: int, rng: Random) -> LineMove:
    """The automatic player that plays for absent people."""
    return LineMove.parse(bots.choose(RULES.observation(state, seat), rng.getrandbits(32)))


class Golden(NamedTuple):
    """A record to make: the table, who plays (the first to sit, the others), the seed, and what has to come of it."""

    options: LineOptions
    seats: int
    first: Player
    others: Player
    lot: int
    ending: str
    length: int = 5


TABLES = {
    "ligne_2_sinueux": Golden(LineOptions(), 2, careful, sly, 0, "line"),
    "ligne_3_aleatoire": Golden(LineOptions(plateau="aleatoire"), 3, careful, sly, 0, "line"),
    "ligne_4_spirale": Golden(LineOptions(plateau="spirale"), 4, careful, sly, 0, "line"),
    "ligne_6_en_2_rangees": Golden(LineOptions(2, "rangees"), 6, careful, sly, 0, "line"),
    "ligne_longue_8": Golden(LineOptions(), 8, careful, at_random, 0, "line", 6),
    "plein_3": Golden(LineOptions(), 3, in_place, in_place, 4, "full"),
    "quatre_mortes_2": Golden(LineOptions(), 2, at_random, at_random, 2, "dead"),
    "quatre_mortes_6_en_3": Golden(LineOptions(3, "spirale"), 6, careful, careful, 34, "dead"),
    "blocage_9": Golden(LineOptions(plateau="rangees"), 9, at_random, at_random, 16, "blocked"),
    "blocage_3_aleatoire": Golden(LineOptions(plateau="aleatoire"), 3, at_random, hoarding, 57, "blocked"),
}


def play(name: str, golden: Golden) -> tuple[str, LineState]:
    """The record of one match and its last state."""
    rng = Random(f"{name}/{golden.lot}")
    code = sha256(name.encode()).hexdigest()[:10].upper()
    seed = sha256(f"golden {name}/{golden.lot}".encode()).digest()
    clients = ("une phrase à moi", *(f"bot/{joined}" for joined in range(1, golden.seats)))
    sides = RULES.sides(golden.options, golden.seats)
    chosen = tuple(joined % sides for joined in range(golden.seats)) if sides < golden.seats else ()
    chance = Chance(deal_key(seed, clients))
    joined = chance.seating(golden.seats, chosen)
    plies: list[Ply] = []
    state = RULES.deal(golden.options, golden.seats, chance)
    while to_act := RULES.to_act(state):
        seat, forced = to_act[0], RULES.forced(state)
        by = "forced" if forced else "bot" if joined[seat] else "player"
        move = forced[1] if forced else (golden.others if joined[seat] else golden.first)(state, seat, rng)
        state = RULES.apply(state, seat, move, chance).state
        plies.append(Ply(seat, by, str(move), state_hash(chance.key, canonical(state))))
    text = canonical_json(RULES.options_json(golden.options))
    record = Record(
        code,
        "cinq_en_ligne",
        1,
        text,
        golden.seats,
        joined,
        clients,
        commitment(code, "cinq_en_ligne", 1, text, seed),
        seed,
        RULES.outcome(state),
        tuple(plies),
        {"Player0": 'Zoé "la rapide"'},
        chosen,
    )
    return write(record, hash_every=1), state


def shows(golden: Golden, state: LineState) -> bool:
    """Whether the match ended as the record is to show."""
    lines = RULES.observation(state, None)["lines"]
    return state.ending == golden.ending and (not lines or max(map(len, lines)) >= golden.length)


def make(name: str) -> str:
    """The text of one record. Raises RuntimeError when its seed does not bring its ending."""
    text, state = play(name, TABLES[name])
    if not shows(TABLES[name], state):
        raise RuntimeError(f"{name} does not end as it should")
    return text


def main() -> None:
    """Write the missing records, and with the flag all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--overwrite", action="store_true", help="replace records that exist")
    overwrite = parser.parse_args().overwrite
    RECORDS.mkdir(exist_ok=True)
    for name in TABLES:
        path = RECORDS / f"{name}.txt"
        if overwrite or not path.exists():
            path.write_text(make(name), encoding="utf-8")
            print(path)


if __name__ == "__main__":
    main()
