"""Whether anything has changed that the public answers are made of: exact, for every process on every machine.

Triggers write a row of `PublicChange` in the transaction of whatever changes a doctor's listing, card or times, by any
road, raw SQL included; so a change shows in the same moment as the act, and one that is rolled back never. Rows are
only added: no act waits for another one, as they would for a counter.

A `Token` sums up the rows about some doctors. Two that are equal say that nothing about them was committed between the
two readings: whoever reads one, then makes an answer, may serve that answer for as long as the token stays the same.
Read it before the data, and a change meanwhile costs an answer made in vain; after them, it would be a wrong one.

The kept next free times (`next_free_…`) are not watched: each booking moves one, and with it the order by them.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias
from uuid import UUID

from django.apps import AppConfig
from django.db import connections, transaction
from django.db.models import Min
from django.db.models.signals import post_migrate, pre_migrate

from doctors.models import Claim, DoctorProfile, PublicChange
from doctors.replica import asked_database

Token: TypeAlias = tuple[int, int]
"""How many rows there are, and the sum of their marks."""

# The topic of what may concern any answer: who is listed, what cards say, and that rows were forgotten.
LISTING = UUID(int=0)
# Tables whose rows belong to one doctor, by `doctor_id`, and make that doctor's times.
OF_ONE_DOCTOR = ("doctors_claim", "doctors_weeklyhours", "doctors_dayoverride", "doctors_blockedtime")
# What of a profile no public answer shows, or shows only in an order that is not kept.
UNSEEN = ("next_free_at", "next_free_date", "next_free_until", "license_warned_days")
# What of a doctor's account a public answer shows or depends on.
OF_PERSON = ("name", "picture", "status", "ended_at")
# Beyond so many rows about an answer it is not worth asking any more.
MOST_SUMMED = 1_000
# 52 bits, so that the sum of them all fits into 64.
MARKS = 2**52

KEPT_FOR = timedelta(minutes=5)
MOST_KEPT = 10_000
BATCH = 2_000


def token_of(doctor_ids: Sequence[UUID]) -> Token | None:
    """Sum up what has changed of these doctors' times and of the listing as a whole, in one statement.

    None where that can't be told: nothing is known of earlier changes, or there are too many.
    """
    # Where the answers are read, be it a replica: what it does not know yet, they don't show yet.
    connection = asked_database()
    if connection.vendor == "postgresql":
        # One text for any number of doctors, so that the server can keep its plan.
        among, values = "= ANY(%s::uuid[])", ["{" + ",".join(map(str, (LISTING, *doctor_ids))) + "}"]
    else:
        among = f"IN ({', '.join(['%s'] * (len(doctor_ids) + 1))})"
        values = [topic.hex for topic in (LISTING, *doctor_ids)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), CAST(sum(mark) AS bigint), count(*) FILTER (WHERE topic = %s) FROM"  # noqa: S608 - marks only
            f" (SELECT topic, mark FROM doctors_publicchange WHERE topic {among} LIMIT {MOST_SUMMED + 1}) AS rows",
            [str(LISTING) if connection.vendor == "postgresql" else LISTING.hex, *values],
        )
        rows, total, of_listing = cursor.fetchone()
    # A listing without a row has been emptied, and what was there before is not known: `forget_old` never does that.
    return (rows, total) if of_listing and rows <= MOST_SUMMED else None


def turns_at(doctor_ids: Sequence[UUID], now: datetime) -> datetime:
    """Answer until when what is shown of these doctors' times stays true if nothing is written.

    Times, notices and dates anywhere begin on whole minutes, and whatever can still be had in a minute's first second
    can't in its second one. What is held is free again at any moment.
    """
    minute = now.replace(second=0, microsecond=0)
    if now == minute:
        return now
    turn = minute + (timedelta(seconds=1) if now.second == 0 else timedelta(minutes=1))
    ends = Claim.objects.filter(doctor__in=doctor_ids, expires_at__gt=now, expires_at__lt=turn).order_by()
    return ends.aggregate(first=Min("expires_at"))["first"] or turn


def note_all(using: str | None = None) -> None:
    """Say that anything may have changed."""
    PublicChange.objects.using(using).create(topic=LISTING, mark=secrets.randbelow(MARKS))


def forget_old(now: datetime) -> int:
    """Delete the rows when the first of them has been there for some minutes; answers how many.

    Each portion leaves a row of its own behind, with a mark that no token has had: so no token that knew less can be
    met again, however late what was deleted had become visible.
    """
    oldest = PublicChange.objects.values_list("made_at", flat=True).first()
    if oldest is None:
        note_all()
    last = PublicChange.objects.order_by("-pk").values_list("pk", flat=True)
    is_time = oldest is not None and (oldest <= now - KEPT_FOR or last[MOST_KEPT : MOST_KEPT + 1].exists())
    # What one leaves behind is not worth deleting alone.
    if not is_time or not last[1:2].exists():
        return 0
    up_to, done = last[0], 0
    rows = PublicChange.objects.filter(pk__lte=up_to)
    while rows.exists():
        last_of_portion = list(rows.values_list("pk", flat=True)[BATCH - 1 : BATCH])
        with transaction.atomic():
            done += rows.filter(pk__lte=(last_of_portion or [up_to])[0]).delete()[0]
            note_all()
    return done


# --- The triggers -----------------------------------------------------------------------------------------------------
# A migration on SQLite that makes a table anew drops the table's triggers silently, and stumbles over those of other
# tables that name it: they are taken down before any migration there, and put up after every migrate.


def names() -> dict[str, tuple[str, str]]:
    """Answer table and act of each trigger, by its name."""
    acts = [
        (table, act) for table in (*OF_ONE_DOCTOR, "doctors_doctorprofile") for act in ("INSERT", "UPDATE", "DELETE")
    ]
    # An account is nobody's public face before it has a profile, nor after.
    return {f"public_{table}_{act.lower()}": (table, act) for table, act in (*acts, ("accounts_user", "UPDATE"))}


def sqlite_triggers() -> dict[str, str]:
    """Answer SQLite's triggers by name; these know what changed, and write a row only then."""
    profile = [str(field.column) for field in DoctorProfile._meta.concrete_fields if field.name not in UNSEEN]
    topics = {
        "INSERT": "SELECT NEW.doctor_id AS topic",
        "DELETE": "SELECT OLD.doctor_id AS topic",
        "UPDATE": "SELECT OLD.doctor_id AS topic UNION SELECT NEW.doctor_id",
    }
    conditions = {
        ("doctors_doctorprofile", "INSERT"): "NEW.approval = 'approved'",
        ("doctors_doctorprofile", "DELETE"): "OLD.approval = 'approved'",
        ("doctors_doctorprofile", "UPDATE"): "'approved' IN (OLD.approval, NEW.approval) AND " + differ(profile),
        ("accounts_user", "UPDATE"): f"NEW.id IN (SELECT user_id FROM doctors_doctorprofile) AND {differ(OF_PERSON)}",  # noqa: S608 - as above
    }
    write = "INSERT INTO doctors_publicchange (topic, mark) SELECT topic, random() & {mark} FROM ({topics});"
    statements = {}
    for name, (table, act) in names().items():
        condition = f" WHEN {conditions[table, act]}" if (table, act) in conditions else ""
        rows = topics[act] if table in OF_ONE_DOCTOR else f"SELECT '{LISTING.hex}' AS topic"
        what = write.format(mark=MARKS - 1, topics=rows)
        statements[name] = f"CREATE TRIGGER {name} AFTER {act} ON {table}{condition} BEGIN {what} END"
    return statements


def differ(columns: Sequence[str]) -> str:
    """Write SQLite's condition that any of these columns was changed."""
    return "(" + " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns) + ")"


POSTGRESQL_MARK = f"(random() * {MARKS - 1})::bigint"
# By name of the function. No trigger names a column, or no migration could change its type any more.
POSTGRESQL_FUNCTIONS = {
    # Once a statement, with all its rows: who writes a thousand at once leaves one row for each doctor. A statement
    # that wrote none, like the loser's of a race, leaves nothing.
    "public_times_changed": f"""
BEGIN
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO doctors_publicchange (topic, mark)
        SELECT doctor_id, {POSTGRESQL_MARK}
        FROM (SELECT doctor_id FROM gone UNION SELECT doctor_id FROM come) AS rows;
    ELSIF TG_OP = 'INSERT' THEN
        INSERT INTO doctors_publicchange (topic, mark)
        SELECT doctor_id, {POSTGRESQL_MARK} FROM (SELECT DISTINCT doctor_id FROM come) AS rows;
    ELSE
        INSERT INTO doctors_publicchange (topic, mark)
        SELECT doctor_id, {POSTGRESQL_MARK} FROM (SELECT DISTINCT doctor_id FROM gone) AS rows;
    END IF;
    RETURN NULL;
END
""",  # noqa: S608 - words of our own
    "public_profiles_came_or_went": f"""
DECLARE
    is_seen boolean;
BEGIN
    IF TG_OP = 'INSERT' THEN
        SELECT EXISTS (SELECT 1 FROM come WHERE approval = 'approved') INTO is_seen;
    ELSE
        SELECT EXISTS (SELECT 1 FROM gone WHERE approval = 'approved') INTO is_seen;
    END IF;
    IF is_seen THEN
        INSERT INTO doctors_publicchange (topic, mark) VALUES ('{LISTING}', {POSTGRESQL_MARK});
    END IF;
    RETURN NULL;
END
""",  # noqa: S608 - words of our own
    # After the row is written, so that what is put into NEW goes nowhere.
    "public_profile_changed": f"""
BEGIN
    IF 'approved' IN (OLD.approval, NEW.approval) THEN
{chr(10).join(f"        NEW.{column} := OLD.{column};" for column in UNSEEN)}
        IF NEW IS DISTINCT FROM OLD THEN
            INSERT INTO doctors_publicchange (topic, mark) VALUES ('{LISTING}', {POSTGRESQL_MARK});
        END IF;
    END IF;
    RETURN NULL;
END
""",  # noqa: S608 - words of our own
    "public_person_changed": f"""
BEGIN
    IF ({", ".join(f"OLD.{column}" for column in OF_PERSON)})
        IS DISTINCT FROM ({", ".join(f"NEW.{column}" for column in OF_PERSON)})
        AND EXISTS (SELECT 1 FROM doctors_doctorprofile WHERE user_id = NEW.id)
    THEN
        INSERT INTO doctors_publicchange (topic, mark) VALUES ('{LISTING}', {POSTGRESQL_MARK});
    END IF;
    RETURN NULL;
END
""",  # noqa: S608 - words of our own
}


def postgresql_trigger(name: str, table: str, act: str) -> str:
    """Write one of PostgreSQL's triggers."""
    if act == "UPDATE" and table not in OF_ONE_DOCTOR:
        function = "public_profile_changed" if table == "doctors_doctorprofile" else "public_person_changed"
        return f"CREATE TRIGGER {name} AFTER UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()"
    function = "public_times_changed" if table in OF_ONE_DOCTOR else "public_profiles_came_or_went"
    rows = {
        "INSERT": "NEW TABLE AS come",
        "DELETE": "OLD TABLE AS gone",
        "UPDATE": "OLD TABLE AS gone NEW TABLE AS come",
    }
    return (
        f"CREATE TRIGGER {name} AFTER {act} ON {table} REFERENCING {rows[act]}"
        f" FOR EACH STATEMENT EXECUTE FUNCTION {function}()"
    )


def missing(connection: Any) -> set[str]:
    """Answer which triggers and functions should stand as they are written here and do not, or are switched off."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            standing = dict(cursor.fetchall())
            return {name for name, statement in sqlite_triggers().items() if standing.get(name) != statement}
        cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'")
        triggers = {row[0] for row in cursor.fetchall()}
        cursor.execute("SELECT proname, prosrc FROM pg_proc WHERE proname = ANY(%s)", [list(POSTGRESQL_FUNCTIONS)])
        functions = dict(cursor.fetchall())
    gone = {name for name, body in POSTGRESQL_FUNCTIONS.items() if functions.get(name) != body}
    return gone | (set(names()) - triggers)


def put_up(sender: AppConfig | None = None, using: str = "default", **kwargs: Any) -> None:
    """Put up what is missing, all or none; runs after every migrate."""
    connection = connections[using]
    if PublicChange._meta.db_table not in connection.introspection.table_names():
        # An older release's tables: nothing may write to what is not there.
        take_down(using=using)
        return
    with transaction.atomic(using):
        gone = missing(connection)
        with connection.cursor() as cursor:
            for name in gone & set(POSTGRESQL_FUNCTIONS):
                cursor.execute(
                    f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql"
                    f" AS $body${POSTGRESQL_FUNCTIONS[name]}$body$"
                )
            for name, (table, act) in names().items():
                if name not in gone:
                    continue
                if connection.vendor == "sqlite":
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                    cursor.execute(sqlite_triggers()[name])
                else:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
                    cursor.execute(postgresql_trigger(name, table, act))
        if gone:
            # Nobody knows what was done while they were away.
            note_all(using)


def take_down(using: str = "default") -> None:
    """Take the triggers down, and what they wrote with them: without a row nothing is kept (`token_of`)."""
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    with transaction.atomic(using), connection.cursor() as cursor:
        for name, (table, _) in names().items():
            if table in tables:
                cursor.execute(
                    f"DROP TRIGGER IF EXISTS {name}" + ("" if connection.vendor == "sqlite" else f" ON {table}")
                )
        if PublicChange._meta.db_table in tables:
            PublicChange.objects.using(using).all().delete()


def make_way(sender: AppConfig, using: str, plan: Any = (), **kwargs: Any) -> None:
    """Take the triggers down before migrations on SQLite; runs before every migrate."""
    if plan and connections[using].vendor == "sqlite":
        take_down(using)


def keep_standing(app: AppConfig) -> None:
    """Put the triggers up after every migrate of the doctors app."""
    pre_migrate.connect(make_way, sender=app, dispatch_uid="doctors.freshness.before")
    post_migrate.connect(put_up, sender=app, dispatch_uid="doctors.freshness")
