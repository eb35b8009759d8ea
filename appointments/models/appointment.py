"""The visit and its states."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.formats import date_format

from accounts.models import Role, User, new_id
from accounts.trail import Action, notify, record
from appointments.models.moves import Proposal
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


# Who a visit can have been cancelled by, when it was not a person.
SYSTEM = "system"
EXPIRED = "expired"


class AppointmentQuerySet(models.QuerySet["Appointment"]):
    def visible_to(self, user: User) -> "AppointmentQuerySet":
        """Keep the visits that this person may see: their own, or all for an admin."""
        return self if user.role == Role.ADMIN else self.of_person(user)

    def of_person(self, person: User) -> "AppointmentQuerySet":
        """Keep a person's own visits, on whichever side of them: an admin has none."""
        return self.filter(**{"doctor" if person.role == Role.DOCTOR else "patient": person.pk})

    def locked_in_order(self) -> "AppointmentQuerySet":
        """Lock these until the transaction ends, the earliest first: whoever locks several does it in this order."""
        return self.order_by("starts_at", "pk").select_for_update(of=("self",), no_key=True)

    def live(self, now: datetime) -> "AppointmentQuerySet":
        """Keep the visits that are still to happen; a request past its deadline is not, even before it is swept."""
        return self.filter(models.Q(status=Status.CONFIRMED) | models.Q(status=Status.PENDING, respond_by__gt=now))

    def overdue(self, now: datetime) -> "AppointmentQuerySet":
        """Keep the requests whose deadline has passed."""
        return self.filter(status=Status.PENDING, respond_by__lte=now)

    def with_status(self, status: str, now: datetime) -> "AppointmentQuerySet":
        """Keep the visits that read as `status` now."""
        overdue = models.Q(status=Status.PENDING, respond_by__lte=now)
        if status == Status.PENDING:
            return self.filter(status=status).exclude(overdue)
        if status == Status.CANCELLED:
            return self.filter(models.Q(status=status) | overdue)
        return self.filter(status=status)

    def not_cancelled(self, now: datetime) -> "AppointmentQuerySet":
        """Leave out the visits that were cancelled, and the requests past their deadline, which read as such."""
        return self.filter(
            models.Q(status__in=(Status.CONFIRMED, Status.COMPLETED))
            | models.Q(status=Status.PENDING, respond_by__gt=now)
        )

    def on_dates(self, first: date | None = None, last: date | None = None) -> "AppointmentQuerySet":
        """Keep the visits from one date of the clinic's to another, both included.

        Their instants are narrowed too, a day wider, since those are what the indexes hold.
        """
        visits = self
        if first is not None:
            visits = visits.filter(date__gte=first, starts_at__gte=utc_midnight(first, -1))
        if last is not None:
            visits = visits.filter(date__lte=last, starts_at__lt=utc_midnight(last, 2))
        return visits

    def not_over(self, now: datetime) -> "AppointmentQuerySet":
        """Keep the visits that have not ended."""
        return self.filter(ends_at__gt=now, starts_at__gt=now - LONGEST)

    def unfinished(self, now: datetime) -> "AppointmentQuerySet":
        """Keep the confirmed visits whose end has passed: the doctor has not said yet how they went."""
        return self.filter(status=Status.CONFIRMED, starts_at__lt=now, ends_at__lte=now)

    def asking(self, now: datetime) -> "AppointmentQuerySet":
        """Keep the visits whose patient waits for the doctor's word: on "I cannot come", or on another time."""
        return self.live(now).filter(asking(now))

    def waiting(self, now: datetime) -> "AppointmentQuerySet":
        """Keep the visits that wait for the doctor's word: requests, and confirmed ones whose patient asks."""
        return self.live(now).filter(models.Q(status=Status.PENDING) | asking(now))

    def with_people(self) -> "AppointmentQuerySet":
        """Read along what the wire needs of a visit's people and of the time that is proposed for it."""
        open_ones = Proposal.objects.filter(answer=Proposal.Answer.OPEN)
        return self.select_related("doctor__user", "patient").prefetch_related(models.Prefetch("proposals", open_ones))


# No visit lasts longer; see the doctor's `visit_minutes`.
LONGEST = timedelta(days=1)


def asking(now: datetime) -> models.Q:
    """Say when a live visit's patient waits for the doctor's word."""
    proposed = Proposal.objects.filter(
        answer=Proposal.Answer.OPEN, proposed_by=Role.PATIENT, expires_at__gt=now
    ).order_by()
    return models.Q(status=Status.CONFIRMED, cancel_requested_at__isnull=False) | models.Q(
        pk__in=proposed.values("appointment")
    )


def utc_midnight(day: date, days: int) -> datetime:
    """Answer the midnight, in UTC, so many days from a date, or the calendar's edge before that."""
    ordinal = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return datetime.combine(date.fromordinal(ordinal), time.min, UTC)


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
    # The record as it stands now: its last `VisitRecord`, kept here for the lists. Version 0 is "nothing written yet".
    doctor_notes = models.TextField(max_length=4000, blank=True)
    diagnosis = models.TextField(max_length=4000, blank=True)
    prescription_notes = models.TextField(max_length=4000, blank=True)
    # [{"medicine", "dose", "frequency", "days"}, …]; replaced as a whole, never queried inside.
    prescription_items = models.JSONField(default=list, blank=True)
    follow_up_days = models.PositiveSmallIntegerField(null=True, blank=True)
    record_version = models.PositiveIntegerField(default=0)
    recorded_at = models.DateTimeField(null=True, blank=True)

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
    # When the doctor answered a request with yes; None where nobody was asked.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.CharField(max_length=8, blank=True, help_text="A role, or `system`.")
    cancel_reason = models.CharField(max_length=500, blank=True)
    # "I cannot come": the patient of a confirmed visit asks the doctor to cancel it.
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    cancel_request_reason = models.CharField(max_length=500, blank=True)
    # Whether the patient came; known once the visit is completed.
    attended = models.BooleanField(null=True, blank=True)
    booked_by = models.CharField(max_length=8, default=Role.PATIENT, help_text="The role that booked.")
    # Kept by the doctor although a change of hours would no longer offer it.
    outside_hours = models.BooleanField(default=False)
    # Rises with every change: the version a notice tells of, and a calendar file's SEQUENCE.
    version = models.PositiveIntegerField(default=1)

    # The moment as of which it is written for a reader; whoever writes it says.
    as_of: datetime

    objects = AppointmentQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-starts_at", "id"]
        # For staff who are no superusers.
        permissions = [
            ("cancel_appointment", "Can cancel an appointment, with a reason"),
            ("view_clinical", "Can read clinical text"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(status__in=Status.values), name="appointment_status_known"),
            models.CheckConstraint(condition=models.Q(ends_at__gt=models.F("starts_at")), name="appointment_forwards"),
            models.CheckConstraint(
                condition=~models.Q(status__in=["pending", "confirmed"]) | models.Q(claim__isnull=False),
                name="live_appointment_has_a_claim",
            ),
            models.CheckConstraint(
                condition=models.Q(status="completed", attended__isnull=False)
                | (~models.Q(status="completed") & models.Q(attended__isnull=True)),
                name="attended_once_completed",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # What tells whether a visit is over or has run out is in it too: counting needs the index alone.
            models.Index(
                fields=["doctor", "starts_at", "status", "ends_at", "respond_by"], name="appointment_of_doctor"
            ),
            models.Index(fields=["patient", "starts_at", "status"], name="appointment_of_patient"),
            models.Index(fields=["doctor", "status", "starts_at"], name="appointment_doctor_status"),
            models.Index(fields=["doctor", "patient", "starts_at", "status"], name="appointment_of_pair"),
            # Covers the sum of a doctor's earnings.
            models.Index(
                fields=["doctor", "status", "attended", "currency", "consultation_fee"], name="appointment_earnings"
            ),
            models.Index(
                fields=["doctor", "starts_at"], condition=models.Q(record_version__gt=0), name="appointment_written"
            ),
            models.Index(fields=["-starts_at", "id"], name="appointment_start"),
            # For staff, who look across all doctors.
            models.Index(fields=["status", "-starts_at", "id", "ends_at"], name="appointment_status"),
            # With the status first, so that SQLite does not take it for a doctor's own missed visits.
            models.Index(
                fields=["status", "-starts_at", "id"], condition=models.Q(attended=False), name="appointment_missed"
            ),
            models.Index(fields=["created_at"], name="appointment_created"),
            # For the admin's figures, each read over a period.
            models.Index(
                fields=["updated_at"], condition=models.Q(status="cancelled"), name="appointment_cancelled_on"
            ),
            models.Index(
                fields=["confirmed_at"], condition=models.Q(confirmed_at__isnull=False), name="appointment_confirmed_on"
            ),
            models.Index(fields=["respond_by"], condition=models.Q(status="pending"), name="appointment_deadline"),
            models.Index(
                fields=["doctor", "respond_by"], condition=models.Q(status="pending"), name="appointment_waiting"
            ),
        ]

    def __str__(self) -> str:
        when = f"{date_format(self.date)}, {self.time:%H:%M} ({self.time_zone})"
        return f"{self.patient_name} with {self.doctor_name}, {when}"

    @property
    def has_clinical_text(self) -> bool:
        """Tell whether anything stands here that is nobody's but the patient's and the doctor's."""
        return self.record_version > 0 or any(
            (self.symptoms, self.patient_notes, self.doctor_notes, self.diagnosis, self.prescription_notes)
        )

    def is_overdue(self, now: datetime) -> bool:
        """Tell whether this is a request past its deadline: it has ended, even if nobody has swept it yet."""
        return self.status == Status.PENDING and self.respond_by is not None and self.respond_by <= now

    def may_move(self, status: str, by: User, now: datetime) -> bool:
        """Tell whether `by`, who can see this visit, may take it to `status` now."""
        if self.is_overdue(now):
            return False
        if status in TRANSITIONS[by.role].get(self.status, ()):
            return True
        if (self.status, status) != (Status.CONFIRMED, Status.CANCELLED):
            return False
        if by.role == Role.DOCTOR:
            return bool(settings.DOCTOR_CANCELS_CONFIRMED) or self.cancel_requested_at is not None
        hours = settings.PATIENT_CANCELS_CONFIRMED_UNTIL_HOURS
        return by.role == Role.PATIENT and hours is not None and (self.starts_at - now).total_seconds() >= hours * 3600

    def stands_by(self, status: str, by: User) -> bool:
        """Tell whether the visit is already where `by` was allowed to put it, so that asking again is no fault."""
        if self.status != status:
            return False
        if status == Status.CANCELLED:
            # A doctor who accepted "I cannot come" cancelled at the patient's request.
            accepted = by.role == Role.DOCTOR and self.cancel_requested_at is not None
            return self.cancelled_by == by.role or (accepted and self.cancelled_by == Role.PATIENT)
        return any(status in targets for targets in TRANSITIONS[by.role].values())

    def needs_reason_from(self, by: User) -> bool:
        """Tell whether `by` must say why when cancelling this visit."""
        if by.role == Role.DOCTOR:
            return self.status == Status.CONFIRMED and self.cancel_requested_at is None
        return by.role == Role.ADMIN

    def move_to(self, status: str, *, by: User, now: datetime, reason: str = "", attended: bool | None = None) -> None:
        """Take the visit to another status: the only road there is.

        Writes the audit row and the other side's notice in the same transaction; a cancelled visit gives its time
        back. Completing says whether the patient came; saying so again the other way corrects it. Raises
        `illegal_transition` where the table forbids it, someone else was quicker, or a visit that has not started is
        called missed.
        """
        if self.stands_by(status, by):
            if status == Status.COMPLETED and attended is not None and attended != self.attended:
                self.correct_attendance(attended, by=by, now=now)
            return
        if not self.may_move(status, by, now):
            raise RuleBroken(
                "illegal_transition", errors={"status": [f"A {self.status} appointment can't become {status}."]}
            )
        if status == Status.CANCELLED and self.needs_reason_from(by) and not reason:
            raise RuleBroken("invalid", errors={"reason": ["Please give a reason."]})
        if status == Status.COMPLETED and attended is False:
            self.refuse_missing_early(now)
        before = self.status
        changes: dict[str, object] = {
            "status": status,
            "updated_at": now,
            "version": self.version + 1,
            "respond_by": None,
        }
        if status == Status.CONFIRMED:
            changes["confirmed_at"] = now
        if status == Status.COMPLETED:
            changes["attended"] = attended is not False
        if status == Status.CANCELLED:
            asked = self.cancel_requested_at is not None and by.role == Role.DOCTOR
            # Accepting "I cannot come" cancels at the patient's request.
            changes |= {
                "cancelled_by": Role.PATIENT if asked else by.role,
                "cancel_reason": self.cancel_request_reason if asked else reason,
                "claim": None,
            }
        with transaction.atomic():
            if not self.change(changes):
                if self.stands_by(status, by):
                    return
                raise RuleBroken("illegal_transition")
            record(
                f"appointment.{status}",
                Action.UPDATE,
                "appointment",
                self.pk,
                by=by,
                detail={"from": before, "to": status} | ({"attended": False} if self.attended is False else {}),
            )
            others = {self.patient_id, self.doctor_id} - {by.pk}
            # From where it came says whether a request was declined or a visit cancelled.
            notify(
                f"appointment.{status}", "appointment", self.pk, others, version=self.version, detail={"from": before}
            )  # fmt: skip

    def correct_attendance(self, attended: bool, *, by: User, now: datetime) -> None:
        """Say of a completed visit that the patient came after all, or did not.

        Raises `illegal_transition` where someone else was quicker, or a visit that has not started is called missed.
        """
        if not attended:
            self.refuse_missing_early(now)
        with transaction.atomic():
            if not self.change({"attended": attended, "updated_at": now, "version": self.version + 1}):
                raise RuleBroken("illegal_transition")
            record(
                "appointment.attendance_corrected",
                Action.UPDATE,
                "appointment",
                self.pk,
                by=by,
                detail={"attended": attended},
            )

    def refuse_missing_early(self, now: datetime) -> None:
        """Raise `illegal_transition` for a visit that nobody can have missed yet."""
        if self.starts_at > now:
            raise RuleBroken(
                "illegal_transition", errors={"attended": ["A visit that has not started can't be missed."]}
            )

    def change(self, changes: dict[str, Any]) -> bool:
        """Write `changes` if the visit is still as it was read, and let go of what a visit that ends no longer needs.

        False, and the visit read anew, where someone else was quicker. Call it inside a transaction.
        """
        claim_id = self.claim_id
        moved = Appointment.objects.filter(pk=self.pk, status=self.status, version=self.version).update(**changes)
        if not moved:
            self.refresh_from_db()
            return False
        for name, value in changes.items():
            setattr(self, name, value)
        if self.status not in LIVE:
            for proposal in self.proposals.filter(answer=Proposal.Answer.OPEN):
                proposal.close(Proposal.Answer.WITHDRAWN, self.updated_at)
        if self.status == Status.CANCELLED and claim_id:
            Claim.objects.filter(pk=claim_id).delete()
        elif claim_id and "respond_by" in changes:
            # An unanswered request gives its time back at its deadline.
            Claim.objects.filter(pk=claim_id).update(expires_at=self.respond_by)
        return True

    def expire(self, now: datetime) -> bool:
        """End a request that nobody answered in time; answers False where someone was quicker."""
        changes = {
            "status": Status.CANCELLED,
            "updated_at": now,
            "version": self.version + 1,
            "cancelled_by": SYSTEM,
            "cancel_reason": EXPIRED,
            "claim": None,
        }
        with transaction.atomic():
            if not self.is_overdue(now) or not self.change(changes):
                return False
            record("appointment.expired", Action.UPDATE, "appointment", self.pk, by=None)
            notify(
                "appointment.expired", "appointment", self.pk, [self.patient_id, self.doctor_id], version=self.version
            )
        return True
