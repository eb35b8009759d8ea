"""Who opened what: one row in the trail for each visit whose clinical text a doctor was shown."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEvent
from appointments.reading import opened
from appointments.tests.factories import make_visit

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()


def readings():
    return [
        (row.agent_id, row.agent_role, row.action, row.entity_type, row.entity_id, row.detail)
        for row in AuditEvent.objects.filter(event="record.read").order_by("id")
    ]


def reading(doctor, visit, what):
    return (doctor.pk, "doctor", "R", "appointment", str(visit.pk), {"what": what})


@pytest.fixture
def visit(cast):
    return make_visit(cast.doctor, cast.patient, TODAY + timedelta(days=2))


def test_a_list_notes_the_visits_with_clinical_text(cast, client_of, visit):
    make_visit(cast.doctor, cast.other_patient, TODAY + timedelta(days=3), symptoms="")
    noted = make_visit(
        cast.doctor, cast.other_patient, TODAY - timedelta(days=3), symptoms="", record_version=1, status="completed"
    )
    client = client_of(cast.doctor.user)
    assert client.get("/api/appointments").status_code == 200
    assert sorted(readings()) == sorted([reading(cast.doctor, visit, "list"), reading(cast.doctor, noted, "list")])
    assert client.get("/api/appointments?scope=records").status_code == 200
    assert readings()[2:] == [reading(cast.doctor, noted, "records")]


def test_one_visit_is_noted_whatever_stands_in_it(cast, client_of):
    bare = make_visit(cast.doctor, cast.patient, TODAY + timedelta(days=2), symptoms="")
    client = client_of(cast.doctor.user)
    assert client.get(f"/api/appointments/{bare.pk}").status_code == 200
    assert client.put(f"/api/appointments/{bare.pk}/status", {"status": "confirmed"}, format="json").status_code == 200
    assert readings() == [reading(cast.doctor, bare, "visit")] * 2


def test_patients_and_admins_are_not_noted(cast, client_of, visit):
    for person in (cast.patient, cast.admin):
        client = client_of(person)
        assert client.get("/api/appointments").status_code == 200
        assert client.get(f"/api/appointments/{visit.pk}").status_code == 200
        opened([visit], person, "visit")
    assert readings() == []


def test_what_is_not_shown_is_not_noted(cast, client_of, visit):
    stranger = client_of(cast.other_doctor.user)
    assert stranger.get(f"/api/appointments/{visit.pk}").status_code == 404
    assert stranger.get("/api/appointments").status_code == 200
    assert readings() == []


def test_many_visits_are_noted_in_one_insert(cast, django_assert_num_queries):
    visits = [make_visit(cast.doctor, cast.patient, TODAY + timedelta(days=day)) for day in range(1, 31)]
    with django_assert_num_queries(1):
        opened(visits, cast.doctor.user, "dashboard")
    assert readings() == [reading(cast.doctor, visit, "dashboard") for visit in visits]
    with django_assert_num_queries(0):
        opened([], cast.doctor.user, "dashboard")
