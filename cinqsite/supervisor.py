"""Keeps a few child processes running: prefixed logs, restart of the dead and of the deaf, one end for all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import IO

from cinqsite.processes import Valkey, fetch, signal_group, start, stop

TICK = 0.1
STOP_GRACE = 1.0  # seconds between the polite end and the hard one
EARLY = 5.0  # a child that ends sooner than this after its start did not really start ...
EARLY_ENDS = 3  # ... and after so many of these in a row nothing is tried any more
LOOK_EVERY = 5.0
DEAF_LOOKS = 4  # looks in a row (20 s) that find a child deaf before it is started anew
DEAF_SWEEP = 60.0  # seconds without a sweep that make worker and beat deaf


@dataclass
class Child:
    """One process to keep: its command, the colour of its prefix and how its last starts went. The site can do without an
    `optional` one."""

    name: str
    command: Sequence[str]
    colour: int
    optional: bool = False
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    early_ends: int = 0
    deaf: int = 0


@dataclass
class Supervisor:
    """Starts `children` with `env`, and watches them until a signal, or until the process that started us is gone.

    `url`: the web child's address; its /healthz tells whether web and worker still hear. `say` prints a line.
    """

    children: list[Child]
    env: Mapping[str, str]
    folder: Path
    url: str
    say: Callable[[str], None]
    valkey: Valkey | None = None
    colours: bool = field(default_factory=lambda: sys.stdout.isatty() and not os.environ.get("NO_COLOR"))

    def __post_init__(self) -> None:
        self.parent = os.getppid()
        self.ended = threading.Event()
        self.watching = False
        self.width = max(len(child.name) for child in self.children)
        self.lines = threading.Lock()

    def catch_signals(self) -> None:
        """From now on Ctrl-C, SIGTERM, SIGHUP and the parent's end stop `watch`; before it, they raise KeyboardInterrupt."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._signalled)
        threading.Thread(target=self._watch_parent, daemon=True).start()

    def _signalled(self, number: int, frame: FrameType | None) -> None:
        if self.ended.is_set():
            # Asked twice: at once, then.
            for child in self.children:
                if child.process is not None:
                    signal_group(child.process, signal.SIGKILL)
        elif not self.watching:
            self.ended.set()
            raise KeyboardInterrupt
        self.ended.set()

    def _watch_parent(self) -> None:
        while not self.ended.wait(TICK):
            if os.getppid() != self.parent:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    def start_all(self) -> None:
        """Start every child."""
        for child in self.children:
            self._start(child)

    def _start(self, child: Child) -> None:
        child.process = start(child.command, env=self.env, cwd=self.folder, output=subprocess.PIPE)
        child.started_at = time.monotonic()
        child.deaf = 0
        threading.Thread(target=self._show, args=(child, child.process.stdout), daemon=True).start()

    def _show(self, child: Child, output: IO[bytes]) -> None:
        prefix = f"{child.name:<{self.width}} | "
        if self.colours:
            prefix = f"\x1b[{child.colour}m{prefix}\x1b[0m"
        for line in output:
            with self.lines:
                self.say(prefix + line.decode(errors="replace").rstrip("\n"))

    def watch(self) -> int:
        """Until the end: restart what died or went deaf. 0 after a signal or the parent's end, 1 when a child does not start."""
        self.watching = True
        threading.Thread(target=self._look_for_ever, daemon=True).start()
        while not self.ended.wait(TICK):
            if self.valkey is not None and self.valkey.child is not None and self.valkey.child.poll() is not None:
                self.say("the broker died: starting it again")
                self.valkey.start()
            for child in list(self.children):
                if not self._keep(child):
                    if not child.optional:
                        return 1
                    self.children.remove(child)
        return 0

    def _keep(self, child: Child) -> bool:
        """Restart the child if it must be; False when it cannot be started at all."""
        assert child.process is not None
        if child.process.poll() is None and child.deaf >= DEAF_LOOKS:
            self.say(f"{child.name} does not answer: starting it again")
            stop([child.process], 1.0)
            self._start(child)
        elif child.process.poll() is not None:
            early = time.monotonic() - child.started_at < EARLY
            child.early_ends = child.early_ends + 1 if early else 0
            if child.early_ends >= EARLY_ENDS:
                self.say(f"{child.name} does not start")
                return False
            self.say(f"{child.name} ended with {child.process.returncode}: starting it again")
            self._start(child)
        return True

    def _look_for_ever(self) -> None:
        """Count, for each child, the looks in a row that found it deaf."""
        while not self.ended.wait(LOOK_EVERY):
            status, body = fetch(f"{self.url}/healthz", timeout=4.0)
            try:
                age = json.loads(body)["clock"].get("age_s")
            except (ValueError, KeyError, AttributeError):
                age = None
            for child in list(self.children):
                if child.optional:
                    deaf = False
                elif child.name == "web":
                    deaf = status == 0
                else:
                    deaf = age is not None and age > DEAF_SWEEP and time.monotonic() - child.started_at > DEAF_SWEEP
                child.deaf = child.deaf + 1 if deaf else 0

    def stop(self) -> None:
        """End all children, the broker last; within three seconds."""
        self.ended.set()
        stop([child.process for child in self.children if child.process is not None], STOP_GRACE)
        if self.valkey is not None:
            self.valkey.stop()
