"""A site with many people: the admin's lists and staff's tables cost as with few, and read no table whole.

`SCALE_PEOPLE` is how many people there are; as many appointments, and twice as many rows of the trail.
"""

import json
import logging
import os
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from time import perf_counter
from typing import Any

import pytest
import time_machine
from django.contrib import admin
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEvent, Notice, Session, User
from accounts.models.identifiers import new_id
from accounts.tests.factories import AdminFactory
from adminpanel.operations.seeding import bulk_insert
from adminpanel.queries.users import count_doctors, count_users
from adminpanel.tests.admin.staff import MAKERS, client_for, page_of, staff_member
from appointments.models import Appointment, PatientOfDoctor
from config.tests.db.query_plans import analyze_tables, find_table_scans, walk_plan
from doctors.models import DoctorProfile, Reservation, Specialization, Verification

# How long each call took, and its slowest statement: `-o log_cli=true --log-cli-level=INFO` shows it.
logger = logging.getLogger(__name__)

# So many that a count which stops after 10,000 rows reads less than three in four of them.
PEOPLE = int(os.environ.get("SCALE_PEOPLE", "16000"))
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

PERSON = ("id", "name", "email", "role", "status", "created_at", "ended_at", "password", "date_of_birth")
DOCTOR = (
    *("user", "specialization", "experience", "license_number", "consultation_fee", "hospital_name", "approval"),
    "approved_at",
)
CASE = ("id", "doctor", "submitted_at", "specialization", "license_number", "state")
RESERVATION = ("id", "kind", "doctor", "patient", "starts_at", "ends_at", "busy_until", "created_at")
APPOINTMENT = (
    *("id", "doctor", "patient", "reservation", "status", "date", "time", "time_zone", "starts_at", "ends_at"),
    *("doctor_name", "patient_name", "specialization", "hospital_name", "consultation_fee", "currency"),
    *("created_at", "attended", "cancelled_by", "respond_by"),
)
EVENT = (
    *("recorded_at", "event", "action", "outcome", "agent_id", "agent_role", "entity_type", "entity_id"),
    "request_id",
)
PAIR = ("doctor", "patient", "since", "last_booked_at", "name", "email", "gender")
EVENTS = ("account.signed_in", "appointment.booked", "appointment.confirmed", "record.read", "appointment.completed")
# A hundred doctors at the least, or each would have more appointments than a calendar holds.
DOCTORS = max(PEOPLE // 20, 100)


def people() -> list[tuple[Any, ...]]:
    """Return the accounts: one in twenty a doctor, one in fifty stopped, one in a hundred ended."""
    made = []
    for index in range(PEOPLE):
        pk, role = new_id(), "doctor" if index < DOCTORS else "admin" if index % 5_000 == 0 else "patient"
        ended = NOW - MINUTE if index % 100 == 7 else None
        status = "inactive" if index % 50 == 9 else "active"
        born = date(1950 + index % 50, 1, 1)
        name = f"Person {index} of {index % 997}"
        made.append((pk, name, f"{pk}@example.com", role, status, NOW - MINUTE * index, ended, "!", born))
    return made


def practices(doctors: list[tuple[Any, ...]]) -> None:
    """Insert the doctors' profiles, and the cases of those who wait."""
    profiles, cases = [], []
    for index, (pk, *_) in enumerate(doctors):
        approval = ("pending", "rejected", "revoked")[index % 3] if index % 20 == 0 else "approved"
        kind = Specialization.values[index % len(Specialization.values)]
        approved_at = NOW if approval == "approved" else None
        profiles.append((pk, kind, index % 40, f"L-{index}", Decimal("80.00"), "Example", approval, approved_at))
        if approval == "pending":
            cases.append((new_id(), pk, NOW - HOUR * index, kind, f"L-{index}", "open"))
    bulk_insert.insert_rows(DoctorProfile, DOCTOR, profiles)
    bulk_insert.insert_rows(Verification, CASE, cases)


def appointments(doctors: list[tuple[Any, ...]], patients: list[tuple[Any, ...]]) -> None:
    """Insert the appointments, a hundredth of them still to come, with the reservations of those."""
    made, reservations = [], []
    for index in range(PEOPLE):
        doctor, patient = doctors[index % len(doctors)], patients[index % len(patients)]
        # Each doctor's next appointment is an hour earlier; those to come are all at different hours.
        starts_at = NOW - HOUR * (2 + index // len(doctors))
        if index % 100 == 0:
            starts_at = NOW + HOUR * (24 + index // 100)
        over = starts_at < NOW
        status = ("completed" if index % 7 else "cancelled") if over else "confirmed"
        ends_at, reservation = starts_at + HOUR, None
        if status == "confirmed":
            reservation = new_id()
            reservations.append((reservation, "appointment", doctor[0], patient[0], starts_at, ends_at, ends_at, NOW))
        whose = (new_id(), doctor[0], patient[0], reservation, status)
        when = (starts_at.date(), starts_at.time(), "UTC", starts_at, ends_at)
        what = (doctor[1], patient[1], "Cardiology", "Example General", Decimal("80.00"), "USD")
        attended = index % 20 != 3 if status == "completed" else None
        made.append(
            (*whose, *when, *what, starts_at - HOUR, attended, "patient" if status == "cancelled" else "", None)
        )
    bulk_insert.insert_rows(Reservation, RESERVATION, reservations)
    bulk_insert.insert_rows(Appointment, APPOINTMENT, made)
    pairs = [(doctors[0][0], one[0], NOW, NOW, one[1], one[2], "other") for one in patients]
    bulk_insert.insert_rows(PatientOfDoctor, PAIR, pairs)


def trail(acting: list[tuple[Any, ...]]) -> None:
    """Insert the trail, a rare event and a rare failure among the others, and what else grows with it."""
    made = []
    for index in range(2 * PEOPLE):
        agent = acting[index % len(acting)]
        event = "staff.rights_changed" if index % 5_000 == 17 else EVENTS[index % len(EVENTS)]
        outcome = "4" if index % 1_000 == 33 else "0"
        at = NOW - MINUTE * (2 * PEOPLE - index)
        made.append((at, event, "U", outcome, agent[0], agent[3], "appointment", str(agent[0]), f"{index:032x}"))
    bulk_insert.insert_rows(AuditEvent, EVENT, made)
    expires = NOW + HOUR
    bulk_insert.insert_rows(Session, ("id", "user", "expires_at"), [(new_id(), one[0], expires) for one in acting])
    told = [("told", "user", str(one[0]), one[0], NOW) for one in acting]
    bulk_insert.insert_rows(Notice, ("event", "subject_type", "subject_id", "recipient", "delivered_at"), told)


def fill() -> list[tuple[Any, ...]]:
    """Fill the site; return the accounts."""
    everybody = people()
    doctors = [one for one in everybody if one[3] == "doctor"]
    patients = [one for one in everybody if one[3] == "patient"]
    with transaction.atomic():
        bulk_insert.insert_rows(User, PERSON, everybody)
        practices(doctors)
        appointments(doctors, patients)
        trail(everybody)
    analyze_tables()
    return everybody


# Nobody may go through these from end to end, but to count them.
LARGE = ("accounts_user", "accounts_auditevent", "appointments_appointment", "accounts_session", "accounts_notice")
# Exact totals are the specification's: each is counted inside one index.
COUNTED = ("users", "doctors", "dashboard")
# Words are looked for in every row until the search has an index of its own.
SEARCHED = "searched"


def calls(everybody: list[tuple[Any, ...]]) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the calls of the admin's desk, by name."""
    someone, day = str(everybody[-1][0]), (NOW - timedelta(days=5)).date().isoformat()
    api = "/api/admin"
    return {
        "users": (f"{api}/users", {}),
        "users, a later page": (f"{api}/users", {"page": 50}),
        "users by name": (f"{api}/users", {"ordering": "name"}),
        "users from the first": (f"{api}/users", {"ordering": "createdAt"}),
        "users, patients": (f"{api}/users", {"role": "patient"}),
        "users, admins": (f"{api}/users", {"role": "admin"}),
        "users, stopped": (f"{api}/users", {"status": "inactive"}),
        "users, stopped patients": (f"{api}/users", {"status": "inactive", "role": "patient"}),
        "users searched for a few": (f"{api}/users", {"search": "person 1777 of"}),
        "users searched for nobody": (f"{api}/users", {"search": "zebra"}),
        "doctors": (f"{api}/doctors", {}),
        "doctors, a later page": (f"{api}/doctors", {"page": 3}),
        "doctors, newest": (f"{api}/doctors", {"ordering": "-createdAt"}),
        "doctors, pending": (f"{api}/doctors", {"status": "pending"}),
        "doctors, approved": (f"{api}/doctors", {"status": "approved"}),
        "doctors of one field": (f"{api}/doctors", {"specialization": "Urology"}),
        "doctors searched": (f"{api}/doctors", {"search": "person 77 of"}),
        "records": (f"{api}/records", {}),
        "records, confirmed": (f"{api}/records", {"status": "confirmed"}),
        "records, cancelled": (f"{api}/records", {"status": "cancelled"}),
        "records, missed": (f"{api}/records", {"attended": "false"}),
        "records of a day": (f"{api}/records", {"from": day, "to": day}),
        "records searched": (f"{api}/records", {"search": "person 1777 of"}),
        "dashboard": (f"{api}/dashboard", {}),
        "audit": (f"{api}/audit", {}),
        "audit, a frequent event": (f"{api}/audit", {"event": "record.read"}),
        "audit, a rare event": (f"{api}/audit", {"event": "staff."}),
        "audit, no such event": (f"{api}/audit", {"event": "zebra."}),
        "audit of an agent": (f"{api}/audit", {"agent": someone}),
        "audit of a thing": (f"{api}/audit", {"entity": someone}),
        "audit, failures": (f"{api}/audit", {"outcome": "4"}),
        "audit of a request": (f"{api}/audit", {"requestId": f"{17:032x}"}),
        "audit of a day": (f"{api}/audit", {"from": day, "to": day}),
        "audit from a day": (f"{api}/audit", {"from": day}),
        "audit, an agent's day": (f"{api}/audit", {"agent": someone, "from": day, "to": day}),
    }


def tables() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the tables of the staff site, with what they are narrowed by most."""
    found: dict[str, tuple[str, dict[str, Any]]] = {
        f"table of {model._meta.verbose_name_plural}": (page_of(model), {}) for model in admin.site._registry
    }
    return found | {
        "table of patients": (page_of(User), {"role__exact": "patient"}),
        "table of stopped users": (page_of(User), {"status__exact": "inactive"}),
        "table of ended users": (page_of(User), {"ended": "yes"}),
        "table of users by name": (page_of(User), {"o": "1"}),
        "table of pending doctors": (page_of(DoctorProfile), {"approval__exact": "pending"}),
        "table of cancelled appointments": (page_of(Appointment), {"status__exact": "cancelled"}),
        "table of a rare event": (page_of(AuditEvent), {"event": "staff.rights_changed"}),
        "table of failures": (page_of(AuditEvent), {"outcome__exact": "4"}),
        "table of one person's trail": (page_of(AuditEvent), {"q": str(new_id())}),
        "table of users searched": (page_of(User), {"q": "person 1777 of"}),
    }


def fetch_page(client: Any, name: str, address: str, query: dict[str, Any]) -> tuple[int, list[str]]:
    """Ask once; return how many statements that took, and which of them read a large table whole."""
    began = perf_counter()
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, query)
    took = (perf_counter() - began) * 1000
    assert answer.status_code == 200, (name, answer.content)
    statements = [one["sql"] for one in captured.captured_queries if one["sql"].startswith("SELECT")]
    slowest = max(captured.captured_queries, key=lambda one: float(one["time"]))
    logger.info("%s: %.0f ms, slowest %.0f: %s", name, took, float(slowest["time"]) * 1000, slowest["sql"][:700])
    found = [(table, sql) for sql in statements for table in read_through(sql)]
    return len(captured), [f"{table}: {sql}" for table, sql in found]


def read_through(statement: str) -> list[str]:
    """Return the large tables of which this statement reads more than three in four, row by row, outside any index.

    PostgreSQL is asked what it did: stopping at a LIMIT is no fault. SQLite only says what it means to do.
    """
    if connection.vendor != "postgresql":
        # Nearly every account stands, so that this count has met its limit after a thousand rows or so.
        stops = 'FROM "accounts_user" WHERE "accounts_user"."ended_at" IS NULL LIMIT 1001)' in statement
        return [] if stops else find_table_scans(statement, LARGE, include_ordered=False)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement}")
        (plan,) = cursor.fetchone()
    nodes = walk_plan((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"])
    scans = [node for node in nodes if node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE]
    return [node["Relation Name"] for node in scans if rows_read(node) > PEOPLE * 3 / 4]


def rows_read(node: dict[str, Any]) -> float:
    """Return how many rows a scan went through."""
    return float(node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)))


def is_counting(statement: str) -> bool:
    """Return whether a statement is one of the exact totals."""
    return "COUNT(" in statement and " LIMIT " not in statement


@pytest.mark.django_db(transaction=True)
def test_many_users_take_no_more_queries_and_no_table_scan(client_of):
    with time_machine.travel(NOW, tick=False):
        # One row of each, since a planner knows nothing of an empty table.
        for make in MAKERS.values():
            make()
        for event in ("record.read", "staff.rights_changed"):
            AuditEvent.objects.create(event=event, action="R")
        desk, staff = client_of(AdminFactory.create()), client_for(staff_member(superuser=True))
        few = {name: fetch_page(desk, name, *call)[0] for name, call in calls([(new_id(),)]).items()}
        few |= {name: fetch_page(staff, name, *call)[0] for name, call in tables().items()}
        everybody = fill()
        many, scans = {}, {}
        for client, asked in ((desk, calls(everybody)), (staff, tables())):
            for name, call in asked.items():
                many[name], found = fetch_page(client, name, *call)
                # Exact totals may read one index through; words are looked for everywhere.
                counts = name.startswith(COUNTED)
                found = [one for one in found if not (counts and is_counting(one) and in_an_index(one))]
                if found and SEARCHED not in name:
                    scans[name] = found
        assert scans == {}, "\n".join(f"{name}: {one[:1500]}" for name, found in scans.items() for one in found)
        # A list without rows has no people to read along; no list costs more for being long.
        assert {name: (few[name], many[name]) for name in few if many[name] > few[name] + 2} == {}
        with CaptureQueriesContext(connection) as captured:
            totals = count_users(), count_doctors()
        for one in captured.captured_queries:
            with connection.cursor() as cursor:
                cursor.execute(
                    ("EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN ") + one["sql"]
                )
                logger.info("total: %s s, %s", one["time"], [row[-1] for row in cursor.fetchall()])
        assert totals[0]["all"] == User.objects.filter(ended_at=None).count()
        assert totals[1]["all"] == DoctorProfile.objects.filter(user__ended_at=None).count()


def in_an_index(found: str) -> bool:
    """Return whether SQLite counts inside an index. PostgreSQL counts a table this small as it pleases."""
    if connection.vendor == "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN QUERY PLAN " + found.split(": ", 1)[1])
        return all(" INDEX " in row[3] for row in cursor.fetchall() if row[3].startswith("SCAN "))


@pytest.mark.django_db
def test_check_finds_a_table_scan():
    """The control: a sort, a table without an index, and a count of rows themselves are seen."""
    sorted_by_phone = str(User.objects.order_by("phone").values("pk")[:20].query)
    assert find_table_scans(sorted_by_phone, LARGE, include_ordered=False) == ["accounts_user"]
    assert find_table_scans(str(Appointment.objects.order_by().query), LARGE) == ["appointments_appointment"]
