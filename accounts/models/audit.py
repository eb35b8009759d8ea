"""The audit log and its seals."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.text.substring_search import ShortId


class AuditEvent(models.Model):
    """Who did what to what, when and from where; columns after FHIR R4's AuditEvent. Holds no personal text."""

    class Action(models.TextChoices):
        CREATE = "C"
        READ = "R"
        UPDATE = "U"
        DELETE = "D"
        EXECUTE = "E"

    class Outcome(models.TextChoices):
        SUCCESS = "0"
        MINOR_FAILURE = "4"
        SERIOUS_FAILURE = "8"

    id = models.BigAutoField(primary_key=True)
    recorded_at = models.DateTimeField(default=timezone.now)
    # Like `appointment.booked`.
    event = models.CharField(max_length=48)
    action = models.CharField(max_length=1, choices=Action.choices)
    outcome = models.CharField(max_length=1, choices=Outcome.choices, default=Outcome.SUCCESS)
    agent_id = models.UUIDField(null=True, blank=True)
    agent_role = models.CharField(max_length=8, blank=True)
    source_address = models.CharField(max_length=45, blank=True)
    entity_type = models.CharField(max_length=24, blank=True)
    entity_id = models.CharField(max_length=36, blank=True)
    request_id = models.CharField(max_length=32, blank=True)
    # Only codes and ids, because rows can't be erased.
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            # The id first, because staff search by id alone.
            models.Index(fields=["entity_id", "entity_type", "-id"], name="audit_of_entity"),
            models.Index(fields=["agent_id", "-id"], name="audit_of_agent"),
            models.Index(fields=["event", "-id"], name="audit_of_event"),
            models.Index(fields=["request_id", "-id"], name="audit_of_request"),
            models.Index(fields=["outcome", "-id"], name="audit_of_outcome"),
            models.Index(fields=["-recorded_at", "-id"], name="audit_recorded"),
            # The audit page shows and finds the end of an id.
            models.Index(ShortId("entity_id"), models.F("id").desc(), name="audit_of_id_end"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.entity_type} {self.entity_id}"


class AuditSeal(models.Model):
    """One sealed batch of the audit trail; see `accounts/audit/hash_chain.py`. The rows stay where they are."""

    id = models.BigAutoField(primary_key=True)
    first_event = models.BigIntegerField()
    last_event = models.BigIntegerField(unique=True)
    # For each row 8 bytes of id and 16 of its SHA-256.
    digests = models.BinaryField()
    previous_hash = models.CharField(max_length=64, unique=True)
    hash = models.CharField(max_length=64, unique=True)
    sealed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"{self.first_event} to {self.last_event}"
