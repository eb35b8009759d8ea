"""Remind patients of appointments that come near.

No reminder is written ahead: each round looks for the appointments whose moment has come since the last one, so that an
appointment that has moved or was cancelled leaves nothing to clean up. An appointment is reminded of once for each
moment, which, in minutes, is the notice's version.
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
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.leases import MAX_CLOCK_SKEW
from accounts.models import Heartbeat, Notice
from accounts.notifications.channels import list_user_channels
from accounts.notifications.date_format import format_short_date
from accounts.notifications.preferences import list_reminders_by_user
from accounts.notifications.registry import Message, register_composer
from accounts.text.phone_numbers import format_phone
from appointments.formatting import doctor_words, facts_of, page_of, place_words, short_when, when_words
from appointments.models import Appointment, Status, TimeChange
from appointments.models.appointment import AppointmentQuerySet

NAME = "reminders"
EVENT = "appointment.reminder"
KIND = "reminder"
BATCH = 500
# Each round looks so far behind the last one: an appointment that was confirmed then may have been written a little
# later.
OVERLAP = timedelta(minutes=5)
# No clock is put forward or back by more; see `narrow`.
LARGEST_SHIFT = timedelta(hours=2)
State = Notice.State

# What is told of in one mail: a patient, and a date of the clinics'.
Day = tuple[UUID, date]


def offsets_of(person_ids: Collection[UUID]) -> dict[UUID, set[str]]:
    """Return how long before their appointments these people want to be reminded."""
    return {person_id: set(chosen) for person_id, chosen in list_reminders_by_user(person_ids).items()}


def hours_of(offset: str) -> int:
    """Return the hours of an offset like `7d` or `2h`."""
    return int(offset[:-1]) * (24 if offset.endswith("d") else 1)


def moment_of(appointment: Appointment, offset: str) -> datetime:
    """Return when an appointment is to be reminded of.

    Whole days are counted on the clinic's clock: the same time of day, days before. A time that its clock leaps over
    is put off by the leap, and of one that it shows twice the first counts. Fewer hours are hours.
    """
    days, hours = divmod(hours_of(offset), 24)
    if hours:
        return appointment.starts_at - timedelta(days=days, hours=hours)
    local = datetime.combine(appointment.date - timedelta(days=days), appointment.time, ZoneInfo(appointment.time_zone))
    return local.astimezone(UTC)


def version_of(moment: datetime) -> int:
    """Return the version of a reminder for this moment."""
    return int(moment.timestamp()) // 60


# --- Writing them -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """One mail: the appointments of one patient on one of the clinics' dates, the first one first."""

    offset: str
    appointments: list[Appointment]


def remind_due(now: datetime, batch: int = BATCH) -> int:
    """Put the reminders whose moment has come into the outbox; return how many mails that makes.

    After a pause only the last moment that has passed counts for each appointment: what came before it helps nobody any
    more, and nothing does once the appointment has begun. A batch costs the same number of statements however many it
    holds.
    """
    turn, _created = Heartbeat.objects.get_or_create(name=NAME)
    earliest = now - timedelta(hours=max(map(hours_of, settings.REMINDERS), default=0)) - LARGEST_SHIFT
    # Never later than now: a clock that ran ahead and was put right has reminded of nothing since.
    since = max(earliest, min(turn.beat_at, now) - OVERLAP) if turn.beat_at else earliest
    written, after = 0, None
    while True:
        with transaction.atomic():
            # One at a time, or two would see the same appointment without its reminder.
            turn = Heartbeat.objects.select_for_update(no_key=True).get(name=NAME)
            appointments = list(narrow(since, now, after)[:batch])
            written += write(due_among(appointments, since, now), now)
            if len(appointments) < batch:
                # The later of two rounds at about the same time counts, but no clock that has been put right.
                last = turn.beat_at or now
                turn.beat_at = now if last > now + MAX_CLOCK_SKEW else max(now, last)
                turn.save(update_fields=["beat_at"])
                return written
        after = appointments[-1]


def confirmed() -> AppointmentQuerySet:
    """Read of confirmed appointments what their reminders need."""
    return Appointment.objects.filter(status=Status.CONFIRMED).only(
        "patient_id", "date", "time", "time_zone", "starts_at", "created_at", "confirmed_at"
    )


def narrow(since: datetime, now: datetime, after: Appointment | None) -> AppointmentQuerySet:
    """Keep the appointments that may have a reminder due in between, by their start, which is indexed."""
    near = Q(pk__in=())
    for offset in settings.REMINDERS:
        before = timedelta(hours=hours_of(offset))
        shift = timedelta(0) if hours_of(offset) % 24 else LARGEST_SHIFT
        near |= Q(starts_at__gt=since + before - shift, starts_at__lte=now + before + shift)
    appointments = confirmed().filter(near, starts_at__gt=now)
    if after is not None:
        later = Q(starts_at__gt=after.starts_at) | Q(starts_at=after.starts_at, pk__gt=after.pk)
        appointments = appointments.filter(later, starts_at__gte=after.starts_at)
    return appointments.order_by("starts_at", "pk")


def due_among(appointments: list[Appointment], since: datetime, now: datetime) -> Iterator[Reminder]:
    """Return the reminders that are due for these appointments, each with what else its patient has on that date."""
    wanted = offsets_of({appointment.patient_id for appointment in appointments}) if appointments else {}
    due: dict[Day, set[str]] = {}
    for appointment in appointments:
        offset = last_passed(appointment, wanted.get(appointment.patient_id, ()), now)
        if offset and moment_of(appointment, offset) > since:
            due.setdefault((appointment.patient_id, appointment.date), set()).add(offset)
    if not due:
        return
    days = appointments_on(due, now)
    every = [appointment for day in days.values() for appointment in day]
    settled, told = settled_at(every), already_told(every)
    for day, offsets in due.items():
        for offset in sorted(offsets, key=hours_of):
            # What was booked, confirmed or moved later than its moment needs no reminder of that.
            group = [
                appointment
                for appointment in days.get(day, ())
                if since < moment_of(appointment, offset) >= settled[appointment.pk]
                and not is_told(appointment, offset, told)
                and not is_overtaken(appointment, offset, wanted[appointment.patient_id], now)
            ]
            if any(last_passed(appointment, wanted[appointment.patient_id], now) == offset for appointment in group):
                yield Reminder(offset, group)
                # The shorter one told of all that the day holds.
                break


def last_passed(appointment: Appointment, offsets: Iterable[str], now: datetime) -> str | None:
    """Return which of these has its moment behind it and nearest to the appointment."""
    passed = [offset for offset in offsets if moment_of(appointment, offset) <= now]
    return min(passed, key=hours_of, default=None)


def is_overtaken(appointment: Appointment, offset: str, offsets: Iterable[str], now: datetime) -> bool:
    """Return whether a shorter one has its turn."""
    passed = last_passed(appointment, offsets, now)
    return passed is not None and hours_of(passed) < hours_of(offset)


def is_told(appointment: Appointment, offset: str, told: set[tuple[UUID, int]]) -> bool:
    """Return whether this reminder, or a shorter one with another appointment of that day, is written."""
    shorter = (one for one in settings.REMINDERS if hours_of(one) <= hours_of(offset))
    return any((appointment.pk, version_of(moment_of(appointment, one))) in told for one in shorter)


def appointments_on(days: Collection[Day], now: datetime) -> dict[Day, list[Appointment]]:
    """Return these patients' confirmed appointments to come on these dates, the first of each day first."""
    dates = [day for _patient_id, day in days]
    around = confirmed().filter(starts_at__gt=now, patient__in={patient_id for patient_id, _day in days})
    found: dict[Day, list[Appointment]] = {}
    for appointment in around.on_dates(min(dates), max(dates)).order_by("starts_at", "pk"):
        if (appointment.patient_id, appointment.date) in days:
            found.setdefault((appointment.patient_id, appointment.date), []).append(appointment)
    return found


def settled_at(appointments: list[Appointment]) -> dict[UUID, datetime]:
    """Return since when each appointment has stood confirmed at its time."""
    moved = (
        TimeChange.objects.filter(appointment__in=[appointment.pk for appointment in appointments])
        .order_by()
        .values("appointment")
    )
    last = dict(moved.annotate(last=Max("changed_at")).values_list("appointment", "last"))
    return {
        appointment.pk: max(
            appointment.created_at,
            appointment.confirmed_at or appointment.created_at,
            last.get(appointment.pk, appointment.created_at),
        )
        for appointment in appointments
    }


def already_told(appointments: list[Appointment]) -> set[tuple[UUID, int]]:
    """Return which reminders of these appointments are written."""
    ids = [str(appointment.pk) for appointment in appointments]
    rows = Notice.objects.filter(event=EVENT, subject_type="appointment", subject_id__in=ids)
    return {(UUID(subject_id), version) for subject_id, version in rows.values_list("subject_id", "version")}


def write(reminders: Iterable[Reminder], now: datetime) -> int:
    """Put each into the outbox: a notice for its first appointment, which names all, and merged ones for the others.

    That by each channel which reaches the patient. Answers how many reminders it were.
    """
    reminders = list(reminders)
    channels: dict[UUID, list[str]] = {}
    for patient_id, channel in list_user_channels(
        {reminder.appointments[0].patient_id for reminder in reminders}, EVENT
    ):
        channels.setdefault(patient_id, []).append(channel)
    firsts, groups = [], []
    for reminder in reminders:
        versions = {
            str(appointment.pk): version_of(moment_of(appointment, reminder.offset))
            for appointment in reminder.appointments
        }
        detail = {"offset": reminder.offset, "appointments": versions}
        for channel in channels[reminder.appointments[0].patient_id]:
            firsts.append(notice_of(reminder.appointments[0], reminder.offset, now, channel=channel, detail=detail))
            groups.append(reminder)
    merged = [
        notice_of(
            appointment,
            reminder.offset,
            now,
            channel=first.channel,
            detail={"offset": reminder.offset},
            state=State.MERGED,
            merged_into=first,
        )
        for first, reminder in zip(Notice.objects.bulk_create(firsts), groups, strict=True)
        for appointment in reminder.appointments[1:]
    ]
    Notice.objects.bulk_create(merged)
    return len(reminders)


def notice_of(appointment: Appointment, offset: str, now: datetime, **fields: Any) -> Notice:
    """Fill a row of the outbox; only the patient is reminded."""
    return Notice(
        event=EVENT,
        subject_type="appointment",
        subject_id=str(appointment.pk),
        version=version_of(moment_of(appointment, offset)),
        recipient_id=appointment.patient_id,
        created_at=now,
        due_at=now,
        **fields,
    )


# --- Wording them -----------------------------------------------------------------------------


def compose(notice: Notice) -> Message | None:
    """Return the reminder of what still takes place; None where nothing does, or where a shorter reminder is due."""
    now, reader = timezone.now(), notice.recipient
    offset, versions = notice.detail.get("offset", ""), notice.detail.get("appointments", {})
    wanted = offsets_of([reader.pk])[reader.pk]
    if offset not in wanted:
        return None
    appointments = [
        appointment
        for appointment in Appointment.objects.filter(
            pk__in=list(versions), patient=reader.pk, status=Status.CONFIRMED, starts_at__gt=now
        ).order_by("starts_at", "pk")
        if version_of(moment_of(appointment, offset)) == versions[str(appointment.pk)]
    ]
    if not appointments or any(is_overtaken(appointment, offset, wanted, now) for appointment in appointments):
        return None
    first = appointments[0]
    if len(appointments) == 1:
        return Message(
            subject=_("Reminder: your appointment on {when}").format(when=short_when(first)),
            title=_("Your appointment on {when}").format(when=short_when(first)),
            lines=(_("Your appointment is coming up. Please arrive a few minutes early."),),
            facts=facts_of(first, reader),
            action=(_("View appointment"), page_of(first, reader)),
            closing=(cant_make_it(),),
        )
    count, day = len(appointments), format_short_date(first.date)
    return Message(
        subject=ngettext(
            "Reminder: {number} appointment on {day}", "Reminder: {number} appointments on {day}", count
        ).format(number=count, day=day),
        title=ngettext("Your {number} appointment on {day}", "Your {number} appointments on {day}", count).format(
            number=count, day=day
        ),
        lines=(_("Your appointments are coming up. Please arrive a few minutes early."),),
        facts=tuple((when_words(appointment), whom_and_where(appointment)) for appointment in appointments),
        action=(_("View appointments"), "/patient/appointments"),
        closing=(cant_make_it(),),
    )


def cant_make_it() -> str:
    """Ask patients who can't make it to say so."""
    return _("Can't make it? Please tell us on your appointment's page, so that someone else can have the time.")


def whom_and_where(appointment: Appointment) -> str:
    """Return the doctor, the place and the phone number on one line."""
    number = format_phone(appointment.hospital_phone, appointment.hospital_country)
    phone = _("phone {number}").format(number=number) if number else ""
    return ", ".join(part for part in (doctor_words(appointment), place_words(appointment), phone) if part)


def register_composers() -> None:
    """Register the composer of reminders."""
    register_composer(EVENT, compose, kind=KIND)
