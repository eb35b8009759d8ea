"""Fill the demo's calendars with appointments of every status around today.

What is free is asked of the engine that the site itself asks, as it would have answered two months ago.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

from django.conf import settings
from django.db.models import Max

from accounts.models import Gender, Role, User
from accounts.models.identifiers import new_id
from adminpanel.operations.seeding.demo_users import KNOWN_EMAILS, Story, doctors, patients, stories
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
from appointments.scheduling.deadlines import reply_deadline
from doctors import slot_engine as engine
from doctors.availability.calendar import epoch, local_date, read_busy_times, read_rules, refresh_next_free
from doctors.models import DoctorProfile, Reservation, ReservationQuerySet
from doctors.slot_engine import Busy, Slot

LOOK_BACK = 60
LOOK_AHEAD = 14
# Seconds between two appointments of one patient: nobody spends a whole day in waiting rooms.
APART = 20 * 3600

# Some specializations have stories that not everybody can tell.
ONLY = {"Gynecology": Gender.FEMALE, "Urology": Gender.MALE}

CANCELLERS = (Role.PATIENT.value, Role.PATIENT.value, Role.DOCTOR.value)
REASONS = {
    Role.PATIENT.value: ("My plans have changed.", "I feel better, thank you.", ""),
    Role.DOCTOR.value: (
        "I am away that day. Please choose another time.",
        "I have to be at the hospital that morning.",
    ),
    Role.ADMIN.value: ("The clinic is closed for repairs that day.",),
}


@dataclass(frozen=True, slots=True)
class Wish:
    """An appointment to plan: so many days from the clinic's today, in a status, perhaps with the known doctor."""

    first_day: int
    last_day: int
    status: Status
    with_known_doctor: bool = False
    cancelled_by: str = ""

    @property
    def is_ahead(self) -> bool:
        """Return whether the appointment is still to come: what lies before now and is not cancelled has happened."""
        return self.last_day > 0 or (self.last_day == 0 and self.status in LIVE)

    def share_within(self, days: int) -> float:
        """Return which share of a wish for the past lies within the last so many days; all of one for the future."""
        if self.last_day >= 0 or self.first_day >= -days:
            return 1
        return max(0, self.last_day + days + 1) / (self.last_day - self.first_day + 1)


# What the known patient finds: something in every list, today and tomorrow above all.
KNOWN_PATIENT = (
    Wish(0, 0, Status.CONFIRMED, with_known_doctor=True),
    Wish(1, 1, Status.CONFIRMED),
    Wish(2, 5, Status.PENDING, with_known_doctor=True),
    Wish(4, 8, Status.PENDING),
    Wish(6, 11, Status.CONFIRMED),
    Wish(3, 7, Status.CANCELLED, cancelled_by=Role.PATIENT.value),
    Wish(-9, -2, Status.COMPLETED, with_known_doctor=True),
    Wish(-16, -10, Status.COMPLETED),
    Wish(-22, -17, Status.CANCELLED, cancelled_by=Role.DOCTOR.value),
    Wish(-30, -23, Status.COMPLETED),
    Wish(-40, -31, Status.COMPLETED),
    Wish(-48, -41, Status.CANCELLED, with_known_doctor=True, cancelled_by=Role.PATIENT.value),
    Wish(-58, -49, Status.COMPLETED, with_known_doctor=True),
)
# A day at the known doctor's desk, a full week ahead, and two months of work behind.
KNOWN_DOCTOR = (
    *(Wish(0, 0, Status.CONFIRMED),) * 3,
    Wish(0, 1, Status.PENDING),
    *(Wish(0, 0, Status.COMPLETED),) * 2,
    *(Wish(1, 1, Status.CONFIRMED),) * 3,
    Wish(1, 1, Status.PENDING),
    Wish(-2, -1, Status.CONFIRMED),
    *(Wish(2, 6, Status.PENDING),) * 3,
    *(Wish(2, 6, Status.CONFIRMED),) * 6,
    *(Wish(7, 13, Status.CONFIRMED),) * 4,
    *(Wish(1, 9, Status.CANCELLED),) * 2,
    *(Wish(-12, -1, Status.COMPLETED),) * 9,
    *(Wish(-58, -13, Status.COMPLETED),) * 16,
    *(Wish(-50, -1, Status.CANCELLED),) * 4,
)
ANY_DOCTOR = (
    Wish(0, 5, Status.CONFIRMED),
    Wish(1, 9, Status.PENDING),
    Wish(-20, -1, Status.COMPLETED),
    Wish(-38, -10, Status.COMPLETED),
    Wish(-58, -30, Status.COMPLETED),
    Wish(-40, -1, Status.CANCELLED),
)


@dataclass(slots=True)
class Diary:
    """Planned appointments, and what is still free of the doctors' and patients' time."""

    now: datetime
    chance: Random
    free: dict[UUID, list[Slot]]
    busy: dict[UUID, list[Busy]]
    told: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))
    reservations: list[Reservation] = field(default_factory=list)
    appointments: list[Appointment] = field(default_factory=list)

    def meet(self, wish: Wish, those: Sequence[DoctorProfile], people: Sequence[User]) -> bool:
        """Plan one appointment between any two who can, trying them in a chance order; False when none can."""
        for doctor in self.chance.sample(those, len(those)):
            wanted = ONLY.get(doctor.specialization)
            able = [patient for patient in people if wanted in (None, patient.gender)]
            if any(self.plan(wish, doctor, patient) for patient in self.chance.sample(able, len(able))):
                return True
        return False

    def plan(self, wish: Wish, doctor: DoctorProfile, patient: User) -> bool:
        """Plan one appointment; False when these two have no such time left."""
        today = local_date(self.now, doctor.time_zone)
        first, last = today + timedelta(days=wish.first_day), today + timedelta(days=wish.last_day)
        now = epoch(self.now)
        # A request needs time to be answered in.
        notice = 2 * 3600 if wish.status == Status.PENDING else 1800
        possible = [
            slot
            for slot in self.free[doctor.pk]
            if first <= slot.date <= last
            and (slot.starts_at > now + notice if wish.is_ahead else slot.ends_at <= now)
            and not any(abs(slot.starts_at - start) < APART for start, _, _ in self.busy[patient.pk])
        ]
        if not possible:
            return False
        slot = self.chance.choice(possible)
        self.free[doctor.pk].remove(slot)
        self.busy[patient.pk].append(Busy(slot.starts_at, slot.ends_at))
        self.write(doctor, patient, slot, wish.status, wish.cancelled_by)
        return True

    def write(self, doctor: DoctorProfile, patient: User, slot: Slot, status: Status, cancelled_by: str = "") -> None:
        """Write down an appointment and, unless it is cancelled, the time it takes."""
        instant = doctor.instant_confirmation
        if instant and status == Status.PENDING:
            status = Status.CONFIRMED
        appointment = build_appointment(doctor, patient, slot)
        story = self.new_story(doctor, patient)
        appointment.status, appointment.symptoms, appointment.patient_notes = (
            status,
            story.symptoms,
            story.patient_notes,
        )
        asked = min(self.now, appointment.starts_at) - timedelta(hours=self.chance.uniform(30, 220))
        answered = asked + timedelta(hours=self.chance.uniform(1, 20))
        if status == Status.PENDING:
            asked, appointment.respond_by = self.recent_request(doctor, slot)
            answered = asked
        elif not instant:
            appointment.version = 2
            if status != Status.CANCELLED:
                appointment.confirmed_at, appointment.confirmed_by_id = answered, doctor.pk
        appointment.created_at, appointment.updated_at = asked, asked if instant else answered
        if status == Status.COMPLETED:
            complete(appointment, story)
        if status == Status.CANCELLED:
            by = cancelled_by or self.chance.choice(CANCELLERS)
            appointment.cancelled_by, appointment.cancel_reason = by, self.chance.choice(REASONS[by])
            appointment.declined = by == Role.DOCTOR
            appointment.version, appointment.updated_at = 2, answered
        else:
            appointment.reservation = reservation_for(appointment, slot)
            self.reservations.append(appointment.reservation)
        self.appointments.append(appointment)

    def recent_request(self, doctor: DoctorProfile, slot: Slot) -> tuple[datetime, datetime]:
        """Return when a request was made and by when it must be answered: recent enough not to have expired."""
        age = timedelta(hours=settings.REQUEST_ANSWER_HOURS * self.chance.uniform(0.05, 0.8))
        while True:
            asked = self.now - age
            deadline = reply_deadline(
                slot.starts_at_utc, doctor.time_zone, asked, settings.REQUEST_ANSWER_HOURS
            )  # fmt: skip
            if deadline > self.now or age < timedelta(minutes=1):
                return asked, deadline
            age /= 2

    def new_story(self, doctor: DoctorProfile, patient: User) -> Story:
        """Choose a story that this patient has not told yet, as long as there is one."""
        all_of_them = stories()[doctor.specialization]
        told = self.told[patient.pk]
        story = self.chance.choice([one for one in all_of_them if one.symptoms not in told] or all_of_them)
        told.add(story.symptoms)
        return story


def reservation_for(appointment: Appointment, slot: Slot) -> Reservation:
    """Make the reservation on the time that an appointment takes."""
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


def complete(appointment: Appointment, story: Story) -> None:
    """Write the record of an appointment that has taken place."""
    appointment.status = Status.COMPLETED
    appointment.diagnosis, appointment.doctor_notes = story.diagnosis, story.doctor_notes
    appointment.prescription_notes, appointment.prescription_items = (
        story.prescription,
        [dict(item) for item in story.items],
    )
    appointment.follow_up_days = story.follow_up_days
    appointment.attended, appointment.record_version = True, 1
    appointment.updated_at = appointment.recorded_at = appointment.completed_at = appointment.ends_at
    appointment.version += 1


def miss_some(appointments: Sequence[Appointment]) -> None:
    """Let the patients of two of the known doctor's past appointments, the known patient aside, not have come."""
    known = [appointment for appointment in appointments if appointment.doctor.user.email == KNOWN_EMAILS[Role.DOCTOR]]
    others = [appointment for appointment in known if appointment.patient.email != KNOWN_EMAILS[Role.PATIENT]]
    for appointment in [appointment for appointment in others if appointment.status == Status.COMPLETED][2:18:10]:
        appointment.attended, appointment.record_version, appointment.recorded_at = False, 0, None
        appointment.diagnosis = appointment.prescription_notes = appointment.doctor_notes = ""
        appointment.prescription_items, appointment.follow_up_days = [], None


def first_record(appointment: Appointment) -> AppointmentRecord:
    """Make the first version of a record from what stands on the appointment."""
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


def top_up(now: datetime) -> int:
    """Plan appointments around today unless some are ahead already; return how many were made."""
    those = list(
        DoctorProfile.objects.approved()
        .filter(user__email__in=[doctor.email for doctor in doctors()])
        .select_related("user")
        .order_by("license_number")
    )
    people = list(User.objects.active().filter(email__in=[patient.email for patient in patients()]).order_by("email"))
    appointments = Appointment.objects.filter(doctor__in=those, patient__in=people).order_by()
    if appointments.live(now).filter(starts_at__range=(now, now + timedelta(days=LOOK_AHEAD))).exists():
        return 0
    settle(appointments, now)
    latest = appointments.filter(ends_at__lte=now).aggregate(latest=Max("ends_at"))["latest"]
    since = max(now - timedelta(days=LOOK_BACK), latest or now - timedelta(days=LOOK_BACK))
    # The same for the whole day, so that two sites of one day look alike.
    chance = Random(f"{now:%Y-%m-%d}")  # noqa: S311 - it only has to look like chance
    taken = Reservation.objects.filter(patient__in=people, ends_at__gt=since)
    diary = Diary(now, chance, free_since(since, those, now), busy_patients(taken))
    fill(diary, those, people, since)
    miss_some(diary.appointments)
    Reservation.objects.bulk_create(diary.reservations)
    Appointment.objects.bulk_create(diary.appointments)
    AppointmentRecord.objects.bulk_create(
        first_record(appointment) for appointment in diary.appointments if appointment.record_version
    )
    PatientOfDoctor.objects.bulk_create(
        [
            PatientOfDoctor.of(appointment.doctor_id, appointment.patient, appointment.created_at)
            for appointment in sorted(diary.appointments, key=lambda appointment: appointment.created_at)
        ],
        ignore_conflicts=True,
    )
    refresh_next_free([doctor.pk for doctor in those], now)
    return len(diary.appointments)


def fill(diary: Diary, those: Sequence[DoctorProfile], people: Sequence[User], since: datetime) -> None:
    """Plan all appointments: those of the known accounts first, since nothing of theirs may be missing."""
    city_of = {patient.email: patient.city.name for patient in patients()}
    known_doctors = [doctor for doctor in those if doctor.user.email == KNOWN_EMAILS[Role.DOCTOR]]
    known_patients = [patient for patient in people if patient.email == KNOWN_EMAILS[Role.PATIENT]]
    # On a topped-up calendar only the days since the last appointment are empty.
    behind = (diary.now - since).days

    def wanted(wishes: Iterable[Wish]) -> list[Wish]:
        return [wish for wish in wishes if diary.chance.random() < wish.share_within(behind)]

    near = [doctor for doctor in those if doctor.hospital_city == city_of[KNOWN_EMAILS[Role.PATIENT]]]
    for wish in wanted(KNOWN_PATIENT):
        met = diary.meet(wish, known_doctors if wish.with_known_doctor else near, known_patients)
        if not met and wish.is_ahead:
            # On a Sunday, or late in the evening, one of the next days will do.
            diary.meet(replace(wish, last_day=wish.last_day + 3), near, known_patients)
    for doctor in those:
        others = [
            patient
            for patient in people
            if city_of[patient.email] == doctor.hospital_city and patient not in known_patients
        ]
        for wish in wanted(KNOWN_DOCTOR if doctor in known_doctors else ANY_DOCTOR):
            diary.meet(wish, [doctor], others)


def free_since(since: datetime, those: Sequence[DoctorProfile], now: datetime) -> dict[UUID, list[Slot]]:
    """Ask the engine what these doctors had free at `since`, up to the end of what is to be filled."""
    rules = read_rules(those, since)
    until = now + timedelta(days=LOOK_AHEAD + 1)
    busy = read_busy_times(list(rules), since, until)
    free = {}
    for doctor in those:
        ahead = (until - since).days - LOOK_AHEAD + min(LOOK_AHEAD, doctor.max_days_ahead)
        then = replace(rules[doctor.pk], max_days_ahead=ahead, min_notice_minutes=0)
        days = engine.list_free_slots(
            then, busy[doctor.pk], epoch(since), local_date(since, doctor.time_zone), ahead + 1
        )
        free[doctor.pk] = [slot for _, slots in days for slot in slots]
    return free


def busy_patients(reservations: ReservationQuerySet) -> dict[UUID, list[Busy]]:
    """Read whose time these reservations take."""
    busy: dict[UUID, list[Busy]] = defaultdict(list)
    for patient_id, start, end in reservations.order_by().values_list("patient_id", "starts_at", "ends_at"):
        if patient_id is not None:
            busy[patient_id].append(Busy(epoch(start), epoch(end)))
    return busy


def settle(appointments: AppointmentQuerySet, now: datetime) -> None:
    """Bring to an end what an earlier run left open and time has passed by."""
    told = {story.symptoms: story for one in stories().values() for story in one}
    for appointment in appointments.filter(status__in=LIVE, ends_at__lte=now - timedelta(days=1)).select_related(
        "reservation"
    ):
        reservation = appointment.reservation
        if appointment.status == Status.CONFIRMED and appointment.symptoms in told:
            complete(appointment, told[appointment.symptoms])
        elif appointment.status == Status.PENDING:
            appointment.updated_at, appointment.version = (
                appointment.respond_by or appointment.starts_at,
                appointment.version + 1,
            )
            appointment.status, appointment.reservation, appointment.respond_by = Status.CANCELLED, None, None
            appointment.cancelled_by, appointment.cancel_reason = SYSTEM, EXPIRED
        appointment.save()
        if appointment.record_version:
            first_record(appointment).save()
        if reservation and not appointment.reservation:
            reservation.delete()
