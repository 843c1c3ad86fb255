"""What the staff may do about people: measures, appeals, names, roles."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import Group, Permission
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import departures, names, registration, sanctions
from accounts.models import Appeal, Sanction, User
from accounts.models.sanction import Ground, Kind
from games import clocktime
from staff import roles
from staff.actions import PATIENCE, Action, Change, Impossible
from staff.models import Pending

DAYS = (1, 3, 7, 14, 30, 90, 365)


class OnPerson(Action):
    """An action on a person: never on oneself, on staff only by an administrator."""

    model = User
    permission = "staff.sanction"

    def fits(self, actor: User, target: User) -> bool:
        """Somebody else who is still here, and no staff unless an administrator asks."""
        there = target.pk != actor.pk and target.deleted_at is None
        return there and (not target.is_staff or actor.has_perm("staff.set_roles"))

    def require(self, actor: User, target: User) -> None:
        """Raise Impossible where the action does not fit."""
        if not OnPerson.fits(self, actor, target):
            raise Impossible(_("Nobody does this to himself, and only an administrator to somebody of the staff."))


class Measure(OnPerson):
    """Impose a sanction; subclasses say which."""

    kind: Kind
    danger = True
    endless = False

    def fields(self, actor: User, targets: Sequence[User]) -> dict[str, forms.Field]:
        """Why, for how long, and what the person reads."""
        found: dict[str, forms.Field] = {
            "ground": forms.ChoiceField(label=_("Ground, as the person reads it"), choices=Ground.choices)
        }
        if self.kind != Kind.WARNING:
            days = [(n, ngettext("%(number)s day", "%(number)s days", n) % {"number": n}) for n in DAYS]
            if self.endless:
                days.append((0, _("without end")))
            found["days"] = forms.TypedChoiceField(label=_("For how long"), choices=days, coerce=int, initial=self._next(targets))
        for code, name in sanctions.languages():
            label = _("What you add for the person (%(language)s)") % {"language": name}
            found[f"words_{code}"] = forms.CharField(
                label=label, required=False, max_length=sanctions.TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
            )
        return found

    def _next(self, targets: Sequence[User]) -> int:
        """Graded: each earlier measure of this kind proposes the next longer time."""
        if len(targets) != 1:
            return DAYS[0]
        earlier = Sanction.objects.filter(user=targets[0], kind=self.kind).count()
        return DAYS[min(earlier, len(DAYS) - 1)]

    def run(self, actor: User, target: User, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the measures."""
        self.require(actor, target)
        days = int(data.get("days") or 0)
        ends = timezone.now() + dt.timedelta(days=days) if days else None
        words = {code: data.get(f"words_{code}", "") for code, _name in sanctions.languages()}
        before = sorted(sanctions.active(target.pk))
        made = sanctions.impose(target, kind=self.kind, ground=data["ground"], by=actor, ends_at=ends, words=words)
        after = {"sanction": made.pk, "ground": made.ground, "until": ends.isoformat() if ends else None, "words": made.words}
        return Change({"in_force": before}, {"in_force": sorted(sanctions.active(target.pk)), **after})


class Warn(Measure):
    """A warning."""

    name, label, kind = "warn", gettext_lazy("Warn"), Kind.WARNING
    danger = False

    def effect(self, targets: Sequence[User]) -> str:
        """A mail and a page."""
        return _("The person gets a mail and reads the warning on the page of measures. Nothing else changes.")


class Mute(Measure):
    """No chat."""

    name, label, kind = "mute", gettext_lazy("Forbid to write"), Kind.MUTE

    def effect(self, targets: Sequence[User]) -> str:
        """Matches go on."""
        return _("The person can write to nobody for that time. His matches go on.")


class BarTables(Measure):
    """No new tables."""

    name, label, kind = "bar", gettext_lazy("Bar from new tables"), Kind.NO_TABLES

    def effect(self, targets: Sequence[User]) -> str:
        """Running ones go on."""
        return _("The person opens no table and sits down at none for that time. Running matches go on.")


class Suspend(Measure):
    """Shut out."""

    name, label, kind = "suspend", gettext_lazy("Suspend the account"), Kind.SUSPENDED
    endless = True

    def effect(self, targets: Sequence[User]) -> str:
        """Sessions end."""
        return _(
            "The person is signed out everywhere at once and cannot sign in for that time; his turns are played when their "
            "time is up. He still reads the page of measures and can appeal there."
        )


class Lift(Action):
    """End a measure early."""

    name, label, permission, model = "lift", gettext_lazy("Lift the measure"), "staff.sanction", Sanction

    def fits(self, actor: User, target: Sanction) -> bool:
        """One that was not lifted, against somebody else."""
        return target.lifted_at is None and target.user_id != actor.pk

    def effect(self, targets: Sequence[Sanction]) -> str:
        """At once."""
        return _("The measure ends at once. It stays in the person's history, marked as lifted.")

    def run(self, actor: User, target: Sanction, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the measures."""
        if target.user_id == actor.pk:
            raise Impossible(_("Nobody lifts a measure against himself."))
        if not sanctions.lift(target, by=actor):
            raise Impossible(_("This measure has been lifted."))
        return Change({"kind": target.kind, "lifted": False}, {"lifted": True})

    def name_of(self, target: Sanction) -> str:
        """Against whom."""
        return f"{target.user}"[:64]


class AnswerAppeal(Action):
    """Grant or turn down an appeal."""

    name, label, permission, model = "answer-appeal", gettext_lazy("Answer the appeal"), "staff.answer_appeals", Appeal
    many = False

    def fits(self, actor: User, target: Appeal) -> bool:
        """One that waits, not about one's own measure."""
        return target.answered_at is None and actor.pk not in {target.sanction.by_id, target.sanction.user_id}

    def fields(self, actor: User, targets: Sequence[Appeal]) -> dict[str, forms.Field]:
        """Yes or no, and why."""
        choices = [("no", _("The measure stays")), ("yes", _("The measure is lifted"))]
        text = forms.CharField(
            label=_("Answer to the person"), max_length=sanctions.TEXT_LENGTH, widget=forms.Textarea(attrs={"rows": 4})
        )
        return {"granted": forms.ChoiceField(label=_("Decision"), choices=choices), "answer": text}

    def effect(self, targets: Sequence[Appeal]) -> str:
        """Final."""
        return _("The person gets your answer by mail and on the page of measures. There is no second appeal.")

    def run(self, actor: User, target: Appeal, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the measures."""
        granted = data["granted"] == "yes"
        sanctions.answer(target.pk, by=actor, granted=granted, text=data["answer"])
        return Change({"answered": False}, {"granted": granted})

    def name_of(self, target: Appeal) -> str:
        """Whose."""
        return f"{target.sanction.user}"[:64]


class SetRole(OnPerson):
    """Make somebody staff, or end it."""

    name, label, permission = "role", gettext_lazy("Set the role"), "staff.set_roles"
    many = False
    danger = True

    def fits(self, actor: User, target: User) -> bool:
        """A registered person, not oneself, no superuser."""
        return super().fits(actor, target) and not target.is_guest and not target.is_superuser

    def fields(self, actor: User, targets: Sequence[User]) -> dict[str, forms.Field]:
        """Which role, and whether he may see hidden cards."""
        choices = [("", _("no role")), *roles.NAMES.items()]
        return {
            "role": forms.ChoiceField(label=_("Role"), choices=choices, required=False, initial=roles.role_of(targets[0])),
            "see_hidden": forms.BooleanField(
                label=_("May look at the hidden cards of running matches (each time with a reason that is logged)"),
                required=False,
                initial=targets[0].user_permissions.filter(codename="see_hidden").exists(),
            ),
        }

    def effect(self, targets: Sequence[User]) -> str:
        """Second factor."""
        return _(
            "The person has these rights from his next page on, once a second factor protects his account. The role of "
            "administrator and hidden cards need a second person."
        )

    def second(self, target: User, data: Mapping[str, Any]) -> bool:
        """An administrator alone must not make another one, who would then be the second person of everything."""
        return data["role"] == roles.ADMINISTRATOR or bool(data["see_hidden"])

    def said(self, target: User, data: Mapping[str, Any]) -> str:
        """Who gets which rights."""
        role = {"name": target, "role": roles.NAMES.get(data["role"], _("none"))}
        if data["see_hidden"]:
            return _("%(name)s gets the role “%(role)s” and may look at hidden cards.") % role
        return _("%(name)s gets the role “%(role)s”.") % role

    def run(self, actor: User, target: User, data: Mapping[str, Any], reason: str) -> Change:
        """Groups, the mark of staff, the one extra permission."""
        self.require(actor, target)
        if not self.fits(actor, target):
            raise Impossible(_("Only a registered person who is no superuser can have a role."))
        role, seeing = str(data["role"]), bool(data["see_hidden"] and data["role"])
        hidden = Permission.objects.get(codename="see_hidden", content_type__app_label="games")
        before = {"role": roles.role_of(target), "see_hidden": target.user_permissions.filter(pk=hidden.pk).exists()}
        target.groups.set(Group.objects.filter(name=role))
        (target.user_permissions.add if seeing else target.user_permissions.remove)(hidden)
        User.objects.filter(pk=target.pk).update(is_staff=bool(role))
        return Change(before, {"role": role, "see_hidden": seeing})


class Rename(OnPerson):
    """Give somebody another pseudonym."""

    name, label, permission = "rename", gettext_lazy("Give another pseudonym"), "staff.rename_people"
    many = False

    def fits(self, actor: User, target: User) -> bool:
        """A registered person."""
        return super().fits(actor, target) and not target.is_guest

    def fields(self, actor: User, targets: Sequence[User]) -> dict[str, forms.Field]:
        """Which one."""
        return {"pseudonym": forms.CharField(label=_("New pseudonym"), max_length=names.MAX_LENGTH, initial=targets[0].username)}

    def effect(self, targets: Sequence[User]) -> str:
        """The old one is gone."""
        return _("The person has the new pseudonym at once and everywhere. He cannot take the old one again.")

    def run(self, actor: User, target: User, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of the names."""
        self.require(actor, target)
        if target.is_guest:
            raise Impossible(_("A guest has no pseudonym."))
        user = User.objects.get(pk=target.pk)
        before = user.username
        try:
            registration.rename(user, str(data["pseudonym"]), by=actor)
        except ValidationError as error:
            raise Impossible(" ".join(error.messages)) from None
        return Change({"pseudonym": before}, {"pseudonym": user.username})


class CloseAccount(OnPerson):
    """Delete an account, the way its owner would."""

    name, label, permission = "close-account", gettext_lazy("Delete the account"), "staff.close_accounts"
    many = False
    danger = True

    def fits(self, actor: User, target: User) -> bool:
        """A registered person who is not leaving yet."""
        return super().fits(actor, target) and not target.is_guest and not target.is_superuser and target.leaving_at is None

    def effect(self, targets: Sequence[User]) -> str:
        """Seven days, then gone."""
        return _(
            "The person is signed out at once and the site plays his seats. In seven days his matches count as abandoned and "
            "his personal data are deleted for good. He cannot stop this himself."
        )

    def run(self, actor: User, target: User, data: Mapping[str, Any], reason: str) -> Change:
        """By the service of departures."""
        self.require(actor, target)
        if not self.fits(actor, target):
            raise Impossible(_("This account cannot be deleted, or is leaving already."))
        row = departures.ask(target, by_staff=True)
        return Change({"leaving": False}, {"due": row.due_at.isoformat()})


class Decide(Action):
    """What a second person says of an action that waits."""

    model = Pending
    many = False

    def may(self, actor: User) -> bool:
        """Who has the permission of any action that can wait; `run` asks for that of this one."""
        return actor.has_perm("staff.view_pending")

    def fits(self, actor: User, target: Pending) -> bool:
        """Another person's, not decided, for whom the action is allowed too."""
        return target.decided_at is None and target.asked_by_id != actor.pk and actor.has_perm(target.permission)

    def lock(self, actor: User, target: Pending) -> Pending:
        """The row, locked. Raises Impossible."""
        row = Pending.objects.select_for_update().get(pk=target.pk)
        if row.asked_by_id == actor.pk:
            raise Impossible(_("Somebody else than who asked must confirm."))
        if not actor.has_perm(row.permission):
            raise Impossible(_("You do not have the permission for this action yourself."))
        if row.decided_at is not None:
            raise Impossible(_("This has been decided."))
        return row

    def name_of(self, target: Pending) -> str:
        """To whom or what."""
        return target.target_name


class Confirm(Decide):
    """Let it happen."""

    name, label, permission = "confirm", gettext_lazy("Confirm"), "staff.view_pending"
    danger = True

    def effect(self, targets: Sequence[Pending]) -> str:
        """It is done."""
        asked = {"name": targets[0].asked_by, "reason": targets[0].reason}
        return f"{targets[0].sentence} " + _("%(name)s asked for it: “%(reason)s” Confirmed, it is done at once.") % asked

    def run(self, actor: User, target: Pending, data: Mapping[str, Any], reason: str) -> Change:
        """Run the action that waits, in this transaction."""
        from staff import registry

        row = self.lock(actor, target)
        if row.asked_at < clocktime.now() - PATIENCE:
            raise Impossible(_("This has waited for more than seven days. It must be asked for again."))
        action = registry.ACTIONS[row.action]
        assert action.model is not None
        waits_for = action.model._default_manager.get(pk=row.target_id)
        if actor == waits_for:
            raise Impossible(_("Nobody confirms what he gets himself."))
        action.require(actor, waits_for)
        action.require(row.asked_by, waits_for)
        change = action.run(row.asked_by, waits_for, row.data, row.reason)
        Pending.objects.filter(pk=row.pk).update(decided_by=actor, decided_at=clocktime.now(), accepted=True)
        return Change(change.before, {**change.after, "action": row.action, "asked_by": row.asked_by_id})


class Decline(Decide):
    """Refuse it."""

    name, label, permission = "decline", gettext_lazy("Refuse"), "staff.view_pending"

    def effect(self, targets: Sequence[Pending]) -> str:
        """Nothing happens."""
        return f"{targets[0].sentence} " + _("Refused, it is not done.")

    def run(self, actor: User, target: Pending, data: Mapping[str, Any], reason: str) -> Change:
        """Only the row is closed."""
        row = self.lock(actor, target)
        Pending.objects.filter(pk=row.pk).update(decided_by=actor, decided_at=clocktime.now(), accepted=False)
        return Change({"waits": True}, {"accepted": False, "action": row.action, "asked_by": row.asked_by_id})
