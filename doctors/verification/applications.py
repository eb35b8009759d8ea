"""A doctor's own application to be listed, or to stay so: the licence as claimed, and a document as evidence."""

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
from doctors.verification.decisions import LICENSE, change_case, open_case_of, standing_doctor


def apply(
    user: User, claimed: Mapping[str, Any], document: tuple[str, bytes] | None, *, now: datetime
) -> tuple[Verification, bool]:
    """Open a doctor's case, or bring the open one up to date; return the case, and whether it is a new one.

    Who is not approved waits for a decision from now on, whatever was decided before. Who is approved stays so, with
    the licence that staff have verified, until they decide about the new one. What is absent from `claimed` is as the
    open case or the profile says; `document` is a name and the bytes. Raises `invalid` naming `document` for a file
    that is not taken, and `too_many`.
    """
    APPLICATION.consume()
    evidence = examined(user, *document) if document else {}
    try:
        with transaction.atomic():
            doctor = standing_doctor(user.pk)
            case = open_case_of(doctor)
            changes = {**claimed, **evidence}
            if doctor.approval != Approval.APPROVED:
                wait(doctor, claimed)
            replaced = case.document_stored_as if case and evidence else ""
            made = case is None
            if case is None:
                standing = {name: getattr(doctor, name) for name in (*LICENSE, "specialization")}
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


def wait(doctor: DoctorProfile, claimed: Mapping[str, Any]) -> None:
    """Put a doctor who is not approved among those who wait, with the licence as claimed."""
    changes = {name: claimed[name] for name in LICENSE if name in claimed}
    changes |= {"approval": Approval.PENDING, "approval_reason": ""}
    for name, value in changes.items():
        setattr(doctor, name, value)
    doctor.save(update_fields=list(changes))


def examined(user: User, name: str, content: bytes) -> dict[str, Any]:
    """Examine the evidence and store it; return the case's columns about it."""
    try:
        file = sanitize_file(content)
    except FileRejectedError as refused:
        raise DomainError("invalid", errors={"document": [str(refused)]}) from refused
    return {
        "document_name": safe_file_name(name, file.content_type),
        "document_type": file.content_type,
        "document_size": len(file.content),
        "document_sha256": hashlib.sha256(file.content).hexdigest(),
        # Before the transaction: nobody should wait for a slow storage with the doctor's row in hand.
        "document_stored_as": store_file(f"doctors/{user.pk.hex}", file),
    }
