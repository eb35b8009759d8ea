"""Make doctors, patients and appointments by the hundred thousand, for measuring and for trying out long lists.

Nobody can sign in to these accounts and nobody has a portrait. Each number is how many there shall be in all: what
stands already is counted, and the rest is made in batches that are complete in themselves.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from accounts.models import BloodGroup, PatientDetails, Role, User
from accounts.models.identifiers import new_id
from accounts.text.substring_search import fold_missing
from adminpanel.operations.seeding import bulk_insert
from adminpanel.operations.seeding.appointments import Diary, busy_patients, first_record
from adminpanel.operations.seeding.demo_users import WEEKS, Person, doctors, patients
from adminpanel.operations.seeding.places import CLINICS, City, Clinic
from adminpanel.operations.seeding.progress import Progress
from appointments.models import Appointment, AppointmentRecord, PatientOfDoctor, Status
from doctors import slot_engine as engine
from doctors.availability.calendar import epoch, local_date, read_busy_times, read_rules
from doctors.models import Approval, DoctorProfile, Reservation, Verification, WeeklyHours
from doctors.search_text import FOLDED, folded_columns
from doctors.slot_engine import Busy, Interval, Rules, Slot, expand_working_hours
from doctors.weekly_hours import WEEKDAYS, parse_minute

BATCH = 2000
DAYS_BACK = 180
DAYS_AHEAD = 30
FEW = 5

DOCTOR_EMAIL = "crowd.doctor."
PATIENT_EMAIL = "crowd.patient."

OPENINGS = (
    "I have worked in {city} for {years} years and still learn something every week.",
    "{years} years of practice have taught me to listen first.",
    "I came to {city} for the work and stayed for the people.",
    "I like mornings, clear words and people who ask questions.",
    "My colleagues and I share one long corridor and a lot of experience.",
    "I see people of every age and keep my notes short.",
    "After {years} years I still walk to work and think about the day ahead.",
)
MIDDLES = (
    "We look at your results together, on one screen.",
    "You will always hear what I am doing and why.",
    "If I do not know, I say so, and find somebody who does.",
    "Bring a list, a friend or both.",
    "I write down what we agree on, so that you need not remember it.",
    "There is no hurry once the door is closed.",
    "I would rather see you once too often than once too late.",
    "I explain things with drawings, and the drawings are yours to keep.",
)
CLOSINGS = (
    "The waiting room has good light and better magazines.",
    "There is a lift, and a step-free entrance at the back.",
    "I look forward to meeting you.",
    "Please tell me if anything worries you about the appointment itself.",
    "Small questions are as welcome as large ones.",
)
USER = (
    *("id", "email", "name", "phone", "gender", "date_of_birth", "role"),
    *("created_at", "agreed_to_privacy_at", "password"),
)
PROFILE = (
    *("user", "specialization", "experience", "license_number", "consultation_fee", "bio"),
    *("hospital_name", "hospital_street", "hospital_city", "hospital_state", "hospital_zip_code", "hospital_country"),
    "hospital_phone",
    *("approval", "approved_at", "rating_average", "rating_count"),
    *("time_zone", "appointment_minutes", "buffer_minutes", "instant_confirmation"),
    *("next_free_at", "next_free_date", "next_free_until"),
    *FOLDED,
)
# Where the city stands in what `Crowd.doctor` answers.
CITY = PROFILE.index("hospital_city") - 1


@dataclass(slots=True)
class Crowd:
    """One run: the moment it takes place at, its chance, and what it has worked out already."""

    now: datetime
    chance: Random = field(default_factory=lambda: Random("crowd"))  # noqa: S311 - it only has to look like chance
    # Nobody can sign in; one hash serves all.
    password: str = field(default_factory=lambda: make_password(None))
    cast: Sequence[Person] = field(default_factory=lambda: (*doctors(), *patients()))
    clinics: Sequence[Clinic] = field(default_factory=lambda: tuple(CLINICS.values()))
    next_free: dict[tuple[str, str, int, bool], tuple[datetime, date, datetime] | None] = field(default_factory=dict)
    offered: dict[object, list[Slot]] = field(default_factory=dict)

    def make_doctors(self, wanted: int) -> int:
        """Make doctors with weekly hours until there are as many as wanted; return how many were made."""
        standing, last = counted(DOCTOR_EMAIL)
        for numbers in batches("Doctors", last, wanted - standing):
            people, profiles, hours = [], [], []
            for number in numbers:
                user_id, week = new_id(), self.chance.choices(list(WEEKS), (30, 5, 5, 2, 4, 2, 2, 3))[0]
                profile = self.doctor(number, week)
                person = self.person(user_id, number, DOCTOR_EMAIL, Role.DOCTOR.value)
                people.append(person)
                searched = folded_columns(str(person[USER.index("name")]), str(profile[0]), str(profile[CITY]))
                profiles.append((user_id, *profile, *searched.values()))
                # As text, which is quicker to write ten times than an id.
                doctor = str(user_id)
                hours += [(doctor, day, start, end) for day, spans in weekly(week).items() for start, end in spans]
            with transaction.atomic():
                bulk_insert.insert(User, USER, people)
                bulk_insert.insert(DoctorProfile, PROFILE, profiles)
                bulk_insert.insert(WeeklyHours, ("doctor", "weekday", "start_minute", "end_minute"), hours)
                open_cases([row[0] for row in profiles])
        fold_missing(User)
        bulk_insert.analyze([User, DoctorProfile, WeeklyHours])
        return max(0, wanted - standing)

    def make_patients(self, wanted: int) -> int:
        """Make patients until there are as many as wanted; return how many were made."""
        standing, last = counted(PATIENT_EMAIL)
        streets = [patient.street.split(maxsplit=1)[-1] for patient in patients()]
        for numbers in batches("Patients", last, wanted - standing):
            people, details = [], []
            for number in numbers:
                user_id, city = new_id(), self.city()
                people.append(self.person(user_id, number, PATIENT_EMAIL, Role.PATIENT.value, city))
                street = f"{self.chance.randrange(1, 900)} {self.chance.choice(streets)}"
                blood = self.chance.choice(BloodGroup.values)
                details.append(
                    (
                        user_id,
                        street,
                        city.name,
                        city.state,
                        f"{self.chance.randrange(10000, 99999)}",
                        city.country,
                        blood,
                    )
                )
            columns = ("user", "street", "city", "state", "zip_code", "country", "blood_group")
            with transaction.atomic():
                bulk_insert.insert(User, USER, people)
                bulk_insert.insert(PatientDetails, columns, details)
        fold_missing(User)
        bulk_insert.analyze([User, PatientDetails])
        return max(0, wanted - standing)

    def city(self) -> City:
        return self.chance.choice(self.clinics).city

    def person(self, user_id: UUID, number: int, email: str, role: str, city: City | None = None) -> tuple[object, ...]:
        """Return the row of an account; names are put together from those of the cast."""
        chance = self.chance
        given, surname = chance.choice(self.cast), chance.choice(self.cast)
        born = date(1940, 1, 1) + timedelta(days=chance.randrange(365 * (56 if role == Role.DOCTOR else 66)))
        since = self.now - timedelta(days=DAYS_BACK + 20, minutes=chance.randrange(1_000_000))
        return (
            user_id,
            f"{email}{number:07}@example.org",
            f"{given.name.split()[0]} {surname.name.split(maxsplit=1)[1]}",
            (city or surname.city).number(number),
            given.gender,
            born,
            role,
            since,
            since,
            self.password,
        )

    def doctor(self, number: int, week: str) -> tuple[object, ...]:
        """Return the row of a profile without its first column."""
        chance = self.chance
        like, clinic = chance.choice(doctors()), chance.choice(self.clinics)
        experience = chance.randrange(2, 39)
        minutes, is_instant = chance.choice((60, 60, 30)), chance.random() < 0.3
        bio = " ".join(
            (
                chance.choice(OPENINGS).format(city=clinic.city.name, years=experience),
                chance.choice(MIDDLES),
                chance.choice(CLOSINGS),
            )
        )
        approved = number % 50 != 0
        reviews = chance.choice((0, chance.randrange(1, 400)))
        return (
            like.specialization,
            experience,
            f"CROWD-{number:07}",
            Decimal(chance.randrange(8, 60) * 5),
            bio,
            clinic.name,
            clinic.street,
            clinic.city.name,
            clinic.city.state,
            clinic.zip_code,
            clinic.city.country,
            clinic.city.number(number),
            (Approval.APPROVED if approved else Approval.PENDING).value,
            self.now - timedelta(days=chance.randrange(1, DAYS_BACK)) if approved else None,
            Decimal(chance.randrange(350, 500) if reviews else 0) / 100,
            reviews,
            clinic.city.time_zone,
            minutes,
            0,
            is_instant,
            *(self.first_free(clinic.city.time_zone, week, minutes, is_instant) or (None, None, None)),
        )

    def first_free(
        self, time_zone: str, week: str, minutes: int, is_instant: bool
    ) -> tuple[datetime, date, datetime] | None:
        """Return the next free time of a doctor without appointments, computed once for each set of rules."""
        key = (time_zone, week, minutes, is_instant)
        if key not in self.next_free:
            rules = Rules(
                time_zone=time_zone, appointment_minutes=minutes, weekly=weekly(week), instant_confirmation=is_instant
            )
            slots = engine.list_next_free(rules, [], epoch(self.now))
            start = slots[0].starts_at_utc if slots else self.now
            until = start - timedelta(minutes=rules.notice_minutes)
            self.next_free[key] = (start, slots[0].date, until) if slots else None
        return self.next_free[key]

    def has_both(self) -> bool:
        """Return whether there are doctors and patients to make appointments between."""
        return all(
            User.objects.active().filter(email__startswith=email).exists() for email in (DOCTOR_EMAIL, PATIENT_EMAIL)
        )

    def make_appointments(self, wanted: int) -> int:
        """Make appointments between the crowd's doctors and patients until there are as many as wanted.

        Answers how many were made: fewer where the calendars hold no more. A doctor's first free time is left free,
        so that the kept `next_free_at` stays true.
        """
        missing = wanted - Appointment.objects.filter(patient__email__startswith=PATIENT_EMAIL).count()
        if missing <= 0:
            return 0
        crowd = DoctorProfile.objects.approved().filter(user__email__startswith=DOCTOR_EMAIL)
        everybody = list(crowd.order_by("license_number").values_list("pk", flat=True))
        people = list(User.objects.active().filter(email__startswith=PATIENT_EMAIL).order_by("email"))
        since = self.now - timedelta(days=DAYS_BACK)
        taken = Reservation.objects.filter(patient__email__startswith=PATIENT_EMAIL, ends_at__gt=since)
        diary = Diary(self.now, self.chance, {}, busy_patients(taken))
        left, progress = missing, Progress("Appointments", missing)
        for first in range(0, len(everybody), BATCH // 4):
            if left <= 0:
                break
            batch = DoctorProfile.objects.filter(pk__in=everybody[first : first + BATCH // 4]).select_related("user")
            rules = read_rules(list(batch), since)
            busy = read_busy_times(list(rules), since)
            for at, doctor in enumerate(batch):
                still = left - len(diary.appointments)
                # As many each, but a few at least: reading a doctor's hours costs more than an appointment.
                share = min(still, max(FEW, -(-still // (len(everybody) - first - at))))
                self.fill(diary, doctor, people, rules[doctor.pk], busy[doctor.pk], share)
            with transaction.atomic():
                bulk_insert.insert_instances(Reservation, diary.reservations)
                bulk_insert.insert_instances(Appointment, diary.appointments)
                bulk_insert.insert_instances(
                    AppointmentRecord, [first_record(one) for one in diary.appointments if one.record_version]
                )
                note_patients([doctor.pk for doctor in batch])
            left -= len(diary.appointments)
            progress.advance(len(diary.appointments))
            diary.reservations, diary.appointments = [], []
        progress.close()
        fold_missing(Appointment)
        fold_missing(PatientOfDoctor)
        bulk_insert.analyze([Reservation, Appointment, AppointmentRecord, PatientOfDoctor])
        return missing - left

    def slots_of(self, rules: Rules) -> list[Slot]:
        """Return what a doctor without appointments offers in the whole period, computed once per set of rules."""
        since = self.now - timedelta(days=DAYS_BACK)
        key = (rules.time_zone, rules.appointment_minutes, rules.buffer_minutes, tuple(rules.weekly.items()))
        if key not in self.offered:
            then = replace(rules, max_days_ahead=DAYS_BACK + DAYS_AHEAD, min_notice_minutes=0, overrides={}, blocked={})
            first = local_date(since, rules.time_zone)
            days = engine.list_free_slots(then, [], epoch(since), first, DAYS_BACK + DAYS_AHEAD)
            self.offered[key] = [slot for _, slots in days for slot in slots]
        return self.offered[key]

    def fill(
        self,
        diary: Diary,
        doctor: DoctorProfile,
        people: Sequence[User],
        rules: Rules,
        busy: Sequence[Busy],
        count: int,
    ) -> None:
        """Write so many appointments into a doctor's free times, each with a patient who has that time."""
        now, slots, calendar = epoch(self.now), self.slots_of(rules), Taken(busy)
        ahead = bisect_right(slots, now, key=lambda slot: slot.starts_at)
        first_free = next((slot for slot in slots[ahead:] if not calendar.holds(slot)), None)
        until = len(diary.appointments) + count
        for slot in self.chance.sample(slots, min(count + 2 * len(busy) + 4, len(slots))):
            if len(diary.appointments) == until:
                return
            if slot == first_free or calendar.holds(slot):
                continue
            patient = self.chance.choice(people)
            taken = diary.busy[patient.pk]
            if any(slot.starts_at < end and start < slot.ends_at for start, end, _ in taken):
                continue
            if slot.ends_at <= now:
                status = self.chance.choices((Status.COMPLETED, Status.CANCELLED), (8, 2))[0]
            else:
                status = self.chance.choices((Status.CONFIRMED, Status.PENDING, Status.CANCELLED), (6, 3, 1))[0]
            taken.append(Busy(slot.starts_at, slot.ends_at))
            diary.write(doctor, patient, slot, status)


class Taken:
    """A doctor's taken time, asked for one slot at a time."""

    def __init__(self, busy: Sequence[Busy]) -> None:
        self.busy = sorted(busy)
        self.starts = [one.start for one in self.busy]

    def holds(self, slot: Slot) -> bool:
        """Return whether something stands in the way of a slot; what is taken never overlaps."""
        before = bisect_right(self.starts, slot.busy_until - 1) - 1
        return before >= 0 and self.busy[before].end > slot.starts_at


def open_cases(doctor_ids: Sequence[Any]) -> None:
    """Give those of these doctors who wait for a decision the case that a registration opens."""
    waiting = DoctorProfile.objects.filter(pk__in=doctor_ids, approval=Approval.PENDING).select_related("user")
    Verification.objects.bulk_create(
        Verification(
            doctor=doctor,
            submitted_at=doctor.user.created_at,
            specialization=doctor.specialization,
            license_number=doctor.license_number,
        )
        for doctor in waiting
    )


def note_patients(doctor_ids: Sequence[UUID]) -> None:
    """Write down who has booked with these doctors, from their appointments, in one statement."""
    # The names of both tables, and of the columns, are our own.
    marks = ", ".join(["%s"] * len(doctor_ids))
    key = PatientOfDoctor._meta.get_field("patient").target_field
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO appointments_patientofdoctor"  # noqa: S608 - as above
            " (doctor_id, patient_id, since, last_booked_at, name, email, gender)"
            " SELECT v.doctor_id, v.patient_id, MIN(v.created_at), MAX(v.created_at), p.name,"
            " CASE WHEN p.ended_at IS NULL THEN p.email ELSE '' END, p.gender"
            " FROM appointments_appointment v JOIN accounts_user p ON p.id = v.patient_id"
            f" WHERE v.doctor_id IN ({marks}) GROUP BY v.doctor_id, v.patient_id, p.name, p.email, p.ended_at, p.gender"
            " ON CONFLICT (doctor_id, patient_id) DO UPDATE"
            " SET since = excluded.since, last_booked_at = excluded.last_booked_at",
            [key.get_db_prep_value(doctor_id, connection) for doctor_id in doctor_ids],
        )


def counted(email: str) -> tuple[int, int]:
    """Return how many of the crowd stand, and the highest number given so far."""
    standing = User.objects.filter(email__startswith=email).order_by("-email")
    last = standing.values_list("email", flat=True).first()
    return standing.count(), int(last.removeprefix(email).partition("@")[0]) if last else 0


def batches(label: str, last: int, missing: int) -> Iterator[range]:
    """Deal out the numbers after `last` in batches, and show how far it has come."""
    progress = Progress(label, missing)
    for first in range(last + 1, last + 1 + missing, BATCH):
        numbers = range(first, min(first + BATCH, last + 1 + missing))
        yield numbers
        progress.advance(len(numbers))
    progress.close()


@cache
def weekly(week: str) -> dict[int, tuple[Interval, ...]]:
    """Return the hours by weekday that a named week comes to."""
    days, start, end = WEEKS[week]
    return expand_working_hours([WEEKDAYS.index(day) for day in days], parse_minute(start), parse_minute(end))
