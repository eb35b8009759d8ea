"""Read what free times are made of: one statement, however many doctors are asked about and whatever they have.

A doctor's lists come back inside the doctor's row, as JSON of the same shape on both engines. The statement is written
out rather than built, since building it would cost more than both engines need to run it; what decides who is listed
is still asked of the model.
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
from doctors.models.profile import listed
from doctors.models.reservation import hashed
from doctors.models.schedule import days_of_absence
from doctors.slot_engine import Busy, Rules

# No reservation is longer than an appointment's most minutes and what a small integer can hold of buffer. With it, the
# reservations that can still be in the way are a stretch of the index that no past lengthens.
LONGEST = timedelta(days=23)
# Today's date may be one behind UTC's, and the hours of the day before may run into it.
SINCE = timedelta(days=2)
FOREVER = datetime(9999, 12, 31, tzinfo=UTC)

RULES = (
    "time_zone",
    "appointment_minutes",
    "buffer_minutes",
    "min_notice_minutes",
    "max_days_ahead",
    "instant_confirmation",
)

HOURS = (
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
# Time that is taken without a gap as one stretch: who is booked out for months has few of them. A reservation begins a
# stretch when it starts after the end of all before it.
BEFORE = "(ORDER BY starts_at, busy_until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
STRETCHES = (
    "(SELECT {list}({array}({starts_at}, {busy_until}, 0)) FROM"
    " (SELECT min(starts_at) AS starts_at, max(busy_until) AS busy_until FROM"
    " (SELECT starts_at, busy_until, sum(begins) OVER (ORDER BY starts_at, busy_until) AS stretch FROM"
    " (SELECT starts_at, busy_until, CASE WHEN starts_at <= max(busy_until) OVER {before} THEN 0 ELSE 1 END AS begins"
    " {reservations}) AS apart) AS counted GROUP BY stretch) AS stretches)"
)
PASSED_OVER = {
    "ignoring": " AND NOT id {among_ignored}",
    # A comparison with nothing is neither true nor false.
    "own": " AND (kind = 'hold' AND (patient_id = %(patient)s OR secret_hash = %(secret)s)) IS NOT TRUE",
}
HERE = "WHERE doctor_id = doctors_doctorprofile.user_id"
ENGINES = {
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
    """Whose holds are not in the way: a patient's, and the one that a secret stands for."""

    patient: User | None = None
    secret: str = ""


NOBODY = HoldOwner()


class Shape(NamedTuple):
    """What a statement brings: fields of the profile and the person, the lists of hours, what is taken."""

    profile: tuple[str, ...]
    person: tuple[str, ...] = ()
    hours: bool = True
    taken: bool = True
    only_listed: bool = False
    in_stretches: bool = False


class CalendarRow(NamedTuple):
    """One doctor as read: the columns asked for, the rules, and what is taken, as the database wrote it."""

    doctor_id: UUID
    columns: tuple[Any, ...]
    rules: Rules
    taken: str | None

    @property
    def busy(self) -> list[Busy]:
        """Return what is taken."""
        return parse_busy(self.taken)

    @property
    def stretches(self) -> list[Any]:
        """Return the same for who need not know more than from when to when; read in a third of the time."""
        return parse_list(self.taken)


def read_calendars(
    doctor_ids: Collection[UUID],
    now: datetime,
    *,
    profile: tuple[str, ...] = (),
    person: tuple[str, ...] = (),
    until: datetime = FOREVER,
    ignoring: Collection[UUID] = (),
    own: HoldOwner = NOBODY,
    only_listed: bool = False,
) -> Iterator[CalendarRow]:
    """Read the rules of these doctors, from the day before yesterday on, and what is taken of their time from `now` on.

    `profile` and `person` name further fields to bring along. Doctors come in any order; those who are not there, or
    with `only_listed` can't be booked, are left out.
    """
    shape = Shape(("user_id", *RULES, *profile), person, only_listed=only_listed)
    for row in read_rows(shape, doctor_ids, now, until=until, ignoring=ignoring, own=own):
        yield CalendarRow(row[0], row[7:-5], build_rules(*row[1:7], *row[-5:-1]), row[-1])


def read_rules(doctor_ids: Collection[UUID], now: datetime) -> dict[UUID, Rules]:
    """Read the rules alone, from the day before yesterday on."""
    found = read_rows(Shape(("user_id", *RULES), taken=False), doctor_ids, now)
    return {row[0]: build_rules(*row[1:]) for row in found}


def read_taken(
    doctor_ids: Collection[UUID],
    now: datetime,
    *,
    since: datetime | None = None,
    until: datetime = FOREVER,
    ignoring: Collection[UUID] = (),
    own: HoldOwner = NOBODY,
) -> dict[UUID, list[Busy]]:
    """Read what is taken alone; of what starts from `since` on, where that is given."""
    shape = Shape(("user_id",), hours=False)
    found = read_rows(shape, doctor_ids, now, since=since, until=until, ignoring=ignoring, own=own)
    return {row[0]: parse_busy(row[1]) for row in found}


def read_stretches(doctor_ids: Collection[UUID], now: datetime, since: datetime) -> dict[UUID, list[Any]]:
    """Read from when to when time is taken, of what starts from `since` on; without gaps where the engine can."""
    found = read_rows(Shape(("user_id",), hours=False, in_stretches=True), doctor_ids, now, since=since)
    return {row[0]: parse_list(row[1]) for row in found}


def read_rows(
    shape: Shape,
    doctor_ids: Collection[UUID],
    now: datetime,
    *,
    since: datetime | None = None,
    until: datetime = FOREVER,
    ignoring: Collection[UUID] = (),
    own: HoldOwner = NOBODY,
) -> Iterator[tuple[Any, ...]]:
    """Run a statement of this shape and answer its rows, with values as a model's would be."""
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
        values["since"] = engine.adapt_datefield_value(now.date() - SINCE)
    given: tuple[str, ...] = ()
    if shape.taken:
        values["now"] = engine.adapt_datetimefield_value(now)
        values["began"] = engine.adapt_datetimefield_value(since or now - LONGEST)
        values["until"] = engine.adapt_datetimefield_value(until)
        if ignoring:
            given, values["ignoring"] = ("ignoring",), several(ignoring)
        patient, secret = own
        if patient or secret:
            given = (*given, "own")
            values["patient"] = one(patient.pk) if patient else None
            values["secret"] = hashed(secret) if secret else None
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
    """Turn an engine's values into a model's."""
    made = list(row)
    for place, column, functions in converters:
        for function in functions:
            made[place] = function(made[place], column, connection)
    return tuple(made)


def get_statement(
    connection: BaseDatabaseWrapper, shape: Shape, given: tuple[str, ...], is_one: bool
) -> tuple[str, Converters]:
    """Write a statement out, and what turns its values into a model's; done once for each engine and shape."""
    key = (connection.vendor, shape, given, is_one)
    if key not in statements:
        statements[key] = build_statement(connection, shape, given, is_one)
    return statements[key]


statements: dict[Any, tuple[str, Converters]] = {}


def build_statement(
    connection: BaseDatabaseWrapper, shape: Shape, given: tuple[str, ...], is_one: bool
) -> tuple[str, Converters]:
    """Write a statement out."""
    words = {**ENGINES[connection.vendor], "here": HERE}
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
    passed = "".join(PASSED_OVER[name] for name in given).format(**words)
    reservations = RESERVATIONS.format(passed_over=passed, **words)
    # SQLite merges more slowly than Python does.
    taken = STRETCHES if shape.in_stretches and connection.vendor == "postgresql" else TAKEN
    lists = [*(HOURS if shape.hours else ()), *((taken,) if shape.taken else ())]
    selected += [each.format(reservations=reservations, before=BEFORE, **words) + words["text"] for each in lists]
    joined = " INNER JOIN accounts_user ON accounts_user.id = doctors_doctorprofile.user_id"
    people = joined if shape.person or shape.only_listed else ""
    sql = f"SELECT {', '.join(selected)} FROM doctors_doctorprofile{people}"  # noqa: S608 - our own names
    which = "= %(ids)s" if is_one else words["among"]
    return f"{sql} WHERE doctors_doctorprofile.user_id {which}", [each for each in converters if each[2]]


def get_field(model: type[Any], name: str) -> Any:
    """Return the field that a model's attribute, like `user_id`, is kept in."""
    return next(field for field in model._meta.concrete_fields if field.attname == name)


listings: dict[Any, tuple[str, dict[str, Any]]] = {}


def get_listed_sql(connection: BaseDatabaseWrapper, day: date) -> tuple[str, dict[str, Any]]:
    """Write out who is listed on a date, as the model has it; done once a day."""
    key = (connection.vendor, day)
    if key not in listings:
        listings.clear()
        query = DoctorProfile.objects.filter(listed(day)).query
        sql, params = query.get_compiler(connection=connection).compile(query.where)
        names = [f"listed{number}" for number in range(len(params))]
        listings[key] = sql % tuple(f"%({name})s" for name in names), dict(zip(names, params, strict=True))
    return listings[key]


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
    """Make the rules of what was read; the same values make the same rules, so they are made once."""
    hours: dict[int, list[tuple[int, int]]] = {}
    for weekday, start, end in parse_list(weekly):
        hours.setdefault(weekday, []).append((start, end))
    stretches: dict[date, list[tuple[int, int]]] = {}
    for day, start, end in parse_list(blocked):
        stretches.setdefault(date.fromisoformat(day), []).append((start, end))
    for first, start, last, end in parse_list(absences):
        for day, span in days_of_absence(date.fromisoformat(first), start, date.fromisoformat(last), end):
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
    """Return the list that the database wrote as JSON; PostgreSQL writes nothing for none."""
    return orjson.loads(text) if text else []


def parse_busy(text: str | None) -> list[Busy]:
    """Return what is taken."""
    return list(map(Busy._make, parse_list(text)))
