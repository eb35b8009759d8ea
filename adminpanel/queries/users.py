"""Users and doctors for staff."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from accounts.models import AccountStatus, Role, User, UserQuerySet
from accounts.text.normalization import fold_text
from accounts.text.substring_search import MAX_WORDS, match_word, match_words
from config.api.pagination import ConcatenatedRows
from doctors.models import Approval, CaseState, DoctorProfile, DoctorQuerySet, Specialization, Verification

USER_ORDERINGS = {
    "-createdAt": ("-created_at", "-pk"),
    "createdAt": ("created_at", "pk"),
    "name": ("name", "pk"),
    "-name": ("-name", "-pk"),
}
DOCTOR_ORDERINGS: dict[str, tuple[str, ...]] = {
    "-createdAt": ("-user__created_at", "-user__pk"),
    "createdAt": ("user__created_at", "user__pk"),
    "name": ("user__name", "user__pk"),
    # Those who have waited longest for a decision come first, those without an open case last.
    "waiting": (),
}


def find_users(query: Mapping[str, Any]) -> UserQuerySet:
    """Return the users who match `search`, `role` and `status`, without closed accounts."""
    users = User.objects.present().filter(match_words(query.get("search", ""), "search_text"))
    for name in ("role", "status"):
        if query.get(name):
            users = users.filter(**{name: query[name]})
    return users.order_by(*USER_ORDERINGS[query.get("ordering") or "-createdAt"])


def count_users() -> dict[str, int]:
    """Return the number of users by role and status, in one query."""
    counted = User.objects.present().order_by().values("role", "status").annotate(number=Count("*"))
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


def find_all_doctors() -> DoctorQuerySet:
    """Return all doctors with an open account, with user, hours and open case."""
    open_case = Verification.objects.filter(doctor=OuterRef("pk"), state=CaseState.OPEN)
    newest_case = Verification.objects.filter(doctor=OuterRef("pk")).order_by("-submitted_at", "-pk")
    return (
        # Redundant, but selects an index in the order of the accounts.
        DoctorProfile.objects.filter(user__ended_at=None, user__role=Role.DOCTOR)
        .on_cards()
        .annotate(
            open_case=Subquery(open_case.values("pk")[:1]),
            waiting_since=Subquery(open_case.values("submitted_at")[:1]),
            claimed_authority=Subquery(open_case.values("license_authority")[:1]),
            claimed_expiry=Subquery(open_case.values("license_expires_on")[:1]),
            evidence=Subquery(newest_case.values("document_stored_as")[:1]),
        )
    )


def order_by_waiting(doctors: DoctorQuerySet) -> ConcatenatedRows:
    """Order doctors with an open case first, the longest waiting at the top.

    A single ORDER BY would search the open case of every doctor; this reads the index of open cases.
    """
    waits = Q(verifications__state=CaseState.OPEN)
    open_case = Verification.objects.filter(doctor=OuterRef("pk"), state=CaseState.OPEN)
    return ConcatenatedRows(
        doctors,
        doctors.filter(waits).order_by("verifications__submitted_at", "pk"),
        doctors.filter(~Exists(open_case)).order_by("pk"),
    )


def find_doctors(query: Mapping[str, Any]) -> DoctorQuerySet | ConcatenatedRows:
    """Return the doctors who match `search`, `status` (of the verification) and `specialization`."""
    doctors = find_all_doctors().filter(match_doctors(query.get("search", "")))
    if query.get("status"):
        doctors = doctors.filter(approval=query["status"])
    if query.get("specialization"):
        doctors = doctors.filter(specialization=query["specialization"])
    ordering = query.get("ordering") or "waiting"
    return order_by_waiting(doctors) if ordering == "waiting" else doctors.order_by(*DOCTOR_ORDERINGS[ordering])


def match_doctors(text: str) -> Q:
    """Return the condition that each word of `text` is in a doctor's name, address or specialization."""
    condition = Q()
    for word in text.split()[:MAX_WORDS]:
        kinds = [kind for kind in Specialization.values if fold_text(word) in fold_text(kind)]
        condition &= match_word(word, "user__search_text") | Q(specialization__in=kinds)
    return condition


def count_doctors() -> dict[str, int]:
    """Return the numbers of doctors with an open account: all, by approval, and of their specializations."""
    # All, counted in an index, minus closed accounts, because a join would read both tables.
    everybody, ended = DoctorProfile.objects.order_by(), DoctorProfile.objects.filter(user__ended_at__isnull=False)
    numbers = count_by_approval_and_specialization(everybody)
    numbers.subtract(count_by_approval_and_specialization(ended.order_by()))
    return {
        "all": numbers.total(),
        **{approval: sum(n for (a, _), n in numbers.items() if a == approval) for approval in Approval.values},
        "specializations": len({kind for (_, kind), n in numbers.items() if n}),
    }


def count_by_approval_and_specialization(doctors: DoctorQuerySet) -> Counter[tuple[str, str]]:
    """Count doctors by verification and specialization."""
    groups = doctors.values_list("approval", "specialization").annotate(number=Count("*"))
    return Counter({(approval, kind): number for approval, kind, number in groups})


def find_doctor(pk: Any) -> DoctorQuerySet:
    """Return one doctor, with all cases, newest first."""
    cases: QuerySet[Verification] = Verification.objects.select_related("decided_by").order_by("-submitted_at", "-pk")
    return find_all_doctors().filter(pk=pk).prefetch_related(Prefetch("verifications", cases))
