"""The rules of Six fous, for two to four seats with the Spanish deck of 40 or 48.

"rules 4.2" in a docstring is that section of the rules document of the Spanish deck games. Cards are numbered as in the
deck of 48, whichever is played with: with 40, nobody holds an 8 or a 9, and no rule has to know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

from games.engine.cards import Deck, members
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

DECK: Final = Deck("OCEB", tuple(str(rank) for rank in range(1, 13)))
PIVOT: Final = 5
PASS: Final = DECK.size
PASS_BIT: Final = 1 << PASS
TEXTS: Final = (*DECK.cards, "pass")
LADDERS: Final = Layout(DECK, PIVOT, leaps=True)
CARDS: Final = {
    40: tuple(card for card, text in enumerate(DECK.cards) if text[:-1] not in ("8", "9")),
    48: tuple(range(DECK.size)),
}
"""The card numbers of each deck, in canonical order."""
ALL_PLACED: Final = 5
"""What a winner of the hand earns on top for having placed every card."""


@dataclass(frozen=True, slots=True)
class SixFousOptions:
    """The table's options: `jeu` (cards in the deck) and `limite` (points that end the match)."""

    jeu: int = 40
    limite: int = 100


@dataclass(frozen=True, slots=True)
class SixFousMove(NumberedMove):
    """A card laid or a pass."""

    texts = TEXTS


_MOVES: Final = {1 << number: SixFousMove(number) for number in range(len(TEXTS))}


class PastHand(NamedTuple):
    """The hand before this one, laid open for the count: what stayed unplaced, and how it was played."""

    hand_no: int
    left: tuple[int, ...]
    placed: tuple[int, ...]
    winners: tuple[int, ...]
    plays: tuple[tuple[int, int], ...]


class SixFousState(NamedTuple):
    """A match between two plies.

    `hands` are the live cards, `aside` the dead ones that their owners have laid face up. `turn` is None when the match is
    over; `opening` is the card that must be led, until it is; `plays` are the (seat, move number) of this hand; `sheet` the
    scores of the finished hands.
    """

    options: SixFousOptions
    hand_no: int
    starter: int
    odd_seat: int | None
    opening: int | None
    hands: tuple[int, ...]
    aside: tuple[int, ...]
    table: int
    turn: int | None
    plays: tuple[tuple[int, int], ...]
    totals: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    last_hand: PastHand | None


class SixFous(Rules[SixFousState, SixFousMove, SixFousOptions]):
    """Version 1."""

    key = "six_fous"
    version = 1
    seats = range(2, 5)
    choices: ClassVar[Mapping[str, Sequence[int] | Sequence[str]]] = {"jeu": (40, 48), "limite": range(20, 501)}
    State = SixFousState
    Move = SixFousMove
    Options = SixFousOptions

    def check(self, options: SixFousOptions, seats: int) -> None:
        """Two to four seats; the site offers three and four (rules 4.1)."""
        if seats not in self.seats:
            raise BadOptions("seats", {"low": self.seats[0], "high": self.seats[-1]})

    def deal(self, options: SixFousOptions, seats: int, chance: Chance) -> SixFousState:
        """The first hand; where the cards do not go round, the lot `odd` names the seat that gets one more (rules 2.1)."""
        self.check(options, seats)
        odd = chance.first("odd", seats) if options.jeu % seats else None
        hands = _deal_cards(options, seats, 1, odd, chance)
        opening, starter = LADDERS.first_lead(hands)
        return SixFousState(
            options=options,
            hand_no=1,
            starter=starter,
            odd_seat=odd,
            opening=opening,
            hands=hands,
            aside=(0,) * seats,
            table=0,
            turn=starter,
            plays=(),
            totals=(0,) * seats,
            sheet=(),
            last_hand=None,
        )

    def opening(self, state: SixFousState) -> tuple[Event, ...]:
        """The deal of the first hand."""
        return (_deal_event(state),)

    def to_act(self, state: SixFousState) -> tuple[int, ...]:
        """The one seat on turn."""
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: SixFousState, seat: int) -> tuple[SixFousMove, ...]:
        """Playable cards, else the pass: never a choice between the two (rules 4.2)."""
        if seat != state.turn:
            return ()
        return tuple(_MOVES[1 << number] for number in members(_allowed(state)))

    def apply(self, state: SixFousState, seat: int, move: SixFousMove, chance: Chance) -> Step[SixFousState]:
        """Judge and play one ply; a ply that ends a hand also scores it and deals the next one."""
        if seat != state.turn:
            raise not_your_turn(state.turn)
        if not _allowed(state) >> move.number & 1:
            opening = None if state.opening is None else TEXTS[state.opening]
            raise _refusal(state.hands[seat], state.aside[seat], state.table, opening, move.number)
        return _pass(state, seat) if move.number == PASS else _play(state, seat, move.number, chance)

    def outcome(self, state: SixFousState) -> tuple[Place, ...]:
        """Everybody for himself, by totals."""
        return places(state.totals)

    def observation(self, state: SixFousState, seat: int | None) -> dict[str, Any]:
        """What rules 6 lets this seat know: all but the live cards of the others."""
        return {**_seen_by_all(state), **_seen_by(state, seat)}

    def forced(self, state: SixFousState) -> tuple[int, SixFousMove] | None:
        """A pass and the last card of a hand; not the opening six, led from a full hand (rules 5)."""
        seat = state.turn
        if seat is None:
            return None
        allowed = _allowed(state)
        deducible = allowed == PASS_BIT or state.hands[seat].bit_count() == 1
        return (seat, _MOVES[allowed]) if deducible else None

    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        """The refusal `apply` would give the observer, from what he sees."""
        number = SixFousMove.parse(text).number
        me = observation["me"]
        if me is None or me not in observation["to_act"]:
            return Illegal("not_your_turn", {"to_act": list(observation["to_act"])})
        if text in observation["legal"]:
            return None
        hand, aside = DECK.mask(observation["hand"]), DECK.mask(observation["aside"][me])
        return _refusal(hand, aside, LADDERS.table_of(observation["played"]), observation["opening_card"], number)


def hand_winners(placed: Sequence[int]) -> tuple[int, ...]:
    """The seats that placed most cards (rules 4.5): most placed decides, not fewest left."""
    most = max(placed)
    return tuple(seat for seat, count in enumerate(placed) if count == most)


def hand_scores(placed: Sequence[int], left: Sequence[int]) -> tuple[int, ...]:
    """Points of a hand from the cards each seat placed and could not place (rules 4.5).

    A point per card placed. The winners share the unplaced cards of the whole table, the remainder of the division is lost,
    and each of them who placed all his cards gets five more.
    """
    winners = hand_winners(placed)
    share = sum(left) // len(winners)
    return tuple(
        count + (share + (0 if left[seat] else ALL_PLACED) if seat in winners else 0) for seat, count in enumerate(placed)
    )


def _deal_cards(options: SixFousOptions, seats: int, hand_no: int, odd: int | None, chance: Chance) -> tuple[int, ...]:
    return deal_out(chance.shuffle(f"hand/{hand_no}", CARDS[options.jeu]), seats, odd)


def _allowed(state: SixFousState) -> int:
    """The set of move numbers open to the seat on turn (rules 8); the match must be running."""
    if state.opening is not None:
        return 1 << state.opening
    return state.hands[state.turn] & LADDERS.playable(state.table) or PASS_BIT  # type: ignore[index]


def _pass(state: SixFousState, seat: int) -> Step[SixFousState]:
    after = state._replace(turn=next_live(state.hands, 0, seat), plays=(*state.plays, (seat, PASS)))
    return Step(after, (("passed", seat),))


def _play(state: SixFousState, seat: int, card: int, chance: Chance) -> Step[SixFousState]:
    table = state.table | 1 << card
    hands = with_item(state.hands, seat, state.hands[seat] ^ 1 << card)
    dead = LADDERS.dead(table)
    killed = [hand & dead for hand in hands]
    hands = tuple([hand & ~dead for hand in hands])
    aside = tuple([pile | cards for pile, cards in zip(state.aside, killed, strict=True)])
    events: tuple[Event, ...] = (("played", seat, TEXTS[card]),)
    if any(killed):
        events += (("aside", [[owner, DECK.texts(cards)] for owner, cards in enumerate(killed) if cards]),)
    playable = LADDERS.playable(table)
    over = not any(hand & playable for hand in hands)
    turn = seat if over else next_live(hands, 0, seat)
    after = state._replace(opening=None, hands=hands, aside=aside, table=table, turn=turn, plays=(*state.plays, (seat, card)))
    if not over:
        return Step(after, events)
    after, ending = _end_hand(after, chance)
    return Step(after, (*events, *ending))


def _end_hand(state: SixFousState, chance: Chance) -> tuple[SixFousState, tuple[Event, ...]]:
    """Score the hand (rules 4.5); then the match is over or the next hand is dealt (rules 5)."""
    left = tuple(hand | pile for hand, pile in zip(state.hands, state.aside, strict=True))
    placed = _placed(state)
    scores, winners = hand_scores(placed, [cards.bit_count() for cards in left]), hand_winners(placed)
    totals = tuple(total + score for total, score in zip(state.totals, scores, strict=True))
    scored = state._replace(
        totals=totals,
        sheet=(*state.sheet, scores),
        last_hand=PastHand(state.hand_no, left, placed, winners, state.plays),
    )
    texts = [DECK.texts(cards) for cards in left]
    hand: Event = ("hand", state.hand_no, list(scores), list(totals), list(placed), texts, list(winners))
    won = champions(totals, state.options.limite)
    if won:
        return scored._replace(turn=None), (hand, ("match", won, list(totals)))
    dealt = _next_hand(scored, chance)
    return dealt, (hand, _deal_event(dealt))


def _next_hand(state: SixFousState, chance: Chance) -> SixFousState:
    """A later hand: designated starter and odd seat move on by one, no opening card (rules 2.1, 2.2, 4.2)."""
    seats = len(state.hands)
    hand_no = state.hand_no + 1
    starter, odd = (state.starter + 1) % seats, moved_on(state.odd_seat, seats)
    return state._replace(
        hand_no=hand_no,
        starter=starter,
        odd_seat=odd,
        hands=_deal_cards(state.options, seats, hand_no, odd, chance),
        aside=(0,) * seats,
        table=0,
        turn=starter,
        plays=(),
    )


def _deal_event(state: SixFousState) -> Event:
    return ("deal", state.hand_no, state.starter, state.odd_seat, [hand.bit_count() for hand in state.hands])


def _placed(state: SixFousState) -> tuple[int, ...]:
    counts = [0] * len(state.hands)
    for seat, number in state.plays:
        counts[seat] += number != PASS
    return tuple(counts)


def _refusal(hand: int, aside: int, table: int, opening: str | None, number: int) -> Illegal:
    """Why the seat on turn may not make a move that is not allowed; from its own cards and public facts alone."""
    if number == PASS:
        return Illegal("must_play") if opening is None else Illegal("must_open_with", {"opening": opening})
    if not hand >> number & 1:
        return Illegal("set_aside" if aside >> number & 1 else "not_in_hand", {"card": TEXTS[number]})
    if opening is not None:
        return Illegal("must_open_with", {"opening": opening})
    return LADDERS.unplayable(table, number)


def _seen_by_all(state: SixFousState) -> dict[str, Any]:
    """The public part of an observation, the same for every viewer."""
    return {
        "jeu": state.options.jeu,
        "limite": state.options.limite,
        "seats": len(state.hands),
        "hand_number": state.hand_no,
        "starter": state.starter,
        "odd_seat": state.odd_seat,
        "opening_card": None if state.opening is None else TEXTS[state.opening],
        "to_act": [] if state.turn is None else [state.turn],
        "finished": state.turn is None,
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "aside": [DECK.texts(pile) for pile in state.aside],
        "placed": list(_placed(state)),
        **LADDERS.seen(state.table),
        "plays": play_texts(state.plays, TEXTS),
        "scores": list(state.totals),
        "sheet": [list(scores) for scores in state.sheet],
        "last_hand": _last_hand_seen(state),
    }


def _last_hand_seen(state: SixFousState) -> dict[str, Any] | None:
    last = state.last_hand
    if last is None:
        return None
    return {
        "hand_number": last.hand_no,
        "scores": list(state.sheet[-1]),
        "totals": list(state.totals),
        "placed": list(last.placed),
        "left": [DECK.texts(cards) for cards in last.left],
        "winners": list(last.winners),
        "plays": play_texts(last.plays, TEXTS),
    }


def _seen_by(state: SixFousState, seat: int | None) -> dict[str, Any]:
    """The private part of an observation: one's own cards and what may be done with them."""
    allowed = _allowed(state) if seat is not None and seat == state.turn else 0
    return {
        "me": seat,
        "hand": [] if seat is None else DECK.texts(state.hands[seat]),
        "legal": [TEXTS[number] for number in members(allowed)],
    }


RULEBOOK: dict[int, Rules[Any, Any, Any]] = {1: SixFous()}
