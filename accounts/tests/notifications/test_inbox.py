"""Test the inbox: its notices, its cost, and that polling does not extend a session."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notice, Session
from accounts.notifications import inbox, registry
from accounts.notifications.outbox import notify_user, notify_users
from accounts.notifications.registry import Message
from accounts.tests.factories import PASSWORD
from accounts.tests.mail_links import deliver

LIST = "/api/notices"
UNREAD = "/api/notices/unread"
READ = "/api/notices/read"

State = Notice.State


@pytest.fixture
def told(patient):
    """Three notices that have something to say."""
    notify_user("account.registered", patient)
    notify_user("account.password_changed", patient)
    notify_user("account.password_changed", patient)
    return patient


def shown(client, query=""):
    answer = client.get(f"{LIST}{query}")
    assert answer.status_code == 200
    return answer.json()["data"]["notices"]


def events(client, query=""):
    return [row["event"] for row in shown(client, query)]


def test_inbox_uses_the_texts_of_the_mails(told, client_of):
    newest, _, welcome = shown(client_of(told))
    assert newest["title"] == "Your password was changed"
    assert newest["lines"] == ["You've been signed out everywhere except where you changed it."]
    assert [fact["name"] for fact in newest["facts"]] == ["When"]
    assert (newest["path"], newest["label"], newest["read"]) == (None, None, False)
    assert newest["at"].endswith("Z")
    assert (welcome["path"], welcome["label"]) == ("/patient/doctors", "Find a doctor")
    assert set(welcome) == {"_id", "event", "title", "lines", "facts", "path", "label", "at", "read", "language"}


def test_a_delayed_notice_is_shown_and_sent_only_when_its_delay_is_over(patient, client_of, mail):
    notify_users("account.password_changed", "user", patient.pk, [patient], delay=timedelta(seconds=10))
    notice = Notice.objects.get()
    with time_machine.travel(notice.due_at - timedelta(seconds=1), tick=False):
        client = client_of(patient)
        assert events(client) == []
        assert client.get(UNREAD).json()["data"] == {"unread": 0, "latest": None}
        assert client.put(READ, {"all": True}, format="json").status_code == 200
        assert deliver() == {}
    with time_machine.travel(notice.due_at, tick=False):
        client = client_of(patient)
        assert [row["read"] for row in shown(client)] == [False]
        assert deliver() == {"sent": 1}


def test_user_sees_only_their_own_notices(told, other_patient, client_of):
    notify_user("account.registered", other_patient)
    client = client_of(other_patient)
    theirs = Notice.objects.filter(recipient=told)
    assert events(client) == ["account.registered"]
    assert client.put(READ, {"ids": [row.pk for row in theirs]}, format="json").status_code == 200
    assert set(theirs.values_list("read_at", flat=True)) == {None}
    assert client.put(READ, {"all": True}, format="json").json()["data"] == {"unread": 0, "latest": None}
    assert set(theirs.values_list("read_at", flat=True)) == {None}


@pytest.mark.parametrize(
    ("state", "error", "is_shown"),
    [
        (State.WAITING, "", True),
        (State.SENT, "", True),
        # The mail did not get through; the page does.
        (State.FAILED, "smtp_550", True),
        (State.DROPPED, "not_wanted", True),
        (State.DROPPED, "no_longer_helps", False),
        (State.DROPPED, "before_delivery", False),
        (State.MERGED, "", False),
    ],
)
def test_outdated_notice_is_not_shown(patient, client_of, state, error, is_shown):
    notify_user("account.registered", patient)
    Notice.objects.update(state=state, error=error)
    client = client_of(patient)
    assert events(client) == (["account.registered"] if is_shown else [])
    assert client.get(UNREAD).json()["data"]["unread"] == int(is_shown)


def test_links_that_act_appear_only_in_mail(patient, client_of):
    client = client_of(patient)
    client.put("/api/auth/profile", {"email": "new@example.com", "currentPassword": PASSWORD}, format="json")
    notify_user("account.registered", patient)
    notify_user("password.reset_requested", patient, detail={"asked": 0, "digest": ""})
    assert events(client) == ["account.registered", "email.change_requested"]
    assert "token" not in client.get(LIST).content.decode()


def test_superseded_notice_is_not_counted(patient, client_of):
    notify_user("account.registered", patient)
    # The account is active, so this one says nothing any more.
    notify_user("account.deactivated", patient)
    client = client_of(patient)
    assert events(client) == ["account.registered"]
    data = client.get(UNREAD).json()["data"]
    assert (data["unread"], data["latest"]["event"]) == (1, "account.registered")


def test_notice_that_fails_to_compose_does_not_hide_others(patient, client_of, monkeypatch):
    def broken(notice):
        raise ValueError("broken")

    monkeypatch.setitem(
        registry._composers,
        "account.password_changed",
        registry.RegisteredComposer(broken, registry.ALWAYS),
    )
    notify_user("account.registered", patient)
    notify_user("account.password_changed", patient)
    notify_users("nobody.knows", "user", patient.pk, [patient])
    assert events(client_of(patient)) == ["account.registered"]


def test_some_or_all_notices_can_be_marked_as_read(told, client_of):
    client = client_of(told)
    newest = shown(client)[0]
    left = client.put(READ, {"ids": [newest["_id"]]}, format="json").json()["data"]
    assert (left["unread"], left["latest"]["_id"]) == (2, shown(client)[1]["_id"])
    assert [row["read"] for row in shown(client)] == [True, False, False]
    assert len(shown(client, "?unread=true")) == 2
    first = Notice.objects.get(pk=newest["_id"]).read_at
    assert client.put(READ, {"all": True}, format="json").json()["data"] == {"unread": 0, "latest": None}
    assert events(client, "?unread=true") == []
    # Seen is seen: the moment stays.
    assert Notice.objects.get(pk=newest["_id"]).read_at == first


@pytest.mark.parametrize(
    "body",
    [
        *({}, {"ids": [1], "all": True}, {"all": False}, {"all": "true"}, {"ids": "1"}, {"ids": ["1"]}, {"ids": [0]}),
        *({"ids": [True]}, {"ids": [2**63]}, {"ids": [1] * 101}),
    ],
)
def test_ambiguous_mark_as_read_is_rejected(told, client_of, body):
    assert client_of(told).put(READ, body, format="json").status_code == 400
    assert Notice.objects.filter(read_at=None).count() == 3


def test_notices_are_paginated(told, client_of):
    client = client_of(told)
    data = client.get(f"{LIST}?page=2&pageSize=2").json()["data"]
    assert [row["event"] for row in data["notices"]] == ["account.registered"]
    assert data["pagination"] == {"page": 2, "pageSize": 2, "hasNext": False, "count": 3, "countIsExact": True}


def test_poll_without_changes_is_a_304_in_two_queries(told, client_of):
    client = client_of(told)
    first = client.get(UNREAD)
    tag = first["ETag"]
    assert first.json()["data"]["unread"] == 3
    with CaptureQueriesContext(
        connection,
    ) as queries:
        again = client.get(UNREAD, HTTP_IF_NONE_MATCH=tag)
    assert (again.status_code, again.content, again["ETag"], len(queries)) == (304, b"", tag, 2)
    assert client.get(UNREAD, HTTP_IF_NONE_MATCH=f'"other", W/{tag}').status_code == 304


def test_unread_notices_are_recomposed_after_a_while(told, client_of, monkeypatch):
    """A proposal runs out by time alone: nothing is written then, and the count must still go down."""
    client = client_of(told)
    tag = client.get(UNREAD)["ETag"]
    monkeypatch.setattr(inbox, "UNREAD_ETAG_SECONDS", 1)
    assert client.get(UNREAD, HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_new_and_read_notices_change_the_etag(told, other_patient, client_of):
    client = client_of(told)
    tags = [client.get(UNREAD)["ETag"]]
    notify_user("account.password_changed", told)
    tags.append(client.get(UNREAD, HTTP_IF_NONE_MATCH=tags[0])["ETag"])
    client.put(READ, {"all": True}, format="json")
    tags.append(client.get(UNREAD)["ETag"])
    tags.append(client_of(other_patient).get(UNREAD)["ETag"])
    assert len(set(tags)) == 4


def test_unread_count_stops_at_one_hundred(patient, client_of, monkeypatch):
    for _ in range(inbox.MAX_UNREAD + 5):
        notify_user("account.password_changed", patient)
    composed = []
    real = registry.compose_message
    monkeypatch.setattr(registry, "compose_message", lambda notice: composed.append(notice) or real(notice))
    assert client_of(patient).get(UNREAD).json()["data"]["unread"] == inbox.MAX_UNREAD
    assert len(composed) == inbox.MAX_COMPOSED_UNREAD


def test_polling_notices_does_not_extend_the_session(told, client_of, settings):
    client = client_of(told)
    now = timezone.now()

    def seen(minutes):
        Session.objects.update(last_seen_at=now - timedelta(minutes=minutes))
        return Session.objects.get().last_seen_at

    before = seen(10)
    assert client.get(UNREAD).status_code == 200
    assert Session.objects.get().last_seen_at == before
    # Everything else does.
    assert client.get(LIST).status_code == 200
    assert Session.objects.get().last_seen_at > before
    seen(settings.SESSION_IDLE_MINUTES["patient"] + 1)
    assert client.get(UNREAD).status_code == 401


def test_unread_notices_are_read_from_an_index(told):
    plan = inbox.list_notices(told).filter(read_at=None).values_list("pk")[: inbox.MAX_UNREAD].explain()
    if connection.vendor == "sqlite":
        assert "notice_unread" in plan
    assert "SCAN accounts_notice" not in plan


def test_every_notice_links_to_a_path_of_this_site(told, client_of):
    notice = Notice.objects.first()
    row = inbox.serialize_notice(
        notice, Message("S", "T", lines=("", "a"), action=("Go", "/x"), secret_action=("No", "/y?token=1"))
    )
    assert (row["lines"], row["path"], row["label"]) == (["a"], "/x", "Go")
    assert "token" not in str(row)
