"""The state table in full: every actor, every status, every target, over HTTP."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEvent, Notice, User
from appointments.models import Appointment, Status
from appointments.states import move
from appointments.tests.factories import make_visit
from config.errors import RuleBroken
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


ACTORS = ("patient owner", "other patient", "doctor owner", "other doctor", "admin")


def person(cast, actor):
    """Answer the actor of a row of the table."""
    return {
        "patient owner": cast.patient,
        "other patient": cast.other_patient,
        "doctor owner": cast.doctor.user,
        "other doctor": cast.other_doctor.user,
        "admin": cast.admin,
    }[actor]


def visit_that_is(before, cast, day, cancelled_by="doctor"):
    return make_visit(
        cast.doctor, cast.patient, day, status=before, cancelled_by=cancelled_by if before == "cancelled" else ""
    )


def untouched(visit, before):
    """Tell whether a refusal left the visit as it was, told nobody and wrote nothing down."""
    as_it_was = Appointment.objects.filter(pk=visit.pk, status=before, version=visit.version).exists()
    return as_it_was and not Notice.objects.exists() and not AuditEvent.objects.filter(action="U").exists()


@pytest.mark.parametrize("target", Status.values)
@pytest.mark.parametrize("before", Status.values)
@pytest.mark.parametrize("actor", ACTORS)
def test_status_moves_only_as_the_table_says(actor, before, target, cast, client_of, tomorrow):
    visit = visit_that_is(before, cast, tomorrow)
    answer = client_of(person(cast, actor)).put(
        f"/api/appointments/{visit.pk}/status", {"status": target, "reason": "Told by phone."}, format="json"
    )
    got = (answer.status_code, answer.json().get("code"))
    role = actor.split()[0]
    if "patient" in actor:
        assert got == (403, "wrong_role")
        assert untouched(visit, before)
    elif actor == "other doctor":
        assert got == (404, "not_found")
        assert untouched(visit, before)
    elif (role, before, target) in ALLOWED:
        assert got == (200, None)
        assert answer.json()["message"] == f"Appointment marked as {target} successfully!"
        assert answer.json()["data"]["appointment"]["status"] == target
        visit.refresh_from_db()
        assert visit.status == target
        told = [] if before == target else [f"appointment.{target}"]
        assert sorted(set(Notice.objects.values_list("event", flat=True))) == told
    else:
        assert got == (409, "illegal_transition")
        assert untouched(visit, before)


@pytest.mark.parametrize("before", Status.values)
@pytest.mark.parametrize("actor", ACTORS)
def test_cancelling_is_for_the_patient_of_a_pending_visit_and_for_staff(actor, before, cast, client_of, tomorrow):
    visit = visit_that_is(before, cast, tomorrow, cancelled_by=actor.split()[0])
    answer = client_of(person(cast, actor)).put(
        f"/api/appointments/{visit.pk}/cancel", {"reason": "Told by phone."}, format="json"
    )
    got = (answer.status_code, answer.json().get("code"))
    if "doctor" in actor:
        expected = (403, "wrong_role")
    elif actor == "other patient":
        expected = (404, "not_found")
    elif before in {"pending", "cancelled"} or (actor, before) == ("admin", "confirmed"):
        expected = (200, None)
    else:
        expected = (409, "illegal_transition")
    assert got == expected
    if expected[0] != 200 or before == "cancelled":
        assert untouched(visit, before)
    else:
        assert answer.json()["message"] == "Appointment cancelled successfully"
        assert answer.json()["data"]["appointment"]["status"] == "cancelled"


@pytest.mark.parametrize("actor", ["doctor owner", "patient owner", "admin"])
def test_what_somebody_else_cancelled_is_no_repetition(actor, cast, client_of, tomorrow):
    visit = visit_that_is("cancelled", cast, tomorrow, cancelled_by="system")
    call = "status" if actor == "doctor owner" else "cancel"
    answer = client_of(person(cast, actor)).put(
        f"/api/appointments/{visit.pk}/{call}", {"status": "cancelled", "reason": "Told by phone."}, format="json"
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert untouched(visit, "cancelled")


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
    visit = make_visit(cast.doctor, cast.patient, tomorrow)
    stale = Appointment.objects.get(pk=visit.pk)
    move(visit, "cancelled", by=cast.patient, now=timezone.now())
    with pytest.raises(RuleBroken, match="illegal_transition"):
        move(stale, "confirmed", by=cast.doctor.user, now=timezone.now())


# Written a second time, so that a step that comes or goes by mistake is noticed whoever stands before the table.
STEPS = {
    ("patient", "pending", "cancelled"), ("doctor", "pending", "confirmed"), ("doctor", "pending", "cancelled"),
    ("doctor", "confirmed", "completed"), ("admin", "pending", "cancelled"), ("admin", "confirmed", "cancelled"),
}  # fmt: skip


def test_the_table_itself_allows_exactly_these_steps(settings):
    settings.DOCTOR_CANCELS_CONFIRMED, settings.PATIENT_CANCELS_CONFIRMED_UNTIL_HOURS = False, None
    now = timezone.now()
    allowed = {
        (role, source, target)
        for role in ("patient", "doctor", "admin")
        for source in Status.values
        for target in Status.values
        if Appointment(status=source, starts_at=now).may_move(target, User(role=role), now)
    }
    assert allowed == STEPS


# --- "I cannot come", and who cancelled in the end ---------------------------------------------


@pytest.fixture
def asked(cast, tomorrow):
    """A confirmed visit to which its patient cannot come."""
    return make_visit(
        cast.doctor, cast.patient, tomorrow, status="confirmed", cancel_requested_at=timezone.now(),
        cancel_request_reason="Ill.",
    )  # fmt: skip


def cancel(client, visit):
    return client.put(
        f"/api/appointments/{visit.pk}/status", {"status": "cancelled", "reason": "Told by phone."}, format="json"
    )


def test_an_admin_cancels_in_their_own_name_even_where_the_patient_has_asked(cast, asked, client_of):
    shown = cancel(client_of(cast.admin), asked).json()["data"]["appointment"]
    assert (shown["cancelledBy"], shown["cancelReason"]) == ("admin", "Told by phone.")
    # So it is not what the doctor would have done with one press.
    answer = cancel(client_of(cast.doctor.user), asked)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")


def test_what_a_doctor_accepted_is_no_repetition_for_an_admin(cast, asked, client_of):
    assert cancel(client_of(cast.doctor.user), asked).json()["data"]["appointment"]["cancelledBy"] == "patient"
    answer = cancel(client_of(cast.admin), asked)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")


def test_a_change_that_leaves_the_status_is_a_change_too(cast, tomorrow):
    """A visit that was moved since it was read is not the one that is confirmed."""
    visit = make_visit(cast.doctor, cast.patient, tomorrow)
    stale = Appointment.objects.get(pk=visit.pk)
    assert visit.change({"symptoms": "Worse.", "version": visit.version + 1})
    with pytest.raises(RuleBroken, match="illegal_transition"):
        move(stale, "confirmed", by=cast.doctor.user, now=timezone.now())
    assert Appointment.objects.get().status == "pending"
