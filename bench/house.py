"""A house for the bench: durable PostgreSQL, Redis, servers and workers of the real site, all private and ended at the end."""

from __future__ import annotations

import base64
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Self

from cinqsite.processes import Valkey, fetch, free_port, start, stop, wait_for
from tests.postgres import PrivatePostgres

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3


def report(bench: str, variant: str, value: float, unit: str, runs: int = RUNS, **more: Any) -> None:
    """Print one figure."""
    print(
        json.dumps({"bench": bench, "variant": variant, "value": round(value, 2), "unit": unit, "runs": runs, **more}), flush=True
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def medians(measure: Callable[[], dict[str, float]], runs: int = RUNS) -> dict[str, float]:
    """The median of each number over several runs of `measure`."""
    found = [measure() for _ in range(runs)]
    return {name: median(one[name] for one in found) for name in found[0]}


class House:
    """A context manager; sets this process's environment and Django up on its database."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cinqsite-bench-"))
        self.postgres = PrivatePostgres(durable=True)
        self.valkey: Valkey | None = None
        self.port = free_port()
        self.sockets_port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.children: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self.postgres.__enter__()
        os.environ.update(
            DEBUG="0",
            SECRET_KEY=secrets.token_urlsafe(50),
            VAULT_KEYS=f"bench:{base64.b64encode(secrets.token_bytes(32)).decode()}",
            ORIGIN_KEY=secrets.token_urlsafe(32),
            SITE_URL=self.url,
            SITE_VAR=str(self.folder),
            STATIC_ROOT=str(self.folder / "static"),
            DATABASE_URL=self.postgres.url,
            REDIS_URL=self._redis(),
            RATE_LIMITS_ENABLED="0",
            LOG_LEVEL="ERROR",
            DJANGO_SETTINGS_MODULE="cinqsite.settings",
            PYTHONPATH=str(ROOT),
        )
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0, interactive=False)
        call_command("collectstatic", verbosity=0, interactive=False)
        return self

    def __exit__(self, *_: object) -> None:
        from django.db import connection

        stop(self.children)
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
        if self.valkey is not None:
            self.valkey.stop()
        self.postgres.__exit__()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _redis(self) -> str:
        """Debian's redis-server when it is there, else the embedded Valkey."""
        if not shutil.which("redis-server"):
            self.valkey = Valkey(self.folder / "valkey")
            self.valkey.start()
            return self.valkey.url
        port = free_port()
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)]
        self.children.append(start(command, output=subprocess.DEVNULL))
        return f"redis://127.0.0.1:{port}/0"

    def daphne(self, port: int | None = None) -> subprocess.Popen[bytes]:
        """Our server, one process."""
        return self.serve(["-m", "cinqsite.server", "-b", "127.0.0.1", "-p", str(port or self.port)], port or self.port, "/livez")

    def gunicorn(self, application: str = "cinqsite.wsgi", path: str = "/livez") -> subprocess.Popen[bytes]:
        """The WSGI server of the Procfile on a TCP port: two processes of eight threads."""
        flags = "--worker-class gthread --workers 2 --threads 8 --log-level error"
        arguments = ["-m", "gunicorn", application, "--bind", f"127.0.0.1:{self.port}", *flags.split()]
        return self.serve(arguments, self.port, path)

    def serve(self, arguments: list[str], port: int, path: str) -> subprocess.Popen[bytes]:
        """Start `python arguments…` and wait until it answers a GET of `path`."""
        child = self.python(arguments)
        if not wait_for(lambda: fetch(f"http://127.0.0.1:{port}{path}")[0] == 200, 30):
            raise RuntimeError(f"{arguments} does not answer: {(self.folder / 'children.log').read_text()[-2000:]}")
        return child

    def python(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        """Start `python arguments…`; its log goes to the house's folder."""
        with (self.folder / "children.log").open("ab") as log:
            child = start([sys.executable, *arguments], env=os.environ, cwd=ROOT, output=log)
        self.children.append(child)
        return child

    def end(self, *children: subprocess.Popen[bytes]) -> None:
        """Stop children and wait until their port is free."""
        stop(children)
        for child in children:
            self.children.remove(child)
        time.sleep(0.2)


def resident(child: subprocess.Popen[bytes]) -> list[float]:
    """Resident memory in MiB of each process in a child's group, the child first."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getpgid(int(entry.name)) == child.pid:
                status = (entry / "status").read_text()
                found.append((int(entry.name) != child.pid, int(status.partition("VmRSS:")[2].split()[0]) / 1024))
        except (OSError, IndexError, ValueError):
            continue
    return [round(size, 1) for _, size in sorted(found)]
