"""What a deployment may not do: start without its keys, on an unsafe database, or with weak headers."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from cinqsite import checks, environment
from tests.run import production

CHECK = [sys.executable, "manage.py", "check"]


def run(repository: Path, folder: Path, env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    ours = {name: text for name, text in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    command = [*CHECK, *arguments]
    return subprocess.run(command, cwd=repository, env={**ours, "SITE_VAR": str(folder), **env}, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["SECRET_KEY", "VAULT_KEYS", "ORIGIN_KEY"])
def test_production_refuses_to_start_without_its_own_keys(repository: Path, tmp_path: Path, name: str) -> None:
    env = production()
    del env[name]
    done = run(repository, tmp_path, env)
    assert done.returncode != 0
    assert f"{name} is not set" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "keys.json").exists()


def test_debug_is_off_unless_asked_for(repository: Path, tmp_path: Path) -> None:
    env = production()
    del env["DEBUG"]
    done = run(repository, tmp_path, env, "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr


def test_development_keys_are_written_once_for_their_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    first = environment.development_keys(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert environment.development_keys(path) == first
    assert set(first) == {"SECRET_KEY", "VAULT_KEYS", "ORIGIN_KEY"}
    assert [item.name for item in tmp_path.iterdir()] == ["keys.json"]


def test_the_first_vault_key_seals() -> None:
    one, two = environment.new_vault_key(), environment.new_vault_key()
    assert list(environment.decode_vault_keys(f"b:{one}, a:{two}")) == ["b", "a"]


@pytest.mark.parametrize("text", ["", "k", "k:", "k:AAAA", "k:%%%", ":" + "A" * 44])
def test_bad_vault_keys_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        environment.decode_vault_keys(text)


def test_a_database_address_in_all_its_parts() -> None:
    found = environment.database(
        "postgres://me:p%40ss@db.example:5433/cards?sslmode=require", sqlite=Path("x"), pool=4, statement_timeout=5000
    )
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "me", "p@ss", "db.example", "5433", "cards",
    )  # fmt: skip
    assert found["CONN_MAX_AGE"] == 0
    assert found["OPTIONS"]["pool"]["max_size"] == 4
    assert found["OPTIONS"]["sslmode"] == "require"
    assert "statement_timeout=5000" in found["OPTIONS"]["options"]


def test_an_old_package_is_an_error(monkeypatch: Any) -> None:
    monkeypatch.setitem(checks.MINIMUMS, "Django", "99.0")
    assert [message.id for message in checks.minimum_versions()] == ["cinqsite.E001"]
    monkeypatch.setitem(checks.MINIMUMS, "Django", "5.2.19")
    assert checks.minimum_versions() == []


@pytest.mark.django_db
def test_sqlite_that_does_not_wait_for_the_disk_is_an_error() -> None:
    from django.db import connection

    found = checks.database_keeps_its_word(databases=["default"])
    # The tests themselves run with synchronous=OFF on SQLite, and with fsync=off on their private PostgreSQL.
    assert {message.id for message in found} <= {"cinqsite.E003", "cinqsite.E004"}
    if connection.vendor == "sqlite":
        assert [message.id for message in found] == ["cinqsite.E004"]


def test_a_broken_dealing_code_is_an_error(monkeypatch: Any) -> None:
    from games.engine import chance

    assert checks.dealing_self_test() == []
    monkeypatch.setattr(chance, "KNOWN_ANSWERS", ())
    assert [message.id for message in checks.dealing_self_test()] == ["cinqsite.E002"]


@pytest.mark.parametrize(
    ("debug", "url", "found"),
    [
        (True, "http://127.0.0.1:8000", []),
        (True, "http://localhost:8001", []),
        (True, "http://[::1]:8000", []),
        (True, "http://192.168.1.4:8000", ["cinqsite.E005"]),
        (True, "https://cinqsite.example", ["cinqsite.E005"]),
        (False, "https://cinqsite.example", []),
        (False, "http://127.0.0.1:8000", []),
        (False, "http://cinqsite.example", ["cinqsite.E006"]),
    ],
)
def test_debug_stays_on_loopback_and_the_rest_of_the_world_has_https(
    settings: Any, debug: bool, url: str, found: list[str]
) -> None:
    settings.DEBUG, settings.SITE_URL, settings.HTTPS = debug, url, url.startswith("https")
    assert [message.id for message in checks.where_it_lives()] == found
    if debug and found:
        with pytest.raises(ImproperlyConfigured):
            checks.refuse_to_start_unsafe()


@pytest.mark.parametrize("arguments", [["0.0.0.0:8000"], ["192.168.1.4:80", "--noreload"], ["[::]:8000"]])
def test_a_debug_runserver_for_the_whole_network_is_an_error(settings: Any, monkeypatch: Any, arguments: list[str]) -> None:
    settings.DEBUG = True
    monkeypatch.setattr(sys, "argv", ["manage.py", "runserver", *arguments])
    assert [message.id for message in checks.where_it_lives()] == ["cinqsite.E005"]
    for fine in ([], ["8001"], ["127.0.0.1:8001"], ["[::1]:8001"]):
        monkeypatch.setattr(sys, "argv", ["manage.py", "runserver", *fine])
        assert checks.where_it_lives() == []


def test_our_server_refuses_to_show_a_debug_site_to_the_network(repository: Path, tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "DEBUG": "1", "SITE_VAR": str(tmp_path)}
    command = [sys.executable, "-m", "cinqsite.server", "-b", "0.0.0.0", "-p", "0"]
    done = subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "DEBUG=1 is for this machine alone" in done.stderr


def test_gaps_of_the_legal_pages_are_told(settings: Any) -> None:
    settings.OPERATOR_NAME = settings.OPERATOR_ADDRESS = settings.OPERATOR_EMAIL = settings.HOSTING = "x"
    assert "cinqsite.W005" not in [message.id for message in checks.deployment()]
    settings.HOSTING = ""
    told = next(message for message in checks.deployment() if message.id == "cinqsite.W005")
    assert "HOSTING" in told.msg
