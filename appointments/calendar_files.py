"""A visit as an iCalendar file (RFC 5545, RFC 5546): one entry that each new version brings up to date.

It holds who, when and where, and nothing of why: calendars are shared and synchronised.
"""

from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from zoneinfo import ZoneInfo

from django.conf import settings
from icalendar import Calendar, Event, Timezone, vCalAddress, vText

from accounts.messages import site_host, site_link
from accounts.models import User
from appointments.models import Appointment, Status
from appointments.visit_words import page_of, place_words, title_for

PRODUCT = "-//Wellhour//Visits//EN"
PUBLISH, REQUEST, CANCEL = "PUBLISH", "REQUEST", "CANCEL"

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
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    # The rules of the clinic's clock around the visit, for calendars that do not know the zone by its name.
    calendar.add_component(
        Timezone.from_tzid(
            visit.time_zone,
            first_date=visit.date.replace(month=1, day=1) - timedelta(days=1),
            last_date=visit.date.replace(month=1, day=1) + timedelta(days=366 + 365),
        )
    )
    calendar.add_component(event_of(visit, reader, now, invites=method != PUBLISH))
    return bytes(calendar.to_ical())


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
    phone = f"Telephone: {visit.hospital_phone}\n" if visit.hospital_phone else ""
    event.add("description", f"{phone}Change or cancel: {link}")
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
