"""Seal batches of the audit log in a hash chain, and verify it.

Chaining rows in the transactions that write them would serialize all writers, so batches are sealed afterwards. A seal
contains a digest of every row, which identifies altered rows, and the hash of the previous seal, so that no batch can
be rewritten alone. A copy of the newest hash, kept elsewhere, proves that none was.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db import transaction

from accounts.models import AuditEvent, AuditSeal
from config.api.fields import format_utc

# Ids are assigned before commits, so rows with lower ids may still appear. The database's statement and idle timeouts
# end transactions earlier than this.
SETTLED_AFTER = timedelta(minutes=5)
BATCH_SIZE = 1_000
DIGEST_BYTES = 16
ROW_BYTES = 8 + DIGEST_BYTES
GENESIS_HASH = "0" * 64
# Less than every id.
MIN_ID = -(2**63)

COLUMNS = (
    "id",
    "recorded_at",
    "event",
    "action",
    "outcome",
    "agent_id",
    "agent_role",
    "source_address",
    "entity_type",
    "entity_id",
    "request_id",
    "detail",
)


def serialize_row(row: dict[str, Any]) -> bytes:
    """Return a row as JSON, identical on both engines: sorted keys, times in UTC with microseconds."""
    moment: datetime = row["recorded_at"]
    return orjson.dumps(
        {
            **row,
            "recorded_at": f"{format_utc(moment)}.{moment.microsecond:06d}",
            "agent_id": str(row["agent_id"] or ""),
        },
        option=orjson.OPT_SORT_KEYS,
    )


def compute_row_digest(row: dict[str, Any]) -> bytes:
    """Return the id and the digest of a row, `ROW_BYTES` long."""
    return int(row["id"]).to_bytes(8, "big", signed=True) + hashlib.sha256(serialize_row(row)).digest()[:DIGEST_BYTES]


def compute_seal_hash(previous: str, digests: bytes) -> str:
    """Return the hash of a seal: of the previous hash and the digests of its rows."""
    return hashlib.sha256(previous.encode() + digests).hexdigest()


def seal_events(now: datetime) -> int:
    """Seal all rows older than `SETTLED_AFTER`; return how many. Only one process may run this at a time."""
    sealed = 0
    while True:
        with transaction.atomic():
            last = AuditSeal.objects.order_by("-id").first()
            rows = AuditEvent.objects.filter(
                id__gt=last.last_event if last else MIN_ID, recorded_at__lte=now - SETTLED_AFTER
            ).order_by("id")
            batch = list(rows.values(*COLUMNS)[:BATCH_SIZE])
            if not batch:
                return sealed
            digests = b"".join(map(compute_row_digest, batch))
            previous = last.hash if last else GENESIS_HASH
            AuditSeal.objects.create(
                first_event=batch[0]["id"],
                last_event=batch[-1]["id"],
                previous_hash=previous,
                hash=compute_seal_hash(previous, digests),
                digests=digests,
                sealed_at=now,
            )
            sealed += len(batch)


@dataclass
class VerificationResult:
    rows: int = 0
    seals: int = 0
    unsealed: int = 0
    head: str = GENESIS_HASH
    problems: list[str] = field(default_factory=list)


def verify_audit_log(expected: str = "") -> VerificationResult:
    """Compare each sealed row with its seal, and each seal with the previous one, in one transaction.

    The result names each row that was altered, deleted or inserted. `expected` is the hash of an earlier seal that must
    still exist.
    """
    result = VerificationResult()
    with transaction.atomic():
        last = MIN_ID
        if expected and not AuditSeal.objects.filter(hash=expected).exists():
            result.problems.append(f"no seal has the hash {expected}")
        for audit_seal in AuditSeal.objects.order_by("id").iterator(chunk_size=10):
            digests = bytes(audit_seal.digests)
            if audit_seal.previous_hash != result.head:
                result.problems.append(f"seal {audit_seal.pk} does not follow the seal before it")
            if audit_seal.hash != compute_seal_hash(audit_seal.previous_hash, digests):
                result.problems.append(f"seal {audit_seal.pk} has been altered")
            rows = AuditEvent.objects.filter(id__gt=last, id__lte=audit_seal.last_event).order_by("id").values(*COLUMNS)
            current = {row["id"]: compute_row_digest(row) for row in rows}
            sealed = {int.from_bytes(entry[:8], "big", signed=True): entry for entry in split_digests(digests)}
            for number in sorted(sealed.keys() | current.keys()):
                if number not in current:
                    result.problems.append(f"row {number} is gone")
                elif number not in sealed:
                    result.problems.append(f"row {number} has come in afterwards")
                elif current[number] != sealed[number]:
                    result.problems.append(f"row {number} has been altered")
            result.rows += len(sealed)
            result.seals += 1
            result.head = audit_seal.hash
            last = audit_seal.last_event
        result.unsealed = AuditEvent.objects.filter(id__gt=last).count()
    return result


def split_digests(digests: bytes) -> Iterator[bytes]:
    """Yield the digest of each row of a seal."""
    for start in range(0, len(digests), ROW_BYTES):
        yield digests[start : start + ROW_BYTES]
