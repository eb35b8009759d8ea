"""The state table in full: every actor, every status, every target, over HTTP."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEvent, Notice
from appointments.models import Appointment, Status
from appointments.tests.factories import make_visit
from doctors.models import Claim

pytestmark = pytest.mark.django_db

# (actor, from, to): the status and code that `PUT …/status` answers; all else is 409 illegal_transition.
ALLOWED = {
    ("doctor", "pending", "confirmed"),
    ("doctor", "pending", "cancelled"),
    ("doctor", "confirmed", "completed"),
    ("admin", "pending", "cancelled"),
    ("admin", "confirmed", "cancelled"),
    # Asking for what is so already, by someone allowed to have put it there.
    ("doctor", "confirmed", "confirmed"),
    ("doctor", "completed", "completed"),
    ("doctor", "cancelled", "cancelled"),
}


@pytest.fixture
def tomorrow():
    return timezone.now().date() + timedelta(days=1)


@pytest.mark.parametrize("target", Status.values)
@pytest.mark.parametrize("before", Status.values)
@pytest.mark.parametrize("actor", ["patient", "doctor", "admin"])
def test_status_moves_only_as_the_table_says(actor, before, target, cast, client_of, tomorrow):
    visit = make_visit(
        cast.doctor, cast.patient, tomorrow, status=before, cancelled_by="doctor" if before == "cancelled" else ""
    )
    person = {"patient": cast.patient, "doctor": cast.doctor.user, "admin": cast.admin}[actor]
    answer = client_of(person).put(
        f"/api/appointments/{visit.pk}/status", {"status": target, "reason": "Told by phone."}, format="json"
    )
    visit.refresh_from_db()
    if actor == "patient":
        assert (answer.status_code, answer.json()["code"], visit.status) == (403, "wrong_role", before)
    elif (actor, before, target) in ALLOWED:
        assert (answer.status_code, visit.status) == (200, target)
        assert answer.json()["message"] == f"Appointment marked as {target} successfully!"
    else:
        assert (answer.status_code, answer.json()["code"], visit.status) == (409, "illegal_transition", before)


@pytest.mark.parametrize("before", Status.values)
def test_a_patient_cancels_only_a_pending_visit(before, cast, client_of, tomorrow):
    visit = make_visit(cast.doctor, cast.patient, tomorrow, status=before)
    answer = client_of(cast.patient).put(f"/api/appointments/{visit.pk}/cancel")
    visit.refresh_from_db()
    if before in {"pending", "cancelled"}:
        assert (answer.status_code, answer.json()["message"]) == (200, "Appointment cancelled successfully")
        assert visit.status == "cancelled"
    else:
        assert (answer.status_code, answer.json()["code"], visit.status) == (409, "illegal_transition", before)


def test_a_cancelled_visit_gives_its_time_back_and_tells_the_other_side(cast, client_of, tomorrow):
    visit = make_visit(cast.doctor, cast.patient, tomorrow)
    answer = client_of(cast.patient).put(f"/api/appointments/{visit.pk}/cancel", {"reason": "Better."}, format="json")
    assert answer.json()["data"]["appointment"]["cancelledBy"] == "patient"
    assert answer.json()["data"]["appointment"]["cancelReason"] == "Better."
    assert Claim.objects.count() == 0
    assert list(
        AuditEvent.objects.filter(event="appointment.cancelled").values_list("agent_id", "entity_id", "detail")
    ) == [(cast.patient.pk, str(visit.pk), {"from": "pending", "to": "cancelled"})]
    assert list(Notice.objects.values_list("event", "recipient_id", "version")) == [
        ("appointment.cancelled", cast.doctor.pk, 2)
    ]


def test_a_completed_visit_keeps_its_time(cast, client_of, tomorrow):
    visit = make_visit(cast.doctor, cast.patient, tomorrow, status="confirmed")
    client_of(cast.doctor.user).put(f"/api/appointments/{visit.pk}/status", {"status": "completed"}, format="json")
    assert Claim.objects.count() == 1


def test_asking_twice_writes_once(cast, client_of, tomorrow):
    visit = make_visit(cast.doctor, cast.patient, tomorrow)
    client = client_of(cast.doctor.user)
    for _ in range(2):
        assert (
            client.put(f"/api/appointments/{visit.pk}/status", {"status": "confirmed"}, format="json").status_code
            == 200
        )
    assert AuditEvent.objects.filter(event="appointment.confirmed").count() == 1
    assert Appointment.objects.get().version == 2


def test_staff_give_a_reason(cast, client_of, tomorrow):
    visit = make_visit(cast.doctor, cast.patient, tomorrow)
    answer = client_of(cast.admin).put(f"/api/appointments/{visit.pk}/cancel")
    assert (answer.status_code, answer.json()["errors"]) == (400, {"reason": ["Please give a reason."]})


def test_a_doctor_may_cancel_a_confirmed_visit_only_where_the_setting_allows(cast, client_of, tomorrow, settings):
    visit = make_visit(cast.doctor, cast.patient, tomorrow, status="confirmed")
    settings.DOCTOR_CANCELS_CONFIRMED = True
    client = client_of(cast.doctor.user)
    address = f"/api/appointments/{visit.pk}/status"
    assert client.put(address, {"status": "cancelled"}, format="json").json()["errors"] == {
        "reason": ["Please give a reason."]
    }
    assert client.put(address, {"status": "cancelled", "reason": "Ill."}, format="json").status_code == 200


@pytest.mark.parametrize(("hours", "status"), [(None, 409), (100, 409), (1, 200)])
def test_a_patient_may_cancel_a_confirmed_visit_only_as_early_as_the_setting_says(
    hours, status, cast, client_of, tomorrow, settings
):
    visit = make_visit(cast.doctor, cast.patient, tomorrow, "18:00", status="confirmed")
    settings.PATIENT_CANCELS_CONFIRMED_UNTIL_HOURS = hours
    assert client_of(cast.patient).put(f"/api/appointments/{visit.pk}/cancel").status_code == status


def test_a_change_by_someone_else_meanwhile_is_refused(cast, tomorrow):
    from appointments.states import move
    from config.errors import RuleBroken

    visit = make_visit(cast.doctor, cast.patient, tomorrow)
    stale = Appointment.objects.get(pk=visit.pk)
    move(visit, "cancelled", by=cast.patient, now=timezone.now())
    with pytest.raises(RuleBroken, match="illegal_transition"):
        move(stale, "confirmed", by=cast.doctor.user, now=timezone.now())
