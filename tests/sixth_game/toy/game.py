"""What the site needs to know of the toy game."""

from __future__ import annotations

from games.registry import Game, Option
from games.toy.rules import RULEBOOK

GAME = Game(
    key="toy",
    name="Plus haut",
    pitch="Trois cartes, la plus haute gagne.",
    seats=(2, 3, 4),
    default_seats=2,
    rulebook=RULEBOOK,
    title=lambda options: "Plus haut",
    sentence=lambda options, seats: f"Plus haut à {seats}.",
    move_model="toy.ToyMove",
    options=(Option(name="points", label="Points", kind="choice", default=1, choices=((1, "1"), (2, "2"), (3, "3"))),),
    turns=(3, 3),
    minutes=2,
    difficulty=1,
)
