"""Models of appointments, records, proposals and patients of doctors."""

from appointments.models.appointment import (
    ACCOUNT_CLOSED_REASONS,
    EXPIRED,
    LIVE,
    SYSTEM,
    TRANSITIONS,
    Appointment,
    AppointmentQuerySet,
    Cause,
    NewTime,
    Status,
)
from appointments.models.booking_draft import BookingDraft
from appointments.models.doctor_patient import PatientOfDoctor
from appointments.models.record import AppointmentRecord, Attachment, RecordDraft
from appointments.models.rescheduling import Proposal, TimeChange

__all__ = [
    "ACCOUNT_CLOSED_REASONS",
    "EXPIRED",
    "LIVE",
    "SYSTEM",
    "TRANSITIONS",
    "Appointment",
    "AppointmentQuerySet",
    "AppointmentRecord",
    "Attachment",
    "BookingDraft",
    "Cause",
    "NewTime",
    "PatientOfDoctor",
    "Proposal",
    "RecordDraft",
    "Status",
    "TimeChange",
]
