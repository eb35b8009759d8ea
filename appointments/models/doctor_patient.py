"""Who is whose patient."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from django.db import models
from django.utils import timezone

from accounts.models import Gender, User
from accounts.text.substring_search import FoldedTextField, fold_person, match_words
from config.db.raw_sql import Insert
from doctors.models import DoctorProfile

# What a doctor's patients are found, ordered and counted by: kept beside the pair, so that none of it asks the table
# of all people.
COPIED = ("name", "email", "gender", "search_text")


# What becomes of a pair that is there already: a patient who books again.
AGAIN = "ON CONFLICT (doctor_id, patient_id) DO UPDATE SET " + ", ".join(
    f"{column} = excluded.{column}" for column in ("last_booked_at", *COPIED)
)


class PatientOfDoctorQuerySet(models.QuerySet["PatientOfDoctor"]):
    def found(self, text: str) -> "PatientOfDoctorQuerySet":
        """Keep those whose name or email address contains each word of `text`."""
        return self.filter(match_words(text, "search_text"))


class PatientOfDoctor(models.Model):
    """A patient who has booked with a doctor: whom the doctor may see. Never taken back."""

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
            # Seldom any: what the housekeeping folds.
            models.Index(fields=["id"], condition=models.Q(search_text=None), name="patients_not_folded"),
        ]

    def __str__(self) -> str:
        return f"{self.patient_id} of {self.doctor_id}"

    def folded_text(self) -> str:
        """Return what this patient is searched by."""
        return fold_person(self.name, self.email)

    @classmethod
    def of(cls, doctor_id: UUID, patient: User, when: datetime) -> "PatientOfDoctor":
        """Make the row, unsaved, of a patient who booked at `when`."""
        return cls(doctor_id=doctor_id, patient=patient, since=when, last_booked_at=when, **copied(patient))


def keeping(doctor_id: UUID, patient: User, now: datetime) -> Insert:
    """Say how it is noted that this patient has booked with this doctor, for the first time or again."""
    return Insert([PatientOfDoctor.of(doctor_id, patient, now)], AGAIN)


def copied(patient: User) -> dict[str, Any]:
    """Return what a patient is found by; an account that has ended shows no address, and is not found by it."""
    email = "" if patient.ended_at else patient.email
    return {
        "name": patient.name,
        "email": email,
        "gender": patient.gender,
        "search_text": fold_person(patient.name, email),
    }


def follow(sender: type[User], instance: User, created: bool, update_fields: Any = None, **kwargs: Any) -> None:
    """Carry a change of a person over to the rows that they are found by; called after each save of a `User`."""
    if created or (update_fields is not None and not {*COPIED, "ended_at"} & set(update_fields)):
        return
    PatientOfDoctor.objects.filter(patient=instance).update(**copied(instance))
