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


def second_factor(user: Any) -> Any:
    """The user, with an authenticator app."""
    from allauth.mfa.models import Authenticator

    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"})
    return user


@pytest.fixture
def with_role(user_named) -> Any:
    """Makes staff of a role, with a second factor: `with_role("Modeste", "moderateur")`."""
    from django.contrib.auth.models import Group

    def make(name: str, role: str) -> Any:
        user = second_factor(user_named(name, is_staff=True))
        user.groups.add(Group.objects.get(name=role))
        return user

    return make


@pytest.fixture
def modo(with_role) -> Any:
    return with_role("Modeste", "moderateur")


@pytest.fixture
def anim(with_role) -> Any:
    return with_role("Anicet", "animateur")


@pytest.fixture
def boss(with_role) -> Any:
    return with_role("Adela", "administrateur")


@pytest.fixture
def act(client_of) -> Any:
    """`act(user, "extend", table, hours=6)`: post the form of an action, with a reason; the response."""
    from uuid import uuid4

    def post(user: Any, name: str, *targets: Any, reason: str = "because I must", request: Any = None, **data: Any) -> Any:
        ids = "&".join(f"id={getattr(target, 'pk', target)}" for target in targets)
        fields = {"reason": reason, "request": str(request or uuid4()), **data}
        return client_of(user).post(f"/admin/act/{name}/?{ids}", fields)

    return post


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
