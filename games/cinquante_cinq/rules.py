"""The rules of 55 for two to nine seats, alone or in sides.

"rules 1.3" in a docstring is that section of the rules document. Hands are bit masks of card numbers; a seat plays for
side seat mod sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from games.cinquante_cinq import auction, scoring
from games.cinquante_cinq.auction import HOLD, PASS, Standing
from games.cinquante_cinq.exchange import KEPT, proposals
from games.cinquante_cinq.moves import CALL, CALL_MOVES, CARD, DISCARD, TRUMP, TRUMP_MOVES, FiftyFiveMove, card_moves
from games.cinquante_cinq.tricks import DECK, TRICKS, TRUMPS
from games.engine.chance import Chance
from games.engine.rules import BadOptions, Event, Illegal, Place, Rules, Step

AUCTION: Final = "auction"
PLAY: Final = "play"
OVER: Final = "over"
PHASES: Final = {AUCTION: CALL, DISCARD: DISCARD, TRUMP: TRUMP, PLAY: CARD}
"""Phase of a deal -> the kind of move it asks for."""
LEFT_OF_DEALER: Final = "gauche_donneur"
LEFT_OF_DECLARER: Final = "gauche_declarant"
DEAL_AGAIN: Final = "redonne"
DEALER_MUST_OPEN: Final = "donneur_oblige"
ALONE: Final = 0
SIDES: Final = {4: (2,), 6: (2, 3), 8: (2, 4), 9: (3,)}
"""Number of seats -> the numbers of sides they may form, beside everybody for himself (rules 1.2)."""


@dataclass(frozen=True, slots=True)
class FiftyFiveOptions:
    """The table's options: `cible` (points to reach), `equipes` (number of sides, 0: everybody for himself), `entame` (who
    leads first) and `tous_passent` (what happens when everybody passes).
    """

    cible: int = 55
    equipes: int = ALONE
    entame: str = LEFT_OF_DEALER
    tous_passent: str = DEAL_AGAIN


class Deal(NamedTuple):
    """One deal on the score sheet. A passed-out one has no declarer.

    `won` names the winner of each trick, `bonus` the trick that held the highest trump, `gains` are by side.
    """

    hand_no: int
    dealer: int
    declarer: int | None
    contract: int
    trump: int | None
    made: bool
    won: tuple[int, ...]
    bonus: int | None
    gains: tuple[int, ...]


class FiftyFiveState(NamedTuple):
    """A match between two plies.

    `turn` is None when the match is over. `calls` are this deal's (seat, call); `kitty` is empty once the declarer has
    taken it and `thrown` are his discards; `plays` are this deal's (seat, card) and `won` the winners of its tricks so far;
    `totals` are by side; `last_plays` are the plays of the deal before.
    """

    options: FiftyFiveOptions
    hand_no: int
    dealer: int
    hands: tuple[int, ...]
    kitty: int
    phase: str
    turn: int | None
    calls: tuple[tuple[int, int], ...]
    declarer: int | None
    contract: int
    thrown: int
    trump: int | None
    plays: tuple[tuple[int, int], ...]
    won: tuple[int, ...]
    totals: tuple[int, ...]
    sheet: tuple[Deal, ...]
    last_plays: tuple[tuple[int, int], ...]
    winner: int | None


class FiftyFive(Rules[FiftyFiveState, FiftyFiveMove, FiftyFiveOptions]):
    """Version 1."""

    key = "cinquante_cinq"
    version = 1
    seats = range(2, 10)
    choices: ClassVar[Mapping[str, Sequence[int] | Sequence[str]]] = {
        "cible": range(5, 1001, 5),
        "equipes": (ALONE, 2, 3, 4),
        "entame": (LEFT_OF_DEALER, LEFT_OF_DECLARER),
        "tous_passent": (DEAL_AGAIN, DEALER_MUST_OPEN),
    }
    State = FiftyFiveState
    Move = FiftyFiveMove
    Options = FiftyFiveOptions

    def check(self, options: FiftyFiveOptions, seats: int) -> None:
        """Two to nine seats; sides only where rules 1.2 allows them."""
        if seats not in self.seats:
            raise BadOptions("seats", {"low": self.seats[0], "high": self.seats[-1]})
        if options.equipes != ALONE and options.equipes not in SIDES.get(seats, ()):
            raise BadOptions("no_such_sides", {"seats": seats, "sides": options.equipes})

    def sides(self, options: FiftyFiveOptions, seats: int) -> int:
        """The number of sides; as many as seats when everybody plays for himself."""
        return options.equipes or seats

    def deal(self, options: FiftyFiveOptions, seats: int, chance: Chance) -> FiftyFiveState:
        """The first deal; the lot names its dealer (rules 1.2)."""
        self.check(options, seats)
        return _deal(options, 1, chance.first("dealer", seats), seats, (0,) * self.sides(options, seats), (), (), chance)

    def opening(self, state: FiftyFiveState) -> tuple[Event, ...]:
        """The deal of the first hand."""
        return (_deal_event(state),)

    def to_act(self, state: FiftyFiveState) -> tuple[int, ...]:
        """The one seat on turn."""
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: FiftyFiveState, seat: int) -> tuple[FiftyFiveMove, ...]:
        """Every call, suit or card open to the seat; of the 252 exchanges a few sensible ones."""
        if seat != state.turn:
            return ()
        if state.phase == PLAY:
            return card_moves(_playable(state))
        if state.phase == AUCTION:
            return tuple(CALL_MOVES[call] for call in _calls(state))
        if state.phase == DISCARD:
            return tuple(FiftyFiveMove(DISCARD, cards) for cards in proposals(state.hands[seat]))
        return TRUMP_MOVES

    def apply(self, state: FiftyFiveState, seat: int, move: FiftyFiveMove, chance: Chance) -> Step[FiftyFiveState]:
        """Judge and play one ply; a ply that ends a deal also counts it and deals the next one."""
        if seat != state.turn:
            raise _not_your_turn(() if state.turn is None else (state.turn,))
        refusal = _refusal(_Judged.of_state(state), move)
        if refusal is not None:
            raise refusal
        if move.kind == CARD:
            return _play(state, seat, move.value, chance)
        if move.kind == CALL:
            return _call(state, seat, move.value, chance)
        if move.kind == DISCARD:
            return _throw(state, seat, move.value)
        return _name_trump(state, seat, move.value)

    def outcome(self, state: FiftyFiveState) -> tuple[Place, ...]:
        """The side that won the race first, the others by their totals; equal totals share the rank (rules 1.8)."""
        totals, sides = state.totals, len(state.totals)
        standings = [(side == state.winner, total) for side, total in enumerate(totals)]
        ranks = [1 + sum(other > mine for other in standings) for mine in standings]
        return tuple(Place(seat % sides, ranks[seat % sides], totals[seat % sides]) for seat in range(len(state.hands)))

    def observation(self, state: FiftyFiveState, seat: int | None) -> dict[str, Any]:
        """What rules 1.10 lets this seat know."""
        return {**_seen_by_all(state), **_seen_by(self, state, seat)}

    def forced(self, state: FiftyFiveState) -> tuple[int, FiftyFiveMove] | None:
        """The last card of a hand, and the pass of whoever is not the dealer after a 60: everybody can deduce them."""
        seat = state.turn
        if seat is None:
            return None
        if state.phase == AUCTION and auction.may_only_pass(_standing(state), state.dealer):
            return seat, CALL_MOVES[PASS]
        if state.phase == PLAY and len(state.won) == TRICKS - 1:
            return seat, card_moves(state.hands[seat])[0]
        return None

    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        """The refusal `apply` would give the observer, from what he sees."""
        move = FiftyFiveMove.parse(text)
        me = observation["me"]
        if me is None or me not in observation["to_act"]:
            return _not_your_turn(observation["to_act"])
        return _refusal(_Judged.of_observation(observation), move)


class _Judged(NamedTuple):
    """What a move is judged by: the mover's hand and public facts."""

    phase: str
    hand: int
    standing: Standing
    dealer: int
    calls: tuple[int, ...]
    led: int | None
    trump: int | None

    @classmethod
    def of_state(cls, state: FiftyFiveState) -> _Judged:
        hand = 0 if state.turn is None else state.hands[state.turn]
        bidding = state.phase == AUCTION
        calls = _calls(state) if bidding else ()
        return cls(state.phase, hand, _standing(state) if bidding else _NO_AUCTION, state.dealer, calls, _led(state), state.trump)

    @classmethod
    def of_observation(cls, seen: Mapping[str, Any]) -> _Judged:
        calls = [auction.CALLS[text] for _, text in seen["calls"]]
        now = auction.standing(seen["seats"], seen["dealer"], calls)
        forced = seen["tous_passent"] == DEALER_MUST_OPEN
        led = DECK.numbers[seen["trick"][0][1]] if seen["trick"] else None
        trump = None if seen["trump"] is None else DECK.suits.index(seen["trump"])
        options = auction.options(now, seen["dealer"], forced_opening=forced)
        return cls(seen["phase"], DECK.mask(seen["hand"]), now, seen["dealer"], options, led, trump)


_NO_AUCTION: Final = Standing(None, 0, None, None)


def _refusal(judged: _Judged, move: FiftyFiveMove) -> Illegal | None:
    """Why the seat on turn may not make this move, None if it may; from its own hand and public facts alone."""
    if move.kind != PHASES.get(judged.phase):
        return Illegal("not_now", {"phase": judged.phase})
    if move.kind == CALL:
        return None if move.value in judged.calls else _refused_call(judged, move.value)
    if move.kind == DISCARD:
        missing = DECK.texts(move.value & ~judged.hand)
        return Illegal("not_in_hand", {"card": missing[0]}) if missing else None
    if move.kind == CARD:
        return _refused_card(judged, move.value)
    return None


def _refused_call(judged: _Judged, call: int) -> Illegal:
    if call == HOLD:
        return Illegal("only_dealer_holds" if judged.standing.turn != judged.dealer else "nothing_to_hold")
    if call == PASS:
        return Illegal("dealer_must_open")
    return Illegal("must_raise", {"bid": judged.standing.bid})


def _refused_card(judged: _Judged, card: int) -> Illegal | None:
    text = DECK.cards[card]
    if not judged.hand >> card & 1:
        return Illegal("not_in_hand", {"card": text})
    if judged.trump is None or judged.led is None:
        return None
    trump = TRUMPS[judged.trump]
    if trump.legal(judged.hand, judged.led) >> card & 1:
        return None
    led, letter = DECK.cards[judged.led], DECK.suits[judged.trump]
    if trump.is_trump(judged.led):
        return Illegal("must_follow_trump", {"card": text, "led": led, "trump": letter})
    return Illegal("must_follow", {"card": text, "led": led, "suit": led[-1], "trump": letter})


def _not_your_turn(to_act: Sequence[int]) -> Illegal:
    return Illegal("not_your_turn", {"to_act": list(to_act)})


def _deal(
    options: FiftyFiveOptions,
    hand_no: int,
    dealer: int,
    seats: int,
    totals: tuple[int, ...],
    sheet: tuple[Deal, ...],
    last_plays: tuple[tuple[int, int], ...],
    chance: Chance,
) -> FiftyFiveState:
    """Five cards each from the left of the dealer on, then the kitty; the rest of the deck is not used (rules 1.2)."""
    deck = chance.shuffle(f"hand/{hand_no}", DECK.size)
    first, dealt = (dealer + 1) % seats, KEPT * seats
    hands = [0] * seats
    for place in range(seats):
        hands[(first + place) % seats] = _cards(deck[place:dealt:seats])
    return FiftyFiveState(
        options=options,
        hand_no=hand_no,
        dealer=dealer,
        hands=tuple(hands),
        kitty=_cards(deck[dealt : dealt + KEPT]),
        phase=AUCTION,
        turn=first,
        calls=(),
        declarer=None,
        contract=0,
        thrown=0,
        trump=None,
        plays=(),
        won=(),
        totals=totals,
        sheet=sheet,
        last_plays=last_plays,
        winner=None,
    )


def _cards(cards: Sequence[int]) -> int:
    return sum([1 << card for card in cards])


def _deal_event(state: FiftyFiveState) -> Event:
    return ("deal", state.hand_no, state.dealer)


def _standing(state: FiftyFiveState) -> Standing:
    return auction.standing(len(state.hands), state.dealer, [call for _, call in state.calls])


def _calls(state: FiftyFiveState) -> tuple[int, ...]:
    forced = state.options.tous_passent == DEALER_MUST_OPEN
    return auction.options(_standing(state), state.dealer, forced_opening=forced)


def _led(state: FiftyFiveState) -> int | None:
    """The card that leads the trick being played, None before it."""
    place = len(state.won) * len(state.hands)
    return state.plays[place][1] if len(state.plays) > place else None


def _playable(state: FiftyFiveState) -> int:
    """The cards the seat on turn may play; the deal must be at its tricks."""
    return TRUMPS[state.trump].legal(state.hands[state.turn], _led(state))  # type: ignore[index]


def _with_hand(hands: tuple[int, ...], seat: int, hand: int) -> tuple[int, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _call(state: FiftyFiveState, seat: int, call: int, chance: Chance) -> Step[FiftyFiveState]:
    """One call; the last one makes a declarer, who takes the kitty, or throws the deal in (rules 1.3)."""
    after = state._replace(calls=(*state.calls, (seat, call)))
    now = _standing(after)
    said: Event = ("passed", seat) if call == PASS else ("held", seat, now.bid) if call == HOLD else ("bid", seat, call)
    if now.turn is not None:
        return Step(after._replace(turn=now.turn), (said,))
    if now.owner is None:
        nothing = Deal(state.hand_no, state.dealer, None, 0, None, False, (), None, (0,) * len(state.totals))
        dealt = _next_deal(after._replace(sheet=(*state.sheet, nothing)), (), chance)
        return Step(dealt, (said, ("passed_out", state.hand_no), _deal_event(dealt)))
    hands = _with_hand(state.hands, now.owner, state.hands[now.owner] | state.kitty)
    taken = after._replace(hands=hands, kitty=0, phase=DISCARD, turn=now.owner, declarer=now.owner, contract=now.bid)
    return Step(taken, (said, ("declarer", now.owner, now.bid)))


def _throw(state: FiftyFiveState, seat: int, cards: int) -> Step[FiftyFiveState]:
    hands = _with_hand(state.hands, seat, state.hands[seat] & ~cards)
    after = state._replace(hands=hands, thrown=cards, phase=TRUMP)
    return Step(after, (("exchanged", seat, KEPT),), same_turn=True)


def _name_trump(state: FiftyFiveState, seat: int, suit: int) -> Step[FiftyFiveState]:
    first = state.dealer if state.options.entame == LEFT_OF_DEALER else seat
    after = state._replace(trump=suit, phase=PLAY, turn=(first + 1) % len(state.hands))
    return Step(after, (("trump", seat, DECK.suits[suit]),))


def _play(state: FiftyFiveState, seat: int, card: int, chance: Chance) -> Step[FiftyFiveState]:
    """One card; the last of a trick gives it to its winner, the last of the deal counts it."""
    seats = len(state.hands)
    hands = _with_hand(state.hands, seat, state.hands[seat] ^ 1 << card)
    after = state._replace(hands=hands, turn=(seat + 1) % seats, plays=(*state.plays, (seat, card)))
    played: Event = ("played", seat, DECK.cards[card])
    if len(after.plays) % seats:
        return Step(after, (played,))
    trick = after.plays[-seats:]
    winner = trick[TRUMPS[state.trump].winner([each for _, each in trick])][0]  # type: ignore[index]
    after = after._replace(turn=winner, won=(*state.won, winner))
    taken: Event = ("trick", winner, len(after.won))
    if len(after.won) < TRICKS:
        return Step(after, (played, taken))
    after, events = _end_deal(after, chance)
    return Step(after, (played, taken, *events))


def bonus_trick(plays: Sequence[tuple[int, int]], trump: int, seats: int) -> int | None:
    """The trick (from 0) in which the highest trump of a deal was played; None when no trump was (rules 1.7)."""
    cards = [card for _, card in plays]
    best = TRUMPS[trump].highest(cards)
    return None if best is None else cards.index(best) // seats


def _end_deal(state: FiftyFiveState, chance: Chance) -> tuple[FiftyFiveState, tuple[Event, ...]]:
    """Count the deal; then the race is won or the next one is dealt (rules 1.7, 1.8)."""
    if state.declarer is None or state.trump is None:
        raise ValueError("a deal without declarer or trump has no tricks")
    sides = len(state.totals)
    bonus = bonus_trick(state.plays, state.trump, len(state.hands))
    points = scoring.trick_points(state.won, bonus)
    end = scoring.settle(state.totals, points, state.declarer, state.contract, state.options.cible)
    deal = Deal(state.hand_no, state.dealer, state.declarer, state.contract, state.trump, end.made, state.won, bonus, end.gains)
    scored = state._replace(totals=end.totals, sheet=(*state.sheet, deal))
    counted: Event = (
        "hand",
        state.hand_no,
        state.declarer,
        state.contract,
        int(end.made),
        [end.gains[seat % sides] for seat in range(len(state.hands))],
    )
    if end.winner is not None:
        over = scored._replace(turn=None, phase=OVER, winner=end.winner, last_plays=state.plays)
        winners = [seat for seat in range(len(state.hands)) if seat % sides == end.winner]
        return over, (counted, ("match", winners, end.totals[end.winner], end.decisive))
    dealt = _next_deal(scored, state.plays, chance)
    return dealt, (counted, _deal_event(dealt))


def _next_deal(state: FiftyFiveState, plays: tuple[tuple[int, int], ...], chance: Chance) -> FiftyFiveState:
    """The deal passes to the left, after a passed-out one too."""
    seats = len(state.hands)
    dealer = (state.dealer + 1) % seats
    return _deal(state.options, state.hand_no + 1, dealer, seats, state.totals, state.sheet, plays, chance)


def _plays_seen(plays: Sequence[tuple[int, int]]) -> list[list[Any]]:
    return [[seat, DECK.cards[card]] for seat, card in plays]


def _tricks_seen(plays: Sequence[tuple[int, int]], won: Sequence[int], seats: int) -> list[dict[str, Any]]:
    return [
        {"winner": winner, "cards": _plays_seen(plays[trick * seats : (trick + 1) * seats])} for trick, winner in enumerate(won)
    ]


def _deal_seen(deal: Deal) -> dict[str, Any]:
    return {
        **deal._asdict(),
        "trump": None if deal.trump is None else DECK.suits[deal.trump],
        "won": list(deal.won),
        "gains": list(deal.gains),
    }


def _seen_by_all(state: FiftyFiveState) -> dict[str, Any]:
    """The public part of an observation, the same for every viewer."""
    seats, sides = len(state.hands), len(state.totals)
    now = _standing(state)
    taken = [0] * seats
    for seat in state.won:
        taken[seat] += 1
    return {
        "cible": state.options.cible,
        "entame": state.options.entame,
        "tous_passent": state.options.tous_passent,
        "seats": seats,
        "sides": sides,
        "hand_number": state.hand_no,
        "dealer": state.dealer,
        "phase": state.phase,
        "to_act": [] if state.turn is None else [state.turn],
        "finished": state.turn is None,
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "kitty_size": state.kitty.bit_count(),
        "calls": [[seat, auction.TEXTS[call]] for seat, call in state.calls],
        "bid": now.bid,
        "bidder": now.owner,
        "declarer": state.declarer,
        "contract": state.contract,
        "trump": None if state.trump is None else DECK.suits[state.trump],
        "trick": _plays_seen(state.plays[len(state.won) * seats :]),
        "tricks": _tricks_seen(state.plays, state.won, seats),
        "taken": taken,
        "scores": [state.totals[seat % sides] for seat in range(seats)],
        "totals": list(state.totals),
        "sheet": [_deal_seen(deal) for deal in state.sheet],
        "last_tricks": _tricks_seen(state.last_plays, state.sheet[-1].won, seats) if state.sheet else [],
        "winner": state.winner,
    }


def _seen_by(rules: FiftyFive, state: FiftyFiveState, seat: int | None) -> dict[str, Any]:
    """The private part of an observation: one's own cards and what may be done with them."""
    hand = 0 if seat is None else state.hands[seat]
    throwing = seat is not None and seat == state.turn and state.phase == DISCARD
    return {
        "me": seat,
        "hand": DECK.texts(hand),
        "legal": [] if seat is None else [str(move) for move in rules.legal_moves(state, seat)],
        "choose": {"count": KEPT, "from": DECK.texts(hand)} if throwing else None,
        "thrown": DECK.texts(state.thrown) if seat is not None and seat == state.declarer else [],
    }


RULEBOOK: dict[int, Rules[Any, Any, Any]] = {1: FiftyFive()}
