"""The forms that lead to a table: opening a new one, and the filters of the lobby."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import BaseValidator
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from games import registry
from games.models import Visibility
from games.paces import DEFAULT_PACE, PACES, pace_label, quick_pace_choices
from games.terms import number_wanted, one_of_wanted, people

OTHER = "other"
NO_PACE = "none"
STAKES = (0, 10, 50, 100, 500)
HIGHEST_STAKE = 10_000


class NewTableForm(forms.Form):
    """A new table of one game. `cleaned_data` has seats (int), pace (seconds or None), competitive (bool), visibility,
    client_seed, stake (tokens, 0 for friendly matches) and options: the plain JSON of the options that mean something with
    that many seats.

    Options that do not go with the number of seats are refused in the game's own words. The rest (kind, pace) is judged
    by `services.tables.open_table`.
    """

    competitive = forms.ChoiceField(
        label=_("Kind of match"), choices=[("0", _("friendly")), ("1", _("competitive"))], initial="0", widget=forms.RadioSelect
    )
    pace = forms.ChoiceField(label=_("Time for each turn"), initial=str(DEFAULT_PACE), widget=forms.Select)
    visibility = forms.ChoiceField(
        label=_("Who may see it"), choices=Visibility.choices, initial=Visibility.PUBLIC, widget=forms.RadioSelect
    )
    stake = forms.ChoiceField(
        label=_("Stake of each player, in tokens"),
        choices=[*((str(tokens), tokens) for tokens in STAKES), (OTHER, _("another number"))],
        initial="0",
        required=False,
        widget=forms.RadioSelect,
    )
    stake_other = forms.IntegerField(label=_("Stake"), required=False, min_value=1, max_value=HIGHEST_STAKE)
    client_seed = forms.CharField(label=_("Your own seed for the shuffle"), required=False, max_length=200)

    def __init__(self, game: registry.Game, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.game = game
        self.fields["seats"] = forms.ChoiceField(
            label=_("Number of players"),
            choices=[(str(n), str(n)) for n in game.seats],
            initial=str(game.default_seats),
            widget=forms.RadioSelect,
        )
        pace = self.fields["pace"]
        assert isinstance(pace, forms.ChoiceField)
        pace.choices = [(NO_PACE if seconds is None else str(seconds), pace_label(seconds)) for seconds in PACES]
        for option in game.options:
            self._add_option(option)
        self.initial = {**self.initial, **self._as_fields(self.initial), **_stake_fields(self.initial.get("stake"))}

    @classmethod
    def against_bots(cls, game: registry.Game, posted: Mapping[str, Any]) -> NewTableForm:
        """The form of a friendly public table without a time limit: game options and seats as posted, else the defaults."""
        blank = cls(game)
        data = {name: posted.get(name, blank.get_initial_for_field(field, name)) for name, field in blank.fields.items()}
        return cls(game, data | {"competitive": "0", "pace": NO_PACE, "visibility": Visibility.PUBLIC})

    def _add_option(self, option: registry.Option) -> None:
        choices: list[tuple[Any, Any]] = [(str(value), label) for value, label in option.choices]
        if option.kind == "number" and option.choices and not _complete(option):
            choices.append((OTHER, _("another number")))
            self.fields[option.name + "_" + OTHER] = _number_field(option, required=False)
        if choices:
            field: forms.Field = forms.ChoiceField(
                label=option.label, choices=choices, initial=str(option.default), help_text=option.help, widget=forms.RadioSelect
            )
            field.error_messages["invalid_choice"] = lazy(one_of_wanted, str)([label for _value, label in choices])
        else:
            field = _number_field(option, initial=option.default, help_text=option.help)
        field.required = option.seats is None
        self.fields[option.name] = field

    def _as_fields(self, options: Mapping[str, Any]) -> dict[str, str]:
        """The form's fields for values of the game's options; a number that is no suggestion goes into its own field."""
        fields = {}
        for option in self.game.options:
            if option.name not in options:
                continue
            value, other = str(options[option.name]), option.name + "_" + OTHER
            if other in self.fields and value != OTHER and value not in {str(offered) for offered, _label in option.choices}:
                fields[other], value = value, OTHER
            fields[option.name] = value
        return fields

    @property
    def presets(self) -> list[dict[str, Any]]:
        """The game's presets: key, name, the fields they set, and whether the form stands so now."""
        rows = []
        for key, preset in self.game.presets.items():
            fields = self._as_fields(preset["options"])
            now = all(str(self[name].value()) == value for name, value in fields.items())
            rows.append({"key": key, "name": preset["name"], "fields": json.dumps(fields), "now": now})
        return rows

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        seats = int(data["seats"])
        data["seats"] = seats
        data["competitive"] = data["competitive"] == "1"
        data["stake"] = self._stake(data) if data["competitive"] else 0
        data["pace"] = None if data["pace"] == NO_PACE else int(data["pace"])
        data["options"] = {
            option.name: value
            for option in self.game.options
            if (option.seats is None or seats in option.seats) and (value := self._value(option, data)) is not None
        }
        refusal = None if self.errors else self.game.refusal(data["options"], seats)
        if refusal is not None:
            name = refusal.params.get("name")
            self.add_error(name if name in self.fields else "seats", self.game.display.why(refusal.code, refusal.params))
        return data

    def _stake(self, data: Mapping[str, Any]) -> int:
        """The tokens that each player stakes."""
        if data.get("stake") != OTHER:
            return int(data.get("stake") or 0)
        if data.get("stake_other") is None:
            self.add_error("stake", _("Write the number you want."))
        return data.get("stake_other") or 0

    def _value(self, option: registry.Option, data: Mapping[str, Any]) -> Any:
        """The value chosen for an option in its own type; None when it was left out (the rules have a default)."""
        chosen = data.get(option.name)
        if chosen == OTHER:
            number = data.get(option.name + "_" + OTHER)
            if number is None:
                self.add_error(option.name, _("Write the number you want."))
            return number
        if chosen in (None, ""):
            return None
        for value, _label in option.choices:
            if str(value) == chosen:
                return value
        return chosen

    def arguments(self) -> dict[str, Any]:
        """What `services.tables.open_table` takes from a valid form."""
        names = ("options", "seats", "pace", "visibility", "competitive", "client_seed", "stake")
        return {name: self.cleaned_data[name] for name in names}

    def _tiles(self, name: str) -> list[dict[str, Any]]:
        """The radio buttons of a field as the template draws them: value, label, checked, id."""
        return [
            {"value": str(w.data["value"]), "label": w.choice_label, "checked": w.data["selected"], "id": w.id_for_label}
            for w in self[name].subwidgets
        ]

    @property
    def radios(self) -> dict[str, list[dict[str, Any]]]:
        """The tiles of the fields that every game has."""
        return {name: self._tiles(name) for name in ("seats", "competitive", "visibility", "stake")}

    @property
    def option_rows(self) -> list[dict[str, Any]]:
        """What the template needs of each option: its field, its tiles, the field for another number and the spans of that
        number, the seats it is for, and whether the number of players decides about it (it then stands below that).

        A tile's `unfit` are the player counts that its value does not go with.
        """
        rows = []
        for option in self.game.options:
            other = option.name + "_" + OTHER
            tiles = self._tiles(option.name) if option.choices else []
            values = {str(value): value for value, _label in option.choices}
            for tile in tiles:
                tile["unfit"] = self._unfit_seats(option.name, values[tile["value"]]) if tile["value"] in values else []
            rows.append(
                {
                    "field": self[option.name],
                    "tiles": tiles,
                    "other": self[other] if other in self.fields else None,
                    "step": option.step,
                    "spans": self._spans(option),
                    "for_seats": option.seats,
                    "by_seats": option.seats is not None or bool(option.high_for),
                }
            )
        return rows

    def _unfit_seats(self, name: str, value: Any) -> list[int]:
        return [seats for seats in self.game.seats if self.game.refusal({name: value}, seats) is not None]

    def _spans(self, option: registry.Option) -> list[dict[str, Any]]:
        """The highest numbers of an option with the player counts they are for; a single one is for all."""
        highs: dict[int | None, list[int]] = {}
        for seats in self.game.seats:
            highs.setdefault(option.high_for.get(seats, option.high), []).append(seats)
        return [{"high": high, "seats": seats, "counts": people([str(n) for n in seats])} for high, seats in highs.items()]


class QuickForm(forms.Form):
    """What somebody wants of a quick match: a game or any, a kind of pace or any."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    pace = forms.ChoiceField(label=_("Pace"), required=False)

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, auto_id="quick_%s")
        offers = {"game": [("", _("any game")), *((game.key, game.name) for game in registry.all_games())]}
        for name, choices in (offers | {"pace": quick_pace_choices()}).items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices


class LobbyFilter(forms.Form):
    """What to show in the lobby. Every field may stay empty; a value that makes no sense counts as empty."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    seats = forms.ChoiceField(label=_("Players"), required=False)
    pace = forms.ChoiceField(label=_("Time for each turn"), required=False)
    kind = forms.ChoiceField(
        label=_("Kind of match"),
        required=False,
        choices=[("", _("all kinds")), ("friendly", _("friendly")), ("competitive", _("competitive"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        games = registry.all_games()
        most = sorted({seats for game in games for seats in game.seats})
        if len(games) > 1:
            self._choose("game", [("", _("all games")), *((game.key, game.name) for game in games)])
        else:
            del self.fields["game"]
        self._choose("seats", [("", _("any number")), *((str(n), str(n)) for n in most)])
        self._choose("pace", [("", _("any pace")), *((str(p or 0), pace_label(p)) for p in PACES)])

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def wanted(self) -> dict[str, Any]:
        """The keyword arguments of `selectors.open_tables`: only what was really chosen."""
        self.is_valid()
        chosen = {name: value for name, value in self.cleaned_data.items() if value}
        wanted: dict[str, Any] = {}
        if "game" in chosen:
            wanted["game"] = chosen["game"]
        if "seats" in chosen:
            wanted["seats"] = int(chosen["seats"])
        if "pace" in chosen:
            wanted["pace"] = int(chosen["pace"])
        if "kind" in chosen:
            wanted["competitive"] = chosen["kind"] == "competitive"
        return wanted


def _stake_fields(stake: Any) -> dict[str, str]:
    """The form's fields for a stake that the address of the page names; nothing for none."""
    if stake is None:
        return {}
    text = str(stake)
    return {"stake": text} if text in {str(offered) for offered in STAKES} else {"stake": OTHER, "stake_other": text}


def _complete(option: registry.Option) -> bool:
    """Whether the suggestions of a number are all the numbers there are."""
    assert option.low is not None and option.high is not None
    return {value for value, _label in option.choices} == set(range(option.low, option.high + 1))


def _number_field(option: registry.Option, **more: Any) -> forms.IntegerField:
    """A field for the numbers of an option; whatever it refuses, it says which numbers there are."""
    assert option.low is not None and option.high is not None
    field = forms.IntegerField(
        label=option.label,
        min_value=option.low,
        max_value=option.high,
        step_size=option.step if option.step > 1 else None,
        **more,
    )
    wanted = lazy(number_wanted, str)(option.low, option.high, option.step)
    for validator in field.validators:
        if isinstance(validator, BaseValidator):
            validator.message = wanted
    field.error_messages["invalid"] = wanted
    return field
