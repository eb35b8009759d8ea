"""An appointment in words, for mails and calendars: who, when, where, and never why."""

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notifications.date_format import format_datetime, format_short_date_and_time
from accounts.text.phone_numbers import format_phone
from appointments.models import Appointment, Status


def is_doctors(appointment: Appointment, reader: User) -> bool:
    """Return whether the reader is the appointment's doctor."""
    return bool(appointment.doctor_id == reader.pk)


def doctor_words(appointment: Appointment) -> str:
    """Return "Dr. Ana Ruiz", without a second title when the name already carries one."""
    name = appointment.doctor_name
    return name if name.lower().startswith(("dr.", "dr ", "dra.", "dra ")) else _("Dr. {name}").format(name=name)


def other_side_words(appointment: Appointment, reader: User) -> str:
    """Return the name of the person whom the reader meets."""
    return appointment.patient_name if is_doctors(appointment, reader) else doctor_words(appointment)


def title_for(appointment: Appointment, reader: User, status: str) -> str:
    """Return what a calendar calls the appointment; a request never looks like one that is booked."""
    name = other_side_words(appointment, reader)
    if status == Status.PENDING:
        return _("Request: appointment with {name} (not confirmed yet)").format(name=name)
    return _("Appointment with {name}").format(name=name)


def when_words(appointment: Appointment) -> str:
    """Return date, time and zone of the clinic."""
    return format_datetime(appointment.starts_at, appointment.time_zone)


def short_when(appointment: Appointment) -> str:
    """Return "Tue, Dec 8 at 2:00 PM", in the clinic's time."""
    return format_short_date_and_time(appointment.date, appointment.time)


def place_words(appointment: Appointment) -> str:
    """Return the address of the appointment on one line."""
    town = f"{appointment.hospital_state} {appointment.hospital_zip_code}".strip()
    parts = (appointment.hospital_name, appointment.hospital_street, appointment.hospital_city, town)
    return ", ".join(part for part in parts if part)


def page_of(appointment: Appointment, reader: User) -> str:
    """Return the path of the appointment's page for this reader."""
    return f"/{'doctor' if is_doctors(appointment, reader) else 'patient'}/appointments/{appointment.pk}"


def facts_of(appointment: Appointment, reader: User) -> tuple[tuple[str, str], ...]:
    """Return with whom, when, where, and the clinic's phone number."""
    whom = _("Patient") if is_doctors(appointment, reader) else _("Doctor")
    facts = [(whom, other_side_words(appointment, reader)), (_("When"), when_words(appointment))]
    if place := place_words(appointment):
        facts.append((_("Where"), place))
    if appointment.hospital_phone and not is_doctors(appointment, reader):
        facts.append((_("Phone"), format_phone(appointment.hospital_phone, appointment.hospital_country)))
    return tuple(facts)
