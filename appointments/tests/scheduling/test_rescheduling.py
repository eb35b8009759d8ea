"""Test rescheduling, proposals and cancel requests."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEvent, Notice
from appointments.models import Appointment, Proposal, TimeChange
from appointments.scheduling import expiry, rescheduling
from appointments.tests.factories import make_appointment
from config.api.errors import DomainError
from doctors.availability import reservations
from doctors.models import DoctorProfile, Reservation

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = "2030-01-07T15:00:00Z"
TUESDAY = date(2030, 1, 8)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def act(client_of):
    def send(person, appointment, method, call, **body):
        return getattr(client_of(person), method)(f"/api/appointments/{appointment.pk}/{call}", body, format="json")

    return send


def to(day, time, **more):
    return {"appointmentDate": day.isoformat(), "appointmentTime": time, **more}


def test_patient_moves_a_pending_appointment(users, act, client_of):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    answer = act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00"))
    shown = answer.json()["data"]["appointment"]
    assert answer.status_code == 200
    assert (shown["_id"], shown["appointmentTime"], shown["status"]) == (str(appointment.pk), "11:00", "pending")
    assert (shown["startsAt"], shown["respondBy"], shown["version"]) == (
        "2030-01-08T16:00:00Z",
        # Half of the 25 hours left is in the evening: the next 08:30.
        "2030-01-08T13:30:00Z",
        2,
    )
    reservation = Reservation.objects.get()
    assert (reservation.pk, reservation.starts_at) == (appointment.reservation_id, Appointment.objects.get().starts_at)
    history = client_of(users.doctor.user).get(f"/api/appointments/{appointment.pk}").json()["data"]["history"]
    assert history == [
        {
            "changedAt": "2030-01-07T15:00:00Z",
            "changedBy": "patient",
            "reason": "",
            "from": {"date": "2030-01-08", "time": "09:00", "timeZone": "America/New_York"},
            "to": {"date": "2030-01-08", "time": "11:00", "timeZone": "America/New_York"},
        }
    ]
    assert Notice.objects.filter(event="appointment.moved", version=2).count() == 2
    assert AuditEvent.objects.filter(event="appointment.moved", agent_id=users.patient.pk).count() == 1


def test_appointment_does_not_conflict_with_its_own_time(users, act):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(appointment_minutes=30)
    users.doctor.refresh_from_db()
    users.doctor.appointment_minutes = 60
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    assert act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "09:30")).status_code == 200


def test_a_taken_time_is_refused_and_nothing_changes(users, act):
    make_appointment(users.doctor, users.other_patient, TUESDAY, "11:00")
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    answer = act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (409, "slot_taken")
    assert [free["time"] for free in answer.json()["data"]["alternatives"]] == [
        "10:00",
        "12:00",
        "14:00",
    ] or answer.json()["data"]["alternatives"]
    appointment.refresh_from_db()
    assert (f"{appointment.time:%H:%M}", appointment.version, TimeChange.objects.count()) == ("09:00", 1, 0)


def test_another_appointment_of_the_patient_conflicts(users, act):
    make_appointment(users.other_doctor, users.patient, TUESDAY, "11:00")
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    assert act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00")).json()["code"] == "patient_busy"
    assert TimeChange.objects.count() == 0


@pytest.mark.parametrize("status", ["confirmed", "completed", "cancelled"])
def test_patient_moves_only_pending_appointments(status, users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status=status)
    answer = act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")


def test_moving_to_the_same_time_changes_nothing(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    assert act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "09:00")).status_code == 200
    assert (TimeChange.objects.count(), Appointment.objects.get().version) == (0, 1)


def propose(users, act, by, appointment, time="11:00", **more):
    person = users.doctor.user if by == "doctor" else users.patient
    return act(person, appointment, "post", "proposal", **to(TUESDAY, time, reason="Surgery runs late.", **more))


def test_proposal_reserves_the_new_time_until_answered(users, act, client_of):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    answer = propose(users, act, "doctor", appointment)
    shown = answer.json()["data"]["appointment"]
    assert (answer.status_code, shown["status"], shown["appointmentTime"]) == (201, "confirmed", "09:00")
    proposal = shown["proposal"]
    assert (proposal["proposedBy"], proposal["appointmentTime"], proposal["reason"]) == (
        "doctor",
        "11:00",
        "Surgery runs late.",
    )
    # Half of the 23 hours left is in the evening: the next 08:30, which leaves 30 minutes before the earlier start.
    assert proposal["expiresAt"] == "2030-01-08T13:30:00Z"
    assert (proposal["endsAt"], proposal["minutes"]) == ("2030-01-08T17:00:00Z", 60)
    free = client_of(users.other_patient).get(
        f"/api/doctors/{users.doctor.pk}/slots", {"from": "2030-01-08", "days": 1}
    )
    assert free.json()["data"]["slots"][0]["times"] == ["10:00", "12:00", "14:00", "15:00", "16:00", "17:00"]
    assert list(Notice.objects.filter(event="proposal.made").values_list("recipient_id", flat=True)) == [
        users.patient.pk
    ]
    accepted = act(users.patient, appointment, "put", "proposal", accept=True).json()["data"]["appointment"]
    assert (accepted["status"], accepted["appointmentTime"], accepted["proposal"]) == ("confirmed", "11:00", None)
    assert Reservation.objects.count() == 1
    assert TimeChange.objects.get().changed_by == "doctor"


@pytest.mark.parametrize(("by", "status", "allowed"), [
    ("doctor", "pending", True), ("doctor", "confirmed", True), ("patient", "confirmed", True),
    ("patient", "pending", False), ("doctor", "completed", False), ("patient", "cancelled", False),
])  # fmt: skip
def test_proposal_is_allowed_per_role_and_status(by, status, allowed, users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status=status)
    answer = propose(users, act, by, appointment)
    assert (answer.status_code, answer.json().get("code")) == ((201, None) if allowed else (409, "illegal_transition"))


@pytest.mark.parametrize("by", ["doctor", "patient"])
@pytest.mark.parametrize("accept", [True, False])
def test_only_the_other_side_answers_a_proposal(by, accept, users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    propose(users, act, by, appointment)
    own, other = (users.doctor.user, users.patient) if by == "doctor" else (users.patient, users.doctor.user)
    if accept:
        assert act(own, appointment, "put", "proposal", accept=True).json()["code"] == "proposal_closed"
    assert act(other, appointment, "put", "proposal", accept=accept).status_code == 200
    # Answering again in the same way is no fault, in another way it is.
    assert act(other, appointment, "put", "proposal", accept=accept).status_code == 200
    assert act(other, appointment, "put", "proposal", accept=not accept).json()["code"] == "proposal_closed"
    appointment.refresh_from_db()
    assert (f"{appointment.time:%H:%M}", appointment.status) == ("11:00" if accept else "09:00", "confirmed")
    assert Proposal.objects.get().answer == ("accepted" if accept else "declined")
    assert Reservation.objects.count() == 1


def test_proposer_can_withdraw(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    propose(users, act, "patient", appointment)
    assert act(users.patient, appointment, "put", "proposal", accept=False).status_code == 200
    assert (Proposal.objects.get().answer, Reservation.objects.count()) == ("withdrawn", 1)


def test_appointment_has_one_open_proposal(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    propose(users, act, "doctor", appointment)
    assert propose(users, act, "patient", appointment, "12:00").json()["code"] == "proposal_open"


def test_a_proposal_may_overlap_the_time_it_replaces(users, act):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(appointment_minutes=30)
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    assert propose(users, act, "doctor", appointment, "09:30").status_code == 201
    assert act(users.patient, appointment, "put", "proposal", accept=True).status_code == 200
    assert (Reservation.objects.count(), f"{Appointment.objects.get().time:%H:%M}") == (1, "09:30")


def test_expired_proposal_keeps_the_old_time(users, act, clock):
    appointment = make_appointment(users.doctor, users.patient, date(2030, 1, 18), "09:00", status="confirmed")
    answer = act(users.doctor.user, appointment, "post", "proposal", **to(date(2030, 1, 18), "11:00"))
    assert answer.json()["data"]["appointment"]["proposal"]["expiresAt"] == "2030-01-09T15:00:00Z"
    clock.shift(timedelta(hours=48))
    assert act(users.patient, appointment, "put", "proposal", accept=True).json()["code"] == "proposal_closed"
    other = make_appointment(users.doctor, users.other_patient, date(2030, 1, 17))
    # The kept time can be had again, swept or not.
    assert act(users.other_patient, other, "put", "reschedule", **to(date(2030, 1, 18), "11:00")).status_code == 200
    assert Proposal.objects.get().answer == "expired"


def test_cancelling_an_appointment_closes_its_proposal(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    propose(users, act, "doctor", appointment)
    assert act(users.patient, appointment, "put", "cancel").status_code == 200
    assert (Proposal.objects.get().answer, Reservation.objects.count()) == ("withdrawn", 0)


@pytest.mark.parametrize(
    ("who", "call", "body"),
    [
        ("doctor", "status", {"status": "cancelled"}),
        ("patient", "cancel", {}),
        ("admin", "cancel", {"reason": "The clinic is closed."}),
        ("admin", "status", {"status": "cancelled", "reason": "The clinic is closed."}),
    ],
)
def test_response_to_a_cancellation_shows_no_closed_proposal(users, act, who, call, body):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="pending")
    assert propose(users, act, "doctor", appointment, "12:00").status_code == 201
    person = users.doctor.user if who == "doctor" else getattr(users, who)
    answer = act(person, appointment, "put", call, **body)
    shown = answer.json()["data"]["appointment"]
    assert (answer.status_code, shown["status"], shown["proposal"]) == (200, "cancelled", None)


def test_moving_an_appointment_closes_the_doctors_proposal_and_can_use_its_time(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    propose(users, act, "doctor", appointment, "11:00")
    assert act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00")).status_code == 200
    assert (Proposal.objects.get().answer, Reservation.objects.count()) == ("withdrawn", 1)
    assert act(users.patient, appointment, "put", "proposal", accept=True).json()["code"] == "proposal_closed"


def test_cannot_make_it_is_accepted_in_one_request(users, act):
    appointment = make_appointment(
        users.doctor, users.patient, TUESDAY, status="confirmed", confirmed_at=timezone.now()
    )
    answer = act(users.patient, appointment, "post", "cancel-request", reason="Ill.")
    assert answer.json()["data"]["appointment"]["cancelRequest"] == {"requestedAt": NOW, "reason": "Ill."}
    assert act(users.patient, appointment, "post", "cancel-request", reason="Ill.").status_code == 200
    assert Notice.objects.filter(event="appointment.cancel_requested").count() == 1
    shown = act(users.doctor.user, appointment, "put", "status", status="cancelled").json()["data"]["appointment"]
    assert (shown["status"], shown["cancelledBy"], shown["cancelReason"]) == ("cancelled", "patient", "Ill.")
    assert act(users.doctor.user, appointment, "put", "status", status="cancelled").status_code == 200
    assert set(Notice.objects.filter(event="appointment.cancelled").values_list("recipient_id", flat=True)) == {
        users.patient.pk,
        users.doctor.pk,
    }


def test_doctors_reply_to_cannot_make_it_is_stored_beside_the_patients_reason(users, act, client_of):
    appointment = make_appointment(
        users.doctor, users.patient, TUESDAY, status="confirmed", confirmed_at=timezone.now()
    )
    assert act(users.patient, appointment, "post", "cancel-request", reason="Ill.").status_code == 200
    act(users.doctor.user, appointment, "put", "status", status="cancelled", reason="Get well soon.")
    # Asking again changes nothing.
    act(users.doctor.user, appointment, "put", "status", status="cancelled", reason="Later words.")
    address = f"/api/appointments/{appointment.pk}"
    for person in (users.patient, users.doctor.user):
        client = client_of(person)
        shown = client.get(address).json()["data"]["appointment"]
        (listed,) = client.get("/api/appointments", {"scope": "past"}).json()["data"]["appointments"]
        for row in (shown, listed):
            assert (row["cancelledBy"], row["cancelReason"], row["cancelReply"]) == (
                "patient", "Ill.", "Get well soon.",
            )  # fmt: skip


@pytest.mark.parametrize("by", ["doctor", "admin"])
def test_reason_without_the_patients_request_is_not_a_reply(by, users, act):
    appointment = make_appointment(
        users.doctor, users.patient, TUESDAY, status="confirmed", confirmed_at=timezone.now()
    )
    person = users.doctor.user if by == "doctor" else users.admin
    shown = act(person, appointment, "put", "status", status="cancelled", reason="Away.").json()["data"]["appointment"]
    assert (shown["cancelledBy"], shown["cancelReason"], shown["cancelReply"]) == (by, "Away.", "")


def test_expired_proposal_is_notified_when_replaced(users, act, clock):
    appointment = make_appointment(users.doctor, users.patient, date(2030, 1, 18), status="confirmed")
    assert act(users.doctor.user, appointment, "post", "proposal", **to(date(2030, 1, 17), "10:00")).status_code == 201
    clock.shift(timedelta(hours=49))
    assert act(users.patient, appointment, "post", "proposal", **to(date(2030, 1, 17), "11:00")).status_code == 201
    assert AuditEvent.objects.filter(event="proposal.expired").count() == 1
    assert Notice.objects.filter(event="proposal.expired").count() == 2


@pytest.mark.parametrize("status", ["pending", "completed"])
def test_cannot_make_it_requires_a_confirmed_appointment(status, users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status=status)
    assert act(users.patient, appointment, "post", "cancel-request").json()["code"] == "illegal_transition"


@pytest.mark.parametrize(("method", "call"), [
    ("put", "reschedule"), ("post", "proposal"), ("put", "proposal"), ("post", "cancel-request"),
])  # fmt: skip
def test_a_strangers_appointment_is_not_found(method, call, users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    assert act(users.other_patient, appointment, method, call, **to(TUESDAY, "11:00", accept=True)).status_code == 404


# --- What has run out, begun or been overtaken ------------------------------------------------


@pytest.mark.parametrize(("by", "method", "call"), [("patient", "put", "reschedule"), ("doctor", "post", "proposal")])
def test_overdue_request_cannot_be_moved(by, method, call, users, act, clock):
    appointment = make_appointment(
        users.doctor, users.patient, TUESDAY, "09:00", respond_by=datetime(2030, 1, 7, 15, tzinfo=UTC)
    )
    person = users.doctor.user if by == "doctor" else users.patient
    answer = act(person, appointment, method, call, **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert (TimeChange.objects.count(), Proposal.objects.count()) == (0, 0)


@pytest.mark.parametrize("by", ["doctor", "patient"])
def test_started_appointment_accepts_no_proposal(by, users, act):
    begun = make_appointment(users.doctor, users.patient, date(2030, 1, 7), "10:00", status="confirmed")
    answer = propose(users, act, by, begun)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert (Proposal.objects.count(), Reservation.objects.count()) == (0, 1)


def test_started_appointment_rejects_cannot_make_it(users, act):
    begun = make_appointment(users.doctor, users.patient, date(2030, 1, 7), "10:00", status="confirmed")
    answer = act(users.patient, begun, "post", "cancel-request", reason="Ill.")
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    begun.refresh_from_db()
    assert (begun.cancel_requested_at, begun.version) == (None, 1)


def test_appointment_with_an_unbookable_doctor_cannot_be_moved(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(approval="revoked")
    answer = act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (404, "doctor_unavailable")


@pytest.mark.parametrize("accept", [True, False])
def test_answer_without_a_proposal_is_rejected(accept, users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    answer = act(users.patient, appointment, "put", "proposal", accept=accept)
    assert (answer.status_code, answer.json()["code"]) == (409, "proposal_closed")


# --- A doctor's proposal is the doctor's confirmation -----------------------------------------

TEN = datetime(2030, 1, 7, 15, tzinfo=UTC)


def test_accepting_a_doctors_proposal_confirms_the_request(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    propose(users, act, "doctor", appointment)
    shown = act(users.patient, appointment, "put", "proposal", accept=True).json()["data"]["appointment"]
    assert (shown["status"], shown["appointmentTime"], shown["respondBy"]) == ("confirmed", "11:00", None)
    appointment.refresh_from_db()
    assert (appointment.confirmed_at, appointment.reservation.expires_at) == (TEN, None)
    notices = Notice.objects.filter(event="proposal.accepted")
    change = TimeChange.objects.get().pk
    assert {(notice.recipient_id, *sorted(notice.detail.items())) for notice in notices} == {
        (person, ("by", "patient"), ("change", change), ("from", "pending"))
        for person in (users.patient.pk, users.doctor.pk)
    }
    assert AuditEvent.objects.get(event="proposal.accepted").detail == {"from": "pending", "to": "confirmed"}


def test_a_doctor_who_accepts_leaves_a_confirmed_appointment_confirmed(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    propose(users, act, "patient", appointment)
    assert act(users.doctor.user, appointment, "put", "proposal", accept=True).status_code == 200
    appointment.refresh_from_db()
    assert (appointment.status, appointment.confirmed_at) == ("confirmed", None)


FRIDAY_WEEK = date(2030, 1, 18)


@pytest.fixture
def proposed(users, act):
    """A request that the doctor can answer until Tuesday, 15:00, and for which the doctor proposes another time."""
    deadline = datetime(2030, 1, 8, 20, tzinfo=UTC)
    appointment = make_appointment(users.doctor, users.patient, FRIDAY_WEEK, "09:00", respond_by=deadline)
    answer = act(users.doctor.user, appointment, "post", "proposal", **to(FRIDAY_WEEK, "11:00"))
    assert answer.json()["data"]["appointment"]["proposal"]["expiresAt"] == "2030-01-09T15:00:00Z"
    return appointment


def test_a_request_does_not_expire_before_the_doctors_proposal(proposed, users, act, clock):
    clock.move_to(datetime(2030, 1, 9, 14, 59, tzinfo=UTC))
    assert expiry.sweep_expired(timezone.now()) == {"requests": 0, "proposals": 0, "holds": 0}
    shown = act(users.patient, proposed, "put", "proposal", accept=True).json()["data"]["appointment"]
    assert (shown["status"], shown["appointmentTime"]) == ("confirmed", "11:00")


@pytest.mark.parametrize("by", ["patient", "doctor"])
def test_declined_or_withdrawn_proposal_extends_the_deadline_by_its_open_time(by, proposed, users, act, clock):
    clock.shift(timedelta(hours=5))
    person = users.patient if by == "patient" else users.doctor.user
    shown = act(person, proposed, "put", "proposal", accept=False).json()["data"]["appointment"]
    assert (shown["status"], shown["appointmentTime"]) == ("pending", "09:00")
    # 15:00 and five hours.
    assert shown["respondBy"] == "2030-01-09T01:00:00Z"
    assert Reservation.objects.get().expires_at == datetime(2030, 1, 9, 1, tzinfo=UTC)


def test_unanswered_proposal_extends_the_deadline_by_its_open_time(proposed, users, client_of, clock):
    clock.move_to(datetime(2030, 1, 9, 15, tzinfo=UTC))
    assert expiry.sweep_expired(timezone.now()) == {"requests": 0, "proposals": 1, "holds": 0}
    shown = client_of(users.doctor.user).get(f"/api/appointments/{proposed.pk}").json()["data"]["appointment"]
    # Tuesday, 15:00 and 48 hours.
    assert (shown["status"], shown["respondBy"], shown["proposal"]) == ("pending", "2030-01-10T20:00:00Z", None)


def test_extended_deadline_is_at_least_30_minutes_before_the_start(users, act, clock):
    appointment = make_appointment(
        users.doctor, users.patient, TUESDAY, "09:00", respond_by=datetime(2030, 1, 8, 1, tzinfo=UTC)
    )
    assert propose(users, act, "doctor", appointment).status_code == 201
    clock.move_to(datetime(2030, 1, 8, 13, 29, tzinfo=UTC))
    shown = act(users.patient, appointment, "put", "proposal", accept=False).json()["data"]["appointment"]
    assert (shown["status"], shown["respondBy"]) == ("pending", "2030-01-08T13:30:00Z")


def test_a_proposal_for_a_confirmed_appointment_changes_no_deadline(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    propose(users, act, "doctor", appointment)
    act(users.patient, appointment, "put", "proposal", accept=False)
    appointment.refresh_from_db()
    assert (appointment.status, appointment.respond_by, appointment.version) == ("confirmed", None, 1)


def test_proposal_expired_concurrently_moves_nothing(users, act, monkeypatch):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    propose(users, act, "doctor", appointment)
    read = reservations.get_reserved_slot

    def overtaken(reservation, day, local):
        slot = read(reservation, day, local)
        assert Proposal.objects.get().close(Proposal.Answer.EXPIRED, timezone.now())
        return slot

    monkeypatch.setattr(reservations, "get_reserved_slot", overtaken)
    answer = act(users.patient, appointment, "put", "proposal", accept=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "proposal_closed")
    appointment.refresh_from_db()
    assert (f"{appointment.time:%H:%M}", TimeChange.objects.count()) == ("09:00", 0)


@pytest.mark.parametrize(("by", "method", "call"), [("patient", "put", "reschedule"), ("doctor", "post", "proposal")])
def test_time_taken_concurrently_is_rejected(by, method, call, users, act, monkeypatch):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    found = rescheduling.find_free_slot

    def overtaken(*wanted):
        slot = found(*wanted)
        make_appointment(users.doctor, users.other_patient, TUESDAY, "11:00")
        return slot

    monkeypatch.setattr(rescheduling, "find_free_slot", overtaken)
    person = users.doctor.user if by == "doctor" else users.patient
    answer = act(person, appointment, method, call, **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (409, "slot_taken")
    assert (TimeChange.objects.count(), Proposal.objects.count()) == (0, 0)


def test_expired_reservation_does_not_free_a_busy_patient(users, act):
    """Of two who stand in the way one is swept; the other one still does."""
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    make_appointment(
        users.doctor, users.other_patient, TUESDAY, "11:00", respond_by=datetime(2030, 1, 7, 14, tzinfo=UTC)
    )  # fmt: skip
    make_appointment(users.other_doctor, users.patient, TUESDAY, "11:00")
    answer = act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (409, "patient_busy")
    appointment.refresh_from_db()
    assert (f"{appointment.time:%H:%M}", TimeChange.objects.count()) == ("09:00", 0)


def test_appointment_changed_concurrently_is_not_moved(users, act, monkeypatch):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    move = reservations.move_reservation

    def overtaken(reservation, slot, **more):
        Appointment.objects.filter(pk=appointment.pk).update(version=2)
        return move(reservation, slot, **more)

    monkeypatch.setattr(reservations, "move_reservation", overtaken)
    answer = act(users.patient, appointment, "put", "reschedule", **to(TUESDAY, "11:00"))
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert TimeChange.objects.count() == 0


def test_cannot_make_it_is_rejected_for_an_appointment_completed_meanwhile(users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    stale = Appointment.objects.get(pk=appointment.pk)
    appointment.transition_to("completed", actor=users.doctor.user, now=appointment.starts_at)
    with pytest.raises(DomainError, match="illegal_transition"):
        rescheduling.request_cancellation(stale, "Ill.", actor=users.patient, now=timezone.now())
    assert not Notice.objects.filter(event="appointment.cancel_requested").exists()


def test_proposal_is_answered_once_despite_stale_reads(users, act):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    propose(users, act, "doctor", appointment)
    first, second = Proposal.objects.get(), Proposal.objects.get()
    assert first.close(Proposal.Answer.DECLINED, timezone.now()) is True
    assert second.close(Proposal.Answer.EXPIRED, timezone.now()) is False
    assert Proposal.objects.get().answer == "declined"
