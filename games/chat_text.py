"""The text of a chat message: what is kept of what was typed, and which words are masked. Pure functions, no database.

Words are compared whole, so that no place or family name is cut up: the list knows "pute", not "amputer" or "députés".
"""

from __future__ import annotations

import re
import unicodedata

from accounts import names

LENGTH = 500
"""Characters of a message, at most."""
MOST_MARKS = 3
"""Combining marks in a row that a letter keeps."""

# Letters and marks that show nothing: fillers, the grapheme joiner, variation selectors beyond that of emoji.
INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
SPACES = frozenset("\u2800")
JOINER = "\u200d"


class BadText(ValueError):
    """The text is no message: `code` "empty" or "long"."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def clean(text: str) -> str:
    """The stored form: one line, composed letters (NFC), nothing invisible, nothing that turns the writing direction.

    Raises BadText for what has nothing to read in it and for more than 500 characters.
    """
    text = unicodedata.normalize("NFC", text[: 8 * LENGTH])
    kept: list[str] = []
    marks = 0
    for index, char in enumerate(text):
        kind = unicodedata.category(char)
        if char.isspace() or char in SPACES:
            kept.append(" ")
            marks = 0
            continue
        if not _visible(char, kind) and not (char == JOINER and _joins(text, index)):
            continue
        marks = marks + 1 if kind in {"Mn", "Me"} else 0
        if marks <= MOST_MARKS:
            kept.append(char)
    line = " ".join("".join(kept).split())
    if not any(unicodedata.category(char)[0] in "LNPS" for char in line):
        raise BadText("empty")
    if len(line) > LENGTH:
        raise BadText("long")
    return line


def _visible(char: str, kind: str) -> bool:
    """Whether a character shows something: no control or format character, none that is private or not assigned."""
    return kind[0] != "C" and char not in INVISIBLE


def _joins(text: str, index: int) -> bool:
    """Whether the joiner at `index` stands between two pictures, which it makes one (a family, a flag)."""
    before = text[max(0, index - 2) : index].replace("\ufe0f", "")[-1:]
    return all(char and unicodedata.category(char) in {"So", "Sk"} for char in (before, text[index + 1 : index + 2]))


# --- Insults --------------------------------------------------------------------------------------------------------

INSULTS = frozenset(
    (
        "batard", "batarde", "bougnoul", "bougnoule", "connard", "connarde", "connasse", "conasse", "encule", "enculee",
        "enculer", "enfoire", "enfoiree", "fdp", "gouine", "grognasse", "negro", "negrote", "niquer", "niker", "ntm",
        "petasse", "pd", "pede", "pouffiasse", "poufiasse", "pute", "salaud", "salope", "salopard", "tantouze", "tarlouze",
        "trouduc", "youpin", "youpine", "youtre", "cabron", "cabrona", "gilipollas", "hijodeputa", "hijoputa", "hijueputa",
        "malparido", "malparida", "maricon", "maricona", "mariconazo", "negrata", "pendejo", "pendeja", "puta", "puto",
        "sudaca", "asshole", "bastard", "bitch", "cunt", "fag", "faggot", "kike", "motherfucker", "nigga", "nigger", "slut",
        "whore", "tranny", "wanker",
    )
)  # fmt: skip
SPELT = re.compile(r"(?<![\w@$€])(?:[\w@$€][\s.*_·-]+){2,}[\w@$€](?![\w@$€])")
WORD = re.compile(r"[\w@$€*]*\w[\w@$€*]*")
FIGURES = {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "€": "e", "_": ""}
LOOKS_LIKE = str.maketrans({**FIGURES, **names.CYRILLIC, **names.GREEK})


def mask(text: str) -> str:
    """The text with its insults as a first letter and dots. Anything else stays as it was typed."""
    text = SPELT.sub(lambda found: _dots(found[0]) if _is_insult(re.sub(r"[\s.*_·-]", "", found[0])) else found[0], text)
    return WORD.sub(lambda found: _dots(found[0]) if _is_insult(found[0]) else found[0], text)


def offends(text: str) -> bool:
    """Whether something in the text is masked."""
    return mask(text) != text


def _dots(word: str) -> str:
    return word[0] + "•" * (len(word) - 1)


def _is_insult(word: str) -> bool:
    if word.isdigit():
        return False
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(c))
    for folded in {plain.translate(LOOKS_LIKE), plain.replace("1", "l").translate(LOOKS_LIKE)}:
        # "puuute" and "connnard": three of a kind stand for one or for two.
        for shape in {re.sub(r"([^*])\1{2,}", r"\1", folded), re.sub(r"([^*])\1{2,}", r"\1\1", folded)}:
            if shape in INSULTS or shape.rstrip("sx") in INSULTS or ("*" in shape and _starred(shape)):
                return True
    return False


def _starred(shape: str) -> bool:
    """Whether a word with stars for some of its letters can only be an insult ("p*te", "c***ard")."""
    if len(shape.replace("*", "")) < 2 or shape.startswith("*") or shape.endswith("*"):
        return False
    pattern = re.compile(re.escape(shape).replace(r"\*", "."))
    return any(pattern.fullmatch(word) for word in INSULTS)
