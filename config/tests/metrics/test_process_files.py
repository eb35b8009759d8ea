"""Test that the processes of one machine add up: nothing is lost when one ends, and nothing is counted twice."""

import os
import subprocess
import sys

import httpx
import pytest
from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict, mmap_key
from prometheus_client.parser import text_string_to_metric_families

from config.metrics import process_files
from config.testing import run_server

pytestmark = pytest.mark.either_engine

TOKEN = "invented-token-of-prometheus"
KEY = mmap_key("wellhour_bookings", "wellhour_bookings_total", ["by"], ["patient"], "Appointments booked.")


def ended_process():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def write(folder, process, value):
    file = MmapedDict(str(folder / f"counter_{process}.db"))
    file.write_value(KEY, value, 0)
    file.close()


def total(folder):
    return [sample.value for metric in process_files.read_totals(folder) for sample in metric.samples]


def test_figures_of_ended_processes_are_archived(tmp_path):
    write(tmp_path, os.getpid(), 1)
    for value in (10, 100):
        write(tmp_path, ended_process(), value)
    assert [total(tmp_path) for _ in range(3)] == [[111]] * 3
    write(tmp_path, ended_process(), 1000)
    assert total(tmp_path) == [1111]
    assert {path.name for path in tmp_path.iterdir()} == {"lock", "counter_archive.db", f"counter_{os.getpid()}.db"}


def test_process_without_room_for_its_files_counts_for_itself(tmp_path, settings, monkeypatch, caplog):
    settings.METRICS_TOKEN, settings.METRICS_ROOT = TOKEN, tmp_path
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)

    def refuse(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(process_files.os, "posix_fallocate", refuse)
    process_files.reserve_files()
    assert values.ValueClass is values.MutexValue
    assert f"keeps its metrics to itself: {tmp_path}, No space left on device" in caplog.text


def scrape(client):
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def test_two_workers_add_up_and_outlive_a_restart(tmp_path):
    """Each connection reaches either worker; the total is that of both, before and after the server is restarted."""
    settings = {"METRICS_TOKEN": TOKEN, "METRICS_ROOT": str(tmp_path / "metrics"), "workers": 2}
    asked = ("wellhour_http_requests_total", ("method", "GET"), ("route", "/api/config"), ("status", "2xx"))
    with run_server(tmp_path, **settings) as server:
        for _ in range(60):
            assert httpx.get(f"{server.url}/api/config", timeout=60).status_code == 200
        # Both have counted some.
        assert len(list((tmp_path / "metrics").glob("counter_*.db"))) == 2
        with httpx.Client(base_url=server.url, timeout=60) as client:
            assert scrape(client)[asked] == 60
        server.stop()
        server.start(workers=2)
        for _ in range(5):
            httpx.get(f"{server.url}/api/config", timeout=60)
        for _ in range(4):
            with httpx.Client(base_url=server.url, timeout=60) as client:
                figures = scrape(client)
                assert figures[asked] == 65
        assert figures["wellhour_dependency_up", ("dependency", "database")] == 1
        assert "Wellhour 0.1.0 has started in test" in server.log.read_text()
