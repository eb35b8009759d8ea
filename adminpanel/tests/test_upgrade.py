"""A database of the first release, rows in every table, becomes one of today: nothing lost, every rule stands."""

from contextlib import closing

import pytest

from adminpanel.tests.first_release import PASSWORD, PEOPLE, VISITS
from appointments.tests.test_races import free_slots, sign_in
from config.testing import own_database, placed


def rows_of(server, table, columns):
    return sorted(map(repr, server.sql(f"SELECT {columns} FROM {table}")))


def columns_of(server, table):
    if server.is_sqlite:
        return ", ".join(f'"{row[1]}"' for row in server.sql(f"PRAGMA table_info({table})"))
    rows = server.sql(f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' ORDER BY 1")
    return ", ".join(f'"{name}"' for (name,) in rows)


PHONE, E164 = "+1 202 555 0142", "+12025550142"
TABLES = [
    "accounts_user", "accounts_patientdetails", "accounts_session", "accounts_auditevent", "accounts_notice",
    "doctors_doctorprofile", "doctors_weeklyhours", "doctors_dayoverride", "doctors_blockedtime", "doctors_claim",
    "appointments_appointment",
]  # fmt: skip


@pytest.fixture
def old(tmp_path):
    """A database as the first release left it."""
    with own_database(tmp_path) as url:
        server = placed(tmp_path, url)
        server.manage("shell", "-v0", "-c", "from adminpanel.tests.first_release import fill; fill()")
        yield server
        server.stop()


def test_a_database_of_the_first_release_becomes_one_of_today(old):
    columns = {table: columns_of(old, table) for table in TABLES}
    before = {table: rows_of(old, table, columns[table]) for table in TABLES}
    assert all(before.values())
    old.manage("migrate", "-v0")
    # Every row, with every column as it was; phone numbers are in E.164 since they are parsed.
    after = {table: [row.replace(PHONE, E164) for row in rows] for table, rows in before.items()}
    assert after != before
    assert {table: rows_of(old, table, columns[table]) for table in TABLES} == after
    old.manage("migrate", "--check")
    old.manage("verify_audit")
    # What later releases read from tables of their own has been carried over.
    assert old.sql("SELECT count(*) FROM appointments_patientofdoctor") == [(1,)]
    assert old.sql("SELECT version, diagnosis FROM appointments_visitrecord") == [(1, "A cold.")]
    assert old.sql("SELECT count(*) FROM doctors_verification WHERE state = 'open'") == [(1,)]
    assert old.sql("SELECT count(*) FROM appointments_appointment WHERE confirmed_at IS NOT NULL") == [(2,)]
    assert old.sql("SELECT DISTINCT state, error FROM accounts_notice") == [("dropped", "before_delivery")]
    refuses_what_it_must(old)
    old.start()  # comes up only when every constraint and trigger stands
    serves_old_and_new(old)


def refuses_what_it_must(server):
    """The constraints and triggers of today stand on the rows of then."""
    overlap = (
        "INSERT INTO doctors_claim (id, kind, doctor_id, starts_at, ends_at, busy_until, created_at, network,"
        " secret_hash) SELECT '{id}', 'visit', doctor_id, starts_at, ends_at, busy_until, created_at, '', ''"
        " FROM doctors_claim LIMIT 1"
    ).format(id="0" * 31 + "1")
    for statement, refusal in (
        (overlap, "claims_of_doctor_apart"),
        ("UPDATE accounts_auditevent SET event = 'x'", "audit_append_only"),
        ("DELETE FROM accounts_auditevent", "audit_append_only"),
        ("UPDATE appointments_appointment SET status = 'odd'", "appointment_status_known"),
        ("UPDATE accounts_user SET email = 'admin@example.com'", "email"),
    ):
        with pytest.raises(Exception, match=refusal):
            server.sql(statement)


def serves_old_and_new(server):
    """People of then sign in, see their visits and book another one."""
    for name in ("patient", "doctor", "admin"):
        with closing(sign_in(server, f"{name}@example.com", name, PASSWORD)) as client:
            if name == "admin":
                assert client.get("/api/admin/dashboard").status_code == 200
                continue
            listed = client.get("/api/appointments", params={"limit": 50}).json()["data"]["appointments"]
            assert len(listed) == len(VISITS) + (name == "doctor")
            if name == "patient":
                slot = free_slots(client, str(PEOPLE["doctor"]))[0]
                booked = client.post("/api/appointments", json={"doctorId": str(PEOPLE["doctor"]), **slot})
                assert booked.status_code == 201, booked.text
