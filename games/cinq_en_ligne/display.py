"""5inq en Ligne for people: an observation becomes what the board template draws, an event becomes a sentence.

Pure presentation: nothing here knows more than the observation it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import terms
from games.cinq_en_ligne.board import ALEATOIRE, RANGEES, SINUEUX, SPIRALE, SQUARES, WIDTH
from games.cinq_en_ligne.rules import BLOCKED, DEAD, HAND, LINE, LineMove
from games.engine.rules import Illegal, Malformed

Observation = Mapping[str, Any]
Event = Sequence[Any]

SHAPES: Final = ("●", "▲", "■")
"""The peg of each team, beside its colour and letter."""


def board(observation: Observation, names: Sequence[str]) -> dict[str, Any]:
    """What `cinq_en_ligne/board.html` draws: squares row by row, teams, hand, what may be done, the cards played."""
    squares = _squares(observation, names)
    return {
        "caption": caption(observation),
        "players": [_player(observation, seat) for seat in range(observation["seats"])],
        "last": None,
        "rows": [squares[start : start + WIDTH] for start in range(0, SQUARES, WIDTH)],
        "stock": observation["stock_size"],
        "hand": _hand(observation),
        "live": len(observation["hand"]) - len(observation["dead"]),
        "draw": "draw" in observation["legal"],
        "forced": _forced(observation),
        "demand": _demand(observation),
        "result": _result(observation, names),
        "laid": [_laid(observation, seat, names) for seat in _in_order(observation)],
        "text": _as_text(observation, squares, names),
    }


def caption(observation: Observation) -> str:
    """The line under the title."""
    return _("%(board)s · stock %(number)s") % {
        "board": board_name(observation["plateau"]),
        "number": observation["stock_size"],
    }


def board_name(plateau: str) -> str:
    """A layout by its name."""
    names = {
        SINUEUX: pgettext("board", "Winding"),
        SPIRALE: pgettext("board", "Spiral"),
        RANGEES: pgettext("board", "Rows"),
        ALEATOIRE: pgettext("board", "Shuffled"),
    }
    return names[plateau]


def team_name(side: int) -> str:
    """A team by its colour: "Gold"."""
    return (pgettext("team", "Gold"), pgettext("team", "Navy"), pgettext("team", "Red"))[side]


def team_letter(side: int) -> str:
    """The letter on a team's pegs; not A, B or C, which are the sides that people choose before the lot."""
    gold, navy = pgettext("letter of the gold team", "G"), pgettext("letter of the navy team", "N")
    return (gold, navy, pgettext("letter of the red team", "R"))[side]


def move_label(text: str) -> str:
    """What the confirm button says: the move by its name."""
    if text == "draw":
        return _("Draw a card")
    if text == "pass":
        return _("Pass")
    card, square = text.split("@")
    return _("Card %(card)s on square %(square)s") % {"card": card, "square": square}


def read_move(fields: Mapping[str, Sequence[str]]) -> str:
    """The text that a chosen card and a chosen square make; "" when neither was chosen.

    Raises Illegal("choose_card"), Illegal("choose_square") for the one that is missing, Malformed for numbers that are none.
    """
    cards, squares = fields.get("card", []), fields.get("square", [])
    if not cards and not squares:
        return ""
    if not cards:
        raise Illegal("choose_card")
    if not squares:
        raise Illegal("choose_square")
    if len(cards) > 1 or len(squares) > 1:
        raise Malformed("not_a_move", {})
    return str(LineMove.parse(f"{cards[0]}@{squares[0]}"))


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why a move is refused, as a sentence of the rules, from the code and params of an `Illegal` or `BadOptions`."""
    sentences = {
        "not_in_hand": _("You do not hold card %(card)s."),
        "dead_card": _("Card %(card)s is dead: the highest free square is %(highest)s."),
        "square_taken": _("Square %(square)s has a peg already."),
        "square_too_low": _("Card %(card)s needs a square of its number or higher, so square %(square)s is too low."),
        "full_hand": _("You hold four cards, so you have to play one of them."),
        "no_stock": _("There is no stock left to draw from."),
        "play_or_draw": _("You may not pass: play a card or draw one."),
        "must_draw": _("You may not pass: draw a card."),
        "must_play": _("You may not pass: one of your cards still fits a square."),
        "choose_card": _("Choose a card too, then play it."),
        "choose_square": _("Choose a square too, then play the card on it."),
        "unequal_sides": _("%(seats)s players cannot form equal teams; 2, 3, 4, 6, 8 or 9 can."),
    }
    return sentences[code] % params if code in sentences else terms.error_sentence(code, params)


def sentence(event: Event, names: Sequence[str]) -> str:
    """One public fact as a sentence; facts of any table come from `games.terms`."""
    kind, rest = event[0], list(event[1:])
    if kind == "played":
        return _("%(name)s plays %(card)s on square %(square)s.") % {"name": names[rest[0]], "card": rest[1], "square": rest[2]}
    if kind == "drew":
        return _("%(name)s draws a card.") % {"name": names[rest[0]]}
    if kind == "passed":
        return _("%(name)s passes.") % {"name": names[rest[0]]}
    if kind == "deal":
        return _("%(dealer)s deals four cards each, %(name)s starts.") % {"dealer": names[rest[0]], "name": names[rest[1]]}
    if kind == "match":
        return _ending_sentence(rest[0], rest[1], rest[2], names)
    return terms.table_sentence(event, names) or ""


def sheet(observation: Observation, names: Sequence[str]) -> dict[str, Any] | None:
    """There is nothing to count: the line is outlined on the board."""
    return None


def _ending_sentence(ending: str, deciders: Sequence[int], lines: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """How the match ended. The first seat of a side has the side's own number."""
    people = terms.people([names[seat] for seat in deciders])
    if ending == LINE:
        named = {"team": team_name(deciders[0]), "count": max(map(len, lines)), "names": people}
        return _("%(team)s has %(count)s pegs in a line, and the match goes to %(names)s.") % named
    if ending == DEAD:
        text = ngettext(
            "Match drawn (four dead cards): %(names)s holds them.",
            "Match drawn (four dead cards): %(names)s hold four each.",
            len(deciders),
        )
        return text % {"names": people}
    if ending == BLOCKED:
        return _("Match drawn (blocked): the stock is empty and no card fits any more.")
    return _("Match drawn (full board).")


def _result(observation: Observation, names: Sequence[str]) -> str:
    """The sentence over the board when the match is over, "" before."""
    if observation["ending"] is None:
        return ""
    return _ending_sentence(observation["ending"], observation["deciders"], observation["lines"], names)


def _mark(side: int) -> dict[str, Any]:
    """What pegs of a side look like."""
    return {"class": f"t{side}", "shape": SHAPES[side], "letter": team_letter(side), "name": team_name(side)}


def _squares(observation: Observation, names: Sequence[str]) -> list[dict[str, Any]]:
    """Every square in the order of the board. `fits` counts the live cards of the hand that it is high enough for."""
    pegs = _pegs(observation)
    fresh, line = _fresh(observation), {square for line in observation["lines"] for square in line}
    live = [card for card in observation["hand"] if card not in observation["dead"]]
    mine = observation["me"] is not None and observation["me"] in observation["to_act"]
    squares = []
    for number in observation["layout"]:
        peg = pegs.get(number)
        square: dict[str, Any] = {"number": number, "line": number in line, "new": number in fresh, "last": number in fresh[:1]}
        if peg is None:
            fits = sum(card <= number for card in live) if mine else 0
            label = _("Square %(square)s, free") % {"square": number}
            squares.append({**square, "peg": None, "fits": fits, "label": label})
        else:
            seat, card = peg
            named = {"square": number, "team": team_name(seat % observation["sides"]), "card": card, "name": names[seat]}
            label = _("Square %(square)s, %(team)s, card %(card)s of %(name)s") % named
            squares.append({**square, "peg": {**_mark(seat % observation["sides"]), "seat": seat}, "fits": 0, "label": label})
    return squares


def _pegs(observation: Observation) -> dict[int, tuple[int, int]]:
    """Square -> the seat that set its peg and the card played for it."""
    found = {}
    for seat, text in observation["plays"]:
        if "@" in text:
            card, square = map(int, text.split("@"))
            found[square] = (seat, card)
    return found


def _fresh(observation: Observation) -> list[int]:
    """The squares of the pegs set since my last move, newest first, and at least the last one."""
    found: list[int] = []
    for seat, text in reversed(observation["plays"]):
        if found and seat == observation["me"]:
            break
        if "@" in text:
            found.append(int(text.split("@")[1]))
            if observation["me"] is None or seat == observation["me"]:
                break
    return found


def _hand(observation: Observation) -> list[dict[str, Any]]:
    """My cards, rising; `rank` counts the live ones from 1, as `fits` of the squares does."""
    mine = observation["me"] in observation["to_act"]
    held = []
    for rank, card in enumerate(observation["hand"], start=1):
        dead = card in observation["dead"]
        refusal = why("dead_card", {"card": card, "highest": _highest(observation)}) if dead else ""
        held.append({"card": card, "rank": rank, "playable": mine and not dead, "dead": dead, "why": refusal})
    return held


def _highest(observation: Observation) -> int:
    """The highest free square; -1 on a full board."""
    taken = {square for squares in observation["pegs"] for square in squares}
    return max((square for square in range(SQUARES) if square not in taken), default=-1)


def _forced(observation: Observation) -> dict[str, str] | None:
    """The draw or the pass, when it is the only thing left to do."""
    if observation["legal"] in (["draw"], ["pass"]):
        text = observation["legal"][0]
        return {"move": text, "label": move_label(text)}
    return None


def _demand(observation: Observation) -> str:
    """What the turn asks of the player; "" when it is not his."""
    legal, hand = observation["legal"], observation["hand"]
    if not legal:
        return ""
    if legal == ["pass"]:
        return _("The stock is empty and none of your cards fits: you pass.")
    if legal == ["draw"]:
        return _("All your cards are dead: draw one.") if hand else _("Your hand is empty: draw a card.")
    if "draw" in legal:
        return _("Play a card on its number or higher, or draw.")
    if len(hand) == HAND:
        return _("Four cards: play one on its number or higher.")
    return _("Play a card on its number or higher.")


def _player(observation: Observation, seat: int) -> dict[str, Any]:
    side = seat % observation["sides"]
    return {
        "cards": observation["hand_sizes"][seat],
        "score": None,
        "dead": 0,
        "dead_text": "",
        "backs": [False] * observation["hand_sizes"][seat],
        "note": f"{SHAPES[side]} {team_name(side)}",
    }


def _in_order(observation: Observation) -> list[int]:
    """The seats in order of play, the viewer's own last."""
    seats, me = observation["seats"], observation["me"]
    first = 0 if me is None else me + 1
    return [(first + step) % seats for step in range(seats)]


def _laid(observation: Observation, seat: int, names: Sequence[str]) -> dict[str, Any]:
    """The cards that lie face up before a player, in the order he played them, and at the end those he had left."""
    played = []
    for player, text in observation["plays"]:
        if player == seat and "@" in text:
            card, square = text.split("@")
            played.append({"card": card, "label": move_label(text), "square": square})
    left = [] if observation["left"] is None else observation["left"][seat]
    return {
        **_mark(seat % observation["sides"]),
        "player": names[seat],
        "me": seat == observation["me"],
        "played": played,
        "left": left,
    }


def _as_text(observation: Observation, squares: Sequence[Mapping[str, Any]], names: Sequence[str]) -> dict[str, Any]:
    """The whole table in sentences: the board row by row, the players, the hand."""
    rows = []
    for start in range(0, SQUARES, WIDTH):
        words = [_square_in_words(square) for square in squares[start : start + WIDTH]]
        rows.append(_("Row %(row)s: %(squares)s.") % {"row": start // WIDTH + 1, "squares": ", ".join(words)})
    players = [
        _("%(name)s, %(team)s: %(cards)s in hand.")
        % {
            "name": names[seat],
            "team": team_name(seat % observation["sides"]),
            "cards": terms.card_count(observation["hand_sizes"][seat]),
        }
        for seat in range(observation["seats"])
    ]
    hand = [
        {"name": _("card %(card)s") % {"card": held["card"]}, "playable": held["playable"], "why": held["why"]}
        for held in _hand(observation)
    ]
    result = _result(observation, names)
    return {"suits": [*([result] if result else []), *rows], "players": players, "hand": hand}


def _square_in_words(square: Mapping[str, Any]) -> str:
    """ "63" when free, else with the team of its peg: "63 Gold"."""
    if square["peg"] is None:
        return str(square["number"])
    return _("%(square)s %(team)s") % {"square": square["number"], "team": square["peg"]["name"]}
