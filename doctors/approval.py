"""Verify doctors: cases are opened by doctors and decided by staff."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from accounts.trail import Action, record, tell
from config.errors import RuleBroken
from doctors.calendar import keep_next_free, lock
from doctors.models import Approval, CaseState, DoctorProfile, Verification

LICENSE = ("license_number", "license_authority", "license_region", "license_expires_on")


@dataclass(frozen=True)
class Decision:
    """What staff decided, and what they saw. `license` corrects what the doctor claimed; absent parts stay."""

    approve: bool
    reason: str = ""
    note: str = ""
    checklist: Mapping[str, bool] = field(default_factory=dict)
    license: Mapping[str, Any] = field(default_factory=dict)


def open_case(doctor: DoctorProfile, now: datetime) -> Verification:
    """Open a case for a doctor, or bring the open one up to date; call it with the doctor's row locked or new."""
    claimed = {name: getattr(doctor, name) for name in (*LICENSE, "specialization")}
    case, made = Verification.objects.get_or_create(
        doctor=doctor, state=CaseState.OPEN, defaults={"submitted_at": now, **claimed}
    )
    if not made:
        for name, value in claimed.items():
            setattr(case, name, value)
        case.save(update_fields=list(claimed))
    return case


def decide(doctor_id: UUID, decision: Decision, *, by: User, now: datetime) -> DoctorProfile:
    """Approve a doctor, reject one who waits, or revoke an approval; the doctor is told, with the reason.

    Asking for what stands already changes nothing. A revoked doctor's visits stay and are worked off by staff. Raises
    `not_found`, and `license_taken` where another listed doctor has this very licence (a constraint decides).
    """
    with transaction.atomic():
        doctor = lock(doctor_id)
        if doctor is None or doctor.user.ended_at is not None:
            raise RuleBroken("not_found")
        after = outcome(doctor.approval, decision.approve)
        if after == doctor.approval and not (decision.approve and decision.license):
            return doctor
        before = doctor.approval
        doctor.approval, doctor.approval_reason = after, "" if decision.approve else decision.reason
        if after != before:
            doctor.approved_at = now if decision.approve else None
        for name, value in decision.license.items():
            setattr(doctor, name, value)
        if decision.license:
            doctor.license_warned_days = None
        doctor.save(
            update_fields=["approval", "approval_reason", "approved_at", "license_warned_days", *decision.license]
        )
        close_case(doctor, decision, by=by, now=now)
        if after != before:
            event = f"doctor.{after}"
            record(event, Action.UPDATE, "doctor", doctor.pk, by=by, detail={"from": before, "to": after})
            tell(event, doctor.user)
            keep_next_free([doctor.pk], now)
        else:
            record("doctor.license_corrected", Action.UPDATE, "doctor", doctor.pk, by=by)
    return doctor


def outcome(before: str, approve: bool) -> str:
    """Answer what a decision makes of an approval: only what was approved can be revoked."""
    if approve:
        return Approval.APPROVED
    return Approval.REVOKED if before in {Approval.APPROVED, Approval.REVOKED} else Approval.REJECTED


def close_case(doctor: DoctorProfile, decision: Decision, *, by: User, now: datetime) -> None:
    """Write the decision into the open case, with the licence as staff verified it."""
    Verification.objects.filter(doctor=doctor, state=CaseState.OPEN).update(
        state=CaseState.APPROVED if decision.approve else CaseState.REJECTED,
        decided_at=now,
        decided_by=by,
        reason=decision.reason,
        note=decision.note,
        checklist=dict(decision.checklist),
        **{name: getattr(doctor, name) for name in LICENSE},
    )


def expire_licenses(now: datetime, batch: int = 200) -> int:
    """Tell doctors whose licence has run out that they are no longer listed; answers how many.

    The directory leaves them out from the day itself, told or not.
    """
    told = 0
    gone = DoctorProfile.objects.filter(approval=Approval.APPROVED, license_expires_on__lt=now.date())
    for doctor_id in list(gone.values_list("pk", flat=True)[:batch]):
        with transaction.atomic():
            doctor = lock(doctor_id)
            if doctor is None or doctor.approval != Approval.APPROVED or not doctor.license_has_expired(now):
                continue
            doctor.approval, doctor.approval_reason = Approval.REVOKED, LICENSE_RAN_OUT
            doctor.save(update_fields=["approval", "approval_reason"])
            record("doctor.license_expired", Action.UPDATE, "doctor", doctor.pk, by=None)
            tell("doctor.license_expired", doctor.user)
            keep_next_free([doctor.pk], now)
            told += 1
    return told


LICENSE_RAN_OUT = "The licence has run out."
# How many days before the end a doctor is warned, the nearest last.
WARN_DAYS = (30, 7)


def warn_of_expiry(now: datetime, batch: int = 200) -> int:
    """Warn doctors 30 and 7 days before their licence runs out, once each; answers how many were warned."""
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
                    tell("doctor.license_expiring", DoctorProfile.objects.select_related("user").get(pk=doctor_id).user)
                    warned += 1
    return warned
