"""Test notification preferences, quiet hours and unsubscribe links."""

import re
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.signing import Signer
from django.utils import timezone

from accounts.models import AccountStatus, AuditEvent, Notice, NoticeSettings, User
from accounts.notifications import preferences, registry
from accounts.notifications.outbox import notify_user, notify_users
from accounts.notifications.preferences import (
    check_preferences,
    get_quiet_hours_end,
    list_reminders_by_user,
    wants_invitation,
)
from accounts.notifications.registry import ALWAYS, Message, RegisteredComposer
from accounts.tests.factories import PatientFactory
from accounts.tests.mail_links import BASE, deliver, text_of

ADDRESS = "/api/auth/notice-settings"
STOP = "/api/notices/unsubscribe"

DEFAULTS = {
    "reminders": ["7d", "48h", "2h"],
    "offeredReminders": ["7d", "48h", "2h"],
    "offeredChannels": [{"name": "email", "label": "Email"}],
    "channels": {"changes": ["email"], "reminders": ["email"]},
    "language": "en",
    "offeredLanguages": [
        {"code": "en", "name": "English"},
        {"code": "de", "name": "Deutsch"},
        {"code": "es", "name": "Español"},
    ],
    "quietHours": None,
    "timeZone": "America/New_York",
    "calendarInvitations": True,
}


@pytest.fixture(autouse=True)
def events(monkeypatch):
    """One invented event of each kind."""
    for kind in ("appointment", "reminder", ALWAYS):
        monkeypatch.setitem(
            registry._composers, f"test.{kind}", RegisteredComposer(lambda notice: Message("Hi", "Hi"), kind)
        )


def put(client, body):
    return client.put(ADDRESS, body, format="json")


def notice_of(person, kind="appointment", subject="test", **more):
    notify_users(f"test.{kind}", subject, "1", [person], **more)
    return Notice.objects.latest("pk")


def test_preferences_have_defaults(patient, client_of):
    assert client_of(patient).get(ADDRESS).json()["data"] == DEFAULTS
    assert NoticeSettings.objects.count() == 0


def test_sent_preferences_change_and_absent_ones_stay(patient, client_of):
    client = client_of(patient)
    assert put(client, {"reminders": ["2h"]}).json()["data"] == {**DEFAULTS, "reminders": ["2h"]}
    assert put(client, {"channels": {"changes": []}}).status_code == 200
    hours = {"start": "22:00", "end": "07:00"}
    answer = put(client, {"quietHours": hours, "timeZone": "Europe/Berlin"})
    chosen = {
        **DEFAULTS,
        "reminders": ["2h"],
        "channels": {"changes": [], "reminders": ["email"]},
        "quietHours": hours,
        "timeZone": "Europe/Berlin",
    }
    assert answer.json()["data"] == client.get(ADDRESS).json()["data"] == chosen
    cleared = put(client, {"quietHours": None, "reminders": [], "channels": {"changes": ["email"]}}).json()["data"]
    assert cleared == {**DEFAULTS, "reminders": [], "timeZone": "Europe/Berlin"}
    event = AuditEvent.objects.order_by("pk")[0]
    assert (event.event, event.detail) == ("account.notices_changed", {"fields": ["reminders"]})


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"reminders": ["3h"]}, "reminders"),
        ({"reminders": "2h"}, "reminders"),
        ({"reminders": [2]}, "reminders.0"),
        ({"channels": {"changes": True}}, "channels.changes"),
        ({"channels": {"changes": ["pigeon"]}}, "channels.changes"),
        ({"channels": {"reminders": [["email"]]}}, "channels.reminders.0"),
        ({"channels": {"reminders": ["email"] * 21}}, "channels.reminders"),
        ({"channels": "email"}, "channels"),
        ({"language": "tlh"}, "language"),
        ({"language": ["de"]}, "language"),
        ({"language": ""}, "language"),
        ({"language": None}, "language"),
        ({"quietHours": {"start": "22:00"}}, "quietHours.end"),
        ({"quietHours": {"start": "22:00", "end": "22:00"}}, "quietHours.end"),
        ({"quietHours": {"start": "24:00", "end": "07:00"}}, "quietHours.start"),
        ({"quietHours": "night"}, "quietHours"),
        ({"timeZone": "Mars/Olympus"}, "timeZone"),
        ({"calendarInvitations": "sometimes"}, "calendarInvitations"),
        ({"calendarInvitations": None}, "calendarInvitations"),
    ],
)
def test_invalid_preferences_are_rejected(patient, client_of, body, field):
    answer = put(client_of(patient), body)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert NoticeSettings.objects.count() == 0


def test_disabled_kinds_are_not_mailed_and_mandatory_ones_are(patient, client_of, mail):
    put(client_of(patient), {"channels": {"changes": [], "reminders": []}})
    for kind in ("appointment", "reminder", ALWAYS):
        notice_of(patient, kind)
    assert deliver() == {"dropped": 2, "sent": 1}
    assert set(Notice.objects.filter(state="dropped").values_list("error", flat=True)) == {"not_wanted"}
    # The bell shows them all the same.
    assert len(client_of(patient).get("/api/notices").json()["data"]["notices"]) == 3


def test_disabled_invitations_stay_disabled(patient, client_of):
    client = client_of(patient)
    before = timezone.now()
    assert put(client, {"calendarInvitations": False}).json()["data"]["calendarInvitations"] is False
    off_since = NoticeSettings.objects.get().invitations_off_since
    assert before <= off_since <= timezone.now()
    # Saving the page again does not move that moment.
    assert put(client, {"calendarInvitations": False, "reminders": []}).status_code == 200
    assert NoticeSettings.objects.get().invitations_off_since == off_since
    assert wants_invitation(patient.pk, before)
    assert not wants_invitation(patient.pk, off_since)
    assert put(client, {"calendarInvitations": True}).json()["data"]["calendarInvitations"] is True
    assert wants_invitation(patient.pk, off_since)


def test_account_events_cannot_be_disabled():
    for event in registry.list_events():
        if event.startswith(("account.", "password.", "email.", "doctor.")):
            assert registry.get_kind(event) == ALWAYS, event
    assert registry.get_kind("appointment.cancelled") == ALWAYS


def test_reminder_preferences_are_per_user(patient, other_patient, client_of, db):
    third = PatientFactory.create()
    put(client_of(patient), {"reminders": ["48h", "2h"]})
    put(client_of(other_patient), {"reminders": []})
    # By which channels is another matter: the page reminds in any case.
    put(client_of(third), {"channels": {"reminders": []}})
    people = [patient.pk, other_patient.pk, third.pk]
    assert list_reminders_by_user(people) == {
        patient.pk: {"48h", "2h"},
        other_patient.pk: set(),
        third.pk: {"7d", "48h", "2h"},
    }


def test_reminder_no_longer_offered_is_ignored(patient, client_of, settings):
    put(client_of(patient), {"reminders": ["7d", "2h"]})
    settings.REMINDERS = ("2h", "1h")
    assert list_reminders_by_user([patient.pk]) == {patient.pk: {"2h"}}


# --- Quiet hours ------------------------------------------------------------------------------


def quiet(start, end, zone="America/New_York"):
    return NoticeSettings(quiet_from=time(*start), quiet_until=time(*end), time_zone=zone)


@pytest.mark.parametrize(
    ("chosen", "now", "until"),
    [
        # Over midnight, before and after it; New York is at UTC−5.
        (quiet((22, 0), (7, 0)), datetime(2026, 12, 8, 3, tzinfo=UTC), datetime(2026, 12, 8, 12, tzinfo=UTC)),
        (quiet((22, 0), (7, 0)), datetime(2026, 12, 8, 11, 59, tzinfo=UTC), datetime(2026, 12, 8, 12, tzinfo=UTC)),
        (quiet((22, 0), (7, 0)), datetime(2026, 12, 8, 12, tzinfo=UTC), None),
        (quiet((22, 0), (7, 0)), datetime(2026, 12, 8, 18, tzinfo=UTC), None),
        # Within one day.
        (quiet((13, 0), (15, 0)), datetime(2026, 12, 8, 18, tzinfo=UTC), datetime(2026, 12, 8, 20, tzinfo=UTC)),
        (quiet((13, 0), (15, 0)), datetime(2026, 12, 8, 17, 59, tzinfo=UTC), None),
        # The night in which the clocks go forward, and an end that does not exist: 02:30 is 03:30.
        (quiet((22, 0), (7, 0)), datetime(2027, 3, 14, 6, tzinfo=UTC), datetime(2027, 3, 14, 11, tzinfo=UTC)),
        (quiet((22, 0), (2, 30)), datetime(2027, 3, 14, 6, tzinfo=UTC), datetime(2027, 3, 14, 7, 30, tzinfo=UTC)),
        # The night in which they go back, and an end that comes twice: the first one counts.
        (quiet((22, 0), (7, 0)), datetime(2027, 11, 7, 5, tzinfo=UTC), datetime(2027, 11, 7, 12, tzinfo=UTC)),
        (quiet((22, 0), (1, 30)), datetime(2027, 11, 7, 5, tzinfo=UTC), datetime(2027, 11, 7, 5, 30, tzinfo=UTC)),
        # After that end the same hour comes again, and is quiet again.
        (quiet((22, 0), (1, 30)), datetime(2027, 11, 7, 6, 10, tzinfo=UTC), datetime(2027, 11, 7, 6, 30, tzinfo=UTC)),
        (NoticeSettings(), datetime(2026, 12, 8, 3, tzinfo=UTC), None),
    ],
)
def test_quiet_hours_use_the_users_time_zone(chosen, now, until):
    assert get_quiet_hours_end(chosen, now) == until


def test_quiet_hours_delay_deferrable_notices(patient, mail):
    NoticeSettings.objects.create(user=patient, quiet_from=time(0), quiet_until=time(23, 59), time_zone="UTC")
    now = timezone.now().replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=1)
    waiting, urgent = notice_of(patient), notice_of(patient, ALWAYS)
    assert deliver(now) == {"postponed": 1, "sent": 1}
    waiting.refresh_from_db()
    urgent.refresh_from_db()
    ends = now.replace(hour=23, minute=59)
    # It is no failed try.
    assert (waiting.state, waiting.due_at, waiting.attempts, urgent.state) == ("waiting", ends, 0, "sent")
    assert deliver(ends) == {"sent": 1}


@pytest.mark.parametrize(
    ("begins_after", "waits"),
    [(timedelta(hours=1), True), (timedelta(minutes=59), False), (timedelta(days=9), True), (timedelta(days=-9), True)],
)
def test_no_notice_is_delayed_past_its_usefulness(patient, monkeypatch, begins_after, waits):
    now = datetime(2026, 12, 8, 3, tzinfo=UTC)
    ends = datetime(2026, 12, 8, 12, tzinfo=UTC)
    NoticeSettings.objects.create(user=patient, quiet_from=time(22), quiet_until=time(7), time_zone="America/New_York")
    monkeypatch.setitem(preferences.deadlines, "test", lambda notice: ends + begins_after)
    assert check_preferences(notice_of(patient), now) == (ends if waits else True)


# --- Stop by a link ---------------------------------------------------------------------------


def stop_link(mail):
    # On a line of its own, as it is too long for the first (RFC 5322, 2.2.3).
    found = re.fullmatch(r"\s?<(\S+)>", mail["List-Unsubscribe"])
    assert found
    return found.group(1)


def test_optional_mail_has_unsubscribe_headers(patient, mail):
    for kind in ("appointment", "reminder", ALWAYS):
        notice_of(patient, kind)
    deliver()
    optional, reminder, needed = (one for _, one in mail.messages)
    for one in (optional, reminder):
        assert stop_link(one).startswith(f"{BASE}{STOP}?token=")
        assert one["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert stop_link(one) in text_of(one)
        assert stop_link(one) in one.get_body(("html",)).get_content()
    assert (needed["List-Unsubscribe"], needed["List-Unsubscribe-Post"]) == (None, None)
    assert "Stop these messages" not in needed.as_string()


@pytest.mark.parametrize(
    "sent",
    [
        {"data": "List-Unsubscribe=One-Click", "content_type": "application/x-www-form-urlencoded"},
        {"data": {"List-Unsubscribe": "One-Click"}, "format": "multipart"},
        {"data": {}, "format": "json"},
        {"data": "", "content_type": "text/plain"},
        {"data": {}, "format": "json", "HTTP_ACCEPT": "text/html"},
    ],
    ids=["form", "multipart", "page", "plain", "html"],
)
def test_one_click_unsubscribes_from_that_kind_only(api, client_of, patient, mail, sent):
    notice_of(patient, "reminder")
    deliver()
    link = stop_link(mail.messages[0][1]).removeprefix(BASE)

    answers = [api.post(link, **sent) for _ in range(2)]

    assert [(answer.status_code, answer.json()["data"]) for answer in answers] == [(200, {"kind": "reminders"})] * 2
    assert client_of(patient).get(ADDRESS).json()["data"]["channels"] == {"changes": ["email"], "reminders": []}
    assert AuditEvent.objects.filter(event="account.notices_changed").count() == 1


def test_get_of_the_unsubscribe_link_changes_nothing_and_redirects_to_our_page(api, patient, mail, settings):
    settings.ALLOWED_HOSTS = ["*"]
    notice_of(patient)
    deliver()
    link = stop_link(mail.messages[0][1]).removeprefix(BASE)
    for accept in ("text/html", "*/*", "application/json"):
        answer = api.get(link, HTTP_HOST="evil.example.net", HTTP_ACCEPT=accept)
        assert answer.status_code == 302
        assert answer["Location"] == link.replace(STOP, f"{BASE}/unsubscribe")
    assert NoticeSettings.objects.count() == 0


def test_unsubscribe_link_cannot_redirect_elsewhere(api, settings, db):
    settings.BASE_URL = BASE
    answer = api.get(STOP, {"token": "x\r\nSet-Cookie: a=b&next=//evil.example.net/#"})
    assert (
        answer["Location"]
        == f"{BASE}/unsubscribe?token=x%0D%0ASet-Cookie:%20a%3Db%26next%3D%2F%2Fevil.example.net%2F%23"
    )


def test_forged_unsubscribe_link_is_rejected(api, patient, other_patient, mail):
    notice_of(patient)
    deliver()
    token = stop_link(mail.messages[0][1]).split("token=")[1]
    for forged in ("", "x", f"{token}x", token.rsplit(":", 1)[0]):
        answer = api.post(f"{STOP}?token={forged}")
        assert answer.status_code == 400
    assert NoticeSettings.objects.count() == 0


def test_closed_account_cannot_unsubscribe_and_a_deactivated_one_can(api, patient, mail):
    notice_of(patient)
    deliver()
    link = stop_link(mail.messages[0][1]).removeprefix(BASE)
    User.objects.update(status=AccountStatus.INACTIVE)
    assert api.post(link).status_code == 200
    NoticeSettings.objects.all().delete()
    User.objects.update(ended_at=timezone.now())
    assert api.post(link).json()["code"] == "link_invalid"
    assert NoticeSettings.objects.count() == 0


def test_unsubscribe_link_does_nothing_else(api, patient, mail):
    notice_of(patient)
    deliver()
    token = stop_link(mail.messages[0][1]).split("token=")[1]
    for address, more in (("email/confirm", {}), ("password/reset/confirm", {"newPassword": "fresh-blue-kettle"})):
        answer = api.post(f"/api/auth/{address}", {"token": token, **more}, format="json")
        assert answer.json()["code"] == "link_invalid"


def test_unsubscribe_link_from_before_channels_still_works(api, client_of, patient):
    token = Signer(salt=preferences.UNSUBSCRIBE_SALT).sign_object([patient.pk.hex, "reminder"])
    assert api.post(f"{STOP}?token={token}").json()["data"] == {"kind": "reminders"}
    assert client_of(patient).get(ADDRESS).json()["data"]["channels"] == {"changes": ["email"], "reminders": []}


def test_notice_to_another_address_ignores_preferences(patient):
    NoticeSettings.objects.create(user=patient, channels={"appointment": []})
    notify_user("account.registered", patient)
    assert check_preferences(notice_of(patient, address="old@example.com"), timezone.now()) is True
