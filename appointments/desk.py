"""What a doctor's desk shows at a glance."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Count, Q, Sum

from appointments.models import Appointment, AppointmentQuerySet, PatientOfDoctor, Status
from doctors.calendar import local_date
from doctors.models import DoctorProfile

FEW = 10
NEXT = 5
# The specification's "five most recent".
RECENT = 5
MOST_TODAY = 100


@dataclass(frozen=True, slots=True)
class Desk:
    """The figures of a desk, and its lists by name."""

    totals: Mapping[str, object]
    lists: Mapping[str, list[Appointment]]

    def visits(self) -> list[Appointment]:
        """Answer every visit that is shown, once."""
        return list({visit.pk: visit for rows in self.lists.values() for visit in rows}.values())


def desk_of(doctor: DoctorProfile, now: datetime) -> Desk:
    """Bring together a doctor's figures and short lists; "today" is the clinic's.

    As many statements for a full calendar as for an empty one.
    """
    visits = Appointment.objects.filter(doctor=doctor)
    day = local_date(now, doctor.time_zone)
    today = visits.on_dates(day, day).not_cancelled(now)
    lists = {
        "waiting": visits.filter(status=Status.PENDING, respond_by__gt=now).order_by("respond_by", "pk")[:FEW],
        "asking": visits.asking(now).order_by("starts_at", "pk")[:FEW],
        "next": visits.filter(status=Status.CONFIRMED).not_over(now).order_by("starts_at", "pk")[:NEXT],
        "today": today.order_by("starts_at", "pk")[:MOST_TODAY],
        "unfinished": visits.unfinished(now).order_by("-starts_at", "pk")[:FEW],
        "recent": visits.order_by("-starts_at", "pk")[:RECENT],
    }
    of_today = today.order_by().aggregate(all=Count("pk"), left=Count("pk", filter=Q(ends_at__gt=now)))
    totals = {
        "appointments": visits.order_by().count(),
        "today": of_today["all"],
        "todayLeft": of_today["left"],
        "patients": PatientOfDoctor.objects.filter(doctor=doctor).count(),
        "waiting": visits.waiting(now).order_by().count(),
        "unfinished": visits.unfinished(now).order_by().count(),
        "earnings": earnings(visits),
    }
    return Desk(totals, read(lists))


def read(lists: Mapping[str, AppointmentQuerySet]) -> dict[str, list[Appointment]]:
    """Read the ids of each list, then all of their visits together: many stand in several."""
    ids = {name: list(visits.values_list("pk", flat=True)) for name, visits in lists.items()}
    wanted: set[UUID] = set().union(*ids.values())
    known = Appointment.objects.with_people().in_bulk(wanted)
    return {name: [known[pk] for pk in pks] for name, pks in ids.items()}


def earnings(visits: AppointmentQuerySet) -> list[dict[str, str | Decimal]]:
    """Sum the fees of completed visits whose patient came, by currency."""
    came = visits.filter(status=Status.COMPLETED, attended=True).order_by("currency")
    sums = came.values_list("currency").annotate(Sum("consultation_fee"))
    return [{"currency": currency, "amount": amount} for currency, amount in sums]
