"""Close or deactivate an account, with the effects on its appointments."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q

from accounts.audit.log import Action, record_event
from accounts.auth.account_status import set_user_status
from accounts.auth.sessions import ACCOUNT_ENDED, end_sessions
from accounts.credentials import mfa_status
from accounts.files import avatars
from accounts.files.stored_files import delete_on_commit
from accounts.models import AccountStatus, Role, User
from accounts.notifications.outbox import notify_user
from appointments.models import (
    Appointment,
    AppointmentQuerySet,
    BookingDraft,
    Cause,
    Status,
)
from appointments.scheduling import expiry
from config.api.errors import DomainError, to_domain_error
from doctors.availability.calendar import lock_doctor, schedule_next_free_refresh
from doctors.models import Approval, CaseState, DoctorProfile, Reservation, Verification


@dataclass(frozen=True)
class Effects:
    """The effects of a change of an account: upcoming appointments, and the number of messages."""

    upcoming: int
    appointments: list[Appointment]
    messages: int


MAX_SHOWN = 20


def list_upcoming_appointments(user: User, now: datetime) -> AppointmentQuerySet:
    """Return a user's live appointments that have not ended, soonest first."""
    return Appointment.objects.of_user(user).live(now).not_ended(now).order_by("starts_at", "pk")


def preview_effects(user: User, now: datetime, *, ending: bool = False) -> Effects:
    """Return what closing, deactivating or revoking would change.

    Closing cancels appointments and notifies the other side. The others leave appointments as they are, and notify only
    the user.
    """
    ahead = list_upcoming_appointments(user, now)
    others = "patient" if user.role == Role.DOCTOR else "doctor"
    return Effects(
        upcoming=ahead.count(),
        appointments=list(ahead.with_people()[:MAX_SHOWN]),
        messages=ahead.order_by().values(others).distinct().count() if ending else 1,
    )


def preview_account_change(user: User, now: datetime, *, actor: User, ending: bool, is_own: bool = False) -> Effects:
    """Return the effects of closing or deactivating an account; raise as that would."""
    with transaction.atomic():
        refuse_own_and_last(user, actor, is_own=is_own)
        return preview_effects(user, now, ending=ending)


def end_account(user_id: UUID, *, actor: User | None, now: datetime, role: str = "", is_own: bool = False) -> Effects:
    """Close an account, without losing any record.

    Sessions end, the address is free again, live appointments ahead are cancelled with a reason and the other side is
    told; past ones stay as they are and still show the names they were booked under. `role`, where given, must be the
    person's; `is_own` says that people close their own account, and `actor` is None for an operator. Raises
    `not_found` also for an account that has ended already, `own_account`, `last_admin` and `last_superuser`.
    """
    with transaction.atomic():
        user = lock_present_person(user_id, role)
        refuse_own_and_last(user, actor, is_own=is_own)
        effects = preview_effects(user, now, ending=True)
        if user.role == Role.DOCTOR:
            close_practice(user, now)
        for appointment in list_upcoming_appointments(user, now).locked_in_order():
            appointment.transition_to(Status.CANCELLED, actor=actor, now=now, cause=Cause.ACCOUNT_CLOSURE, closing=user)
        expiry.release_holds(Reservation.objects.filter(Q(patient=user.pk) | Q(doctor=user.pk)), now)
        BookingDraft.objects.filter(Q(patient=user.pk) | Q(doctor=user.pk)).delete()
        end_sessions(user.sessions.all(), ACCOUNT_ENDED, now)
        delete_on_commit(avatars.AVATAR_STORAGE, user.picture)
        # Its address is kept with the message alone, until that is sent.
        notify_user("account.ended", user, address=user.email)
        user.email, user.pending_email, user.picture = build_former_address(user), "", ""
        user.ended_at = now
        user.set_unusable_password()
        user.is_staff = user.is_superuser = False
        mfa_status.delete_factors(user)
        user.save()
        record_event("account.ended", Action.DELETE, "user", user.pk, actor=actor, detail={"visits": effects.upcoming})
    return effects


def build_former_address(user: User) -> str:
    """Return an unused address, so that the real one is free again (RFC 2606 reserves `.invalid`)."""
    return f"{user.pk}@ended.invalid"


def lock_present_person(user_id: UUID, role: str = "") -> User:
    """Lock a user with an open account, after their doctor profile; raise `not_found` for any other."""
    user = lock_person(user_id)
    if user is None or user.ended_at or (role and user.role != role):
        raise DomainError("not_found")
    return user


def lock_person(user_id: UUID) -> User | None:
    """Lock a user, after their doctor profile, even if the account is closed; return None for an unknown id.

    For an admin, all active admins are locked in one order, so that two who act on each other don't deadlock.
    """
    lock_doctor(user_id)
    if User.objects.filter(pk=user_id, role=Role.ADMIN).exists():
        lock_active_admins()
    return User.objects.locked().filter(pk=user_id).first()


def lock_active_admins() -> set[UUID]:
    """Lock all active admins until the transaction ends; return their ids."""
    active = User.objects.active().filter(role=Role.ADMIN).locked().order_by("pk")
    return {one.pk for one in active}


def refuse_own_and_last(user: User, actor: User | None, *, is_own: bool = False) -> None:
    """Raise if staff would lock out themselves, or everybody."""
    if actor is not None and user.pk == actor.pk and actor.role == Role.ADMIN and not is_own:
        raise DomainError("own_account")
    if user.role == Role.ADMIN and user.status == AccountStatus.ACTIVE:
        active = lock_active_admins()
        others = active - {user.pk}
        if not others:
            raise DomainError("last_admin")
        if user.is_superuser and not User.objects.filter(pk__in=others, is_superuser=True).exists():
            # Otherwise closing accounts could leave nobody who can grant permissions.
            raise DomainError("last_superuser")
        if actor is not None and actor.pk not in active:
            # The actor was deactivated just now by the admin in question.
            raise DomainError("session_ended")


def close_practice(user: User, now: datetime) -> None:
    """Unlist a doctor permanently; concurrent bookings finish first, later ones are rejected."""
    doctor = DoctorProfile.objects.get(pk=user.pk)
    doctor.approval = Approval.REVOKED if doctor.approval == Approval.APPROVED else doctor.approval
    doctor.save(update_fields=["approval"])
    Verification.objects.filter(doctor=doctor, state=CaseState.OPEN).update(state=CaseState.WITHDRAWN, decided_at=now)


def set_account_status(user_id: UUID, status: AccountStatus, *, actor: User, now: datetime) -> tuple[User, Effects]:
    """Deactivate or activate an account; upcoming appointments stay, and staff see them.

    Raises `not_found`, `own_account`, `last_admin` and `last_superuser`.
    """
    with transaction.atomic():
        user = lock_present_person(user_id)
        if status == AccountStatus.INACTIVE:
            refuse_own_and_last(user, actor)
        effects = preview_effects(user, now)
        user = set_user_status(user, status, actor=actor, now=now)
        if user.role == Role.DOCTOR:
            schedule_next_free_refresh([user.pk], now)
    return user, effects


def set_account_statuses(
    user_ids: Iterable[UUID], status: AccountStatus, *, actor: User, now: datetime
) -> tuple[list[UUID], list[tuple[UUID, DomainError]]]:
    """Deactivate or activate several accounts, each in its own transaction; return the changed and rejected ones."""
    changed: list[UUID] = []
    refused: list[tuple[UUID, DomainError]] = []
    for user_id in dict.fromkeys(user_ids):
        if refused and refused[-1][1].code == "unavailable":
            # Stop if the database is unavailable; earlier changes stay and are reported.
            refused.append((user_id, refused[-1][1]))
            continue
        try:
            with transaction.atomic():
                had = lock_present_person(user_id).status
                set_account_status(user_id, status, actor=actor, now=now)
        except (DomainError, OperationalError, InterfaceError) as why:
            refused.append((user_id, to_domain_error(why) or DomainError("unavailable")))
        else:
            if had != status:
                changed.append(user_id)
    return changed, refused
