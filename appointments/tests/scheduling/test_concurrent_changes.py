"""Any two acts on an appointment, or on its people, at the same moment: no 5xx, no deadlock, nothing half-done.

`CONCURRENCY_ROUNDS` raises the count; `dev.py soak` runs each pair many times.
"""

import contextlib
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from uuid import UUID

import httpx
import psycopg
import pytest

from appointments.tests.scheduling.concurrency import (
    DOCTOR_FIELDS,
    PASSWORD,
    BookingSite,
    describe_outcome,
    register_doctor_and_patients,
    register_user,
    run_concurrently,
    sign_in,
)
from config.testing import ROOT, run_server

ROUNDS = int(os.environ.get("CONCURRENCY_ROUNDS", "5"))

# As SQLite stores instants, so that an equal one is found; PostgreSQL reads it, too.
LONG_AGO = "'2020-01-01 00:00:00'"
# Ends what has run out without a pause; a round of the housekeeping comes every few seconds.
SWEEPING = """
import time
from django.utils import timezone
from appointments.scheduling.expiry import sweep_expired
while True:
    if any(ended := sweep_expired(timezone.now()).values()):
        print(*ended, flush=True)
    time.sleep(0.002)
"""

# Each selects what must not be once all acts are over.
REMAINS = {
    "proposals open for an appointment that has ended": (
        "SELECT p.id FROM appointments_proposal p JOIN appointments_appointment a ON a.id = p.appointment_id"
        " WHERE p.answer = 'open' AND a.status NOT IN ('pending', 'confirmed')"
    ),
    "times kept by a proposal that is not open": (
        "SELECT c.id FROM doctors_reservation c WHERE c.kind = 'proposal'"
        " AND NOT EXISTS (SELECT 1 FROM appointments_proposal p WHERE p.reservation_id = c.id AND p.answer = 'open')"
    ),
    "times taken for no appointment": (
        "SELECT c.id FROM doctors_reservation c WHERE c.kind = 'appointment'"
        " AND NOT EXISTS (SELECT 1 FROM appointments_appointment a WHERE a.reservation_id = c.id)"
    ),
    "appointments at another time than the one they take": (
        "SELECT a.id FROM appointments_appointment a JOIN doctors_reservation c ON c.id = a.reservation_id"
        " WHERE a.starts_at <> c.starts_at OR a.ends_at <> c.ends_at"
    ),
    "appointments with two open proposals": (
        "SELECT appointment_id FROM appointments_proposal WHERE answer = 'open' GROUP BY 1 HAVING count(*) > 1"
    ),
}


class AppointmentSite(BookingSite):
    """One appointment at a time, its patient, its doctor, and an admin."""

    admin: httpx.Client
    appointment: str = ""
    free: list[dict[str, str]]
    people = 0

    def deadlocks(self) -> int:
        """Count those that the database has had to end; SQLite has one writer at a time.

        PostgreSQL's processes tell of the last ones when they end.
        """
        self.server.stop()
        if self.server.is_sqlite:
            return 0
        with psycopg.connect(self.server.database_url, autocommit=True) as connection:
            row = connection.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            return int((row.fetchone() or (0,))[0])

    def replace(self, acts: Iterable[str]) -> None:
        """Bring who comes next in the place of whom these acts have stopped or ended, and open the day again."""
        self.people += 1
        if {"delete_patient", "stop_patient"} & set(acts):
            self.patients[0].close()
            self.patients[0] = register_user(self.server, "patient", 1000 + self.people)
        if {"delete_doctor", "stop_doctor"} & set(acts):
            self.doctor.close()
            practice = DOCTOR_FIELDS | {"licenseNumber": f"TEST-RACE-{self.people}"}
            self.doctor = register_user(self.server, "doctor", 1000 + self.people, **practice)
            self.doctor_id = self.doctor.get("/api/auth/profile").json()["data"]["user"]["_id"]
            assert self.approve().status_code == 200
        if "day_off" in acts:
            self.doctor.put("/api/doctors/schedule", json={"overrides": []})

    def on_appointment(self, method: str, what: str, who: httpx.Client, **body: object) -> httpx.Response:
        return who.request(method, f"/api/appointments/{self.appointment}/{what}", json=body)

    def set_up(self, number: int, *, status: str, proposed_by: str) -> None:
        """Bring an appointment of that status, with another time proposed or none."""
        self.clear()
        self.free = self.slots()
        start = number * 5 % (len(self.free) - 10)
        self.free = self.free[start : start + 10]
        self.appointment = self.booked(0, self.free[0])
        if status != "pending":
            assert self.confirm().status_code == 200
        if status == "completed":
            # Nobody completes what is still ahead, and what is over is not booked.
            self.server.sql(
                "UPDATE appointments_appointment SET status = 'completed', attended = TRUE,"
                " completed_at = updated_at, version = version + 1"
            )
        assert self.hold().status_code == 201
        if proposed_by:
            who = self.doctor if proposed_by == "doctor" else self.patients[0]
            assert self.propose(who, 1).status_code == 201

    def confirm(self) -> httpx.Response:
        return self.on_appointment("PUT", "status", self.doctor, status="confirmed", undoable=True)

    def undo(self) -> httpx.Response:
        return self.on_appointment("POST", "undo", self.doctor)

    def reopen(self) -> httpx.Response:
        return self.on_appointment("POST", "reopen", self.doctor)

    def move_by_desk(self) -> httpx.Response:
        return self.on_appointment("POST", "move", self.doctor, **self.free[8])

    def move_onto_the_hold(self) -> httpx.Response:
        return self.on_appointment("POST", "move", self.doctor, **self.free[6])

    def complete(self) -> httpx.Response:
        return self.on_appointment("PUT", "status", self.doctor, status="completed", attended=True)

    def decline(self) -> httpx.Response:
        return self.on_appointment("PUT", "status", self.doctor, status="cancelled", reason="Away that day.")

    def cancel(self) -> httpx.Response:
        return self.on_appointment("PUT", "cancel", self.patients[0])

    def cancel_by_admin(self) -> httpx.Response:
        return self.on_appointment("PUT", "cancel", self.admin, reason="The clinic is closed.")

    def cannot_come(self) -> httpx.Response:
        return self.on_appointment("POST", "cancel-request", self.patients[0], reason="Ill.")

    def can_come(self) -> httpx.Response:
        return self.on_appointment("DELETE", "cancel-request", self.patients[0])

    def move(self) -> httpx.Response:
        return self.on_appointment("PUT", "reschedule", self.patients[0], **self.free[2])

    def propose(self, who: httpx.Client, slot: int = 3) -> httpx.Response:
        return self.on_appointment("POST", "proposal", who, reason="Another time?", **self.free[slot])

    def propose_by_doctor(self) -> httpx.Response:
        return self.propose(self.doctor)

    def propose_by_patient(self) -> httpx.Response:
        return self.propose(self.patients[0], 4)

    def accept_by_patient(self) -> httpx.Response:
        return self.on_appointment("PUT", "proposal", self.patients[0], accept=True)

    def accept_by_doctor(self) -> httpx.Response:
        return self.on_appointment("PUT", "proposal", self.doctor, accept=True)

    def turn_down(self) -> httpx.Response:
        return self.on_appointment("PUT", "proposal", self.patients[0], accept=False)

    def write_record(self) -> httpx.Response:
        return self.on_appointment("PUT", "visit", self.doctor, version=0, diagnosis="Invented.")

    def day_off(self) -> httpx.Response:
        day = {"date": self.free[0]["appointmentDate"], "hours": []}
        decided = {"visits": {self.appointment: "cancel"}, "reason": "Away."}
        return self.doctor.put("/api/doctors/schedule", json={"overrides": [day], **decided})

    def book_again(self) -> httpx.Response:
        return self.book(0, self.free[5])

    def hold(self, slot: int = 6) -> httpx.Response:
        return self.patients[0].post("/api/appointments/hold", json={"doctorId": self.doctor_id, **self.free[slot]})

    def hold_another(self) -> httpx.Response:
        return self.hold(7)

    def change_practice(self) -> httpx.Response:
        return self.doctor.put("/api/doctors/profile", json={"bio": f"Invented {random.random()}."})

    def change_profile(self) -> httpx.Response:
        return self.patients[0].put("/api/auth/profile", json={"name": f"Racer {random.randrange(10**6)}"})

    def book_its_time(self) -> httpx.Response:
        return self.book(1, self.free[0])

    def run_out(self) -> httpx.Response:
        """Let the deadlines of the appointment, of its proposals and of holds pass, all behind the product's back."""
        self.server.sql(f"UPDATE appointments_appointment SET respond_by = {LONG_AGO} WHERE status = 'pending'")
        self.server.sql(f"UPDATE appointments_proposal SET expires_at = {LONG_AGO} WHERE answer = 'open'")
        for late in (
            "kind = 'hold'",
            f"id IN (SELECT reservation_id FROM appointments_appointment WHERE respond_by = {LONG_AGO})",
            f"id IN (SELECT reservation_id FROM appointments_proposal WHERE expires_at = {LONG_AGO})",
        ):
            # Each by itself: one statement for all would lock them in an order of its own.
            self.server.sql(f"UPDATE doctors_reservation SET expires_at = {LONG_AGO} WHERE {late}")
        return httpx.Response(200)

    def approve(self) -> httpx.Response:
        return self.admin.put(
            f"/api/doctors/{self.doctor_id}/approve", json={"isApproved": True, "approvalReason": "Seen in person."}
        )

    def stop_doctor(self) -> httpx.Response:
        return self.admin.put(f"/api/admin/users/{self.doctor_id}/status", json={"status": "inactive"})

    def stop_patient(self) -> httpx.Response:
        return self.admin.put(f"/api/admin/users/{self.patient_id()}/status", json={"status": "inactive"})

    def delete_patient(self) -> httpx.Response:
        return self.admin.delete(f"/api/admin/users/{self.patient_id()}")

    def delete_doctor(self) -> httpx.Response:
        return self.admin.delete(f"/api/admin/users/{self.doctor_id}")

    def patient_id(self) -> str:
        (row,) = self.server.sql("SELECT patient_id FROM appointments_appointment")
        return str(UUID(str(row[0])))

    def has_swept(self) -> None:
        """Wait until nothing is left that has run out."""
        late = f"SELECT count(*) FROM doctors_reservation WHERE expires_at = {LONG_AGO}"
        for _ in range(500):
            if self.server.sql(late) == [(0,)]:
                return
            time.sleep(0.01)
        raise AssertionError("What has run out is still there.")

    def is_whole(self) -> None:
        """Nothing is left of what two acts did that one of them alone would not have left."""
        left = {what: self.server.sql(statement) for what, statement in REMAINS.items()}
        assert {what: rows for what, rows in left.items() if rows} == {}
        self.live()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    settings = {"ADMIN_PASSWORD": PASSWORD, "MAX_HOLDS_PER_IP": "10000", "MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT": "10000"}
    with run_server(tmp_path_factory.mktemp("site"), workers=2, **settings) as server:
        patients, doctor_id = register_doctor_and_patients(server, 2)
        server.manage("create_admin", "--email", "admin@example.com", "--name", "Invented Admin")
        one = AppointmentSite(server, sign_in(server, "doctor0@example.com", "doctor"), doctor_id, patients)
        one.admin = sign_in(server, "admin@example.com", "admin")
        yield one
        for client in (one.doctor, one.admin, *one.patients):
            client.close()
        assert one.deadlocks() == 0


ON_APPOINTMENTS = (
    *("confirm", "complete", "decline", "cancel", "cancel_by_admin", "cannot_come", "move", "propose_by_doctor"),
    *("propose_by_patient", "accept_by_patient", "accept_by_doctor", "turn_down", "write_record", "day_off"),
    *("book_again", "hold_another", "change_practice", "change_profile"),
    *("undo", "reopen", "move_by_desk", "move_onto_the_hold", "can_come"),
)
OF_PATIENT, OF_DOCTOR = ("delete_patient", "stop_patient"), ("delete_doctor", "stop_doctor")
STANDINGS = [
    ("pending", ""), ("pending", "doctor"), ("confirmed", ""), ("confirmed", "doctor"), ("confirmed", "patient"),
    ("completed", ""),
]  # fmt: skip


def crossings(pairs, rounds):
    """List so many pairs of acts with what the appointment is like before, each as often as any other."""
    cases = list(itertools.product(pairs, STANDINGS))
    random.Random(7).shuffle(cases)
    return enumerate(itertools.islice(itertools.cycle(cases), rounds))


def test_two_concurrent_actions_on_one_appointment(site):
    answers = Counter()
    for number, (pair, (status, proposed_by)) in crossings(itertools.permutations(ON_APPOINTMENTS, 2), ROUNDS * 8):
        site.set_up(number, status=status, proposed_by=proposed_by)
        done = run_concurrently(*(getattr(site, act) for act in pair))
        answers[describe_outcome(*done)] += 1
        site.is_whole()
        site.replace(pair)
    # Or nothing has met.
    assert any(outcome.startswith("20") and " / 20" in outcome for outcome in answers), answers


def test_closing_or_deactivating_an_account_during_appointment_actions(site):
    pairs = itertools.product((*OF_PATIENT, *OF_DOCTOR), ON_APPOINTMENTS)
    for number, (pair, (status, proposed_by)) in crossings(pairs, ROUNDS * 3):
        site.set_up(number, status=status, proposed_by=proposed_by)
        ended = run_concurrently(*(getattr(site, act) for act in pair))[0]
        assert ended.status_code == 200, ended.text
        site.is_whole()
        site.replace(pair)


def test_both_accounts_of_an_appointment_closed_or_deactivated_concurrently(site):
    for number, (pair, (status, proposed_by)) in crossings(itertools.product(OF_PATIENT, OF_DOCTOR), ROUNDS * 2):
        site.set_up(number, status=status, proposed_by=proposed_by)
        ended = run_concurrently(*(getattr(site, act) for act in pair))
        assert [answer.status_code for answer in ended] == [200, 200]
        site.is_whole()
        site.replace(pair)


def test_concurrent_profile_change_approval_and_deactivation(site):
    for number in range(ROUNDS):
        site.set_up(number, status="pending", proposed_by="")
        run_concurrently(site.change_practice, site.approve, site.stop_doctor, site.book_again)
        site.is_whole()
        site.replace(["stop_doctor"])


@contextlib.contextmanager
def sweeping(server):
    """Let the housekeeping end what runs out the moment it does; return the file of what it has ended."""
    with tempfile.TemporaryFile("w+") as ended:
        command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", SWEEPING]
        sweeper = subprocess.Popen(command, cwd=ROOT, env=server.environment, stdout=ended, stderr=subprocess.STDOUT)
        try:
            yield ended
            assert sweeper.poll() is None, "The sweeping has broken off."
        finally:
            sweeper.kill()
            sweeper.wait()


def test_expiry_concurrent_with_an_action(site):
    answers = Counter()
    meeting = [act for act in ON_APPOINTMENTS if act != "book_again"] + ["book_its_time"]
    with sweeping(site.server) as ended:
        for number, (pair, (status, proposed_by)) in crossings([("run_out", act) for act in meeting], ROUNDS * 4):
            site.set_up(number, status=status, proposed_by=proposed_by)
            done = run_concurrently(*(getattr(site, act) for act in pair))
            answers[describe_outcome(done[1])] += 1
            site.has_swept()
            site.is_whole()
            site.replace(pair)
        ended.seek(0)
        swept = [sum(numbers) for numbers in zip(*(map(int, line.split()) for line in ended), strict=True)]
    # Or nothing has met.
    assert min(swept[:2]) > 0, swept
    assert any(each.startswith("20") for each in answers), answers
    assert any(each.startswith("4") for each in answers), answers
