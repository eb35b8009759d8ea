"""Helpers for concurrent requests of users to a real server."""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx

from config.testing import RealServer

PASSWORD = "seven-tall-herons"


USER_FIELDS = {
    "password": PASSWORD,
    "confirmPassword": PASSWORD,
    "phone": "+1 202 555 0142",
    "dateOfBirth": "1990-04-01",
    "gender": "female",
    "agreedToPrivacy": True,
    "timeZone": "UTC",
}


DOCTOR_FIELDS = {
    "specialization": "Cardiology",
    "experience": 9,
    "licenseNumber": "TEST-RACE",
    "consultationFee": 80,
    "hospital": {"name": "Example General"},
}


def register_user(server: RealServer, role: str, number: int, **more: object) -> httpx.Client:
    """Register a user with a confirmed email and return a signed-in client.

    Bookings of unconfirmed users of one network are serialized by a lock and never race.
    """
    client = register_unconfirmed_user(server, role, number, **more)
    address = f"{role}{number}@example.com"
    server.sql(f"UPDATE accounts_user SET email_confirmed_at = created_at WHERE email = '{address}'")
    return client


def register_unconfirmed_user(server: RealServer, role: str, number: int, **more: object) -> httpx.Client:
    """Register a user and return a signed-in client."""
    client = httpx.Client(base_url=server.url, timeout=60)
    answer = client.post(
        f"/api/auth/register/{role}",
        json={**USER_FIELDS, "role": role, "name": "Racer Example", "email": f"{role}{number}@example.com", **more},
    )
    assert answer.status_code == 201, answer.text
    client.headers["Authorization"] = f"Bearer {answer.json()['data']['token']}"
    return client


def sign_in(server: RealServer, email: str, role: str, password: str = PASSWORD) -> httpx.Client:
    """Sign a user in and return their client."""
    client = httpx.Client(base_url=server.url, timeout=60)
    answer = client.post("/api/auth/login", json={"email": email, "password": password, "role": role})
    assert answer.status_code == 200, answer.text
    client.headers["Authorization"] = f"Bearer {answer.json()['data']['token']}"
    return client


def list_free_slots(client: httpx.Client, doctor_id: str) -> list[dict[str, str]]:
    """List the free times of the next two months."""
    first = datetime.now(UTC).date() + timedelta(days=1)
    days = client.get(f"/api/doctors/{doctor_id}/slots", params={"from": first.isoformat(), "days": 62}).json()["data"][
        "slots"
    ]
    return [{"appointmentDate": day["date"], "appointmentTime": time} for day in days for time in day["times"]]


def book_concurrently(clients: list[httpx.Client], doctor_id: str, rounds: int) -> list[Counter[str]]:
    """Let all clients book the same time concurrently, `rounds` times; return the outcomes of each round."""
    slots = list_free_slots(clients[0], doctor_id)[:rounds]
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
    return [Counter(describe_outcome) for describe_outcome in outcomes]


def register_doctor_and_patients(server: RealServer, patients: int) -> tuple[list[httpx.Client], str]:
    """Register an approved doctor and patients; return the clients of the patients and the id of the doctor."""
    doctor = register_user(server, "doctor", 0, **DOCTOR_FIELDS)
    doctor_id = doctor.get("/api/auth/profile").json()["data"]["user"]["_id"]
    doctor.close()
    server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
    return [register_user(server, "patient", number) for number in range(patients)], doctor_id


Action = Callable[[], httpx.Response]


def run_concurrently(*actions: Action) -> list[httpx.Response]:
    """Call all actions at the same time and return their responses in order."""
    answers: list[httpx.Response | None] = [None] * len(actions)
    start = threading.Barrier(len(actions))

    def run(number: int) -> None:
        start.wait(timeout=60)
        answers[number] = actions[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    responses = [answer for answer in answers if answer is not None]
    assert len(responses) == len(actions)
    assert all(answer.status_code < 500 for answer in responses), [answer.text for answer in responses]
    return responses


class BookingSite:
    """A running server with one doctor and some patients."""

    def __init__(self, server: RealServer, doctor: httpx.Client, doctor_id: str, patients: list[httpx.Client]) -> None:
        self.server, self.doctor, self.doctor_id, self.patients = server, doctor, doctor_id, patients

    def clear(self) -> None:
        """Delete all appointments and reservations."""
        of_appointments = ("timechange", "proposal", "appointmentrecord", "recorddraft", "appointment")
        for table in (*(f"appointments_{each}" for each in of_appointments), "doctors_reservation"):
            self.server.sql(f"DELETE FROM {table}")

    def slots(self) -> list[dict[str, str]]:
        return list_free_slots(self.patients[0], self.doctor_id)

    def book(self, patient: int, slot: dict[str, str], **more: str) -> httpx.Response:
        return self.patients[patient].post("/api/appointments", json={"doctorId": self.doctor_id, **slot, **more})

    def booked(self, patient: int, slot: dict[str, str]) -> str:
        answer = self.book(patient, slot)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["data"]["appointment"]["_id"])

    def live(self) -> int:
        """Count the active appointments and assert that no two reservations overlap."""
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


def describe_outcome(*answers: httpx.Response) -> str:
    return " / ".join(f"{answer.status_code} {answer.json().get('code', '')}".strip() for answer in answers)
