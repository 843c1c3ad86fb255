"""What the site needs to know of 5inq en Ligne beside its rules: names, seats, options, how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.cinq_en_ligne.board import ALEATOIRE, RANGEES, SINUEUX, SPIRALE
from games.cinq_en_ligne.rules import RULEBOOK, SIDES, LineOptions
from games.registry import Game, Option


def title(options: Mapping[str, Any]) -> Any:
    """The game's name; it has no variants."""
    return gettext_lazy("5inq en Ligne")


def sentence(options: Mapping[str, Any], seats: int) -> str:
    """The options of a table in plain sentences, whatever is default included."""
    default = LineOptions()
    sides = SIDES.get(seats) or options.get("equipes", default.equipes)
    named = {"seats": seats, "size": seats // sides}
    if seats == sides:
        first = _("5inq en Ligne for %(seats)d players, everybody alone.") % named
    elif sides == 2:
        first = _("5inq en Ligne for %(seats)d players in two teams of %(size)d.") % named
    else:
        first = _("5inq en Ligne for %(seats)d players in three teams of %(size)d.") % named
    boards = {
        SINUEUX: _("Winding board: the numbers meander from the middle to the rim."),
        SPIRALE: _("Spiral board: the numbers turn round the middle."),
        RANGEES: _("Board in rows: the numbers run from left to right."),
        ALEATOIRE: _("Shuffled board: the numbers are dealt for this table."),
    }
    return f"{first} {boards[options.get('plateau', default.plateau)]}"


def _ending(event: Sequence[Any]) -> str | None:
    """How the match ended, by its public event: the four endings of the rules."""
    return str(event[1]) if event[0] == "match" else None


GAME = Game(
    key="cinq_en_ligne",
    name=gettext_lazy("5inq en Ligne"),
    pitch=gettext_lazy("A hundred cards, a hundred squares: play a card, place a peg, and make five in a line with your team."),
    seats=tuple(SIDES),
    default_seats=2,
    rulebook=RULEBOOK,
    title=title,
    sentence=sentence,
    move_model="cinq_en_ligne.CinqEnLigneMove",
    options=(
        Option(
            name="equipes",
            label=gettext_lazy("Teams"),
            kind="choice",
            default=3,
            choices=((3, gettext_lazy("three teams of 2")), (2, gettext_lazy("two teams of 3"))),
            seats=(6,),
            help=gettext_lazy("Team-mates never sit side by side, and they do not see each other's cards."),
        ),
        Option(
            name="plateau",
            label=gettext_lazy("Board"),
            kind="choice",
            default=SINUEUX,
            choices=(
                (SINUEUX, pgettext_lazy("board", "winding")),
                (SPIRALE, pgettext_lazy("board", "spiral")),
                (RANGEES, pgettext_lazy("board", "rows")),
                (ALEATOIRE, pgettext_lazy("board", "shuffled")),
            ),
            help=gettext_lazy("How the numbers 0 to 99 are arranged on the squares."),
        ),
    ),
    turns=(15, 40),
    minutes=20,
    difficulty=1,
    leftward=True,
    style="cinq_en_ligne/board.css",
    script="cinq_en_ligne/board.js",
    keys=(("← → ↑ ↓", gettext_lazy("on the board: go to the next square you can choose")),),
    endings={
        "line": gettext_lazy("five in a row"),
        "full": gettext_lazy("the board was full"),
        "dead": gettext_lazy("a hand of dead cards"),
        "blocked": gettext_lazy("nobody had a card to play"),
    },
    ending=_ending,
)
