"""What is told of appointments in the reader's language, by mail, in calendars, and by each channel."""

from datetime import time, timedelta
from typing import ClassVar

import icalendar
import pytest
import time_machine
import vobject
from django.utils import timezone
from django.utils.translation import override

from accounts.models import Notice, User
from accounts.notifications import registry
from accounts.notifications.channels import CHANNELS
from accounts.tests.factories import PatientFactory
from accounts.tests.mail_links import deliver, text_of
from accounts.tests.notifications.hostile_name import HOSTILE
from appointments.models import ACCOUNT_CLOSED_REASONS, Appointment, Status
from appointments.notifications import reminders
from appointments.notifications.messages import CLOSURE_REASON_TEXTS
from appointments.scheduling.account_closure import end_account
from appointments.scheduling.booking import book_appointment
from appointments.tests.factories import make_appointment
from appointments.tests.notifications.reminder_rounds import DAY, HOUR, MINUTE, START, confirmed, rest
from appointments.transitions import change_status

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

LANGUAGES = {
    "en": "Request: appointment with Dr. ",
    "de": "Anfrage: Termin mit Dr. ",
    "es": "Solicitud: cita con Dr./Dra. ",
}


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def doctor(users):
    doctor = users.doctor
    doctor.hospital_name, doctor.hospital_street = "Hill Street Clinic", "12 Hill Street"
    doctor.hospital_phone, doctor.time_zone = "+1 202 555 0145", "Europe/Berlin"
    doctor.save()
    return doctor


@pytest.fixture
def appointment(doctor, users, now):
    day = now.date() + timedelta(days=8)
    while day.weekday() > 4:
        day += timedelta(days=1)
    appointment, _ = book_appointment(
        users.patient, doctor.pk, day, time(10), symptoms="", notes="", now=now, hold_secret=""
    )
    return appointment


def speak(person, language):
    User.objects.filter(pk=person.pk).update(language=language)


def file_in(mail):
    (part,) = [part for part in mail.walk() if part.get_content_type() == "text/calendar"]
    raw = part.get_payload(decode=True).decode()
    vobject.readOne(raw).validate(raiseException=True)
    return icalendar.Calendar.from_ical(raw).walk("VEVENT")[0]


def test_a_german_hears_in_german_and_the_doctor_in_english(mail, appointment, users, now):
    speak(users.patient, "de")
    assert deliver() == {"sent": 2}
    change_status(appointment, Status.CONFIRMED, actor=users.doctor.user, now=now)
    assert deliver() == {"sent": 2}
    request, confirmed = mail.to(users.patient.email)
    to_doctor, own = mail.to(users.doctor.user.email)
    assert own["Subject"].startswith("You confirmed the appointment on ")
    assert request["Content-Language"] == confirmed["Content-Language"] == "de"
    assert to_doctor["Content-Language"] == "en"
    assert confirmed["Subject"].strip().startswith("Ihr Termin am ")
    assert confirmed["Subject"].endswith(", um 10:00 Uhr ist bestätigt")
    assert to_doctor["Subject"].startswith("New request: ")
    text = text_of(confirmed)
    for line in (
        "hat Ihren Termin bestätigt.",
        "10:00 Uhr, Ortszeit Berlin (M",
        "Wo: Hill Street Clinic, 12 Hill Street",
        "Telefon: (202) 555-0145",
        "Termin ansehen:",
        "Diese E-Mails abbestellen: https://visits.example.org/api/notices/unsubscribe?token=",
    ):
        assert line in text
    page = confirmed.get_body(("html",)).get_content()
    assert '<html lang="de">' in page
    assert "Oder öffnen Sie diesen Link:" in page
    assert "verfällt Ihre Anfrage, und es ist nichts gebucht." in text_of(request)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hostile_name_is_just_a_name_in_a_mail(mail, appointment, users, language):
    speak(users.doctor.user, language)
    Appointment.objects.update(patient_name=HOSTILE)
    Notice.objects.exclude(recipient=users.doctor.user).delete()
    assert deliver() == {"sent": 1}
    (one,) = mail.to(users.doctor.user.email)
    assert HOSTILE in text_of(one)
    page = one.get_body(("html",)).get_content()
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; {{ Co }}" in page
    assert "<b>" not in page


def test_a_calendar_entry_is_the_same_one_in_every_language(mail, appointment, users, now):
    entries = []
    for language, summary in LANGUAGES.items():
        speak(users.patient, language)
        Notice.objects.update(state="waiting", message_id="")
        deliver()
        entry = file_in(mail.to(users.patient.email)[-1])
        assert str(entry["SUMMARY"]).startswith(summary)
        entries.append({name: entry[name].to_ical() for name in ("UID", "SEQUENCE", "DTSTART", "DTSTAMP", "URL")})
    assert entries[0] == entries[1] == entries[2]


def test_what_is_saved_and_what_calendars_read_is_in_ones_language(appointment, users, client_of, api):
    client = client_of(users.patient)
    address = client.post("/api/auth/calendar-feed").json()["data"]["address"]
    path = address[address.index("/calendar/") :]
    tags, seen = set(), {}
    for language, summary in LANGUAGES.items():
        client.put("/api/auth/notice-settings", {"language": language}, format="json")
        answer = client.get(f"/api/appointments/{appointment.pk}/calendar.ics")
        saved = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")[0]
        assert str(saved["SUMMARY"]).startswith(summary)
        # A calendar that has the feed in another language fetches it again.
        feed = api.get(path, HTTP_IF_NONE_MATCH=next(iter(tags), '"none"'))
        assert feed.status_code == 200
        tags.add(feed["ETag"])
        calendar = icalendar.Calendar.from_ical(feed.content)
        seen[language] = str(calendar["X-WR-CALNAME"])
        assert str(calendar.walk("VEVENT")[0]["SUMMARY"]).startswith(summary)
        assert calendar.walk("VEVENT")[0]["UID"] == saved["UID"]
    assert len(tags) == 3
    assert seen == {"en": "Appointments at Wellhour", "de": "Termine bei Wellhour", "es": "Citas de Wellhour"}


def test_our_own_reasons_are_told_in_the_readers_language(mail, appointment, users, now):
    speak(users.doctor.user, "es")
    deliver()
    end_account(users.patient.pk, actor=users.admin, now=now)
    deliver()
    told = mail.to(users.doctor.user.email)[-1]
    assert "Motivo: Se ha cerrado la cuenta del paciente o la paciente." in text_of(told)


def test_every_reason_that_the_database_keeps_has_words():
    assert {role: words() for role, words in CLOSURE_REASON_TEXTS.items()} == ACCOUNT_CLOSED_REASONS
    for language in ("de", "es"):
        with override(language):
            assert {words() for words in CLOSURE_REASON_TEXTS.values()}.isdisjoint(ACCOUNT_CLOSED_REASONS.values())


@pytest.mark.parametrize(("name", "words"), [("Ana Ruiz", "Dr./Dra. Ana Ruiz"), ("Dra. Ana Ruiz", "Dra. Ana Ruiz")])
def test_nobody_is_called_doctor_twice(doctor, users, name, words):
    appointment = make_appointment(
        doctor, users.patient, timezone.now().date() + timedelta(days=3), "10:00", status="confirmed"
    )
    appointment.doctor_name = name
    appointment.save()
    speak(users.patient, "es")
    reminder = Notice(event="appointment.confirmed", subject_type="appointment", subject_id=str(appointment.pk),
                      recipient=User.objects.get(pk=users.patient.pk), version=1)  # fmt: skip
    assert registry.compose_message(reminder).facts[0] == ("Médico/a", words)


# --- Reminders, by each channel ---------------------------------------------------------------


class Slips:
    label: ClassVar[str] = "Slip of paper"
    reaches_everyone: ClassVar[bool] = False
    written: ClassVar[list[tuple[str, str]]] = []

    @classmethod
    def get_address(cls, person):
        return person.phone

    def __enter__(self):
        return self

    def __exit__(self, *about):
        pass

    def send(self, message, to, message_id):
        self.written.append((to, message.title))


def test_reminders_come_by_each_wanted_channel_in_ones_language(mail, doctor, users, client_of, monkeypatch):
    monkeypatch.setitem(CHANNELS, "slip", Slips)
    monkeypatch.setattr(Slips, "written", [])
    mute = PatientFactory.create(phone="")
    speak(users.patient, "de")
    for patient, hours in ((users.patient, 0), (users.patient, 1), (mute, 2)):
        confirmed(doctor, patient, START + 2 * DAY + hours * HOUR)
    rest(START - MINUTE)
    with time_machine.travel(START + 3 * HOUR, tick=False):
        client_of(users.patient).put("/api/auth/notice-settings", {"channels": {"reminders": ["slip"]}}, format="json")
        # Two people are reminded: by two channels, and by one.
        assert reminders.create_due_reminders(timezone.now()) == 2
        rows = Notice.objects.filter(event=reminders.EVENT)
        assert sorted(rows.values_list("channel", "state")) == [
            ("email", "merged"), ("email", "waiting"), ("email", "waiting"), ("slip", "merged"), ("slip", "waiting"),
        ]  # fmt: skip
        assert reminders.create_due_reminders(timezone.now()) == 0
        assert deliver() == {"sent": 2, "dropped": 1}
        # The page reminds once, whatever was chosen for mails.
        shown = client_of(User.objects.get(pk=users.patient.pk)).get("/api/notices").json()["data"]["notices"]
    assert [to for to, _ in mail.messages] == [mute.email]
    ((to, title),) = Slips.written
    assert to == users.patient.phone
    assert title.startswith("Ihre 2 Termine am Do., 11. Juni")
    assert [notice["title"] for notice in shown] == [title]
