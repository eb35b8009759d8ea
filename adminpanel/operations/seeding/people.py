"""Load the demo's doctors, patients and encounters from the CSV files beside this one."""

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.text import slugify

from accounts.models import Role
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.seeding.places import CITIES, CLINICS, City, Clinic
from doctors.models import Approval
from doctors.weekly_hours import WEEKDAYS

FOLDER = Path(__file__).parent
# Drawings of invented people, each named for its person.
PORTRAITS = FOLDER / "portraits"

DEMO_EMAILS = {account["role"]: account["email"] for account in DEMO_ACCOUNTS}

# Working days, start and end by the name of the week in `doctors.csv`; lunch is left out as for any doctor.
WORKING_WEEKS: Mapping[str, tuple[Sequence[str], str, str]] = {
    "weekdays": (WEEKDAYS[:5], "09:00", "18:00"),
    "six days": (WEEKDAYS[:6], "09:00", "18:00"),
    "saturdays": (WEEKDAYS[1:6], "09:00", "18:00"),
    "weekend": (WEEKDAYS[3:], "10:00", "18:00"),
    "early": (WEEKDAYS[:5], "07:00", "15:00"),
    "late": (WEEKDAYS[:4], "12:00", "20:00"),
    "half days": (WEEKDAYS[:5], "08:00", "13:00"),
    "three days": (WEEKDAYS[:5:2], "09:00", "18:00"),
}

REJECTION_REASON = (
    "The license number does not match the register. Please check it, and send us a copy of your certificate."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    number: int
    name: str
    gender: str
    date_of_birth: date
    email: str
    city: City

    @property
    def picture(self) -> str:
        """Return the name of the portrait in the storage, the same in every run, or "" for people without one."""
        name = f"{slugify(self.name)}.webp"
        return f"pictures/{name}" if (PORTRAITS / name).exists() else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctor(Person):
    specialization: str
    clinic: Clinic
    experience: int
    consultation_fee: Decimal
    working_week: str
    appointment_minutes: int
    buffer_minutes: int
    instant_confirmation: bool
    rating_average: Decimal
    rating_count: int
    approval: Approval
    bio: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient(Person):
    street: str
    zip_code: str
    blood_group: str


@dataclass(frozen=True, slots=True)
class Encounter:
    """What a patient came with, and what the doctor wrote about it."""

    symptoms: str
    patient_notes: str
    diagnosis: str
    prescription_notes: str
    doctor_notes: str
    prescription_items: tuple[Mapping[str, str | int | None], ...]
    follow_up_days: int | None


def read_csv(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as table:
        return list(csv.DictReader(table))


def parse_person(number: int, row: Mapping[str, str], city: City, role: Role, domain: str) -> dict[str, Any]:
    """Return the fields that doctors and patients share; the first person of each role is the demo account."""
    email = f"{slugify(row['name']).replace('-', '.')}@{domain}"
    return {
        "number": number,
        "name": row["name"],
        "gender": row["gender"],
        "date_of_birth": date.fromisoformat(row["born"]),
        "email": DEMO_EMAILS[role] if number == 1 else email,
        "city": city,
    }


@cache
def load_doctors() -> tuple[Doctor, ...]:
    doctors = []
    for number, row in enumerate(read_csv("doctors.csv"), start=1):
        clinic = CLINICS[row["clinic"]]
        # As `30+10`: minutes of the appointment, and of the pause after it.
        appointment_minutes, _, buffer_minutes = row["appointment"].partition("+")
        doctors.append(
            Doctor(
                **parse_person(number, row, clinic.city, Role.DOCTOR, "example.com"),
                specialization=row["specialization"],
                clinic=clinic,
                experience=int(row["experience"]),
                consultation_fee=Decimal(row["fee"]),
                working_week=row["week"],
                appointment_minutes=int(appointment_minutes),
                buffer_minutes=int(buffer_minutes or 0),
                instant_confirmation=row["instant"] == "yes",
                rating_average=Decimal(row["rating"]),
                rating_count=int(row["reviews"]),
                approval=Approval(row["approval"]),
                bio=row["bio"],
            )
        )
    return tuple(doctors)


@cache
def load_patients() -> tuple[Patient, ...]:
    return tuple(
        Patient(
            **parse_person(number, row, CITIES[row["city"]], Role.PATIENT, "example.org"),
            street=row["street"],
            zip_code=row["zip"],
            blood_group=row["blood"],
        )
        for number, row in enumerate(read_csv("patients.csv"), start=1)
    )


@cache
def load_encounters() -> Mapping[str, list[Encounter]]:
    """Return the encounters by specialization."""
    encounters: dict[str, list[Encounter]] = defaultdict(list)
    for row in read_csv("encounters.csv"):
        encounters[row["specialization"]].append(
            Encounter(
                row["symptoms"],
                row["notes"],
                row["diagnosis"],
                row["prescription"],
                row["doctor_notes"],
                tuple(parse_medicine(text) for text in row["items"].split(";") if text.strip()),
                int(row["follow_up_days"]) if row["follow_up_days"] else None,
            )
        )
    return encounters


def parse_medicine(text: str) -> Mapping[str, str | int | None]:
    """Parse `name|dose|frequency|days`; each but the name may be empty."""
    medicine, dose, frequency, days = (part.strip() for part in text.split("|"))
    return {"medicine": medicine, "dose": dose, "frequency": frequency, "days": int(days) if days else None}
