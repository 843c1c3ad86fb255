"""`manage.py dev` in a folder of its own: comes up, comes up again, and leaves nothing behind however it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cinqsite.processes import fetch, free_port, wait_for
from tests.ops.wire import processes_of

pytestmark = pytest.mark.slow


class Dev:
    """One run of the command."""

    def __init__(self, repository: Path, folder: Path, port: int) -> None:
        env = {name: text for name, text in os.environ.items() if name not in {"DATABASE_URL", "REDIS_URL", "CACHE_URL"}}
        env |= {"DEBUG": "1", "SITE_VAR": str(folder), "PORT": str(port), "DJANGO_SETTINGS_MODULE": "cinqsite.settings"}
        self.folder, self.url = folder, f"http://127.0.0.1:{port}"
        self.output = folder.with_name(f"{folder.name}.log")
        with self.output.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "dev"], cwd=repository, env=env, stdout=log, stderr=log, start_new_session=True
            )

    def comes_up(self, seconds: float) -> float:
        """Seconds until the site answers and has swept once."""
        begun = time.monotonic()
        assert wait_for(lambda: fetch(f"{self.url}/livez")[0] == 200, seconds), self.output.read_text()[-3000:]
        took = time.monotonic() - begun
        assert wait_for(lambda: fetch(f"{self.url}/healthz")[0] == 200, 20), self.output.read_text()[-3000:]
        return took

    def nothing_left(self, seconds: float) -> bool:
        return wait_for(lambda: not processes_of(self.folder), seconds)

    def kill(self) -> None:
        for pid, _ in processes_of(self.folder):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "var"


@pytest.fixture
def run(repository: Path, folder: Path) -> Iterator[object]:
    runs: list[Dev] = []

    def make(port: int) -> Dev:
        runs.append(Dev(repository, folder, port))
        return runs[-1]

    yield make
    for dev in runs:
        dev.kill()


def test_it_comes_up_twice_and_each_end_leaves_nothing(run: object, folder: Path) -> None:
    port = free_port()
    dev = run(port)  # type: ignore[operator]
    dev.comes_up(60)
    assert len(processes_of(folder)) >= 6
    assert any("cinqsite.demo_provider" in command for _, command in processes_of(folder))
    begun = time.monotonic()
    dev.process.terminate()
    assert dev.process.wait(6) == 0
    assert dev.nothing_left(1), processes_of(folder)
    assert time.monotonic() - begun < 4

    dev = run(port)  # type: ignore[operator]
    assert dev.comes_up(30) < 15
    print(json.dumps({"figure": "second start", "seconds": round(time.monotonic() - begun, 1)}))
    os.kill(dev.process.pid, signal.SIGKILL)
    dev.process.wait()
    assert dev.nothing_left(3), processes_of(folder)


def test_it_ends_with_its_parent(repository: Path, folder: Path) -> None:
    env = {**os.environ, "DEBUG": "1", "SITE_VAR": str(folder), "PORT": str(free_port())}
    for name in ("DATABASE_URL", "REDIS_URL", "CACHE_URL", "DJANGO_SETTINGS_MODULE"):
        env.pop(name, None)
    shell = [f"{sys.executable} manage.py dev & wait"]
    parent = subprocess.Popen(["sh", "-c", *shell], cwd=repository, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert wait_for(lambda: fetch(f"http://127.0.0.1:{env['PORT']}/livez")[0] == 200, 60)
        parent.kill()
        parent.wait()
        assert wait_for(lambda: not processes_of(folder), 8), processes_of(folder)
    finally:
        for pid, _ in processes_of(folder):
            os.kill(pid, signal.SIGKILL)


def test_a_dead_worker_and_a_dead_broker_are_started_again(run: object, folder: Path) -> None:
    dev = run(free_port())  # type: ignore[operator]
    dev.comes_up(60)
    for part in ("valkey-server", "celery -q -A cinqsite worker", "cinqsite.server"):
        victims = {pid for pid, command in processes_of(folder) if part in command}
        assert victims, part
        for pid in victims:
            os.kill(pid, signal.SIGKILL)
        assert wait_for(lambda: any(part in command and pid not in victims for pid, command in processes_of(folder)), 15), part  # noqa: B023
    assert wait_for(lambda: fetch(f"{dev.url}/healthz")[0] == 200, 30), dev.output.read_text()[-3000:]
    dev.process.send_signal(signal.SIGINT)
    assert dev.process.wait(6) == 0
    assert dev.nothing_left(1)


def test_the_site_runs_without_the_demonstration_provider(run: object, folder: Path) -> None:
    dev = run(free_port())  # type: ignore[operator]
    dev.comes_up(60)
    for _ in range(4):
        # Each start of it is short-lived; after a few it is left alone, and the site goes on.
        if wait_for(lambda: bool(providers(folder)), 8):
            for pid in providers(folder):
                os.kill(pid, signal.SIGKILL)
    assert wait_for(lambda: "provider does not start" in dev.output.read_text(), 10), dev.output.read_text()[-2000:]
    time.sleep(1)
    assert dev.process.poll() is None
    assert fetch(f"{dev.url}/livez")[0] == 200
    assert 'data-provider="demo"' in fetch(f"{dev.url}/accounts/login/")[1].decode()


def providers(folder: Path) -> list[int]:
    """The demonstration provider's process, if it runs."""
    return [pid for pid, command in processes_of(folder) if "cinqsite.demo_provider" in command]


@pytest.mark.parametrize(("port", "words"), [("taken", "is taken: choose another one"), ("abc", "is not a port number")])
def test_a_bad_port_is_one_line(repository: Path, folder: Path, port: str, words: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = str(taken.getsockname()[1]) if port == "taken" else port
        env = {**os.environ, "DEBUG": "1", "SITE_VAR": str(folder), "PORT": number}
        done = subprocess.run([sys.executable, "manage.py", "dev"], cwd=repository, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
