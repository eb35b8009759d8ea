"""A visit as an iCalendar file (RFC 5545, RFC 5546): one entry that each new version brings up to date.

Its words are in the language that is spoken; which entry it is does not depend on that.

It holds who, when and where, and nothing of why: calendars are shared and synchronised.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings
from icalendar import Calendar, Event, Timezone, vCalAddress, vText

from accounts.languages import say
from accounts.messages import site_host, site_link
from accounts.models import User
from appointments.models import Appointment, Status
from appointments.visit_words import page_of, place_words, title_for

PRODUCT = "-//Wellhour//Visits//EN"
PUBLISH, REQUEST, CANCEL = "PUBLISH", "REQUEST", "CANCEL"

# How often a calendar is asked to look for changes.
FEED_EVERY = timedelta(hours=1)

STATES = {
    Status.PENDING: "TENTATIVE",
    Status.CONFIRMED: "CONFIRMED",
    Status.COMPLETED: "CONFIRMED",
    Status.CANCELLED: "CANCELLED",
}


def calendar_file(visit: Appointment, reader: User, method: str, now: datetime) -> bytes:
    """Answer a visit's file for one of its two sides.

    The UID stays the same and SEQUENCE rises with the visit's version, so that a calendar takes a later file for a
    change of the same entry. The same visit gives the same bytes.
    """
    calendar = empty_calendar(method)
    calendar.add_component(zone_part(visit.time_zone, visit.date.year, visit.date.year + 1))
    calendar.add_component(event_of(visit, reader, now, invites=method != PUBLISH))
    return bytes(calendar.to_ical())


def feed_file(visits: Iterable[Appointment], reader: User, now: datetime) -> bytes:
    """Answer all these visits of one person as one calendar to read again and again."""
    calendar = empty_calendar(PUBLISH)
    calendar.add("name", say("Wellhour visits"))
    # The same for calendars that do not know RFC 7986, and how often to look.
    calendar.add("x-wr-calname", say("Wellhour visits"))
    calendar.add("refresh-interval", FEED_EVERY, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    visits = list(visits)
    for zone in sorted({visit.time_zone for visit in visits}):
        years = [visit.date.year for visit in visits if visit.time_zone == zone]
        calendar.add_component(zone_part(zone, min(years), max(years) + 1))
    for visit in visits:
        calendar.add_component(event_of(visit, reader, now, invites=False))
    return bytes(calendar.to_ical())


def empty_calendar(method: str) -> Calendar:
    """Make a calendar without an entry."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    return calendar


@lru_cache(maxsize=256)
def zone_part(time_zone: str, first: int, last: int) -> Timezone:
    """Answer the rules of a clinic's clock in these years, for calendars that do not know the zone by its name."""
    return Timezone.from_tzid(
        time_zone, first_date=date(first, 1, 1) - timedelta(days=1), last_date=date(last, 12, 31) + timedelta(days=1)
    )


def event_of(visit: Appointment, reader: User, now: datetime, *, invites: bool) -> Event:
    """Make the entry; `invites` names who asks whom, as a request or a cancellation must."""
    zone = ZoneInfo(visit.time_zone)
    # A request past its deadline has ended, even if nobody has swept it yet.
    status = Status.CANCELLED if visit.is_overdue(now) else Status(visit.status)
    event = Event()
    event.add("uid", f"{visit.pk}@{site_host()}")
    event.add("sequence", visit.version)
    event.add("dtstamp", visit.updated_at.astimezone(UTC))
    event.add("created", visit.created_at.astimezone(UTC))
    event.add("last-modified", visit.updated_at.astimezone(UTC))
    event.add("dtstart", visit.starts_at.astimezone(zone))
    event.add("dtend", visit.ends_at.astimezone(zone))
    event.add("summary", title_for(visit, reader))
    event.add("location", place_words(visit))
    link = site_link(page_of(visit, reader))
    facts = [(say("Telephone"), visit.hospital_phone)] if visit.hospital_phone else []
    facts.append((say("Change or cancel"), link))
    event.add("description", "\n".join(f"{name}: {value}" for name, value in facts))
    event.add("url", link)
    event.add("status", STATES[status])
    event.add("class", "PRIVATE")
    event.add("transp", "OPAQUE" if status != Status.CANCELLED else "TRANSPARENT")
    if invites:
        organizer = vCalAddress(f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}")
        organizer.params["CN"] = vText(visit.hospital_name or "Wellhour")
        event["organizer"] = organizer
        attendee = vCalAddress(f"mailto:{reader.email}")
        attendee.params["CN"] = vText(reader.name)
        attendee.params["ROLE"] = vText("REQ-PARTICIPANT")
        attendee.params["PARTSTAT"] = vText("ACCEPTED")
        # The answer is given on the site, never by mail.
        attendee.params["RSVP"] = vText("FALSE")
        event.add("attendee", attendee, encode=False)
    return event
