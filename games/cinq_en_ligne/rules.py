"""The rules of 5inq en Ligne, for two to nine seats in two or three sides, with the hundred cards 0 to 99.

"rules 3.3" in a docstring is that section of the rules document. Hands and pegs are bit masks of numbers. A move is a number
too: 100 times the card plus the square, then draw and pass.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self

from games.cinq_en_ligne.board import ALEATOIRE, FIXED, LAYOUTS, SINUEUX, SQUARES, Board, board_of
from games.engine.cards import members
from games.engine.chance import Chance
from games.engine.rules import BadOptions, Event, Illegal, Malformed, Place, Rules, Step

CARDS: Final = SQUARES
HAND: Final = 4
"""Cards dealt to each seat; whoever holds so many has to play one."""
ALL: Final = (1 << SQUARES) - 1
DRAW: Final = CARDS * SQUARES
PASS: Final = DRAW + 1
TEXTS: Final = (*(f"{card}@{square}" for card in range(CARDS) for square in range(SQUARES)), "draw", "pass")
LINE: Final = "line"
FULL: Final = "full"
DEAD: Final = "dead"
BLOCKED: Final = "blocked"
SIDES: Final = {2: 2, 3: 3, 4: 2, 6: None, 8: 2, 9: 3}
"""Number of sides for each number of seats that fits; None: the option `equipes` says it (rules 3.2)."""


@dataclass(frozen=True, slots=True)
class LineOptions:
    """The table's options: `equipes` (sides, for six seats only) and `plateau` (the layout of the board)."""

    equipes: int = 3
    plateau: str = SINUEUX


@dataclass(frozen=True, slots=True)
class LineMove:
    """A card played on a square, a draw or a pass."""

    number: int

    def __post_init__(self) -> None:
        if not 0 <= self.number <= PASS:
            raise Malformed("not_a_move", {"text": str(self.number)[:32]})

    def __str__(self) -> str:
        return TEXTS[self.number]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move of a canonical text: "58@63", "draw", "pass". Raises Malformed("not_a_move")."""
        number = _NUMBERS.get(text)
        if number is None:
            raise Malformed("not_a_move", {"text": text[:32]})
        return cls(number)


_NUMBERS: Final = {text: number for number, text in enumerate(TEXTS)}
_MOVES: Final = tuple(LineMove(number) for number in range(len(TEXTS)))


class LineState(NamedTuple):
    """A match between two plies.

    `dealt` is the layout of a board dealt for this table, else empty; `pegs` has the squares of each side; `stock` has its top
    first; `plays` are the (seat, move number) of the match. At the end `turn` is None and `ending` says how it came.
    """

    options: LineOptions
    dealer: int
    dealt: tuple[int, ...]
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    pegs: tuple[int, ...]
    turn: int | None
    plays: tuple[tuple[int, int], ...]
    ending: str | None

    @property
    def board(self) -> Board:
        """The board of this table."""
        return board_of(self.dealt) if self.dealt else FIXED[self.options.plateau]

    @property
    def free(self) -> int:
        """The squares without a peg."""
        return ALL & ~sum(self.pegs)


class CinqEnLigne(Rules[LineState, LineMove, LineOptions]):
    """Version 1."""

    key = "cinq_en_ligne"
    version = 1
    seats = range(2, 10)
    choices: ClassVar[Mapping[str, Sequence[int] | Sequence[str]]] = {
        "equipes": (2, 3),
        "plateau": (*LAYOUTS, ALEATOIRE),
    }
    by_total = False
    State = LineState
    Move = LineMove
    Options = LineOptions

    def check(self, options: LineOptions, seats: int) -> None:
        """As many seats as make equal sides (rules 3.2)."""
        if seats not in self.seats:
            raise BadOptions("seats", {"low": self.seats[0], "high": self.seats[-1]})
        if seats not in SIDES:
            raise BadOptions("unequal_sides", {"seats": seats})

    def sides(self, options: LineOptions, seats: int) -> int:
        """Two or three sides; seat s belongs to side s mod that number (rules 3.2)."""
        return SIDES[seats] or options.equipes

    def deal(self, options: LineOptions, seats: int, chance: Chance) -> LineState:
        """Four cards each, one by one from the left of a dealer drawn by lot (rules 3.3)."""
        self.check(options, seats)
        dealer = chance.first("dealer", seats)
        dealt = chance.shuffle("board", SQUARES) if options.plateau == ALEATOIRE else ()
        deck = chance.shuffle("hand/1", CARDS)
        first, cards = (dealer + 1) % seats, seats * HAND
        hands = tuple(sum(1 << card for card in deck[(seat - first) % seats : cards : seats]) for seat in range(seats))
        return LineState(
            options=options,
            dealer=dealer,
            dealt=dealt,
            hands=hands,
            stock=deck[cards:],
            pegs=(0,) * self.sides(options, seats),
            turn=first,
            plays=(),
            ending=None,
        )

    def opening(self, state: LineState) -> tuple[Event, ...]:
        """Who dealt and who starts."""
        return (("deal", state.dealer, (state.dealer + 1) % len(state.hands), len(state.stock)),)

    def to_act(self, state: LineState) -> tuple[int, ...]:
        """The one seat on turn."""
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: LineState, seat: int) -> tuple[LineMove, ...]:
        """Every live card on every free square of its number or above; then the draw or the pass (rules 3.3)."""
        if seat != state.turn:
            return ()
        squares = members(state.free)
        found = []
        for card in members(state.hands[seat]):
            found += [_MOVES[card * SQUARES + square] for square in squares if square >= card]
        if state.stock and state.hands[seat].bit_count() < HAND:
            found.append(_MOVES[DRAW])
        return tuple(found) or (_MOVES[PASS],)

    def apply(self, state: LineState, seat: int, move: LineMove, chance: Chance) -> Step[LineState]:
        """Judge and play one ply, then see whether the match is over."""
        number = move.number
        if seat != state.turn:
            raise Illegal("not_your_turn", {"to_act": list(self.to_act(state))})
        refusal = _refusal(state.hands[seat], state.free, len(state.stock), number)
        if refusal is not None:
            raise refusal
        if number == DRAW:
            return _drawn(state, seat)
        if number == PASS:
            return Step(_passed_on(state, seat, PASS), (("passed", seat),))
        return _played(state, seat, number)

    def outcome(self, state: LineState) -> tuple[Place, ...]:
        """The side with the line has won; in a draw, and before the end, nobody has rank 1 (rules 3.4, 3.5)."""
        sides, winner = len(state.pegs), _winner(state)
        return tuple(
            Place(seat % sides, 1 if seat % sides == winner else 2, int(seat % sides == winner))
            for seat in range(len(state.hands))
        )

    def observation(self, state: LineState, seat: int | None) -> dict[str, Any]:
        """What rules 3.7 lets this seat know."""
        return {**_seen_by_all(state), **_seen_by(state, seat, self.legal_moves(state, -1 if seat is None else seat))}

    def forced(self, state: LineState) -> tuple[int, LineMove] | None:
        """The only move, when the table knows that whatever this seat holds it has but one.

        Cards that are all dead also leave one move, but the speed of it would tell that they are (rules 3.5).
        """
        seat = state.turn
        if seat is None or _most_moves(state, seat) > 1:
            return None
        return seat, self.legal_moves(state, seat)[0]

    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        """The refusal `apply` would give the observer, from what he sees."""
        number = LineMove.parse(text).number
        me = observation["me"]
        if me is None or me not in observation["to_act"]:
            return Illegal("not_your_turn", {"to_act": list(observation["to_act"])})
        pegs = sum(1 << square for squares in observation["pegs"] for square in squares)
        hand = sum(1 << card for card in observation["hand"])
        return _refusal(hand, ALL & ~pegs, observation["stock_size"], number)


def live_cards(free: int) -> int:
    """The cards that still have a square, whoever holds them: those up to the highest free square (rules 3.5)."""
    return (1 << free.bit_length()) - 1


def _refusal(hand: int, free: int, stock: int, number: int) -> Illegal | None:
    """Why the seat on turn may not make this move, None when it may; from its own hand and public facts alone (rules 3.3)."""
    if number < DRAW:
        return _unplayable(hand, free, number)
    live, may_draw = hand & live_cards(free), stock > 0 and hand.bit_count() < HAND
    if number == DRAW:
        return None if may_draw else Illegal("no_stock") if hand.bit_count() < HAND else Illegal("full_hand")
    if may_draw:
        return Illegal("play_or_draw" if live else "must_draw")
    return Illegal("must_play") if live else None


def _unplayable(hand: int, free: int, number: int) -> Illegal | None:
    card, square = divmod(number, SQUARES)
    if not hand >> card & 1:
        return Illegal("not_in_hand", {"card": card})
    if not live_cards(free) >> card & 1:
        return Illegal("dead_card", {"card": card, "highest": free.bit_length() - 1})
    if not free >> square & 1:
        return Illegal("square_taken", {"square": square})
    return Illegal("square_too_low", {"card": card, "square": square}) if square < card else None


def _played(state: LineState, seat: int, number: int) -> Step[LineState]:
    card, square = divmod(number, SQUARES)
    side = seat % len(state.pegs)
    pegs = (*state.pegs[:side], state.pegs[side] | 1 << square, *state.pegs[side + 1 :])
    after = _passed_on(state, seat, number, state.hands[seat] ^ 1 << card)._replace(pegs=pegs)
    return _judged(after, ("played", seat, card, square), won=after.board.wins(pegs[side], square))


def _drawn(state: LineState, seat: int) -> Step[LineState]:
    after = _passed_on(state, seat, DRAW, state.hands[seat] | 1 << state.stock[0])
    return _judged(after._replace(stock=state.stock[1:]), ("drew", seat))


def _passed_on(state: LineState, seat: int, number: int, hand: int | None = None) -> LineState:
    """The state with this ply noted, perhaps another hand, and the next seat on turn."""
    hands = state.hands if hand is None else (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    return state._replace(hands=hands, turn=(seat + 1) % len(hands), plays=(*state.plays, (seat, number)))


def _judged(after: LineState, event: Event, *, won: bool = False) -> Step[LineState]:
    """The four endings, in their order (rules 3.5)."""
    free = after.free
    live = live_cards(free)
    if won:
        ending = LINE
    elif not free:
        ending = FULL
    elif any((hand & ~live).bit_count() == HAND for hand in after.hands):
        ending = DEAD
    elif not after.stock and not any(hand & live for hand in after.hands):
        ending = BLOCKED
    else:
        return Step(after, (event,))
    over = after._replace(turn=None, ending=ending)
    lines = [list(line) for line in winning_lines(over)]
    return Step(over, (event, ("match", ending, _deciders(over), lines, [members(hand) for hand in over.hands])))


def _winner(state: LineState) -> int | None:
    """The side that made a line."""
    return state.plays[-1][0] % len(state.pegs) if state.ending == LINE else None


def _deciders(state: LineState) -> list[int]:
    """The seats that ended the match: those of the side with the line, or those that hold four dead cards."""
    if state.ending == LINE:
        return list(range(state.plays[-1][0] % len(state.pegs), len(state.hands), len(state.pegs)))
    if state.ending == DEAD:
        live = live_cards(state.free)
        return [seat for seat, hand in enumerate(state.hands) if (hand & ~live).bit_count() == HAND]
    return []


def winning_lines(state: LineState) -> tuple[tuple[int, ...], ...]:
    """The squares of each line of five pegs or more that ended the match."""
    if state.ending != LINE:
        return ()
    seat, number = state.plays[-1]
    return state.board.lines(state.pegs[seat % len(state.pegs)], number % SQUARES)


def _most_moves(state: LineState, seat: int) -> int:
    """How many moves this seat could have at most, for all that everybody knows: with the lowest cards not yet played."""
    size, free = state.hands[seat].bit_count(), state.free
    unplayed = ALL
    for _, number in state.plays:
        if number < DRAW:
            unplayed ^= 1 << number // SQUARES
    most = int(bool(state.stock) and size < HAND)
    for _ in range(size):
        card = unplayed & -unplayed
        most += (free & -card).bit_count()
        unplayed ^= card
    return most


def _seen_by_all(state: LineState) -> dict[str, Any]:
    """The public part of an observation, the same for every viewer."""
    winner = _winner(state)
    return {
        "plateau": state.options.plateau,
        "layout": list(state.board.numbers),
        "sides": len(state.pegs),
        "seats": len(state.hands),
        "hand_number": 1,
        "dealer": state.dealer,
        "starter": (state.dealer + 1) % len(state.hands),
        "to_act": [] if state.turn is None else [state.turn],
        "hand_sizes": [hand.bit_count() for hand in state.hands],
        "stock_size": len(state.stock),
        "pegs": [members(squares) for squares in state.pegs],
        "plays": [[seat, TEXTS[number]] for seat, number in state.plays],
        "scores": [int(seat % len(state.pegs) == winner) for seat in range(len(state.hands))],
        "finished": state.turn is None,
        "ending": state.ending,
        "winner": winner,
        "deciders": _deciders(state),
        "lines": [list(line) for line in winning_lines(state)],
        "left": None if state.turn is not None else [members(hand) for hand in state.hands],
    }


def _seen_by(state: LineState, seat: int | None, offered: tuple[LineMove, ...]) -> dict[str, Any]:
    """The private part of an observation: one's own cards and what may be done with them."""
    hand = 0 if seat is None else state.hands[seat]
    return {
        "me": seat,
        "hand": members(hand),
        "dead": members(hand & ~live_cards(state.free)),
        "legal": [TEXTS[move.number] for move in offered],
    }


RULEBOOK: dict[int, Rules[Any, Any, Any]] = {1: CinqEnLigne()}
