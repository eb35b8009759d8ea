"""Weeks of free times a second, beside other booking systems that run on this machine.

    python3 dev.py bench peers NAME=ADDRESS [NAME=ADDRESS …]

An address is what a page of that system requests to show one day, with `{date}` for the day (YYYY-MM-DD); it is
requested once for each of the next seven days. One without `{date}` must return a whole week.
`POST ADDRESS|BODY` posts a form. Each peer must be set up with a person who works Monday to Friday, 9 to 18, in half
hours, and has some appointments in the coming week, like the doctor it is compared with. For django-appointment that is

    django-appointment=http://127.0.0.1:9000/appointment/ajax/available_slots/?staff_member=1&selected_date={date}

and for Easy!Appointments 1.5

    "easy-appointments=POST http://127.0.0.1:9001/index.php/booking/get_available_hours|provider_id=2&service_id=1&selected_date={date}"
"""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from benchmarks.harness import RATIO_COLUMNS, Case, Table, build_request, measure_interleaved, print_figures, run_site
from benchmarks.overhead import SEED

MIN_RATIOS = {"django-appointment": 60}
DAYS = 7


def parse_peer(text: str) -> tuple[int, list[bytes]]:
    """Parse the address of a peer; return its port and the requests for one week."""
    method, _, rest = text.partition(" ") if text.startswith("POST ") else ("GET", "", text)
    address, _, body = rest.partition("|")
    parts = urlsplit(address)
    if parts.hostname not in {"127.0.0.1", "localhost"} or not parts.port:
        raise SystemExit(f"{address} must name a port of 127.0.0.1: load is sent only to this machine.")
    today = datetime.now(UTC).date()
    days = [today + timedelta(days=n) for n in range(1, DAYS + 1)] if "{date}" in rest else [today]
    requests = []
    for day in days:
        target = f"{parts.path}?{parts.query}".replace("{date}", f"{day:%Y-%m-%d}").rstrip("?")
        # As sent by the scripts of such pages.
        headers = {"X_Requested_With": "XMLHttpRequest"}
        if body:
            headers["Content_Type"] = "application/x-www-form-urlencoded"
        requests.append(build_request(method, target, body.replace("{date}", f"{day:%Y-%m-%d}").encode(), **headers))
    return parts.port, requests


def main(arguments: list[str]) -> None:
    """Compare with the named peers; explain how to name them if there are none."""
    if not arguments:
        print(__doc__)
        return
    peers = {name: parse_peer(address) for name, _, address in (each.partition("=") for each in arguments)}
    # Statuses differ on days that are not working days.
    statuses = (200, 400, 404)
    with run_site(seed=SEED, env={"PUBLIC_CACHE_SECONDS": "0"}) as ours:
        doctor = ours.call_django("benchmarks.fixtures:list_doctor_ids", 1)[0]
        cases = {"Wellhour": Case.for_site(ours, build_request("GET", f"/api/doctors/{doctor}/slots?days={DAYS}"))}
        for name, (port, requests) in peers.items():
            cases[name] = Case(port, lambda n, requests=requests: requests[n % len(requests)], frozenset(statuses))  # type: ignore[misc]  # mypy reads no type of a default
        figures = measure_interleaved(cases, seconds=3)
    print_figures("Four clients; a week is as many requests as that system needs for it", figures)
    ratios = Table("Weeks of free times a second, ours ÷ theirs", RATIO_COLUMNS)
    for name, (_, requests) in peers.items():
        weeks = figures[name].per_second / len(requests)
        ratios.print_ratio(name, figures["Wellhour"].per_second / weeks, minimum=MIN_RATIOS.get(name))
