"""The rules of Cinq, classique and piégeur, for two to four seats with the Spanish deck of 40.

"rules 2.4" in a docstring is that section of the rules document of the Spanish deck games. Hands and the table are bit
masks of card numbers; a move is a number too: 0-39 a card, then draw and pass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from games.engine.cards import SPANISH_40, members
from games.engine.chance import Chance
from games.engine.layout import (
    Layout,
    NumberedMove,
    champions,
    deal_out,
    moved_on,
    next_live,
    not_your_turn,
    places,
    play_texts,
    with_item,
)
from games.engine.rules import BadOptions, Event, Illegal, Place, Rules, Step

DECK: Final = SPANISH_40
PIVOT: Final = 4
DRAW: Final = DECK.size
PASS: Final = DECK.size + 1
DRAW_BIT: Final = 1 << DRAW
PASS_BIT: Final = 1 << PASS
TEXTS: Final = (*DECK.cards, "draw", "pass")
CLASSIQUE: Final = "classique"
PIEGEUR: Final = "piegeur"
LADDERS: Final = {
    CLASSIQUE: Layout(DECK, PIVOT, leaps=False),
    PIEGEUR: Layout(DECK, PIVOT, leaps=True),
}


@dataclass(frozen=True, slots=True)
class CinqOptions:
    """The table's options: `mode`, `limite` (points that end the match) and `cartes` (dealt to each of two players)."""

    mode: str = CLASSIQUE
    limite: int = 30
    cartes: int = 10


@dataclass(frozen=True, slots=True)
class CardMove(NumberedMove):
    """A card laid, a draw or a pass."""

    texts = TEXTS


_MOVES: Final = {1 << number: CardMove(number) for number in range(len(TEXTS))}


class PastHand(NamedTuple):
    """The hand before this one, laid open for the count."""

    hand_no: int
    left: tuple[int, ...]
    winners: tuple[int, ...]
    plays: tuple[tuple[int, int], ...]


class CinqState(NamedTuple):
    """A match between two plies.

    `turn` is None when the match is over; `opening` is the card that must be led, until it is; `drawn` the card drawn in
    this turn; `stock` has its top first; `plays` are the (seat, move number) of this hand; `sheet` the scores of the
    finished hands.
    """

    options: CinqOptions
    hand_no: int
    starter: int
    odd_seat: int | None
    opening: int | None
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    table: int
    turn: int | None
    drawn: int | None
    plays: tuple[tuple[int, int], ...]
    totals: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    last_hand: PastHand | None


class Cinq(Rules[CinqState, CardMove, CinqOptions]):
    """Version 1 of both modes."""

    key = "cinq"
    version = 1
    seats = range(2, 5)
    choices: ClassVar[Mapping[str, Sequence[int] | Sequence[str]]] = {
        "mode": (CLASSIQUE, PIEGEUR),
        "limite": range(5, 501),
        "cartes": range(10, 16),
    }
    State = CinqState
    Move = CardMove
    Options = CinqOptions

    def check(self, options: CinqOptions, seats: int) -> None:
        """Two to four seats, three at least for piégeur (rules 3)."""
        if seats not in self.seats:
            raise BadOptions("seats", {"low": self.seats[0], "high": self.seats[-1]})
        if options.mode == PIEGEUR and seats < 3:
            raise BadOptions("piegeur_needs_three")

    def deal(self, options: CinqOptions, seats: int, chance: Chance) -> CinqState:
        """The first hand; with three seats the lot `odd` names the one with 14 cards (rules 2.1)."""
        self.check(options, seats)
        odd = chance.first("odd", seats) if seats == 3 else None
        hands, stock = _deal_cards(options, seats, 1, odd, chance)
        opening, starter = LADDERS[options.mode].first_lead(hands)
        return CinqState(
            options=options,
            hand_no=1,
            starter=starter,
            odd_seat=odd,
            opening=opening,
            hands=hands,
            stock=stock,
            table=0,
            turn=starter,
            drawn=None,
            plays=(),
            totals=(0,) * seats,
            sheet=(),
            last_hand=None,
        )

    def opening(self, state: CinqState) -> tuple[Event, ...]:
        """The deal of the first hand."""
        return (_deal_event(state),)

    def to_act(self, state: CinqState) -> tuple[int, ...]:
        """The one seat on turn."""
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: CinqState, seat: int) -> tuple[CardMove, ...]:
        """Playable cards, else the draw, else the pass: never a choice between playing and passing (rules 2.3, 2.4)."""
        if seat != state.turn:
            return ()
        allowed = _allowed(state)
        found = []
        while allowed:
            bit = allowed & -allowed
            found.append(_MOVES[bit])
            allowed ^= bit
        return tuple(found)

    def apply(self, state: CinqState, seat: int, move: CardMove, chance: Chance) -> Step[CinqState]:
        """Judge and play one ply; a ply that ends a hand also scores it and deals the next one."""
        number = move.number
        if seat != state.turn:
            raise not_your_turn(state.turn)
        if not _allowed(state) >> number & 1:
            raise _refusal(state.options.mode, state.hands[seat], state.table, _text(state.opening), _text(state.drawn), number)
        if number == DRAW:
            return _draw(state, seat)
        if number == PASS:
            return _pass(state, seat)
        return _play(state, seat, number, chance)

    def outcome(self, state: CinqState) -> tuple[Place, ...]:
        """Everybody for himself, by totals."""
        return places(state.totals)

    def observation(self, state: CinqState, seat: int | None) -> dict[str, Any]:
        """What rules 6 lets this seat know."""
        return {**_seen_by_all(state), **_seen_by(state, seat)}

    def forced(self, state: CinqState) -> tuple[int, CardMove] | None:
        """A draw, a pass, the card just drawn and the last card of a hand; not the opening five, led from ten cards (rules 5)."""
        seat = state.turn
        if seat is None:
            return None
        allowed = _allowed(state)
        deducible = allowed & (DRAW_BIT | PASS_BIT) or state.drawn is not None or state.hands[seat].bit_count() == 1
        return (seat, _MOVES[allowed]) if deducible else None

    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        """The refusal `apply` would give the observer, from what he sees."""
        number = CardMove.parse(text).number
        me = observation["me"]
        if me is None or me not in observation["to_act"]:
            return Illegal("not_your_turn", {"to_act": list(observation["to_act"])})
        if text in observation["legal"]:
            return None
        table = LADDERS[observation["mode"]].table_of(observation["played"])
        hand, opening, drawn = DECK.mask(observation["hand"]), observation["opening_card"], observation["drawn"]
        return _refusal(observation["mode"], hand, table, opening, drawn, number)


def hand_winners(left: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with the fewest cards left; in classique the one seat that has none (rules 2.5, 3.5)."""
    fewest = min(left)
    return tuple(seat for seat, count in enumerate(left) if count == fewest)


def hand_scores(mode: str, left: tuple[int, ...]) -> tuple[int, ...]:
    """Points of a hand from the number of cards left to each seat.

    Classique: 5 and one a card of the others (rules 2.5). Piégeur: the winners share the cards of the non-winners, the
    remainder of the division is lost (rules 3.5).
    """
    winners = hand_winners(left)
    pot = sum(left) - len(winners) * min(left)
    share = 5 + pot if mode == CLASSIQUE else pot // len(winners)
    return tuple(share if seat in winners else 0 for seat in range(len(left)))


def _deal_cards(
    options: CinqOptions, seats: int, hand_no: int, odd: int | None, chance: Chance
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Hands and stock of a hand (rules 2.1): two players leave a stock, more share the whole deck."""
    deck = chance.shuffle(f"hand/{hand_no}", DECK.size)
    dealt = 2 * options.cartes if seats == 2 else DECK.size
    return deal_out(deck[:dealt], seats, odd), deck[dealt:]


def _allowed(state: CinqState) -> int:
    """The set of move numbers open to the seat on turn (rules 8); the match must be running."""
    if state.opening is not None:
        return 1 << state.opening
    cards = state.hands[state.turn] & LADDERS[state.options.mode].playable(state.table)  # type: ignore[index]
    if cards:
        return cards
    return DRAW_BIT if state.stock and state.drawn is None else PASS_BIT


def _next_seat(mode: str, hands: tuple[int, ...], table: int, seat: int) -> int:
    """The next seat in play order; in piégeur seats without a live card are skipped (rules 3.3)."""
    return (seat + 1) % len(hands) if mode == CLASSIQUE else next_live(hands, LADDERS[mode].dead(table), seat)


def _draw(state: CinqState, seat: int) -> Step[CinqState]:
    card = state.stock[0]
    hands = with_item(state.hands, seat, state.hands[seat] | 1 << card)
    after = state._replace(hands=hands, stock=state.stock[1:], drawn=card, plays=(*state.plays, (seat, DRAW)))
    return Step(after, (("drew", seat),), same_turn=True)


def _pass(state: CinqState, seat: int) -> Step[CinqState]:
    turn = _next_seat(state.options.mode, state.hands, state.table, seat)
    after = state._replace(turn=turn, drawn=None, plays=(*state.plays, (seat, PASS)))
    return Step(after, (("passed", seat),))


def _play(state: CinqState, seat: int, card: int, chance: Chance) -> Step[CinqState]:
    (options, hand_no, starter, odd_seat, _, hands, stock, table, _, _, plays, totals, sheet, last_hand) = state
    bit = 1 << card
    hand = hands[seat] ^ bit
    hands = with_item(hands, seat, hand)
    table |= bit
    over = _hand_over(options.mode, hands, table, hand)
    turn = seat if over else _next_seat(options.mode, hands, table, seat)
    after = CinqState(
        options,
        hand_no,
        starter,
        odd_seat,
        None,
        hands,
        stock,
        table,
        turn,
        None,
        (*plays, (seat, card)),
        totals,
        sheet,
        last_hand,
    )
    played = ("played", seat, TEXTS[card])
    if not over:
        return Step(after, (played,))
    after, events = _end_hand(after, chance)
    return Step(after, (played, *events))


def _hand_over(mode: str, hands: tuple[int, ...], table: int, hand: int) -> bool:
    """After a card: the player's hand is empty (rules 2.5); in piégeur, no hand holds a playable card (rules 3.4)."""
    if mode == CLASSIQUE:
        return not hand
    playable = LADDERS[mode].playable(table)
    return not any(other & playable for other in hands)


def _end_hand(state: CinqState, chance: Chance) -> tuple[CinqState, tuple[Event, ...]]:
    """Score the hand; then the match is over or the next hand is dealt (rules 5)."""
    left = tuple(hand.bit_count() for hand in state.hands)
    scores, winners = hand_scores(state.options.mode, left), hand_winners(left)
    totals = tuple(total + score for total, score in zip(state.totals, scores, strict=True))
    scored = state._replace(
        totals=totals, sheet=(*state.sheet, scores), last_hand=PastHand(state.hand_no, state.hands, winners, state.plays)
    )
    hand: Event = ("hand", state.hand_no, list(scores), list(totals), [DECK.texts(cards) for cards in state.hands], list(winners))
    won = champions(totals, state.options.limite)
    if won:
        return scored._replace(turn=None), (hand, ("match", won, list(totals)))
    dealt = _next_hand(scored, chance)
    return dealt, (hand, _deal_event(dealt))


def _next_hand(state: CinqState, chance: Chance) -> CinqState:
    """A later hand: designated starter and odd seat move on by one, no opening card (rules 2.1, 2.2)."""
    seats = len(state.hands)
    hand_no = state.hand_no + 1
    starter, odd = (state.starter + 1) % seats, moved_on(state.odd_seat, seats)
    hands, stock = _deal_cards(state.options, seats, hand_no, odd, chance)
    return state._replace(
        hand_no=hand_no, starter=starter, odd_seat=odd, hands=hands, stock=stock, table=0, turn=starter, plays=()
    )


def _deal_event(state: CinqState) -> Event:
    sizes = [hand.bit_count() for hand in state.hands]
    return ("deal", state.hand_no, state.starter, state.odd_seat, sizes, len(state.stock))


def _refusal(mode: str, hand: int, table: int, opening: str | None, drawn: str | None, number: int) -> Illegal:
    """Why the seat on turn may not make a move that is not allowed; from its own hand and public facts alone."""
    if number < DRAW and not hand >> number & 1:
        return Illegal("not_in_hand", {"card": TEXTS[number]})
    if opening is not None:
        return Illegal("must_open_with", {"opening": opening})
    if number < DRAW:
        return LADDERS[mode].unplayable(table, number)
    if hand & LADDERS[mode].playable(table):
        return Illegal("must_play") if drawn is None else Illegal("must_play_drawn", {"card": drawn})
    if number == PASS:
        return Illegal("must_draw")
    return Illegal("no_stock" if drawn is None else "already_drawn")


def _text(card: int | None) -> str | None:
    return None if card is None else TEXTS[card]


def _seen_by_all(state: CinqState) -> dict[str, Any]:
    """The public part of an observation, the same for every viewer."""
    dead = LADDERS[state.options.mode].dead(state.table)
    placed = [0] * len(state.hands)
    for seat, number in state.plays:
        placed[seat] += number < DRAW
    return {
        "mode": state.options.mode,
        "limite": state.options.limite,
        "seats": len(state.hands),
        "hand_number": state.hand_no,
        "starter": state.starter,
        "odd_seat": state.odd_seat,
        "to_act": [] if state.turn is None else [state.turn],
        "drew": state.drawn is not None,
        "finished": state.turn is None,
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "dead_counts": [(hand & dead).bit_count() for hand in state.hands],
        "placed": placed,
        "stock_size": len(state.stock),
        **LADDERS[state.options.mode].seen(state.table),
        "plays": play_texts(state.plays, TEXTS),
        "scores": list(state.totals),
        "sheet": [list(scores) for scores in state.sheet],
        "last_hand": _last_hand_seen(state),
    }


def _last_hand_seen(state: CinqState) -> dict[str, Any] | None:
    last = state.last_hand
    if last is None:
        return None
    return {
        "hand_number": last.hand_no,
        "scores": list(state.sheet[-1]),
        "totals": list(state.totals),
        "left": [DECK.texts(hand) for hand in last.left],
        "winners": list(last.winners),
        "plays": play_texts(last.plays, TEXTS),
    }


def _seen_by(state: CinqState, seat: int | None) -> dict[str, Any]:
    """The private part of an observation: one's own cards and what may be done with them."""
    hand = 0 if seat is None else state.hands[seat]
    mine = seat is not None and seat == state.turn
    allowed = _allowed(state) if mine else 0
    return {
        "me": seat,
        "hand": DECK.texts(hand),
        "dead": DECK.texts(hand & LADDERS[state.options.mode].dead(state.table)),
        "legal": [TEXTS[number] for number in members(allowed)],
        # With three or four players it is always the 5 of oros; with two it would name a card of the other hand (rules 6).
        "opening_card": _text(state.opening) if mine or len(state.hands) > 2 else None,
        "drawn": _text(state.drawn) if mine else None,
    }


RULEBOOK: dict[int, Rules[Any, Any, Any]] = {1: Cinq()}
