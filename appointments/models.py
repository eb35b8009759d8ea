"""The visit and its states."""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from accounts.models import Role, User, new_id
from accounts.trail import Action, notify, record
from config.errors import RuleBroken
from doctors.models import Claim, DoctorProfile


class Status(models.TextChoices):
    PENDING = "pending"
    CONFIRMED = "confirmed"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


LIVE = (Status.PENDING, Status.CONFIRMED)

# Who may take a visit from where to where: the specification's section 4, as PRODUCT.md 5 settles it.
# Two settings widen it; see `may_move`.
TRANSITIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    Role.PATIENT: {Status.PENDING: (Status.CANCELLED,)},
    Role.DOCTOR: {
        Status.PENDING: (Status.CONFIRMED, Status.CANCELLED),
        Status.CONFIRMED: (Status.COMPLETED,),
    },
    Role.ADMIN: {Status.PENDING: (Status.CANCELLED,), Status.CONFIRMED: (Status.CANCELLED,)},
}


class AppointmentQuerySet(models.QuerySet["Appointment"]):
    def visible_to(self, user: User) -> "AppointmentQuerySet":
        """Keep the visits that this person may see: their own, or all for an admin."""
        if user.role == Role.ADMIN:
            return self
        return self.filter(doctor=user.pk) if user.role == Role.DOCTOR else self.filter(patient=user.pk)

    def live(self) -> "AppointmentQuerySet":
        """Keep the visits that are still to happen."""
        return self.filter(status__in=LIVE)


class Appointment(models.Model):
    """One visit of a patient to a doctor.

    Wall-clock date, time and zone are the clinic's and do not change with the clocks; `starts_at` and `ends_at`
    are the UTC instants they stand for. Names, place, fee and currency are kept as they were at booking.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.PROTECT, related_name="+")
    patient = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    # The time it takes; gone when cancelled, kept when completed.
    claim = models.OneToOneField(Claim, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    status = models.CharField(max_length=9, choices=Status.choices)
    date = models.DateField()
    time = models.TimeField()
    time_zone = models.CharField(max_length=64)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    symptoms = models.TextField(max_length=2000, blank=True)
    patient_notes = models.TextField(max_length=2000, blank=True)
    doctor_notes = models.TextField(max_length=4000, blank=True)
    diagnosis = models.TextField(max_length=4000, blank=True)
    prescription_notes = models.TextField(max_length=4000, blank=True)

    doctor_name = models.CharField(max_length=120)
    patient_name = models.CharField(max_length=120)
    specialization = models.CharField(max_length=32)
    hospital_name = models.CharField(max_length=200)
    hospital_street = models.CharField(max_length=200, blank=True)
    hospital_city = models.CharField(max_length=100, blank=True)
    hospital_state = models.CharField(max_length=100, blank=True)
    hospital_zip_code = models.CharField(max_length=20, blank=True)
    hospital_phone = models.CharField(max_length=32, blank=True)
    consultation_fee = models.DecimalField(max_digits=8, decimal_places=2)
    currency = models.CharField(max_length=3)

    respond_by = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    cancelled_by = models.CharField(max_length=8, blank=True, help_text="A role, or `system`.")
    cancel_reason = models.CharField(max_length=500, blank=True)
    # Rises with every change: the version a notice tells of, and a calendar file's SEQUENCE.
    version = models.PositiveIntegerField(default=1)

    objects = AppointmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-starts_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(status__in=Status.values), name="appointment_status_known"),
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")), name="appointment_forwards"
            ),
            models.CheckConstraint(
                condition=~models.Q(status__in=["pending", "confirmed"]) | models.Q(claim__isnull=False),
                name="live_appointment_has_a_claim",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["doctor", "starts_at", "status"], name="appointment_of_doctor"),
            models.Index(fields=["patient", "starts_at", "status"], name="appointment_of_patient"),
            models.Index(fields=["doctor", "status", "starts_at"], name="appointment_doctor_status"),
            models.Index(fields=["starts_at"], name="appointment_start"),
        ]

    def __str__(self) -> str:
        return f"{self.patient_name} with {self.doctor_name}, {self.date} {self.time:%H:%M}"

    def may_move(self, status: str, by: User, now: datetime) -> bool:
        """Tell whether `by`, who can see this visit, may take it to `status` now."""
        if status in TRANSITIONS[by.role].get(self.status, ()):
            return True
        if (self.status, status) != (Status.CONFIRMED, Status.CANCELLED):
            return False
        if by.role == Role.DOCTOR:
            return bool(settings.DOCTOR_CANCELS_CONFIRMED)
        hours = settings.PATIENT_CANCELS_CONFIRMED_UNTIL_HOURS
        return by.role == Role.PATIENT and hours is not None and (self.starts_at - now).total_seconds() >= hours * 3600

    def stands_by(self, status: str, by: User) -> bool:
        """Tell whether the visit is already where `by` was allowed to put it, so that asking again is no fault."""
        if self.status != status:
            return False
        if status == Status.CANCELLED:
            return self.cancelled_by == by.role
        return any(status in targets for targets in TRANSITIONS[by.role].values())

    def needs_reason_from(self, by: User) -> bool:
        """Tell whether `by` must say why when cancelling this visit."""
        return by.role == Role.ADMIN or (by.role == Role.DOCTOR and self.status == Status.CONFIRMED)

    def move_to(self, status: str, *, by: User, now: datetime, reason: str = "") -> None:
        """Take the visit to another status: the only road there is.

        Writes the audit row and the other side's notice in the same transaction; a cancelled visit gives its time
        back. Raises `illegal_transition` where the table forbids it or someone else was quicker.
        """
        if self.stands_by(status, by):
            return
        if not self.may_move(status, by, now):
            raise RuleBroken("illegal_transition", errors={"status": [f"A {self.status} appointment can't become {status}."]})
        if status == Status.CANCELLED and self.needs_reason_from(by) and not reason:
            raise RuleBroken("invalid", errors={"reason": ["Please give a reason."]})
        changes: dict[str, object] = {"status": status, "updated_at": now, "version": self.version + 1, "respond_by": None}
        if status == Status.CANCELLED:
            changes |= {"cancelled_by": by.role, "cancel_reason": reason, "claim": None}
        claim_id = self.claim_id
        before = self.status
        with transaction.atomic():
            moved = Appointment.objects.filter(pk=self.pk, status=before, version=self.version).update(**changes)
            if not moved:
                self.refresh_from_db()
                if self.stands_by(status, by):
                    return
                raise RuleBroken("illegal_transition")
            if status == Status.CANCELLED and claim_id:
                Claim.objects.filter(pk=claim_id).delete()
            record(
                f"appointment.{status}", Action.UPDATE, "appointment", self.pk, by=by, detail={"from": before, "to": status}
            )
            others = {self.patient_id, self.doctor_id} - {by.pk}
            notify(f"appointment.{status}", "appointment", self.pk, others, version=self.version + 1)
        for name, value in changes.items():
            setattr(self, name, value)
