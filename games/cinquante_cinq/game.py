"""What the site needs to know of 55 beside its rules: names, seats, options, how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.cinquante_cinq.rules import ALONE, DEAL_AGAIN, DEALER_MUST_OPEN, LEFT_OF_DEALER, LEFT_OF_DECLARER, RULEBOOK, SIDES
from games.registry import Game, Option


def title(options: Mapping[str, Any]) -> Any:
    """The game's name; in sides it says so."""
    return gettext_lazy("55 in sides") if options.get("equipes", ALONE) else gettext_lazy("55")


def sentence(options: Mapping[str, Any], seats: int) -> str:
    """The options of a table in plain sentences, whatever is default included."""
    named = {"seats": seats, "sides": options.get("equipes", ALONE), "target": options.get("cible", 55)}
    if named["sides"]:
        first = _("55 for %(seats)d players in %(sides)d sides, to %(target)d points.") % named
    else:
        first = _("55 for %(seats)d players, everybody alone, to %(target)d points.") % named
    if options.get("entame", LEFT_OF_DEALER) == LEFT_OF_DEALER:
        second = _("The player left of the dealer leads first.")
    else:
        second = _("The player left of the declarer leads first.")
    if options.get("tous_passent", DEAL_AGAIN) == DEAL_AGAIN:
        third = _("If everybody passes, the cards are dealt again.")
    else:
        third = _("If everybody else passes, the dealer has to bid.")
    return f"{first} {second} {third}"


def _ending(event: Sequence[Any]) -> str | None:
    """How a deal ended, by its public event: the contract made or not, or no contract at all."""
    if event[0] == "passed_out":
        return "passed"
    if event[0] != "hand":
        return None
    return "made" if event[4] else "failed"


GAME = Game(
    key="cinquante_cinq",
    name=gettext_lazy("55"),
    pitch=gettext_lazy(
        "Bid for the kitty, name the trump and win five tricks: the first to reach 55 points, trick by trick, wins."
    ),
    seats=(2, 3, 4, 5, 6, 7, 8, 9),
    default_seats=4,
    rulebook=RULEBOOK,
    title=title,
    sentence=sentence,
    move_model="cinquante_cinq.FiftyFiveMove",
    options=(
        Option(
            name="equipes",
            label=gettext_lazy("Sides"),
            kind="choice",
            default=ALONE,
            choices=(
                (ALONE, gettext_lazy("everybody alone")),
                (2, gettext_lazy("2 sides")),
                (3, gettext_lazy("3 sides")),
                (4, gettext_lazy("4 sides")),
            ),
            seats=tuple(SIDES),
            help=gettext_lazy("Partners sit so that no two neighbours are on the same side; they share one score."),
        ),
        Option(
            name="cible",
            label=gettext_lazy("Points to reach"),
            kind="number",
            default=55,
            choices=((55, "55"), (110, "110"), (220, "220")),
            low=5,
            high=1000,
            step=5,
            help=gettext_lazy("A multiple of 5. Whoever reaches it first, trick by trick, wins the match."),
        ),
        Option(
            name="entame",
            label=gettext_lazy("First lead"),
            kind="choice",
            default=LEFT_OF_DEALER,
            choices=(
                (LEFT_OF_DEALER, gettext_lazy("left of the dealer")),
                (LEFT_OF_DECLARER, gettext_lazy("left of the declarer")),
            ),
        ),
        Option(
            name="tous_passent",
            label=gettext_lazy("If everybody passes"),
            kind="choice",
            default=DEAL_AGAIN,
            choices=(
                (DEAL_AGAIN, gettext_lazy("deal again")),
                (DEALER_MUST_OPEN, gettext_lazy("the dealer has to bid")),
            ),
        ),
    ),
    turns=(25, 45),
    minutes=15,
    difficulty=3,
    leftward=True,
    style="cinquante_cinq/board.css",
    script="cinquante_cinq/board.js",
    endings={
        "made": gettext_lazy("the contract was made"),
        "failed": gettext_lazy("the contract failed"),
        "passed": gettext_lazy("everybody passed"),
    },
    ending=_ending,
)
