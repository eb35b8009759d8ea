"""Test the CPU budgets of networks and users."""

import pytest
from django.http import FileResponse, HttpResponse, StreamingHttpResponse

from accounts.models import AuditEvent
from accounts.throttling import cpu_budget
from accounts.throttling.cpu_budget import BURST_SECONDS, CpuBudgets, CpuMiddleware, Meter
from config.api.errors import DomainError
from doctors.tests.factories import DoctorFactory

HERE, ELSEWHERE = "198.51.100.1", "198.51.100.2"
LIST = "/api/doctors"


@pytest.fixture
def budgets(monkeypatch):
    """Budgets as in production: half a second of CPU time for a network, one and a half for a user."""
    monkeypatch.setattr(cpu_budget, "network_budgets", CpuBudgets("cpu-address", 50))
    monkeypatch.setattr(cpu_budget, "user_budgets", CpuBudgets("cpu-person", 150))
    return cpu_budget


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by hand."""
    now = [1_000_000.0]
    monkeypatch.setattr(cpu_budget.time, "monotonic", lambda: now[0])
    return now


def test_only_the_network_over_its_cpu_budget_is_rejected(budgets, api, db):
    DoctorFactory.create()
    assert api.get(LIST, REMOTE_ADDR=HERE).status_code == 200
    budgets.network_budgets.charge(HERE, 3_000)
    refused = api.get(LIST, {"search": "x"}, REMOTE_ADDR=HERE)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    assert 49 <= int(refused["Retry-After"]) <= 51
    assert api.get(LIST, {"search": "x"}, REMOTE_ADDR=ELSEWHERE).status_code == 200
    # Once for each window.
    api.get(LIST, {"search": "y"}, REMOTE_ADDR=HERE)
    rows = list(AuditEvent.objects.filter(event="limit.exhausted").values_list("detail", flat=True))
    assert [(row["limit"], row["max_attempts"]) for row in rows] == [("cpu-address", 50)]


def test_cached_responses_are_not_charged(budgets, api, db, settings):
    settings.PUBLIC_CACHE_SECONDS = 5
    DoctorFactory.create()
    for _ in range(3):
        api.get(LIST, REMOTE_ADDR=HERE)
    budgets.network_budgets.charge(HERE, 3_000)
    assert [api.get(path, REMOTE_ADDR=HERE).status_code for path in (LIST, "/api/schema", "/healthz")] == [200] * 3


def test_user_is_charged_across_networks(budgets, client_of, patient, other_patient, api):
    client, other = client_of(patient), client_of(other_patient)
    budgets.network_budgets.charge("127.0.0.1", 3_000)
    assert client.get("/api/appointments").status_code == 200
    budgets.user_budgets.charge(str(patient.pk), 5_000)
    assert client.get("/api/appointments", REMOTE_ADDR=ELSEWHERE).status_code == 429
    assert other.get("/api/appointments").status_code == 200
    # Acts have limits of their own, and a sign-out must work.
    assert client.post("/api/auth/logout").status_code == 200


def test_invalid_token_is_charged_to_the_network(budgets, api, db):
    budgets.network_budgets.charge("127.0.0.1", 3_000)
    assert api.get("/api/config", HTTP_AUTHORIZATION="Bearer x.y.z").status_code in {401, 429}
    assert api.get(LIST, {"search": "x"}, HTTP_AUTHORIZATION="Bearer x.y.z").status_code == 401


def test_exhausted_budget_refills(clock, db):
    budgets = CpuBudgets("x", 50)
    budgets.charge(HERE, 50 * BURST_SECONDS + 99)
    with pytest.raises(DomainError) as refused:
        budgets.check(HERE)
    assert refused.value.retry_after == 2
    clock[0] += 1.9
    with pytest.raises(DomainError):
        budgets.check(HERE)
    clock[0] += 0.1
    budgets.check(HERE)
    # Never more than a full one.
    clock[0] += 10_000
    budgets.charge(HERE, 0)
    assert budgets.budgets[HERE].remaining_ms == 50 * BURST_SECONDS


def test_wider_ipv6_networks_are_charged_too(budgets, api, db):
    for line in range(2):
        budgets.network_budgets.charge(f"2001:db8:0:{line}::/64", 1_100)
        budgets.network_budgets.charge("2001:db8::/56", 1_100, 4)
    assert api.get(LIST, {"search": "x"}, REMOTE_ADDR="2001:db8:0:9::1").status_code == 429
    assert api.get(LIST, {"search": "x"}, REMOTE_ADDR="2001:db8:0:900::1").status_code == 200


def test_budgets_of_many_networks_use_bounded_memory(monkeypatch):
    monkeypatch.setattr(cpu_budget, "MAX_BUDGETS", 3)
    budgets = CpuBudgets("x", 50)
    for number in range(9):
        budgets.charge(str(number), 10)
    assert list(budgets.budgets) == ["6", "7", "8"]


def test_request_and_its_stream_are_charged(rf, monkeypatch):
    spent = [0.0]
    monkeypatch.setattr(cpu_budget.time, "thread_time", lambda: spent[0])
    budgets = CpuBudgets("x", 50)

    def stream():
        for part in (b"a", b"b"):
            spent[0] += 0.1
            yield part

    def answer(response, seconds):
        def respond(request):
            request.cpu_meter = Meter(budgets, [(HERE, 1)])
            spent[0] += seconds
            return response

        return CpuMiddleware(respond)(rf.get("/"))

    answer(HttpResponse(), 0.0009)
    assert budgets.budgets == {}
    answer(HttpResponse(), 0.2)
    assert budgets.budgets[HERE].remaining_ms == pytest.approx(300, abs=5)
    assert b"".join(answer(StreamingHttpResponse(stream()), 0.1).streaming_content) == b"ab"
    assert budgets.budgets[HERE].remaining_ms == pytest.approx(0, abs=5)
    # A client that hangs up half-way pays for what it was sent.
    half = answer(StreamingHttpResponse(stream()), 0)
    next(half.streaming_content)
    for close in half._resource_closers:
        close()
    assert budgets.budgets[HERE].remaining_ms == pytest.approx(-100, abs=5)


def test_file_response_is_passed_through(rf, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x")

    def respond(request):
        request.cpu_meter = Meter(CpuBudgets("x", 50), [(HERE, 1)])
        return FileResponse(path.open("rb"))

    answer = CpuMiddleware(respond)(rf.get("/"))
    assert answer.file_to_stream is not None
    answer.file_to_stream.close()


def test_without_a_limit_nothing_is_rejected(monkeypatch, api, db):
    monkeypatch.setattr(cpu_budget, "network_budgets", CpuBudgets("cpu-address", 0))
    assert api.get(LIST).status_code == 200
    assert cpu_budget.network_budgets.budgets == {}
