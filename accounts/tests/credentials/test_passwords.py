"""Test password changes and password hashing."""

import os
import sys
import threading
from concurrent.futures import Future
from typing import ClassVar

import pytest
from django.contrib.auth.hashers import check_password, make_password

from accounts.credentials import password_hashing
from accounts.credentials.password_hashing import Argon2Hasher
from accounts.models import AuditEvent, Notice, Session, User
from accounts.tests.factories import PASSWORD
from config.api.errors import DomainError
from config.http.concurrency_limit import Bulkhead, ThreadBudget

pytestmark = pytest.mark.either_engine

ADDRESS = "/api/auth/password"
NEW = "fresh-blue-kettle"


def change(client, current=PASSWORD, new=NEW):
    return client.put(ADDRESS, {"currentPassword": current, "newPassword": new}, format="json")


def test_a_new_password_ends_every_other_session(patient, other_patient, client_of):
    here, there, stranger = client_of(patient), client_of(patient), client_of(other_patient)

    answer = change(here)

    assert (answer.status_code, answer.json()["message"]) == (200, "Password changed successfully")
    assert [client.get("/api/auth/profile").status_code for client in (here, there, stranger)] == [200, 401, 200]
    patient.refresh_from_db()
    assert (patient.check_password(NEW), patient.check_password(PASSWORD)) == (True, False)
    assert Session.objects.get(user=patient, ended_at__isnull=False).ended_because == "password_changed"
    event = AuditEvent.objects.get()
    assert (event.event, event.agent_id) == ("account.password_changed", patient.pk)
    assert Notice.objects.get().event == "account.password_changed"


def test_each_password_change_notifies_the_owner(patient, client_of):
    client = client_of(patient)
    change(client)
    change(client, current=NEW, new=PASSWORD)

    assert list(Notice.objects.values_list("event", "version")) == [
        ("account.password_changed", 1),
        ("account.password_changed", 2),
    ]


def test_a_wrong_current_password_changes_nothing_and_keeps_the_session(patient, client_of):
    client = client_of(patient)

    answer = change(client, current="not-this-one")

    assert (answer.status_code, answer.json()["errors"]) == (
        400,
        {"currentPassword": ["This is not your current password."]},
    )
    assert client.get("/api/auth/profile").status_code == 200
    assert User.objects.get().check_password(PASSWORD)
    assert AuditEvent.objects.count() == 0


def test_password_guesses_in_a_session_are_limited(patient, client_of):
    client = client_of(patient)

    answers = [change(client, current=f"guess-{number}") for number in range(5)]

    assert {answer.status_code for answer in answers} == {400}
    assert change(client).status_code == 429
    email = client.put("/api/auth/profile", {"email": "new@example.com", "currentPassword": PASSWORD}, format="json")
    assert email.status_code == 429


@pytest.mark.parametrize(
    ("new", "message", "why"),
    [
        ("xq7", "Password must be at least 6 characters long", "Password must be at least 6 characters long"),
        ("password1", "Please check the marked fields.", "This password is too common."),
        ("ada-patient", "Please check the marked fields.", "The password is too similar to the name."),
    ],
)
def test_a_weak_new_password_is_refused(patient, client_of, new, message, why):
    answer = change(client_of(patient), new=new)

    assert answer.status_code == 400
    assert (answer.json()["message"], answer.json()["errors"]) == (message, {"newPassword": [why]})
    assert User.objects.get().check_password(PASSWORD)


def test_outdated_password_change_is_rejected(patient, client_of, monkeypatch):
    def make_password_while_another_change_is_saved(raw):
        User.objects.update(password="changed")
        return make_password(raw)

    client = client_of(patient)
    monkeypatch.setattr("accounts.profile.make_password", make_password_while_another_change_is_saved)

    answer = change(client)

    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["currentPassword"])
    assert User.objects.get().password == "changed"


def test_passwords_are_hashed_with_owasp_parameters(settings):
    settings.PASSWORD_HASHERS = ["accounts.credentials.password_hashing.Argon2Hasher"]

    encoded = make_password(PASSWORD)

    assert encoded.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert check_password(PASSWORD, encoded)
    assert not check_password(PASSWORD + " ", encoded)


def test_hashing_waits_for_its_bulkhead(settings, monkeypatch):
    settings.PASSWORD_HASHERS = ["accounts.credentials.password_hashing.Argon2Hasher"]
    bulkhead = Bulkhead("hashing", 1, 0, 4, budget=ThreadBudget(16))
    monkeypatch.setattr("accounts.credentials.password_hashing.bulkhead", bulkhead)

    with bulkhead.acquire(), pytest.raises(DomainError) as full:
        Argon2Hasher().encode(PASSWORD, "saltsaltsalt")

    assert (full.value.status, full.value.code, full.value.retry_after) == (503, "unavailable", 2)


def test_users_of_one_network_log_in_concurrently_but_one_account_does_not(
    db, api, patient, other_patient, monkeypatch
):
    """Each holds a place while the next one comes; `verify` stands for the time that hashing takes."""
    bulkhead = Bulkhead("hashing", 3, 0, 4, budget=ThreadBudget(16))
    monkeypatch.setattr("accounts.credentials.password_hashing.bulkhead", bulkhead)
    tries = [patient.email, other_patient.email, patient.email]
    codes = []

    def sign_in_next() -> None:
        if tries:
            form = {"email": tries.pop(), "password": PASSWORD, "role": "patient"}
            codes.append(api.post("/api/auth/login", form, format="json").json().get("code", "signed in"))

    def check(password, encoded):
        return password_hashing.run_hashing(lambda: sign_in_next() or True)

    monkeypatch.setattr(password_hashing, "executor", InThisThread())
    monkeypatch.setattr("accounts.auth.login.check_password", check)
    sign_in_next()

    assert codes == ["too_many", "signed in", "signed in"]
    assert bulkhead.held == 0


class InThisThread:
    """Run what is submitted at once."""

    def submit(self, hashing):
        done = Future()
        done.set_result(hashing())
        return done


def test_hashing_has_low_priority_and_holds_no_database_connection(settings, monkeypatch):
    monkeypatch.setattr("accounts.credentials.password_hashing.connection", kept := Kept())

    here, there = os.getpriority(os.PRIO_PROCESS, threading.get_native_id()), password_hashing.run_hashing(own_priority)

    # Linux alone has a priority for each thread.
    assert there == (min(here + password_hashing.NICENESS_INCREMENT, 19) if sys.platform == "linux" else here)
    assert own_priority() == here
    assert kept.closed == 1
    # Within a transaction, what was done so far must not be lost.
    kept.in_atomic_block = True
    password_hashing.run_hashing(own_priority)
    assert kept.closed == 1


class Kept:
    """A connection of a pool."""

    settings_dict: ClassVar = {"OPTIONS": {"pool": {"max_size": 1}}}
    in_atomic_block = False
    closed = 0

    def close(self):
        self.closed += 1


def own_priority():
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
