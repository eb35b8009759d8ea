"""How much people who read free times notice of a storm of sign-ins.

The same reads are asked with and without eight people signing in without a pause, in turn on one server. Hashing a
password takes some 20 ms of a core on purpose; what is measured is whether it takes them from those who read. The
storm's own speed is printed beside it, since a lane that let nobody in would look best.
"""

import threading
from typing import Any

from benchmarks.harness import RATIOS, Case, Figures, Table, flood, request, site

STORM = 8
PASSWORD = "seven-tall-herons"  # noqa: S105 - of invented people
SEED = ("--doctors", "200", "--patients", "200", "--appointments", "2000")
ROUNDS = 5


def prepare() -> int:
    """Give some patients a password; called inside."""
    from django.contrib.auth.hashers import make_password

    from accounts.models import Role, User

    # The demo's own patients keep theirs.
    patients = User.objects.filter(role=Role.PATIENT).order_by("-pk").values("pk")[:STORM]
    return User.objects.filter(pk__in=list(patients.values_list("pk", flat=True))).update(
        password=make_password(PASSWORD)
    )


def cast() -> dict[str, Any]:
    """Return who signs in, and whose free times are read; called inside."""
    from accounts.models import Role, User
    from doctors.models import DoctorProfile

    people = User.objects.filter(role=Role.PATIENT).order_by("-pk")[:STORM]
    doctors = DoctorProfile.objects.approved().order_by("pk")[:50]
    return {"emails": [one.email for one in people], "doctors": [str(one.pk) for one in doctors]}


def main(arguments: list[str]) -> None:
    """Compare the reads' slowest twentieth, on PostgreSQL, or with `sqlite` there."""
    engine = "sqlite" if "sqlite" in arguments else "postgresql"
    with site(engine, seed=SEED, also="benchmarks.login:prepare", env={"PUBLIC_CACHE_SECONDS": "0"}) as ours:
        known = ours.ask_inside("benchmarks.login:cast")
        weeks = [request("GET", f"/api/doctors/{doctor}/slots?days=7") for doctor in known["doctors"]]
        entries = [
            request(
                "POST",
                "/api/auth/login",
                f'{{"email": "{email}", "password": "{PASSWORD}", "role": "patient"}}'.encode(),
            )
            for email in known["emails"]
        ]
        reads = Case.of(ours, lambda n: weeks[n % len(weeks)])
        # A 503 counts as not signed in.
        storm = Case(ours.port, lambda n: entries[n % len(entries)], frozenset({200, 503}))
        found: dict[str, list[Figures]] = {"calm": [], "storm": [], "sign-ins": []}
        for _ in range(ROUNDS):
            found["calm"].append(flood(reads, seconds=2.0, clients=1)[0])
            entering = threading.Thread(
                target=lambda: found["sign-ins"].append(flood(storm, seconds=3.0, clients=STORM)[0])
            )
            entering.start()
            threading.Event().wait(0.5)
            found["storm"].append(flood(reads, seconds=2.0, clients=1)[0])
            entering.join()
    calm, stormy, let_in = (Figures.median(found[name][1:]) for name in ("calm", "storm", "sign-ins"))
    table = Table(f"{engine}, one reader", ("what", "a second", "p50 ms", "p95 ms"))
    for name, each in (("free times", calm), (f"free times, {STORM} signing in", stormy), ("sign-ins", let_in)):
        table.line(name, each.per_second, each.p50_ms, each.p95_ms)
    ratios = Table("Ratios", RATIOS)
    ratios.ratio("95th percentile of reads, storm ÷ calm", stormy.p95_ms / calm.p95_ms, most=1.5)
