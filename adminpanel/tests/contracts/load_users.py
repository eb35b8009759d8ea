"""Twenty simulated users on a real server, each with its own IP address, whose response times are measured."""

import asyncio
import base64
import contextlib
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from adminpanel.tests.contracts.load_attackers import read_answer
from config.testing import ROOT, RealServer

READERS = BOOKERS = 10
TIMEOUT_SECONDS = 30.0
# What the attacker's client sends in the calm phases, at the same pace over as many connections: refused at once. So
# the two differ by what the server has to do, and by nothing that the client takes of the machine.
REFUSED_AT_ONCE = b"GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 192.0.2.250\r\n\r\n"

# Run inside the server's settings: doctors, patients with confirmed mailboxes, and sessions.
FILL = """
import json, sys
from django.test import RequestFactory
from django.test.utils import override_settings
from django.utils import timezone
from django.contrib.auth.hashers import make_password
from accounts.models import User
from accounts.auth.sessions import open_session
from accounts.tests.factories import PatientFactory
from doctors.models import DoctorProfile, Specialization
from doctors.tests.factories import DoctorFactory
now = timezone.now()
kinds = list(Specialization.values)
quick = override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"])
quick.enable()
doctors = [
    DoctorFactory.create(
        specialization=kinds[n % len(kinds)], instant_confirmation=n >= 2, max_days_ahead=60, appointment_minutes=30,
        user__name=f"Anna Sample{chr(97 + n % 26)}", user__email=f"doctor{n}@example.com",
        working={"days": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]},
    )
    for n in range(40)
]
patients = [PatientFactory.create(email=f"reader{n}@example.com", email_confirmed_at=now) for n in range(40)]
strangers = [PatientFactory.create(email=f"stranger{n}@example.com", email_confirmed_at=None) for n in range(12)]
quick.disable()
User.objects.filter(role="patient").update(password=make_password("plain-brown-teapot"))
for person in [*patients, *strangers, *(doctor.user for doctor in doctors)]:
    person.refresh_from_db()
request = RequestFactory().get("/", HTTP_USER_AGENT="Invented Browser 1.0")
tokens = {u.email: open_session(u, request, now) for u in [*patients, *strangers, *(d.user for d in doctors[:4])]}
print("FILLED " + json.dumps({"doctors": [str(d.pk) for d in doctors], "tokens": tokens}))
"""


def create_people(server: RealServer) -> dict[str, Any]:
    """Fill the server's database; return the ids of doctors and the tokens of people by their addresses."""
    printed = server.manage("shell", "--verbosity", "0", "-c", FILL)
    line = next(line for line in printed.splitlines() if line.startswith("FILLED "))
    filled: dict[str, Any] = json.loads(line.removeprefix("FILLED "))
    return filled


def send_http(method: str, path: str, address: str, body: Any = None, token: str = "", **headers: str) -> bytes:
    """Write a request as it travels; `address` is where it claims to come from, as a proxy would say."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"X-Forwarded-For: {address}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    payload = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else b""
    if payload:
        if "Content_Type" not in headers:
            lines.append("Content-Type: application/json")
        lines.append(f"Content-Length: {len(payload)}")
    return "\r\n".join([*lines, "", ""]).encode() + payload


@dataclass
class Phase:
    """What the readers and bookers got in one kind of phase: all calm ones together, or all attacked ones."""

    times: list[float] = field(default_factory=list)
    statuses: Counter[int | str] = field(default_factory=Counter)
    booked: int = 0
    lost: list[str] = field(default_factory=list)

    @property
    def p95(self) -> float:
        return sorted(self.times)[int(len(self.times) * 0.95)]

    def __str__(self) -> str:
        times = sorted(self.times)
        return (
            f"p50 {times[len(times) // 2] * 1000:.1f} ms, p95 {self.p95 * 1000:.1f} ms, worst {times[-1] * 1000:.0f} ms"
            f", {len(times)} answers, {self.booked} booked, {dict(self.statuses)}"
        )


class SimulatedUser:
    """A connection of somebody's, timed."""

    def __init__(self, users: "SimulatedUsers", address: str, token: str = "") -> None:
        self.users, self.address, self.token = users, address, token
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None
        users.people.append(self)

    async def ask(self, method: str, path: str, body: Any = None, *, is_public: bool = False) -> tuple[int, Any]:
        """Ask and time it; the status is 0 where no answer came."""
        what = send_http(method, path, self.address, body, "" if is_public else self.token)
        phase, began = self.users.phase, time.perf_counter()
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.users.port)
            self.writer.write(what)
            assert self.reader is not None
            async with asyncio.timeout(TIMEOUT_SECONDS):
                status, content = await read_answer(self.reader)
        except (OSError, EOFError, TimeoutError) as broken:
            phase.statuses[type(broken).__name__] += 1
            phase.lost.append(f"{method} {path.split('?', maxsplit=1)[0][:40]}: {broken!r}")
            await self.leave()
            return 0, {}
        phase.times.append(time.perf_counter() - began)
        phase.statuses[status] += 1
        if status >= 500:
            phase.lost.append(f"{method} {path[:40]}: {status} {content[:200]!r}")
        return status, json.loads(content) if content[:1] == b"{" else content

    async def leave(self) -> None:
        """Close the connection."""
        if self.writer:
            self.writer.close()
            with contextlib.suppress(OSError):
                await self.writer.wait_closed()
        self.writer = None


class SimulatedUsers:
    """The readers and bookers, and the doctors they look for."""

    def __init__(self, server: RealServer, filled: dict[str, Any], seed: int = 1) -> None:
        self.port = int(server.url.rpartition(":")[2])
        # The first two are for attackers.
        self.doctors = filled["doctors"][2:]
        self.tokens = filled["tokens"]
        self.phase = Phase()
        self.random = random.Random(seed)
        self.is_over = False
        self.people: list[SimulatedUser] = []

    async def read(self, number: int) -> None:
        """Look around: the page, the list, a search, a doctor, free times."""
        person = SimulatedUser(self, f"203.0.113.{number + 1}")
        while not self.is_over:
            doctor = self.random.choice(self.doctors)
            letter = self.random.choice("abcdefgh")
            await person.ask(
                "GET",
                self.random.choice(
                    [
                        "/",
                        "/api/config",
                        "/api/doctors",
                        f"/api/doctors?search=sample{letter}",
                        f"/api/doctors/{doctor}",
                        f"/api/doctors/{doctor}/slots?days=14",
                    ]
                ),
                is_public=True,
            )
            await asyncio.sleep(self.random.uniform(0.1, 0.4))

    async def book(self, number: int) -> None:
        """Choose a free time, hold it, book it; each books with doctors of their own."""
        person = SimulatedUser(self, f"198.51.100.{number + 1}", self.tokens[f"reader{number}@example.com"])
        own = self.doctors[number::BOOKERS]
        while not self.is_over:
            doctor = self.random.choice(own)
            status, answer = await person.ask("GET", f"/api/doctors/{doctor}/slots?days=14")
            await asyncio.sleep(self.random.uniform(0.1, 0.3))
            if status == 200:
                free = [
                    {"appointmentDate": day["date"], "appointmentTime": at}
                    for day in answer["data"]["slots"]
                    for at in day["times"]
                ]
                if free:
                    slot = {"doctorId": doctor, **self.random.choice(free)}
                    status, held = await person.ask("POST", "/api/appointments/hold", slot)
                    await asyncio.sleep(self.random.uniform(0.1, 0.3))
                    secret = {"holdId": held["data"]["holdId"]} if status == 201 else {}
                    phase = self.phase
                    status, answer = await person.ask("POST", "/api/appointments", {**slot, **secret})
                    phase.booked += status == 201
                    if status not in {201, 409}:
                        phase.lost.append(f"booking: {status} {answer}")
            await asyncio.sleep(self.random.uniform(0.1, 0.4))

    async def live(self, seconds: float, phase: Phase) -> None:
        """Read and book for some seconds, and count it to a phase."""
        self.phase, self.is_over = phase, False
        people = [asyncio.create_task(self.read(number)) for number in range(READERS)]
        people += [asyncio.create_task(self.book(number)) for number in range(BOOKERS)]
        await asyncio.sleep(seconds)
        self.is_over = True
        async with asyncio.timeout(2 * TIMEOUT_SECONDS):
            await asyncio.gather(*people)
        for person in self.people:
            await person.leave()
        self.people.clear()


@contextlib.contextmanager
def run_attackers(
    port: int, seconds: float, requests: Sequence[bytes], *, pace: float, connections: int, slow: bool
) -> Any:
    """Run the attacker's client beside the block; yields a counter that is filled when it has ended."""
    plan = {
        "port": port, "seconds": seconds, "pace": pace, "connections": connections, "slow": slow,
        "requests": [base64.b64encode(each).decode() for each in requests],
    }  # fmt: skip
    statuses: Counter[str] = Counter()
    command = [sys.executable, "-m", "adminpanel.tests.contracts.load_attackers"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(plan))
            process.stdin.close()
            yield statuses
            assert process.stdout is not None
            statuses.update(json.loads(process.stdout.read()))
        finally:
            process.kill()
