"""The toy game for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games import terms


def board(observation: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """What toy/board.html draws."""
    sizes, scores = observation["hand_sizes"], observation["scores"]
    players = [
        {"cards": size, "score": score, "dead": 0, "dead_text": "", "backs": []}
        for size, score in zip(sizes, scores, strict=True)
    ]
    lines = [f"{names[seat]}: {number}" for seat, number in observation["table"]]
    return {
        "caption": "Plus haut",
        "table": lines,
        "hand": observation["hand"],
        "legal": observation["legal"],
        "players": players,
        "last": None,
        "text": {"suits": lines, "players": list(names), "hand": []},
    }


def move_label(text: str) -> str:
    """What the button says."""
    return f"Jouer {text}"


def why(code: str, params: Mapping[str, Any]) -> str:
    """Why not."""
    return terms.error_sentence(code, params)


def sentence(event: Sequence[Any], names: Sequence[str]) -> str:
    """One public fact."""
    if event[0] == "played":
        return f"{names[event[1]]} joue {event[2]}."
    if event[0] == "round":
        return f"{names[event[1]]} gagne le tour."
    if event[0] == "deal":
        return "Trois cartes pour chacun."
    return terms.table_sentence(event, names) or ""


def sheet(observation: Mapping[str, Any], names: Sequence[str]) -> None:
    """No score sheet."""
