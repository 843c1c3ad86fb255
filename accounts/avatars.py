"""Avatars: a colour and a figure of the card deck, drawn from the site's sprite. Nothing is uploaded.

Stored as short text "colour-figure"; "" means the one derived from the person's number. No database here.
"""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

COLOURS = {
    "green": _("green"),
    "blue": _("blue"),
    "red": _("red"),
    "amber": _("amber"),
    "violet": _("violet"),
    "teal": _("teal"),
    "rose": _("pink"),
    "slate": _("slate"),
}


class Drawing(NamedTuple):
    """How a figure is drawn: its name, its symbol in the sprite, the part of it that is shown (a viewBox), its kind and the
    height of the symbol where it is 100 wide.

    Kinds: "mark" is a silhouette on the strong colour; "face" and "peg" wear the strong colour on the pale one.
    """

    name: object
    symbol: str
    box: str
    kind: str
    height: int = 100


MARK, FACE, PEG = "-24 -24 148 148", "0 0 100 100", "-20 -20 140 140"

FIGURES = {
    "oros": Drawing(pgettext_lazy("avatar", "coin"), "oros-m", MARK, "mark"),
    "copas": Drawing(pgettext_lazy("avatar", "cup"), "copas-m", MARK, "mark"),
    "espadas": Drawing(pgettext_lazy("avatar", "sword"), "espadas-m", MARK, "mark"),
    "bastos": Drawing(pgettext_lazy("avatar", "club"), "bastos-m", MARK, "mark"),
    "coeur": Drawing(pgettext_lazy("avatar", "heart"), "coeur-m", MARK, "mark"),
    "carreau": Drawing(pgettext_lazy("avatar", "diamond"), "carreau-m", MARK, "mark"),
    "trefle": Drawing(pgettext_lazy("avatar", "clover"), "trefle-m", MARK, "mark"),
    "pique": Drawing(pgettext_lazy("avatar", "spade"), "pique-m", MARK, "mark"),
    "etoile": Drawing(pgettext_lazy("avatar", "star"), "etoile-m", MARK, "mark"),
    "couronne": Drawing(pgettext_lazy("avatar", "crown"), "couronne", MARK, "mark"),
    "sota": Drawing(pgettext_lazy("avatar", "page"), "sota", FACE, "face", 140),
    "caballo": Drawing(pgettext_lazy("avatar", "knight"), "caballo", FACE, "face", 140),
    "rey": Drawing(pgettext_lazy("avatar", "Spanish king"), "rey", FACE, "face", 140),
    "V": Drawing(pgettext_lazy("avatar", "jack"), "V", FACE, "face"),
    "D": Drawing(pgettext_lazy("avatar", "queen"), "D", FACE, "face"),
    "R": Drawing(pgettext_lazy("avatar", "French king"), "R", FACE, "face"),
    "joker": Drawing(pgettext_lazy("avatar", "joker"), "joker", FACE, "face"),
    "disque": Drawing(pgettext_lazy("avatar", "round peg"), "pion-disque", PEG, "peg"),
    "triangle": Drawing(pgettext_lazy("avatar", "triangular peg"), "pion-triangle", PEG, "peg"),
    "carre": Drawing(pgettext_lazy("avatar", "square peg"), "pion-carre", PEG, "peg"),
}
LONGEST = 24
"""Characters of the stored text, with room for more figures."""


class Avatar(NamedTuple):
    """One of the avatars: keys of COLOURS and of FIGURES."""

    colour: str
    figure: str

    def __str__(self) -> str:
        return f"{self.colour}-{self.figure}"


def read(text: str) -> Avatar | None:
    """The avatar that a stored text names, None for anything else."""
    colour, _dash, figure = text.partition("-")
    return Avatar(colour, figure) if colour in COLOURS and figure in FIGURES else None


def default(number: int) -> Avatar:
    """The avatar of whoever has chosen none, from his number: neighbours look different, and it never changes."""
    colours, figures = list(COLOURS), list(FIGURES)
    return Avatar(colours[number * 3 % len(colours)], figures[(number * 7 + number // len(colours)) % len(figures)])


def of(user: object) -> Avatar:
    """The avatar of a user: the chosen one, else the default of his number."""
    return read(getattr(user, "avatar", "")) or default(getattr(user, "pk", None) or 0)
