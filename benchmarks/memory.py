"""How much memory the site takes: at rest, and after thousands of requests of all kinds.

Measured is what `dev.py run` and the operator's page start: the server's main process and one worker that serves
people, delivers mail and keeps house, on SQLite with production settings. RSS counts what processes share once for each
of them, PSS once in all; the target stands on the worker's RSS.

Every kind of request is made as often as the others, by as many clients as the worker has threads, so that whatever is
loaded late or kept by a thread is there. What grows with each request shows between the two last readings.
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

from benchmarks.harness import RATIOS, Site, Table, site

MEGABYTE = 1_000_000
MOST_MB = 150
# Between the readings lie some thousand requests: a leak of 1 kB in each would be as many MB.
MOST_GROWN_MB = 8
FIRST, LAST = 2_000, 10_000
CLIENTS = 4
# In so many seconds each work in the background has had its round, and what is free is given back.
QUIET = 20
# The demo's people; its passwords are printed by `seed_demo --list`.
PEOPLE = {"patient": "garden-kettle", "doctor": "copper-meadow", "admin": "lantern-harbour"}


def readings(running: Site) -> dict[str, float]:
    """Return RSS and PSS in MB: of the worker, which is the largest process, and of all together."""
    each = []
    for pid in running.processes():
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        sizes = dict(line.split(":", 1) for line in lines)
        each.append([int(sizes[name].split()[0]) * 1024 / MEGABYTE for name in ("Rss", "Pss")])
    (rss, pss), (all_rss, all_pss) = max(each), map(sum, zip(*each, strict=True))
    return {"RSS": rss, "PSS": pss, "all RSS": all_rss, "all PSS": all_pss}


class Crowd:
    """People who use all of the site, and know from one answer what to ask next."""

    def __init__(self, running: Site) -> None:
        self.running = running
        tokens = {role: running.token(f"{role}@example.com", word, role) for role, word in PEOPLE.items()}
        self.tokens = {"": "", **tokens}
        self.seen: dict[int, int] = {}
        self.lock = threading.Lock()
        listed = self.read("", "/api/doctors?pageSize=20")["doctors"]
        self.doctors = [doctor["_id"] for doctor in listed]
        appointments = self.read("patient", "/api/appointments?status=completed")["appointments"]
        self.appointments = [appointment["_id"] for appointment in appointments]

    def ask(self, role: str, method: str, path: str, body: Any = None) -> bytes:
        """Ask as somebody; counts the statuses, raises for a fault of the site."""
        headers = {"Authorization": f"Bearer {self.tokens[role]}"} if role else {}
        headers |= {"Content-Type": "application/json"} if body is not None else {}
        # A list is streamed, so its end is told by the protocol.
        line = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=120)
        with contextlib.closing(line):
            line.request(method, path, None if body is None else json.dumps(body), headers)
            answered = line.getresponse()
            status, answer = answered.status, answered.read()
        with self.lock:
            self.seen[status] = self.seen.get(status, 0) + 1
        if status >= 500:
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]!r}")
        return answer

    def read(self, role: str, path: str) -> Any:
        return json.loads(self.ask(role, "GET", path))["data"]

    def book(self, number: int) -> None:
        """Book a free time, save it for a calendar, move it and give it back."""
        doctor = self.doctors[number % len(self.doctors)]
        days = self.read("patient", f"/api/doctors/{doctor}/slots?days=60")["slots"]
        times = [(day["date"], at) for day in days for at in day["times"]]
        if len(times) < 2:
            return
        for place, (day, at) in enumerate((times[number % len(times)], times[(number + 7) % len(times)])):
            wish = {"appointmentDate": day, "appointmentTime": at}
            if not place:
                booked = json.loads(self.ask("patient", "POST", "/api/appointments", {"doctorId": doctor, **wish}))
                if not booked["success"]:
                    return
                appointment = f"/api/appointments/{booked['data']['appointment']['_id']}"
            else:
                self.ask("patient", "PUT", f"{appointment}/reschedule", wish)
        self.ask("patient", "GET", f"{appointment}/calendar.ics")
        self.ask("patient", "PUT", f"{appointment}/cancel", {"reason": "Better."})

    def paths(self, number: int) -> list[tuple[str, str]]:
        """Return what is read, by whom."""
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

    def turn(self, number: int) -> None:
        """Do each thing once."""
        for role, path in self.paths(number):
            self.ask(role, "GET", path)
        self.book(number)
        wrong = {"email": f"nobody{number}@example.com", "password": "wrong-one", "role": "patient"}
        self.ask("", "POST", "/api/auth/login", wrong)

    def until(self, most: int) -> None:
        """Go on, several at once, until so many requests have been made."""

        def go(numbers: "itertools.count[int]") -> None:
            while sum(self.seen.values()) < most:
                self.turn(next(numbers))

        with ThreadPoolExecutor(CLIENTS) as pool:
            for one in [pool.submit(go, itertools.count(first * 1000)) for first in range(CLIENTS)]:
                one.result()


def main(arguments: list[str]) -> None:
    """Print the readings; a number on the command line stands for the 10,000."""
    last = int(arguments[0]) if arguments else LAST
    beside = {
        "DELIVERY": "inline",
        "HOUSEKEEPING": "inline",
        "STAFF_SECOND_STEP": "off",
        "MAX_UNKNOWN_IDS_PER_USER": "1000000",
    }
    with site("sqlite", env={**beside, "DATABASE_POOL_SIZE": "4"}) as running:
        time.sleep(QUIET)
        table = Table("Resident memory, MB", ("after", "RSS", "PSS", "all RSS", "all PSS"))
        crowd = Crowd(running)
        found = []
        for number in (0, min(FIRST, last // 5), last // 2, last):
            crowd.until(number)
            table.line(f"{number:,} requests", *readings(running).values())
            time.sleep(QUIET)
            found.append(readings(running))
            table.line("… and a moment's rest", *found[-1].values())
        statuses = ", ".join(f"{count:,} × {status}" for status, count in sorted(crowd.seen.items()))
        print(f"Answers: {statuses}")
        table = Table("Against the targets", RATIOS)
        table.ratio("resident at rest, MB", found[0]["RSS"], most=MOST_MB)
        table.ratio(f"resident after {last:,} requests, MB", found[-1]["RSS"], most=MOST_MB)
        table.ratio(
            f"grown between {last // 2:,} and {last:,}, MB", found[-1]["RSS"] - found[-2]["RSS"], most=MOST_GROWN_MB
        )


if __name__ == "__main__":
    main(sys.argv[1:])
