"""Every search of people finds a name however it is typed, on both engines."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.tests.factories import AdminFactory, PatientFactory, UserFactory
from accounts.text.substring_search import create_trigram_indexes, fold_missing_rows, match_words
from adminpanel.account.erasure import erase_person
from adminpanel.operations.housekeeping import run_round
from adminpanel.tests.admin.staff import client_for, page_of, staff_member
from appointments.models import Appointment, PatientOfDoctor
from appointments.tests.factories import make_appointment
from doctors.models import DoctorProfile
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

SOON = timezone.now().date() + timedelta(days=3)

NAMES = ["Ó Súilleabháin", "O’Brien", "Nguyễn", "José Álvarez", "Müller", "Gal·la", "Łukasz Østergård", "Ада Лунина"]
TYPED = [
    ("suilleabhain", "Ó Súilleabháin"), ("SÚILLEABHÁIN", "Ó Súilleabháin"), ("obrien", "O’Brien"),
    ("o'brien", "O’Brien"), ("O`Brien", "O’Brien"), ("brien", "O’Brien"), ("nguyen", "Nguyễn"),
    ("jose", "José Álvarez"), ("alvarez", "José Álvarez"), ("alvarez jose", "José Álvarez"), ("muller", "Müller"),
    ("MULLER", "Müller"), ("galla", "Gal·la"), ("lukasz ostergard", "Łukasz Østergård"), ("лунина", "Ада Лунина"),
]  # fmt: skip


def doctor(name, email="", **fields):
    person = UserFactory(name=name, role="doctor", **({"email": email} if email else {}))
    return DoctorFactory(user=person, **fields)


@pytest.fixture
def desk(client_of):
    """A doctor with one appointment of each patient, and what finds them."""
    one = doctor("Renée Öberg")
    for number, name in enumerate(NAMES):
        patient = PatientFactory(name=name, email=f"p{number}.sample@example.com")
        make_appointment(one, patient, SOON + timedelta(days=number))
    PatientFactory(name="Somebody Else", email="else@example.com")
    of_doctor, of_admin = client_of(one.user), client_of(AdminFactory())

    def names(client, address, key, search):
        answer = client.get(address, {"search": search})
        assert answer.status_code == 200, answer.content
        return [one["patient"]["name"] if "patient" in one else one["name"] for one in answer.json()["data"][key]]

    return {
        "patients of a doctor": lambda text: names(of_doctor, "/api/doctors/patients", "patients", text),
        "appointments of a doctor": lambda text: names(of_doctor, "/api/appointments", "appointments", text),
        "appointments, admin": lambda text: names(of_admin, "/api/appointments", "appointments", text),
        "records, admin": lambda text: names(of_admin, "/api/admin/records", "appointments", text),
        "users, admin": lambda text: names(of_admin, "/api/admin/users", "users", text),
    }


SEARCHES = [
    "patients of a doctor", "appointments of a doctor", "appointments, admin", "records, admin", "users, admin",
]  # fmt: skip


@pytest.mark.parametrize("search", SEARCHES)
def test_every_user_search_finds_a_name_in_any_spelling(desk, search):
    assert {typed: desk[search](typed) for typed, _ in TYPED} == {typed: [name] for typed, name in TYPED}
    for nobody in ("zebra", "%", "_", "'", "· ·", "🙂", "jose zebra"):
        assert desk[search](nobody) == []


@pytest.mark.parametrize("search", ["patients of a doctor", "appointments of a doctor", "users, admin"])
def test_email_and_its_parts_find_the_user(desk, search):
    for typed in ("p3.sample@example.com", "P3.Sample@Example.com", "p3.sample", "p3", "p3.sample@", "jose p3"):
        assert desk[search](typed) == ["José Álvarez"], typed


def test_admins_find_doctors_by_name_address_and_specialization(client_of):
    doctor("Renée Öberg", "r.oberg@example.com", specialization="Urology")
    doctor("Bo Other", specialization="Cardiology")
    client = client_of(AdminFactory())

    def found(text):
        doctors = client.get("/api/admin/doctors", {"search": text}).json()["data"]["doctors"]
        return [one["name"] for one in doctors]

    for text in ("renee", "oberg renee", "r.oberg@example.com", "renee urology", "urolo"):
        assert found(text) == ["Renée Öberg"], text
    assert found("renee cardiology") == found("%") == []


def test_patients_find_their_appointments_by_the_doctors_name(client_of):
    patient = PatientFactory(name="Ada Sample")
    make_appointment(doctor("Renée Öberg", specialization="Urology"), patient, SOON)
    make_appointment(doctor("Bo O’Neill", specialization="Surgery"), patient, SOON, "11:00")

    def found(text):
        answer = client_of(patient).get("/api/appointments", {"search": text}).json()["data"]["appointments"]
        return [one["doctor"]["name"] for one in answer]

    assert found("oberg") == found("RENEE urology") == ["Renée Öberg"]
    assert found("oneill") == ["Bo O’Neill"]
    assert found("sample") == []


def test_staff_find_names_in_any_spelling(desk):
    client = client_for(staff_member(superuser=True))
    for model in (User, Appointment, PatientOfDoctor):
        for typed, name in TYPED:
            page = client.get(page_of(model), {"q": typed}).content.decode()
            assert name in page and sum(other in page for other in NAMES) == 1, (model, typed)  # noqa: PT018 - one thing


# --- What keeps it true -------------------------------------------------------------------------


def found_users(text):
    return list(User.objects.present().filter(match_words(text, "search_text")).values_list("name", flat=True))


RENAMES = {
    "saved": lambda one: one.save(),
    "saved a field": lambda one: one.save(update_fields=["name"]),
    "updated": lambda one: User.objects.filter(pk=one.pk).update(name=one.name),
    "updated in bulk": lambda one: User.objects.bulk_update([one], ["name"]),
}


@pytest.mark.parametrize("rename", RENAMES)
def test_a_new_name_is_found_and_the_old_one_is_not(rename):
    one = UserFactory(name="Ångström")
    assert found_users("angstrom") == ["Ångström"]
    one.name = "Renée"
    RENAMES[rename](one)
    assert (found_users("renee"), found_users("angstrom")) == (["Renée"], [])


def test_a_patient_with_a_new_name_is_found_by_the_doctor(client_of):
    appointment = make_appointment(doctor("Bo Other"), PatientFactory(name="Ángel Before"), SOON)
    appointment.patient.name = "Zoë After"
    appointment.patient.save()
    answer = client_of(appointment.doctor.user).get("/api/doctors/patients", {"search": "zoe"}).json()["data"]
    assert [one["name"] for one in answer["patients"]] == ["Zoë After"]


def test_closed_account_is_not_found_by_its_email(client_of):
    appointment = make_appointment(
        doctor("Bo Other"), PatientFactory(name="José Álvarez", email="gone@example.com"), SOON
    )
    admin = client_of(AdminFactory())
    admin.delete(f"/api/admin/users/{appointment.patient.pk}")
    found = {
        text: len(admin.get("/api/appointments", {"search": text}).json()["data"]["appointments"])
        for text in ("gone@example.com", "invalid", "alvarez")
    }
    assert found == {"gone@example.com": 0, "invalid": 0, "alvarez": 1}


def test_erased_user_is_never_found():
    patient = PatientFactory(name="Quuxina Álvarez", email="quuxina@example.com")
    appointment = make_appointment(doctor("Bo Other"), patient, SOON, status="cancelled")
    erase_person(appointment.patient, actor=AdminFactory(), now=timezone.now())
    for model, field in ((User, "search_text"), (PatientOfDoctor, "search_text"), (Appointment, "people_text")):
        texts = model.objects.values_list(field, flat=True)
        assert not [text for text in texts if text is None or "quuxina" in text], model


def test_housekeeping_indexes_rows_written_by_raw_sql():
    appointment = make_appointment(doctor("Bo Other"), PatientFactory(name="José Álvarez"), SOON)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET search_text = NULL")
        cursor.execute("UPDATE appointments_appointment SET people_text = NULL")
    assert found_users("alvarez") == []
    assert run_round(timezone.now())["personal names folded"] >= 2
    assert found_users("alvarez") == ["José Álvarez"]
    appointment.refresh_from_db()
    assert appointment.people_text == appointment.folded_text()
    assert fold_missing_rows(User) == 0


def test_symbols_search_emails_only(client_of):
    appointment = make_appointment(doctor("Bo Other"), PatientFactory(name="Ada Lund", email="a_b%c@example.com"), SOON)
    client = client_of(appointment.doctor.user)

    def found(text):
        return len(client.get("/api/doctors/patients", {"search": text}).json()["data"]["patients"])

    assert [found(text) for text in ("a_b", "%", "b%c@", "a_b lund", "a_d", "l_n", "a%d")] == [1, 1, 1, 1, 0, 0, 0]


def test_postgresql_searches_users_by_trigrams():
    tables = [("accounts_user", "search_text"), ("appointments_appointment", "people_text")]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # It has no such index, and reads the column.
            cursor.execute("SELECT count(*) FROM sqlite_master WHERE name LIKE '%_text_trigrams'")
            assert cursor.fetchone() == (0,)
            return
        cursor.execute("SELECT indexname FROM pg_indexes WHERE indexname LIKE '%_trigrams'")
        names = {name for (name,) in cursor.fetchall()}
        assert {f"{table}_{column}_trigrams" for table, column in tables} <= names
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN SELECT id FROM accounts_user WHERE search_text LIKE '%alvarez%'")
        assert "accounts_user_search_text_trigrams" in str(cursor.fetchall())


def test_search_works_without_trigrams(caplog, monkeypatch):
    create_trigram_indexes("default", [("no_such_table", "no_such_column")])
    assert connection.vendor == "sqlite" or "pg_trgm is missing" in caplog.text
    assert DoctorProfile.objects.count() == 0
