"""Lets transactional tests empty the database although triggers guard moves, events and ledgers.

tests/conftest.py takes the fixture in with `pytest_plugins` or an import.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import TransactionTestCase

from accounts import insert_only
from ranking import rungs


@pytest.fixture(scope="session", autouse=True)
def flush_past_insert_only() -> Iterator[None]:
    """Drop the triggers before the flush that ends a TransactionTestCase; its post_migrate signal makes them anew."""
    original = TransactionTestCase._fixture_teardown

    def teardown(case: TransactionTestCase) -> None:
        for alias in case._databases_names(include_mirrors=False):
            insert_only.remove(insert_only.guarded(), alias)
            rungs.remove(alias)
        original(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        yield
