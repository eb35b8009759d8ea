"""Changes of an appointment's time, and proposals."""

from datetime import datetime
from typing import ClassVar

from django.db import models

from accounts.models import Role
from accounts.models.identifiers import new_id
from config.api.errors import register_constraint
from doctors.models import Reservation


class TimeChange(models.Model):
    """A change of an appointment's time, for its history."""

    appointment = models.ForeignKey("appointments.Appointment", on_delete=models.CASCADE, related_name="time_changes")
    changed_at = models.DateTimeField()
    changed_by = models.CharField(max_length=8, help_text="The role that asked for the new time.")
    # The doctor's message to the patient.
    reason = models.CharField(max_length=500, blank=True, default="", db_default="")
    from_date = models.DateField()
    from_time = models.TimeField()
    from_time_zone = models.CharField(max_length=64)
    to_date = models.DateField()
    to_time = models.TimeField()
    to_time_zone = models.CharField(max_length=64)

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]

    def __str__(self) -> str:
        return f"{self.from_date} {self.from_time:%H:%M} to {self.to_date} {self.to_time:%H:%M}"


class Proposal(models.Model):
    """Another time for an appointment, reserved until the other participant replies or the deadline passes."""

    class Answer(models.TextChoices):
        OPEN = "open"
        ACCEPTED = "accepted"
        DECLINED = "declined"
        EXPIRED = "expired"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    appointment = models.ForeignKey("appointments.Appointment", on_delete=models.CASCADE, related_name="proposals")
    reservation = models.OneToOneField(Reservation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    proposed_by = models.CharField(max_length=8, choices=Role.choices)
    reason = models.CharField(max_length=500, blank=True)
    date = models.DateField()
    time = models.TimeField()
    time_zone = models.CharField(max_length=64)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    # The request's deadline before a doctor's proposal; restored and extended if that is declined or expires.
    respond_by_before = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=9, choices=Answer.choices, default=Answer.OPEN)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["appointment"], condition=models.Q(answer="open"), name="one_open_proposal_per_appointment"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["expires_at"], condition=models.Q(answer="open"), name="proposal_deadline"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.time:%H:%M} ({self.answer})"

    def is_open(self, now: datetime) -> bool:
        """Return whether the other participant may still reply."""
        return self.answer == self.Answer.OPEN and self.expires_at > now

    def close(self, answer: str, now: datetime) -> bool:
        """Store the answer and release the reserved time; return False if it was answered already."""
        reservation_id = self.reservation_id
        closed = Proposal.objects.filter(pk=self.pk, answer=self.Answer.OPEN).update(
            answer=answer, answered_at=now, reservation=None
        )
        if closed and reservation_id:
            Reservation.objects.filter(pk=reservation_id).delete()
        self.answer, self.answered_at, self.reservation = answer, now, None
        return bool(closed)


register_constraint("proposal_open", "one_open_proposal_per_appointment", "appointments_proposal.appointment_id")
