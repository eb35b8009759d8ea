"""Reminders of upcoming appointments.

Reminders are not stored in advance: each round looks for the appointments whose reminder time has come since the last
one, so that rescheduled and cancelled appointments need no cleanup. Each reminder is sent once: its time, in minutes,
is the notice's version.
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
from appointments.formatting import (
    format_doctor,
    format_place,
    format_short_when,
    format_when,
    get_page_path,
    list_facts,
)
from appointments.models import Appointment, Status, TimeChange
from appointments.models.appointment import AppointmentQuerySet

WORKER_NAME = "reminders"
EVENT = "appointment.reminder"
KIND = "reminder"
BATCH_SIZE = 500
# Each round also covers this time before the last one, for confirmations that were committed late.
OVERLAP = timedelta(minutes=5)
# Clock changes are never larger; see `list_candidates`.
MAX_CLOCK_SHIFT = timedelta(hours=2)
State = Notice.State

# The subject of one email: a patient and a local date.
Day = tuple[UUID, date]


def list_offsets(person_ids: Collection[UUID]) -> dict[UUID, set[str]]:
    """Return the enabled reminder offsets of each user."""
    return {person_id: set(chosen) for person_id, chosen in list_reminders_by_user(person_ids).items()}


def parse_hours(offset: str) -> int:
    """Parse an offset like `7d` or `2h` into hours."""
    return int(offset[:-1]) * (24 if offset.endswith("d") else 1)


def get_reminder_time(appointment: Appointment, offset: str) -> datetime:
    """Return the time of a reminder.

    Whole days are counted in local time: the same time of day, days before. A time that a clock change skips is moved
    by the change, and for one that it repeats the first counts. Offsets below a day are hours.
    """
    days, hours = divmod(parse_hours(offset), 24)
    if hours:
        return appointment.starts_at - timedelta(days=days, hours=hours)
    local = datetime.combine(appointment.date - timedelta(days=days), appointment.time, ZoneInfo(appointment.time_zone))
    return local.astimezone(UTC)


def get_version(moment: datetime) -> int:
    """Return the version of a reminder for this moment."""
    return int(moment.timestamp()) // 60


# --- Scheduling -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reminder:
    """One email: the appointments of one patient on one local date, in order."""

    offset: str
    appointments: list[Appointment]


def create_due_reminders(now: datetime, batch: int = BATCH_SIZE) -> int:
    """Add due reminders to the outbox; return the number of emails.

    After a pause, only the last missed reminder of each appointment is sent, and none once the appointment has begun.
    The number of queries per batch is constant.
    """
    turn, _created = Heartbeat.objects.get_or_create(name=WORKER_NAME)
    earliest = now - timedelta(hours=max(map(parse_hours, settings.REMINDERS), default=0)) - MAX_CLOCK_SHIFT
    # Never later than now, because nothing was sent since if the clock was ahead and then corrected.
    since = max(earliest, min(turn.beat_at, now) - OVERLAP) if turn.beat_at else earliest
    written, after = 0, None
    while True:
        with transaction.atomic():
            # Serialized, or two workers would create the same reminder.
            turn = Heartbeat.objects.select_for_update(no_key=True).get(name=WORKER_NAME)
            appointments = list(list_candidates(since, now, after)[:batch])
            written += insert_reminders(find_due_reminders(appointments, since, now), now)
            if len(appointments) < batch:
                # The later of two concurrent rounds counts, unless its clock was ahead.
                last = turn.beat_at or now
                turn.beat_at = now if last > now + MAX_CLOCK_SKEW else max(now, last)
                turn.save(update_fields=["beat_at"])
                return written
        after = appointments[-1]


def list_confirmed() -> AppointmentQuerySet:
    """Return confirmed appointments with the fields that reminders need."""
    return Appointment.objects.filter(status=Status.CONFIRMED).only(
        "patient_id", "date", "time", "time_zone", "starts_at", "created_at", "confirmed_at"
    )


def list_candidates(since: datetime, now: datetime, after: Appointment | None) -> AppointmentQuerySet:
    """Return the appointments that may have a reminder due in between, by their start, which is indexed."""
    near = Q(pk__in=())
    for offset in settings.REMINDERS:
        before = timedelta(hours=parse_hours(offset))
        shift = timedelta(0) if parse_hours(offset) % 24 else MAX_CLOCK_SHIFT
        near |= Q(starts_at__gt=since + before - shift, starts_at__lte=now + before + shift)
    appointments = list_confirmed().filter(near, starts_at__gt=now)
    if after is not None:
        later = Q(starts_at__gt=after.starts_at) | Q(starts_at=after.starts_at, pk__gt=after.pk)
        appointments = appointments.filter(later, starts_at__gte=after.starts_at)
    return appointments.order_by("starts_at", "pk")


def find_due_reminders(appointments: list[Appointment], since: datetime, now: datetime) -> Iterator[Reminder]:
    """Yield the due reminders of these appointments, each with all of the patient's appointments on that date."""
    wanted = list_offsets({appointment.patient_id for appointment in appointments}) if appointments else {}
    due: dict[Day, set[str]] = {}
    for appointment in appointments:
        offset = find_last_passed_offset(appointment, wanted.get(appointment.patient_id, ()), now)
        if offset and get_reminder_time(appointment, offset) > since:
            due.setdefault((appointment.patient_id, appointment.date), set()).add(offset)
    if not due:
        return
    days = list_appointments_by_day(due, now)
    every = [appointment for day in days.values() for appointment in day]
    settled, told = get_settled_times(every), list_existing_reminders(every)
    for day, offsets in due.items():
        for offset in sorted(offsets, key=parse_hours):
            # Appointments that were confirmed or moved after the reminder time need no reminder.
            group = [
                appointment
                for appointment in days.get(day, ())
                if since < get_reminder_time(appointment, offset) >= settled[appointment.pk]
                and not is_reminded(appointment, offset, told)
                and not has_shorter_due(appointment, offset, wanted[appointment.patient_id], now)
            ]
            if any(
                find_last_passed_offset(appointment, wanted[appointment.patient_id], now) == offset
                for appointment in group
            ):
                yield Reminder(offset, group)
                # The shorter reminder covered the whole day.
                break


def find_last_passed_offset(appointment: Appointment, offsets: Iterable[str], now: datetime) -> str | None:
    """Return the passed offset that is nearest to the appointment."""
    passed = [offset for offset in offsets if get_reminder_time(appointment, offset) <= now]
    return min(passed, key=parse_hours, default=None)


def has_shorter_due(appointment: Appointment, offset: str, offsets: Iterable[str], now: datetime) -> bool:
    """Return whether a shorter reminder is due."""
    passed = find_last_passed_offset(appointment, offsets, now)
    return passed is not None and parse_hours(passed) < parse_hours(offset)


def is_reminded(appointment: Appointment, offset: str, told: set[tuple[UUID, int]]) -> bool:
    """Return whether this reminder or a shorter one was sent already."""
    shorter = (one for one in settings.REMINDERS if parse_hours(one) <= parse_hours(offset))
    return any((appointment.pk, get_version(get_reminder_time(appointment, one))) in told for one in shorter)


def list_appointments_by_day(days: Collection[Day], now: datetime) -> dict[Day, list[Appointment]]:
    """Return the upcoming confirmed appointments of these patients on these dates, in order."""
    dates = [day for _patient_id, day in days]
    around = list_confirmed().filter(starts_at__gt=now, patient__in={patient_id for patient_id, _day in days})
    found: dict[Day, list[Appointment]] = {}
    for appointment in around.on_dates(min(dates), max(dates)).order_by("starts_at", "pk"):
        if (appointment.patient_id, appointment.date) in days:
            found.setdefault((appointment.patient_id, appointment.date), []).append(appointment)
    return found


def get_settled_times(appointments: list[Appointment]) -> dict[UUID, datetime]:
    """Return since when each appointment has been confirmed at its current time."""
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


def list_existing_reminders(appointments: list[Appointment]) -> set[tuple[UUID, int]]:
    """Return the existing reminders of these appointments."""
    ids = [str(appointment.pk) for appointment in appointments]
    rows = Notice.objects.filter(event=EVENT, subject_type="appointment", subject_id__in=ids)
    return {(UUID(subject_id), version) for subject_id, version in rows.values_list("subject_id", "version")}


def insert_reminders(reminders: Iterable[Reminder], now: datetime) -> int:
    """Add reminders to the outbox: a notice for the first appointment, which lists all, and merged ones for the others.

    There is one for each channel that reaches the patient. Return the number of reminders.
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
            str(appointment.pk): get_version(get_reminder_time(appointment, reminder.offset))
            for appointment in reminder.appointments
        }
        detail = {"offset": reminder.offset, "appointments": versions}
        for channel in channels[reminder.appointments[0].patient_id]:
            firsts.append(build_notice(reminder.appointments[0], reminder.offset, now, channel=channel, detail=detail))
            groups.append(reminder)
    merged = [
        build_notice(
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


def build_notice(appointment: Appointment, offset: str, now: datetime, **fields: Any) -> Notice:
    """Return the unsaved notice of a reminder to the patient."""
    return Notice(
        event=EVENT,
        subject_type="appointment",
        subject_id=str(appointment.pk),
        version=get_version(get_reminder_time(appointment, offset)),
        recipient_id=appointment.patient_id,
        created_at=now,
        due_at=now,
        **fields,
    )


# --- Composing --------------------------------------------------------------------------------


def compose_reminder(notice: Notice) -> Message | None:
    """Return the reminder of appointments that still take place; None if none do or a shorter reminder is due."""
    now, reader = timezone.now(), notice.recipient
    offset, versions = notice.detail.get("offset", ""), notice.detail.get("appointments", {})
    wanted = list_offsets([reader.pk])[reader.pk]
    if offset not in wanted:
        return None
    appointments = [
        appointment
        for appointment in Appointment.objects.filter(
            pk__in=list(versions), patient=reader.pk, status=Status.CONFIRMED, starts_at__gt=now
        ).order_by("starts_at", "pk")
        if get_version(get_reminder_time(appointment, offset)) == versions[str(appointment.pk)]
    ]
    if not appointments or any(has_shorter_due(appointment, offset, wanted, now) for appointment in appointments):
        return None
    first = appointments[0]
    if len(appointments) == 1:
        return Message(
            subject=_("Reminder: your appointment on {when}").format(when=format_short_when(first)),
            title=_("Your appointment on {when}").format(when=format_short_when(first)),
            lines=(_("Your appointment is coming up. Please arrive a few minutes early."),),
            facts=list_facts(first, reader),
            action=(_("View appointment"), get_page_path(first, reader)),
            closing=(get_cant_make_it_text(),),
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
        facts=tuple((format_when(appointment), format_doctor_and_place(appointment)) for appointment in appointments),
        action=(_("View appointments"), "/patient/appointments"),
        closing=(get_cant_make_it_text(),),
    )


def get_cant_make_it_text() -> str:
    """Return the request to cancel if the patient can't make it."""
    return _("Can't make it? Please tell us on your appointment's page, so that someone else can have the time.")


def format_doctor_and_place(appointment: Appointment) -> str:
    """Return doctor, place and phone number on one line."""
    number = format_phone(appointment.hospital_phone, appointment.hospital_country)
    phone = _("phone {number}").format(number=number) if number else ""
    return ", ".join(part for part in (format_doctor(appointment), format_place(appointment), phone) if part)


def register_composers() -> None:
    """Register the composer of reminders."""
    register_composer(EVENT, compose_reminder, kind=KIND)
