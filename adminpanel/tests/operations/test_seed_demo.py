"""The demo: complete, believable, and made once however often the command runs."""

import hashlib
import io
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Min, Sum
from django.test import override_settings
from django.utils import timezone
from PIL import Image
from pypdf import PdfReader
from rest_framework.serializers import CharField

from accounts.files.private_storage import read_file
from accounts.files.validation import sanitize_file
from accounts.models import AuditEvent, Gender, Heartbeat, Notice, PatientDetails, Role, User
from accounts.models.identifiers import new_id
from accounts.text.fields import EmailAddressField, FreeTextField, LineField, NameField, PhoneField
from adminpanel.management.commands.seed_demo import create_demo
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.seeding import people
from adminpanel.operations.seeding.load_data import LoadData
from adminpanel.operations.seeding.progress import ProgressBar
from appointments.models import LIVE, Appointment, AppointmentRecord, PatientOfDoctor, Status
from appointments.notifications.reminders import create_due_reminders
from appointments.records.serializers import RecordChangesSerializer, serialize_record
from appointments.records.services import get_current_record
from appointments.scheduling.deadlines import compute_reply_deadline
from doctors.availability.calendar import list_next_slots, read_rules
from doctors.availability.constraints import list_missing_constraints
from doctors.models import Approval, DoctorProfile, OfferedTime, Reservation, Specialization, Verification, WeeklyHours
from doctors.slot_engine import build_slot

# A Tuesday, nine in the morning in New York.
MORNING = datetime(2026, 12, 1, 14, 0, tzinfo=UTC)
MOMENTS = {
    "a morning": MORNING,
    "late in the evening": datetime(2026, 12, 2, 3, 30, tzinfo=UTC),
    "a saturday": datetime(2026, 12, 5, 15, 0, tzinfo=UTC),
    "a sunday": datetime(2026, 12, 6, 15, 0, tzinfo=UTC),
    "the day the clocks go back": datetime(2026, 11, 1, 13, 0, tzinfo=UTC),
    "the eve of the day they go forward": datetime(2027, 3, 13, 20, 0, tzinfo=UTC),
    "a leap day": datetime(2028, 2, 29, 12, 0, tzinfo=UTC),
}


def seed(**options):
    out = io.StringIO()
    call_command("seed_demo", stdout=out, **options)
    return out.getvalue()


def read_rows():
    """Return every row that the command could change."""
    models = (User, PatientDetails, DoctorProfile, WeeklyHours, Reservation, Appointment, AuditEvent, Notice)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def get_demo_user(role):
    return User.objects.get(email=next(account["email"] for account in DEMO_ACCOUNTS if account["role"] == role))


@pytest.fixture(scope="class")
def own_media(tmp_path_factory):
    """Return settings with which a class stores files in folders of its own."""
    folder = tmp_path_factory.mktemp("seeded")
    records = settings.STORAGES["records"]
    own = {**records, "OPTIONS": {**records["OPTIONS"], "location": folder / "records"}}
    return {"MEDIA_ROOT": folder / "media", "STORAGES": {**settings.STORAGES, "records": own}}


@pytest.fixture(scope="class")
def seeded(django_db_setup, django_db_blocker, own_media):
    """Seed the demo once for all tests of a class; each test's changes are rolled back."""
    with django_db_blocker.unblock(), override_settings(**own_media), transaction.atomic():
        seed()
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="class", params=list(MOMENTS.values()), ids=list(MOMENTS))
def moment(request, django_db_setup, django_db_blocker, own_media):
    """Seed the demo as at a moment, once for all tests of a class."""
    with django_db_blocker.unblock(), override_settings(**own_media), transaction.atomic():
        create_demo(request.param)
        yield request.param
        transaction.set_rollback(True)


@pytest.mark.usefixtures("seeded", "db")
class TestSeededNow:
    """What one run makes now."""

    def test_each_role_has_one_account_that_can_log_in(self):
        assert [account["role"] for account in DEMO_ACCOUNTS] == [Role.PATIENT, Role.DOCTOR, Role.ADMIN]
        for account in DEMO_ACCOUNTS:
            user = User.objects.get(email=account["email"])
            assert (user.role, user.is_active, user.check_password(account["password"])) == (
                account["role"],
                True,
                True,
            )
            validate_password(account["password"], user)
        usable = {user.email for user in User.objects.all() if user.has_usable_password()}
        assert usable == {account["email"] for account in DEMO_ACCOUNTS}
        assert get_demo_user(Role.ADMIN).is_staff

    def test_next_run_resets_a_changed_password(self):
        doctor = get_demo_user(Role.DOCTOR)
        doctor.set_password("something else")
        doctor.save()
        assert seed() == "Made 1 known accounts.\n"
        assert get_demo_user(Role.DOCTOR).check_password("copper-meadow")

    def test_doctors_cover_every_specialization_in_many_places(self):
        doctors = DoctorProfile.objects.select_related("user")
        assert Counter(doctors.values_list("approval", flat=True)) == {"approved": 40, "pending": 2, "rejected": 1}
        listed = doctors.approved()
        assert {doctor.specialization for doctor in listed} == set(Specialization.values)
        assert len({doctor.hospital_city for doctor in listed}) == 10
        assert len({doctor.time_zone for doctor in listed}) == 10
        assert (min(doctor.experience for doctor in listed), max(doctor.experience for doctor in listed)) == (3, 38)
        assert 0 < sum(doctor.rating_count == 0 for doctor in listed) < 8
        assert 0 < sum(doctor.instant_confirmation for doctor in listed) < 20
        assert all(doctor.weekly_hours.exists() for doctor in listed)
        assert all(doctor.approved_at and doctor.approved_at > doctor.user.created_at for doctor in listed)
        rejected = doctors.get(approval=Approval.REJECTED)
        assert rejected.approval_reason.startswith("The license number does not match the register.")
        assert not doctors.exclude(approval=Approval.APPROVED).exclude(approved_at=None).exists()

    def test_every_text_passes_form_validation(self):
        fields: dict[Any, dict[str, CharField]] = {
            User: {"email": EmailAddressField(), "name": NameField(), "phone": PhoneField()},
            PatientDetails: {name: LineField() for name in ("street", "city", "state", "zip_code")},
            DoctorProfile: {
                **{f"hospital_{name}": LineField() for name in ("name", "street", "city", "state", "zip_code")},
                "hospital_phone": PhoneField(),
                "bio": FreeTextField(),
            },
            Appointment: {
                name: FreeTextField(allow_blank=True)
                for name in ("symptoms", "patient_notes", "diagnosis", "prescription_notes", "doctor_notes")
            },
        }
        for model, by_name in fields.items():
            for row in model.objects.all():
                for name, text_field in by_name.items():
                    value = getattr(row, name)
                    assert text_field.run_validation(value) == value
                row.clean_fields(exclude=[field.name for field in model._meta.concrete_fields if field.is_relation])

    def test_records_pass_form_validation(self):
        written = Appointment.objects.filter(record_version__gt=0)
        for appointment in written:
            row = appointment.records.get()
            shown = serialize_record(row)
            assert shown == serialize_record(get_current_record(appointment))
            sent = {name: shown[name] for name in ("diagnosis", "notes", "prescription", "followUpDays")}
            form = RecordChangesSerializer(data=sent)
            assert form.is_valid(), form.errors
            assert form.validated_data["prescription_items"] == row.prescription_items
        assert {bool(appointment.prescription_items) for appointment in written} == {True, False}
        assert {appointment.follow_up_days is None for appointment in written} == {True, False}

    def test_first_run_is_audited_and_notifies_nobody(self):
        assert list(AuditEvent.objects.values_list("event", flat=True)) == ["demo.seeded"]
        assert not Notice.objects.exists()

    def test_missing_users_are_created_and_existing_ones_unchanged(self):
        gone = User.objects.get(name="Oskar Bluebell")
        Verification.objects.filter(doctor=gone.pk).delete()
        DoctorProfile.objects.filter(user=gone).delete()
        gone.delete()
        DoctorProfile.objects.filter(user__name="Theo Applegarth").update(bio="Changed by hand.")
        assert seed() == "Made 1 doctors.\n"
        assert DoctorProfile.objects.get(user__name="Theo Applegarth").bio == "Changed by hand."

    def test_past_weeks_are_counted_like_housekeeping_does(self):
        counted = OfferedTime.objects.aggregate(first=Min("date"), last=Max("date"), used=Sum("used_minutes"))
        today = timezone.now().date()
        assert (counted["first"], counted["last"]) == (today - timedelta(days=30), today - timedelta(days=2))
        assert counted["used"] > 0
        before = OfferedTime.objects.count()
        seed()
        assert OfferedTime.objects.count() == before


@pytest.mark.usefixtures("db")
class TestSeededAtAMoment:
    """What a run would have made at a moment, among them those at which clocks change."""

    def test_appointments_follow_every_product_rule(self, moment):
        all_appointments = list(Appointment.objects.select_related("doctor__user", "patient", "reservation"))
        assert {appointment.status for appointment in all_appointments} == set(Status.values)
        rules = read_rules([appointment.doctor for appointment in all_appointments], moment)
        for appointment in all_appointments:
            slot = build_slot(rules[appointment.doctor_id], appointment.date, appointment.time)
            assert slot
            assert (appointment.starts_at, appointment.ends_at) == (slot.starts_at_utc, slot.ends_at_utc)
            local = appointment.starts_at.astimezone(ZoneInfo(appointment.time_zone))
            assert (local.date(), local.time()) == (appointment.date, appointment.time)
            assert appointment.created_at < min(appointment.starts_at, moment)
            assert appointment.doctor.approved_at
            assert (
                max(appointment.patient.created_at, appointment.doctor.approved_at)
                < appointment.created_at
                <= appointment.updated_at
            )
            assert appointment.doctor.approval == Approval.APPROVED
            assert (appointment.doctor_name, appointment.patient_name) == (
                appointment.doctor.user.name,
                appointment.patient.name,
            )
            assert (appointment.specialization, appointment.time_zone) == (
                appointment.doctor.specialization,
                appointment.doctor.time_zone,
            )
            assert (appointment.consultation_fee, appointment.currency) == (appointment.doctor.consultation_fee, "USD")
            assert appointment.hospital_name == appointment.doctor.hospital_name
            if appointment.status == Status.CANCELLED:
                assert appointment.reservation is None
                assert appointment.cancelled_by in Role.values
            else:
                reservation = appointment.reservation
                assert reservation
                assert (reservation.doctor_id, reservation.patient_id) == (
                    appointment.doctor_id,
                    appointment.patient_id,
                )
                assert (reservation.starts_at, reservation.busy_until) == (appointment.starts_at, slot.busy_until_utc)
            assert (appointment.respond_by is not None) == (appointment.status == Status.PENDING)
            if appointment.respond_by:
                assert moment < appointment.respond_by
                assert appointment.respond_by == compute_reply_deadline(
                    appointment.starts_at, appointment.time_zone, appointment.created_at, 48
                )
            assert appointment.completed_at == (appointment.ends_at if appointment.status == Status.COMPLETED else None)
            written = (appointment.diagnosis, appointment.prescription_notes, appointment.doctor_notes)
            assert all(written) if appointment.attended else not any(written)
            if appointment.status in (Status.PENDING, Status.COMPLETED):
                assert (appointment.starts_at > moment) == (appointment.status == Status.PENDING)
            if appointment.specialization == "Gynecology":
                assert appointment.patient.gender == Gender.FEMALE
        assert Reservation.objects.count() == sum(
            appointment.status != Status.CANCELLED for appointment in all_appointments
        )

    def test_demo_doctor_has_one_or_two_no_shows(self, moment):
        missed = Appointment.objects.filter(attended=False)
        assert 1 <= missed.count() <= 2
        assert {appointment.doctor_id for appointment in missed} == {get_demo_user(Role.DOCTOR).pk}
        assert not missed.filter(record_version__gt=0).exists()

    def test_demo_accounts_have_appointments_of_every_status(self, moment):
        for role, least in ((Role.PATIENT, 1), (Role.DOCTOR, 3)):
            theirs = Appointment.objects.visible_to(get_demo_user(role))
            assert set(theirs.values_list("status", flat=True)) == set(Status.values)
            ahead = theirs.live(moment).filter(starts_at__gt=moment)
            assert ahead.filter(status=Status.PENDING).count() >= least
            assert ahead.filter(status=Status.CONFIRMED).count() >= least
            assert ahead.filter(starts_at__lt=moment + timedelta(days=3)).exists()
            assert theirs.filter(status=Status.COMPLETED).count() > least

    def test_stored_next_free_time_is_correct(self, moment):
        doctors = list(DoctorProfile.objects.approved())
        assert len(doctors) == 40
        slots = list_next_slots(doctors, moment, count=1)
        assert {doctor.pk: doctor.next_free_at for doctor in doctors} == {
            doctor_id: found[0].starts_at_utc for doctor_id, found in slots.items()
        }

    def test_database_constraints_check_the_plan(self, moment):
        assert not list_missing_constraints(connection)
        taken = Reservation.objects.values().order_by("pk")[0]
        with pytest.raises(IntegrityError), transaction.atomic():
            Reservation.objects.bulk_create([Reservation(**{**taken, "id": new_id()})])


# --- Accounts -----------------------------------------------------------------------------------


@pytest.mark.either_engine
def test_list_only_prints_the_accounts(db):
    assert seed(list=True) == (
        "patient\tpatient@example.com\tgarden-kettle\n"
        "doctor\tdoctor@example.com\tcopper-meadow\n"
        "admin\tadmin@example.com\tlantern-harbour\n"
    )
    assert not User.objects.exists()


@pytest.mark.either_engine
def test_production_site_rejects_seeding(db, settings):
    settings.IS_PRODUCTION = True
    for options in ({}, {"list": True}, {"doctors": 5}):
        with pytest.raises(CommandError, match="production"):
            seed(**options)
    assert not User.objects.exists()


# --- People -------------------------------------------------------------------------------------


@pytest.mark.either_engine
def test_all_people_are_distinct():
    doctors, patients = people.load_doctors(), people.load_patients()
    for attribute in ("name", "email"):
        assert max(Counter(getattr(person, attribute) for person in (*doctors, *patients)).values()) == 1
    portraits = [path.read_bytes() for path in people.PORTRAITS.iterdir()]
    assert len(set(portraits)) == len(portraits)
    sentences = Counter(sentence for doctor in doctors for sentence in doctor.bio.replace("?", ".").split(". "))
    assert max(sentences.values()) == 1


@pytest.mark.either_engine
def test_portraits_are_square_webp_files_with_a_stable_name(db):
    seed()
    pictures = User.objects.exclude(picture="").values_list("picture", flat=True)
    assert len(pictures) == len(set(pictures)) == len(list(people.PORTRAITS.iterdir())) == 50
    doctors = User.objects.filter(role=Role.DOCTOR)
    assert 0.75 < doctors.exclude(picture="").count() / doctors.count() < 0.85
    for name in pictures:
        with default_storage.open(name) as file, Image.open(file) as picture:
            assert (picture.format, picture.size) == ("WEBP", (512, 512))
    assert get_demo_user(Role.DOCTOR).picture == "pictures/amara-quillfeather.webp"


@pytest.mark.either_engine
def test_missing_portrait_is_stored_again(db):
    seed()
    name = get_demo_user(Role.PATIENT).picture
    default_storage.delete(name)
    assert seed() == "The demo is complete; nothing was changed.\n"
    assert default_storage.exists(name)


# --- Appointments -------------------------------------------------------------------------------------


def compute_pairs():
    """Return who booked with whom, and when first and last, from the appointments."""
    pairs = Appointment.objects.order_by().values_list("doctor", "patient", "patient__name", "patient__gender")
    return set(pairs.annotate(Min("created_at"), Max("created_at")))


def read_pairs():
    return set(PatientOfDoctor.objects.values_list("doctor", "patient", "name", "gender", "since", "last_booked_at"))


@pytest.mark.either_engine
def test_every_encounter_passes_form_validation():
    encounters = [each for several in people.load_encounters().values() for each in several]
    assert sum(bool(each.prescription_items) for each in encounters) > 20
    assert sum(each.follow_up_days is not None for each in encounters) > 20
    for encounter in encounters:
        sent = {
            "prescription": {"items": list(encounter.prescription_items)},
            "followUpDays": encounter.follow_up_days,
        }
        form = RecordChangesSerializer(data=sent)
        assert form.is_valid(), (encounter, form.errors)


def test_demo_accounts_have_appointments_today_and_tomorrow(db):
    create_demo(MORNING)
    today = MORNING.date()
    for role in (Role.PATIENT, Role.DOCTOR):
        ahead = Appointment.objects.visible_to(get_demo_user(role)).live(MORNING).filter(starts_at__gt=MORNING)
        assert {today, today + timedelta(days=1)} <= set(ahead.values_list("date", flat=True))


# --- Again --------------------------------------------------------------------------------------


def test_a_second_run_changes_nothing(db):
    assert seed().startswith("Made 43 doctors, 32 patients, 3 known accounts, ")
    before = read_rows()
    assert seed() == "The demo is complete; nothing was changed.\n"
    assert read_rows() == before


def test_run_after_a_month_fills_the_calendars_again(db):
    create_demo(MORNING)
    first = set(Appointment.objects.values_list("pk", flat=True))
    assert create_demo(MORNING + timedelta(days=2))["appointments"] == 0
    later = MORNING + timedelta(days=33)
    assert create_demo(later)["appointments"] > 100
    assert Appointment.objects.live(later).filter(starts_at__gt=later).exclude(pk__in=first).count() > 50
    left_open = Appointment.objects.filter(status__in=LIVE, ends_at__lt=later - timedelta(days=1)).exclude(pk__in=first)
    assert not Appointment.objects.filter(status__in=LIVE, pk__in=first).exists()
    assert left_open.count() <= 1
    # What lies between the two runs was empty, and what lay before is as full as it was.
    between = Appointment.objects.filter(starts_at__range=(MORNING + timedelta(days=15), later))
    assert between.exists()
    assert not Appointment.objects.exclude(pk__in=first).filter(starts_at__lt=MORNING).exists()
    for appointment in Appointment.objects.filter(pk__in=first):
        assert (appointment.reservation_id is None) == (appointment.status == Status.CANCELLED)


# --- Load data ----------------------------------------------------------------------------------


def filter_load_data(model, **names):
    return model.objects.filter(**{f"{field}__startswith": start for field, start in names.items()})


def test_large_sets_have_exactly_the_requested_size(db):
    now = timezone.now()
    load_data = LoadData(now)
    assert (load_data.create_doctors(120), load_data.create_patients(40), load_data.create_appointments(500)) == (
        120,
        40,
        500,
    )
    doctors = filter_load_data(DoctorProfile, license_number="CROWD-")
    assert Counter(doctors.values_list("approval", flat=True)) == {"approved": 118, "pending": 2}
    assert WeeklyHours.objects.values("doctor").distinct().count() == 120
    assert filter_load_data(PatientDetails, user__email="crowd.patient.").count() == 40
    assert not any(user.has_usable_password() or user.picture for user in User.objects.all())
    booked = Appointment.objects.select_related("reservation", "doctor")
    assert set(booked.values_list("status", flat=True)) == set(Status.values)
    assert all((appointment.reservation is None) == (appointment.status == Status.CANCELLED) for appointment in booked)
    assert not booked.filter(status__in=LIVE, starts_at__lt=now - timedelta(hours=2)).exists()
    approved = list(doctors.approved())
    slots = list_next_slots(approved, now, count=1)
    assert {doctor.pk: doctor.next_free_at for doctor in approved} == {
        doctor_id: found[0].starts_at_utc for doctor_id, found in slots.items()
    }
    assert read_pairs() == compute_pairs()
    done = booked.filter(status=Status.COMPLETED)
    assert AppointmentRecord.objects.count() == done.filter(record_version=1, attended=True).count() == done.count()
    for appointment in booked:
        appointment.clean_fields()
    for user in User.objects.all():
        user.clean_fields()
    for doctor in doctors:
        doctor.clean_fields(exclude=["user"])


def test_large_sets_grow_to_the_requested_size(db):
    now = timezone.now()
    LoadData(now).create_doctors(10)
    LoadData(now).create_patients(5)
    LoadData(now).create_appointments(30)
    before = read_rows()
    again = LoadData(now)
    assert (again.create_doctors(10), again.create_patients(3), again.create_appointments(30)) == (0, 0, 0)
    assert read_rows() == before
    assert (again.create_doctors(13), again.create_patients(6), again.create_appointments(75)) == (3, 1, 45)
    assert Appointment.objects.count() == 75
    assert read_pairs() == compute_pairs()


def test_appointments_are_limited_by_the_calendars(db):
    load_data = LoadData(timezone.now())
    load_data.create_doctors(1)
    load_data.create_patients(2)
    made = load_data.create_appointments(100_000)
    assert 100 < made < 5000
    assert Appointment.objects.count() == made


def test_command_creates_large_sets_beside_the_demo(db):
    assert seed(doctors=3, patients=2, appointments=4).endswith(
        "3 more doctors, 2 more patients, 4 more appointments.\n"
    )
    assert seed(doctors=3, patients=2, appointments=4) == "The demo is complete; nothing was changed.\n"


def test_appointments_without_users_are_rejected_in_one_sentence(db):
    with pytest.raises(CommandError, match="--appointments needs --doctors and --patients"):
        seed(appointments=4)


@pytest.mark.either_engine
@pytest.mark.parametrize("number", ["-1", "1.5", "many", "²"])
def test_invalid_number_is_rejected(number):
    with pytest.raises(CommandError, match="is not a whole number"):
        call_command("seed_demo", f"--doctors={number}")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.either_engine
def test_progress_bar_is_drawn_on_a_terminal_only():
    screen, file = Terminal(), io.StringIO()
    for stream in (screen, file):
        progress = ProgressBar("Doctors", 2000, stream)
        progress.advance(1000)
        progress.close()
    assert screen.getvalue().startswith("\rDoctors    ███████████████░░░░░░░░░░░░░░░     1,000 of 2,000")
    assert screen.getvalue().endswith("\n")
    assert file.getvalue() == ""


@pytest.mark.either_engine
@pytest.mark.django_db
def test_pending_doctors_have_a_valid_license():
    seed()
    waiting = Verification.objects.filter(state="open").select_related("doctor__user")
    assert waiting
    for case in waiting:
        content = read_file(case.document_stored_as)
        before, after = (PdfReader(io.BytesIO(each)) for each in (content, sanitize_file(content).content))
        assert [page.extract_text() for page in after.pages] == [page.extract_text() for page in before.pages]
        assert hashlib.sha256(content).hexdigest() == case.document_sha256
        assert case.license_expires_on > timezone.now().date()


@pytest.mark.django_db
def test_demo_site_does_not_send_old_reminders():
    # Reminders are due on the hour and the half hour, and the first round reaches back a few minutes.
    now = MORNING + timedelta(minutes=20)
    with time_machine.travel(now, tick=False):
        seed()
        with transaction.atomic():
            Heartbeat.objects.all().delete()
            assert create_due_reminders(now) > 0
            transaction.set_rollback(True)
        assert create_due_reminders(now) == 0
