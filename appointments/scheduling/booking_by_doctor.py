"""Book an appointment for a patient, at the doctor's own desk."""

from dataclasses import replace
from datetime import date, datetime, time
from uuid import UUID

from django.db import transaction

from accounts.auth.account_status import hold_active
from accounts.models import Role, User
from appointments.models import Appointment
from appointments.patients import patient_of
from appointments.scheduling import booking_limits
from appointments.scheduling.booking import appointment_in, appointment_that_stands, slot_error, write
from config.api.errors import DomainError
from doctors import slot_engine as engine
from doctors.availability.calendar import Calendar, share_lock
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Reason, Refusal, Rules, Slot, minute_of

# What a doctor may pass over for a patient of one's own.
OVERRULED = {Reason.TOO_SOON, Reason.TOO_FAR, Reason.DAY_OFF, Reason.OUTSIDE_HOURS, Reason.OFF_GRID}
# Two years, as far as a schedule can offer times at all.
FURTHEST_DAYS = 730


def book_for(
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

    Answers the appointment and whether it is new: asking again for a time that this patient has already answers the
    appointment that stands. With `outside_hours` a time is booked that patients are not offered, and marked when it
    leaves the hours; it must still be to come, and at most two years ahead. What the patient keeps by a hold does not
    stand in the way and is used up. Writes the reservation, the appointment, the audit row and the patient's notice in
    one transaction. Raises `doctor_unavailable`, `not_found` for a user who is no patient of this doctor,
    `patient_unavailable` where the account is stopped or has ended, what booking raises for a time, and
    `booked_too_often` by a rule of the doctor's own: what a patient may book is not counted.
    """
    with transaction.atomic():
        share_lock(doctor_user.pk)
        doctor = own_practice(doctor_user)
        patient = patient_of(doctor_user, patient_id).patient
        if not hold_active(patient):
            raise DomainError("patient_unavailable")
        holds = list(Reservation.objects.holds_of(patient).standing(now).locked_in_order())
        ignoring = [reservation.pk for reservation in holds]
        calendar = Calendar.of(doctor, now, ignoring=ignoring)
        found, outside = judged(calendar, day, time, outside_hours)
        appointment = None
        if isinstance(found, Slot):
            booking_limits.refuse_too_many_of_doctor(doctor, now)
            held = [reservation for reservation in holds if overlaps(reservation, found, doctor)]
            appointment = appointment_in(
                doctor, patient, found, symptoms=symptoms, created_at=now, updated_at=now,
                booked_by=Role.DOCTOR, outside_hours=outside,
            )  # fmt: skip
            if not write(appointment, found, held, None, by=doctor_user, tell=[patient, doctor_user]):
                appointment = None
        if appointment is None or isinstance(found, Refusal):
            standing = appointment_that_stands(patient, doctor, day, time, now)
            if standing:
                return standing, False
            raise told_to_a_doctor(slot_error(found, doctor, patient, day, time, now, ignoring=ignoring))
    return appointment, True


def own_practice(doctor_user: User) -> DoctorProfile:
    """Return the doctor who is signed in; raises `doctor_unavailable` without an approval."""
    doctor = DoctorProfile.objects.approved().select_related("user").filter(pk=doctor_user.pk).first()
    if doctor is None:
        raise DomainError("doctor_unavailable")
    return doctor


def judged(calendar: Calendar, day: date, time: time, outside_hours: bool) -> tuple[Slot | Refusal, bool]:
    """Ask the engine for a time, a second time under wider rules where the doctor overrules it.

    Returns what it says, and whether the time leaves the hours. What the desk books is confirmed, so the next hour,
    in which no patient could be given a reply, is open to it.
    """
    calendar = replace(calendar, rules=replace(calendar.rules, instant_confirmation=True))
    found = calendar.find(day, time)
    if not outside_hours or isinstance(found, Slot) or found.reason not in OVERRULED:
        return found, False
    once_more = Calendar(widened(calendar.rules, day, time), calendar.busy, calendar.now).find(day, time)
    if isinstance(once_more, Slot) and leaves_the_hours(calendar, once_more):
        return once_more, True
    return once_more, False


def widened(rules: Rules, day: date, time: time) -> Rules:
    """Return rules that offer one time, whatever the hours are, at no notice and two years ahead."""
    step, minute = rules.appointment_minutes + rules.buffer_minutes, minute_of(time)
    # Open some hours around it, since a clock may be set back during the appointment, and beyond midnight.
    start = minute - min(minute // step, 180 // step + 1) * step
    return replace(
        rules,
        min_notice_minutes=0,
        max_days_ahead=FURTHEST_DAYS,
        overrides={day: ((start, start + 24 * 60),)},
        blocked={},
    )


def leaves_the_hours(calendar: Calendar, slot: Slot) -> bool:
    """Return whether an appointment would be outside the hours.

    One that only starts at another minute than the grid's is not.
    """
    return bool(engine.closed_minutes(calendar.rules, slot.starts_at, (slot.ends_at - slot.starts_at) // 60))


def overlaps(reservation: Reservation, slot: Slot, doctor: DoctorProfile) -> bool:
    """Return whether a patient's reservation conflicts with a slot; buffers count for its doctor alone."""
    if reservation.doctor_id == doctor.pk:
        return reservation.starts_at < slot.busy_until_utc and slot.starts_at_utc < reservation.busy_until
    return reservation.starts_at < slot.ends_at_utc and slot.starts_at_utc < reservation.ends_at


def told_to_a_doctor(refusal: DomainError) -> DomainError:
    """Word a refusal for the doctor, who is not the one that is busy."""
    if refusal.code == "patient_busy":
        refusal.message = "This patient already has an appointment at this time."
        refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal
