"""When a request or a proposed time must be answered."""

from datetime import UTC, datetime, time, timedelta

from doctors.slot_engine import get_zone

# Answers are due while clinics are open, on the clinic's own clock.
DAY_STARTS, DAY_ENDS, MORNING = time(8), time(20), time(8, 30)
# Nobody gets less time than this to answer, and the other side learns the answer at least so long before the start.
# Twice as long is the notice that a request needs: `REQUEST_NOTICE_MINUTES` in doctors/slot_engine.py.
SHORTEST = timedelta(minutes=30)


def reply_deadline(start: datetime, time_zone: str, now: datetime, hours: int) -> datetime:
    """Return by when somebody must answer about an appointment that begins at `start`.

    `hours` after `now` or after half of the time left, whichever is sooner, but no sooner than 30 minutes. A deadline
    outside 08:00-20:00 of the clinic becomes the next 08:30 there. It is never later than 30 minutes before the start;
    where even that has passed (only a proposal can be made so late), it is the start itself.
    """
    latest = start - SHORTEST
    if latest <= now:
        return start
    deadline = now + max(min(timedelta(hours=hours), (start - now) / 2), SHORTEST)
    return min(move_into_office_hours(deadline, time_zone), latest)


def move_into_office_hours(deadline: datetime, time_zone: str) -> datetime:
    """Return a deadline unchanged if clinics are open by then, else the next 08:30 of the clinic's clock."""
    clinic = get_zone(time_zone)
    local = deadline.astimezone(clinic)
    if DAY_STARTS <= local.time() <= DAY_ENDS:
        return deadline
    day = local.date() if local.time() < DAY_STARTS else local.date() + timedelta(days=1)
    return datetime.combine(day, MORNING, clinic).astimezone(UTC)


def extend_deadline(deadline: datetime, pause: timedelta, start: datetime) -> datetime:
    """Return a request's deadline after a pause in which the doctor waited for the patient.

    It moves by the length of the pause, at most until 30 minutes before the start, and never back.
    """
    return max(min(deadline + pause, start - SHORTEST), deadline)
