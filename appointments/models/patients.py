"""Who is whose patient."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.db import models
from django.utils import timezone

from accounts.models import User
from doctors.models import DoctorProfile


class PatientOfDoctorQuerySet(models.QuerySet["PatientOfDoctor"]):
    def keep(self, doctor_id: UUID, patient_id: UUID, now: datetime) -> None:
        """Note that this patient has booked with this doctor, for the first time or again; one statement, no race."""
        self.bulk_create(
            [self.model(doctor_id=doctor_id, patient_id=patient_id, since=now, last_booked_at=now)],
            update_conflicts=True,
            unique_fields=["doctor", "patient"],
            update_fields=["last_booked_at"],
        )


class PatientOfDoctor(models.Model):
    """A patient who has booked with a doctor: whom the doctor may see. Never taken back."""

    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="+")
    patient = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now)
    last_booked_at = models.DateTimeField(default=timezone.now)

    objects = PatientOfDoctorQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-last_booked_at", "-pk"]
        verbose_name_plural = "patients of doctors"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "patient"], name="one_row_per_doctor_and_patient"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["doctor", "-last_booked_at", "-id"], name="patients_of_doctor"),
        ]

    def __str__(self) -> str:
        return f"{self.patient_id} of {self.doctor_id}"
