"""Two acts at the same moment on the same time, over real connections: one legal end, never a 5xx.

`CONCURRENCY_ROUNDS` raises the count; `dev.py soak` runs 200 of each.
"""

import os
from collections import Counter
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from appointments.tests.scheduling.concurrency import (
    BookingSite,
    describe_outcome,
    register_doctor_and_patients,
    run_concurrently,
    sign_in,
)

ROUNDS = int(os.environ.get("CONCURRENCY_ROUNDS", "8"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A running server, its doctor's client and id, three patients, and its free times one after the other."""
    from config.testing import run_server

    with run_server(tmp_path_factory.mktemp("races"), workers=2, MAX_HOLDS_PER_IP="10000") as server:
        patients, doctor_id = register_doctor_and_patients(server, 3)
        doctor = sign_in(server, "doctor0@example.com", "doctor")
        yield BookingSite(server, doctor, doctor_id, patients)
        for client in (doctor, *patients):
            client.close()


def test_concurrent_bookings_of_overlapping_times(site):
    """After the doctor's appointments became longer, an old grid's time overlaps the new one's."""
    seen: Counter[str] = Counter()
    for round_ in range(ROUNDS):
        site.clear()
        site.doctor.put("/api/doctors/schedule", json={"visitMinutes": 60})
        slot = site.slots()[round_ % 40]
        answers = run_concurrently(
            lambda s=slot: site.book(0, s),
            lambda: site.doctor.put("/api/doctors/schedule", json={"visitMinutes": 90}),
            lambda s=slot: site.book(1, s),
        )
        seen[describe_outcome(answers[0], answers[2])] += 1
        assert site.live() <= 1
    site.doctor.put("/api/doctors/schedule", json={"visitMinutes": 60})
    assert set(seen) <= {
        "201 / 409 slot_taken", "409 slot_taken / 201", "201 / 409 time_not_offered", "409 time_not_offered / 201",
        "409 time_not_offered / 409 time_not_offered",
    }  # fmt: skip


def test_concurrent_hold_and_booking(site):
    for slot in site.slots()[:ROUNDS]:
        site.clear()
        hold, book = run_concurrently(
            lambda s=slot: site.patients[0].post("/api/appointments/hold", json={"doctorId": site.doctor_id, **s}),
            lambda s=slot: site.book(1, s),
        )
        assert describe_outcome(hold, book) in {"201 / 409 slot_taken", "409 slot_taken / 201"}


def test_concurrent_booking_and_holds_of_one_visitor(site):
    """Somebody held a time, signed in and held another one; a second window still holds and books with both."""
    patient = site.patients[0]
    visitor = httpx.Client(base_url=site.server.url, timeout=60)

    def hold(client: httpx.Client, slot: dict[str, str], **more: str) -> httpx.Response:
        return client.post("/api/appointments/hold", json={"doctorId": site.doctor_id, **slot, **more})

    for number in range(ROUNDS):
        site.clear()
        first, second = site.slots()[number % 40 :: 9][:2] if number % 2 else site.slots()[number % 40 :: 9][1::-1]
        secret = hold(visitor, first).json()["data"]["holdId"]
        assert hold(patient, second).status_code == 201
        booked, held, _ = run_concurrently(
            lambda s=first, h=secret: site.book(0, s, holdId=h),
            lambda s=second, h=secret: hold(visitor, s, holdId=h),
            lambda s=second, h=secret: hold(patient, s, holdId=h),
        )
        assert describe_outcome(booked) == "201", booked.text
        assert describe_outcome(held) in {"201", "409 slot_taken"}, held.text
        assert site.live() == 1
    visitor.close()


def test_concurrent_reschedule_and_booking_of_one_time(site):
    slots = site.slots()
    for slot in slots[1 : ROUNDS + 1]:
        site.clear()
        appointment = site.booked(0, slots[0])
        moved, book = run_concurrently(
            lambda v=appointment, s=slot: site.patients[0].put(f"/api/appointments/{v}/reschedule", json=s),
            lambda s=slot: site.book(1, s),
        )
        assert describe_outcome(moved, book) in {"200 / 409 slot_taken", "409 slot_taken / 201"}
        assert site.live() == (1 if moved.status_code == 200 else 2)


def test_concurrent_confirm_and_cancel(site):
    for slot in site.slots()[:ROUNDS]:
        site.clear()
        appointment = site.booked(0, slot)
        confirm, cancel = run_concurrently(
            lambda v=appointment: site.doctor.put(f"/api/appointments/{v}/status", json={"status": "confirmed"}),
            lambda v=appointment: site.patients[0].put(f"/api/appointments/{v}/cancel"),
        )
        assert describe_outcome(confirm, cancel) in {"200 / 409 illegal_transition", "409 illegal_transition / 200"}
        assert site.live() == (1 if confirm.status_code == 200 else 0)


def test_concurrent_cancellations_are_applied_once(site):
    """Both see it cancelled, and exactly one of them has done it."""
    for slot in site.slots()[:ROUNDS]:
        site.clear()
        appointment = site.booked(0, slot)
        both = run_concurrently(
            lambda v=appointment: site.doctor.put(f"/api/appointments/{v}/status", json={"status": "cancelled"}),
            lambda v=appointment: site.patients[0].put(f"/api/appointments/{v}/cancel"),
        )
        assert describe_outcome(*both) == "200 / 200"
        assert sorted(answer.json()["data"]["changed"] for answer in both) == [False, True]
        by = "doctor" if both[0].json()["data"]["changed"] else "patient"
        assert {answer.json()["data"]["appointment"]["cancelledBy"] for answer in both} == {by}
        assert site.live() == 0


def test_concurrent_undo_and_patient_action(site):
    """Either it is pending again and nothing is proposed for it, or it stays confirmed."""
    slots = site.slots()
    for other in slots[1 : ROUNDS + 1]:
        site.clear()
        appointment = site.booked(0, slots[0])
        confirm = {"status": "confirmed", "undoable": True}
        assert site.doctor.put(f"/api/appointments/{appointment}/status", json=confirm).status_code == 200
        undone, proposed = run_concurrently(
            lambda v=appointment: site.doctor.post(f"/api/appointments/{v}/undo"),
            lambda v=appointment, s=other: site.patients[0].post(f"/api/appointments/{v}/proposal", json=s),
        )
        assert describe_outcome(undone, proposed) in {"200 / 409 illegal_transition", "409 illegal_transition / 201"}
        assert site.live() == 1


def test_concurrent_move_by_the_doctor_and_cannot_make_it(site):
    slots = site.slots()
    # Some days ahead, before the doctor's cutoff.
    for number in range(ROUNDS):
        site.clear()
        appointment = site.booked(0, slots[30])
        assert (
            site.doctor.put(f"/api/appointments/{appointment}/status", json={"status": "confirmed"}).status_code == 200
        )
        moved, cancelled = run_concurrently(
            lambda v=appointment, s=slots[31 + number]: site.doctor.post(f"/api/appointments/{v}/move", json=s),
            lambda v=appointment: site.patients[0].post(f"/api/appointments/{v}/cancel-request"),
        )
        assert describe_outcome(moved, cancelled) in {
            "200 / 200", "200 / 409 illegal_transition", "409 illegal_transition / 200",
        }  # fmt: skip
        assert site.live() == (0 if cancelled.status_code == 200 else 1)


def test_concurrent_move_by_the_doctor_and_booking_of_one_time(site):
    slots = site.slots()
    for slot in slots[1 : ROUNDS + 1]:
        site.clear()
        appointment = site.booked(0, slots[0])
        moved, book = run_concurrently(
            lambda v=appointment, s=slot: site.doctor.post(f"/api/appointments/{v}/move", json=s),
            lambda s=slot: site.book(1, s),
        )
        assert describe_outcome(moved, book) in {"200 / 409 slot_taken", "409 slot_taken / 201"}
        assert site.live() == (1 if moved.status_code == 200 else 2)


def test_concurrent_confirm_and_expiry(site):
    """At the deadline another patient takes the time while the doctor confirms: one of the two has it."""
    for slot in site.slots()[:ROUNDS]:
        site.clear()
        appointment = site.booked(0, slot)
        deadline = (datetime.now(UTC) + timedelta(milliseconds=60)).strftime("%Y-%m-%d %H:%M:%S.%f")
        zone = "" if site.server.is_sqlite else "+00"
        site.server.sql(f"UPDATE appointments_appointment SET respond_by = '{deadline}{zone}'")
        site.server.sql(f"UPDATE doctors_reservation SET expires_at = '{deadline}{zone}'")
        confirm, book = run_concurrently(
            lambda v=appointment: site.doctor.put(f"/api/appointments/{v}/status", json={"status": "confirmed"}),
            lambda s=slot: site.book(1, s),
        )
        assert describe_outcome(confirm, book) in {
            "200 / 409 slot_taken", "409 illegal_transition / 201", "409 illegal_transition / 409 slot_taken",
        }  # fmt: skip
        assert site.live() <= 1


def test_concurrent_booking_and_day_off(site):
    for slot in site.slots()[:ROUNDS]:
        site.clear()
        site.doctor.put("/api/doctors/schedule", json={"overrides": []})
        day_off = {"overrides": [{"date": slot["appointmentDate"], "hours": []}]}
        book, off = run_concurrently(
            lambda s=slot: site.book(0, s), lambda d=day_off: site.doctor.put("/api/doctors/schedule", json=d)
        )
        # The second one learns of the first.
        assert describe_outcome(book, off) in {"201 / 409 visits_affected", "409 time_not_offered / 200"}
    site.doctor.put("/api/doctors/schedule", json={"overrides": []})


def test_concurrent_booking_by_doctor_and_patient(site):
    """The doctor promises a time by phone while another patient takes it, or the same patient asks for it."""
    site.clear()
    known = site.book(0, site.slots()[0]).json()["data"]["appointment"]["patient"]["_id"]
    address = f"/api/doctors/patients/{known}/appointments"
    for number, slot in enumerate(site.slots()[1 : ROUNDS + 1]):
        site.clear()
        promised, book = run_concurrently(
            lambda s=slot: site.doctor.post(address, json=s), lambda s=slot, n=number: site.book(n % 2, s)
        )
        if number % 2:
            assert describe_outcome(promised, book) in {"201 / 409 slot_taken", "409 slot_taken / 201"}
        else:
            assert describe_outcome(promised, book) in {"201 / 200", "200 / 201"}
        assert site.live() == 1


def test_concurrent_booking_and_blocking(site):
    for slot in site.slots()[:ROUNDS]:
        site.clear()
        site.doctor.put("/api/doctors/schedule", json={"blocked": []})
        stretch = {"date": slot["appointmentDate"], "start": "00:00", "end": "24:00"}
        book, block = run_concurrently(
            lambda s=slot: site.book(0, s),
            lambda b=stretch: site.doctor.post("/api/doctors/schedule/blocked", json=b),
        )
        assert describe_outcome(book, block) in {"201 / 409 visits_affected", "409 time_not_offered / 201"}
    site.doctor.put("/api/doctors/schedule", json={"blocked": []})


def test_concurrent_blocking_of_one_time(site):
    for slot in site.slots()[:ROUNDS]:
        stretch = {"date": slot["appointmentDate"], "start": "09:00", "end": "10:00"}
        site.doctor.put("/api/doctors/schedule", json={"blocked": []})
        site.clear()
        act = lambda b=stretch: site.doctor.post("/api/doctors/schedule/blocked", json=b)  # noqa: E731 - as above
        first, second = run_concurrently(act, act)
        assert describe_outcome(first, second) in {"201 / 200", "200 / 201"}
        assert first.json()["data"] == second.json()["data"]
    site.doctor.put("/api/doctors/schedule", json={"blocked": []})


def test_concurrent_booking_and_revocation(site):
    for slot in site.slots()[:ROUNDS]:
        site.clear()

        def revoke() -> httpx.Response:
            site.server.sql("UPDATE doctors_doctorprofile SET approval = 'revoked'")
            return httpx.Response(200, json={})

        book, _ = run_concurrently(lambda s=slot: site.book(0, s), revoke)
        assert describe_outcome(book) in {"201", "404 doctor_unavailable"}
        assert describe_outcome(site.book(1, slot)) == "404 doctor_unavailable"
        site.server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
