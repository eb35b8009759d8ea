"""Test rate limits: networks, exact counts, and the audit of an exhausted limit."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from django.core.cache import cache

from accounts.auth import login
from accounts.credentials import password_confirmation
from accounts.models import AuditEvent
from accounts.tests.factories import PASSWORD
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit, list_networks
from config.api.errors import DomainError

LOGIN = "/api/auth/login"
ROUNDS = int(os.environ.get("LIMIT_ROUNDS", "8"))


def passes(limit, addresses, *subject):
    """Return the addresses whose try is let through, in order."""
    passed = []
    for address in addresses:
        with suppress(DomainError):
            limit.consume(address, *subject)
            passed.append(address)
    return passed


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("203.0.113.9", [("203.0.113.9", 1)]),
        ("::ffff:203.0.113.9", [("203.0.113.9", 1)]),
        (
            "2001:db8:1:2ff:3:4:5:6",
            [("2001:db8:1:2ff::/64", 1), ("2001:db8:1:200::/56", 4), ("2001:db8:1::/48", 16)],
        ),
        ("", [("", 1)]),
        ("unix:", [("unix:", 1)]),
    ],
)
def test_ipv6_address_counts_for_three_networks(address, networks):
    assert list_networks(address) == networks


@pytest.mark.parametrize(
    ("addresses", "most"),
    [
        ([f"2001:db8:0:1::{n:x}" for n in range(20)], 2),
        ([f"2001:db8:0:{n:x}::1" for n in range(20)], 8),
        ([f"2001:db8:0:{n:x}00::1" for n in range(60)], 32),
        ([f"2001:db8:{n:x}::1" for n in range(60)], 60),
        ([f"203.0.113.{n}" for n in range(60)], 60),
        (["203.0.113.9"] * 20, 2),
    ],
    ids=["one /64", "/64s of one /56", "/56s of one /48", "/48s", "IPv4 addresses", "one IPv4 address"],
)
def test_wider_networks_have_higher_ceilings(db, addresses, most):
    assert len(passes(NetworkRateLimit("tested", 2), addresses)) == most


def test_one_ipv6_line_does_not_exhaust_the_limit_of_its_neighbors(db):
    limit = NetworkRateLimit("tested", 2)
    passes(limit, ["2001:db8:0:1::1"] * 200)

    assert len(passes(limit, [f"2001:db8:0:{n:x}::1" for n in range(2, 20)])) == 6


def test_subjects_of_one_network_are_counted_separately(db):
    limit = NetworkRateLimit("tested", 1)

    assert passes(limit, ["203.0.113.9"], "a") == passes(limit, ["203.0.113.9"], "b") == ["203.0.113.9"]


def test_exhausted_network_is_rejected_without_counting(db):
    limit = NetworkRateLimit("tested", 1)
    limit.check("2001:db8::1")
    passes(limit, [f"2001:db8:0:{n:x}::1" for n in range(4)])

    with pytest.raises(DomainError, match="too_many"):
        limit.check("2001:db8:0:ff::1")
    limit.check("2001:db8:0:100::1")


def test_attempts_are_returned_and_reset_in_every_network(db):
    limit = NetworkRateLimit("tested", 1)
    addresses = [f"2001:db8:0:{n:x}::1" for n in range(4)]
    passes(limit, addresses)
    for address in addresses:
        limit.refund(address)
    assert passes(limit, addresses) == addresses

    limit.clear(addresses[0])
    assert passes(limit, addresses) == addresses[:1]


@pytest.mark.parametrize(
    "taken", [RateLimit("tested", 5), NetworkRateLimit("tested", 5)], ids=["a subject", "a network"]
)
def test_concurrent_attempts_never_exceed_the_limit(monkeypatch, taken):
    """The row of the audit log is written by exactly one of them."""
    written = []
    monkeypatch.setattr("accounts.throttling.rate_limit.record_rate_limit", lambda *limit: written.append(limit))
    at_once = 16
    for _ in range(ROUNDS):
        cache.clear()
        written.clear()
        barrier = Barrier(at_once)

        def take(_, barrier=barrier):
            barrier.wait()
            try:
                taken.consume("2001:db8::1")
            except DomainError:
                return False
            return True

        with ThreadPoolExecutor(at_once) as pool:
            assert sum(pool.map(take, range(at_once))) == 5
        assert written == [("tested", 5)]


def exhausted():
    return list(
        AuditEvent.objects.filter(event="limit.exhausted").values_list("detail", "outcome", "agent_id", "entity_id")
    )


def test_exhausted_limit_is_audited_once_per_subject(api, patient, monkeypatch):
    monkeypatch.setattr(login, "account_limit", NetworkRateLimit("sign-in-account", 2))
    wrong = {"email": patient.email, "password": "wrong", "role": "patient"}
    for address in ("203.0.113.9", "203.0.113.10"):
        said = [api.post(LOGIN, wrong, format="json", REMOTE_ADDR=address).status_code for _ in range(6)]
        assert said == [401, 401, 429, 429, 429, 429]

    assert exhausted() == [({"limit": "sign-in-account", "max_attempts": 2}, "4", None, "")] * 2
    assert [row.source_address for row in AuditEvent.objects.filter(event="limit.exhausted").order_by("id")] == [
        "203.0.113.9",
        "203.0.113.10",
    ]
    for row in AuditEvent.objects.filter(event="limit.exhausted").values():
        assert patient.email not in str(row)
        assert patient.name not in str(row)


def test_audit_event_names_who_exhausted_a_limit(client_of, patient, monkeypatch):
    monkeypatch.setattr(password_confirmation, "password_limit", RateLimit("own-password", 1))
    api = client_of(patient)
    change = {"currentPassword": "wrong", "newPassword": PASSWORD + "-new"}
    said = [api.put("/api/auth/password", change, format="json").status_code for _ in range(3)]

    assert said == [400, 429, 429]
    assert exhausted() == [({"limit": "own-password", "max_attempts": 1}, "4", patient.pk, str(patient.pk))]


def test_limit_exhausted_inside_a_rolled_back_transaction_is_still_audited(client_of, patient, monkeypatch):
    """The refusal takes the transaction back, and must not take the row along."""
    monkeypatch.setattr("accounts.auth.email_verification.mailbox_limit", RateLimit("email-link", 0))
    api = client_of(patient)
    change = {"email": "new@example.com", "currentPassword": PASSWORD}

    assert api.put("/api/auth/profile", change, format="json").status_code == 429
    assert [detail for detail, *_ in exhausted()] == [{"limit": "email-link", "max_attempts": 0}]
