"""What every action of the staff has in common: a permission, a reason, a sentence about its effect, a row of the log.

An action is a class with `run`, which calls a service. `perform` runs it for one target: row of the log and effect are
one transaction, the same form sent twice does it once, and what needs a second person is kept until that person confirms.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.db import models
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.sanctions import Refused as RefusedPerson
from games import clocktime
from games.errors import Refused
from games.services.doors import door
from staff.models import Pending, StaffLog

PATIENCE = dt.timedelta(days=7)
"""How long an action waits for a second person."""
MOST = 100
"""Targets of one form."""


class Impossible(Exception):
    """This target cannot be acted upon; `message` says why, in the reader's language."""

    def __init__(self, message: Any) -> None:
        super().__init__(str(message))
        self.message = message


REFUSALS = (Impossible, Refused, RefusedPerson)


@dataclass(frozen=True, slots=True)
class Change:
    """What an action changed, for the log: no secrets in it."""

    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)


class Action:
    """One thing that staff can do. Subclasses say what, to which rows, and who may."""

    name: ClassVar[str]
    label: ClassVar[Any]
    permission: ClassVar[str]
    model: ClassVar[type[models.Model] | None] = None
    many: ClassVar[bool] = True
    danger: ClassVar[bool] = False
    discloses: ClassVar[bool] = False
    """Whether its answer shows what is not shown otherwise: then a form shows it once, and the log knows of each time."""

    def may(self, actor: User) -> bool:
        """Whether this person has the permission."""
        return actor.has_perm(self.permission)

    def fields(self, actor: User, targets: Sequence[Any]) -> dict[str, forms.Field]:
        """What is asked beside the reason."""
        return {}

    def effect(self, targets: Sequence[Any]) -> Any:
        """One sentence that tells what will happen, before it does."""
        raise NotImplementedError

    def fits(self, actor: User, target: Any) -> bool:
        """Whether the action is offered for this target; `run` judges again."""
        return True

    def require(self, actor: User, target: Any) -> None:
        """Raise Impossible where this actor may not do it to this target; asked of whoever does it and of whoever confirms it."""

    def second(self, target: Any, data: Mapping[str, Any]) -> bool:
        """Whether a second person must confirm."""
        return False

    def said(self, target: Any, data: Mapping[str, Any]) -> str:
        """The effect on one target in a sentence, for the second person."""
        return str(self.effect([target]))

    def perceived(self, request: HttpRequest) -> dict[str, Any]:
        """What `run` needs to know of the request beside the form."""
        return {}

    def answer(self, request: HttpRequest, targets: Sequence[Any], data: Mapping[str, Any]) -> HttpResponseBase | None:
        """The page after it was done for all targets; None: back to where the person came from."""
        return None

    def run(self, actor: User, target: Any, data: Mapping[str, Any], reason: str) -> Change:
        """Do it, inside the transaction of the log. Raises one of REFUSALS."""
        raise NotImplementedError

    def pack(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The form's values as JSON, for an action that waits."""
        return {name: value.isoformat() if isinstance(value, dt.datetime) else value for name, value in data.items()}

    def name_of(self, target: Any) -> str:
        """What the log calls a target."""
        return str(target)[:64]


@dataclass(frozen=True, slots=True)
class Done:
    """How it went for one target: "done", "waiting" (for a second person), "again" (the same form once more) or "refused"."""

    target: Any
    how: str
    message: Any = ""


def perform(action: Action, actor: User, target: Any, data: Mapping[str, Any], reason: str, request: UUID) -> Done:
    """Run `action` on one target for `actor`, who has its permission."""
    try:
        return _perform(action, actor, target, data, reason, request)
    except REFUSALS as refused:
        return Done(target, "refused", refused.message)


@door
def _perform(action: Action, actor: User, target: Any, data: Mapping[str, Any], reason: str, request: UUID) -> Done:
    kind, number = _place(target)
    asked = f"{action.name}?"
    if StaffLog.objects.filter(request=request, target_type=kind, target_id=number, action__in=[action.name, asked]).exists():
        if action.discloses:
            raise Impossible(_("This form has been used. Open the page anew and give a reason again."))
        return Done(target, "again")
    action.require(actor, target)
    if action.second(target, data):
        row = Pending.objects.create(
            action=action.name,
            permission=action.permission,
            target_id=number,
            target_name=action.name_of(target),
            data=action.pack(data),
            sentence=action.said(target, data)[:500],
            reason=reason,
            asked_by=actor,
            asked_at=clocktime.now(),
        )
        write(
            actor, asked, action.permission, target, reason, Change({}, {"waits": row.pk, **action.pack(data)}), request, action
        )
        return Done(target, "waiting")
    change = action.run(actor, target, data, reason)
    write(actor, action.name, action.permission, target, reason, change, request, action)
    return Done(target, "done")


def write(
    actor: User, name: str, permission: str, target: Any, reason: str, change: Change, request: UUID, action: Action | None = None
) -> StaffLog:
    """Add the row of the log; in the transaction of what it tells."""
    kind, number = _place(target)
    label = "" if target is None else action.name_of(target) if action else str(target)[:64]
    return StaffLog.objects.create(
        actor=actor,
        action=name,
        permission=permission,
        target_type=kind,
        target_id=number,
        target_name=label,
        reason=reason,
        before=change.before,
        after=change.after,
        request=request,
        at=clocktime.now(),
    )


def _place(target: Any) -> tuple[str, int]:
    return ("", 0) if target is None else (target._meta.model_name, target.pk)


class ReasonForm(forms.Form):
    """The reason that every action asks for, and the id of the click."""

    reason = forms.CharField(
        label=_("Reason"),
        min_length=5,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Kept in the staff log for ever. The players do not read it."),
    )
    request = forms.UUIDField(widget=forms.HiddenInput)
