"""Text about an appointment for emails and calendars: who, when and where, without clinical text."""

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.notifications.date_format import format_datetime, format_short_date_and_time
from accounts.text.phone_numbers import format_phone
from appointments.models import Appointment, Status


def is_doctor_of(appointment: Appointment, reader: User) -> bool:
    """Return whether the reader is the appointment's doctor."""
    return bool(appointment.doctor_id == reader.pk)


def format_doctor(appointment: Appointment) -> str:
    """Return "Dr. Ana Ruiz", without a second title if the name has one."""
    name = appointment.doctor_name
    return name if name.lower().startswith(("dr.", "dr ", "dra.", "dra ")) else _("Dr. {name}").format(name=name)


def format_other_person(appointment: Appointment, reader: User) -> str:
    """Return the name of the other participant."""
    return appointment.patient_name if is_doctor_of(appointment, reader) else format_doctor(appointment)


def build_calendar_title(appointment: Appointment, reader: User, status: str) -> str:
    """Return the title of the calendar entry, which shows whether it is only a request."""
    name = format_other_person(appointment, reader)
    if status == Status.PENDING:
        return _("Request: appointment with {name} (not confirmed yet)").format(name=name)
    return _("Appointment with {name}").format(name=name)


def format_when(appointment: Appointment) -> str:
    """Return local date, time and time zone."""
    return format_datetime(appointment.starts_at, appointment.time_zone)


def format_short_when(appointment: Appointment) -> str:
    """Return "Tue, Dec 8 at 2:00 PM" in local time."""
    return format_short_date_and_time(appointment.date, appointment.time)


def format_place(appointment: Appointment) -> str:
    """Return the address of the appointment on one line."""
    town = f"{appointment.hospital_state} {appointment.hospital_zip_code}".strip()
    parts = (appointment.hospital_name, appointment.hospital_street, appointment.hospital_city, town)
    return ", ".join(part for part in parts if part)


def get_page_path(appointment: Appointment, reader: User) -> str:
    """Return the path of the appointment's page for this reader."""
    return f"/{'doctor' if is_doctor_of(appointment, reader) else 'patient'}/appointments/{appointment.pk}"


def list_facts(appointment: Appointment, reader: User) -> tuple[tuple[str, str], ...]:
    """Return the other participant, time, place and phone number."""
    whom = _("Patient") if is_doctor_of(appointment, reader) else _("Doctor")
    facts = [(whom, format_other_person(appointment, reader)), (_("When"), format_when(appointment))]
    if place := format_place(appointment):
        facts.append((_("Where"), place))
    if appointment.hospital_phone and not is_doctor_of(appointment, reader):
        facts.append((_("Phone"), format_phone(appointment.hospital_phone, appointment.hospital_country)))
    return tuple(facts)
