"""Test what a process counts, and that it costs little."""

import os
import subprocess
import sys

import pytest
from django.test import Client

from config.metrics import instruments
from config.testing import ROOT

pytestmark = pytest.mark.either_engine

HOSTILE = "Qanarie"


def count(name, **labels):
    return instruments.registry.get_sample_value(name, labels) or 0


@pytest.mark.django_db
def test_requests_are_counted_by_route_method_and_status_class():
    labels = {"route": "/api/doctors/<uuid:pk>", "method": "GET", "status": "4xx"}
    before = count("wellhour_http_requests_total", **labels)
    timed = count("wellhour_http_request_duration_seconds_count", route=labels["route"])
    for number in range(3):
        Client().get(f"/api/doctors/00000000-0000-7000-8000-00000000000{number}")
    assert count("wellhour_http_requests_total", **labels) == before + 3
    assert count("wellhour_http_request_duration_seconds_count", route=labels["route"]) == timed + 3


@pytest.mark.django_db
def test_no_label_is_chosen_by_a_client(users):
    client = Client(raise_request_exception=False)
    for path in (
        f"/{HOSTILE}",
        f"/api/{HOSTILE}",
        f"/api/doctors/{HOSTILE}",
        f"/media/{HOSTILE}",
        f"/static/{HOSTILE}",
    ):
        client.get(path, query_params={"search": HOSTILE}, headers={"host": "testserver", "user-agent": HOSTILE})
        client.generic(HOSTILE.upper(), path)
    client.get(f"/api/doctors/{users.doctor.pk}")
    client.get("/", headers={"host": f"{HOSTILE}.example"})
    samples = [sample for metric in instruments.registry.collect() for sample in metric.samples]
    values = {value for sample in samples for value in sample.labels.values()}
    assert not [value for value in values if HOSTILE.lower() in value.lower() or str(users.doctor.pk) in value]
    assert {"(none)", "other"} <= values


@pytest.mark.django_db
def test_error_responses_are_counted_by_code(client):
    before = count("wellhour_rejections_total", code="not_signed_in")
    client.get("/api/appointments")
    assert count("wellhour_rejections_total", code="not_signed_in") == before + 1


@pytest.mark.django_db
def test_slot_searches_are_counted_with_their_result(client, users, settings):
    settings.PUBLIC_CACHE_SECONDS = 5
    address = f"/api/doctors/{users.doctor.pk}/slots"

    def counts():
        return {
            (search, result): count("wellhour_slot_searches_total", search=search, result=result)
            for search in ("doctor", "directory")
            for result in ("free", "none")
        }

    before = counts()
    # The second one is answered from the cache.
    for _ in range(2):
        assert client.get(f"{address}?days=14").status_code == 200
    client.get("/api/doctors?availableBy=2000-01-01")
    client.get("/api/doctors")
    client.get(f"/api/doctors/{users.doctor.pk}")
    after = counts()
    assert sum(after.values()) - sum(before.values()) in {2, 3}
    assert after["doctor", "free"] == before["doctor", "free"] + 2


MEASURE = """
import os, time
import django
django.setup()
from config.metrics import instruments, process_files
process_files.reserve_files()
def run(n):
    start = time.process_time()
    for _ in range(n):
        instruments.count_request("/api/doctors", "GET", 200, 0.004)
    return (time.process_time() - start) / n * 1e6
run(1000)
print(min(run(5000) for _ in range(5)))
"""


def test_counting_a_request_takes_microseconds(tmp_path):
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "METRICS_TOKEN": "t" * 20,
        "METRICS_ROOT": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    # 7 on a quiet machine.
    assert float(done.stdout) < 100, f"{float(done.stdout):.1f} µs"
