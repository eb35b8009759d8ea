"""What a call does not take changes nothing: each writing call is made with every field that a stranger might try.

The database is compared row by row with what the same call leaves without those fields: in the body and in its parts,
in the query, and as a form. Which fields a call does take is read from the description of the API.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import transaction
from django.db.models import Model

from adminpanel.tests.contracts.openapi_schema import get_body, get_operation, resolve_schema
from adminpanel.tests.contracts.populated_site import PopulatedSite
from adminpanel.tests.contracts.response_recorder import assert_empty, read_content
from adminpanel.tests.contracts.valid_calls import CALLS, Call, send

pytestmark = pytest.mark.either_engine

STRANGE_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
# Under the names of the wire and of the columns.
FORBIDDEN: dict[str, Any] = {
    "_id": STRANGE_ID, "id": STRANGE_ID, "pk": STRANGE_ID, "uuid": STRANGE_ID, "user": STRANGE_ID, "userId": STRANGE_ID,
    "user_id": STRANGE_ID, "patient": STRANGE_ID, "patientId": STRANGE_ID, "patient_id": STRANGE_ID,
    "doctor": STRANGE_ID, "doctorId": STRANGE_ID, "doctor_id": STRANGE_ID, "recipient": STRANGE_ID,
    "role": "admin", "isApproved": True, "is_approved": True, "approval": "approved", "approvedAt": "2020-01-01",
    "isStaff": True, "is_staff": True, "isSuperuser": True, "is_superuser": True, "isActive": False, "is_active": False,
    "status": "completed", "state": "approved", "attended": False, "groups": [1], "user_permissions": [1],
    "consultationFee": 1, "consultation_fee": 1, "fee": 1, "price": 1, "currency": "XXX", "rating": {"average": 5},
    "rating_average": 5, "ratingCount": 99, "rating_count": 99, "version": 99, "recordVersion": 99,
    "record_version": 99,
    "revision": 99, "createdAt": "2020-01-01T00:00:00Z", "created_at": "2020-01-01T00:00:00Z",
    "updatedAt": "2020-01-01T00:00:00Z", "updated_at": "2020-01-01T00:00:00Z", "endedAt": "2020-01-01T00:00:00Z",
    "ended_at": "2020-01-01T00:00:00Z", "password": "md5$x$y", "password_hash": "md5$x$y", "passwordHash": "md5$x$y",
    "emailConfirmed": True, "email_confirmed_at": "2020-01-01T00:00:00Z", "pendingEmail": "evil@example.com",
    "pending_email": "evil@example.com", "email": "evil@example.com", "licenseNumber": "EVIL-1",
    "license_number": "EVIL-1", "licenseExpiresOn": "2099-01-01", "license_expires_on": "2099-01-01",
    "bookedBy": "admin", "booked_by": "admin", "cancelledBy": "system", "cancelled_by": "system",
    "cancelReason": "Evil.", "cancelReply": "Evil.", "cancel_reply": "Evil.",
    "respondBy": "2099-01-01T00:00:00Z", "respond_by": "2099-01-01T00:00:00Z",
    "confirmedAt": "2020-01-01T00:00:00Z", "confirmed_at": "2020-01-01T00:00:00Z", "startsAt": "2020-01-01T00:00:00Z",
    "starts_at": "2020-01-01T00:00:00Z", "endsAt": "2020-01-01T00:00:00Z", "ends_at": "2020-01-01T00:00:00Z",
    "outsideHours": True, "outside_hours": True, "doctorName": "Evil", "doctor_name": "Evil", "patientName": "Evil",
    "patient_name": "Evil", "diagnosis": "Evil.", "doctor_notes": "Evil.", "doctorNotes": "Evil.",
    "prescription": {"notes": "Evil."}, "prescription_notes": "Evil.", "writtenBy": STRANGE_ID,
    "written_by": STRANGE_ID, "addedBy": STRANGE_ID, "decidedBy": STRANGE_ID, "decided_by": STRANGE_ID, "note": "Evil.",
    "checklist": {"identity": True},
    "verified": True, "verifiedOn": "2020-01-01", "picture": "pictures/evil.webp", "stored_as": "evil",
    "secret_hash": "0", "network": "", "reservation": STRANGE_ID, "kind": "appointment",
    "expiresAt": "2099-01-01T00:00:00Z",
    "expires_at": "2099-01-01T00:00:00Z", "instantConfirmation": True,
    "instant_confirmation": True,
    "nextFree": None, "next_free_at": "2020-01-01T00:00:00Z", "lastSeenAt": "2099-01-01T00:00:00Z",
    "ip_address": "1.2.3.4", "ipAddress": "1.2.3.4", "agreedToPrivacyAt": "2020-01-01", "agent_id": STRANGE_ID,
    "preview": "true",
    "__proto__": {"role": "admin"}, "constructor": "x", "$set": {"role": "admin"}, "user.role": "admin",
    "user[role]": "admin", "doctor__user__role": "admin",
}  # fmt: skip
# What differs from call to call whatever is sent.
RANDOM = {
    "request_id", "secret_hash", "password", "message_id", "stored_as", "document_stored_as", "picture", "hash",
    "bound_to", "secret", "code_hash", "credential_id", "public_key", "digest",
}  # fmt: skip


def add_forbidden_fields(body: Any, schema: dict[str, Any]) -> Any:
    """Put what is not taken into a body and into each of its parts."""
    taken = schema.get("properties", {})
    if isinstance(body, list):
        return [add_forbidden_fields(each, resolve_schema(schema.get("items", {}))) for each in body]
    if not isinstance(body, dict) or not taken or "monday" in taken:
        return body  # keys there are data: dates, days or ids
    inner = {name: add_forbidden_fields(value, resolve_schema(taken.get(name, {}))) for name, value in body.items()}
    return {**{name: value for name, value in FORBIDDEN.items() if name not in taken}, **inner}


def tables() -> list[type[Model]]:
    # Triggers tell of the others there, each time with another number.
    everyone = apps.get_models(include_auto_created=True)
    return [model for model in everyone if model._meta.managed]


def read_all_rows() -> dict[str, dict[Any, dict[str, Any]]]:
    """Read the whole database: the columns of each row, by its key."""
    return {
        model._meta.db_table: {
            row.pop(model._meta.pk.attname): row for row in model._base_manager.order_by("pk").values()
        }
        for model in tables()
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Return what a call did: rows that came, went or changed, with new ids named by their order."""
    new = {
        str(pk): f"<new {table} {number}>"
        for table, rows in after.items()
        for number, pk in enumerate([pk for pk in rows if pk not in before[table]], 1)
        if len(str(pk)) > 8
    }
    # The summary of a bulk change is about no single row: its subject is a fresh id.
    for number, row in enumerate(after["accounts_notice"].values(), 1):
        if row["event"] == "appointments.bulk_changed":
            new[str(row["subject_id"])] = f"<summary {number}>"
    # A notice names its change of time by number, and PostgreSQL never gives a number twice.
    for number, pk in enumerate(
        pk for pk in after["appointments_timechange"] if pk not in before["appointments_timechange"]
    ):
        new[f'"change": {pk}}}'] = f'"change": <new {number}>}}'

    def plain(column: str, value: Any, old: Any = None) -> Any:
        if column in RANDOM:
            return "same" if value == old else "other"
        text = json.dumps(value, default=str) if isinstance(value, dict | list) else str(value)
        for pk, name in new.items():
            text = text.replace(pk, name)
        return text

    found: dict[str, Any] = {}
    for table, rows in after.items():
        old = before[table]
        for number, pk in enumerate([pk for pk in rows if pk not in old], 1):
            row = {column: plain(column, value) for column, value in rows[pk].items()}
            found[f"{table} +{number}"] = row
        for pk in old:
            if pk not in rows:
                found[f"{table} -{pk}"] = {}
            elif rows[pk] != old[pk]:
                found[f"{table} {pk}"] = {
                    column: plain(column, value, old[pk][column])
                    for column, value in rows[pk].items()
                    if value != old[pk][column]
                }
    return found


@contextmanager
def standing(call: Call, site: PopulatedSite) -> Iterator[Call]:
    """Let stand what a call needs, for as long as the block lasts; the call has its one address then."""
    cache.clear()
    with transaction.atomic():
        call.prepare(site)
        address = call.get_address(site)
        yield replace(call, address=lambda _: address, prepare=lambda _: None)
        transaction.set_rollback(True)


def run_call(call: Call, site: PopulatedSite, **how: Any) -> tuple[int, dict[str, Any], Any]:
    """Make a call and undo it; return its status, what it did to the database, and the keys of its answer."""
    cache.clear()
    with transaction.atomic():
        before = read_all_rows()
        answer = send(call, site, **how)
        body = read_content(answer)
        did = changes(before, read_all_rows())
        transaction.set_rollback(True)
    # That the caller is still there, the session says at every call.
    did = {row: columns for row, columns in did.items() if set(columns) != {"last_seen_at"}}
    keys = sorted(json.loads(body)["data"]) if answer.headers.get("Content-Type") == "application/json" else None
    return answer.status_code, did, keys


def test_undeclared_fields_change_nothing(populated_site):
    wrong, tried = {}, 0
    for name, usual_call in CALLS.items():
        with standing(usual_call, populated_site) as call:
            usual = run_call(call, populated_site)
            assert (name, usual[0]) == (name, call.status)
            operation, body = get_operation(call, populated_site), call.body(populated_site)
            schema = get_body(operation, call.kind)
            more = add_forbidden_fields(body, schema) if schema.get("properties") else {**FORBIDDEN, **body}
            if call.kind == "multipart":
                more = {
                    key: value
                    for key, value in more.items()
                    if not isinstance(value, dict | list) and value is not None
                }
            in_query = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
            query = "&".join(f"{key}={value}" for key, value in FORBIDDEN.items() if key not in in_query)
            for what, how in {"body": {"more": more}, "query": {"query": query}}.items():
                tried += 1
                got = run_call(call, populated_site, **how)
                if got != usual:
                    wrong[f"{name}, {what}"] = {"got": got, "usual": usual}
    assert_empty(wrong)
    assert tried == 2 * len(CALLS)


# Where a form is read too, with a file in it.
FORMS = {"profile", "doctor-profile", "doctor-verification-list", "attachment-list"}


def test_form_is_rejected_where_only_json_is_accepted(populated_site):
    wrong = {}
    for name, usual_call in CALLS.items():
        with standing(usual_call, populated_site) as call:
            body = call.body(populated_site)
            if call.route in FORMS or not body:
                continue  # a form is taken there, or nothing is read
            flat = {key: str(value) for key, value in {**FORBIDDEN, **body}.items()}
            for kind in ("urlencoded", "multipart", "text"):
                status, did, _ = run_call(replace(call, kind=kind), populated_site, more=flat)
                if (status, did) != (415, {}):
                    wrong[f"{name}, {kind}"] = (status, did)
    assert_empty(wrong)


def test_check_finds_a_change(populated_site):
    """The comparison itself: a call that does take another field is told apart from the usual one."""
    call = CALLS["change a patient"]
    usual, other = run_call(call, populated_site), run_call(call, populated_site, more={"phone": "+1 202 555 0177"})
    assert usual[0] == other[0] == 200
    (row,) = [key for key in usual[1] if key.startswith("accounts_user ")]
    assert set(other[1][row]) - set(usual[1][row]) == {"phone"}


@pytest.mark.parametrize("field", ["role", "isApproved", "consultationFee", "status", "version", "is_superuser"])
def test_most_sensitive_fields_are_tested(field):
    assert field in FORBIDDEN
