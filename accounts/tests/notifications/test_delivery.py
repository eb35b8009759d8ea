"""Test that each notice is delivered once to the right user, whatever the mail server does."""

import smtplib
from datetime import timedelta
from email.utils import parsedate_to_datetime

import pytest
from django.db import DataError
from django.utils import timezone

from accounts import leases
from accounts.models import Notice
from accounts.notifications import channels, delivery, registry
from accounts.notifications.delivery import LEASE_DURATION, RETRY_DELAYS, delete_old_notices, deliver_notices
from accounts.notifications.outbox import notify_user, notify_users
from accounts.notifications.registry import Message
from accounts.tests.factories import PatientFactory
from accounts.tests.mail_server import serving, use
from config.failure_reasons import LogThrottle

pytestmark = pytest.mark.django_db


@pytest.fixture
def mail(settings):
    with serving() as server:
        use(settings, server)
        yield server


@pytest.fixture
def people():
    people = PatientFactory.create_batch(3)
    for person in people:
        notify_user("account.registered", person)
    return people


def states():
    return list(Notice.objects.order_by("id").values_list("state", "attempts", "error"))


def test_each_notice_is_sent_once_to_its_recipient(mail, people):
    now = timezone.now()
    assert deliver_notices(now) == {"sent": 3}
    assert [address for address, _ in mail.messages] == [person.email for person in people]
    assert states() == [("sent", 1, "")] * 3
    assert set(Notice.objects.values_list("delivered_at", "lease_until")) == {(now, None)}
    assert deliver_notices(now + timedelta(days=30)) == {}
    assert len(mail.messages) == 3


def test_mail_has_text_and_html_parts(mail, people, settings):
    settings.BASE_URL = "https://visits.example.org"
    settings.DEFAULT_FROM_EMAIL = "Wellhour <no-reply@example.org>"
    people[0].email_confirmed_at = None
    people[0].save(update_fields=["email_confirmed_at"])
    deliver_notices(timezone.now())
    (sent,) = mail.to(people[0].email)
    assert sent["From"] == "Wellhour <no-reply@example.org>"
    assert sent["To"] == people[0].email
    assert sent["Subject"] == "Welcome to Wellhour"
    assert sent["Auto-Submitted"] == "auto-generated"
    assert sent["Reply-To"] is None
    assert sent["Message-ID"] == Notice.objects.order_by("id")[0].message_id
    assert sent["Message-ID"].endswith("@visits.example.org>")
    assert abs(parsedate_to_datetime(sent["Date"]) - timezone.now()) < timedelta(minutes=1)
    assert [part.get_content_type() for part in sent.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    text = sent.get_body(("plain",)).get_content()
    page = sent.get_body(("html",)).get_content()
    # Anybody can register a stranger's address under any name: what the name says must not reach that mailbox.
    assert people[0].name not in text + page
    for part in (text, page):
        assert "https://visits.example.org/confirm-email?token=" in part
    # Whole without images, and nothing is fetched that would tell of the reading.
    assert not any(mark in page for mark in ("<img", "url(", "<link", "<script"))


def test_name_is_escaped_in_text_and_html(mail, people):
    name = 'Ada <b>"Bold"</b> & Søn'
    known = registry._composers["account.registered"]
    registry.register_composer("account.registered", lambda notice: Message("Hello", f"Hello, {name}"))
    try:
        deliver_notices(timezone.now())
    finally:
        registry._composers["account.registered"] = known
    (sent,) = mail.to(people[0].email)
    page = sent.get_body(("html",)).get_content()
    assert f"Hello, {name}" in sent.get_body(("plain",)).get_content()
    assert "Hello, Ada &lt;b&gt;&quot;Bold&quot;&lt;/b&gt; &amp; Søn" in page
    assert "<b>" not in page


def test_a_name_cannot_add_headers(mail, people):
    messages_before = registry._composers["account.registered"]
    registry.register_composer("account.registered", lambda notice: Message("Hello\r\nBcc: eve@example.com", "Hello"))
    try:
        assert deliver_notices(timezone.now()) == {"sent": 3}
    finally:
        registry._composers["account.registered"] = messages_before
    assert {mail["Subject"] for _, mail in mail.messages} == {"Hello Bcc: eve@example.com"}
    assert not mail.to("eve@example.com")


def test_composers_may_add_headers(mail, people, monkeypatch):
    def maker(notice):
        return {"List-Unsubscribe": f"<https://visits.example.org/stop/{notice.pk}>"}

    monkeypatch.setattr(registry, "header_builders", [maker])
    deliver_notices(timezone.now())
    stops = {mail["List-Unsubscribe"] for _, mail in mail.messages}
    assert stops == {f"<https://visits.example.org/stop/{notice.pk}>" for notice in Notice.objects.all()}


def test_unavailable_server_uses_no_attempts_and_loses_nothing(settings, people):
    with serving() as server:
        use(settings, server)
    now = timezone.now()
    assert deliver_notices(now) == {"down": 1}
    assert [state for state, *_ in states()] == ["waiting"] * 3
    assert set(Notice.objects.values_list("attempts", "lease_until")) == {(0, None)}
    assert sorted(Notice.objects.values_list("error", flat=True)) == ["", "", "no_connection"]
    with serving(server):
        assert deliver_notices(now + timedelta(seconds=15)) == {"sent": 3}
    assert len(set(server.ids())) == len(server.messages) == 3


def log_lines(caplog, name="accounts.notifications.delivery"):
    return [(record.levelname, record.getMessage()) for record in caplog.records if record.name == name]


def test_each_attempt_is_logged_without_addresses(mail, people, caplog):
    caplog.set_level("INFO")
    mail.refused[people[0].email] = "450 4.2.1 Mailbox busy"
    mail.refused[people[1].email] = f"550 5.1.1 No such person: {people[1].email}"
    now = timezone.now()
    deliver_notices(now)
    mail.refused.clear()
    deliver_notices(now + RETRY_DELAYS[0])
    assert log_lines(caplog) == [
        ("INFO", "Message account.registered by email, attempt 1: will be tried again (smtp_450)"),
        ("WARNING", "Message account.registered by email, attempt 1: failed (smtp_550)"),
        ("INFO", "Message account.registered by email, attempt 1: sent"),
        ("INFO", "Message account.registered by email, attempt 2: sent"),
    ]


def test_unavailable_server_is_named_once_a_minute_without_credentials(settings, people, caplog, monkeypatch):
    monkeypatch.setattr(delivery, "down_throttle", LogThrottle())
    with serving() as server:
        use(settings, server)
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "ann@example.org", "hunter2"
    for _ in range(2):
        deliver_notices(timezone.now())
    ((level, message),) = log_lines(caplog)
    server_name = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    assert level == "WARNING"
    assert message.startswith(f"Messages can't be sent by email: no_connection ({server_name}: ")
    assert "refused" in message
    refusal = smtplib.SMTPAuthenticationError(535, b"No user ann with hunter2, ann@example.org")
    assert channels.describe_failure(refusal) == f"{server_name}: 535 No user … with …, …"


def test_permanently_rejected_address_fails_immediately_and_alone(mail, people):
    mail.refused[people[0].email] = "550 5.1.1 No such person"
    assert deliver_notices(timezone.now()) == {"failed": 1, "sent": 2}
    assert states() == [("failed", 1, "smtp_550"), ("sent", 1, ""), ("sent", 1, "")]
    assert deliver_notices(timezone.now() + timedelta(days=30)) == {}


def test_temporarily_rejected_address_is_retried_with_backoff_and_then_fails(mail, people):
    mail.refused[people[0].email] = "450 4.2.1 Mailbox busy"
    now = start = timezone.now()
    assert deliver_notices(now) == {"postponed": 1, "sent": 2}
    ids = set()
    for number, wait in enumerate(RETRY_DELAYS, start=1):
        notice = Notice.objects.get(recipient=people[0])
        assert (notice.state, notice.attempts, notice.error) == ("waiting", number, "smtp_450")
        assert notice.due_at == now + wait
        ids.add(notice.message_id)
        assert deliver_notices(notice.due_at - timedelta(seconds=1)) == {}
        now = notice.due_at
        assert deliver_notices(now) == ({"failed": 1} if wait == RETRY_DELAYS[-1] else {"postponed": 1})
    assert len(ids) == 1
    assert now - start == sum(RETRY_DELAYS, timedelta())
    assert deliver_notices(now + timedelta(days=30)) == {}
    assert len(mail.messages) == 2


def test_message_rejected_by_the_server_is_retried(mail, people):
    mail.refuses_data = "554 5.7.1 Not today"
    now = timezone.now()
    assert deliver_notices(now) == {"postponed": 3}
    mail.refuses_data = ""
    assert deliver_notices(now + RETRY_DELAYS[0]) == {"sent": 3}
    assert states() == [("sent", 2, "")] * 3


def test_server_timeout_is_retried_with_the_same_message_id(mail, people, settings):
    mail.seconds = 2
    Notice.objects.exclude(recipient=people[0]).delete()
    now = timezone.now()
    assert deliver_notices(now) == {"lost": 1}
    assert states() == [("waiting", 1, "connection_lost")]
    mail.seconds = 0
    assert deliver_notices(now + RETRY_DELAYS[0]) == {"sent": 1}
    # The sleeper may have taken the first one after all.
    assert len(set(mail.ids())) == 1


def test_server_that_drops_connections_is_paused(mail, people):
    for person in PatientFactory.create_batch(3):
        notify_user("account.registered", person)
    mail.seconds = 2
    now = timezone.now()
    assert deliver_notices(now) == {"lost": 3}
    mail.seconds = 0
    assert deliver_notices(now) == {"sent": 3}
    assert deliver_notices(now + RETRY_DELAYS[0]) == {"sent": 3}
    assert len(set(mail.ids())) == 6


def test_message_that_crashes_the_channel_does_not_block_others(mail, people, monkeypatch, caplog):
    send = channels.EmailChannel.send

    def trips(self, message, to, message_id):
        if to == people[0].email:
            raise ValueError("Nobody thought of this.")
        send(self, message, to, message_id)

    monkeypatch.setattr(channels.EmailChannel, "send", trips)
    assert deliver_notices(timezone.now()) == {"postponed": 1, "sent": 2}
    assert states()[0] == ("waiting", 1, "channel")
    assert "could not be handed over" in caplog.text


def test_slow_server_receives_everything_once(mail, people):
    mail.seconds = 0.3
    assert deliver_notices(timezone.now()) == {"sent": 3}
    assert len(set(mail.ids())) == len(mail.messages) == 3


def test_messages_of_a_dead_worker_are_sent_after_its_lease(mail, people):
    now = timezone.now()
    dead = delivery.claim_notice(now)
    assert deliver_notices(now + LEASE_DURATION - timedelta(seconds=1)) == {"sent": 2}
    assert deliver_notices(now + LEASE_DURATION) == {"sent": 1}
    assert mail.ids()[-1] == dead.message_id


def test_outdated_notice_is_dropped(mail, people):
    messages_before = registry._composers["account.registered"]
    registry.register_composer("account.registered", lambda notice: None)
    try:
        assert deliver_notices(timezone.now()) == {"dropped": 3}
    finally:
        registry._composers["account.registered"] = messages_before
    assert states() == [("dropped", 0, "no_longer_helps")] * 3
    assert mail.messages == []


def test_failing_composer_does_not_block_others(mail, people, caplog):
    notify_users("nobody.knows", "user", people[0].pk, [people[0]])
    assert deliver_notices(timezone.now()) == {"sent": 3, "postponed": 1}
    assert states()[-1] == ("waiting", 1, "composer")
    assert "could not be composed" in caplog.text


def test_gate_can_drop_or_postpone(mail, people, monkeypatch):
    now = timezone.now()
    later = now + timedelta(hours=9)
    verdicts = {people[0].pk: False, people[1].pk: later, people[2].pk: True}
    monkeypatch.setattr(delivery, "gates", [lambda notice, moment: verdicts[notice.recipient_id]])
    assert deliver_notices(now) == {"dropped": 1, "postponed": 1, "sent": 1}
    assert states() == [("dropped", 0, "not_wanted"), ("waiting", 0, ""), ("sent", 1, "")]
    assert Notice.objects.get(recipient=people[1]).due_at == later


def test_explicit_address_is_used_and_then_deleted(mail, people):
    Notice.objects.all().delete()
    person = people[0]
    notify_user("account.ended", person, address="former@example.com")
    person.email, person.ended_at = f"{person.pk}@ended.invalid", timezone.now()
    person.save()
    notify_user("account.registered", person)
    assert deliver_notices(timezone.now()) == {"sent": 1, "dropped": 1}
    assert [address for address, _ in mail.messages] == ["former@example.com"]
    assert list(Notice.objects.order_by("id").values_list("address", "error")) == [("", ""), ("", "no_address")]


def test_address_kept_with_a_failure_is_deleted_eventually(mail, people):
    notify_user("account.ended", people[0], address="former@example.com")
    mail.refused["former@example.com"] = "550 No such person"
    now = timezone.now()
    deliver_notices(now)
    notice = Notice.objects.get(event="account.ended")
    assert (notice.state, notice.address) == ("failed", "former@example.com")
    deliver_notices(now + timedelta(days=31))
    notice.refresh_from_db()
    assert notice.address == ""


def test_readyz_reports_stalled_delivery_and_still_responds(client, mail):
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["delivery"]) == (200, "late")
    deliver_notices(timezone.now())
    assert client.get("/readyz").json()["delivery"] == "ok"
    deliver_notices(timezone.now() - leases.MAX_HEARTBEAT_AGE)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["delivery"]) == (200, "late")


def test_value_rejected_by_the_database_fails_one_notice_only(mail, people):
    """A composer may ask the database for what no column can hold; the round goes on."""

    def compose(notice):
        raise DataError("integer out of range")

    registry.register_composer("one.faulty", compose)
    try:
        notify_users("one.faulty", "user", people[0].pk, [people[0]])
        Notice.objects.filter(event="one.faulty").update(due_at=timezone.now() - timedelta(days=1))
        assert deliver_notices(timezone.now()) == {"postponed": 1, "sent": 3}
    finally:
        del registry._composers["one.faulty"]


def test_failing_notice_source_does_not_stop_mail(mail, people, monkeypatch):
    def refused(now):
        raise DataError("integer out of range")

    monkeypatch.setattr(delivery, "preparers", [refused])
    assert deliver_notices(timezone.now()) == {"sent": 3}


# --- A clock that ran ahead for a while and was put right -----------------------------------------


AHEAD = timedelta(days=10)


def test_notices_dated_by_a_fast_clock_are_sent_after_correction(mail, people):
    now = timezone.now()
    # In hand, written and put off by a clock that was ten days ahead.
    assert delivery.claim_notice(now + AHEAD).recipient == people[0]
    Notice.objects.filter(recipient=people[1]).update(due_at=now + AHEAD)
    assert deliver_notices(now) == {"sent": 3}


def test_deferrable_notice_waits_despite_clock_differences(mail, people):
    now = timezone.now()
    assert delivery.claim_notice(now + leases.MAX_CLOCK_SKEW).recipient == people[0]
    Notice.objects.filter(recipient=people[1]).update(due_at=now + RETRY_DELAYS[-1] + leases.MAX_CLOCK_SKEW)
    assert deliver_notices(now) == {"sent": 1}


def test_lease_taken_with_a_fast_clock_blocks_nobody():
    now = timezone.now()
    assert leases.acquire_lease("work", now + AHEAD, "dead")
    assert leases.acquire_lease("work", now, "living")
    assert not leases.acquire_lease("work", now + timedelta(seconds=1), "third")


def test_machines_with_different_clocks_do_not_steal_leases():
    now = timezone.now()
    assert leases.acquire_lease("work", now + leases.MAX_CLOCK_SKEW, "ahead")
    assert not leases.acquire_lease("work", now, "behind")


def test_heartbeat_in_the_future_is_ignored(client):
    now = timezone.now()
    leases.record_heartbeat(delivery.WORKER_NAME, now + AHEAD)
    assert client.get("/readyz").json()["delivery"] == "late"
    leases.record_heartbeat(delivery.WORKER_NAME, now)
    assert client.get("/readyz").json()["delivery"] == "ok"


def test_old_messages_are_deleted_except_waiting_ones(patient, settings):
    for _ in range(4):
        notify_user("account.password_changed", patient)
    sent, waiting, failed, young = Notice.objects.order_by("id")
    now = timezone.now()
    old = now - timedelta(days=settings.NOTICE_RETENTION_DAYS, minutes=1)
    Notice.objects.exclude(pk=young.pk).update(created_at=old)
    for notice, state in ((sent, "sent"), (failed, "failed"), (young, "sent")):
        Notice.objects.filter(pk=notice.pk).update(state=state)
    assert [delete_old_notices(now, batch=2), delete_old_notices(now, batch=2), delete_old_notices(now)] == [1, 1, 0]
    assert list(Notice.objects.order_by("id")) == [waiting, young]
    # What is told next takes no number that stands.
    notify_user("account.password_changed", patient)
    assert Notice.objects.count() == 3
