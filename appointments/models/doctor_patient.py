"""Patients of doctors."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import models
from django.utils import timezone

from accounts.models import Gender, User
from accounts.text.substring_search import FoldedTextField, fold_person, match_words
from config.db.raw_sql import Insert
from doctors.models import DoctorProfile

# Copied from the user, so that searching, ordering and counting a doctor's patients needs no join.
COPIED_FIELDS = ("name", "email", "gender", "search_text")


# For a patient who books again.
UPDATE_ON_CONFLICT = "ON CONFLICT (doctor_id, patient_id) DO UPDATE SET " + ", ".join(
    f"{column} = excluded.{column}" for column in ("last_booked_at", *COPIED_FIELDS)
)


class PatientOfDoctorQuerySet(models.QuerySet["PatientOfDoctor"]):
    def search(self, text: str) -> "PatientOfDoctorQuerySet":
        """Return the patients whose name or email address contains each word of `text`."""
        return self.filter(match_words(text, "search_text"))


class PatientOfDoctor(models.Model):
    """A patient who has booked with a doctor, and whom the doctor may see. Never deleted."""

    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="+")
    patient = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now)
    last_booked_at = models.DateTimeField(default=timezone.now)
    name = models.CharField(max_length=120, blank=True)
    email = models.CharField(max_length=254, blank=True)
    gender = models.CharField(max_length=8, choices=Gender.choices, default=Gender.OTHER)
    search_text = FoldedTextField()

    objects = PatientOfDoctorQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-last_booked_at", "-pk"]
        verbose_name_plural = "patients of doctors"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "patient"], name="one_row_per_doctor_and_patient"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["doctor", "-last_booked_at", "-id"], name="patients_of_doctor"),
            models.Index(fields=["doctor", "name", "id"], name="patients_by_name"),
            models.Index(fields=["doctor", "gender"], name="patients_by_gender"),
            # Usually empty: the rows that housekeeping folds.
            models.Index(fields=["id"], condition=models.Q(search_text=None), name="patients_not_folded"),
        ]

    def __str__(self) -> str:
        return f"{self.patient_id} of {self.doctor_id}"

    def folded_text(self) -> str:
        """Return the value of `search_text`."""
        return fold_person(self.name, self.email)

    @classmethod
    def build(cls, doctor_id: UUID, patient: User, when: datetime) -> "PatientOfDoctor":
        """Return the unsaved row of a patient who booked at `when`."""
        return cls(doctor_id=doctor_id, patient=patient, since=when, last_booked_at=when, **get_copied_values(patient))


def build_upsert(doctor_id: UUID, patient: User, now: datetime) -> Insert:
    """Return the upsert for a patient who books with a doctor."""
    return Insert([PatientOfDoctor.build(doctor_id, patient, now)], UPDATE_ON_CONFLICT)


def get_copied_values(patient: User) -> dict[str, Any]:
    """Return the copied fields of a patient, without the address of a closed account."""
    email = "" if patient.ended_at else patient.email
    return {
        "name": patient.name,
        "email": email,
        "gender": patient.gender,
        "search_text": fold_person(patient.name, email),
    }


def update_copies(sender: type[User], instance: User, created: bool, update_fields: Any = None, **kwargs: Any) -> None:
    """Copy changes of a user to their rows; called after each save of a `User`."""
    if created or (update_fields is not None and not {*COPIED_FIELDS, "ended_at"} & set(update_fields)):
        return
    PatientOfDoctor.objects.filter(patient=instance).update(**get_copied_values(instance))
