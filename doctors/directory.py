"""Search, filter and order the public directory."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, F, Q, Value, When

from doctors.models import DoctorProfile, DoctorQuerySet

ORDERINGS = ("-experience", "consultationFee", "-rating", "name", "nextFree")

# People write the title, which no name holds.
TITLES = {"dr", "dr.", "doctor", "prof", "prof."}


def search(query: Mapping[str, Any], now: datetime) -> DoctorQuerySet:
    """Answer the approved doctors that match `search`, `specialization` and `city`, in the order asked for.

    Each word of `search` must stand in the name or the specialization.
    """
    doctors = DoctorProfile.objects.approved().select_related("user")
    for word in query.get("search", "").split():
        if word.casefold() not in TITLES:
            doctors = doctors.filter(Q(user__name__icontains=word) | Q(specialization__icontains=word))
    if query.get("specialization"):
        doctors = doctors.filter(specialization=query["specialization"])
    if query.get("city"):
        doctors = doctors.filter(hospital_city__icontains=query["city"])
    if query.get("availableBy"):
        doctors = doctors.filter(next_free_date__lte=query["availableBy"], next_free_until__gte=now)
    return ordered(doctors, query.get("ordering") or ORDERINGS[0], now)


def ordered(doctors: DoctorQuerySet, ordering: str, now: datetime) -> DoctorQuerySet:
    """Put the doctors in one of `ORDERINGS`; the id breaks ties, so that pages never repeat a row."""
    if ordering == "consultationFee":
        return doctors.order_by("consultation_fee", "pk")
    if ordering == "-rating":
        return doctors.order_by("-rating_average", "-rating_count", "pk")
    if ordering == "name":
        return doctors.order_by("user__name", "pk")
    if ordering == "nextFree":
        # A kept time that has passed is no free time; those without one come last.
        soonest = Case(When(next_free_until__gte=now, then=F("next_free_at")), default=Value(None))
        return doctors.order_by(soonest.asc(nulls_last=True), "pk")
    return doctors.order_by("-experience", "pk")
