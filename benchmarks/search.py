"""Whether searches of the directory take about as long among 100,000 doctors as among 100.

The same queries go to two servers in turn, one with 100 and one with 100,000 listed doctors with realistically many
names: p95 of the whole response, on one connection each. Then the SQL statements of each query run alone in the large
database. For comparison, the table also shows the time of a full scan for the same query, on PostgreSQL with index
scans switched off.
"""

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from benchmarks.harness import Case, Site, Table, build_request, get_engine, measure_interleaved, run_site

FEW, MANY = 100, 100_000
MAX_DATABASE_MS = 10.0
REPETITIONS = 7

BEGINNINGS = """an bel cor dan el fen gar hol is jor kas lin mar nor ol per quin ros san tor ul vas wen yar zel"""
MIDDLES = """a be chi de er fa go he il ko la mi ne or pa ri so ta un vi"""
SURNAMES = """son berg mann ez ić sen ova feld ström wicz ington ão ides nen ğlu"""
GIVEN = """a el in us é io ína ette oj ül"""


def build_names(count: int, endings: str, middles: int) -> list[str]:
    """Build `count` different names of syllables, always the same ones."""
    beginnings, between, last = BEGINNINGS.split(), MIDDLES.split(), endings.split()
    names = []
    for number in range(count):
        left, at = divmod(number, len(beginnings))
        word = beginnings[at]
        for _ in range(middles):
            left, at = divmod(left, len(between))
            word += between[at]
        names.append((word + last[(left + number) % len(last)]).capitalize())
    return names


def create_doctors(number: int) -> dict[str, int]:
    """Create a directory of doctors; called through `call_django`."""
    from dataclasses import replace

    from adminpanel.operations.seeding.load_data import LoadData
    from adminpanel.operations.seeding.people import load_doctors

    like = load_doctors()[0]
    given, surnames = build_names(600, GIVEN, 1), build_names(max(12, number * 9 // 100), SURNAMES, 2)
    people = [replace(like, name=f"{given[at % len(given)]} {surname}") for at, surname in enumerate(surnames)]
    # Both directories need some results for queries by name.
    people += [replace(like, name=name) for name in ("José García", "Tobiaš Müller-Lüdenscheidt", "Aoife O'Neill")] * 3
    return {"doctors": LoadData(datetime.now(UTC), people=people).create_doctors(number)}


def create_few_doctors() -> dict[str, int]:
    return create_doctors(FEW)


def create_many_doctors() -> dict[str, int]:
    return create_doctors(MANY)


def list_queries() -> dict[str, dict[str, Any]]:
    """Return query parameters by the name of the query."""
    words = {
        **{f"{len(word)} letters: {word}": word for word in (
            "a", "z", "q", "gh", "an", "ca", "gar", "jos", "son", "card", "mann", "garci", "cardio", "urology",
            "quinbeso", "cardiolog", "cardiology", "dermatology", "dermatologyx",
        )},
        "none": "xylqwzkv", "one word, typo": "cardiolgy", "typo in a name": "Garcai", "typo, rare": "Ludenscheidtt",
        "accents": "josé garcía", "accents left out, turned round": "garcia jose", "capitals": "JOSÉ GARCÍA",
        "O'Neill": "O'Neill", "hyphen": "Müller-Lüdenscheidt", "title": "Dr. Jose", "two frequent": "card an",
        "two beginnings": "a c", "three": "a b cardiology", "inside": "berg", "another script": "Мария",
        "signs": "100% _'\"*", "operators": "AND OR NOT NEAR", "emoji": "🙂 cardiology", "100 letters": "x" * 100,
        "50 words": "a " * 50,
    }  # fmt: skip
    queries: dict[str, dict[str, Any]] = {name: {"search": word} for name, word in words.items()}
    soon = (datetime.now(UTC) + timedelta(days=2)).date().isoformat()
    orders = ("-experience", "consultationFee", "-rating", "name", "nextFree")
    queries |= {f"order {order}": {"ordering": order} for order in orders}
    queries |= {f"cardiology, order {order}": {"search": "cardiology", "ordering": order} for order in orders}
    queries |= {
        f"specialization, order {order}": {"specialization": "Cardiology", "ordering": order} for order in orders
    }
    queries |= {
        "specialization": {"specialization": "Urology"}, "city": {"city": "berlin"}, "city, inside": {"city": "new y"},
        "specialization and city": {"specialization": "Cardiology", "city": "berlin"},
        "all filters": {"specialization": "Neurology", "city": "new york", "availableBy": soon},
        "all filters and words": {
            "search": "an", "specialization": "Neurology", "city": "new york", "availableBy": soon, "ordering": "name",
        },
        "by a date": {"availableBy": soon}, "by a date, by rating": {"availableBy": soon, "ordering": "-rating"},
        "deep page": {"page": "LAST"}, "deep page by name": {"page": "LAST", "ordering": "name"},
        "deep page of many": {"search": "a", "page": "LAST"},
        "deep page of a specialization": {"specialization": "Cardiology", "page": "FAR"},
        "deep page of words": {"search": "cardiology", "page": "FAR"},
        "deep page of words, by fee": {"search": "cardiology", "page": "FAR", "ordering": "consultationFee"},
    }  # fmt: skip
    return queries


def resolve_pages(queries: dict[str, Any], *, large: bool) -> dict[str, Any]:
    """Replace the placeholders of page numbers for a directory of this size."""
    pages = {"LAST": 500 if large else 4, "FAR": 200 if large else 1}
    return {name: pages.get(value, value) for name, value in queries.items()}


def measure_in_database(queries: dict[str, dict[str, Any]]) -> dict[str, list[float]]:
    """Return for each query the 95th percentile of its statements' total time and the time of a full scan, in ms."""
    from django.db import connection
    from django.db.models import Q
    from django.test.utils import CaptureQueriesContext

    from config.api.pagination import Page
    from doctors.directory import query as directory_query
    from doctors.models import DoctorProfile
    from doctors.serializers import DirectoryQuery

    def measure_statement(statement: str) -> float:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement}".replace("%", "%%"), ())
                plan = cursor.fetchone()[0]
                plan = plan if isinstance(plan, list) else json.loads(plan)
                return float(plan[0]["Execution Time"]) + float(plan[0]["Planning Time"])
            began = time.perf_counter()
            cursor.execute(statement.replace("%", "%%"), ())
            cursor.fetchall()
            return (time.perf_counter() - began) * 1000

    def measure_p95(statements: list[str]) -> float:
        times = sorted(sum(map(measure_statement, statements)) for _ in range(REPETITIONS))
        return times[int(len(times) * 0.95)]

    times_by_query: dict[str, list[float]] = {}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 0")
    for name, each in queries.items():
        serializer = DirectoryQuery(data=each)
        serializer.is_valid(raise_exception=True)
        data = serializer.validated_data
        with CaptureQueriesContext(connection) as captured:
            Page(directory_query.search_directory(data, datetime.now(UTC)), data)
        statements = [one["sql"] for one in captured.captured_queries if "weeklyhours" not in one["sql"]]
        scan = DoctorProfile.objects.approved().select_related("user")
        for word in data.get("search", "").split():
            scan = scan.filter(Q(user__name__icontains=word) | Q(specialization__icontains=word))
        if data.get("city"):
            scan = scan.filter(hospital_city__icontains=data["city"])
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(
                    "SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off"
                )
            with CaptureQueriesContext(connection) as captured:
                list(scan.order_by("-experience", "pk")[:21])
            read = captured.captured_queries[0]["sql"]
            scanned = measure_statement(
                read if connection.vendor == "postgresql" else read.replace("ORDER BY", "ORDER BY +", 1)
            )
            if connection.vendor == "postgresql":
                cursor.execute("RESET enable_indexscan; RESET enable_bitmapscan; RESET enable_indexonlyscan")
        times_by_query[name] = [measure_p95(statements), scanned]
    return times_by_query


def build_case(of: Site, query: dict[str, Any]) -> Case:
    return Case.for_site(of, build_request("GET", f"/api/doctors?{urlencode(query)}"))


def main(arguments: list[str]) -> None:
    """Compare on PostgreSQL, or on SQLite with the argument `sqlite`."""
    engine = get_engine(arguments)
    env = {"PUBLIC_CACHE_SECONDS": "0"}
    queries = list_queries()
    with (
        run_site(engine, prepare="benchmarks.search:create_few_doctors", env=env) as small,
        run_site(engine, prepare="benchmarks.search:create_many_doctors", env=env) as large,
    ):
        cases = {}
        for name, each in queries.items():
            cases[f"{name}, {FEW}"] = build_case(small, resolve_pages(each, large=False))
            cases[name] = build_case(large, resolve_pages(each, large=True))
        figures = measure_interleaved(cases, rounds=5, seconds=0.4, clients=1)
        parameters = {name: resolve_pages(each, large=True) for name, each in queries.items()}
        database_times = large.call_django("benchmarks.search:measure_in_database", parameters)
    table = Table(
        f"{engine}: {MANY:,} doctors, times in ms",
        ("search", f"p95, {FEW}", f"p95, {MANY:,}", "ratio", "database", "scan", f"≤ 3×, ≤ {MAX_DATABASE_MS:g} ms"),
        (44, 10, 12, 8, 10, 10, 14),
    )
    missed = []
    for name in queries:
        little, much = figures[f"{name}, {FEW}"].p95_ms, figures[name].p95_ms
        within, scanned = database_times[name]
        holds = much / little <= 3 and within <= MAX_DATABASE_MS
        missed += [] if holds else [name]
        table.print_row(name, little, much, much / little, within, scanned, "holds" if holds else "MISSED")
    print(f"{len(queries) - len(missed)} of {len(queries)} hold{'; missed: ' if missed else ''}{', '.join(missed)}")
