"""Unsent booking forms."""

from typing import ClassVar

from django.db import models

from accounts.models import User
from doctors.models import DoctorProfile


class BookingDraft(models.Model):
    """The text of one patient's booking form for one doctor; booking deletes it."""

    patient = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="+")
    symptoms = models.TextField(max_length=2000, blank=True)
    notes = models.TextField(max_length=2000, blank=True)
    saved_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["patient", "doctor"], name="one_booking_draft_per_doctor"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["saved_at"], name="booking_draft_saved")]

    def __str__(self) -> str:
        return f"booking draft {self.pk}"
