"""Writes the golden records of Six fous: `python tests/games/six_fous/make_records.py --overwrite`, from the top of the tree.

They pin every state hash of version 1 for ever. A change that alters one needs a new version of the rules, not new records.
Each record shows a way in which a hand or a match can end; the tests say which, the trial numbers were searched for it.
"""

import argparse
import sys
from hashlib import sha256
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[3]))

from games.engine.chance import Chance, commitment, deal_key, state_hash
from games.engine.codec import canonical, canonical_json
from games.engine.record import Ply, Record, write
from games.six_fous import bots
from games.six_fous.rules import RULEBOOK, SixFousOptions

RECORDS = Path(__file__).parent / "records"
TABLES = {
    "cards_40_seats_3": (SixFousOptions(40, 100), 3, 0),
    "cards_40_seats_4": (SixFousOptions(40, 100), 4, 0),
    "cards_48_seats_3": (SixFousOptions(48, 100), 3, 0),
    "cards_48_seats_4": (SixFousOptions(48, 150), 4, 0),
    "two_seats": (SixFousOptions(40, 60), 2, 0),
    "match_tie": (SixFousOptions(40, 50), 4, 92),
    "several_reach_the_limit": (SixFousOptions(48, 50), 3, 0),
    "shared_hand_with_a_remainder": (SixFousOptions(40, 20), 4, 2),
    "winner_places_all": (SixFousOptions(40, 20), 4, 8),
    "loser_places_all": (SixFousOptions(40, 20), 3, 161),
    "shared_by_three": (SixFousOptions(48, 20), 4, 6),
}


def make(name: str, trial: int | None = None) -> str:
    """One match: the first to sit plays by chance, the others are bots, and forced moves are played at once."""
    options, seats, found = TABLES[name]
    lot = f"{name}/{found if trial is None else trial}"
    rules, rng = RULEBOOK[1], Random(lot)
    code, seed = sha256(lot.encode()).hexdigest()[:10].upper(), sha256(f"golden {lot}".encode()).digest()
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
            by, digest = "bot", sha256(f"{code}/{len(plies) + 1}/{seat}".encode()).digest()
            move = rules.Move.parse(bots.choose(rules.observation(state, seat), digest))
        else:
            by, move = "player", rng.choice(rules.legal_moves(state, seat))
        state = rules.apply(state, seat, move, chance).state
        plies.append(Ply(seat, by, str(move), state_hash(chance.key, canonical(state))))
    text = canonical_json(rules.options_json(options))
    record = Record(
        code=code,
        game="six_fous",
        version=1,
        options=text,
        seats=seats,
        joined=joined,
        client_seeds=clients,
        commitment=commitment(code, "six_fous", 1, text, seed),
        seed=seed,
        result=rules.outcome(state),
        plies=tuple(plies),
        headers={"Player0": 'Zoé "la rapide"'},
    )
    return write(record, hash_every=1)


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
