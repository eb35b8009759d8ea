"""What mails about visits say, and the calendar files in them, sent through a real mail server and read back."""

import re
from datetime import UTC, date, timedelta
from pathlib import Path

import icalendar
import pytest
import vobject
from django.apps import apps
from django.utils import timezone

from accounts import delivery, messages
from accounts.models import AccountStatus, Notice
from accounts.standing import set_status
from accounts.tests.mail_server import serving, use
from accounts.trail import notify
from appointments.booking import book
from appointments.booking_for import book_for
from appointments.endings import end_account
from appointments.expiry import expire_proposal, expire_request
from appointments.models import Proposal, Status
from appointments.moving import answer_proposal, ask_to_cancel, propose, reschedule
from appointments.states import move
from appointments.tests.factories import make_visit

pytestmark = pytest.mark.django_db

# Words of visits that no mail may hold.
CANARIES = ("CANARY-symptoms", "CANARY-notes", "CANARY-diagnosis", "CANARY-reason", "CANARY-doctor", "CANARY-medicine")


@pytest.fixture
def mail(settings):
    settings.BASE_URL = "https://visits.example.org"
    settings.DEFAULT_FROM_EMAIL = "Wellhour <no-reply@example.org>"
    with serving() as server:
        use(settings, server)
        yield server


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def doctor(cast):
    doctor = cast.doctor
    doctor.hospital_name, doctor.hospital_street = "Hill Street Clinic", "12 Hill Street"
    doctor.hospital_phone, doctor.time_zone = "+1 202 555 0145", "America/New_York"
    doctor.save()
    return doctor


@pytest.fixture
def visit(doctor, cast, now):
    day = now.date() + timedelta(days=8)
    while day.weekday() > 4:
        day += timedelta(days=1)
    visit, _ = book(
        cast.patient, doctor.pk, day, "10:00", symptoms=CANARIES[0], notes=CANARIES[1], now=now, hold_secret=""
    )
    return visit


def deliver():
    return delivery.deliver(timezone.now())


def events_in(mail):
    """Read the calendar file of a mail with two readers; answers its event and the method that the part names."""
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    raw = part.get_payload(decode=True)
    (file,) = [part for part in mail.walk() if part.get_content_type() == "application/ics"]
    assert file.get_payload(decode=True).splitlines() == raw.splitlines()
    calendar = icalendar.Calendar.from_ical(raw)
    assert calendar.errors == []
    (event,) = calendar.walk("VEVENT")
    assert event.errors == []
    second = vobject.readOne(raw.decode())
    second.validate(raiseException=True)
    assert second.vevent.uid.value == event["UID"]
    assert int(second.vevent.sequence.value) == event["SEQUENCE"]
    assert second.vevent.dtstart.value.astimezone(UTC) == event["DTSTART"].dt.astimezone(UTC)
    assert part.get_param("method") == calendar["METHOD"] == second.method.value
    return event, part.get_param("method"), calendar


def text_of(mail):
    return mail.get_body(("plain",)).get_content()


def test_both_sides_hear_of_a_request_with_time_zone_place_and_what_to_do(mail, visit, cast, now):
    assert deliver() == {"sent": 2}
    (to_patient,) = mail.to(cast.patient.email)
    (to_doctor,) = mail.to(cast.doctor.user.email)
    weekday = f"{visit.date:%A} {visit.date.day} {visit.date:%B %Y}"
    for sent, path in ((to_patient, "patient"), (to_doctor, "doctor")):
        text = text_of(sent)
        assert re.search(rf"When: {weekday}, 10:00, New York time \(E[SD]T, UTC−[45]\)", text)
        assert "Where: Hill Street Clinic, 12 Hill Street" in text
        assert f"https://visits.example.org/{path}/appointments/{visit.pk}" in text
    assert "Telephone: +1 202 555 0145" in text_of(to_patient)
    assert "Without an answer by" in text_of(to_patient)
    assert to_doctor["Subject"].startswith("New request: ")
    assert "Confirm or decline" in text_of(to_doctor)


def test_a_request_that_the_doctor_turns_down_is_declined_and_not_cancelled(mail, visit, cast, now):
    deliver()
    move(visit, Status.CANCELLED, by=cast.doctor.user, now=now, reason=CANARIES[3])
    deliver()
    told = mail.to(cast.patient.email)[-1]
    assert told["Subject"].startswith("Declined: your request for ")
    assert "Please choose another time." in text_of(told)
    assert "cancelled" not in text_of(told)
    assert CANARIES[3] not in told.as_string()
    assert events_in(told)[1] == "CANCEL"


def test_the_calendar_entry_is_one_that_rises_over_confirm_move_and_cancel(mail, visit, cast, now):
    doctor = cast.doctor.user
    deliver()
    move(visit, Status.CONFIRMED, by=doctor, now=now)
    deliver()
    proposal = propose(visit, visit.date, "11:00", CANARIES[3], by=doctor, now=now)
    deliver()
    answer_proposal(visit, True, by=cast.patient, now=now)
    deliver()
    move(visit, Status.CANCELLED, by=cast.admin, now=now, reason="The clinic is closed that day.")
    deliver()
    sent = mail.to(cast.patient.email)
    subjects = [one["Subject"].split()[0] for one in sent]
    assert subjects == ["We", "Your", "Another", "New", "Cancelled:"]
    files = [events_in(one) for one in sent if any(part.get_content_type() == "text/calendar" for part in one.walk())]
    assert [method for _, method, _ in files] == ["REQUEST", "REQUEST", "REQUEST", "CANCEL"]
    assert [str(event["STATUS"]) for event, *_ in files] == ["TENTATIVE", "CONFIRMED", "CONFIRMED", "CANCELLED"]
    assert {str(event["UID"]) for event, *_ in files} == {f"{visit.pk}@visits.example.org"}
    rising = [event["SEQUENCE"] for event, *_ in files]
    assert rising == sorted(set(rising))
    assert rising[-1] == visit.version
    assert [event["DTSTART"].dt.hour for event, *_ in files] == [10, 10, 11, 11]
    for event, _, calendar in files:
        assert str(event["DTSTART"].dt.tzinfo) == "America/New_York"
        assert [str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")] == ["America/New_York"]
        assert event["ORGANIZER"] == "mailto:no-reply@example.org"
        assert event["ATTENDEE"] == f"mailto:{cast.patient.email}"
    proposal.refresh_from_db()
    assert proposal.answer == Proposal.Answer.ACCEPTED
    assert "It was cancelled by our staff." in text_of(sent[-1])
    assert "Reason: The clinic is closed that day." in text_of(sent[-1])
    assert re.search(r"It was on \w+ \d+ \w+ \d{4} at 10:00\.", text_of(sent[3]))
    # The doctor hears of what others did, each once.
    assert [one["Subject"].split(":")[0] for one in mail.to(doctor.email)] == [
        "New request", "New time for your visit", "Cancelled",
    ]  # fmt: skip


def test_no_mail_holds_a_clinical_word(mail, visit, cast, now, settings):
    settings.DOCTOR_CANCELS_CONFIRMED = True
    doctor = cast.doctor.user
    deliver()
    move(visit, Status.CONFIRMED, by=doctor, now=now)
    deliver()
    proposal = propose(visit, visit.date, "11:00", CANARIES[3], by=doctor, now=now)
    deliver()
    answer_proposal(visit, False, by=cast.patient, now=now)
    deliver()
    now += timedelta(seconds=1)
    withdrawn = propose(visit, visit.date, "11:00", CANARIES[3], by=cast.patient, now=now)
    deliver()
    answer_proposal(visit, False, by=cast.patient, now=now)
    deliver()
    now += timedelta(seconds=1)
    running_out = propose(visit, visit.date, "14:00", CANARIES[3], by=cast.patient, now=now)
    deliver()
    assert expire_proposal(running_out, running_out.expires_at)
    deliver()
    ask_to_cancel(visit, CANARIES[3], by=cast.patient, now=now)
    deliver()
    move(visit, Status.CANCELLED, by=doctor, now=now, reason=CANARIES[4])
    deliver()
    other = make_visit(cast.doctor, cast.patient, now.date() - timedelta(days=3), "10:00", status="confirmed")
    written = {"diagnosis": CANARIES[2], "notes": CANARIES[4], "items": []}
    move(other, Status.COMPLETED, by=doctor, now=now, visit=written)
    deliver()
    third = make_visit(cast.doctor, cast.patient, now.date() + timedelta(days=12), "10:00", symptoms=CANARIES[0])
    move(third, Status.CANCELLED, by=cast.patient, now=now, reason=CANARIES[3])
    deliver()
    assert set(Notice.objects.values_list("state", flat=True)) == {"sent"}
    proposal.refresh_from_db()
    withdrawn.refresh_from_db()
    assert (proposal.answer, withdrawn.answer) == ("declined", "withdrawn")
    told = {notice.event for notice in Notice.objects.all()}
    assert told >= {
        "appointment.booked", "appointment.confirmed", "appointment.cancelled", "appointment.completed",
        "appointment.cancel_requested", "proposal.made", "proposal.declined", "proposal.withdrawn", "proposal.expired",
    }  # fmt: skip
    for address, one in mail.mails:
        for part in one.walk():
            if not part.is_multipart():
                content = part.get_payload(decode=True).decode()
                assert "CANARY" not in content, (address, one["Subject"])
        assert "CANARY" not in str(one["Subject"])
    # The specialization can tell as much.
    assert not any(cast.doctor.specialization in text_of(one) for _, one in mail.mails)


def test_what_was_overtaken_is_not_told(mail, visit, cast, now):
    move(visit, Status.CONFIRMED, by=cast.doctor.user, now=now)
    deliver()
    # The patient hears that it is confirmed, the doctor has answered already.
    assert [one["Subject"] for _, one in mail.mails] == [
        f"Your visit on {visit.date:%A} {visit.date.day} {visit.date:%B %Y} at 10:00 is confirmed"
    ]
    assert list(Notice.objects.order_by("id").values_list("event", "state")) == [
        ("appointment.booked", "dropped"),
        ("appointment.booked", "dropped"),
        ("appointment.confirmed", "sent"),
    ]


def test_an_unanswered_request_and_a_moved_one_reach_both(mail, visit, cast, now):
    deliver()
    reschedule(visit, visit.date, "11:00", by=cast.patient, now=now)
    deliver()
    assert expire_request(visit, visit.respond_by)
    deliver()
    for person in (cast.patient, cast.doctor.user):
        sent = mail.to(person.email)
        assert len(sent) == 3
        assert [events_in(one)[1] for one in sent] == ["REQUEST", "REQUEST", "CANCEL"]
        assert [events_in(one)[0]["SEQUENCE"] for one in sent] == [1, 2, 3]
        assert "ended by itself" in text_of(sent[-1])


def test_a_doctor_who_books_tells_the_patient_and_a_missed_visit_is_told_kindly(mail, doctor, cast, now):
    make_visit(doctor, cast.patient, now.date() - timedelta(days=30), status="completed")
    day = now.date() + timedelta(days=8)
    while day.weekday() > 4:
        day += timedelta(days=1)
    visit, _ = book_for(doctor.user, cast.patient.pk, day, "10:00", symptoms="", outside_hours=False, now=now)
    deliver()
    (sent,) = mail.to(cast.patient.email)
    assert "booked a visit for you" in text_of(sent)
    assert str(events_in(sent)[0]["STATUS"]) == "CONFIRMED"
    past = make_visit(doctor, cast.other_patient, now.date() - timedelta(days=2), status="confirmed")
    move(past, Status.COMPLETED, by=doctor.user, now=now, attended=False)
    deliver()
    (missed,) = mail.to(cast.other_patient.email)
    assert "noted that you did not come" in text_of(missed)
    assert visit.status == "confirmed"


def test_an_ended_account_is_told_at_the_address_it_had(mail, visit, cast, now):
    deliver()
    address = cast.patient.email
    end_account(cast.patient.pk, by=cast.admin, now=now)
    assert Notice.objects.get(event="account.ended").address == address
    deliver()
    assert [one["Subject"] for one in mail.to(address)][1:] == ["Your account is closed"]
    assert Notice.objects.get(event="account.ended").address == ""
    (_, to_doctor) = mail.to(cast.doctor.user.email)
    assert "Reason: The patient's account has been closed." in text_of(to_doctor)
    assert not any("invalid" in recipient for recipient, _ in mail.mails)


def test_a_stopped_account_is_told_unless_it_goes_on_again(mail, cast, now):
    set_status(cast.patient, AccountStatus.INACTIVE, by=cast.admin, now=now)
    deliver()
    set_status(cast.patient, AccountStatus.ACTIVE, by=cast.admin, now=now)
    deliver()
    assert [one["Subject"] for one in mail.to(cast.patient.email)] == [
        "Your account has been stopped",
        "Your account is active again",
    ]


def test_every_event_that_is_written_has_a_composer():
    """Read the events out of the code itself: a new one without words fails here."""
    written = set()
    for app in ("accounts", "doctors", "appointments", "adminpanel"):
        for path in Path(apps.get_app_config(app).path).rglob("*.py"):
            if "tests" not in path.parts:
                code = path.read_text()
                written |= set(re.findall(r"\b(?:notify|tell)\(\s*\"([a-z_.]+)\"", code))
    assert len(written) > 12
    families = {
        *(f"appointment.{status}" for status in ("confirmed", "completed", "cancelled", "moved")),
        *(f"proposal.{answer}" for answer in ("accepted", "declined", "withdrawn", "expired")),
        *(f"doctor.{state}" for state in ("approved", "rejected", "revoked", "license_expired")),
        *("account.activated", "account.deactivated"),
    }
    assert (written | families) - messages.events() == set()


# --- GET /api/appointments/{id}/calendar.ics ----------------------------------------------------


def test_both_sides_can_save_the_visit_for_their_calendar(visit, cast, client_of, now):
    answer = client_of(cast.patient).get(f"/api/appointments/{visit.pk}/calendar.ics")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8; method=PUBLISH"
    assert answer["Content-Disposition"] == f'attachment; filename="visit-{visit.date}.ics"'
    calendar = icalendar.Calendar.from_ical(answer.content)
    (event,) = calendar.walk("VEVENT")
    assert (str(calendar["METHOD"]), str(event["STATUS"]), event["SEQUENCE"]) == ("PUBLISH", "TENTATIVE", 1)
    assert "ATTENDEE" not in event
    assert "CANARY" not in answer.content.decode()
    vobject.readOne(answer.content.decode()).validate(raiseException=True)
    doctors = client_of(cast.doctor.user).get(f"/api/appointments/{visit.pk}/calendar.ics")
    (of_doctor,) = icalendar.Calendar.from_ical(doctors.content).walk("VEVENT")
    assert of_doctor["SUMMARY"] == f"Visit with {visit.patient_name}"
    assert of_doctor["UID"] == event["UID"]


@pytest.mark.parametrize(
    ("zone", "day", "offsets"),
    [
        ("Europe/Berlin", date(2027, 3, 26), {"+0100", "+0200"}),
        ("America/New_York", date(2027, 11, 5), {"-0500", "-0400"}),
        ("Asia/Kathmandu", date(2027, 5, 5), {"+0545"}),
        ("Africa/Casablanca", date(2027, 2, 5), {"+0100", "+0000"}),
    ],
)
def test_a_second_reader_finds_the_instant_by_the_files_own_rules(doctor, cast, client_of, zone, day, offsets):
    """Calendars that do not know a zone by its name go by the rules in the file."""
    doctor.time_zone = zone
    doctor.save()
    for days in (0, 3):
        visit = make_visit(doctor, cast.patient, day + timedelta(days=days), "09:30", status="confirmed")
        content = client_of(cast.patient).get(f"/api/appointments/{visit.pk}/calendar.ics").content.decode()
        rules = icalendar.Calendar.from_ical(content).walk("VTIMEZONE")
        found = {str(rule["TZOFFSETTO"].to_ical()) for zone_rules in rules for rule in zone_rules.subcomponents}
        assert {one.strip("b'") for one in found} >= offsets
        # Under a name that no reader knows (and that this one has not kept from another file), the rules decide.
        strange = content.replace(f"TZID={zone}", f"TZID=X{visit.pk.hex}").replace(
            f"TZID:{zone}", f"TZID:X{visit.pk.hex}"
        )
        read = vobject.readOne(strange)
        assert read.vevent.dtstart.value.astimezone(UTC) == visit.starts_at


def test_a_notice_whose_visit_is_gone_is_dropped(mail, cast):
    notify("appointment.booked", "appointment", "00000000-0000-0000-0000-000000000000", [cast.patient])
    assert deliver() == {"dropped": 1}
