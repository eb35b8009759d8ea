"""Taken time: appointments, holds and proposals."""

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
        """Leave out the reservations that have run out."""
        return self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))

    def holds_of(self, patient: User | None, secret: str = "") -> "ReservationQuerySet":
        """Keep the holds of a signed-in patient, and the one that a secret stands for.

        An act that takes time asks for the `standing` ones: one that has run out may be swept by anybody, and
        two who each had theirs in hand would wait for each other.
        """
        own = models.Q(pk=None)
        if patient is not None:
            own |= models.Q(patient=patient)
        if secret:
            own |= models.Q(secret_hash=hashed(secret))
        # Every hold runs out; said in so many words, it leads into the index of secrets.
        return self.filter(own, kind="hold", expires_at__isnull=False)

    def locked_in_order(self) -> "ReservationQuerySet":
        """Lock these until the transaction ends, the earliest first, as everybody who locks several does."""
        return self.order_by("starts_at", "pk").select_for_update(no_key=True)


class Reservation(models.Model):
    """Taken time: a live or completed appointment, a hold or a proposal owns one row here.

    The database refuses two reservations that overlap for one doctor ([starts_at, busy_until)) or for one patient
    ([starts_at, ends_at)); see `doctors/availability/constraints.py`. Knows nothing of appointments, which point at it.
    """

    class Kind(models.TextChoices):
        APPOINTMENT = "appointment"
        HOLD = "hold"
        PROPOSAL = "proposal"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="reservations")
    # Nobody, while a signed-out visitor holds a time.
    patient = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    busy_until = models.DateTimeField(help_text="The end, with the doctor's buffer.")
    expires_at = models.DateTimeField(null=True, blank=True)
    # The reservation that this one may overlap: a proposal keeps a new time for an appointment that still has its old
    # one.
    moves = models.UUIDField(null=True, blank=True)
    # Of a hold: the hash of the secret that stands for its holder.
    secret_hash = models.CharField(max_length=64, blank=True)
    # From which network an unverified person (see `appointments/scheduling/network_quota.py`) took the time; empty for
    # others.
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
            # What the housekeeping clears once a time has begun.
            models.Index(fields=["starts_at"], condition=~models.Q(network=""), name="reservations_with_network"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.starts_at:%Y-%m-%d %H:%M}"


class HeldTime(models.Model):
    """For how long one person or network has held one time of a doctor, kept for minutes after the hold's end.

    Without it `MAX_HOLD_MINUTES` would bind nobody: a hold could be released and taken again.
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


def hashed(secret: str) -> str:
    """Hash a hold's secret, as the database keeps it."""
    return hashlib.sha256(secret.encode()).hexdigest()
