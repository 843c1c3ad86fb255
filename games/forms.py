"""The forms that lead to a table: opening a new one, and the filters of the lobby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games import registry
from games.engine.rules import BadOptions
from games.models import Visibility
from games.paces import DEFAULT_PACE, PACES, pace_label

OTHER = "other"
NO_PACE = "none"


class NewTableForm(forms.Form):
    """A new table of one game. `cleaned_data` has seats (int), pace (seconds or None), competitive (bool), visibility,
    client_seed and options: the plain JSON of the options that mean something with that many seats.

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
            self.fields[option.name + "_" + OTHER] = forms.IntegerField(
                label=option.label, required=False, min_value=option.low, max_value=option.high
            )
        if choices:
            field: forms.Field = forms.ChoiceField(
                label=option.label, choices=choices, initial=str(option.default), help_text=option.help, widget=forms.RadioSelect
            )
        else:
            field = forms.IntegerField(
                label=option.label, initial=option.default, min_value=option.low, max_value=option.high, help_text=option.help
            )
        field.required = option.seats is None
        self.fields[option.name] = field

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if self.errors:
            return data
        seats = int(data["seats"])
        data["seats"] = seats
        data["competitive"] = data["competitive"] == "1"
        data["pace"] = None if data["pace"] == NO_PACE else int(data["pace"])
        data["options"] = {
            option.name: value
            for option in self.game.options
            if (option.seats is None or seats in option.seats) and (value := self._value(option, data)) is not None
        }
        refusal = None if self.errors else _refusal(self.game, data["options"], seats)
        if refusal is not None:
            self.add_error("seats", self.game.display.why(refusal.code, refusal.params))
        return data

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
        names = ("options", "seats", "pace", "visibility", "competitive", "client_seed")
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
        return {name: self._tiles(name) for name in ("seats", "competitive", "visibility")}

    @property
    def option_rows(self) -> list[dict[str, Any]]:
        """What the template needs of each option: its field, its tiles, the field for another number, the seats it is for.

        A tile's `unfit` are the player counts that the rules refuse for its value.
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
                    "for_seats": option.seats,
                }
            )
        return rows

    def _unfit_seats(self, name: str, value: Any) -> list[int]:
        return [seats for seats in self.game.seats if _refusal(self.game, {name: value}, seats) is not None]


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


def _complete(option: registry.Option) -> bool:
    """Whether the suggestions of a number are all the numbers there are."""
    assert option.low is not None and option.high is not None
    return {value for value, _label in option.choices} == set(range(option.low, option.high + 1))


def _refusal(game: registry.Game, options: Mapping[str, Any], seats: int) -> BadOptions | None:
    """Why the game's present rules refuse these options with so many seats; None when they fit."""
    rules = game.rules(game.version)
    try:
        rules.check(rules.read_options(options), seats)
    except BadOptions as refusal:
        return refusal
    return None
