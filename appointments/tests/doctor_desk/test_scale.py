"""A desk with a long past: it costs as many statements as a young one, and none reads a whole table.

`SCALE_PATIENTS` is how many patients the doctor has, each with ten appointments. The other doctors have as many, so
that reading everything would be a mistake.
"""

import logging
import os
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.models.identifiers import new_id
from accounts.tests.factories import PatientFactory
from adminpanel.operations.seeding import bulk_insert
from appointments.models import Appointment, AppointmentRecord, PatientOfDoctor, Proposal
from appointments.tests.doctor_desk.practice import APPOINTMENTS_EACH, CHUNK, NOW, PERSON, Practice, account, write
from config.tests.db.query_plans import analyze_tables, find_table_scans

# The slowest statement of each call: `-o log_cli=true --log-cli-level=INFO` shows it.
logger = logging.getLogger(__name__)

PATIENTS = int(os.environ.get("SCALE_PATIENTS", "150"))
YOUNG = 20
OTHERS = 20 if PATIENTS < 1_000 else 4
# People who know none of these doctors.
BYSTANDERS = 15_000

PAIR = ("doctor", "patient", "since", "last_booked_at", "name", "email", "gender")

LISTED = "/api/appointments"
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "dashboard": ("/api/doctors/dashboard", {}),
    "patients": ("/api/doctors/patients", {}),
    "patients, second page": ("/api/doctors/patients", {"page": 2, "pageSize": 10}),
    "patients by name": ("/api/doctors/patients", {"ordering": "name"}),
    "patients by gender": ("/api/doctors/patients", {"gender": "other"}),
    "patients searched": ("/api/doctors/patients", {"search": "person 1 example"}),
    "calendar": ("/api/doctors/calendar", {}),
    "calendar of last month": ("/api/doctors/calendar", {"from": "2029-12-03"}),
    "list": (LISTED, {}),
    "list, second page": (LISTED, {"page": 2, "pageSize": 10}),
    "list with counts": (LISTED, {"counts": "true"}),
    "list of pending": (LISTED, {"status": "pending"}),
    "list of confirmed": (LISTED, {"status": "confirmed"}),
    "list of completed": (LISTED, {"status": "completed"}),
    "list of cancelled": (LISTED, {"status": "cancelled"}),
    "list of missed": (LISTED, {"attended": "false"}),
    "list of waiting": (LISTED, {"waiting": "true"}),
    "list of upcoming": (LISTED, {"scope": "upcoming"}),
    "list of past": (LISTED, {"scope": "past"}),
    "list of some days": (LISTED, {"from": "2030-01-01", "to": "2030-01-31", "counts": "true"}),
    "list searched for many": (LISTED, {"search": "person 1 example", "counts": "true"}),
    "list searched for a few": (LISTED, {"search": "person 17 of", "counts": "true"}),
    "list searched for nobody": (LISTED, {"search": "zebra", "counts": "true"}),
    "written records": (LISTED, {"scope": "written"}),
    "written records searched": (LISTED, {"scope": "written", "search": "zebra"}),
}
# Nobody may go through these from end to end.
LARGE = ("appointments_appointment", "appointments_patientofdoctor", "accounts_user", "appointments_appointmentrecord")


def fill(practices: list[Practice]) -> None:
    """Insert what these practices hold, their appointments mixed with one another as time mixes them."""
    with transaction.atomic():
        strangers = ((new_id(), f"Bystander {number}", "female") for number in range(BYSTANDERS))
        bulk_insert.insert_rows(User, PERSON, (account(pk, name, gender) for pk, name, gender in strangers))
        for practice in practices:
            people = list(practice.rows_of_people())
            bulk_insert.insert_rows(User, PERSON, [person for person, _ in people])
            bulk_insert.insert_rows(PatientOfDoctor, PAIR, [pair for _, pair in people])
        appointments: list[tuple[Any, ...]] = []
        reservations: list[tuple[Any, ...]] = []
        for index in range(max(practice.appointments for practice in practices)):
            for practice in practices:
                if index < practice.appointments:
                    appointment, reservation = practice.row_of_appointment(index)
                    appointments.append(appointment)
                    reservations += [reservation] if reservation else []
            if len(appointments) >= CHUNK:
                write(appointments, reservations)
        write(appointments, reservations)
        for practice in practices:
            propose(practice)


def propose(practice: Practice) -> None:
    """Let some patients wait for an answer to another time."""
    asked = Appointment.objects.filter(doctor=practice.doctor, status="confirmed", starts_at__gt=NOW)[:5]
    Proposal.objects.bulk_create(
        Proposal(
            appointment=appointment,
            proposed_by="patient",
            date=appointment.date,
            time=appointment.time,
            time_zone=appointment.time_zone,
            starts_at=appointment.starts_at,
            ends_at=appointment.ends_at,
            created_at=NOW,
            expires_at=NOW + timedelta(days=1),
        )
        for appointment in asked
    )


@pytest.mark.django_db(transaction=True)
def test_many_past_appointments_take_no_more_queries_and_no_table_scan(client_of):
    with time_machine.travel(NOW, tick=False):
        young, old = Practice(0, YOUNG), Practice(1, PATIENTS)
        fill([young, old, *(Practice(2 + number, PATIENTS) for number in range(OTHERS))])
        analyze_tables()
        PatientFactory.create()
        clients = [client_of(practice.doctor.user) for practice in (young, old)]
        counts: dict[str, set[int]] = {}
        scans: dict[str, list[str]] = {}
        for name, (address, query) in CALLS.items():
            for client in clients:
                with CaptureQueriesContext(connection) as captured:
                    answer = client.get(address, query)
                assert answer.status_code == 200, answer.json()
                # Where nobody is shown, nothing is recorded.
                cost = [one for one in captured if "accounts_reading" not in one["sql"]]
                counts.setdefault(name, set()).add(len(cost))
            statements = [one for one in captured.captured_queries if one["sql"].startswith("SELECT")]
            found = [(table, one["sql"]) for one in statements for table in find_table_scans(one["sql"], LARGE)]
            if found:
                scans[name] = [f"{table}: {sql}" for table, sql in found]
            slowest = max(captured.captured_queries, key=lambda one: float(one["time"]))
            logger.info("%s: %.0f ms, %s", name, float(slowest["time"]) * 1000, slowest["sql"])
        assert {name: sizes for name, sizes in counts.items() if len(sizes) > 1} == {}
        assert scans == {}
        assert Appointment.objects.filter(doctor=old.doctor).count() == PATIENTS * APPOINTMENTS_EACH


@pytest.mark.django_db
def test_check_finds_a_query_with_a_table_scan():
    """The control: what the watch must not let pass."""
    for model in (Appointment, PatientOfDoctor, User, AppointmentRecord):
        # All columns: of the keys alone PostgreSQL may read an index instead.
        everything = str(model.objects.order_by().query)
        assert find_table_scans(everything, LARGE) == [model._meta.db_table]
    aliased = (
        'SELECT "appointments_proposal"."id" FROM "appointments_proposal" WHERE EXISTS'
        ' (SELECT 1 FROM "appointments_patientofdoctor" U0 WHERE U0."email" LIKE \'%x%\')'
    )
    assert find_table_scans(aliased, LARGE) == ["appointments_patientofdoctor"]
