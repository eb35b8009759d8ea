"""Doctors as people see them: the card of the directory and the days with free times, each read in one statement."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from accounts.models.user import build_picture_path
from doctors.availability import queries
from doctors.availability.calendar import FIRST_LOOK, Calendar, Unread, list_first_free
from doctors.availability.queries import HoldOwner
from doctors.slot_engine import Rules, Slot
from doctors.weekly_hours import Span, Week, list_hours_by_day, summarize_week

A_DAY = timedelta(days=1)


class Card(NamedTuple):
    """A doctor as the directory shows one: columns of the profile and the person, the rules, the first free times."""

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
        """Return working days and hours."""
        return summarize_week(tuple(self.rules.weekly.items()))

    @property
    def hours_of_days(self) -> dict[str, list[Span]]:
        """The hours of each weekday by its name."""
        return list_hours_by_day(self.rules.weekly)

    @property
    def profile_picture(self) -> str | None:
        """Return the portrait's address."""
        return build_picture_path(self.picture)

    @property
    def verified_on(self) -> date | None:
        """Return the date of the approval, by UTC."""
        return self.approved_at.date() if self.approved_at else None

    @property
    def next_free(self) -> Slot | None:
        """Return the first free time."""
        return self.next_times[0] if self.next_times else None


PERSON = ("name", "picture")
PROFILE = Card._fields[: Card._fields.index("name")]


def cards(doctor_ids: Sequence[UUID], now: datetime, *, only_listed: bool = False) -> list[Card]:
    """Read the cards of these doctors, in their order.

    Those who are not there, or with `only_listed` can't be booked, are left out.
    """
    read = list(
        queries.read_calendars(
            doctor_ids, now, profile=PROFILE, person=PERSON, until=now + FIRST_LOOK, only_listed=only_listed
        )
    )
    free = list_first_free(read, now)
    made = {one.doctor_id: Card._make((*one.columns, one.rules, slots)) for one, slots in zip(read, free, strict=True)}
    return [made[doctor_id] for doctor_id in doctor_ids if doctor_id in made]


class Day(NamedTuple):
    """The free times of one day, on the clinic's clock."""

    date: date
    times: list[time]


class Offer(NamedTuple):
    """A doctor's free times, one entry a day, and the first of all."""

    time_zone: str
    appointment_minutes: int
    days: list[Day]
    next_free: Slot | None
    # The last day that can be booked today.
    last_day: date
    specialization: str
    city: str
    from_today: bool


def offer(doctor_id: UUID, now: datetime, first: date | None, days: int, own: HoldOwner) -> Offer | None:
    """Read the free times of `days` days from `first` on, or from the clinic's today; None for who is not listed.

    The holds of `own` do not stand in the way.
    """
    last = (first or now.date() + A_DAY).toordinal() + days
    # To the end of the days asked for and, as far as that goes, of the first look; clocks and buffers included.
    until = now + FIRST_LOOK
    if last + 1 < date.max.toordinal():
        until = max(until, datetime.combine(date.fromordinal(last + 1), time.min, UTC) + A_DAY)
    found = next(
        queries.read_calendars(
            [doctor_id],
            now,
            profile=("specialization", "hospital_city"),
            until=until,
            own=own,
            only_listed=True,
        ),
        None,
    )
    if found is None:
        return None
    rules, (specialization, city) = found.rules, found.columns
    calendar = Calendar(rules, found.busy, now, Unread(doctor_id, until, own))
    today = calendar.today()
    listed = calendar.list_free_slots(first or today, days)
    from_today = first is None or first <= today
    # Days listed from today on begin with the next free time, if they have any.
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
