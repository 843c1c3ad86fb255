"""The store of rate limits while Redis is away."""

from django.db import models


class RateBucket(models.Model):
    """Hits of one rate limit in its present window, counted here when Redis cannot: `expires` in Unix seconds."""

    key = models.CharField(max_length=120, primary_key=True)
    hits = models.PositiveIntegerField()
    expires = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.hits}"
