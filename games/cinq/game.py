"""What the site needs to know of Cinq beside its rules: names, seats, options, how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.cinq.rules import RULEBOOK
from games.registry import Game, Option


def title(options: Mapping[str, Any]) -> Any:
    """The variant's name."""
    return gettext_lazy("Cinq piégeur") if options.get("mode") == "piegeur" else gettext_lazy("Cinq classique")


def sentence(options: Mapping[str, Any], seats: int) -> str:
    """The options of a table in one plain sentence, whatever is default included."""
    limit = options.get("limite", 30)
    if seats == 2:
        return _("%(title)s for 2 players, %(cards)d cards each, up to %(limit)d points.") % {
            "title": title(options),
            "cards": options.get("cartes", 10),
            "limit": limit,
        }
    text = ngettext(
        "%(title)s for %(seats)d player, up to %(limit)d points.",
        "%(title)s for %(seats)d players, up to %(limit)d points.",
        seats,
    )
    return text % {"title": title(options), "seats": seats, "limit": limit}


def _ending(event: Sequence[Any]) -> str | None:
    """How a hand ended, by its public event: an empty hand, or nobody can go on (one or several are ahead)."""
    if event[0] != "hand":
        return None
    return "out" if not all(event[4]) else "level" if len(event[5]) > 1 else "stuck"


GAME = Game(
    key="cinq",
    name=gettext_lazy("Cinq"),
    pitch=gettext_lazy("Build four ladders from the fives and empty your hand first."),
    seats=(2, 3, 4),
    default_seats=3,
    rulebook=RULEBOOK,
    title=title,
    sentence=sentence,
    move_model="cinq.CinqMove",
    options=(
        Option(
            name="mode",
            label=gettext_lazy("Mode"),
            kind="choice",
            default="classique",
            choices=(("classique", gettext_lazy("classique")), ("piegeur", gettext_lazy("piégeur (3 or 4 players)"))),
            help=gettext_lazy("In piégeur you may jump over cards: those in between die in their owners' hands."),
        ),
        Option(
            name="limite",
            label=gettext_lazy("Points to reach"),
            kind="number",
            default=30,
            choices=((15, "15"), (30, "30"), (50, "50"), (100, "100")),
            low=5,
            high=500,
            high_for={2: 50},
            help=gettext_lazy("The match ends after the hand in which somebody reaches this many points."),
        ),
        Option(
            name="cartes",
            label=gettext_lazy("Cards each"),
            kind="number",
            default=10,
            choices=tuple((number, str(number)) for number in range(10, 16)),
            low=10,
            high=15,
            seats=(2,),
            help=gettext_lazy("The other cards are the stock."),
        ),
    ),
    turns=(35, 70),
    minutes=15,
    difficulty=1,
    leftward=True,
    endings={
        "out": gettext_lazy("somebody played his last card"),
        "stuck": gettext_lazy("nobody could go on: one player ahead"),
        "level": gettext_lazy("nobody could go on: several players ahead"),
    },
    ending=_ending,
)
