"""The real site as processes: what browser and operation tests talk to. No database of pytest's is touched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any, Self

from cinqsite.processes import Valkey, fetch, free_port, start, stop, wait_for

ROOT = Path(__file__).resolve().parent.parent

# Runs inside the site's Django: one JSON text a line in (code), one out (what the code left in `result`).
SHELL = """
import json, sys, traceback
import django
django.setup()
from django.db import close_old_connections
for line in sys.stdin:
    names = {}
    close_old_connections()
    try:
        exec(json.loads(line), names)
        answer = {"result": names.get("result")}
    except Exception:
        answer = {"error": traceback.format_exc()}
    print("\\x1e" + json.dumps(answer, default=str), flush=True)
"""

PEOPLE = """
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
for name, staff in [("Alice", False), ("Bob", False), ("Carla", False), ("Admin", True)]:
    email = f"{name.lower()}@example.org"
    user = get_user_model().objects.create_user(
        username=name, email=email, password="quatre-cartes-5", is_staff=staff, is_superuser=staff
    )
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
"""

SESSION = """
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.contrib.sessions.backends.db import SessionStore
user = get_user_model().objects.get(username__iexact=NAME)
session = SessionStore()
session[SESSION_KEY] = str(user.pk)
session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
session[HASH_SESSION_KEY] = user.get_session_auth_hash()
session.save()
result = session.session_key
"""


class Site:
    """Server, worker with beat, broker and a database of their own in `folder`. A context manager.

    `worker=False` leaves worker and beat away; `settings` are more environment variables.
    """

    def __init__(self, folder: Path, *, worker: bool = True, settings: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.worker = worker
        self.valkey = Valkey(folder / "valkey")
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self._shell: subprocess.Popen[str] | None = None
        self.env = {
            **{
                name: text
                for name, text in os.environ.items()
                if name not in {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
            },
            "DJANGO_SETTINGS_MODULE": "cinqsite.settings",
            "DEBUG": "1",
            "SITE_VAR": str(folder),
            "DATABASE_PATH": str(folder / "site.sqlite3"),
            "SITE_URL": self.url,
            "REDIS_URL": self.valkey.url,
            "RATE_LIMITS_ENABLED": "0",
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": str(ROOT),
            **(settings or {}),
        }

    def __enter__(self) -> Self:
        self.valkey.start()
        self.run("from django.core.management import call_command; call_command('migrate', verbosity=0, run_syncdb=True)")
        self.run(PEOPLE)
        self.start("web", "-m", "cinqsite.server", "-b", "127.0.0.1", "-p", str(self.port))
        if self.worker:
            self.start(
                *(
                    "worker",
                    "-m",
                    "celery",
                    "-A",
                    "cinqsite",
                    "worker",
                    "-P",
                    "solo",
                    "-Q",
                    "clock,default,mail",
                    "-l",
                    "warning",
                ),
                *("-B", "-s", str(self.folder / "beat"), "--without-gossip", "--without-mingle"),
            )
        if not wait_for(lambda: fetch(f"{self.url}/livez")[0] == 200, 20):
            log = self.log("web")
            self.__exit__()
            raise RuntimeError(f"the site does not answer:\n{log[-2000:]}")
        return self

    def __exit__(self, *_: object) -> None:
        if self._shell is not None:
            self._shell.kill()
            self._shell.wait()
        stop(list(self.children.values()))
        self.valkey.stop()

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `python arguments…` as a child whose log is `folder/name.log`."""
        with (self.folder / f"{name}.log").open("ab") as log:
            child = start([sys.executable, *arguments], env=self.env, cwd=ROOT, output=log)
        self.children[name] = child
        return child

    def log(self, name: str) -> str:
        """What a child wrote so far."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def run(self, code: str, **names: Any) -> Any:
        """Run code inside the site's Django (another process); what it leaves in `result` comes back, through JSON."""
        if self._shell is None:
            self._shell = subprocess.Popen(
                [sys.executable, "-c", SHELL],
                env=self.env,
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        assert self._shell.stdin and self._shell.stdout
        head = "".join(f"{name} = {value!r}\n" for name, value in names.items())
        self._shell.stdin.write(json.dumps(head + textwrap.dedent(code)) + "\n")
        self._shell.stdin.flush()
        for line in self._shell.stdout:
            if line.startswith("\x1e"):
                answer = json.loads(line[1:])
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]
        raise RuntimeError("the site's shell ended")

    def session(self, name: str) -> str:
        """A fresh session key of that person, for a cookie."""
        return str(self.run(SESSION, NAME=name))

    def mails(self) -> list[str]:
        """The mails sent so far, oldest first, as text."""
        folder = self.folder / "mails"
        files = sorted(folder.glob("*")) if folder.is_dir() else []
        return [path.read_text(errors="replace") for path in files if path.is_file()]

    def wait_for_mail(self, part: str, seconds: float = 10) -> str:
        """The newest mail that holds `part`; AssertionError when none comes in time."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            for mail in reversed(self.mails()):
                if part in mail:
                    return mail
            time.sleep(0.1)
        raise AssertionError(f"no mail with {part!r}")
