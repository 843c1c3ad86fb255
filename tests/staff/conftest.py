"""Staff with a second factor, and a running table full of things that nobody may see."""

from __future__ import annotations

from typing import Any

import pytest

CANARY = "CANARY5"
"""In every secret of the `secrets` table: must appear on no page of the panel."""


@pytest.fixture
def chef(user_named) -> Any:
    """An administrator with an authenticator app."""
    from allauth.mfa.models import Authenticator

    user = user_named("Chef", is_staff=True, is_superuser=True)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"})
    return user


@pytest.fixture
def staff(chef, client_of) -> Any:
    """The administrator's client."""
    return client_of(chef)


@pytest.fixture
def secrets(alice, bob) -> Any:
    """A running table; seeds, hash, token, origins, notation and request ids hold the canary."""
    from django.utils import timezone

    from games.cinq.models import CinqMove
    from games.models import Seat, Table, TableEvent
    from games.models.vault import Vault

    now = timezone.now()
    table = Table.objects.create(
        game="cinq",
        rules_version=1,
        options={"mode": "classique", "limite": 30},
        seats_wanted=2,
        status="playing",
        token=f"token-{CANARY}",
        opener=alice,
        plies=1,
        created_at=now,
        started_at=now,
    )
    for number, user in enumerate((alice, bob)):
        Seat.objects.create(
            table=table,
            joined=number,
            number=number,
            user=user,
            sat_at=now,
            client_seed=f"client-{CANARY}",
            origin=f"origin-{CANARY}",
        )
    Vault.objects.create(table=table, seed=f"seed-{CANARY}", deals=f"deals-{CANARY}", snapshot=CANARY, state_hash="CANARY5-hash")
    CinqMove.objects.create(
        table=table,
        ply=1,
        seat=0,
        by="player",
        notation=f"notation-{CANARY}",
        events=[["played", 0, "5O"]],
        state_hash="CANARY5-hash",
        played_at=now,
        kind="play",
        suit="O",
        rank=5,
        hand=1,
    )
    TableEvent.objects.create(table=table, ply=0, version=1, event=["started"], at=now)
    return table
