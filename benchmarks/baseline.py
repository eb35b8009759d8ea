"""The baseline: plain Django views that send the same SQL as the product, and do nothing else.

`replay` records the statements on the first request for a URL: it calls the product's view once and keeps each SELECT
with its parameters. From then on it sends those, fetches all rows and returns them as JSON.
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
statements_by_url: dict[str, Statements] = {}


def record_statements(url: str) -> Statements:
    """Call the product's view for a URL; return the SELECT statements that it sent."""
    statements: Statements = []

    def record(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().startswith(("SELECT", "WITH")):
            statements.append((sql, params))
        return execute(sql, params, many, context)

    path, _, _ = url.partition("?")
    view = resolve(path)
    with connection.execute_wrapper(record):
        response = view.func(RequestFactory().get(url), *view.args, **view.kwargs)
        if hasattr(response, "render"):
            response.render()
    if response.status_code != 200:
        raise RuntimeError(f"{url} returned {response.status_code}")
    return statements


def replay(request: HttpRequest) -> HttpResponse:
    """Send the statements of the URL `?of=` and return their rows."""
    url = request.GET["of"]
    if url not in statements_by_url:
        statements_by_url[url] = record_statements(url)
    rows = []
    with connection.cursor() as cursor:
        for sql, params in statements_by_url[url]:
            cursor.execute(sql, params)
            rows.append(cursor.fetchall())
    return build_json_response(rows)


def build_json_response(value: Any) -> HttpResponse:
    """Return a JSON response with its length, which no middleware adds here."""
    body = orjson.dumps(value, default=str)
    return HttpResponse(body, content_type="application/json", headers={"Content-Length": str(len(body))})


def list_statements(url: str) -> list[str]:
    """Return the statements of a URL with their parameters filled in, for pgbench."""
    statements = record_statements(url)
    connection.ensure_connection()
    cursor = psycopg.ClientCursor(connection.connection)
    return [cursor.mogrify(sql, params) for sql, params in statements]


# --- Booking ----------------------------------------------------------------------------------


class BookingTemplate:
    """The rows that one booking of the product wrote, and the statements that write such rows again."""

    def __init__(self, appointment_id: str) -> None:
        appointment = Appointment.objects.get(pk=appointment_id)
        assert appointment.reservation is not None  # noqa: S101 - it has just been booked
        self.appointment = appointment
        pair = PatientOfDoctor.objects.get(doctor=appointment.doctor, patient=appointment.patient)
        subject = {"subject_type": "appointment", "subject_id": str(appointment.pk)}
        self.rows: list[tuple[Any, bool]] = [
            (appointment.reservation, True),
            (appointment, True),
            (pair, False),
            *((row, False) for row in AuditEvent.objects.filter(entity_id=str(appointment.pk))),
            *((row, False) for row in Notice.objects.filter(**subject)),
        ]
        self.statements = [(build_insert(row, with_key), row, with_key) for row, with_key in self.rows]

    def insert(self, doctor: UUID, patient: UUID, times: dict[str, datetime]) -> UUID:
        """Insert a booking's rows for another doctor and patient in one transaction; return its id.

        Args:
            doctor: The doctor.
            patient: The patient.
            times: The slot's `starts_at`, `ends_at` and `busy_until`: doctors have slots of different lengths.
        """
        reservation_id, appointment_id = new_id(), new_id()
        replacements = {
            self.appointment.pk: appointment_id,
            str(self.appointment.pk): str(appointment_id),
            self.appointment.reservation_id: reservation_id,
            self.appointment.doctor_id: doctor,
            self.appointment.patient_id: patient,
        }
        with transaction.atomic(), connection.cursor() as cursor:
            for statement, row, with_key in self.statements:
                values = []
                for column in list_columns(row, with_key):
                    value = times.get(column.attname, getattr(row, column.attname))
                    if isinstance(value, UUID | str):
                        value = replacements.get(value, value)
                    values.append(column.get_db_prep_save(value, connection))
                cursor.execute(statement, values)
        return appointment_id


def list_columns(row: Any, with_key: bool) -> list[Any]:
    """Return a row's columns, with the primary key only if the database does not generate it."""
    return [column for column in row._meta.concrete_fields if with_key or not column.primary_key]


def build_insert(row: Any, with_key: bool) -> str:
    """Return the INSERT statement for a row like this one."""
    columns = list_columns(row, with_key)
    names = ", ".join(f'"{column.column}"' for column in columns)
    placeholders = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {row._meta.db_table} ({names}) VALUES ({placeholders}) ON CONFLICT DO NOTHING"  # noqa: S608 - our own columns


booking_templates: dict[str, BookingTemplate] = {}


@csrf_exempt
def book(request: HttpRequest) -> HttpResponse:
    """Insert the rows of a booking without reading, checking or locking: `{like, doctor, patient, times}`."""
    body = orjson.loads(request.body)
    if body["like"] not in booking_templates:
        booking_templates[body["like"]] = BookingTemplate(body["like"])
    times = {name: datetime.fromisoformat(value) for name, value in body["times"].items()}
    appointment_id = booking_templates[body["like"]].insert(UUID(body["doctor"]), UUID(body["patient"]), times)
    response = build_json_response({"success": True, "message": "", "data": {"_id": appointment_id}})
    response.status_code = 201
    return response
