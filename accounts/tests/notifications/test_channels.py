"""Test that another channel needs no other change: outbox, settings, gates and delivery iterate over `CHANNELS`."""

from collections import Counter
from datetime import timedelta
from typing import ClassVar

import pytest
from django.utils import timezone

from accounts.models import AuditEvent, Notice, NoticeSettings, User
from accounts.notifications import delivery, registry
from accounts.notifications.channels import (
    CHANNELS,
    ChannelDownError,
    ConnectionLostError,
    DeliveryError,
    RecipientRejectedError,
)
from accounts.notifications.outbox import notify_user, notify_users
from accounts.notifications.registry import ALWAYS, Message, RegisteredComposer
from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.tests.mail_links import BASE, deliver
from accounts.tests.mail_server import serving, use

SETTINGS = "/api/auth/notice-settings"


class Slips:
    """Puts slips of paper into a list, for people with a telephone number."""

    label: ClassVar[str] = "Slip of paper"
    reaches_everyone: ClassVar[bool] = False
    written: ClassVar[list[tuple[str, Message, str]]] = []
    trouble: ClassVar[list[Exception]] = []
    opens: ClassVar[bool] = True

    def __init__(self):
        if not self.opens:
            raise OSError("There is no paper.")

    @classmethod
    def get_address(cls, person):
        return person.phone

    def __enter__(self):
        return self

    def __exit__(self, *about):
        pass

    def send(self, message, to, message_id):
        if self.trouble:
            raise self.trouble[0]
        self.written.append((to, message, message_id))


@pytest.fixture
def slips(monkeypatch):
    monkeypatch.setitem(CHANNELS, "slip", Slips)
    monkeypatch.setattr(Slips, "written", [])
    monkeypatch.setattr(Slips, "trouble", [])
    monkeypatch.setattr(Slips, "opens", True)
    return Slips


@pytest.fixture(autouse=True)
def events(monkeypatch):
    """One invented event of each kind."""
    for kind in ("appointment", "reminder", ALWAYS):
        monkeypatch.setitem(
            registry._composers, f"test.{kind}", RegisteredComposer(lambda notice: Message("Hi", "Hi"), kind)
        )


def notice_to(*people, kind="appointment", **more):
    notify_users(f"test.{kind}", "test", "1", people, **more)


def ways(**which):
    return sorted(Notice.objects.filter(**which).values_list("recipient__email", "channel"))


def choose(client, **channels):
    answer = client.put(SETTINGS, {"channels": channels}, format="json")
    assert answer.status_code == 200
    return answer.json()["data"]


def test_notice_is_sent_once_per_channel(patient, mail, slips):
    notice_to(patient)
    notice_to(patient)
    assert ways() == [(patient.email, "email"), (patient.email, "slip")]
    assert deliver() == {"sent": 2}
    assert [to for to, _ in mail.messages] == [patient.email]
    assert [(to, message.title) for to, message, _ in slips.written] == [(patient.phone, "Hi")]
    assert slips.written[0][2] != mail.ids()[0]
    assert deliver(timezone.now() + timedelta(days=9)) == {}


@pytest.mark.parametrize("by_id", [False, True])
def test_unreachable_channel_gets_no_row(patient, other_patient, slips, by_id):
    User.objects.filter(pk=other_patient.pk).update(phone="")
    other_patient.refresh_from_db()
    notice_to(*((one.pk if by_id else one) for one in (patient, other_patient)))
    assert ways() == [(patient.email, "email"), (patient.email, "slip"), (other_patient.email, "email")]


def test_channel_that_reaches_everyone_needs_no_lookup(patient, django_assert_num_queries):
    with django_assert_num_queries(1):
        notice_to(patient.pk)


def test_notice_is_dropped_when_its_address_is_gone(patient, mail, slips):
    notice_to(patient)
    User.objects.update(phone="")
    assert deliver() == {"sent": 1, "dropped": 1}
    assert Notice.objects.get(channel="slip").error == "no_address"


def test_unsubscribing_from_one_channel_keeps_the_other(patient, client_of, mail, slips):
    client = client_of(patient)
    assert choose(client, changes=["slip"])["channels"] == {"changes": ["slip"], "reminders": ["email", "slip"]}
    for kind in ("appointment", "reminder", ALWAYS):
        notice_to(patient, kind=kind)
    assert deliver() == {"sent": 5, "dropped": 1}
    assert ways(state="dropped", error="not_wanted") == [(patient.email, "email")]
    assert (len(mail.messages), len(slips.written)) == (2, 3)
    # The page shows each once, whatever is stopped.
    assert len(client.get("/api/notices").json()["data"]["notices"]) == 3
    assert client.get("/api/notices/unread").json()["data"]["unread"] == 3


def test_settings_offer_the_channels_that_reach_the_user(patient, client_of, slips):
    client = client_of(patient)
    offered = [{"name": "email", "label": "Email"}, {"name": "slip", "label": "Slip of paper"}]
    assert client.get(SETTINGS).json()["data"]["offeredChannels"] == offered
    choose(client, reminders=["slip"])
    User.objects.update(phone="")
    client = client_of(User.objects.get())
    data = client.get(SETTINGS).json()["data"]
    assert (data["offeredChannels"], data["channels"]["reminders"]) == (offered[:1], [])
    refused = client.put(SETTINGS, {"channels": {"reminders": ["slip"]}}, format="json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["channels.reminders"])
    # What was chosen for a channel that is away for now is not lost.
    choose(client, reminders=["email"])
    User.objects.update(phone="+1 202 555 0101")
    assert client_of(User.objects.get()).get(SETTINGS).json()["data"]["channels"]["reminders"] == ["email", "slip"]


def test_saved_preferences_exclude_channels_added_later(patient, other_patient, client_of, monkeypatch):
    choose(client_of(patient), changes=[])
    monkeypatch.setitem(CHANNELS, "slip", Slips)
    wanted = [client_of(one).get(SETTINGS).json()["data"]["channels"]["changes"] for one in (patient, other_patient)]
    assert wanted == [[], ["email", "slip"]]


def test_unsubscribe_link_of_a_mail_stops_only_mail(api, patient, mail, slips):
    notice_to(patient, kind="reminder")
    deliver()
    ((_, one),) = mail.messages
    link = one["List-Unsubscribe"].strip().strip("<>").removeprefix(BASE)
    assert api.post(link).status_code == 200
    assert NoticeSettings.objects.get().channels == {"reminder": ["slip"]}
    assert AuditEvent.objects.latest("pk").detail == {"off": "reminder", "channel": "email"}
    # Another channel's message brings a link of its own.
    other = slips.written[0][1].headers["List-Unsubscribe"].strip("<>").removeprefix(BASE)
    assert api.post(other).status_code == 200
    assert NoticeSettings.objects.get().channels == {"reminder": []}


def test_notice_that_proves_a_mailbox_is_sent_by_mail_only(patient, client_of, mail, slips):
    patient.email_confirmed_at = None
    patient.save()
    notify_user("account.registered", patient)
    notify_user("password.reset_requested", patient, detail={"asked": int(timezone.now().timestamp()), "digest": "x"})
    wish = {"email": "new@example.com", "currentPassword": PASSWORD}
    client_of(patient).put("/api/auth/profile", wish, format="json")
    by_slip = set(Notice.objects.filter(channel="slip").values_list("event", flat=True))
    assert by_slip == {"account.registered", "email.change_requested"}
    deliver()
    # The welcome is told by both, its link by mail alone.
    (welcome,) = [message for _, message, _ in slips.written if message.title.startswith("Welcome")]
    assert (welcome.secret_action, welcome.action[0]) == (None, "Find a doctor")
    assert "/confirm-email?token=" in mail.to(patient.email)[0].get_body(("plain",)).get_content()
    assert not any("token=" in repr(message) for _, message, _ in slips.written)


def test_repeated_event_is_sent_on_both_channels(patient, mail, slips):
    for _ in range(3):
        notify_user("account.password_changed", patient)
    assert sorted(Notice.objects.filter(channel="email").values_list("version", flat=True)) == [1, 2, 3]
    assert deliver() == {"sent": 6}


# --- One channel's trouble is its own ---------------------------------------------------------


@pytest.fixture
def five(db, slips):
    people = PatientFactory.create_batch(5)
    for person in people:
        notice_to(person)
    return people


TROUBLES = {
    "down": (ChannelDownError("no_paper"), {"down": 1}, "waiting"),
    "lost": (ConnectionLostError("torn"), {"lost": 3}, "waiting"),
    "refused": (RecipientRejectedError("unknown"), {"failed": 5}, "failed"),
    "later": (DeliveryError("busy"), {"postponed": 5}, "waiting"),
    "surprise": (ValueError("Nobody thought of this."), {"postponed": 5}, "waiting"),
}


@pytest.mark.parametrize("name", TROUBLES)
def test_failing_channel_does_not_delay_mail(five, mail, slips, name):
    trouble, outcome, state = TROUBLES[name]
    slips.trouble.append(trouble)
    assert deliver() == {"sent": 5, **outcome}
    assert [to for to, _ in mail.messages] == [person.email for person in five]
    assert set(Notice.objects.filter(channel="slip").values_list("state", flat=True)) == {state}
    assert slips.written == []
    # Once the trouble is over, what can still come does, and nothing twice.
    slips.trouble.clear()
    later = deliver(timezone.now() + timedelta(minutes=2))
    assert later == ({} if state == "failed" else {"sent": 5})
    assert len(mail.messages) == 5


def test_channel_that_cannot_be_opened_does_not_delay_mail(five, mail, slips, monkeypatch, caplog):
    monkeypatch.setattr(slips, "opens", False)
    assert deliver() == {"sent": 5, "down": 1}
    assert "could not be opened" in caplog.text
    assert set(Notice.objects.filter(channel="slip").values_list("state", "attempts", "lease_until")) == {
        ("waiting", 0, None)
    }
    monkeypatch.setattr(slips, "opens", True)
    assert deliver() == {"sent": 5}


def test_unavailable_mail_server_does_not_delay_other_channels(five, settings, slips):
    with serving() as server:
        use(settings, server)
    assert deliver() == {"down": 1, "sent": 5}
    assert Counter(ways(state="sent")) == Counter((person.email, "slip") for person in five)
    with serving(server):
        assert deliver() == {"sent": 5}
    assert len(set(server.ids())) == 5


def test_channels_alternate(five, settings, slips, monkeypatch):
    """A channel that is slow, with a heap of older notices, lets the other one's through in between."""
    order = []
    monkeypatch.setattr(CHANNELS["email"], "send", lambda self, message, to, message_id: order.append("email"))
    monkeypatch.setattr(slips, "send", lambda self, message, to, message_id: order.append("slip"))
    Notice.objects.filter(channel="email").update(due_at=timezone.now() - timedelta(days=1))
    assert delivery.deliver_notices(timezone.now(), limit=6) == {"sent": 6}
    assert order == ["email", "slip"] * 3
