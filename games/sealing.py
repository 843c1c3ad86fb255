"""Encryption of what a database dump, a replica or a SQL console must not show: AES-256-GCM with rotating keys.

Text form: `kid:base64(nonce ‖ ciphertext)`. Keys come from `settings.VAULT_KEYS` (key id -> 32 bytes, the first one
seals, all of them unseal), never from the database.
"""

from __future__ import annotations

import base64
import os
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings


class Broken(Exception):
    """Sealed text that does not open: moved to another place, changed, or its key is gone."""


@lru_cache(maxsize=16)
def _cipher(key: bytes) -> AESGCM:
    return AESGCM(key)


def seal(text: str, place: str) -> str:
    """Encrypt `text` for one `place` (such as "42/snapshot"): it opens there and nowhere else."""
    kid, key = next(iter(settings.VAULT_KEYS.items()))
    nonce = os.urandom(12)
    sealed = _cipher(key).encrypt(nonce, text.encode(), f"{kid}/{place}".encode())
    return f"{kid}:{base64.b64encode(nonce + sealed).decode()}"


def unseal(sealed: str, place: str) -> str:
    """The text sealed for `place`; raises Broken."""
    kid, _, body = sealed.partition(":")
    try:
        key = settings.VAULT_KEYS[kid]
        raw = base64.b64decode(body, validate=True)
        return _cipher(key).decrypt(raw[:12], raw[12:], f"{kid}/{place}".encode()).decode()
    except (KeyError, ValueError, InvalidTag) as error:
        raise Broken(place) from error
