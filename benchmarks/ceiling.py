"""How near the product's answers are to the same SQL without the product.

Three sides of one database, asked in turn: `pgbench` sends the statements and throws the rows away; a bare Django
function (no middleware, no framework for APIs, no checks) sends them and writes the rows as JSON; our endpoint does
all that it does. The statements are those that our endpoint sends, recorded from it, so that the comparison can't fall
behind the code. The bare view is spared the parsing of a query, access, the envelope, headers and the log; how much of
that is what every answer of the site costs, shows the same view asked within the site, behind all its middleware.
"""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

from benchmarks.harness import FIGURES, RATIOS, Case, Figures, Site, Table, ask, interleaved, request, site

DOCTORS = 2000
SEED = ("--doctors", str(DOCTORS), "--patients", "2000", "--appointments", "20000")
DIRECTORY = "/api/doctors?pageSize=20"
WANTED = {"week of free times": 0.75, "directory page": 0.95}


def pgbench(site: Site, addresses: list[str], seconds: int = 4) -> float | None:
    """Send the statements of these addresses with PostgreSQL's own tool; return rounds a second, None without it."""
    tool = shutil.which("pgbench")
    if not tool or site.is_sqlite:
        return None
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, address in enumerate(addresses):
            script = Path(folder) / f"{number}.sql"
            statements = site.ask_inside("benchmarks.bare:statements_of", address)
            # Its scripts end a statement with a semicolon, and a colon before a word names a variable.
            script.write_text("".join(re.sub(r"(?<!:):(?=[A-Za-z_])", " :", text) + ";\n" for text in statements))
            files += ["-f", str(script)]
        database = site.database_url
        told = [tool, "-n", "-M", "prepared", "-c", "4", "-j", "1", "-T", str(seconds), *files, database]
        printed = subprocess.run(told, capture_output=True, text=True, check=True).stdout
    found = re.search(r"tps = ([\d.]+)", printed)
    return float(found[1]) if found else None


def engines() -> None:
    """Compare the two engines: the same reads of the same site, PostgreSQL without prepared statements."""
    env = {"PUBLIC_CACHE_SECONDS": "0"}
    with (
        site("sqlite", seed=SEED, env=env) as sqlite,
        site("postgresql", seed=SEED, env={**env, "DATABASE_PREPARED": "off"}) as unprepared,
    ):
        cases = {}
        for name, each in (("SQLite", sqlite), ("PostgreSQL unprepared", unprepared)):
            # Each site has ids of its own.
            doctors = each.ask_inside("benchmarks.people:doctors", 50)
            weeks = [request("GET", f"/api/doctors/{doctor}/slots?days=7") for doctor in doctors]
            cases[f"week of free times, {name}"] = Case.of(each, lambda n, weeks=weeks: weeks[n % 50])  # type: ignore[misc]  # mypy reads no type of a default
            cases[f"directory page, {name}"] = Case.of(each, request("GET", DIRECTORY))
        figures = interleaved(cases)
    table = Table("The two engines", FIGURES)
    for name, found in figures.items():
        table.figures(name, found)
    ratios = Table("Ratios of answers a second", RATIOS)
    for name in WANTED:
        ratio = figures[f"{name}, SQLite"].per_second / figures[f"{name}, PostgreSQL unprepared"].per_second
        ratios.ratio(f"{name}: SQLite ÷ PostgreSQL unprepared", ratio, least=1)


def bookings(site: Site, patients: int = 1900, doctors: int = 500) -> tuple[list[bytes], list[bytes]]:
    """Write requests that each book another free time: ours, and those of the bare view, each with times of its own."""
    days = site.ask_inside("benchmarks.people:free_times", doctors, 6)
    people = site.ask_inside("benchmarks.people:patients", patients)
    # One booking of the product is the pattern.
    ours: list[bytes] = []
    bare: list[bytes] = []
    like = ""
    # Every second one: the same evening here is the next morning elsewhere.
    for times in days[::2]:
        for number, (time, (patient, token)) in enumerate(zip(times, people, strict=False)):
            told = {"doctorId": time["doctor"], "appointmentDate": time["date"], "appointmentTime": time["time"]}
            body = json.dumps({**told, "symptoms": "A cough for a week", "notes": ""}).encode()
            what = request("POST", "/api/appointments", body, token=token)
            if not like:
                status, answer = ask(site.port, what)
                if status != 201:
                    raise RuntimeError(f"no booking: {answer!r}")
                like = json.loads(answer)["data"]["appointment"]["_id"]
            elif number % 2:
                ours.append(what)
            else:
                row = {"like": like, "doctor": time["doctor"], "patient": patient, "startsAt": time["startsAt"]}
                bare.append(request("POST", "/bare/book", json.dumps(row).encode()))
    return ours, bare


def booking() -> None:
    """Compare booking with a bare view that writes the same rows."""
    with site(seed=("--doctors", str(DOCTORS), "--patients", "2000")) as ours:
        bare = ours.start_second_server(BENCHMARK_BARE="1")
        our_bookings, bare_bookings = bookings(ours)
        figures = interleaved(
            {
                "booking, ours": Case.of(ours, lambda n: our_bookings[n], 201),
                "booking, bare": Case.of(bare, lambda n: bare_bookings[2 * n], 201),
                "booking, bare in the site": Case.of(ours, lambda n: bare_bookings[2 * n + 1], 201),
            },
            rounds=8,
        )
    table = Table("Booking, four patients at a time", FIGURES)
    for name, each in figures.items():
        table.figures(name, each)
    ratios = Table("Ratios of answers a second", RATIOS)
    ratios.ratio("booking: ours ÷ bare", share(figures, "booking"), least=0.6)
    ratios.ratio("booking: ours ÷ bare in the site", share(figures, "booking", "bare in the site"))


def main(arguments: list[str]) -> None:
    """Compare reads and bookings on PostgreSQL, then the engines; or the parts named: reads, booking, engines."""
    parts = {"reads": against_bare, "booking": booking, "engines": engines}
    for name in arguments or parts:
        parts[name]()


def against_bare() -> None:
    """Compare with the same SQL in pgbench and in a bare view."""
    with site(seed=SEED, env={"PUBLIC_CACHE_SECONDS": "0"}) as ours:
        bare = ours.start_second_server(BENCHMARK_BARE="1")
        doctors = ours.ask_inside("benchmarks.people:doctors", 50)
        weeks = [f"/api/doctors/{doctor}/slots?days=7" for doctor in doctors]
        months = [f"/api/doctors/{doctor}/slots?days=30" for doctor in doctors]

        def replayed(address: str) -> bytes:
            return request("GET", f"/bare/replay?of={quote(address, safe='')}")

        our_weeks = [request("GET", each) for each in weeks]
        our_months = [request("GET", each) for each in months]
        bare_weeks = [replayed(each) for each in weeks]
        anonymous_cached = ours.start_second_server(PUBLIC_CACHE_SECONDS="5")
        figures = interleaved(
            {
                "week of free times, ours": Case.of(ours, lambda n: our_weeks[n % 50]),
                "week of free times, bare": Case.of(bare, lambda n: bare_weeks[n % 50]),
                "30 days of free times, ours": Case.of(ours, lambda n: our_months[n % 50]),
                "directory page, ours": Case.of(ours, request("GET", DIRECTORY)),
                "directory page, bare": Case.of(bare, replayed(DIRECTORY)),
                "week of free times, bare in the site": Case.of(ours, lambda n: bare_weeks[n % 50]),
                "directory page, bare in the site": Case.of(ours, replayed(DIRECTORY)),
                "directory page, anonymous, cached": Case.of(anonymous_cached, request("GET", DIRECTORY)),
            }
        )
        table = Table("Four clients, one after the other on each connection", FIGURES)
        for name, each in figures.items():
            table.figures(name, each)
        for name, address in (("week of free times", weeks[0]), ("directory page", DIRECTORY)):
            rate = pgbench(ours, [address])
            statements = len(ours.ask_inside("benchmarks.bare:statements_of", address))
            table.line(f"{name}, pgbench ({statements} statements)", rate or "not here")
        ratios = Table("Ratios of answers a second", RATIOS)
        for name, least in WANTED.items():
            ratios.ratio(f"{name}: ours ÷ bare", share(figures, name), least=least)
            ratios.ratio(f"{name}: ours ÷ bare in the site", share(figures, name, "bare in the site"))
        cached = figures["directory page, anonymous, cached"].per_second
        ratios.ratio("directory page: cached ÷ computed", cached / figures["directory page, ours"].per_second, least=6)
        month, week = figures["30 days of free times, ours"], figures["week of free times, ours"]
        ratios.ratio("30 days ÷ 7 days, median time", month.p50_ms / week.p50_ms, most=1.5)


def share(figures: dict[str, Figures], name: str, other: str = "bare") -> float:
    """Return what part of the bare view's throughput ours has."""
    return figures[f"{name}, ours"].per_second / figures[f"{name}, {other}"].per_second
