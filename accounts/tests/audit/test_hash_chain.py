"""Test that the audit log is append-only and that verification names changed rows."""

import io
import re
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.audit import hash_chain
from accounts.audit.append_only import disable_triggers, find_missing_triggers
from accounts.audit.hash_chain import SETTLED_AFTER, seal_events, verify_audit_log
from accounts.audit.log import Action, record_event
from accounts.models import AuditEvent, AuditSeal

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(monkeypatch):
    """Seven rows, sealed three at a time."""
    monkeypatch.setattr(hash_chain, "BATCH_SIZE", 3)
    for number in range(7):
        record_event(
            "appointment.looked_at", Action.READ, "appointment", str(number), actor=None, detail={"b": number, "a": "x"}
        )
    assert seal_events(timezone.now() + SETTLED_AFTER) == 7
    return list(AuditEvent.objects.order_by("id").values_list("id", flat=True))


def tamper(statement, *values):
    with disable_triggers(), connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.mark.parametrize("table", ["accounts_auditevent", "accounts_auditseal"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id + 100", "DELETE FROM {}", "TRUNCATE {}"])
def test_database_rejects_changes_to_the_audit_log(rows, table, statement):
    # SQLite has no TRUNCATE at all.
    unknown = statement.startswith("TRUNCATE") and connection.vendor == "sqlite"
    with pytest.raises(DatabaseError, match="syntax error" if unknown else "audit_append_only"), transaction.atomic():
        connection.cursor().execute(statement.format(table))
    assert (AuditEvent.objects.count(), AuditSeal.objects.count()) == (7, 3)


def test_check_notices_missing_audit_log_triggers(rows):
    assert find_missing_triggers(connection) == set()
    with disable_triggers():
        assert len(find_missing_triggers(connection)) == (6 if connection.vendor == "sqlite" else 9)
    assert find_missing_triggers(connection) == set()


def test_unchanged_audit_log_passes_verification(rows):
    result = verify_audit_log()
    assert (result.rows, result.seals, result.unsealed, result.problems) == (7, 3, 0, [])


def test_rows_are_sealed_after_the_delay(db):
    record_event("appointment.looked_at", Action.READ, "appointment", "1", actor=None)
    now = timezone.now()
    assert [seal_events(now), seal_events(now + SETTLED_AFTER), seal_events(now + SETTLED_AFTER)] == [0, 1, 0]
    record_event("appointment.looked_at", Action.READ, "appointment", "2", actor=None)
    assert (verify_audit_log().rows, verify_audit_log().unsealed) == (1, 1)


@pytest.mark.parametrize(
    "change",
    [
        "event = 'appointment.looked_up'", "action = 'U'", "outcome = '8'", "agent_role = 'admin'", "entity_id = '99'",
        "request_id = 'x'", "source_address = '::1'", "entity_type = 'user'", "detail = '{\"a\": \"x\", \"b\": 4}'",
        "agent_id = '01890000000070008000000000000000'", "recorded_at = '2020-01-01 00:00:00+00:00'",
    ],
)  # fmt: skip
def test_verification_names_the_row_with_a_changed_column(rows, change):
    tamper(f"UPDATE accounts_auditevent SET {change} WHERE id = %s", rows[4] if "detail" not in change else rows[5])
    assert verify_audit_log().problems == [f"row {rows[5 if 'detail' in change else 4]} has been altered"]


def test_verification_names_a_deleted_row(rows):
    tamper("DELETE FROM accounts_auditevent WHERE id = %s", rows[0])
    tamper("DELETE FROM accounts_auditevent WHERE id = %s", rows[6])
    assert verify_audit_log().problems == [f"row {rows[0]} is gone", f"row {rows[6]} is gone"]


def test_verification_names_a_row_inserted_later(rows):
    tamper("DELETE FROM accounts_auditevent WHERE id = %s", rows[3])
    event = AuditEvent.objects.get(pk=rows[1])
    event.pk = rows[3]
    event.save(force_insert=True)
    assert verify_audit_log().problems == [f"row {rows[3]} has been altered"]
    event.pk = rows[0] - 1
    event.save(force_insert=True)
    assert f"row {rows[0] - 1} has come in afterwards" in verify_audit_log().problems


def test_recomputed_seal_breaks_the_chain(rows):
    second = AuditSeal.objects.order_by("id")[1]
    tamper("UPDATE accounts_auditevent SET event = 'nothing' WHERE id = %s", rows[4])
    digests = b"".join(
        hash_chain.compute_row_digest(row) for row in AuditEvent.objects.order_by("id").values(*hash_chain.COLUMNS)[3:6]
    )
    tamper(
        "UPDATE accounts_auditseal SET digests = %s, hash = %s WHERE id = %s",
        digests, hash_chain.compute_seal_hash(second.previous_hash, digests), second.pk,
    )  # fmt: skip
    assert verify_audit_log().problems == [f"seal {second.pk + 1} does not follow the seal before it"]


def test_command_prints_the_hash_to_keep_and_fails_on_a_mismatch(rows):
    out = io.StringIO()
    call_command("verify_audit", stdout=out)
    head = re.search(r"newest hash (\w{64})", out.getvalue())[1]
    call_command("verify_audit", expect=head, stdout=io.StringIO())
    with pytest.raises(CommandError, match=f"no seal has the hash {'f' * 64}"):
        call_command("verify_audit", expect="f" * 64, stdout=io.StringIO())
    tamper("UPDATE accounts_auditevent SET event = 'nothing' WHERE id = %s", rows[2])
    with pytest.raises(CommandError, match=f"row {rows[2]} has been altered"):
        call_command("verify_audit", stdout=io.StringIO())


def test_verification_names_one_changed_row_among_many(db):
    now = timezone.now() - timedelta(hours=1)
    AuditEvent.objects.bulk_create(
        [AuditEvent(recorded_at=now, event="appointment.looked_at", action="R", entity_id=str(n)) for n in range(3_000)]
    )
    seal_events(timezone.now())
    altered = AuditEvent.objects.order_by("id")[1_717].pk
    tamper("UPDATE accounts_auditevent SET entity_id = '1718' WHERE id = %s", altered)
    assert verify_audit_log().problems == [f"row {altered} has been altered"]
