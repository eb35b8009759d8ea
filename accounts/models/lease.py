"""Leases and heartbeats of background workers."""

from django.db import models


class Heartbeat(models.Model):
    """When a background worker last did its round, and which process has the turn."""

    name = models.CharField(max_length=24, primary_key=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    holder = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} at {self.beat_at}"
