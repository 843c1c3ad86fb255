"""What the site needs to know of Six fous beside its rules: names, seats, options, how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.registry import Game, Option
from games.six_fous.rules import RULEBOOK, SixFousOptions


def title(options: Mapping[str, Any]) -> Any:
    """The game has one variant."""
    return gettext_lazy("Six fous")


def sentence(options: Mapping[str, Any], seats: int) -> str:
    """The options of a table in one plain sentence, whatever is default included."""
    default = SixFousOptions()
    return _("Six fous for %(seats)d players with %(cards)d cards, up to %(limit)d points.") % {
        "seats": seats,
        "cards": options.get("jeu", default.jeu),
        "limit": options.get("limite", default.limite),
    }


def _ending(event: Sequence[Any]) -> str | None:
    """How a hand ended, by its public event: an empty hand, or nobody can go on (one or several are ahead)."""
    if event[0] != "hand":
        return None
    return "out" if not all(event[5]) else "level" if len(event[6]) > 1 else "stuck"


GAME = Game(
    key="six_fous",
    name=gettext_lazy("Six fous"),
    pitch=gettext_lazy("Ladders from the sixes: leap over cards to kill them, and place more of your own than anybody."),
    seats=(3, 4),
    default_seats=4,
    rulebook=RULEBOOK,
    title=title,
    sentence=sentence,
    move_model="six_fous.SixFousMove",
    options=(
        Option(
            name="jeu",
            label=gettext_lazy("Cards in the deck"),
            kind="choice",
            default=40,
            choices=((40, "40"), (48, gettext_lazy("48 (with 8 and 9)"))),
            help=gettext_lazy("48 is the better choice for three players: everybody gets equally many cards."),
        ),
        Option(
            name="limite",
            label=gettext_lazy("Points to reach"),
            kind="number",
            default=100,
            choices=((50, "50"), (100, "100"), (150, "150")),
            low=20,
            high=500,
            help=gettext_lazy("The match ends after the hand in which somebody reaches this many points."),
        ),
    ),
    turns=(40, 60),
    minutes=15,
    difficulty=1,
    leftward=False,
    style="six_fous/board.css",
    endings={
        "out": gettext_lazy("somebody played his last card"),
        "stuck": gettext_lazy("nobody could go on: one player ahead"),
        "level": gettext_lazy("nobody could go on: several players ahead"),
    },
    ending=_ending,
)
