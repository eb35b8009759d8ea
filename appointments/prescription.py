"""The prescription as an A4 PDF."""

import re
from datetime import date, timedelta
from pathlib import Path

from babel.dates import format_date

from accounts.notifications.date_format import format_datetime, format_full_date
from accounts.text.phone_numbers import format_phone
from appointments.formatting import format_doctor, format_when
from appointments.models import Appointment, AppointmentRecord
from config.pdf import render_pdf

TEMPLATE = Path(__file__).with_suffix(".typ")


def has_medicines(record: AppointmentRecord) -> bool:
    """Return whether a medicine is prescribed. A note alone ("Nothing to take") is not a prescription."""
    return bool(record.prescription_items)


def build_prescription_pdf(appointment: Appointment, record: AppointmentRecord) -> bytes:
    """Return the PDF of one version's prescription; the same version gives the same bytes."""
    born = appointment.patient.date_of_birth
    version = f"Version {record.version}"
    doctor = format_doctor(appointment)
    facts = [
        ("Patient", appointment.patient_name),
        ("Date of birth", format_day(born) if born else "Not given"),
        ("Doctor", f"{doctor}, {appointment.specialization}"),
        ("License", format_license(appointment)),
        ("Appointment", format_when(appointment)),
        ("Written", format_datetime(record.written_at, appointment.time_zone)),
        ("Record", f"{version}, replaces version {record.version - 1}" if record.version > 1 else version),
    ]
    medicines = [
        (item["medicine"], item["dose"], item["frequency"], "" if item["days"] is None else str(item["days"]))
        for item in record.prescription_items
    ]
    # The birth date tells two people of one name apart.
    patient = f"{appointment.patient_name}, born {format_day(born)}" if born else appointment.patient_name
    data = {
        "hospital": appointment.hospital_name,
        "address": format_address(appointment),
        "facts": facts,
        "medicines": medicines,
        "notes": re.sub(r"\n{3,}", "\n\n", record.prescription_notes),
        "follow-up": "" if record.follow_up_days is None else format_follow_up(appointment, record.follow_up_days),
        "signature": f"Signature, {doctor}",
        "footer": f"{version} · {patient}",
    }
    return render_pdf(TEMPLATE, data)


def format_day(day: date) -> str:
    """Return "December 8, 2026"."""
    return str(format_date(day, "long", locale="en_US"))


def format_license(appointment: Appointment) -> str:
    """Return the doctor's license number and the authority that issued it."""
    doctor = appointment.doctor
    return ", ".join(part for part in (doctor.license_number, doctor.license_authority, doctor.license_region) if part)


def format_follow_up(appointment: Appointment, days: int) -> str:
    """Return "In 14 days, around Tuesday, December 22, 2026"."""
    date = format_full_date(appointment.date + timedelta(days=days))
    return f"In {days} {'day' if days == 1 else 'days'}, around {date}"


def format_address(appointment: Appointment) -> str:
    """Return the clinic's address and telephone number on one line."""
    parts = (
        appointment.hospital_street,
        appointment.hospital_city,
        f"{appointment.hospital_state} {appointment.hospital_zip_code}".strip(),
        format_phone(appointment.hospital_phone, appointment.hospital_country),
    )
    return ", ".join(part for part in parts if part)
