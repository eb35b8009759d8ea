"""What one network can hold and request is exact, also when all of it comes at the same moment.

`NETWORK_ROUNDS` raises the count; `dev.py soak` runs 50.
"""

import os
import threading
from collections import Counter
from contextlib import closing
from datetime import date, timedelta

import httpx

from appointments.tests.scheduling.concurrency import (
    DOCTOR_FIELDS,
    list_free_slots,
    register_unconfirmed_user,
    register_user,
)
from config.testing import RealServer

RACERS = 80
ROUNDS = int(os.environ.get("NETWORK_ROUNDS", "2"))
MOST = 20


def race(calls: list[tuple[httpx.Client, str, dict[str, str]]]) -> Counter[str]:
    """Send all of it at the same moment; return how often each status and code came."""
    got = []
    start = threading.Barrier(len(calls))

    def run(client: httpx.Client, path: str, body: dict[str, str]) -> None:
        start.wait(timeout=60)
        # Each on a connection of its own, as from so many browsers.
        answer = httpx.post(client.base_url.join(path), json=body, headers=client.headers, timeout=60)
        got.append(f"{answer.status_code} {answer.json().get('code', '')}".strip())

    threads = [threading.Thread(target=run, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(got)


def open_practice(server: RealServer) -> tuple[httpx.Client, str, list[dict[str, str]]]:
    """Bring an approved doctor; return a visitor, the doctor's id and the free times."""
    with closing(register_user(server, "doctor", 0, **DOCTOR_FIELDS)) as doctor:
        doctor_id = doctor.get("/api/auth/profile").json()["data"]["user"]["_id"]
    server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
    visitor = httpx.Client(base_url=server.url, timeout=60)
    return visitor, doctor_id, list_free_slots(visitor, doctor_id)


def holds_at_once(visitor: httpx.Client, doctor_id: str, slots: list[dict[str, str]]) -> Counter[str]:
    return race([(visitor, "/api/appointments/hold", {"doctorId": doctor_id, **slot}) for slot in slots])


def of_one_week(slots: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return the times of the first whole week."""
    first = date.fromisoformat(slots[0]["appointmentDate"])
    monday = first + timedelta(days=7 - first.weekday())
    days = {(monday + timedelta(days=number)).isoformat() for number in range(7)}
    return [slot for slot in slots if slot["appointmentDate"] in days]


def test_eighty_concurrent_holds_reach_the_network_limit_exactly(real_server) -> None:
    server = real_server(workers=2, MAX_HOLDS_PER_IP=str(MOST))
    visitor, doctor_id, slots = open_practice(server)
    with closing(visitor):
        for _ in range(ROUNDS):
            got = holds_at_once(visitor, doctor_id, slots[:RACERS])
            assert got == {"201": MOST, "429 too_many": RACERS - MOST}
            assert server.sql("SELECT count(*) FROM doctors_reservation") == [(MOST,)]
            server.sql("DELETE FROM doctors_reservation")


def test_share_of_a_week_is_exact_for_concurrent_holds(real_server) -> None:
    server = real_server(
        workers=2, MAX_NETWORK_SHARE_PERCENT="10", MIN_NETWORK_SHARE="2", MAX_OPEN_REQUESTS_UNCONFIRMED="1"
    )
    visitor, doctor_id, slots = open_practice(server)
    week = of_one_week(slots)
    assert len(week) == 40
    people = [register_unconfirmed_user(server, "patient", number) for number in range(12)]
    with closing(visitor):
        for _ in range(ROUNDS):
            assert holds_at_once(visitor, doctor_id, week) == {"201": 4, "429 network_share_taken": 36}
            server.sql("DELETE FROM doctors_reservation")
            bookings = [
                (person, "/api/appointments", {"doctorId": doctor_id, **slot})
                for person, slot in zip(people, week, strict=False)
            ]
            assert race(bookings) == {"201": 4, "409 email_unconfirmed": 8}
            forget_bookings(server)
            # One account, ten requests of ten weeks.
            elsewhere = [slots[number * 25] for number in range(10)]
            bookings = [(people[0], "/api/appointments", {"doctorId": doctor_id, **slot}) for slot in elsewhere]
            assert race(bookings) == {"201": 1, "409 email_unconfirmed": 9}
            forget_bookings(server)
    for person in people:
        person.close()


def forget_bookings(server: RealServer) -> None:
    for table in ("appointments_appointment", "doctors_reservation"):
        server.sql(f"DELETE FROM {table}")


def control_without_the_lock(real_server) -> None:
    """The negative control: what the lock prevents does happen without it."""
    server = real_server(workers=2, MAX_HOLDS_PER_IP=str(MOST))
    visitor, doctor_id, slots = open_practice(server)
    server.stop()
    # A lock that locks nothing, found before the database's own.
    server.sql("CREATE FUNCTION public.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS ''")
    server.sql(f"ALTER DATABASE {server.database_url.rpartition('/')[2]} SET search_path = public, pg_catalog")
    server.start(workers=2)
    kept = 0
    with closing(visitor):
        for _ in range(10):
            kept = max(kept, holds_at_once(visitor, doctor_id, slots[:RACERS])["201"])
            server.sql("DELETE FROM doctors_reservation")
            if kept > MOST:
                break
    assert kept > MOST


if os.environ.get("DATABASE_URL", "").startswith("postgres"):
    # SQLite has one writer at a time, with or without a lock.
    test_without_the_lock_a_network_holds_more_than_it_may = control_without_the_lock
