"""Book an appointment for a patient as their doctor."""

from dataclasses import replace
from datetime import date, datetime, time
from uuid import UUID

from django.db import transaction

from accounts.auth.account_status import lock_if_active
from accounts.models import Role, User
from appointments.models import Appointment
from appointments.patients import get_patient
from appointments.scheduling import booking_limits
from appointments.scheduling.booking import (
    build_appointment,
    build_slot_error,
    find_existing_appointment,
    write_appointment,
)
from config.api.errors import DomainError
from doctors import slot_engine as engine
from doctors.availability.calendar import Calendar, share_lock_doctor
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Reason, Refusal, Rules, Slot, to_minute

# The reasons that a doctor may override for their own patients.
OVERRIDABLE_REASONS = {Reason.TOO_SOON, Reason.TOO_FAR, Reason.DAY_OFF, Reason.OUTSIDE_HOURS, Reason.OFF_GRID}
# Two years, the maximum of a schedule.
MAX_DAYS_AHEAD = 730


def book_for_patient(
    doctor_user: User,
    patient_id: UUID,
    day: date,
    time: time,
    *,
    symptoms: str,
    outside_hours: bool,
    now: datetime,
) -> tuple[Appointment, bool]:
    """Book a patient of this doctor at the clinic's local `day` and `time`, confirmed at once.

    Returns the appointment and whether it is new: asking again for a time that this patient has already returns the
    existing appointment. With `outside_hours` a time is booked that patients are not offered, and marked when it
    leaves the hours; it must still be to come, and at most two years ahead. What the patient keeps by a hold does not
    stand in the way and is used up. Writes the reservation, the appointment, the audit row and the patient's notice in
    one transaction. Raises `doctor_unavailable`, `not_found` for a user who is no patient of this doctor,
    `patient_unavailable` where the account is stopped or has ended, what booking raises for a time, and
    `booked_too_often` by a rule of the doctor's own: what a patient may book is not counted.
    """
    with transaction.atomic():
        share_lock_doctor(doctor_user.pk)
        doctor = get_own_profile(doctor_user)
        patient = get_patient(doctor_user, patient_id).patient
        if not lock_if_active(patient):
            raise DomainError("patient_unavailable")
        holds = list(Reservation.objects.holds_of(patient).standing(now).locked_in_order())
        ignored = [reservation.pk for reservation in holds]
        calendar = Calendar.read(doctor, now, ignored=ignored)
        outcome, is_outside = find_slot_for_doctor(calendar, day, time, outside_hours)
        appointment = None
        if isinstance(outcome, Slot):
            booking_limits.refuse_too_many_of_doctor(doctor, now)
            used_holds = [reservation for reservation in holds if is_overlapping(reservation, outcome, doctor)]
            appointment = build_appointment(
                doctor, patient, outcome, symptoms=symptoms, created_at=now, updated_at=now,
                booked_by=Role.DOCTOR, outside_hours=is_outside,
            )  # fmt: skip
            if not write_appointment(
                appointment, outcome, used_holds, None, actor=doctor_user, recipients=[patient, doctor_user]
            ):
                appointment = None
        if appointment is None or isinstance(outcome, Refusal):
            existing = find_existing_appointment(patient, doctor, day, time, now)
            if existing:
                return existing, False
            raise reword_for_doctor(build_slot_error(outcome, doctor, patient, day, time, now, ignored=ignored))
    return appointment, True


def get_own_profile(doctor_user: User) -> DoctorProfile:
    """Return the current doctor; raise `doctor_unavailable` without an approval."""
    doctor = DoctorProfile.objects.approved().select_related("user").filter(pk=doctor_user.pk).first()
    if doctor is None:
        raise DomainError("doctor_unavailable")
    return doctor


def find_slot_for_doctor(calendar: Calendar, day: date, time: time, outside_hours: bool) -> tuple[Slot | Refusal, bool]:
    """Return the slot at a time or why it is not available, and whether it is outside the hours.

    Where the doctor overrules a refusal, wider rules are asked. What the desk books is confirmed, so the next hour,
    in which no patient could be given a reply, is open to it.
    """
    calendar = replace(calendar, rules=replace(calendar.rules, instant_confirmation=True))
    outcome = calendar.find_slot(day, time)
    if not outside_hours or isinstance(outcome, Slot) or outcome.reason not in OVERRIDABLE_REASONS:
        return outcome, False
    wider_outcome = Calendar(widen_rules(calendar.rules, day, time), calendar.busy, calendar.now).find_slot(day, time)
    if isinstance(wider_outcome, Slot) and is_outside_hours(calendar, wider_outcome):
        return wider_outcome, True
    return wider_outcome, False


def widen_rules(rules: Rules, day: date, time: time) -> Rules:
    """Return rules that offer one time regardless of hours and notice, up to two years ahead."""
    step, minute = rules.appointment_minutes + rules.buffer_minutes, to_minute(time)
    # Open some hours around it, since a clock may be set back during the appointment, and beyond midnight.
    start = minute - min(minute // step, 180 // step + 1) * step
    return replace(
        rules,
        min_notice_minutes=0,
        max_days_ahead=MAX_DAYS_AHEAD,
        overrides={day: ((start, start + 24 * 60),)},
        blocked={},
    )


def is_outside_hours(calendar: Calendar, slot: Slot) -> bool:
    """Return whether an appointment would be outside the hours.

    One that only starts between two offered times is not.
    """
    return bool(engine.find_closed_minutes(calendar.rules, slot.starts_at, (slot.ends_at - slot.starts_at) // 60))


def is_overlapping(reservation: Reservation, slot: Slot, doctor: DoctorProfile) -> bool:
    """Return whether a patient's reservation conflicts with a slot; buffers count for its doctor alone."""
    if reservation.doctor_id == doctor.pk:
        return reservation.starts_at < slot.busy_until_utc and slot.starts_at_utc < reservation.busy_until
    return reservation.starts_at < slot.ends_at_utc and slot.starts_at_utc < reservation.ends_at


def reword_for_doctor(refusal: DomainError) -> DomainError:
    """Return the error with a message for the doctor instead of the patient."""
    if refusal.code == "patient_busy":
        refusal.message = "This patient already has an appointment at this time."
        refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal
