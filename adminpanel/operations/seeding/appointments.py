"""Fill the demo's calendars with appointments of every status around today.

Free times come from the slot engine, asked as of two months ago.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from django.conf import settings
from django.db.models import Max, Min

from accounts.models import Gender, Role, User
from accounts.models.identifiers import new_id
from adminpanel.operations.seeding import bulk_insert
from adminpanel.operations.seeding.people import (
    DEMO_EMAILS,
    Encounter,
    load_doctors,
    load_encounters,
    load_patients,
)
from appointments.models import (
    EXPIRED,
    LIVE,
    SYSTEM,
    Appointment,
    AppointmentQuerySet,
    AppointmentRecord,
    PatientOfDoctor,
    Status,
)
from appointments.scheduling.booking import build_appointment
from appointments.scheduling.deadlines import compute_reply_deadline
from doctors import slot_engine as engine
from doctors.availability.calendar import local_date, read_busy_times, read_rules, refresh_next_free, to_epoch
from doctors.models import DoctorProfile, Reservation, ReservationQuerySet
from doctors.slot_engine import Busy, Slot

DAYS_BACK = 60
DAYS_AHEAD = 14
# Between two appointments of one patient.
MIN_GAP_SECONDS = 20 * 3600

# Specializations whose encounters fit one gender only.
PATIENT_GENDERS = {"Gynecology": Gender.FEMALE, "Urology": Gender.MALE}

CANCELLERS = (Role.PATIENT.value, Role.PATIENT.value, Role.DOCTOR.value)
CANCEL_REASONS = {
    Role.PATIENT.value: ("My plans have changed.", "I feel better, thank you.", ""),
    Role.DOCTOR.value: (
        "I am away that day. Please choose another time.",
        "I have to be at the hospital that morning.",
    ),
    Role.ADMIN.value: ("The clinic is closed for repairs that day.",),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """An appointment to create between two days, counted from the clinic's today."""

    first_day: int
    last_day: int
    status: Status
    with_demo_doctor: bool = False
    cancelled_by: str = ""

    @property
    def is_upcoming(self) -> bool:
        return self.last_day > 0 or (self.last_day == 0 and self.status in LIVE)

    def get_share_within(self, days: int) -> float:
        """Return which share of the plan's past days lies within the last `days` days; 1 for a plan that is ahead."""
        if self.last_day >= 0 or self.first_day >= -days:
            return 1
        return max(0, self.last_day + days + 1) / (self.last_day - self.first_day + 1)


# The demo patient has something in every list, today and tomorrow above all.
DEMO_PATIENT_PLANS = (
    Plan(0, 0, Status.CONFIRMED, with_demo_doctor=True),
    Plan(1, 1, Status.CONFIRMED),
    Plan(2, 5, Status.PENDING, with_demo_doctor=True),
    Plan(4, 8, Status.PENDING),
    Plan(6, 11, Status.CONFIRMED),
    Plan(3, 7, Status.CANCELLED, cancelled_by=Role.PATIENT.value),
    Plan(-9, -2, Status.COMPLETED, with_demo_doctor=True),
    Plan(-16, -10, Status.COMPLETED),
    Plan(-22, -17, Status.CANCELLED, cancelled_by=Role.DOCTOR.value),
    Plan(-30, -23, Status.COMPLETED),
    Plan(-40, -31, Status.COMPLETED),
    Plan(-48, -41, Status.CANCELLED, with_demo_doctor=True, cancelled_by=Role.PATIENT.value),
    Plan(-58, -49, Status.COMPLETED, with_demo_doctor=True),
)
# The demo doctor has a busy day, a full week ahead, and two months of work behind.
DEMO_DOCTOR_PLANS = (
    *(Plan(0, 0, Status.CONFIRMED),) * 3,
    Plan(0, 1, Status.PENDING),
    *(Plan(0, 0, Status.COMPLETED),) * 2,
    *(Plan(1, 1, Status.CONFIRMED),) * 3,
    Plan(1, 1, Status.PENDING),
    Plan(-2, -1, Status.CONFIRMED),
    *(Plan(2, 6, Status.PENDING),) * 3,
    *(Plan(2, 6, Status.CONFIRMED),) * 6,
    *(Plan(7, 13, Status.CONFIRMED),) * 4,
    *(Plan(1, 9, Status.CANCELLED),) * 2,
    *(Plan(-12, -1, Status.COMPLETED),) * 9,
    *(Plan(-58, -13, Status.COMPLETED),) * 16,
    *(Plan(-50, -1, Status.CANCELLED),) * 4,
)
DOCTOR_PLANS = (
    Plan(0, 5, Status.CONFIRMED),
    Plan(1, 9, Status.PENDING),
    Plan(-20, -1, Status.COMPLETED),
    Plan(-38, -10, Status.COMPLETED),
    Plan(-58, -30, Status.COMPLETED),
    Plan(-40, -1, Status.CANCELLED),
)


@dataclass(slots=True)
class Planner:
    """Builds appointments in free time, and saves them."""

    now: datetime
    random: Random
    busy_patients: dict[UUID, list[Busy]]
    free_slots: dict[UUID, list[Slot]] = field(default_factory=dict)
    used_symptoms: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))
    appointments: list[Appointment] = field(default_factory=list)

    def plan_between_any(self, plan: Plan, doctors: Sequence[DoctorProfile], patients: Sequence[User]) -> bool:
        """Add one appointment between any two who have time; return False if there are none."""
        for doctor in self.random.sample(doctors, len(doctors)):
            gender = PATIENT_GENDERS.get(doctor.specialization)
            candidates = [patient for patient in patients if gender in (None, patient.gender)]
            if any(self.plan(plan, doctor, patient) for patient in self.random.sample(candidates, len(candidates))):
                return True
        return False

    def plan(self, plan: Plan, doctor: DoctorProfile, patient: User) -> bool:
        """Add one appointment; return False if these two have no such time left."""
        today = local_date(self.now, doctor.time_zone)
        first, last = today + timedelta(days=plan.first_day), today + timedelta(days=plan.last_day)
        now = to_epoch(self.now)
        # A request needs time to be answered in.
        earliest = now + (2 * 3600 if plan.status == Status.PENDING else 1800)
        slots = [
            slot
            for slot in self.free_slots[doctor.pk]
            if first <= slot.date <= last
            and (slot.starts_at > earliest if plan.is_upcoming else slot.ends_at <= now)
            and not any(abs(slot.starts_at - start) < MIN_GAP_SECONDS for start, _, _ in self.busy_patients[patient.pk])
        ]
        if not slots:
            return False
        slot = self.random.choice(slots)
        self.free_slots[doctor.pk].remove(slot)
        self.add(doctor, patient, slot, plan.status, plan.cancelled_by)
        return True

    def add(self, doctor: DoctorProfile, patient: User, slot: Slot, status: Status, cancelled_by: str = "") -> None:
        """Build an appointment with its history and, unless it is cancelled, its reservation."""
        self.busy_patients[patient.pk].append(Busy(slot.starts_at, slot.ends_at))
        is_instant = doctor.instant_confirmation
        if is_instant and status == Status.PENDING:
            status = Status.CONFIRMED
        encounter = self.choose_encounter(doctor, patient)
        appointment = build_appointment(
            doctor,
            patient,
            slot,
            status=status,
            symptoms=encounter.symptoms,
            patient_notes=encounter.patient_notes,
        )
        requested_at = min(self.now, appointment.starts_at) - timedelta(hours=self.random.uniform(30, 220))
        answered_at = requested_at + timedelta(hours=self.random.uniform(1, 20))
        if status == Status.PENDING:
            requested_at, appointment.respond_by = self.choose_request_time(doctor, slot)
            answered_at = requested_at
        elif not is_instant:
            appointment.version = 2
            if status != Status.CANCELLED:
                appointment.confirmed_at, appointment.confirmed_by_id = answered_at, doctor.pk
        appointment.created_at, appointment.updated_at = requested_at, requested_at if is_instant else answered_at
        if status == Status.COMPLETED:
            complete_appointment(appointment, encounter)
        if status == Status.CANCELLED:
            role = cancelled_by or self.random.choice(CANCELLERS)
            appointment.cancelled_by, appointment.cancel_reason = role, self.random.choice(CANCEL_REASONS[role])
            appointment.declined = role == Role.DOCTOR
            appointment.version, appointment.updated_at = 2, answered_at
        else:
            appointment.reservation = build_reservation(appointment, slot)
        self.appointments.append(appointment)

    def choose_request_time(self, doctor: DoctorProfile, slot: Slot) -> tuple[datetime, datetime]:
        """Return when a pending request was made, and its deadline, which is ahead."""
        age = timedelta(hours=settings.REQUEST_ANSWER_HOURS * self.random.uniform(0.05, 0.8))
        while True:
            requested_at = self.now - age
            deadline = compute_reply_deadline(
                slot.starts_at_utc, doctor.time_zone, requested_at, settings.REQUEST_ANSWER_HOURS
            )  # fmt: skip
            if deadline > self.now or age < timedelta(minutes=1):
                return requested_at, deadline
            age /= 2

    def choose_encounter(self, doctor: DoctorProfile, patient: User) -> Encounter:
        """Choose an encounter that the patient has not had yet, as long as there is one."""
        encounters = load_encounters()[doctor.specialization]
        used = self.used_symptoms[patient.pk]
        encounter = self.random.choice([each for each in encounters if each.symptoms not in used] or encounters)
        used.add(encounter.symptoms)
        return encounter

    def save(self) -> int:
        """Insert what was added since the last call, in the caller's transaction; return how many appointments."""
        added, self.appointments = self.appointments, []
        reservations = [appointment.reservation for appointment in added if appointment.reservation]
        bulk_insert.insert_instances(Reservation, reservations)
        bulk_insert.insert_instances(Appointment, added)
        records = [build_record(appointment) for appointment in added if appointment.record_version]
        bulk_insert.insert_instances(AppointmentRecord, records)
        update_patients_of_doctors({appointment.doctor_id for appointment in added})
        return len(added)


def update_patients_of_doctors(doctor_ids: Iterable[UUID]) -> None:
    """Derive from their appointments who these doctors' patients are, and since when."""
    appointments = Appointment.objects.filter(doctor__in=doctor_ids).order_by()
    pairs = appointments.values_list("doctor_id", "patient").annotate(Min("created_at"), Max("created_at"))
    patients = User.objects.in_bulk({patient_id for _, patient_id, _, _ in pairs})
    rows = []
    for doctor_id, patient_id, first_booked_at, last_booked_at in pairs:
        rows.append(PatientOfDoctor.build(doctor_id, patients[patient_id], first_booked_at))
        rows[-1].last_booked_at = last_booked_at
    PatientOfDoctor.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["doctor", "patient"],
        update_fields=["since", "last_booked_at"],
        batch_size=1000,
    )


def build_reservation(appointment: Appointment, slot: Slot) -> Reservation:
    return Reservation(
        id=new_id(),
        kind=Reservation.Kind.APPOINTMENT,
        doctor_id=appointment.doctor_id,
        patient_id=appointment.patient_id,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        busy_until=slot.busy_until_utc,
        # An unanswered request gives its time back at its deadline.
        expires_at=appointment.respond_by,
        created_at=appointment.created_at,
    )


def complete_appointment(appointment: Appointment, encounter: Encounter) -> None:
    """Set what the doctor wrote about an appointment that has taken place."""
    appointment.status = Status.COMPLETED
    appointment.diagnosis, appointment.doctor_notes = encounter.diagnosis, encounter.doctor_notes
    appointment.prescription_notes = encounter.prescription_notes
    appointment.prescription_items = [dict(item) for item in encounter.prescription_items]
    appointment.follow_up_days = encounter.follow_up_days
    appointment.attended, appointment.record_version = True, 1
    appointment.updated_at = appointment.recorded_at = appointment.completed_at = appointment.ends_at
    appointment.version += 1


def mark_no_shows(appointments: Sequence[Appointment]) -> None:
    """Mark two of the demo doctor's past appointments as missed, but none of the demo patient's."""
    completed = [
        appointment
        for appointment in appointments
        if appointment.doctor.user.email == DEMO_EMAILS[Role.DOCTOR]
        and appointment.patient.email != DEMO_EMAILS[Role.PATIENT]
        and appointment.status == Status.COMPLETED
    ]
    for appointment in completed[2:18:10]:
        appointment.attended, appointment.record_version, appointment.recorded_at = False, 0, None
        appointment.diagnosis = appointment.prescription_notes = appointment.doctor_notes = ""
        appointment.prescription_items, appointment.follow_up_days = [], None


def build_record(appointment: Appointment) -> AppointmentRecord:
    """Return the first version of the record, with what the appointment says."""
    return AppointmentRecord(
        appointment=appointment,
        version=1,
        written_at=appointment.recorded_at or appointment.updated_at,
        written_by_id=appointment.doctor_id,
        diagnosis=appointment.diagnosis,
        notes=appointment.doctor_notes,
        prescription_notes=appointment.prescription_notes,
        prescription_items=appointment.prescription_items,
        follow_up_days=appointment.follow_up_days,
    )


def create_appointments(now: datetime) -> int:
    """Create appointments around today unless some are ahead already; return how many."""
    doctors = list(
        DoctorProfile.objects.approved()
        .filter(user__email__in=[doctor.email for doctor in load_doctors()])
        .select_related("user")
        .order_by("license_number")
    )
    emails = [patient.email for patient in load_patients()]
    patients = list(User.objects.active().filter(email__in=emails).order_by("email"))
    appointments = Appointment.objects.filter(doctor__in=doctors, patient__in=patients).order_by()
    if appointments.live(now).filter(starts_at__range=(now, now + timedelta(days=DAYS_AHEAD))).exists():
        return 0
    close_past_appointments(appointments, now)
    latest = appointments.filter(ends_at__lte=now).aggregate(latest=Max("ends_at"))["latest"]
    since = max(now - timedelta(days=DAYS_BACK), latest or now - timedelta(days=DAYS_BACK))
    # Seeded with the day, so that two sites of one day look alike.
    random = Random(f"{now:%Y-%m-%d}")  # noqa: S311 - not for cryptography
    reservations = Reservation.objects.filter(patient__in=patients, ends_at__gt=since)
    planner = Planner(now, random, get_busy_patients(reservations), list_free_slots(doctors, since, now))
    plan_all(planner, doctors, patients, since)
    mark_no_shows(planner.appointments)
    count = planner.save()
    refresh_next_free([doctor.pk for doctor in doctors], now)
    return count


def plan_all(planner: Planner, doctors: Sequence[DoctorProfile], patients: Sequence[User], since: datetime) -> None:
    """Plan all appointments, beginning with those of the demo accounts, which have to be complete."""
    cities = {patient.email: patient.city.name for patient in load_patients()}
    demo_doctors = [doctor for doctor in doctors if doctor.user.email == DEMO_EMAILS[Role.DOCTOR]]
    demo_patients = [patient for patient in patients if patient.email == DEMO_EMAILS[Role.PATIENT]]
    # In calendars that were filled before, only the days since the last appointment are empty.
    empty_days = (planner.now - since).days

    def draw(plans: Iterable[Plan]) -> list[Plan]:
        return [plan for plan in plans if planner.random.random() < plan.get_share_within(empty_days)]

    nearby = [doctor for doctor in doctors if doctor.hospital_city == cities[DEMO_EMAILS[Role.PATIENT]]]
    for plan in draw(DEMO_PATIENT_PLANS):
        is_planned = planner.plan_between_any(plan, demo_doctors if plan.with_demo_doctor else nearby, demo_patients)
        if not is_planned and plan.is_upcoming:
            # On a Sunday, or late in the evening, one of the next days will do.
            planner.plan_between_any(replace(plan, last_day=plan.last_day + 3), nearby, demo_patients)
    for doctor in doctors:
        others = [
            patient
            for patient in patients
            if cities[patient.email] == doctor.hospital_city and patient not in demo_patients
        ]
        for plan in draw(DEMO_DOCTOR_PLANS if doctor in demo_doctors else DOCTOR_PLANS):
            planner.plan_between_any(plan, [doctor], others)


def list_free_slots(doctors: Sequence[DoctorProfile], since: datetime, now: datetime) -> dict[UUID, list[Slot]]:
    """Return what these doctors had free at `since`, up to the last day that is filled."""
    rules = read_rules(doctors, since)
    until = now + timedelta(days=DAYS_AHEAD + 1)
    busy = read_busy_times(list(rules), since, until)
    free = {}
    for doctor in doctors:
        days = (until - since).days - DAYS_AHEAD + min(DAYS_AHEAD, doctor.max_days_ahead)
        past_rules = replace(rules[doctor.pk], max_days_ahead=days, min_notice_minutes=0)
        first = local_date(since, doctor.time_zone)
        slots_by_day = engine.list_free_slots(past_rules, busy[doctor.pk], to_epoch(since), first, days + 1)
        free[doctor.pk] = [slot for _, slots in slots_by_day for slot in slots]
    return free


def get_busy_patients(reservations: ReservationQuerySet) -> dict[UUID, list[Busy]]:
    """Return the patients' reserved times."""
    busy: dict[UUID, list[Busy]] = defaultdict(list)
    for patient_id, start, end in reservations.order_by().values_list("patient_id", "starts_at", "ends_at"):
        if patient_id is not None:
            busy[patient_id].append(Busy(to_epoch(start), to_epoch(end)))
    return busy


def close_past_appointments(appointments: AppointmentQuerySet, now: datetime) -> None:
    """Complete or expire what an earlier run created and is over."""
    encounters = {each.symptoms: each for several in load_encounters().values() for each in several}
    open_appointments = appointments.filter(status__in=LIVE, ends_at__lte=now - timedelta(days=1))
    for appointment in open_appointments.select_related("reservation"):
        reservation = appointment.reservation
        if appointment.status == Status.CONFIRMED and appointment.symptoms in encounters:
            complete_appointment(appointment, encounters[appointment.symptoms])
        elif appointment.status == Status.PENDING:
            appointment.updated_at = appointment.respond_by or appointment.starts_at
            appointment.version += 1
            appointment.status, appointment.reservation, appointment.respond_by = Status.CANCELLED, None, None
            appointment.cancelled_by, appointment.cancel_reason = SYSTEM, EXPIRED
        appointment.save()
        if appointment.record_version:
            build_record(appointment).save()
        if reservation and not appointment.reservation:
            reservation.delete()
