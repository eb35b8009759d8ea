"""Visitors and patients who use a site through its proxy, and count every response that is not the expected one."""

import functools
import itertools
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import httpx

from appointments.tests.scheduling.concurrency import DOCTOR_FIELDS, list_free_slots, register_user
from config.testing import RealServer

PAUSE_SECONDS = 0.05
# Every so many bookings, a patient cancels one.
CANCEL_EVERY = 3


@dataclass
class Patient:
    """A signed-in patient with a doctor of their own, so that nobody else takes the times they book."""

    token: str
    doctor_id: str
    slots: list[dict[str, str]]
    booked: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)


def register_patients(server: RealServer, count: int) -> list[Patient]:
    """Register patients, each with an approved doctor."""
    patients = []
    for number in range(count):
        fields = DOCTOR_FIELDS | {"licenseNumber": f"TEST-{number}"}
        with closing(register_user(server, "doctor", number, **fields)) as doctor:
            doctor_id = doctor.get("/api/auth/profile").json()["data"]["user"]["_id"]
        server.sql(
            "UPDATE doctors_doctorprofile SET approval = 'approved', appointment_minutes = 15 WHERE user_id ="
            f" (SELECT id FROM accounts_user WHERE email = 'doctor{number}@example.com')"
        )
        with closing(register_user(server, "patient", number)) as patient:
            token = patient.headers["Authorization"]
            patients.append(Patient(token, doctor_id, list_free_slots(patient, doctor_id)))
    return patients


class SiteLoad:
    """Threads that use the site at `url` until the block ends.

    `statuses` counts all responses, and `failures` describes those that were not the expected ones.
    """

    def __init__(self, url: str, patients: list[Patient], visitors: int = 2) -> None:
        self.url = url
        self.patients = patients
        self.statuses: Counter[int] = Counter()
        self.failures: list[str] = []
        self.slowest = 0.0
        self._stop = threading.Event()
        actions: list[Callable[[], None]] = [self._visit] * visitors
        actions += [functools.partial(self._book, patient) for patient in patients]
        self._threads = [threading.Thread(target=action) for action in actions]

    def __enter__(self) -> "SiteLoad":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    @property
    def requests(self) -> int:
        return self.statuses.total()

    @property
    def bookings(self) -> int:
        return sum(len(patient.booked) for patient in self.patients)

    def wait_for_bookings(self, count: int) -> None:
        """Wait until so many more appointments have been booked."""
        target = self.bookings + count
        deadline = time.monotonic() + 120
        while self.bookings < target:
            assert time.monotonic() < deadline, (self.statuses, self.failures[-3:])
            time.sleep(0.05)

    def _call(self, client: httpx.Client, method: str, path: str, expected: int = 200, **more: Any) -> httpx.Response:
        began = time.monotonic()
        try:
            response = client.request(method, path, **more)
        except httpx.TransportError as error:
            self.statuses[0] += 1
            self.failures.append(f"{method} {path}: {error!r}")
            return httpx.Response(0)
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.statuses[response.status_code] += 1
        if response.status_code != expected:
            self.failures.append(f"{response.status_code} {method} {path}: {response.text[:300]}")
        return response

    def _client(self, token: str = "") -> httpx.Client:
        headers = {"Authorization": token} if token else {}
        # The certificate is the test's own.
        return httpx.Client(base_url=self.url, headers=headers, timeout=60, verify=False)

    def _visit(self) -> None:
        """Load the home page with its files, those of a page opened earlier, the directory and a doctor."""
        doctor_ids = itertools.cycle([patient.doctor_id for patient in self.patients])
        with self._client() as client:
            open_page = list_files(self._call(client, "GET", "/").text)
            while not self._stop.is_set():
                page = self._call(client, "GET", "/")
                for path in {*list_files(page.text), *open_page[:2]}:
                    self._call(client, "GET", path)
                doctor_id = next(doctor_ids)
                for path in (
                    "/api/doctors",
                    f"/doctors/{doctor_id}",
                    f"/api/doctors/{doctor_id}",
                    f"/api/doctors/{doctor_id}/slots?days=14",
                ):
                    self._call(client, "GET", path)
                time.sleep(PAUSE_SECONDS)

    def _book(self, patient: Patient) -> None:
        """Book one time after the other, cancel some, and look at the list."""
        with self._client(patient.token) as client:
            while not self._stop.is_set():
                body = {"doctorId": patient.doctor_id, **patient.slots.pop(0)}
                response = self._call(client, "POST", "/api/appointments", 201, json=body)
                if response.status_code == 201:
                    appointment_id = response.json()["data"]["appointment"]["_id"]
                    patient.booked.append(appointment_id)
                    if len(patient.booked) % CANCEL_EVERY == 0:
                        path = f"/api/appointments/{appointment_id}/cancel"
                        if self._call(client, "PUT", path, json={}).status_code == 200:
                            patient.cancelled.append(appointment_id)
                self._call(client, "GET", "/api/appointments")
                self._call(client, "GET", "/api/auth/profile")
                time.sleep(PAUSE_SECONDS)


def list_files(page: str) -> list[str]:
    """Return the paths of the files that a page loads."""
    return re.findall(r'(?:src|href)="(/static/app/assets/[^"]+)"', page)
