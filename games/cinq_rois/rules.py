"""The rules of Les Cinq Rois, for two to six seats with the 116 cards of five suits, in eleven rounds.

"rules 2.5" in a docstring is that section of the rules document. A hand is a sorted tuple of kinds (see `cards`); what may be
laid is judged by `melds`, and a state never stores a partition, only cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self

from games.cinq_rois import melds
from games.cinq_rois.cards import DECK, KINDS, NUMBERS, TEXTS, Hand, added, texts, without
from games.cinq_rois.melds import Law
from games.engine.chance import Chance
from games.engine.rules import BadOptions, Event, Illegal, Malformed, Place, Rules, Step

ROUNDS: Final = 11
FIRST_RANK: Final = 3
MOST_TURNS: Final = 300
IMMEDIATE: Final = "immediat"
LAST_TURN: Final = "dernier_tour"
MELDS_COUNT: Final = "immediat_combinaisons"

STOCK: Final = 0
PILE: Final = 1
DISCARD: Final = 2
OUT: Final = DISCARD + KINDS
MOVE_TEXTS: Final = ("stock", "pile", *(f"discard {card}" for card in TEXTS), *(f"out {card}" for card in TEXTS))
_NUMBERS: Final = {text: number for number, text in enumerate(MOVE_TEXTS)}


@dataclass(frozen=True, slots=True)
class RoisOptions:
    """The table's options: `brelan` (sets), `fin_manche` (end of a round), `bareme` (scale) and `jokers` (the printed ones)."""

    brelan: str = "couleurs_differentes"
    fin_manche: str = IMMEDIATE
    bareme: str = "maison"
    jokers: str = "toujours"


@dataclass(frozen=True, slots=True)
class RoisMove:
    """A draw from the stock or the pile, a discard, or going out with a final discard."""

    number: int

    def __post_init__(self) -> None:
        if not 0 <= self.number < len(MOVE_TEXTS):
            raise Malformed("not_a_move", {"text": str(self.number)[:32]})

    def __str__(self) -> str:
        return MOVE_TEXTS[self.number]

    @property
    def card(self) -> int | None:
        """The card that leaves the hand, None for a draw."""
        return None if self.number < DISCARD else (self.number - DISCARD) % KINDS

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move of a canonical text: "stock", "pile", "discard 8C", "out 8C". Raises Malformed("not_a_move")."""
        number = _NUMBERS.get(text)
        if number is None:
            raise Malformed("not_a_move", {"text": text[:32]})
        return cls(number)


_MOVES: Final = tuple(RoisMove(number) for number in range(len(MOVE_TEXTS)))


class PastHand(NamedTuple):
    """The round before this one, laid open: its number, who went out (None: nobody), the hands at its end."""

    hand_no: int
    finisher: int | None
    hands: tuple[Hand, ...]


class RoisState(NamedTuple):
    """A match between two plies.

    `stock` has its top first, `pile` (the discards) its top last. `drawn` is the card taken in this turn, None before it, and
    `from_pile` tells where it came from. `known` has, for each seat, the cards it took from the pile and still holds, as far as
    everybody can tell. `turns` counts the turns of this round, `reshuffles` those of its stock. `finisher` is set in the last
    turns only. `turn` is None when the match is over; `sheet` has the points of the finished rounds.
    """

    options: RoisOptions
    hand_no: int
    dealer: int
    hands: tuple[Hand, ...]
    stock: tuple[int, ...]
    pile: tuple[int, ...]
    known: tuple[Hand, ...]
    turn: int | None
    drawn: int | None
    from_pile: bool
    turns: int
    reshuffles: int
    finisher: int | None
    totals: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    last_hand: PastHand | None


class CinqRois(Rules[RoisState, RoisMove, RoisOptions]):
    """Version 1."""

    key = "cinq_rois"
    version = 1
    seats = range(2, 7)
    choices: ClassVar[Mapping[str, Sequence[int] | Sequence[str]]] = {
        "brelan": ("couleurs_differentes", "libre"),
        "fin_manche": (IMMEDIATE, LAST_TURN, MELDS_COUNT),
        "bareme": ("maison", "officiel"),
        "jokers": ("toujours", "manches_11_12"),
    }
    State = RoisState
    Move = RoisMove
    Options = RoisOptions

    def check(self, options: RoisOptions, seats: int) -> None:
        """Two to six seats (rules 2.1)."""
        if seats not in self.seats:
            raise BadOptions("seats", {"low": self.seats[0], "high": self.seats[-1]})

    def deal(self, options: RoisOptions, seats: int, chance: Chance) -> RoisState:
        """The first round; its dealer is drawn by lot (rules 2.2)."""
        self.check(options, seats)
        nothing: tuple[Hand, ...] = ((),) * seats
        blank = RoisState(
            options=options,
            hand_no=0,
            dealer=chance.first("dealer", seats) - 1,
            hands=nothing,
            stock=(),
            pile=(),
            known=nothing,
            turn=None,
            drawn=None,
            from_pile=False,
            turns=0,
            reshuffles=0,
            finisher=None,
            totals=(0,) * seats,
            sheet=(),
            last_hand=None,
        )
        return _next_hand(blank, chance)

    def opening(self, state: RoisState) -> tuple[Event, ...]:
        """The deal of the first round."""
        return (_deal_event(state),)

    def to_act(self, state: RoisState) -> tuple[int, ...]:
        """The one seat on turn."""
        return () if state.turn is None else (state.turn,)

    def legal_moves(self, state: RoisState, seat: int) -> tuple[RoisMove, ...]:
        """The sources to draw from; then every discard, and those with which one may go out (rules 2.5)."""
        return tuple([_MOVES[number] for number in _allowed(state)]) if seat == state.turn else ()

    def apply(self, state: RoisState, seat: int, move: RoisMove, chance: Chance) -> Step[RoisState]:
        """Judge and play one ply; a ply that ends a round also scores it and deals the next one."""
        if seat != state.turn:
            raise Illegal("not_your_turn", {"to_act": list(self.to_act(state))})
        refusal = _refusal(_position(state, seat), move)
        if refusal:
            raise refusal
        if move.number == STOCK:
            return _draw(state, seat, chance)
        if move.number == PILE:
            return _take(state, seat)
        return _leave(state, seat, move, chance)

    def outcome(self, state: RoisState) -> tuple[Place, ...]:
        """Everybody for himself; the lowest total wins, equal totals share the rank (rules 2.7)."""
        totals = state.totals
        return tuple(Place(seat, 1 + sum(other < total for other in totals), total) for seat, total in enumerate(totals))

    def observation(self, state: RoisState, seat: int | None) -> dict[str, Any]:
        """What rules 2.10 lets this seat know."""
        return {**_seen_by_all(state), **_seen_by(state, seat)}

    def forced(self, state: RoisState) -> tuple[int, RoisMove] | None:
        """The pile when there is no stock and nothing to make one of; everything else depends on hidden cards or a choice."""
        if state.turn is None or state.drawn is not None or _has_stock(len(state.stock), len(state.pile)):
            return None
        return state.turn, _MOVES[PILE]

    def why_not(self, observation: Mapping[str, Any], text: str) -> Illegal | None:
        """The refusal `apply` would give the observer, from what he sees."""
        move = RoisMove.parse(text)
        me = observation["me"]
        if me is None or me not in observation["to_act"]:
            return Illegal("not_your_turn", {"to_act": list(observation["to_act"])})
        hand = tuple(NUMBERS[card] for card in observation["hand"])
        seen = _Position(
            hand,
            law_of(observation),
            observation["source"] is not None,
            observation["finisher"] is not None,
            _has_stock(observation["stock_size"], len(observation["pile"])),
        )
        return _refusal(seen, move)


class _Position(NamedTuple):
    """What a move is judged by: hand, law, whether one has drawn, whether these are last turns, whether there is a stock."""

    hand: Hand
    law: Law
    drew: bool
    last_turns: bool
    has_stock: bool


def law_of(options: Mapping[str, Any]) -> Law:
    """The law of a round, from an observation (or any mapping with the options and `round`)."""
    return _law(options["round"], options["brelan"], options["jokers"], options["bareme"])


def _law(rank: int, brelan: str, jokers: str, bareme: str) -> Law:
    return Law(rank, brelan == "libre", jokers == "toujours" or rank in (11, 12), bareme == "officiel")


def law_in(state: RoisState) -> Law:
    """The law of a state's round."""
    options = state.options
    return _law(wild_rank(state.hand_no), options.brelan, options.jokers, options.bareme)


def wild_rank(hand_no: int) -> int:
    """The wild rank of a round and the number of cards dealt."""
    return hand_no + FIRST_RANK - 1


def _has_stock(stock: int, pile: int) -> bool:
    """Whether a card can be drawn: from the stock, or from one made of the pile without its top (rules 2.5)."""
    return stock > 0 or pile > 1


def _position(state: RoisState, seat: int) -> _Position:
    return _Position(
        state.hands[seat],
        law_in(state),
        state.drawn is not None,
        state.finisher is not None,
        _has_stock(len(state.stock), len(state.pile)),
    )


def _allowed(state: RoisState) -> list[int]:
    """The move numbers open to the seat on turn, in canonical order; the match must be running."""
    assert state.turn is not None
    seen = _position(state, state.turn)
    if not seen.drew:
        return [STOCK, PILE] if seen.has_stock else [PILE]
    discards = [DISCARD + card for card in sorted(set(seen.hand))]
    return discards if seen.last_turns else discards + [OUT + card for card in melds.going_out(seen.hand, seen.law)]


def _refusal(seen: _Position, move: RoisMove) -> Illegal | None:
    """Why the seat on turn may not make a move, None if it may."""
    card = move.card
    if card is None:
        if seen.drew:
            return Illegal("already_drawn")
        return Illegal("no_stock") if move.number == STOCK and not seen.has_stock else None
    if not seen.drew:
        return Illegal("draw_first")
    if card not in seen.hand:
        return Illegal("not_in_hand", {"card": TEXTS[card]})
    if move.number < OUT:
        return None
    if seen.last_turns:
        return Illegal("last_turn")
    rest = melds.best(without(seen.hand, card), seen.law).rest
    return Illegal("not_all_laid", {"card": TEXTS[card], "left": texts(rest)}) if rest else None


def _next_hand(state: RoisState, chance: Chance) -> RoisState:
    """Deal the next round: a card more to everybody, the deal passes to the left, one card is turned up (rules 2.2)."""
    seats, hand_no = len(state.hands), state.hand_no + 1
    dealer, dealt = (state.dealer + 1) % seats, wild_rank(hand_no) * seats
    deck = [DECK[place] for place in chance.shuffle(f"hand/{hand_no}", len(DECK))]
    hands = tuple([tuple(sorted(deck[seat:dealt:seats])) for seat in range(seats)])
    return state._replace(
        hand_no=hand_no,
        dealer=dealer,
        hands=hands,
        stock=tuple(deck[dealt + 1 :]),
        pile=(deck[dealt],),
        known=((),) * seats,
        turn=(dealer + 1) % seats,
        drawn=None,
        from_pile=False,
        turns=0,
        reshuffles=0,
        finisher=None,
    )


def _draw(state: RoisState, seat: int, chance: Chance) -> Step[RoisState]:
    """A card from the stock; an empty one is made anew of the discards below the top (rules 2.5)."""
    stock, pile, reshuffles, events = state.stock, state.pile, state.reshuffles, [("drew", seat)]
    if not stock:
        reshuffles += 1
        stock, pile = chance.shuffle(f"reshuffle/{state.hand_no}/{reshuffles}", pile[:-1]), pile[-1:]
        events.insert(0, ("reshuffled", len(stock)))
    hands = _with(state.hands, seat, added(state.hands[seat], stock[0]))
    after = state._replace(hands=hands, stock=stock[1:], pile=pile, reshuffles=reshuffles, drawn=stock[0], from_pile=False)
    return Step(after, tuple(events), same_turn=True)


def _take(state: RoisState, seat: int) -> Step[RoisState]:
    """The top of the pile, before everybody's eyes."""
    card = state.pile[-1]
    after = state._replace(
        hands=_with(state.hands, seat, added(state.hands[seat], card)),
        pile=state.pile[:-1],
        drawn=card,
        known=_with(state.known, seat, added(state.known[seat], card)),
        from_pile=True,
    )
    return Step(after, (("took", seat, TEXTS[card]),), same_turn=True)


def _leave(state: RoisState, seat: int, move: RoisMove, chance: Chance) -> Step[RoisState]:
    """The end of a turn: a discard, or going out with one."""
    card = move.card
    assert card is not None
    hand = without(state.hands[seat], card)
    known = without(state.known[seat], card) if card in state.known[seat] else state.known[seat]
    turn = (seat + 1) % len(state.hands)
    after = state._replace(
        hands=_with(state.hands, seat, hand),
        pile=(*state.pile, card),
        known=_with(state.known, seat, known),
        turn=turn,
        drawn=None,
        from_pile=False,
        turns=state.turns + 1,
    )
    events: tuple[Event, ...] = (("discarded", seat, TEXTS[card]),)
    if move.number >= OUT:
        laid = melds.best(hand, law_in(state)).melds
        events = (("out", seat, TEXTS[card], [texts(meld.cards) for meld in laid]),)
        after = after._replace(finisher=seat)
    if _hand_over(after):
        after, ending = _end_hand(after, chance)
        events += ending
    return Step(after, events)


def _with(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _hand_over(state: RoisState) -> bool:
    """After a turn: somebody is out and nobody has a last turn left, or the round has lasted too long (rules 2.5, 2.6)."""
    if state.finisher is None:
        return state.turns >= MOST_TURNS
    return state.options.fin_manche != LAST_TURN or state.turn == state.finisher


def hand_scores(hands: Sequence[Hand], finisher: int | None, fin_manche: str, law: Law) -> tuple[int, ...]:
    """Points of a round: nothing for who went out; for the others the whole hand, or what they cannot lay (rules 2.6).

    Nobody scores when nobody went out.
    """
    if finisher is None:
        return (0,) * len(hands)
    count = melds.total if fin_manche == IMMEDIATE else melds.least
    return tuple(0 if seat == finisher else count(hand, law) for seat, hand in enumerate(hands))


def _end_hand(state: RoisState, chance: Chance) -> tuple[RoisState, tuple[Event, ...]]:
    """Score the round; after the last one the match is over, else the next one is dealt."""
    scores = hand_scores(state.hands, state.finisher, state.options.fin_manche, law_in(state))
    totals = tuple(total + score for total, score in zip(state.totals, scores, strict=True))
    scored = state._replace(
        totals=totals, sheet=(*state.sheet, scores), last_hand=PastHand(state.hand_no, state.finisher, state.hands)
    )
    winners = [] if state.finisher is None else [state.finisher]
    hand: Event = ("hand", state.hand_no, list(scores), list(totals), [texts(cards) for cards in state.hands], winners)
    if state.hand_no == ROUNDS:
        champions = [seat for seat, total in enumerate(totals) if total == min(totals)]
        return scored._replace(turn=None), (hand, ("match", champions, list(totals)))
    dealt = _next_hand(scored, chance)
    return dealt, (hand, _deal_event(dealt))


def _deal_event(state: RoisState) -> Event:
    sizes = [len(hand) for hand in state.hands]
    return ("deal", state.hand_no, state.turn, state.dealer, sizes, len(state.stock), TEXTS[state.pile[0]])


def _seen_by_all(state: RoisState) -> dict[str, Any]:
    """The public part of an observation, the same for every viewer."""
    options, finisher, over = state.options, state.finisher, state.turn is None
    return {
        "brelan": options.brelan,
        "fin_manche": options.fin_manche,
        "bareme": options.bareme,
        "jokers": options.jokers,
        "seats": len(state.hands),
        "hand_number": state.hand_no,
        "round": wild_rank(state.hand_no),
        "dealer": state.dealer,
        "to_act": [] if over else [state.turn],
        "finished": over,
        "turns": state.turns,
        "hand_sizes": [len(hand) for hand in state.hands],
        "stock_size": len(state.stock),
        "pile": texts(state.pile),
        "source": None if state.drawn is None else "pile" if state.from_pile else "stock",
        "known": [texts(hand) for hand in state.known],
        "finisher": finisher,
        "laid": [] if finisher is None else texts(state.hands[finisher]),
        "scores": list(state.totals),
        "sheet": [list(scores) for scores in state.sheet],
        "last_hand": _last_hand_seen(state),
    }


def _last_hand_seen(state: RoisState) -> dict[str, Any] | None:
    last = state.last_hand
    if last is None:
        return None
    return {
        "hand_number": last.hand_no,
        "round": wild_rank(last.hand_no),
        "scores": list(state.sheet[-1]),
        "totals": list(state.totals),
        "left": [texts(hand) for hand in last.hands],
        "winners": [] if last.finisher is None else [last.finisher],
    }


def _seen_by(state: RoisState, seat: int | None) -> dict[str, Any]:
    """The private part of an observation: one's own cards and what may be done with them."""
    mine = seat is not None and seat == state.turn
    return {
        "me": seat,
        "hand": [] if seat is None else texts(state.hands[seat]),
        "legal": [MOVE_TEXTS[number] for number in _allowed(state)] if mine else [],
        "drawn": TEXTS[state.drawn] if mine and state.drawn is not None else None,
    }


RULEBOOK: dict[int, Rules[Any, Any, Any]] = {1: CinqRois()}
