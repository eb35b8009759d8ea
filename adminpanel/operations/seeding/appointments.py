"""Fill the demo's calendars with visits of every status around today.

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
    PatientOfDoctor,
    Status,
    VisitRecord,
)
from appointments.scheduling.booking import visit_in
from appointments.scheduling.deadlines import reply_deadline
from doctors import slot_engine as engine
from doctors.availability.calendar import busy_times, epoch, local_date, refresh_next_free, rules_of
from doctors.models import Claim, ClaimQuerySet, DoctorProfile
from doctors.slot_engine import Busy, Slot

LOOK_BACK = 60
LOOK_AHEAD = 14
# Seconds between two visits of one patient: nobody spends a whole day in waiting rooms.
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
    """A visit to be planned: so many days from the clinic's today, in a status, perhaps with the known doctor."""

    first_day: int
    last_day: int
    status: Status
    with_known_doctor: bool = False
    cancelled_by: str = ""

    @property
    def is_ahead(self) -> bool:
        """Return whether the visit is still to come: what lies before now and is not cancelled has happened."""
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
    """What is still free of the doctors' and patients' time while visits are being planned, and the visits."""

    now: datetime
    chance: Random
    free: dict[UUID, list[Slot]]
    busy: dict[UUID, list[Busy]]
    told: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))
    claims: list[Claim] = field(default_factory=list)
    visits: list[Appointment] = field(default_factory=list)

    def meet(self, wish: Wish, those: Sequence[DoctorProfile], people: Sequence[User]) -> bool:
        """Plan one visit between any two who can, trying them in a chance order; False when none can."""
        for doctor in self.chance.sample(those, len(those)):
            wanted = ONLY.get(doctor.specialization)
            able = [patient for patient in people if wanted in (None, patient.gender)]
            if any(self.plan(wish, doctor, patient) for patient in self.chance.sample(able, len(able))):
                return True
        return False

    def plan(self, wish: Wish, doctor: DoctorProfile, patient: User) -> bool:
        """Plan one visit; False when these two have no such time left."""
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
        """Write down a visit and, unless it is cancelled, the time it takes."""
        instant = doctor.instant_confirmation
        if instant and status == Status.PENDING:
            status = Status.CONFIRMED
        visit = visit_in(doctor, patient, slot)
        story = self.new_story(doctor, patient)
        visit.status, visit.symptoms, visit.patient_notes = status, story.symptoms, story.patient_notes
        asked = min(self.now, visit.starts_at) - timedelta(hours=self.chance.uniform(30, 220))
        answered = asked + timedelta(hours=self.chance.uniform(1, 20))
        if status == Status.PENDING:
            asked, visit.respond_by = self.recent_request(doctor, slot)
            answered = asked
        elif not instant:
            visit.version = 2
            if status != Status.CANCELLED:
                visit.confirmed_at, visit.confirmed_by_id = answered, doctor.pk
        visit.created_at, visit.updated_at = asked, asked if instant else answered
        if status == Status.COMPLETED:
            complete(visit, story)
        if status == Status.CANCELLED:
            by = cancelled_by or self.chance.choice(CANCELLERS)
            visit.cancelled_by, visit.cancel_reason = by, self.chance.choice(REASONS[by])
            visit.declined = by == Role.DOCTOR
            visit.version, visit.updated_at = 2, answered
        else:
            visit.claim = claim_for(visit, slot)
            self.claims.append(visit.claim)
        self.visits.append(visit)

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


def claim_for(visit: Appointment, slot: Slot) -> Claim:
    """Make the claim on the time that a visit takes."""
    return Claim(
        id=new_id(),
        kind=Claim.Kind.VISIT,
        doctor_id=visit.doctor_id,
        patient_id=visit.patient_id,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        busy_until=slot.busy_until_utc,
        # An unanswered request gives its time back at its deadline.
        expires_at=visit.respond_by,
        created_at=visit.created_at,
    )


def complete(visit: Appointment, story: Story) -> None:
    """Write the record of a visit that has taken place."""
    visit.status = Status.COMPLETED
    visit.diagnosis, visit.doctor_notes = story.diagnosis, story.doctor_notes
    visit.prescription_notes, visit.prescription_items = story.prescription, [dict(item) for item in story.items]
    visit.follow_up_days = story.follow_up_days
    visit.attended, visit.record_version = True, 1
    visit.updated_at = visit.recorded_at = visit.completed_at = visit.ends_at
    visit.version += 1


def miss_some(visits: Sequence[Appointment]) -> None:
    """Let the patients of two of the known doctor's past visits, the known patient aside, not have come."""
    known = [visit for visit in visits if visit.doctor.user.email == KNOWN_EMAILS[Role.DOCTOR]]
    others = [visit for visit in known if visit.patient.email != KNOWN_EMAILS[Role.PATIENT]]
    for visit in [visit for visit in others if visit.status == Status.COMPLETED][2:18:10]:
        visit.attended, visit.record_version, visit.recorded_at = False, 0, None
        visit.diagnosis = visit.prescription_notes = visit.doctor_notes = ""
        visit.prescription_items, visit.follow_up_days = [], None


def first_record(visit: Appointment) -> VisitRecord:
    """Make the first version of a record from what stands on the visit."""
    return VisitRecord(
        appointment=visit,
        version=1,
        written_at=visit.recorded_at or visit.updated_at,
        written_by_id=visit.doctor_id,
        diagnosis=visit.diagnosis,
        notes=visit.doctor_notes,
        prescription_notes=visit.prescription_notes,
        prescription_items=visit.prescription_items,
        follow_up_days=visit.follow_up_days,
    )


def top_up(now: datetime) -> int:
    """Plan visits around today unless some are ahead already; return how many were made."""
    those = list(
        DoctorProfile.objects.approved()
        .filter(user__email__in=[doctor.email for doctor in doctors()])
        .select_related("user")
        .order_by("license_number")
    )
    people = list(User.objects.active().filter(email__in=[patient.email for patient in patients()]).order_by("email"))
    visits = Appointment.objects.filter(doctor__in=those, patient__in=people).order_by()
    if visits.live(now).filter(starts_at__range=(now, now + timedelta(days=LOOK_AHEAD))).exists():
        return 0
    settle(visits, now)
    latest = visits.filter(ends_at__lte=now).aggregate(latest=Max("ends_at"))["latest"]
    since = max(now - timedelta(days=LOOK_BACK), latest or now - timedelta(days=LOOK_BACK))
    # The same for the whole day, so that two sites of one day look alike.
    chance = Random(f"{now:%Y-%m-%d}")  # noqa: S311 - it only has to look like chance
    taken = Claim.objects.filter(patient__in=people, ends_at__gt=since)
    diary = Diary(now, chance, free_since(since, those, now), busy_patients(taken))
    fill(diary, those, people, since)
    miss_some(diary.visits)
    Claim.objects.bulk_create(diary.claims)
    Appointment.objects.bulk_create(diary.visits)
    VisitRecord.objects.bulk_create(first_record(visit) for visit in diary.visits if visit.record_version)
    PatientOfDoctor.objects.bulk_create(
        [
            PatientOfDoctor.of(visit.doctor_id, visit.patient, visit.created_at)
            for visit in sorted(diary.visits, key=lambda visit: visit.created_at)
        ],
        ignore_conflicts=True,
    )
    refresh_next_free([doctor.pk for doctor in those], now)
    return len(diary.visits)


def fill(diary: Diary, those: Sequence[DoctorProfile], people: Sequence[User], since: datetime) -> None:
    """Plan all visits: those of the known accounts first, since nothing of theirs may be missing."""
    city_of = {patient.email: patient.city.name for patient in patients()}
    known_doctors = [doctor for doctor in those if doctor.user.email == KNOWN_EMAILS[Role.DOCTOR]]
    known_patients = [patient for patient in people if patient.email == KNOWN_EMAILS[Role.PATIENT]]
    # On a topped-up calendar only the days since the last visit are empty.
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
    rules = rules_of(those, since)
    until = now + timedelta(days=LOOK_AHEAD + 1)
    busy = busy_times(list(rules), since, until)
    free = {}
    for doctor in those:
        ahead = (until - since).days - LOOK_AHEAD + min(LOOK_AHEAD, doctor.max_days_ahead)
        then = replace(rules[doctor.pk], max_days_ahead=ahead, min_notice_minutes=0)
        days = engine.free_times(then, busy[doctor.pk], epoch(since), local_date(since, doctor.time_zone), ahead + 1)
        free[doctor.pk] = [slot for _, slots in days for slot in slots]
    return free


def busy_patients(claims: ClaimQuerySet) -> dict[UUID, list[Busy]]:
    """Read whose time these claims take."""
    busy: dict[UUID, list[Busy]] = defaultdict(list)
    for patient_id, start, end in claims.order_by().values_list("patient_id", "starts_at", "ends_at"):
        if patient_id is not None:
            busy[patient_id].append(Busy(epoch(start), epoch(end)))
    return busy


def settle(visits: AppointmentQuerySet, now: datetime) -> None:
    """Bring to an end what an earlier run left open and time has passed by."""
    told = {story.symptoms: story for one in stories().values() for story in one}
    for visit in visits.filter(status__in=LIVE, ends_at__lte=now - timedelta(days=1)).select_related("claim"):
        claim = visit.claim
        if visit.status == Status.CONFIRMED and visit.symptoms in told:
            complete(visit, told[visit.symptoms])
        elif visit.status == Status.PENDING:
            visit.updated_at, visit.version = visit.respond_by or visit.starts_at, visit.version + 1
            visit.status, visit.claim, visit.respond_by = Status.CANCELLED, None, None
            visit.cancelled_by, visit.cancel_reason = SYSTEM, EXPIRED
        visit.save()
        if visit.record_version:
            first_record(visit).save()
        if claim and not visit.claim:
            claim.delete()
