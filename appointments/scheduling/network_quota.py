"""How much of a doctor's calendar unverified people can take, counted by their network.

Unverified are visitors and accounts whose email address is not confirmed: they cost nothing to make, so they are
counted by where they come from. A person with a confirmed address is counted alone and never pays for neighbors.
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

CROWDED = "limit.calendar_crowded"
# Fewer are no attack: that much an ordinary morning brings to a doctor who is nearly booked out.
LEAST_NETWORKS, LEAST_TAKEN = 3, 6
# How many times the share the wider IPv6 networks have. Less than other limits allow them: the calendar is finite.
TIMES_OF_SHARE = {64: 1, 56: 2, 48: 4}
# An IPv6 network as stored, "2001:0db8:0001:0203", begins with as many characters of a wider one.
CHARACTERS = {64: 19, 56: 17, 48: 14}
SHORTEST_PAUSE = timedelta(minutes=5)
# A hold that could last less than this is not worth starting.
SHORTEST_HOLD = timedelta(seconds=30)


class Taken(NamedTuple):
    """A hold, or time that was taken by an unverified person."""

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
        """Return whether it counts for a network: also what was taken before the address was confirmed does not."""
        return bool(self.network) and self.email_confirmed_at is None


class Week(NamedTuple):
    """A doctor's week of the clinic's calendar: how many times are free, and what else matters of its reservations."""

    monday: date
    free: int
    reservations: list[Taken]

    def unverified(self, now: datetime) -> list[Taken]:
        """Return what unverified people have of it at this moment."""
        return [
            each
            for each in self.reservations
            if each.is_unverified and (each.expires_at is None or each.expires_at > now)
        ]


def get_counted_network(person: User | None) -> str:
    """Return the network that a person's acts count for; empty for one whose email address is confirmed."""
    if person is not None and person.email_confirmed_at is not None:
        return ""
    return format_network(current_address.get())


def format_network(address: str) -> str:
    """Return an address as `Reservation.network` has it: IPv4 whole, of IPv6 the first 64 bits written out."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address or "unknown"
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else parsed.exploded[: CHARACTERS[64]]


def widen_network(network: str, prefix: int) -> str:
    """Return the beginning that all stored networks share within the network of that prefix."""
    return network[: CHARACTERS[prefix]] if ":" in network else network


def is_within(network: str, beginning: str) -> bool:
    """Return whether a stored network is the one that begins so, or part of it."""
    return network.startswith(beginning) if ":" in beginning else network == beginning


def lock_network(network: str) -> None:
    """Let the unverified people of one network take turns until this transaction ends, so that counts are exact.

    Comes after the locks of the doctor and the person, and before any of reservations: an INSERT waits for a
    reservation that is just being deleted. SQLite has one writer at a time and needs no lock.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"network {widen_network(network, 48)}"]
            )


def read_week(doctor: DoctorProfile, slot: Slot, calendar: Calendar, ignored: Collection[UUID]) -> Week:
    """Read the week of a slot in one statement; its free times come from a calendar that was read for the slot.

    `ignored` names reservations of the person who asks, which that calendar passes over too.
    """
    monday = slot.date - timedelta(days=slot.date.weekday())
    start, end = (
        datetime.combine(day, time.min, get_zone(doctor.time_zone)) for day in (monday, monday + timedelta(days=7))
    )
    counted = Reservation.objects.filter(Q(kind=Reservation.Kind.HOLD) | ~Q(network=""), doctor=doctor.pk)
    columns = (*Taken._fields[:-1], "patient__email_confirmed_at")
    rows = counted.filter(starts_at__gte=start, starts_at__lt=end).order_by().values_list(*columns)
    free = sum(len(slots) for _, slots in calendar.list_free_slots(monday, 7))
    return Week(monday, free, [taken for taken in map(Taken._make, rows) if taken.id not in ignored])


def refuse_too_many_holds(network: str, ignored: Collection[UUID], now: datetime) -> None:
    """Raise `too_many` where the unverified people of a network together hold `MAX_HOLDS_PER_IP` times."""
    standing = (
        Reservation.objects.filter(kind=Reservation.Kind.HOLD, expires_at__gt=now).exclude(pk__in=ignored).order_by()
    )
    widest = widen_network(network, 48)
    standing = standing.filter(network__startswith=widest) if ":" in network else standing.filter(network=network)
    networks = list(standing.values_list("network", flat=True))
    for prefix, times in IPV6_PREFIXES:
        beginning = widen_network(network, prefix)
        if sum(is_within(each, beginning) for each in networks) >= settings.MAX_HOLDS_PER_IP * times:
            raise DomainError("too_many", retry_after=settings.HOLD_MINUTES * 60)


def has_share(week: Week, network: str, now: datetime, *, holds: bool) -> bool:
    """Return whether a network may hold (or request) one more time of a doctor's week.

    The share is of what the others have left: the free times, and those that the network has of them already. Holds and
    requests count apart.
    """
    unverified = week.unverified(now)
    for prefix, times in TIMES_OF_SHARE.items():
        of_network = [each for each in unverified if is_within(each.network, widen_network(network, prefix))]
        share = (week.free + len(of_network)) * settings.MAX_NETWORK_SHARE_PERCENT // 100
        if sum(each.is_hold == holds for each in of_network) >= max(settings.MIN_NETWORK_SHARE, share) * times:
            return False
    return True


def refuse_hold(week: Week, network: str, now: datetime) -> None:
    """Raise `network_share_taken` where a network holds its share of a doctor's week."""
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

    To be counted with the person's row locked. An instantly confirmed booking that is still to come is as good as one.
    """
    if open_requests >= settings.MAX_OPEN_REQUESTS_UNCONFIRMED:
        raise DomainError("email_unconfirmed", data={"reason": "second_request"})


def alert_when_crowded(doctor: DoctorProfile, week: Week, network: str, now: datetime) -> None:
    """Notify the admins, once per doctor and day, when the unverified people of several networks have much of a week.

    To be called once another of its times is taken by `network`.
    """
    networks = [each.network for each in week.unverified(now)]
    taken, all_times = len(networks) + 1, week.free + len(networks)
    # A wider network is one: somebody with a whole /48 is not many.
    many = {widen_network(each, 48) for each in (*networks, network)}
    if taken < LEAST_TAKEN or len(many) < LEAST_NETWORKS or taken * 100 <= all_times * settings.CROWDED_PERCENT:
        return
    admins = User.objects.active().filter(role=Role.ADMIN).values_list("pk", flat=True)
    detail = {"week": week.monday.isoformat(), "taken": taken, "of": all_times, "networks": len(many)}
    notices = build_notices(CROWDED, "doctor", doctor.pk, list(admins), version=now.toordinal(), detail=detail)
    if notices and insert(build_notice_insert(notices)):
        record_event(CROWDED, Action.EXECUTE, "doctor", doctor.pk, actor=None, detail=detail)
        logger.warning("Unverified people have %s of %s times in a week of doctor %s", taken, all_times, doctor.pk)


# --- The pause after a long hold ------------------------------------------------------------------


def longest_hold() -> timedelta:
    """Return for how long one holder can hold one time in all."""
    return timedelta(minutes=settings.MAX_HOLD_MINUTES)


def pause() -> timedelta:
    """Return for how long a time is then not held again by the same holder: as long as it was."""
    return max(longest_hold(), SHORTEST_PAUSE)


def holder_of(network: str, patient_id: UUID | None) -> str:
    """Return under which name held time is counted: the network of unverified people, or the one person."""
    return hash_secret(network or str(patient_id))


def renewable_until(week: Week, doctor: DoctorProfile, slot: Slot, holder: str, now: datetime) -> datetime:
    """Return until when a new hold of a slot can be renewed; raises `hold_paused` where it has lasted long enough.

    What the same holder held of it within the last `pause()` counts, so that releasing and holding once more starts
    nothing over. Hopping between times does no harm: only the minutes for which this one was held count.
    """
    held, ended = timedelta(), now - pause()
    for row in HeldTime.objects.filter(doctor=doctor.pk, starts_at=slot.starts_at_utc, holder=holder):
        held, ended = timedelta(seconds=row.held_seconds), row.ended_at
    for reservation in week.reservations:
        # One that has run out is written down only when it is swept away.
        is_same = reservation.is_hold and reservation.starts_at == slot.starts_at_utc
        if not is_same or reservation.expires_at is None or reservation.expires_at > now:
            continue
        if holder_of(reservation.network, reservation.patient_id) == holder:
            held, ended = held_until(reservation, reservation.expires_at), reservation.expires_at
    over = ended + pause()
    if over <= now:
        return now + longest_hold()
    left = longest_hold() - held
    if left < SHORTEST_HOLD:
        raise DomainError("hold_paused", retry_after=max(1, ceil((over - now).total_seconds())))
    return now + left


def held_until(reservation: Taken | Reservation, end: datetime) -> timedelta:
    """Return for how long a time has been held by the end of a hold, earlier holds that were counted in included."""
    return longest_hold() - ((reservation.renewable_until or reservation.created_at + longest_hold()) - end)


def record_held_times(reservations: Iterable[Reservation], now: datetime) -> None:
    """Keep for how long these holds, which are being deleted, have held their times."""
    rows = {}
    for reservation in reservations:
        end = min(reservation.expires_at or now, now)
        holder = holder_of(reservation.network, reservation.patient_id)
        seconds = max(0, ceil(held_until(reservation, end).total_seconds()))
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
    """Delete what is kept of holds once the pause is over, and the networks of appointments that have begun."""
    with transaction.atomic():
        over = HeldTime.objects.filter(ended_at__lte=now - pause()).order_by()
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
