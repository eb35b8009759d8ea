"""Daily statistics of supply and unmet demand, for analytics."""

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
from doctors.models.profile import listed_on
from doctors.slot_engine import Rules

logger = logging.getLogger(__name__)

BATCH_SIZE = 500
# A date ends last where clocks are twelve hours behind UTC.
MAX_ZONE_OFFSET = timedelta(hours=12)
# Hours further back may have changed since, so they are not counted.
MAX_CATCH_UP = timedelta(days=31)

Place = tuple[str, str]


def count_next_date(now: datetime) -> int:
    """Count the next date that is over everywhere; return the number of counted dates, 0 or 1."""
    over = (now - MAX_ZONE_OFFSET).astimezone(UTC).date() - timedelta(days=1)
    last = OfferedTime.objects.order_by("-date").values_list("date", flat=True).first()
    day = max(last + timedelta(days=1), over - MAX_CATCH_UP) if last else over
    if day > over:
        return 0
    count_date(day)
    return 1


def count_date(day: date) -> None:
    """Count offered and used time on a local date, replacing earlier counts."""
    offered: Counter[Place] = Counter()
    used: Counter[Place] = Counter()
    # Only doctors listed on that date could be booked.
    for doctors in iterate_batches(DoctorProfile.objects.filter(listed_on(day))):
        rules = read_rules(doctors, datetime.combine(day, time.min, UTC))
        taken = sum_booked_minutes(doctors, day)
        for doctor in doctors:
            place = (doctor.specialization, doctor.hospital_city)
            offered[place] += sum_open_minutes(rules[doctor.pk], day)
            used[place] += taken[doctor.pk]
    rows = [
        OfferedTime(
            date=day, specialization=place[0], city=place[1], offered_minutes=offered[place], used_minutes=used[place]
        )
        for place in offered
    ]
    with transaction.atomic():
        OfferedTime.objects.filter(date=day).delete()
        # A date without listed doctors is counted, too.
        OfferedTime.objects.bulk_create(
            rows or [OfferedTime(date=day, specialization="", city="", offered_minutes=0, used_minutes=0)]
        )


def iterate_batches(doctors: DoctorQuerySet) -> Iterator[list[DoctorProfile]]:
    rows = chunked_iterator.iterate(doctors.order_by("pk"), BATCH_SIZE)
    while batch := list(islice(rows, BATCH_SIZE)):
        yield batch


def sum_open_minutes(rules: Rules, day: date) -> int:
    """Return the minutes of a local date that are within working hours and not blocked."""
    return sum(end - start for start, end in rules.open_on(day))


def sum_booked_minutes(doctors: Sequence[DoctorProfile], day: date) -> Mapping[UUID, int]:
    """Return the booked minutes of a local date by doctor, in one query."""
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


def record_missed_search(now: datetime, specialization: str = "", city: str = "") -> None:
    """Count a search that found no free time.

    The city is stored only if a listed doctor works there, and no other input is stored. An error is logged and does
    not fail the search.
    """
    try:
        known = DoctorProfile.objects.approved().filter(hospital_city__iexact=city) if city else None
        place = (known.values_list("hospital_city", flat=True).first() if known is not None else "") or ""
        increment_count({"date": now.astimezone(UTC).date(), "specialization": specialization, "city": place})
    except DatabaseError:
        logger.warning("A search without a free time could not be counted.")


def increment_count(key: Mapping[str, Any]) -> None:
    """Increment a count atomically, creating it if necessary."""
    increment = {"times": F("times") + 1}
    if MissedSearch.objects.filter(**key).update(**increment):
        return
    try:
        with transaction.atomic():
            MissedSearch.objects.create(**key, times=1)
    except IntegrityError:
        MissedSearch.objects.filter(**key).update(**increment)
