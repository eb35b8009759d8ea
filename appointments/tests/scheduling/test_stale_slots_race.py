"""Test how long, and to whom, two servers on one database still offer a booked slot."""

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from accounts.tests.auth.second_server import start_second_server
from appointments.tests.scheduling.concurrency import list_free_slots, register_doctor_and_patients

BOOKERS = 4
BOOKINGS = 6
CACHE_SECONDS = 1


@pytest.fixture
def two(real_server):
    """Two servers that cache visitors' responses, an approved doctor and some patients."""
    first = real_server(workers=1, PUBLIC_CACHE_SECONDS=str(CACHE_SECONDS))
    with start_second_server(first) as second:
        clients, doctor_id = register_doctor_and_patients(first, BOOKERS)
        yield first, second, clients, doctor_id
        for client in clients:
            client.close()


def offered(response):
    """Return the slots that a response offers: (date, time)."""
    assert response.status_code == 200, response.text
    return {(day["date"], each) for day in response.json()["data"]["slots"] for each in day["times"]}


class Race:
    """What was booked and when, and what readers were offered meanwhile."""

    def __init__(self, url):
        self.url = url
        self.booked: dict[tuple[str, str], float] = {}
        self.is_over = threading.Event()
        self.wrong: list[str] = []
        self.stale = 0
        self.statuses: Counter[int] = Counter()

    def booked_before(self, moment):
        return {slot for slot, at in list(self.booked.items()) if at <= moment}

    def check(self, client, taken):
        """Read the slots; none of these may be offered."""
        seen = offered(client.get(self.url))
        if both := taken & seen:
            self.wrong.append(f"{sorted(both)} at {client.base_url}")
        return seen

    def read_as_visitor(self, server):
        etag = ""
        with httpx.Client(base_url=server.url, timeout=60) as client:
            while not self.is_over.is_set():
                now = time.monotonic()
                booked = self.booked_before(now)
                seen = self.check(client, self.booked_before(now - CACHE_SECONDS))
                self.stale += bool(booked & seen)
                response = client.get(self.url, headers={"If-None-Match": etag})
                self.statuses[response.status_code] += 1
                etag = response.headers["etag"]

    def read_signed_in(self, server, patient):
        with httpx.Client(base_url=server.url, timeout=60, headers=patient.headers) as client:
            while not self.is_over.is_set():
                self.check(client, set(self.booked))

    def book(self, servers, patient, doctor_id, slots):
        clients = [httpx.Client(base_url=server.url, timeout=60, headers=patient.headers) for server in servers]
        for slot in slots:
            response = clients[0].post("/api/appointments", json={"doctorId": doctor_id, **slot})
            assert response.status_code == 201, response.text
            mine = (slot["appointmentDate"], slot["appointmentTime"])
            self.booked[mine] = time.monotonic()
            for client in clients:
                self.check(client, {mine})
            time.sleep(0.02)
        for client in clients:
            client.close()


def test_booked_slot_is_offered_only_to_visitors_for_the_cache_lifetime(two):
    """Readers ask both servers without a pause while others book."""
    *servers, patients, doctor_id = two
    race = Race(f"/api/doctors/{doctor_id}/slots?days=62")
    slots = list_free_slots(patients[0], doctor_id)[: BOOKINGS * BOOKERS]
    with ThreadPoolExecutor(BOOKERS + 4) as pool:
        readers = [pool.submit(race.read_as_visitor, server) for server in servers]
        readers += [pool.submit(race.read_signed_in, server, patients[0]) for server in servers]
        bookers = [
            pool.submit(race.book, servers, patient, doctor_id, slots[number::BOOKERS])
            for number, patient in enumerate(patients)
        ]
        for booker in bookers:
            booker.result()
        # Until the last booking shows.
        time.sleep(CACHE_SECONDS + 0.5)
        race.is_over.set()
        for reader in readers:
            reader.result()
    assert race.wrong == []
    assert len(race.booked) == BOOKINGS * BOOKERS
    # The control: visitors were served from the cache, and got newer responses afterwards.
    assert race.stale
    assert race.statuses[304]
    assert race.statuses[200]
