"""Book an appointment."""

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from accounts.audit.log import Action, create_row
from accounts.auth.account_status import lock_if_active
from accounts.models import AccountStatus, User
from accounts.notifications.outbox import build_notice_insert, build_notices
from appointments.models import Appointment, BookingDraft, Proposal, Status
from appointments.models.appointment import fold_pair, utc_midnight
from appointments.models.doctor_patient import build_upsert
from appointments.scheduling import booking_limits, expiry, network_quota
from appointments.scheduling.deadlines import compute_reply_deadline
from config.api.errors import DomainError
from config.db.raw_sql import Columns, Insert, insert, is_postgresql, to_db_value
from doctors.availability.calendar import Calendar, schedule_next_free_refresh
from doctors.availability.reservations import Sweep, reserve_slot, save_reservation
from doctors.models import DoctorProfile, Reservation
from doctors.serializers import slot_to_dict
from doctors.slot_engine import Reason, Refusal, Slot


def book_appointment(
    patient: User,
    doctor_id: UUID,
    day: date,
    time: time,
    *,
    symptoms: str,
    notes: str,
    now: datetime,
    hold_secret: str = "",
) -> tuple[Appointment, bool]:
    """Book `patient` with a doctor at the clinic's local `day` and `time`; return the appointment and if it is new.

    The patient's own holds, and the one with `hold_secret`, are ignored and used. Booking the same time again returns
    the existing appointment. Creates the reservation, the appointment, the audit event and both sides' notices in one
    transaction. Raises `doctor_unavailable`, `time_not_offered`,
    `slot_taken` or `patient_busy`, the last three with the nearest free times, `requests_full` or `booked_too_often`,
    and `email_unconfirmed` for what only a confirmed email address allows.
    """
    with transaction.atomic():
        lock_for_booking(patient, doctor_id)
        network = network_quota.get_counted_network(patient)
        if network:
            network_quota.lock_network(network)
        doctor, holds, counts, may_exist, has_draft = read_booking_context(
            patient, doctor_id, day, time, hold_secret, now
        )
        ignored = [reservation.pk for reservation in holds]
        # Some days more, which usually contain the alternatives.
        calendar = Calendar.read(doctor, now, ignored=ignored, until=utc_midnight(day, 9))
        outcome = calendar.find_slot(day, time)
        appointment = None
        if isinstance(outcome, Slot):
            booking_limits.refuse_too_many_of_patient(patient, counts, now)
            week = None
            if network:
                network_quota.refuse_second_request(counts.waiting + counts.instant)
                week = network_quota.read_week(doctor, outcome, calendar, ignored)
                network_quota.refuse_request(week, network, now)
            respond_by = compute_request_deadline(doctor, outcome.starts_at_utc, now)
            appointment = build_appointment(
                doctor, patient, outcome, symptoms=symptoms, patient_notes=notes, created_at=now, updated_at=now
            )
            recipients = [patient, doctor.pk]
            if not write_appointment(
                appointment, outcome, holds, respond_by, actor=patient, recipients=recipients, network=network
            ):
                appointment = None
            elif week:
                network_quota.alert_when_crowded(doctor, week, network, now)
        if appointment is None or isinstance(outcome, Refusal):
            existing = find_existing_appointment(patient, doctor, day, time, now) if may_exist else None
            if existing:
                delete_sent_draft(has_draft, patient, doctor)
                return existing, False
            known = calendar if isinstance(outcome, Refusal) else None
            raise build_slot_error(outcome, doctor, patient, day, time, now, ignored=ignored, known=known)
        delete_sent_draft(has_draft, patient, doctor)
    return appointment, True


def delete_sent_draft(has_draft: bool, patient: User, doctor: DoctorProfile) -> None:
    """Delete the draft of the sent booking form, if there is one."""
    if has_draft:
        BookingDraft.objects.filter(patient=patient, doctor=doctor).delete()


def lock_for_booking(patient: User, doctor_id: UUID) -> None:
    """Lock the doctor's rules, approval and status, and the patient's account, until the transaction ends.

    One statement on PostgreSQL, the doctor first: see `share_lock_doctor` and `lock_if_active`. What depends on the
    locked rows is read by a later statement, since this one sees the tables as they were before it waited.
    Raises `session_ended` where the account is stopped or has ended.
    """
    if is_postgresql():
        with connection.cursor() as cursor:
            cursor.execute(LOCK_BOTH_SQL, [doctor_id, patient.pk, AccountStatus.ACTIVE.value])
            if cursor.fetchone():
                return
    # On SQLite, which needs no lock, or to find out which of the two is missing.
    if not lock_if_active(patient, is_exclusive=True):
        raise DomainError("session_ended")


LOCK_BOTH_SQL = (
    "SELECT 1 FROM doctors_doctorprofile d, accounts_user p"
    " WHERE d.user_id = %s AND p.id = %s AND p.status = %s AND p.ended_at IS NULL"
    " FOR SHARE OF d FOR NO KEY UPDATE OF p"
)
DOCTOR_COLUMNS, USER_COLUMNS = Columns(DoctorProfile), Columns(User)
BOOKING_CONTEXT_SQL = (
    f"SELECT {DOCTOR_COLUMNS.select_list('d')}, {USER_COLUMNS.select_list('u')}, c.waiting, c.recent, c.instant,"  # noqa: S608 - names of our own columns
    " EXISTS (SELECT 1 FROM doctors_reservation h WHERE h.patient_id = %s AND h.kind = 'hold'),"
    " EXISTS (SELECT 1 FROM appointments_appointment v"
    " WHERE v.patient_id = %s AND v.doctor_id = %s AND v.date = %s AND v.time = %s AND v.status <> 'cancelled'),"
    " EXISTS (SELECT 1 FROM appointments_bookingdraft t WHERE t.patient_id = %s AND t.doctor_id = %s)"
    f" FROM ({booking_limits.COUNTS_SQL}) c CROSS JOIN doctors_doctorprofile d JOIN accounts_user u ON u.id = d.user_id"
    " WHERE d.user_id = %s"
)


class BookingContext(NamedTuple):
    """What a booking reads from the database."""

    doctor: DoctorProfile
    # The patient's, locked.
    holds: list[Reservation]
    counts: booking_limits.Counts
    # Whether the patient has an appointment with this doctor at this time, which may be overdue.
    may_exist: bool
    # Whether the patient has a draft of the booking form for this doctor.
    has_draft: bool


def read_booking_context(
    patient: User, doctor_id: UUID, day: date, time: time, hold_secret: str, now: datetime
) -> BookingContext:
    """Return what a booking needs, in one query apart from the holds.

    Raises `doctor_unavailable` unless the doctor is approved and active.
    """
    values = [patient.pk, patient.pk, doctor_id, day, time, patient.pk, doctor_id]
    with connection.cursor() as cursor:
        cursor.execute(
            BOOKING_CONTEXT_SQL,
            [*map(to_db_value, values), *booking_limits.build_count_parameters(patient, now), to_db_value(doctor_id)],
        )
        row = cursor.fetchone()
    doctor = DOCTOR_COLUMNS.build_instance(row) if row else None
    if doctor is None:
        raise build_unavailable_error()
    doctor.user = USER_COLUMNS.build_instance(row, DOCTOR_COLUMNS.size)
    if not doctor.is_bookable:
        raise build_unavailable_error()
    counts = booking_limits.Counts._make(row[-6:-3])
    has_holds, may_exist, has_draft = row[-3:]
    holds = Reservation.objects.holds_of(patient, hold_secret).standing(now)
    locked_holds = list(holds.locked_in_order()) if has_holds or hold_secret else []
    return BookingContext(doctor, locked_holds, counts, bool(may_exist), bool(has_draft))


def may_change_next_free(doctor: DoctorProfile, reservation: Reservation) -> bool:
    """Return whether a new reservation may affect the doctor's stored next free time.

    Exact, since the doctor's row is locked: an update of that time locks it against us, so has either
    done so before it was read here, or will see this reservation.
    """
    if doctor.next_free_at is None:
        return True
    until = doctor.next_free_at + timedelta(minutes=doctor.appointment_minutes + doctor.buffer_minutes)
    return reservation.starts_at < until and doctor.next_free_at < reservation.busy_until


def write_appointment(
    appointment: Appointment,
    slot: Slot,
    holds: Sequence[Reservation],
    respond_by: datetime | None,
    *,
    actor: User,
    recipients: Sequence[User | UUID],
    network: str = "",
) -> bool:
    """Insert an appointment with its reservation, patient relation, audit event and notices.

    The hold of this very time becomes the appointment's reservation; other holds are released. `respond_by` is when the
    reservation runs out unless the doctor answers; None for an appointment that is confirmed at once. `network` is
    where an unverified patient books from. False where the time is taken.
    """
    doctor, patient, now = appointment.doctor, appointment.patient, appointment.created_at
    appointment.status = Status.PENDING if respond_by else Status.CONFIRMED
    appointment.respond_by = respond_by

    def build_rows(reservation: Reservation) -> list[Insert]:
        appointment.reservation = reservation
        event, subject = "appointment.booked", ("appointment", appointment.pk)
        return [
            Insert([appointment]),
            build_upsert(doctor.pk, patient, now),
            Insert([create_row(event, Action.CREATE, *subject, actor=actor)]),
            build_notice_insert(
                build_notices(event, *subject, recipients, appointment.version, detail={"by": actor.role})
            ),
        ]

    reservation = reserve_for_appointment(doctor, patient, slot, holds, respond_by, now, build_rows, network)
    if reservation is None:
        return False
    appointment._state.adding = False
    # A new appointment has no proposals, so no query is needed.
    none = Proposal.objects.none()
    none._result_cache = []
    appointment._prefetched_objects_cache = {"proposals": none}  # type: ignore[attr-defined]  # Django's own
    if may_change_next_free(doctor, reservation):
        schedule_next_free_refresh([doctor.pk], now)
    return True


def reserve_for_appointment(
    doctor: DoctorProfile,
    patient: User,
    slot: Slot,
    holds: Sequence[Reservation],
    respond_by: datetime | None,
    now: datetime,
    build_rows: Callable[[Reservation], Sequence[Insert]],
    network: str,
) -> Reservation | None:
    """Convert a hold of this time into the appointment's reservation, or reserve the time.

    See `write_appointment` and `reserve_slot`. The holds are locked: nobody else lets them go meanwhile.
    """
    own_hold = next(
        (
            reservation
            for reservation in holds
            if reservation.doctor_id == doctor.pk and reservation.starts_at == slot.starts_at_utc
        ),
        None,
    )
    others = [reservation for reservation in holds if reservation is not own_hold]
    if others:
        expiry.release_holds(Reservation.objects.filter(pk__in=[reservation.pk for reservation in others]), now)
    if own_hold:
        # The time stays reserved throughout.
        own_hold.kind, own_hold.patient_id, own_hold.expires_at = Reservation.Kind.APPOINTMENT, patient.pk, respond_by
        own_hold.secret_hash, own_hold.network, own_hold.renewable_until = "", network, None
        # The doctor's rules may have changed since the time was held.
        own_hold.ends_at, own_hold.busy_until = slot.ends_at_utc, slot.busy_until_utc
        fields = ["kind", "patient", "expires_at", "secret_hash", "network", "renewable_until", "ends_at", "busy_until"]
        if not save_reservation(own_hold, fields):
            return None
        for added in build_rows(own_hold):
            insert(added)
        return own_hold
    return reserve_slot(
        Reservation.Kind.APPOINTMENT,
        doctor,
        patient.pk,
        slot,
        now,
        expires_at=respond_by,
        network=network,
        sweep=create_sweep(now),
        build_rows=build_rows,
    )


def compute_request_deadline(doctor: DoctorProfile, start: datetime, now: datetime) -> datetime | None:
    """Return the reply deadline of a request made now; None if the doctor confirms instantly."""
    if doctor.instant_confirmation:
        return None
    return compute_reply_deadline(start, doctor.time_zone, now, settings.REQUEST_ANSWER_HOURS)


def create_sweep(now: datetime) -> Sweep:
    """Return the function that ends expired reservations in the way."""
    return lambda reservations: expiry.sweep_reservations(reservations, now)


def get_bookable_doctor(doctor_id: UUID) -> DoctorProfile:
    """Return an approved, active doctor; raise `doctor_unavailable` for any other id."""
    doctor = DoctorProfile.objects.approved().select_related("user").filter(pk=doctor_id).first()
    if doctor is None:
        raise build_unavailable_error()
    return doctor


def build_unavailable_error() -> DomainError:
    """Return the error for a doctor who cannot be booked."""
    unavailable = DomainError("doctor_unavailable")
    unavailable.errors = {"doctorId": [unavailable.message]}
    return unavailable


def build_appointment(doctor: DoctorProfile, patient: User, slot: Slot, **more: Any) -> Appointment:
    """Return an unsaved appointment in a slot, with copies of names, place, fee and currency."""
    return Appointment(
        doctor=doctor,
        patient=patient,
        date=slot.date,
        time=slot.time,
        time_zone=doctor.time_zone,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        doctor_name=doctor.user.name,
        patient_name=patient.name,
        people_text=fold_pair(patient.name, doctor.user.name),
        specialization=doctor.specialization,
        hospital_name=doctor.hospital_name,
        hospital_street=doctor.hospital_street,
        hospital_city=doctor.hospital_city,
        hospital_state=doctor.hospital_state,
        hospital_zip_code=doctor.hospital_zip_code,
        hospital_country=doctor.hospital_country,
        hospital_phone=doctor.hospital_phone,
        consultation_fee=doctor.consultation_fee,
        currency=settings.CURRENCY,
        **more,
    )


def find_existing_appointment(
    patient: User, doctor: DoctorProfile, day: date, time: time, now: datetime
) -> Appointment | None:
    """Return the live appointment that this patient has with this doctor at this time."""
    return (
        Appointment.objects.live(now)
        .select_related("doctor__user", "patient")
        .filter(patient=patient, doctor=doctor, date=day, time=time)
        .first()
    )


def is_busy_elsewhere(patient: User, slot: Slot, now: datetime, ignored: Collection[UUID]) -> bool:
    """Return whether the patient has another reservation at the time of a slot."""
    theirs = Reservation.objects.standing(now).filter(patient=patient).exclude(pk__in=ignored)
    return theirs.filter(starts_at__lt=slot.ends_at_utc, ends_at__gt=slot.starts_at_utc).exists()


def build_slot_error(
    outcome: Slot | Refusal,
    doctor: DoctorProfile,
    patient: User | None,
    day: date,
    time: time,
    now: datetime,
    *,
    ignored: Collection[UUID] = (),
    known: Calendar | None = None,
) -> DomainError:
    """Return the error for an unavailable time, with the nearest free times.

    `known` is the calendar that refuses. Without it a constraint has: what was read before a lost race has just been
    overtaken, and is read again.
    """
    calendar = known or Calendar.read(doctor, now, ignored=ignored, until=utc_midnight(day, 9))
    if isinstance(outcome, Refusal):
        reason = outcome.reason
    else:
        calendar.read_until(day.toordinal())
        # Neither is seen where somebody was just sweeping away what had run out, to take the time themselves.
        is_busy = patient and not calendar.is_taken(outcome) and is_busy_elsewhere(patient, outcome, now, ignored)
        reason = Reason.PATIENT_BUSY if is_busy else Reason.TAKEN
    code = {Reason.TAKEN: "slot_taken", Reason.HELD: "slot_taken", Reason.PATIENT_BUSY: "patient_busy"}.get(
        reason, "time_not_offered"
    )
    refusal = DomainError(
        code,
        data={
            "reason": reason.value,
            "alternatives": [slot_to_dict(slot) for slot in calendar.list_alternatives(day, time, patient)],
        },
    )
    refusal.errors = {"appointmentTime": [refusal.message]}
    return refusal
