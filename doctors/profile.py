"""Changes of a doctor's profile."""

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
from doctors.registration import PRACTICE_FIELDS
from doctors.verification.decisions import open_case

# Verified by staff; a change requires a new approval.
VERIFIED_FIELDS = {"license_number": "licenseNumber", "specialization": "specialization"}


# Called in the transaction before working hours or their time zone change. Each returns a check to call afterwards,
# with which `appointments` rejects changes that leave appointments outside the hours.
hours_guards: list[Callable[[DoctorProfile, datetime], Callable[[], None]]] = []
HOURS_FIELDS = {"working_days", "working_hours", "time_zone"}


def update_doctor(user: User, changes: Mapping[str, Any], *, now: datetime) -> User:
    """Change the given fields of the user and the practice, in one transaction.

    A change of verified fields sets an approved doctor back to pending; raise `review_required` until that is
    confirmed.
    """

    def change_practice(user: User, changes: Mapping[str, Any]) -> list[str]:
        # Locked before the user: concurrent bookings have finished, and later ones see the new rules.
        doctor = DoctorProfile.objects.get(pk=user.pk)
        checks = [guard(doctor, now) for guard in hours_guards] if HOURS_FIELDS & set(changes) else []
        names = (*PRACTICE_FIELDS, "time_zone", "instant_confirmation")
        changed = set_changed_fields(doctor, {name: changes[name] for name in names if name in changes})
        verified = [wire for name, wire in VERIFIED_FIELDS.items() if name in changed]
        if verified and doctor.approval == Approval.APPROVED:
            if not changes.get("confirm_review"):
                raise build_review_error(verified)
            changed += set_changed_fields(
                doctor, {"approval": Approval.PENDING, "approved_at": None, "approval_reason": ""}
            )
            record_event(
                "doctor.review_requested", Action.UPDATE, "doctor", doctor.pk, actor=user, detail={"fields": verified}
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


def build_review_error(fields: list[str]) -> DomainError:
    error = DomainError("review_required")
    error.errors = {field: [error.message] for field in fields}
    return error
