"""`manage.py dev` (`make run`): broker, migrations, demo data, server, worker and beat in one terminal, one Ctrl-C."""

from __future__ import annotations

import fcntl
import io
import os
import socket
import sys
from importlib.util import find_spec
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from cinqsite.processes import Valkey, fetch, free_port, wait_for
from cinqsite.supervisor import Child, Supervisor

START_SECONDS = 30


class Command(BaseCommand):
    """Runs the whole site on this machine for one developer."""

    help = "Run the whole site here: broker, server, worker, beat (PORT=8000)."
    # `migrate` runs them; a second start should not wait for them.
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Start, print where it is, and stay until a signal or the parent's end."""
        if not settings.DEBUG:
            raise CommandError("this is for development: set DEBUG=1 (a deployment runs the lines of the Procfile)")
        port = wanted_port()
        lock = self.lock()
        url = f"http://127.0.0.1:{port}"
        env = {**os.environ, "DEBUG": "1", "SITE_VAR": str(settings.SITE_VAR), "SITE_URL": url, "PYTHONUNBUFFERED": "1"}
        valkey = None if settings.REDIS_URL else Valkey(settings.SITE_VAR / "valkey")
        if valkey is not None:
            env["REDIS_URL"] = valkey.url
        processes = children(port)
        if find_spec("oidc_provider_mock") and not env.get("DEMO_PROVIDER_URL"):
            provider = free_port()
            # Another host than the site's: browsers share the cookies of one host among its ports.
            env["DEMO_PROVIDER_URL"] = f"http://localhost:{provider}"
            processes.append(demo_provider(provider))
        supervisor = Supervisor(processes, env, settings.BASE_DIR, url, self.say, valkey)
        supervisor.catch_signals()
        code = 0
        try:
            if valkey is not None:
                valkey.start()
            self.migrate()
            # Before the worker: its clock would play at the demo's tables while the demo still does.
            accounts = self.demo()
            supervisor.start_all()
            if wait_for(lambda: fetch(f"{url}/livez")[0] == 200, START_SECONDS):
                self.say(f"\nThe site is up: {url}/\nMails it sends: {url}/dev/mails/\n{accounts}\nCtrl-C ends everything.\n")
            code = supervisor.watch()
        except KeyboardInterrupt:
            # Ended while it still prepared: what was half done is rolled back.
            pass
        finally:
            supervisor.stop()
            lock.close()
        # Not sys.exit: no thread that still waits for something may delay the end.
        sys.stdout.flush()
        os._exit(code)

    def say(self, line: str) -> None:
        """Print a line at once, whatever stands on the other end of the pipe."""
        try:
            self.stdout.write(line)
            self.stdout.flush()
        except OSError:
            # The terminal is gone; the end is near, and comes by signal or by the parent's death.
            pass

    def lock(self) -> IO[str]:
        """Take the folder: two sites in one would share a database and fight for the broker."""
        lock = (settings.SITE_VAR / "dev.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CommandError(f"another site runs in {settings.SITE_VAR}: stop it, or set SITE_VAR to another folder") from None
        return lock

    def migrate(self) -> None:
        """Bring the database up to date, silently when it is."""
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.say("Preparing the database …")
            call_command("migrate", verbosity=0, interactive=False)

    def demo(self) -> str:
        """Load the demo data (once) and return what the command says: the accounts."""
        if "demo" not in get_commands():
            return ""
        said = io.StringIO()
        call_command("demo", stdout=said)
        connections.close_all()
        return said.getvalue()


def children(port: int) -> list[Child]:
    """The three processes of the site."""
    python = sys.executable
    # Without banners, and without the sermon for root.
    celery = [python, "-W", "ignore:::celery.platforms", "-m", "celery", "-q", "-A", "cinqsite"]
    worker = "worker -P prefork -c 2 -Q clock,default,mail -l warning --without-gossip --without-mingle -n dev@%h"
    return [
        Child("web", [python, "-m", "cinqsite.server", "-b", "127.0.0.1", "-p", str(port)], 36),
        Child("worker", [*celery, *worker.split()], 33),
        # The schedule file is disposable; a torn one of an earlier run must not matter.
        Child("beat", [*celery, "beat", "-l", "warning", "--pidfile=", "-s", str(fresh_schedule())], 35),
    ]


def demo_provider(port: int) -> Child:
    """The provider of accounts to try social sign-up with; the site runs without it, too."""
    return Child("provider", [sys.executable, "-W", "ignore", "-m", "cinqsite.demo_provider", str(port)], 34, optional=True)


def fresh_schedule() -> Any:
    """The path of beat's schedule file, with what a former run left there removed."""
    for leftover in settings.SITE_VAR.glob("beat-schedule*"):
        leftover.unlink()
    return settings.SITE_VAR / "beat-schedule"


def wanted_port() -> int:
    """PORT, or 8000; CommandError when it is no port or somebody listens there."""
    text = os.environ.get("PORT", "") or "8000"
    if not text.isdigit() or not 0 < int(text) < 65536:
        raise CommandError(f"PORT={text} is not a port number")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", int(text)))
        except OSError:
            raise CommandError(f"port {text} is taken: choose another one, for example PORT={int(text) + 1} make run") from None
    return int(text)
