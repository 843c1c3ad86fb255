"""A private PostgreSQL for tests and bench: own folder, own socket, no TCP, gone at the end or with its parent."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Self

from cinqsite.processes import start, stop, wait_for

INSTALL = "apt install postgresql"


def binaries() -> Path | None:
    """The folder of the newest installed server, or None."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return folders[-1].parent if folders else None


class PrivatePostgres:
    """A context manager. `durable`: really waits for the disk, as in production (slower; for the bench)."""

    def __init__(self, *, durable: bool = False) -> None:
        folder = binaries()
        if folder is None:
            raise RuntimeError(f"PostgreSQL's server is missing: {INSTALL}")
        self.bin = folder
        self.durable = durable
        self.folder = Path(tempfile.mkdtemp(prefix="cinqsite-pg-"))
        self.as_user: list[str] = []
        if os.getuid() == 0:
            # The server refuses to run as root.
            owner = _ordinary_user()
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            self.as_user = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups", "--pdeathsig=INT"]

    @property
    def url(self) -> str:
        return f"postgres://postgres@/cinqsite?host={self.folder}"

    def __enter__(self) -> Self:
        data = self.folder / "data"
        initdb = [self.bin / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N"]
        self._run(initdb)
        flags = {"listen_addresses": "", "unix_socket_directories": str(self.folder), "max_connections": "120"}
        if not self.durable:
            flags |= {"fsync": "off", "full_page_writes": "off"}
        settings = [word for name, value in flags.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "server.log").open("wb") as log:
            self.server = start([*self.as_user, self.bin / "postgres", "-D", data, *settings], output=log)
        if not wait_for(lambda: (self.folder / ".s.PGSQL.5432").exists() and self._ready(), 30):
            self.__exit__()
            raise RuntimeError("the private PostgreSQL does not start")
        self._run([self.bin / "createdb", "-h", self.folder, "-U", "postgres", "cinqsite"])
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "server"):
            stop([self.server], 5.0)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _ready(self) -> bool:
        asked = [self.bin / "pg_isready", "-q", "-h", self.folder]
        return subprocess.run(asked, check=False).returncode == 0

    def _run(self, command: list[str | Path]) -> None:
        words = [str(word) for word in [*self.as_user, *command]]
        subprocess.run(words, check=True, cwd=self.folder, capture_output=True, text=True)


def _ordinary_user() -> pwd.struct_passwd:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("no user postgres or nobody to run PostgreSQL as")
