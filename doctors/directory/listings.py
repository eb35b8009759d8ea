"""Public data of doctors: directory cards and free times, each read in one query."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from accounts.models.user import build_picture_path
from doctors.availability import queries
from doctors.availability.calendar import FIRST_RANGE, Calendar, Unread, list_first_free
from doctors.availability.queries import HoldOwner
from doctors.slot_engine import Rules, Slot
from doctors.weekly_hours import Span, Week, list_hours_by_day, summarize_week

ONE_DAY = timedelta(days=1)


class Card(NamedTuple):
    """A doctor in the directory: columns of profile and user, the rules, and the first free times."""

    user_id: UUID
    specialization: str
    experience: int
    consultation_fee: Decimal
    bio: str
    hospital_name: str
    hospital_street: str
    hospital_city: str
    hospital_state: str
    hospital_zip_code: str
    hospital_country: str
    hospital_phone: str
    rating_average: Decimal
    rating_count: int
    time_zone: str
    instant_confirmation: bool
    approved_at: datetime | None
    name: str
    picture: str
    rules: Rules
    next_times: list[Slot]

    @property
    def week(self) -> Week:
        return summarize_week(tuple(self.rules.weekly.items()))

    @property
    def hours_of_days(self) -> dict[str, list[Span]]:
        return list_hours_by_day(self.rules.weekly)

    @property
    def profile_picture(self) -> str | None:
        return build_picture_path(self.picture)

    @property
    def verified_on(self) -> date | None:
        """Return the UTC date of the approval."""
        return self.approved_at.date() if self.approved_at else None

    @property
    def next_free(self) -> Slot | None:
        return self.next_times[0] if self.next_times else None


USER_FIELDS = ("name", "picture")
PROFILE_FIELDS = Card._fields[: Card._fields.index("name")]


def list_cards(doctor_ids: Sequence[UUID], now: datetime, *, only_listed: bool = False) -> list[Card]:
    """Return the cards of these doctors, in this order.

    Missing doctors are left out, and with `only_listed` also those who can't be booked.
    """
    read = list(
        queries.read_calendars(
            doctor_ids,
            now,
            profile=PROFILE_FIELDS,
            person=USER_FIELDS,
            until=now + FIRST_RANGE,
            only_listed=only_listed,
        )
    )
    free = list_first_free(read, now)
    made = {one.doctor_id: Card._make((*one.columns, one.rules, slots)) for one, slots in zip(read, free, strict=True)}
    return [made[doctor_id] for doctor_id in doctor_ids if doctor_id in made]


class Day(NamedTuple):
    """The free times of one day, in the clinic's time zone."""

    date: date
    times: list[time]


class Offer(NamedTuple):
    """A doctor's free times by day, and the next free time."""

    time_zone: str
    appointment_minutes: int
    days: list[Day]
    next_free: Slot | None
    # The last day that can be booked today.
    last_day: date
    specialization: str
    city: str
    from_today: bool


def list_offer(doctor_id: UUID, now: datetime, first: date | None, days: int, hold_owner: HoldOwner) -> Offer | None:
    """Return the free times of `days` days from `first` or today on; None if the doctor is not listed.

    The holds of `hold_owner` are ignored.
    """
    last = (first or now.date() + ONE_DAY).toordinal() + days
    # To the end of the requested days and at least for `FIRST_RANGE`, with a margin for time zones and buffers.
    until = now + FIRST_RANGE
    if last + 1 < date.max.toordinal():
        until = max(until, datetime.combine(date.fromordinal(last + 1), time.min, UTC) + ONE_DAY)
    found = next(
        queries.read_calendars(
            [doctor_id],
            now,
            profile=("specialization", "hospital_city"),
            until=until,
            hold_owner=hold_owner,
            only_listed=True,
        ),
        None,
    )
    if found is None:
        return None
    rules, (specialization, city) = found.rules, found.columns
    calendar = Calendar(rules, found.busy, now, Unread(doctor_id, until, hold_owner))
    today = calendar.today()
    listed = calendar.list_free_slots(first or today, days)
    from_today = first is None or first <= today
    # The first free time of days from today on is the next free time.
    soonest = next((slots[0] for _, slots in listed if slots), None) if from_today else None
    if soonest is None:
        soonest = next(iter(calendar.list_next_free()), None)
    return Offer(
        rules.time_zone,
        rules.appointment_minutes,
        [Day(day, [slot.time for slot in slots]) for day, slots in listed],
        soonest,
        date.fromordinal(min(today.toordinal() + rules.max_days_ahead, date.max.toordinal())),
        specialization,
        city,
        from_today,
    )
