"""Melds of Les Cinq Rois by brute force: what a meld is, said once more, and every way to split a small hand.

Cards are texts, options words: nothing is shared with the solver.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations


def is_wild(card: str, rank: int, jokers: str = "toujours") -> bool:
    if card == "JK":
        return jokers == "toujours" or rank in (11, 12)
    return int(card[:-1]) == rank


def is_meld(cards: list[str], rank: int, brelan: str = "couleurs_differentes", jokers: str = "toujours") -> bool:
    """Whether these cards may be laid together as one meld."""
    naturals = [card for card in cards if not is_wild(card, rank, jokers)]
    if len(cards) < 3 or "JK" in naturals:
        return False
    if not naturals:
        return True
    suits, ranks = [card[-1] for card in naturals], [int(card[:-1]) for card in naturals]
    if len(set(ranks)) == 1 and (brelan == "libre" or (len(set(suits)) == len(suits) and len(cards) <= 5)):
        return True
    if len(set(suits)) > 1 or len(set(ranks)) < len(ranks):
        return False
    return any(set(ranks) <= set(range(low, low + len(cards))) for low in range(3, 15 - len(cards)))


def cost(card: str, rank: int, bareme: str = "maison") -> int:
    """The points of one card left over."""
    if card == "JK":
        return 50
    number = int(card[:-1])
    if number == rank:
        return 20
    table = {10: 10, 11: 10, 12: 10, 13: 25}
    return number if bareme == "officiel" else table.get(number, number)


def least(
    cards: list[str], rank: int, brelan: str = "couleurs_differentes", jokers: str = "toujours", bareme: str = "maison"
) -> int:
    """The least points left over, by trying every split."""

    @cache
    def search(left: tuple[str, ...]) -> int:
        if not left:
            return 0
        first, others = left[0], left[1:]
        best = cost(first, rank, bareme) + search(others)
        for size in range(2, len(left)):
            for chosen in combinations(range(len(others)), size):
                if is_meld([first, *(others[i] for i in chosen)], rank, brelan, jokers):
                    best = min(best, search(tuple(card for i, card in enumerate(others) if i not in chosen)))
        return best

    return search(tuple(cards))
