"""Every way an appointment ends reaches its patient and its doctor: one mail that clears the calendar, one bell row.

All of it over HTTP and a real mail server; each calendar file is read by three parsers.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from typing import Any

import icalendar
import pytest
import time_machine
import vobject
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Notice, Role, User
from accounts.notifications.date_format import format_short_datetime
from accounts.tests.factories import PASSWORD
from accounts.tests.mail_links import deliver, text_of
from adminpanel.operations.housekeeping import run_round
from adminpanel.tests.admin.staff import client_for, page_of, staff_member
from appointments.formatting import format_short_when
from appointments.ical import UID_DOMAIN
from appointments.models import Appointment, Proposal, Status
from appointments.tests.factories import make_appointment
from doctors.models import DoctorProfile, Reservation

pytestmark = pytest.mark.django_db


@dataclass
class Scenario:
    """An appointment whose REQUEST is in both calendars, and the people who may end it."""

    users: Any
    client_of: Callable[[User], APIClient]
    pk: str

    @property
    def row(self):
        return Appointment.objects.get(pk=self.pk)

    @property
    def patient(self):
        return User.objects.get(pk=self.users.patient.pk)

    @property
    def doctor(self):
        return User.objects.get(pk=self.users.doctor.pk)

    def ask(self, person, method, path, body=None):
        answer = getattr(self.client_of(person), method)(f"/api{path}", body or {}, format="json")
        assert answer.status_code in {200, 201}, answer.content
        return answer.json()

    def set_status(self, person, status, **more):
        self.ask(person, "put", f"/appointments/{self.pk}/status", {"status": status, **more})


def patient_cancels(scenario):
    scenario.ask(scenario.patient, "put", f"/appointments/{scenario.pk}/cancel", {"reason": "A cold."})


def patient_cant_make_it_before_the_cutoff(scenario):
    data = scenario.ask(scenario.patient, "post", f"/appointments/{scenario.pk}/cancel-request", {"reason": "A cold."})[
        "data"
    ]
    assert data["cancelled"] is True


def doctor_accepts_that_the_patient_cant_make_it(scenario):
    scenario.users.doctor.cancel_cutoff_hours = None
    scenario.users.doctor.save()
    data = scenario.ask(scenario.patient, "post", f"/appointments/{scenario.pk}/cancel-request", {"reason": "A cold."})[
        "data"
    ]
    assert data["cancelled"] is False
    deliver()
    scenario.set_status(scenario.doctor, "cancelled", reason="Get well soon.")
    assert scenario.row.cancel_reply == "Get well soon."


def doctor_ends_it(scenario):
    scenario.set_status(scenario.doctor, "cancelled", reason="A course.")


def doctor_ends_it_while_a_proposal_is_open(scenario):
    row = scenario.row
    body = {"appointmentDate": row.date.isoformat(), "appointmentTime": "15:00"}
    scenario.ask(scenario.doctor, "post", f"/appointments/{scenario.pk}/proposal", body)
    deliver()
    doctor_ends_it(scenario)


def admin_cancels(scenario):
    scenario.ask(scenario.users.admin, "put", f"/appointments/{scenario.pk}/cancel", {"reason": "A flood."})


def staff_cancel_on_the_staff_site(scenario):
    staff = client_for(staff_member("view_appointment", "cancel_appointment"))
    sent = {"action": "cancel", "_selected_action": [scenario.pk], "reason": "A flood."}
    assert staff.post(page_of(Appointment), sent).status_code == 302


def nobody_answers(scenario):
    now = timezone.now()
    Reservation.objects.update(expires_at=now)
    Appointment.objects.update(respond_by=now)
    run_round(now)


def patient_closes_the_account(scenario):
    scenario.ask(scenario.patient, "post", "/auth/account/close", {"currentPassword": PASSWORD})


def doctor_closes_the_account(scenario):
    scenario.ask(scenario.doctor, "post", "/auth/account/close", {"currentPassword": PASSWORD})


def admin_deletes_the_patient(scenario):
    scenario.ask(scenario.users.admin, "delete", f"/admin/users/{scenario.users.patient.pk}")


def admin_deletes_the_doctor(scenario):
    scenario.ask(scenario.users.admin, "delete", f"/admin/doctors/{scenario.users.doctor.pk}")


def operator_erases_the_patient(scenario):
    call_command("erase_person", scenario.patient.email, "--yes")


# By name: the act, whether the doctor confirmed before it, and how the patient's and the doctor's subjects begin.
WAYS = {
    "patient cancels the request": (
        patient_cancels, False, "You cancelled your request for ", "Request cancelled: "),
    "patient can't make it, before the cutoff": (
        patient_cant_make_it_before_the_cutoff, True, "You cancelled your appointment on ", "Cancelled: "),
    "patient can't make it, the doctor accepts": (
        doctor_accepts_that_the_patient_cant_make_it, True,
        "Cancelled: your appointment on ", "You cancelled the appointment on "),
    "doctor declines": (
        doctor_ends_it, False, "Declined: your request for ", "You declined the request for "),
    "doctor cancels": (
        doctor_ends_it, True, "Cancelled: your appointment on ", "You cancelled the appointment on "),
    "doctor declines with a proposal open": (
        doctor_ends_it_while_a_proposal_is_open, False, "Declined: your request for ", "You declined the request for "),
    "doctor cancels with a proposal open": (
        doctor_ends_it_while_a_proposal_is_open, True,
        "Cancelled: your appointment on ", "You cancelled the appointment on "),
    "admin cancels a request": (admin_cancels, False, "Request cancelled: ", "Request cancelled: "),
    "admin cancels": (admin_cancels, True, "Cancelled: your appointment on ", "Cancelled: "),
    "staff site cancels": (staff_cancel_on_the_staff_site, True, "Cancelled: your appointment on ", "Cancelled: "),
    "nobody answers": (nobody_answers, False, "Request expired: ", "Request expired: "),
    "patient closes the account": (
        patient_closes_the_account, True, "Cancelled: your appointment on ", "Cancelled: "),
    "patient closes the account with a request": (
        patient_closes_the_account, False, "Request cancelled: ", "Request cancelled: "),
    "doctor closes the account": (
        doctor_closes_the_account, True, "Cancelled: your appointment on ", "Cancelled: "),
    "admin deletes the patient": (
        admin_deletes_the_patient, True, "Cancelled: your appointment on ", "Cancelled: "),
    "admin deletes the doctor": (
        admin_deletes_the_doctor, True, "Cancelled: your appointment on ", "Cancelled: "),
    "operator erases the patient": (
        operator_erases_the_patient, True, "Cancelled: your appointment on ", "Cancelled: "),
}  # fmt: skip
ENDS = {"appointment.cancelled", "appointment.expired"}


@pytest.fixture
def scenario(users, client_of, mail):
    day = timezone.now().date() + timedelta(days=9)
    while day.weekday() > 4:
        day += timedelta(days=1)
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": day.isoformat(), "appointmentTime": "10:00"}
    answer = client_of(users.patient).post("/api/appointments", body, format="json")
    assert answer.status_code == 201, answer.content
    return Scenario(users, client_of, answer.json()["data"]["appointment"]["_id"])


@pytest.mark.parametrize("way", WAYS)
def test_both_sides_get_one_mail_and_one_inbox_notice_on_cancellation(scenario, mail, way):
    act, is_confirmed, to_patient, to_doctor = WAYS[way]
    if is_confirmed:
        scenario.set_status(scenario.doctor, "confirmed")
    deliver()
    starts_at, addresses = scenario.row.starts_at, (scenario.patient.email, scenario.doctor.email)
    before = {address: len(mail.to(address)) for address in addresses}
    sequences = {address: get_event(mail.to(address)[-1])["SEQUENCE"] for address in addresses}

    act(scenario)
    deliver()

    row = scenario.row
    assert row.status == Status.CANCELLED
    for person, address, subject in zip(
        (scenario.patient, scenario.doctor), addresses, (to_patient, to_doctor), strict=True
    ):
        later = mail.to(address)[before[address] :]
        ends = [one for one in later if has_calendar_file(one) and get_method(one) == "CANCEL"]
        assert len(ends) == 1, (way, address, [one["Subject"] for one in later])
        (end,) = ends
        assert end["Subject"].startswith(subject), (way, end["Subject"])
        # No mail holds a patient's or doctor's own words (ADR 0044).
        for words in ("A cold.", "Get well soon."):
            assert words not in end.as_string()
            assert words not in text_of(end)
        event = get_event(end)
        assert str(event["UID"]) == f"{row.pk}@{UID_DOMAIN}"
        assert event["SEQUENCE"] > sequences[address]
        assert str(event["STATUS"]) == "CANCELLED"
        assert list_starts(parse_calendar_file(end)) == [starts_at] * 3
        assert str(event["ORGANIZER"]) == f"mailto:{parseaddr(end['From'])[1]}"
        assert str(event["ATTENDEE"]) == f"mailto:{parseaddr(end['To'])[1]}"
        # Nothing after it brings the entry back.
        assert later[-1] is end or not has_calendar_file(later[-1])
        if way.startswith("operator erases") and person == scenario.patient:
            # Their notifications are erased, too.
            continue
        bell = Notice.objects.filter(recipient=person, subject_id=str(row.pk), event__in=ENDS, state="sent")
        assert bell.count() == 1, way
        if person.ended_at is None:
            shown = scenario.client_of(person).get("/api/notices").json()["data"]["notices"]
            assert [one["event"] for one in shown].count(bell.get().event) == 1


def test_bulk_cancellation_updates_both_calendars_with_one_mail_each(scenario, mail):
    """A doctor who takes a day off gets one summary for all appointments, with a file for their own calendar."""
    scenario.set_status(scenario.doctor, "confirmed")
    deliver()
    before = {person.pk: len(mail.to(person.email)) for person in (scenario.patient, scenario.doctor)}
    day_off = {"overrides": [{"date": scenario.row.date.isoformat(), "hours": []}]}
    decided = {"visits": {scenario.pk: "cancel"}, "reason": "Away that day."}
    scenario.ask(scenario.doctor, "put", "/doctors/schedule", {**day_off, **decided})
    deliver()
    (told,) = mail.to(scenario.patient.email)[before[scenario.patient.pk] :]
    (summary,) = mail.to(scenario.doctor.email)[before[scenario.doctor.pk] :]
    assert (get_method(told), str(get_event(told)["STATUS"])) == ("CANCEL", "CANCELLED")
    assert summary["Subject"] == "You changed 1 appointment"
    (file,) = [part for part in summary.walk() if part.get_content_type() == "application/ics"]
    (entry,) = icalendar.Calendar.from_ical(file.get_payload(decode=True)).walk("VEVENT")
    assert (str(entry["UID"]), str(entry["STATUS"])) == (f"{scenario.pk}@{UID_DOMAIN}", "CANCELLED")
    assert entry["SEQUENCE"] == get_event(told)["SEQUENCE"] == scenario.row.version


def test_confirming_and_moving_update_both_calendars(scenario, mail):
    """The one who acts holds an entry, too: the doctor's must not stay tentative, nor at the old time."""
    body = {"appointmentDate": scenario.row.date.isoformat(), "appointmentTime": "14:00"}
    deliver()
    scenario.ask(scenario.patient, "put", f"/appointments/{scenario.pk}/reschedule", body)
    deliver()
    scenario.set_status(scenario.doctor, "confirmed")
    deliver()
    scenario.ask(scenario.doctor, "post", f"/appointments/{scenario.pk}/move", {**body, "appointmentTime": "15:00"})
    deliver()
    row = scenario.row
    for person in (scenario.patient, scenario.doctor):
        events = [get_event(one) for one in mail.to(person.email) if has_calendar_file(one)]
        assert [str(event["STATUS"]) for event in events] == ["TENTATIVE", "TENTATIVE", "CONFIRMED", "CONFIRMED"]
        assert {str(event["UID"]) for event in events} == {f"{row.pk}@{UID_DOMAIN}"}
        rising = [event["SEQUENCE"] for event in events]
        assert rising == sorted(set(rising))
        assert events[-1]["DTSTART"].dt == row.starts_at
    subjects = {person.role: [one["Subject"].split(":")[0] for one in mail.to(person.email)] for person in
                (scenario.patient, scenario.doctor)}  # fmt: skip
    assert subjects[Role.DOCTOR][2].startswith("You confirmed the appointment on ")
    moved = mail.to(scenario.patient.email)[-1]
    assert "moved it to the time below." in text_of(moved)
    assert "at 2:00 PM." in text_of(moved)
    assert "If the new time doesn't work for you" in text_of(moved)


def test_accepting_the_doctors_suggested_time_confirms_for_both(scenario, mail):
    row = scenario.row
    deliver()
    body = {"appointmentDate": row.date.isoformat(), "appointmentTime": "15:00"}
    scenario.ask(scenario.doctor, "post", f"/appointments/{scenario.pk}/proposal", body)
    deliver()
    asked = text_of(mail.to(scenario.patient.email)[-1])
    proposal = Proposal.objects.get()
    deadline = format_short_datetime(proposal.expires_at, proposal.time_zone)
    assert f"We're holding both times. Please reply by {deadline}." in asked
    assert f"If you don't, your request for {format_short_when(row)} stays as it is and can still expire." in asked
    scenario.ask(scenario.patient, "put", f"/appointments/{scenario.pk}/proposal", {"accept": True})
    deliver()
    own, told = mail.to(scenario.patient.email)[-1], mail.to(scenario.doctor.email)[-1]
    assert "You accepted the suggested time." in text_of(own)
    assert f"{scenario.patient.name} accepted the suggested time." in text_of(told)
    for one in (own, told):
        assert "The appointment is confirmed." in text_of(one)
        assert str(get_event(one)["STATUS"]) == "CONFIRMED"


def test_request_moved_by_the_doctor_is_notified_as_confirmed(scenario, mail):
    deliver()
    body = {"appointmentDate": scenario.row.date.isoformat(), "appointmentTime": "15:00"}
    scenario.ask(scenario.doctor, "post", f"/appointments/{scenario.pk}/move", body)
    deliver()
    for person in (scenario.patient, scenario.doctor):
        assert "The appointment is confirmed." in text_of(mail.to(person.email)[-1])


def test_doctor_gets_the_confirmation_although_the_patient_cannot_make_it(scenario, mail):
    """What the patient asks within the time to undo is no later word on the appointment's status."""
    deliver()
    DoctorProfile.objects.filter(pk=scenario.doctor.pk).update(cancel_cutoff_hours=None)
    scenario.set_status(scenario.doctor, "confirmed", undoable=True)
    scenario.ask(scenario.patient, "post", f"/appointments/{scenario.pk}/cancel-request", {"reason": "A cold."})
    with time_machine.travel(timezone.now() + timedelta(seconds=11), tick=False):
        deliver()
    entries = [get_event(one) for one in mail.to(scenario.doctor.email) if has_calendar_file(one)]
    assert str(entries[-1]["STATUS"]) == "CONFIRMED"


def test_undone_confirmation_notifies_nobody(scenario, mail):
    deliver()
    before = len(mail.messages)
    scenario.set_status(scenario.doctor, "confirmed", undoable=True)
    deliver()
    titles = [
        one["event"] for one in scenario.client_of(scenario.patient).get("/api/notices").json()["data"]["notices"]
    ]
    assert "appointment.confirmed" not in titles
    scenario.ask(scenario.doctor, "post", f"/appointments/{scenario.pk}/undo")
    with time_machine.travel(timezone.now() + timedelta(seconds=11), tick=False):
        deliver()
    assert len(mail.messages) == before
    assert scenario.row.status == Status.PENDING


def test_a_confirmation_is_sent_once_the_time_to_undo_is_over(scenario, mail):
    deliver()
    scenario.set_status(scenario.doctor, "confirmed", undoable=True)
    with time_machine.travel(timezone.now() + timedelta(seconds=11), tick=False):
        deliver()
    last = [mail.to(person.email)[-1] for person in (scenario.patient, scenario.doctor)]
    assert [str(get_event(one)["STATUS"]) for one in last] == ["CONFIRMED", "CONFIRMED"]


def test_withdrawn_cannot_make_it_notifies_the_doctor(scenario, mail):
    scenario.users.doctor.cancel_cutoff_hours = None
    scenario.users.doctor.save()
    scenario.set_status(scenario.doctor, "confirmed")
    scenario.ask(scenario.patient, "post", f"/appointments/{scenario.pk}/cancel-request", {"reason": "A cold."})
    deliver()
    scenario.ask(scenario.patient, "delete", f"/appointments/{scenario.pk}/cancel-request")
    deliver()
    asked, withdrawn = mail.to(scenario.doctor.email)[-2:]
    assert asked["Subject"] == f"{scenario.patient.name} can't make it on {format_short_when(scenario.row)}"
    assert withdrawn["Subject"] == f"{scenario.patient.name} can make it on {format_short_when(scenario.row)}"
    assert not has_calendar_file(withdrawn)


def test_doctor_who_books_or_reopens_gets_the_calendar_entry(scenario, mail):
    doctor, patient = scenario.doctor, scenario.patient
    body = {"appointmentDate": scenario.row.date.isoformat(), "appointmentTime": "16:00"}
    scenario.ask(doctor, "post", f"/doctors/patients/{patient.pk}/appointments", body)
    deliver()
    assert mail.to(doctor.email)[-1]["Subject"].startswith("You booked an appointment: ")
    assert "booked an appointment for you." in text_of(mail.to(patient.email)[-1])
    past = make_appointment(
        scenario.users.doctor, patient, timezone.now().date() - timedelta(days=1), "10:00", status="confirmed"
    )
    scenario.ask(doctor, "put", f"/appointments/{past.pk}/status", {"status": "completed"})
    deliver()
    scenario.ask(doctor, "post", f"/appointments/{past.pk}/reopen")
    deliver()
    own, told = mail.to(doctor.email)[-1], mail.to(patient.email)[-1]
    assert own["Subject"] == f"You reopened the appointment on {format_short_when(past)}"
    assert told["Subject"] == f"Your appointment on {format_short_when(past)} was reopened"
    assert [get_method(one) for one in (own, told)] == ["REQUEST", "REQUEST"]


def has_calendar_file(mail):
    return any(part.get_content_type() == "text/calendar" for part in mail.walk())


def parse_calendar_file(mail):
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    return part.get_payload(decode=True)


def get_method(mail):
    """Return the method, which the file and the part must name alike."""
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    method = str(icalendar.Calendar.from_ical(parse_calendar_file(mail))["METHOD"])
    assert part.get_param("method") == method == vobject.readOne(parse_calendar_file(mail).decode()).method.value
    return method


def get_event(mail):
    calendar = icalendar.Calendar.from_ical(parse_calendar_file(mail))
    (event,) = calendar.walk("VEVENT")
    assert (calendar.errors, event.errors, calendar.walk("VTIMEZONE")) == ([], [], [])
    vobject.readOne(parse_calendar_file(mail).decode()).validate(raiseException=True)
    return event


def list_starts(file):
    """Return when the entry starts by three readers; the last knows UTC alone, as Outlook does."""
    by_icalendar = icalendar.Calendar.from_ical(file).walk("VEVENT")[0]["DTSTART"].dt
    by_vobject = vobject.readOne(file.decode()).vevent.dtstart.value
    (raw,) = re.findall(rb"^DTSTART:(\d{8}T\d{6}Z)\r?$", file, re.MULTILINE)
    return [by_icalendar, by_vobject, datetime.strptime(raw.decode(), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)]
