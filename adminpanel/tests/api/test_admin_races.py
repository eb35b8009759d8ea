"""Test admins who act on each other and on the same users concurrently: no 5xx, one event each, one admin remains."""

import os
from collections import Counter

import httpx
import pytest

from appointments.tests.scheduling.concurrency import PASSWORD, register_user, run_concurrently, sign_in
from config.testing import RealServer, run_server

ROUNDS = int(os.environ.get("CONCURRENCY_ROUNDS", "4"))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with run_server(
        tmp_path_factory.mktemp("admins"), workers=2, ADMIN_PASSWORD=PASSWORD, MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT="1000"
    ) as one:
        yield one


def admin(server: RealServer, name: str) -> httpx.Client:
    """Make an admin and sign them in."""
    server.manage("create_admin", "--email", f"{name}@example.com", "--name", name)
    return admin_again(server, name)


def admin_again(server: RealServer, name: str) -> httpx.Client:
    """Sign an admin in; return the client, with the id as `who`."""
    email = f"{name}@example.com"
    client = sign_in(server, email, "admin")
    client.who = client.get("/api/auth/profile").json()["data"]["user"]["_id"]  # type: ignore[attr-defined]  # kept beside
    return client


def test_admins_deactivating_each_other_do_not_deadlock_and_one_remains(server):
    """Each locks what the other one needs; without one order the database would end one of them, with 503."""
    outcomes = Counter()
    staff_member, one, other = (admin(server, name) for name in ("Keeper", "One", "Other"))
    for _ in range(ROUNDS):
        answers = run_concurrently(
            lambda a=one, b=other: a.put(f"/api/admin/users/{b.who}/status", json={"status": "inactive"}),
            lambda a=one, b=other: b.put("/api/admin/users/status", json={"ids": [a.who], "status": "inactive"}),
        )
        listed = staff_member.get("/api/admin/users", params={"role": "admin", "status": "active"})
        left = [user["_id"] for user in listed.json()["data"]["users"] if user["_id"] in {one.who, other.who}]
        outcomes[len(left)] += 1
        back = {"ids": [one.who, other.who], "status": "active"}
        assert staff_member.put("/api/admin/users/status", json=back).status_code == 200
        for client in (one, other):
            client.close()
        one, other = admin_again(server, "One"), admin_again(server, "Other")
        refused = answers[1].json()["data"].get("refused", []) if answers[1].status_code == 200 else []
        assert [why["code"] for why in refused if why["code"] == "unavailable"] == []
    for client in (staff_member, one, other):
        client.close()
    assert outcomes == {1: ROUNDS}


def test_concurrent_deactivation_of_the_same_users_writes_one_audit_event_each(server):
    one, other = admin(server, "First"), admin(server, "Second")
    for number in range(ROUNDS):
        people = [register_user(server, "patient", 100 + 10 * number + n) for n in range(3)]
        ids = [client.get("/api/auth/profile").json()["data"]["user"]["_id"] for client in people]
        for client in people:
            client.close()
        answers = run_concurrently(
            lambda ids=ids: one.put("/api/admin/users/status", json={"ids": ids, "status": "inactive"}),
            lambda ids=ids: other.put("/api/admin/users/status", json={"ids": ids[::-1], "status": "inactive"}),
        )
        changed = [who for answer in answers for who in answer.json()["data"]["changed"]]
        assert sorted(changed) == sorted(ids)
        for who in ids:
            events = one.get("/api/admin/audit", params={"entity": who, "event": "account.deactivated"})
            assert len(events.json()["data"]["events"]) == 1
    for client in (one, other):
        client.close()
