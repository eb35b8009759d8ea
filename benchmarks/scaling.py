"""Whether requests take the same time as data grows: the same request on small and on large data, in turn.

Compared are short and ten times longer histories, 7 and 30 days, free and fully booked doctors, directories of 100 and
of 100,000 doctors. The two directories are two databases with a server each.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.harness import (
    RATIO_COLUMNS,
    Case,
    Figures,
    Site,
    Table,
    build_request,
    get_engine,
    measure_interleaved,
    print_figures,
    run_site,
)

FEW, MANY = 100, 100_000
HISTORY = 300
FULL, FREE = "Fullborough", "Freeborough"


def prepare() -> dict[str, int]:
    """Create two histories, twenty fully booked and twenty free doctors; called through `call_django`."""
    from accounts.models import Role, User
    from appointments.models import Appointment, Status
    from appointments.scheduling.booking import build_appointment
    from doctors import slot_engine as engine
    from doctors.availability.calendar import Calendar, read_rules, refresh_next_free, to_epoch
    from doctors.models import DoctorProfile, Reservation

    now = datetime.now(UTC)
    patient = User.objects.filter(role=Role.PATIENT).order_by("pk").first()
    chosen = list(DoctorProfile.objects.approved().select_related("user").order_by("-user_id")[:42])
    assert patient is not None  # noqa: S101 - the demo has some
    made = 0
    for doctor, appointments in zip(chosen[:2], (HISTORY, HISTORY * 10), strict=True):
        DoctorProfile.objects.filter(pk=doctor.pk).update(hospital_city=f"History {appointments}")
        reservations, past = [], []
        for day in range(1, appointments + 1):
            start = to_epoch(now.replace(hour=10, minute=0, second=0, microsecond=0)) - day * 86400
            local = datetime.fromtimestamp(start, UTC)
            slot = engine.Slot(local.date(), local.time(), start, start + 1800, start + 1800)
            reservations.append(
                Reservation(
                    kind=Reservation.Kind.APPOINTMENT, doctor=doctor, starts_at=local, ends_at=slot.ends_at_utc,
                    busy_until=slot.busy_until_utc,
                )
            )  # fmt: skip
            appointment = build_appointment(doctor, patient, slot)
            appointment.reservation, appointment.status, appointment.attended = reservations[-1], Status.COMPLETED, True
            appointment.created_at = appointment.updated_at = local
            past.append(appointment)
        Reservation.objects.bulk_create(reservations, batch_size=500)
        Appointment.objects.bulk_create(past, batch_size=500)
        made += appointments
    for city, some in ((FREE, chosen[2:22]), (FULL, chosen[22:])):
        ids = [doctor.pk for doctor in some]
        # The same rules for all forty, so that nothing differs but what is taken.
        DoctorProfile.objects.filter(pk__in=ids).update(
            hospital_city=city, appointment_minutes=30, buffer_minutes=0, max_days_ahead=62, min_notice_minutes=0
        )
        if city == FULL:
            # Last in the directory's own order, which is compared with another's.
            DoctorProfile.objects.filter(pk__in=ids).update(experience=0)
        for doctor in DoctorProfile.objects.filter(pk__in=ids):
            if city == FULL:
                calendar = Calendar.read(doctor, now)
                free = engine.list_next_free(read_rules([doctor], now)[doctor.pk], calendar.busy, to_epoch(now), 10_000)
                Reservation.objects.bulk_create(
                    Reservation(
                        kind=Reservation.Kind.APPOINTMENT, doctor=doctor, starts_at=slot.starts_at_utc,
                        ends_at=slot.ends_at_utc, busy_until=slot.busy_until_utc,
                    )
                    for slot in free
                )  # fmt: skip
                made += len(free)
        refresh_next_free(ids, now + timedelta(seconds=1))
    return {"reservations": made}


def get_history_doctors() -> dict[str, Any]:
    """Return the ids of the two doctors with a history; called through `call_django`."""
    from doctors.models import DoctorProfile

    return {
        str(appointments): str(DoctorProfile.objects.get(hospital_city=f"History {appointments}").pk)
        for appointments in (HISTORY, HISTORY * 10)
    }


def build_cases(small: Site, large: Site) -> dict[str, Case]:
    """Return the requests to the small and the large site."""
    ids = {id(each): each.call_django("benchmarks.scaling:get_history_doctors") for each in (small, large)}

    def week(of: Site, appointments: int, days: int = 7) -> Case:
        return Case.for_site(
            of, build_request("GET", f"/api/doctors/{ids[id(of)][str(appointments)]}/slots?days={days}")
        )

    def page(of: Site, query: str) -> Case:
        return Case.for_site(of, build_request("GET", f"/api/doctors?{query}"))

    return {
        f"week, history of {HISTORY}": week(small, HISTORY),
        f"week, history of {HISTORY * 10}": week(small, HISTORY * 10),
        "30 days": week(small, HISTORY, 30),
        f"week, {MANY:,} doctors": week(large, HISTORY),
        "page of 20 free doctors": page(small, f"city={FREE}"),
        "page of 20 booked-out doctors": page(small, f"city={FULL}"),
        f"directory of {FEW}": page(small, "page=1"),
        f"directory of {MANY:,}": page(large, "page=1"),
        f"soonest first, {FEW}": page(small, "ordering=nextFree"),
        f"soonest first, {MANY:,}": page(large, "ordering=nextFree"),
        f"page 4, {FEW}": page(small, "page=4"),
        f"page 400, {MANY:,}": page(large, "page=400"),
    }


# The name, numerator, denominator and maximum of each ratio.
RATIOS = (
    ("free times at 10× history", f"week, history of {HISTORY * 10}", f"week, history of {HISTORY}", 1.5),
    ("free times of 30 days ÷ 7 days", "30 days", f"week, history of {HISTORY}", 1.5),
    (f"free times among {MANY:,} ÷ {FEW}", f"week, {MANY:,} doctors", f"week, history of {HISTORY}", 1.5),
    ("20 booked-out doctors ÷ 20 free ones", "page of 20 booked-out doctors", "page of 20 free doctors", 10.0),
    (f"directory page, {MANY:,} ÷ {FEW}", f"directory of {MANY:,}", f"directory of {FEW}", 3.0),
    (f"soonest first, {MANY:,} ÷ {FEW}", f"soonest first, {MANY:,}", f"soonest first, {FEW}", 3.0),
    (f"page 400 of {MANY:,} ÷ page 4 of {FEW}", f"page 400, {MANY:,}", f"page 4, {FEW}", 3.0),
)


def main(arguments: list[str]) -> None:
    """Compare on PostgreSQL, or on SQLite with the argument `sqlite`."""
    engine = get_engine(arguments)
    env, also = {"PUBLIC_CACHE_SECONDS": "0"}, "benchmarks.scaling:prepare"
    with (
        run_site(engine, seed=("--doctors", str(FEW)), prepare=also, env=env) as small,
        run_site(engine, seed=("--doctors", str(MANY)), prepare=also, env=env) as large,
    ):
        figures: dict[str, Figures] = measure_interleaved(build_cases(small, large), seconds=1.0)
    print_figures(f"{engine}, four clients", figures)
    ratios = Table("Ratios of median times", RATIO_COLUMNS)
    for name, much, little, most in RATIOS:
        ratios.print_ratio(name, figures[much].p50_ms / figures[little].p50_ms, maximum=most)
