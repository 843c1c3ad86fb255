"""Writes the golden records of Cinq: `python tests/games/cinq/make_records.py --overwrite`, from the top of the tree.

They pin every state hash of version 1 for ever. A change that alters one needs a new version of the rules, not new records.
"""

import argparse
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[3]))

from games.cinq import bots
from games.cinq.rules import RULEBOOK, CinqOptions
from games.engine.chance import Chance, commitment, deal_key, state_hash
from games.engine.codec import canonical, canonical_json
from games.engine.record import Ply, Record, write

RECORDS = Path(__file__).parent / "records"
TABLES = {
    "classique_2": (CinqOptions("classique", 30, 10), 2),
    "classique_2_cartes_15": (CinqOptions("classique", 15, 15), 2),
    "classique_3": (CinqOptions("classique", 30), 3),
    "classique_4": (CinqOptions("classique", 30), 4),
    "piegeur_3": (CinqOptions("piegeur", 30), 3),
    "piegeur_4": (CinqOptions("piegeur", 50), 4),
}


def make(name: str) -> str:
    """One match: the first to sit plays by chance, the others are bots, and forced moves are played at once."""
    options, seats = TABLES[name]
    rules, rng = RULEBOOK[1], Random(name)
    code, seed = sha256(name.encode()).hexdigest()[:10].upper(), sha256(f"golden {name}".encode()).digest()
    clients = ("une phrase à moi", *(f"bot/{joined}" for joined in range(1, seats)))
    chance = Chance(deal_key(seed, clients))
    joined = chance.seating(seats)
    plies: list[Ply] = []
    state = rules.deal(options, seats, chance)
    while to_act := rules.to_act(state):
        seat, forced = to_act[0], rules.forced(state)
        if forced:
            by, move = "forced", forced[1]
        elif joined[seat]:
            by, lot = "bot", sha256(f"{code}/{len(plies) + 1}/{seat}".encode()).digest()
            move = rules.Move.parse(bots.choose(rules.observation(state, seat), lot))
        else:
            by, move = "player", rng.choice(rules.legal_moves(state, seat))
        state = rules.apply(state, seat, move, chance).state
        plies.append(Ply(seat, by, str(move), state_hash(chance.key, canonical(state))))
    text = canonical_json(rules.options_json(options))
    return write(
        Record(
            code,
            "cinq",
            1,
            text,
            seats,
            joined,
            clients,
            commitment(code, "cinq", 1, text, seed),
            seed,
            rules.outcome(state),
            tuple(plies),
            {"Player0": 'Zoé "la rapide"'},
        ),
        hash_every=1,
    )


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
