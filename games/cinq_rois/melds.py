"""The exact solver of Les Cinq Rois: how to lay a hand in runs and sets so that the cards left over cost least (rules 2.8).

A hand is split into naturals and wilds. A *core* is the naturals of one meld with the number of wilds it *needs*. Three facts
keep the cores few. A meld of six or more cards is two melds, so cores of at most five places are enough. A wild more never
spoils a meld, or the two it can be split into, so wilds beyond the need always find a place as soon as there is one meld.
And three wilds are a meld by themselves. So a wild is left over only when there is no meld at all.

Naturals are counted in one integer: each kind has a field of three bits, two for its count and a guard that shows a borrow.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import count, product
from typing import Final, NamedTuple

from games.cinq_rois.cards import JOKER, KINDS, RANKS, WIDTH, Hand, rank

FIELD: Final = 3
GUARD: Final = 4
MOST: Final = 5
ALL_WILD: Final = 3
RUN: Final = "run"
SET: Final = "set"
WILD: Final = "wild"

Core = tuple[int, int]
"""Counts of the naturals, wilds needed."""


class Law(NamedTuple):
    """What a round's melds and points depend on: its wild rank, sets of any suits, jokers wild, the published scale."""

    rank: int
    free_sets: bool = False
    printed_wild: bool = True
    official: bool = False


class Meld(NamedTuple):
    """A group as it is laid: RUN, SET or WILD (wilds alone), its cards in order, a wild standing in the place it fills."""

    kind: str
    cards: Hand


class Partition(NamedTuple):
    """The cheapest way to lay a hand: points left over, the melds, the cards left over."""

    points: int
    melds: tuple[Meld, ...]
    rest: Hand


@cache
def points(law: Law) -> tuple[int, ...]:
    """What each kind costs when it is left in a hand (rules 2.7)."""
    return tuple(_points(law, card) for card in range(KINDS))


def _points(law: Law, card: int) -> int:
    if card == JOKER:
        return 50
    if rank(card) == law.rank:
        return 20
    if law.official or rank(card) < 10:
        return rank(card)
    return 25 if rank(card) == 13 else 10


@cache
def wilds(law: Law) -> frozenset[int]:
    """The kinds that replace any card in this round (rules 2.3)."""
    of_rank = {card for card in range(JOKER) if rank(card) == law.rank}
    return frozenset(of_rank | {JOKER} if law.printed_wild else of_rank)


def total(hand: Sequence[int], law: Law) -> int:
    """The points of all cards of a hand."""
    worth = points(law)
    return sum([worth[card] for card in hand])


def least(hand: Hand, law: Law) -> int:
    """The points of the cards that cannot be laid, at best."""
    return Solver(hand, law).least()


@lru_cache(maxsize=512)
def best(hand: Hand, law: Law) -> Partition:
    """A partition with the least points left over."""
    return Solver(hand, law).partition()


@lru_cache(maxsize=4096)
def going_out(hand: Hand, law: Law) -> Hand:
    """The kinds whose discard leaves nothing but melds, rising (rules 2.5): four cards at least, the hand after the draw."""
    return Solver(hand, law).going_out()


class Solver:
    """One hand under one law. All answers share their work, those about the hand less a card too."""

    __slots__ = (
        "_cores",
        "_cost",
        "_counts",
        "_found",
        "_grown",
        "_guards",
        "_kinds",
        "_law",
        "_made",
        "_stuck",
        "_units",
        "wilds",
    )

    def __init__(self, hand: Hand, law: Law, *, spare: bool = False) -> None:
        """`spare`: questions will be asked about more wilds than the hand has (`lacks`, `wanted`)."""
        wild, worth = wilds(law), points(law)
        self._law = law
        self.wilds = tuple([card for card in hand if card in wild])
        self._stuck = tuple([card for card in hand if card == JOKER and JOKER not in wild])
        counts: dict[int, int] = {}
        for card in hand:
            if card not in wild and card != JOKER:
                counts[card] = counts.get(card, 0) + 1
        self._kinds = tuple(sorted(counts))
        self._units = {card: 1 << FIELD * place for place, card in enumerate(self._kinds)}
        self._counts = sum([counts[card] * unit for card, unit in self._units.items()])
        self._guards = GUARD * sum(self._units.values())
        self._cost = [worth[card] for card in self._kinds]
        self._cores = _cores(counts, self._units, law.free_sets, MOST if spare else len(self.wilds))
        self._found: dict[tuple[int, int], int] = {}
        self._made: dict[tuple[int, int, int], bool] = {}
        self._grown: dict[int, list[tuple[int, set[int]]]] = {}

    def least(self) -> int:
        """The points left over at best."""
        return self._points(self._counts, self.wilds)

    def least_without(self, card: int) -> int:
        """The same after this card of the hand is gone."""
        if card in self._units:
            return self._points(self._counts - self._units[card], self.wilds)
        if card in self.wilds:
            at = self.wilds.index(card)
            return self._points(self._counts, self.wilds[:at] + self.wilds[at + 1 :])
        return self.least() - points(self._law)[card]

    def lacks(self, gone: int) -> int:
        """How many cards of the hand less `gone` (no wild) must be replaced, at least, so that all of it can be laid."""
        counts, stuck = self._less(gone)
        return next(lost for lost in count(stuck) if self._makes(counts, len(self.wilds) + lost, lost - stuck))

    def wanted(self, gone: int, lacks: int) -> set[int]:
        """The naturals that would leave the hand less `gone` lacking one card fewer than `lacks` (one at least).

        Each is the missing card of a core in a partition with one added wild fewer and as many naturals left over.
        """
        counts, stuck = self._less(gone)
        wild, guards = len(self.wilds) + lacks - 1, self._guards
        found: set[int] = set()
        for core, _need in [core for cores in self._cores for core in cores]:
            if ((counts | guards) - core) & guards != guards:
                continue
            for need, cards in self._growths(core):
                if need <= wild and not cards <= found and self._makes(counts - core, wild - need, lacks - stuck):
                    found |= cards
        return found

    def _less(self, gone: int) -> tuple[int, int]:
        """The naturals, and the number of jokers that fit no meld, without a card that is not wild."""
        if gone in self._units:
            return self._counts - self._units[gone], len(self._stuck)
        return self._counts, len(self._stuck) - 1

    def _growths(self, core: int) -> list[tuple[int, set[int]]]:
        """The naturals a core can grow by, after the wilds it then needs."""
        known = self._grown.get(core)
        if known is None:
            by_need: dict[int, set[int]] = {}
            for card, need in _growths(self._members(core), self._law):
                by_need.setdefault(need, set()).add(card)
            known = self._grown[core] = sorted(by_need.items(), key=lambda item: item[0])
        return known

    def partition(self) -> Partition:
        """A partition with the least points left over."""
        counts, wild = self._counts, len(self.wilds)
        laid: list[Core] = []
        rest: list[int] = list(self._stuck)
        while counts:
            place = ((counts & -counts).bit_length() - 1) // FIELD
            core = self._choice(counts, wild, place)
            if core is None:
                rest.append(self._kinds[place])
                counts -= 1 << FIELD * place
            else:
                laid.append(core)
                counts, wild = counts - core[0], wild - core[1]
        melds, idle = _lay([(self._members(core), need) for core, need in laid], list(self.wilds), self._law)
        rest = sorted(rest + idle)
        return Partition(total(rest, self._law), tuple(melds), tuple(rest))

    def going_out(self) -> Hand:
        """The kinds whose discard leaves nothing but melds."""
        if len(self._stuck) > 1:
            return ()
        if self._stuck:
            return (JOKER,) if self._makes(self._counts, len(self.wilds), 0) else ()
        found = {self._kinds[place] for place in self._skipped(self._counts, len(self.wilds), {})}
        if self.wilds and self._makes(self._counts, len(self.wilds) - 1, 0):
            found |= set(self.wilds)
        return tuple(sorted(found))

    def _points(self, counts: int, wild: tuple[int, ...]) -> int:
        """Points of the cards left over, idle wilds and jokers that are not wild included."""
        worth = points(self._law)
        left = self._search(counts, len(wild)) + sum([worth[card] for card in self._stuck])
        if len(wild) < ALL_WILD and wild and self._nothing_laid(counts, len(wild)):
            left += sum([worth[card] for card in wild])
        return left

    def _nothing_laid(self, counts: int, wild: int) -> bool:
        """Whether no meld can be made: two wilds and a natural always make one."""
        if wild >= 2:
            return not counts
        everything = sum([(counts >> FIELD * place & GUARD - 1) * cost for place, cost in enumerate(self._cost)])
        return self._search(counts, wild) == everything

    def _search(self, counts: int, wild: int) -> int:
        """What the naturals left over cost at best, with so many wilds to spend."""
        if not counts:
            return 0
        known = self._found.get((counts, wild))
        if known is not None:
            return known
        place = ((counts & -counts).bit_length() - 1) // FIELD
        guards = self._guards
        guarded = counts | guards
        found = self._cost[place] + self._search(counts - (1 << FIELD * place), wild)
        for core, need in self._cores[place]:
            if need <= wild and (guarded - core) & guards == guards:
                value = self._search(counts - core, wild - need)
                if value < found:
                    found = value
                    if not value:
                        break
        self._found[counts, wild] = found
        return found

    def _choice(self, counts: int, wild: int, place: int) -> Core | None:
        """The core a cheapest partition uses for the first natural, None if that one is left over."""
        target, guards = self._search(counts, wild), self._guards
        for core, need in self._cores[place]:
            fits = need <= wild and ((counts | guards) - core) & guards == guards
            if fits and self._search(counts - core, wild - need) == target:
                return core, need
        return None

    def _makes(self, counts: int, wild: int, lost: int) -> bool:
        """Whether exactly so many of these naturals can be left out and all others laid with so many wilds."""
        if not counts:
            return not lost
        known = self._made.get((counts, wild, lost))
        if known is None:
            place, guards = ((counts & -counts).bit_length() - 1) // FIELD, self._guards
            guarded = counts | guards
            known = self._made[counts, wild, lost] = any(
                need <= wild and (guarded - core) & guards == guards and self._makes(counts - core, wild - need, lost)
                for core, need in self._cores[place]
            ) or (lost > 0 and self._makes(counts - (1 << FIELD * place), wild, lost - 1))
        return known

    def _skipped(self, counts: int, wild: int, seen: dict[tuple[int, int], set[int]]) -> set[int]:
        """The places of which one natural can be left out so that all others can be laid."""
        if not counts:
            return set()
        known = seen.get((counts, wild))
        if known is not None:
            return known
        place, guards = ((counts & -counts).bit_length() - 1) // FIELD, self._guards
        found = {place} if self._makes(counts - (1 << FIELD * place), wild, 0) else set()
        for core, need in self._cores[place]:
            if need <= wild and ((counts | guards) - core) & guards == guards:
                found |= self._skipped(counts - core, wild - need, seen)
        seen[counts, wild] = found
        return found

    def _members(self, core: int) -> list[int]:
        return [card for place, card in enumerate(self._kinds) for _copy in range(core >> FIELD * place & GUARD - 1)]


def _cores(counts: dict[int, int], units: dict[int, int], free_sets: bool, most: int) -> list[list[Core]]:
    """For each kind, in order, the cores of which it is the first natural, those that need fewest wilds first.

    `most` is the need beyond which none is kept.
    """
    found: list[list[Core]] = []
    for card, unit in units.items():
        cores = [*_runs(card, units, most)]
        cores += _free_sets(card, counts, units, most) if free_sets else _sets(card, units, most)
        cores += [(unit, 2)] if most >= 2 else []
        found.append(sorted(cores, key=lambda core: core[1]))
    return found


def _windows() -> Iterator[tuple[tuple[tuple[int, ...], int], ...]]:
    """For each set of ranks present among the four above a natural: the choices of some of them, with the wilds needed."""
    for present in range(1 << MOST - 1):
        steps = [step for step in range(1, MOST) if present >> step - 1 & 1]
        chosen = [
            tuple(step for step, taken in zip(steps, picks, strict=True) if taken)
            for picks in product((True, False), repeat=len(steps))
        ]
        yield tuple((some, max(some[-1] - len(some), 2 - len(some))) for some in chosen if some)


_WINDOWS: Final = tuple(_windows())


def _runs(card: int, units: dict[int, int], most: int) -> Iterator[Core]:
    """Cores of runs whose lowest natural is this card, with at least one more."""
    room = min(MOST - 1, WIDTH - 1 - card % WIDTH)
    present = sum([1 << step - 1 for step in range(1, room + 1) if card + step in units])
    for steps, need in _WINDOWS[present]:
        if need <= most:
            yield units[card] + sum([units[card + step] for step in steps]), need


def _sets(card: int, units: dict[int, int], most: int) -> Iterator[Core]:
    """Cores of sets in different suits: this card and at least one of the same rank in later suits."""
    cores = [(units[card], 1)]
    for other in range(card + WIDTH, JOKER, WIDTH):
        if other in units:
            cores += [(core + units[other], size + 1) for core, size in cores]
    for core, size in reversed(cores):
        if size > 1 and max(0, 3 - size) <= most:
            yield core, max(0, 3 - size)


def _free_sets(card: int, counts: dict[int, int], units: dict[int, int], most: int) -> Iterator[Core]:
    """The same where suits do not matter: both copies of a card may stand in one set."""
    cores = [(copies * units[card], copies) for copies in range(1, counts[card] + 1)]
    for other in range(card + WIDTH, JOKER, WIDTH):
        if other in units:
            cores += [
                (core + copies * units[other], size + copies)
                for core, size in cores
                for copies in range(1, counts[other] + 1)
                if size + copies <= MOST
            ]
    for core, size in reversed(cores):
        if size > 1 and max(0, 3 - size) <= most:
            yield core, max(0, 3 - size)


def _growths(naturals: list[int], law: Law) -> Iterator[tuple[int, int]]:
    """The naturals that make a larger core with these, each with the wilds that one needs."""
    first, last, size = naturals[0], naturals[-1], len(naturals) + 1
    if first % WIDTH == last % WIDTH and rank(first) != law.rank and size <= MOST:
        for card in range(first % WIDTH, JOKER, WIDTH):
            if law.free_sets or card not in naturals:
                yield card, max(0, 3 - size)
    if first // WIDTH == last // WIDTH and (first != last or size == 2):
        suit = first // WIDTH * WIDTH
        for card in range(max(last - MOST + 1, suit), min(first + MOST, suit + WIDTH)):
            span = max(last, card) - min(first, card) + 1
            if card not in naturals and rank(card) != law.rank:
                yield card, max(span - size, 3 - size, 0)


def _lay(cores: list[tuple[list[int], int]], wild: list[int], law: Law) -> tuple[list[Meld], list[int]]:
    """The melds of these naturals with the wilds they need, the other wilds put where there is room; and the idle wilds."""
    free = iter(wild)
    runs: list[dict[int, int]] = []
    sets: list[list[int]] = []
    for naturals, need in cores:
        taken = [next(free) for _ in range(need)]
        if len({rank(card) for card in naturals}) > 1:
            runs.append({rank(card): card for card in naturals})
            for card in taken:
                _lengthen(runs[-1], card)
        else:
            sets.append([*naturals, *taken])
    runs = _joined(runs)
    idle = list(free)
    alone: list[list[int]] = []
    if len(idle) >= ALL_WILD:
        alone, idle = _chunks(idle), []
    elif runs or sets:
        for card in idle:
            _take_in(card, runs, sets, law)
        idle = []
    melds = [Meld(RUN, tuple(run[place] for place in sorted(run))) for run in runs]
    return melds + [Meld(SET, tuple(cards)) for cards in sets] + [Meld(WILD, tuple(cards)) for cards in alone], idle


def _lengthen(run: dict[int, int], card: int) -> None:
    """Put a wild into a run (rank to card): in the first gap, else above, else below."""
    low, high = min(run), max(run)
    gap = next((place for place in range(low, high) if place not in run), None)
    run[gap if gap is not None else high + 1 if high < RANKS[-1] else low - 1] = card


def _joined(runs: list[dict[int, int]]) -> list[dict[int, int]]:
    """The runs, those that continue one another in one suit as one."""
    found: list[dict[int, int]] = []
    for run in sorted(runs, key=lambda run: (_suit(run), min(run))):
        if found and _suit(found[-1]) == _suit(run) and max(found[-1]) + 1 == min(run):
            found[-1].update(run)
        else:
            found.append(dict(run))
    return found


def _suit(run: dict[int, int]) -> int:
    """The suit of a run: that of a card that stands for its own rank."""
    return next(card // WIDTH for place, card in run.items() if rank(card) == place)


def _take_in(card: int, runs: list[dict[int, int]], sets: list[list[int]], law: Law) -> None:
    """Add one wild more to a meld; a full set or run makes two."""
    for run in runs:
        if len(run) < WIDTH:
            _lengthen(run, card)
            return
    for cards in sets:
        if law.free_sets or len(cards) < MOST:
            cards.append(card)
            return
    if sets:
        full = sets.pop(0)
        sets.extend(([*full[:2], card], full[2:]))
        return
    low = {place: runs[0].pop(place) for place in RANKS[:MOST]}
    runs.insert(0, low)
    _lengthen(runs[1], card)


def _chunks(cards: list[int]) -> list[list[int]]:
    """Wilds alone, in groups of three to five."""
    found = []
    while len(cards) > MOST:
        found.append(cards[:ALL_WILD])
        cards = cards[ALL_WILD:]
    return [*found, cards]
