"""Streaming CSV exports (RFC 4180) of a doctor's patients and appointments."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain, islice

from accounts.audit.log import Action, record_event
from accounts.models import User
from accounts.text.phone_numbers import format_phone
from appointments.models import AppointmentQuerySet, PatientOfDoctor, Status
from appointments.models.doctor_patient import PatientOfDoctorQuerySet
from appointments.patients import load_figures
from config.api.fields import format_time, format_utc
from config.db import chunked_iterator
from config.http import csv
from config.http.csv import lines
from doctors.availability.calendar import local_date
from doctors.models import DoctorProfile

PATIENT_COLUMNS = (
    *("Name", "Email", "Phone", "Gender", "Date of birth", "Age"),
    *("Patient since", "Appointments", "Last appointment", "Next appointment"),
)
APPOINTMENT_COLUMNS = (
    *("Date", "Time", "Time zone", "Patient", "Email", "Phone", "Status", "Attended", "Booked by"),
    *("Outside hours", "Fee", "Currency", "Booked at"),
)


def record_list_export(name: str, actor: User) -> None:
    """Record the export of a list, `patients` or `appointments`, in the audit log."""
    record_event(f"export.{name}", Action.READ, "doctor", actor.pk, actor=actor)


def write_patients_csv(doctor: DoctorProfile, patients: PatientOfDoctorQuerySet, now: datetime) -> Iterator[str]:
    """Yield a doctor's patients as CSV lines, in the given order."""
    return lines(PATIENT_COLUMNS, iterate_patient_cells(doctor, patients, now))


def write_appointments_csv(parts: Iterable[AppointmentQuerySet], now: datetime) -> Iterator[str]:
    """Yield appointments as CSV lines without clinical text, in the given order."""
    return lines(
        APPOINTMENT_COLUMNS, chain.from_iterable(iterate_appointment_cells(appointments, now) for appointments in parts)
    )


def iterate_patient_cells(
    doctor: DoctorProfile, patients: PatientOfDoctorQuerySet, now: datetime
) -> Iterator[Iterable[object]]:
    """Yield the cells of each patient, read in batches."""
    today = local_date(now, doctor.time_zone)
    rows: Iterator[PatientOfDoctor] = chunked_iterator.iterate(patients, csv.BATCH)
    while batch := list(islice(rows, csv.BATCH)):
        figures = load_figures(doctor.pk, [pair.patient_id for pair in batch], now)
        for pair in batch:
            person, known = pair.patient, figures[pair.patient_id]
            yield (
                person.name,
                "" if person.ended_at else person.email,
                "" if person.ended_at else format_phone(person.phone),
                person.gender,
                person.date_of_birth or "",
                person.age_on(today) if person.date_of_birth else "",
                local_date(pair.since, doctor.time_zone),
                known.appointments,
                known.last.date if known.last else "",
                known.next.date if known.next else "",
            )


def iterate_appointment_cells(appointments: AppointmentQuerySet, now: datetime) -> Iterator[Iterable[object]]:
    """Yield the cells of each appointment."""
    columns = (
        *("date", "time", "time_zone", "patient_name", "patient__email", "patient__phone", "patient__ended_at"),
        *("status", "respond_by", "attended", "booked_by", "outside_hours"),
        *("consultation_fee", "currency", "created_at"),
    )
    for row in chunked_iterator.iterate(appointments.values(*columns), csv.BATCH):
        overdue = row["status"] == Status.PENDING and row["respond_by"] is not None and row["respond_by"] <= now
        ended = row["patient__ended_at"] is not None
        yield (
            row["date"],
            format_time(row["time"]),
            row["time_zone"],
            row["patient_name"],
            "" if ended else row["patient__email"],
            "" if ended else format_phone(row["patient__phone"]),
            Status.CANCELLED.value if overdue else "no-show" if row["attended"] is False else row["status"],
            "" if row["attended"] is None else format_flag(row["attended"]),
            row["booked_by"],
            format_flag(row["outside_hours"]),
            row["consultation_fee"],
            row["currency"],
            format_utc(row["created_at"]),
        )


def format_flag(value: bool) -> str:
    """Return "yes" or "no"."""
    return "yes" if value else "no"
