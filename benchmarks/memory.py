"""How much memory the site uses: at rest, and after thousands of requests of all kinds.

Measured are the server's main process and one worker that serves requests, sends mail and runs the housekeeping, on
SQLite with production settings, as started by `dev.py run`. RSS counts shared memory for each process, PSS once; the
target is for the worker's RSS.

Every kind of request is sent equally often, by as many clients as the worker has threads, so that lazily loaded modules
and thread-local data are included. Leaks show between the two last measurements.
"""

import contextlib
import http.client
import itertools
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.harness import RATIO_COLUMNS, Site, Table, run_site

MEGABYTE = 1_000_000
MAX_RSS_MB = 150
# Between the measurements are some thousand requests: a leak of 1 kB in each would be as many MB.
MAX_GROWTH_MB = 8
FIRST, LAST = 2_000, 10_000
CLIENTS = 4
# Long enough for each background task to run once, and for free memory to be returned.
REST_SECONDS = 20
# Of the demo accounts, as printed by `seed_demo --list`.
PASSWORDS = {"patient": "garden-kettle", "doctor": "copper-meadow", "admin": "lantern-harbour"}


def read_memory(running: Site) -> dict[str, float]:
    """Return RSS and PSS in MB: of the worker, which is the largest process, and of all together."""
    each = []
    for pid in running.list_processes():
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        sizes = dict(line.split(":", 1) for line in lines)
        each.append([int(sizes[name].split()[0]) * 1024 / MEGABYTE for name in ("Rss", "Pss")])
    (rss, pss), (all_rss, all_pss) = max(each), map(sum, zip(*each, strict=True))
    return {"RSS": rss, "PSS": pss, "all RSS": all_rss, "all PSS": all_pss}


class Traffic:
    """Clients that use all of the site."""

    def __init__(self, running: Site) -> None:
        self.running = running
        tokens = {role: running.sign_in(f"{role}@example.com", word, role) for role, word in PASSWORDS.items()}
        self.tokens = {"": "", **tokens}
        self.seen: dict[int, int] = {}
        self.lock = threading.Lock()
        listed = self.read("", "/api/doctors?pageSize=20")["doctors"]
        self.doctors = [doctor["_id"] for doctor in listed]
        appointments = self.read("patient", "/api/appointments?status=completed")["appointments"]
        self.appointments = [appointment["_id"] for appointment in appointments]

    def send(self, role: str, method: str, path: str, body: Any = None) -> bytes:
        """Send a request with a role's token and count the status; raise RuntimeError for a server error."""
        headers = {"Authorization": f"Bearer {self.tokens[role]}"} if role else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        # Lists are streamed, which `send_request` does not support.
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=120)
        with contextlib.closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            status, answer = response.status, response.read()
        with self.lock:
            self.seen[status] = self.seen.get(status, 0) + 1
        if status >= 500:
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]!r}")
        return answer

    def read(self, role: str, path: str) -> Any:
        return json.loads(self.send(role, "GET", path))["data"]

    def book(self, number: int) -> None:
        """Book an appointment, fetch its calendar file, reschedule it and cancel it."""
        doctor = self.doctors[number % len(self.doctors)]
        days = self.read("patient", f"/api/doctors/{doctor}/slots?days=60")["slots"]
        times = [(day["date"], at) for day in days for at in day["times"]]
        if len(times) < 2:
            return
        for place, (day, at) in enumerate((times[number % len(times)], times[(number + 7) % len(times)])):
            wish = {"appointmentDate": day, "appointmentTime": at}
            if not place:
                booked = json.loads(self.send("patient", "POST", "/api/appointments", {"doctorId": doctor, **wish}))
                if not booked["success"]:
                    return
                appointment = f"/api/appointments/{booked['data']['appointment']['_id']}"
            else:
                self.send("patient", "PUT", f"{appointment}/reschedule", wish)
        self.send("patient", "GET", f"{appointment}/calendar.ics")
        self.send("patient", "PUT", f"{appointment}/cancel", {"reason": "Better."})

    def list_paths(self, number: int) -> list[tuple[str, str]]:
        """Return the role and path of each GET request."""
        doctor, appointment = (
            self.doctors[number % len(self.doctors)],
            self.appointments[number % len(self.appointments)],
        )
        public = [
            "/", "/?utm=x", "/api/config", f"/api/doctors?page={number % 3 + 1}", "/api/doctors?search=ann",
            f"/api/doctors?search=invented{number}", "/api/doctors?ordering=nextFree", f"/api/doctors/{doctor}",
            f"/api/doctors/{doctor}/slots?days=30", f"/api/no-such-thing/{number}", "/readyz", "/staff/login/",
        ]  # fmt: skip
        patient = [
            "/api/auth/profile", "/api/auth/sessions", "/api/appointments", f"/api/appointments/{appointment}",
            f"/api/appointments/{appointment}/prescription.pdf", "/api/notices", "/api/notices/unread",
        ]  # fmt: skip
        doctors = [
            "/api/doctors/dashboard", "/api/doctors/patients", "/api/doctors/calendar", "/api/doctors/schedule",
            "/api/appointments?counts=true", "/api/doctors/appointments.csv",
        ]  # fmt: skip
        admin = ["/api/admin/dashboard", "/api/admin/analytics", "/api/admin/users", "/api/admin/audit"]
        return [
            *(("", path) for path in public),
            *(("patient", path) for path in patient),
            *(("doctor", path) for path in doctors),
            *(("admin", path) for path in admin),
        ]

    def run_once(self, number: int) -> None:
        """Send each kind of request once."""
        for role, path in self.list_paths(number):
            self.send(role, "GET", path)
        self.book(number)
        credentials = {"email": f"nobody{number}@example.com", "password": "wrong-one", "role": "patient"}
        self.send("", "POST", "/api/auth/login", credentials)

    def run_until(self, request_count: int) -> None:
        """Send requests, concurrently, until there were `request_count` in all."""

        def go(numbers: "itertools.count[int]") -> None:
            while sum(self.seen.values()) < request_count:
                self.run_once(next(numbers))

        with ThreadPoolExecutor(CLIENTS) as pool:
            for one in [pool.submit(go, itertools.count(first * 1000)) for first in range(CLIENTS)]:
                one.result()


def main(arguments: list[str]) -> None:
    """Print the measurements; a number on the command line replaces the 10,000 requests."""
    last = int(arguments[0]) if arguments else LAST
    beside = {
        "BENCHMARK_MEMORY": "1",
        "DELIVERY": "inline",
        "HOUSEKEEPING": "inline",
        "STAFF_SECOND_STEP": "off",
        "MAX_UNKNOWN_IDS_PER_USER": "1000000",
    }
    with run_site("sqlite", env={**beside, "DATABASE_POOL_SIZE": "4"}) as running:
        time.sleep(REST_SECONDS)
        table = Table("Resident memory, MB", ("after", "RSS", "PSS", "all RSS", "all PSS"))
        traffic = Traffic(running)
        measurements = []
        for number in (0, min(FIRST, last // 5), last // 2, last):
            traffic.run_until(number)
            table.print_row(f"{number:,} requests", *read_memory(running).values())
            time.sleep(REST_SECONDS)
            measurements.append(read_memory(running))
            table.print_row("… and a moment's rest", *measurements[-1].values())
        statuses = ", ".join(f"{count:,} × {status}" for status, count in sorted(traffic.seen.items()))
        print(f"Answers: {statuses}")
        table = Table("Against the targets", RATIO_COLUMNS)
        table.print_ratio("resident at rest, MB", measurements[0]["RSS"], maximum=MAX_RSS_MB)
        table.print_ratio(f"resident after {last:,} requests, MB", measurements[-1]["RSS"], maximum=MAX_RSS_MB)
        table.print_ratio(
            f"grown between {last // 2:,} and {last:,}, MB",
            measurements[-1]["RSS"] - measurements[-2]["RSS"],
            maximum=MAX_GROWTH_MB,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
