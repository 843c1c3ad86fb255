"""Fixtures of the accounts' tests: a Redis of their own, a provider of accounts."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from tests.accounts.social import Provider


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an empty Redis on a port of its own, ended with the tests; skipped where none is installed."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("no redis-server: apt-get install redis-server")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("redis")
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    client = redis.Redis(port=port)
    for _ in range(100):
        try:
            client.ping()
            break
        except redis.ConnectionError:
            time.sleep(0.05)
    yield f"redis://127.0.0.1:{port}/0"
    server.terminate()
    server.wait(10)


@pytest.fixture(scope="session")
def provider_server() -> Iterator[Provider]:
    """An OpenID Connect provider on loopback."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from oidc_provider_mock import run_server_in_thread
    patch = pytest.MonkeyPatch()
    patch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    with run_server_in_thread() as server:
        yield Provider(f"http://localhost:{server.server_port}")
    patch.undo()


@pytest.fixture
def provider(db: None, provider_server: Provider, settings: Any) -> Provider:
    """The site offers that provider, under two ids."""
    settings.SOCIALACCOUNT_PROVIDERS = provider_server.settings()
    return provider_server
