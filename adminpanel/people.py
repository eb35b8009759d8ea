"""Whom staff see: everybody, and the doctors with their verification."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy

from accounts.models import AccountStatus, Role, User, UserQuerySet
from accounts.search import each_word
from doctors.models import CaseState, DoctorProfile, DoctorQuerySet, Verification

USER_ORDERINGS = {
    "-createdAt": ("-created_at", "-pk"),
    "createdAt": ("created_at", "pk"),
    "name": ("name", "pk"),
    "-name": ("-name", "-pk"),
}
DOCTOR_ORDERINGS: dict[str, tuple[str | OrderBy, str]] = {
    "-createdAt": ("-user__created_at", "-pk"),
    "createdAt": ("user__created_at", "pk"),
    "name": ("user__name", "pk"),
    # Who has waited longest for a decision comes first, those who wait for none last.
    "waiting": (F("waiting_since").asc(nulls_last=True), "pk"),
}


def find_users(query: Mapping[str, Any]) -> UserQuerySet:
    """Answer the people who match `search`, `role` and `status`; ended accounts are nobody any more."""
    people = User.objects.present().filter(each_word(query.get("search", ""), "name", "email"))
    for name in ("role", "status"):
        if query.get(name):
            people = people.filter(**{name: query[name]})
    return people.order_by(*USER_ORDERINGS[query.get("ordering") or "-createdAt"])


def user_totals() -> dict[str, int]:
    """Count everybody by role and by status, in one statement."""
    counted = User.objects.present().order_by().values("role", "status").annotate(number=Count("pk"))
    numbers = {(one["role"], one["status"]): one["number"] for one in counted}

    def number(role: str | None = None, status: str | None = None) -> int:
        return sum(n for (r, s), n in numbers.items() if role in (None, r) and status in (None, s))

    return {
        "all": number(),
        "patients": number(Role.PATIENT),
        "doctors": number(Role.DOCTOR),
        "admins": number(Role.ADMIN),
        "active": number(status=AccountStatus.ACTIVE),
        "inactive": number(status=AccountStatus.INACTIVE),
    }


def doctors_for_staff() -> DoctorQuerySet:
    """Answer every doctor whose account stands, with the person, the hours and the open case."""
    open_case = Verification.objects.filter(doctor=OuterRef("pk"), state=CaseState.OPEN)
    return (
        DoctorProfile.objects.filter(user__ended_at=None)
        .on_cards()
        .annotate(
            open_case=Subquery(open_case.values("pk")[:1]), waiting_since=Subquery(open_case.values("submitted_at")[:1])
        )
    )


def find_doctors(query: Mapping[str, Any]) -> DoctorQuerySet:
    """Answer the doctors who match `search`, `status` (of the verification) and `specialization`."""
    words = each_word(query.get("search", ""), "user__name", "specialization", "user__email")
    doctors = doctors_for_staff().filter(words)
    if query.get("status"):
        doctors = doctors.filter(approval=query["status"])
    if query.get("specialization"):
        doctors = doctors.filter(specialization=query["specialization"])
    return doctors.order_by(*DOCTOR_ORDERINGS[query.get("ordering") or "waiting"])


def doctor_totals() -> dict[str, int]:
    """Count the doctors whose account stands: all, by verification, and how many specializations they have."""
    totals: dict[str, int] = DoctorProfile.objects.filter(user__ended_at=None).aggregate(
        all=Count("pk"),
        approved=Count("pk", filter=Q(approval="approved")),
        pending=Count("pk", filter=Q(approval="pending")),
        rejected=Count("pk", filter=Q(approval="rejected")),
        revoked=Count("pk", filter=Q(approval="revoked")),
        specializations=Count("specialization", distinct=True),
    )
    return totals


def one_doctor(pk: Any) -> DoctorQuerySet:
    """Find one doctor, with every case, newest first."""
    cases: QuerySet[Verification] = Verification.objects.select_related("decided_by").order_by("-submitted_at", "-pk")
    return doctors_for_staff().filter(pk=pk).prefetch_related(Prefetch("verifications", cases))
