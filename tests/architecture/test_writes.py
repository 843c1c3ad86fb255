"""Only services write the models of games; nothing in the house rolls its own dice, sets timers or trusts Python's clock."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.apps import apps

from tests.architecture import source

QUERYSET_WRITES = {"create", "delete", "get_or_create", "update", "update_or_create", "bulk_create", "bulk_update"}
OBJECT_WRITES = {"save", "save_base", "delete"}
MAY_WRITE = {Path("games/services")}
# What a module of games may save itself: people (the demo data), forms and sessions.
NOT_OF_GAMES = {"EmailAddress", "User", "user", "super", "session", "form"}
# Jitter between retries, never a card.
MAY_IMPORT_RANDOM = {Path("games/services/doors.py")}
# What only shows a time may use Python's clock.
MAY_ASK_PYTHON = {"views", "templatetags"}


def game_models() -> set[str]:
    return {
        model.__name__ for config in apps.get_app_configs() if config.name.startswith("games") for model in config.get_models()
    } | {"Move", "move_model", "model"}


def writes(tree: ast.Module, models: set[str], *, inside_games: bool) -> list[int]:
    """Line numbers of calls that write a model of games: `Model.objects…update()`, and inside games any `x.save()`."""
    lines = []
    for call in source.calls(tree):
        names = source.chain(call.func)
        if not isinstance(call.func, ast.Attribute) or not names or names[0] in NOT_OF_GAMES:
            continue
        by_manager = names[0] in models or (inside_games and {"objects", "_base_manager", "_default_manager"} & set(names))
        written = call.func.attr.removeprefix("a")
        if (by_manager and written in QUERYSET_WRITES) or (inside_games and written in OBJECT_WRITES):
            lines.append(call.lineno)
    return lines


def test_only_services_write_the_models_of_games(repository: Path) -> None:
    models = game_models()
    found = [
        f"{path}:{line}"
        for path, tree in source.modules(repository)
        if not any(path.is_relative_to(place) for place in MAY_WRITE)
        for line in writes(tree, models, inside_games=path.parts[0] == "games")
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "Seat.objects.filter(pk=1).update(strikes=0)",
        "Table.objects.create(game='cinq')",
        "table.save(update_fields=['plies'])",
        "Seat.objects.get(pk=1).delete()",
        "Seat.objects.bulk_create([])",
    ],
)
def test_a_write_is_seen(text: str) -> None:
    assert writes(ast.parse(text), game_models(), inside_games=True) == [1]


def test_no_message_of_the_house_can_expire_or_wait(repository: Path) -> None:
    found = [
        f"{path}:{call.lineno}"
        for path, tree in source.modules(repository)
        for call in source.calls(tree)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr
        in {"apply_async", "delay", "delay_on_commit", "apply_async_on_commit", "send_task", "s", "signature", "set"}
        and {"expires", "eta", "countdown"} & {keyword.arg for keyword in call.keywords}
    ]
    assert found == []
    from django.conf import settings

    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        assert not {"expires", "eta", "countdown"} & set(entry.get("options", {}))


def test_no_module_of_the_house_imports_random(repository: Path) -> None:
    found = {path for path, tree in source.modules(repository) for module, _ in source.imported(tree) if module == "random"}
    assert found <= MAY_IMPORT_RANDOM


def test_the_clock_of_games_is_the_database(repository: Path) -> None:
    clocks = (["datetime", "now"], ["datetime", "utcnow"], ["timezone", "now"], ["time", "time"])
    found = [
        f"{path}:{call.lineno}"
        for path, tree in source.modules(repository, ("games",))
        if not MAY_ASK_PYTHON & set(path.parts)
        for call in source.calls(tree)
        if source.chain(call.func)[-2:] in clocks
    ]
    assert found == []


def test_every_module_says_what_it_is_for(repository: Path) -> None:
    found = [
        str(path)
        for path, tree in source.modules(repository, (*source.PACKAGES, "tests", "bench"))
        if tree.body and not ast.get_docstring(tree)
    ]
    assert found == []
