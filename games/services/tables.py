"""Tables before, at and outside of play: open, sit, leave, remove, fill with bots, start, close."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts import sanctions, ties
from accounts.models import User
from games import clocktime, live, registry, selectors
from games.engine import codec
from games.engine.chance import Chance, commitment, deal_key, normalise_client_seed
from games.errors import BadTable, Closed, Forbidden, NotFound
from games.models import Removal, Seat, Status, Table, Uncounted, Visibility
from games.models.table import new_token
from games.models.vault import Vault
from games.paces import PACES
from games.services import endings, inviting, moves, running, same_address, stakes
from games.services.doors import door, lock, update

NEVER_STARTED = timedelta(days=14)
BOT_NAMES = ("Ada", "Basile", "Clio", "Diane", "Émile", "Fanny", "Gaspard", "Hélène", "Igor", "Jeanne")
CLIENT_SEED_LENGTH = 200


@door
def open_table(
    *,
    user: User,
    game: str,
    options: Mapping[str, Any],
    seats: int,
    pace: int | None,
    visibility: str = Visibility.PUBLIC,
    competitive: bool = False,
    client_seed: str = "",
    origin: str = "",
    side: int | None = None,
    stake: int = 0,
) -> Table:
    """Open a table; the opener sits. Everything given here is fixed from now on: the commitment covers it.

    `options` are the rules' options as plain JSON (missing ones get their default), `seats` the exact number of players,
    `pace` seconds a turn or None, `side` where the opener sits in games with sides (None: any), `stake` the tokens that
    each player stakes (competitive tables only). Raises BadTable 422 for what does not fit together, Refused 409 for a stake
    that the opener has not, Forbidden 403 for a guest at a competitive table.
    """
    try:
        entry = registry.get(game)
    except KeyError:
        raise BadTable("no_game", _("There is no such game.")) from None
    refusal = entry.refusal(options, seats)
    if refusal is not None:
        raise BadTable.of(refusal, game)
    _require_fitting(user, pace, visibility, competitive)
    _require_stake(stake, competitive)
    rules = entry.rules(entry.version)
    options_json = rules.options_json(rules.read_options(options))
    now = clocktime.now()
    table = Table(
        game=game,
        rules_version=entry.version,
        options=options_json,
        seats_wanted=seats,
        visibility=visibility,
        competitive=competitive,
        counts=competitive,
        stake=stake,
        pace=pace,
        opener=user,
        created_at=now,
    )
    seed = secrets.token_bytes(32)
    table.commitment = commitment(table.code, game, entry.version, codec.canonical_json(options_json), seed)
    table.save(force_insert=True)
    vault = Vault(table=table)
    vault.seal("seed", {"seed": seed.hex()})
    vault.save(force_insert=True)
    _add_person(table, user, client_seed, origin, now, side)
    return table


def _require_fitting(user: User, pace: int | None, visibility: str, competitive: bool) -> None:
    if pace not in PACES:
        raise BadTable("pace", _("There is no such pace."))
    if visibility not in Visibility:
        raise BadTable("visibility", _("A table is public or by link."))
    if competitive and pace is None:
        raise BadTable("competitive_pace", _("A competitive match needs a time limit for each turn."))
    if competitive:
        _require_registered(user)


def _require_stake(stake: int, competitive: bool) -> None:
    if not 0 <= stake <= stakes.HIGHEST:
        raise BadTable("stake", _("A stake is between 0 and 10,000 tokens."))
    if stake and not competitive:
        raise BadTable("stake_friendly", _("Tokens are staked at competitive tables only."))


def _require_registered(user: User) -> None:
    if user.is_guest:
        raise Forbidden("guest", _("Competitive matches are for registered players. Create an account to play this one."))


def _add_person(table: Table, user: User, client_seed: str, origin: str, now: datetime, side: int | None) -> None:
    if barred := sanctions.no_tables_sentence(user.pk):
        raise Forbidden("barred", barred)
    Seat.objects.create(
        table=table,
        user=user,
        joined=_next_joined(table),
        client_seed=_client_seed(client_seed),
        origin=origin,
        sat_at=now,
        side=_free_side(table, side),
    )
    stakes.hold(table, user)


def _free_side(table: Table, wanted: int | None) -> int | None:
    """The side a newcomer gets: the one he wants if it has a place (Closed otherwise), else the emptiest one; None in games
    where everybody plays for himself."""
    sides = registry.get(table.game).sides(table.options, table.seats_wanted)
    if not sides:
        return None
    taken = Counter(Seat.objects.filter(table=table).values_list("side", flat=True))
    if wanted is None:
        return min(range(sides), key=lambda side: (taken[side], side))
    if not 0 <= wanted < sides:
        raise BadTable("side", _("There is no such side."))
    if taken[wanted] * sides >= table.seats_wanted:
        raise Closed("side_full", _("This side is full. Choose another one."))
    return wanted


def _next_joined(table: Table) -> int:
    last = Seat.objects.filter(table=table).order_by("-joined").values_list("joined", flat=True).first()
    return 0 if last is None else last + 1


def _client_seed(text: str) -> str:
    """The seed a person brings; an empty one is drawn here and shown. Raises BadTable for what has no place in a record."""
    text = text.strip()
    if not text:
        return secrets.token_hex(16)
    refusal = BadTable("client_seed", _("Your seed is one line of at most 200 characters."))
    try:
        text = normalise_client_seed(text[: 2 * CLIENT_SEED_LENGTH])
    except ValueError:
        raise refusal from None
    # Measured as it is kept: normalising can make a text longer.
    if len(text) > CLIENT_SEED_LENGTH or not text.isprintable():
        raise refusal
    return text


@door
def sit(code: str, *, user: User, token: str = "", client_seed: str = "", origin: str = "", side: int | None = None) -> Table:
    """Take a free place; the last one to sit starts the match in the same transaction. Twice is the same as once.

    `token` or a friend's invitation is needed at a table by link; `side` is the wanted side (None: any). Raises NotFound 404
    (also where a block keeps him from somebody who sits there), Forbidden 403 (guest at a competitive table, removed
    player), Closed 409 (full, started, over, side full), BadTable 422 (client seed, side).
    """
    table = lock(code)
    if Seat.objects.filter(table=table, user=user).exists():
        return table
    if not selectors.admits(table, False, token) and not selectors.is_invited(table, user):
        raise NotFound("no_table")
    if table.status != Status.OPEN:
        raise Closed("closed", _("This table is no longer waiting for players."))
    # Judged under the lock, against everybody who sits: a block counts from the moment it is made.
    if ties.any_block(user.pk, Seat.objects.filter(table=table).values_list("user_id", flat=True)):
        raise NotFound("no_table")
    if Removal.objects.filter(table=table, user=user).exists():
        raise Forbidden("removed", _("You cannot sit at this table."))
    if table.competitive:
        _require_registered(user)
    if Seat.objects.filter(table=table).count() >= table.seats_wanted:
        raise Closed("full", _("This table is full."))
    _add_person(table, user, client_seed, origin, _now(table), side)
    _changed(table)
    return table


def _now(table: Table) -> datetime:
    return table.now  # type: ignore[attr-defined, no-any-return]


def _changed(table: Table) -> None:
    """After somebody sat: start when full, else tell those who wait."""
    seats = running.seats_of(table, "joined")
    if len(seats) == table.seats_wanted:
        _start(table, seats)
        return
    update(table, version=table.version + 1)
    live.announce(table)


def _start(table: Table, seats: list[Seat]) -> None:
    """Draw the seats by lot, deal, play what is forced, and set the first clock (architecture: provable dealing)."""
    for joined, seat in enumerate(seats):
        seat.joined = joined
        if seat.bot:
            seat.client_seed = f"bot/{joined}"
        Seat.objects.filter(pk=seat.pk).update(joined=joined, client_seed=seat.client_seed)
    vault = Vault.objects.get(table=table)
    seed = vault.unseal("seed")["seed"]
    key = deal_key(bytes.fromhex(seed), [seat.client_seed for seat in seats])
    chance = Chance(key)
    chosen = [seat.side for seat in seats if seat.side is not None]
    by_number = [seats[joined] for joined in chance.seating(len(seats), chosen)]
    for number, seat in enumerate(by_number):
        seat.number = number
    Seat.objects.bulk_update(by_number, ["number"])
    rules = table.rules
    state = rules.deal(rules.read_options(table.options), len(seats), chance)
    vault.seal("seed", {"seed": seed, "key": key.hex()})
    vault.seal("deals", chance.results)
    update(vault, seed=vault.seed, deals=vault.deals)
    update(table, status=Status.PLAYING, started_at=_now(table))
    _decide_whether_it_counts(table, seats)
    inviting.forget(table)
    stakes.begin(table, _now(table))
    running.add_event(table, ["started"], _now(table))
    for event in rules.opening(state):
        running.add_event(table, list(event), _now(table))
    game = running.Running(table, by_number, vault, chance, state)
    moves.advance(game, set())
    moves.announce_change(game, set())


def _decide_whether_it_counts(table: Table, seats: list[Seat]) -> None:
    """Once, before the first card, and told in the log (rules 7.4)."""
    if table.competitive and same_address.shared(seats, _now(table)):
        update(table, counts=False, uncounted=Uncounted.SAME_ADDRESS)
        running.add_event(table, ["uncounted", Uncounted.SAME_ADDRESS.value], _now(table))


@door
def leave(code: str, *, user: User) -> None:
    """Give up a place before the start. If the opener leaves, the longest-seated person opens; nobody left: cancelled."""
    table = lock(code)
    seat = Seat.objects.filter(table=table, user=user).first()
    if seat is None:
        return
    if table.status != Status.OPEN:
        raise Closed("started", _("The match has started: to leave it now is to abandon it."))
    _give_up(table, seat)
    _after_leaving(table, user)


def _give_up(table: Table, seat: Seat) -> None:
    """Somebody's place at a waiting table is free again, and so is his stake."""
    seat.delete()
    stakes.release(table, seat.user_id)


def _after_leaving(table: Table, user: User) -> None:
    """Somebody has given up his place at a waiting table: who opens it now, if anybody is left."""
    heir = Seat.objects.filter(table=table, user__isnull=False).order_by("joined").first()
    if heir is None:
        endings.cancel(table, "empty", _now(table))
    else:
        if table.opener_id == user.pk:
            update(table, opener_id=heir.user_id)
        update(table, version=table.version + 1)
    live.announce(table, [user.pk])


@door
def _part(code: str, user: User, other: User) -> None:
    table = lock(code)
    seats = {seat.user_id: seat for seat in Seat.objects.filter(table=table, user__in=(user, other))}
    if table.status != Status.OPEN or len(seats) < 2:
        return
    if table.opener_id == user.pk:
        _take_away(table, seats[other.pk])
    else:
        _give_up(table, seats[user.pk])
        _after_leaving(table, user)


def part(user: User, other: User) -> None:
    """`user` has blocked `other`: they do not begin a match together. At a waiting table where both sit the other loses his
    place as if the opener had removed him, if `user` opened it; else `user` leaves. Running matches go on."""
    # Every table where one of them sits: the other may be about to sit there, and the lock waits for that.
    waiting = Table.objects.filter(status=Status.OPEN, seats__user__in=(user, other)).order_by("pk").distinct()
    for code in list(waiting.values_list("code", flat=True)):
        _part(code, user, other)


def _lock_as_opener(code: str, by: User) -> Table:
    table = lock(code)
    if table.opener_id != by.pk:
        if table.visibility == Visibility.LINK and not Seat.objects.filter(table=table, user=by).exists():
            raise NotFound("no_table")
        raise Forbidden("not_opener", _("Only the player who opened the table may do this."))
    if table.status != Status.OPEN:
        raise Closed("started", _("This table is no longer waiting for players."))
    return table


@door
def remove(code: str, *, by: User, seat_id: int) -> None:
    """The opener removes somebody (or a bot) before the start; a removed player cannot sit at this table again."""
    table = _lock_as_opener(code, by)
    seat = Seat.objects.filter(table=table, pk=seat_id).first()
    if seat is None:
        return
    if seat.user_id == by.pk:
        raise Forbidden("yourself", _("To go yourself, leave the table."))
    _take_away(table, seat)


def _take_away(table: Table, seat: Seat) -> None:
    """Take somebody's place (or a bot's) at a waiting table; a person cannot sit there again."""
    _give_up(table, seat)
    if seat.user_id is not None:
        Removal.objects.get_or_create(table=table, user_id=seat.user_id)
    update(table, version=table.version + 1)
    live.announce(table, [seat.user_id] if seat.user_id else [])


@door
def fill_with_bots(code: str, *, by: User) -> Table:
    """The opener fills the free places of a friendly table with bots; the match starts at once."""
    table = _lock_as_opener(code, by)
    if table.competitive:
        raise Forbidden("competitive", _("There are no bots at competitive tables."))
    seats = list(Seat.objects.filter(table=table))
    taken = {seat.bot for seat in seats}
    free = [name for name in BOT_NAMES if name not in taken]
    # A different face at each table, the same for everybody: the code decides, nothing depends on it.
    turn = int.from_bytes(table.code.encode()[-2:]) % len(free)
    joined = _next_joined(table)
    for index in range(table.seats_wanted - len(seats)):
        name = free[(turn + index) % len(free)]
        Seat.objects.create(
            table=table,
            bot=name,
            joined=joined + index,
            client_seed=f"bot/{joined + index}",
            sat_at=_now(table),
            side=_free_side(table, None),
        )
    _changed(table)
    return table


@door
def revoke_link(code: str, *, by: User) -> str:
    """Make every link given out so far worthless; returns the new token."""
    table = _lock_as_opener(code, by)
    update(table, token=new_token(), version=table.version + 1)
    live.announce(table)
    return table.token


@door
def end_alone(code: str, *, user: User) -> None:
    """A person alone with bots ends his running match; nobody else is bothered."""
    table = lock(code)
    people = list(Seat.objects.filter(table=table, user__isnull=False, abandoned_at__isnull=True))
    if user.pk not in {seat.user_id for seat in people}:
        raise NotFound("no_table") if table.visibility == Visibility.LINK else Forbidden("not_seated")
    if table.status != Status.PLAYING:
        raise Closed("over", _("This match is not running."))
    if len(people) > 1:
        raise Forbidden("not_alone", _("You are not alone at this table: you can only abandon the match."))
    endings.cancel(table, "alone", _now(table))
    live.announce(table, [user.pk])


def close_old() -> int:
    """Close tables that have waited for players for 14 days; returns how many."""
    old = Table.objects.filter(status=Status.OPEN, created_at__lte=clocktime.now() - NEVER_STARTED)
    return sum(_close_old(code) for code in old.values_list("code", flat=True)[:1000])


@door
def _close_old(code: str) -> bool:
    table = lock(code)
    if table.status != Status.OPEN or table.created_at > _now(table) - NEVER_STARTED:
        return False
    people = list(Seat.objects.filter(table=table, user__isnull=False).values_list("user_id", flat=True))
    endings.cancel(table, "never_started", _now(table))
    live.announce(table, people)
    return True


@door
def _move_seat(code: str, guest: User, user: User) -> None:
    table = lock(code)
    seat = Seat.objects.filter(table=table, user=guest).first()
    if seat is None:
        return
    now = _now(table)
    if table.opener_id == guest.pk:
        update(table, opener_id=user.pk)
    if table.status == Status.OPEN and _may_not_come(table, user):
        seat.delete()
        _after_leaving(table, user)
        return
    if not Seat.objects.filter(table=table, user=user).exists():
        update(seat, user_id=user.pk)
    elif table.status == Status.PLAYING:
        # He sits here already: one person cannot play two hands, so the guest's one is played by the site.
        update(seat, automatic_since=now, **({"deadline": now} if seat.owes_move else {}))
        running.add_event(table, ["automatic", seat.number], now)
    elif table.status == Status.OPEN:
        seat.delete()
    update(table, version=table.version + 1)
    live.announce(table, [guest.pk, user.pk])


def _may_not_come(table: Table, user: User) -> bool:
    """Whether this person is barred from new tables, was removed from this one, or a block keeps him from somebody who sits
    there."""
    if sanctions.active(user.pk) & {"no_tables", "suspended"} or Removal.objects.filter(table=table, user=user).exists():
        return True
    return ties.any_block(user.pk, Seat.objects.filter(table=table).values_list("user_id", flat=True))


def claim_guest(guest: User, user: User) -> None:
    """A guest has signed up: his seats become the account's, save where the account already sits."""
    Removal.objects.filter(~Q(table__removals__user=user), user=guest).update(user=user)
    for code in list(Table.objects.filter(seats__user=guest).values_list("code", flat=True)):
        _move_seat(code, guest, user)
