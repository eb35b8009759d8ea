"""Test the confirmation of registered and changed email addresses."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.auth import email_verification
from accounts.credentials import signed_links
from accounts.models import AccountStatus, AuditEvent, Notice, User
from accounts.notifications import registry
from accounts.notifications.outbox import notify_user
from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.tests.mail_links import BASE, deliver, link_in, text_of, token_in
from accounts.throttling.rate_limit import RateLimit

CONFIRM = "/api/auth/email/confirm"
RESEND = "/api/auth/email/resend"
PENDING = "/api/auth/email/pending"
PROFILE = "/api/auth/profile"
NEW = "new.ada@example.com"
OLD = "ada@example.com"


@pytest.fixture
def patient(db):
    """A patient whose address nobody has confirmed."""
    return PatientFactory.create(name="Ada Patient", email=OLD, phone="+12025550101", email_confirmed_at=None)


def confirm(api, token):
    return api.post(CONFIRM, {"token": token}, format="json")


def is_refused(answer):
    return (answer.status_code, answer.json()["code"]) == (400, "link_invalid")


def request_email_change(client, email=NEW, password=PASSWORD):
    answer = client.put(PROFILE, {"email": email, "currentPassword": password}, format="json")
    assert answer.status_code == 200
    return answer.json()["data"]["user"]


def token_for(user, purpose, made_at=None):
    user = User.objects.get(pk=user.pk)
    return signed_links.build_link(purpose, user, made_at or timezone.now()).split("?token=")[1]


def test_welcome_email_link_confirms_the_registered_address(api, db, mail):
    form = {
        "name": "Ada Patient",
        "email": OLD,
        "password": PASSWORD,
        "confirmPassword": PASSWORD,
        "role": "patient",
        "phone": "+1 202 555 0101",
        "dateOfBirth": "1985-06-15",
        "agreedToPrivacy": True,
    }
    answer = api.post("/api/auth/register/patient", form, format="json")
    assert answer.json()["data"]["user"]["emailConfirmed"] is False
    deliver()
    (welcome,) = mail.to(OLD)
    assert link_in(welcome).startswith(f"{BASE}/confirm-email?token=")

    assert confirm(api, token_in(welcome)).status_code == 200

    api.credentials(HTTP_AUTHORIZATION=f"Bearer {answer.json()['data']['token']}")
    assert api.get(PROFILE).json()["data"]["user"]["emailConfirmed"] is True
    # The bell offers what the welcome offers, and no link that proves a mailbox.
    (shown,) = api.get("/api/notices").json()["data"]["notices"]
    assert (shown["event"], shown["path"]) == ("account.registered", "/patient/doctors")
    # Pressed again it changes nothing more.
    first = User.objects.get().email_confirmed_at
    assert confirm(api, token_in(welcome)).status_code == 200
    assert User.objects.get().email_confirmed_at == first
    assert AuditEvent.objects.filter(event="account.email_confirmed").count() == 1


def test_new_email_is_used_after_its_link_is_confirmed(api, client_of, patient, mail):
    client = client_of(patient)
    assert request_email_change(client)["pendingEmail"] == NEW
    deliver()
    (asked,) = mail.to(NEW)
    assert link_in(asked).startswith(f"{BASE}/confirm-email?token=")
    assert [one["Subject"] for one in mail.to(OLD)] == ["A new email address for your account"]
    # The old mailbox can't confirm the new one.
    assert "?token=" not in text_of(mail.to(OLD)[0])

    assert confirm(api, token_in(asked)).status_code == 200

    user = client.get(PROFILE).json()["data"]["user"]
    assert (user["email"], user["pendingEmail"], user["emailConfirmed"]) == (NEW, None, True)
    deliver()
    assert mail.to(OLD)[1]["Subject"] == "Your email address was changed"
    # Neither address lies about in the outbox.
    assert set(Notice.objects.values_list("address", flat=True)) == {""}
    assert is_refused(confirm(api, token_in(asked)))
    event = AuditEvent.objects.get(event="account.email_changed")
    assert (event.entity_id, event.detail) == (str(patient.pk), {})


def test_withdrawn_email_change_invalidates_its_link(api, client_of, patient, mail):
    client = client_of(patient)
    request_email_change(client)
    token = token_for(patient, signed_links.NEW_EMAIL)
    assert [client.delete(PENDING).status_code for _ in range(2)] == [200, 200]
    assert client.get(PROFILE).json()["data"]["user"]["pendingEmail"] is None
    assert is_refused(confirm(api, token))
    assert AuditEvent.objects.filter(event="account.email_change_withdrawn").count() == 1
    # Nothing is sent any more to an address that nobody wants.
    assert deliver() == {"dropped": 2}


def test_second_email_change_invalidates_the_first_link(api, client_of, patient, mail):
    client = client_of(patient)
    request_email_change(client)
    first = token_for(patient, signed_links.NEW_EMAIL)
    request_email_change(client, "third.ada@example.com")
    assert is_refused(confirm(api, first))
    assert deliver()["dropped"] == 1
    assert mail.to(NEW) == []
    assert confirm(api, token_in(mail.to("third.ada@example.com")[0])).status_code == 200


def test_password_change_cancels_the_pending_email_change(api, client_of, patient):
    client = client_of(patient)
    request_email_change(client)
    token = token_for(patient, signed_links.NEW_EMAIL)
    changed = {"currentPassword": PASSWORD, "newPassword": "another-good-one-1"}
    assert client.put("/api/auth/password", changed, format="json").status_code == 200
    assert is_refused(confirm(api, token))
    # Nor does it work for the same change, requested again.
    request_email_change(client, password="another-good-one-1")
    assert is_refused(confirm(api, token))
    assert User.objects.get().email == OLD


def test_only_the_owner_of_a_taken_email_is_notified(api, client_of, patient, other_patient, mail):
    """What finding 2 did: 409 for a known address, 200 for another one."""
    User.objects.filter(pk=other_patient.pk).update(language="de")
    client = client_of(patient)
    known, free = (
        client.put(PROFILE, {"email": email, "currentPassword": PASSWORD}, format="json")
        for email in (other_patient.email, NEW)
    )
    assert (known.status_code, known.json()["message"]) == (free.status_code, free.json()["message"])
    assert known.json()["data"]["user"]["pendingEmail"] == other_patient.email
    request_email_change(client, other_patient.email)
    deliver()

    (told,) = mail.to(other_patient.email)
    # In their own language, without a link that would give their address away.
    assert told["Subject"] == "Jemand wollte Ihre E-Mail-Adresse verwenden"
    assert told["Content-Language"] == "de"
    assert "?token=" not in text_of(told)
    assert patient.name not in text_of(told)
    # In the outbox and the bell of the one who asked, the mail to them is like any other.
    sent = Notice.objects.filter(event=email_verification.CONFIRMATION_SENT, state="sent").values_list(
        "recipient", "error"
    )
    assert list(sent) == [(patient.pk, "")]
    assert client_of(other_patient).get("/api/notices").json()["data"]["notices"] == []


def test_links_to_taken_emails_count_toward_the_same_limit(client_of, patient, other_patient):
    """The oracle of finding 2: with the hour's links spent, known addresses said 409 and unknown ones 429."""
    for number in range(email_verification.MAX_LINKS_PER_HOUR):
        request_email_change(client_of(patient), f"free{number}@example.com")
    answers = [
        client_of(patient).put(PROFILE, {"email": email, "currentPassword": PASSWORD}, format="json")
        for email in (other_patient.email, NEW)
    ]
    assert [answer.status_code for answer in answers] == [429, 429]
    assert int(answers[0]["Retry-After"]) - int(answers[1]["Retry-After"]) in {0, 1}


def test_link_to_a_taken_email_can_be_resent_like_any_other(client_of, patient, other_patient, mail):
    client = client_of(patient)
    request_email_change(client, other_patient.email)
    deliver()
    assert client.post(PENDING, format="json").status_code == 200
    deliver()
    assert len(mail.to(other_patient.email)) == 2
    assert client.delete(PENDING).status_code == 200


def test_email_taken_since_the_request_is_rejected(api, client_of, patient):
    client = client_of(patient)
    request_email_change(client)
    PatientFactory.create(email=NEW)
    answer = confirm(api, token_for(patient, signed_links.NEW_EMAIL))
    assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")
    assert User.objects.get(pk=patient.pk).email == OLD


@pytest.mark.parametrize("purpose", [signed_links.OWN_EMAIL, signed_links.NEW_EMAIL], ids=lambda purpose: purpose.name)
def test_email_link_expires(api, client_of, patient, purpose):
    request_email_change(client_of(patient))
    now = timezone.now()
    assert is_refused(confirm(api, token_for(patient, purpose, now - purpose.lifetime)))
    assert confirm(api, token_for(patient, purpose, now - purpose.lifetime + timedelta(minutes=1))).status_code == 200


def test_password_reset_link_does_not_confirm_an_email(api, client_of, patient):
    request_email_change(client_of(patient))
    assert is_refused(confirm(api, token_for(patient, signed_links.PASSWORD_RESET)))
    assert User.objects.get().pending_email == NEW


def test_welcome_link_does_not_confirm_a_changed_email(api, client_of, patient):
    request_email_change(client_of(patient))
    assert confirm(api, token_for(patient, signed_links.OWN_EMAIL)).status_code == 200
    assert (User.objects.get().email, User.objects.get().pending_email) == (OLD, NEW)


@pytest.mark.parametrize("change", [{"status": AccountStatus.INACTIVE}, {"ended_at": timezone.now()}])
def test_deactivated_or_closed_account_cannot_confirm_an_email(api, client_of, patient, change):
    request_email_change(client_of(patient))
    tokens = [token_for(patient, purpose) for purpose in (signed_links.OWN_EMAIL, signed_links.NEW_EMAIL)]
    User.objects.update(**change)
    assert all(is_refused(confirm(api, token)) for token in tokens)
    assert (User.objects.get().email, User.objects.get().email_confirmed_at) == (OLD, None)


def test_forged_email_link_is_rejected(api, client_of, patient, other_patient):
    request_email_change(client_of(patient))
    mine, theirs = token_for(patient, signed_links.NEW_EMAIL), token_for(other_patient, signed_links.OWN_EMAIL)
    for token in (f"{mine[:-2]}xx", f"{mine.rsplit(':', 1)[0]}:{theirs.rsplit(':', 1)[1]}", "x:y:z"):
        assert is_refused(confirm(api, token))
    assert User.objects.get(pk=patient.pk).email == OLD


def test_guessing_email_links_is_rate_limited(api, db):
    answers = [confirm(api, "x").status_code for _ in range(31)]
    assert (set(answers[:30]), answers[30]) == ({400}, 429)


def test_email_change_requests_cannot_flood_a_mailbox(client_of, patient, other_patient):
    """One's own password opens no tap: neither to many mailboxes, nor by many accounts to one."""
    client, other = client_of(patient), client_of(other_patient)
    for number in range(2):
        request_email_change(client)
        request_email_change(client, f"else{number}@example.com")
    request_email_change(client)
    refused = client.put(PROFILE, {"email": "one.more@example.com", "currentPassword": PASSWORD}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    assert int(refused["Retry-After"]) > 0

    refused = other.put(PROFILE, {"email": NEW, "currentPassword": PASSWORD}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    assert Notice.objects.filter(event="email.confirmation_sent", address=NEW).count() == 3
    # What else is on the form is not held up by it.
    assert client.put(PROFILE, {"phone": "+1 202 555 0177"}, format="json").status_code == 200


# --- The link once more -------------------------------------------------------------------------


@pytest.fixture
def unconfirmed(api, client_of, patient):
    """A person who never got the welcome's link."""
    notify_user("account.registered", patient)
    Notice.objects.update(state=Notice.State.FAILED, error="smtp_550")
    return client_of(patient)


def test_link_to_the_current_email_can_be_resent(api, unconfirmed, patient, mail):
    answer = unconfirmed.post(RESEND)
    assert (answer.status_code, answer.json()["data"]) == (200, {})
    assert deliver() == {"sent": 1}
    (again,) = mail.to(OLD)
    assert again["Subject"] == "Confirm your email address"
    assert link_in(again).startswith(f"{BASE}/confirm-email?token=")
    event = AuditEvent.objects.get(event="account.email_link_sent")
    assert (event.action, event.agent_id, event.entity_id, event.detail) == ("E", patient.pk, str(patient.pk), {})
    # The bell has no link that proves a mailbox.
    assert [row["event"] for row in unconfirmed.get("/api/notices").json()["data"]["notices"]] == ["account.registered"]

    assert confirm(api, token_in(again)).status_code == 200

    assert unconfirmed.get(PROFILE).json()["data"]["user"]["emailConfirmed"] is True
    answer = unconfirmed.post(RESEND)
    assert (answer.status_code, answer.json()["code"]) == (409, "email_confirmed")
    assert deliver() == {}


def test_link_to_a_new_email_can_be_resent(api, client_of, patient, mail):
    client = client_of(patient)
    answer = client.post(PENDING)
    assert (answer.status_code, answer.json()["code"]) == (409, "no_pending_email")
    request_email_change(client)
    deliver()
    assert client.post(PENDING).status_code == 200
    deliver()
    first, second = mail.to(NEW)
    assert first["Message-ID"] != second["Message-ID"]
    # The address in use was told of the wish, and hears of it no second time.
    assert len(mail.to(OLD)) == 1
    assert confirm(api, token_in(second)).status_code == 200
    assert is_refused(confirm(api, token_in(first)))
    assert AuditEvent.objects.filter(event="account.email_link_sent").count() == 1


def test_only_one_of_several_waiting_links_is_sent(unconfirmed, client_of, patient, mail):
    for _ in range(3):
        assert unconfirmed.post(RESEND).status_code == 200
    request_email_change(unconfirmed)
    assert unconfirmed.post(PENDING).status_code == 200
    done = deliver()
    assert [len(mail.to(address)) for address in (OLD, NEW)] == [2, 1]
    assert (done["sent"], done["dropped"]) == (3, 3)


def test_one_user_cannot_flood_a_mailbox(unconfirmed, patient, client_of):
    """Neither their own nor, by wishes that are taken back, somebody else's."""
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        for number in range(email_verification.MAX_LINKS_PER_HOUR):
            if number % 2:
                request_email_change(unconfirmed, f"victim{number}@example.org")
                unconfirmed.delete(PENDING)
            else:
                assert unconfirmed.post(RESEND).status_code == 200
            clock.shift(timedelta(minutes=1))
        waits = 60 * (60 - email_verification.MAX_LINKS_PER_HOUR)
        told = Notice.objects.count()
        for answer in (
            unconfirmed.post(RESEND),
            unconfirmed.put(PROFILE, {"email": NEW, "currentPassword": PASSWORD, "name": "Ada New"}, format="json"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
            assert waits <= int(answer["Retry-After"]) <= waits + 2
        patient.refresh_from_db()
        # Nothing of a refused change is done.
        assert (patient.name, patient.pending_email, Notice.objects.count()) == ("Ada Patient", "", told)
        clock.shift(timedelta(seconds=waits + 1))
        again = client_of(patient)
        assert [again.post(RESEND).status_code for _ in range(2)] == [200, 429]


def test_many_users_cannot_flood_a_mailbox(client_of, db, monkeypatch):
    monkeypatch.setattr(email_verification, "mailbox_limit", RateLimit("email-link", 2))
    people = [client_of(PatientFactory.create()) for _ in range(3)]
    wanted = {"email": "victim@example.org", "currentPassword": PASSWORD}
    answers = [client.put(PROFILE, wanted, format="json") for client in people]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 0
    assert Notice.objects.filter(address="victim@example.org").count() == 2


def test_only_the_owner_sees_whether_the_email_is_confirmed(users, client_of, api):
    public = [api.get("/api/doctors"), api.get(f"/api/doctors/{users.doctor.pk}")]
    public += [client_of(users.admin).get(f"/api/admin/users/{users.patient.pk}")]
    assert [answer.status_code for answer in public] == [200] * 3
    assert all("emailConfirmed" not in answer.content.decode() for answer in public)
    for person in (users.patient, users.doctor.user, users.admin):
        assert client_of(person).get(PROFILE).json()["data"]["user"]["emailConfirmed"] is True


@pytest.mark.parametrize(
    ("event", "purpose"),
    [("email.own_confirmation_sent", signed_links.OWN_EMAIL), ("email.confirmation_sent", signed_links.NEW_EMAIL)],
)
def test_late_email_contains_no_expired_link(unconfirmed, patient, mail, event, purpose):
    request_email_change(unconfirmed)
    assert unconfirmed.post(RESEND).status_code == 200
    notice = Notice.objects.get(event=event)
    with time_machine.travel(notice.created_at + purpose.lifetime - timedelta(minutes=1), tick=False):
        assert registry.compose_message(notice) is not None
    with time_machine.travel(notice.created_at + purpose.lifetime, tick=False):
        assert registry.compose_message(notice) is None


def test_late_welcome_email_links_to_the_page_instead(unconfirmed):
    welcome = Notice.objects.get()
    with time_machine.travel(welcome.created_at + signed_links.OWN_EMAIL.lifetime - timedelta(minutes=1), tick=False):
        assert registry.compose_message(welcome).secret_action is not None
    with time_machine.travel(welcome.created_at + signed_links.OWN_EMAIL.lifetime, tick=False):
        message = registry.compose_message(welcome)
        assert (message.secret_action, message.action) == (None, ("Find a doctor", "/patient/doctors"))
