"""Two acts that meet in the middle: each stops where it has its first locks until the other one is there too.

On PostgreSQL they would end in a deadlock if they did not lock in one order. SQLite has one writer at a time: there the
second one begins when the first one is done.
"""

import threading
from datetime import time, timedelta
from time import sleep

import pytest
from django.db import DatabaseError, connections
from django.utils import timezone

from accounts.models import User
from accounts.models.identifiers import new_id
from accounts.tests.factories import AdminFactory, PatientFactory
from adminpanel.account import erasure
from appointments import transitions
from appointments.models import Appointment, Proposal
from appointments.scheduling import account_closure, booking, expiry, holds, rescheduling
from appointments.tests.factories import make_appointment
from config.api.errors import DomainError
from config.db.raw_sql import is_postgresql
from doctors.availability import calendar
from doctors.models import Reservation
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.every_case]


class LockBarrier:
    """Where two threads wait for each other, a moment at most: in one order, one of them never comes so far."""

    def __init__(self):
        self.barrier = threading.Barrier(2)

    def wait(self):
        try:
            self.barrier.wait(0.7 if is_postgresql() else 0)
        except threading.BrokenBarrierError:
            return
        # Each has its own locks by now and goes for the other's.
        sleep(0.1)

    def after(self, monkeypatch, place, name):
        """Wait at the end of a function."""
        real = getattr(place, name)

        def then(*args, **kwargs):
            answer = real(*args, **kwargs)
            self.wait()
            return answer

        monkeypatch.setattr(place, name, then)

    def before(self, monkeypatch, place, name):
        """Wait at the beginning of a function."""
        real = getattr(place, name)

        def first(*args, **kwargs):
            self.wait()
            return real(*args, **kwargs)

        monkeypatch.setattr(place, name, first)


@pytest.fixture
def barrier():
    return LockBarrier()


def run_both(*acts):
    """Do two acts at once; return what each came to: "done", the code of a rule, or an error that must not be."""
    came = [None] * len(acts)

    def do(number):
        try:
            acts[number]()
            came[number] = "done"
        except DomainError as refused:
            came[number] = refused.code
        except DatabaseError as error:
            came[number] = repr(error)
        finally:
            if is_postgresql():
                connections.close_all()

    if not is_postgresql():
        for number in range(len(acts)):
            do(number)
        return came
    threads = [threading.Thread(target=do, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


def reservation(kind, doctor, patient, start, expires_at, **more):
    end = start + timedelta(minutes=doctor.appointment_minutes)
    return Reservation.objects.create(
        id=new_id(), kind=kind, doctor=doctor, patient=patient, starts_at=start, ends_at=end, busy_until=end,
        expires_at=expires_at, created_at=timezone.now() - timedelta(hours=1), **more,
    )  # fmt: skip


def run_out_proposal(appointment, start, now):
    """Another time for an appointment, which nobody has answered and nobody has swept away yet."""
    kept = reservation(
        "proposal",
        appointment.doctor,
        appointment.patient,
        start,
        now - timedelta(seconds=5),
        moves=appointment.reservation_id,
    )
    return Proposal.objects.create(
        appointment=appointment, reservation=kept, proposed_by="doctor", date=start.date(), time=start.time(),
        time_zone="UTC",
        starts_at=start, ends_at=kept.ends_at, created_at=kept.created_at, expires_at=kept.expires_at,
    )  # fmt: skip


def test_doctor_and_patient_accounts_closed_concurrently(monkeypatch, barrier):
    """Closing an account releases holds after the appointments."""
    now, doctor, patient, actor = timezone.now(), DoctorFactory.create(), PatientFactory.create(), AdminFactory.create()
    make_appointment(doctor, patient, (now + timedelta(days=5)).date(), status="confirmed")
    reservation("hold", doctor, patient, now + timedelta(days=9), now + timedelta(minutes=5))
    barrier.after(monkeypatch, account_closure, "close_practice")
    barrier.after(monkeypatch, Appointment, "notify_of_closure")
    came = run_both(
        lambda: account_closure.end_account(doctor.pk, actor=actor, now=now),
        lambda: account_closure.end_account(patient.pk, actor=actor, now=now),
    )
    assert came == ["done", "done"]
    assert not Reservation.objects.exists()


def test_repeated_erasure_concurrent_with_a_move(monkeypatch, barrier):
    """The account has ended long ago, so that nothing of it was locked."""
    now, doctor, patient = timezone.now(), DoctorFactory.create(), PatientFactory.create()
    day = (now + timedelta(days=5)).date()
    appointment = make_appointment(doctor, patient, day, status="pending")
    account_closure.end_account(doctor.pk, actor=None, now=now)
    barrier.before(monkeypatch, erasure, "erase_personal_data")
    barrier.after(monkeypatch, rescheduling, "lock_doctor")
    came = run_both(
        lambda: erasure.erase_person(User.objects.get(pk=doctor.pk), actor=None, now=now),
        lambda: rescheduling.reschedule_appointment(
            Appointment.objects.get(pk=appointment.pk), day, time(10), actor=patient, now=now
        ),
    )
    assert came == ["done", "illegal_transition"]


def test_proposal_concurrent_with_a_cancellation(monkeypatch, barrier):
    """The appointment is locked as long as it is looked at: nothing is kept for one that has ended meanwhile."""
    now, doctor, patient = timezone.now(), DoctorFactory.create(), PatientFactory.create()
    slots = calendar.list_next_slots([doctor], now, count=9)[doctor.pk]
    appointment = make_appointment(doctor, patient, slots[0].date, f"{slots[0].time:%H:%M}", status="pending")
    barrier.before(monkeypatch, rescheduling, "find_free_slot")

    def propose():
        read, slot = Appointment.objects.get(pk=appointment.pk), slots[8]
        rescheduling.propose_time(read, slot.date, slot.time, "Another time?", actor=doctor.user, now=now)

    def cancel():
        read = Appointment.objects.get(pk=appointment.pk)
        barrier.wait()
        read.transition_to("cancelled", actor=patient, now=now)

    assert run_both(propose, cancel) == ["done", "done"]
    assert Appointment.objects.get(pk=appointment.pk).status == "cancelled"
    assert Proposal.objects.get().answer == "withdrawn"
    assert not Reservation.objects.exists()


@pytest.mark.parametrize("act", ["hold", "book"])
def test_two_patients_book_each_others_expired_holds_concurrently(monkeypatch, barrier, act):
    now, doctor = timezone.now(), DoctorFactory.create()
    slots = calendar.list_next_slots([doctor], now, count=4)[doctor.pk][::2]
    patients = [PatientFactory.create(), PatientFactory.create()]
    for patient, slot in zip(patients, slots, strict=True):
        reservation("hold", doctor, patient, slot.starts_at_utc, now - timedelta(seconds=5))
    place = {"hold": holds, "book": booking}[act]
    barrier.before(monkeypatch, place, "reserve_slot")

    def take(patient, slot):
        if act == "hold":
            holds.hold_slot(patient, "", doctor.pk, slot.date, slot.time, now)
        else:
            booking.book_appointment(patient, doctor.pk, slot.date, slot.time, symptoms="", notes="", now=now)

    came = run_both(lambda: take(patients[0], slots[1]), lambda: take(patients[1], slots[0]))
    assert came == ["done", "done"]
    kept = Reservation.objects.standing(now).order_by("starts_at").values_list("patient", flat=True)
    assert list(kept) == [patients[1].pk, patients[0].pk]


def test_two_patients_book_one_expired_hold_concurrently(monkeypatch, barrier):
    """The second one finds it being swept away, and is not told of an appointment of their own."""
    now, doctor = timezone.now(), DoctorFactory.create()
    (slot,) = calendar.list_next_slots([doctor], now, count=1)[doctor.pk]
    reservation("hold", doctor, PatientFactory.create(), slot.starts_at_utc, now - timedelta(seconds=5))
    sweep = expiry.sweep_reservations

    def slowly(reservations, moment):
        barrier.wait()
        swept = sweep(reservations, moment)
        barrier.wait()
        # The time is free, and not taken yet, while the other one is told why not.
        sleep(0.4 if swept and is_postgresql() else 0)
        return swept

    monkeypatch.setattr(expiry, "sweep_reservations", slowly)
    patients = [PatientFactory.create(), PatientFactory.create()]
    acts = [
        lambda: holds.hold_slot(patients[0], "", doctor.pk, slot.date, slot.time, now),
        lambda: booking.book_appointment(patients[1], doctor.pk, slot.date, slot.time, symptoms="", notes="", now=now),
    ]
    assert sorted(run_both(*acts)) == ["done", "slot_taken"]


def test_two_doctors_replace_expired_proposals_to_one_patient_concurrently(monkeypatch, barrier):
    now, patient = timezone.now(), PatientFactory.create()
    doctors = [DoctorFactory.create(), DoctorFactory.create()]
    slots = calendar.list_next_slots([doctors[0]], now, count=40)[doctors[0].pk]
    offered, wanted = [slots[4], slots[8]], [slots[8], slots[4]]
    appointments = [
        make_appointment(doctor, patient, slot.date, f"{slot.time:%H:%M}", status="confirmed")
        for doctor, slot in zip(doctors, [slots[30], slots[34]], strict=True)
    ]
    for appointment, slot in zip(appointments, offered, strict=True):
        run_out_proposal(appointment, slot.starts_at_utc, now)
    barrier.before(monkeypatch, rescheduling, "find_free_slot")

    def propose(number):
        appointment, slot = Appointment.objects.get(pk=appointments[number].pk), wanted[number]
        rescheduling.propose_time(
            appointment, slot.date, slot.time, "Another time?", actor=doctors[number].user, now=now
        )

    assert run_both(lambda: propose(0), lambda: propose(1)) == ["done", "done"]
    assert Reservation.objects.filter(kind="proposal").count() == 2


def test_move_by_the_doctor_concurrent_with_a_booking_by_the_patient(monkeypatch, barrier):
    """The patient keeps a time with each of the two doctors, which both acts use up or leave."""
    now, patient = timezone.now(), PatientFactory.create()
    doctors = [DoctorFactory.create(), DoctorFactory.create()]
    slots = calendar.list_next_slots([doctors[0]], now, count=40)[doctors[0].pk]
    appointment = make_appointment(doctors[0], patient, slots[30].date, f"{slots[30].time:%H:%M}", status="confirmed")
    reservation("hold", doctors[0], patient, slots[4].starts_at_utc, now + timedelta(minutes=5))
    reservation("hold", doctors[1], patient, slots[8].starts_at_utc, now + timedelta(minutes=5))
    barrier.after(monkeypatch, rescheduling, "lock_doctor")
    barrier.after(monkeypatch, booking, "lock_for_booking")

    def move():
        row = Appointment.objects.get(pk=appointment.pk)
        rescheduling.move_appointment(row, slots[4].date, slots[4].time, actor=doctors[0].user, now=now)

    def book():
        booking.book_appointment(patient, doctors[1].pk, slots[8].date, slots[8].time, symptoms="", notes="", now=now)

    assert run_both(move, book) == ["done", "done"]
    assert Reservation.objects.filter(kind="appointment").count() == 2


def test_undo_concurrent_with_closing_the_patients_account(monkeypatch, barrier):
    now, doctor, patient, actor = timezone.now(), DoctorFactory.create(), PatientFactory.create(), AdminFactory.create()
    appointment = make_appointment(
        doctor, patient, (now + timedelta(days=5)).date(), status="confirmed", confirmed_by=doctor.user,
        confirmed_at=now, undo_until=now + timedelta(seconds=10), respond_by_before=now + timedelta(days=1),
    )  # fmt: skip
    barrier.after(monkeypatch, rescheduling, "lock_doctor")
    barrier.after(monkeypatch, account_closure, "lock_person")
    came = run_both(
        lambda: transitions.undo_confirmation(Appointment.objects.get(pk=appointment.pk), actor=doctor.user, now=now),
        lambda: account_closure.end_account(patient.pk, actor=actor, now=now),
    )
    assert came in (["done", "done"], ["illegal_transition", "done"])
    assert Appointment.objects.get().status == "cancelled"
    assert not Reservation.objects.exists()
