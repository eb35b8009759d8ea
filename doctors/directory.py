"""Search, filter and order the public directory."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from accounts.search import each_word
from config.wire import InTurn
from doctors.models import DoctorProfile, DoctorQuerySet

ORDERINGS = ("-experience", "consultationFee", "-rating", "name", "nextFree")

# People write the title, which no name holds.
TITLES = {"dr", "dr.", "doctor", "prof", "prof."}


def soonest_first(doctors: DoctorQuerySet, now: datetime) -> InTurn:
    """Put who has a kept free time first, soonest first; a kept time that has passed is none.

    One ORDER BY would have to ask of each doctor whether the kept time has passed, and so read all of them; here the
    first part is read off its index.
    """
    kept = Q(next_free_until__gte=now, next_free_at__isnull=False)
    # Spelled out: a negation would lose the rows where one of the two is unknown.
    gone = Q(next_free_at=None) | Q(next_free_until=None) | Q(next_free_until__lt=now)
    return InTurn(doctors, doctors.filter(kept).order_by("next_free_at", "pk"), doctors.filter(gone).order_by("pk"))


def search(query: Mapping[str, Any], now: datetime) -> DoctorQuerySet | InTurn:
    """Answer the approved doctors that match `search`, `specialization` and `city`, in the order asked for.

    Each word of `search` must stand in the name or the specialization.
    """
    words = " ".join(word for word in query.get("search", "").split() if word.casefold() not in TITLES)
    doctors = DoctorProfile.objects.approved().on_cards().filter(each_word(words, "user__name", "specialization"))
    if query.get("specialization"):
        doctors = doctors.filter(specialization=query["specialization"])
    if query.get("city"):
        doctors = doctors.filter(hospital_city__icontains=query["city"])
    if query.get("availableBy"):
        doctors = doctors.filter(next_free_date__lte=query["availableBy"], next_free_until__gte=now)
    return ordered(doctors, query.get("ordering") or ORDERINGS[0], now)


def ordered(doctors: DoctorQuerySet, ordering: str, now: datetime) -> DoctorQuerySet | InTurn:
    """Put the doctors in one of `ORDERINGS`; the id breaks ties, so that pages never repeat a row."""
    if ordering == "consultationFee":
        return doctors.order_by("consultation_fee", "pk")
    if ordering == "-rating":
        return doctors.order_by("-rating_average", "-rating_count", "pk")
    if ordering == "name":
        return doctors.order_by("user__name", "pk")
    if ordering == "nextFree":
        return soonest_first(doctors, now)
    return doctors.order_by("-experience", "pk")
