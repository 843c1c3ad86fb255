"""The tests' settings with a sixth game switched on: its folder is found, and one word is added to GAMES."""

from pathlib import Path

import games
from games import registry

# A folder elsewhere is found as games.toy; a real game would simply lie in games/.
games.__path__.append(str(Path(__file__).resolve().parent))
registry.GAMES = (*registry.GAMES, "toy")

from tests.settings import *  # noqa: E402, F403
