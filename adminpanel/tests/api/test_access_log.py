"""Test the list and the export of the access log."""

import csv
import re
from datetime import UTC, date, datetime, timedelta
from io import StringIO

import pytest
from django.db import connection

from accounts.access_log import count_readings_by_day, record_readings
from accounts.models import AuditEvent, Reading, User
from accounts.models.identifiers import new_id
from accounts.tests.factories import AdminFactory, PatientFactory
from adminpanel.api.access_log_views import filter_readings, get_first_day
from config.api.access_log import Subject

pytestmark = pytest.mark.django_db

TODAY = date(2030, 3, 31)
AUDITOR = "Avery Noor"
# The first of the thirty days that are shown, and the day before it.
FIRST, TOO_OLD = date(2030, 3, 2), date(2030, 3, 1)


@pytest.fixture
def others(db):
    return PatientFactory(name="Orla Quist"), PatientFactory(name="Bram Pell")


@pytest.fixture
def read(users, others, time_machine):
    """Record what a doctor and an admin were shown on three days."""
    orla, bram = others
    users.doctor.user.name = "Tova Lindqvist"
    users.doctor.user.save()
    rows = [
        (datetime(2030, 3, 1, 23, 59, tzinfo=UTC), users.doctor.user, "doctor-patient-list", [orla]),
        (datetime(2030, 3, 2, 0, 0, tzinfo=UTC), users.doctor.user, "doctor-patient-list", [orla]),
        (datetime(2030, 3, 31, 8, 30, tzinfo=UTC), users.doctor.user, "doctor-patient-list", [orla, bram]),
        (datetime(2030, 3, 31, 9, 15, tzinfo=UTC), users.doctor.user, "doctor-patient-list", [orla]),
        (datetime(2030, 3, 31, 9, 20, tzinfo=UTC), users.admin, "admin-user-detail", [bram]),
    ]
    for moment, actor, view, people in rows:
        time_machine.move_to(moment, tick=False)
        record_readings(actor, view, [Subject("user", one.pk, one.pk) for one in people])
    time_machine.move_to(datetime(2030, 3, 31, 12, 0, tzinfo=UTC), tick=False)
    return users


@pytest.fixture
def auditor(db):
    return AdminFactory(name=AUDITOR)


@pytest.fixture
def desk(read, auditor, client_of):
    return client_of(auditor)


@pytest.fixture
def prefer_indexes(db):
    """Have PostgreSQL, whose table is nearly empty here, read none whole where it can do otherwise."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


def days(desk, **query):
    """Return what is listed, without the rows of the admin who asks: the names on the page are recorded too."""
    answer = desk.get("/api/admin/readings", query)
    assert answer.status_code == 200, answer.json()
    auditor = str(User.objects.get(name=AUDITOR).pk)
    return [row for row in answer.json()["data"]["days"] if row["actorId"] != auditor]


def brief(rows):
    return [(row["date"], row["actorRole"], row["people"], row["views"]) for row in rows]


def exported(desk, **query):
    answer = desk.get("/api/admin/readings.csv", query)
    assert answer.status_code == 200
    return list(csv.reader(StringIO(answer.getvalue().decode("utf-8-sig"))))


def test_default_period_is_the_last_30_days(desk, read):
    doctor = read.doctor.user
    assert days(desk)[0] == {
        "date": "2030-03-31",
        "actorId": str(doctor.pk),
        "actorName": doctor.name,
        "actorRole": "doctor",
        "people": 2,
        "views": 3,
        "lastAt": "2030-03-31T09:15:00Z",
    }


def test_default_period_starts_29_days_before_the_last(desk):
    newest = [("2030-03-31", "doctor", 2, 3), ("2030-03-31", "admin", 1, 1)]
    first, before = ("2030-03-02", "doctor", 1, 1), ("2030-03-01", "doctor", 1, 1)
    assert brief(days(desk)) == [*newest, first]
    assert brief(days(desk, **{"from": TOO_OLD})) == [*newest, first, before]
    assert brief(days(desk, to=FIRST)) == [first, before]
    assert brief(days(desk, to=TODAY - timedelta(days=1))) == [first, before]
    assert brief(days(desk, **{"from": FIRST, "to": FIRST})) == [first]
    assert brief(days(desk, **{"from": TODAY, "to": FIRST})) == []


@pytest.mark.parametrize("last", ["0001-01-01", "0001-01-29", "9999-12-31"])
def test_first_and_last_dates_are_valid(desk, last):
    assert days(desk, to=last) == []


@pytest.mark.parametrize(("field", "value"), [("from", "2030-02-30"), ("to", "yesterday"), ("actor", "x" * 101)])
def test_invalid_filter_is_a_field_error(desk, field, value):
    for path in ("readings", "readings.csv"):
        answer = desk.get(f"/api/admin/{path}", {field: value})
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_days_are_filtered_by_reader_and_subject(desk, read, others):
    orla, bram = others
    doctor, newest, first = read.doctor.user, "2030-03-31", "2030-03-02"
    assert brief(days(desk, actor=doctor.pk)) == [(newest, "doctor", 2, 3), (first, "doctor", 1, 1)]
    assert brief(days(desk, actor="lindqvist")) == [(newest, "doctor", 2, 3), (first, "doctor", 1, 1)]
    assert brief(days(desk, person="quist orla")) == [(newest, "doctor", 1, 2), (first, "doctor", 1, 1)]
    # With as many people each, in the order of their ids.
    both = sorted([(doctor.pk, (newest, "doctor", 1, 1)), (read.admin.pk, (newest, "admin", 1, 1))])
    assert brief(days(desk, person=bram.pk)) == [row for _, row in both]
    assert brief(days(desk, actor=doctor.pk, person=orla.pk, to=FIRST)) == [
        (first, "doctor", 1, 1),
        ("2030-03-01", "doctor", 1, 1),
    ]
    assert days(desk, actor="Nobody Named So") == days(desk, person=read.admin.pk) == []


def test_days_are_paginated(desk):
    pages = [brief(days(desk, to=FIRST, page=page, pageSize=1)) for page in (1, 2, 3)]
    assert pages == [[("2030-03-02", "doctor", 1, 1)], [("2030-03-01", "doctor", 1, 1)], []]


def test_export_has_a_line_per_listed_row(desk, read, others, auditor):
    orla, bram = others
    doctor, admin = read.doctor.user, read.admin
    header, *lines = exported(desk)
    assert header == [
        *("Date (UTC)", "Who", "Name", "Role", "View", "What", "Its id", "Whose data", "Name of whose data"),
        *("Times", "First at", "Last at"),
    ]

    def line(day, actor, view, person, times, first, last):
        who, whose = str(actor.pk), str(person.pk)
        shown = [view, "user", whose, whose, person.name, str(times)]
        return [day, who, actor.name, actor.role, *shown, f"{day}T{first}:00Z", f"{day}T{last}:00Z"]

    march = [
        line("2030-03-31", admin, "admin-user-detail", bram, 1, "09:20", "09:20"),
        line("2030-03-31", doctor, "doctor-patient-list", bram, 1, "08:30", "08:30"),
        line("2030-03-31", doctor, "doctor-patient-list", orla, 2, "08:30", "09:15"),
        line("2030-03-02", doctor, "doctor-patient-list", orla, 1, "00:00", "00:00"),
    ]
    old = line("2030-03-01", doctor, "doctor-patient-list", orla, 1, "23:59", "23:59")
    assert lines == march
    assert exported(desk, **{"from": TOO_OLD})[1:] == [*march, old]
    assert exported(desk, actor="Nobody Named So") == [header]
    assert exported(desk, person=bram.pk)[1:] == march[:2]
    assert exported(desk, actor=doctor.pk, to=FIRST)[1:] == [march[3], old]
    details = AuditEvent.objects.filter(event="audit.export", agent_id=auditor.pk).values_list("detail", flat=True)
    assert list(details) == [{"what": "readings"}] * 5


def test_erased_user_is_exported_by_id_only(desk):
    gone = Subject("user", new_id(), new_id())
    record_readings(PatientFactory(), "test", [gone])
    (line,) = [row for row in exported(desk)[1:] if row[4] == "test"]
    assert line[6:9] == [str(gone.pk), str(gone.person), ""]


@pytest.mark.parametrize(("query", "index"), [({}, "reading_of_day"), ({"person": "orla quist"}, "reading_of_person")])
def test_days_and_rows_use_an_index(desk, query, index, prefer_indexes):
    asked = {"from": get_first_day(TODAY), **query}
    for rows in (count_readings_by_day(), Reading.objects.order_by("-day", "-id")):
        plan = filter_readings(rows, asked).explain()
        assert index in plan
        assert not re.search(r"Seq Scan|\bSCAN\b", plan)
