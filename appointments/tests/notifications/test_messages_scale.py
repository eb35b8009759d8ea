"""The bell and the calendar feed of somebody with a long past: as many statements as at first, and no more work.

`SCALE_NOTICES` is how many appointments, and notices of them, the person has. Others have as many each, so that reading
everything would be a mistake.
"""

import logging
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from time import perf_counter
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice, User
from accounts.notifications import inbox, registry
from accounts.notifications.channels import build_email
from adminpanel.operations.seeding import bulk_insert
from appointments.calendar_feed import views as calendar_feed_views
from appointments.models import Appointment, Status
from appointments.notifications import messages as notification_messages
from appointments.tests.doctor_desk.practice import CHUNK, LENGTH, NOW, PERSON, Practice, write
from config.tests.db.query_plans import analyze_tables, find_table_scans

# How long each call took: `-o log_cli=true --log-cli-level=INFO` shows it.
logger = logging.getLogger(__name__)

MANY = int(os.environ.get("SCALE_NOTICES", "400"))
FEW = 20
OTHERS = 20
LARGE = ("accounts_notice", "appointments_appointment")
NOTICE = (
    *("event", "subject_type", "subject_id", "version", "recipient", "channel", "state", "detail", "address"),
    *("created_at", "due_at", "attempts", "message_id", "error"),
)


class Busy(Practice):
    """A doctor who was told of each appointment when it was booked; so many appointments lie ahead."""

    def __init__(self, number: int, appointments: int, ahead: int) -> None:
        super().__init__(number, appointments // 10)
        self.first = NOW + LENGTH - LENGTH * (appointments - ahead)

    def rows_of_notices(self) -> Iterator[tuple[Any, ...]]:
        """Return a notice of each appointment, in the order of time."""
        own = Appointment.objects.filter(doctor=self.doctor).order_by("starts_at")
        for pk, starts_at in own.values_list("pk", "starts_at"):
            told = min(starts_at - timedelta(days=9), NOW)
            yield (
                *("appointment.booked", "appointment", str(pk), 1, self.doctor.pk, "email", "sent", {}, ""),
                *(told, told, 1, f"<{pk}@example.com>", ""),
            )


def fill(practices: list[Busy]) -> None:
    """Insert everybody's people, appointments and notices."""
    with transaction.atomic():
        for practice in practices:
            bulk_insert.insert_rows(User, PERSON, [person for person, _ in practice.rows_of_people()])
            appointments, reservations = [], []
            for index in range(practice.appointments):
                appointment, reservation = practice.row_of_appointment(index)
                appointments.append(appointment)
                reservations += [reservation] if reservation else []
                if len(appointments) == CHUNK:
                    write(appointments, reservations)
            write(appointments, reservations)
            bulk_insert.insert_rows(Notice, NOTICE, list(practice.rows_of_notices()))


def cost(what: str, ask: Callable[[], Any]) -> tuple[int, list[str]]:
    """Ask once; return how many statements that took, and which read a large table whole."""
    began = perf_counter()
    with CaptureQueriesContext(connection) as captured:
        answer = ask()
    took = (perf_counter() - began) * 1000
    assert answer.status_code in {200, 304}, answer.content
    slowest = max((float(one["time"]) for one in captured.captured_queries), default=0) * 1000
    logger.info("%s: %.0f ms, %d statements, slowest %.0f ms", what, took, len(captured), slowest)
    selects = [one["sql"] for one in captured.captured_queries if one["sql"].startswith("SELECT")]
    return len(captured), [f"{table}: {sql}" for sql in selects for table in find_table_scans(sql, LARGE)]


def calls_of(practice: Busy, client: Any) -> dict[str, Callable[[], Any]]:
    """Return what the pages and the calendar of one doctor ask."""
    address = client.post("/api/auth/calendar-feed").json()["data"]["address"]
    path = f"/calendar/{address.rsplit('/', 1)[-1]}"
    reader = Client()
    tag, known = reader.get(path)["ETag"], client.get("/api/notices/unread")["ETag"]
    return {
        "bell": lambda: client.get("/api/notices", {"pageSize": 10}),
        "bell, second page": lambda: client.get("/api/notices", {"pageSize": 10, "page": 2}),
        "bell, unread alone": lambda: client.get("/api/notices", {"pageSize": 10, "unread": "true"}),
        "count of unread": lambda: client.get("/api/notices/unread"),
        "count of unread, without news": lambda: client.get("/api/notices/unread", HTTP_IF_NONE_MATCH=known),
        "feed": lambda: reader.get(path),
        "feed, without news": lambda: reader.get(path, HTTP_IF_NONE_MATCH=tag),
    }


@pytest.fixture
def built(monkeypatch):
    """The appointments of which a calendar file was made."""
    made = []
    real = notification_messages.build_calendar_file

    def counting(appointment, *rest):
        made.append(appointment.pk)
        return real(appointment, *rest)

    monkeypatch.setattr(notification_messages, "build_calendar_file", counting)
    return made


@pytest.mark.django_db(transaction=True)
def test_many_past_appointments_take_no_more_queries_for_inbox_and_feed(client_of, built, monkeypatch):
    composed: list[int] = []
    real = registry.compose_message
    monkeypatch.setattr(registry, "compose_message", lambda notice: composed.append(notice.pk) or real(notice))
    with time_machine.travel(NOW, tick=False):
        few, many = Busy(0, FEW, FEW), Busy(1, MANY, MANY // 2)
        fill([*(Busy(2 + number, MANY, MANY // 2) for number in range(OTHERS)), few, many])
        analyze_tables()
        costs: dict[str, list[int]] = {}
        scans: dict[str, list[str]] = {}
        words: dict[str, set[int]] = {}
        for practice in (few, many):
            for name, ask in calls_of(practice, client_of(practice.doctor.user)).items():
                composed.clear()
                statements, scans[name] = cost(f"{name} of {practice.appointments}", ask)
                costs.setdefault(name, []).append(statements)
                words.setdefault(name, set()).add(len(composed))
        assert {name: two for name, two in costs.items() if two[0] != two[1]} == {}
        assert {name: found for name, found in scans.items() if found} == {}
        # No more is put into words than is shown.
        assert words["bell"] == words["bell, second page"] == words["bell, unread alone"] == {10}
        assert words["count of unread"] == {inbox.MAX_COMPOSED_UNREAD}
        assert words["count of unread, without news"] == words["feed"] == {0}
        assert costs["count of unread, without news"] == costs["feed, without news"] == [2, 2]
        assert built == []
        assert Notice.objects.filter(recipient=many.doctor.user, event="appointment.booked").count() == MANY
        assert calendar_feed_views.list_feed_appointments(many.doctor.user, NOW).count() > MANY * 0.8


@pytest.mark.django_db
def test_calendar_file_is_created_for_mail_only(built, client_of):
    with time_machine.travel(NOW, tick=False):
        practice = Busy(0, FEW, FEW)
        fill([practice])
        client = client_of(practice.doctor.user)
        shown = client.get("/api/notices", {"pageSize": 50}).json()["data"]["notices"]
        assert len(shown) == FEW
        assert built == []
        # What is shown has one, made once when it is mailed.
        notice = Notice.objects.get(pk=shown[0]["_id"])
        message = registry.compose_message(notice)
        assert message is not None
        parts = build_email(message, "somebody@example.com", "<1@example.com>").message().as_string()
        assert parts.count("BEGIN:VCALENDAR") + parts.count("appointment.ics") >= 2
        assert [str(pk) for pk in built] == [notice.subject_id]
        # A cancelled one too.
        appointment = Appointment.objects.get(pk=notice.subject_id)
        appointment.status = Status.CANCELLED
        appointment.save()
        Notice.objects.filter(pk=notice.pk).update(event="appointment.cancelled")
        assert client.get("/api/notices").json()["data"]["notices"][0]["event"] == "appointment.cancelled"
        assert len(built) == 1


@pytest.mark.django_db
def test_without_the_subject_index_all_notices_of_a_user_are_read():
    """A later notice about the same appointment is looked for among the appointment's, not all of a person's."""
    with time_machine.travel(NOW, tick=False):
        practices = [Busy(number, 200, 100) for number in range(3)]
        fill(practices)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        notice = Notice.objects.filter(recipient=practices[0].doctor.user).latest("pk")
        appointment = Appointment.objects.get(pk=notice.subject_id)
        with CaptureQueriesContext(connection) as captured:
            assert not notification_messages.is_superseded(notice, appointment)
        (statement,) = [one["sql"] for one in captured.captured_queries]
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute(f"EXPLAIN {statement}")
            else:
                cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            plan = " ".join(str(row) for row in cursor.fetchall())
        assert "notice_of_subject" in plan
