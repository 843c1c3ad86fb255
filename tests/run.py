"""`make test`: the static checks, then the tests in three parts; pytest's own summary comes last.

1. everything but browsers on SQLite with the embedded broker; 2. what writes, once more on PostgreSQL with Redis;
3. the browsers. What is missing on this machine is named in one line and skipped; under CI=true it is a failure.
`--static` stops after the checks.
"""

from __future__ import annotations

import base64
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from cinqsite.processes import Valkey, free_port, start, stop
from tests import postgres

ROOT = Path(__file__).resolve().parent.parent
CI = bool(os.environ.get("CI"))
PYTHON = sys.executable
TWICE = ["services", "clocks", "concurrency", "live", "ranking", "staff"]  # folders that run on PostgreSQL too
ON_TWO = ["-n", "2", "--dist", "loadfile"]


def production() -> dict[str, str]:
    """An environment in which `check --deploy` must find nothing."""
    return {
        "DEBUG": "0",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "VAULT_KEYS": f"k1:{base64.b64encode(secrets.token_bytes(32)).decode()}",
        "ORIGIN_KEY": secrets.token_urlsafe(32),
        "SITE_URL": "https://cinqsite.example",
        "DATABASE_URL": "postgres://cinqsite@localhost/cinqsite",
        "REDIS_URL": "redis://localhost:6379/0",
        "EMAIL_HOST": "mail.example",
        "OPERATOR_NAME": "Cinqsite",
        "OPERATOR_ADDRESS": "1 rue des Cartes, 75000 Paris",
        "OPERATOR_EMAIL": "contact@cinqsite.example",
        "HOSTING": "Example Hosting, 2 rue des Serveurs, 75000 Paris",
        "DJANGO_SETTINGS_MODULE": "cinqsite.settings",
    }


def checks() -> list[tuple[str, list[str], dict[str, str]]]:
    """(name, command, environment) of every static check."""
    tool = Path(PYTHON).parent
    manage = [PYTHON, "manage.py"]
    return [
        ("lint", [f"{tool}/ruff", "check", "--quiet", "."], {}),
        ("format", [f"{tool}/ruff", "format", "--check", "--quiet", "."], {}),
        ("types", [f"{tool}/mypy"], {}),
        ("layers", [f"{tool}/lint-imports"], {"DJANGO_SETTINGS_MODULE": "tests.settings"}),
        ("templates", [f"{tool}/djlint", ".", "--lint", "--quiet"], {}),
        ("system checks", [*manage, "check"], {}),
        ("production checks", [*manage, "check", "--deploy", "--fail-level", "WARNING"], production()),
        ("migrations", [*manage, "makemigrations", "--check", "--dry-run"], {}),
        ("translations", [PYTHON, "-m", "tests.translations"], {}),
    ]


def static(env: dict[str, str]) -> bool:
    """Run all static checks; show the output of those that fail."""
    good = True
    for name, command, more in checks():
        begun = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env={**env, **more}, capture_output=True, text=True, check=False)
        passed = done.returncode == 0
        good = good and passed
        print(f"{name:<18} {'ok' if passed else 'FAILED'} ({time.monotonic() - begun:.1f} s)", flush=True)
        if not passed or (name == "translations" and done.stdout.strip()):
            print((done.stdout + done.stderr)[-6000:], flush=True)
    return good


def pytest(title: str, arguments: list[str], env: dict[str, str]) -> bool:
    """Run one part; a part that holds no test passes."""
    print(f"\n--- {title}", flush=True)
    code = subprocess.run([PYTHON, "-m", "pytest", "-q", *arguments], cwd=ROOT, env=env, check=False).returncode
    return code in {0, 5}


def missing(what: str, install: str) -> bool:
    """Say what this machine lacks. True (go on without it) on a developer's machine, False under CI."""
    print(f"{what} is missing{'' if CI else ', its tests are skipped'}: {install}", flush=True)
    return not CI


def redis_url(stack: ExitStack, folder: Path) -> str | None:
    """A private redis-server on a free port, or None."""
    if not shutil.which("redis-server"):
        return None
    port = free_port()
    command = [
        "redis-server",
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        str(folder),
    ]
    server = start(command, output=subprocess.DEVNULL)
    stack.callback(stop, [server])
    return f"redis://127.0.0.1:{port}/0"


def main() -> int:
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cinqsite-test-")))
        env = {**os.environ, "SITE_VAR": str(folder), "DEBUG": "1", "PYTHONPATH": str(ROOT)}
        for name in ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
            env.pop(name, None)
        good = static(env)
        if not good or "--static" in sys.argv:
            return 0 if good else 1
        valkey = Valkey(folder / "valkey")
        valkey.start()
        stack.callback(valkey.stop)
        if not pytest("SQLite, embedded broker", [*ON_TWO, "-m", "not browser"], {**env, "REDIS_URL": valkey.url}):
            return 1
        if not on_postgres(stack, folder, env):
            return 1
        print(f"(so far {time.monotonic() - begun:.0f} s)", flush=True)
        return 0 if browsers(env) else 1


def on_postgres(stack: ExitStack, folder: Path, env: dict[str, str]) -> bool:
    """The tests that write, on PostgreSQL with a real Redis."""
    url = os.environ.get("DATABASE_URL")
    if not url:
        if postgres.binaries() is None:
            return missing("PostgreSQL", postgres.INSTALL)
        url = stack.enter_context(postgres.PrivatePostgres()).url
    broker = os.environ.get("REDIS_URL") or redis_url(stack, folder)
    if broker is None:
        return missing("redis-server", "apt install redis-server")
    folders = [f"tests/{name}" for name in TWICE if (ROOT / "tests" / name).is_dir()]
    return pytest(
        "PostgreSQL, Redis", [*ON_TWO, "-m", "not browser", *folders], {**env, "DATABASE_URL": url, "REDIS_URL": broker}
    )


def browsers(env: dict[str, str]) -> bool:
    """The tests that drive Chromium."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        return missing("Chromium", "apt install chromium")
    return pytest("browsers", ["-m", "browser"], env)


if __name__ == "__main__":
    sys.exit(main())
