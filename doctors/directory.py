"""Search, filter and order the public directory."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from accounts.search import each_word
from doctors.models import DoctorProfile, DoctorQuerySet

ORDERINGS = ("-experience", "consultationFee", "-rating", "name", "nextFree")

# People write the title, which no name holds.
TITLES = {"dr", "dr.", "doctor", "prof", "prof."}


class InTurn:
    """Two orders one after the other, sliced like one: first who has a kept free time, soonest first, then the rest.

    One ORDER BY would have to ask of each doctor whether the kept time has passed, and so read all of them; here the
    first part is read off its index, and the second only where the first ends.
    """

    def __init__(self, doctors: DoctorQuerySet, now: datetime) -> None:
        self.doctors = doctors
        kept = Q(next_free_until__gte=now, next_free_at__isnull=False)
        self.kept = doctors.filter(kept).order_by("next_free_at", "pk")
        # Spelled out: a negation would lose the rows where one of the two is unknown.
        gone = Q(next_free_at=None) | Q(next_free_until=None) | Q(next_free_until__lt=now)
        self.rest = doctors.filter(gone).order_by("pk")

    def __getitem__(self, part: slice) -> list[DoctorProfile]:
        """Read the rows from `part.start` up to `part.stop`."""
        first, last = part.start or 0, part.stop
        rows = list(self.kept[first:last])
        if len(rows) == last - first:
            return rows
        before = first + len(rows) if rows else self.kept.order_by()[:last].count()
        return rows + list(self.rest[max(0, first - before) : last - before])

    def order_by(self) -> DoctorQuerySet:
        """Answer all of them in no order, for counting."""
        return self.doctors.order_by()


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
        # A kept time that has passed is no free time; those without one come last.
        return InTurn(doctors, now)
    return doctors.order_by("-experience", "pk")
