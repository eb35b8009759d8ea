"""Totals and lists of the doctor's dashboard."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Case, Count, Q, Sum, When

from appointments.models import LIVE, Appointment, AppointmentQuerySet, PatientOfDoctor, Status
from appointments.models.appointment import has_proposal_of_doctor
from doctors.availability.calendar import local_date
from doctors.models import DoctorProfile

MAX_LISTED = 10
MAX_UPCOMING = 5
# The specification's "five most recent".
MAX_RECENT = 5
MAX_TODAY = 100

# Sorts a patient's "I can't make it" before a patient's proposal of another time.
PROPOSALS_LAST = Case(When(cancel_requested_at__isnull=True, then=1), default=0)


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The totals of a dashboard, and its lists by name."""

    totals: Mapping[str, object]
    lists: Mapping[str, list[Appointment]]

    def appointments(self) -> list[Appointment]:
        """Return the unique appointments of all lists."""
        return list({appointment.pk: appointment for rows in self.lists.values() for appointment in rows}.values())


def load_dashboard(doctor: DoctorProfile, now: datetime) -> Dashboard:
    """Return a doctor's totals and lists; "today" is local to the clinic.

    The number of queries is constant.
    """
    appointments = Appointment.objects.filter(doctor=doctor)
    day = local_date(now, doctor.time_zone)
    today = appointments.on_dates(day, day).not_cancelled(now)
    requests = appointments.filter(status=Status.PENDING, respond_by__gt=now).exclude(has_proposal_of_doctor(now))
    lists = {
        # Several requests may share a deadline, 08:30 after a night: the sooner appointment is the more urgent one.
        "waiting": requests.order_by("respond_by", "starts_at", "pk")[:MAX_LISTED],
        "waitingForPatient": appointments.awaiting_patient(now).order_by("starts_at", "pk")[:MAX_LISTED],
        # Patients who can't come free a time for others, so they precede proposals.
        "asking": appointments.with_patient_request(now).order_by(PROPOSALS_LAST, "starts_at", "pk")[:MAX_LISTED],
        "next": appointments.filter(status=Status.CONFIRMED).not_ended(now).order_by("starts_at", "pk")[:MAX_UPCOMING],
        "today": today.order_by("starts_at", "pk")[:MAX_TODAY],
        "unfinished": appointments.awaiting_completion(now).order_by("-starts_at", "pk")[:MAX_LISTED],
    }
    ids = {name: list(rows.values_list("pk", flat=True)) for name, rows in lists.items()}
    ids["recent"] = list_recent_ids(appointments, now)
    still_to_come = Q(status__in=LIVE, ends_at__gt=now)
    of_today = today.order_by().aggregate(all=Count("pk"), left=Count("pk", filter=still_to_come))
    totals = {
        "appointments": appointments.order_by().count(),
        "today": of_today["all"],
        "todayLeft": of_today["left"],
        "patients": PatientOfDoctor.objects.filter(doctor=doctor).count(),
        "waiting": appointments.awaiting_doctor(now).order_by().count(),
        "waitingForPatient": appointments.awaiting_patient(now).order_by().count(),
        "unfinished": appointments.awaiting_completion(now).order_by().count(),
        "earnings": sum_earnings(appointments),
    }
    return Dashboard(totals, load_lists(ids))


def list_recent_ids(appointments: AppointmentQuerySet, now: datetime) -> list[UUID]:
    """Return the ids of the appointments with the latest activity: booked, changed or taken place, newest first.

    Activity is the last change or, for one that has begun, its start if that is later. The newest by either are among
    the newest by one of the two, and each of these has an index.
    """
    columns = ("pk", "updated_at", "starts_at", "status")
    changed = appointments.order_by("-updated_at", "pk").values_list(*columns)[:MAX_RECENT]
    begun = appointments.filter(status__in=(Status.CONFIRMED, Status.COMPLETED), starts_at__lte=now)
    rows = {*changed, *begun.order_by("-starts_at", "pk").values_list(*columns)[:MAX_RECENT]}

    def activity(row: tuple[UUID, datetime, datetime, str]) -> datetime:
        _, updated_at, starts_at, status = row
        took_place = status in {Status.CONFIRMED, Status.COMPLETED} and starts_at <= now
        return max(updated_at, starts_at) if took_place else updated_at

    newest = sorted(sorted(rows), key=activity, reverse=True)
    return [pk for pk, *_ in newest[:MAX_RECENT]]


def load_lists(ids: Mapping[str, list[UUID]]) -> dict[str, list[Appointment]]:
    """Load the appointments of all lists in one query, because many are in several."""
    all_ids: set[UUID] = set().union(*ids.values())
    by_id = Appointment.objects.with_people().in_bulk(all_ids)
    return {name: [by_id[pk] for pk in pks] for name, pks in ids.items()}


def sum_earnings(appointments: AppointmentQuerySet) -> list[dict[str, str | Decimal]]:
    """Return the summed fees of completed appointments, without no-shows, by currency."""
    came = appointments.filter(status=Status.COMPLETED, attended=True).order_by("currency")
    sums = came.values_list("currency").annotate(Sum("consultation_fee"))
    return [{"currency": currency, "amount": amount} for currency, amount in sums]
