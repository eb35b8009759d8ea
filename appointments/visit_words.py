"""A visit in words, for mails and calendars: who, when, where. Nothing of why."""

from accounts.languages import say
from accounts.models import User
from accounts.time_words import day_words, moment_words
from appointments.models import Appointment


def is_doctors(visit: Appointment, reader: User) -> bool:
    """Tell whether the reader is the visit's doctor."""
    return bool(visit.doctor_id == reader.pk)


def doctor_words(visit: Appointment) -> str:
    """Answer "Dr. Ana Ruiz", without a second title when the name already carries one."""
    name = visit.doctor_name
    return name if name.lower().startswith(("dr.", "dr ", "dra.", "dra ")) else say("Dr. {name}", name=name)


def other_side_words(visit: Appointment, reader: User) -> str:
    """Name whom the reader meets."""
    return visit.patient_name if is_doctors(visit, reader) else doctor_words(visit)


def title_for(visit: Appointment, reader: User) -> str:
    """Answer what a calendar calls the visit."""
    return say("Visit with {name}", name=other_side_words(visit, reader))


def when_words(visit: Appointment) -> str:
    """Answer date, time and zone, on the clinic's clock."""
    return moment_words(visit.starts_at, visit.time_zone)


def short_when(visit: Appointment) -> str:
    """Answer "Tuesday 8 December 2026 at 14:00"."""
    return say("{day} at {time}", day=day_words(visit.date), time=f"{visit.time:%H:%M}")


def place_words(visit: Appointment) -> str:
    """Answer where the visit is, on one line."""
    town = f"{visit.hospital_state} {visit.hospital_zip_code}".strip()
    parts = (visit.hospital_name, visit.hospital_street, visit.hospital_city, town)
    return ", ".join(part for part in parts if part)


def page_of(visit: Appointment, reader: User) -> str:
    """Answer the path of the visit's page for this reader."""
    return f"/{'doctor' if is_doctors(visit, reader) else 'patient'}/appointments/{visit.pk}"


def facts_of(visit: Appointment, reader: User) -> tuple[tuple[str, str], ...]:
    """Answer whom, when, where and the telephone."""
    whom = say("Patient") if is_doctors(visit, reader) else say("Doctor")
    facts = [(whom, other_side_words(visit, reader)), (say("When"), when_words(visit))]
    if place := place_words(visit):
        facts.append((say("Where"), place))
    if visit.hospital_phone and not is_doctors(visit, reader):
        facts.append((say("Telephone"), visit.hospital_phone))
    return tuple(facts)
