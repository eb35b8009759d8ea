"""Models of doctors, their calendars and reservations."""

from doctors.models.profile import Approval, DoctorProfile, DoctorQuerySet, Specialization
from doctors.models.reservation import HeldTime, Reservation, ReservationQuerySet
from doctors.models.schedule import Absence, BlockedTime, DayOverride, WeeklyHours
from doctors.models.statistics import MissedSearch, OfferedTime
from doctors.models.verification import CaseState, Verification

__all__ = [
    "Absence",
    "Approval",
    "BlockedTime",
    "CaseState",
    "DayOverride",
    "DoctorProfile",
    "DoctorQuerySet",
    "HeldTime",
    "MissedSearch",
    "OfferedTime",
    "Reservation",
    "ReservationQuerySet",
    "Specialization",
    "Verification",
    "WeeklyHours",
]
