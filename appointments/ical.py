"""An appointment as an iCalendar file (RFC 5545, RFC 5546): one entry that each later file updates.

Times are in UTC, so that calendars need no time zone rules. Texts are in the active language; identifiers are not. A
file contains no clinical text, because calendars are shared and synchronized.
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
from appointments.formatting import build_calendar_title, format_place, get_page_path
from appointments.models import Appointment, Status

PRODUCT_ID = "-//Wellhour//Appointments//EN"
PUBLISH, REQUEST, CANCEL = "PUBLISH", "REQUEST", "CANCEL"

# The right-hand side of every UID. It must never change: calendars find an entry by its UID, so a site that moves to
# another domain keeps updating existing entries.
UID_DOMAIN = "appointments.wellhour"

# How often calendars should reload the feed.
FEED_INTERVAL = timedelta(hours=1)

EVENT_STATUSES = {
    Status.PENDING: "TENTATIVE",
    Status.CONFIRMED: "CONFIRMED",
    Status.COMPLETED: "CONFIRMED",
    Status.CANCELLED: "CANCELLED",
}


def build_calendar_file(appointment: Appointment, reader: User, method: str, now: datetime, address: str = "") -> bytes:
    """Return the appointment's file for its patient or its doctor.

    The UID stays the same and SEQUENCE increases with the appointment's version, so that a later file updates the same
    entry. The same appointment gives the same bytes.

    Args:
        address: The attendee's address if it is not the reader's, as in the last email to a closed account.
    """
    calendar = create_calendar(method)
    event = build_event(appointment, reader, now)
    if method != PUBLISH:
        add_participants(event, reader, address or reader.email)
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def build_import_file(appointments: Iterable[Appointment], reader: User, now: datetime) -> bytes:
    """Return several appointments of one user in one file to import, including cancelled ones."""
    calendar = create_calendar(PUBLISH)
    for appointment in appointments:
        calendar.add_component(build_event(appointment, reader, now))
    return bytes(calendar.to_ical())


def build_feed_file(appointments: Iterable[Appointment], reader: User, now: datetime) -> bytes:
    """Return the appointments of one user as a calendar to subscribe to."""
    calendar = create_calendar(PUBLISH)
    name = _("Appointments at {site}").format(site=settings.SITE_NAME)
    calendar.add("name", name)
    # For calendars that don't support RFC 7986.
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", FEED_INTERVAL, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for appointment in appointments:
        calendar.add_component(build_event(appointment, reader, now))
    return bytes(calendar.to_ical())


def create_calendar(method: str) -> Calendar:
    """Return a calendar without entries."""
    calendar = Calendar()
    calendar.add("prodid", PRODUCT_ID)
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    calendar.add("method", method)
    return calendar


def build_event(appointment: Appointment, reader: User, now: datetime) -> Event:
    """Return the entry of an appointment."""
    # A request past its deadline is cancelled, even before it has expired in the database.
    status = Status.CANCELLED if appointment.is_overdue(now) else Status(appointment.status)
    event = Event()
    event.add("uid", f"{appointment.pk}@{UID_DOMAIN}")
    event.add("sequence", appointment.version)
    event.add("dtstamp", appointment.updated_at.astimezone(UTC))
    event.add("created", appointment.created_at.astimezone(UTC))
    event.add("last-modified", appointment.updated_at.astimezone(UTC))
    event.add("dtstart", appointment.starts_at.astimezone(UTC))
    event.add("dtend", appointment.ends_at.astimezone(UTC))
    event.add("summary", build_calendar_title(appointment, reader, status))
    event.add("location", format_place(appointment))
    link = build_site_url(get_page_path(appointment, reader))
    phone = format_phone(appointment.hospital_phone, appointment.hospital_country)
    facts = [(_("Phone"), phone)] if phone else []
    facts.append((_("View appointment"), link))
    event.add("description", "\n".join(f"{name}: {value}" for name, value in facts))
    event.add("url", link)
    event.add("status", EVENT_STATUSES[status])
    event.add("class", "PRIVATE")
    event.add("transp", "OPAQUE" if status != Status.CANCELLED else "TRANSPARENT")
    return event


def add_participants(event: Event, reader: User, address: str) -> None:
    """Add the organizer and the attendee, who must be the email's From and To (RFC 6047, 2.3)."""
    name, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    organizer = vCalAddress(f"mailto:{sender}")
    organizer.params["CN"] = vText(name or settings.SITE_NAME)
    event["organizer"] = organizer
    attendee = vCalAddress(f"mailto:{address}")
    attendee.params["CN"] = vText(reader.name)
    attendee.params["ROLE"] = vText("REQ-PARTICIPANT")
    attendee.params["PARTSTAT"] = vText("ACCEPTED")
    # Users reply on the site, never by email.
    attendee.params["RSVP"] = vText("FALSE")
    event.add("attendee", attendee, encode=False)
