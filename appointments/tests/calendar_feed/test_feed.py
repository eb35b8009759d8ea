"""The private calendar address: what it shows to whom, and how cheap asking again is."""

import gzip
from datetime import timedelta

import brotli
import icalendar
import pytest
import vobject
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import calendar_feed
from accounts.auth import mfa_enrollment
from accounts.auth.account_status import set_user_status
from accounts.credentials import signed_links
from accounts.models import AccountStatus, AuditEvent, CalendarFeed, Notice, Session, User
from accounts.notifications.registry import compose_message
from accounts.tests.factories import PatientFactory
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from appointments.ical import UID_DOMAIN
from appointments.models import Appointment, Status
from appointments.scheduling.account_closure import end_account
from appointments.tests.factories import make_appointment
from appointments.transitions import change_status
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

CANARIES = {
    name: f"CANARY-{name}" for name in ("symptoms", "patient_notes", "doctor_notes", "diagnosis", "prescription_notes")
}
ADDRESS = "/api/auth/calendar-feed"


@pytest.fixture(autouse=True)
def base(settings):
    settings.BASE_URL = "https://visits.example.org"


@pytest.fixture
def today():
    return timezone.now().date()


@pytest.fixture
def appointment(users, today):
    return make_appointment(users.doctor, users.patient, today + timedelta(days=9), status=Status.CONFIRMED, **CANARIES)


def make(client):
    answer = client.post(ADDRESS)
    assert answer.status_code == 201
    return answer.json()["data"]["address"].removeprefix("https://visits.example.org")


def events(answer):
    """Read a feed with two readers; return its entries by their UIDs."""
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8; method=PUBLISH")
    calendar = icalendar.Calendar.from_ical(answer.content)
    assert (calendar.errors, calendar["method"]) == ([], "PUBLISH")
    found = {str(event["uid"]): event for event in calendar.walk("VEVENT")}
    assert all(not event.errors for event in found.values())
    second = vobject.readOne(answer.content.decode())
    assert {event.uid.value for event in getattr(second, "vevent_list", [])} == set(found)
    assert all(event["dtstart"].to_ical().endswith(b"Z") for event in found.values())
    assert calendar.walk("VTIMEZONE") == []
    return found


def uid(appointment):
    return f"{appointment.pk}@{UID_DOMAIN}"


def test_feed_address_is_shown_once_and_stored_as_a_hash(users, client_of):
    client = client_of(users.patient)
    assert client.get(ADDRESS).json()["data"] == {"feed": None}
    answer = client.post(ADDRESS, HTTP_HOST="testserver").json()["data"]
    assert answer["address"].startswith("https://visits.example.org/calendar/")
    feed = CalendarFeed.objects.get()
    secret = answer["address"].rsplit("/", 1)[-1].removesuffix(".ics")
    assert len(secret) == 43
    assert feed.secret_hash == calendar_feed.hash_secret(secret) != secret
    assert set(client.get(ADDRESS).json()["data"]["feed"]) == {"createdAt"}
    assert [event.event for event in AuditEvent.objects.filter(event__startswith="calendar_feed")] == [
        "calendar_feed.made"
    ]
    assert secret not in repr(list(AuditEvent.objects.values()))


def test_new_feed_address_replaces_the_old_one_and_can_be_revoked(users, client_of, appointment):
    client, stranger = client_of(users.patient), Client()
    first, second = make(client), make(client)
    assert [stranger.get(address).status_code for address in (first, second)] == [404, 200]
    for _ in range(2):
        assert client.delete(ADDRESS).status_code == 200
    assert stranger.get(second).status_code == 404
    assert AuditEvent.objects.filter(event="calendar_feed.revoked").count() == 1


def test_creating_a_feed_notifies_the_owner_without_the_address(users, client_of, appointment, monkeypatch):
    """A session that somebody else had for a moment would otherwise read on for years, unseen."""
    monkeypatch.setattr(calendar_feed, "creation_limit", RateLimit("feeds-made", 2))
    client = client_of(users.patient)
    addresses = [make(client) for _ in range(2)]
    refused = client.post(ADDRESS)
    assert (refused.status_code, refused.json()["code"], "Retry-After" in refused) == (429, "too_many", True)
    told = Notice.objects.filter(recipient=users.patient, event=calendar_feed.FEED_CREATED)
    assert list(told.order_by("version").values_list("version", flat=True)) == [1, 2]
    for notice in told:
        message = compose_message(notice)
        assert message.action[1] == "/profile/notices"
        assert not any(
            address.split("/")[2].removesuffix(".ics") in repr((message, notice.detail)) for address in addresses
        )
    make(client_of(users.other_patient))


@pytest.mark.parametrize("road", ["reset", "operator"])
def test_account_recovery_revokes_the_feed_address(users, client_of, api, appointment, road):
    """An intruder may have made the address, which asks for no password and ends with no session."""
    lost, others = make(client_of(users.patient)), make(client_of(users.doctor.user))
    if road == "reset":
        event, token = (
            "account.password_reset",
            signed_links.build_link(signed_links.PASSWORD_RESET, users.patient, timezone.now()),
        )
        sent = {"token": token.split("?token=")[1], "newPassword": "fresh-blue-kettle"}
        assert api.post("/api/auth/password/reset/confirm", sent, format="json").status_code == 200
    else:
        event = "account.second_step_reset"
        User.objects.filter(pk=users.patient.pk).update(second_step_at=timezone.now())
        assert mfa_enrollment.reset_second_step(users.patient, timezone.now())
    assert [Client().get(address).status_code for address in (lost, others)] == [404, 200]
    assert AuditEvent.objects.filter(event="calendar_feed.revoked").count() == 1
    gone = "Your private calendar link no longer works. You can create a new one."
    notice = Notice.objects.get(event=event)
    assert gone in compose_message(notice).lines
    notice.detail = {"feed": False}
    assert gone not in compose_message(notice).lines


def test_feed_addresses_of_users_are_independent(users, client_of):
    one, other = client_of(users.patient), client_of(users.other_patient)
    make(one)
    assert other.get(ADDRESS).json()["data"] == {"feed": None}
    assert other.delete(ADDRESS).status_code == 200
    assert list(CalendarFeed.objects.values_list("user", flat=True)) == [users.patient.pk]
    make(other)
    one.delete(ADDRESS)
    assert list(CalendarFeed.objects.values_list("user", flat=True)) == [users.other_patient.pk]


@pytest.mark.parametrize("side", ["patient", "doctor"])
def test_feed_contains_own_appointments_without_clinical_text(users, client_of, appointment, today, side):
    foreign = make_appointment(
        users.other_doctor, users.other_patient, today + timedelta(days=9), status=Status.CONFIRMED
    )
    person = users.patient if side == "patient" else users.doctor.user
    # Neither cookie nor token.
    answer = Client().get(make(client_of(person)))
    entries = events(answer)
    assert set(entries) == {uid(appointment)} != {uid(foreign)}
    entry = entries[uid(appointment)]
    other = f"Dr. {users.doctor.user.name}" if side == "patient" else users.patient.name
    assert str(entry["summary"]) == f"Appointment with {other}"
    assert (entry["sequence"], str(entry["status"])) == (appointment.version, "CONFIRMED")
    assert entry["dtstart"].dt == appointment.starts_at
    assert "organizer" not in entry
    assert b"CANARY" not in answer.content
    assert appointment.specialization.encode() not in answer.content
    assert not answer.cookies


def test_feed_contains_the_past_year_and_all_upcoming_but_no_cancelled_ones(users, client_of, appointment, today):
    def at(days, status, **fields):
        return make_appointment(users.doctor, users.patient, today + timedelta(days=days), status=status, **fields)

    past, old = at(-360, Status.COMPLETED), at(-367, Status.COMPLETED)
    far = at(179, Status.PENDING)
    cancelled = at(11, Status.CANCELLED)
    unanswered = at(12, Status.PENDING, respond_by=timezone.now() - timedelta(minutes=1))
    entries = events(Client().get(make(client_of(users.patient))))
    assert set(entries) == {uid(past), uid(appointment), uid(far)}
    assert not {uid(old), uid(cancelled), uid(unanswered)} & set(entries)
    assert str(entries[uid(far)]["status"]) == "TENTATIVE"


def test_feed_contains_the_time_zones_of_all_clinics(users, client_of, today):
    for zone in ("America/New_York", "Europe/Berlin", "Australia/Lord_Howe"):
        doctor = DoctorFactory.create(time_zone=zone)
        make_appointment(doctor, users.patient, today + timedelta(days=20), status=Status.CONFIRMED)
    entries = events(Client().get(make(client_of(users.patient))))
    assert {entry["dtstart"].dt for entry in entries.values()} == set(
        Appointment.objects.values_list("starts_at", flat=True)
    )


def test_empty_feed_is_a_valid_calendar(users, client_of):
    answer = Client().get(make(client_of(users.patient)))
    assert answer.status_code == 200
    assert icalendar.Calendar.from_ical(answer.content).errors == []


def test_unchanged_feed_returns_304_with_few_queries(users, client_of, appointment):
    client, address = Client(), make(client_of(users.patient))
    known = client.get(address)["ETag"]

    def again():
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(address, HTTP_IF_NONE_MATCH=known)
        return answer, len(captured)

    answer, cost = again()
    assert (answer.status_code, answer.content, answer["ETag"], cost) == (304, b"", known, 2)
    assert client.head(address).status_code == 200
    seen = {known}
    now = timezone.now()

    def changed():
        answer, _ = again()
        assert (answer.status_code, answer["ETag"] in seen) == (200, False)
        seen.add(answer["ETag"])

    change_status(appointment, Status.CANCELLED, actor=users.admin, now=now, reason="Closed.")
    changed()
    waiting = make_appointment(users.doctor, users.patient, appointment.date, status=Status.PENDING)
    changed()
    # Nobody writes anything when a deadline passes.
    Appointment.objects.filter(pk=waiting.pk).update(respond_by=now - timedelta(seconds=1))
    answer, _ = again()
    assert events(answer) == {}


@pytest.mark.parametrize(("accepted", "coding"), [("gzip", "gzip"), ("br, gzip", "br"), ("gzip;q=0", ""), ("", "")])
def test_the_feed_is_compressed_for_clients_that_accept_it(users, client_of, appointment, accepted, coding):
    client, address = Client(), make(client_of(users.patient))
    plain_body = client.get(address).content
    answer = client.get(address, HTTP_ACCEPT_ENCODING=accepted)
    unpack = {"gzip": gzip.decompress, "br": brotli.decompress, "": bytes}[coding]
    assert (answer.get("Content-Encoding", ""), unpack(answer.content)) == (coding, plain_body)
    assert "Accept-Encoding" in answer["Vary"]
    assert int(answer["Content-Length"]) == len(answer.content)
    # A cache must not take the one form for the other.
    assert (answer["ETag"] == client.get(address)["ETag"]) == (coding == "")
    again = client.get(address, HTTP_ACCEPT_ENCODING=accepted, HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_head_has_the_headers_of_get_and_no_body(users, client_of, appointment):
    client, address = Client(), make(client_of(users.patient))
    got, headed = client.get(address), client.head(address)
    assert (headed.status_code, headed.content) == (200, b"")
    one, other = ({**answer.headers, "X-Request-ID": ""} for answer in (got, headed))
    assert one == other


def test_user_who_cannot_log_in_has_no_feed(users, client_of, appointment):
    client = Client()
    stopped, ended, erased = make(client_of(users.patient)), make(client_of(users.other_patient)), "/calendar/x.ics"
    set_user_status(users.patient, AccountStatus.INACTIVE, actor=users.admin, now=timezone.now())
    end_account(users.other_patient.pk, actor=users.admin, now=timezone.now())
    assert [client.get(address).status_code for address in (stopped, ended, erased)] == [404] * 3
    users.patient.refresh_from_db()
    set_user_status(users.patient, AccountStatus.ACTIVE, actor=users.admin, now=timezone.now())
    assert client.get(stopped).status_code == 200


def test_feed_address_is_read_only(users, client_of, appointment):
    address = make(client_of(users.patient))
    for client in (Client(), Client(enforce_csrf_checks=True)):
        assert [client.generic(method, address).status_code for method in ("POST", "PUT", "DELETE")] == [405] * 3


def test_guessing_feed_addresses_is_limited_and_affects_nobody_else(users, client_of, monkeypatch):
    monkeypatch.setattr(calendar_feed, "guess_limit", NetworkRateLimit("calendar-feed", 5))
    client, address = Client(), make(client_of(users.patient))
    wrong = address[:-6] + ("aa" if address[-6:-4] != "aa" else "bb") + ".ics"
    answers = [
        client.get(one) for one in (wrong, "/calendar/short.ics", f"/calendar/{'é' * 43}.ics", wrong, wrong, wrong)
    ]
    assert [answer.status_code for answer in answers] == [404] * 5 + [429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert client.get(address).status_code == 200


def test_reading_the_feed_is_not_session_activity_and_is_not_cached(users, client_of):
    address = make(client_of(users.patient))
    before = list(Session.objects.values_list("last_seen_at"))
    answer = Client().get(address)
    assert list(Session.objects.values_list("last_seen_at")) == before
    assert (answer["Cache-Control"], answer["X-Robots-Tag"]) == ("private, no-cache", "noindex")
    assert (answer["Referrer-Policy"], answer["X-Content-Type-Options"]) == ("no-referrer", "nosniff")
    assert Client().post(address).status_code == 405


def test_long_feed_takes_the_same_number_of_queries(users, client_of, today):
    address = make(client_of(users.doctor.user))
    for days in range(30):
        make_appointment(
            users.doctor, PatientFactory.create(), today + timedelta(days=days + 1), status=Status.CONFIRMED
        )
    with CaptureQueriesContext(connection) as captured:
        assert len(events(Client().get(address))) == 30
    # Whose the address is, the tag, the appointments, whose data was read.
    assert len(captured) == 4


@pytest.mark.parametrize("method", ["get", "post", "delete"])
def test_admin_has_no_feed_address(method, users, client_of):
    answer = getattr(client_of(users.admin), method)(ADDRESS)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_role")
