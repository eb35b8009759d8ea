"""Book a visit."""

from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.trail import Action, notify, record
from appointments.models import LIVE, Appointment, Status
from config.errors import RuleBroken
from doctors.calendar import Calendar, keep_next_free, share_lock, slot_on_wire
from doctors.claims import in_the_way, take
from doctors.free_times import Reason, Refusal, Slot
from doctors.models import Claim, DoctorProfile


def book(
    patient: User, doctor_id: UUID, day: date, time: str, *, symptoms: str, notes: str, now: datetime
) -> tuple[Appointment, bool]:
    """Book `patient` with a doctor at the clinic's local `day` and `time`; answer the visit and whether it is new.

    Asking again for a time that one has already answers the visit that stands. Writes the claim, the visit, the
    audit row and both sides' notices in one transaction. Raises `doctor_unavailable`, `time_not_offered`,
    `slot_taken` or `patient_busy`, the last three with the nearest free times.
    """
    with transaction.atomic():
        share_lock(doctor_id)
        doctor = bookable_doctor(doctor_id)
        calendar = Calendar.of(doctor, now)
        found = calendar.find(day, time)
        claim = take(Claim.Kind.VISIT, doctor, patient.pk, found, now) if isinstance(found, Slot) else None
        if claim is None or isinstance(found, Refusal):
            standing = visit_that_stands(patient, doctor, day, time)
            if standing:
                return standing, False
            raise why_refused(found, doctor, patient, day, time, now)
        appointment = write(doctor, patient, claim, found, symptoms=symptoms, notes=notes, now=now)
        record("appointment.booked", Action.CREATE, "appointment", appointment.pk, by=patient)
        notify("appointment.booked", "appointment", appointment.pk, [patient, doctor.pk], version=appointment.version)
        if doctor.next_free_at is None or claim.starts_at <= doctor.next_free_at + timedelta(days=1):
            keep_next_free([doctor.pk], now)
    return appointment, True


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
) -> Appointment:
    """Insert the visit that owns `claim`, keeping names, place, fee and currency as they are now."""
    instant = doctor.instant_confirmation
    answer_by = min(now + timedelta(hours=settings.REQUEST_ANSWER_HOURS), claim.starts_at)
    return Appointment.objects.create(
        doctor=doctor,
        patient=patient,
        claim=claim,
        status=Status.CONFIRMED if instant else Status.PENDING,
        respond_by=None if instant else answer_by,
        date=slot.date,
        time=datetime.strptime(slot.time, "%H:%M").time(),
        time_zone=doctor.time_zone,
        starts_at=claim.starts_at,
        ends_at=claim.ends_at,
        symptoms=symptoms,
        patient_notes=notes,
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
        created_at=now,
        updated_at=now,
    )


def visit_that_stands(patient: User, doctor: DoctorProfile, day: date, time: str) -> Appointment | None:
    """Answer the live visit that this patient has with this doctor at this time."""
    return (
        Appointment.objects.select_related("doctor__user", "patient")
        .filter(patient=patient, doctor=doctor, date=day, time=time, status__in=LIVE)
        .first()
    )


def why_refused(
    found: Slot | Refusal, doctor: DoctorProfile, patient: User, day: date, time: str, now: datetime
) -> RuleBroken:
    """Name the rule that refuses a time, with the nearest free times."""
    reason = found.reason if isinstance(found, Refusal) else lost_race(found, doctor, patient, now)
    code = {Reason.TAKEN: "slot_taken", Reason.HELD: "slot_taken", Reason.PATIENT_BUSY: "patient_busy"}.get(
        reason, "time_not_offered"
    )
    # Read anew: what was read before a lost race has just been overtaken.
    calendar = Calendar.of(doctor, now)
    refusal = RuleBroken(
        code,
        data={
            "reason": reason.value,
            "alternatives": [slot_on_wire(slot) for slot in calendar.alternatives(day, time, patient)],
        },
    )
    refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal


def lost_race(slot: Slot, doctor: DoctorProfile, patient: User, now: datetime) -> Reason:
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
