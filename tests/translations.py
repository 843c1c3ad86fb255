"""Checks the catalogs, or brings them up to date: `python -m tests.translations [--update]`.

French and Spanish must be complete, without fuzzy entries, with the placeholders of the source and with a compiled file
of the same content; every text of the source must be in them (that last part needs xgettext).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("fr", "es")
XGETTEXT_MISSING = "xgettext is missing, new texts are not looked for: apt install gettext"
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|%[sd]|\{(\w*)\}")


def catalog(language: str, root: Path = ROOT) -> Path:
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def faults(language: str) -> Iterator[str]:
    """What is wrong with one language's catalog, one line each."""
    path = catalog(language)
    if not path.exists():
        yield f"{language}: no catalog: make messages"
        return
    entries = [entry for entry in polib.pofile(str(path)) if not entry.obsolete]
    for entry in entries:
        if entry.fuzzy:
            yield f"{language}: fuzzy: {entry.msgid!r}"
        elif not entry.translated():
            yield f"{language}: missing: {entry.msgid!r}"
        else:
            yield from (f"{language}: {fault}: {entry.msgid!r}" for fault in placeholder_faults(entry))
    compiled = path.with_suffix(".mo")
    if not compiled.exists() or content(polib.mofile(str(compiled))) != content(entries):
        yield f"{language}: the compiled catalog is stale: make messages"


def content(entries: object) -> dict[tuple[str, str], object]:
    """What a catalog says, whoever wrote it."""
    return {(entry.msgctxt or "", entry.msgid): entry.msgstr_plural or entry.msgstr for entry in entries}  # type: ignore[attr-defined]


def placeholder_faults(entry: polib.POEntry) -> Iterator[str]:
    """A translation must use the names of its source; a plural form may drop the number."""
    source = names(entry.msgid) | names(entry.msgid_plural)
    for text in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
        if names(text) - source:
            yield f"unknown placeholder {sorted(names(text) - source)}"
        if not entry.msgid_plural and source - names(text):
            yield f"lost placeholder {sorted(source - names(text))}"


def names(text: str) -> set[str]:
    return {match.group(0) for match in PLACEHOLDER.finditer(text)}


def make_messages(root: Path) -> None:
    """Extract the texts of the tree under `root` into its catalogs."""
    languages = [word for language in LANGUAGES for word in ("-l", language)]
    command = [sys.executable, "-m", "django", "makemessages", *languages, "--no-location", "--no-wrap", "-v", "0"]
    ignored = [word for name in ("tests", "bench", ".venv", "var", "staticfiles") for word in ("-i", name)]
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(root)}
    subprocess.run([*command, *ignored], cwd=root, env=env, check=True)


def unextracted() -> Iterator[str]:
    """Texts of the source that the catalogs lack, and entries whose text is gone."""
    with tempfile.TemporaryDirectory(prefix="cinqsite-messages-") as folder:
        copy = Path(folder) / "tree"
        leave = shutil.ignore_patterns(".git", ".venv", "var", "staticfiles", "node_modules", "__pycache__", ".*_cache", "*.mo")
        shutil.copytree(ROOT, copy, ignore=leave)
        make_messages(copy)
        for language in LANGUAGES:
            ours = {entry.msgid for entry in polib.pofile(str(catalog(language))) if not entry.obsolete}
            theirs = {entry.msgid for entry in polib.pofile(str(catalog(language, copy))) if not entry.obsolete}
            yield from (f"{language}: not in the catalog: {text!r}: make messages" for text in sorted(theirs - ours))
            yield from (f"{language}: no longer in the source: {text!r}: make messages" for text in sorted(ours - theirs))


def update() -> int:
    """Extract the texts and compile the catalogs."""
    if not shutil.which("xgettext"):
        print("xgettext is missing: apt install gettext", file=sys.stderr)
        return 1
    for language in LANGUAGES:
        catalog(language).parent.mkdir(parents=True, exist_ok=True)
    make_messages(ROOT)
    for language in LANGUAGES:
        po = polib.pofile(str(catalog(language)), wrapwidth=0)
        po.metadata.pop("POT-Creation-Date", None)
        po.save()
        po.save_as_mofile(str(catalog(language).with_suffix(".mo")))
    return 0


def check() -> int:
    found = [fault for language in LANGUAGES for fault in faults(language)]
    if shutil.which("xgettext"):
        if all(catalog(language).exists() for language in LANGUAGES):
            found += unextracted()
    elif os.environ.get("CI"):
        found.append(XGETTEXT_MISSING)
    else:
        print(XGETTEXT_MISSING)
    print("\n".join(found[:60]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(update() if "--update" in sys.argv else check())
