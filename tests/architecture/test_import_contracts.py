"""Each import contract of pyproject.toml breaks when somebody breaks it: one violation of each is planted in a copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

# file -> line added at its end
PLANTED = {
    "accounts/limits.py": "import games.registry",
    "games/models/seat.py": "import games.observe",
    "games/cinq/rules.py": "import random",
    "games/selectors.py": "import games.models.vault",
    "games/cinq/display.py": "import games.selectors",
    "ranking/awards.py": "import time",
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-logo", "--no-cache"]
    env = {**os.environ, "PYTHONPATH": str(folder), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    for name in ("cinqsite", "games", "accounts", "ranking", "staff"):
        shutil.copytree(repository / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "static", "templates"))
    shutil.copy(repository / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.slow
def test_every_contract_is_seen_to_break(copy: Path) -> None:
    contracts = tomllib.loads((copy / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    kept = lint(copy)
    assert kept.returncode == 0, kept.stdout
    for name, line in PLANTED.items():
        with (copy / name).open("a") as file:
            file.write(f"\n{line}\n")
    broken = lint(copy)
    assert broken.returncode == 1
    for contract in contracts:
        assert f"{contract['name']} BROKEN" in broken.stdout, broken.stdout[-3000:]


def test_every_game_is_under_contract(repository: Path) -> None:
    from games import registry

    contracts = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    named = {contract["id"]: contract.get("source_modules", []) for contract in contracts}
    for key in registry.GAMES:
        assert {"games.*.rules", "games.*.bots"} <= set(named["pure"])
        assert f"games.{key}" in named["vault"]
        assert "games.*.display" in named["games"]


def test_every_pure_module_of_a_game_is_under_contract_and_strictly_typed(repository: Path) -> None:
    """What is in a game's folder beside what Django and the site need."""
    tools = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]
    pure = next(contract["source_modules"] for contract in tools["importlinter"]["contracts"] if contract["id"] == "pure")
    strict = next(rule["module"] for rule in tools["mypy"]["overrides"] if rule.get("disallow_untyped_defs"))
    site = {"__init__", "admin", "apps", "display", "game", "models"}
    for folder in sorted((repository / "games").glob("*/rules.py")):
        for path in sorted(folder.parent.glob("*.py")):
            name = f"games.{folder.parent.name}.{path.stem}"
            if folder.parent.name == "engine" or path.stem in site:
                continue
            assert any(fnmatch(name, pattern) for pattern in pure), name
            assert any(fnmatch(name, pattern) for pattern in strict), name
