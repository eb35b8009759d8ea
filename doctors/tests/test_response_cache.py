"""Visitors may get a response that is up to five seconds old; everyone else gets current data."""

import gzip

import brotli
import pytest
import time_machine
from django.core.cache import caches
from django.db import OperationalError, connection

from accounts.throttling import cpu_budget, id_enumeration
from accounts.throttling.cpu_budget import CpuBudgets
from accounts.throttling.rate_limit import NetworkRateLimit
from config.http.etag import etag_of
from doctors import response_cache
from doctors.models import Approval, DoctorProfile, MissedSearch, WeeklyHours
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York, within a minute: no slot begins or ends while a test runs.
NOW = "2030-01-07T15:00:10Z"
LIST = "/api/doctors"
VARY = "Accept-Encoding, Authorization, origin"


@pytest.fixture(autouse=True)
def clock(settings):
    settings.PUBLIC_CACHE_SECONDS = 5
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def doctor():
    DoctorFactory.create()
    return DoctorFactory.create()


def filters(doctor):
    return f"{LIST}/filters"


def listing(doctor):
    return LIST


def page(doctor):
    return f"{LIST}/{doctor.pk}"


def slots(doctor):
    return f"{LIST}/{doctor.pk}/slots"


every_route = pytest.mark.parametrize("route", [listing, filters, page, slots])


class QueryCounter:
    """Count the statements sent to the database."""

    def __enter__(self):
        self.count = 0
        self.wrapper = connection.execute_wrapper(self.execute)
        self.wrapper.__enter__()
        return self

    def execute(self, execute, *statement):
        self.count += 1
        return execute(*statement)

    def __exit__(self, *exception):
        self.wrapper.__exit__(*exception)


def get_counted(client, url, **headers):
    """Return the response and how many statements it took."""
    with QueryCounter() as queries:
        response = client.get(url, **headers)
    return response, queries.count


def get_uncached(client, url, settings, **headers):
    """Return the response as it is without the cache."""
    settings.PUBLIC_CACHE_SECONDS = 0
    try:
        return client.get(url, **headers)
    finally:
        settings.PUBLIC_CACHE_SECONDS = 5


def count_entries():
    return len(caches["public"]._cache)


def close_day(doctor):
    """Change what every route but the filters shows of the doctor."""
    WeeklyHours.objects.filter(doctor=doctor, start_minute__lt=780).update(start_minute=600)


# --- Age ---------------------------------------------------------------------------------------


@every_route
def test_repeated_request_takes_no_query_and_gets_the_same_response(client, doctor, settings, route):
    url = route(doctor)
    (first, computed), (second, cached) = get_counted(client, url), get_counted(client, url)
    assert computed > 0
    assert cached == 0
    assert first.content == second.content == get_uncached(client, url, settings).content
    own = {"X-Request-ID"}
    assert {name: first[name] for name in first.headers if name not in own} == {
        name: second[name] for name in second.headers if name not in own
    }
    assert second["Content-Type"] == "application/json"
    assert second["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("route", [listing, page, slots])
def test_visitors_see_a_change_within_five_seconds_and_users_immediately(
    clock, client, client_of, patient, doctor, route
):
    url = route(doctor)
    before = client.get(url).content
    clock.shift(1)
    close_day(doctor)
    current = client_of(patient).get(url).content
    assert current != before
    clock.shift(3.999)
    assert client.get(url).content == before
    clock.shift(0.001)
    assert client.get(url).content == current


def test_revoked_doctor_disappears_within_five_seconds_and_immediately_for_users(
    clock, client, client_of, patient, doctor
):
    for route in (listing, page, slots):
        client.get(route(doctor))
    DoctorProfile.objects.filter(pk=doctor.pk).update(approval=Approval.REVOKED)

    def names(someone):
        return {each["name"] for each in someone.get(LIST).json()["data"]["doctors"]}

    signed_in = client_of(patient)
    assert doctor.user.name not in names(signed_in)
    assert [signed_in.get(route(doctor)).status_code for route in (page, slots)] == [404, 404]
    assert doctor.user.name in names(client)
    clock.shift(5)
    assert doctor.user.name not in names(client)
    assert [client.get(route(doctor)).status_code for route in (page, slots)] == [404, 404]


def test_age_counts_from_before_the_data_were_read(clock, client, doctor, monkeypatch):
    serve = response_cache.get_cached_response

    def serve_slowly(view, request, respond):
        def respond_slowly():
            response = respond()
            response.render()
            clock.shift(4)
            close_day(doctor)
            return response

        return serve(view, request, respond_slowly)

    monkeypatch.setattr(response_cache, "get_cached_response", serve_slowly)
    before = client.get(LIST).content
    monkeypatch.undo()
    assert client.get(LIST).content == before
    clock.shift(1)
    assert client.get(LIST).content != before


def test_nothing_is_served_after_the_clock_was_set_back(clock, client, doctor):
    client.get(LIST)
    clock.shift(-3600)
    assert get_counted(client, LIST)[1] > 0


def test_booking_a_cached_slot_that_was_taken_is_refused(client, client_of, patient, other_patient, doctor):
    client.get(slots(doctor))
    booking = {"doctorId": str(doctor.pk), "appointmentDate": "2030-01-08", "appointmentTime": "09:00"}
    assert client_of(other_patient).post("/api/appointments", booking, format="json").status_code == 201
    assert "09:00" in client.get(slots(doctor)).json()["data"]["slots"][1]["times"]
    assert "09:00" not in client_of(patient).get(slots(doctor)).json()["data"]["slots"][1]["times"]
    assert client_of(patient).post("/api/appointments", booking, format="json").json()["code"] == "slot_taken"


def test_without_the_setting_nothing_is_cached(client, doctor, settings):
    settings.PUBLIC_CACHE_SECONDS = 0
    first, *others = [get_counted(client, LIST)[1] for _ in range(3)]
    assert others == [first] * 2
    assert first > 0
    assert count_entries() == 0


# --- Keys and size -------------------------------------------------------------------------------


@pytest.mark.parametrize("query", [{"ordering": "nextFree"}, {"availableBy": "2030-02-01"}, {"search": "Ada"}])
def test_each_query_has_its_own_entry(client, doctor, settings, query):
    client.get(LIST)
    response, computed = get_counted(client, LIST, query_params=query)
    assert computed > 0
    assert get_counted(client, LIST, query_params=query)[1] == 0
    assert response.content == get_uncached(client, LIST, settings, query_params=query).content


def test_spellings_of_one_query_share_an_entry(client, doctor):
    client.get(LIST)
    for query in ("?utm=1", "?page=1", "?pageSize=20&x=y", "?page=9&page=1", "?pageSize=%20%32%30"):
        assert get_counted(client, LIST + query)[1] == 0, query
    for number in range(100):
        client.get(f"{LIST}?utm={number}")
        client.get(f"{filters(doctor)}?page={number}")
    assert count_entries() == 2


@pytest.mark.parametrize(
    "query",
    ["page=0", "pageSize=x", "ordering=up", "city=" + "x" * 101, "search=%00", "&" * 300, "page=%ff", "page=1&" * 1001],
)
def test_rejected_query_is_rejected_the_same_as_without_the_cache(client, doctor, settings, query):
    for _ in range(2):
        response = client.get(f"{LIST}?{query}")
        assert get_uncached(client, f"{LIST}?{query}", settings).status_code == response.status_code
        if response.status_code != 200:
            assert (response["Cache-Control"], response.get("ETag")) == ("no-store", None)
            assert response.json()["success"] is False
    assert count_entries() == 0


def test_different_queries_use_bounded_memory(client, doctor, monkeypatch, settings):
    options = settings.CACHES["public"]["OPTIONS"]
    assert options["MAX_ENTRIES"] * response_cache.MAX_BODY_BYTES <= 16_000_000
    monkeypatch.setattr(caches["public"], "_max_entries", 9)
    for number in range(30):
        client.get(f"{LIST}?search=nobody{number}")
        # Entries that are asked for again are the last to go.
        assert get_counted(client, LIST)[1] == 0 or number == 0
    assert 3 < count_entries() <= 9


def test_a_large_response_is_not_cached(client, doctor, monkeypatch):
    monkeypatch.setattr(response_cache, "MAX_BODY_BYTES", len(client.get(LIST).content) - 1)
    caches["public"].clear()
    assert min(get_counted(client, LIST)[1] for _ in range(2)) > 0


# --- Who gets cached responses ---------------------------------------------------------------------


@every_route
def test_a_request_with_a_token_neither_reads_nor_fills_the_cache(client, doctor, patient, client_of, route):
    url = route(doctor)
    assert client_of(patient).get(url).status_code == 200
    assert count_entries() == 0
    body = client.get(url).content
    for token in ("Bearer nonsense", "Bearer a.b.c"):
        response = client.get(url, HTTP_AUTHORIZATION=token)
        assert (response.status_code, response.json()["code"]) == (401, "session_ended")
        assert response["Cache-Control"] == "no-store"
    etag = etag_of(body)
    for response in (
        client_of(patient).get(url, HTTP_IF_NONE_MATCH=etag),
        client.get(url, HTTP_AUTHORIZATION="Basic x", HTTP_IF_NONE_MATCH=etag),
        client.get(url, HTTP_AUTHORIZATION="", HTTP_IF_NONE_MATCH=etag),
    ):
        assert (response.status_code, response.content) == (200, body)
        assert (response["Cache-Control"], response.get("ETag"), response.get("Vary")) == ("no-store", None, "origin")
    assert count_entries() == 1


def test_a_hold_is_shown_as_free_to_its_holder_alone(clock, client, doctor):
    client.get(slots(doctor))
    hold = client.post(
        "/api/appointments/hold",
        {"doctorId": str(doctor.pk), "appointmentDate": "2030-01-08", "appointmentTime": "09:00"},
        content_type="application/json",
    ).json()["data"]
    clock.shift(5)
    assert "09:00" not in client.get(slots(doctor)).json()["data"]["slots"][1]["times"]
    for _ in range(3):
        own = client.get(slots(doctor), {"holdId": hold["holdId"]})
        assert "09:00" in own.json()["data"]["slots"][1]["times"]
        assert (own["Cache-Control"], own.get("ETag")) == ("no-store", None)
        assert "09:00" not in client.get(slots(doctor)).json()["data"]["slots"][1]["times"]
    assert get_counted(client, slots(doctor) + "?holdId=")[1] == 0


def test_other_methods_and_media_types_bypass_the_cache(client, doctor):
    body = client.get(LIST).content
    head = client.head(LIST)
    assert (head.status_code, head.content, head["ETag"], head["Content-Length"]) == (
        200, b"", etag_of(body), str(len(body)),
    )  # fmt: skip
    for method in ("post", "put", "patch", "delete", "options"):
        response = getattr(client, method)(LIST)
        assert (response.status_code, response["Cache-Control"]) == (405, "no-store")
        assert response["Allow"] == "GET, HEAD, OPTIONS"
        assert response.json()["code"] == "method_not_allowed"
    assert client.get(LIST, HTTP_ACCEPT="text/html").status_code == 406
    assert client.get(LIST, HTTP_ACCEPT="text/html;" + "x" * 300).status_code == 406
    for accept in ("*/*", "application/json", "application/*;q=0.1, text/html"):
        assert client.get(LIST, HTTP_ACCEPT=accept).content == body
    # A media type with parameters has a response of its own.
    indented = client.get(LIST, HTTP_ACCEPT="application/json;indent=4")
    assert indented["Content-Type"].startswith("application/json")
    assert client.get(LIST)["Content-Type"] == "application/json"
    assert client.get(LIST + "/", HTTP_X_REQUESTED_WITH="x").content == body
    assert client.get(page(doctor).replace("-", "")).status_code == 404


def test_an_error_is_not_cached(client, doctor, monkeypatch):
    unknown = page(doctor).replace(str(doctor.pk)[:6], "000000")
    for _ in range(3):
        response = client.get(unknown)
        assert (response.status_code, response.json()["code"]) == (404, "doctor_unavailable")
        assert response["Cache-Control"] == "no-store"

    def fail(*arguments, **options):
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr("doctors.views.list_cards", fail)
        response = client.get(page(doctor))
    assert (response.status_code, response.json()["code"]) == (503, "unavailable")
    assert response["Cache-Control"] == "no-store"
    assert count_entries() == 0


# --- ETag and compression ----------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0, 5])
def test_a_client_that_has_the_response_gets_304(clock, client, doctor, settings, seconds):
    settings.PUBLIC_CACHE_SECONDS = seconds
    response = client.get(LIST)
    etag = response["ETag"]
    assert etag == etag_of(response.content)
    assert (response["Cache-Control"], response["Vary"]) == ("no-cache", VARY)
    for header in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        unchanged = client.get(LIST, HTTP_IF_NONE_MATCH=header)
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert [unchanged[name] for name in ("ETag", "Cache-Control", "Vary")] == [etag, "no-cache", VARY]
        assert unchanged.get("Content-Type") is None
        assert unchanged["X-Request-ID"] != response["X-Request-ID"]
        assert unchanged["X-Content-Type-Options"] == "nosniff"
    for header in ('"other"', "", etag.strip('"')):
        assert client.get(LIST, HTTP_IF_NONE_MATCH=header).content == response.content
    DoctorProfile.objects.update(bio="Another one.")
    clock.shift(5)
    changed = client.get(LIST, HTTP_IF_NONE_MATCH=etag)
    assert (changed.status_code, changed["ETag"] != etag) == (200, True)


@pytest.mark.parametrize("seconds", [0, 5])
def test_public_responses_are_compressed_and_no_others(client, doctor, settings, seconds):
    settings.PUBLIC_CACHE_SECONDS = seconds
    plain = client.get(LIST)
    assert len(plain.content) > response_cache.MIN_COMPRESSED_BYTES
    for coding, decompress in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        for _ in range(2):
            response = client.get(LIST, HTTP_ACCEPT_ENCODING=coding)
            assert (response["Content-Encoding"], decompress(response.content)) == (coding, plain.content)
            assert len(response.content) < len(plain.content) / 2
        assert response["ETag"] not in (plain["ETag"], None)
        unchanged = client.get(LIST, HTTP_ACCEPT_ENCODING=coding, HTTP_IF_NONE_MATCH=response["ETag"])
        assert (unchanged.status_code, unchanged.content, unchanged.get("Content-Encoding")) == (304, b"", None)
        # Each coding has an ETag of its own.
        other = client.get(LIST, HTTP_IF_NONE_MATCH=response["ETag"])
        assert (other.status_code, other.content, other.get("Content-Encoding")) == (200, plain.content, None)
    refused = client.get(LIST, HTTP_ACCEPT_ENCODING="br;q=0, gzip; q=0.0")
    assert (refused.content, refused.get("Content-Encoding")) == (plain.content, None)
    short = client.get(LIST, {"search": "nobody"}, HTTP_ACCEPT_ENCODING="br")
    assert (short.json()["data"]["doctors"], short.get("Content-Encoding")) == ([], None)
    own = client.get(LIST, HTTP_ACCEPT_ENCODING="br", HTTP_AUTHORIZATION="Bearer x")
    assert own.get("Content-Encoding") is None


# --- What applies to cached responses, too -------------------------------------------------------------


@pytest.mark.parametrize("route", [slots, lambda doctor: f"{LIST}?availableBy=2020-01-01"], ids=["slots", "list"])
def test_each_search_that_finds_no_slot_is_counted(client, doctor, route):
    WeeklyHours.objects.filter(doctor=doctor).delete()
    for number in range(1, 4):
        client.get(route(doctor))
        assert MissedSearch.objects.get().times == number
    client.head(route(doctor))
    assert MissedSearch.objects.get().times == 4


def test_id_enumeration_does_not_block_neighbors_from_the_directory(client, doctor, monkeypatch):
    monkeypatch.setattr(id_enumeration, "network_limit", NetworkRateLimit("misses-address", 2))
    unknown = [client.get(f"{LIST}/00000000-0000-4000-8000-{number:012}").status_code for number in range(6)]
    assert unknown == [404] * 6
    assert [client.get(route(doctor)).status_code for route in (page, slots, listing)] == [200] * 3


def test_exhausted_cpu_budget_rejects_only_computed_responses(client, doctor, monkeypatch):
    client.get(LIST)
    budgets = CpuBudgets("cpu-address", 50)
    budgets.charge("127.0.0.1", 60_000)
    monkeypatch.setattr(cpu_budget, "network_budgets", budgets)
    assert client.get(LIST).status_code == 200
    assert client.get(LIST, {"page": 2}).status_code == 429


def test_each_response_has_a_log_line_and_a_request_id(client, doctor, caplog):
    client.get(page(doctor))
    caplog.clear()
    with caplog.at_level("INFO", logger="config.access"):
        ids = {client.get(page(doctor))["X-Request-ID"] for _ in range(2)}
        client.get(page(doctor), HTTP_IF_NONE_MATCH="*")
    facts = [record.request_facts for record in caplog.records]
    assert len(ids) == 2
    assert [(each["route"], each["status"], each["userId"]) for each in facts] == [
        ("/api/doctors/<uuid:pk>", status, None) for status in (200, 200, 304)
    ]
