"""Seal the audit trail in batches that hold one another by their hashes, and look whether a seal still fits.

A chain inside each act's transaction would make all writers queue; so acts only append, and whole batches are sealed
afterwards. Each seal keeps a digest of every row, to name the row that was altered, and the hash of the seal before
it, so that no batch can be rewritten alone. A copy of the newest hash kept elsewhere proves that none was.
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

# Ids are given before a transaction commits, so the newest rows may yet get older neighbours. No transaction of ours
# lives so long: the database ends it (statement and idle timeouts).
SETTLED_AFTER = timedelta(minutes=5)
BATCH = 1_000
DIGEST_BYTES = 16
ROW_BYTES = 8 + DIGEST_BYTES
FIRST = "0" * 64
# Below every id there can be.
BELOW_ALL = -(2**63)

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


def canonical(row: dict[str, Any]) -> bytes:
    """Write a row in one way on both engines: JSON with sorted keys, instants in UTC to the microsecond."""
    moment: datetime = row["recorded_at"]
    return orjson.dumps(
        {
            **row,
            "recorded_at": f"{format_utc(moment)}.{moment.microsecond:06d}",
            "agent_id": str(row["agent_id"] or ""),
        },
        option=orjson.OPT_SORT_KEYS,
    )


def digest(row: dict[str, Any]) -> bytes:
    """Return the id and the digest of a row, `ROW_BYTES` long."""
    return int(row["id"]).to_bytes(8, "big", signed=True) + hashlib.sha256(canonical(row)).digest()[:DIGEST_BYTES]


def chained(previous: str, digests: bytes) -> str:
    """Return the hash of a batch: of its rows' digests and of the seal before it."""
    return hashlib.sha256(previous.encode() + digests).hexdigest()


def seal(now: datetime) -> int:
    """Seal every row that has settled; return how many. Run it in one process at a time."""
    sealed = 0
    while True:
        with transaction.atomic():
            last = AuditSeal.objects.order_by("-id").first()
            rows = AuditEvent.objects.filter(
                id__gt=last.last_event if last else BELOW_ALL, recorded_at__lte=now - SETTLED_AFTER
            ).order_by("id")
            batch = list(rows.values(*COLUMNS)[:BATCH])
            if not batch:
                return sealed
            digests = b"".join(map(digest, batch))
            previous = last.hash if last else FIRST
            AuditSeal.objects.create(
                first_event=batch[0]["id"],
                last_event=batch[-1]["id"],
                previous_hash=previous,
                hash=chained(previous, digests),
                digests=digests,
                sealed_at=now,
            )
            sealed += len(batch)


@dataclass
class Verdict:
    """What a look at the whole trail found."""

    rows: int = 0
    seals: int = 0
    unsealed: int = 0
    head: str = FIRST
    faults: list[str] = field(default_factory=list)


def verify(expected: str = "") -> Verdict:
    """Compare every sealed row with its seal, and every seal with the one before it.

    `expected` is the hash of any earlier seal, which must be among them still. Names each row that was altered, is
    gone, or has come between; reads the trail in batches, in one consistent view.
    """
    verdict = Verdict()
    with transaction.atomic():
        last = BELOW_ALL
        if expected and not AuditSeal.objects.filter(hash=expected).exists():
            verdict.faults.append(f"no seal has the hash {expected}")
        for one in AuditSeal.objects.order_by("id").iterator(chunk_size=10):
            digests = bytes(one.digests)
            if one.previous_hash != verdict.head:
                verdict.faults.append(f"seal {one.pk} does not follow the seal before it")
            if one.hash != chained(one.previous_hash, digests):
                verdict.faults.append(f"seal {one.pk} has been altered")
            rows = AuditEvent.objects.filter(id__gt=last, id__lte=one.last_event).order_by("id").values(*COLUMNS)
            found = {row["id"]: digest(row) for row in rows}
            kept = {int.from_bytes(entry[:8], "big", signed=True): entry for entry in entries(digests)}
            for number in sorted(kept.keys() | found.keys()):
                if number not in found:
                    verdict.faults.append(f"row {number} is gone")
                elif number not in kept:
                    verdict.faults.append(f"row {number} has come in afterwards")
                elif found[number] != kept[number]:
                    verdict.faults.append(f"row {number} has been altered")
            verdict.rows += len(kept)
            verdict.seals += 1
            verdict.head = one.hash
            last = one.last_event
        verdict.unsealed = AuditEvent.objects.filter(id__gt=last).count()
    return verdict


def entries(digests: bytes) -> Iterator[bytes]:
    """Take a seal's digests apart, one row at a time."""
    for start in range(0, len(digests), ROW_BYTES):
        yield digests[start : start + ROW_BYTES]
