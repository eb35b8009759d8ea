"""Create the demo users that are missing, and nobody twice."""

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import check_password, make_password
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from accounts.files.private_storage import PRIVATE_STORAGE, store_file
from accounts.files.stored_files import claim_file
from accounts.files.validation import SanitizedFile
from accounts.models import AccountStatus, PatientDetails, Role, User
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.seeding import portraits
from adminpanel.operations.seeding.demo_users import (
    KNOWN_EMAILS,
    REJECTED_BECAUSE,
    WEEKS,
    Doctor,
    Patient,
    Person,
    doctors,
    patients,
)
from adminpanel.operations.seeding.evidence import AUTHORITY, draw_license
from doctors.availability.working_hours import set_working_hours
from doctors.models import Approval, CaseState, DoctorProfile
from doctors.verification.decisions import open_case
from doctors.weekly_hours import Span, parse_minute

ADMIN_NAME = "Robin Keyholder"
PASSWORDS = {account["email"]: account["password"] for account in DEMO_ACCOUNTS}

# Long enough ago that nobody had an appointment before there was an account.
FIRST_DAY = timedelta(days=75)
YEARS_LICENSED = timedelta(days=2 * 365)


def missing(people: Sequence[Any]) -> list[Any]:
    """Return those who have no account yet."""
    known = set(User.objects.filter(email__in=[person.email for person in people]).values_list("email", flat=True))
    return [person for person in people if person.email not in known]


def missing_doctors() -> list[Doctor]:
    return missing(doctors())


def missing_patients() -> list[Patient]:
    return missing(patients())


def hang_portraits(newcomers: Collection[Person]) -> None:
    """Draw and store the portraits that the storage lacks: of newcomers, and of those who still wear theirs."""
    wanted = {person.picture: person for person in (*doctors(), *patients()) if person.look}
    worn = set(User.objects.filter(picture__in=list(wanted)).values_list("picture", flat=True))
    worn |= {person.picture for person in newcomers}
    for name, person in wanted.items():
        if name in worn and person.look and not default_storage.exists(name):
            default_storage.save(name, ContentFile(portraits.webp(person.look)))


def welcome(new_doctors: Sequence[Doctor], new_patients: Sequence[Patient], now: datetime) -> int:
    """Make accounts for newcomers and the admin; return how many of the known accounts were made or mended."""
    known = set(PASSWORDS)
    mended = open_doors()
    standing = set(User.objects.filter(email__in=known).values_list("email", flat=True))
    for doctor in new_doctors:
        welcome_doctor(doctor, now)
    for patient in new_patients:
        user = account(patient, Role.PATIENT, now - FIRST_DAY - timedelta(days=patient.number * 29 % 500))
        PatientDetails.objects.create(
            user=user,
            street=patient.street,
            city=patient.city.name,
            state=patient.city.state,
            zip_code=patient.zip_code,
            country=patient.city.country,
            blood_group=patient.blood_group,
        )
    if KNOWN_EMAILS[Role.ADMIN] not in standing:
        welcome_admin(now)
    return mended + len(known - standing)


def account(person: Person, role: str, since: datetime) -> User:
    """Make an account; only the known ones can be signed in to."""
    return User.objects.create_user(
        person.email,
        PASSWORDS.get(person.email),
        name=person.name,
        phone=person.city.number(person.number + (50 if role == Role.PATIENT else 0)),
        gender=person.gender,
        date_of_birth=person.born,
        role=role,
        picture=person.picture,
        created_at=since,
        agreed_to_privacy_at=since,
        email_confirmed_at=since,
    )


def welcome_doctor(doctor: Doctor, now: datetime) -> None:
    """Make a doctor with a profile and weekly hours."""
    waiting = {Approval.PENDING: timedelta(hours=20 * (doctor.number % 3 + 1)), Approval.REJECTED: timedelta(days=9)}
    since = now - waiting.get(Approval(doctor.approval), FIRST_DAY + timedelta(days=doctor.number * 37 % 900))
    approved = doctor.approval == Approval.APPROVED
    clinic = doctor.clinic
    profile = DoctorProfile.objects.create(
        user=account(doctor, Role.DOCTOR, since),
        specialization=doctor.specialization,
        experience=doctor.experience,
        license_number=doctor.license_number,
        consultation_fee=doctor.fee,
        bio=doctor.bio,
        hospital_name=clinic.name,
        hospital_street=clinic.street,
        hospital_city=clinic.city.name,
        hospital_state=clinic.city.state,
        hospital_zip_code=clinic.zip_code,
        hospital_country=clinic.city.country,
        hospital_phone=clinic.city.number(sum(map(ord, clinic.name)) % 10 + 90),
        approval=doctor.approval,
        approved_at=since + timedelta(days=2) if approved else None,
        approval_reason=REJECTED_BECAUSE if doctor.approval == Approval.REJECTED else "",
        rating_average=doctor.rating,
        rating_count=doctor.reviews,
        time_zone=clinic.city.time_zone,
        appointment_minutes=doctor.appointment_minutes,
        buffer_minutes=doctor.buffer_minutes,
        instant_confirmation=doctor.instant,
    )
    if not approved:
        keep_case(profile, since)
    days, start, end = WEEKS[doctor.week]
    set_working_hours(profile, days, Span(parse_minute(start), parse_minute(end)))


def keep_case(profile: DoctorProfile, since: datetime) -> None:
    """Keep the application of a doctor who waits for a decision, or who was rejected a day later."""
    profile.license_authority, profile.license_region = AUTHORITY, profile.hospital_state
    profile.license_expires_on = (since + YEARS_LICENSED).date()
    profile.save(update_fields=["license_authority", "license_region", "license_expires_on"])
    case = open_case(profile, since)
    if profile.approval == Approval.PENDING:
        content = draw_license(
            profile.user.name, profile.specialization, profile.license_number, profile.license_expires_on
        )
        case.document_name, case.document_type, case.document_size = "licence.pdf", "application/pdf", len(content)
        case.document_sha256 = hashlib.sha256(content).hexdigest()
        case.document_stored_as = store_file(f"doctors/{profile.pk.hex}", SanitizedFile("application/pdf", content))
        claim_file(PRIVATE_STORAGE, case.document_stored_as)
        case.save()
    if profile.approval == Approval.REJECTED:
        case.state, case.decided_at, case.reason = CaseState.REJECTED, since + timedelta(days=1), REJECTED_BECAUSE
        case.save(update_fields=["state", "decided_at", "reason"])


def welcome_admin(now: datetime) -> None:
    """Make the known admin."""
    email = KNOWN_EMAILS[Role.ADMIN]
    since = now - 2 * FIRST_DAY
    User.objects.create_superuser(
        email,
        PASSWORDS[email],
        name=ADMIN_NAME,
        phone="+12025550199",
        created_at=since,
        agreed_to_privacy_at=since,
        email_confirmed_at=since,
    )


def open_doors() -> int:
    """Let the published passwords work again where a visitor has changed them; return for how many."""
    mended = 0
    for user in User.objects.filter(email__in=PASSWORDS):
        password = PASSWORDS[user.email]
        if not check_password(password, user.password) or not user.is_active:
            user.password, user.status, user.ended_at = make_password(password), AccountStatus.ACTIVE, None
            user.save(update_fields=["password", "status", "ended_at"])
            mended += 1
    return mended
