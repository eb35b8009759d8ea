"""What the product is compared with: plain Django functions that send the same SQL, and nothing else.

`replay` keeps no copy of the product's statements, which would fall behind them: asked for an address for the first
time, it has the product answer it once, keeps each SELECT with its values, and from then on sends those, all rows
read, and writes them as JSON.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
import psycopg
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt

from accounts.models import AuditEvent, Notice
from accounts.models.identifiers import new_id
from appointments.models import Appointment, PatientOfDoctor

Statements = list[tuple[str, Any]]
kept: dict[str, Statements] = {}


def recorded(address: str) -> Statements:
    """Have the product answer an address; answer the SELECT statements that it sent."""
    found: Statements = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().startswith(("SELECT", "WITH")):
            found.append((sql, params))
        return execute(sql, params, many, context)

    path, _, _ = address.partition("?")
    view = resolve(path)
    with connection.execute_wrapper(note):
        answer = view.func(RequestFactory().get(address), *view.args, **view.kwargs)
        if hasattr(answer, "render"):
            answer.render()
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answers {answer.status_code}")
    return found


def replay(request: HttpRequest) -> HttpResponse:
    """Send the statements of `?of=` and write their rows."""
    address = request.GET["of"]
    if address not in kept:
        kept[address] = recorded(address)
    rows = []
    with connection.cursor() as cursor:
        for sql, params in kept[address]:
            cursor.execute(sql, params)
            rows.append(cursor.fetchall())
    return written(rows)


def written(value: Any) -> HttpResponse:
    """Write a value as JSON; no middleware tells the length here."""
    body = orjson.dumps(value, default=str)
    return HttpResponse(body, content_type="application/json", headers={"Content-Length": str(len(body))})


def statements_of(address: str) -> list[str]:
    """Return the statements of an address with their values written in; for pgbench."""
    texts = []
    recorded_here = recorded(address)
    connection.ensure_connection()
    # The server is sent values beside the statement; here they must stand in it.
    writer = psycopg.ClientCursor(connection.connection)
    for sql, params in recorded_here:
        texts.append(writer.mogrify(sql, params))
    return texts


# --- Booking ----------------------------------------------------------------------------------


class Pattern:
    """The rows that one booking of the product wrote, and the statements that write such rows again."""

    def __init__(self, appointment_id: str) -> None:
        appointment = Appointment.objects.get(pk=appointment_id)
        assert appointment.reservation is not None  # noqa: S101 - it has just been booked
        self.appointment = appointment
        pair = PatientOfDoctor.objects.get(doctor=appointment.doctor, patient=appointment.patient)
        told = {"subject_type": "appointment", "subject_id": str(appointment.pk)}
        self.rows: list[tuple[Any, bool]] = [
            (appointment.reservation, True),
            (appointment, True),
            (pair, False),
            *((row, False) for row in AuditEvent.objects.filter(entity_id=str(appointment.pk))),
            *((row, False) for row in Notice.objects.filter(**told)),
        ]
        self.statements = [(insert_like(row, with_key), row, with_key) for row, with_key in self.rows]

    def write(self, doctor: UUID, patient: UUID, starts_at: datetime) -> UUID:
        """Write a booking's rows for that doctor, patient and start in one transaction; return the appointment's id."""
        reservation_id, appointment_id, moved = new_id(), new_id(), starts_at - self.appointment.starts_at
        new = {
            self.appointment.pk: appointment_id,
            str(self.appointment.pk): str(appointment_id),
            self.appointment.reservation_id: reservation_id,
            self.appointment.doctor_id: doctor,
            self.appointment.patient_id: patient,
        }
        times = {
            self.appointment.starts_at,
            self.appointment.ends_at,
            getattr(self.appointment.reservation, "busy_until", None),
        }
        with transaction.atomic(), connection.cursor() as cursor:
            for statement, row, with_key in self.statements:
                values = []
                for column in columns_of(row, with_key):
                    value = getattr(row, column.attname)
                    if isinstance(value, UUID | str):
                        value = new.get(value, value)
                    elif isinstance(value, datetime) and value in times:
                        value += moved
                    values.append(column.get_db_prep_save(value, connection))
                cursor.execute(statement, values)
        return appointment_id


def columns_of(row: Any, with_key: bool) -> list[Any]:
    """Return a row's columns; its number is the database's to give."""
    return [column for column in row._meta.concrete_fields if with_key or not column.primary_key]


def insert_like(row: Any, with_key: bool) -> str:
    """Write the INSERT for a row like this one."""
    columns = columns_of(row, with_key)
    names = ", ".join(f'"{column.column}"' for column in columns)
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {row._meta.db_table} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING"  # noqa: S608 - our own columns


patterns: dict[str, Pattern] = {}


@csrf_exempt
def book(request: HttpRequest) -> HttpResponse:
    """Write what a booking writes, with nothing read, checked or locked: `{like, doctor, patient, startsAt}`."""
    told = orjson.loads(request.body)
    if told["like"] not in patterns:
        patterns[told["like"]] = Pattern(told["like"])
    starts_at = datetime.fromisoformat(told["startsAt"])
    appointment_id = patterns[told["like"]].write(UUID(told["doctor"]), UUID(told["patient"]), starts_at)
    answer = written({"success": True, "message": "", "data": {"_id": appointment_id}})
    answer.status_code = 201
    return answer
