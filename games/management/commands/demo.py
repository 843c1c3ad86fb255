"""`manage.py demo`: players, tables waiting, running and finished, so that a fresh site can be looked at and played on.

Every match is really played, through the services, by the automatic player in people's names; nothing is written past
them. Loaded once, never beside people it did not make, refused when DEBUG is off.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts import origin
from accounts.models import User
from games import clocktime, observe, registry
from games.models import Status, Table
from games.services import moves, tables

PASSWORD = "cinq-de-batons-5"  # noqa: S105 - printed at every start of a development site, refused elsewhere
ADMIN = "Maryse"
NAMES = (
    "Amélie", "Bruno", "Chloé", "Hugo", "Inès", "Jean-Éric", "Léa", "Malik", "Noémie", "Solène", "Théo", "Zoé",
)  # fmt: skip
DAY = 86400


@dataclass(frozen=True)
class Plan:
    """A table to make: who sits, what is fixed, how many days ago, and how many of its people's turns are played."""

    people: tuple[str, ...]
    seats: int
    game: str = "cinq"
    options: Mapping[str, Any] = field(default_factory=dict)
    pace: int | None = DAY
    competitive: bool = False
    visibility: str = "public"
    days_ago: float = 0
    turns: int | None = None
    bots: bool = False
    stake: int = 0


def _piegeur(limit: int) -> dict[str, Any]:
    return {"mode": "piegeur", "limite": limit}


OFFICIAL = registry.get("cinq_rois").presets["officielle"]["options"]
FINISHED = (
    Plan(("Chloé", "Hugo"), 2, options={"limite": 5, "cartes": 15}, competitive=True, days_ago=6),
    Plan(("Amélie", "Bruno", "Léa"), 3, options=_piegeur(5), competitive=True, days_ago=5, stake=100),
    Plan(("Inès", "Malik", "Zoé", "Amélie"), 4, options=_piegeur(5), competitive=True, days_ago=3),
    Plan(("Bruno", "Solène", "Théo"), 3, options={"limite": 5}, competitive=True, days_ago=1),
    Plan(("Jean-Éric", "Amélie", "Théo"), 3, "six_fous", {"jeu": 48, "limite": 20}, days_ago=4),
    Plan(("Solène", "Amélie"), 2, "cinq_rois", competitive=True, days_ago=4.5),
    Plan(("Hugo", "Amélie", "Malik", "Inès"), 4, "cinquante_cinq", {"equipes": 2}, competitive=True, days_ago=2.5),
    Plan(("Amélie", "Noémie"), 2, "cinq_en_ligne", competitive=True, days_ago=1.5),
)
RUNNING = (
    Plan(("Amélie",), 3, options=_piegeur(30), pace=7 * DAY, days_ago=0.9, turns=6, bots=True),
    Plan(("Amélie",), 4, pace=7 * DAY, days_ago=1.2, turns=5, bots=True),
    Plan(("Chloé", "Hugo", "Inès"), 3, options=_piegeur(50), pace=7 * DAY, competitive=True, days_ago=2, turns=19),
    Plan(("Léa", "Malik"), 2, pace=7 * DAY, competitive=True, days_ago=0.4, turns=8),
    Plan(("Zoé",), 4, options=_piegeur(50), pace=None, days_ago=0.2, turns=3, bots=True),
    Plan(("Amélie",), 4, "six_fous", pace=7 * DAY, days_ago=0.8, turns=5, bots=True),
    Plan(("Amélie",), 4, "cinq_rois", pace=7 * DAY, days_ago=0.7, turns=5, bots=True),
    Plan(("Amélie",), 4, "cinquante_cinq", {"cible": 220}, 7 * DAY, days_ago=0.6, turns=5, bots=True),
    Plan(("Amélie",), 2, "cinq_en_ligne", pace=7 * DAY, days_ago=0.5, turns=8, bots=True),
    Plan(("Bruno", "Chloé", "Léa"), 3, "six_fous", {"jeu": 48}, pace=7 * DAY, competitive=True, days_ago=1.7, turns=12),
    Plan(("Théo", "Solène", "Zoé"), 3, "cinq_rois", OFFICIAL, pace=7 * DAY, competitive=True, days_ago=1.6, turns=8),
    Plan(("Malik", "Inès", "Léa"), 6, "cinquante_cinq", {"equipes": 3, "cible": 110}, None, days_ago=1.4, turns=6, bots=True),
    Plan(("Noémie", "Hugo"), 6, "cinq_en_ligne", {"equipes": 2, "plateau": "spirale"}, None, days_ago=1.1, turns=5, bots=True),
)
WAITING = (
    Plan(("Théo", "Noémie"), 3, pace=2 * DAY, days_ago=0.5),
    Plan(("Bruno", "Zoé", "Malik"), 4, options=_piegeur(50), competitive=True, days_ago=0.3, stake=50),
    Plan(("Solène",), 2, options={"limite": 15, "cartes": 12}, pace=300, days_ago=0.01),
    Plan(("Amélie",), 3, options=_piegeur(30), pace=7 * DAY, days_ago=0.1),
    Plan(("Jean-Éric", "Léa"), 4, options={"limite": 100}, pace=3 * DAY, competitive=True, days_ago=0.2),
    Plan(("Inès",), 3, pace=None, visibility="link", days_ago=0.6),
    Plan(("Chloé", "Théo"), 4, "six_fous", pace=2 * DAY, days_ago=0.15),
    Plan(("Hugo",), 3, "cinq_rois", OFFICIAL, days_ago=0.25),
    Plan(("Noémie", "Bruno"), 4, "cinquante_cinq", {"equipes": 2}, 3 * DAY, competitive=True, days_ago=0.35),
    Plan(("Malik",), 9, "cinquante_cinq", pace=300, days_ago=0.02),
    Plan(("Léa", "Inès", "Zoé"), 4, "cinq_en_ligne", {"plateau": "aleatoire"}, days_ago=0.45),
)


class Command(BaseCommand):
    """Load the demonstration data, or print its accounts."""

    help = "Loads players and tables to look at, once, on a development site; prints the accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        """`--accounts` only prints."""
        parser.add_argument("--accounts", action="store_true", help="only print the accounts of the demonstration")

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse where it would do harm, load what is missing, print the accounts."""
        if not settings.DEBUG:
            raise CommandError("The demonstration is for development only: DEBUG is off.")
        loaded = User.objects.filter(username=ADMIN, email=_address(ADMIN)).exists()
        if options["accounts"]:
            if not loaded:
                raise CommandError("There is no demonstration here.")
        elif not loaded:
            if User.objects.exists():
                raise CommandError("There are people here already: the demonstration would mix with them.")
            self._load()
        self._print_accounts()

    def _load(self) -> None:
        people = _make_people()
        try:
            for plan in sorted(FINISHED + RUNNING + WAITING, key=lambda plan: -plan.days_ago):
                clocktime.travel(None)
                clocktime.travel(timedelta(days=-plan.days_ago))
                _make_table(plan, people)
        finally:
            clocktime.travel(None)

    def _print_accounts(self) -> None:
        key = Authenticator.objects.get(user__username=ADMIN, type=Authenticator.Type.TOTP)
        self.stdout.write(f"Players: {', '.join(NAMES)}")
        self.stdout.write(f"Sign in with the address, such as {_address(NAMES[0])}; password of all: {PASSWORD}")
        self.stdout.write(f"Administrator: {_address(ADMIN)}, same password, TOTP secret {decrypt(key.data['secret'])}")


def _address(name: str) -> str:
    plain = name.lower().translate(str.maketrans("éèôïë", "eeoie")).replace(" ", "-")
    return f"{plain}@example.org"


@transaction.atomic
def _make_people() -> dict[str, User]:
    password = make_password(PASSWORD)
    people = {}
    for name in (*NAMES, ADMIN):
        staff = name == ADMIN
        user = User(username=name, email=_address(name), password=password, is_staff=staff, is_superuser=staff)
        user.save(force_insert=True)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        people[name] = user
    TOTP.activate(people[ADMIN], generate_totp_secret())
    return people


@transaction.atomic
def _make_table(plan: Plan, people: dict[str, User]) -> None:
    """Open the table, seat everybody, and play it as far as the plan says: to the end when it gives no number of turns. One
    commit a table: hundreds of them would make the first start slow."""
    first, *others = (people[name] for name in plan.people)
    table = tables.open_table(
        user=first,
        game=plan.game,
        options=plan.options,
        seats=plan.seats,
        pace=plan.pace,
        visibility=plan.visibility,
        competitive=plan.competitive,
        stake=plan.stake,
        origin=_origin(first),
    )
    for other in others:
        tables.sit(table.code, user=other, origin=_origin(other))
    if plan.bots:
        tables.fill_with_bots(table.code, by=first)
    if plan in RUNNING or plan in FINISHED:
        _play(table.code, plan.turns)


def _origin(user: User) -> str:
    return origin.of_address(f"192.0.2.{user.pk % 256}")


def _play(code: str, turns: int | None) -> None:
    """Play so many turns of people as the automatic player would, bots in between; None: until the match is over."""
    done = 0
    while True:
        moves.play_waiting(code)
        seen = observe.glimpse(code)
        assert seen is not None
        if seen.table.status != Status.PLAYING or done == turns:
            return
        _play_turn(seen)
        done += 1


def _play_turn(seen: observe.Glimpse) -> None:
    table: Table = seen.table
    seat = next(seat for seat in seen.seats if seat.owes_move)
    assert seat.user is not None
    observation = seen.observation(seat.number)
    text = registry.get(table.game).bots.choose(observation, observe.bot_seed(f"{table.code}/{table.plies}/{seat.number}"))
    moves.play(table.code, user=seat.user, text=text, seen=table.plies, request=uuid.uuid4())
