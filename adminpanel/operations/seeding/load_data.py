"""Create doctors, patients and appointments by the hundred thousand, for benchmarks and for trying out long lists.

Nobody can sign in to these accounts, and nobody has a portrait. The counts are totals: what exists is counted, and the
rest is created in batches, each in one transaction.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from random import Random

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import BloodGroup, PatientDetails, Role, User
from accounts.text.substring_search import fold_missing_rows
from adminpanel.operations.seeding.appointments import Planner, get_busy_patients
from adminpanel.operations.seeding.bulk_insert import analyze_tables, insert_instances, insert_rows
from adminpanel.operations.seeding.people import WORKING_WEEKS, Person, load_doctors, load_patients
from adminpanel.operations.seeding.places import CLINICS, City, Clinic
from adminpanel.operations.seeding.progress import ProgressBar
from adminpanel.operations.seeding.users import get_clinic_fields
from appointments.models import Appointment, AppointmentRecord, PatientOfDoctor, Status
from doctors import slot_engine as engine
from doctors.availability.calendar import local_date, read_busy_times, read_rules, refresh_next_free, to_epoch
from doctors.models import Approval, DoctorProfile, Reservation, Verification, WeeklyHours
from doctors.slot_engine import Busy, Interval, Rules, Slot, expand_working_hours
from doctors.weekly_hours import WEEKDAYS, parse_minute

BATCH_SIZE = 2000
DOCTORS_PER_BATCH = 500
DAYS_BACK = 180
DAYS_AHEAD = 30
MIN_APPOINTMENTS_PER_DOCTOR = 5

DOCTOR_EMAIL = "crowd.doctor."
PATIENT_EMAIL = "crowd.patient."
# How often each of the working weeks occurs.
WEEK_WEIGHTS = (30, 5, 5, 2, 4, 2, 2, 3)

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


@dataclass(slots=True)
class LoadData:
    """Creates large sets of data; equal data for equal arguments on one day.

    Args:
        now: The time of the run.
        people: Whose first and last names are combined.
    """

    now: datetime
    people: Sequence[Person] = field(default_factory=lambda: (*load_doctors(), *load_patients()))
    random: Random = field(default_factory=lambda: Random("crowd"))  # noqa: S311 - not for cryptography
    unusable_password: str = field(default_factory=lambda: make_password(None))
    clinics: Sequence[Clinic] = field(default_factory=lambda: tuple(CLINICS.values()))
    slots: dict[object, list[Slot]] = field(default_factory=dict)

    def create_doctors(self, total: int) -> int:
        """Create doctors until there are `total`; return how many were created."""
        count, last_number = count_users(DOCTOR_EMAIL)
        for numbers in iterate_batches("Doctors", last_number, total - count):
            profiles, hours = [], []
            for number in numbers:
                week = self.random.choices(list(WORKING_WEEKS), WEEK_WEIGHTS)[0]
                profile = self.build_doctor(number)
                profiles.append(profile)
                # As text, which is quicker to write ten times than an id.
                doctor_id = str(profile.pk)
                hours += [
                    (doctor_id, day, start, end) for day, spans in expand_week(week).items() for start, end in spans
                ]
            with transaction.atomic():
                insert_instances(User, [profile.user for profile in profiles])
                insert_instances(DoctorProfile, profiles)
                insert_rows(WeeklyHours, ("doctor", "weekday", "start_minute", "end_minute"), hours)
                Verification.objects.bulk_create(
                    Verification(
                        doctor=profile,
                        submitted_at=profile.user.created_at,
                        specialization=profile.specialization,
                        license_number=profile.license_number,
                    )
                    for profile in profiles
                    if profile.approval == Approval.PENDING
                )
                refresh_next_free([profile.pk for profile in profiles if profile.approved_at], self.now)
        fold_missing_rows(User)
        analyze_tables(User, DoctorProfile, WeeklyHours)
        return max(0, total - count)

    def create_patients(self, total: int) -> int:
        """Create patients until there are `total`; return how many were created."""
        count, last_number = count_users(PATIENT_EMAIL)
        streets = [patient.street.split(maxsplit=1)[-1] for patient in load_patients()]
        for numbers in iterate_batches("Patients", last_number, total - count):
            details = []
            for number in numbers:
                city = self.random.choice(self.clinics).city
                details.append(
                    PatientDetails(
                        user=self.build_user(number, PATIENT_EMAIL, Role.PATIENT, city),
                        street=f"{self.random.randrange(1, 900)} {self.random.choice(streets)}",
                        city=city.name,
                        state=city.state,
                        zip_code=f"{self.random.randrange(10000, 99999)}",
                        country=city.country,
                        blood_group=self.random.choice(BloodGroup.values),
                    )
                )
            with transaction.atomic():
                insert_instances(User, [each.user for each in details])
                insert_instances(PatientDetails, details)
        fold_missing_rows(User)
        analyze_tables(User, PatientDetails)
        return max(0, total - count)

    def build_user(self, number: int, email_prefix: str, role: Role, city: City) -> User:
        """Build an account with a first and a last name of two of the people."""
        first, last = self.random.choice(self.people), self.random.choice(self.people)
        created_at = self.now - timedelta(days=DAYS_BACK + 20, minutes=self.random.randrange(1_000_000))
        max_age_days = 365 * (56 if role == Role.DOCTOR else 66)
        return User(
            email=f"{email_prefix}{number:07}@example.org",
            name=f"{first.name.split()[0]} {last.name.split(maxsplit=1)[1]}",
            phone=city.get_phone(number),
            gender=first.gender,
            date_of_birth=date(1940, 1, 1) + timedelta(days=self.random.randrange(max_age_days)),
            role=role.value,
            created_at=created_at,
            agreed_to_privacy_at=created_at,
            password=self.unusable_password,
        )

    def build_doctor(self, number: int) -> DoctorProfile:
        """Build a doctor; every fiftieth waits for approval."""
        random = self.random
        clinic, experience = random.choice(self.clinics), random.randrange(2, 39)
        opening = random.choice(OPENINGS).format(city=clinic.city.name, years=experience)
        is_approved = number % 50 != 0
        rating_count = random.choice((0, random.randrange(1, 400)))
        profile = DoctorProfile(
            **get_clinic_fields(clinic),
            user=self.build_user(number, DOCTOR_EMAIL, Role.DOCTOR, clinic.city),
            specialization=random.choice(load_doctors()).specialization,
            experience=experience,
            license_number=f"CROWD-{number:07}",
            consultation_fee=Decimal(random.randrange(8, 60) * 5),
            bio=f"{opening} {random.choice(MIDDLES)} {random.choice(CLOSINGS)}",
            hospital_phone=clinic.city.get_phone(number),
            approval=(Approval.APPROVED if is_approved else Approval.PENDING).value,
            approved_at=self.now - timedelta(days=random.randrange(1, DAYS_BACK)) if is_approved else None,
            rating_average=Decimal(random.randrange(350, 500) if rating_count else 0) / 100,
            rating_count=rating_count,
            appointment_minutes=random.choice((60, 60, 30)),
            buffer_minutes=0,
            instant_confirmation=random.random() < 0.3,
        )
        profile.fold_search_columns()
        return profile

    def has_people(self) -> bool:
        """Return whether there are doctors and patients to create appointments between."""
        return all(
            User.objects.active().filter(email__startswith=prefix).exists() for prefix in (DOCTOR_EMAIL, PATIENT_EMAIL)
        )

    def create_appointments(self, total: int) -> int:
        """Create appointments between these doctors and patients until there are `total`, or the calendars are full.

        A doctor's first free time is left free, so that the stored `next_free_at` stays true.
        """
        missing = total - Appointment.objects.filter(patient__email__startswith=PATIENT_EMAIL).count()
        if missing <= 0:
            return 0
        doctors = DoctorProfile.objects.approved().filter(user__email__startswith=DOCTOR_EMAIL)
        doctor_ids = list(doctors.order_by("license_number").values_list("pk", flat=True))
        patients = list(User.objects.active().filter(email__startswith=PATIENT_EMAIL).order_by("email"))
        since = self.now - timedelta(days=DAYS_BACK)
        reservations = Reservation.objects.filter(patient__email__startswith=PATIENT_EMAIL, ends_at__gt=since)
        planner = Planner(self.now, self.random, get_busy_patients(reservations))
        left, progress = missing, ProgressBar("Appointments", missing)
        for first in range(0, len(doctor_ids), DOCTORS_PER_BATCH):
            batch_ids = doctor_ids[first : first + DOCTORS_PER_BATCH]
            batch = DoctorProfile.objects.filter(pk__in=batch_ids).select_related("user")
            rules = read_rules(list(batch), since)
            busy = read_busy_times(list(rules), since)
            for index, doctor in enumerate(batch):
                still_left = left - len(planner.appointments)
                # As many each, but a few at least: reading a doctor's hours costs more than an appointment.
                share = max(MIN_APPOINTMENTS_PER_DOCTOR, -(-still_left // (len(doctor_ids) - first - index)))
                self.fill_calendar(planner, doctor, patients, rules[doctor.pk], busy[doctor.pk], min(still_left, share))
            with transaction.atomic():
                count = planner.save()
            left -= count
            progress.advance(count)
            if left <= 0:
                break
        progress.close()
        fold_missing_rows(Appointment)
        analyze_tables(Reservation, Appointment, AppointmentRecord, PatientOfDoctor)
        return missing - left

    def list_slots(self, rules: Rules) -> list[Slot]:
        """Return all slots of the period, computed once for all doctors with these rules."""
        since = self.now - timedelta(days=DAYS_BACK)
        key = (rules.time_zone, rules.appointment_minutes, rules.buffer_minutes, tuple(rules.weekly.items()))
        if key not in self.slots:
            days = DAYS_BACK + DAYS_AHEAD
            plain = replace(rules, max_days_ahead=days, min_notice_minutes=0, overrides={}, blocked={})
            by_day = engine.list_free_slots(plain, [], to_epoch(since), local_date(since, rules.time_zone), days)
            self.slots[key] = [slot for _, slots in by_day for slot in slots]
        return self.slots[key]

    def fill_calendar(
        self,
        planner: Planner,
        doctor: DoctorProfile,
        patients: Sequence[User],
        rules: Rules,
        busy: Sequence[Busy],
        count: int,
    ) -> None:
        """Add up to `count` appointments in a doctor's free time, each with a patient who has that time."""
        now, slots = to_epoch(self.now), self.list_slots(rules)
        upcoming = slots[bisect_right(slots, now, key=lambda slot: slot.starts_at) :]
        first_free = next((slot for slot in upcoming if not is_taken(slot, busy)), None)
        target = len(planner.appointments) + count
        for slot in self.random.sample(slots, min(count + 2 * len(busy) + 4, len(slots))):
            if len(planner.appointments) == target:
                return
            patient = self.random.choice(patients)
            if slot == first_free or is_taken(slot, busy) or is_taken(slot, planner.busy_patients[patient.pk]):
                continue
            if slot.ends_at <= now:
                status = self.random.choices((Status.COMPLETED, Status.CANCELLED), (8, 2))[0]
            else:
                status = self.random.choices((Status.CONFIRMED, Status.PENDING, Status.CANCELLED), (6, 3, 1))[0]
            planner.add(doctor, patient, slot, status)


def is_taken(slot: Slot, busy: Sequence[Busy]) -> bool:
    return any(slot.starts_at < end and start < slot.busy_until for start, end, _ in busy)


def count_users(email_prefix: str) -> tuple[int, int]:
    """Return how many of these users there are, and the highest of their numbers."""
    users = User.objects.filter(email__startswith=email_prefix).order_by("-email")
    last = users.values_list("email", flat=True).first()
    return users.count(), int(last.removeprefix(email_prefix).partition("@")[0]) if last else 0


def iterate_batches(label: str, last_number: int, count: int) -> Iterator[range]:
    """Yield the `count` numbers after `last_number` in batches, with a progress bar."""
    progress = ProgressBar(label, count)
    end = last_number + 1 + count
    for first in range(last_number + 1, end, BATCH_SIZE):
        numbers = range(first, min(first + BATCH_SIZE, end))
        yield numbers
        progress.advance(len(numbers))
    progress.close()


@cache
def expand_week(name: str) -> dict[int, tuple[Interval, ...]]:
    """Return the hours by weekday of one of the working weeks."""
    days, start, end = WORKING_WEEKS[name]
    return expand_working_hours([WEEKDAYS.index(day) for day in days], parse_minute(start), parse_minute(end))
