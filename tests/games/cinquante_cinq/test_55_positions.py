"""The worked positions of the rules, section 1.9: 55-1 to 55-26."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.cinquante_cinq.auction import TEXTS, options, standing
from games.cinquante_cinq.rules import DISCARD, RULEBOOK, FiftyFiveMove, FiftyFiveState
from games.cinquante_cinq.scoring import settle, trick_points
from games.cinquante_cinq.tricks import DECK, TRUMPS
from games.engine.chance import ScriptedChance
from games.engine.rules import Illegal

RULES = RULEBOOK[1]
Play = Callable[..., tuple[FiftyFiveState, list[tuple[Any, ...]]]]
LEGAL = {
    "55-1": ("5P AC RC 9T 3K", "7P", "P", "5P AC RC 9T 3K"),
    "55-2": ("5P AC RC 9T 3K", "VP", "P", "5P AC"),
    "55-3": ("VP RC 9T 3K 2C", "5P", "P", "VP"),
    "55-4": ("VP 10P RC 9T 3K", "7P", "P", "VP 10P"),
    "55-5": ("AC 4K 9P 8T 2P", "RC", "T", "AC 4K 9P 8T 2P"),
    "55-6": ("AC 3C 9P 8T 2P", "RC", "T", "AC 3C 8T"),
    "55-9": ("5K 9T 3T 2P", "RT", "K", "5K 9T 3T"),
}


@pytest.mark.parametrize("name", LEGAL)
def test_legal_plays(name: str) -> None:
    hand, led, trump, legal = LEGAL[name]
    judged = TRUMPS[DECK.suits.index(trump)]
    assert judged.legal(DECK.mask(hand.split()), DECK.numbers[led]) == DECK.mask(legal.split())
    assert judged.legal(DECK.mask(hand.split()), None) == DECK.mask(hand.split())


@pytest.mark.parametrize(
    ("trick", "trump", "wins"),
    [
        ("10P 2P AP RT", "C", "AP"),
        ("AK 2K 5K DP", "T", "5K"),
        ("RC 10C AC 2T", "T", "AC"),
        ("RC 10C 5T AC", "T", "5T"),
        ("2T 10T 9T", "T", "2T"),
        ("2K 10K 9K", "K", "10K"),
        ("VC 5C AC RC", "C", "5C"),
        ("10T 2T RT VT", "T", "VT"),
    ],
)
def test_trick_winners(trick: str, trump: str, wins: str) -> None:
    cards = trick.split()
    assert cards[TRUMPS[DECK.suits.index(trump)].winner([DECK.numbers[card] for card in cards])] == wins


RANKINGS = {
    "trump C": "5C VC AC RC DC 10C 9C 8C 7C 6C 4C 3C 2C",
    "trump K": "5K VK AC AK RK DK 10K 9K 8K 7K 6K 4K 3K 2K",
    "trump T": "5T VT AC AT RT DT 2T 3T 4T 6T 7T 8T 9T 10T",
    "trump P": "5P VP AC AP RP DP 2P 3P 4P 6P 7P 8P 9P 10P",
    "plain C": "RC DC VC 10C 9C 8C 7C 6C 5C 4C 3C 2C",
    "plain K": "RK DK VK 10K 9K 8K 7K 6K 5K 4K 3K 2K AK",
    "plain T": "RT DT VT AT 2T 3T 4T 5T 6T 7T 8T 9T 10T",
    "plain P": "RP DP VP AP 2P 3P 4P 5P 6P 7P 8P 9P 10P",
}


@pytest.mark.parametrize("name", RANKINGS)
def test_rankings(name: str) -> None:
    kind, letter = name.split()
    suit = DECK.suits.index(letter)
    ranking = TRUMPS[suit].ranking if kind == "trump" else TRUMPS[(suit + 1) % 4].plain[suit]
    assert [DECK.cards[card] for card in ranking] == RANKINGS[name].split()


AUCTIONS = {
    "55-10": (4, 0, "10 passe 15 tient 20 tient passe", (0, 20)),
    "55-11": (4, 0, "60 passe passe tient", (0, 60)),
    "55-12": (4, 0, "60 passe passe passe", (1, 60)),
    "55-14": (4, 0, "passe passe passe 10", (0, 10)),
    "55-15": (4, 0, "10 passe passe 15 passe", (0, 15)),
    "55-17": (4, 0, "10 25 passe passe", (2, 25)),
    "55-18": (2, 1, "10 tient 15 20 25 tient passe", (1, 25)),
}


@pytest.mark.parametrize("name", AUCTIONS)
def test_auctions(name: str, bidding: Callable[..., FiftyFiveState], play: Play) -> None:
    seats, dealer, calls, result = AUCTIONS[name]
    state, events = play(bidding(seats, dealer), calls)
    assert (state.declarer, state.contract, state.phase, state.turn) == (*result, DISCARD, result[0])
    assert events[-1] == ("declarer", *result)
    assert [hand.bit_count() for hand in state.hands] == [10 if seat == result[0] else 5 for seat in range(seats)]
    assert state.kitty == 0


OPTIONS = [
    ("55-10 seat 3 in the duel", 4, 0, "10 passe 15 tient", 3, "pass 20 25 60"),
    ("55-10 dealer after the 20", 4, 0, "10 passe 15 tient 20", 0, "pass 25 60 hold"),
    ("55-11 seat 2", 4, 0, "60", 2, "pass"),
    ("55-11 seat 3", 4, 0, "60 passe", 3, "pass"),
    ("55-11 dealer", 4, 0, "60 passe passe", 0, "pass hold"),
    ("55-14 dealer without a bid", 4, 0, "passe passe passe", 0, "pass 10 15 20 25 60"),
    ("55-15 seat 1 answers a raise", 4, 0, "10 passe passe 15", 1, "pass 20 25 60"),
    ("55-17 after the 25", 4, 0, "10 25", 3, "pass 60"),
    ("the first to speak", 4, 0, "", 1, "pass 10 15 20 25 60"),
    ("dealer after a bid", 4, 0, "10 passe passe", 0, "pass 15 20 25 60 hold"),
]


@pytest.mark.parametrize(("name", "seats", "dealer", "calls", "seat", "expected"), OPTIONS, ids=[row[0] for row in OPTIONS])
def test_options(
    name: str, seats: int, dealer: int, calls: str, seat: int, expected: str, bidding: Callable[..., FiftyFiveState], play: Play
) -> None:
    state = play(bidding(seats, dealer), calls)[0] if calls else bidding(seats, dealer)
    assert state.turn == seat
    assert " ".join(map(str, RULES.legal_moves(state, seat))) == expected


def test_55_13_a_deal_that_everybody_passes(bidding: Callable[..., FiftyFiveState], play: Play) -> None:
    state, events = play(bidding(4, 0), "passe passe passe passe")
    assert (state.dealer, state.hand_no, state.turn, state.totals) == (1, 2, 2, (0, 0, 0, 0))
    assert events[-2:] == [("passed_out", 1), ("deal", 2, 1)]
    assert state.sheet[0].declarer is None
    assert RULES.observation(state, 0)["last_tricks"] == []


def test_a_dealer_who_must_open(bidding: Callable[..., FiftyFiveState], play: Play) -> None:
    state, _ = play(bidding(3, 2, tous_passent="donneur_oblige"), "passe passe")
    assert " ".join(map(str, RULES.legal_moves(state, 2))) == "10 15 20 25 60"
    with pytest.raises(Illegal, match="dealer_must_open"):
        play(state, "passe")
    assert play(state, "10")[0].declarer == 2
    after_a_bid, _ = play(bidding(3, 2, tous_passent="donneur_oblige"), "10 passe passe")
    assert after_a_bid.declarer == 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_auction_ends_within_n_plus_8_calls(seats: int) -> None:
    longest = 0

    def explore(calls: tuple[int, ...]) -> None:
        nonlocal longest
        now = standing(seats, 0, calls)
        open_calls = options(now, 0, forced_opening=False)
        if now.turn is None:
            longest = max(longest, len(calls))
            assert open_calls == ()
            assert now.owner is not None or not any(calls)
        for call in open_calls:
            assert call in TEXTS
            explore((*calls, call))

    explore(())
    assert longest == seats + 8


DEAL_19 = ("RK 3K RP 10C 7T", "RC 9C AK 4P 8T", "VK 2K DT 5T 6P", "5K AC DK RT 9P")
TRICKS_19 = "RC DT AC 10C 5K RK AK VK RT 7T 8T 5T DK 3K 9C 2K 9P RP 4P 6P"


@pytest.mark.parametrize(
    ("name", "declarer", "contract", "sides", "totals", "made"),
    [
        ("55-19a", 3, 25, 4, (5, 0, 0, 25), True),
        ("55-19b", 3, 60, 4, (5, 0, 0, -60), False),
        ("55-19c", 0, 10, 4, (-10, 0, 0, 25), False),
        ("55-19e", 2, 10, 2, (-10, 25), False),
    ],
)
def test_55_19_a_full_deal(
    name: str,
    declarer: int,
    contract: int,
    sides: int,
    totals: tuple[int, ...],
    made: bool,
    at_tricks: Callable[..., FiftyFiveState],
    play: Play,
) -> None:
    state, events = play(at_tricks(*DEAL_19, trump="K", declarer=declarer, contract=contract, totals=(0,) * sides), TRICKS_19)
    assert state.totals == totals
    deal = state.sheet[-1]
    assert (deal.won, deal.bonus, deal.made) == ((3, 3, 3, 3, 0), 1, made)
    assert trick_points(deal.won, deal.bonus) == [(3, 5), (3, 10), (3, 5), (3, 5), (0, 5)]
    assert [event for event in events if event[0] == "trick"] == [("trick", seat, no) for no, seat in enumerate(deal.won, 1)]


T = [(1, 5), (2, 10), (1, 5), (2, 5), (0, 5)]
RACES = {
    "55-20": ((50, 45, 40), T, 2, 15, 55, True, (55, 55, 55), 1, 2),
    "55-21": ((50, 40, 40), T, 2, 15, 55, True, (55, 50, 55), 2, 3),
    "55-22": ((50, 40, 40), T, 2, 20, 55, False, (55, 50, 20), 0, 4),
    "55-24": ((45, 45, 0), [(0, 5), (1, 10), (1, 5), (0, 5), (1, 5)], 1, 20, 55, True, (55, 65, 0), 1, 1),
    "55-25 at 25": ((0, 0, 45), [(2, 5), (2, 10), (2, 5), (2, 5), (2, 5)], 2, 25, 110, True, (0, 0, 75), None, None),
    "55-25 at 60": ((0, 0, 45), [(2, 5), (2, 10), (2, 5), (2, 5), (2, 5)], 2, 60, 110, True, (0, 0, 105), None, None),
    "55-25 from 50": ((0, 0, 50), [(2, 5), (2, 10), (2, 5), (2, 5), (2, 5)], 2, 60, 110, True, (0, 0, 110), 2, None),
    "55-26 at 25": ((0, 0), [(0, 5)] * 5, 0, 25, 55, True, (25, 0), None, None),
    "55-26 at 60": ((0, 0), [(0, 5)] * 5, 0, 60, 110, True, (60, 0), None, None),
}


@pytest.mark.parametrize("name", RACES)
def test_races(name: str) -> None:
    before, tricks, declarer, contract, target, made, after, winner, trick = RACES[name]
    end = settle(before, tricks, declarer, contract, target)
    assert (end.made, end.totals, end.winner, end.decisive) == (made, after, winner, trick)
    assert end.gains == tuple(new - old for new, old in zip(after, before, strict=True))


def test_55_26_without_a_trump_there_is_no_bonus(at_tricks: Callable[..., FiftyFiveState], play: Play) -> None:
    state = at_tricks("RK DK VK 10K 9K", "2K 3K 4K 5K 6K", trump="T", declarer=0, contract=25, turn=0)
    state, events = play(state, "RK 2K DK 3K VK 4K 10K 5K 9K 6K")
    assert state.sheet[-1].bonus is None
    assert state.totals == (25, 0)
    assert ("hand", 1, 0, 25, 1, [25, 0]) in events


@pytest.mark.parametrize(("entame", "first"), [("gauche_donneur", 1), ("gauche_declarant", 3)])
def test_who_leads_first(entame: str, first: int, bidding: Callable[..., FiftyFiveState], play: Play) -> None:
    state, _ = play(bidding(4, 0, entame=entame), "passe 10 passe passe")
    move = RULES.legal_moves(state, 2)[0]
    assert isinstance(move, FiftyFiveMove)
    step = RULES.apply(state, 2, move, ScriptedChance({}))
    assert (step.same_turn, step.state.turn) == (True, 2)
    after, events = play(step.state, "trump T", sep=",")
    assert events == [("trump", 2, "T")]
    assert after.turn == first


def test_a_suit_of_which_one_holds_nothing_may_be_trump(bidding: Callable[..., FiftyFiveState], play: Play) -> None:
    state, _ = play(bidding(2, 0), "10 passe")
    step = RULES.apply(state, 1, RULES.legal_moves(state, 1)[0], ScriptedChance({}))
    for move in RULES.legal_moves(step.state, 1):
        assert RULES.apply(step.state, 1, move, ScriptedChance({})).state.trump == move.value
    assert len(RULES.legal_moves(step.state, 1)) == 4
