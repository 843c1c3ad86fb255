"""55 for people: an observation becomes what the board template draws, an event becomes a sentence.

Pure presentation: nothing here knows more than the observation it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import terms
from games.cinquante_cinq.auction import SWEEP
from games.cinquante_cinq.exchange import KEPT
from games.cinquante_cinq.moves import CALL, DISCARD, TRUMP, FiftyFiveMove
from games.cinquante_cinq.rules import AUCTION, OVER, PLAY, FiftyFive
from games.cinquante_cinq.tricks import ACE_OF_HEARTS, DECK, HEARTS, TRICKS, TRUMPS
from games.engine.rules import Illegal, Malformed

Observation = Mapping[str, Any]
Event = Sequence[Any]

_RULES: Final = FiftyFive()
_BESIDES: Final = {
    1: (),
    2: ("r1 c1",),
    3: ("r1 c1", "r1 c3"),
    4: ("r1 c1", "r1 c2", "r1 c3"),
    5: ("r2 c1", "r1 c1", "r1 c3", "r2 c3"),
    6: ("r2 c1", "r1 c1", "r1 c2", "r1 c3", "r2 c3"),
    7: ("r3 c1", "r2 c1", "r1 c1", "r1 c3", "r2 c3", "r3 c3"),
    8: ("r3 c1", "r2 c1", "r1 c1", "r1 c2", "r1 c3", "r2 c3", "r3 c3"),
    9: ("r1 c1", "r1 c2", "r1 c3", "r2 c1", "r2 c2", "r2 c3", "r3 c1", "r3 c2"),
}
"""Number of seats -> where the others sit on a grid of three columns, from the viewer's left on. He sits below in the middle,
with two or three seats in the same row to save height; nine seats fill the grid in reading order."""
_NEAREST: Final = {2: "r1 c3", 3: "r1 c2", 4: "r2 c2", 5: "r2 c2", 6: "r2 c2", 7: "r3 c2", 8: "r3 c2", 9: "r3 c3"}


def board(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """What `cinquante_cinq/board.html` draws: the auction, the contract, the trick by seats, the hand, the action bar."""
    return {
        "caption": caption(observation),
        "deck": terms.FRENCH,
        "phase": observation["phase"],
        "players": [_player(observation, seat) for seat in range(observation["seats"])],
        "calls": _calls(observation, names),
        "status": _status(observation, names),
        "trump": _suit(observation["trump"]) if observation["trump"] else None,
        "places": _places(observation, names),
        "last_trick": _last_trick(observation, names),
        "backs": range(KEPT),
        "hand": [_held(observation, card) for card in _sorted_hand(observation)],
        "bids": [_choice(text) for text in observation["legal"]] if observation["phase"] == AUCTION else [],
        "suits": [{**_choice(text), **_suit(text[-1])} for text in observation["legal"]] if observation["phase"] == TRUMP else [],
        "throw": observation["choose"]["count"] if observation["choose"] else 0,
        "thrown": observation["thrown"],
        "single": len(observation["legal"]) == 1,
        "demand": _demand(observation, names),
        "last": _last_deal(observation, names),
        "text": _as_text(observation, names),
    }


def caption(observation: Observation) -> str:
    """The line under the title."""
    return _("Deal %(deal)s · to %(target)s points") % {"deal": observation["hand_number"], "target": observation["cible"]}


def move_label(text: str) -> str:
    """What the confirm button says: the move by its name."""
    move = FiftyFiveMove.parse(text)
    if move.kind == CALL:
        return _call_label(text)
    if move.kind == TRUMP:
        return _by_suit(text[-1], _("Make spades trump"), _("Make hearts trump"), _("Make diamonds trump"), _("Make clubs trump"))
    if move.kind == DISCARD:
        return _("Throw these five cards")
    return _("Play %(card)s") % {"card": terms.the_card(text, terms.FRENCH)}


def _call_label(text: str) -> str:
    if text == "pass":
        return _("Pass")
    if text == "hold":
        return _("Hold the bid")
    if text == str(SWEEP):
        return _("Bid 60: all five tricks")
    return _("Bid %(bid)s") % {"bid": text}


def read_move(fields: Mapping[str, Sequence[str]]) -> str:
    """The text that the ticked cards of the exchange make; "" when none was ticked.

    Raises Malformed for a card that there is not, Illegal("throw_five") unless there are five.
    """
    cards = fields.get("discard", [])
    if not cards:
        return ""
    if not set(cards) <= DECK.numbers.keys():
        raise Malformed("not_a_move", {})
    thrown = DECK.mask(cards)
    if thrown.bit_count() != KEPT:
        raise Illegal("throw_five", {"count": thrown.bit_count()})
    return str(FiftyFiveMove(DISCARD, thrown))


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal` or `BadOptions`."""
    if code == "not_in_hand":
        return _("You do not hold %(card)s.") % {"card": terms.the_card(params["card"], terms.FRENCH)}
    if code == "must_raise":
        return _("You have to bid more than %(bid)s, or pass.") % {"bid": params["bid"]}
    if code == "must_follow":
        return _must_follow(params["suit"])
    if code == "out_of_range" and params.get("name") == "cible":
        return _("The points to reach are a multiple of 5, from %(low)s to %(high)s.") % params
    if code == "no_such_sides":
        return _no_such_sides(params["seats"])
    sentences = {
        "must_follow_trump": _("A trump was led, so you have to play one of your trumps."),
        "only_dealer_holds": _("Only the dealer may hold a bid; you raise it or pass."),
        "nothing_to_hold": _("Nobody has bid, so there is nothing to hold."),
        "dealer_must_open": _("Everybody else has passed, so you have to bid."),
        "throw_five": _("Throw exactly five cards."),
        "not_now": _("That is not what this moment of the deal asks for."),
    }
    return sentences.get(code) or terms.error_sentence(code, params)


def _must_follow(suit: str) -> str:
    return _by_suit(
        suit,
        _("You have to follow with spades, or play a trump."),
        _("You have to follow with hearts, or play a trump."),
        _("You have to follow with diamonds, or play a trump."),
        _("You have to follow with clubs, or play a trump."),
    )


def _no_such_sides(seats: int) -> str:
    sentences = {
        4: _("Four players play alone or in 2 sides."),
        6: _("Six players play alone, in 2 sides or in 3."),
        8: _("Eight players play alone, in 2 sides or in 4."),
        9: _("Nine players play alone or in 3 sides."),
    }
    return sentences.get(seats) or _("This number of players cannot play in sides.")


def _by_suit(letter: str, spades: str, hearts: str, diamonds: str, clubs: str) -> str:
    """The sentence for this suit: languages inflect, so each suit has a sentence of its own."""
    return dict(zip(DECK.suits, (spades, hearts, diamonds, clubs), strict=True))[letter]


def sentence(event: Event, names: Sequence[str]) -> str:
    """One public fact as a sentence; facts of any table come from `games.terms`."""
    kind, rest = str(event[0]), list(event[1:])
    if kind == "deal":
        return _("Deal %(deal)s: %(name)s deals.") % {"deal": rest[0], "name": names[rest[1]]}
    if kind == "passed_out":
        return _("Deal %(deal)s: everybody passed, nobody scores.") % {"deal": rest[0]}
    if kind == "hand":
        return _deal_sentence(rest[0], names[rest[1]], rest[2], bool(rest[3]), rest[4][rest[1]])
    if kind == "match":
        return _match_sentence(rest[0], rest[1], rest[2], names)
    if kind in _SEAT_FACTS:
        return _seat_sentence(kind, names[rest[0]], rest[1:])
    return terms.table_sentence(event, names) or ""


_SEAT_FACTS: Final = frozenset({"passed", "bid", "held", "declarer", "exchanged", "trump", "played", "trick"})


def _seat_sentence(kind: str, name: str, rest: Sequence[Any]) -> str:
    """What one seat did before everybody's eyes."""
    if kind == "trump":
        return _by_suit(
            rest[0],
            _("%(name)s makes spades trump."),
            _("%(name)s makes hearts trump."),
            _("%(name)s makes diamonds trump."),
            _("%(name)s makes clubs trump."),
        ) % {"name": name}
    if kind == "played":
        return _("%(name)s plays %(card)s.") % {"name": name, "card": terms.the_card(rest[0], terms.FRENCH)}
    sentences = {
        "passed": _("%(name)s passes."),
        "bid": _("%(name)s bids %(number)s."),
        "held": _("%(name)s holds %(number)s."),
        "declarer": _("%(name)s takes the kitty and plays for %(number)s."),
        "exchanged": _("%(name)s throws %(number)s cards."),
        "trick": _("%(name)s takes trick %(number)s."),
    }
    return sentences[kind] % {"name": name, "number": rest[0] if rest else ""}


def _deal_sentence(deal: int, name: str, contract: int, made: bool, gain: int) -> str:
    """How a deal went for its declarer; `gain` is what his side's score moved by."""
    named = {"deal": deal, "name": name, "contract": contract, "points": terms.points(gain), "loss": terms.points(contract)}
    if contract == SWEEP:
        if made:
            return _("Deal %(deal)s: %(name)s takes all five tricks and scores %(points)s.") % named
        return _("Deal %(deal)s: %(name)s misses one of the five tricks and loses %(loss)s.") % named
    if made:
        return _("Deal %(deal)s: %(name)s promised %(contract)s and scores %(points)s.") % named
    return _("Deal %(deal)s: %(name)s promised %(contract)s, fails and loses %(loss)s.") % named


def _match_sentence(winners: Sequence[int], total: int, decisive: int | None, names: Sequence[str]) -> str:
    named = {"names": terms.people([names[seat] for seat in winners]), "points": terms.points(total)}
    if decisive is None:
        return (
            ngettext("%(names)s wins the match with %(points)s.", "%(names)s win the match with %(points)s.", len(winners))
            % named
        )
    named["trick"] = str(decisive + 1)
    return (
        ngettext(
            "%(names)s is first to reach the target, in trick %(trick)s, and wins the match with %(points)s.",
            "%(names)s are first to reach the target, in trick %(trick)s, and win the match with %(points)s.",
            len(winners),
        )
        % named
    )


def sheet(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The score sheet, a row a deal: what each side gained and, in brackets, which tricks it took (the one with the highest
    trump starred). None before the first deal is over.
    """
    if not observation["sheet"]:
        return None
    sides, me = observation["sides"], observation["me"]
    return {
        "head": _("Deal"),
        "names": [terms.people(list(names[side::sides])) for side in range(sides)],
        "rows": [{"label": _sheet_label(deal, names), "scores": _sheet_cells(deal, sides)} for deal in observation["sheet"]],
        "totals": observation["totals"],
        "me": None if me is None else me % sides,
        "note": _("In brackets the tricks taken; the star marks the one with the highest trump."),
    }


def _sheet_label(deal: Mapping[str, Any], names: Sequence[str]) -> str:
    if deal["declarer"] is None:
        return _("%(deal)s · all passed") % {"deal": deal["hand_no"]}
    named = {"deal": deal["hand_no"], "name": names[deal["declarer"]], "contract": deal["contract"]}
    if deal["made"]:
        return _("%(deal)s · %(name)s %(contract)s, made") % named
    return _("%(deal)s · %(name)s %(contract)s, failed") % named


def _sheet_cells(deal: Mapping[str, Any], sides: int) -> list[str]:
    tricks: list[list[str]] = [[] for _ in range(sides)]
    for trick, seat in enumerate(deal["won"]):
        tricks[seat % sides].append(f"{trick + 1}{'★' if trick == deal['bonus'] else ''}")
    return [
        f"{_signed(gain)} ({' '.join(taken)})" if taken else _signed(gain)
        for gain, taken in zip(deal["gains"], tricks, strict=True)
    ]


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


def _choice(text: str) -> dict[str, str]:
    """A call or a suit to choose: its text, an id without blanks, what the button says."""
    short = {"pass": _("Pass"), "hold": _("Hold")}
    return {"text": text, "id": text.replace(" ", "-"), "short": short.get(text, text), "label": move_label(text)}


def _suit(letter: str) -> dict[str, str]:
    return {"letter": letter, "name": terms.suit_name(letter, terms.FRENCH), "class": terms.suit_class(letter, terms.FRENCH)}


def _player(observation: Observation, seat: int) -> dict[str, Any]:
    cards = observation["hand_sizes"][seat]
    return {
        "cards": cards,
        "score": observation["scores"][seat],
        "dead": 0,
        "dead_text": "",
        "backs": [False] * cards,
        "note": _note(observation, seat),
        "tricks": observation["taken"][seat] if observation["phase"] in (PLAY, OVER) else None,
    }


def _note(observation: Observation, seat: int) -> str:
    """What a seat is in this deal: its side, the dealer, the declarer with his contract."""
    words = []
    if observation["sides"] < observation["seats"]:
        words.append(_("side %(side)s") % {"side": "ABCD"[seat % observation["sides"]]})
    if seat == observation["dealer"]:
        words.append(_("dealer"))
    if seat == observation["declarer"]:
        words.append(_("declarer %(contract)s") % {"contract": observation["contract"]})
    return " · ".join(words)


def _calls(observation: Observation, names: Sequence[str]) -> list[dict[str, Any]]:
    """The auction line: who said what, the standing bid marked."""
    rows = []
    bid = 0
    for seat, text in observation["calls"]:
        bid = int(text) if text.isdigit() else bid
        said = _("passes") if text == "pass" else _("holds %(bid)s") % {"bid": bid} if text == "hold" else text
        rows.append(
            {"name": names[seat], "me": seat == observation["me"], "said": said, "passed": text == "pass", "stands": False}
        )
    speaking = [
        place for place, (seat, text) in enumerate(observation["calls"]) if seat == observation["bidder"] and text != "pass"
    ]
    if speaking:
        rows[speaking[-1]]["stands"] = True
    return rows


def _status(observation: Observation, names: Sequence[str]) -> str:
    """Where the deal stands, in one line."""
    phase, declarer = observation["phase"], observation["declarer"]
    if phase == AUCTION:
        if observation["bidder"] is None:
            return _("Auction: nobody has bid yet.")
        return _("Auction: %(name)s stands at %(bid)s.") % {"name": names[observation["bidder"]], "bid": observation["bid"]}
    named = {"name": names[declarer], "contract": observation["contract"], "trick": len(observation["tricks"])}
    if phase in (DISCARD, TRUMP):
        return _("%(name)s plays for %(contract)s and exchanges cards with the kitty.") % named
    if phase == OVER:
        return _("Last deal: %(name)s played for %(contract)s.") % named
    named["trick"] = min(named["trick"] + 1, TRICKS)
    return _("Contract: %(name)s, %(contract)s. Trick %(trick)s of 5.") % named


def _places(observation: Observation, names: Sequence[str]) -> list[dict[str, Any]]:
    """The seats round the trick, the viewer's own below; the card each has played to it."""
    seats, me = observation["seats"], observation["me"]
    nearest = me if me is not None else 0
    cards = _shown_trick(observation)
    played = dict(cards)
    best = _winning(observation, cards)
    where = [*_BESIDES[seats], _NEAREST[seats]]
    return [
        {
            "seat": seat,
            "name": names[seat],
            "me": seat == me,
            "where": place,
            "card": played.get(seat),
            "led": bool(cards) and cards[0][0] == seat,
            "wins": seat == best,
            "active": seat in observation["to_act"],
        }
        for place, seat in zip(where, ((nearest + 1 + step) % seats for step in range(seats)), strict=True)
    ]


def _shown_trick(observation: Observation) -> list[list[Any]]:
    """The trick on the table; when the match is over, the last one."""
    if observation["phase"] == OVER and observation["tricks"]:
        return list(observation["tricks"][-1]["cards"])
    return list(observation["trick"])


def _winning(observation: Observation, cards: Sequence[Sequence[Any]]) -> int | None:
    """The seat whose card wins the trick so far."""
    if not cards or observation["trump"] is None:
        return None
    law = TRUMPS[DECK.suits.index(observation["trump"])]
    return int(cards[law.winner([DECK.numbers[text] for _, text in cards])][0])


def _last_trick(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The trick before this one, of the deal before if need be; None when there is none. The very last one lies on the table."""
    over = observation["phase"] == OVER
    tricks = observation["tricks"][:-1] if over else observation["tricks"] or observation["last_tricks"]
    if not tricks:
        return None
    trick = tricks[-1]
    return {
        "sentence": (_("Last trick but one: %(name)s took it.") if over else _("Last trick: %(name)s took it."))
        % {"name": names[trick["winner"]]},
        "cards": [{"name": names[seat], "card": text, "won": seat == trick["winner"]} for seat, text in trick["cards"]],
    }


def _strength(observation: Observation, card: str) -> tuple[int, int, int]:
    """How the hand is laid: trumps first, then suit by suit, each from the highest card down."""
    number = DECK.numbers[card]
    trump = None if observation["trump"] is None else DECK.suits.index(observation["trump"])
    if trump is not None and TRUMPS[trump].is_trump(number):
        return (0, 0, TRUMPS[trump].ranking.index(number))
    if number == ACE_OF_HEARTS:
        return (0, 0, 0)
    suit = DECK.suits.index(card[-1])
    plain = TRUMPS[HEARTS if suit != HEARTS else 0].plain[suit]
    return (1, suit, plain.index(number))


def _sorted_hand(observation: Observation) -> list[str]:
    return sorted(observation["hand"], key=lambda card: _strength(observation, card))


def _held(observation: Observation, card: str) -> dict[str, Any]:
    """A card of my hand: may it be played, and if not, why; is it a trump."""
    playing = observation["phase"] == PLAY and observation["me"] in observation["to_act"]
    playable = playing and card in observation["legal"]
    refusal = _RULES.why_not(observation, card) if playing and not playable else None
    trump = observation["trump"]
    is_trump = trump is not None and TRUMPS[DECK.suits.index(trump)].is_trump(DECK.numbers[card])
    name = terms.card_name(card, terms.FRENCH)
    return {
        "card": card,
        "name": _("%(card)s, trump") % {"card": name} if is_trump else name,
        "label": move_label(card),
        "playable": playable,
        "trump": is_trump,
        "why": why(refusal.code, refusal.params) if refusal else "",
    }


def _demand(observation: Observation, names: Sequence[str]) -> str:
    """What the turn asks of the player; "" when it is not his."""
    if not observation["legal"]:
        return ""
    phase = observation["phase"]
    if phase == AUCTION:
        return _demanded_call(observation, names)
    if phase == DISCARD:
        return _("The kitty is yours: throw five of your ten cards.")
    if phase == TRUMP:
        return _("Now name the trump.")
    return _demanded_card(observation)


def _demanded_call(observation: Observation, names: Sequence[str]) -> str:
    if "hold" in observation["legal"]:
        named = {"name": names[observation["bidder"]], "bid": observation["bid"]}
        return _("%(name)s stands at %(bid)s. As the dealer you may hold it: you take the same bid over.") % named
    if "pass" not in observation["legal"]:
        return why("dealer_must_open", {})
    if observation["bidder"] is not None:
        return why("must_raise", {"bid": observation["bid"]})
    return _("What do you promise? 60 means all five tricks.")


def _demanded_card(observation: Observation) -> str:
    if not observation["trick"]:
        return _("You lead: any card.")
    refused = [card for card in observation["hand"] if card not in observation["legal"]]
    if refused:
        refusal = _RULES.why_not(observation, refused[0])
        return why(refusal.code, refusal.params) if refusal else ""
    return _("You may play any card.")


def _last_deal(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The deal before this one, laid open: what each side gained, who took how many tricks with which cards."""
    if not observation["sheet"]:
        return None
    deal = observation["sheet"][-1]
    if deal["declarer"] is None:
        said = sentence(["passed_out", deal["hand_no"]], names)
        return {"number": deal["hand_no"], "sentence": said, "rows": [], "fresh": _unmoved(observation)}
    sides = observation["sides"]
    gain = deal["gains"][deal["declarer"] % sides]
    return {
        "number": deal["hand_no"],
        "sentence": _deal_sentence(deal["hand_no"], names[deal["declarer"]], deal["contract"], deal["made"], gain),
        "rows": [_last_row(observation, deal, seat, names) for seat in range(observation["seats"])],
        "fresh": _unmoved(observation),
    }


def _last_row(observation: Observation, deal: Mapping[str, Any], seat: int, names: Sequence[str]) -> dict[str, Any]:
    taken = sum(winner == seat for winner in deal["won"])
    cards = [text for trick in observation["last_tricks"] for player, text in trick["cards"] if player == seat]
    return {
        "name": names[seat],
        "cards": cards,
        "count": ngettext("%(number)s trick", "%(number)s tricks", taken) % {"number": taken},
        "score": deal["gains"][seat % observation["sides"]],
        "total": observation["scores"][seat],
        "won": seat == deal["declarer"] and deal["made"],
    }


def _unmoved(observation: Observation) -> bool:
    """Whether the viewer has done nothing in this deal yet."""
    me = observation["me"]
    return observation["phase"] == AUCTION and all(seat != me for seat, _text in observation["calls"])


def _as_text(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """The whole table in sentences."""
    lines = [_status(observation, names)]
    lines += [f"{row['name']}: {row['said']}" for row in _calls(observation, names)] if observation["phase"] == AUCTION else []
    if observation["trump"]:
        declarer = names[observation["declarer"]]
        lines.append(_seat_sentence("trump", declarer, [observation["trump"]]))
    lines += [_seat_sentence("played", names[seat], [text]) for seat, text in _shown_trick(observation)]
    players = [
        _("%(name)s: %(cards)s, %(tricks)s, %(points)s.")
        % {
            "name": names[seat],
            "cards": terms.card_count(observation["hand_sizes"][seat]),
            "tricks": ngettext("%(number)s trick", "%(number)s tricks", observation["taken"][seat])
            % {"number": observation["taken"][seat]},
            "points": terms.points(observation["scores"][seat]),
        }
        for seat in range(observation["seats"])
    ]
    held = [_held(observation, card) for card in _sorted_hand(observation)]
    hand = [{"name": each["name"], "why": each["why"], "playable": each["playable"]} for each in held]
    return {"suits": lines, "players": players, "hand": hand}
