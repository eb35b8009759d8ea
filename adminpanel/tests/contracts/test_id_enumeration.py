"""Test that clients that try ids are detected and limited, and no others."""

import threading
from collections import Counter
from datetime import timedelta
from uuid import uuid4

import httpx
import pytest
import time_machine
from django.http import HttpResponseNotFound
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.audit.log import current_address
from accounts.models import AuditEvent
from accounts.throttling import id_enumeration
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from adminpanel.tests.contracts.access_matrix import list_routes, matrix_site
from appointments.tests.factories import make_appointment
from appointments.tests.scheduling.concurrency import register_user

__all__ = ["matrix_site"]  # a fixture


@pytest.fixture
def few(monkeypatch):
    """Let a person miss five times and a network seven times."""
    monkeypatch.setattr(id_enumeration, "user_limit", RateLimit("misses-person", 5))
    monkeypatch.setattr(id_enumeration, "network_limit", NetworkRateLimit("misses-address", 7))


def tried():
    events = AuditEvent.objects.filter(event="account.ids_tried").order_by("id")
    return list(events.values_list("agent_id", "entity_id", "source_address", "outcome", "detail"))


def statuses(client, *addresses):
    return [client.get(address).status_code for address in addresses]


def test_user_who_tries_ids_is_limited_and_audited_once(few, users, client_of):
    appointment = make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=2))
    theirs = make_appointment(users.doctor, users.other_patient, timezone.now().date() + timedelta(days=3))
    own, others = f"/api/appointments/{appointment.pk}", f"/api/appointments/{theirs.pk}"
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = client_of(users.patient)
        assert (
            statuses(client, others, own, *(f"/api/appointments/{uuid4()}" for _ in range(4))) == [404, 200] + [404] * 4
        )
        # From here on nothing is told any more, neither of what is not there nor of what is.
        assert statuses(client, others, others, own) == [429] * 3
        assert tried() == [(users.patient.pk, str(users.patient.pk), "127.0.0.1", "4", {"max_attempts": 5})]
        # Signing in again does not reset the count; what names no object goes on.
        client = client_of(users.patient)
        assert statuses(client, own, "/api/appointments", "/api/doctors", "/api/auth/profile") == [429, 200, 200, 200]
        assert client.get(own)["Retry-After"] == "901"
        # Nobody else is kept from anything.
        assert statuses(client_of(users.other_patient), others) == [200]
        assert statuses(APIClient(), f"/api/doctors/{users.doctor.pk}") == [200]
        clock.shift(timedelta(minutes=15, seconds=1))
        assert statuses(client, own, others) == [200, 404]
        assert len(tried()) == 1


def test_each_window_is_audited_once(few, users, client_of):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for window in range(1, 4):
            client = client_of(users.patient)
            answers = statuses(client, *(f"/api/appointments/{uuid4()}" for _ in range(9)))
            assert answers == [404] * 5 + [429] * 4
            assert len(tried()) == window
            clock.shift(timedelta(minutes=15, seconds=1))


def test_misses_of_visitors_count_for_all_their_networks(few, db):
    """No route shows visitors private objects by id; one that comes is watched by network."""
    watched = id_enumeration.MissCounter(None)

    def miss(address):
        token = current_address.set(address)
        try:
            return watched.count_miss(HttpResponseNotFound()).status_code
        finally:
            current_address.reset(token)

    assert [miss(f"2001:db8:1:2::{number:x}") for number in range(9)] == [404] * 7 + [429] * 2
    assert [detail for *_, detail in tried()] == [{"max_attempts": 7}]
    # The next /64 is another network, and one of a /56 that has four times as much.
    assert [miss(f"2001:db8:1:{number:x}::1") for number in range(3, 33)] == [404] * 21 + [429] * 9


def test_id_enumeration_does_not_block_public_pages_for_neighbors(few, users):
    """60 invented ids from one address of a NAT used to close the directory to all behind it."""
    doctor = f"/api/doctors/{users.doctor.pk}"
    when = {"appointmentDate": "2030-01-08", "appointmentTime": "09:00"}
    for _ in range(20):
        visitor = APIClient()
        assert statuses(visitor, f"/api/doctors/{uuid4()}", f"/api/doctors/{uuid4()}/slots") == [404, 404]
        held = visitor.post("/api/appointments/hold", {"doctorId": str(uuid4()), **when}, format="json")
        assert held.status_code == 404
    explain = f"{doctor}/slots/explain?date=2030-01-08&time=09:00"
    assert statuses(APIClient(), doctor, f"{doctor}/slots", "/api/doctors", explain) == [200] * 4
    assert tried() == []


def test_ids_in_a_body_are_counted_too(few, users, client_of):
    client = client_of(users.patient)
    when = {"appointmentDate": "2030-01-08", "appointmentTime": "09:00"}

    def ask(address, doctor):
        return client.post(address, {"doctorId": str(doctor), **when}, format="json").status_code

    assert [ask("/api/appointments", uuid4()) for _ in range(6)] == [404] * 5 + [429]
    assert ask("/api/appointments", users.doctor.pk) == 429
    # A hold names a doctor whom everybody may see.
    assert ask("/api/appointments/hold", uuid4()) == 404
    # What was held and ran out is given back in vain, as often as that happens.
    assert {client.delete("/api/appointments/hold/long-over").status_code for _ in range(12)} == {404}


# The routes whose objects everybody may see, so that an id hides nothing. Each one more needs its reason here.
PUBLIC = [
    ("doctor-detail", "get"),  # an approved doctor's page
    ("doctor-slots", "get"),  # an approved doctor's free times
    ("slots-explain", "get"),  # whether one of them is open
]


def test_every_route_with_a_private_object_is_counted(few, matrix_site):
    _, addresses = matrix_site
    unwatched = []
    for pattern in list_routes():
        named = {name for name in pattern.pattern.converters if name != "secret"}
        if not named or not addresses[pattern.name].startswith("/api"):
            continue
        for method in pattern.callback.actions:
            view = pattern.callback.cls(**pattern.callback.initkwargs)
            view.kwargs, view.action = dict.fromkeys(named), pattern.callback.actions[method]
            if not view.is_object_request() or id_enumeration.IdEnumerationThrottle not in view.throttle_classes:
                unwatched.append((pattern.name, method))
    assert {entry for entry in unwatched if entry[1] != "head"} == set(PUBLIC)


def test_unavailable_counters_block_nobody(users, client_of, settings):
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": "redis://127.0.0.1:1/0",
        }
    }
    appointment = make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=2))
    client = client_of(users.patient)
    assert statuses(client, f"/api/appointments/{appointment.pk}", f"/api/appointments/{uuid4()}") == [200, 404]


def test_fifty_concurrent_attempts_get_exactly_the_limit(real_server):
    server = real_server(MAX_UNKNOWN_IDS_PER_USER="20")
    patient = register_user(server, "patient", 0)
    got = []
    start = threading.Barrier(50)

    def run():
        start.wait(timeout=60)
        got.append(
            httpx.get(f"{server.url}/api/appointments/{uuid4()}", headers=patient.headers, timeout=60).status_code
        )

    threads = [threading.Thread(target=run) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    patient.close()
    assert Counter(got) == {404: 20, 429: 30}
    assert server.sql("SELECT count(*) FROM accounts_auditevent WHERE event = 'account.ids_tried'") == [(1,)]


def test_concurrent_misses_never_exceed_the_limit(few, users):
    """All of them have been let through before the first was counted."""
    watched = id_enumeration.MissCounter(users.patient)
    said = [watched.count_miss(HttpResponseNotFound()).status_code for _ in range(8)]
    assert said == [404] * 5 + [429] * 3
    assert len(tried()) == 1
