"""Test the patient list of a doctor: membership, search, fields and cost."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from accounts.models import AuditEvent, User
from accounts.tests.factories import PatientFactory
from accounts.text.phone_numbers import format_phone
from appointments.models import PatientOfDoctor
from appointments.tests.factories import make_appointment

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
MONDAY = date(2030, 1, 7)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def people(users):
    """Four patients who booked one after the other, and one of another doctor's."""
    named = [
        ("Ada Lund", "ada@example.com", "female"),
        ("Bo 100% Berg", "bo_berg@example.com", "male"),
        ("Cem Aydin", "cem@example.org", "male"),
        ("Dara Quist", "quist@example.org", "other"),
    ]
    made = {}
    for number, (name, email, gender) in enumerate(named):
        person = PatientFactory.create(name=name, email=email, gender=gender)
        make_appointment(
            users.doctor, person, MONDAY + timedelta(days=number + 1), created_at=NOW - timedelta(days=9 - number)
        )
        made[name.split()[0]] = person
    stranger = PatientFactory.create(name="Ada Elsewhere", email="elsewhere@example.com")
    make_appointment(users.other_doctor, stranger, MONDAY + timedelta(days=1))
    return made | {"stranger": stranger}


@pytest.fixture
def doctor(users, client_of):
    return client_of(users.doctor.user)


def names(client, **query):
    answer = client.get("/api/doctors/patients", query)
    assert answer.status_code == 200, answer.json()
    return [row["name"].split()[0] for row in answer.json()["data"]["patients"]]


def test_latest_booking_comes_first_and_strangers_are_excluded(doctor, people):
    assert names(doctor) == ["Dara", "Cem", "Bo", "Ada"]
    assert doctor.get("/api/doctors/patients").json()["data"]["totals"] == {
        "all": 4,
        "male": 2,
        "female": 1,
        "other": 1,
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"search": "aDa"}, ["Ada"]),
        ({"search": "example.org"}, ["Dara", "Cem"]),
        ({"search": "lund ada"}, ["Ada"]),
        ({"search": "ada aydin"}, []),
        ({"search": "%"}, ["Bo"]),
        ({"search": "_"}, ["Bo"]),
        ({"search": "100%"}, ["Bo"]),
        ({"search": "\\"}, []),
        ({"search": "'"}, []),
        ({"search": "  "}, ["Dara", "Cem", "Bo", "Ada"]),
        ({"search": "elsewhere"}, []),
        ({"gender": "male"}, ["Cem", "Bo"]),
        ({"gender": "male", "search": "berg"}, ["Bo"]),
        ({"ordering": "name"}, ["Ada", "Bo", "Cem", "Dara"]),
        ({"ordering": "-name"}, ["Dara", "Cem", "Bo", "Ada"]),
        ({"ordering": "name", "page": 2, "pageSize": 3}, ["Dara"]),
    ],
)
def test_patients_are_found_by_name_address_and_gender(query, found, doctor, people):
    assert names(doctor, **query) == found
    # The totals are of all patients, whatever is searched.
    assert doctor.get("/api/doctors/patients", query).json()["data"]["totals"]["all"] == 4


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"gender": "man"}, "gender"),
        ({"ordering": "phone"}, "ordering"),
        ({"search": "a" * 101}, "search"),
        ({"search": "a\x00b"}, "search"),
        ({"page": 0}, "page"),
        ({"page": "10" * 40}, "page"),
        ({"pageSize": 101}, "pageSize"),
    ],
)
def test_invalid_filter_is_a_field_error(query, field, doctor):
    answer = doctor.get("/api/doctors/patients", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_patient_has_the_expected_fields(doctor, users):
    patient = users.patient
    past = make_appointment(users.doctor, patient, date(2029, 12, 3), status="completed")
    make_appointment(users.doctor, patient, date(2029, 12, 10), status="completed", attended=False)
    make_appointment(users.doctor, patient, date(2029, 12, 17), status="cancelled")
    make_appointment(users.doctor, patient, date(2030, 1, 9), "10:00", status="cancelled")
    make_appointment(users.doctor, patient, date(2030, 1, 9), "12:00", respond_by=NOW)
    coming = make_appointment(users.doctor, patient, date(2030, 1, 10), "14:00", status="confirmed")
    make_appointment(users.doctor, patient, date(2030, 1, 11))
    make_appointment(users.other_doctor, patient, date(2030, 1, 8))
    row = {
        "_id": str(patient.pk),
        "name": patient.name,
        "email": patient.email,
        "phone": format_phone(patient.phone),
        "gender": "other",
        "age": 44,
        "profilePicture": None,
        # Two that are done, two that are ahead; what was cancelled or ran out is none.
        "visits": 4,
        "lastVisit": {
            "appointmentId": str(past.pk),
            "date": "2029-12-03",
            "time": "09:00",
            "startsAt": "2029-12-03T14:00:00Z",
        },
        "nextVisit": {
            "appointmentId": str(coming.pk),
            "date": "2030-01-10",
            "time": "14:00",
            "startsAt": "2030-01-10T19:00:00Z",
        },
    }
    assert doctor.get("/api/doctors/patients").json()["data"]["patients"] == [row]
    assert doctor.get(f"/api/doctors/patients/{patient.pk}").json()["data"] == {
        "patient": {**row, "dateOfBirth": "1985-06-15", "bloodGroup": "O+"}
    }


def test_patient_with_only_cancelled_appointments(doctor, users):
    User.objects.filter(pk=users.patient.pk).update(date_of_birth=None)
    users.patient.patient_details.delete()
    make_appointment(users.doctor, users.patient, date(2029, 12, 17), status="cancelled")
    shown = doctor.get(f"/api/doctors/patients/{users.patient.pk}").json()["data"]["patient"]
    assert (shown["visits"], shown["lastVisit"], shown["nextVisit"]) == (0, None, None)
    assert (shown["age"], shown["dateOfBirth"], shown["bloodGroup"]) == (None, None, "")


def test_figures_count_only_the_patients_own_appointments(doctor, users):
    third = PatientFactory.create()
    for person, past, coming in ((users.patient, 1, 3), (users.other_patient, 2, 1), (third, 0, 0)):
        for number in range(past):
            make_appointment(users.doctor, person, date(2029, 12, 3 + 7 * past + number), status="completed")
        for number in range(coming):
            make_appointment(users.doctor, person, date(2030, 1, 9 + 7 * past), f"{10 + number}:00")
    make_appointment(users.doctor, third, date(2029, 12, 31), status="cancelled")
    rows = {row["_id"]: row for row in doctor.get("/api/doctors/patients").json()["data"]["patients"]}

    def figures(person):
        row = rows[str(person.pk)]
        return row["visits"], *((row[name] or {}).get("date") for name in ("lastVisit", "nextVisit"))

    assert figures(users.patient) == (4, "2029-12-10", "2030-01-16")
    assert figures(users.other_patient) == (3, "2029-12-18", "2030-01-23")
    assert figures(third) == (0, None, None)


def test_the_last_appointment_is_never_in_the_future(doctor, users):
    past = make_appointment(users.doctor, users.patient, date(2029, 12, 3), status="completed")
    # Completing is allowed from 15 minutes before the start.
    make_appointment(users.doctor, users.patient, date(2030, 1, 7), "10:10", status="completed")
    row = doctor.get("/api/doctors/patients").json()["data"]["patients"][0]
    assert (row["lastVisit"]["appointmentId"], row["nextVisit"]) == (str(past.pk), None)


def test_past_confirmed_appointment_counts_as_the_last(doctor, users):
    make_appointment(users.doctor, users.patient, date(2030, 1, 3), status="completed")
    over = make_appointment(users.doctor, users.patient, date(2030, 1, 4), status="confirmed")
    running = make_appointment(users.doctor, users.patient, MONDAY, "09:30", status="confirmed")
    (row,) = doctor.get("/api/doctors/patients").json()["data"]["patients"]
    assert (row["lastVisit"]["appointmentId"], row["nextVisit"]["appointmentId"]) == (str(over.pk), str(running.pk))


@pytest.mark.parametrize(("now", "age"), [("2030-06-15T03:59:00Z", 44), ("2030-06-15T04:00:00Z", 45)])
def test_age_changes_at_midnight_of_the_clinic(now, age, users, client_of, clock):
    make_appointment(users.doctor, users.patient, date(2030, 1, 3), status="completed")
    clock.move_to(now)
    (row,) = client_of(users.doctor.user).get("/api/doctors/patients").json()["data"]["patients"]
    assert row["age"] == age


def test_closed_account_shows_no_email_and_is_not_found_by_it(doctor, people, clock):
    ada = people["Ada"]
    ada.picture, ada.ended_at = "pictures/ada.webp", NOW
    ada.save()
    assert names(doctor, search="ada@example.com") == []
    (row,) = doctor.get("/api/doctors/patients", {"search": "lund"}).json()["data"]["patients"]
    assert (row["name"], row["email"], row["phone"], row["profilePicture"]) == ("Ada Lund", "", "", None)
    shown = doctor.get(f"/api/doctors/patients/{ada.pk}").json()["data"]["patient"]
    assert (shown["email"], shown["phone"], shown["profilePicture"]) == ("", "", None)


def test_patient_is_found_by_a_new_name_immediately(doctor, people, client_of):
    answer = client_of(people["Ada"]).put("/api/auth/profile", {"name": "Ida Sund", "gender": "other"}, format="json")
    assert answer.status_code == 200
    assert names(doctor, search="sund") == ["Ida"]
    assert names(doctor, search="lund") == []
    assert names(doctor, ordering="name") == ["Bo", "Cem", "Dara", "Ida"]
    assert doctor.get("/api/doctors/patients").json()["data"]["totals"]["female"] == 0


def test_saving_unsearched_fields_writes_no_search_rows(people, django_assert_num_queries):
    ada = people["Ada"]
    ada.phone = "+1 202 555 0188"
    with django_assert_num_queries(1):
        ada.save(update_fields=["phone"])


def test_new_booking_moves_a_patient_to_the_top(doctor, people, users, client_of):
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": "2030-01-16", "appointmentTime": "09:00"}
    assert client_of(people["Ada"]).post("/api/appointments", body, format="json").status_code == 201
    assert names(doctor) == ["Ada", "Dara", "Cem", "Bo"]
    assert PatientOfDoctor.objects.filter(doctor=users.doctor).count() == 4


@pytest.mark.parametrize("call", ["", "/history"])
def test_only_own_patients_are_shown(call, doctor, people, users):
    for person in (people["stranger"], users.other_patient, users.doctor.user, users.admin):
        answer = doctor.get(f"/api/doctors/patients/{person.pk}{call}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert doctor.get(f"/api/doctors/patients/{people['Ada'].pk}{call}").status_code == 200


def test_history_contains_only_appointments_with_this_doctor(doctor, users):
    patient = users.patient
    mine = [
        make_appointment(users.doctor, patient, date(2030, 1, 9)),
        make_appointment(users.doctor, patient, date(2029, 12, 17), status="cancelled", symptoms=""),
        make_appointment(users.doctor, patient, date(2029, 12, 3), status="completed", diagnosis="Flu."),
    ]
    make_appointment(users.other_doctor, patient, date(2029, 12, 4), status="completed")
    make_appointment(users.doctor, users.other_patient, date(2029, 12, 4), status="completed")
    address = f"/api/doctors/patients/{patient.pk}/history"
    data = doctor.get(address).json()["data"]
    assert [row["_id"] for row in data["appointments"]] == [str(appointment.pk) for appointment in mine]
    assert data["appointments"][2]["diagnosis"] == "Flu."
    assert data["patient"]["_id"] == str(patient.pk)
    assert data["pagination"] == {"page": 1, "pageSize": 20, "hasNext": False, "count": 3, "countIsExact": True}
    second = doctor.get(address, {"page": 2, "pageSize": 2}).json()["data"]["appointments"]
    assert [row["_id"] for row in second] == [str(mine[2].pk)]
    read = AuditEvent.objects.filter(event="record.read", agent_id=users.doctor.pk)
    assert list(read.order_by("pk").values_list("entity_id", "detail")) == [
        (str(mine[0].pk), {"what": "history"}),
        (str(mine[2].pk), {"what": "history"}),
        (str(mine[2].pk), {"what": "history"}),
    ]


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize("call", ["list", "history"])
def test_patient_list_takes_the_same_queries_for_one_row_and_twenty(
    call, rows, users, client_of, django_assert_num_queries
):
    for number in range(rows):
        person = PatientFactory.create() if call == "list" else users.patient
        make_appointment(users.doctor, person, MONDAY + timedelta(days=number + 1))
        make_appointment(users.doctor, person, MONDAY - timedelta(days=number + 1), status="completed")
    client = client_of(users.doctor.user)
    if call == "list":
        # The session, the patients, their count, the doctor, their figures, those appointments, the totals; they were
        # read.
        with django_assert_num_queries(8):
            assert len(client.get("/api/doctors/patients").json()["data"]["patients"]) == rows
    else:
        # The session, the doctor, the patient, figures and those appointments; rows, proposals, count, what and who was
        # read.
        address = f"/api/doctors/patients/{users.patient.pk}/history"
        with django_assert_num_queries(10):
            assert len(client.get(address, {"pageSize": 100}).json()["data"]["appointments"]) == 2 * rows
