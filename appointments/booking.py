"""Book a visit."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.models import Role, User
from accounts.standing import hold_active
from accounts.trail import Action, notify, record
from appointments import caps, expiry
from appointments.models import Appointment, PatientOfDoctor, Status
from config.errors import RuleBroken
from doctors.calendar import Calendar, keep_next_free, share_lock, slot_on_wire
from doctors.claims import Sweep, in_the_way, save, take
from doctors.free_times import Reason, Refusal, Slot
from doctors.models import Claim, DoctorProfile


def book(
    patient: User,
    doctor_id: UUID,
    day: date,
    time: str,
    *,
    symptoms: str,
    notes: str,
    now: datetime,
    hold_secret: str = "",
) -> tuple[Appointment, bool]:
    """Book `patient` with a doctor at the clinic's local `day` and `time`; answer the visit and whether it is new.

    The patient's own holds, and the one that `hold_secret` stands for, do not stand in the way and are used up. Asking
    again for a time that one has already answers the visit that stands. Writes the claim, the visit, the
    audit row and both sides' notices in one transaction. Raises `doctor_unavailable`, `time_not_offered`,
    `slot_taken` or `patient_busy`, the last three with the nearest free times, `requests_full` or `booked_too_often`.
    """
    with transaction.atomic():
        share_lock(doctor_id)
        if not hold_active(patient, alone=True):
            raise RuleBroken("session_ended")
        doctor = bookable_doctor(doctor_id)
        held = list(Claim.objects.holds_of(patient, hold_secret))
        ignoring = [claim.pk for claim in held]
        found = Calendar.of(doctor, now, ignoring=ignoring).find(day, time)
        claim = None
        if isinstance(found, Slot):
            caps.refuse_too_many_of_patient(patient, now)
            respond_by = None if doctor.instant_confirmation else answer_by(found, now)
            claim = claim_for_visit(doctor, patient, found, held, respond_by, now)
        if claim is None or isinstance(found, Refusal):
            standing = visit_that_stands(patient, doctor, day, time, now)
            if standing:
                return standing, False
            raise why_refused(found, doctor, patient, day, time, now, ignoring=ignoring)
        appointment = write(doctor, patient, claim, found, symptoms=symptoms, notes=notes, now=now)
        PatientOfDoctor.objects.keep(doctor.pk, patient, now)
        record("appointment.booked", Action.CREATE, "appointment", appointment.pk, by=patient)
        notify("appointment.booked", "appointment", appointment.pk, [patient, doctor.pk], version=appointment.version)
        if may_change_next_free(doctor, claim):
            keep_next_free([doctor.pk], now)
    return appointment, True


def may_change_next_free(doctor: DoctorProfile, claim: Claim) -> bool:
    """Tell whether time just taken can be what the doctor's next free time was kept for."""
    return doctor.next_free_at is None or claim.starts_at <= doctor.next_free_at + timedelta(days=1)


def claim_for_visit(
    doctor: DoctorProfile,
    patient: User,
    slot: Slot,
    held: Sequence[Claim],
    respond_by: datetime | None,
    now: datetime,
) -> Claim | None:
    """Turn the hold of this very time into the visit's claim, or take the time; other holds are let go.

    `respond_by` is when the claim runs out unless the doctor answers; None for a visit that is confirmed at once.
    """
    kept = next(
        (claim for claim in held if claim.doctor_id == doctor.pk and claim.starts_at == slot.starts_at_utc), None
    )
    others = [claim for claim in held if claim is not kept]
    if others:
        expiry.let_go(Claim.objects.filter(pk__in=[claim.pk for claim in others]), now)
    if kept:
        # The time stays taken throughout: nobody can step in between.
        fresh = Claim.objects.select_for_update().filter(pk=kept.pk, kind=Claim.Kind.HOLD).first()
        if fresh:
            fresh.kind, fresh.patient_id, fresh.expires_at = Claim.Kind.VISIT, patient.pk, respond_by
            fresh.secret_hash = fresh.network = ""
            # The doctor's rules may have changed since the time was held.
            fresh.ends_at, fresh.busy_until = slot.ends_at_utc, slot.busy_until_utc
            fields = ["kind", "patient", "expires_at", "secret_hash", "network", "ends_at", "busy_until"]
            return fresh if save(fresh, fields) else None
    return take(Claim.Kind.VISIT, doctor, patient.pk, slot, now, expires_at=respond_by, sweep=sweeper(now))


def answer_by(slot: Slot, now: datetime) -> datetime:
    """Answer the deadline of a request: so many hours, and never later than the start."""
    return min(now + timedelta(hours=settings.REQUEST_ANSWER_HOURS), slot.starts_at_utc)


def sweeper(now: datetime) -> Sweep:
    """Answer how to end what hangs on claims that have run out and stand in the way."""
    return lambda claims: expiry.sweep(claims, now)


def bookable_doctor(doctor_id: UUID) -> DoctorProfile:
    """Answer an approved, active doctor; raises `doctor_unavailable` for any other id."""
    doctor = DoctorProfile.objects.approved().select_related("user").filter(pk=doctor_id).first()
    if doctor is None:
        unavailable = RuleBroken("doctor_unavailable")
        unavailable.errors = {"doctorId": [unavailable.message]}
        raise unavailable
    return doctor


def write(
    doctor: DoctorProfile,
    patient: User,
    claim: Claim,
    slot: Slot,
    *,
    symptoms: str,
    notes: str,
    now: datetime,
    booked_by: str = Role.PATIENT,
    outside_hours: bool = False,
) -> Appointment:
    """Insert the visit that owns `claim`; where the claim runs out, the visit waits for an answer until then."""
    visit = visit_in(doctor, patient, slot)
    visit.claim, visit.symptoms, visit.patient_notes = claim, symptoms, notes
    visit.status = Status.PENDING if claim.expires_at else Status.CONFIRMED
    visit.respond_by = claim.expires_at
    visit.booked_by, visit.outside_hours = booked_by, outside_hours
    visit.created_at = visit.updated_at = now
    visit.save(force_insert=True)
    return visit


def visit_in(doctor: DoctorProfile, patient: User, slot: Slot) -> Appointment:
    """Make a visit in a slot, unsaved, with names, place, fee and currency as they are now."""
    return Appointment(
        doctor=doctor,
        patient=patient,
        date=slot.date,
        time=clock_time.fromisoformat(slot.time),
        time_zone=doctor.time_zone,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        doctor_name=doctor.user.name,
        patient_name=patient.name,
        specialization=doctor.specialization,
        hospital_name=doctor.hospital_name,
        hospital_street=doctor.hospital_street,
        hospital_city=doctor.hospital_city,
        hospital_state=doctor.hospital_state,
        hospital_zip_code=doctor.hospital_zip_code,
        hospital_phone=doctor.hospital_phone,
        consultation_fee=doctor.consultation_fee,
        currency=settings.CURRENCY,
    )


def visit_that_stands(patient: User, doctor: DoctorProfile, day: date, time: str, now: datetime) -> Appointment | None:
    """Answer the live visit that this patient has with this doctor at this time."""
    return (
        Appointment.objects.live(now)
        .select_related("doctor__user", "patient")
        .filter(patient=patient, doctor=doctor, date=day, time=time)
        .first()
    )


def why_refused(
    found: Slot | Refusal,
    doctor: DoctorProfile,
    patient: User | None,
    day: date,
    time: str,
    now: datetime,
    *,
    ignoring: Collection[UUID] = (),
) -> RuleBroken:
    """Name the rule that refuses a time, with the nearest free times."""
    reason = found.reason if isinstance(found, Refusal) else lost_race(found, doctor, patient, now)
    code = {Reason.TAKEN: "slot_taken", Reason.HELD: "slot_taken", Reason.PATIENT_BUSY: "patient_busy"}.get(
        reason, "time_not_offered"
    )
    # Read anew: what was read before a lost race has just been overtaken.
    calendar = Calendar.of(doctor, now, ignoring=ignoring)
    refusal = RuleBroken(
        code,
        data={
            "reason": reason.value,
            "alternatives": [slot_on_wire(slot) for slot in calendar.alternatives(day, time, patient)],
        },
    )
    refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal


def lost_race(slot: Slot, doctor: DoctorProfile, patient: User | None, now: datetime) -> Reason:
    """Say which of the two constraints refused a slot that the calendar had free."""
    wanted = Claim(
        doctor=doctor,
        patient=patient,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        busy_until=slot.busy_until_utc,
    )
    if in_the_way(wanted).filter(doctor=doctor).exists():
        return Reason.TAKEN
    return Reason.PATIENT_BUSY
