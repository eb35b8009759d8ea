"""Test the complete transition table: every actor, status and target, over HTTP."""

from datetime import date, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEvent, Notice
from appointments.models import TRANSITIONS, Appointment, Status
from appointments.tests.factories import make_appointment
from appointments.transitions import change_status
from config.api.errors import DomainError
from doctors.models import Reservation

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

# (actor, from, to): what `PUT …/status` does; all else is 409 illegal_transition. The appointment is about to start.
STEPS = {
    ("doctor", "pending", "confirmed"), ("doctor", "pending", "cancelled"),
    ("doctor", "confirmed", "completed"), ("doctor", "confirmed", "cancelled"),
    ("admin", "pending", "cancelled"), ("admin", "confirmed", "cancelled"),
}  # fmt: skip
# Asking for what is so already, by someone who could have set it.
REPETITIONS = {
    ("doctor", "confirmed", "confirmed"), ("doctor", "completed", "completed"), ("doctor", "cancelled", "cancelled"),
    ("admin", "cancelled", "cancelled"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel("2030-01-07T13:50:00Z", tick=False) as traveller:
        yield traveller


@pytest.fixture
def today():
    """The day on whose 09:00 the appointments begin, ten minutes from now."""
    return date(2030, 1, 7)


@pytest.fixture
def tomorrow(today):
    return today + timedelta(days=1)


ACTORS = ("patient owner", "other patient", "doctor owner", "other doctor", "admin")


def person(users, actor):
    """Return the actor of a row of the table."""
    return {
        "patient owner": users.patient,
        "other patient": users.other_patient,
        "doctor owner": users.doctor.user,
        "other doctor": users.other_doctor.user,
        "admin": users.admin,
    }[actor]


def appointment_that_is(before, users, day, cancelled_by="doctor"):
    return make_appointment(
        users.doctor, users.patient, day, status=before, cancelled_by=cancelled_by if before == "cancelled" else ""
    )


def untouched(appointment, before):
    """Return whether a refusal left the appointment as it was, told nobody and wrote nothing down."""
    as_it_was = Appointment.objects.filter(pk=appointment.pk, status=before, version=appointment.version).exists()
    return as_it_was and not Notice.objects.exists() and not AuditEvent.objects.filter(action="U").exists()


@pytest.mark.parametrize("target", Status.values)
@pytest.mark.parametrize("before", Status.values)
@pytest.mark.parametrize("actor", ACTORS)
def test_status_changes_follow_the_transition_table(actor, before, target, users, client_of, today):
    appointment = appointment_that_is(before, users, today)
    answer = client_of(person(users, actor)).put(
        f"/api/appointments/{appointment.pk}/status", {"status": target, "reason": "Told by phone."}, format="json"
    )
    got = (answer.status_code, answer.json().get("code"))
    role = actor.split()[0]
    if "patient" in actor:
        assert got == (403, "wrong_role")
        assert untouched(appointment, before)
    elif actor == "other doctor":
        assert got == (404, "not_found")
        assert untouched(appointment, before)
    elif (role, before, target) in STEPS:
        assert got == (200, None)
        assert answer.json()["message"] == f"Appointment marked as {target} successfully!"
        assert answer.json()["data"]["changed"] is True
        assert answer.json()["data"]["appointment"]["status"] == target
        appointment.refresh_from_db()
        assert appointment.status == target
        both = [users.patient.pk] if target == "completed" else [users.patient.pk, users.doctor.pk]
        assert list(Notice.objects.values_list("event", "recipient_id", "detail")) == [
            (f"appointment.{target}", person, {"by": role, "from": before}) for person in both
        ]
    elif (role, before, target) in REPETITIONS:
        assert got == (200, None)
        assert answer.json()["message"] == f"This appointment is already {target}."
        assert answer.json()["data"]["changed"] is False
        assert untouched(appointment, before)
    else:
        assert got == (409, "illegal_transition")
        assert untouched(appointment, before)


@pytest.mark.parametrize("before", Status.values)
@pytest.mark.parametrize("actor", ACTORS)
def test_only_staff_and_the_patient_of_a_pending_appointment_cancel(actor, before, users, client_of, tomorrow):
    appointment = appointment_that_is(before, users, tomorrow)
    answer = client_of(person(users, actor)).put(
        f"/api/appointments/{appointment.pk}/cancel", {"reason": "Told by phone."}, format="json"
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
        assert untouched(appointment, before)
    else:
        assert answer.json()["message"] == "Appointment cancelled successfully"
        assert answer.json()["data"]["appointment"]["status"] == "cancelled"
    if expected[0] == 200:
        assert answer.json()["data"]["changed"] is (before != "cancelled")


@pytest.mark.parametrize("cancelled_by", ["patient", "doctor", "admin", "system"])
@pytest.mark.parametrize("actor", ["doctor owner", "patient owner", "admin"])
def test_repeated_cancellation_changes_nothing_and_names_who_cancelled(actor, cancelled_by, users, client_of, tomorrow):
    appointment = make_appointment(
        users.doctor, users.patient, tomorrow, status="cancelled", cancelled_by=cancelled_by, cancel_reason="First."
    )
    call = "status" if actor == "doctor owner" else "cancel"
    answer = client_of(person(users, actor)).put(
        f"/api/appointments/{appointment.pk}/{call}", {"status": "cancelled", "reason": "Second."}, format="json"
    )
    data = answer.json()["data"]
    assert (answer.status_code, data["changed"]) == (200, False)
    assert data["appointment"]["cancelledBy"] == cancelled_by
    assert untouched(appointment, "cancelled")
    assert Appointment.objects.get().cancel_reason == "First."


def test_cancellation_releases_the_time_and_notifies_the_other_side(users, client_of, tomorrow):
    appointment = make_appointment(users.doctor, users.patient, tomorrow)
    answer = client_of(users.patient).put(
        f"/api/appointments/{appointment.pk}/cancel", {"reason": "Better."}, format="json"
    )
    assert answer.json()["data"]["appointment"]["cancelledBy"] == "patient"
    assert answer.json()["data"]["appointment"]["cancelReason"] == "Better."
    assert Reservation.objects.count() == 0
    assert list(
        AuditEvent.objects.filter(event="appointment.cancelled").values_list("agent_id", "entity_id", "detail")
    ) == [(users.patient.pk, str(appointment.pk), {"from": "pending", "to": "cancelled"})]
    assert list(Notice.objects.values_list("event", "recipient_id", "version")) == [
        ("appointment.cancelled", users.patient.pk, 2),
        ("appointment.cancelled", users.doctor.pk, 2),
    ]


def test_a_completed_appointment_keeps_its_time(users, client_of, today):
    appointment = make_appointment(users.doctor, users.patient, today, status="confirmed")
    client_of(users.doctor.user).put(
        f"/api/appointments/{appointment.pk}/status", {"status": "completed"}, format="json"
    )
    assert Reservation.objects.count() == 1


def test_repeated_request_writes_once(users, client_of, tomorrow):
    appointment = make_appointment(users.doctor, users.patient, tomorrow)
    client = client_of(users.doctor.user)
    for changed in (True, False):
        answer = client.put(f"/api/appointments/{appointment.pk}/status", {"status": "confirmed"}, format="json")
        assert (answer.status_code, answer.json()["data"]["changed"]) == (200, changed)
    assert AuditEvent.objects.filter(event="appointment.confirmed").count() == 1
    assert Appointment.objects.get().version == 2


def test_staff_must_give_a_reason(users, client_of, tomorrow):
    appointment = make_appointment(users.doctor, users.patient, tomorrow)
    answer = client_of(users.admin).put(f"/api/appointments/{appointment.pk}/cancel")
    assert (answer.status_code, answer.json()["errors"]) == (400, {"reason": ["Please give a reason."]})


def test_a_doctor_cancels_a_confirmed_appointment_with_a_reason(users, client_of, tomorrow):
    appointment = make_appointment(users.doctor, users.patient, tomorrow, status="confirmed")
    client = client_of(users.doctor.user)
    address = f"/api/appointments/{appointment.pk}/status"
    assert client.put(address, {"status": "cancelled"}, format="json").json()["errors"] == {
        "reason": ["Please give a reason."]
    }
    assert client.put(address, {"status": "cancelled", "reason": "Ill."}, format="json").status_code == 200


@pytest.mark.parametrize(
    ("who", "before", "declined"),
    [
        ("doctor", "pending", True),
        ("doctor", "confirmed", False),
        ("patient", "pending", False),
        ("admin", "pending", False),
    ],
)
def test_only_a_request_rejected_by_its_doctor_is_declined(who, before, declined, users, client_of, tomorrow):
    appointment = make_appointment(users.doctor, users.patient, tomorrow, status=before)
    person = {"doctor": users.doctor.user, "patient": users.patient, "admin": users.admin}[who]
    call, body = ("status", {"status": "cancelled"}) if who == "doctor" else ("cancel", {})
    answer = client_of(person).put(
        f"/api/appointments/{appointment.pk}/{call}", {**body, "reason": "Ill."}, format="json"
    )
    assert answer.status_code == 200
    shown = client_of(users.patient).get(f"/api/appointments/{appointment.pk}").json()["data"]["appointment"]
    assert (shown["status"], shown["cancelledBy"], shown["declined"]) == ("cancelled", who, declined)


def test_doctor_cannot_cancel_a_confirmed_appointment_when_disabled_by_setting(users, client_of, tomorrow, settings):
    settings.DOCTOR_CANCELS_CONFIRMED = False
    appointment = make_appointment(users.doctor, users.patient, tomorrow, status="confirmed")
    answer = cancel(client_of(users.doctor.user), appointment)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert untouched(appointment, "confirmed")


def test_a_doctor_cannot_complete_an_appointment_earlier_than_15_minutes_before_it_starts(
    users, client_of, today, clock
):
    appointment = make_appointment(users.doctor, users.patient, today, "11:00", status="confirmed")
    client, address = client_of(users.doctor.user), f"/api/appointments/{appointment.pk}"
    assert client.get(address).json()["data"]["appointment"]["completableFrom"] == "2030-01-07T15:45:00Z"
    clock.move_to("2030-01-07T15:44:59Z")
    client = client_of(users.doctor.user)
    refused = client.put(f"{address}/status", {"status": "completed"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_started")
    assert untouched(appointment, "confirmed")
    clock.move_to("2030-01-07T15:45:00Z")
    shown = client.put(f"{address}/status", {"status": "completed"}, format="json").json()["data"]["appointment"]
    assert (shown["status"], shown["completedAt"], shown["completableFrom"]) == (
        "completed", "2030-01-07T15:45:00Z", None
    )  # fmt: skip


def test_outdated_version_is_rejected(users, tomorrow):
    appointment = make_appointment(users.doctor, users.patient, tomorrow)
    stale = Appointment.objects.get(pk=appointment.pk)
    change_status(appointment, "cancelled", actor=users.patient, now=timezone.now())
    with pytest.raises(DomainError, match="illegal_transition"):
        change_status(stale, "confirmed", actor=users.doctor.user, now=timezone.now())


# The whole table with the calls that steps have of their own, written a second time.
DEDICATED_STEPS = {
    ("patient", "confirmed", "cancelled"), ("doctor", "confirmed", "pending"), ("doctor", "completed", "confirmed"),
}  # fmt: skip
ALL_STEPS = STEPS | DEDICATED_STEPS | {("patient", "pending", "cancelled")}


@pytest.mark.parametrize("is_dedicated", [True, False])
def test_transition_table_has_exactly_these_steps(is_dedicated, users):
    now = timezone.now()
    people = {"patient": users.patient, "doctor": users.doctor.user, "admin": users.admin}
    at_its_start = {
        "doctor": users.doctor, "patient": users.patient, "starts_at": now, "confirmed_by": users.doctor.user,
        "undo_until": now + timedelta(1), "completed_at": now, "reservation_id": users.doctor.pk, "created_at": now,
    }  # fmt: skip
    # Now for the doctor, a day and a bit ahead for the patient.
    ahead = at_its_start | {"starts_at": now + timedelta(hours=25)}
    allowed = {
        (role, source, target)
        for role, someone in people.items()
        for source in Status.values
        for target in Status.values
        if Appointment(status=source, **(ahead if role == "patient" else at_its_start)).can_transition_to(
            target, someone, now, is_dedicated=is_dedicated
        )
    }
    assert allowed == (DEDICATED_STEPS if is_dedicated else ALL_STEPS - DEDICATED_STEPS)
    assert {
        (role, source, target)
        for role, steps in TRANSITIONS.items()
        for source, targets in steps.items()
        for target in targets
    } == ALL_STEPS


# --- "I cannot come", and who cancelled in the end ---------------------------------------------


@pytest.fixture
def asked(users, tomorrow):
    """A confirmed appointment to which its patient cannot come."""
    return make_appointment(
        users.doctor, users.patient, tomorrow, status="confirmed", cancel_requested_at=timezone.now(),
        cancel_request_reason="Ill.",
    )  # fmt: skip


def cancel(client, appointment):
    return client.put(
        f"/api/appointments/{appointment.pk}/status", {"status": "cancelled", "reason": "Told by phone."}, format="json"
    )


def test_admin_cancels_in_their_own_name_despite_a_patients_request(users, asked, client_of):
    shown = cancel(client_of(users.admin), asked).json()["data"]["appointment"]
    assert (shown["cancelledBy"], shown["cancelReason"]) == ("admin", "Told by phone.")
    # A doctor who accepts the patient's request afterwards learns who was quicker.
    late = cancel(client_of(users.doctor.user), asked).json()["data"]
    assert (late["changed"], late["appointment"]["cancelledBy"]) == (False, "admin")


def test_admin_cancellation_after_the_doctors_changes_nothing(users, asked, client_of):
    assert cancel(client_of(users.doctor.user), asked).json()["data"]["appointment"]["cancelledBy"] == "patient"
    late = cancel(client_of(users.admin), asked).json()["data"]
    assert (late["changed"], late["appointment"]["cancelledBy"]) == (False, "patient")


def test_change_without_a_status_change_increments_the_version(users, tomorrow):
    """An appointment that was moved since it was read is not the one that is confirmed."""
    appointment = make_appointment(users.doctor, users.patient, tomorrow)
    stale = Appointment.objects.get(pk=appointment.pk)
    assert appointment.compare_and_update({"symptoms": "Worse.", "version": appointment.version + 1})
    with pytest.raises(DomainError, match="illegal_transition"):
        change_status(stale, "confirmed", actor=users.doctor.user, now=timezone.now())
    assert Appointment.objects.get().status == "pending"


@pytest.mark.parametrize(
    ("now_is", "target", "expected", "code", "changed"),
    [
        ("pending", "cancelled", "pending", 200, True),
        # Confirmed in another window: a decline must not cancel it.
        ("confirmed", "cancelled", "pending", 409, None),
        ("confirmed", "cancelled", "confirmed", 200, True),
        ("confirmed", "cancelled", None, 200, True),
        ("cancelled", "cancelled", "pending", 200, False),
        ("cancelled", "confirmed", "pending", 409, None),
    ],
)
def test_an_outdated_page_cannot_change_a_status(now_is, target, expected, code, changed, users, tomorrow, client_of):
    appointment = appointment_that_is(now_is, users, tomorrow)
    sent = {"status": target, "reason": "I am ill.", **({"expectedStatus": expected} if expected else {})}
    answer = client_of(users.doctor.user).put(f"/api/appointments/{appointment.pk}/status", sent, format="json")
    assert answer.status_code == code, answer.json()
    if code == 409:
        assert answer.json()["code"] == "illegal_transition"
        assert answer.json()["message"].endswith(f"has already been {now_is}. Nothing was changed.")
        assert untouched(appointment, now_is)
    else:
        assert answer.json()["data"]["changed"] is changed
