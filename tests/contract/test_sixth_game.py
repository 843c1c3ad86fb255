"""A stranger adds a sixth game: a folder and one word, nothing else. Run in a process of its own, under its own settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.slow
def test_a_sixth_game_goes_through_lobby_page_clock_and_record(tmp_path: Path) -> None:
    env = {
        name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS")
    }
    env |= {"SITE_VAR": str(tmp_path), "DEBUG": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "--ds=tests.sixth_game.settings", "-p", "no:xdist", "tests/sixth_game"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout
    assert "skipped" not in done.stdout
