"""Appointments for tests, with the reservation that they own."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from accounts.models import User
from appointments.models import Appointment, Proposal, Status
from appointments.models.doctor_patient import build_upsert
from config.db.raw_sql import insert
from doctors.models import DoctorProfile, Reservation


def make_appointment(
    doctor: DoctorProfile,
    patient: User,
    day: date,
    time: str = "09:00",
    *,
    status: str = Status.PENDING,
    **fields: Any,
) -> Appointment:
    """Make an appointment at the clinic's local day and time, whether or not it is offered."""
    local = datetime.combine(day, datetime.strptime(time, "%H:%M").time(), ZoneInfo(doctor.time_zone))  # noqa: DTZ007 - the zone is the clinic's
    starts_at = local.astimezone(UTC)
    ends_at = starts_at + timedelta(minutes=doctor.appointment_minutes)
    respond_by = fields.pop("respond_by", starts_at) if status == Status.PENDING else None
    reservation = None
    if status != Status.CANCELLED:
        reservation = Reservation.objects.create(
            kind=Reservation.Kind.APPOINTMENT,
            doctor=doctor,
            patient=patient,
            starts_at=starts_at,
            ends_at=ends_at,
            busy_until=ends_at + timedelta(minutes=doctor.buffer_minutes),
            expires_at=respond_by,
        )
    insert(build_upsert(doctor.pk, patient, fields.get("created_at") or timezone.now()))
    return Appointment.objects.create(
        **{
            "doctor": doctor,
            "patient": patient,
            "reservation": reservation,
            "status": status,
            "date": day,
            "time": local.time(),
            "time_zone": doctor.time_zone,
            "starts_at": starts_at,
            "ends_at": ends_at,
            "respond_by": respond_by,
            "symptoms": "A cough.",
            "doctor_name": doctor.user.name,
            "patient_name": patient.name,
            "specialization": doctor.specialization,
            "hospital_name": doctor.hospital_name,
            "hospital_city": doctor.hospital_city,
            "consultation_fee": doctor.consultation_fee,
            "currency": "USD",
            "attended": True if status == Status.COMPLETED else None,
            "completed_at": ends_at if status == Status.COMPLETED else None,
            "cancelled_by": "patient" if status == Status.CANCELLED else "",
            **fields,
        }
    )


def make_proposal(appointment: Appointment, proposed_by: str, expires_at: datetime | None = None) -> Proposal:
    """Make an open proposal to move an appointment by two hours."""
    now = timezone.now()
    expires_at = expires_at or now + timedelta(hours=9)
    starts_at = appointment.starts_at + timedelta(hours=2)
    reservation = Reservation.objects.create(
        kind=Reservation.Kind.PROPOSAL,
        doctor=appointment.doctor,
        patient=appointment.patient,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=1),
        busy_until=starts_at + timedelta(hours=1),
        expires_at=expires_at,
    )
    return Proposal.objects.create(
        appointment=appointment,
        reservation=reservation,
        proposed_by=proposed_by,
        date=appointment.date,
        time=starts_at.time(),
        time_zone=appointment.time_zone,
        starts_at=starts_at,
        ends_at=starts_at + timedelta(hours=1),
        created_at=now,
        expires_at=expires_at,
    )
