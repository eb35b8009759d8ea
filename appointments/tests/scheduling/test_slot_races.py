"""Two acts at the same moment on the same time, over real connections: one legal end, never a 5xx.

`DUEL_ROUNDS` raises the count; `dev.py soak` runs 200 of each.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from appointments.tests.scheduling.test_booking_races import free_slots, meet, sign_in
from config.testing import RealServer

ROUNDS = int(os.environ.get("DUEL_ROUNDS", "8"))

Act = Callable[[], httpx.Response]


def together(*acts: Act) -> list[httpx.Response]:
    """Do all acts at the same moment; return in the order of the acts."""
    answers: list[httpx.Response | None] = [None] * len(acts)
    start = threading.Barrier(len(acts))

    def run(number: int) -> None:
        start.wait(timeout=60)
        answers[number] = acts[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [answer for answer in answers if answer is not None]
    assert len(done) == len(acts)
    assert all(answer.status_code < 500 for answer in done), [answer.text for answer in done]
    return done


@pytest.fixture(scope="module")
def arena(tmp_path_factory):
    """A running server, its doctor's client and id, three patients, and its free times one after the other."""
    from config.testing import running

    with running(tmp_path_factory.mktemp("duels"), workers=2, HOLDS_PER_ADDRESS="10000") as server:
        patients, doctor_id = meet(server, 3)
        doctor = sign_in(server, "doctor0@example.com", "doctor")
        yield Arena(server, doctor, doctor_id, patients)
        for client in (doctor, *patients):
            client.close()


class Arena:
    """What the duels share."""

    def __init__(self, server: RealServer, doctor: httpx.Client, doctor_id: str, patients: list[httpx.Client]) -> None:
        self.server, self.doctor, self.doctor_id, self.patients = server, doctor, doctor_id, patients

    def clear(self) -> None:
        """Leave no appointment and no reservation."""
        of_appointments = ("timechange", "proposal", "appointmentrecord", "recorddraft", "appointment")
        for table in (*(f"appointments_{each}" for each in of_appointments), "doctors_reservation"):
            self.server.sql(f"DELETE FROM {table}")

    def slots(self) -> list[dict[str, str]]:
        return free_slots(self.patients[0], self.doctor_id)

    def book(self, patient: int, slot: dict[str, str], **more: str) -> httpx.Response:
        return self.patients[patient].post("/api/appointments", json={"doctorId": self.doctor_id, **slot, **more})

    def booked(self, patient: int, slot: dict[str, str]) -> str:
        answer = self.book(patient, slot)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["data"]["appointment"]["_id"])

    def live(self) -> int:
        """Count the live appointments and make sure that no two overlap."""
        rows = self.server.sql(
            "SELECT count(*) FROM doctors_reservation a JOIN doctors_reservation b ON a.id < b.id"
            " AND a.doctor_id = b.doctor_id"
            " AND a.starts_at < b.busy_until AND b.starts_at < a.busy_until"
        )
        assert rows == [(0,)]
        return int(
            self.server.sql("SELECT count(*) FROM appointments_appointment WHERE status IN ('pending', 'confirmed')")[
                0
            ][0]
        )


def outcome(*answers: httpx.Response) -> str:
    return " / ".join(f"{answer.status_code} {answer.json().get('code', '')}".strip() for answer in answers)


def test_concurrent_bookings_of_overlapping_times(arena):
    """After the doctor's appointments became longer, an old grid's time overlaps the new one's."""
    seen: Counter[str] = Counter()
    for round_ in range(ROUNDS):
        arena.clear()
        arena.doctor.put("/api/doctors/schedule", json={"visitMinutes": 60})
        slot = arena.slots()[round_ % 40]
        answers = together(
            lambda s=slot: arena.book(0, s),
            lambda: arena.doctor.put("/api/doctors/schedule", json={"visitMinutes": 90}),
            lambda s=slot: arena.book(1, s),
        )
        seen[outcome(answers[0], answers[2])] += 1
        assert arena.live() <= 1
    arena.doctor.put("/api/doctors/schedule", json={"visitMinutes": 60})
    assert set(seen) <= {
        "201 / 409 slot_taken", "409 slot_taken / 201", "201 / 409 time_not_offered", "409 time_not_offered / 201",
        "409 time_not_offered / 409 time_not_offered",
    }  # fmt: skip


def test_concurrent_hold_and_booking(arena):
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()
        hold, book = together(
            lambda s=slot: arena.patients[0].post("/api/appointments/hold", json={"doctorId": arena.doctor_id, **s}),
            lambda s=slot: arena.book(1, s),
        )
        assert outcome(hold, book) in {"201 / 409 slot_taken", "409 slot_taken / 201"}


def test_concurrent_booking_and_holds_of_one_visitor(arena):
    """Somebody held a time, signed in and held another one; a second window still holds and books with both."""
    patient = arena.patients[0]
    visitor = httpx.Client(base_url=arena.server.url, timeout=60)

    def hold(client: httpx.Client, slot: dict[str, str], **more: str) -> httpx.Response:
        return client.post("/api/appointments/hold", json={"doctorId": arena.doctor_id, **slot, **more})

    for number in range(ROUNDS):
        arena.clear()
        first, second = arena.slots()[number % 40 :: 9][:2] if number % 2 else arena.slots()[number % 40 :: 9][1::-1]
        secret = hold(visitor, first).json()["data"]["holdId"]
        assert hold(patient, second).status_code == 201
        booked, held, _ = together(
            lambda s=first, h=secret: arena.book(0, s, holdId=h),
            lambda s=second, h=secret: hold(visitor, s, holdId=h),
            lambda s=second, h=secret: hold(patient, s, holdId=h),
        )
        assert outcome(booked) == "201", booked.text
        assert outcome(held) in {"201", "409 slot_taken"}, held.text
        assert arena.live() == 1
    visitor.close()


def test_concurrent_reschedule_and_booking_of_one_time(arena):
    slots = arena.slots()
    for slot in slots[1 : ROUNDS + 1]:
        arena.clear()
        appointment = arena.booked(0, slots[0])
        moved, book = together(
            lambda v=appointment, s=slot: arena.patients[0].put(f"/api/appointments/{v}/reschedule", json=s),
            lambda s=slot: arena.book(1, s),
        )
        assert outcome(moved, book) in {"200 / 409 slot_taken", "409 slot_taken / 201"}
        assert arena.live() == (1 if moved.status_code == 200 else 2)


def test_concurrent_confirm_and_cancel(arena):
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()
        appointment = arena.booked(0, slot)
        confirm, cancel = together(
            lambda v=appointment: arena.doctor.put(f"/api/appointments/{v}/status", json={"status": "confirmed"}),
            lambda v=appointment: arena.patients[0].put(f"/api/appointments/{v}/cancel"),
        )
        assert outcome(confirm, cancel) in {"200 / 409 illegal_transition", "409 illegal_transition / 200"}
        assert arena.live() == (1 if confirm.status_code == 200 else 0)


def test_concurrent_cancellations_are_applied_once(arena):
    """Both see it cancelled, and exactly one of them has done it."""
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()
        appointment = arena.booked(0, slot)
        both = together(
            lambda v=appointment: arena.doctor.put(f"/api/appointments/{v}/status", json={"status": "cancelled"}),
            lambda v=appointment: arena.patients[0].put(f"/api/appointments/{v}/cancel"),
        )
        assert outcome(*both) == "200 / 200"
        assert sorted(answer.json()["data"]["changed"] for answer in both) == [False, True]
        by = "doctor" if both[0].json()["data"]["changed"] else "patient"
        assert {answer.json()["data"]["appointment"]["cancelledBy"] for answer in both} == {by}
        assert arena.live() == 0


def test_concurrent_undo_and_patient_action(arena):
    """Either it is pending again and nothing is proposed for it, or it stays confirmed."""
    slots = arena.slots()
    for other in slots[1 : ROUNDS + 1]:
        arena.clear()
        appointment = arena.booked(0, slots[0])
        confirm = {"status": "confirmed", "undoable": True}
        assert arena.doctor.put(f"/api/appointments/{appointment}/status", json=confirm).status_code == 200
        undone, proposed = together(
            lambda v=appointment: arena.doctor.post(f"/api/appointments/{v}/undo"),
            lambda v=appointment, s=other: arena.patients[0].post(f"/api/appointments/{v}/proposal", json=s),
        )
        assert outcome(undone, proposed) in {"200 / 409 illegal_transition", "409 illegal_transition / 201"}
        assert arena.live() == 1


def test_concurrent_move_by_the_doctor_and_cannot_make_it(arena):
    slots = arena.slots()
    # Some days ahead, before the doctor's cutoff.
    for number in range(ROUNDS):
        arena.clear()
        appointment = arena.booked(0, slots[30])
        assert (
            arena.doctor.put(f"/api/appointments/{appointment}/status", json={"status": "confirmed"}).status_code == 200
        )
        moved, cancelled = together(
            lambda v=appointment, s=slots[31 + number]: arena.doctor.post(f"/api/appointments/{v}/move", json=s),
            lambda v=appointment: arena.patients[0].post(f"/api/appointments/{v}/cancel-request"),
        )
        assert outcome(moved, cancelled) in {
            "200 / 200", "200 / 409 illegal_transition", "409 illegal_transition / 200",
        }  # fmt: skip
        assert arena.live() == (0 if cancelled.status_code == 200 else 1)


def test_concurrent_move_by_the_doctor_and_booking_of_one_time(arena):
    slots = arena.slots()
    for slot in slots[1 : ROUNDS + 1]:
        arena.clear()
        appointment = arena.booked(0, slots[0])
        moved, book = together(
            lambda v=appointment, s=slot: arena.doctor.post(f"/api/appointments/{v}/move", json=s),
            lambda s=slot: arena.book(1, s),
        )
        assert outcome(moved, book) in {"200 / 409 slot_taken", "409 slot_taken / 201"}
        assert arena.live() == (1 if moved.status_code == 200 else 2)


def test_concurrent_confirm_and_expiry(arena):
    """At the deadline another patient takes the time while the doctor confirms: one of the two has it."""
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()
        appointment = arena.booked(0, slot)
        deadline = (datetime.now(UTC) + timedelta(milliseconds=60)).strftime("%Y-%m-%d %H:%M:%S.%f")
        zone = "" if arena.server.is_sqlite else "+00"
        arena.server.sql(f"UPDATE appointments_appointment SET respond_by = '{deadline}{zone}'")
        arena.server.sql(f"UPDATE doctors_reservation SET expires_at = '{deadline}{zone}'")
        confirm, book = together(
            lambda v=appointment: arena.doctor.put(f"/api/appointments/{v}/status", json={"status": "confirmed"}),
            lambda s=slot: arena.book(1, s),
        )
        assert outcome(confirm, book) in {
            "200 / 409 slot_taken", "409 illegal_transition / 201", "409 illegal_transition / 409 slot_taken",
        }  # fmt: skip
        assert arena.live() <= 1


def test_concurrent_booking_and_day_off(arena):
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()
        arena.doctor.put("/api/doctors/schedule", json={"overrides": []})
        day_off = {"overrides": [{"date": slot["appointmentDate"], "hours": []}]}
        book, off = together(
            lambda s=slot: arena.book(0, s), lambda d=day_off: arena.doctor.put("/api/doctors/schedule", json=d)
        )
        # The second one learns of the first.
        assert outcome(book, off) in {"201 / 409 visits_affected", "409 time_not_offered / 200"}
    arena.doctor.put("/api/doctors/schedule", json={"overrides": []})


def test_concurrent_booking_by_doctor_and_patient(arena):
    """The doctor promises a time by phone while another patient takes it, or the same patient asks for it."""
    arena.clear()
    known = arena.book(0, arena.slots()[0]).json()["data"]["appointment"]["patient"]["_id"]
    address = f"/api/doctors/patients/{known}/appointments"
    for number, slot in enumerate(arena.slots()[1 : ROUNDS + 1]):
        arena.clear()
        promised, book = together(
            lambda s=slot: arena.doctor.post(address, json=s), lambda s=slot, n=number: arena.book(n % 2, s)
        )
        if number % 2:
            assert outcome(promised, book) in {"201 / 409 slot_taken", "409 slot_taken / 201"}
        else:
            assert outcome(promised, book) in {"201 / 200", "200 / 201"}
        assert arena.live() == 1


def test_concurrent_booking_and_blocking(arena):
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()
        arena.doctor.put("/api/doctors/schedule", json={"blocked": []})
        stretch = {"date": slot["appointmentDate"], "start": "00:00", "end": "24:00"}
        book, block = together(
            lambda s=slot: arena.book(0, s),
            lambda b=stretch: arena.doctor.post("/api/doctors/schedule/blocked", json=b),
        )
        assert outcome(book, block) in {"201 / 409 visits_affected", "409 time_not_offered / 201"}
    arena.doctor.put("/api/doctors/schedule", json={"blocked": []})


def test_concurrent_blocking_of_one_time(arena):
    for slot in arena.slots()[:ROUNDS]:
        stretch = {"date": slot["appointmentDate"], "start": "09:00", "end": "10:00"}
        arena.doctor.put("/api/doctors/schedule", json={"blocked": []})
        arena.clear()
        act = lambda b=stretch: arena.doctor.post("/api/doctors/schedule/blocked", json=b)  # noqa: E731 - as above
        first, second = together(act, act)
        assert outcome(first, second) in {"201 / 200", "200 / 201"}
        assert first.json()["data"] == second.json()["data"]
    arena.doctor.put("/api/doctors/schedule", json={"blocked": []})


def test_concurrent_booking_and_revocation(arena):
    for slot in arena.slots()[:ROUNDS]:
        arena.clear()

        def revoke() -> httpx.Response:
            arena.server.sql("UPDATE doctors_doctorprofile SET approval = 'revoked'")
            return httpx.Response(200, json={})

        book, _ = together(lambda s=slot: arena.book(0, s), revoke)
        assert outcome(book) in {"201", "404 doctor_unavailable"}
        assert outcome(arena.book(1, slot)) == "404 doctor_unavailable"
        arena.server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
