"""The search index of the directory, which triggers update in the transaction of each change.

It has three tables without models, which contain only data derived from the listed doctors:

- entry: word → doctor, with the words of `search_text`, `@city` and `#Specialization`. Both engines read a B-tree in
  order and stop at a limit; a GIN index would collect all matches first.
- word: the unique words and `@city`. Words that contain a text are found by trigrams: `pg_trgm` on PostgreSQL, FTS5 on
  SQLite. Without these, the search is only slower.
- typo: a word without one of its letters → word. Two words one edit apart have such a spelling in common.

On PostgreSQL they are in a schema of their own, which backups exclude: restoring the doctors fills them. Text is folded
in Python (`doctors/search_text.py`), so triggers only reset outdated columns, and `DoctorQuerySet.fold_outdated` fills
them. `/readyz` checks that the triggers exist; SQLite loses them when a migration alters a table.
"""

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.apps import AppConfig
from django.db import DatabaseError, connections, transaction
from django.db import connection as default
from django.db.models.signals import post_migrate, post_save, pre_migrate

from accounts.models import Role, User
from accounts.models.user import people_renamed
from accounts.text.normalization import VERSION
from doctors.models import DoctorProfile
from doctors.search_text import build_folded_columns

logger = logging.getLogger(__name__)

DOCTOR_TABLE = "doctors_doctorprofile"
USER_TABLE = "accounts_user"
# Typos in other words are not corrected: short words are similar to many, long ones have many spellings.
TYPO_WORD_LENGTHS = range(3, 33)
NO_TRIGRAMS = (
    "The directory's search wants PostgreSQL's extension pg_trgm, and this account may not create it. Have the owner of"
    " the database, or a superuser, run CREATE EXTENSION pg_trgm in it, and migrate again; until then a text within"
    " a word is looked for in all words."
)


def get_table_names(vendor: str) -> dict[str, str]:
    """Return the names of the tables on this engine."""
    prefix = "doctors_search_" if vendor == "sqlite" else "directory_search."
    return {"entry": f"{prefix}entry", "word": f"{prefix}word", "typo": f"{prefix}typo", "inside": f"{prefix}inside"}


# --- SQLite -------------------------------------------------------------------------------------

SQLITE_TABLES = (
    (
        "CREATE TABLE IF NOT EXISTS doctors_search_entry"
        " (word text NOT NULL, doctor_id char(32) NOT NULL, PRIMARY KEY (word, doctor_id)) WITHOUT ROWID"
    ),
    "CREATE INDEX IF NOT EXISTS doctors_search_entry_doctor ON doctors_search_entry (doctor_id, word)",
    "CREATE TABLE IF NOT EXISTS doctors_search_word (id integer PRIMARY KEY, word text NOT NULL UNIQUE)",
    (
        "CREATE TABLE IF NOT EXISTS doctors_search_typo"
        " (spelling text NOT NULL, word text NOT NULL, PRIMARY KEY (spelling, word)) WITHOUT ROWID"
    ),
    "CREATE INDEX IF NOT EXISTS doctors_search_typo_word ON doctors_search_typo (word)",
)
SQLITE_INSIDE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS doctors_search_inside"
    " USING fts5(word, content='doctors_search_word', content_rowid='id', tokenize='trigram')"
)
# The entries of the doctors that match {where}.
SQLITE_ENTRIES = (
    "INSERT OR IGNORE INTO doctors_search_entry (word, doctor_id)"
    " SELECT each.value, d.user_id FROM doctors_doctorprofile d,"
    " json_each('[' || replace(json_quote(trim(d.search_text)), ' ', '\",\"') || ']') each"
    " WHERE d.is_listed AND each.value <> '' AND {where}"
    " UNION ALL SELECT '@' || d.city_key, d.user_id FROM doctors_doctorprofile d"
    " WHERE d.is_listed AND d.city_key <> '' AND {where}"
    " UNION ALL SELECT '#' || d.specialization, d.user_id FROM doctors_doctorprofile d WHERE d.is_listed AND {where}"
)
SQLITE_NUMBERS = "json_each('[" + ",".join(map(str, range(1, TYPO_WORD_LENGTHS.stop))) + "]')"


def build_sqlite_triggers(has_inside: bool) -> dict[str, str]:
    """Return the triggers by name."""
    listed = (
        "(NEW.approval = 'approved' AND EXISTS (SELECT 1 FROM accounts_user u WHERE u.id = NEW.user_id"
        " AND u.status = 'active' AND u.ended_at IS NULL))"
    )
    name = "(SELECT u.name FROM accounts_user u WHERE u.id = NEW.user_id)"
    source_text = f"{name} || char(10) || NEW.specialization || char(10) || NEW.hospital_city"
    # Resets columns that were folded from another name, and corrects `is_listed`.
    reset_row = (
        f"UPDATE doctors_doctorprofile SET search_text = '', folded_of = '', folded_by = NULL, city_key = '',"
        f" name_key = CAST(lower({name}) AS blob)"
        f" WHERE user_id = NEW.user_id AND folded_by IS NOT NULL AND folded_of <> ({source_text});"
        f" UPDATE doctors_doctorprofile SET name_key = CAST(lower({name}) AS blob)"
        f" WHERE user_id = NEW.user_id AND name_key IS NULL;"
        f" UPDATE doctors_doctorprofile SET is_listed = {listed} WHERE user_id = NEW.user_id"
        f" AND is_listed <> {listed};"
    )
    # From the row and not from NEW, because the triggers that correct it may run before or after this one.
    entries = SQLITE_ENTRIES.format(where="d.user_id = NEW.user_id")
    current_words = (
        "SELECT '@' || d.city_key FROM doctors_doctorprofile d WHERE d.user_id = NEW.user_id AND d.is_listed"
        " UNION ALL SELECT '#' || d.specialization FROM doctors_doctorprofile d"
        " WHERE d.user_id = NEW.user_id AND d.is_listed"
    )
    is_word_of_doctor = (
        "EXISTS (SELECT 1 FROM doctors_doctorprofile d WHERE d.user_id = NEW.user_id AND d.is_listed"
        " AND instr(d.search_text, ' ' || doctors_search_entry.word || ' '))"
    )
    update_entries = (
        f"DELETE FROM doctors_search_entry WHERE doctor_id = NEW.user_id AND word NOT IN ({current_words})"
        f" AND NOT {is_word_of_doctor};"
        f" {entries};"
    )
    watched_columns = (
        "approval, specialization, hospital_city, search_text, name_key, city_key, folded_of, folded_by, is_listed"
    )
    insert_typos = (
        "INSERT OR IGNORE INTO doctors_search_typo (spelling, word)"
        " SELECT substr(NEW.word, 1, n.value - 1) || substr(NEW.word, n.value + 1), NEW.word"
        f" FROM {SQLITE_NUMBERS} n WHERE n.value <= length(NEW.word)"
        f" AND length(NEW.word) BETWEEN {TYPO_WORD_LENGTHS.start} AND {TYPO_WORD_LENGTHS.stop - 1}"
        " AND NEW.word NOT LIKE '@%'"
        f" UNION ALL SELECT NEW.word, NEW.word WHERE NEW.word NOT LIKE '@%'"
        f" AND length(NEW.word) BETWEEN {TYPO_WORD_LENGTHS.start} AND {TYPO_WORD_LENGTHS.stop - 1};"
    )
    insert_inside = " INSERT INTO doctors_search_inside (rowid, word) VALUES (NEW.id, NEW.word);" if has_inside else ""
    delete_inside = (
        " INSERT INTO doctors_search_inside (doctors_search_inside, rowid, word) VALUES ('delete', OLD.id, OLD.word);"
        if has_inside
        else ""
    )
    bodies = {
        f"search_doctor_new AFTER INSERT ON {DOCTOR_TABLE}": f"{reset_row} {update_entries}",
        f"search_doctor_changed AFTER UPDATE OF {watched_columns} ON {DOCTOR_TABLE}": reset_row,
        f"search_doctor_entries AFTER UPDATE OF {', '.join(INDEXED_COLUMNS)} ON {DOCTOR_TABLE}": update_entries,
        f"search_doctor_gone AFTER DELETE ON {DOCTOR_TABLE}": (
            "DELETE FROM doctors_search_entry WHERE doctor_id = OLD.user_id;"
        ),
        f"search_person_named AFTER UPDATE OF name ON {USER_TABLE} WHEN NEW.name <> OLD.name": (
            "UPDATE doctors_doctorprofile SET search_text = '', folded_of = '', folded_by = NULL, city_key = '',"
            " name_key = CAST(lower(NEW.name) AS blob) WHERE user_id = NEW.id;"
        ),
        f"search_person_stopped AFTER UPDATE OF status, ended_at ON {USER_TABLE}": (
            "UPDATE doctors_doctorprofile SET is_listed = (approval = 'approved' AND NEW.status = 'active'"
            " AND NEW.ended_at IS NULL) WHERE user_id = NEW.id"
            " AND is_listed <> (approval = 'approved' AND NEW.status = 'active' AND NEW.ended_at IS NULL);"
        ),
        "search_entry_new AFTER INSERT ON doctors_search_entry WHEN NEW.word NOT LIKE '#%'": (
            "INSERT OR IGNORE INTO doctors_search_word (word) VALUES (NEW.word);"
        ),
        "search_entry_gone AFTER DELETE ON doctors_search_entry": (
            "DELETE FROM doctors_search_word WHERE word = OLD.word"
            " AND NOT EXISTS (SELECT 1 FROM doctors_search_entry e WHERE e.word = OLD.word);"
        ),
        "search_word_new AFTER INSERT ON doctors_search_word": insert_typos + insert_inside,
        "search_word_gone AFTER DELETE ON doctors_search_word": (
            f"DELETE FROM doctors_search_typo WHERE word = OLD.word;{delete_inside}"
        ),
    }
    return {head.split()[0]: f"CREATE TRIGGER {head} BEGIN {body} END" for head, body in bodies.items()}


# --- PostgreSQL ---------------------------------------------------------------------------------

POSTGRESQL_TABLES = (
    "CREATE SCHEMA IF NOT EXISTS directory_search",
    (
        'CREATE TABLE IF NOT EXISTS directory_search.entry (word text COLLATE "C" NOT NULL, doctor_id uuid NOT NULL,'
        " PRIMARY KEY (word, doctor_id))"
    ),
    "CREATE INDEX IF NOT EXISTS entry_doctor ON directory_search.entry (doctor_id, word)",
    'CREATE TABLE IF NOT EXISTS directory_search.word (word text COLLATE "C" PRIMARY KEY)',
    (
        'CREATE TABLE IF NOT EXISTS directory_search.typo (spelling text COLLATE "C" NOT NULL,'
        ' word text COLLATE "C" NOT NULL, PRIMARY KEY (spelling, word))'
    ),
    "CREATE INDEX IF NOT EXISTS typo_word ON directory_search.typo (word)",
    # Words that a doctor no longer has, for `delete_unused_words`.
    "CREATE TABLE IF NOT EXISTS directory_search.gone (word text)",
)
TRIGRAMS = "CREATE INDEX IF NOT EXISTS word_trigrams ON directory_search.word USING gin (word gin_trgm_ops)"
# Sorted, so that concurrent transactions that add the same words don't deadlock.
POSTGRESQL_ENTRIES = (
    "INSERT INTO directory_search.entry (word, doctor_id) SELECT w, d.user_id FROM {of} d,"
    " LATERAL (SELECT unnest(string_to_array(trim(d.search_text), ' ')) AS w UNION SELECT '@' || d.city_key"
    " UNION SELECT '#' || d.specialization) AS words WHERE d.is_listed AND w NOT IN ('', '@') ORDER BY w"
    " ON CONFLICT DO NOTHING"
)
# The functions check for changes, because a trigger on a column prevents migrations from changing its type.
POSTGRESQL_CHANGES = (
    "approval",
    "specialization",
    "hospital_city",
    "search_text",
    "name_key",
    "city_key",
    "folded_of",
    "is_listed",
)
INDEXED_COLUMNS = ("specialization", "search_text", "city_key", "is_listed")


def any_changed(*columns: str) -> str:
    """Return the condition that one of these columns changes."""
    return " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)


def return_unless_changed(columns: Sequence[str], result: str) -> str:
    """Return the statement that ends a function if an update changes none of these columns."""
    return f"IF TG_OP = 'UPDATE' THEN IF NOT ({any_changed(*columns)}) THEN RETURN {result}; END IF; END IF;"


POSTGRESQL_RESET_ROW = f"""
DECLARE person record;
BEGIN
  {return_unless_changed(POSTGRESQL_CHANGES, "NEW")}
  SELECT u.name, u.status = 'active' AND u.ended_at IS NULL AS stands INTO person
    FROM accounts_user u WHERE u.id = NEW.user_id;
  IF NEW.folded_by IS NOT NULL AND NEW.folded_of IS DISTINCT FROM
     person.name || chr(10) || NEW.specialization || chr(10) || NEW.hospital_city THEN
    NEW.search_text := ''; NEW.folded_of := ''; NEW.folded_by := NULL; NEW.city_key := ''; NEW.name_key := NULL;
  END IF;
  NEW.name_key := COALESCE(NEW.name_key, convert_to(lower(person.name), 'UTF8'));
  NEW.is_listed := COALESCE(NEW.approval = 'approved' AND person.stands, false);
  RETURN NEW;
END"""
POSTGRESQL_UPDATE_ENTRIES = f"""
BEGIN
  {return_unless_changed(INDEXED_COLUMNS, "NULL")}
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM directory_search.entry WHERE doctor_id = OLD.user_id AND (TG_OP = 'DELETE' OR NOT NEW.is_listed
      OR NOT (word IN ('@' || NEW.city_key, '#' || NEW.specialization)
              OR strpos(NEW.search_text, ' ' || word || ' ') > 0));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    {POSTGRESQL_ENTRIES.format(of="(SELECT NEW.*)")};
  END IF;
  RETURN NULL;
END"""
POSTGRESQL_TRUNCATE = """
BEGIN
  TRUNCATE directory_search.entry, directory_search.word, directory_search.typo, directory_search.gone;
  RETURN NULL;
END"""
POSTGRESQL_USER = f"""
BEGIN
  IF OLD.role <> 'doctor' THEN RETURN NULL; END IF;
  {return_unless_changed(("name", "status", "ended_at"), "NULL")}
  IF NEW.name IS DISTINCT FROM OLD.name THEN
    UPDATE doctors_doctorprofile SET search_text = '', folded_of = '', folded_by = NULL, city_key = '', name_key = NULL
      WHERE user_id = NEW.id;
  ELSE
    UPDATE doctors_doctorprofile SET is_listed = NOT is_listed WHERE user_id = NEW.id
      AND is_listed <> (approval = 'approved' AND NEW.status = 'active' AND NEW.ended_at IS NULL);
  END IF;
  RETURN NULL;
END"""
# The advisory lock that prevents `delete_unused_words` from deleting words that are being added.
WORDS_LOCK = 7_305_811
POSTGRESQL_WORDS = f"""
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO directory_search.gone VALUES (OLD.word);
  ELSIF NEW.word NOT LIKE '#%' THEN
    PERFORM pg_advisory_xact_lock_shared({WORDS_LOCK});
    INSERT INTO directory_search.word VALUES (NEW.word) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END"""
POSTGRESQL_TYPOS = f"""
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM directory_search.typo WHERE word = OLD.word;
  ELSIF NEW.word NOT LIKE '@%'
      AND length(NEW.word) BETWEEN {TYPO_WORD_LENGTHS.start} AND {TYPO_WORD_LENGTHS.stop - 1} THEN
    INSERT INTO directory_search.typo SELECT substr(NEW.word, 1, n - 1) || substr(NEW.word, n + 1), NEW.word
      FROM generate_series(1, length(NEW.word)) n UNION SELECT NEW.word, NEW.word ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END"""
FUNCTIONS = {
    "keep_true": POSTGRESQL_RESET_ROW,
    "keep_entries": POSTGRESQL_UPDATE_ENTRIES,
    "empty_all": POSTGRESQL_TRUNCATE,
    "follow_person": POSTGRESQL_USER,
    "keep_words": POSTGRESQL_WORDS,
    "keep_typos": POSTGRESQL_TYPOS,
}


def build_postgresql_triggers() -> dict[str, str]:
    """Return the triggers by name."""
    heads = {
        f"search_doctor_new BEFORE INSERT ON {DOCTOR_TABLE} FOR EACH ROW": "keep_true",
        f"search_doctor_changed BEFORE UPDATE ON {DOCTOR_TABLE} FOR EACH ROW": "keep_true",
        f"search_doctor_added AFTER INSERT OR DELETE ON {DOCTOR_TABLE} FOR EACH ROW": "keep_entries",
        f"search_doctor_entries AFTER UPDATE ON {DOCTOR_TABLE} FOR EACH ROW": "keep_entries",
        f"search_doctor_emptied AFTER TRUNCATE ON {DOCTOR_TABLE}": "empty_all",
        f"search_person_changed AFTER UPDATE ON {USER_TABLE} FOR EACH ROW": "follow_person",
        "search_entry_kept AFTER INSERT OR DELETE ON directory_search.entry FOR EACH ROW": "keep_words",
        "search_word_kept AFTER INSERT OR DELETE ON directory_search.word FOR EACH ROW": "keep_typos",
    }
    return {
        head.split()[0]: f"CREATE TRIGGER {head} EXECUTE FUNCTION directory_search.{function}()"
        for head, function in heads.items()
    }


# --- Both ---------------------------------------------------------------------------------------


@cache
def has_trigram_tokenizer() -> bool:
    """Return whether this SQLite has FTS5 with trigrams (from 3.34 on, if compiled in)."""
    with closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE t USING fts5(word, tokenize='trigram')")
        except sqlite3.OperationalError:
            return False
    return True


def build_triggers(connection: Any) -> dict[str, str]:
    """Return the statements that create the triggers, by trigger name."""
    if connection.vendor == "sqlite":
        return build_sqlite_triggers(has_trigram_tokenizer())
    return build_postgresql_triggers()


def find_missing_triggers(connection: Any) -> set[str]:
    """Return the triggers that don't exist or are disabled."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'search%'")
        else:
            cursor.execute(
                "SELECT tgname FROM pg_trigger WHERE tgname LIKE 'search%%' AND NOT tgisinternal AND tgenabled <> 'D'"
            )
        existing = {row[0] for row in cursor.fetchall()}
    return set(build_triggers(connection)) - existing


def create_triggers(sender: AppConfig | None = None, using: str = "default", **kwargs: Any) -> None:
    """Rebuild the index if a trigger is missing, and fold outdated search columns; runs after every migrate."""
    connection = connections[using]
    with connection.cursor() as cursor:
        columns = (
            {column.name for column in connection.introspection.get_table_description(cursor, DOCTOR_TABLE)}
            if (DOCTOR_TABLE in connection.introspection.table_names(cursor))
            else set()
        )
    if "is_listed" not in columns:
        return
    if find_missing_triggers(connection):
        rebuild_index(using)
    if connection.vendor == "postgresql":
        create_trigram_index(connection)
    doctors = DoctorProfile.objects.using(using)
    doctors.filter(folded_by__isnull=False).exclude(folded_by=VERSION).update(folded_by=None)
    doctors.fold_outdated()


def drop_sqlite_triggers(cursor: Any) -> None:
    """Drop SQLite's triggers, including those that this version of SQLite would not create."""
    for name in build_sqlite_triggers(has_inside=True):
        cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def drop_before_migration(sender: AppConfig, using: str, plan: Any = (), **kwargs: Any) -> None:
    """Drop the triggers before migrations on SQLite, which can't drop a column that a trigger names."""
    if plan and connections[using].vendor == "sqlite":
        with connections[using].cursor() as cursor:
            drop_sqlite_triggers(cursor)


def rebuild_index(using: str = "default") -> None:
    """Rebuild tables, triggers and their rows, in one transaction."""
    with transaction.atomic(using):
        build_index(connections[using])


def build_index(connection: Any) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            drop_sqlite_triggers(cursor)
            for table in ("inside", "entry", "word", "typo"):
                cursor.execute(f"DROP TABLE IF EXISTS doctors_search_{table}")
            statements = [*SQLITE_TABLES]
            if has_trigram_tokenizer():
                statements.append(SQLITE_INSIDE)
        else:
            # This may take longer than a request.
            cursor.execute("SET LOCAL statement_timeout = 0")
            cursor.execute("DROP SCHEMA IF EXISTS directory_search CASCADE")
            statements = [*POSTGRESQL_TABLES]
            statements += [
                f"CREATE FUNCTION directory_search.{name}() RETURNS trigger LANGUAGE plpgsql AS $${body}$$"
                for name, body in FUNCTIONS.items()
            ]
        for statement in [*statements, *build_triggers(connection).values()]:
            cursor.execute(statement)
        listed = (
            f"(approval = 'approved' AND EXISTS (SELECT 1 FROM {USER_TABLE} u WHERE u.id = {DOCTOR_TABLE}.user_id"
            " AND u.status = 'active' AND u.ended_at IS NULL))"
        )
        cursor.execute(f"UPDATE {DOCTOR_TABLE} SET is_listed = {listed} WHERE is_listed <> {listed}")
        entries = (
            SQLITE_ENTRIES.format(where="1")
            if connection.vendor == "sqlite"
            else POSTGRESQL_ENTRIES.format(of=DOCTOR_TABLE)
        )
        cursor.execute(entries)


def create_trigram_index(connection: Any) -> None:
    """Create the trigram index on PostgreSQL; log what to do if the extension is not available."""
    try:
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            cursor.execute(TRIGRAMS)
    except DatabaseError as error:
        logger.warning("%s (%s)", NO_TRIGRAMS, str(error).strip())


def fold_outdated(now: datetime | None = None) -> int:
    """Fold columns that were reset outside the ORM, and delete unused words; return the number of doctors."""
    delete_unused_words()
    return DoctorProfile.objects.fold_outdated()


def delete_unused_words() -> None:
    """Delete words that no doctor has any more. On SQLite, which has one writer at a time, a trigger does this."""
    if default.vendor == "sqlite":
        return
    with transaction.atomic(), default.cursor() as cursor:
        cursor.execute("SELECT 1 FROM directory_search.gone LIMIT 1")
        if not cursor.fetchone():
            return
        cursor.execute(f"SELECT pg_try_advisory_xact_lock({WORDS_LOCK})")
        if not cursor.fetchone()[0]:
            # Another transaction is adding words; the next round will delete them.
            return
        cursor.execute(
            "WITH lost AS (DELETE FROM directory_search.gone RETURNING word) DELETE FROM directory_search.word w"
            " WHERE w.word IN (SELECT word FROM lost)"
            " AND NOT EXISTS (SELECT 1 FROM directory_search.entry e WHERE e.word = w.word)"
        )


def refold_renamed(sender: Any, **kwargs: Any) -> None:
    """Fold the columns that a change of name has reset, in the same transaction."""
    fields, user = kwargs.get("update_fields"), kwargs.get("instance")
    if user is None or (user.role == Role.DOCTOR and not kwargs["created"] and (not fields or "name" in fields)):
        DoctorProfile.objects.fold_outdated(user and user.pk)


def find_inconsistencies() -> dict[str, list[str]]:
    """Return the wrong columns and entries of the index by the doctor's id."""
    entry, word = (get_table_names(default.vendor)[table] for table in ("entry", "word"))
    result: dict[str, list[str]] = {}
    entries: dict[UUID, set[str]] = {}
    with default.cursor() as cursor:
        cursor.execute(f"SELECT doctor_id, word FROM {entry}")
        for key, text in cursor.fetchall():
            entries.setdefault(key if isinstance(key, UUID) else UUID(key), set()).add(text)
        cursor.execute(f"SELECT word FROM {word}")
        known_words = {text for (text,) in cursor.fetchall()}
    for doctor in DoctorProfile.objects.select_related("user").order_by("pk").iterator(chunk_size=1_000):
        expected = build_folded_columns(doctor.user.name, doctor.specialization, doctor.hospital_city)
        stored = {name: getattr(doctor, name) for name in expected} | {"name_key": bytes(doctor.name_key or b"")}
        problems = [name for name, value in expected.items() if stored[name] != value]
        is_listed = doctor.is_approved and doctor.user.is_active
        problems += ["is_listed"] if doctor.is_listed != is_listed else []
        expected_words = {*expected["search_text"].split(), f"@{expected['city_key']}", f"#{doctor.specialization}"} - {
            "@"
        }
        problems += ["entries"] if entries.pop(doctor.pk, set()) != (expected_words if is_listed else set()) else []
        problems += (
            ["words"] if is_listed and any(each not in known_words for each in expected_words if each[0] != "#") else []
        )
        if problems:
            result[str(doctor.pk)] = problems
    return result | {str(key): ["entries of nobody"] for key in entries}


def connect_signals(app: AppConfig) -> None:
    """Maintain the index after every migrate of the doctors app, and when a user's name changes."""
    pre_migrate.connect(drop_before_migration, sender=app, dispatch_uid="doctors.directory.search_index.before")
    post_migrate.connect(create_triggers, sender=app, dispatch_uid="doctors.directory.search_index")
    post_save.connect(refold_renamed, sender=User, dispatch_uid="doctors.directory.search_index")
    people_renamed.connect(refold_renamed, dispatch_uid="doctors.directory.search_index")
