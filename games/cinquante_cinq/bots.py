"""The automatic players of 55: *prudent* goes by weights, *malin* deals the unseen cards at random and plays them out.

Both decide from the observation alone, and the seed only chooses among what is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, sqrt
from typing import Any, Final

from games.cinquante_cinq import auction
from games.cinquante_cinq.auction import CALLS, HOLD, PASS, SWEEP, Standing
from games.cinquante_cinq.exchange import best_trump, keep, worth
from games.cinquante_cinq.moves import DISCARD, TRUMP, FiftyFiveMove
from games.cinquante_cinq.playout import GROUNDS, Ground, Tricks
from games.cinquante_cinq.rules import AUCTION, LEFT_OF_DEALER
from games.cinquante_cinq.sampling import Lot, Unseen, mask
from games.cinquante_cinq.scoring import settle, trick_points
from games.cinquante_cinq.tricks import DECK, SUITS

Seen = Mapping[str, Any]
LEVELS: Final = ("prudent", "malin")
EASE: Final = (1400, 450, 0, -200, -400, -600, -800, -1000)
"""Added to the weight of a hand for two, three ... nine seats: the fewer opponents, the easier the contract."""
FROM: Final = {10: -200, 15: 400, 20: 1100, 25: 1800, SWEEP: 3000}
"""The least weight, in hundredths, with which a prudent player promises that much."""


def choose(observation: Seen, seed: bytes | int, level: str = "prudent") -> str:
    """A legal text for the seat that observes and is on turn. Raises ValueError off turn or for an unknown level."""
    if level not in LEVELS:
        raise ValueError(f"no such level: {level}")
    legal: list[str] = observation["legal"]
    if not legal:
        raise ValueError("this seat is not to act")
    if len(legal) == 1:
        return legal[0]
    if level == "prudent":
        return _prudent(observation)
    return _malin(observation, seed if isinstance(seed, bytes) else str(seed).encode())


def limit(hand: int, seats: int) -> int:
    """The highest bid that a prudent player makes with these five cards, 0 for none."""
    weight = max(worth(hand, trump) for trump in SUITS) + EASE[seats - 2]
    return max((bid for bid, least in FROM.items() if weight >= least), default=0)


def sensible_call(now: Standing, options: Sequence[int], dealer: int, most: int) -> int:
    """The call of a prudent player whose limit is `most`, out of his options."""
    if now.turn == dealer:
        if now.owner is not None:
            return HOLD if now.bid <= most else PASS
        return min(call for call in options if call != PASS) if most or PASS not in options else PASS
    bids = [call for call in options if call > HOLD and call <= most]
    if not bids:
        return PASS
    return min(bids) if now.rival is not None else max(bids)


def _prudent(seen: Seen) -> str:
    hand = DECK.mask(seen["hand"])
    if seen["phase"] == AUCTION:
        now, options = _standing(seen)
        return auction.TEXTS[sensible_call(now, options, seen["dealer"], limit(hand, seen["seats"]))]
    if seen["phase"] == DISCARD:
        return str(FiftyFiveMove(DISCARD, hand & ~keep(hand, best_trump(hand))))
    if seen["phase"] == TRUMP:
        return str(FiftyFiveMove(TRUMP, best_trump(hand)))
    tricks = _at_table(seen)
    return DECK.cards[tricks.ground.card[tricks.choice(seen["declarer"], seen["sides"])]]


def _standing(seen: Seen) -> tuple[Standing, list[int]]:
    """Where the auction stands and the calls open to the observer."""
    now = auction.standing(seen["seats"], seen["dealer"], [CALLS[text] for _, text in seen["calls"]])
    return now, [CALLS[text] for text in seen["legal"]]


def _at_table(seen: Seen) -> Tricks:
    """The tricks so far, with the observer's hand and no other."""
    ground = GROUNDS[DECK.suits.index(seen["trump"])]
    tricks = [*(trick["cards"] for trick in seen["tricks"]), seen["trick"]]
    leader = tricks[0][0][0] if tricks[0] else seen["to_act"][0]
    table = Tricks(ground, [0] * seen["seats"], leader)
    for cards in tricks:
        for _, text in cards:
            table.lay(ground.number[DECK.numbers[text]])
    table.hands[seen["me"]] = ground.renumbered(DECK.mask(seen["hand"]))
    return table


Worlds = Callable[[], list[list[int]]]


def _malin(seen: Seen, seed: bytes) -> str:
    unseen, lot = Unseen(seen), Lot(seed)

    def worlds() -> list[list[int]]:
        return unseen.deal(lot)

    if seen["phase"] == AUCTION:
        return _best_call(seen, worlds)
    if seen["phase"] == DISCARD:
        return _best_exchange(seen, worlds)
    if seen["phase"] == TRUMP:
        return _best_suit(seen, worlds)
    return _best_card(seen, worlds)


def _value(seen: Seen, totals: Sequence[int], winner: int | None) -> float:
    """The observer's chance to win the match with these totals, roughly: the nearer the target, the likelier.

    The longer the way, the less a lead is worth: what a deal brings varies, and the square root tells by how much. A point is
    worth a little in itself, so that even a hopeless player does not throw them away.
    """
    side: int = seen["me"] % seen["sides"]
    pride: float = PRIDE * totals[side]
    if winner is not None:
        return pride + (winner == side)
    missing: list[int] = [max(seen["cible"] - total, 1) for total in totals]
    scale: float = 6 + 2.6 * sqrt(min(missing))
    weights = [exp((min(missing) - each) / scale) for each in missing]
    return pride + weights[side] / sum(weights)


def _count(seen: Seen, table: Tricks, declarer: int, contract: int) -> float:
    end = settle(seen["totals"], trick_points(table.won, table.bonus), declarer, contract, seen["cible"])
    return _value(seen, end.totals, end.winner)


def _numbered(ground: Ground, hands: list[list[int]]) -> list[int]:
    number = ground.number
    return [sum([1 << number[card] for card in cards]) for cards in hands]


def _best_card(seen: Seen, worlds: Worlds) -> str:
    table = _at_table(seen)
    ground, sides, declarer, contract = table.ground, seen["sides"], seen["declarer"], seen["contract"]
    cards = [(text, ground.number[DECK.numbers[text]]) for text in seen["legal"]]
    gains: dict[str, float] = dict.fromkeys(seen["legal"], 0.0)
    for _ in range(CARD_WORLDS // len(cards)):
        hands = _numbered(ground, worlds()[:-1])
        for text, card in cards:
            trial = table.copy(hands)
            trial.lay(card)
            trial.finish(declarer, sides)
            gains[text] += _count(seen, trial, declarer, contract)
    return max(gains, key=lambda text: (gains[text], -ground.number[DECK.numbers[text]]))


def _first_leader(seen: Seen, declarer: int) -> int:
    before: int = seen["dealer"] if seen["entame"] == LEFT_OF_DEALER else declarer
    return (before + 1) % int(seen["seats"])


def _best_of(seen: Seen, worlds: Worlds, plans: list[tuple[str, int, int]]) -> str:
    """The text of the best plan: (text, cards kept, trump) each."""
    me, sides = seen["me"], seen["sides"]
    leader, contract = _first_leader(seen, me), seen["contract"]
    gains = [0.0] * len(plans)
    for _ in range(PLAN_WORLDS // len(plans)):
        world = worlds()[:-1]
        numbered = {trump: _numbered(GROUNDS[trump], world) for trump in {plan[2] for plan in plans}}
        for place, (_, kept, trump) in enumerate(plans):
            ground = GROUNDS[trump]
            table = Tricks(ground, numbered[trump], leader)
            table.hands[me] = ground.renumbered(kept)
            table.finish(me, sides)
            gains[place] += _count(seen, table, me, contract)
    best: str = plans[max(range(len(plans)), key=gains.__getitem__)][0]
    return best


def _best_exchange(seen: Seen, worlds: Worlds) -> str:
    hand = DECK.mask(seen["hand"])
    plans = []
    for text in seen["legal"]:
        kept = hand & ~FiftyFiveMove.parse(text).value
        plans += [(worth(kept, trump), text, kept, trump) for trump in SUITS]
    plans.sort(reverse=True)
    return _best_of(seen, worlds, [plan[1:] for plan in plans[:PLANS]])


def _best_suit(seen: Seen, worlds: Worlds) -> str:
    hand = DECK.mask(seen["hand"])
    return _best_of(seen, worlds, [(str(FiftyFiveMove(TRUMP, suit)), hand, suit) for suit in SUITS])


def _best_call(seen: Seen, worlds: Worlds) -> str:
    now, options = _standing(seen)
    gains = dict.fromkeys(options, 0.0)
    seats = seen["seats"]
    mine = limit(DECK.mask(seen["hand"]), seats)
    for _ in range(CALL_WORLDS // seats):
        world = worlds()
        limits = [mine if seat == seen["me"] else limit(mask(world[seat]), seats) for seat in range(seats)]
        played: dict[int, Tricks] = {}
        for call in options:
            end = _rest_of_auction(seen, now, call, limits)
            if end.owner is None:
                gains[call] += _value(seen, seen["totals"], None)
                continue
            if end.owner not in played:
                played[end.owner] = _declared(seen, world, end.owner)
            gains[call] += _count(seen, played[end.owner], end.owner, end.bid)
    return auction.TEXTS[max(options, key=lambda call: (gains[call], -call))]


def _rest_of_auction(seen: Seen, now: Standing, call: int, limits: list[int]) -> Standing:
    seats, dealer = seen["seats"], seen["dealer"]
    forced = seen["tous_passent"] != "redonne"
    now = auction.after(now, seats, dealer, call)
    while now.turn is not None:
        options = auction.options(now, dealer, forced_opening=forced)
        now = auction.after(now, seats, dealer, sensible_call(now, options, dealer, limits[now.turn]))
    return now


def _declared(seen: Seen, world: list[list[int]], declarer: int) -> Tricks:
    """The deal played out with that declarer, who exchanges with the kitty at the end of the world."""
    ten = mask(world[declarer]) | mask(world[-1])
    trump = best_trump(ten)
    ground = GROUNDS[trump]
    table = Tricks(ground, _numbered(ground, world[:-1]), _first_leader(seen, declarer))
    table.hands[declarer] = ground.renumbered(keep(ten, trump))
    table.finish(declarer, seen["sides"])
    return table


PRIDE: Final = 0.001
CARD_WORLDS: Final = 800
PLAN_WORLDS: Final = 900
CALL_WORLDS: Final = 900
PLANS: Final = 6
