"""Test appointment lists: visibility, filters, order and cost."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEvent
from accounts.tests.factories import PatientFactory
from appointments import filters
from appointments.models import Appointment
from appointments.tests.factories import make_appointment, make_proposal

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

CLINICAL = {"symptoms", "notes", "diagnosis", "prescription", "followUpDays", "record"}


@pytest.fixture
def appointments(users):
    today = timezone.now().date()
    return {
        "past": make_appointment(users.doctor, users.patient, today - timedelta(days=9), status="completed"),
        "soon": make_appointment(users.doctor, users.patient, today + timedelta(days=2)),
        "later": make_appointment(users.doctor, users.patient, today + timedelta(days=5), status="confirmed"),
        "off": make_appointment(users.doctor, users.patient, today + timedelta(days=3), status="cancelled"),
        "theirs": make_appointment(users.other_doctor, users.other_patient, today + timedelta(days=2)),
    }


def listed(client, appointments, **query):
    answer = client.get("/api/appointments", query)
    assert answer.status_code == 200, answer.json()
    by_id = {str(appointment.pk): name for name, appointment in appointments.items()}
    return [by_id[row["_id"]] for row in answer.json()["data"]["appointments"]]


def test_the_role_decides_whose_appointments_are_listed(appointments, users, client_of):
    own = ["later", "off", "soon", "past"]
    assert listed(client_of(users.patient), appointments) == own
    assert listed(client_of(users.doctor.user), appointments) == own
    assert listed(client_of(users.other_patient), appointments) == ["theirs"]
    assert sorted(listed(client_of(users.admin), appointments)) == sorted([*own, "theirs"])


def test_appointments_are_filtered(appointments, users, client_of):
    client = client_of(users.patient)
    today = timezone.now().date()
    assert listed(client, appointments, status="pending") == ["soon"]
    assert listed(client, appointments, scope="upcoming") == ["soon", "later"]
    assert listed(client, appointments, scope="past") == ["off", "past"]
    assert listed(client, appointments, scope="records") == ["past"]
    assert listed(client, appointments, **{"from": (today + timedelta(days=3)).isoformat()}) == ["later", "off"]
    assert listed(client, appointments, to=today.isoformat()) == ["past"]
    assert listed(client, appointments, ordering="startsAt") == ["past", "soon", "off", "later"]


def test_a_patient_sees_the_latest_activity_first(appointments, users, client_of):
    now = timezone.now()
    Appointment.objects.update(updated_at=now - timedelta(days=20))
    Appointment.objects.filter(pk=appointments["off"].pk).update(updated_at=now - timedelta(days=1))
    Appointment.objects.filter(pk=appointments["soon"].pk).update(updated_at=now - timedelta(days=10))
    # "past" began nine days ago; "later" is ahead, so only its booking counts.
    assert listed(client_of(users.patient), appointments, ordering="-activity") == ["off", "past", "soon", "later"]


@pytest.mark.parametrize("path", ["/api/appointments", "/api/doctors/appointments.csv"])
def test_doctors_and_admins_cannot_order_all_appointments_by_activity(path, users, client_of):
    answer = client_of(users.doctor.user).get(path, {"ordering": "-activity"})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_role")
    assert client_of(users.admin).get("/api/appointments", {"ordering": "-activity"}).status_code == 403


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_nearest_appointments_come_first_on_pages_of_any_size(size, appointments, users, client_of):
    client = client_of(users.doctor.user)
    pages = [listed(client, appointments, ordering="nearest", pageSize=size, page=page) for page in range(1, 6)]
    assert [name for page in pages for name in page] == ["soon", "later", "off", "past"]
    assert [len(page) for page in pages if page][:-1] == [size] * (len([page for page in pages if page]) - 1)
    assert listed(client, appointments, ordering="nearest", status="cancelled") == ["off"]
    assert listed(client, appointments, ordering="nearest", scope="upcoming") == ["soon", "later"]
    answer = client.get("/api/appointments", {"ordering": "nearest", "pageSize": 2}).json()["data"]["pagination"]
    assert (answer["count"], answer["hasNext"]) == (4, True)


@pytest.mark.parametrize("who", ["patient", "doctor"])
def test_past_appointments_are_listed_newest_first(who, users, client_of):
    now = timezone.now()
    today = now.date()
    appointments = {
        "long ago": make_appointment(users.doctor, users.patient, today - timedelta(days=9), status="completed"),
        "called off": make_appointment(users.doctor, users.patient, today + timedelta(days=30), status="cancelled"),
        "lately": make_appointment(users.doctor, users.patient, today - timedelta(days=2), status="completed"),
        "unanswered": make_appointment(
            users.doctor, users.patient, today + timedelta(days=40), respond_by=now - timedelta(days=1)
        ),
    }
    Appointment.objects.filter(pk=appointments["called off"].pk).update(updated_at=now - timedelta(days=5))
    client = client_of(users.patient if who == "patient" else users.doctor.user)
    past = ["unanswered", "called off", "lately", "long ago"]
    assert listed(client, appointments, scope="past") == past
    assert listed(client, appointments, scope="past", ordering="startsAt") == past[::-1]


@pytest.mark.parametrize(
    ("query", "field"), [({"status": "lost"}, "status"), ({"from": "2026-02-30"}, "from"), ({"scope": "x"}, "scope")]
)
def test_invalid_filter_is_a_field_error(query, field, users, client_of):
    answer = client_of(users.patient).get("/api/appointments", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_an_admin_sees_no_clinical_text(appointments, users, client_of):
    keys = set(client_of(users.doctor.user).get("/api/appointments").json()["data"]["appointments"][0])
    assert keys >= CLINICAL
    admin = client_of(users.admin)
    assert set(admin.get("/api/appointments").json()["data"]["appointments"][0]) == keys - CLINICAL
    shown = admin.get(f"/api/appointments/{appointments['soon'].pk}").json()["data"]["appointment"]
    assert set(shown) == keys - CLINICAL


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize("who", ["patient", "doctor", "admin"])
def test_list_takes_the_same_queries_for_one_row_and_twenty(who, rows, users, client_of, django_assert_num_queries):
    today = timezone.now().date()
    for number in range(rows):
        make_appointment(users.doctor, users.patient, today + timedelta(days=number + 1))
    client = client_of({"patient": users.patient, "doctor": users.doctor.user, "admin": users.admin}[who])
    # The session with its person, the rows with theirs, their open proposals, the count; that a doctor opened them;
    # whose data was read.
    with django_assert_num_queries({"doctor": 6, "admin": 5, "patient": 4}[who]):
        assert len(client.get("/api/appointments").json()["data"]["appointments"]) == rows


@pytest.fixture
def searched(users):
    """Appointments of one doctor with patients and records that differ, and one of another doctor's."""
    day = timezone.now().date() + timedelta(days=3)
    ada = PatientFactory.create(name="Ada Lund", email="ada_l@example.com")
    bo = PatientFactory.create(name="Bo 100% Berg", email="bo@example.org")
    written = {"status": "completed", "record_version": 1, "recorded_at": timezone.now()}
    items = [{"medicine": "Paracétamol", "dose": "500 mg", "frequency": "three times a day", "days": 5}]
    return {
        "ada": make_appointment(users.doctor, ada, day, symptoms="Cough"),
        "flu": make_appointment(
            users.doctor, ada, day - timedelta(days=9), **written, diagnosis="Influenza 50%", doctor_notes="Rest a lot."
        ),
        "pills": make_appointment(
            users.doctor, bo, day - timedelta(days=8), **written, prescription_notes="With food_",
            prescription_items=items,
        ),
        "bo": make_appointment(users.doctor, bo, day - timedelta(days=7), status="completed"),
        "theirs": make_appointment(
            users.other_doctor, ada, day - timedelta(days=20), **written, diagnosis="Influenza",
            doctor_name="Nora Quill",
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"search": "ada"}, ["ada", "flu"]),
        ({"search": "lund ADA"}, ["ada", "flu"]),
        ({"search": "example.org"}, ["bo", "pills"]),
        ({"search": "%"}, ["bo", "pills"]),
        ({"search": "_"}, ["ada", "flu"]),
        ({"search": "a_a"}, []),
        ({"search": "influenza"}, []),
        ({"search": "\\"}, []),
        ({"search": "ada", "status": "completed"}, ["flu"]),
        ({"scope": "written"}, ["pills", "flu"]),
        ({"scope": "written", "search": "influenza"}, ["flu"]),
        ({"scope": "written", "search": "ada influenza"}, ["flu"]),
        ({"scope": "written", "search": "bo influenza"}, []),
        ({"scope": "written", "search": "REST"}, ["flu"]),
        ({"scope": "written", "search": "food"}, ["pills"]),
        ({"scope": "written", "search": "Paracétamol"}, ["pills"]),
        ({"scope": "written", "search": "mg times"}, ["pills"]),
        ({"scope": "written", "search": "500%"}, []),
        ({"scope": "written", "search": "50%"}, ["flu"]),
        ({"scope": "written", "search": "food_"}, ["pills"]),
        # What the parts of an item are called is nobody's word.
        ({"scope": "written", "search": "medicine"}, []),
        ({"scope": "written", "search": "dose"}, []),
        ({"scope": "written", "search": "cough"}, []),
    ],
)
def test_doctor_searches_names_and_in_records_also_text(query, found, searched, users, client_of):
    assert listed(client_of(users.doctor.user), searched, **query) == found


def test_search_with_many_matching_people_returns_the_same(searched, users, client_of, monkeypatch):
    make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=20))
    doctor = client_of(users.doctor.user)
    queries = [{"search": "example"}, {"search": "ada"}, {"search": "nobody"}, {"search": "o", "status": "completed"}]
    few = [doctor.get("/api/appointments", query).json()["data"] for query in queries]
    assert [len(data["appointments"]) for data in few] == [5, 2, 0, 3]
    monkeypatch.setattr(filters, "MAX_PATIENT_IDS", 0)
    assert [doctor.get("/api/appointments", query).json()["data"] for query in queries] == few


def test_patients_and_admins_search_by_name_only(searched, users, client_of):
    ada = client_of(searched["ada"].patient)
    assert listed(ada, searched, search="influenza") == []
    assert listed(ada, searched, search="quill") == ["theirs"]
    assert listed(ada, searched, search="cardio") == ["ada", "flu", "theirs"]
    admin = client_of(users.admin)
    assert listed(admin, searched, search="ada_l@") == ["ada", "flu", "theirs"]
    assert listed(admin, searched, search="100% berg") == ["bo", "pills"]
    assert listed(admin, searched, search="influenza") == []


def test_doctor_filters_by_patient(searched, users, client_of):
    doctor = client_of(users.doctor.user)
    assert listed(doctor, searched, patient=str(searched["bo"].patient_id)) == ["bo", "pills"]
    assert listed(doctor, searched, patient=str(users.other_patient.pk)) == []


def test_appointments_waiting_for_the_doctor_are_listed(users, client_of):
    now = timezone.now()
    day = now.date() + timedelta(days=3)
    appointments = {
        "request": make_appointment(users.doctor, users.patient, day),
        "ran out": make_appointment(users.doctor, users.patient, day, "10:00", respond_by=now),
        "cannot come": make_appointment(
            users.doctor, users.patient, day, "11:00", status="confirmed", cancel_requested_at=now
        ),
        "another time": make_appointment(users.doctor, users.patient, day, "12:00", status="confirmed"),
        "proposed": make_appointment(users.doctor, users.patient, day, "17:00", status="confirmed"),
        "answered": make_appointment(users.doctor, users.patient, day, "18:00"),
        "cancelled": make_appointment(
            users.doctor, users.patient, day, "19:00", status="cancelled", cancel_requested_at=now
        ),
    }
    make_proposal(appointments["another time"], "patient", expires_at=now + timedelta(hours=1))
    make_proposal(appointments["proposed"], "doctor", expires_at=now + timedelta(hours=1))
    make_proposal(appointments["answered"], "doctor", expires_at=now + timedelta(hours=1))
    doctor = client_of(users.doctor.user)
    assert listed(doctor, appointments, waiting="true") == ["another time", "cannot come", "request"]
    assert listed(doctor, appointments, waiting="true", status="confirmed") == ["another time", "cannot come"]
    assert listed(doctor, appointments, waitingForPatient="true") == ["answered", "proposed"]
    assert listed(doctor, appointments, waitingForPatient="true", status="pending") == ["answered"]
    assert len(listed(doctor, appointments, waiting="false")) == 7


def test_appointments_are_filtered_by_attendance(users, client_of):
    today = timezone.now().date()
    appointments = {
        "came": make_appointment(users.doctor, users.patient, today - timedelta(days=2), status="completed"),
        "missed": make_appointment(
            users.doctor, users.patient, today - timedelta(days=3), status="completed", attended=False
        ),
        "open": make_appointment(users.doctor, users.patient, today - timedelta(days=4), status="confirmed"),
    }
    client = client_of(users.patient)
    assert listed(client, appointments, attended="true") == ["came"]
    assert listed(client, appointments, attended="false") == ["missed"]


@pytest.mark.parametrize("who", ["patient", "admin"])
@pytest.mark.parametrize("query", [{"waiting": "true"}, {"waitingForPatient": "true"}, {"scope": "written"}])
def test_some_filters_are_for_doctors_only(query, who, users, client_of):
    answer = client_of(getattr(users, who)).get("/api/appointments", query)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_role")


def counted(client, **query):
    return client.get("/api/appointments", {"counts": "true", **query}).json()["data"]["counts"]


def test_counts_are_exact_and_follow_search_and_dates_but_not_status(searched, users, client_of):
    make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=9), respond_by=timezone.now())
    make_appointment(
        users.doctor, users.patient, timezone.now().date() + timedelta(days=9), "11:00", status="cancelled"
    )
    doctor = client_of(users.doctor.user)
    everything = {"all": 6, "pending": 1, "confirmed": 0, "completed": 3, "cancelled": 2}
    assert counted(doctor) == everything
    assert counted(doctor, status="completed", attended="false", waiting="true") == everything
    assert counted(doctor, search="ada") == {"all": 2, "pending": 1, "confirmed": 0, "completed": 1, "cancelled": 0}
    today = timezone.now().date().isoformat()
    assert counted(doctor, to=today) == {"all": 3, "pending": 0, "confirmed": 0, "completed": 3, "cancelled": 0}
    assert counted(doctor, scope="written")["all"] == 2
    assert counted(doctor, patient=str(searched["bo"].patient_id))["all"] == 2
    assert counted(client_of(users.admin))["all"] == 7
    assert "counts" not in doctor.get("/api/appointments").json()["data"]


def test_counts_do_not_stop_at_a_thousand(users, client_of):
    one = make_appointment(users.doctor, users.patient, date(2029, 1, 1), status="cancelled")
    fields = {field.attname: getattr(one, field.attname) for field in one._meta.concrete_fields if field.name != "id"}
    Appointment.objects.bulk_create([Appointment(**fields) for _ in range(1_200)])
    data = client_of(users.doctor.user).get("/api/appointments", {"counts": "true"}).json()["data"]
    assert (data["counts"]["cancelled"], data["pagination"]["count"]) == (1_201, 1_000)


@pytest.mark.parametrize(
    ("zone", "time"), [("Pacific/Kiritimati", "00:00"), ("Pacific/Kiritimati", "23:59"), ("Etc/GMT+12", "00:00")]
)
def test_dates_are_in_the_time_zone_of_the_clinic(zone, time, users, client_of):
    users.doctor.time_zone = zone
    users.doctor.save()
    appointments = {"one": make_appointment(users.doctor, users.patient, date(2030, 5, 6), time)}
    client = client_of(users.patient)
    assert listed(client, appointments, **{"from": "2030-05-06", "to": "2030-05-06"}) == ["one"]
    assert listed(client, appointments, to="2030-05-05") == []
    assert listed(client, appointments, **{"from": "2030-05-07"}) == []


@pytest.mark.parametrize("query", [{"from": "0001-01-01"}, {"to": "9999-12-31"}])
def test_first_and_last_dates_are_handled(query, appointments, users, client_of):
    assert len(listed(client_of(users.patient), appointments, **query)) == 4


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"search": "a\x00b"}, "search"),
        ({"search": "a" * 101}, "search"),
        ({"patient": "me"}, "patient"),
        ({"patient": "0" * 400}, "patient"),
        ({"waiting": "perhaps"}, "waiting"),
        ({"attended": "perhaps"}, "attended"),
        ({"counts": "all"}, "counts"),
        ({"status": ""}, "status"),
    ],
)
def test_other_invalid_filters_are_field_errors(query, field, users, client_of):
    answer = client_of(users.doctor.user).get("/api/appointments", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_reading_records_is_logged(searched, users, client_of):
    client_of(users.doctor.user).get("/api/appointments", {"scope": "written", "search": "influenza"})
    assert list(AuditEvent.objects.filter(event="record.read").values_list("entity_id", "detail")) == [
        (str(searched["flu"].pk), {"what": "records"})
    ]


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize(
    ("query", "cost"), [({"scope": "written", "search": "a"}, 8), ({"search": "a", "waiting": "true"}, 9), ({}, 8)]
)
def test_searches_and_counts_take_the_same_queries_for_one_row_and_twenty(
    query, cost, rows, users, client_of, django_assert_num_queries
):
    for number in range(rows):
        day = datetime(2030, 1, 7, tzinfo=UTC).date() + timedelta(days=number)
        make_appointment(users.doctor, users.patient, day)
        make_appointment(
            users.doctor, users.patient, day, "11:00", status="completed", record_version=1, diagnosis="A cold."
        )
    client = client_of(users.doctor.user)
    # As a list costs, what was read and whose data, two for the counts, and whom a search finds.
    with django_assert_num_queries(cost):
        assert client.get("/api/appointments", {**query, "counts": "true"}).json()["data"]["appointments"]
