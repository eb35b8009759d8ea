"""Read the demo's people and their stories from the tables beside this file."""

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from accounts.models import Gender, Role
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.seeding.places import CITIES, CLINICS, City, Clinic
from adminpanel.operations.seeding.portraits import Look
from doctors.models import Approval
from doctors.weekly_hours import WEEKDAYS

HERE = Path(__file__).parent

KNOWN_EMAILS = {account["role"]: account["email"] for account in DEMO_ACCOUNTS}

# Working days and hours by the name that the table gives them; lunch is cut out as it is for any doctor.
WEEKS: Mapping[str, tuple[Sequence[str], str, str]] = {
    "weekdays": (WEEKDAYS[:5], "09:00", "18:00"),
    "six days": (WEEKDAYS[:6], "09:00", "18:00"),
    "saturdays": (WEEKDAYS[1:6], "09:00", "18:00"),
    "weekend": (WEEKDAYS[3:], "10:00", "18:00"),
    "early": (WEEKDAYS[:5], "07:00", "15:00"),
    "late": (WEEKDAYS[:4], "12:00", "20:00"),
    "half days": (WEEKDAYS[:5], "08:00", "13:00"),
    "three days": (WEEKDAYS[:5:2], "09:00", "18:00"),
}

REJECTED_BECAUSE = (
    "The licence number does not match the register. Please check it, and send us a copy of your certificate."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """What all people of the demo have."""

    number: int
    name: str
    gender: str
    born: date
    email: str
    city: City
    look: Look | None

    @property
    def picture(self) -> str:
        """Return the storage's name of the portrait: the same in every run, so that it is drawn once."""
        return f"pictures/{slug(self.name, '-')}.webp" if self.look else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctor(Person):
    """A row of `doctors.csv`."""

    specialization: str
    clinic: Clinic
    experience: int
    fee: Decimal
    week: str
    appointment_minutes: int
    buffer_minutes: int
    instant: bool
    rating: Decimal
    reviews: int
    approval: str
    bio: str

    @property
    def license_number(self) -> str:
        return f"DEMO-{self.number:05}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient(Person):
    """A row of `patients.csv`."""

    street: str
    zip_code: str
    blood_group: str


@dataclass(frozen=True, slots=True)
class Story:
    """What a patient came with, and what became of it."""

    symptoms: str
    patient_notes: str
    diagnosis: str
    prescription: str
    doctor_notes: str
    items: tuple[Mapping[str, str | int | None], ...]
    follow_up_days: int | None


def rows(name: str) -> Iterator[dict[str, str]]:
    """Read a table."""
    with (HERE / name).open(encoding="utf-8", newline="") as table:
        yield from csv.DictReader(table)


def slug(name: str, joint: str) -> str:
    """Write a name in plain lowercase letters."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return joint.join(re.findall(r"[a-z]+", plain))


def look_of(row: Mapping[str, str], number: int) -> Look | None:
    """Read how a person is drawn; None for those without a portrait."""
    if not row["skin"]:
        return None
    return Look(
        skin=row["skin"],
        hair=row["hair"],
        color=row["colour"],
        cloth=row["cloth"],
        backdrop=row["backdrop"],
        top=row["top"],
        beard=row["beard"],
        glasses=row["glasses"],
        smile=row["smile"],
        lashes=row["gender"] == Gender.FEMALE,
        earrings=row["earrings"] == "yes",
        years=row["born"] < "1970",
        width=84 + number * 2 % 6,
        jaw=0.12 + number % 4 * 0.03,
    )


@cache
def doctors() -> tuple[Doctor, ...]:
    """Read the doctors; the first one is the known account."""
    people = []
    for number, row in enumerate(rows("doctors.csv"), start=1):
        clinic = CLINICS[row["clinic"]]
        appointment, _, buffer = row["appointment"].partition("+")
        people.append(
            Doctor(
                number=number,
                name=row["name"],
                gender=row["gender"],
                born=date.fromisoformat(row["born"]),
                email=KNOWN_EMAILS[Role.DOCTOR] if number == 1 else f"{slug(row['name'], '.')}@example.com",
                city=clinic.city,
                look=look_of(row, number),
                specialization=row["specialization"],
                clinic=clinic,
                experience=int(row["experience"]),
                fee=Decimal(row["fee"]),
                week=row["week"],
                appointment_minutes=int(appointment),
                buffer_minutes=int(buffer or 0),
                instant=row["instant"] == "yes",
                rating=Decimal(row["rating"]),
                reviews=int(row["reviews"]),
                approval=Approval(row["approval"]).value,
                bio=row["bio"],
            )
        )
    return tuple(people)


@cache
def patients() -> tuple[Patient, ...]:
    """Read the patients; the first one is the known account."""
    return tuple(
        Patient(
            number=number,
            name=row["name"],
            gender=row["gender"],
            born=date.fromisoformat(row["born"]),
            email=KNOWN_EMAILS[Role.PATIENT] if number == 1 else f"{slug(row['name'], '.')}@example.org",
            city=CITIES[row["city"]],
            look=look_of(row, number),
            street=row["street"],
            zip_code=row["zip"],
            blood_group=row["blood"],
        )
        for number, row in enumerate(rows("patients.csv"), start=1)
    )


@cache
def stories() -> Mapping[str, list[Story]]:
    """Read the stories by specialization."""
    told: dict[str, list[Story]] = defaultdict(list)
    for row in rows("stories.csv"):
        told[row["specialization"]].append(
            Story(
                row["symptoms"],
                row["notes"],
                row["diagnosis"],
                row["prescription"],
                row["doctor_notes"],
                tuple(item(text) for text in row["items"].split(";") if text.strip()),
                int(row["follow_up_days"]) if row["follow_up_days"] else None,
            )
        )
    return told


def item(text: str) -> Mapping[str, str | int | None]:
    """Read a medicine written as `name|dose|frequency|days`; each but the name may be empty."""
    medicine, dose, frequency, days = (part.strip() for part in text.split("|"))
    return {"medicine": medicine, "dose": dose, "frequency": frequency, "days": int(days) if days else None}
