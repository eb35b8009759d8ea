"""Weeks of free times a second, beside other booking systems that run on this machine.

    python3 dev.py bench peers NAME=ADDRESS [NAME=ADDRESS …]

An address stands for what a page of that system asks to show one day, with `{date}` where the day goes
(YYYY-MM-DD), and is asked once for each of the next seven days; one without `{date}` is taken to answer a whole week.
`POST ADDRESS|BODY` posts a form. Each peer must be set up with a person who works Monday to Friday, 9 to 18, in half
hours, and has some appointments in the coming week, like the doctor it is compared with. For django-appointment that is

    django-appointment=http://127.0.0.1:9000/appointment/ajax/available_slots/?staff_member=1&selected_date={date}

and for Easy!Appointments 1.5

    "easy-appointments=POST http://127.0.0.1:9001/index.php/booking/get_available_hours|provider_id=2&service_id=1&selected_date={date}"
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from benchmarks.ceiling import SEED
from benchmarks.harness import FIGURES, RATIOS, Case, Table, interleaved, request, site

WANTED = {"django-appointment": 60}
DAYS = 7


def requests_of(told: str) -> tuple[int, list[bytes]]:
    """Read an address as told on the command line; return the port and what makes one week."""
    method, _, rest = told.partition(" ") if told.startswith("POST ") else ("GET", "", told)
    address, _, body = rest.partition("|")
    parts = urlsplit(address)
    if parts.hostname not in {"127.0.0.1", "localhost"} or not parts.port:
        raise SystemExit(f"{address} must name a port of 127.0.0.1: load goes to this machine alone.")
    today = datetime.now(UTC).date()
    days = [today + timedelta(days=n) for n in range(1, DAYS + 1)] if "{date}" in rest else [today]
    asked = []
    for day in days:
        target = f"{parts.path}?{parts.query}".replace("{date}", f"{day:%Y-%m-%d}").rstrip("?")
        # Such pages ask by script, and say so.
        headers = {"X_Requested_With": "XMLHttpRequest"}
        if body:
            headers["Content_Type"] = "application/x-www-form-urlencoded"
        asked.append(request(method, target, body.replace("{date}", f"{day:%Y-%m-%d}").encode(), **headers))
    return parts.port, asked


def main(arguments: list[str]) -> None:
    """Compare with the peers named; says how to name them where there is none."""
    if not arguments:
        print(__doc__)
        return
    peers = {name: requests_of(told) for name, _, told in (each.partition("=") for each in arguments)}
    # A day that is no working day answers otherwise.
    statuses = (200, 400, 404)
    with site(seed=SEED, env={"PUBLIC_CACHE_SECONDS": "0"}) as ours:
        doctor = ours.ask_inside("benchmarks.people:doctors", 1)[0]
        cases = {"Wellhour": Case.of(ours, request("GET", f"/api/doctors/{doctor}/slots?days={DAYS}"))}
        for name, (port, asked) in peers.items():
            cases[name] = Case(port, lambda n, asked=asked: asked[n % len(asked)], frozenset(statuses))  # type: ignore[misc]  # mypy reads no type of a default
        figures = interleaved(cases, seconds=3)
    table = Table("Four clients; a week is as many requests as that system needs for it", FIGURES)
    for name, each in figures.items():
        table.figures(name, each)
    ratios = Table("Weeks of free times a second, ours ÷ theirs", RATIOS)
    for name, (_, asked) in peers.items():
        weeks = figures[name].per_second / len(asked)
        ratios.ratio(name, figures["Wellhour"].per_second / weeks, least=WANTED.get(name))
