"""Lists of visits: whose, which, in which order, and at what cost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from appointments.tests.factories import make_visit

pytestmark = pytest.mark.django_db

CLINICAL = {"symptoms", "notes", "diagnosis", "prescription", "followUpDays", "record"}


@pytest.fixture
def visits(cast):
    today = timezone.now().date()
    return {
        "past": make_visit(cast.doctor, cast.patient, today - timedelta(days=9), status="completed"),
        "soon": make_visit(cast.doctor, cast.patient, today + timedelta(days=2)),
        "later": make_visit(cast.doctor, cast.patient, today + timedelta(days=5), status="confirmed"),
        "off": make_visit(cast.doctor, cast.patient, today + timedelta(days=3), status="cancelled"),
        "theirs": make_visit(cast.other_doctor, cast.other_patient, today + timedelta(days=2)),
    }


def listed(client, visits, **query):
    answer = client.get("/api/appointments", query)
    assert answer.status_code == 200, answer.json()
    by_id = {str(visit.pk): name for name, visit in visits.items()}
    return [by_id[row["_id"]] for row in answer.json()["data"]["appointments"]]


def test_the_role_decides_whose_visits_are_listed(visits, cast, client_of):
    own = ["later", "off", "soon", "past"]
    assert listed(client_of(cast.patient), visits) == own
    assert listed(client_of(cast.doctor.user), visits) == own
    assert listed(client_of(cast.other_patient), visits) == ["theirs"]
    assert sorted(listed(client_of(cast.admin), visits)) == sorted([*own, "theirs"])


def test_filters(visits, cast, client_of):
    client = client_of(cast.patient)
    today = timezone.now().date()
    assert listed(client, visits, status="pending") == ["soon"]
    assert listed(client, visits, scope="upcoming") == ["soon", "later"]
    assert listed(client, visits, scope="past") == ["off", "past"]
    assert listed(client, visits, scope="records") == ["past"]
    assert listed(client, visits, **{"from": (today + timedelta(days=3)).isoformat()}) == ["later", "off"]
    assert listed(client, visits, to=today.isoformat()) == ["past"]
    assert listed(client, visits, ordering="startsAt") == ["past", "soon", "off", "later"]


@pytest.mark.parametrize(
    ("query", "field"), [({"status": "lost"}, "status"), ({"from": "2026-02-30"}, "from"), ({"scope": "x"}, "scope")]
)
def test_a_bad_filter_names_itself(query, field, cast, client_of):
    answer = client_of(cast.patient).get("/api/appointments", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_an_admin_sees_no_clinical_text(visits, cast, client_of):
    keys = set(client_of(cast.doctor.user).get("/api/appointments").json()["data"]["appointments"][0])
    assert keys >= CLINICAL
    admin = client_of(cast.admin)
    assert set(admin.get("/api/appointments").json()["data"]["appointments"][0]) == keys - CLINICAL
    shown = admin.get(f"/api/appointments/{visits['soon'].pk}").json()["data"]["appointment"]
    assert set(shown) == keys - CLINICAL


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize("who", ["patient", "doctor", "admin"])
def test_a_list_costs_the_same_for_one_row_and_for_twenty(who, rows, cast, client_of, django_assert_num_queries):
    today = timezone.now().date()
    for number in range(rows):
        make_visit(cast.doctor, cast.patient, today + timedelta(days=number + 1))
    client = client_of({"patient": cast.patient, "doctor": cast.doctor.user, "admin": cast.admin}[who])
    # The session with its person, the rows with theirs, their open proposals, the count; that a doctor opened them.
    with django_assert_num_queries(5 if who == "doctor" else 4):
        assert len(client.get("/api/appointments").json()["data"]["appointments"]) == rows
