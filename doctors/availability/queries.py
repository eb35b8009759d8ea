"""Read rules and reserved times of any number of doctors in one query.

A doctor's lists are columns of the doctor's row, as JSON of the same shape on both engines. The query is plain SQL,
because building it with the ORM takes longer than running it; the condition for listed doctors comes from the model.
"""

from collections.abc import Collection, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

import orjson
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field

from accounts.models import User
from config.db.router import read_connection
from doctors.models import DoctorProfile
from doctors.models.profile import listed_on
from doctors.models.reservation import hash_secret
from doctors.models.schedule import split_absence
from doctors.slot_engine import Busy, Rules

# Longer than any appointment with the largest buffer that the column can store. Only reservations that started later
# can still overlap, so that past ones are not read.
MAX_RESERVATION_LENGTH = timedelta(days=23)
# Today's date may be one day behind UTC, and the previous day's hours may run into it.
PAST_MARGIN = timedelta(days=2)
FOREVER = datetime(9999, 12, 31, tzinfo=UTC)

RULE_FIELDS = (
    "time_zone",
    "appointment_minutes",
    "buffer_minutes",
    "min_notice_minutes",
    "max_days_ahead",
    "instant_confirmation",
)

HOURS_LISTS = (
    "(SELECT {list}({array}(weekday, start_minute, end_minute)) FROM doctors_weeklyhours {here})",
    "(SELECT {list}({array}(date, {json}(hours))) FROM doctors_dayoverride {here} AND date >= %(since)s)",
    "(SELECT {list}({array}(date, start_minute, end_minute)) FROM doctors_blockedtime {here} AND date >= %(since)s)",
    (
        "(SELECT {list}({array}(from_date, from_minute, to_date, to_minute))"
        " FROM doctors_absence {here} AND to_date >= %(since)s)"
    ),
)
RESERVATIONS = (
    "FROM doctors_reservation {here} AND starts_at >= %(began)s AND starts_at < %(until)s"
    " AND busy_until > %(now)s AND (expires_at IS NULL OR expires_at > %(now)s){passed_over}"
)
TAKEN = "(SELECT {list}({array}({starts_at}, {busy_until}, kind <> 'appointment')) {reservations})"
# Merges adjacent reservations, since a doctor who is booked out for months has few gaps. A reservation begins a new
# interval if it starts after the end of all earlier ones.
EARLIER_ROWS = "(ORDER BY starts_at, busy_until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
MERGED_TAKEN = (
    "(SELECT {list}({array}({starts_at}, {busy_until}, 0)) FROM"
    " (SELECT min(starts_at) AS starts_at, max(busy_until) AS busy_until FROM"
    " (SELECT starts_at, busy_until, sum(begins) OVER (ORDER BY starts_at, busy_until) AS stretch FROM"
    " (SELECT starts_at, busy_until, CASE WHEN starts_at <= max(busy_until) OVER {before} THEN 0 ELSE 1 END AS begins"
    " {reservations}) AS apart) AS counted GROUP BY stretch) AS stretches)"
)
EXCLUSION_CONDITIONS = {
    "ignoring": " AND NOT id {among_ignored}",
    # A comparison with NULL is neither true nor false.
    "own": " AND (kind = 'hold' AND (patient_id = %(patient)s OR secret_hash = %(secret)s)) IS NOT TRUE",
}
OF_DOCTOR = "WHERE doctor_id = doctors_doctorprofile.user_id"
ENGINE_SQL = {
    "postgresql": {
        "list": "json_agg",
        "array": "json_build_array",
        "json": "",
        "starts_at": "floor(date_part('epoch', starts_at))::bigint",
        "busy_until": "floor(date_part('epoch', busy_until))::bigint",
        "among": "= ANY(%(ids)s)",
        "among_ignored": "= ANY(%(ignoring)s)",
        "text": "::text",
    },
    "sqlite": {
        "list": "json_group_array",
        "array": "json_array",
        "json": "json",
        "starts_at": "CAST(strftime('%%s', starts_at) AS INTEGER)",
        "busy_until": "CAST(strftime('%%s', busy_until) AS INTEGER)",
        "among": "IN (SELECT value FROM json_each(%(ids)s))",
        "among_ignored": "IN (SELECT value FROM json_each(%(ignoring)s))",
        "text": "",
    },
}


class HoldOwner(NamedTuple):
    """The owner of holds: a patient, or a visitor with the secret of a hold."""

    patient: User | None = None
    secret: str = ""


NO_HOLD_OWNER = HoldOwner()


class Shape(NamedTuple):
    """The columns of a query: fields of profile and user, hours, and reserved times."""

    profile: tuple[str, ...]
    person: tuple[str, ...] = ()
    hours: bool = True
    taken: bool = True
    only_listed: bool = False
    in_stretches: bool = False


class CalendarRow(NamedTuple):
    """One doctor: the requested columns, the rules, and the reserved times as JSON."""

    doctor_id: UUID
    columns: tuple[Any, ...]
    rules: Rules
    taken: str | None

    @property
    def busy(self) -> list[Busy]:
        return parse_busy(self.taken)

    @property
    def stretches(self) -> list[Any]:
        """Return the busy times as plain lists, which are parsed in a third of the time."""
        return parse_list(self.taken)


def read_calendars(
    doctor_ids: Collection[UUID],
    now: datetime,
    *,
    profile: tuple[str, ...] = (),
    person: tuple[str, ...] = (),
    until: datetime = FOREVER,
    ignored: Collection[UUID] = (),
    hold_owner: HoldOwner = NO_HOLD_OWNER,
    only_listed: bool = False,
) -> Iterator[CalendarRow]:
    """Yield the rules of these doctors from the day before yesterday on, and their reserved times from `now` on.

    `profile` and `person` name further fields to read. Doctors come in any order; missing ones are left out, and with
    `only_listed` also those who can't be booked.
    """
    shape = Shape(("user_id", *RULE_FIELDS, *profile), person, only_listed=only_listed)
    for row in read_rows(shape, doctor_ids, now, until=until, ignored=ignored, hold_owner=hold_owner):
        yield CalendarRow(row[0], row[7:-5], build_rules(*row[1:7], *row[-5:-1]), row[-1])


def read_rules(doctor_ids: Collection[UUID], now: datetime) -> dict[UUID, Rules]:
    """Return the rules of these doctors from the day before yesterday on."""
    found = read_rows(Shape(("user_id", *RULE_FIELDS), taken=False), doctor_ids, now)
    return {row[0]: build_rules(*row[1:]) for row in found}


def read_taken(
    doctor_ids: Collection[UUID],
    now: datetime,
    *,
    since: datetime | None = None,
    until: datetime = FOREVER,
    ignored: Collection[UUID] = (),
    hold_owner: HoldOwner = NO_HOLD_OWNER,
) -> dict[UUID, list[Busy]]:
    """Return the reserved times of these doctors; with `since`, only those that start from then on."""
    shape = Shape(("user_id",), hours=False)
    found = read_rows(shape, doctor_ids, now, since=since, until=until, ignored=ignored, hold_owner=hold_owner)
    return {row[0]: parse_busy(row[1]) for row in found}


def read_merged_busy(doctor_ids: Collection[UUID], now: datetime, since: datetime) -> dict[UUID, list[Any]]:
    """Return the reserved times from `since` on as plain lists, merged on PostgreSQL."""
    found = read_rows(Shape(("user_id",), hours=False, in_stretches=True), doctor_ids, now, since=since)
    return {row[0]: parse_list(row[1]) for row in found}


def read_rows(
    shape: Shape,
    doctor_ids: Collection[UUID],
    now: datetime,
    *,
    since: datetime | None = None,
    until: datetime = FOREVER,
    ignored: Collection[UUID] = (),
    hold_owner: HoldOwner = NO_HOLD_OWNER,
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query of this shape, with the values that a model would have."""
    connection = read_connection()
    engine = connection.ops
    is_native = connection.vendor == "postgresql"

    def several(ids: Collection[UUID]) -> Any:
        return list(ids) if is_native else orjson.dumps([pk.hex for pk in ids]).decode()

    def one(pk: UUID) -> Any:
        return pk if is_native else pk.hex

    is_one = len(doctor_ids) == 1
    values: dict[str, Any] = {"ids": one(next(iter(doctor_ids))) if is_one else several(doctor_ids)}
    if shape.hours:
        values["since"] = engine.adapt_datefield_value(now.date() - PAST_MARGIN)
    given: tuple[str, ...] = ()
    if shape.taken:
        values["now"] = engine.adapt_datetimefield_value(now)
        values["began"] = engine.adapt_datetimefield_value(since or now - MAX_RESERVATION_LENGTH)
        values["until"] = engine.adapt_datetimefield_value(until)
        if ignored:
            given, values["ignoring"] = ("ignoring",), several(ignored)
        patient, secret = hold_owner
        if patient or secret:
            given = (*given, "own")
            values["patient"] = one(patient.pk) if patient else None
            values["secret"] = hash_secret(secret) if secret else None
    sql, converters = get_statement(connection, shape, given, is_one)
    if shape.only_listed:
        condition, listing = get_listed_sql(connection, now.date())
        sql, values = f"{sql} AND {condition}", {**values, **listing}
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found = cursor.fetchall()
    if not converters:
        return iter(found)
    return (convert_row(row, converters, connection) for row in found)


Converters: TypeAlias = list[tuple[int, Any, list[Any]]]
"""By place, a column and what turns its values, one function after the other, into a model's."""


def convert_row(row: tuple[Any, ...], converters: Converters, connection: BaseDatabaseWrapper) -> tuple[Any, ...]:
    """Convert the values of a row to those that a model would have."""
    made = list(row)
    for place, column, functions in converters:
        for function in functions:
            made[place] = function(made[place], column, connection)
    return tuple(made)


def get_statement(
    connection: BaseDatabaseWrapper, shape: Shape, given: tuple[str, ...], is_one: bool
) -> tuple[str, Converters]:
    """Return the SQL of a shape and the converters of its values, cached by engine and shape."""
    key = (connection.vendor, shape, given, is_one)
    if key not in statements:
        statements[key] = build_statement(connection, shape, given, is_one)
    return statements[key]


statements: dict[Any, tuple[str, Converters]] = {}


def build_statement(
    connection: BaseDatabaseWrapper, shape: Shape, given: tuple[str, ...], is_one: bool
) -> tuple[str, Converters]:
    words = {**ENGINE_SQL[connection.vendor], "here": OF_DOCTOR}
    fields: list[Field[Any, Any]] = [
        *(get_field(DoctorProfile, name) for name in shape.profile),
        *(get_field(User, name) for name in shape.person),
    ]
    columns = [field.get_col(field.model._meta.db_table) for field in fields]
    converters = [
        (place, column, connection.ops.get_db_converters(column) + column.get_db_converters(connection))
        for place, column in enumerate(columns)
    ]
    selected = [f"{field.model._meta.db_table}.{field.column}" for field in fields]
    passed = "".join(EXCLUSION_CONDITIONS[name] for name in given).format(**words)
    reservations = RESERVATIONS.format(passed_over=passed, **words)
    # SQLite merges more slowly than Python.
    taken = MERGED_TAKEN if shape.in_stretches and connection.vendor == "postgresql" else TAKEN
    lists = [*(HOURS_LISTS if shape.hours else ()), *((taken,) if shape.taken else ())]
    selected += [each.format(reservations=reservations, before=EARLIER_ROWS, **words) + words["text"] for each in lists]
    joined = " INNER JOIN accounts_user ON accounts_user.id = doctors_doctorprofile.user_id"
    people = joined if shape.person or shape.only_listed else ""
    sql = f"SELECT {', '.join(selected)} FROM doctors_doctorprofile{people}"  # noqa: S608 - our own names
    which = "= %(ids)s" if is_one else words["among"]
    return f"{sql} WHERE doctors_doctorprofile.user_id {which}", [each for each in converters if each[2]]


def get_field(model: type[Any], name: str) -> Any:
    """Return the field of a model's attribute, such as `user_id`."""
    return next(field for field in model._meta.concrete_fields if field.attname == name)


listed_conditions: dict[Any, tuple[str, dict[str, Any]]] = {}


def get_listed_sql(connection: BaseDatabaseWrapper, day: date) -> tuple[str, dict[str, Any]]:
    """Return the SQL condition for listed doctors on a date, cached by date."""
    key = (connection.vendor, day)
    if key not in listed_conditions:
        listed_conditions.clear()
        query = DoctorProfile.objects.filter(listed_on(day)).query
        sql, params = query.get_compiler(connection=connection).compile(query.where)
        names = [f"listed{number}" for number in range(len(params))]
        listed_conditions[key] = sql % tuple(f"%({name})s" for name in names), dict(zip(names, params, strict=True))
    return listed_conditions[key]


@lru_cache(maxsize=4096)
def build_rules(
    time_zone: str,
    appointment_minutes: int,
    buffer_minutes: int,
    min_notice_minutes: int,
    max_days_ahead: int,
    instant_confirmation: bool,
    weekly: str | None,
    overrides: str | None,
    blocked: str | None,
    absences: str | None,
) -> Rules:
    """Return the rules of a doctor, cached because many doctors have the same."""
    hours: dict[int, list[tuple[int, int]]] = {}
    for weekday, start, end in parse_list(weekly):
        hours.setdefault(weekday, []).append((start, end))
    stretches: dict[date, list[tuple[int, int]]] = {}
    for day, start, end in parse_list(blocked):
        stretches.setdefault(date.fromisoformat(day), []).append((start, end))
    for first, start, last, end in parse_list(absences):
        for day, span in split_absence(date.fromisoformat(first), start, date.fromisoformat(last), end):
            stretches.setdefault(day, []).append(span)
    return Rules(
        time_zone=time_zone,
        appointment_minutes=appointment_minutes,
        buffer_minutes=buffer_minutes,
        min_notice_minutes=min_notice_minutes,
        max_days_ahead=max_days_ahead,
        instant_confirmation=bool(instant_confirmation),
        weekly={day: tuple(spans) for day, spans in hours.items()},
        overrides={
            date.fromisoformat(day): tuple((start, end) for start, end in spans) for day, spans in parse_list(overrides)
        },
        blocked={day: tuple(spans) for day, spans in stretches.items()},
    )


def parse_list(text: str | None) -> list[Any]:
    """Parse a JSON list; PostgreSQL returns NULL for an empty one."""
    return orjson.loads(text) if text else []


def parse_busy(text: str | None) -> list[Busy]:
    return list(map(Busy._make, parse_list(text)))
