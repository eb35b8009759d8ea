"""Decisions of staff about doctors' cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import models, transaction
from django.db.models import Q

from accounts.audit.log import Action, record_event
from accounts.models import User
from accounts.notifications.outbox import notify_user
from config.api.errors import DomainError
from doctors.availability.calendar import lock_doctor, schedule_next_free_refresh
from doctors.models import Approval, CaseState, DoctorProfile, Verification

LICENSE_FIELDS = ("license_number", "license_authority", "license_region", "license_expires_on")


@dataclass(frozen=True)
class Decision:
    """A decision about a doctor.

    Attributes:
        license: Corrections of the claimed license, applied if staff approve.
        exception: Why staff approve although evidence is missing.
        keep_approval: Reject the open case of an approved doctor without revoking the approval.
        revision: The revision of the open case that staff have seen; None without a case.
    """

    approve: bool
    reason: str = ""
    note: str = ""
    checklist: Mapping[str, bool] = field(default_factory=dict)
    license: Mapping[str, Any] = field(default_factory=dict)
    keep_approval: bool = False
    exception: str = ""
    revision: int | None = None


def find_open_case(doctor: DoctorProfile) -> Verification | None:
    return Verification.objects.filter(doctor=doctor, state=CaseState.OPEN).first()


def open_case(doctor: DoctorProfile, now: datetime) -> Verification:
    """Open a case for a doctor, or update the open one. The doctor's row must be locked or new."""
    claimed = {name: getattr(doctor, name) for name in (*LICENSE_FIELDS, "specialization")}
    case = find_open_case(doctor)
    if case is None:
        return Verification.objects.create(doctor=doctor, submitted_at=now, **claimed)
    return change_case(case, claimed)


def change_case(case: Verification, changes: Mapping[str, Any]) -> Verification:
    """Change an open case and its revision, so that decisions about the earlier revision are rejected."""
    changed = [name for name, value in changes.items() if getattr(case, name) != value]
    if changed:
        for name in changed:
            setattr(case, name, changes[name])
        case.revision += 1
        case.save(update_fields=[*changed, "revision"])
    return case


def decide_application(
    doctor_id: UUID, decision: Decision, *, actor: User, now: datetime
) -> tuple[DoctorProfile, bool]:
    """Approve or reject a doctor, or revoke an approval, and notify the doctor with the reason.

    Return the doctor, and whether anything changed; repeating a decision does not change its reason. Approving copies
    the license from the open case. The appointments of a revoked doctor stay; staff handle them. Raise `not_found`,
    `case_changed` if the open case has changed since staff saw it, `license_taken` if another listed doctor has the
    license (by a constraint), and `invalid` for an expired license.
    """
    with transaction.atomic():
        doctor = lock_open_account(doctor_id)
        case = find_open_case(doctor)
        if decision.revision is not None and (case is None or case.revision != decision.revision):
            raise DomainError("case_changed")
        if decision.keep_approval and not decision.approve and case is None:
            # The case to reject is closed already.
            raise DomainError("case_changed")
        before = doctor.approval
        after = decide_approval(before, decision)
        verified = {**get_claimed_license(case), **decision.license} if decision.approve else {}
        corrected = [name for name, value in verified.items() if getattr(doctor, name) != value]
        if after == before and not corrected and case is None:
            return doctor, False
        for name in corrected:
            setattr(doctor, name, verified[name])
        if corrected:
            doctor.license_warned_days = None
        if decision.approve and doctor.license_has_expired(now):
            raise DomainError("invalid", errors={"licenseExpiresOn": [LICENSE_EXPIRED_REASON]})
        missing = list_missing_evidence(doctor, case) if decision.approve and (after != before or case) else []
        if missing and not decision.exception.strip():
            raise DomainError("invalid", errors={"approvalReason": [describe_missing(missing)]})
        if after != before:
            doctor.approval = after
            doctor.approval_reason = "" if decision.approve else decision.reason
            doctor.approved_at = now if decision.approve else None
        doctor.save(update_fields=["approval", "approval_reason", "approved_at", "license_warned_days", *corrected])
        close_case(case, doctor, decision, changed=after != before, actor=actor, now=now)
        record_decision(doctor, before, decision, missing, actor=actor, now=now)
    return doctor, True


class CaseKind(models.TextChoices):
    """The purpose of an open case: to be listed, or to have another license verified while listed."""

    NEW = "new"
    RENEWAL = "renewal"


def get_case_kind(approval: str) -> CaseKind:
    """Return the purpose of the open case of a doctor with this approval."""
    return CaseKind.RENEWAL if approval == Approval.APPROVED else CaseKind.NEW


class EvidencePart(models.TextChoices):
    """The parts of the evidence, by their names in the API, with their labels."""

    AUTHORITY = "licenseAuthority", "who issued the license"
    EXPIRY = "licenseExpiresOn", "when the license expires"
    DOCUMENT = "document", "a copy of the license"


def find_gaps(license_authority: str, license_expires_on: date | None, *, has_document: bool) -> list[str]:
    """Return which parts of the evidence are missing."""
    is_present = {
        EvidencePart.AUTHORITY: bool(license_authority),
        EvidencePart.EXPIRY: license_expires_on is not None,
        EvidencePart.DOCUMENT: has_document,
    }
    return [part.value for part in EvidencePart if not is_present[part]]


def list_missing_evidence(doctor: DoctorProfile, case: Verification | None) -> list[str]:
    """Return the missing parts of the evidence for a doctor with the license to be approved.

    Without an open case, the newest one counts.
    """
    case = case or doctor.verifications.order_by("-submitted_at", "-pk").first()
    return find_gaps(
        doctor.license_authority, doctor.license_expires_on, has_document=case is not None and case.document is not None
    )


def describe_missing(missing: Sequence[str]) -> str:
    """Return the message that asks why a doctor is approved without this evidence."""
    parts = [str(EvidencePart(part).label) for part in missing]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"The application does not show {listed}. Please give a reason to approve it anyway."


def lock_open_account(doctor_id: UUID) -> DoctorProfile:
    """Lock a doctor whose account is open; raise `not_found` for any other."""
    doctor = lock_doctor(doctor_id)
    if doctor is None or doctor.user.ended_at is not None:
        raise DomainError("not_found")
    return doctor


def get_claimed_license(case: Verification | None) -> dict[str, Any]:
    return {name: getattr(case, name) for name in LICENSE_FIELDS} if case else {}


def decide_approval(before: str, decision: Decision) -> str:
    """Return the approval after a decision; only an approved doctor can be revoked."""
    if decision.approve:
        return Approval.APPROVED
    if decision.keep_approval and before == Approval.APPROVED:
        return before
    return Approval.REVOKED if before in {Approval.APPROVED, Approval.REVOKED} else Approval.REJECTED


def close_case(
    case: Verification | None, doctor: DoctorProfile, decision: Decision, *, changed: bool, actor: User, now: datetime
) -> None:
    """Store the decision in the open case, with the verified license.

    Without an open case, a change of the approval creates one, which stores its reason and note.
    """
    if case is None:
        if not changed:
            return
        case = Verification(doctor=doctor, submitted_at=now, specialization=doctor.specialization)
        case.state = CaseState.APPROVED if decision.approve else CaseState.REVOKED
    else:
        case.state = CaseState.APPROVED if decision.approve else CaseState.REJECTED
    case.decided_at, case.decided_by = now, actor
    # Doctors see the reason, but not why staff made an exception.
    note = "\n".join(text for text in (decision.exception.strip(), decision.note) if text)
    case.reason, case.note, case.checklist = decision.reason, note, dict(decision.checklist)
    if decision.approve or case._state.adding:
        for name in LICENSE_FIELDS:
            setattr(case, name, getattr(doctor, name))
    case.save()


def record_decision(
    doctor: DoctorProfile, before: str, decision: Decision, missing: Sequence[str], *, actor: User, now: datetime
) -> None:
    """Write a decision and the missing evidence to the audit log, and notify the doctor.

    The reason of an exception is stored in the case, because the audit log contains no free text.
    """
    without = {"missing": list(missing)} if missing else {}
    if doctor.approval != before:
        event = f"doctor.{doctor.approval}"
        detail = {"from": before, "to": doctor.approval, **without}
        record_event(event, Action.UPDATE, "doctor", doctor.pk, actor=actor, detail=detail)
        notify_user(event, doctor.user)
    elif decision.approve:
        record_event("doctor.license_corrected", Action.UPDATE, "doctor", doctor.pk, actor=actor, detail=without)
        notify_user("doctor.license_renewed", doctor.user)
    else:
        record_event("doctor.renewal_rejected", Action.UPDATE, "doctor", doctor.pk, actor=actor)
        notify_user("doctor.renewal_rejected", doctor.user)
    schedule_next_free_refresh([doctor.pk], now)


def expire_licenses(now: datetime, batch: int = 200) -> int:
    """Revoke the approval of doctors with an expired license and notify them; return how many.

    The directory leaves them out from that day on in any case.
    """
    count = 0
    expired = DoctorProfile.objects.filter(approval=Approval.APPROVED, license_expires_on__lt=now.date())
    for doctor_id in list(expired.values_list("pk", flat=True)[:batch]):
        with transaction.atomic():
            doctor = lock_doctor(doctor_id)
            if doctor is None or doctor.approval != Approval.APPROVED or not doctor.license_has_expired(now):
                continue
            doctor.approval, doctor.approval_reason = Approval.REVOKED, LICENSE_EXPIRED_REASON
            doctor.save(update_fields=["approval", "approval_reason"])
            record_event("doctor.license_expired", Action.UPDATE, "doctor", doctor.pk, actor=None)
            notify_user("doctor.license_expired", doctor.user)
            schedule_next_free_refresh([doctor.pk], now)
            count += 1
    return count


LICENSE_EXPIRED_REASON = "The license has run out."
# Days before the expiry on which a doctor is warned, the last one last.
WARNING_DAYS = (30, 7)


def warn_of_expiry(now: datetime, batch: int = 200) -> int:
    """Warn doctors 30 and 7 days before their license expires, once each; return how many were warned."""
    count = 0
    for days in WARNING_DAYS:
        expiring = DoctorProfile.objects.filter(
            Q(license_warned_days=None) | Q(license_warned_days__gt=days),
            approval=Approval.APPROVED,
            license_expires_on__range=(now.date(), now.date() + timedelta(days=days)),
        )
        for doctor_id in list(expiring.values_list("pk", flat=True)[:batch]):
            with transaction.atomic():
                # Conditional, so that concurrent rounds warn once.
                if expiring.filter(pk=doctor_id).update(license_warned_days=days):
                    notify_user(
                        "doctor.license_expiring", DoctorProfile.objects.select_related("user").get(pk=doctor_id).user
                    )
                    count += 1
    return count
