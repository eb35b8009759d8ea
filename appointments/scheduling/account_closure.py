"""End an account, or stop it: what happens to its appointments, looked at beforehand and done in one transaction."""

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
    """What an act on an account does to appointments: those still to come, and how many people are told."""

    upcoming: int
    appointments: list[Appointment]
    messages: int


SHOWN = 20


def appointments_ahead(person: User, now: datetime) -> AppointmentQuerySet:
    """Return a person's live appointments that are not over yet, soonest first."""
    return Appointment.objects.of_person(person).live(now).not_over(now).order_by("starts_at", "pk")


def preview_effects(person: User, now: datetime, *, ending: bool = False) -> Effects:
    """Return what ending, stopping or revoking would change; changes nothing.

    Ending cancels appointments and tells their other side. The others leave appointments as they are, and tell whom it
    is about.
    """
    ahead = appointments_ahead(person, now)
    others = "patient" if person.role == Role.DOCTOR else "doctor"
    return Effects(
        upcoming=ahead.count(),
        appointments=list(ahead.with_people()[:SHOWN]),
        messages=ahead.order_by().values(others).distinct().count() if ending else 1,
    )


def preview_account_change(person: User, now: datetime, *, actor: User, ending: bool, own: bool = False) -> Effects:
    """Return what ending or stopping an account would do; raise what the act itself would raise."""
    with transaction.atomic():
        refuse_own_and_last(person, actor, own=own)
        return preview_effects(person, now, ending=ending)


def end_account(user_id: UUID, *, actor: User | None, now: datetime, role: str = "", own: bool = False) -> Effects:
    """Delete a person as PRODUCT.md 16 says: the account ends and no record is lost.

    Sessions end, the address is free again, live appointments ahead are cancelled with a reason and the other side is
    told; past ones stay as they are and still show the names they were booked under. `role`, where given, must be the
    person's; `own` says that people close their own account, and `actor` is None for an operator. Raises
    `not_found` also for an account that has ended already, `own_account`, `last_admin` and `last_superuser`.
    """
    with transaction.atomic():
        person = lock_present_person(user_id, role)
        refuse_own_and_last(person, actor, own=own)
        effects = preview_effects(person, now, ending=True)
        if person.role == Role.DOCTOR:
            close_practice(person, now)
        for appointment in appointments_ahead(person, now).locked_in_order():
            appointment.transition_to(
                Status.CANCELLED, actor=actor, now=now, cause=Cause.ACCOUNT_CLOSURE, closing=person
            )
        expiry.release_holds(Reservation.objects.filter(Q(patient=person.pk) | Q(doctor=person.pk)), now)
        BookingDraft.objects.filter(Q(patient=person.pk) | Q(doctor=person.pk)).delete()
        end_sessions(person.sessions.all(), ACCOUNT_ENDED, now)
        delete_on_commit(avatars.AVATAR_STORAGE, person.picture)
        # Its address is kept with the message alone, until that is sent.
        notify_user("account.ended", person, address=person.email)
        person.email, person.pending_email, person.picture = former_address(person), "", ""
        person.ended_at = now
        person.set_unusable_password()
        person.is_staff = person.is_superuser = False
        mfa_status.delete_factors(person)
        person.save()
        record_event(
            "account.ended", Action.DELETE, "user", person.pk, actor=actor, detail={"visits": effects.upcoming}
        )
    return effects


def former_address(person: User) -> str:
    """Make an address that nobody has, so that the real one is free again (RFC 2606 reserves `.invalid`)."""
    return f"{person.pk}@ended.invalid"


def lock_present_person(user_id: UUID, role: str = "") -> User:
    """Lock a person who is still here, and before that their practice; raises `not_found` for anybody else."""
    person = lock_person(user_id)
    if person is None or person.ended_at or (role and person.role != role):
        raise DomainError("not_found")
    return person


def lock_person(user_id: UUID) -> User | None:
    """Lock a person, and before that their practice, whether or not the account has ended; None for an unknown id.

    With an admin all active ones are locked, in one order, so that two who act on each other wait and never deadlock.
    """
    lock_doctor(user_id)
    if User.objects.filter(pk=user_id, role=Role.ADMIN).exists():
        lock_active_admins()
    return User.objects.locked().filter(pk=user_id).first()


def lock_active_admins() -> set[UUID]:
    """Lock every active admin until this transaction ends; return their ids."""
    active = User.objects.active().filter(role=Role.ADMIN).locked().order_by("pk")
    return {one.pk for one in active}


def refuse_own_and_last(person: User, actor: User | None, *, own: bool = False) -> None:
    """Raise where staff would shut themselves out by the way, or everybody."""
    if actor is not None and person.pk == actor.pk and actor.role == Role.ADMIN and not own:
        raise DomainError("own_account")
    if person.role == Role.ADMIN and person.status == AccountStatus.ACTIVE:
        active = lock_active_admins()
        others = active - {person.pk}
        if not others:
            raise DomainError("last_admin")
        if person.is_superuser and not User.objects.filter(pk__in=others, is_superuser=True).exists():
            # Otherwise closing accounts could leave nobody who can grant permissions.
            raise DomainError("last_superuser")
        if actor is not None and actor.pk not in active:
            # Stopped by the very admin whom this is about, a moment before.
            raise DomainError("session_ended")


def close_practice(person: User, now: datetime) -> None:
    """Take a doctor out of the directory for good; bookings under way end first, the next ones are refused."""
    doctor = DoctorProfile.objects.get(pk=person.pk)
    doctor.approval = Approval.REVOKED if doctor.approval == Approval.APPROVED else doctor.approval
    doctor.save(update_fields=["approval"])
    Verification.objects.filter(doctor=doctor, state=CaseState.OPEN).update(state=CaseState.WITHDRAWN, decided_at=now)


def set_account_status(user_id: UUID, status: AccountStatus, *, actor: User, now: datetime) -> tuple[User, Effects]:
    """Deactivate or activate an account; upcoming appointments stay, on the staff's worklist, for it can be undone.

    Raises `not_found`, `own_account`, `last_admin` and `last_superuser`.
    """
    with transaction.atomic():
        person = lock_present_person(user_id)
        if status == AccountStatus.INACTIVE:
            refuse_own_and_last(person, actor)
        effects = preview_effects(person, now)
        person = set_user_status(person, status, actor=actor, now=now)
        if person.role == Role.DOCTOR:
            schedule_next_free_refresh([person.pk], now)
    return person, effects


def set_account_statuses(
    user_ids: Iterable[UUID], status: AccountStatus, *, actor: User, now: datetime
) -> tuple[list[UUID], list[tuple[UUID, DomainError]]]:
    """Deactivate or activate several accounts, each on its own; return whose status changed, and who was refused."""
    changed: list[UUID] = []
    refused: list[tuple[UUID, DomainError]] = []
    for user_id in dict.fromkeys(user_ids):
        if refused and refused[-1][1].code == "unavailable":
            # Nobody waits for a database that does not answer a hundred times; what was done stays and is told.
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
