"""What the site needs to know of Les Cinq Rois beside its rules: names, seats, options, how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.cinq_rois.rules import IMMEDIATE, LAST_TURN, MELDS_COUNT, RULEBOOK, RoisOptions
from games.registry import Game, Option

HOUSE: Final = RoisOptions()
OFFICIAL: Final = RoisOptions(brelan="libre", fin_manche=LAST_TURN, bareme="officiel", jokers="toujours")


def title(options: Mapping[str, Any]) -> Any:
    """The game's name; with the published rules it says so."""
    official = RULEBOOK[1].options_json(OFFICIAL)
    if all(options.get(name) == value for name, value in official.items()):
        return gettext_lazy("Les Cinq Rois, official rules")
    return gettext_lazy("Les Cinq Rois")


def sentence(options: Mapping[str, Any], seats: int) -> str:
    """The options of a table in plain sentences, whatever is default included."""
    table = {**RULEBOOK[1].options_json(HOUSE), **options}
    first = ngettext(
        "%(title)s for %(seats)d player, eleven rounds.", "%(title)s for %(seats)d players, eleven rounds.", seats
    ) % {"title": title(options), "seats": seats}
    sets = {
        "couleurs_differentes": _("The cards of a set have different suits."),
        "libre": _("A set may have a suit twice."),
    }
    ends = {
        IMMEDIATE: _("When somebody goes out, the others count their whole hand at once."),
        LAST_TURN: _("When somebody goes out, the others have one more turn and count what they cannot lay."),
        MELDS_COUNT: _("When somebody goes out, the others count at once what they cannot lay."),
    }
    scales = {
        "maison": _("Tens, jacks and queens count 10, kings 25."),
        "officiel": _("Jacks count 11, queens 12, kings 13."),
    }
    jokers = {
        "toujours": _("Printed jokers are always wild."),
        "manches_11_12": _("Printed jokers are wild in the rounds of the jacks and of the queens only."),
    }
    parts = (sets[table["brelan"]], ends[table["fin_manche"]], scales[table["bareme"]], jokers[table["jokers"]])
    return " ".join((first, *parts))


def _ending(event: Sequence[Any]) -> str | None:
    """How a hand ended, by its public event: somebody went out, or it lasted too long."""
    if event[0] != "hand":
        return None
    return "out" if event[5] else "long"


GAME = Game(
    key="cinq_rois",
    name=gettext_lazy("Les Cinq Rois"),
    pitch=gettext_lazy("Five suits, eleven rounds, another wild card each time: group your whole hand and go out first."),
    seats=(2, 3, 4, 5, 6),
    default_seats=4,
    rulebook=RULEBOOK,
    title=title,
    sentence=sentence,
    move_model="cinq_rois.CinqRoisMove",
    options=(
        Option(
            name="fin_manche",
            label=gettext_lazy("When somebody goes out"),
            kind="choice",
            default=IMMEDIATE,
            choices=(
                (IMMEDIATE, gettext_lazy("the others count their whole hand")),
                (LAST_TURN, gettext_lazy("the others have one more turn")),
                (MELDS_COUNT, gettext_lazy("the others count what they cannot lay")),
            ),
            help=gettext_lazy("After a last turn, too, only the cards that belong to no group count."),
        ),
        Option(
            name="brelan",
            label=gettext_lazy("Sets"),
            kind="choice",
            default="couleurs_differentes",
            choices=(
                ("couleurs_differentes", gettext_lazy("different suits")),
                ("libre", gettext_lazy("any suits")),
            ),
        ),
        Option(
            name="bareme",
            label=gettext_lazy("Points of the cards"),
            kind="choice",
            default="maison",
            choices=(
                ("maison", gettext_lazy("king 25, queen, jack and 10: 10")),
                ("officiel", gettext_lazy("king 13, queen 12, jack 11")),
            ),
            help=gettext_lazy("The wild cards of the round always count 20, printed jokers 50."),
        ),
        Option(
            name="jokers",
            label=gettext_lazy("Printed jokers"),
            kind="choice",
            default="toujours",
            choices=(
                ("toujours", gettext_lazy("always wild")),
                ("manches_11_12", gettext_lazy("wild with the jacks and the queens only")),
            ),
            help=gettext_lazy("The official rules: one more turn, sets of any suits, king 13, jokers always wild."),
        ),
    ),
    turns=(30, 55),
    minutes=30,
    difficulty=2,
    leftward=True,
    style="cinq_rois/board.css",
    script="cinq_rois/board.js",
    presets={
        "maison": {"name": pgettext_lazy("set of options", "House rules"), "options": RULEBOOK[1].options_json(HOUSE)},
        "officielle": {"name": pgettext_lazy("set of options", "Official rules"), "options": RULEBOOK[1].options_json(OFFICIAL)},
    },
    endings={
        "out": gettext_lazy("somebody went out"),
        "long": gettext_lazy("stopped because it lasted too long"),
    },
    ending=_ending,
)
