"""The vault: what nobody may see while a table runs. Importable by services and `games.observe` only."""

from __future__ import annotations

import json
from typing import Any

from django.db import models

from games import sealing
from games.models.table import Table


class Vault(models.Model):
    """Sealed secrets of one table. Each column is text made by `games.sealing`, bound to its table and column.

    `seed`: {"seed": hex, "key": hex once started}. `deals`: label -> result of each shuffle, so no later change can
    re-deal a running table. `snapshot`: the state, a cache of the log. `plies`: how many plies the snapshot holds.
    `state_hash` is public only when the table is over. No admin shows this model.
    """

    table = models.OneToOneField(Table, models.PROTECT, primary_key=True, related_name="vault")
    seed = models.TextField()
    deals = models.TextField(default="")
    snapshot = models.TextField(default="")
    state_hash = models.CharField(max_length=16, default="")
    plies = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"vault of table {self.table_id}"

    def seal(self, column: str, value: Any) -> None:
        """Put JSON-able `value` into `column`, encrypted."""
        setattr(self, column, sealing.seal(json.dumps(value, separators=(",", ":")), f"{self.table_id}/{column}"))

    def unseal(self, column: str) -> Any:
        """The value of `column`; raises `games.sealing.Broken` when it was moved, changed or its key is gone."""
        return json.loads(sealing.unseal(getattr(self, column), f"{self.table_id}/{column}"))
