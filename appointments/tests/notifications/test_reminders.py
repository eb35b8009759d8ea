"""Reminders: their moments, what a late round still sends, what they cost; a fortnight is in its own file."""

import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, date, datetime, time
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice
from accounts.notifications import delivery, registry
from accounts.tests.factories import PatientFactory
from appointments.models import Status
from appointments.notifications import reminders
from appointments.notifications.reminders import EVENT, create_due_reminders, get_reminder_time
from appointments.scheduling.booking import book_appointment
from appointments.scheduling.rescheduling import answer_proposal, propose_time
from appointments.tests.factories import make_appointment
from appointments.tests.notifications.reminder_rounds import DAY, HOUR, LONG_AGO, MINUTE, START, confirmed, rest
from appointments.transitions import change_status
from config.env.options import Options
from config.env.types import InvalidConfiguration
from config.testing import ROOT, RealServer, create_migrated_database
from doctors.tests.factories import DoctorFactory


@pytest.fixture
def doctor(db):
    return DoctorFactory.create(hospital_phone="")


@pytest.fixture
def ada(db):
    return PatientFactory.create(name="Ada Patient")


def rows(state="waiting"):
    return [(notice.detail["offset"], notice.subject_id) for notice in Notice.objects.filter(event=EVENT, state=state)]


# --- Moments ------------------------------------------------------------------------------------


def at(zone, day, clock, offset):
    local = datetime.combine(date.fromisoformat(day), datetime.strptime(clock, "%H:%M").time(), ZoneInfo(zone))  # noqa: DTZ007 - with its zone
    appointment = SimpleNamespace(date=local.date(), time=local.time(), time_zone=zone, starts_at=local.astimezone(UTC))
    return f"{get_reminder_time(appointment, offset):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("zone", "day", "clock", "offset", "moment"),
    [
        # No change of clocks between.
        ("America/New_York", "2026-06-10", "09:00", "7d", "2026-06-03 13:00"),
        ("America/New_York", "2026-06-10", "09:00", "48h", "2026-06-08 13:00"),
        ("America/New_York", "2026-06-10", "09:00", "2h", "2026-06-10 11:00"),
        # The same time of day before the clocks went back, and forward.
        ("America/New_York", "2026-11-02", "09:00", "48h", "2026-10-31 13:00"),
        ("Europe/Berlin", "2026-03-30", "09:00", "7d", "2026-03-23 08:00"),
        # Hours are hours.
        ("Europe/Berlin", "2026-03-29", "04:00", "2h", "2026-03-29 00:00"),
        ("America/New_York", "2026-11-01", "03:00", "2h", "2026-11-01 06:00"),
        ("America/New_York", "2026-11-01", "09:00", "30h", "2026-10-31 08:00"),
        # 02:30 did not exist there: half past three. 01:30 came twice: the first.
        ("America/New_York", "2026-03-10", "02:30", "48h", "2026-03-08 07:30"),
        ("America/New_York", "2026-11-03", "01:30", "48h", "2026-11-01 05:30"),
        # Clocks that change by half an hour.
        ("Australia/Lord_Howe", "2026-10-06", "09:00", "48h", "2026-10-03 22:00"),
        ("Australia/Lord_Howe", "2026-10-05", "09:00", "48h", "2026-10-02 22:30"),
    ],
)
def test_whole_days_are_counted_in_the_time_zone_of_the_clinic(zone, day, clock, offset, moment):
    assert at(zone, day, clock, offset) == moment


# --- Rounds -------------------------------------------------------------------------------------


def test_each_appointment_has_three_reminders_to_its_patient_only(doctor, ada):
    appointment = confirmed(doctor, ada, START + 8 * DAY)
    rest(START)
    sent = {}
    now = START
    while now < START + 9 * DAY:
        if create_due_reminders(now):
            sent[Notice.objects.latest("id").detail["offset"]] = appointment.starts_at - now
        now += 20 * MINUTE
    assert sent == {"7d": 7 * DAY, "48h": 2 * DAY, "2h": 2 * HOUR}
    assert set(Notice.objects.filter(event=EVENT).values_list("recipient", flat=True)) == {ada.pk}


@pytest.mark.parametrize("fields", [{"created_at": START + MINUTE}, {"confirmed_at": START + MINUTE}])
def test_appointment_confirmed_after_the_reminder_time_gets_no_reminder(doctor, ada, fields):
    confirmed(doctor, ada, START + 7 * DAY, **fields)
    rest(START - MINUTE)
    assert create_due_reminders(START + 3 * MINUTE) == 0
    assert create_due_reminders(START + 5 * DAY) == 1


@pytest.mark.parametrize("status", [Status.PENDING, Status.CANCELLED, Status.COMPLETED])
def test_only_confirmed_appointments_have_reminders(doctor, ada, status):
    make_appointment(doctor, ada, (START + 7 * DAY).date(), "09:00", status=status, created_at=LONG_AGO)
    rest(START - MINUTE)
    assert create_due_reminders(START) == 0


def test_after_an_outage_only_the_latest_reminder_is_sent(doctor, ada):
    appointments = [
        confirmed(doctor, PatientFactory.create(), START + before) for before in (6 * DAY, DAY, HOUR, -HOUR)
    ]
    rest(START - 20 * DAY)
    assert create_due_reminders(START) == 3
    assert set(rows()) == {
        ("7d", str(appointments[0].pk)),
        ("48h", str(appointments[1].pk)),
        ("2h", str(appointments[2].pk)),
    }
    assert create_due_reminders(START + MINUTE) == 0


def test_corrected_fast_clock_suppresses_no_reminder(doctor, ada):
    create_due_reminders(START + 30 * DAY)
    confirmed(doctor, ada, START + 7 * DAY)
    assert create_due_reminders(START) == 1
    assert create_due_reminders(START + MINUTE) == 0
    assert create_due_reminders(START + 5 * DAY) == 1


def test_first_run_sends_only_useful_reminders(doctor, ada):
    appointment = confirmed(doctor, ada, START + DAY)
    assert create_due_reminders(START) == 1
    assert rows() == [("48h", str(appointment.pk))]


def test_several_appointments_on_a_date_are_one_mail(doctor, ada, admin):
    other = DoctorFactory.create(time_zone="America/New_York")
    late = confirmed(other, ada, START + 7 * DAY + 5 * HOUR)
    early = confirmed(doctor, ada, START + 7 * DAY)
    confirmed(doctor, ada, START + 8 * DAY)
    stranger = confirmed(doctor, PatientFactory.create(), START + 7 * DAY + HOUR)
    rest(START - MINUTE)
    assert create_due_reminders(START) == 1
    assert rows() == [("7d", str(early.pk))]
    first = Notice.objects.get(event=EVENT, state="waiting")
    assert set(first.detail["appointments"]) == {str(early.pk), str(late.pk)}
    assert rows("merged") == [("7d", str(late.pk))]
    assert Notice.objects.get(event=EVENT, state="merged").merged_into == first
    # The later one's own moment comes, and nothing more is said.
    assert create_due_reminders(START + 6 * HOUR) == 1
    assert rows()[1:] == [("7d", str(stranger.pk))]
    with time_machine.travel(START, tick=False):
        message = registry.compose_message(first)
        assert message.subject == "Reminder: 2 appointments on Tue, Jun 16"
        assert [fact[1].split(",")[0] for fact in message.facts] == [
            f"Dr. {early.doctor_name}", f"Dr. {late.doctor_name}",
        ]  # fmt: skip
        change_status(early, Status.CANCELLED, actor=admin, now=START, reason="Closed.")
        message = registry.compose_message(first)
        assert message.subject == "Reminder: your appointment on Tue, Jun 16 at 2:00 PM"
        change_status(late, Status.CANCELLED, actor=admin, now=START, reason="Closed.")
        assert registry.compose_message(first) is None


def test_shorter_reminder_of_the_day_replaces_longer_ones(doctor, ada):
    early, late = (confirmed(doctor, ada, START + 2 * DAY + hours * HOUR) for hours in (0, 5))
    rest(START - 10 * DAY)
    assert create_due_reminders(START) == 1
    assert (rows(), rows("merged")) == ([("48h", str(early.pk))], [("48h", str(late.pk))])
    for later in (MINUTE, 4 * MINUTE, 6 * HOUR):
        assert create_due_reminders(START + later) == 0


def test_outdated_reminder_is_dropped(doctor, ada):
    confirmed(doctor, ada, START + 7 * DAY)
    rest(START - MINUTE)
    create_due_reminders(START)
    notice = Notice.objects.get(event=EVENT)
    for moment, helps in ((START, True), (START + 5 * DAY - MINUTE, True), (START + 5 * DAY, False)):
        with time_machine.travel(moment, tick=False):
            assert (registry.compose_message(notice) is not None) == helps
    with time_machine.travel(START + 7 * DAY, tick=False):
        delivery.deliver_notices(START + 7 * DAY)
    notice.refresh_from_db()
    assert (notice.state, notice.error) == ("dropped", "no_longer_helps")


def test_a_moved_appointment_drops_its_reminder_and_gets_another(ada):
    doctor = DoctorFactory.create(instant_confirmation=True)
    with time_machine.travel(LONG_AGO, tick=False):
        appointment, _ = book_appointment(
            ada, doctor.pk, (START + 7 * DAY).date(), time(9), symptoms="", notes="", now=LONG_AGO
        )
    rest(START - MINUTE)
    assert create_due_reminders(START) == 1
    with time_machine.travel(START + MINUTE, tick=False):
        propose_time(appointment, (START + 9 * DAY).date(), time(10), "", actor=doctor.user, now=START + MINUTE)
        answer_proposal(appointment, True, actor=ada, now=START + MINUTE)
        assert registry.compose_message(Notice.objects.get(event=EVENT)) is None
    assert create_due_reminders(START + 3 * HOUR) == 0
    assert create_due_reminders(START + 2 * DAY + HOUR) == 1
    assert Counter(offset for offset, _ in rows()) == {"7d": 2}


def test_users_choose_their_own_reminders(doctor, ada, monkeypatch):
    appointment = confirmed(doctor, ada, START + 2 * DAY)
    rest(START - 8 * DAY)
    monkeypatch.setattr(reminders, "list_offsets", lambda people: {person: {"7d"} for person in people})
    assert create_due_reminders(START) == 1
    notice = Notice.objects.get(event=EVENT, subject_id=str(appointment.pk))
    with time_machine.travel(START, tick=False):
        assert notice.detail["offset"] == "7d"
        assert registry.compose_message(notice) is not None
        monkeypatch.setattr(reminders, "list_offsets", lambda people: {person: set() for person in people})
        assert registry.compose_message(notice) is None
    assert create_due_reminders(START + 2 * DAY - HOUR) == 0


def test_reminder_contains_no_clinical_text(doctor, ada):
    confirmed(doctor, ada, START + 2 * DAY, symptoms="CANARY", patient_notes="CANARY", diagnosis="CANARY")
    create_due_reminders(START)
    with time_machine.travel(START, tick=False):
        assert "CANARY" not in repr(registry.compose_message(Notice.objects.get(event=EVENT)))


@pytest.mark.parametrize("text", ["7", "d", "0h", "31d", "7d,168h", "2h,2h", "-1h", "1w", "٣d"])
def test_invalid_setting_is_rejected(text):
    with pytest.raises(InvalidConfiguration, match="REMINDERS must be hours or days"):
        Options({"REMINDERS": text})


@pytest.mark.parametrize(("text", "offsets"), [("", ()), ("2h,7d, 48h", ("7d", "48h", "2h"))])
def test_reminder_times_are_sorted_longest_first(text, offsets):
    assert offsets == Options({"REMINDERS": text}).REMINDERS


# --- Cost ---------------------------------------------------------------------------------------


def statements(act):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        act()
    return [query["sql"] for query in captured.captured_queries]


def test_batch_takes_the_same_number_of_queries_for_any_size(doctor, settings):
    def fill(count, begin):
        for number in range(count):
            confirmed(DoctorFactory.create(), PatientFactory.create(), begin + (number % 2) * HOUR)

    fill(2, START + 2 * DAY)
    rest(START - MINUTE)
    few = statements(lambda: create_due_reminders(START + 2 * HOUR))
    fill(30, START + 20 * DAY)
    rest(START + 18 * DAY - MINUTE)
    many = statements(lambda: create_due_reminders(START + 18 * DAY + 2 * HOUR))
    assert len(rows()) == 32
    assert len(few) == len(many) <= 14
    quiet = statements(lambda: create_due_reminders(START + 40 * DAY))
    assert len(quiet) <= 7


def test_batches_that_end_within_a_day_lose_no_reminder(ada):
    people = [ada, *PatientFactory.create_batch(6)]
    for person in people:
        for hours in (0, 3):
            confirmed(DoctorFactory.create(), person, START + 7 * DAY + hours * HOUR)
    rest(START - MINUTE)
    assert create_due_reminders(START, batch=2) == len(people)
    assert (len(rows()), len(rows("merged"))) == (7, 7)


# --- Several at once ----------------------------------------------------------------------------

FILL = """
from datetime import datetime, timedelta
from accounts.tests.factories import PatientFactory
from appointments.tests.notifications.reminder_rounds import HOUR, DAY, START, confirmed, rest
from doctors.tests.factories import DoctorFactory
for number in range({count}):
    person = PatientFactory.create()
    for hours in (0, 1) if number % 2 else (0,):
        confirmed(DoctorFactory.create(), person, START + 7 * DAY + (hours + number % 5) * HOUR)
rest(START - HOUR)
"""
ROUNDS = """
import time
from appointments.notifications.reminders import create_due_reminders
from appointments.tests.notifications.reminder_rounds import HOUR, START
time.sleep(max(0, {begin} - time.time()))
for hours in range(7):
    create_due_reminders(START + hours * HOUR, batch=10)
"""


def test_concurrent_housekeeping_sends_each_reminder_once(tmp_path):
    count = 20
    with create_migrated_database(tmp_path) as url:
        server = RealServer("", url, {**os.environ, "ENVIRONMENT": "test", "DATABASE_URL": url, "LOG_LEVEL": "ERROR"})
        server.manage("shell", "-c", FILL.format(count=count))
        script = ROUNDS.format(begin=datetime.now(UTC).timestamp() + 5)
        running = [
            subprocess.Popen([sys.executable, "manage.py", "shell", "-c", script], cwd=ROOT, env=server.environment)
            for _ in range(3)
        ]
        assert [one.wait(120) for one in running] == [0] * 3
        states = server.sql("SELECT state, count(*) FROM accounts_notice GROUP BY state ORDER BY state")
        assert [tuple(row) for row in states] == [("merged", count // 2), ("waiting", count)]
