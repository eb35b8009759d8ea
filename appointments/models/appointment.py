"""Appointments and their status transitions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, ClassVar, TypeAlias
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.formats import date_format

from accounts.audit.log import Action, record_event
from accounts.models import Role, User
from accounts.models.identifiers import new_id
from accounts.notifications.outbox import notify_users
from accounts.text.substring_search import FoldedTextField, fold_person
from appointments.models.rescheduling import Proposal
from config.api.errors import DomainError
from config.countries import default_country
from doctors.availability.calendar import schedule_next_free_refresh
from doctors.models import DoctorProfile, Reservation


class Status(models.TextChoices):
    PENDING = "pending"
    CONFIRMED = "confirmed"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


LIVE = (Status.PENDING, Status.CONFIRMED)

# Who can take an appointment from where to where: section 4 of the specification, as PRODUCT.md 5, 26, 28 and 33
# settle it. `CONDITIONS` says when a step is open; accepted proposals and moves by the desk, which confirm a request
# too, are in moving.py.
TRANSITIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    Role.PATIENT: {Status.PENDING: (Status.CANCELLED,), Status.CONFIRMED: (Status.CANCELLED,)},
    Role.DOCTOR: {
        Status.PENDING: (Status.CONFIRMED, Status.CANCELLED),
        # Back to pending: undo. A completed appointment that is confirmed once more has been reopened.
        Status.CONFIRMED: (Status.COMPLETED, Status.CANCELLED, Status.PENDING),
        Status.COMPLETED: (Status.CONFIRMED,),
    },
    Role.ADMIN: {Status.PENDING: (Status.CANCELLED,), Status.CONFIRMED: (Status.CANCELLED,)},
}
# These steps have an endpoint of their own ("I can't make it", undo, reopen); the plain status change refuses them.
DEDICATED_STEPS = frozenset(
    {
        (Role.PATIENT, Status.CONFIRMED, Status.CANCELLED),
        (Role.DOCTOR, Status.CONFIRMED, Status.PENDING),
        (Role.DOCTOR, Status.COMPLETED, Status.CONFIRMED),
    }
)

# How long a confirmation can be undone; its notifications wait as long.
UNDO_WINDOW = timedelta(seconds=10)
# How long after completing it a doctor can reopen an appointment.
REOPEN_WINDOW = timedelta(hours=24)
# How long before its start an appointment can be completed.
EARLY_COMPLETION = timedelta(minutes=15)
# How long a patient can cancel an instantly confirmed booking, and until how long before the start.
WITHDRAWAL_WINDOW, WITHDRAWAL_NOTICE = timedelta(minutes=15), timedelta(hours=2)


# `cancelled_by` and `cancel_reason` of a request that expired.
SYSTEM = "system"
EXPIRED = "expired"
# `cancel_reason` after an account was closed, by the role of its user.
ACCOUNT_CLOSED_REASONS: Mapping[str, str] = {
    Role.DOCTOR: "The doctor's account has been closed.",
    Role.PATIENT: "The patient's account has been closed.",
}


class Cause(models.TextChoices):
    """Why a status changes."""

    REQUEST = "request", "a user sets the status"
    DEDICATED = "dedicated", "a user takes one of `DEDICATED_STEPS` at its own endpoint"
    EXPIRY = "expiry", "nobody answered a request in time"
    ACCOUNT_CLOSURE = "account_closure", "the account of the patient or the doctor is closed"
    RESCHEDULING = "rescheduling", "a new time is agreed, which confirms a request"


USER_CAUSES = frozenset({Cause.REQUEST, Cause.DEDICATED})


@dataclass(frozen=True)
class NewTime:
    """The agreed time of an appointment: its fields, the event, and the history row."""

    fields: Mapping[str, Any]
    event: str
    change_id: int


def fold_pair(patient_name: str, doctor_name: str) -> str:
    """Return both names folded, with a bar between them: `ada sample | bo other`."""
    return f"{fold_person(patient_name)} | {fold_person(doctor_name)}"


class AppointmentQuerySet(models.QuerySet["Appointment"]):
    def visible_to(self, user: User) -> "AppointmentQuerySet":
        """Return the appointments that a user may see: their own, or all for an admin."""
        return self if user.role == Role.ADMIN else self.of_user(user)

    def of_user(self, user: User) -> "AppointmentQuerySet":
        """Return the appointments of a user as patient or doctor; admins have none."""
        return self.filter(**{"doctor" if user.role == Role.DOCTOR else "patient": user.pk})

    def locked_in_order(self) -> "AppointmentQuerySet":
        """Lock the rows until the transaction ends, the earliest first (ADR 0102)."""
        return self.order_by("starts_at", "pk").select_for_update(of=("self",), no_key=True)

    def live(self, now: datetime) -> "AppointmentQuerySet":
        """Return pending and confirmed appointments, without requests past their deadline."""
        return self.filter(models.Q(status=Status.CONFIRMED) | models.Q(status=Status.PENDING, respond_by__gt=now))

    def overdue(self, now: datetime) -> "AppointmentQuerySet":
        """Return the requests past their deadline that have not expired in the database."""
        return self.filter(status=Status.PENDING, respond_by__lte=now)

    def with_status(self, status: str, now: datetime) -> "AppointmentQuerySet":
        """Return the appointments whose status at `now` is `status`."""
        overdue = models.Q(status=Status.PENDING, respond_by__lte=now)
        if status == Status.PENDING:
            return self.filter(status=status).exclude(overdue)
        if status == Status.CANCELLED:
            return self.filter(models.Q(status=status) | overdue)
        return self.filter(status=status)

    def not_cancelled(self, now: datetime) -> "AppointmentQuerySet":
        """Return the appointments that are not cancelled, without requests past their deadline."""
        return self.filter(
            models.Q(status__in=(Status.CONFIRMED, Status.COMPLETED))
            | models.Q(status=Status.PENDING, respond_by__gt=now)
        )

    def on_dates(self, first: date | None = None, last: date | None = None) -> "AppointmentQuerySet":
        """Return the appointments between two local dates, both included.

        Also filters by `starts_at`, with a day's margin, because that is indexed.
        """
        appointments = self
        if first is not None:
            appointments = appointments.filter(date__gte=first, starts_at__gte=utc_midnight(first, -1))
        if last is not None:
            appointments = appointments.filter(date__lte=last, starts_at__lt=utc_midnight(last, 2))
        return appointments

    def not_ended(self, now: datetime) -> "AppointmentQuerySet":
        """Return the appointments that have not ended."""
        return self.filter(ends_at__gt=now, starts_at__gt=now - MAX_DURATION)

    def awaiting_completion(self, now: datetime) -> "AppointmentQuerySet":
        """Return the confirmed appointments that have ended and are not completed."""
        return self.filter(status=Status.CONFIRMED, starts_at__lt=now, ends_at__lte=now)

    def with_patient_request(self, now: datetime) -> "AppointmentQuerySet":
        """Return the appointments whose patient asks to cancel or proposes another time."""
        return self.live(now).filter(has_patient_request(now))

    def awaiting_doctor(self, now: datetime) -> "AppointmentQuerySet":
        """Return the appointments that need the doctor's reply.

        These are requests, and confirmed appointments whose patient asks to cancel or to move. Requests for which the
        doctor has proposed another time are not included: see `awaiting_patient`.
        """
        return self.live(now).filter(
            models.Q(status=Status.PENDING) & ~has_proposal_of_doctor(now) | has_patient_request(now)
        )

    def awaiting_patient(self, now: datetime) -> "AppointmentQuerySet":
        """Return the appointments for which the doctor has proposed a time and the patient has not replied."""
        asked_to_cancel = models.Q(status=Status.CONFIRMED, cancel_requested_at__isnull=False)
        return (
            self.live(now)
            .filter(pk__in=list_open_proposals(Role.DOCTOR, now).values("appointment"))
            .exclude(asked_to_cancel)
        )

    def with_people(self) -> "AppointmentQuerySet":
        """Load the participants and open proposals for serialization."""
        open_ones = Proposal.objects.filter(answer=Proposal.Answer.OPEN)
        return self.select_related("doctor__user", "patient").prefetch_related(models.Prefetch("proposals", open_ones))


# The longest appointment; see the doctor's `appointment_minutes`.
MAX_DURATION = timedelta(days=1)


def list_open_proposals(proposed_by: str, now: datetime) -> models.QuerySet[Proposal]:
    """Return the open proposals of one role."""
    return Proposal.objects.filter(answer=Proposal.Answer.OPEN, proposed_by=proposed_by, expires_at__gt=now).order_by()


def has_proposal_of_doctor(now: datetime) -> models.Exists:
    """Return the condition that an appointment has an open proposal of its doctor."""
    return models.Exists(list_open_proposals(Role.DOCTOR, now).filter(appointment=models.OuterRef("pk")))


def has_patient_request(now: datetime) -> models.Q:
    """Return the condition that a live appointment's patient asks to cancel or to move it."""
    proposed = list_open_proposals(Role.PATIENT, now)
    return models.Q(status=Status.CONFIRMED, cancel_requested_at__isnull=False) | models.Q(
        pk__in=proposed.values("appointment")
    )


def utc_midnight(day: date, days: int) -> datetime:
    """Return midnight in UTC this many days after a date, clamped to the calendar's range."""
    ordinal = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return datetime.combine(date.fromordinal(ordinal), time.min, UTC)


class Appointment(models.Model):
    """An appointment of a patient with a doctor.

    Date, time and zone are local to the clinic; `starts_at` and `ends_at` are the corresponding UTC instants. Names,
    place, fee and currency are copied at booking.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.PROTECT, related_name="+")
    patient = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    # Its reserved time; null once cancelled.
    reservation = models.OneToOneField(Reservation, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    status = models.CharField(max_length=9, choices=Status.choices)
    date = models.DateField()
    time = models.TimeField()
    time_zone = models.CharField(max_length=64)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    symptoms = models.TextField(max_length=2000, blank=True)
    patient_notes = models.TextField(max_length=2000, blank=True)
    # A copy of the last `AppointmentRecord`, for lists. Version 0 means that there is none.
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
    # Both names folded, for searching: the patient's before the bar, the doctor's after it.
    people_text = FoldedTextField()
    specialization = models.CharField(max_length=32)
    hospital_name = models.CharField(max_length=200)
    hospital_street = models.CharField(max_length=200, blank=True)
    hospital_city = models.CharField(max_length=100, blank=True)
    hospital_state = models.CharField(max_length=100, blank=True)
    hospital_zip_code = models.CharField(max_length=20, blank=True)
    hospital_country = models.CharField(max_length=2, blank=True, default=default_country, db_default="")
    hospital_phone = models.CharField(max_length=32, blank=True)
    consultation_fee = models.DecimalField(max_digits=8, decimal_places=2)
    currency = models.CharField(max_length=3)

    respond_by = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    # When the doctor confirmed the request; null for instant bookings.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # Who confirmed it, until when they can undo that, and the deadline to restore then.
    confirmed_by = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    undo_until = models.DateTimeField(null=True, blank=True)
    respond_by_before = models.DateTimeField(null=True, blank=True)
    # When the doctor completed it; the appointment can be reopened for a day after that.
    completed_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.CharField(max_length=8, blank=True, help_text="A role, or `system`.")
    # Whether the doctor declined the request, rather than cancelling a confirmed appointment.
    declined = models.BooleanField(default=False, db_default=False)
    cancel_reason = models.CharField(max_length=500, blank=True)
    # When the patient of a confirmed appointment asked the doctor to cancel it ("I can't make it").
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    cancel_request_reason = models.CharField(max_length=500, blank=True)
    # The doctor's message on cancelling at the patient's request; `cancel_reason` then contains the patient's.
    cancel_reply = models.CharField(max_length=500, blank=True, default="", db_default="")
    # Whether the patient came; known once the appointment is completed.
    attended = models.BooleanField(null=True, blank=True)
    booked_by = models.CharField(max_length=8, default=Role.PATIENT, help_text="The role that booked.")
    # Kept by the doctor outside of changed hours.
    outside_hours = models.BooleanField(default=False)
    # Increases with every change; the version of notices and the SEQUENCE of calendar files.
    version = models.PositiveIntegerField(default=1)

    # For whom it is serialized, and as of when; set by `appointments_on_wire`.
    as_of: datetime
    reader: User

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
                condition=~models.Q(status__in=["pending", "confirmed"]) | models.Q(reservation__isnull=False),
                name="live_appointment_has_a_reservation",
            ),
            models.CheckConstraint(
                condition=models.Q(status="completed", attended__isnull=False)
                | (~models.Q(status="completed") & models.Q(attended__isnull=True)),
                name="attended_once_completed",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Includes the columns that show whether an appointment has ended or expired, so that counts use only it.
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
            # For the dashboard's latest activity.
            models.Index(fields=["doctor", "-updated_at"], name="appointment_activity"),
            models.Index(fields=["-starts_at", "id"], name="appointment_start"),
            # For staff, who search across all doctors.
            models.Index(fields=["status", "-starts_at", "id", "ends_at"], name="appointment_status"),
            # With the status first, so that SQLite does not take it for a doctor's own missed appointments.
            models.Index(
                fields=["status", "-starts_at", "id"], condition=models.Q(attended=False), name="appointment_missed"
            ),
            models.Index(fields=["created_at"], name="appointment_created"),
            # Usually empty: the rows that housekeeping folds.
            models.Index(fields=["id"], condition=models.Q(people_text=None), name="appointment_not_folded"),
            # For analytics, over a period.
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

    def folded_text(self) -> str:
        """Return the value of `people_text`."""
        return fold_pair(self.patient_name, self.doctor_name)

    @property
    def has_clinical_text(self) -> bool:
        """Return whether there is clinical text, which only patient and doctor may read."""
        return self.record_version > 0 or any(
            (self.symptoms, self.patient_notes, self.doctor_notes, self.diagnosis, self.prescription_notes)
        )

    def is_overdue(self, now: datetime) -> bool:
        """Return whether this is a request past its deadline, which counts as cancelled."""
        return self.status == Status.PENDING and self.respond_by is not None and self.respond_by <= now

    def status_at(self, now: datetime) -> str:
        """Return the status at `now`; a request past its deadline is cancelled."""
        return Status.CANCELLED if self.is_overdue(now) else self.status

    @property
    def is_cancel_reason_administrative(self) -> bool:
        """Return whether the reason of the cancellation is from staff or a fixed text, so not clinical."""
        return self.cancelled_by in {Role.ADMIN, SYSTEM} or self.cancel_reason in ACCOUNT_CLOSED_REASONS.values()

    @property
    def is_instant_booking(self) -> bool:
        """Return whether the patient booked it with a doctor who confirms instantly."""
        return self.status == Status.CONFIRMED and self.booked_by == Role.PATIENT and self.confirmed_at is None

    def cancel_until(self, now: datetime) -> datetime | None:
        """Return until when "I can't make it" cancels at once: by the doctor's cutoff, or the withdrawal window.

        None if it only asks the doctor, or if the appointment is not confirmed.
        """
        if self.status != Status.CONFIRMED:
            return None
        ends = []
        if (hours := self.doctor.cancel_cutoff_hours) is not None:
            ends.append(self.starts_at - timedelta(hours=hours))
        if self.is_instant_booking:
            ends.append(min(self.created_at + WITHDRAWAL_WINDOW, self.starts_at - WITHDRAWAL_NOTICE))
        return max((end for end in ends if end > now), default=None)

    def reschedule_until(self, now: datetime) -> datetime | None:
        """Return until when the patient can reschedule at once; None if the patient can only propose."""
        if self.is_overdue(now) or self.starts_at <= now:
            return None
        if self.status == Status.PENDING:
            return self.respond_by
        return self.cancel_until(now) if self.doctor.instant_confirmation else None

    @property
    def completable_from(self) -> datetime | None:
        """Return when a live appointment can first be completed."""
        return self.starts_at - EARLY_COMPLETION if self.status in LIVE else None

    def reopen_until(self, now: datetime) -> datetime | None:
        """Return until when the doctor can reopen it; None once it is too late or the patient's account is closed."""
        if self.status != Status.COMPLETED or self.completed_at is None or self.reservation_id is None:
            return None
        if self.patient.ended_at is not None:
            return None
        end = self.completed_at + REOPEN_WINDOW
        return end if end > now else None

    def undo_until_for(self, person: User, now: datetime) -> datetime | None:
        """Return until when `person` can undo the confirmation; None for everybody who did not confirm it just now."""
        if self.status != Status.CONFIRMED or self.confirmed_by_id != person.pk or self.undo_until is None:
            return None
        return self.undo_until if self.undo_until > now else None

    def can_transition_to(self, status: str, actor: User, now: datetime, *, is_dedicated: bool = False) -> bool:
        """Return whether `actor`, who can see this appointment, can set `status` now.

        `is_dedicated`: through an endpoint for this step alone, see `DEDICATED_STEPS`.
        """
        return self.has_step(status, actor, now, is_dedicated=is_dedicated) and self.meets_condition(status, actor, now)

    def has_step(self, status: str, actor: User, now: datetime, *, is_dedicated: bool) -> bool:
        """Return whether the table has a step from here to `status` for `actor`."""
        if self.is_overdue(now) or status not in TRANSITIONS[actor.role].get(self.status, ()):
            return False
        return is_dedicated == ((actor.role, self.status, status) in DEDICATED_STEPS)

    def meets_condition(self, status: str, actor: User, now: datetime) -> bool:
        """Return whether a step of the table is open now."""
        condition = CONDITIONS.get((actor.role, self.status, status))
        return condition is None or condition(self, actor, now)

    def is_already(self, status: str, actor: User, now: datetime, *, is_dedicated: bool = False) -> bool:
        """Return whether it has the status already and `actor` could have set it, so that repeating it is a no-op."""
        return self.status_at(now) == status and any(
            status in targets and is_dedicated == ((actor.role, source, status) in DEDICATED_STEPS)
            for source, targets in TRANSITIONS[actor.role].items()
        )

    def needs_reason_from(self, actor: User) -> bool:
        """Return whether `actor` must give a reason for cancelling."""
        if actor.role == Role.DOCTOR:
            return self.status == Status.CONFIRMED and self.cancel_requested_at is None
        return actor.role == Role.ADMIN

    def transition_to(
        self,
        status: str,
        *,
        actor: User | None,
        now: datetime,
        cause: Cause = Cause.REQUEST,
        reason: str = "",
        attended: bool | None = None,
        is_undoable: bool = False,
        is_bulk: bool = False,
        closing: User | None = None,
        new_time: NewTime | None = None,
    ) -> bool:
        """Change the status and return whether that changed anything. No other code writes a status.

        In one transaction:

        - checks that the step is open to `actor` (`TRANSITIONS`, `CONDITIONS`) or required by the cause
        - updates the row if nobody else has changed it since it was read
        - releases the reservation of a canceled appointment, and refreshes the doctor's next free slot
        - withdraws open proposals once the appointment is no longer live
        - writes the audit event and notifies both sides

        Setting the current status again changes nothing, except that completing again with another `attended` corrects
        it. With `is_undoable` a confirmation is announced once it can't be undone any more. With
        `is_bulk` the actor gets no message of their own.

        Args:
            actor: who acts; None for the system and for an operator.
            cause: why, see `Cause`.
            closing: the user whose account is being closed, for that cause; reached at the address being given up.
            new_time: the time that is agreed, for that cause.

        Raises:
            DomainError: `illegal_transition` if the table forbids the step, another transaction was faster, or an
                appointment that has not started is marked as missed; `not_started` for completing too early;
                `invalid` for a missing reason.
        """
        if cause in USER_CAUSES:
            assert actor is not None  # noqa: S101 - these causes are a user's
            is_dedicated = cause == Cause.DEDICATED
            if self.is_already(status, actor, now, is_dedicated=is_dedicated):
                if status == Status.COMPLETED and attended is not None and attended != self.attended:
                    self.correct_attendance(attended, actor=actor, now=now)
                    return True
                return False
            self.check_step(status, actor, now, is_dedicated=is_dedicated, reason=reason, attended=attended)
        elif cause == Cause.EXPIRY and not self.is_overdue(now):
            return False
        before = self.status
        changes = {"status": status, "updated_at": now, "version": self.version + 1}
        if new_time:
            confirmed_by = actor.pk if actor and actor.role == Role.DOCTOR else None
            changes |= {"respond_by": None, "confirmed_at": now, "confirmed_by_id": confirmed_by, **new_time.fields}
        else:
            changes |= self.build_changes(
                status, actor, now, cause, reason=reason, attended=attended, is_undoable=is_undoable, closing=closing
            )
        # A doctor's proposal extends the deadline without a new version.
        conditions = {"respond_by": self.respond_by} if cause == Cause.EXPIRY else {}
        with transaction.atomic():
            if not self.compare_and_update(changes, **conditions):
                if cause == Cause.EXPIRY:
                    return False
                is_dedicated = cause == Cause.DEDICATED
                if cause in USER_CAUSES and actor and self.is_already(status, actor, now, is_dedicated=is_dedicated):
                    return False
                raise DomainError("illegal_transition")
            self.publish_transition(before, actor, cause, is_bulk=is_bulk, closing=closing, new_time=new_time)
            if status == Status.CANCELLED:
                schedule_next_free_refresh([self.doctor_id], now)
        return True

    def publish_transition(
        self,
        before: str,
        actor: User | None,
        cause: Cause,
        *,
        is_bulk: bool,
        closing: User | None,
        new_time: NewTime | None,
    ) -> None:
        """Write the audit event of a transition from `before`, and notify both sides."""
        if cause == Cause.EXPIRY:
            record_event("appointment.expired", Action.UPDATE, "appointment", self.pk, actor=None)
            self.notify_both_sides("appointment.expired", SYSTEM, before=before)
            return
        event = new_time.event if new_time else STEP_EVENTS.get((before, self.status), f"appointment.{self.status}")
        detail: dict[str, Any] = {"from": before, "to": self.status}
        if self.attended is False:
            detail["attended"] = False
        if closing:
            detail["because"] = "account"
        record_event(event, Action.UPDATE, "appointment", self.pk, actor=actor, detail=detail)
        if closing:
            self.notify_of_closure(event, before, closing)
        elif self.status != Status.PENDING:
            # The messages about an undone confirmation were not sent yet.
            assert actor is not None  # noqa: S101 - see `transition_to`
            self.notify_both_sides(
                event, actor.role, before=before,
                without=actor.pk if is_bulk or self.status == Status.COMPLETED else None,
                delay=UNDO_WINDOW if self.undo_until else timedelta(), is_bulk=is_bulk,
                **({"change": new_time.change_id} if new_time else {}),
            )  # fmt: skip

    def notify_of_closure(self, event: str, before: str, closing: User) -> None:
        """Notify both sides that closing an account cancels this appointment."""
        other = self.patient_id if self.doctor_id == closing.pk else self.doctor_id
        detail = {"by": self.cancelled_by, "from": before, "because": "account"}
        for recipient, address in ((other, ""), (closing.pk, closing.email)):
            notify_users(
                event, "appointment", self.pk, [recipient], version=self.version, address=address, detail=detail,
            )  # fmt: skip

    def check_step(
        self, status: str, actor: User, now: datetime, *, is_dedicated: bool, reason: str, attended: bool | None
    ) -> None:
        """Raise if `actor` can't take this step now; see `transition_to`."""
        if not self.has_step(status, actor, now, is_dedicated=is_dedicated):
            current = self.status_at(now)
            raise DomainError(
                "illegal_transition", errors={"status": [f"A {current} appointment can't become {status}."]}
            )
        if not self.meets_condition(status, actor, now):
            if status == Status.COMPLETED:
                raise DomainError("not_started")
            raise DomainError(
                "illegal_transition", errors={"status": [f"A {self.status} appointment can't become {status}."]}
            )
        if status == Status.CANCELLED and self.needs_reason_from(actor) and not reason:
            raise DomainError("invalid", errors={"reason": ["Please give a reason."]})
        if status == Status.COMPLETED and attended is False:
            self.check_started(now)

    def build_changes(
        self,
        status: str,
        actor: User | None,
        now: datetime,
        cause: Cause,
        *,
        reason: str,
        attended: bool | None,
        is_undoable: bool,
        closing: User | None,
    ) -> dict[str, Any]:
        """Return the other fields that a step to `status` changes."""
        if cause == Cause.EXPIRY:
            return {"cancelled_by": SYSTEM, "cancel_reason": EXPIRED, "reservation": None}
        if closing:
            return {
                "respond_by": None,
                "cancelled_by": actor.role if actor else Role.ADMIN.value,
                "cancel_reason": ACCOUNT_CLOSED_REASONS[Role(closing.role)],
                "reservation": None,
            }
        if status == Status.PENDING:
            return {
                "respond_by": self.respond_by_before,
                "respond_by_before": None,
                "confirmed_at": None,
                "confirmed_by_id": None,
            }
        if status == Status.CONFIRMED and self.status == Status.COMPLETED:
            return {"respond_by": None, "attended": None, "completed_at": None}
        assert actor is not None  # noqa: S101 - see `transition_to`
        if status == Status.CONFIRMED:
            # After its deadline, the request could not become pending again.
            last = min(now + UNDO_WINDOW, self.respond_by or now + UNDO_WINDOW)
            window = {"undo_until": last, "respond_by_before": self.respond_by} if is_undoable else {}
            return {"respond_by": None, "confirmed_at": now, "confirmed_by_id": actor.pk, **window}
        if status == Status.COMPLETED:
            return {"respond_by": None, "attended": attended is not False, "completed_at": now}
        # Accepting "I can't make it" cancels at the patient's request.
        is_accepted = self.cancel_requested_at is not None and actor.role == Role.DOCTOR
        return {
            "respond_by": None,
            "cancelled_by": Role.PATIENT if is_accepted else actor.role,
            "declined": self.status == Status.PENDING and actor.role == Role.DOCTOR,
            "cancel_reason": self.cancel_request_reason if is_accepted else reason,
            "cancel_reply": reason if is_accepted else "",
            "reservation": None,
        }

    def notify_both_sides(
        self,
        event: str,
        role: str,
        *,
        before: str,
        without: UUID | None = None,
        delay: timedelta = timedelta(),
        is_bulk: bool = False,
        **detail: Any,
    ) -> None:
        """Notify both sides of a change, including the actor, except `without`.

        `role` is the actor's, or `system`; `before` is the status before the change.
        """
        recipients = [person for person in (self.patient_id, self.doctor_id) if person != without]
        bulk = {"bulk": True} if is_bulk else {}
        notify_users(
            event, "appointment", self.pk, recipients, version=self.version,
            detail={"by": role, "from": before, **bulk, **detail}, delay=delay,
        )  # fmt: skip

    def correct_attendance(self, attended: bool, *, actor: User, now: datetime) -> None:
        """Correct on a completed appointment whether the patient came.

        Raise `illegal_transition` if another transaction was faster, or for a no-show before the start.
        """
        if not attended:
            self.check_started(now)
        with transaction.atomic():
            if not self.compare_and_update({"attended": attended, "updated_at": now, "version": self.version + 1}):
                raise DomainError("illegal_transition")
            record_event(
                "appointment.attendance_corrected",
                Action.UPDATE,
                "appointment",
                self.pk,
                actor=actor,
                detail={"attended": attended},
            )

    def check_started(self, now: datetime) -> None:
        """Raise `illegal_transition` if the appointment has not started."""
        if self.starts_at > now:
            raise DomainError(
                "illegal_transition", errors={"attended": ["An appointment that has not started can't be missed."]}
            )

    def compare_and_update(self, changes: dict[str, Any], **conditions: Any) -> bool:
        """Update the row if it is unchanged since it was read, and release the reservation of an ended appointment.

        Return False, with the row reloaded, if another transaction was faster or `conditions` don't match. Any change
        but a confirmation ends the undo window. Must be called in a transaction.
        """
        reservation_id = self.reservation_id
        changes = {"undo_until": None, **changes}
        moved = Appointment.objects.filter(
            pk=self.pk, status=self.status, version=self.version, **conditions
        ).update(**changes)  # fmt: skip
        if not moved:
            self.refresh_from_db()
            return False
        for name, value in changes.items():
            setattr(self, name, value)
        if self.status not in LIVE:
            for proposal in self.proposals.filter(answer=Proposal.Answer.OPEN):
                proposal.close(Proposal.Answer.WITHDRAWN, self.updated_at)
        if self.status == Status.CANCELLED and reservation_id:
            Reservation.objects.filter(pk=reservation_id).delete()
        elif reservation_id and "respond_by" in changes:
            # An unanswered request gives its time back at its deadline. What a doctor has confirmed counts no more for
            # the network that it was requested from.
            settled = {"network": ""} if changes.get("confirmed_at") else {}
            Reservation.objects.filter(pk=reservation_id).update(expires_at=self.respond_by, **settled)
        return True


def can_doctor_cancel(appointment: Appointment, actor: User, now: datetime) -> bool:
    """Return whether a doctor can cancel a confirmed appointment: by the setting, or if the patient asked for it."""
    return bool(settings.DOCTOR_CANCELS_CONFIRMED) or appointment.cancel_requested_at is not None


Condition: TypeAlias = Callable[[Appointment, User, datetime], bool]
# Additional conditions of steps in the table.
CONDITIONS: Mapping[tuple[str, str, str], Condition] = {
    (Role.PATIENT, Status.CONFIRMED, Status.CANCELLED): lambda one, actor, now: one.cancel_until(now) is not None,
    (Role.DOCTOR, Status.CONFIRMED, Status.CANCELLED): can_doctor_cancel,
    (Role.DOCTOR, Status.CONFIRMED, Status.COMPLETED): lambda one, actor, now: now >= one.starts_at - EARLY_COMPLETION,
    (Role.DOCTOR, Status.CONFIRMED, Status.PENDING): lambda one, actor, now: one.undo_until_for(actor, now) is not None,
    (Role.DOCTOR, Status.COMPLETED, Status.CONFIRMED): lambda one, actor, now: one.reopen_until(now) is not None,
}
# The events of steps that are not named for the new status.
STEP_EVENTS: Mapping[tuple[str, str], str] = {
    (Status.CONFIRMED, Status.PENDING): "appointment.confirmation_undone",
    (Status.COMPLETED, Status.CONFIRMED): "appointment.reopened",
}
