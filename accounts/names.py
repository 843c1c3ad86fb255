"""Pseudonyms: which ones are allowed, and the key under which two look-alike names are one and the same.

Pure functions, no database. A name is written in one script (Latin, Greek or Cyrillic), with letters, accents, digits and
the separators space, hyphen, underscore and full stop. Two names with one key cannot both exist: the key forgets case,
accents, separators and the letters that look alike (I l 1, 0 O, Cyrillic С and Latin C, rn and m ...).
"""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MIN_LENGTH = 3
MAX_LENGTH = 24
KEY_LENGTH = 80

SEPARATORS = " -_."
ASCII_DIGITS = frozenset("0123456789")

# Letters that no decomposition reduces to a plain one, and what they look like.
LATIN_EXTRA = {"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "p", "ı": "i", "ħ": "h"}
# Greek capitals look like Latin ones more than the small letters do (Η H, Ρ P, Χ X, Υ Y): the key takes the capital's twin.
GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψως", "abγδezhθikλmnξoπpσtyφxψwσ", strict=True))
CYRILLIC = dict(zip("авекмнорстухіјѕѵһԁԛԝгзпьб", "abekmhopctyxijsvhdqwr3nb6", strict=True))
TWINS = {**LATIN_EXTRA, **GREEK, **CYRILLIC, "l": "i", "1": "i", "0": "o"}
PAIRS = (("rn", "m"), ("vv", "w"))

# Words by which somebody would pass for the site or its staff: reserved alone and as a word of a longer name.
RESERVED_WORDS = (
    "admin", "admins", "administrateur", "administratrice", "administration", "administrator", "administrador",
    "administradora", "arbitre", "automate", "bot", "bots", "cinqsite", "croupier", "deleted", "guest", "invitado", "invitada",
    "invité", "invitée", "mod", "moderator", "moderador", "moderadora", "modérateur", "modération", "modératrice", "modo",
    "officiel", "officielle", "oficial", "official", "robot", "sécurité", "security", "serveur", "sistema", "soporte", "staff",
    "superuser", "support", "supprimé", "sysop", "system", "système", "webmaster", "webmestre",
)  # fmt: skip
# Words that are reserved alone, and innocent in a longer name.
RESERVED_NAMES = (
    *RESERVED_WORDS, "anonyme", "anonymous", "anónimo", "automatic", "automatique", "banque", "cinq", "deleted player",
    "deleted user", "direction", "équipe", "equipo", "hôte", "info", "joueur supprimé", "jugador eliminado", "maison", "null",
    "nobody", "personne", "player", "root", "server", "servidor", "site", "spectateur", "team", "undefined",
    "utilisateur supprimé",
)  # fmt: skip


def clean(name: str) -> str:
    """The stored form of a typed name: composed accents (NFC), no outer spaces, single inner spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split(" ")).strip()


def key(name: str) -> str:
    """The key of a name, at most `KEY_LENGTH` characters: equal keys mean names that people could take for each other."""
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).casefold())
    letters = (TWINS.get(c, c) for c in text if not unicodedata.combining(c) and c not in SEPARATORS)
    folded = "".join(TWINS.get(c, c) for c in "".join(letters))
    for pair, twin in PAIRS:
        folded = folded.replace(pair, twin)
    return folded[:KEY_LENGTH]


# Pairs are folded in the keys as well, so that the comparison is between equals.
RESERVED_KEYS = frozenset(key(name) for name in RESERVED_NAMES)
RESERVED_WORD_KEYS = frozenset(key(name) for name in RESERVED_WORDS)


def is_reserved(name: str) -> bool:
    """Whether a name is the site's own: "Admin", "Invité 1234", "admin2", and also "Admin Paul", "PaulAdmin", "le_modo"."""
    whole = {key(name), key(re.sub(r"\d", "", name)), key(re.sub(r"[\d ._-]+$", "", name))}
    words = {key(word) for word in _words(name)}
    return not (RESERVED_KEYS.isdisjoint(whole) and RESERVED_WORD_KEYS.isdisjoint(words))


def _words(name: str) -> set[str]:
    """The words of a name, as written and in letters alone: between separators and digits, and from capital to capital."""
    spaced = re.sub(r"([^\W\d_A-Z])([A-Z])", r"\1 \2", name)
    return {*re.split(r"[ ._-]+", name), *re.findall(r"[^\W\d_]+", name), *re.findall(r"[^\W\d_]+", spaced)}


def script(char: str) -> str:
    """The script of an allowed letter ("latin", "greek", "cyrillic"), or "" for every other character."""
    low = char.lower()
    base = unicodedata.normalize("NFD", low)[0]
    if base in "abcdefghijklmnopqrstuvwxyz" or low in LATIN_EXTRA:
        return "latin"
    if base in GREEK:
        return "greek"
    return "cyrillic" if "\u0430" <= base <= "\u045f" or base == "ґ" else ""


def validate(name: str) -> None:
    """Raise ValidationError, with a sentence for the person, unless `name` (already through `clean`) may be a pseudonym."""
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise ValidationError(
            _("A pseudonym has between %(least)d and %(most)d characters."),
            code="length",
            params={"least": MIN_LENGTH, "most": MAX_LENGTH},
        )
    # Ligatures, full-width or superscript characters look like others: only the plain form is taken.
    plain = unicodedata.normalize("NFKC", name) == name
    scripts = {script(char) for char in name if char not in SEPARATORS and char not in ASCII_DIGITS}
    if not plain or "" in scripts:
        raise ValidationError(_("A pseudonym has only letters, digits, spaces and the signs - _ and . in it."), code="characters")
    if not scripts:
        raise ValidationError(_("A pseudonym has at least one letter in it."), code="no_letter")
    if len(scripts) > 1:
        raise ValidationError(_("A pseudonym is written in one alphabet."), code="mixed_scripts")
    if name[0] in SEPARATORS or name[-1] in SEPARATORS or re.search(r"[ ._-]{2}", name):
        raise ValidationError(
            _("A pseudonym starts and ends with a letter or a digit, and has no two signs in a row."), code="separators"
        )
    if is_reserved(name):
        raise ValidationError(_("This pseudonym is reserved. Please choose another one."), code="reserved")
    if re.search(r"[^\W\d_]\.[^\W\d_]", name):
        raise ValidationError(
            _("A full stop between two letters looks like a web address. A space or a hyphen does as well."), code="host"
        )
