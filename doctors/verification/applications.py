"""Applications of doctors to be listed: the claimed license, and a document as evidence."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.files.private_storage import PRIVATE_STORAGE, safe_file_name, store_file
from accounts.files.stored_files import claim_file, delete_on_commit, discard_file
from accounts.files.validation import FileRejectedError, sanitize_file
from accounts.models import User
from accounts.throttling.expensive_requests import APPLICATION
from config.api.errors import DomainError
from doctors.models import Approval, DoctorProfile, Verification
from doctors.verification.decisions import LICENSE_FIELDS, change_case, find_open_case, lock_open_account


def submit_application(
    user: User, claimed: Mapping[str, Any], document: tuple[str, bytes] | None, *, now: datetime
) -> tuple[Verification, bool]:
    """Open a case for a doctor, or update the open one; return the case, and whether it is new.

    A doctor who is not approved becomes pending, whatever was decided before. An approved doctor stays approved with
    the verified license until staff decide. Fields that `claimed` omits come from the open case or the profile;
    `document` is a name and the content. Raise `invalid` for the field `document` if the file is rejected, and
    `too_many`.
    """
    APPLICATION.consume()
    evidence = store_evidence(user, *document) if document else {}
    try:
        with transaction.atomic():
            doctor = lock_open_account(user.pk)
            case = find_open_case(doctor)
            changes = {**claimed, **evidence}
            if doctor.approval != Approval.APPROVED:
                mark_as_pending(doctor, claimed)
            replaced = case.document_stored_as if case and evidence else ""
            made = case is None
            if case is None:
                standing = {name: getattr(doctor, name) for name in (*LICENSE_FIELDS, "specialization")}
                case = Verification.objects.create(doctor=doctor, submitted_at=now, **{**standing, **changes})
            else:
                change_case(case, changes)
            record_event(
                "doctor.applied", Action.CREATE if made else Action.UPDATE, "doctor", doctor.pk, actor=user,
                detail={"case": str(case.pk), "revision": case.revision},
            )  # fmt: skip
            if evidence:
                claim_file(PRIVATE_STORAGE, evidence["document_stored_as"])
                delete_on_commit(PRIVATE_STORAGE, replaced)
    except BaseException:
        if evidence:
            discard_file(PRIVATE_STORAGE, evidence["document_stored_as"])
        raise
    return case, made


def mark_as_pending(doctor: DoctorProfile, claimed: Mapping[str, Any]) -> None:
    """Set a doctor who is not approved to pending, with the claimed license."""
    changes = {name: claimed[name] for name in LICENSE_FIELDS if name in claimed}
    changes |= {"approval": Approval.PENDING, "approval_reason": ""}
    for name, value in changes.items():
        setattr(doctor, name, value)
    doctor.save(update_fields=list(changes))


def store_evidence(user: User, name: str, content: bytes) -> dict[str, Any]:
    """Validate and store the evidence; return the case's columns about it."""
    try:
        file = sanitize_file(content)
    except FileRejectedError as refused:
        raise DomainError("invalid", errors={"document": [str(refused)]}) from refused
    return {
        "document_name": safe_file_name(name, file.content_type),
        "document_type": file.content_type,
        "document_size": len(file.content),
        "document_sha256": hashlib.sha256(file.content).hexdigest(),
        # Before the transaction, so that a slow storage does not block the doctor's row.
        "document_stored_as": store_file(f"doctors/{user.pk.hex}", file),
    }
