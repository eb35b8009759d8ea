"""Reserved time: appointments, holds and proposals."""

import hashlib
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models import User
from accounts.models.identifiers import new_id
from doctors.models.profile import DoctorProfile


class ReservationQuerySet(models.QuerySet["Reservation"]):
    def standing(self, now: datetime) -> "ReservationQuerySet":
        """Return the reservations that have not expired."""
        return self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))

    def holds_of(self, patient: User | None, secret: str = "") -> "ReservationQuerySet":
        """Return the holds of a signed-in patient, and the one with this secret.

        Callers that reserve time must add `standing()`: other transactions delete expired holds, and two that lock each
        other's would deadlock.
        """
        own = models.Q(pk=None)
        if patient is not None:
            own |= models.Q(patient=patient)
        if secret:
            own |= models.Q(secret_hash=hash_secret(secret))
        # Every hold expires; the explicit condition selects the partial index of secrets.
        return self.filter(own, kind="hold", expires_at__isnull=False)

    def locked_in_order(self) -> "ReservationQuerySet":
        """Lock the rows until the transaction ends, the earliest first (ADR 0102)."""
        return self.order_by("starts_at", "pk").select_for_update(no_key=True)


class Reservation(models.Model):
    """Reserved time: a live or completed appointment, a hold or a proposal has one row here.

    The database rejects two reservations that overlap for one doctor ([starts_at, busy_until)) or for one patient
    ([starts_at, ends_at)); see `doctors/availability/constraints.py`.
    """

    class Kind(models.TextChoices):
        APPOINTMENT = "appointment"
        HOLD = "hold"
        PROPOSAL = "proposal"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="reservations")
    # Null for the hold of a visitor.
    patient = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    busy_until = models.DateTimeField(help_text="The end, with the doctor's buffer.")
    expires_at = models.DateTimeField(null=True, blank=True)
    # The reservation that this one may overlap: a proposal reserves a new time for an appointment that has its old one.
    moves = models.UUIDField(null=True, blank=True)
    # The hash of a hold's secret.
    secret_hash = models.CharField(max_length=64, blank=True)
    # The network of an unverified user (see `appointments/scheduling/network_quota.py`); empty for others.
    network = models.CharField(max_length=64, blank=True)
    # Until when a hold can be renewed.
    renewable_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ReservationQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["starts_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at"), busy_until__gte=models.F("ends_at")),
                name="reservation_forwards",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["doctor", "starts_at", "busy_until"], name="reservation_of_doctor"),
            models.Index(fields=["patient", "starts_at", "ends_at"], name="reservation_of_patient"),
            models.Index(
                fields=["expires_at"], condition=models.Q(expires_at__isnull=False), name="reservation_expiring"
            ),
            models.Index(fields=["secret_hash"], condition=models.Q(expires_at__isnull=False), name="hold_of_secret"),
            models.Index(
                fields=["network", "expires_at"],
                condition=models.Q(expires_at__isnull=False),
                name="holds_of_network",
            ),
            # The rows that housekeeping deletes once their time has begun.
            models.Index(fields=["starts_at"], condition=~models.Q(network=""), name="reservations_with_network"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.starts_at:%Y-%m-%d %H:%M}"


class HeldTime(models.Model):
    """How long one user or network has held one slot, stored for some minutes after the hold's end.

    Otherwise a hold could be released and renewed beyond `MAX_HOLD_MINUTES`.
    """

    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="+")
    starts_at = models.DateTimeField()
    holder = models.CharField(max_length=64, help_text="The hash of a person's id or of a network.")
    held_seconds = models.PositiveIntegerField(help_text="In all, with shorter breaks left out.")
    ended_at = models.DateTimeField(help_text="When the last hold ended.")

    class Meta:
        ordering: ClassVar[list[str]] = ["starts_at"]
        verbose_name = "held time"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "starts_at", "holder"], name="one_held_time_per_holder"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["ended_at"], name="held_times_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.starts_at:%Y-%m-%d %H:%M}, {self.held_seconds} s"


def hash_secret(secret: str) -> str:
    """Return the stored hash of a hold's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
