"""Looking ahead with unseen cards: the same few moves tried in many deals that fit what the observer knows.

Every deal is played on for some plies by a quick player in all seats; a move is worth the mean of what comes of it.
"""
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import tanh
from typing import Any, Final, NamedTuple

from games.cinq_en_ligne.rules import DRAW, HAND, SQUARES
from games.cinq_en_ligne.sketch import Sketch
from games.engine.chance import Chance

P = dict(MOVES=8, ROUNDS=(6, 10, 16), KEEP=(8, 4, 2), PLIES=8, URGENT=100.0, LOW=0.35, SCALE=150.0)


class Deal(NamedTuple):
    hands: list[list[int]]
    stock: list[int]


def best(sketch: Sketch, observation: Mapping[str, Any], salt: bytes) -> str:
    """The text of the best move found."""
    me, sides, hand = observation["me"], observation["sides"], observation["hand"]
    side = me % sides
    worth = sketch.worth[side]
    fits = sketch.fits(hand)
    for card, square in fits:
        if square in sketch.threats[side]:
            return f"{card}@{square}"
    ranked = sorted(((worth[q] - P["LOW"] * (99 - c), c, q) for c, q in fits), reverse=True)
    moves: list[tuple[int, int] | None] = [(c, q) for _, c, q in ranked[:P["MOVES"]]]
    if "draw" in observation["legal"]:
        moves.append(None)
    if len(moves) == 1:
        return text(moves[0])
    chance = Chance(sha256(salt).digest())
    unseen = _unseen(observation)
    totals = {move: 0.0 for move in moves}
    n = 0
    for rounds, keep in zip(P["ROUNDS"], P["KEEP"], strict=True):
        for _ in range(rounds):
            deck = chance.shuffle(str(n), unseen)
            n += 1
            for move in moves:
                totals[move] += outcome(sketch, observation, move, deck)
        moves = sorted(moves, key=lambda m: -totals[m])[:keep]
    return text(moves[0])


def text(move: tuple[int, int] | None) -> str:
    return "draw" if move is None else f"{move[0]}@{move[1]}"


def _unseen(observation: Mapping[str, Any]) -> list[int]:
    known = set(observation["hand"])
    for _, played in observation["plays"]:
        if "@" in played:
            known.add(int(played.split("@")[0]))
    return [card for card in range(100) if card not in known]


def outcome(base: Sketch, observation: Mapping[str, Any], move: tuple[int, int] | None, deck: Sequence[int]) -> float:
    me, seats, sides = observation["me"], observation["seats"], observation["sides"]
    side = me % sides
    at = 0
    hands = []
    for seat, size in enumerate(observation["hand_sizes"]):
        if seat == me:
            hands.append(list(observation["hand"]))
        else:
            hands.append(sorted(deck[at:at + size]))
            at += size
    stock = list(deck[at:][::-1])
    sketch = base.copy()
    if move is None:
        hands[me].append(stock.pop())
        hands[me].sort()
    else:
        hands[me].remove(move[0])
        sketch.put(side, move[1])
    seat = me
    for ply in range(P["PLIES"] * seats // 2):
        seat = (seat + 1) % seats
        now, hand = seat % sides, hands[seat]
        if not sketch.free:
            return 0.0
        top = sketch.free[-1]
        if hand and hand[0] <= top:
            low = hand[0]
            if sketch.threats[now] and max(sketch.threats[now]) >= low:
                return 1.0 - ply * 0.01 if now == side else -1.0 + ply * 0.01
            pick = None
            for enemy in range(sides):
                if enemy != now and sketch.threats[enemy]:
                    v = max(sketch.threats[enemy])
                    if v >= low:
                        pick = max(c for c in hand if c <= v), v
                        break
            if pick is None:
                worth = sketch.worth[now]
                most = -1e9
                for c, q in sketch.fits(hand):
                    value = worth[q] + P["LOW"] * c
                    if value > most:
                        most, pick = value, (c, q)
                if stock and len(hand) < HAND and worth[pick[1]] < P["URGENT"]:
                    pick = None
            if pick is not None:
                hand.remove(pick[0])
                sketch.put(now, pick[1])
                continue
        if stock and len(hand) < HAND:
            hand.append(stock.pop())
            hand.sort()
            if len(hand) == HAND and hand[0] > top:
                return 0.0
    enemies = max(sketch.hope[s] for s in range(sides) if s != side)
    return 0.8 * tanh((sketch.hope[side] - enemies) / P["SCALE"])
