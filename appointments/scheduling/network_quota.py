"""Limits on how much of a doctor's calendar unverified users of one network can reserve.

Unverified are visitors and accounts without a confirmed email address. They cost nothing to create, so they are counted
by network. A user with a confirmed address is counted alone, so neighbors have no effect.
"""

import ipaddress
import logging
from collections.abc import Collection, Iterable
from datetime import date, datetime, time, timedelta
from math import ceil
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q

from accounts.audit.log import Action, current_address, record_event
from accounts.models import Role, User
from accounts.notifications.outbox import build_notice_insert, build_notices
from accounts.throttling.rate_limit import IPV6_PREFIXES
from config.api.errors import DomainError
from config.db.raw_sql import insert, is_postgresql, skip_locked
from doctors.availability.calendar import Calendar
from doctors.models import DoctorProfile, HeldTime, Reservation
from doctors.models.reservation import hash_secret
from doctors.slot_engine import Slot, get_zone

logger = logging.getLogger(__name__)

CALENDAR_CROWDED = "limit.calendar_crowded"
# Below these, it is no attack: a nearly booked-out doctor has as many on an ordinary morning.
MIN_NETWORKS, MIN_TAKEN = 3, 6
# The multiples of the share for wider IPv6 networks; smaller than for other limits, since a calendar is finite.
SHARE_MULTIPLES = {64: 1, 56: 2, 48: 4}
# An IPv6 network as stored, "2001:0db8:0001:0203", begins with as many characters of a wider one.
PREFIX_CHARACTERS = {64: 19, 56: 17, 48: 14}
MIN_PAUSE = timedelta(minutes=5)
# A hold that could last less than this is not worth starting.
MIN_HOLD = timedelta(seconds=30)


class ReservedTime(NamedTuple):
    """A hold, or a reservation by an unverified user."""

    id: UUID
    kind: str
    network: str
    patient_id: UUID | None
    starts_at: datetime
    created_at: datetime
    expires_at: datetime | None
    renewable_until: datetime | None
    email_confirmed_at: datetime | None

    @property
    def is_hold(self) -> bool:
        return self.kind == Reservation.Kind.HOLD

    @property
    def is_unverified(self) -> bool:
        """Return whether it counts for a network; not if the address has been confirmed since."""
        return bool(self.network) and self.email_confirmed_at is None


class Week(NamedTuple):
    """A doctor's local week: the number of free times, and the reservations that count."""

    monday: date
    free: int
    reservations: list[ReservedTime]

    def unverified(self, now: datetime) -> list[ReservedTime]:
        """Return the current reservations of unverified users."""
        return [
            each
            for each in self.reservations
            if each.is_unverified and (each.expires_at is None or each.expires_at > now)
        ]


def get_counted_network(person: User | None) -> str:
    """Return the network for which a user is counted; empty if the email address is confirmed."""
    if person is not None and person.email_confirmed_at is not None:
        return ""
    return format_network(current_address.get())


def format_network(address: str) -> str:
    """Return an address in the form of `Reservation.network`: IPv4, or the first 64 bits of IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address or "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else parsed.exploded[: PREFIX_CHARACTERS[64]]


def widen_network(network: str, prefix: int) -> str:
    """Return the common prefix of all stored networks within the network of this prefix length."""
    return network[: PREFIX_CHARACTERS[prefix]] if ":" in network else network


def is_within(network: str, beginning: str) -> bool:
    """Return whether a stored network is within the network with this prefix."""
    return network.startswith(beginning) if ":" in beginning else network == beginning


def lock_network(network: str) -> None:
    """Serialize the transactions of one network's unverified users, so that counts are exact.

    Must be locked after the doctor and the user, and before any reservation, because an INSERT waits for a
    reservation that is being deleted. SQLite has one writer at a time and needs no lock.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"network {widen_network(network, 48)}"]
            )


def read_week(doctor: DoctorProfile, slot: Slot, calendar: Calendar, ignored: Collection[UUID]) -> Week:
    """Return the week of a slot in one query; `calendar` provides its free times.

    `ignored` names reservations of the person who asks, which that calendar passes over too.
    """
    monday = slot.date - timedelta(days=slot.date.weekday())
    start, end = (
        datetime.combine(day, time.min, get_zone(doctor.time_zone)) for day in (monday, monday + timedelta(days=7))
    )
    counted = Reservation.objects.filter(Q(kind=Reservation.Kind.HOLD) | ~Q(network=""), doctor=doctor.pk)
    columns = (*ReservedTime._fields[:-1], "patient__email_confirmed_at")
    rows = counted.filter(starts_at__gte=start, starts_at__lt=end).order_by().values_list(*columns)
    free = sum(len(slots) for _, slots in calendar.list_free_slots(monday, 7))
    return Week(monday, free, [taken for taken in map(ReservedTime._make, rows) if taken.id not in ignored])


def refuse_too_many_holds(network: str, ignored: Collection[UUID], now: datetime) -> None:
    """Raise `too_many` where the unverified people of a network together hold `MAX_HOLDS_PER_IP` times."""
    active = (
        Reservation.objects.filter(kind=Reservation.Kind.HOLD, expires_at__gt=now).exclude(pk__in=ignored).order_by()
    )
    widest = widen_network(network, 48)
    active = active.filter(network__startswith=widest) if ":" in network else active.filter(network=network)
    networks = list(active.values_list("network", flat=True))
    for prefix, times in IPV6_PREFIXES:
        beginning = widen_network(network, prefix)
        if sum(is_within(network, beginning) for network in networks) >= settings.MAX_HOLDS_PER_IP * times:
            raise DomainError("too_many", retry_after=settings.HOLD_MINUTES * 60)


def has_share(week: Week, network: str, now: datetime, *, holds: bool) -> bool:
    """Return whether a network may hold or request one more time of a doctor's week.

    The share is relative to the free times and those that the network has already. Holds and requests are counted
    separately.
    """
    unverified = week.unverified(now)
    for prefix, times in SHARE_MULTIPLES.items():
        of_network = [each for each in unverified if is_within(each.network, widen_network(network, prefix))]
        share = (week.free + len(of_network)) * settings.MAX_NETWORK_SHARE_PERCENT // 100
        if sum(each.is_hold == holds for each in of_network) >= max(settings.MIN_NETWORK_SHARE, share) * times:
            return False
    return True


def refuse_hold(week: Week, network: str, now: datetime) -> None:
    """Raise `network_share_taken` if a network holds its share of a doctor's week."""
    if not has_share(week, network, now, holds=True):
        raise DomainError("network_share_taken", retry_after=settings.HOLD_MINUTES * 60)


def refuse_request(week: Week, network: str, now: datetime) -> None:
    """Raise `email_unconfirmed` where unconfirmed accounts of a network have requested its share of a doctor's week."""
    if not has_share(week, network, now, holds=False):
        raise DomainError(
            "email_unconfirmed",
            "Confirm your email address first. Several new accounts on your network have already asked this doctor for"
            " an appointment that week.",
            data={"reason": "network"},
        )


def refuse_second_request(open_requests: int) -> None:
    """Raise `email_unconfirmed` where an account whose address is not confirmed has as many open requests as it may.

    The count must be read with the user's row locked. Upcoming instant bookings count, too.
    """
    if open_requests >= settings.MAX_OPEN_REQUESTS_UNCONFIRMED:
        raise DomainError("email_unconfirmed", data={"reason": "second_request"})


def alert_when_crowded(doctor: DoctorProfile, week: Week, network: str, now: datetime) -> None:
    """Notify admins, once per doctor and day, if unverified users of several networks have reserved much of a week.

    Must be called after `network` has reserved another time.
    """
    networks = [each.network for each in week.unverified(now)]
    taken, all_times = len(networks) + 1, week.free + len(networks)
    # A /48 counts as one network.
    many = {widen_network(each, 48) for each in (*networks, network)}
    if taken < MIN_TAKEN or len(many) < MIN_NETWORKS or taken * 100 <= all_times * settings.CROWDED_PERCENT:
        return
    admins = User.objects.active().filter(role=Role.ADMIN).values_list("pk", flat=True)
    detail = {"week": week.monday.isoformat(), "taken": taken, "of": all_times, "networks": len(many)}
    notices = build_notices(CALENDAR_CROWDED, "doctor", doctor.pk, list(admins), version=now.toordinal(), detail=detail)
    if notices and insert(build_notice_insert(notices)):
        record_event(CALENDAR_CROWDED, Action.EXECUTE, "doctor", doctor.pk, actor=None, detail=detail)
        logger.warning("Unverified people have %s of %s times in a week of doctor %s", taken, all_times, doctor.pk)


# --- The pause after a long hold ------------------------------------------------------------------


def get_max_hold_duration() -> timedelta:
    """Return the maximum total duration of holds of one time by one holder."""
    return timedelta(minutes=settings.MAX_HOLD_MINUTES)


def get_pause() -> timedelta:
    """Return the pause before the same holder can hold the time again, which is as long."""
    return max(get_max_hold_duration(), MIN_PAUSE)


def get_holder(network: str, patient_id: UUID | None) -> str:
    """Return the key of held time: the network of unverified users, or the single user."""
    return hash_secret(network or str(patient_id))


def compute_renewable_until(week: Week, doctor: DoctorProfile, slot: Slot, holder: str, now: datetime) -> datetime:
    """Return until when a new hold of a slot can be renewed; raise `hold_paused` if it has been held for too long.

    Earlier holds of the same holder within the last `get_pause()` count, so that releasing a hold does not reset it.
    Only holds of this time count.
    """
    held, ended = timedelta(), now - get_pause()
    for row in HeldTime.objects.filter(doctor=doctor.pk, starts_at=slot.starts_at_utc, holder=holder):
        held, ended = timedelta(seconds=row.held_seconds), row.ended_at
    for reservation in week.reservations:
        # Expired holds are recorded only when they are deleted.
        is_same = reservation.is_hold and reservation.starts_at == slot.starts_at_utc
        if not is_same or reservation.expires_at is None or reservation.expires_at > now:
            continue
        if get_holder(reservation.network, reservation.patient_id) == holder:
            held, ended = get_held_duration(reservation, reservation.expires_at), reservation.expires_at
    over = ended + get_pause()
    if over <= now:
        return now + get_max_hold_duration()
    left = get_max_hold_duration() - held
    if left < MIN_HOLD:
        raise DomainError("hold_paused", retry_after=max(1, ceil((over - now).total_seconds())))
    return now + left


def get_held_duration(reservation: ReservedTime | Reservation, end: datetime) -> timedelta:
    """Return the held duration at the end of a hold, including earlier ones."""
    return get_max_hold_duration() - (
        (reservation.renewable_until or reservation.created_at + get_max_hold_duration()) - end
    )


def record_held_times(reservations: Iterable[Reservation], now: datetime) -> None:
    """Store how long these holds, which are being deleted, have held their times."""
    rows = {}
    for reservation in reservations:
        end = min(reservation.expires_at or now, now)
        holder = get_holder(reservation.network, reservation.patient_id)
        seconds = max(0, ceil(get_held_duration(reservation, end).total_seconds()))
        rows[reservation.doctor_id, reservation.starts_at, holder] = HeldTime(
            doctor_id=reservation.doctor_id,
            starts_at=reservation.starts_at,
            holder=holder,
            held_seconds=seconds,
            ended_at=end,
        )
    HeldTime.objects.bulk_create(
        rows.values(),
        update_conflicts=True,
        unique_fields=["doctor", "starts_at", "holder"],
        update_fields=["held_seconds", "ended_at"],
    )


def delete_old_held_times(now: datetime, batch: int = 1000) -> dict[str, int]:
    """Delete held times after the pause, and the networks of appointments that have begun."""
    with transaction.atomic():
        over = HeldTime.objects.filter(ended_at__lte=now - get_pause()).order_by()
        stale = skip_locked(over).values_list("pk", flat=True)
        deleted, _ = HeldTime.objects.filter(pk__in=list(stale[:batch])).delete()
    begun = (
        Reservation.objects.exclude(network="")
        .filter(starts_at__lte=now)
        .exclude(kind=Reservation.Kind.HOLD)
        .order_by()
    )
    with transaction.atomic():
        keys = list(skip_locked(begun).values_list("pk", flat=True)[:batch])
        cleared = Reservation.objects.filter(pk__in=keys).update(network="")
    return {"held times": deleted, "networks": cleared}
