"""A fortnight of bookings, moves and cancellations over three changes of clocks: the reminders sent are those of a
naive model, which looks at every appointment at every round.

`REMINDER_APPOINTMENTS` is how many appointments there are; `dev.py soak` runs a thousand.
"""

import os
import random
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
import time_machine

from accounts.models import Heartbeat, Notice
from accounts.notifications import delivery
from accounts.tests.factories import AdminFactory, PatientFactory
from appointments.models import Status
from appointments.notifications import reminders
from appointments.notifications.reminders import EVENT, create_due_reminders
from appointments.scheduling.booking import book_appointment
from appointments.scheduling.rescheduling import answer_proposal, propose_time
from appointments.transitions import change_status
from config.api.errors import DomainError
from doctors.tests.factories import DoctorFactory

APPOINTMENTS = int(os.environ.get("REMINDER_APPOINTMENTS", "60"))
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)

# The clocks go back in Berlin on 25 October 2026, in Cairo on the 29th at midnight, in New York on 1 November.
ZONES = ("Europe/Berlin", "Africa/Cairo", "America/New_York")
FIRST = datetime(2026, 10, 20, 0, tzinfo=UTC)
LAST = FIRST + 14 * DAY
# How long the worker is away between its rounds, in minutes.
STEPS = (5, 10, 15, 20, 35) if APPOINTMENTS > 100 else (15, 35, 50, 75)
SEED = int(os.environ.get("REMINDER_SEED", "1"))
CLOCKS = [
    time.fromisoformat(text)
    for text in (
        *("00:00", "00:30", "01:00", "01:30", "02:00", "02:30"),
        *("03:00", "08:30", "11:00", "16:00", "19:30", "23:30"),
    )
]


class Naive:
    """What reminders should have been sent: told by looking at every appointment at every round."""

    def __init__(self):
        self.appointments = {}
        self.told = set()
        self.sent = Counter()

    def settle(self, appointment, now):
        self.appointments[appointment.pk] = (
            appointment.patient_id,
            str(appointment.date),
            f"{appointment.time:%H:%M}",
            appointment.time_zone,
            now,
        )

    def forget(self, appointment):
        self.appointments.pop(appointment.pk, None)

    @staticmethod
    @cache
    def wall(zone, day, clock):
        """Try every minute until the clock of that zone shows this; the first counts."""
        start = datetime.fromisoformat(f"{day}T{clock}+00:00") - 15 * HOUR
        shows = f"{day} {clock}"
        return next(
            moment
            for moment in (start + number * 15 * MINUTE for number in range(130))
            if f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" == shows
        )

    def moments(self, appointment_id):
        _, day, clock, zone, _ = self.appointments[appointment_id]
        for days, offset in ((7, "7d"), (2, "48h")):
            yield offset, self.wall(zone, str(date.fromisoformat(day) - days * DAY), clock)
        start = self.wall(zone, day, clock)
        yield "2h", start - 2 * HOUR

    def round(self, before, now):
        due = {}
        for appointment_id, (patient, day, *_, settled) in self.appointments.items():
            for offset, moment in self.moments(appointment_id):
                if before < moment <= now and settled <= moment and (appointment_id, offset, moment) not in self.told:
                    due.setdefault((patient, day, offset), []).append(appointment_id)
        for patient, day, offset in due:
            mail = []
            for appointment_id, row in self.appointments.items():
                if row[:2] != (patient, day):
                    continue
                moment = dict(self.moments(appointment_id))[offset]
                key = (appointment_id, offset, moment)
                if moment > before and row[4] <= moment and key not in self.told:
                    self.told.add(key)
                    mail.append(appointment_id)
            self.sent[now, offset, patient, tuple(sorted(mail))] += 1


def fortnight(seed):
    """Live through two weeks of bookings, moves and cancellations; return what was sent and what should have been."""
    chance = random.Random(seed)
    naive = Naive()
    with time_machine.travel(FIRST - 8 * DAY, tick=False) as clock:
        admin = AdminFactory.create()
        doctors = [
            DoctorFactory.create(
                time_zone=zone, appointment_minutes=30, instant_confirmation=chance.random() < 0.5,
                working={
                    "days": ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
                    "hours": {"start": "00:00", "end": "24:00"},
                },
            )
            for zone in ZONES
            for _ in range(max(1, APPOINTMENTS // 100))
        ]  # fmt: skip
        patients = PatientFactory.create_batch(max(5, APPOINTMENTS // 12))
        # When each act is done: most within the fortnight, some before.
        acts = sorted(
            FIRST + chance.randrange(-8 * 96 + 8, 14 * 96) * 15 * MINUTE + MINUTE for _ in range(APPOINTMENTS * 2)
        )
        booked, live = 0, []
        Heartbeat.objects.update_or_create(name=reminders.WORKER_NAME, defaults={"beat_at": FIRST - 8 * DAY})
        before = now = FIRST - 8 * DAY
        while now < LAST:
            now += chance.choice(STEPS) * MINUTE
            while acts and acts[0] < now:
                moment = acts.pop(0)
                clock.move_to(moment)
                booked += act(chance, naive, live, doctors, patients, admin, moment, booked)
            clock.move_to(now)
            # The housekeeping looks five minutes further back than its last round; so may the model.
            naive.round(before - 5 * MINUTE, now)
            before = now
            create_due_reminders(now)
            delivery.deliver_notices(now, limit=10_000)
    return naive.sent, booked


def act(chance, naive, live, doctors, patients, admin, now, booked):
    """Book, move or cancel, by chance, the ways that people do it; return how many appointments that makes."""
    try:
        if booked < APPOINTMENTS and (chance.random() < 0.6 or not live):
            doctor, patient = chance.choice(doctors), chance.choice(patients)
            day = (now.astimezone(ZoneInfo(doctor.time_zone)) + chance.randrange(12) * DAY).date()
            appointment, new = book_appointment(
                patient, doctor.pk, day, chance.choice(CLOCKS), symptoms="", notes="", now=now
            )
            if appointment.status == Status.PENDING:
                change_status(appointment, Status.CONFIRMED, actor=doctor.user, now=now)
            naive.settle(appointment, now)
            live.append((appointment, doctor))
            return int(new)
        place = chance.randrange(len(live))
        appointment, doctor = live[place]
        if chance.random() < 0.4:
            change_status(appointment, Status.CANCELLED, actor=admin, now=now, reason="Closed.")
            naive.forget(appointment)
            live.pop(place)
        else:
            day = (now.astimezone(ZoneInfo(doctor.time_zone)) + chance.randrange(12) * DAY).date()
            propose_time(appointment, day, chance.choice(CLOCKS), "", actor=doctor.user, now=now)
            answer_proposal(appointment, True, actor=appointment.patient, now=now)
            naive.settle(appointment, now)
    except DomainError:
        # Taken, over, or not offered: people hear so and nothing has changed.
        pass
    return 0


@pytest.mark.django_db
def test_two_weeks_of_reminders_match_a_naive_model(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    expected, booked = fortnight(SEED)
    got = Counter(
        (
            notice.created_at,
            notice.detail["offset"],
            notice.recipient_id,
            tuple(sorted(map(UUID, notice.detail["appointments"]))),
        )
        for notice in Notice.objects.filter(event=EVENT, state="sent")
    )
    assert not Notice.objects.filter(event=EVENT, state__in=("waiting", "failed", "dropped")).exists()
    assert got == expected
    assert booked > APPOINTMENTS * 0.6
    # Nothing is proved by a fortnight in which nothing happens.
    assert {offset for _, offset, *_ in expected} == {"7d", "48h", "2h"}
    assert any(len(appointments) > 1 for *_, appointments in expected)
