"""An appointment in words, for mails and calendars: who, when, where, and never why."""

from accounts.languages import say
from accounts.models import User
from accounts.notifications.date_format import moment_words, short_time_words
from accounts.text.phone_numbers import format_phone
from appointments.models import Appointment, Status


def is_doctors(visit: Appointment, reader: User) -> bool:
    """Return whether the reader is the appointment's doctor."""
    return bool(visit.doctor_id == reader.pk)


def doctor_words(visit: Appointment) -> str:
    """Return "Dr. Ana Ruiz", without a second title when the name already carries one."""
    name = visit.doctor_name
    return name if name.lower().startswith(("dr.", "dr ", "dra.", "dra ")) else say("Dr. {name}", name=name)


def other_side_words(visit: Appointment, reader: User) -> str:
    """Return the name of the person whom the reader meets."""
    return visit.patient_name if is_doctors(visit, reader) else doctor_words(visit)


def title_for(visit: Appointment, reader: User, status: str) -> str:
    """Return what a calendar calls the appointment; a request never looks like one that is booked."""
    name = other_side_words(visit, reader)
    if status == Status.PENDING:
        return say("Request: appointment with {name} (not confirmed yet)", name=name)
    return say("Appointment with {name}", name=name)


def when_words(visit: Appointment) -> str:
    """Return date, time and zone of the clinic."""
    return moment_words(visit.starts_at, visit.time_zone)


def short_when(visit: Appointment) -> str:
    """Return "Tue, Dec 8 at 2:00 PM", in the clinic's time."""
    return short_time_words(visit.date, visit.time)


def place_words(visit: Appointment) -> str:
    """Return the address of the appointment on one line."""
    town = f"{visit.hospital_state} {visit.hospital_zip_code}".strip()
    parts = (visit.hospital_name, visit.hospital_street, visit.hospital_city, town)
    return ", ".join(part for part in parts if part)


def page_of(visit: Appointment, reader: User) -> str:
    """Return the path of the appointment's page for this reader."""
    return f"/{'doctor' if is_doctors(visit, reader) else 'patient'}/appointments/{visit.pk}"


def facts_of(visit: Appointment, reader: User) -> tuple[tuple[str, str], ...]:
    """Return with whom, when, where, and the clinic's phone number."""
    whom = say("Patient") if is_doctors(visit, reader) else say("Doctor")
    facts = [(whom, other_side_words(visit, reader)), (say("When"), when_words(visit))]
    if place := place_words(visit):
        facts.append((say("Where"), place))
    if visit.hospital_phone and not is_doctors(visit, reader):
        facts.append((say("Phone"), format_phone(visit.hospital_phone, visit.hospital_country)))
    return tuple(facts)
