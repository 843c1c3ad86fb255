"""Les Cinq Rois for people: an observation becomes what the board template draws, an event becomes a sentence.

Pure presentation: nothing here knows more than the observation it is given. The groups of a hand are computed here, for its
owner alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import terms
from games.cinq_rois import melds
from games.cinq_rois.cards import NUMBERS, TEXTS, Hand, texts, without
from games.cinq_rois.melds import Law, Partition
from games.cinq_rois.rules import IMMEDIATE, ROUNDS, law_of, wild_rank

Observation = Mapping[str, Any]
Event = Sequence[Any]

_DECK: Final = terms.CROWNS


def board(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """What `cinq_rois/board.html` draws: stock and pile, who is out, the hand in groups, the ways to go out."""
    groups = hand_groups(observation)
    return {
        "caption": caption(observation),
        "deck": _DECK,
        "players": [_player(observation, seat) for seat in range(observation["seats"])],
        "stock": _stock(observation),
        "pile": _pile(observation),
        "wild": wild_sentence(observation["round"], _printed_wild(observation)),
        "groups": groups,
        "many": len(observation["hand"]),
        "worth": _worth(observation),
        "out": [_choice(text) for text in observation["legal"] if text.startswith("out")],
        "draw": "pile" in observation["legal"],
        "single": len(observation["legal"]) == 1,
        "demand": _demand(observation, names),
        "taken": _taken(observation, names),
        "laid": _laid_by(observation, names),
        "last": _last_hand(observation, names),
        "text": _as_text(observation, names, groups),
    }


def caption(observation: Observation) -> str:
    """The line under the title."""
    return _("Round %(round)s of %(rounds)s · %(wild)s") % {
        "round": observation["hand_number"],
        "rounds": ROUNDS,
        "wild": _wild_cards(observation["round"]),
    }


def _wild_cards(rank: int) -> str:
    """Which cards are wild, in a few words."""
    figures = {
        11: _("jacks are wild"),
        12: _("queens are wild"),
        13: _("kings are wild"),
    }
    return figures.get(rank) or _("every %(rank)s is wild") % {"rank": rank}


def wild_sentence(rank: int, printed: bool) -> str:
    """Which cards replace any other in this round."""
    if printed:
        figures = {
            11: _("Wild: jacks and printed jokers."),
            12: _("Wild: queens and printed jokers."),
            13: _("Wild: kings and printed jokers."),
        }
        return figures.get(rank) or _("Wild: every %(rank)s and the printed jokers.") % {"rank": rank}
    figures = {13: _("Wild: kings. Printed jokers fit nothing in this round.")}
    return figures.get(rank) or _("Wild: every %(rank)s. Printed jokers fit nothing in this round.") % {"rank": rank}


def move_label(text: str) -> str:
    """What the confirm button says: the move by its name."""
    if text == "stock":
        return _("Draw from the stock")
    if text == "pile":
        return _("Take the top discard")
    verb, card = text.split()
    if verb == "out":
        return _("Go out and discard %(card)s") % {"card": terms.the_card(card, _DECK)}
    return _("Discard %(card)s") % {"card": terms.the_card(card, _DECK)}


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal`."""
    if code == "not_in_hand":
        return _("You do not hold %(card)s.") % {"card": terms.the_card(params["card"], _DECK)}
    if code == "not_all_laid":
        left = terms.people([terms.card_name(card, _DECK) for card in params["left"]])
        return _("You cannot go out by discarding %(card)s, because these cards would lie in no group: %(left)s.") % {
            "card": terms.the_card(params["card"], _DECK),
            "left": left,
        }
    sentences = {
        "draw_first": _("Draw a card before you discard one."),
        "already_drawn": _("You have drawn already in this turn; now discard a card."),
        "no_stock": _("There is no card left to draw from: take the top discard."),
        "last_turn": _("Somebody is out already. In your last turn you draw and discard; what you can lay is laid for you."),
    }
    return sentences.get(code) or terms.error_sentence(code, params)


def sentence(event: Event, names: Sequence[str]) -> str:
    """One public fact as a sentence; facts of any table come from `games.terms`."""
    kind, rest = str(event[0]), list(event[1:])
    if kind in ("took", "discarded", "out"):
        frames = {
            "took": _("%(name)s takes %(card)s from the discard pile."),
            "discarded": _("%(name)s discards %(card)s."),
            "out": _("%(name)s goes out and discards %(card)s."),
        }
        return frames[kind] % {"name": names[rest[0]], "card": terms.the_card(rest[1], _DECK)}
    if kind == "drew":
        return _("%(name)s draws from the stock.") % {"name": names[rest[0]]}
    if kind == "reshuffled":
        return ngettext(
            "The stock is empty: %(number)s discard makes a new one.",
            "The stock is empty: %(number)s discards are shuffled into a new one.",
            rest[0],
        ) % {"number": rest[0]}
    if kind == "deal":
        return _deal_sentence(rest[0], names[rest[1]], rest[5])
    if kind == "hand":
        return _round_sentence(rest[0], rest[4], names)
    if kind == "match":
        return _match_sentence(rest[0], rest[1], names)
    return terms.table_sentence(event, names) or ""


def sheet(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The score sheet: one row a finished round, the total below; None before the first round is over."""
    if not observation["sheet"]:
        return None
    rows = [
        {"label": f"{number} ({_index(wild_rank(number))})", "scores": scores}
        for number, scores in enumerate(observation["sheet"], start=1)
    ]
    note = _("In brackets the wild cards of the round. The lowest total wins.")
    return {
        "head": _("Round"),
        "names": list(names),
        "rows": rows,
        "totals": observation["scores"],
        "me": observation["me"],
        "note": note,
    }


def hand_groups(observation: Observation) -> list[dict[str, Any]]:
    """The viewer's hand in the groups that leave fewest points over, the cards left over last.

    When he can go out, the groups are those that he would lay.
    """
    hand, law = _kinds(observation["hand"]), law_of(observation)
    out = [NUMBERS[text.split()[1]] for text in observation["legal"] if text.startswith("out")]
    if out:
        last = max(out, key=lambda card: (card not in melds.wilds(law), melds.points(law)[card]))
        found = melds.best(without(hand, last), law)._replace(rest=(last,))
    else:
        found = melds.best(hand, law)
    return _groups(found, observation, law)


def _groups(found: Partition, observation: Observation, law: Law) -> list[dict[str, Any]]:
    seen: Counter[int] = Counter()
    drawn = None if observation["drawn"] is None else NUMBERS[observation["drawn"]]

    def held(card: int) -> dict[str, Any]:
        seen[card] += 1
        return _held(observation, card, seen[card], law, drawn == card and seen[card] == 1)

    rest = [
        {
            "kind": "rest",
            "label": _("Left over · %(points)s") % {"points": terms.points(melds.total(found.rest, law))},
            "cards": [held(card) for card in found.rest],
        }
    ]
    laid = [
        {"kind": meld.kind, "label": group_label(meld.kind), "cards": [held(card) for card in meld.cards]} for meld in found.melds
    ]
    return laid + (rest if found.rest else [])


def group_label(kind: str) -> str:
    """The name of a group."""
    labels = {
        melds.RUN: pgettext("group of cards", "Run"),
        melds.SET: pgettext("group of cards", "Set"),
        melds.WILD: pgettext("group of cards", "Wild cards"),
    }
    return labels[kind]


def _held(observation: Observation, card: int, copy: int, law: Law, drawn: bool) -> dict[str, Any]:
    """A card of my hand; the second copy of the same card has an id of its own."""
    text = TEXTS[card]
    move = f"discard {text}"
    mark = text if copy == 1 else f"{text}-{copy}"
    wild = card in melds.wilds(law)
    name = terms.card_name(text, _DECK)
    return {
        "card": text,
        "mark": mark,
        "move": move,
        "id": f"m-discard-{mark}",
        "first": copy == 1,
        "name": pgettext("card", "%(card)s, wild") % {"card": name} if wild and text != terms.JOKER else name,
        "label": move_label(move),
        "playable": move in observation["legal"],
        "wild": wild and text != terms.JOKER,
        "drawn": drawn,
        "why": "",
    }


def _choice(text: str) -> dict[str, str]:
    """A way to go out."""
    card = text.split()[1]
    return {"text": text, "id": f"m-out-{card}", "card": card, "name": terms.card_name(card, _DECK), "label": move_label(text)}


def _kinds(cards: Iterable[str]) -> Hand:
    return tuple(sorted(NUMBERS[card] for card in cards))


def _index(rank: int) -> str:
    return terms.card_index(f"{rank}P", _DECK)


def _printed_wild(observation: Observation) -> bool:
    return law_of(observation).printed_wild


def _stock(observation: Observation) -> dict[str, Any]:
    """The stock as a target."""
    size = observation["stock_size"]
    return {
        "size": size,
        "playable": "stock" in observation["legal"],
        "label": move_label("stock"),
        "note": "" if size else _("The discards below the top would be shuffled."),
    }


def _pile(observation: Observation) -> dict[str, Any] | None:
    """The top of the discard pile as a target; None while it is in somebody's hand."""
    if not observation["pile"]:
        return None
    top = observation["pile"][-1]
    return {
        "card": top,
        "name": terms.card_name(top, _DECK),
        "playable": "pile" in observation["legal"],
        "label": _("Take %(card)s") % {"card": terms.the_card(top, _DECK)},
        "size": len(observation["pile"]),
    }


def _worth(observation: Observation) -> str:
    """What the hand would cost if somebody went out now."""
    hand, law = _kinds(observation["hand"]), law_of(observation)
    count = melds.total(hand, law) if observation["fin_manche"] == IMMEDIATE else melds.least(hand, law)
    return _("%(points)s in hand") % {"points": terms.points(count)} if hand else ""


def _demand(observation: Observation, names: Sequence[str]) -> str:
    """What this part of the turn asks of the player."""
    if not observation["legal"]:
        return ""
    if observation["finisher"] is not None:
        name = names[observation["finisher"]]
        if observation["source"] is None:
            return _("%(name)s is out. This is your last turn: draw a card.") % {"name": name}
        return _("%(name)s is out. Discard a card; what you can lay is laid for you.") % {"name": name}
    if observation["source"] is None:
        return _("Draw a card.") if "stock" in observation["legal"] else why("no_stock", {})
    if any(text.startswith("out") for text in observation["legal"]):
        return _("Go out, or discard a card and play on.")
    return _("Discard a card.")


def _player(observation: Observation, seat: int) -> dict[str, Any]:
    cards = observation["hand_sizes"][seat]
    notes = []
    if seat == observation["finisher"]:
        notes.append(pgettext("seat", "out"))
    if seat == observation["dealer"]:
        notes.append(pgettext("seat", "dealer"))
    return {
        "cards": cards,
        "score": observation["scores"][seat],
        "dead": 0,
        "dead_text": "",
        "backs": [False] * cards,
        "note": " · ".join(notes),
        "tricks": None,
    }


def _taken(observation: Observation, names: Sequence[str]) -> list[dict[str, Any]]:
    """The cards that others took from the pile before everybody's eyes and still hold."""
    hidden = (observation["me"], observation["finisher"])
    return [
        {"name": names[seat], "cards": cards}
        for seat, cards in enumerate(observation["known"])
        if cards and seat not in hidden and not observation["finished"]
    ]


def _laid_by(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """What the one who is out has laid, while the others have their last turns."""
    if observation["finisher"] is None or observation["finished"]:
        return None
    found = melds.best(_kinds(observation["laid"]), law_of(observation))
    return {
        "sentence": _("%(name)s is out and has laid:") % {"name": names[observation["finisher"]]},
        "groups": [{"label": group_label(meld.kind), "cards": texts(meld.cards)} for meld in found.melds],
    }


def _last_hand(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """The round before this one, laid open: who went out, what everybody held, grouped as far as it goes."""
    last = observation["last_hand"]
    if last is None:
        return None
    law = law_of({**observation, "round": last["round"]})
    rows = []
    for seat, cards in enumerate(last["left"]):
        found = melds.best(_kinds(cards), law)
        ordered = [card for meld in found.melds for card in meld.cards] + list(found.rest)
        rows.append(
            {
                "name": names[seat],
                "cards": texts(ordered),
                "count": terms.card_count(len(cards)),
                "score": last["scores"][seat],
                "total": last["totals"][seat],
                "won": seat in last["winners"],
            }
        )
    started = observation["turns"] >= observation["seats"]
    return {
        "number": last["hand_number"],
        "sentence": _round_sentence(last["hand_number"], last["winners"], names),
        "rows": rows,
        "fresh": not started,
    }


def _deal_sentence(number: int, starter: str, up: str) -> str:
    return _("Round %(round)s is dealt, %(wild)s. %(name)s starts. Turned up: %(card)s.") % {
        "round": number,
        "wild": _wild_cards(wild_rank(number)),
        "name": starter,
        "card": terms.card_name(up, _DECK),
    }


def _round_sentence(number: int, winners: Sequence[int], names: Sequence[str]) -> str:
    if not winners:
        return _("Round %(round)s: nobody went out in 300 turns, so nobody scores.") % {"round": number}
    return _("Round %(round)s: %(name)s went out.") % {"round": number, "name": names[winners[0]]}


def _match_sentence(winners: Sequence[int], totals: Sequence[int], names: Sequence[str]) -> str:
    named = {"names": terms.people([names[seat] for seat in winners]), "points": terms.points(totals[winners[0]])}
    return (
        ngettext(
            "%(names)s wins the match with the lowest total, %(points)s.",
            "%(names)s share the victory with the lowest total, %(points)s.",
            len(winners),
        )
        % named
    )


def _as_text(observation: Observation, names: Sequence[str], groups: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The whole table in sentences."""
    size = observation["stock_size"]
    lines = [wild_sentence(observation["round"], _printed_wild(observation))]
    lines.append(ngettext("Stock: %(number)s card.", "Stock: %(number)s cards.", size) % {"number": size})
    if observation["pile"]:
        lines.append(_("Top of the discard pile: %(card)s.") % {"card": terms.card_name(observation["pile"][-1], _DECK)})
    for group in groups:
        cards = ", ".join(held["name"] for held in group["cards"])
        lines.append(_("%(group)s: %(cards)s.") % {"group": group["label"], "cards": cards})
    players = [
        _("%(name)s: %(cards)s, %(points)s.")
        % {
            "name": names[seat],
            "cards": terms.card_count(observation["hand_sizes"][seat]),
            "points": terms.points(observation["scores"][seat]),
        }
        for seat in range(observation["seats"])
    ]
    players += [
        _("%(name)s took and still holds: %(cards)s.")
        % {"name": row["name"], "cards": ", ".join(terms.card_name(card, _DECK) for card in row["cards"])}
        for row in _taken(observation, names)
    ]
    return {"suits": lines, "players": players, "hand": []}
