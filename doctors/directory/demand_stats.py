"""What patients ask for and what doctors offer, counted day by day for the admin's figures."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F

from config.db import chunked_iterator
from doctors.availability.calendar import local_date, read_rules
from doctors.models import DoctorProfile, DoctorQuerySet, MissedSearch, OfferedTime, Reservation
from doctors.models.profile import listed
from doctors.slot_engine import Rules

logger = logging.getLogger(__name__)

BATCH = 500
# The last place on earth to end a date is twelve hours behind UTC.
LAST_ZONE = timedelta(hours=12)
# After a longer pause the hours of that time are no longer known well enough to be told.
FURTHEST_BACK = timedelta(days=31)

Place = tuple[str, str]


def count_offered(now: datetime) -> int:
    """Count the next date that is over and not counted yet; return how many dates were counted, 0 or 1."""
    over = (now - LAST_ZONE).astimezone(UTC).date() - timedelta(days=1)
    last = OfferedTime.objects.order_by("-date").values_list("date", flat=True).first()
    day = max(last + timedelta(days=1), over - FURTHEST_BACK) if last else over
    if day > over:
        return 0
    count_date(day)
    return 1


def count_date(day: date) -> None:
    """Count what was offered and used on a date of the clinics'; counting again replaces the figures."""
    offered: Counter[Place] = Counter()
    used: Counter[Place] = Counter()
    # As they were listed on that date; nobody else's time could be had.
    for doctors in batches(DoctorProfile.objects.filter(listed(day))):
        rules = read_rules(doctors, datetime.combine(day, time.min, UTC))
        taken = minutes_taken(doctors, day)
        for doctor in doctors:
            place = (doctor.specialization, doctor.hospital_city)
            offered[place] += minutes_open(rules[doctor.pk], day)
            used[place] += taken[doctor.pk]
    rows = [
        OfferedTime(
            date=day, specialization=place[0], city=place[1], offered_minutes=offered[place], used_minutes=used[place]
        )
        for place in offered
    ]
    with transaction.atomic():
        OfferedTime.objects.filter(date=day).delete()
        # A date on which nobody was listed is counted too.
        OfferedTime.objects.bulk_create(
            rows or [OfferedTime(date=day, specialization="", city="", offered_minutes=0, used_minutes=0)]
        )


def batches(doctors: DoctorQuerySet) -> Iterator[list[DoctorProfile]]:
    """Read doctors a batch at a time."""
    rows = chunked_iterator.iterate(doctors.order_by("pk"), BATCH)
    while batch := list(islice(rows, BATCH)):
        yield batch


def minutes_open(rules: Rules, day: date) -> int:
    """Add up the hours of a date on the clinic's clock, less what is blocked."""
    return sum(end - start for start, end in rules.open_on(day))


def minutes_taken(doctors: Sequence[DoctorProfile], day: date) -> Mapping[UUID, int]:
    """Add up how long the appointments of a date take, by doctor, in one statement."""
    zones = {doctor.pk: doctor.time_zone for doctor in doctors}
    midnight = datetime.combine(day, time.min, UTC)
    reservations = Reservation.objects.filter(
        doctor__in=list(zones),
        kind=Reservation.Kind.APPOINTMENT,
        starts_at__gte=midnight - timedelta(days=1),
        starts_at__lt=midnight + timedelta(days=2),
    )
    taken: Counter[UUID] = Counter()
    for doctor_id, start, end in reservations.order_by().values_list("doctor_id", "starts_at", "ends_at"):
        if local_date(start, zones[doctor_id]) == day:
            taken[doctor_id] += int((end - start).total_seconds()) // 60
    return taken


def missed(now: datetime, specialization: str = "", city: str = "") -> None:
    """Count that somebody looked for a free time and found none.

    A city counts as one where a listed doctor is; anything else that was typed is kept nowhere. A count that can't be
    written is no reason to fail the search.
    """
    try:
        known = DoctorProfile.objects.approved().filter(hospital_city__iexact=city) if city else None
        place = (known.values_list("hospital_city", flat=True).first() if known is not None else "") or ""
        count_one({"date": now.astimezone(UTC).date(), "specialization": specialization, "city": place})
    except DatabaseError:
        logger.warning("A search without a free time could not be counted.")


def count_one(key: Mapping[str, Any]) -> None:
    """Add one to a count, making it where it is the first; two at once are two."""
    once_more = {"times": F("times") + 1}
    if MissedSearch.objects.filter(**key).update(**once_more):
        return
    try:
        with transaction.atomic():
            MissedSearch.objects.create(**key, times=1)
    except IntegrityError:
        MissedSearch.objects.filter(**key).update(**once_more)
