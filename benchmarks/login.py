"""How much many sign-ins slow down requests for free times.

The same requests are sent with and without eight users signing in without a pause, in turn on one server. Hashing a
password deliberately takes some 20 ms of CPU time; measured is whether other requests have to wait for it. The rate of
sign-ins is printed as well, since a server that let nobody in would look best.
"""

import threading

from benchmarks.harness import RATIO_COLUMNS, Case, Figures, Table, build_request, get_engine, measure_load, run_site

SIGN_IN_CLIENTS = 8
PASSWORD = "seven-tall-herons"  # noqa: S105 - of invented people
SEED = ("--doctors", "200", "--patients", "200", "--appointments", "2000")
ROUNDS = 5


def prepare() -> int:
    """Set the passwords of some patients; called through `call_django`."""
    from django.contrib.auth.hashers import make_password

    from accounts.models import Role, User

    # The newest, so that the demo accounts keep theirs.
    patients = User.objects.filter(role=Role.PATIENT).order_by("-pk").values("pk")[:SIGN_IN_CLIENTS]
    return User.objects.filter(pk__in=list(patients.values_list("pk", flat=True))).update(
        password=make_password(PASSWORD)
    )


def list_emails() -> list[str]:
    """Return the email addresses of these patients; called through `call_django`."""
    from accounts.models import Role, User

    return list(
        User.objects.filter(role=Role.PATIENT).order_by("-pk").values_list("email", flat=True)[:SIGN_IN_CLIENTS]
    )


def main(arguments: list[str]) -> None:
    """Compare the reads' 95th percentile on PostgreSQL, or on SQLite with the argument `sqlite`."""
    engine = get_engine(arguments)
    with run_site(engine, seed=SEED, prepare="benchmarks.login:prepare", env={"PUBLIC_CACHE_SECONDS": "0"}) as ours:
        doctors = ours.call_django("benchmarks.fixtures:list_doctor_ids", 50)
        emails = ours.call_django("benchmarks.login:list_emails")
        weeks = [build_request("GET", f"/api/doctors/{doctor}/slots?days=7") for doctor in doctors]
        sign_in_requests = [
            build_request(
                "POST",
                "/api/auth/login",
                f'{{"email": "{email}", "password": "{PASSWORD}", "role": "patient"}}'.encode(),
            )
            for email in emails
        ]
        reads = Case.for_site(ours, lambda n: weeks[n % len(weeks)])
        # The server may answer 503 under load.
        storm = Case(ours.port, lambda n: sign_in_requests[n % len(sign_in_requests)], frozenset({200, 503}))
        rounds_by_name: dict[str, list[Figures]] = {"calm": [], "storm": [], "sign-ins": []}
        for _ in range(ROUNDS):
            rounds_by_name["calm"].append(measure_load(reads, seconds=2.0, clients=1)[0])
            thread = threading.Thread(
                target=lambda: rounds_by_name["sign-ins"].append(
                    measure_load(storm, seconds=3.0, clients=SIGN_IN_CLIENTS)[0]
                )
            )
            thread.start()
            threading.Event().wait(0.5)
            rounds_by_name["storm"].append(measure_load(reads, seconds=2.0, clients=1)[0])
            thread.join()
    calm, loaded, sign_ins = (Figures.combine(rounds_by_name[name][1:]) for name in ("calm", "storm", "sign-ins"))
    table = Table(f"{engine}, one reader", ("what", "a second", "p50 ms", "p95 ms"))
    for name, each in (
        ("free times", calm),
        (f"free times, {SIGN_IN_CLIENTS} signing in", loaded),
        ("sign-ins", sign_ins),
    ):
        table.print_row(name, each.per_second, each.p50_ms, each.p95_ms)
    ratios = Table("Ratios", RATIO_COLUMNS)
    ratios.print_ratio("95th percentile of reads, storm ÷ calm", loaded.p95_ms / calm.p95_ms, maximum=1.5)
