"""Change a doctor's profile."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.profile import assign, change_person
from accounts.trail import Action, record
from config.errors import RuleBroken
from doctors.approval import open_case
from doctors.calendar import keep_next_free, lock
from doctors.hours import set_working_hours
from doctors.models import Approval, DoctorProfile
from doctors.registration import PRACTICE

# What staff have verified: a change of it needs a new approval.
VERIFIED = {"license_number": "licenseNumber", "specialization": "specialization"}


# Asked, inside the transaction, after working hours or their zone have changed: who knows of visits refuses to
# strand them.
hours_guards: list[Callable[[DoctorProfile, datetime], None]] = []


def update_doctor(user: User, changes: Mapping[str, Any], *, now: datetime) -> User:
    """Change what is sent of the common fields and the practice, in one transaction; the rest stays.

    Raises `review_required` when an approved doctor changes what staff have verified and has not confirmed that;
    confirmed, the doctor goes back to waiting for approval.
    """

    def change_practice(person: User, changes: Mapping[str, Any]) -> list[str]:
        # Locked before the person: a booking under way has ended, the next one sees the new rules.
        doctor = DoctorProfile.objects.get(pk=person.pk)
        names = (*PRACTICE, "time_zone", "instant_confirmation")
        changed = assign(doctor, {name: changes[name] for name in names if name in changes})
        verified = [wire for name, wire in VERIFIED.items() if name in changed]
        if verified and doctor.approval == Approval.APPROVED:
            if not changes.get("confirm_review"):
                raise review_required(verified)
            changed += assign(doctor, {"approval": Approval.PENDING, "approved_at": None, "approval_reason": ""})
            record(
                "doctor.review_requested", Action.UPDATE, "doctor", doctor.pk, by=person, detail={"fields": verified}
            )
        if changed:
            doctor.save(update_fields=changed)
        if verified and doctor.approval == Approval.PENDING:
            open_case(doctor, now)
        if set_working_hours(doctor, changes.get("working_days"), changes.get("working_hours")):
            changed.append("working_hours")
        if {"working_hours", "time_zone"} & set(changed):
            for guard in hours_guards:
                guard(doctor, now)
        if changed:
            keep_next_free([doctor.pk], now)
        return changed

    return change_person(user, changes, change_practice, now, lock_first=lambda: lock(user.pk))


def review_required(fields: list[str]) -> RuleBroken:
    """Ask before an approval is given up."""
    refusal = RuleBroken("review_required")
    refusal.errors = {field: [refusal.message] for field in fields}
    return refusal
