"""What mails about appointments say, and the calendar files in them, sent through a real mail server and read back."""

import re
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import icalendar
import pytest
import time_machine
import vobject
from django.apps import apps
from django.utils import timezone

from accounts.auth.account_status import set_user_status
from accounts.models import AccountStatus, Notice, NoticeSettings
from accounts.notifications import delivery, registry
from accounts.notifications.date_format import format_short_date_and_time, format_short_datetime
from accounts.notifications.outbox import notify_users
from accounts.tests.mail_server import serving, use
from appointments.formatting import format_short_when
from appointments.ical import UID_DOMAIN
from appointments.models import Appointment, Proposal, Status
from appointments.scheduling.account_closure import end_account
from appointments.scheduling.booking import book_appointment
from appointments.scheduling.booking_by_doctor import book_for_patient
from appointments.scheduling.expiry import expire_proposal, expire_request
from appointments.scheduling.rescheduling import (
    answer_proposal,
    propose_time,
    request_cancellation,
    reschedule_appointment,
)
from appointments.tests.factories import make_appointment
from appointments.transitions import change_status

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

# Words of appointments that no mail may hold.
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
def doctor(users):
    doctor = users.doctor
    doctor.hospital_name, doctor.hospital_street = "Hill Street Clinic", "12 Hill Street"
    doctor.hospital_phone, doctor.time_zone = "+1 202 555 0145", "America/New_York"
    doctor.save()
    return doctor


@pytest.fixture
def appointment(doctor, users, now):
    day = now.date() + timedelta(days=8)
    while day.weekday() > 4:
        day += timedelta(days=1)
    appointment, _ = book_appointment(
        users.patient, doctor.pk, day, time(10), symptoms=CANARIES[0], notes=CANARIES[1], now=now, hold_secret=""
    )
    return appointment


def deliver():
    return delivery.deliver_notices(timezone.now())


def events_in(mail):
    """Read the calendar file of a mail with two readers; return its event and the method that the part names."""
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


def test_both_sides_are_notified_of_a_request_with_zone_place_and_next_steps(mail, appointment, users, now):
    assert deliver() == {"sent": 2}
    (to_patient,) = mail.to(users.patient.email)
    (to_doctor,) = mail.to(users.doctor.user.email)
    weekday = f"{appointment.date:%A}, {appointment.date:%B} {appointment.date.day}, {appointment.date.year}"
    for sent, path in ((to_patient, "patient"), (to_doctor, "doctor")):
        text = text_of(sent)
        assert re.search(rf"When: {weekday}, 10:00 AM, New York time \(E[SD]T, UTC−[45]\)", text)
        assert "Where: Hill Street Clinic, 12 Hill Street" in text
        assert f"https://visits.example.org/{path}/appointments/{appointment.pk}" in text
    assert "Phone: (202) 555-0145" in text_of(to_patient)
    deadline = format_short_datetime(appointment.respond_by, appointment.time_zone)
    name = f"Dr. {appointment.doctor_name}"
    assert to_patient["Subject"] == f"Request sent: {format_short_when(appointment)} with {name}"
    assert f"If {name} hasn't replied by {deadline}, your request expires and nothing is booked." in text_of(to_patient)
    assert "booked successfully" not in text_of(to_patient)
    assert f"Please reply by {deadline}. After that, the request expires." in text_of(to_doctor)
    assert to_doctor["Subject"].startswith("New request: ")
    assert "Confirm or decline" in text_of(to_doctor)


def test_request_rejected_by_the_doctor_is_declined_not_cancelled(mail, appointment, users, now):
    deliver()
    change_status(appointment, Status.CANCELLED, actor=users.doctor.user, now=now, reason=CANARIES[3])
    deliver()
    told = mail.to(users.patient.email)[-1]
    assert told["Subject"].startswith("Declined: your request for ")
    assert "Please choose another time." in text_of(told)
    assert "cancelled" not in text_of(told)
    assert CANARIES[3] not in told.as_string()
    assert events_in(told)[1] == "CANCEL"


def test_calendar_entry_keeps_its_uid_and_increases_its_sequence(mail, appointment, users, now):
    doctor = users.doctor.user
    deliver()
    change_status(appointment, Status.CONFIRMED, actor=doctor, now=now)
    deliver()
    proposal = propose_time(appointment, appointment.date, time(11), CANARIES[3], actor=doctor, now=now)
    deliver()
    answer_proposal(appointment, True, actor=users.patient, now=now)
    deliver()
    change_status(appointment, Status.CANCELLED, actor=users.admin, now=now, reason="The clinic is closed that day.")
    deliver()
    sent = mail.to(users.patient.email)
    subjects = [one["Subject"].split()[0] for one in sent]
    assert subjects == ["Request", "Your", "Another", "New", "Cancelled:"]
    files = [events_in(one) for one in sent if any(part.get_content_type() == "text/calendar" for part in one.walk())]
    assert [method for _, method, _ in files] == ["REQUEST", "REQUEST", "REQUEST", "CANCEL"]
    assert [str(event["STATUS"]) for event, *_ in files] == ["TENTATIVE", "CONFIRMED", "CONFIRMED", "CANCELLED"]
    assert {str(event["UID"]) for event, *_ in files} == {f"{appointment.pk}@{UID_DOMAIN}"}
    rising = [event["SEQUENCE"] for event, *_ in files]
    assert rising == sorted(set(rising))
    assert rising[-1] == appointment.version
    local = [event["DTSTART"].dt.astimezone(ZoneInfo("America/New_York")).hour for event, *_ in files]
    assert local == [10, 10, 11, 11]
    for event, _, calendar in files:
        assert event["DTSTART"].to_ical().endswith(b"Z")
        assert calendar.walk("VTIMEZONE") == []
        assert event["ORGANIZER"] == "mailto:no-reply@example.org"
        assert event["ATTENDEE"] == f"mailto:{users.patient.email}"
    proposal.refresh_from_db()
    assert proposal.answer == Proposal.Answer.ACCEPTED
    assert "Our staff cancelled this appointment." in text_of(sent[-1])
    assert "Reason: The clinic is closed that day." in text_of(sent[-1])
    assert f"The old time was {format_short_date_and_time(appointment.date, time(10))}." in text_of(sent[3])
    # The doctor's calendar changes with each, also by the doctor's own acts.
    assert [one["Subject"].split(":")[0].split(" the ")[0] for one in mail.to(doctor.email)] == [
        "New request", "You confirmed", "New time for your appointment", "Cancelled",
    ]  # fmt: skip


def test_no_mail_contains_clinical_text(mail, appointment, users, now, settings):
    settings.DOCTOR_CANCELS_CONFIRMED = True
    doctor = users.doctor.user
    deliver()
    change_status(appointment, Status.CONFIRMED, actor=doctor, now=now)
    deliver()
    proposal = propose_time(appointment, appointment.date, time(11), CANARIES[3], actor=doctor, now=now)
    deliver()
    answer_proposal(appointment, False, actor=users.patient, now=now)
    deliver()
    now += timedelta(seconds=1)
    withdrawn = propose_time(appointment, appointment.date, time(11), CANARIES[3], actor=users.patient, now=now)
    deliver()
    answer_proposal(appointment, False, actor=users.patient, now=now)
    deliver()
    now += timedelta(seconds=1)
    running_out = propose_time(appointment, appointment.date, time(14), CANARIES[3], actor=users.patient, now=now)
    deliver()
    assert expire_proposal(running_out, running_out.expires_at)
    deliver()
    users.doctor.cancel_cutoff_hours = None
    users.doctor.save()
    appointment.refresh_from_db()
    request_cancellation(appointment, CANARIES[3], actor=users.patient, now=now)
    deliver()
    change_status(appointment, Status.CANCELLED, actor=doctor, now=now, reason=CANARIES[4])
    deliver()
    other = make_appointment(users.doctor, users.patient, now.date() - timedelta(days=3), "10:00", status="confirmed")
    written = {"diagnosis": CANARIES[2], "notes": CANARIES[4], "items": []}
    change_status(other, Status.COMPLETED, actor=doctor, now=now, record=written)
    deliver()
    third = make_appointment(
        users.doctor, users.patient, now.date() + timedelta(days=12), "10:00", symptoms=CANARIES[0]
    )
    change_status(third, Status.CANCELLED, actor=users.patient, now=now, reason=CANARIES[3])
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
    for address, one in mail.messages:
        for part in one.walk():
            if not part.is_multipart():
                content = part.get_payload(decode=True).decode()
                assert "CANARY" not in content, (address, one["Subject"])
        assert "CANARY" not in str(one["Subject"])
    # The specialization can tell as much.
    assert not any(users.doctor.specialization in text_of(one) for _, one in mail.messages)


def test_superseded_events_are_not_sent(mail, appointment, users, now):
    change_status(appointment, Status.CONFIRMED, actor=users.doctor.user, now=now)
    deliver()
    # Both hear that it is confirmed, nobody of the request before that.
    assert [one["Subject"] for _, one in mail.messages] == [
        f"Your appointment on {format_short_when(appointment)} is confirmed",
        f"You confirmed the appointment on {format_short_when(appointment)}",
    ]
    assert list(Notice.objects.order_by("id").values_list("event", "state")) == [
        ("appointment.booked", "dropped"),
        ("appointment.booked", "dropped"),
        ("appointment.confirmed", "sent"),
        ("appointment.confirmed", "sent"),
    ]


def test_undone_confirmation_is_never_sent(mail, appointment, users):
    """The patient hears of the request alone, whether it was sent before the confirmation or waited for its end."""
    now = timezone.now()
    later = now + timedelta(seconds=10)
    with time_machine.travel(now, tick=False):
        Appointment.objects.filter(pk=appointment.pk).update(status=Status.CONFIRMED, version=2, confirmed_at=now)
        both = [users.patient, users.doctor.user]
        notify_users(
            "appointment.confirmed", "appointment", appointment.pk, both, version=2, delay=timedelta(seconds=10)
        )
        assert deliver() == {"postponed": 2}
        Appointment.objects.filter(pk=appointment.pk).update(status=Status.PENDING, version=3, confirmed_at=None)
    with time_machine.travel(later, tick=False):
        assert deliver() == {"sent": 2, "dropped": 2}
    assert [one["Subject"].split(":")[0] for _, one in mail.messages] == ["Request sent", "New request"]


def test_users_with_invitations_disabled_get_no_calendar_file(mail, appointment, users, now):
    NoticeSettings.objects.create(
        user=users.patient, invitations_off_since=appointment.created_at + timedelta(seconds=1)
    )
    later = make_appointment(users.doctor, users.patient, appointment.date, "14:00", status=Status.CONFIRMED,
                       created_at=appointment.created_at + timedelta(seconds=2))  # fmt: skip
    notify_users("appointment.confirmed", "appointment", later.pk, [users.patient, users.doctor.user], version=1)
    deliver()
    earlier, without = mail.to(users.patient.email)
    # The entry of the earlier one is in their calendar, so it is still updated.
    assert events_in(earlier)[1] == "REQUEST"
    assert [part.get_content_type() for part in without.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
    ]
    assert all(events_in(one)[1] == "REQUEST" for one in mail.to(users.doctor.user.email))


def test_a_doctor_gets_one_summary_of_a_bulk_act_with_a_file_to_import(mail, doctor, users, now):
    day = now.date() + timedelta(days=9)
    cancelled = make_appointment(doctor, users.patient, day, "09:00", status=Status.CANCELLED, version=3)
    moved = make_appointment(doctor, users.other_patient, day, "11:00", status=Status.CONFIRMED, version=2)
    proposed = make_appointment(doctor, users.patient, day, "15:00", status=Status.CONFIRMED)
    foreign = make_appointment(users.other_doctor, users.patient, day, "16:00", status=Status.CANCELLED)
    detail = {
        "cancelled": [str(cancelled.pk), str(foreign.pk)],
        "moved": [str(moved.pk)],
        "proposed": [str(proposed.pk)],
    }
    notify_users("appointments.bulk_changed", "user", doctor.pk, [doctor.user], detail=detail)
    assert deliver() == {"sent": 1}
    (told,) = mail.to(doctor.user.email)
    assert told["Subject"] == "You changed 3 appointments"
    text = text_of(told)
    assert f"Cancelled: {format_short_when(cancelled)}, {users.patient.name}" in text
    assert f"Moved to: {format_short_when(moved)}, {users.other_patient.name}" in text
    assert f"New time suggested: {format_short_when(proposed)}, {users.patient.name}" in text
    (file,) = [part for part in told.walk() if part.get_content_type() == "application/ics"]
    raw = file.get_payload(decode=True)
    calendar = icalendar.Calendar.from_ical(raw)
    # RFC 5546 has one UID in a REQUEST or CANCEL; a PUBLISH may hold many.
    assert calendar["METHOD"] == "PUBLISH"
    assert [(str(event["UID"]), str(event["STATUS"]), event["SEQUENCE"]) for event in calendar.walk("VEVENT")] == [
        (f"{cancelled.pk}@{UID_DOMAIN}", "CANCELLED", 3), (f"{moved.pk}@{UID_DOMAIN}", "CONFIRMED", 2),
    ]  # fmt: skip
    assert len(vobject.readOne(raw.decode()).vevent_list) == 2


def test_an_unanswered_request_and_a_moved_one_reach_both(mail, appointment, users, now):
    deliver()
    reschedule_appointment(appointment, appointment.date, time(11), actor=users.patient, now=now)
    deliver()
    assert expire_request(appointment, appointment.respond_by)
    deliver()
    for person in (users.patient, users.doctor.user):
        sent = mail.to(person.email)
        assert len(sent) == 3
        assert [events_in(one)[1] for one in sent] == ["REQUEST", "REQUEST", "CANCEL"]
        assert [events_in(one)[0]["SEQUENCE"] for one in sent] == [1, 2, 3]
        assert sent[-1]["Subject"].startswith("Request expired: ")


def test_booking_by_the_doctor_and_no_show_notify_the_patient(mail, doctor, users, now):
    make_appointment(doctor, users.patient, now.date() - timedelta(days=30), status="completed")
    day = now.date() + timedelta(days=8)
    while day.weekday() > 4:
        day += timedelta(days=1)
    appointment, _ = book_for_patient(
        doctor.user, users.patient.pk, day, time(10), symptoms="", outside_hours=False, now=now
    )
    deliver()
    (sent,) = mail.to(users.patient.email)
    assert "booked an appointment for you" in text_of(sent)
    assert str(events_in(sent)[0]["STATUS"]) == "CONFIRMED"
    past = make_appointment(doctor, users.other_patient, now.date() - timedelta(days=2), status="confirmed")
    change_status(past, Status.COMPLETED, actor=doctor.user, now=now, attended=False)
    deliver()
    (missed,) = mail.to(users.other_patient.email)
    assert "marked this appointment as a no-show" in text_of(missed)
    assert appointment.status == "confirmed"


def test_closed_account_is_notified_at_its_last_address(mail, appointment, users, now):
    deliver()
    address = users.patient.email
    end_account(users.patient.pk, actor=users.admin, now=now)
    assert Notice.objects.get(event="account.ended").address == address
    deliver()
    assert [one["Subject"].split(":")[0] for one in mail.to(address)][1:] == [
        "Request cancelled", "Your account is closed",
    ]  # fmt: skip
    assert Notice.objects.get(event="account.ended").address == ""
    (_, to_doctor) = mail.to(users.doctor.user.email)
    assert "Reason: The patient's account has been closed." in text_of(to_doctor)
    assert not any("invalid" in recipient for recipient, _ in mail.messages)


def test_deactivated_account_is_notified_unless_reactivated(mail, users, now):
    set_user_status(users.patient, AccountStatus.INACTIVE, actor=users.admin, now=now)
    deliver()
    set_user_status(users.patient, AccountStatus.ACTIVE, actor=users.admin, now=now)
    deliver()
    assert [one["Subject"] for one in mail.to(users.patient.email)] == [
        "Your account has been deactivated",
        "Your account is active again",
    ]


def test_every_event_has_a_composer():
    """Read the events out of the code itself: a new one without words fails here."""
    written = set()
    for app in ("accounts", "doctors", "appointments", "adminpanel"):
        for path in Path(apps.get_app_config(app).path).rglob("*.py"):
            if "tests" not in path.parts:
                code = path.read_text()
                written |= set(re.findall(r"\bnotify_users?\(\s*\"([a-z_.]+)\"", code))
    assert len(written) > 12
    families = {
        *(f"appointment.{status}" for status in ("confirmed", "completed", "cancelled", "moved")),
        *(f"proposal.{answer}" for answer in ("accepted", "declined", "withdrawn", "expired")),
        *(f"doctor.{state}" for state in ("approved", "rejected", "revoked", "license_expired")),
        *("account.activated", "account.deactivated"),
    }
    assert (written | families) - registry.list_events() == set()


# --- GET /api/appointments/{id}/calendar.ics ----------------------------------------------------


def test_both_sides_can_save_the_appointment_for_their_calendar(appointment, users, client_of, now):
    answer = client_of(users.patient).get(f"/api/appointments/{appointment.pk}/calendar.ics")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8; method=PUBLISH"
    assert answer["Content-Disposition"] == f'attachment; filename="appointment-{appointment.date}.ics"'
    calendar = icalendar.Calendar.from_ical(answer.content)
    (event,) = calendar.walk("VEVENT")
    assert (str(calendar["METHOD"]), str(event["STATUS"]), event["SEQUENCE"]) == ("PUBLISH", "TENTATIVE", 1)
    assert "ATTENDEE" not in event
    assert "CANARY" not in answer.content.decode()
    vobject.readOne(answer.content.decode()).validate(raiseException=True)
    doctors = client_of(users.doctor.user).get(f"/api/appointments/{appointment.pk}/calendar.ics")
    (of_doctor,) = icalendar.Calendar.from_ical(doctors.content).walk("VEVENT")
    assert of_doctor["SUMMARY"] == f"Request: appointment with {appointment.patient_name} (not confirmed yet)"
    assert of_doctor["UID"] == event["UID"]


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", date(2027, 3, 26)),
        ("Europe/Berlin", date(2027, 7, 12)),
        ("America/New_York", date(2027, 7, 12)),
        ("America/New_York", date(2027, 11, 5)),
        ("Asia/Kathmandu", date(2027, 5, 5)),
        ("Africa/Casablanca", date(2027, 2, 5)),
    ],
)
def test_calendar_entry_times_are_in_utc(doctor, users, client_of, zone, day):
    doctor.time_zone = zone
    doctor.save()
    for days in (0, 3):
        appointment = make_appointment(doctor, users.patient, day + timedelta(days=days), "09:30", status="confirmed")
        content = client_of(users.patient).get(f"/api/appointments/{appointment.pk}/calendar.ics").content
        assert starts_of(content) == [appointment.starts_at] * 3
        assert b"TZID" not in content


def starts_of(content):
    """Return when the first entry starts by three readers; the last knows UTC alone, as Outlook does."""
    by_icalendar = icalendar.Calendar.from_ical(content).walk("VEVENT")[0]["DTSTART"].dt
    by_vobject = vobject.readOne(content.decode()).vevent.dtstart.value
    (raw,) = re.findall(rb"^DTSTART:(\d{8}T\d{6}Z)\r$", content, re.MULTILINE)
    by_hand = datetime.strptime(raw.decode(), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    return [by_icalendar, by_vobject, by_hand]


def test_changed_domain_keeps_the_uid_of_an_entry(appointment, users, client_of, settings):
    """A site that moves must still find the entries that it put into calendars."""
    found = set()
    for base in ("https://visits.example.org", "https://appointments.newname.example"):
        settings.BASE_URL = base
        content = client_of(users.patient).get(f"/api/appointments/{appointment.pk}/calendar.ics").content
        found.add(str(icalendar.Calendar.from_ical(content).walk("VEVENT")[0]["UID"]))
    assert found == {f"{appointment.pk}@{UID_DOMAIN}"}


def test_lines_are_folded_at_75_octets_between_characters(doctor, users, client_of):
    doctor.hospital_name = ("Clínica de Señales Médicas 医療クリニック 👩‍⚕️ " * 4).strip()
    doctor.save()
    appointment = make_appointment(doctor, users.patient, timezone.now().date() + timedelta(days=9), status="confirmed")
    content = client_of(users.patient).get(f"/api/appointments/{appointment.pk}/calendar.ics").content
    lines = content.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert [line.decode() for line in lines]
    (event,) = icalendar.Calendar.from_ical(content).walk("VEVENT")
    assert doctor.hospital_name in str(event["LOCATION"])


def test_notice_of_a_deleted_appointment_is_dropped(mail, users):
    notify_users("appointment.booked", "appointment", "00000000-0000-0000-0000-000000000000", [users.patient])
    assert deliver() == {"dropped": 1}
