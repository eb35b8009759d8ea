"""Book a visit."""

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, timedelta
from datetime import time as clock_time
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from accounts.models import AccountStatus, User
from accounts.standing import hold_active
from accounts.trail import Action, notices_of, row_of, told_once
from appointments import caps, expiry
from appointments.models import Appointment, Proposal, Status
from appointments.models.appointment import utc_midnight
from appointments.models.patients import keeping
from config.errors import RuleBroken
from config.rows import Added, Columns, bound, insert, is_postgresql
from doctors.calendar import Calendar, keep_next_free, slot_on_wire
from doctors.claims import Sweep, save, take
from doctors.free_times import Reason, Refusal, Slot
from doctors.models import Claim, DoctorProfile


def book(
    patient: User,
    doctor_id: UUID,
    day: date,
    time: str,
    *,
    symptoms: str,
    notes: str,
    now: datetime,
    hold_secret: str = "",
) -> tuple[Appointment, bool]:
    """Book `patient` with a doctor at the clinic's local `day` and `time`; answer the visit and whether it is new.

    The patient's own holds, and the one that `hold_secret` stands for, do not stand in the way and are used up. Asking
    again for a time that one has already answers the visit that stands. Writes the claim, the visit, the
    audit row and both sides' notices in one transaction. Raises `doctor_unavailable`, `time_not_offered`,
    `slot_taken` or `patient_busy`, the last three with the nearest free times, `requests_full` or `booked_too_often`.
    """
    with transaction.atomic():
        hold_still(patient, doctor_id)
        wanted = (doctor_id, day, clock_time.fromisoformat(time))
        doctor, held, waiting, lately, may_stand = bookable(patient, wanted, hold_secret, now)
        ignoring = [claim.pk for claim in held]
        # Some days more, among which the nearest free times mostly are.
        calendar = Calendar.of(doctor, now, ignoring=ignoring, until=utc_midnight(day, 9))
        found = calendar.find(day, time)
        visit = None
        if isinstance(found, Slot):
            caps.refuse_too_many_of_patient(patient, waiting, lately, now)
            respond_by = None if doctor.instant_confirmation else answer_by(found, now)
            visit = visit_in(
                doctor, patient, found, symptoms=symptoms, patient_notes=notes, created_at=now, updated_at=now
            )
            if not write(visit, found, held, respond_by, by=patient, tell=[patient, doctor.pk]):
                visit = None
        if visit is None or isinstance(found, Refusal):
            standing = visit_that_stands(patient, doctor, day, time, now) if may_stand else None
            if standing:
                return standing, False
            known = calendar if isinstance(found, Refusal) else None
            raise why_refused(found, doctor, patient, day, time, now, ignoring=ignoring, known=known)
    return visit, True


def hold_still(patient: User, doctor_id: UUID) -> None:
    """Keep the doctor's rules, approval and activity, and the patient's account, as they are until this transaction
    ends; raises `session_ended` where the account is stopped or has ended.

    One statement on PostgreSQL, the doctor first: see `share_lock` and `hold_active`. What is to hold while they are
    locked is read by a statement of its own, since this one sees the tables as they were before it waited.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(BOTH, [doctor_id, patient.pk, AccountStatus.ACTIVE.value])
            if cursor.fetchone():
                return
    # SQLite, which needs no lock; or one of the two is not there, and this tells which.
    if not hold_active(patient, alone=True):
        raise RuleBroken("session_ended")


BOTH = (
    "SELECT 1 FROM doctors_doctorprofile d, accounts_user p"
    " WHERE d.user_id = %s AND p.id = %s AND p.status = %s AND p.ended_at IS NULL"
    " FOR SHARE OF d FOR NO KEY UPDATE OF p"
)
DOCTOR, PERSON = Columns(DoctorProfile), Columns(User)
BOOKABLE = (
    f"SELECT {DOCTOR.of('d')}, {PERSON.of('u')}, c.waiting, c.lately,"  # noqa: S608 - names of our own columns
    " EXISTS (SELECT 1 FROM doctors_claim h WHERE h.patient_id = %s AND h.kind = 'hold'),"
    " EXISTS (SELECT 1 FROM appointments_appointment v"
    " WHERE v.patient_id = %s AND v.doctor_id = %s AND v.date = %s AND v.time = %s AND v.status <> 'cancelled')"
    f" FROM ({caps.COUNTS}) c CROSS JOIN doctors_doctorprofile d JOIN accounts_user u ON u.id = d.user_id"
    " WHERE d.user_id = %s"
)


def bookable(
    patient: User, wanted: tuple[UUID, date, clock_time], hold_secret: str, now: datetime
) -> tuple[DoctorProfile, list[Claim], int, int, bool]:
    """Read what a booking stands on: the doctor, the holds that are the patient's, how many of the patient's requests
    wait and how many visits were booked within the hour, and whether the very visit that is wanted may stand already.

    Raises `doctor_unavailable` unless the doctor is approved and active.
    """
    values = [patient.pk, patient.pk, *wanted]
    with connection.cursor() as cursor:
        cursor.execute(BOOKABLE, [*map(bound, values), *caps.counting(patient, now), bound(wanted[0])])
        row = cursor.fetchone()
    doctor = DOCTOR.read(row) if row else None
    if doctor is None:
        raise doctor_unavailable()
    doctor.user = PERSON.read(row, DOCTOR.size)
    if not doctor.is_bookable:
        raise doctor_unavailable()
    waiting, lately, has_holds, may_stand = row[-4:]
    holds = Claim.objects.holds_of(patient, hold_secret).standing(now)
    held = list(holds.locked_in_order()) if has_holds or hold_secret else []
    return doctor, held, waiting, lately, bool(may_stand)


def may_change_next_free(doctor: DoctorProfile, claim: Claim) -> bool:
    """Tell whether time just taken is what the doctor's next free time was kept for.

    Exact, since the doctor's row is locked: whoever brings that time up to date locks it against us, so has either
    done so before it was read here, or will see this claim.
    """
    if doctor.next_free_at is None:
        return True
    until = doctor.next_free_at + timedelta(minutes=doctor.visit_minutes + doctor.buffer_minutes)
    return claim.starts_at < until and doctor.next_free_at < claim.busy_until


def write(
    visit: Appointment,
    slot: Slot,
    held: Sequence[Claim],
    respond_by: datetime | None,
    *,
    by: User,
    tell: Sequence[User | UUID],
) -> bool:
    """Take the time of a visit and write it: claim, visit, whose patient it is, audit row and notices.

    The hold of this very time becomes the visit's claim; other holds are let go. `respond_by` is when the claim runs
    out unless the doctor answers; None for a visit that is confirmed at once. False where the time is taken.
    """
    doctor, patient, now = visit.doctor, visit.patient, visit.created_at
    visit.status = Status.PENDING if respond_by else Status.CONFIRMED
    visit.respond_by = respond_by

    def along(claim: Claim) -> list[Added]:
        visit.claim = claim
        event, subject = "appointment.booked", ("appointment", visit.pk)
        return [
            Added([visit]),
            keeping(doctor.pk, patient, now),
            Added([row_of(event, Action.CREATE, *subject, by=by)]),
            told_once(notices_of(event, *subject, tell, visit.version)),
        ]

    claim = claim_for_visit(doctor, patient, slot, held, respond_by, now, along)
    if claim is None:
        return False
    visit._state.adding = False
    # Nobody has proposed another time for it yet, so the database need not be asked.
    none = Proposal.objects.none()
    none._result_cache = []
    visit._prefetched_objects_cache = {"proposals": none}  # type: ignore[attr-defined]  # Django's own
    if may_change_next_free(doctor, claim):
        keep_next_free([doctor.pk], now)
    return True


def claim_for_visit(
    doctor: DoctorProfile,
    patient: User,
    slot: Slot,
    held: Sequence[Claim],
    respond_by: datetime | None,
    now: datetime,
    along: Callable[[Claim], Sequence[Added]],
) -> Claim | None:
    """Turn the hold of this very time into the visit's claim, or take the time; see `write` and `take`.

    The holds are locked: nobody else lets them go meanwhile.
    """
    kept = next(
        (claim for claim in held if claim.doctor_id == doctor.pk and claim.starts_at == slot.starts_at_utc), None
    )
    others = [claim for claim in held if claim is not kept]
    if others:
        expiry.let_go(Claim.objects.filter(pk__in=[claim.pk for claim in others]), now)
    if kept:
        # The time stays taken throughout: nobody can step in between.
        kept.kind, kept.patient_id, kept.expires_at = Claim.Kind.VISIT, patient.pk, respond_by
        kept.secret_hash = kept.network = ""
        # The doctor's rules may have changed since the time was held.
        kept.ends_at, kept.busy_until = slot.ends_at_utc, slot.busy_until_utc
        fields = ["kind", "patient", "expires_at", "secret_hash", "network", "ends_at", "busy_until"]
        if not save(kept, fields):
            return None
        for added in along(kept):
            insert(added)
        return kept
    return take(Claim.Kind.VISIT, doctor, patient.pk, slot, now, expires_at=respond_by, sweep=sweeper(now), along=along)


def answer_by(slot: Slot, now: datetime) -> datetime:
    """Answer the deadline of a request: so many hours, and never later than the start."""
    return min(now + timedelta(hours=settings.REQUEST_ANSWER_HOURS), slot.starts_at_utc)


def sweeper(now: datetime) -> Sweep:
    """Answer how to end what hangs on claims that have run out and stand in the way."""
    return lambda claims: expiry.sweep(claims, now)


def bookable_doctor(doctor_id: UUID) -> DoctorProfile:
    """Answer an approved, active doctor; raises `doctor_unavailable` for any other id."""
    doctor = DoctorProfile.objects.approved().select_related("user").filter(pk=doctor_id).first()
    if doctor is None:
        raise doctor_unavailable()
    return doctor


def doctor_unavailable() -> RuleBroken:
    """Say that there is no such doctor to book."""
    unavailable = RuleBroken("doctor_unavailable")
    unavailable.errors = {"doctorId": [unavailable.message]}
    return unavailable


def visit_in(doctor: DoctorProfile, patient: User, slot: Slot, **more: Any) -> Appointment:
    """Make a visit in a slot, unsaved, with names, place, fee and currency as they are now."""
    return Appointment(
        doctor=doctor,
        patient=patient,
        date=slot.date,
        time=clock_time.fromisoformat(slot.time),
        time_zone=doctor.time_zone,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        doctor_name=doctor.user.name,
        patient_name=patient.name,
        specialization=doctor.specialization,
        hospital_name=doctor.hospital_name,
        hospital_street=doctor.hospital_street,
        hospital_city=doctor.hospital_city,
        hospital_state=doctor.hospital_state,
        hospital_zip_code=doctor.hospital_zip_code,
        hospital_phone=doctor.hospital_phone,
        consultation_fee=doctor.consultation_fee,
        currency=settings.CURRENCY,
        **more,
    )


def visit_that_stands(patient: User, doctor: DoctorProfile, day: date, time: str, now: datetime) -> Appointment | None:
    """Answer the live visit that this patient has with this doctor at this time."""
    return (
        Appointment.objects.live(now)
        .select_related("doctor__user", "patient")
        .filter(patient=patient, doctor=doctor, date=day, time=time)
        .first()
    )


def is_busy_elsewhere(patient: User, slot: Slot, now: datetime, ignoring: Collection[UUID]) -> bool:
    """Tell whether the patient has something else at the time of a slot."""
    theirs = Claim.objects.standing(now).filter(patient=patient).exclude(pk__in=ignoring)
    return theirs.filter(starts_at__lt=slot.ends_at_utc, ends_at__gt=slot.starts_at_utc).exists()


def why_refused(
    found: Slot | Refusal,
    doctor: DoctorProfile,
    patient: User | None,
    day: date,
    time: str,
    now: datetime,
    *,
    ignoring: Collection[UUID] = (),
    known: Calendar | None = None,
) -> RuleBroken:
    """Name the rule that refuses a time, with the nearest free times.

    `known` is the calendar that refuses. Without it a constraint has: what was read before a lost race has just been
    overtaken, and is read anew.
    """
    calendar = known or Calendar.of(doctor, now, ignoring=ignoring, until=utc_midnight(day, 9))
    if isinstance(found, Refusal):
        reason = found.reason
    else:
        calendar.reach(day.toordinal())
        # Neither is seen where somebody was just sweeping away what had run out, to take the time themselves.
        is_busy = patient and not calendar.is_taken(found) and is_busy_elsewhere(patient, found, now, ignoring)
        reason = Reason.PATIENT_BUSY if is_busy else Reason.TAKEN
    code = {Reason.TAKEN: "slot_taken", Reason.HELD: "slot_taken", Reason.PATIENT_BUSY: "patient_busy"}.get(
        reason, "time_not_offered"
    )
    refusal = RuleBroken(
        code,
        data={
            "reason": reason.value,
            "alternatives": [slot_on_wire(slot) for slot in calendar.alternatives(day, time, patient)],
        },
    )
    refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal
