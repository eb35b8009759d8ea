"""Users who book continuously on a real server, and the invariants of its database."""

import threading
import time
from collections import Counter, deque
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import httpx

from appointments.tests.scheduling.concurrency import register_doctor_and_patients
from config.testing import RealServer

# Each of these selects what must not be: a half of something that is written whole.
HALVES = {
    "appointments without the time they take": (
        "SELECT id FROM appointments_appointment WHERE status <> 'cancelled' AND reservation_id IS NULL"
    ),
    "times taken for no appointment": (
        "SELECT id FROM doctors_reservation c WHERE kind = 'appointment'"
        " AND NOT EXISTS (SELECT 1 FROM appointments_appointment a WHERE a.reservation_id = c.id)"
    ),
    "appointments that the trail does not know": (
        "SELECT id FROM appointments_appointment a WHERE (SELECT count(*) FROM accounts_auditevent e"
        " WHERE e.event = 'appointment.booked' AND e.entity_type = 'appointment'"
        " AND replace(e.entity_id, '-', '') = replace(CAST(a.id AS text), '-', '')) <> 1"
    ),
    "rows of the trail about no appointment": (
        "SELECT id FROM accounts_auditevent e WHERE event = 'appointment.booked' AND NOT EXISTS"
        " (SELECT 1 FROM appointments_appointment a"
        " WHERE replace(e.entity_id, '-', '') = replace(CAST(a.id AS text), '-', ''))"
    ),
    "appointments that one side or both were not told of": (
        "SELECT id FROM appointments_appointment a WHERE (SELECT count(*) FROM accounts_notice n"
        " WHERE n.event = 'appointment.booked' AND n.subject_type = 'appointment'"
        " AND replace(n.subject_id, '-', '') = replace(CAST(a.id AS text), '-', '')) <> 2"
    ),
    "patients whom their doctor does not know": (
        "SELECT id FROM appointments_appointment a WHERE NOT EXISTS (SELECT 1 FROM appointments_patientofdoctor p"
        " WHERE p.doctor_id = a.doctor_id AND p.patient_id = a.patient_id)"
    ),
}


def halves(server: RealServer) -> dict[str, int]:
    """Count what is half-written; empty when all is well."""
    found = {what: len(server.sql(statement)) for what, statement in HALVES.items()}
    return {what: number for what, number in found.items() if number}


def appointments(server: RealServer) -> set[str]:
    """Return the ids of all appointments, as the API writes them."""
    rows = server.sql("SELECT replace(CAST(id AS text), '-', '') FROM appointments_appointment")
    return {row[0] for row in rows}


class Bookers:
    """Patients who book one free time after the other, each on a thread, until told to stop.

    `acknowledged` are the ids of appointments that the server said are booked, `answers` counts statuses, `broken` what
    became of requests that got no answer.
    """

    def __init__(self, server: RealServer, patients: int = 4) -> None:
        self.server = server
        clients, self.doctor_id = register_doctor_and_patients(server, patients)
        self.tokens = [client.headers["Authorization"] for client in clients]
        # Short appointments, so that there are times enough for a long soak.
        server.sql("UPDATE doctors_doctorprofile SET appointment_minutes = 15")
        first = datetime.now(UTC).date() + timedelta(days=1)
        slots = []
        for window in range(3):
            asked = {"from": (first + timedelta(days=60 * window)).isoformat(), "days": "60"}
            days = clients[0].get(f"/api/doctors/{self.doctor_id}/slots", params=asked).json()["data"]["slots"]
            slots += [{"appointmentDate": day["date"], "appointmentTime": at} for day in days for at in day["times"]]
        for client in clients:
            client.close()
        # Each patient goes through times of their own, so that a refusal is never another patient's doing.
        self.slots = [deque(slots[number::patients]) for number in range(patients)]
        self.acknowledged: set[str] = set()
        self.answers: Counter[int] = Counter()
        self.broken: Counter[str] = Counter()
        self.slowest = 0.0
        self.odd: list[str] = []
        self.stopping = threading.Event()
        self.threads: list[threading.Thread] = []

    def __enter__(self) -> "Bookers":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self.stopping.clear()
        self.threads = [threading.Thread(target=self._book, args=(number,)) for number in range(len(self.tokens))]
        for thread in self.threads:
            thread.start()

    def stop(self) -> None:
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def book(self, number: int, client: httpx.Client) -> httpx.Response:
        """Book the next free time of a patient; while it is surely not booked, it stays the next one."""
        slot = self.slots[number][0]
        try:
            answer = client.post("/api/appointments", json={"doctorId": self.doctor_id, **slot})
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise
        except httpx.TransportError:
            # It may have been booked.
            self.slots[number].popleft()
            raise
        if answer.status_code < 500:
            self.slots[number].popleft()
        return answer

    def _book(self, number: int) -> None:
        headers = {"Authorization": self.tokens[number]}
        with httpx.Client(base_url=self.server.url, timeout=30, headers=headers) as client:
            while not self.stopping.is_set():
                began = time.monotonic()
                try:
                    answer = self.book(number, client)
                except httpx.TransportError as broken:
                    self.broken[type(broken).__name__] += 1
                    time.sleep(0.02)
                    continue
                self.slowest = max(self.slowest, time.monotonic() - began)
                self.answers[answer.status_code] += 1
                # 200 is the appointment that stands: an earlier try was booked, and its answer got lost on the way.
                if answer.status_code in {200, 201}:
                    self.acknowledged.add(answer.json()["data"]["appointment"]["_id"].replace("-", ""))
                else:
                    self.odd.append(answer.text)
                    time.sleep(0.02)

    def wait_for(self, number: int, seconds: float = 60) -> None:
        """Wait until `number` more bookings have been acknowledged."""
        wanted = len(self.acknowledged) + number
        deadline = time.monotonic() + seconds
        while len(self.acknowledged) < wanted:
            assert time.monotonic() < deadline, f"Nothing is booked: {self.answers}, {self.broken}, {self.odd[-1:]}"
            time.sleep(0.01)


def is_refused(url: str) -> bool:
    """Return whether nobody listens there."""
    with suppress(httpx.TransportError), httpx.Client(timeout=5) as client:
        client.get(f"{url}/healthz")
        return False
    return True
