"""The visit, its states, and what hangs on it; one file a subject."""

from appointments.models.appointment import (
    EXPIRED,
    LIVE,
    SYSTEM,
    TRANSITIONS,
    Appointment,
    AppointmentQuerySet,
    Status,
)
from appointments.models.moves import Proposal, TimeChange
from appointments.models.patients import PatientOfDoctor
from appointments.models.records import Attachment, RecordDraft, VisitRecord

__all__ = [
    "EXPIRED",
    "LIVE",
    "SYSTEM",
    "TRANSITIONS",
    "Appointment",
    "AppointmentQuerySet",
    "Attachment",
    "PatientOfDoctor",
    "Proposal",
    "RecordDraft",
    "Status",
    "TimeChange",
    "VisitRecord",
]
