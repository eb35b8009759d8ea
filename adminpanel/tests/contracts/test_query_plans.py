"""No call reads a large table from end to end: each statement that a call sends finds what it wants by an index.

The tables are nearly empty here, so PostgreSQL is asked to read none whole where it can do otherwise, and SQLite, which
knows nothing of their sizes, takes every index that serves. `test_scale.py` and its like measure with many rows.
"""

import re
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from accounts.models import AuditEvent, Notice, Reading, Session, User
from adminpanel.queries.audit import find_by_short_id, find_events
from adminpanel.tests.contracts.access_matrix import AUDIENCES, list_read_routes
from adminpanel.tests.contracts.response_recorder import assert_empty, read_content
from adminpanel.tests.contracts.valid_calls import CALLS, send
from appointments.models import Appointment, AppointmentRecord, PatientOfDoctor, Proposal
from doctors.models import Absence, BlockedTime, DayOverride, DoctorProfile, Reservation, WeeklyHours

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

MODELS = (
    Absence, AuditEvent, Notice, Reading, Session, User, Appointment, PatientOfDoctor, Proposal, AppointmentRecord,
    BlockedTime, Reservation, DayOverride, DoctorProfile, WeeklyHours,
)  # fmt: skip
LARGE = {model._meta.db_table for model in MODELS}
# What a call reads whole because it tells of all of it.
BY_DESIGN = {
    # How many there are of each specialization.
    "GET admin-doctor-list": {"doctors_doctorprofile"},
    "GET admin-dashboard": {"doctors_doctorprofile"},
    # The whole trail, as a stream.
    "GET admin-audit-csv": {"accounts_auditevent"},
}


def whole(sql, params):
    """Return the large tables that a statement would read from end to end."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"EXPLAIN {sql}", params)
            plan = "\n".join(row[0] for row in cursor.fetchall())
            return LARGE & set(re.findall(r"Seq Scan on (\w+)", plan))
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        steps = [row[3] for row in cursor.fetchall()]
    tables = {name: name for name in LARGE}
    for table, alias in re.findall(r'(?:FROM|JOIN|UPDATE)\s+"?(\w+)"?\s+(?:AS\s+)?"?(\w+)"?', sql):
        if table in LARGE:
            tables.setdefault(alias, table)
    if " LIMIT " in sql and not any("FOR ORDER BY" in step for step in steps) and " WHERE " not in sql:
        # The rows' own order, and it stops soon.
        return set()
    scanned = [step.split()[1] for step in steps if step.startswith("SCAN ") and " INDEX " not in step]
    return {tables[name] for name in scanned if name in tables}


@contextmanager
def watch_queries(title, found):
    """Note each statement of a block that reads a large table whole."""
    busy = False

    def watch(execute, sql, params, many, context):
        nonlocal busy
        if not busy and not many and re.match(r"\s*(SELECT|UPDATE|DELETE|WITH)\b", sql):
            busy = True
            try:
                for table in whole(sql, params) - BY_DESIGN.get(title, set()):
                    found[title, table] = sql[:2000]
            finally:
                busy = False
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield


@pytest.fixture(autouse=True)
def rather_by_index(db):
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


def test_no_read_route_scans_a_large_table(populated_site):
    found = {}
    for route in list_read_routes():
        for audience in AUDIENCES:
            with watch_queries(f"GET {route}", found):
                read_content(populated_site.clients[audience].get(populated_site.addresses[route]))
    assert_empty(found)


def test_no_write_route_scans_a_large_table(populated_site):
    found = {}
    for name, call in CALLS.items():
        cache.clear()
        with transaction.atomic():
            call.prepare(populated_site)
            address = call.get_address(populated_site)
            with watch_queries(name, found):
                answer = send(replace(call, address=lambda _, there=address: there), populated_site)
                read_content(answer)
            assert (name, answer.status_code) == (name, call.status)
            transaction.set_rollback(True)
    assert_empty(found)


def test_users_are_found_by_the_end_of_their_id_in_an_index(populated_site):
    patient = populated_site.users.patient
    end = str(patient.pk)[-8:].upper()
    people = find_by_short_id(end)
    assert list(people) == [patient]
    AuditEvent.objects.create(event="test.made", action="C", entity_type="user", entity_id=str(patient.pk))
    events = find_events({"event": "test.", "entity": end})
    assert [one.event for one in events] == ["test.made"]
    for rows, index in ((people, "user_short_id"), (find_events({"entity": end}), "audit_of_id_end")):
        plan = rows.explain()
        assert index in plan
        assert not re.search(r"Seq Scan|\bSCAN\b", plan)


def test_holds_are_found_by_their_secret_in_an_index(populated_site):
    """With a secret that a visitor was given, and with any that somebody makes up."""
    found = {}
    doctor = populated_site.users.doctor
    with watch_queries("hold", found):
        list(Reservation.objects.holds_of(populated_site.users.patient, "made up"))
        list(Reservation.objects.holds_of(None, "made up"))
        list(Reservation.objects.filter(doctor=doctor, kind="appointment"))
    assert_empty(found)


def test_check_finds_a_table_scan():
    found = {}
    with watch_queries("watch", found):
        list(Reservation.objects.order_by().filter(created_at__isnull=True))
        list(Reservation.objects.filter(secret_hash="made up"))
    assert {table for _, table in found} == {"doctors_reservation"}
