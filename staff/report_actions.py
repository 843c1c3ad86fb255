"""What the staff does with a case: take it, give it back, close it with an outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.models import ChatMessage
from games.services import chat
from staff import reports
from staff.actions import Action, Change, Impossible
from staff.models import Case


class OnCase(Action):
    """An action on an open case that the actor is not the suspect of."""

    permission = "staff.handle_reports"
    model = Case

    def name_of(self, target: Case) -> str:
        """Whom it is about."""
        return str(target.suspect)[:64]


class Claim(OnCase):
    """Take a case."""

    name, label = "claim", gettext_lazy("Take the case")

    def fits(self, actor: User, target: Case) -> bool:
        """A free one, not about oneself."""
        return target.closed_at is None and target.claimed_by_id is None and target.suspect_id != actor.pk

    def effect(self, targets: Sequence[Case]) -> str:
        """Nobody else."""
        return _("The case is yours: nobody else works on it until you give it back or close it.")

    def run(self, actor: User, target: Case, data: Mapping[str, Any], reason: str) -> Change:
        """One of many gets it."""
        if not reports.claim(target, actor):
            raise Impossible(_("Somebody else has this case, or it is closed, or it is about you."))
        return Change({"taken": False}, {"taken": True})


class Release(OnCase):
    """Give a case back."""

    name, label = "release-case", gettext_lazy("Give the case back")

    def fits(self, actor: User, target: Case) -> bool:
        """One's own."""
        return target.closed_at is None and target.claimed_by_id == actor.pk

    def effect(self, targets: Sequence[Case]) -> str:
        """Free again."""
        return _("Somebody else can take the case.")

    def run(self, actor: User, target: Case, data: Mapping[str, Any], reason: str) -> Change:
        """Only who has it."""
        if not reports.release(target, actor):
            raise Impossible(_("This case is not yours."))
        return Change({"taken": True}, {"taken": False})


class Close(OnCase):
    """Close a case."""

    name, label = "close-case", gettext_lazy("Close the case")
    many = False

    def fits(self, actor: User, target: Case) -> bool:
        """One's own."""
        return target.closed_at is None and target.claimed_by_id == actor.pk

    def fields(self, actor: User, targets: Sequence[Case]) -> dict[str, forms.Field]:
        """What the reporters read."""
        return {"outcome": forms.ChoiceField(label=_("Outcome, as those who reported read it"), choices=Case.Outcome.choices)}

    def effect(self, targets: Sequence[Case]) -> str:
        """Told."""
        return _("Everybody who reported is told the outcome by mail and on the page of reports. A new report opens a new case.")

    def run(self, actor: User, target: Case, data: Mapping[str, Any], reason: str) -> Change:
        """Only who has it."""
        if not reports.close(target, actor, data["outcome"]):
            raise Impossible(_("This case is not yours."))
        return Change({"closed": False}, {"closed": True, "outcome": data["outcome"]})


class OnMessage(Action):
    """An action on a message at a table."""

    permission = "staff.moderate_chat"
    model = ChatMessage

    def name_of(self, target: ChatMessage) -> str:
        """Whose, and where."""
        return f"{target.user} – {target.table}"[:64]


class HideMessage(OnMessage):
    """Hide a message."""

    name, label = "hide-message", gettext_lazy("Hide the message")

    def fits(self, actor: User, target: ChatMessage) -> bool:
        """One that is shown."""
        return target.hidden_at is None

    def effect(self, targets: Sequence[ChatMessage]) -> str:
        """Only its place stays."""
        return _("Nobody at the table can read it any more; its place says that a message was removed.")

    def run(self, actor: User, target: ChatMessage, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the chat."""
        if not chat.hide(target.pk, hidden=True):
            raise Impossible(_("This message is hidden already."))
        return Change({"hidden": False}, {"hidden": True})


class ShowMessage(OnMessage):
    """Show it again."""

    name, label = "show-message", gettext_lazy("Show the message again")

    def fits(self, actor: User, target: ChatMessage) -> bool:
        """A hidden one."""
        return target.hidden_at is not None

    def effect(self, targets: Sequence[ChatMessage]) -> str:
        """Read again."""
        return _("Everybody at the table can read it again.")

    def run(self, actor: User, target: ChatMessage, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the chat."""
        if not chat.hide(target.pk, hidden=False):
            raise Impossible(_("This message is not hidden."))
        return Change({"hidden": True}, {"hidden": False})
