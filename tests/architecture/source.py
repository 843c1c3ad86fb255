"""The house's own source as syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("accounts", "cinqsite", "games", "ranking", "staff")


def modules(root: Path, packages: tuple[str, ...] = PACKAGES) -> Iterator[tuple[Path, ast.Module]]:
    """(path relative to the root, tree) of every module of the house, without migrations."""
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path.relative_to(root), ast.parse(path.read_text())


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """(module, name) of every import; name is "" for `import module`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)


def chain(node: ast.AST) -> list[str]:
    """The names of `a.b(…).c[…].d`, outermost first: ["a", "b", "c", "d"]; empty when it starts with something else."""
    names: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Name):
            return [node.id, *reversed(names)]
        else:
            return names[::-1]
