"""The admin dashboard: pending decisions, health, totals, and a comparison with the week before."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q

from accounts import leases
from accounts.models import AccountStatus, AuditEvent, AuditSeal, Notice, Role, User
from accounts.notifications import delivery
from adminpanel.operations.housekeeping import WORKER_NAME
from adminpanel.queries.users import count_doctors, count_users
from appointments.models import Appointment, AppointmentQuerySet
from config.version import VERSION
from doctors.models import CaseState, Verification
from doctors.models.profile import listed_on
from doctors.verification.decisions import CaseKind, get_case_kind

MAX_DECISIONS = 20
MAX_STRANDED = 10
WEEK = timedelta(days=7)
DAY = timedelta(days=1)
# Rows are sealed after five minutes, by the next round of housekeeping.
MAX_UNSEALED_AGE = timedelta(hours=1)


@dataclass(frozen=True)
class Overview:
    """The parts of the dashboard; cases have their doctors loaded, appointments their participants."""

    totals: Mapping[str, int]
    cases: list[Verification]
    stranded_count: int
    stranded: list[Appointment]
    health: Mapping[str, Any]
    comparison: Mapping[str, Mapping[str, int]]


def get_overview(now: datetime) -> Overview:
    """Return the parts of the dashboard, in a constant number of queries."""
    people, doctors = count_users(), count_doctors()
    appointments = Appointment.objects.order_by()
    waiting = Verification.objects.filter(state=CaseState.OPEN).select_related("doctor__user")
    at_risk = find_at_risk(now)
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
        stranded_count=at_risk.count(),
        stranded=list(at_risk.with_people().order_by("starts_at", "pk")[:MAX_STRANDED]),
        health=get_health(now),
        comparison={
            "bookings": compare_with_last_week(appointments, now),
            "newUsers": compare_with_last_week(User.objects.present().order_by(), now),
        },
    )


def count_open_cases() -> dict[str, int]:
    """Return the number of open applications by kind."""
    waiting = Verification.objects.filter(state=CaseState.OPEN).order_by()
    counted = Counter(dict.fromkeys(CaseKind.values, 0))
    for approval, number in waiting.values_list("doctor__approval").annotate(number=Count("*")):
        counted[get_case_kind(approval).value] += number
    return counted


def find_at_risk(now: datetime) -> AppointmentQuerySet:
    """Return upcoming appointments that may not take place.

    The doctor is no longer listed, the patient's account is deactivated, or the doctor kept it where the hours no
    longer reach; what the desk itself booked outside the hours is meant.
    """
    at_risk = ~listed_on(now.date(), "doctor__") | ~Q(patient__status=AccountStatus.ACTIVE)
    at_risk |= Q(outside_hours=True) & ~Q(booked_by=Role.DOCTOR)
    return Appointment.objects.live(now).filter(at_risk, starts_at__gt=now).order_by()


def compare_with_last_week(rows: Any, now: datetime) -> dict[str, int]:
    """Return the number of new rows in the last 24 hours, and in the same hours a week before."""
    return {
        "last24Hours": rows.filter(created_at__gt=now - DAY, created_at__lte=now).count(),
        "weekBefore": rows.filter(created_at__gt=now - DAY - WEEK, created_at__lte=now - WEEK).count(),
    }


def get_health(now: datetime) -> dict[str, Any]:
    """Return the state of housekeeping, outbox and audit seals."""
    heartbeats = leases.list_heartbeats()
    housekeeping_at, delivery_at = heartbeats.get(WORKER_NAME), heartbeats.get(delivery.WORKER_NAME)
    last_seal = AuditSeal.objects.order_by("-id").values_list("last_event", "sealed_at").first()
    rows = AuditEvent.objects.filter(id__gt=last_seal[0]) if last_seal else AuditEvent.objects.all()
    # What settles is not late, nor is the first row after a quiet week: it is the oldest that tells.
    late = leases.is_heartbeat_stale(housekeeping_at, now)
    waiting = rows.aggregate(count=Count("*"), oldest=Min("recorded_at"))
    return {
        "version": VERSION,
        "housekeeping": {"beatAt": housekeeping_at, "late": late},
        "notices": {
            "waiting": Notice.objects.filter(state=Notice.State.WAITING).count(),
            "failed": Notice.objects.filter(state=Notice.State.FAILED).count(),
            "beatAt": delivery_at,
            "late": leases.is_heartbeat_stale(delivery_at, now),
        },
        "audit": {
            "sealedAt": last_seal[1] if last_seal else None,
            "unsealed": waiting["count"],
            # The housekeeping seals: while it stands still, what waits goes on waiting.
            "late": waiting["count"] > 0 and (late or now - waiting["oldest"] > MAX_UNSEALED_AGE),
        },
    }
