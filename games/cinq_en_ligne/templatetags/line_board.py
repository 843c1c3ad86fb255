"""Tags of the board page of 5inq en Ligne, and drawn boards for the rules page and the home page."""

from __future__ import annotations

from typing import Any

from django import template

from games.cinq_en_ligne.board import FIXED, WIDTH
from games.cinq_en_ligne.display import SHAPES, board_name, move_label, team_letter, team_name
from games.cinq_en_ligne.rules import ALL, live_cards

register = template.Library()


@register.simple_tag
def parts(picked: str | None) -> dict[str, int]:
    """Card and square of a move text that was posted, so that they stay chosen; {} for a draw or none."""
    card, at, square = (picked or "").partition("@")
    return {"card": int(card), "square": int(square)} if at and card.isdecimal() and square.isdecimal() else {}


@register.filter
def play_label(text: str) -> str:
    """What the confirm button of a table says for this move."""
    return move_label(text)


@register.inclusion_tag("cinq_en_ligne/example.html")
def line_example(pegs: str = "", card: int = -1, line: str = "", plateau: str = "sinueux", hand: str = "") -> dict[str, Any]:
    """Draw a board. `pegs`: the squares of each team, teams parted by "/"; `card`: its squares are ringed; `line`: the squares
    to outline; `hand`: cards below the board, the dead ones struck. What fits and what is dead is computed by the rules.
    """
    board = FIXED[plateau]
    owners = {int(square): side for side, squares in enumerate(pegs.split("/")) for square in squares.split()}
    outlined = set(map(int, line.split()))
    free = ALL & ~sum(1 << square for square in owners)
    squares = []
    for number in board.numbers:
        side = owners.get(number)
        peg = None if side is None else {"class": f"t{side}", "letter": team_letter(side)}
        fits = side is None and 0 <= card <= number
        squares.append({"number": number, "peg": peg, "fits": fits, "line": number in outlined})
    held = [{"card": each, "dead": not live_cards(free) >> each & 1, "picked": each == card} for each in map(int, hand.split())]
    return {
        "rows": [squares[start : start + WIDTH] for start in range(0, len(squares), WIDTH)],
        "hand": held,
        "name": board_name(plateau),
    }


@register.simple_tag
def team_marks() -> list[dict[str, str]]:
    """The pegs of the three teams, for the rules page."""
    return [{"class": f"t{side}", "letter": team_letter(side), "name": team_name(side)} for side in range(len(SHAPES))]
