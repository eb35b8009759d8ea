"""Test that closing or deactivating an account loses no record and notifies the other side."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AccountStatus, AuditEvent, Notice, Session, User
from accounts.tests.factories import AdminFactory, PatientFactory
from appointments.models import ACCOUNT_CLOSED_REASONS, Appointment
from appointments.scheduling.account_closure import end_account, preview_effects, set_account_status
from appointments.scheduling.booking import book_appointment
from appointments.tests.factories import make_appointment
from config.api.errors import DomainError
from doctors.availability.calendar import Calendar
from doctors.models import CaseState, DoctorProfile, Reservation, Verification
from doctors.verification.decisions import open_case

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def appointments(users, now):
    """One appointment in each state ahead, two that are over, and one of other people."""
    today = now.date()
    return {
        "pending": make_appointment(users.doctor, users.patient, today + timedelta(days=2)),
        "confirmed": make_appointment(users.doctor, users.other_patient, today + timedelta(days=3), status="confirmed"),
        "cancelled": make_appointment(users.doctor, users.patient, today + timedelta(days=4), status="cancelled"),
        "completed": make_appointment(users.doctor, users.patient, today - timedelta(days=4), status="completed"),
        "over": make_appointment(users.doctor, users.patient, today - timedelta(days=5), status="confirmed"),
        "others": make_appointment(users.other_doctor, users.other_patient, today + timedelta(days=2)),
    }


def states():
    return dict(Appointment.objects.values_list("pk", "status"))


def test_deleting_a_doctor_keeps_records_and_cancels_upcoming_appointments(users, appointments, now, client_of, api):
    client_of(users.doctor.user)
    before = states()
    name = appointments["over"].doctor_name
    effects = end_account(users.doctor.pk, actor=users.admin, now=now)
    assert (effects.upcoming, effects.messages) == (2, 2)
    assert states() == before | {appointments[name].pk: "cancelled" for name in ("pending", "confirmed")}
    ended = Appointment.objects.get(pk=appointments["confirmed"].pk)
    assert (ended.cancelled_by, ended.cancel_reason, ended.version, ended.reservation) == (
        "admin",
        ACCOUNT_CLOSED_REASONS["doctor"],
        2,
        None,
    )
    shown = client_of(users.patient).get(f"/api/appointments/{appointments['over'].pk}").json()["data"]["appointment"]
    assert (shown["doctor"]["name"], shown["status"]) == (name, "confirmed")
    assert api.get(f"/api/doctors/{users.doctor.pk}").status_code == 404
    assert sorted(Notice.objects.values_list("event", "recipient_id"), key=str) == sorted(
        [
            ("account.ended", users.doctor.pk),
            ("appointment.cancelled", users.patient.pk),
            ("appointment.cancelled", users.other_patient.pk),
            ("appointment.cancelled", users.doctor.pk),
            ("appointment.cancelled", users.doctor.pk),
        ],
        key=str,
    )
    # At the address that the account gave up; whose account it was is in the reason.
    own = Notice.objects.filter(event="appointment.cancelled", recipient=users.doctor.pk)
    assert set(own.values_list("address", flat=True)) == {users.doctor.user.email}
    assert sorted(one["from"] for one in own.values_list("detail", flat=True)) == ["confirmed", "pending"]
    assert list(Session.objects.filter(user=users.doctor.pk).values_list("ended_because", flat=True)) == [
        "account_ended"
    ]
    assert AuditEvent.objects.filter(event="account.ended", entity_id=str(users.doctor.pk)).count() == 1


def test_deleting_a_patient_releases_times_and_the_email(users, appointments, now, client_of, api):
    email, name = users.patient.email, users.patient.name
    end_account(users.patient.pk, actor=users.admin, now=now)
    assert states()[appointments["pending"].pk] == "cancelled"
    assert not Reservation.objects.filter(patient=users.patient, starts_at__gt=now).exists()
    shown = (
        client_of(users.doctor.user)
        .get(f"/api/appointments/{appointments['completed'].pk}")
        .json()["data"]["appointment"]
    )
    assert (shown["patient"]["name"], shown["patient"]["email"], shown["patient"]["phone"]) == (name, "", "")
    assert PatientFactory.create(email=email).email == email
    assert api.post(
        "/api/auth/login", {"email": email, "password": "wrong", "role": "patient"}, format="json"
    ).status_code == 401  # fmt: skip


def test_closed_account_cannot_be_closed_again(users, now):
    end_account(users.patient.pk, actor=users.admin, now=now)
    with pytest.raises(DomainError, match="not_found"):
        end_account(users.patient.pk, actor=users.admin, now=now)
    assert AuditEvent.objects.filter(event="account.ended").count() == 1


def test_account_of_another_role_is_not_found(users, now):
    with pytest.raises(DomainError, match="not_found"):
        end_account(users.patient.pk, actor=users.admin, now=now, role="doctor")


@pytest.mark.parametrize("act", [
    lambda who, actor, now: end_account(who, actor=actor, now=now),
    lambda who, actor, now: set_account_status(who, AccountStatus.INACTIVE, actor=actor, now=now),
])  # fmt: skip
def test_staff_cannot_deactivate_themselves_or_the_last_admin(users, now, act):
    with pytest.raises(DomainError, match="own_account"):
        act(users.admin.pk, users.admin, now)
    other = AdminFactory.create()
    act(other.pk, users.admin, now)
    # The only active one is left, and a stopped one tries.
    with pytest.raises(DomainError, match="last_admin"):
        act(users.admin.pk, other, now)


@pytest.mark.parametrize("act", [
    lambda who, actor, now: end_account(who, actor=actor, now=now),
    lambda who, actor, now: set_account_status(who, AccountStatus.INACTIVE, actor=actor, now=now),
])  # fmt: skip
def test_last_superuser_cannot_be_removed(users, now, act):
    """Otherwise one who may close accounts could leave a site on which nobody can grant permissions."""
    superuser, second = AdminFactory.create_batch(2, is_superuser=True)
    act(second.pk, users.admin, now)
    with pytest.raises(DomainError, match="last_superuser"):
        act(superuser.pk, users.admin, now)
    superuser.refresh_from_db()
    assert (superuser.status, superuser.ended_at) == (AccountStatus.ACTIVE, None)


def test_preview_changes_nothing(users, appointments, now):
    before = (states(), Notice.objects.count(), AuditEvent.objects.count())
    stopping = preview_effects(users.doctor.user, now)
    assert (stopping.upcoming, stopping.messages) == (2, 1)
    effects = preview_effects(users.doctor.user, now, ending=True)
    assert (effects.upcoming, effects.messages) == (2, 2)
    assert [appointment.pk for appointment in effects.appointments] == [
        appointments["pending"].pk,
        appointments["confirmed"].pk,
    ]
    assert (states(), Notice.objects.count(), AuditEvent.objects.count()) == before


def test_deactivated_account_keeps_its_appointments(users, appointments, now):
    before = states()
    person, effects = set_account_status(users.doctor.pk, AccountStatus.INACTIVE, actor=users.admin, now=now)
    assert (person.status, effects.upcoming, states()) == ("inactive", 2, before)
    assert not DoctorProfile.objects.approved().filter(pk=users.doctor.pk).exists()
    set_account_status(users.doctor.pk, AccountStatus.ACTIVE, actor=users.admin, now=now)
    assert DoctorProfile.objects.approved().filter(pk=users.doctor.pk).exists()


def test_user_deactivated_meanwhile_cannot_book(users, now):
    slot = Calendar.read(users.doctor, now).list_next_free()[0]
    patient = User.objects.get(pk=users.patient.pk)
    end_account(users.patient.pk, actor=users.admin, now=now)
    with pytest.raises(DomainError, match="session_ended"):
        book_appointment(patient, users.doctor.pk, slot.date, slot.time, symptoms="", notes="", now=now)
    assert not Appointment.objects.exists()


def holds(doctor, patient, now):
    start, hour = now + timedelta(days=9), timedelta(hours=1)
    return Reservation.objects.create(
        kind=Reservation.Kind.HOLD, doctor=doctor, patient=patient, starts_at=start, ends_at=start + hour,
        busy_until=start + hour, expires_at=now + timedelta(minutes=5),
    )  # fmt: skip


def test_closing_an_account_releases_only_its_own_times(users, now):
    kept = holds(users.other_doctor, users.other_patient, now)
    gone = holds(users.doctor, users.patient, now)
    case, other_case = open_case(users.doctor, now), open_case(users.unapproved_doctor, now)
    decided = Verification.objects.create(
        doctor=users.doctor, submitted_at=now, state=CaseState.APPROVED, decided_at=now, decided_by=users.admin
    )
    end_account(users.doctor.pk, actor=users.admin, now=now)
    assert set(Reservation.objects.values_list("pk", flat=True)) == {kept.pk}
    assert gone.pk != kept.pk
    states = dict(Verification.objects.values_list("pk", "state"))
    assert states == {case.pk: CaseState.WITHDRAWN, other_case.pk: CaseState.OPEN, decided.pk: CaseState.APPROVED}
    again = holds(users.other_doctor, users.patient, now + timedelta(days=1))
    end_account(users.patient.pk, actor=users.admin, now=now)
    assert set(Reservation.objects.values_list("pk", flat=True)) == {kept.pk}
    assert again.pk != kept.pk


def test_admin_deactivated_meanwhile_cannot_act_on_admins(users, now):
    other, third = AdminFactory.create(), AdminFactory.create()
    User.objects.filter(pk=users.admin.pk).update(status=AccountStatus.INACTIVE)
    with pytest.raises(DomainError, match="session_ended"):
        end_account(other.pk, actor=users.admin, now=now)
    assert User.objects.get(pk=other.pk).ended_at is None
    end_account(other.pk, actor=third, now=now)
    assert User.objects.get(pk=other.pk).ended_at == now


@pytest.mark.parametrize("status", [AccountStatus.ACTIVE, AccountStatus.INACTIVE])
def test_deactivation_and_reactivation_refresh_the_next_free_time(
    status, users, now, django_capture_on_commit_callbacks
):
    before = AccountStatus.INACTIVE if status == AccountStatus.ACTIVE else AccountStatus.ACTIVE
    User.objects.filter(pk=users.doctor.pk).update(status=before)
    stale = now - timedelta(days=30)
    DoctorProfile.objects.update(next_free_at=stale)
    with django_capture_on_commit_callbacks(execute=True):
        set_account_status(users.doctor.pk, status, actor=users.admin, now=now)
    assert DoctorProfile.objects.get(pk=users.doctor.pk).next_free_at != stale
    assert DoctorProfile.objects.get(pk=users.other_doctor.pk).next_free_at == stale
