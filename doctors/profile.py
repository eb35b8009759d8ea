"""Change a doctor's profile."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from accounts.audit.log import Action, record_event
from accounts.models import User
from accounts.profile import set_changed_fields, update_user
from config.api.errors import DomainError
from doctors.availability.calendar import lock_doctor, schedule_next_free_refresh
from doctors.availability.working_hours import set_working_hours
from doctors.models import Approval, DoctorProfile
from doctors.registration import PRACTICE
from doctors.verification.decisions import open_case

# What staff have verified: a change of it needs a new approval.
VERIFIED = {"license_number": "licenseNumber", "specialization": "specialization"}


# Called inside the transaction before working hours or their zone change; each returns a check to call afterwards,
# with which the app that knows of appointments refuses to leave them outside the hours.
hours_guards: list[Callable[[DoctorProfile, datetime], Callable[[], None]]] = []
HOURS = {"working_days", "working_hours", "time_zone"}


def update_doctor(user: User, changes: Mapping[str, Any], *, now: datetime) -> User:
    """Change what is sent of the common fields and the practice, in one transaction; the rest stays.

    Raises `review_required` when an approved doctor changes what staff have verified and has not confirmed that;
    confirmed, the doctor goes back to waiting for approval.
    """

    def change_practice(person: User, changes: Mapping[str, Any]) -> list[str]:
        # Locked before the person: a booking under way has ended, the next one sees the new rules.
        doctor = DoctorProfile.objects.get(pk=person.pk)
        checks = [guard(doctor, now) for guard in hours_guards] if HOURS & set(changes) else []
        names = (*PRACTICE, "time_zone", "instant_confirmation")
        changed = set_changed_fields(doctor, {name: changes[name] for name in names if name in changes})
        verified = [wire for name, wire in VERIFIED.items() if name in changed]
        if verified and doctor.approval == Approval.APPROVED:
            if not changes.get("confirm_review"):
                raise review_required(verified)
            changed += set_changed_fields(
                doctor, {"approval": Approval.PENDING, "approved_at": None, "approval_reason": ""}
            )
            record_event(
                "doctor.review_requested", Action.UPDATE, "doctor", doctor.pk, actor=person, detail={"fields": verified}
            )
        if changed:
            doctor.save(update_fields=changed)
        if verified and doctor.approval == Approval.PENDING:
            open_case(doctor, now)
        if set_working_hours(doctor, changes.get("working_days"), changes.get("working_hours")):
            changed.append("working_hours")
        if {"working_hours", "time_zone"} & set(changed):
            for check in checks:
                check()
        if changed:
            schedule_next_free_refresh([doctor.pk], now)
        return changed

    return update_user(user, changes, change_practice, now, lock_first=lambda: lock_doctor(user.pk))


def review_required(fields: list[str]) -> DomainError:
    """Ask before an approval is given up."""
    refusal = DomainError("review_required")
    refusal.errors = {field: [refusal.message] for field in fields}
    return refusal
