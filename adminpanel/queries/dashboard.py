"""What the admin's dashboard shows: decisions first, then health, then figures beside those of the same day before."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q

from accounts import leases
from accounts.models import AccountStatus, AuditEvent, AuditSeal, Notice, Role, User
from accounts.notifications import delivery
from adminpanel.operations.housekeeping import NAME
from adminpanel.queries.users import count_doctors, count_users
from appointments.models import Appointment, AppointmentQuerySet
from doctors.models import CaseState, Verification
from doctors.models.profile import listed_on
from doctors.verification.decisions import CaseKind, get_case_kind

MAX_DECISIONS = 20
MAX_STRANDED = 10
WEEK = timedelta(days=7)
DAY = timedelta(days=1)
# Rows settle for five minutes before they are sealed, and the housekeeping passes every minute.
MAX_UNSEALED_AGE = timedelta(hours=1)


@dataclass(frozen=True)
class Overview:
    """The dashboard's parts; cases come with their doctors, appointments with their people."""

    totals: Mapping[str, int]
    cases: list[Verification]
    stranded_count: int
    stranded: list[Appointment]
    health: Mapping[str, Any]
    comparison: Mapping[str, Mapping[str, int]]


def get_overview(now: datetime) -> Overview:
    """Bring the dashboard's parts together; as many statements for a large site as for an empty one."""
    people, doctors = count_users(), count_doctors()
    appointments = Appointment.objects.order_by()
    waiting = Verification.objects.filter(state=CaseState.OPEN).select_related("doctor__user")
    lost = find_at_risk(now)
    kinds = count_open_cases()
    return Overview(
        totals={
            "users": people["all"],
            "patients": people["patients"],
            "doctors": doctors["all"],
            "approvedDoctors": doctors["approved"],
            "pendingDoctors": doctors["pending"],
            "newApplications": kinds[CaseKind.NEW],
            "renewals": kinds[CaseKind.RENEWAL],
            "appointments": appointments.count(),
            "unfinished": appointments.awaiting_completion(now).count(),
        },
        cases=list(waiting.order_by("submitted_at", "pk")[:MAX_DECISIONS]),
        stranded_count=lost.count(),
        stranded=list(lost.with_people().order_by("starts_at", "pk")[:MAX_STRANDED]),
        health=get_health(now),
        comparison={
            "bookings": compare_with_last_week(appointments, now),
            "newUsers": compare_with_last_week(User.objects.present().order_by(), now),
        },
    )


def count_open_cases() -> dict[str, int]:
    """Count the applications that wait for a decision, by what they ask for."""
    waiting = Verification.objects.filter(state=CaseState.OPEN).order_by()
    counted = Counter(dict.fromkeys(CaseKind.values, 0))
    for approval, number in waiting.values_list("doctor__approval").annotate(number=Count("*")):
        counted[get_case_kind(approval).value] += number
    return counted


def find_at_risk(now: datetime) -> AppointmentQuerySet:
    """Return live appointments ahead that may not take place.

    The doctor is no longer listed, the patient's account is deactivated, or the doctor kept it where the hours no
    longer reach; what the desk itself booked outside the hours is meant.
    """
    lost = ~listed_on(now.date(), "doctor__") | ~Q(patient__status=AccountStatus.ACTIVE)
    lost |= Q(outside_hours=True) & ~Q(booked_by=Role.DOCTOR)
    return Appointment.objects.live(now).filter(lost, starts_at__gt=now).order_by()


def compare_with_last_week(rows: Any, now: datetime) -> dict[str, int]:
    """Count what came in the last 24 hours, and in the same 24 hours a week before."""
    return {
        "last24Hours": rows.filter(created_at__gt=now - DAY, created_at__lte=now).count(),
        "weekBefore": rows.filter(created_at__gt=now - DAY - WEEK, created_at__lte=now - WEEK).count(),
    }


def get_health(now: datetime) -> dict[str, Any]:
    """Say how the system's own work stands: the housekeeping, the outbox, the sealing of the trail."""
    beats = leases.list_heartbeats()
    house, sending = beats.get(NAME), beats.get(delivery.WORKER_NAME)
    sealed = AuditSeal.objects.order_by("-id").values_list("last_event", "sealed_at").first()
    rows = AuditEvent.objects.filter(id__gt=sealed[0]) if sealed else AuditEvent.objects.all()
    # What settles is not late, nor is the first row after a quiet week: it is the oldest that tells.
    late = leases.is_heartbeat_stale(house, now)
    waiting = rows.aggregate(count=Count("*"), oldest=Min("recorded_at"))
    return {
        "housekeeping": {"beatAt": house, "late": late},
        "notices": {
            "waiting": Notice.objects.filter(state=Notice.State.WAITING).count(),
            "failed": Notice.objects.filter(state=Notice.State.FAILED).count(),
            "beatAt": sending,
            "late": leases.is_heartbeat_stale(sending, now),
        },
        "audit": {
            "sealedAt": sealed[1] if sealed else None,
            "unsealed": waiting["count"],
            # The housekeeping seals: while it stands still, what waits goes on waiting.
            "late": waiting["count"] > 0 and (late or now - waiting["oldest"] > MAX_UNSEALED_AGE),
        },
    }
