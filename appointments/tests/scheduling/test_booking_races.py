"""Many people want one time at once: real connections, a real server with several workers."""

import os
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta

import httpx

from config.testing import RealServer
from doctors.availability.constraints import DOCTOR_BUSY

RACERS = 32
ROUNDS = int(os.environ.get("RACE_ROUNDS", "10"))

PASSWORD = "seven-tall-herons"
PERSON = {
    "password": PASSWORD,
    "confirmPassword": PASSWORD,
    "phone": "+1 202 555 0142",
    "dateOfBirth": "1990-04-01",
    "gender": "female",
    "agreedToPrivacy": True,
    "timeZone": "UTC",
}
PRACTICE = {
    "specialization": "Cardiology",
    "experience": 9,
    "licenseNumber": "TEST-RACE",
    "consultationFee": 80,
    "hospital": {"name": "Example General"},
}


def register(server: RealServer, role: str, number: int, **more: object) -> httpx.Client:
    """Register a person, confirm the email address and return a client that is signed in as this person.

    What unconfirmed people of one network book is never booked at the same moment: see `network_share.lock`.
    """
    client = register_unconfirmed(server, role, number, **more)
    address = f"{role}{number}@example.com"
    server.sql(f"UPDATE accounts_user SET email_confirmed_at = created_at WHERE email = '{address}'")
    return client


def register_unconfirmed(server: RealServer, role: str, number: int, **more: object) -> httpx.Client:
    """Register a person and return a client that is signed in as this person."""
    client = httpx.Client(base_url=server.url, timeout=60)
    answer = client.post(
        f"/api/auth/register/{role}",
        json={**PERSON, "role": role, "name": "Racer Example", "email": f"{role}{number}@example.com", **more},
    )
    assert answer.status_code == 201, answer.text
    client.headers["Authorization"] = f"Bearer {answer.json()['data']['token']}"
    return client


def sign_in(server: RealServer, email: str, role: str, password: str = PASSWORD) -> httpx.Client:
    """Sign a person in and answer a client with this session."""
    client = httpx.Client(base_url=server.url, timeout=60)
    answer = client.post("/api/auth/login", json={"email": email, "password": password, "role": role})
    assert answer.status_code == 200, answer.text
    client.headers["Authorization"] = f"Bearer {answer.json()['data']['token']}"
    return client


def free_slots(client: httpx.Client, doctor_id: str) -> list[dict[str, str]]:
    """List the free times of the coming two months."""
    first = datetime.now(UTC).date() + timedelta(days=1)
    days = client.get(f"/api/doctors/{doctor_id}/slots", params={"from": first.isoformat(), "days": 62}).json()["data"][
        "slots"
    ]
    return [{"appointmentDate": day["date"], "appointmentTime": time} for day in days for time in day["times"]]


def race(clients: list[httpx.Client], doctor_id: str, rounds: int) -> list[Counter[str]]:
    """Let all clients book one time at the same moment, `rounds` times; return what each round's racers got."""
    slots = free_slots(clients[0], doctor_id)[:rounds]
    assert len(slots) == rounds
    outcomes: list[list[str]] = [[] for _ in slots]
    start = threading.Barrier(len(clients))

    def run(client: httpx.Client) -> None:
        for number, slot in enumerate(slots):
            start.wait(timeout=120)
            answer = client.post("/api/appointments", json={"doctorId": doctor_id, **slot})
            outcomes[number].append(f"{answer.status_code} {answer.json().get('code', '')}".strip())

    threads = [threading.Thread(target=run, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for client in clients:
        client.close()
    return [Counter(outcome) for outcome in outcomes]


def meet(server: RealServer, racers: int) -> tuple[list[httpx.Client], str]:
    """Bring an approved doctor and `racers` patients to the server; return their clients and the doctor's id."""
    doctor = register(server, "doctor", 0, **PRACTICE)
    doctor_id = doctor.get("/api/auth/profile").json()["data"]["user"]["_id"]
    doctor.close()
    server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
    return [register(server, "patient", number) for number in range(racers)], doctor_id


def test_one_slot_has_one_winner(real_server) -> None:
    server = real_server(workers=2)
    clients, doctor_id = meet(server, RACERS)
    assert race(clients, doctor_id, ROUNDS) == [Counter({"201": 1, "409 slot_taken": RACERS - 1})] * ROUNDS
    assert server.sql("SELECT count(*) FROM appointments_appointment") == [(ROUNDS,)]


def control_without_the_constraint(real_server) -> None:
    """The negative control: what the constraint prevents does happen without it."""
    server = real_server(workers=2)
    clients, doctor_id = meet(server, RACERS)
    server.sql(f"ALTER TABLE doctors_reservation DROP CONSTRAINT {DOCTOR_BUSY}")
    winners = [outcome["201"] for outcome in race(clients, doctor_id, 6)]
    assert max(winners) > 1


if os.environ.get("DATABASE_URL", "").startswith("postgres"):
    # SQLite's single writer hides the race; `doctors/tests/availability/test_constraints.py` tests its refusal.
    test_without_the_constraint_a_slot_has_several_winners = control_without_the_constraint
