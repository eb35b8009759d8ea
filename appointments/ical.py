"""An appointment as an iCalendar file (RFC 5545, RFC 5546): one entry that each later file updates.

Times are in UTC, so that no calendar needs time zone rules to find the instant. The words are in the language that is
spoken; the entry's identity is not. A file holds who, when and where, and never why: calendars are shared and synced.
"""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr

from django.conf import settings
from django.utils.translation import gettext as _
from icalendar import Calendar, Event, vCalAddress, vText

from accounts.models import User
from accounts.notifications.registry import build_site_url
from accounts.text.phone_numbers import format_phone
from appointments.formatting import page_of, place_words, title_for
from appointments.models import Appointment, Status

PRODUCT = "-//Wellhour//Appointments//EN"
PUBLISH, REQUEST, CANCEL = "PUBLISH", "REQUEST", "CANCEL"

# The right-hand side of every UID. It must never change: calendars find an entry by its UID, so a site that moves to
# another domain goes on updating the entries that people already have.
UID_DOMAIN = "appointments.wellhour"

# How often a calendar is asked to look for changes.
FEED_EVERY = timedelta(hours=1)

STATES = {
    Status.PENDING: "TENTATIVE",
    Status.CONFIRMED: "CONFIRMED",
    Status.COMPLETED: "CONFIRMED",
    Status.CANCELLED: "CANCELLED",
}


def calendar_file(appointment: Appointment, reader: User, method: str, now: datetime, address: str = "") -> bytes:
    """Return the appointment's file for its patient or its doctor.

    The UID stays the same and SEQUENCE rises with the appointment's version, so that a calendar takes a later file as
    a change of the same entry. The same appointment gives the same bytes.

    Args:
        address: The attendee's address where it is not the reader's own, as in the last mail of a closed account.
    """
    calendar = empty_calendar(method)
    event = event_of(appointment, reader, now)
    if method != PUBLISH:
        add_people(event, reader, address or reader.email)
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def list_file(appointments: Iterable[Appointment], reader: User, now: datetime) -> bytes:
    """Return several appointments of one person in one file to import, the cancelled ones marked as such."""
    calendar = empty_calendar(PUBLISH)
    for appointment in appointments:
        calendar.add_component(event_of(appointment, reader, now))
    return bytes(calendar.to_ical())


def feed_file(appointments: Iterable[Appointment], reader: User, now: datetime) -> bytes:
    """Return all these appointments of one person as a calendar to subscribe to."""
    calendar = empty_calendar(PUBLISH)
    name = _("Appointments at {site}").format(site=settings.SITE_NAME)
    calendar.add("name", name)
    # The same for calendars that do not know RFC 7986, and how often to look.
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", FEED_EVERY, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for appointment in appointments:
        calendar.add_component(event_of(appointment, reader, now))
    return bytes(calendar.to_ical())


def empty_calendar(method: str) -> Calendar:
    """Return a calendar without an entry."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    return calendar


def event_of(appointment: Appointment, reader: User, now: datetime) -> Event:
    """Return the entry of an appointment."""
    # A request past its deadline is over, even if the sweep has not reached it yet.
    status = Status.CANCELLED if appointment.is_overdue(now) else Status(appointment.status)
    event = Event()
    event.add("uid", f"{appointment.pk}@{UID_DOMAIN}")
    event.add("sequence", appointment.version)
    event.add("dtstamp", appointment.updated_at.astimezone(UTC))
    event.add("created", appointment.created_at.astimezone(UTC))
    event.add("last-modified", appointment.updated_at.astimezone(UTC))
    event.add("dtstart", appointment.starts_at.astimezone(UTC))
    event.add("dtend", appointment.ends_at.astimezone(UTC))
    event.add("summary", title_for(appointment, reader, status))
    event.add("location", place_words(appointment))
    link = build_site_url(page_of(appointment, reader))
    phone = format_phone(appointment.hospital_phone, appointment.hospital_country)
    facts = [(_("Phone"), phone)] if phone else []
    facts.append((_("View appointment"), link))
    event.add("description", "\n".join(f"{name}: {value}" for name, value in facts))
    event.add("url", link)
    event.add("status", STATES[status])
    event.add("class", "PRIVATE")
    event.add("transp", "OPAQUE" if status != Status.CANCELLED else "TRANSPARENT")
    return event


def add_people(event: Event, reader: User, address: str) -> None:
    """Name the organizer and the attendee, who must be the mail's From and To (RFC 6047, 2.3)."""
    name, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    organizer = vCalAddress(f"mailto:{sender}")
    organizer.params["CN"] = vText(name or settings.SITE_NAME)
    event["organizer"] = organizer
    attendee = vCalAddress(f"mailto:{address}")
    attendee.params["CN"] = vText(reader.name)
    attendee.params["ROLE"] = vText("REQ-PARTICIPANT")
    attendee.params["PARTSTAT"] = vText("ACCEPTED")
    # People answer on the site, never by mail.
    attendee.params["RSVP"] = vText("FALSE")
    event.add("attendee", attendee, encode=False)
