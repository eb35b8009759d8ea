"""How much time the product adds to its SQL.

Compared on one database, in turn: `pgbench`, which sends the statements and discards the rows; a bare Django view (no
middleware, REST framework or checks), which returns the rows as JSON; and our endpoint. The statements are recorded
from our endpoint, so they are always up to date. The bare view also runs within the site, behind all its middleware,
which shows how much of the difference is common to all responses.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

from benchmarks.harness import (
    RATIO_COLUMNS,
    Case,
    Figures,
    Site,
    Table,
    build_request,
    measure_interleaved,
    print_figures,
    run_site,
    send_request,
)

DOCTORS = 2000
SEED = ("--doctors", str(DOCTORS), "--patients", "2000", "--appointments", "20000")
DIRECTORY = "/api/doctors?pageSize=20"
MIN_RATIOS = {"week of free times": 0.75, "directory page": 0.95}


def run_pgbench(site: Site, statements: list[str], seconds: int = 4) -> float | None:
    """Send these statements with pgbench; return the rounds per second, or None without pgbench."""
    tool = shutil.which("pgbench")
    if not tool or site.is_sqlite:
        return None
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "statements.sql"
        # In pgbench's scripts, a colon before a word names a variable.
        script.write_text("".join(re.sub(r"(?<!:):(?=[A-Za-z_])", " :", text) + ";\n" for text in statements))
        options = ["-n", "-M", "prepared", "-c", "4", "-j", "1", "-T", str(seconds), "-f", str(script)]
        command = [tool, *options, site.database_url]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = re.search(r"tps = ([\d.]+)", output)
    return float(rate[1]) if rate else None


def compare_engines() -> None:
    """Compare the two engines: the same reads of the same site, PostgreSQL without prepared statements."""
    env = {"PUBLIC_CACHE_SECONDS": "0"}
    with (
        run_site("sqlite", seed=SEED, env=env) as sqlite,
        run_site("postgresql", seed=SEED, env={**env, "DATABASE_PREPARED": "off"}) as unprepared,
    ):
        cases = {}
        for name, each in (("SQLite", sqlite), ("PostgreSQL unprepared", unprepared)):
            # Each site has ids of its own.
            doctors = each.call_django("benchmarks.fixtures:list_doctor_ids", 50)
            weeks = [build_request("GET", f"/api/doctors/{doctor}/slots?days=7") for doctor in doctors]
            cases[f"week of free times, {name}"] = Case.for_site(each, lambda n, weeks=weeks: weeks[n % 50])  # type: ignore[misc]  # mypy reads no type of a default
            cases[f"directory page, {name}"] = Case.for_site(each, build_request("GET", DIRECTORY))
        figures = measure_interleaved(cases)
    print_figures("The two engines", figures)
    ratios = Table("Ratios of responses per second", RATIO_COLUMNS)
    for name in MIN_RATIOS:
        ratio = figures[f"{name}, SQLite"].per_second / figures[f"{name}, PostgreSQL unprepared"].per_second
        ratios.print_ratio(f"{name}: SQLite ÷ PostgreSQL unprepared", ratio, minimum=1)


def build_bookings(site: Site, patients: int = 1900, doctors: int = 500) -> tuple[list[bytes], list[bytes]]:
    """Return requests that each book another free time: of our endpoint, and of the bare view."""
    days = site.call_django("benchmarks.fixtures:list_free_times", doctors, 6)
    people = site.call_django("benchmarks.fixtures:sign_in_patients", patients)
    # The first booking is the template of the bare view.
    ours: list[bytes] = []
    bare: list[bytes] = []
    like = ""
    # Every second day: the same evening here is the next morning elsewhere.
    for times in days[::2]:
        for number, (time, (patient, token)) in enumerate(zip(times, people, strict=False)):
            fields = {"doctorId": time["doctor"], "appointmentDate": time["date"], "appointmentTime": time["time"]}
            body = json.dumps({**fields, "symptoms": "A cough for a week", "notes": ""}).encode()
            content = build_request("POST", "/api/appointments", body, token=token)
            if not like:
                status, response = send_request(site.port, content)
                if status != 201:
                    raise RuntimeError(f"no booking: {response!r}")
                like = json.loads(response)["data"]["appointment"]["_id"]
            elif number % 2:
                ours.append(content)
            else:
                row = {"like": like, "doctor": time["doctor"], "patient": patient, "times": time["times"]}
                bare.append(build_request("POST", "/baseline/book", json.dumps(row).encode()))
    return ours, bare


def compare_bookings() -> None:
    """Compare booking with a bare view that writes the same rows."""
    with run_site(seed=("--doctors", str(DOCTORS), "--patients", "2000")) as ours:
        bare = ours.start_second_server(BENCHMARK_BASELINE="1")
        our_bookings, bare_bookings = build_bookings(ours)
        figures = measure_interleaved(
            {
                "booking, ours": Case.for_site(ours, lambda n: our_bookings[n], 201),
                "booking, bare": Case.for_site(bare, lambda n: bare_bookings[2 * n], 201),
                "booking, bare in the site": Case.for_site(ours, lambda n: bare_bookings[2 * n + 1], 201),
            },
            rounds=8,
        )
    print_figures("Booking, four patients at a time", figures)
    ratios = Table("Ratios of responses per second", RATIO_COLUMNS)
    ratios.print_ratio("booking: ours ÷ bare", get_ratio(figures, "booking"), minimum=0.6)
    ratios.print_ratio("booking: ours ÷ bare in the site", get_ratio(figures, "booking", "bare in the site"))


def main(arguments: list[str]) -> None:
    """Compare reads and bookings on PostgreSQL, then the engines; or the parts named: reads, booking, engines."""
    parts = {"reads": compare_reads, "booking": compare_bookings, "engines": compare_engines}
    for name in arguments or parts:
        parts[name]()


def compare_reads() -> None:
    """Compare our endpoints with the same SQL in pgbench and in a bare view."""
    with run_site(seed=SEED, env={"PUBLIC_CACHE_SECONDS": "0"}) as ours:
        bare = ours.start_second_server(BENCHMARK_BASELINE="1")
        doctors = ours.call_django("benchmarks.fixtures:list_doctor_ids", 50)
        weeks = [f"/api/doctors/{doctor}/slots?days=7" for doctor in doctors]
        months = [f"/api/doctors/{doctor}/slots?days=30" for doctor in doctors]

        def build_replay(address: str) -> bytes:
            return build_request("GET", f"/baseline/replay?of={quote(address, safe='')}")

        our_weeks = [build_request("GET", each) for each in weeks]
        our_months = [build_request("GET", each) for each in months]
        bare_weeks = [build_replay(each) for each in weeks]
        anonymous_cached = ours.start_second_server(PUBLIC_CACHE_SECONDS="5")
        figures = measure_interleaved(
            {
                "week of free times, ours": Case.for_site(ours, lambda n: our_weeks[n % 50]),
                "week of free times, bare": Case.for_site(bare, lambda n: bare_weeks[n % 50]),
                "30 days of free times, ours": Case.for_site(ours, lambda n: our_months[n % 50]),
                "directory page, ours": Case.for_site(ours, build_request("GET", DIRECTORY)),
                "directory page, bare": Case.for_site(bare, build_replay(DIRECTORY)),
                "week of free times, bare in the site": Case.for_site(ours, lambda n: bare_weeks[n % 50]),
                "directory page, bare in the site": Case.for_site(ours, build_replay(DIRECTORY)),
                "directory page, anonymous, cached": Case.for_site(anonymous_cached, build_request("GET", DIRECTORY)),
            }
        )
        table = print_figures("Four clients, one after the other on each connection", figures)
        for name, address in (("week of free times", weeks[0]), ("directory page", DIRECTORY)):
            statements = ours.call_django("benchmarks.baseline:list_statements", address)
            rate = run_pgbench(ours, statements)
            table.print_row(f"{name}, pgbench ({len(statements)} statements)", rate or "not installed")
        ratios = Table("Ratios of responses per second", RATIO_COLUMNS)
        for name, least in MIN_RATIOS.items():
            ratios.print_ratio(f"{name}: ours ÷ bare", get_ratio(figures, name), minimum=least)
            ratios.print_ratio(f"{name}: ours ÷ bare in the site", get_ratio(figures, name, "bare in the site"))
        cached = figures["directory page, anonymous, cached"].per_second
        ratios.print_ratio(
            "directory page: cached ÷ computed", cached / figures["directory page, ours"].per_second, minimum=6
        )
        month, week = figures["30 days of free times, ours"], figures["week of free times, ours"]
        ratios.print_ratio("30 days ÷ 7 days, median time", month.p50_ms / week.p50_ms, maximum=1.5)


def get_ratio(figures: dict[str, Figures], name: str, other: str = "bare") -> float:
    """Return our throughput divided by the bare view's."""
    return figures[f"{name}, ours"].per_second / figures[f"{name}, {other}"].per_second
