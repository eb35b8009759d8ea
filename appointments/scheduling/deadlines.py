"""Reply deadlines of requests and proposals."""

from datetime import UTC, datetime, time, timedelta

from doctors.slot_engine import get_zone

# Deadlines are within office hours, in local time.
DAY_STARTS, DAY_ENDS, MORNING = time(8), time(20), time(8, 30)
# The minimum time to reply, and between the deadline and the start.
# The minimum notice of a request is twice as long: `REQUEST_NOTICE_MINUTES` in doctors/slot_engine.py.
MIN_REPLY_TIME = timedelta(minutes=30)


def compute_reply_deadline(start: datetime, time_zone: str, now: datetime, hours: int) -> datetime:
    """Return the reply deadline for an appointment that begins at `start`.

    `hours` after `now` or after half of the time left, whichever is sooner, but no sooner than 30 minutes. A deadline
    outside 08:00-20:00 of the clinic becomes the next 08:30 there. It is never later than 30 minutes before the start;
    where even that has passed (only a proposal can be made so late), it is the start itself.
    """
    latest = start - MIN_REPLY_TIME
    if latest <= now:
        return start
    deadline = now + max(min(timedelta(hours=hours), (start - now) / 2), MIN_REPLY_TIME)
    return min(move_into_office_hours(deadline, time_zone), latest)


def move_into_office_hours(deadline: datetime, time_zone: str) -> datetime:
    """Return a deadline unchanged if it is within office hours, else the next local 08:30."""
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
    return max(min(deadline + pause, start - MIN_REPLY_TIME), deadline)
