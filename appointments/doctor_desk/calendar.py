"""A doctor's calendar: hours, absences, appointments, and the times that patients are offered."""

from collections import defaultdict
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Q, Subquery, UUIDField

from appointments.availability.serializers import DAY_MINUTES
from appointments.models import Appointment, AppointmentQuerySet, Proposal, Status
from appointments.models.appointment import utc_midnight
from config.api.access_log import add_subjects
from doctors.availability.calendar import Calendar, local_date
from doctors.models import BlockedTime, DoctorProfile, Reservation
from doctors.weekly_hours import Span

MAX_DAYS = 7
MAX_CANCELLED = 200

# Without clinical text, which a calendar doesn't show.
APPOINTMENT_FIELDS = (
    *("id", "patient_id", "patient_name", "date", "time", "starts_at", "ends_at", "status", "respond_by"),
    *("attended", "outside_hours", "booked_by", "cancel_requested_at", "reservation__busy_until"),
)


def read_calendar(doctor: DoctorProfile, first: date | None, count: int, now: datetime) -> dict[str, Any]:
    """Return `count` days of a doctor's calendar from `first` on, the clinic's today unless it is given.

    Days after `date.max` are left out. Appointments from the evening before are included.
    """
    today = local_date(now, doctor.time_zone)
    start = (first or today).toordinal()
    days = [date.fromordinal(one) for one in range(start, min(start + count, date.max.toordinal() + 1))]
    appointments = Appointment.objects.filter(doctor=doctor).on_dates(get_day_before(days[0]), days[-1])
    appointments = appointments.filter(Q(date__gte=days[0]) | Q(ends_at__gt=get_midnight(days[0], doctor.time_zone)))
    cancelled = appointments.with_status(Status.CANCELLED, now).filter(date__gte=days[0])
    rows = [
        *read_appointments(appointments.not_cancelled(now), now),
        *read_appointments(cancelled, now)[:MAX_CANCELLED],
    ]
    add_subjects("appointment", ((appointment.pk, appointment.patient_id) for appointment in rows))
    return {
        "timeZone": doctor.time_zone,
        "today": today,
        "visitMinutes": doctor.appointment_minutes,
        "bufferMinutes": doctor.buffer_minutes,
        "days": read_days(doctor, days, now),
        "absences": doctor.absences.filter(from_date__lte=days[-1], to_date__gte=days[0]).order_by("from_date", "pk"),
        "visits": [
            describe_appointment(appointment, now)
            for appointment in sorted(rows, key=lambda appointment: (appointment.starts_at, appointment.pk))
        ],
        "kept": list_reserved_times(doctor, days, now),
    }


def get_day_before(day: date) -> date:
    """Return the previous date, or `date.min`."""
    return day if day == date.min else day - timedelta(days=1)


def get_midnight(day: date, time_zone: str) -> datetime:
    """Return the start of a local date, or the earliest datetime."""
    if day == date.min:
        return datetime.min.replace(tzinfo=UTC)
    return datetime.combine(day, time.min, ZoneInfo(time_zone)).astimezone(UTC)


def read_days(doctor: DoctorProfile, days: list[date], now: datetime) -> list[dict[str, Any]]:
    """Return hours, blocked times and offered times of each day.

    A dated override replaces the weekday's hours. Hours that run past midnight are shown on both dates.
    """
    weekly = doctor.weekly
    dated = {one.date: one for one in doctor.overrides.filter(date__range=(get_day_before(days[0]), days[-1]))}
    blocked: dict[date, list[BlockedTime]] = defaultdict(list)
    for stretch in doctor.blocked_times.filter(date__range=(days[0], days[-1])).order_by("start_minute", "pk"):
        blocked[stretch.date].append(stretch)
    offered = list_offered_starts(doctor, days, now)

    def hours_from(day: date) -> list[Span]:
        override = dated.get(day)
        return override.spans if override else [Span(*span) for span in weekly.get(day.weekday(), ())]

    written = []
    for day in days:
        override = dated.get(day)
        before = [] if day == date.min else hours_from(get_day_before(day))
        late = [Span(0, end - DAY_MINUTES) for _, end in before if end > DAY_MINUTES]
        own = [Span(start, min(end, DAY_MINUTES)) for start, end in hours_from(day)]
        written.append(
            {
                "date": day,
                "hours": sorted([*late, *own]),
                "dayOff": override is not None and not override.hours,
                "reason": override.reason if override else "",
                "blocked": blocked[day],
                "freeTimes": offered[day],
            }
        )
    return written


def list_offered_starts(doctor: DoctorProfile, days: list[date], now: datetime) -> dict[date, list[time]]:
    """Return the free times of these days as patients see them."""
    if days[-1] < local_date(now, doctor.time_zone):
        return {day: [] for day in days}
    calendar = Calendar.read(doctor, now, until=utc_midnight(days[-1], 4))
    free = dict(calendar.list_free_slots(days[0], len(days)))
    return {day: [slot.time for slot in free.get(day, [])] for day in days}


def read_appointments(appointments: AppointmentQuerySet, now: datetime) -> AppointmentQuerySet:
    """Return appointments with the fields of a calendar, soonest first."""
    proposed = Proposal.objects.filter(appointment=OuterRef("pk"), answer=Proposal.Answer.OPEN, expires_at__gt=now)
    return (
        appointments.select_related("reservation")
        .only(*APPOINTMENT_FIELDS)
        .annotate(is_proposed=Exists(proposed))
        .order_by("starts_at", "pk")
    )


def describe_appointment(appointment: Appointment, now: datetime) -> dict[str, Any]:
    """Return one appointment for the API, without clinical text."""
    overdue = appointment.is_overdue(now)
    return {
        "_id": appointment.pk,
        "patient": {"_id": appointment.patient_id, "name": appointment.patient_name},
        "appointmentDate": appointment.date,
        "appointmentTime": appointment.time,
        "startsAt": appointment.starts_at,
        "endsAt": appointment.ends_at,
        "minutes": count_minutes(appointment.starts_at, appointment.ends_at),
        "bufferMinutes": count_minutes(appointment.ends_at, appointment.reservation.busy_until)
        if appointment.reservation
        else 0,
        "status": Status.CANCELLED.value if overdue else appointment.status,
        "attended": appointment.attended,
        "outsideHours": appointment.outside_hours,
        "bookedBy": appointment.booked_by,
        "cancelRequest": appointment.status == Status.CONFIRMED and appointment.cancel_requested_at is not None,
        "proposal": bool(getattr(appointment, "is_proposed", False)),
    }


def list_reserved_times(doctor: DoctorProfile, days: list[date], now: datetime) -> list[dict[str, Any]]:
    """Return the held and proposed times that overlap these days."""
    zone = ZoneInfo(doctor.time_zone)
    proposals = Proposal.objects.filter(reservation=OuterRef("pk"))
    reservations: Any = (
        Reservation.objects.standing(now)
        .filter(doctor=doctor, starts_at__gte=utc_midnight(days[0], -2), starts_at__lt=utc_midnight(days[-1], 2))
        .exclude(kind=Reservation.Kind.APPOINTMENT)
        .annotate(
            patient_name=Subquery(proposals.values("appointment__patient_name")[:1]),
            proposed_to=Subquery(proposals.values("appointment__patient")[:1], output_field=UUIDField()),
            proposed_for=Subquery(proposals.values("appointment")[:1], output_field=UUIDField()),
        )
        .order_by("starts_at", "pk")
    )
    begins = get_midnight(days[0], doctor.time_zone)
    written = []
    for reservation in reservations:
        local = reservation.starts_at.astimezone(zone)
        if local.date() <= days[-1] and (local.date() >= days[0] or reservation.ends_at > begins):
            if reservation.proposed_for:
                add_subjects("appointment", [(reservation.proposed_for, reservation.proposed_to)])
            written.append(
                {
                    "kind": reservation.kind,
                    "date": local.date(),
                    "time": local.time(),
                    "minutes": count_minutes(reservation.starts_at, reservation.ends_at),
                    "patientName": getattr(reservation, "patient_name", None) or "",
                }
            )
    return written


def count_minutes(start: datetime, end: datetime) -> int:
    """Return the minutes between two instants."""
    return int((end - start).total_seconds() // 60)
