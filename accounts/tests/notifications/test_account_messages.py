"""Test the content of account mails and which logins are notified."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django.utils.translation import override

from accounts.auth.mfa_messages import build_not_you_text
from accounts.credentials.user_agents import describe_device
from accounts.models import Notice, User
from accounts.notifications import delivery, registry
from accounts.notifications.date_format import format_datetime, format_time_zone
from accounts.tests.factories import PASSWORD

pytestmark = pytest.mark.either_engine

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:{0}.0) Gecko/20100101 Firefox/{0}.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)


def deliver():
    return delivery.deliver_notices(timezone.now())


def text_of(mail):
    return mail.get_body(("plain",)).get_content()


def sign_in(api, user: User, agent: str, address: str = "192.0.2.7"):
    answer = api.post(
        "/api/auth/login",
        {"email": user.email, "password": PASSWORD, "role": user.role},
        format="json",
        HTTP_USER_AGENT=agent,
        REMOTE_ADDR=address,
    )
    assert answer.status_code == 200


def told():
    return Notice.objects.filter(event="account.new_sign_in").count()


def test_login_from_a_new_device_notifies_and_a_known_device_does_not(api, patient, mail):
    sign_in(api, patient, FIREFOX.format(140))
    # The first is how the account came to be.
    assert told() == 0
    sign_in(api, patient, FIREFOX.format(140))
    # A browser that has brought itself up to date is no news.
    sign_in(api, patient, FIREFOX.format(141))
    assert told() == 0
    sign_in(api, patient, SAFARI)
    assert told() == 1
    sign_in(api, patient, FIREFOX.format(141), "198.51.100.9")
    assert told() == 2
    sign_in(api, patient, FIREFOX.format(141), "2001:db8:1:2::7")
    sign_in(api, patient, FIREFOX.format(141), "2001:db8:1:2::8")
    assert told() == 3
    assert deliver() == {"sent": 3}
    first = text_of(mail.to(patient.email)[0])
    assert "Device: Safari on an iPhone" in first
    assert "IP address: 192.0.2.7" in first
    assert "https://visits.example.org/profile" in first


def test_failed_login_notifies_nobody(api, patient):
    sign_in(api, patient, FIREFOX.format(140))
    wrong = {"email": patient.email, "password": "wrong", "role": "patient"}
    assert api.post("/api/auth/login", wrong, format="json", HTTP_USER_AGENT=SAFARI).status_code == 401
    assert told() == 0


def test_user_agent_text_cannot_appear_in_a_mail(api, patient, mail):
    sign_in(api, patient, FIREFOX.format(140))
    sign_in(api, patient, "Call +1 202 555 0199 at once")
    deliver()
    assert "555 0199" not in text_of(mail.to(patient.email)[0])
    assert "Device: An unknown browser" in text_of(mail.to(patient.email)[0])


def test_password_and_email_changes_notify_the_current_email(client_of, patient, mail):
    client = client_of(patient)
    changed = {"currentPassword": PASSWORD, "newPassword": "another-good-one-1"}
    assert client.put("/api/auth/password", changed, format="json").status_code == 200
    wish = {"email": "new.ada@example.com", "currentPassword": "another-good-one-1"}
    assert client.put("/api/auth/profile", wish, format="json").status_code == 200
    deliver()
    assert [(address, one["Subject"]) for address, one in mail.messages] == [
        (patient.email, "Your password was changed"),
        (patient.email, "A new email address for your account"),
        ("new.ada@example.com", "Confirm your new email address"),
    ]


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX.format(140), "Firefox on Linux"),
        (SAFARI, "Safari on an iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140.0 Safari/537.36",
            "Chrome on a Mac",
        ),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("", "An unknown browser"),
    ],
)
def test_device_name_is_read_from_the_user_agent(agent, words):
    assert describe_device(agent) == words


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("America/New_York", "Tuesday, December 8, 2026, 9:00 AM, New York time (EST, UTC−5)"),
        ("Europe/Berlin", "Tuesday, December 8, 2026, 3:00 PM, Berlin time (CET, UTC+1)"),
        ("Asia/Kathmandu", "Tuesday, December 8, 2026, 7:45 PM, Kathmandu time (UTC+5:45)"),
        ("America/Argentina/Buenos_Aires", "Tuesday, December 8, 2026, 11:00 AM, Buenos Aires time (UTC−3)"),
        ("UTC", "Tuesday, December 8, 2026, 2:00 PM, UTC"),
    ],
)
def test_date_and_time_include_the_time_zone(zone, words):
    assert format_datetime(datetime(2026, 12, 8, 14, tzinfo=UTC), zone) == words


def test_utc_offset_is_the_one_of_that_day():
    winter = datetime(2026, 12, 8, 14, tzinfo=UTC)
    assert format_time_zone(winter, "America/New_York") == "New York time (EST, UTC−5)"
    assert format_time_zone(winter + timedelta(days=180), "America/New_York") == "New York time (EDT, UTC−4)"


BOTH = {"email": "care@visits.example", "phone": "+1 202 555 0100", "address": "1 Elm Street"}


@pytest.mark.parametrize(
    ("contact", "ending", "sentence"),
    [
        (BOTH, "write to care@visits.example or call +1 202 555 0100.", ""),
        (BOTH | {"phone": ""}, "write to care@visits.example.", ""),
        (BOTH | {"email": ""}, "call +1 202 555 0100.", ""),
        (BOTH | {"email": "", "phone": ""}, "", "If this wasn't you, change your password."),
    ],
)
def test_messages_name_only_the_contacts_that_are_set(settings, contact, ending, sentence):
    settings.CONTACT = contact
    assert registry.get_contact_text() == (ending and f"If you have questions, {ending}")
    assert registry.get_not_you_text() == (ending and f"If this wasn't you, {ending}")
    assert build_not_you_text() == (sentence or f"If this wasn't you, change your password and {ending}")


@pytest.mark.parametrize("language", ["de", "es"])
def test_sentences_without_a_contact_are_translated(settings, language):
    settings.CONTACT = BOTH | {"phone": ""}
    with override(language):
        sentences = registry.get_contact_text(), registry.get_not_you_text(), build_not_you_text()
    assert all("care@visits.example" in sentence for sentence in sentences)
    assert not any(re.search("you|call|write", sentence) for sentence in sentences)


def test_mail_of_a_site_without_a_contact_ends_after_its_text(api, patient, mail, settings):
    settings.CONTACT = dict.fromkeys(settings.CONTACT, "")
    sign_in(api, patient, FIREFOX.format(140))
    sign_in(api, patient, SAFARI)
    assert deliver() == {"sent": 1}
    text = text_of(mail.to(patient.email)[0])
    assert "end that sign-in on your profile and change your password." in text
    assert re.search(r"write to|call |\{|None", text) is None


def test_a_deactivated_account_is_told_to_contact_nobody_where_there_is_none(api, patient, settings):
    User.objects.filter(pk=patient.pk).update(status="inactive")
    body = {"email": patient.email, "password": PASSWORD, "role": patient.role}
    messages = []
    for contact in (settings.CONTACT, dict.fromkeys(settings.CONTACT, "")):
        settings.CONTACT = contact
        messages.append(api.post("/api/auth/login", body, format="json").json()["message"])
    assert messages == [
        "This account has been deactivated. Please contact us.",
        "This account has been deactivated.",
    ]
