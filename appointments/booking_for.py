"""Book a visit for a patient, at the doctor's own desk."""

from dataclasses import replace
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from accounts.models import Role, User
from accounts.standing import hold_active
from appointments import caps
from appointments.booking import visit_in, visit_that_stands, why_refused, write
from appointments.models import Appointment
from appointments.patients import patient_of
from appointments.schedule import OUTSIDE
from config.errors import RuleBroken
from doctors import free_times as engine
from doctors.calendar import Calendar, epoch, share_lock
from doctors.free_times import Reason, Refusal, Rules, Slot
from doctors.models import Claim, DoctorProfile, minute_of

# What a doctor may pass over for a patient of one's own.
OVERRULED = {Reason.TOO_SOON, Reason.TOO_FAR, Reason.DAY_OFF, Reason.OUTSIDE_HOURS, Reason.OFF_GRID}
# Two years, as far as a schedule can offer times at all.
FURTHEST_DAYS = 730


def book_for(
    doctor_user: User,
    patient_id: UUID,
    day: date,
    time: str,
    *,
    symptoms: str,
    outside_hours: bool,
    now: datetime,
) -> tuple[Appointment, bool]:
    """Book a patient of this doctor at the clinic's local `day` and `time`, confirmed at once.

    Answers the visit and whether it is new: asking again for a time that this patient has already answers the visit
    that stands. With `outside_hours` a time is booked that patients are not offered, and marked when it leaves the
    hours; it must still be to come, at most two years ahead, and end on its day. What the patient keeps meanwhile by
    a hold does not stand in the way and is used up. Writes the claim, the visit, the audit row and the patient's
    notice in one transaction. Raises `doctor_unavailable`, `not_found` for whoever is no patient of this doctor,
    `patient_unavailable` where the account is stopped or has ended, what booking raises for a time, and
    `booked_too_often` by a rule of the doctor's own: what a patient may book is not counted.
    """
    with transaction.atomic():
        share_lock(doctor_user.pk)
        doctor = own_practice(doctor_user)
        patient = patient_of(doctor_user, patient_id).patient
        if not hold_active(patient):
            raise RuleBroken("patient_unavailable")
        holds = list(Claim.objects.holds_of(patient).standing(now).locked_in_order())
        ignoring = [claim.pk for claim in holds]
        calendar = Calendar.of(doctor, now, ignoring=ignoring)
        found, outside = judged(calendar, day, time, outside_hours)
        visit = None
        if isinstance(found, Slot):
            caps.refuse_too_many_of_doctor(doctor, now)
            held = [claim for claim in holds if overlaps(claim, found, doctor)]
            visit = visit_in(
                doctor, patient, found, symptoms=symptoms, created_at=now, updated_at=now,
                booked_by=Role.DOCTOR, outside_hours=outside,
            )  # fmt: skip
            if not write(visit, found, held, None, by=doctor_user, tell=[patient]):
                visit = None
        if visit is None or isinstance(found, Refusal):
            standing = visit_that_stands(patient, doctor, day, time, now)
            if standing:
                return standing, False
            raise told_to_a_doctor(why_refused(found, doctor, patient, day, time, now, ignoring=ignoring))
    return visit, True


def own_practice(doctor_user: User) -> DoctorProfile:
    """Answer the doctor who is signed in; raises `doctor_unavailable` without an approval."""
    doctor = DoctorProfile.objects.approved().select_related("user").filter(pk=doctor_user.pk).first()
    if doctor is None:
        raise RuleBroken("doctor_unavailable")
    return doctor


def judged(calendar: Calendar, day: date, time: str, outside_hours: bool) -> tuple[Slot | Refusal, bool]:
    """Ask the engine for a time, a second time under wider rules where the doctor overrules it.

    Answers what it says, and whether the time leaves the hours.
    """
    found = calendar.find(day, time)
    if not outside_hours or isinstance(found, Slot) or found.reason not in OVERRULED:
        return found, False
    once_more = Calendar(widened(calendar.rules, day, time), calendar.busy, calendar.now).find(day, time)
    if isinstance(once_more, Slot) and leaves_the_hours(calendar, once_more):
        return once_more, True
    return once_more, False


def widened(rules: Rules, day: date, time: str) -> Rules:
    """Open a whole day, with a grid that has `time` on it, at no notice and two years ahead."""
    step = rules.visit_minutes + rules.buffer_minutes
    return replace(
        rules,
        min_notice_minutes=0,
        max_days_ahead=FURTHEST_DAYS,
        overrides={day: ((minute_of(time) % step, 24 * 60),)},
        blocked={},
    )


def leaves_the_hours(calendar: Calendar, slot: Slot) -> bool:
    """Tell whether a visit would leave the hours, so that a later change of them does not ask about it again.

    One that only starts at another minute than the grid's does not.
    """
    asked = replace(calendar.rules, min_notice_minutes=0, max_days_ahead=FURTHEST_DAYS)
    found = engine.find_slot(asked, [], epoch(calendar.now), slot.date, slot.time)
    return isinstance(found, Refusal) and found.reason in OUTSIDE


def overlaps(claim: Claim, slot: Slot, doctor: DoctorProfile) -> bool:
    """Tell whether what a patient's claim keeps stands in the way of a slot; buffers count for its doctor alone."""
    if claim.doctor_id == doctor.pk:
        return claim.starts_at < slot.busy_until_utc and slot.starts_at_utc < claim.busy_until
    return claim.starts_at < slot.ends_at_utc and slot.starts_at_utc < claim.ends_at


def told_to_a_doctor(refusal: RuleBroken) -> RuleBroken:
    """Word a refusal for the doctor, who is not the one that is busy."""
    if refusal.code == "patient_busy":
        refusal.message = "This patient already has a visit at this time."
        refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal
