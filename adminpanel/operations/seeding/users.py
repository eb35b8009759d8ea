"""Create the demo's accounts that are missing."""

import hashlib
from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from django.contrib.auth.hashers import check_password, make_password
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.files.private_storage import PRIVATE_STORAGE, store_file
from accounts.files.stored_files import claim_file
from accounts.files.validation import SanitizedFile
from accounts.models import AccountStatus, PatientDetails, Role, User
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.seeding.people import (
    DEMO_EMAILS,
    PORTRAITS,
    REJECTION_REASON,
    WORKING_WEEKS,
    Doctor,
    Patient,
    Person,
    load_doctors,
    load_patients,
)
from adminpanel.operations.seeding.places import Clinic
from config.typesetting import compile_pdf
from doctors.availability.working_hours import set_working_hours
from doctors.models import Approval, CaseState, DoctorProfile
from doctors.verification.decisions import open_case
from doctors.weekly_hours import Span, parse_minute

ADMIN_NAME = "Robin Keyholder"
DEMO_PASSWORDS = {account["email"]: account["password"] for account in DEMO_ACCOUNTS}
LICENSE_AUTHORITY = "Example Medical Board"
LICENSE_TEMPLATE = Path(__file__).with_name("license.typ")
LICENSE_VALIDITY = timedelta(days=2 * 365)
# Accounts are older than the first appointments.
MIN_ACCOUNT_AGE = timedelta(days=75)

AnyPerson = TypeVar("AnyPerson", bound=Person)


def list_missing(people: Sequence[AnyPerson]) -> list[AnyPerson]:
    """Return the people who have no account."""
    emails = set(User.objects.filter(email__in=[person.email for person in people]).values_list("email", flat=True))
    return [person for person in people if person.email not in emails]


def store_portraits(new_people: Collection[Person]) -> None:
    """Store the portraits that the storage lacks: of `new_people`, and of users who still have theirs."""
    pictures = {person.picture for person in (*load_doctors(), *load_patients())} - {""}
    used = set(User.objects.filter(picture__in=pictures).values_list("picture", flat=True))
    for name in pictures & (used | {person.picture for person in new_people}):
        if not default_storage.exists(name):
            default_storage.save(name, ContentFile((PORTRAITS / Path(name).name).read_bytes()))


def create_users(doctors: Sequence[Doctor], patients: Sequence[Patient], now: datetime) -> int:
    """Create these users and the admin; return how many demo accounts were created or repaired."""
    repaired = repair_demo_accounts()
    existing = User.objects.filter(email__in=DEMO_PASSWORDS).count()
    for doctor in doctors:
        create_doctor(doctor, now)
    for patient in patients:
        user = create_user(patient, Role.PATIENT, now - MIN_ACCOUNT_AGE - timedelta(days=patient.number * 29 % 500))
        PatientDetails.objects.create(
            user=user,
            street=patient.street,
            city=patient.city.name,
            state=patient.city.state,
            zip_code=patient.zip_code,
            country=patient.city.country,
            blood_group=patient.blood_group,
        )
    if not User.objects.filter(email=DEMO_EMAILS[Role.ADMIN]).exists():
        create_admin(now)
    return repaired + len(DEMO_PASSWORDS) - existing


def create_user(person: Person, role: str, created_at: datetime) -> User:
    """Create an account; only the demo accounts have a usable password."""
    return User.objects.create_user(
        person.email,
        DEMO_PASSWORDS.get(person.email),
        name=person.name,
        phone=person.city.get_phone(person.number + (50 if role == Role.PATIENT else 0)),
        gender=person.gender,
        date_of_birth=person.date_of_birth,
        role=role,
        picture=person.picture,
        created_at=created_at,
        agreed_to_privacy_at=created_at,
        email_confirmed_at=created_at,
    )


def get_clinic_fields(clinic: Clinic) -> dict[str, str]:
    """Return a doctor's place of work as fields of the profile."""
    return {
        "hospital_name": clinic.name,
        "hospital_street": clinic.street,
        "hospital_city": clinic.city.name,
        "hospital_state": clinic.city.state,
        "hospital_zip_code": clinic.zip_code,
        "hospital_country": clinic.city.country,
        "time_zone": clinic.city.time_zone,
    }


def create_doctor(doctor: Doctor, now: datetime) -> None:
    """Create a doctor with profile, weekly hours and, unless approved at once, an application."""
    ages = {Approval.PENDING: timedelta(hours=20 * (doctor.number % 3 + 1)), Approval.REJECTED: timedelta(days=9)}
    created_at = now - ages.get(doctor.approval, MIN_ACCOUNT_AGE + timedelta(days=doctor.number * 37 % 900))
    is_approved = doctor.approval == Approval.APPROVED
    profile = DoctorProfile.objects.create(
        **get_clinic_fields(doctor.clinic),
        user=create_user(doctor, Role.DOCTOR, created_at),
        specialization=doctor.specialization,
        experience=doctor.experience,
        license_number=f"DEMO-{doctor.number:05}",
        consultation_fee=doctor.consultation_fee,
        bio=doctor.bio,
        hospital_phone=doctor.city.get_phone(sum(map(ord, doctor.clinic.name)) % 10 + 90),
        approval=doctor.approval,
        approved_at=created_at + timedelta(days=2) if is_approved else None,
        approval_reason=REJECTION_REASON if doctor.approval == Approval.REJECTED else "",
        rating_average=doctor.rating_average,
        rating_count=doctor.rating_count,
        appointment_minutes=doctor.appointment_minutes,
        buffer_minutes=doctor.buffer_minutes,
        instant_confirmation=doctor.instant_confirmation,
    )
    if not is_approved:
        create_application(profile, created_at)
    days, start, end = WORKING_WEEKS[doctor.working_week]
    set_working_hours(profile, days, Span(parse_minute(start), parse_minute(end)))


def create_application(profile: DoctorProfile, submitted_at: datetime) -> None:
    """Create the application of a doctor who waits for a decision, or was rejected after a day."""
    expires_on = (submitted_at + LICENSE_VALIDITY).date()
    profile.license_authority, profile.license_region = LICENSE_AUTHORITY, profile.hospital_state
    profile.license_expires_on = expires_on
    profile.save(update_fields=["license_authority", "license_region", "license_expires_on"])
    case = open_case(profile, submitted_at)
    if profile.approval == Approval.PENDING:
        content = create_license_pdf(profile, expires_on)
        case.document_name, case.document_type, case.document_size = "license.pdf", "application/pdf", len(content)
        case.document_sha256 = hashlib.sha256(content).hexdigest()
        case.document_stored_as = store_file(f"doctors/{profile.pk.hex}", SanitizedFile("application/pdf", content))
        claim_file(PRIVATE_STORAGE, case.document_stored_as)
    else:
        case.state, case.reason = CaseState.REJECTED, REJECTION_REASON
        case.decided_at = submitted_at + timedelta(days=1)
    case.save()


def create_license_pdf(profile: DoctorProfile, expires_on: date) -> bytes:
    """Return an obviously invented license; equal arguments give equal bytes."""
    data = {
        "authority": LICENSE_AUTHORITY,
        "name": profile.user.name,
        "field": profile.specialization,
        "number": profile.license_number,
        "until": expires_on.isoformat(),
    }
    return compile_pdf(LICENSE_TEMPLATE, data)


def create_admin(now: datetime) -> None:
    email, created_at = DEMO_EMAILS[Role.ADMIN], now - 2 * MIN_ACCOUNT_AGE
    User.objects.create_superuser(
        email,
        DEMO_PASSWORDS[email],
        name=ADMIN_NAME,
        phone="+12025550199",
        created_at=created_at,
        agreed_to_privacy_at=created_at,
        email_confirmed_at=created_at,
    )


def repair_demo_accounts() -> int:
    """Reset passwords and reactivate accounts that a visitor has changed; return how many."""
    repaired = 0
    for user in User.objects.filter(email__in=DEMO_PASSWORDS):
        password = DEMO_PASSWORDS[user.email]
        if not check_password(password, user.password) or not user.is_active:
            user.password, user.status, user.ended_at = make_password(password), AccountStatus.ACTIVE, None
            user.save(update_fields=["password", "status", "ended_at"])
            repaired += 1
    return repaired
