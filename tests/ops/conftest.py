"""The real server, without worker, for tests of its limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.real_site import Site


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site with a server only: nothing sweeps."""
    with Site(tmp_path_factory.mktemp("server"), worker=False) as running:
        yield running
