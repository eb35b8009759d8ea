"""Verify doctors: cases are opened by doctors and decided by staff."""

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

LICENSE = ("license_number", "license_authority", "license_region", "license_expires_on")


@dataclass(frozen=True)
class Decision:
    """What staff decided, and what they saw.

    `license` corrects what the doctor claimed, where staff approve; absent parts stay, and a refusal changes none.

    `exception` says why staff approve although evidence is missing. `keep_approval` turns down the open case of an
    approved doctor and leaves the approval as it is. `revision` is the open case's as it was in view; None where
    none was.
    """

    approve: bool
    reason: str = ""
    note: str = ""
    checklist: Mapping[str, bool] = field(default_factory=dict)
    license: Mapping[str, Any] = field(default_factory=dict)
    keep_approval: bool = False
    exception: str = ""
    revision: int | None = None


def open_case_of(doctor: DoctorProfile) -> Verification | None:
    """Read a doctor's open case, if there is one."""
    return Verification.objects.filter(doctor=doctor, state=CaseState.OPEN).first()


def open_case(doctor: DoctorProfile, now: datetime) -> Verification:
    """Open a case for a doctor, or bring the open one up to date; call it with the doctor's row locked or new."""
    claimed = {name: getattr(doctor, name) for name in (*LICENSE, "specialization")}
    case = open_case_of(doctor)
    if case is None:
        return Verification.objects.create(doctor=doctor, submitted_at=now, **claimed)
    return change_case(case, claimed)


def change_case(case: Verification, changes: Mapping[str, Any]) -> Verification:
    """Change an open case, so that a decision about what it said before is refused."""
    changed = [name for name, value in changes.items() if getattr(case, name) != value]
    if changed:
        for name in changed:
            setattr(case, name, changes[name])
        case.revision += 1
        case.save(update_fields=[*changed, "revision"])
    return case


def decide(doctor_id: UUID, decision: Decision, *, actor: User, now: datetime) -> tuple[DoctorProfile, bool]:
    """Approve a doctor, reject one who waits, or revoke an approval; the doctor is told, with the reason.

    Return the doctor, and whether anything has changed: what is decided already stays as it is, with its reason.
    Approving takes the license over from the open case. A revoked
    doctor's appointments stay and are worked off by staff. Raises `not_found`, `case_changed` where the open case is no
    longer the one that was in view, `license_taken` where another listed doctor has this very licence (a constraint
    decides), and `invalid` for a licence that has run out.
    """
    with transaction.atomic():
        doctor = standing_doctor(doctor_id)
        case = open_case_of(doctor)
        if decision.revision is not None and (case is None or case.revision != decision.revision):
            raise DomainError("case_changed")
        if decision.keep_approval and not decision.approve and case is None:
            # There is nothing to turn down any more.
            raise DomainError("case_changed")
        before = doctor.approval
        after = outcome(before, decision)
        verified = {**claimed_in(case), **decision.license} if decision.approve else {}
        corrected = [name for name, value in verified.items() if getattr(doctor, name) != value]
        if after == before and not corrected and case is None:
            return doctor, False
        for name in corrected:
            setattr(doctor, name, verified[name])
        if corrected:
            doctor.license_warned_days = None
        if decision.approve and doctor.license_has_expired(now):
            raise DomainError("invalid", errors={"licenseExpiresOn": [LICENSE_RAN_OUT]})
        missing = missing_evidence(doctor, case) if decision.approve and (after != before or case) else []
        if missing and not decision.exception.strip():
            raise DomainError("invalid", errors={"approvalReason": [describe_missing(missing)]})
        if after != before:
            doctor.approval = after
            doctor.approval_reason = "" if decision.approve else decision.reason
            doctor.approved_at = now if decision.approve else None
        doctor.save(update_fields=["approval", "approval_reason", "approved_at", "license_warned_days", *corrected])
        close_case(case, doctor, decision, changed=after != before, actor=actor, now=now)
        tell_of_decision(doctor, before, decision, missing, actor=actor, now=now)
    return doctor, True


class CaseKind(models.TextChoices):
    """What an open case asks for: to be listed, or to have another license verified while staying listed."""

    NEW = "new"
    RENEWAL = "renewal"


def kind_of_case(approval: str) -> CaseKind:
    """Return what the open case of a doctor with this approval asks for."""
    return CaseKind.RENEWAL if approval == Approval.APPROVED else CaseKind.NEW


class EvidencePart(models.TextChoices):
    """What a decision is based on, as the wire calls it, with the words for people."""

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


def missing_evidence(doctor: DoctorProfile, case: Verification | None) -> list[str]:
    """Return what is missing to approve a doctor, whose license is as it would be approved.

    Without an open case the newest one is the evidence.
    """
    case = case or doctor.verifications.order_by("-submitted_at", "-pk").first()
    return find_gaps(
        doctor.license_authority, doctor.license_expires_on, has_document=case is not None and case.document is not None
    )


def describe_missing(missing: Sequence[str]) -> str:
    """Return the sentence that asks why a doctor is approved without this evidence."""
    parts = [str(EvidencePart(part).label) for part in missing]
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"The application does not show {listed}. Please give a reason to approve it anyway."


def standing_doctor(doctor_id: UUID) -> DoctorProfile:
    """Lock a doctor whose account stands; raises `not_found` for anybody else."""
    doctor = lock_doctor(doctor_id)
    if doctor is None or doctor.user.ended_at is not None:
        raise DomainError("not_found")
    return doctor


def claimed_in(case: Verification | None) -> dict[str, Any]:
    """Return the licence that a case claims."""
    return {name: getattr(case, name) for name in LICENSE} if case else {}


def outcome(before: str, decision: Decision) -> str:
    """Return what a decision makes of an approval: only what was approved can be revoked."""
    if decision.approve:
        return Approval.APPROVED
    if decision.keep_approval and before == Approval.APPROVED:
        return before
    return Approval.REVOKED if before in {Approval.APPROVED, Approval.REVOKED} else Approval.REJECTED


def close_case(
    case: Verification | None, doctor: DoctorProfile, decision: Decision, *, changed: bool, actor: User, now: datetime
) -> None:
    """Write the decision into the open case, with the licence as staff verified it.

    Without an open case a change of the approval gets a case of its own, so that its reason and note are kept.
    """
    if case is None:
        if not changed:
            return
        case = Verification(doctor=doctor, submitted_at=now, specialization=doctor.specialization)
        case.state = CaseState.APPROVED if decision.approve else CaseState.REVOKED
    else:
        case.state = CaseState.APPROVED if decision.approve else CaseState.REJECTED
    case.decided_at, case.decided_by = now, actor
    # The doctor reads the reason; why staff made an exception is for staff.
    note = "\n".join(text for text in (decision.exception.strip(), decision.note) if text)
    case.reason, case.note, case.checklist = decision.reason, note, dict(decision.checklist)
    if decision.approve or case._state.adding:
        for name in LICENSE:
            setattr(case, name, getattr(doctor, name))
    case.save()


def tell_of_decision(
    doctor: DoctorProfile, before: str, decision: Decision, missing: Sequence[str], *, actor: User, now: datetime
) -> None:
    """Write a decision to the audit log, with the evidence it was made without, and tell the doctor.

    The reason for such an exception is on the case: the audit log holds no text that people write.
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
    """Notify doctors whose license has run out that they are no longer listed; return how many.

    The directory leaves them out from the day itself, told or not.
    """
    told = 0
    gone = DoctorProfile.objects.filter(approval=Approval.APPROVED, license_expires_on__lt=now.date())
    for doctor_id in list(gone.values_list("pk", flat=True)[:batch]):
        with transaction.atomic():
            doctor = lock_doctor(doctor_id)
            if doctor is None or doctor.approval != Approval.APPROVED or not doctor.license_has_expired(now):
                continue
            doctor.approval, doctor.approval_reason = Approval.REVOKED, LICENSE_RAN_OUT
            doctor.save(update_fields=["approval", "approval_reason"])
            record_event("doctor.license_expired", Action.UPDATE, "doctor", doctor.pk, actor=None)
            notify_user("doctor.license_expired", doctor.user)
            schedule_next_free_refresh([doctor.pk], now)
            told += 1
    return told


LICENSE_RAN_OUT = "The licence has run out."
# How many days before the end a doctor is warned, the nearest last.
WARN_DAYS = (30, 7)


def warn_of_expiry(now: datetime, batch: int = 200) -> int:
    """Warn doctors 30 and 7 days before their licence runs out, once each; return how many were warned."""
    warned = 0
    for days in WARN_DAYS:
        soon = DoctorProfile.objects.filter(
            Q(license_warned_days=None) | Q(license_warned_days__gt=days),
            approval=Approval.APPROVED,
            license_expires_on__range=(now.date(), now.date() + timedelta(days=days)),
        )
        for doctor_id in list(soon.values_list("pk", flat=True)[:batch]):
            with transaction.atomic():
                # Conditional, so that of two rounds at once one tells.
                if soon.filter(pk=doctor_id).update(license_warned_days=days):
                    notify_user(
                        "doctor.license_expiring", DoctorProfile.objects.select_related("user").get(pk=doctor_id).user
                    )
                    warned += 1
    return warned
