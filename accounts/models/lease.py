"""Leases and heartbeats of background workers."""

from django.db import models


class Heartbeat(models.Model):
    """The last round of a background worker, and the process that holds its lease."""

    name = models.CharField(max_length=24, primary_key=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    holder = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} at {self.beat_at}"
