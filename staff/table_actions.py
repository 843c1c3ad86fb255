"""What the staff may do to tables: more time, a seat to the site, calling off, taking back, looking at hidden cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import origin
from accounts.models import User
from games import live, observe, registry, selectors
from games.models import Seat, Status, Table
from games.services import oversight
from games.terms import duration
from staff.actions import Action, Change, Impossible

HOURS = (1, 6, 12, 24, 48, 72, 168)


def picture(table: Table) -> dict[str, Any]:
    """What the log says of a table: nothing that its players may not know."""
    return {"status": table.status, "plies": table.plies, "version": table.version}


def again(table: Table) -> Table:
    """The table as it is now."""
    return Table.objects.get(pk=table.pk)


def sits_at(user: User, table: Table) -> bool:
    """Whether somebody plays, or played, at a table himself."""
    return Seat.objects.filter(table=table, user=user).exists()


class OnTable(Action):
    """An action on a running table, never on one's own: staff who play there would decide their own match."""

    model = Table

    def stands(self, target: Table) -> bool:
        """Whether the table is in a state for it: while it runs."""
        return target.status == Status.PLAYING

    def fits(self, actor: User, target: Table) -> bool:
        """Only in that state, and somebody else's."""
        return self.stands(target) and not sits_at(actor, target)

    def require(self, actor: User, target: Table) -> None:
        """Raise Impossible at one's own table."""
        if sits_at(actor, target):
            raise Impossible(_("Nobody of the staff acts on a table where he plays himself. Ask somebody else."))

    def name_of(self, target: Table) -> str:
        """Its code."""
        return target.code


class Extend(OnTable):
    """Give whoever is to play more time."""

    name, label, permission = "extend", gettext_lazy("Give more time"), "staff.extend_deadlines"

    def fields(self, actor: User, targets: Sequence[Table]) -> dict[str, forms.Field]:
        """By how much."""
        choices = [(hours, duration(hours * 3600)) for hours in HOURS]
        return {"hours": forms.TypedChoiceField(label=_("More time"), choices=choices, coerce=int, initial=24)}

    def effect(self, targets: Sequence[Table]) -> str:
        """Deadlines move, the players read it."""
        return ngettext(
            "Whoever owes a move at this table gets more time. The players read it in the log of the table.",
            "Whoever owes a move at these %(number)s tables gets more time. The players read it in the log of their table.",
            len(targets),
        ) % {"number": len(targets)}

    def run(self, actor: User, target: Table, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the tables."""
        seats = oversight.extend(target.code, timedelta(hours=int(data["hours"])))
        return Change({}, {"hours": int(data["hours"]), "seats": seats})


class HandSeat(OnTable):
    """Have the site play one seat."""

    name, label, permission = "hand-seat", gettext_lazy("Hand a seat to the site"), "staff.hand_seats"
    many = False

    def fields(self, actor: User, targets: Sequence[Table]) -> dict[str, forms.Field]:
        """Which of the people who play themselves."""
        seats = Seat.objects.filter(table=targets[0], user__isnull=False, automatic_since__isnull=True).select_related("user")
        choices = [(seat.number, selectors.seat_name(seat)) for seat in seats.order_by("number")]
        return {"seat": forms.TypedChoiceField(label=_("Seat"), choices=choices, coerce=int)}

    def effect(self, targets: Sequence[Table]) -> str:
        """The player may take it back."""
        return _(
            "The site plays this seat at once, prudently, until its player takes back the hand. "
            "If no other person plays himself, the match is cancelled."
        )

    def run(self, actor: User, target: Table, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the tables."""
        oversight.hand_to_site(target.code, int(data["seat"]))
        return Change({"seat": int(data["seat"]), "automatic": False}, {"automatic": True, **picture(again(target))})


class CallOff(OnTable):
    """Cancel a waiting or running table."""

    name, label, permission = "cancel", gettext_lazy("Cancel the table"), "staff.cancel_tables"
    danger = True

    def stands(self, target: Table) -> bool:
        """Until it is over."""
        return not target.over

    def effect(self, targets: Sequence[Table]) -> str:
        """For good."""
        return ngettext(
            "The table is cancelled for good: no experience points, every stake goes back to who laid it.",
            "These %(number)s tables are cancelled for good: no experience points, every stake goes back to who laid it.",
            len(targets),
        ) % {"number": len(targets)}

    def run(self, actor: User, target: Table, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the tables."""
        before = picture(again(target))
        oversight.call_off(target.code)
        return Change(before, picture(again(target)))


class Rewind(OnTable):
    """Take a match back to an earlier ply of the hand being played."""

    name, label, permission = "rewind", gettext_lazy("Take the match back"), "staff.rewind_tables"
    many = False
    danger = True

    def fields(self, actor: User, targets: Sequence[Table]) -> dict[str, forms.Field]:
        """To which ply, each with the public sentence of what was played there; newest first."""
        table = targets[0]
        floor = oversight.rewind_floor(table.code)
        said: dict[int, str] = {}
        for row in live.sentences(table, selectors.seats(table), None):
            if floor <= row["ply"] < table.plies:
                said[row["ply"]] = f"{said[row['ply']]} {row['sentence']}" if row["ply"] in said else row["sentence"]
        choices = [(ply, f"{ply} – {said.get(ply, _('the deal'))}") for ply in range(table.plies - 1, floor - 1, -1)]
        return {"ply": forms.TypedChoiceField(label=_("Back to the position after move"), choices=choices, coerce=int)}

    def stands(self, target: Table) -> bool:
        """While it runs, once something was played."""
        return super().stands(target) and target.plies > 0

    def effect(self, targets: Sequence[Table]) -> str:
        """Nothing is erased."""
        return _(
            "The match goes on from an earlier position of this hand. Nothing is erased: going back is a move of its own, and "
            "the players read it in the log. Whoever is to play gets a fresh deadline; time-outs since then are forgiven."
        )

    def run(self, actor: User, target: Table, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the tables."""
        before = picture(again(target))
        ply = oversight.rewind(target.code, int(data["ply"]))
        return Change(before, {**picture(again(target)), "back_to": int(data["ply"]), "ply": ply})


class Look(OnTable):
    """See a running table as one of its seats sees it. Its players read that somebody did."""

    name, label, permission = "look", gettext_lazy("See as a player sees"), "games.see_hidden"
    many = False
    danger = True
    discloses = True

    def fields(self, actor: User, targets: Sequence[Table]) -> dict[str, forms.Field]:
        """As which seat."""
        choices = [(seat.number, selectors.seat_name(seat)) for seat in selectors.seats(targets[0])]
        return {"seat": forms.TypedChoiceField(label=_("As which player"), choices=choices, coerce=int)}

    def effect(self, targets: Sequence[Table]) -> str:
        """Told to the players."""
        return _(
            "You see once what this player sees now, his hidden cards among it. The players read in the log of the table that "
            "somebody of the staff looked. It is impossible at a table where you play, or where somebody shares your address."
        )

    def perceived(self, request: HttpRequest) -> dict[str, Any]:
        """From which address he asks, as a hash."""
        return {"origin": origin.at_table(request)}

    def run(self, actor: User, target: Table, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the tables."""
        oversight.look(target.code, int(data["seat"]), user_id=actor.pk, origin=data["origin"])
        return Change({}, {"seat": int(data["seat"]), "plies": again(target).plies})

    def answer(self, request: HttpRequest, targets: Sequence[Table], data: Mapping[str, Any]) -> HttpResponseBase:
        """The table in words, once; the page is not kept anywhere."""
        glimpse = observe.glimpse(targets[0].code)
        assert glimpse is not None
        number = int(data["seat"])
        names = [selectors.seat_name(seat) for seat in glimpse.seats]
        board = registry.get(glimpse.table.game).display.board(glimpse.observation(number), names)
        context = {
            **admin.site.each_context(request),
            "title": _("%(code)s as %(name)s sees it") % {"code": glimpse.table.code, "name": names[number]},
            "table": glimpse.table,
            "board": board,
        }
        return render(request, "staff/look.html", context)
