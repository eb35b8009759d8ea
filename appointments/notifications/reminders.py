"""Remind patients of visits that come near.

No reminder is written ahead: each round looks for the visits whose moment has come since the last one, so that a visit
that has moved or was cancelled leaves nothing to clean up. A visit is reminded of once for each moment, which,
in minutes, is the notice's version.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from accounts.languages import say, say_number
from accounts.leases import CLOCKS_DIFFER
from accounts.models import Heartbeat, Notice
from accounts.notifications.channels import ways_to
from accounts.notifications.date_format import short_day_words
from accounts.notifications.preferences import reminders_of
from accounts.notifications.registry import Message, register
from accounts.text.phone_numbers import format_phone
from appointments.formatting import doctor_words, facts_of, page_of, place_words, short_when, when_words
from appointments.models import Appointment, Status, TimeChange
from appointments.models.appointment import AppointmentQuerySet

NAME = "reminders"
EVENT = "appointment.reminder"
KIND = "reminder"
BATCH = 500
# Each round looks so far behind the last one: a visit that was confirmed then may have been written a little later.
OVERLAP = timedelta(minutes=5)
# No clock is put forward or back by more; see `narrow`.
LARGEST_SHIFT = timedelta(hours=2)
State = Notice.State

# What is told of in one mail: a patient, and a date of the clinics'.
Day = tuple[UUID, date]


def offsets_of(person_ids: Collection[UUID]) -> dict[UUID, set[str]]:
    """Return how long before their visits these people want to be reminded."""
    return {person_id: set(chosen) for person_id, chosen in reminders_of(person_ids).items()}


def hours_of(offset: str) -> int:
    """Return the hours of an offset like `7d` or `2h`."""
    return int(offset[:-1]) * (24 if offset.endswith("d") else 1)


def moment_of(visit: Appointment, offset: str) -> datetime:
    """Return when a visit is to be reminded of.

    Whole days are counted on the clinic's clock: the same time of day, days before. A time that its clock leaps over
    is put off by the leap, and of one that it shows twice the first counts. Fewer hours are hours.
    """
    days, hours = divmod(hours_of(offset), 24)
    if hours:
        return visit.starts_at - timedelta(days=days, hours=hours)
    local = datetime.combine(visit.date - timedelta(days=days), visit.time, ZoneInfo(visit.time_zone))
    return local.astimezone(UTC)


def version_of(moment: datetime) -> int:
    """Return the version of a reminder for this moment."""
    return int(moment.timestamp()) // 60


# --- Writing them -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """One mail: the visits of one patient on one of the clinics' dates, the first one first."""

    offset: str
    visits: list[Appointment]


def remind_due(now: datetime, batch: int = BATCH) -> int:
    """Put the reminders whose moment has come into the outbox; return how many mails that makes.

    After a pause only the last moment that has passed counts for each visit: what came before it helps nobody any
    more, and nothing does once the visit has begun. A batch costs the same number of statements however many it holds.
    """
    turn, _ = Heartbeat.objects.get_or_create(name=NAME)
    earliest = now - timedelta(hours=max(map(hours_of, settings.REMINDERS), default=0)) - LARGEST_SHIFT
    # Never later than now: a clock that ran ahead and was put right has reminded of nothing since.
    since = max(earliest, min(turn.beat_at, now) - OVERLAP) if turn.beat_at else earliest
    written, after = 0, None
    while True:
        with transaction.atomic():
            # One at a time, or two would see the same visit without its reminder.
            turn = Heartbeat.objects.select_for_update(no_key=True).get(name=NAME)
            visits = list(narrow(since, now, after)[:batch])
            written += write(due_among(visits, since, now), now)
            if len(visits) < batch:
                # The later of two rounds at about the same time counts, but no clock that has been put right.
                last = turn.beat_at or now
                turn.beat_at = now if last > now + CLOCKS_DIFFER else max(now, last)
                turn.save(update_fields=["beat_at"])
                return written
        after = visits[-1]


def confirmed() -> AppointmentQuerySet:
    """Read of confirmed visits what their reminders need."""
    return Appointment.objects.filter(status=Status.CONFIRMED).only(
        "patient_id", "date", "time", "time_zone", "starts_at", "created_at", "confirmed_at"
    )


def narrow(since: datetime, now: datetime, after: Appointment | None) -> AppointmentQuerySet:
    """Keep the visits that may have a moment in between, by their start, which an index holds; the rest is reckoned."""
    near = Q(pk__in=())
    for offset in settings.REMINDERS:
        before = timedelta(hours=hours_of(offset))
        shift = timedelta(0) if hours_of(offset) % 24 else LARGEST_SHIFT
        near |= Q(starts_at__gt=since + before - shift, starts_at__lte=now + before + shift)
    visits = confirmed().filter(near, starts_at__gt=now)
    if after is not None:
        later = Q(starts_at__gt=after.starts_at) | Q(starts_at=after.starts_at, pk__gt=after.pk)
        visits = visits.filter(later, starts_at__gte=after.starts_at)
    return visits.order_by("starts_at", "pk")


def due_among(visits: list[Appointment], since: datetime, now: datetime) -> Iterator[Reminder]:
    """Return the reminders that are due for these visits, each with what else its patient has on that date."""
    wanted = offsets_of({visit.patient_id for visit in visits}) if visits else {}
    due: dict[Day, set[str]] = {}
    for visit in visits:
        offset = last_passed(visit, wanted.get(visit.patient_id, ()), now)
        if offset and moment_of(visit, offset) > since:
            due.setdefault((visit.patient_id, visit.date), set()).add(offset)
    if not due:
        return
    days = visits_on(due, now)
    every = [visit for day in days.values() for visit in day]
    settled, told = settled_at(every), already_told(every)
    for day, offsets in due.items():
        for offset in sorted(offsets, key=hours_of):
            # What was booked, confirmed or moved later than its moment needs no reminder of that.
            group = [
                visit
                for visit in days.get(day, ())
                if since < moment_of(visit, offset) >= settled[visit.pk]
                and not is_told(visit, offset, told)
                and not is_overtaken(visit, offset, wanted[visit.patient_id], now)
            ]
            if any(last_passed(visit, wanted[visit.patient_id], now) == offset for visit in group):
                yield Reminder(offset, group)
                # The shorter one told of all that the day holds.
                break


def last_passed(visit: Appointment, offsets: Iterable[str], now: datetime) -> str | None:
    """Return which of these has its moment behind it and nearest to the visit."""
    passed = [offset for offset in offsets if moment_of(visit, offset) <= now]
    return min(passed, key=hours_of, default=None)


def is_overtaken(visit: Appointment, offset: str, offsets: Iterable[str], now: datetime) -> bool:
    """Return whether a shorter one has its turn."""
    passed = last_passed(visit, offsets, now)
    return passed is not None and hours_of(passed) < hours_of(offset)


def is_told(visit: Appointment, offset: str, told: set[tuple[UUID, int]]) -> bool:
    """Return whether this reminder, or a shorter one with another visit of that day, is written."""
    shorter = (one for one in settings.REMINDERS if hours_of(one) <= hours_of(offset))
    return any((visit.pk, version_of(moment_of(visit, one))) in told for one in shorter)


def visits_on(days: Collection[Day], now: datetime) -> dict[Day, list[Appointment]]:
    """Return the confirmed visits to come that these patients have on these dates, the first of each day first."""
    dates = [day for _, day in days]
    around = confirmed().filter(starts_at__gt=now, patient__in={patient_id for patient_id, _ in days})
    found: dict[Day, list[Appointment]] = {}
    for visit in around.on_dates(min(dates), max(dates)).order_by("starts_at", "pk"):
        if (visit.patient_id, visit.date) in days:
            found.setdefault((visit.patient_id, visit.date), []).append(visit)
    return found


def settled_at(visits: list[Appointment]) -> dict[UUID, datetime]:
    """Return since when each visit has stood confirmed at its time."""
    moved = TimeChange.objects.filter(appointment__in=[visit.pk for visit in visits]).order_by().values("appointment")
    last = dict(moved.annotate(last=Max("changed_at")).values_list("appointment", "last"))
    return {
        visit.pk: max(visit.created_at, visit.confirmed_at or visit.created_at, last.get(visit.pk, visit.created_at))
        for visit in visits
    }


def already_told(visits: list[Appointment]) -> set[tuple[UUID, int]]:
    """Return which reminders of these visits are written."""
    ids = [str(visit.pk) for visit in visits]
    rows = Notice.objects.filter(event=EVENT, subject_type="appointment", subject_id__in=ids)
    return {(UUID(subject_id), version) for subject_id, version in rows.values_list("subject_id", "version")}


def write(reminders: Iterable[Reminder], now: datetime) -> int:
    """Put each into the outbox: a notice for its first visit, which names all, and merged ones for the others.

    That by each channel which reaches the patient. Answers how many reminders it were.
    """
    reminders = list(reminders)
    channels: dict[UUID, list[str]] = {}
    for patient_id, channel in ways_to({reminder.visits[0].patient_id for reminder in reminders}, EVENT):
        channels.setdefault(patient_id, []).append(channel)
    firsts, groups = [], []
    for reminder in reminders:
        versions = {str(visit.pk): version_of(moment_of(visit, reminder.offset)) for visit in reminder.visits}
        detail = {"offset": reminder.offset, "visits": versions}
        for channel in channels[reminder.visits[0].patient_id]:
            firsts.append(notice_of(reminder.visits[0], reminder.offset, now, channel=channel, detail=detail))
            groups.append(reminder)
    merged = [
        notice_of(
            visit,
            reminder.offset,
            now,
            channel=first.channel,
            detail={"offset": reminder.offset},
            state=State.MERGED,
            merged_into=first,
        )
        for first, reminder in zip(Notice.objects.bulk_create(firsts), groups, strict=True)
        for visit in reminder.visits[1:]
    ]
    Notice.objects.bulk_create(merged)
    return len(reminders)


def notice_of(visit: Appointment, offset: str, now: datetime, **fields: Any) -> Notice:
    """Fill a row of the outbox; only the patient is reminded."""
    return Notice(
        event=EVENT,
        subject_type="appointment",
        subject_id=str(visit.pk),
        version=version_of(moment_of(visit, offset)),
        recipient_id=visit.patient_id,
        created_at=now,
        due_at=now,
        **fields,
    )


# --- Wording them -----------------------------------------------------------------------------


def compose(notice: Notice) -> Message | None:
    """Return the reminder of what still takes place; None where nothing does, or where a shorter reminder is due."""
    now, reader = timezone.now(), notice.recipient
    offset, versions = notice.detail.get("offset", ""), notice.detail.get("visits", {})
    wanted = offsets_of([reader.pk])[reader.pk]
    if offset not in wanted:
        return None
    visits = [
        visit
        for visit in Appointment.objects.filter(
            pk__in=list(versions), patient=reader.pk, status=Status.CONFIRMED, starts_at__gt=now
        ).order_by("starts_at", "pk")
        if version_of(moment_of(visit, offset)) == versions[str(visit.pk)]
    ]
    if not visits or any(is_overtaken(visit, offset, wanted, now) for visit in visits):
        return None
    first = visits[0]
    if len(visits) == 1:
        return Message(
            subject=say("Reminder: your appointment on {when}", when=short_when(first)),
            title=say("Your appointment on {when}", when=short_when(first)),
            lines=(say("Your appointment is coming up. Please arrive a few minutes early."),),
            facts=facts_of(first, reader),
            action=(say("View appointment"), page_of(first, reader)),
            closing=(cant_make_it(),),
        )
    count, day = len(visits), short_day_words(first.date)
    return Message(
        subject=say_number(
            "Reminder: {number} appointment on {day}", "Reminder: {number} appointments on {day}", count, day=day
        ),
        title=say_number("Your {number} appointment on {day}", "Your {number} appointments on {day}", count, day=day),
        lines=(say("Your appointments are coming up. Please arrive a few minutes early."),),
        facts=tuple((when_words(visit), whom_and_where(visit)) for visit in visits),
        action=(say("View appointments"), "/patient/appointments"),
        closing=(cant_make_it(),),
    )


def cant_make_it() -> str:
    """Ask patients who can't make it to say so."""
    return say("Can't make it? Please tell us on your appointment's page, so that someone else can have the time.")


def whom_and_where(visit: Appointment) -> str:
    """Return the doctor, the place and the phone number on one line."""
    number = format_phone(visit.hospital_phone, visit.hospital_country)
    phone = say("phone {number}", number=number) if number else ""
    return ", ".join(part for part in (doctor_words(visit), place_words(visit), phone) if part)


def register_composers() -> None:
    """Register the composer of reminders."""
    register(EVENT, compose, kind=KIND)
