"""The actions there are, by name, and the lists of the panel that offer them."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse_lazy

from accounts.models import User
from accounts.staff_lists import Deed, offer
from staff import exports, people_actions, report_actions, site_actions, table_actions, token_actions
from staff.actions import Action

ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        table_actions.Extend(),
        table_actions.HandSeat(),
        table_actions.Rewind(),
        table_actions.CallOff(),
        token_actions.Void(),
        table_actions.Look(),
        people_actions.Warn(),
        people_actions.Mute(),
        people_actions.BarTables(),
        people_actions.Suspend(),
        people_actions.Lift(),
        people_actions.AnswerAppeal(),
        people_actions.Rename(),
        token_actions.Grant(),
        people_actions.Confirm(),
        people_actions.Decline(),
        people_actions.SetRole(),
        people_actions.CloseAccount(),
        report_actions.HideMessage(),
        report_actions.ShowMessage(),
        report_actions.Claim(),
        report_actions.Release(),
        report_actions.Close(),
        site_actions.Announce(),
        site_actions.EndAnnouncement(),
        site_actions.PauseClocks(),
        site_actions.StartClocks(),
        site_actions.ReleaseClock(),
        exports.Export(),
    )
}


def connect() -> None:
    """Offer every action in the list of its rows; called once when the app is ready."""
    offer(
        Model,
        Deed("export", exports.Export.label, reverse_lazy("staff_act", args=["export"]), False, _offered(ACTIONS["export"])),
    )
    for action in ACTIONS.values():
        if action.model is not None:
            url = reverse_lazy("staff_act", args=[action.name])
            offer(action.model, Deed(action.name, action.label, url, action.many, _offered(action)))


def _offered(action: Action) -> Callable[[HttpRequest, Model | None], bool]:
    def offered(request: HttpRequest, row: Model | None) -> bool:
        actor = request.user
        return isinstance(actor, User) and action.may(actor) and (row is None or action.fits(actor, row))

    return offered
