"""An API client that sets up browser tests."""

import json
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode

PASSWORD = "violet-lantern-9"


@dataclass(frozen=True)
class Person:
    """A user with a session."""

    id: str
    name: str
    email: str
    password: str
    token: str


def storage_state(person: Person, origin: str) -> dict[str, Any]:
    """Return what a browser stores of a user's session, for a new context."""
    return {"cookies": [], "origins": [{"origin": origin, "localStorage": [{"name": "token", "value": person.token}]}]}


class ApiClient:
    """Creates users and appointments through the API."""

    def __init__(self, url: str) -> None:
        self.url = url

    def call(self, method: str, path: str, body: dict[str, Any] | None = None, token: str = "") -> Any:
        """Call the API; return `data`."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api{path}", content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)["data"]
        except HTTPError as refusal:
            raise AssertionError(f"{refusal.code} {method} {path}: {refusal.read().decode()}") from None

    def sign_in(self, role: str) -> Person:
        """Sign in with the demo account of a role."""
        account = next(each for each in self.call("GET", "/config")["demoAccounts"] if each["role"] == role)
        return self.sign_in_again(account["email"], account["password"], role)

    def sign_in_again(self, email: str, password: str, role: str) -> Person:
        """Sign in with credentials."""
        data = self.call("POST", "/auth/login", {"email": email, "password": password, "role": role})
        return Person(data["user"]["_id"], data["user"]["name"], email, password, data["token"])

    def register(self, role: str = "patient", **more: Any) -> Person:
        """Register a new user, by default a patient."""
        code = uuid.uuid4().hex[:8]
        form = {
            "role": role,
            "name": f"Wilma Newcomb-{code}",
            "email": f"wilma.{code}@example.com",
            "phone": "+1 202 555 0147",
            "dateOfBirth": "1984-07-05",
            "gender": "female",
            "password": PASSWORD,
            "confirmPassword": PASSWORD,
            "agreedToPrivacy": True,
            "timeZone": "America/New_York",
            **more,
        }
        data = self.call("POST", f"/auth/register/{role}", form)
        return Person(data["user"]["_id"], form["name"], form["email"], PASSWORD, data["token"])

    def register_doctor(self) -> Person:
        """Register a doctor, who awaits approval."""
        return self.register(
            "doctor",
            specialization="Neurology",
            experience=7,
            licenseNumber=f"LIC-{uuid.uuid4().hex[:8]}",
            consultationFee=140,
            hospital={"name": "Juniper Clinic", "phone": "+1 202 555 0148"},
        )

    def doctors(self, **query: str) -> list[dict[str, Any]]:
        """Return doctors with free times, soonest first."""
        listed = self.call("GET", f"/doctors?{urlencode({'ordering': 'nextFree', **query})}")["doctors"]
        return [each for each in listed if each["nextFree"]]

    def doctor(self, **query: str) -> dict[str, Any]:
        """Return the doctor with the soonest free time."""
        return self.doctors(**query)[0]

    def free_times(self, doctor: dict[str, Any]) -> list[tuple[str, str]]:
        """Return the free dates and times of a doctor."""
        calendar = self.call("GET", f"/doctors/{doctor['_id']}/slots?days=62")
        return [(day["date"], time) for day in calendar["slots"] for time in day["times"]]

    def book(self, patient: Person, doctor: dict[str, Any], latest: bool = False, **more: str) -> dict[str, Any]:
        """Book the next free time of a doctor, or the last listed one."""
        date, time = self.free_times(doctor)[-1 if latest else 0]
        body = {"doctorId": doctor["_id"], "appointmentDate": date, "appointmentTime": time, **more}
        appointment: dict[str, Any] = self.call("POST", "/appointments", body, patient.token)["appointment"]
        return appointment
