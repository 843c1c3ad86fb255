"""Reads the environment for settings.py: typed variables, database URL, keys. Standard library only."""

from __future__ import annotations

import base64
import json
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

YES = {"1", "true", "yes", "on"}
NO = {"", "0", "false", "no", "off"}


def env_bool(name: str, default: bool) -> bool:
    """A yes/no variable: 1, true, yes, on or 0, false, no, off (any case); ValueError for anything else."""
    text = os.environ.get(name)
    if text is None:
        return default
    word = text.strip().lower()
    if word not in YES | NO:
        raise ValueError(f"{name} must be 1 or 0, not {text!r}")
    return word in YES


def env_int(name: str, default: int) -> int:
    """A whole number; ValueError when the variable holds something else."""
    text = os.environ.get(name, "").strip()
    try:
        return int(text) if text else default
    except ValueError:
        raise ValueError(f"{name} must be a whole number, not {text!r}") from None


def env_list(name: str) -> list[str]:
    """Words separated by commas or blanks."""
    return os.environ.get(name, "").replace(",", " ").split()


def origin_of(url: str) -> str:
    """`scheme://host[:port]` of an address, as browsers write an Origin: "https://x.org:443/a" -> "https://x.org"."""
    parts = urlsplit(url)
    if not parts.hostname or parts.scheme not in {"http", "https"}:
        raise ValueError(f"not an http address: {url!r}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = 443 if parts.scheme == "https" else 80
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port and parts.port != default else "")


def database(url: str, *, sqlite: Path, pool: int, statement_timeout: int) -> dict[str, Any]:
    """Django's settings for one database: PostgreSQL by URL, else the SQLite file.

    `pool`: connections kept per process (0: none, for PgBouncer); `statement_timeout` in ms (0: none, for
    migrations). Persistent connections leak under ASGI, hence CONN_MAX_AGE 0 and psycopg's pool.
    """
    if not url:
        sqlite.parent.mkdir(parents=True, exist_ok=True)
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": sqlite,
            "CONN_MAX_AGE": 0,
            "OPTIONS": {
                # DEFERRED, Django's default, loses every race for the write lock at once.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=20000",
            },
            # A file: threads and processes of the tests must share it.
            "TEST": {"NAME": sqlite.with_name(f"test-{sqlite.name}")},
        }
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ValueError("DATABASE_URL must begin with postgres://")
    timeouts = f"-c lock_timeout=3000 -c statement_timeout={statement_timeout} -c idle_in_transaction_session_timeout=10000"
    options: dict[str, Any] = {"connect_timeout": 3, "options": timeouts, **dict(parse_qsl(parts.query))}
    # A folder as host (unix socket) comes as ?host=/path.
    host = options.pop("host", None) or unquote(parts.hostname or "")
    if pool:
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 5}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or options.pop("port", "")),
        "CONN_MAX_AGE": 0,
        "OPTIONS": options,
    }


def new_vault_key() -> str:
    """32 random bytes as base64: one key of VAULT_KEYS."""
    return base64.b64encode(secrets.token_bytes(32)).decode()


def decode_vault_keys(text: str) -> dict[str, bytes]:
    """`kid:base64key,…` -> {kid: 32 bytes}, in order; ValueError when a key has another length or an id comes twice."""
    keys: dict[str, bytes] = {}
    for item in text.replace(" ", "").split(","):
        kid, colon, encoded = item.partition(":")
        if not kid or not colon or kid in keys:
            raise ValueError("VAULT_KEYS must look like kid:base64key,kid:base64key with different ids")
        key = base64.b64decode(encoded, validate=True)
        if len(key) != 32:
            raise ValueError(f"VAULT_KEYS: the key {kid!r} must have 32 bytes, it has {len(key)}")
        keys[kid] = key
    return keys


def development_keys(path: Path) -> dict[str, str]:
    """The keys of a developer's machine: written at the first call (mode 0600), read at later ones."""
    if not path.exists():
        keys = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "VAULT_KEYS": f"dev1:{new_vault_key()}",
            "ORIGIN_KEY": secrets.token_urlsafe(32),
        }
        draft = path.with_name(f".keys-{os.getpid()}-{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(keys, indent=1))
        try:
            # Fails if another process was first: then its keys hold.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    found: dict[str, str] = json.loads(path.read_text())
    return found
