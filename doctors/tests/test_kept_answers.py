"""What everybody is answered is kept as bytes: what that costs, who is answered from it, and what does not change."""

import gzip
import time
from datetime import timedelta

import brotli  # type: ignore[import-untyped]  # it brings no types
import pytest
import time_machine
from django.db import OperationalError, connection
from django.db.models import F
from django.utils import timezone

from accounts import misses
from accounts.limits import Limit
from config.tags import tag_of
from doctors import freshness, kept_answers
from doctors.kept_answers import Kept, Shelf, shelf
from doctors.models import Claim, DoctorProfile, MissedSearch, WeeklyHours
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York; amid a minute, so that nothing turns while a test asks twice.
NOW = "2030-01-07T15:00:10Z"
LIST = "/api/doctors"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def page(doctor):
    return f"{LIST}/{doctor.pk}"


def slots(doctor):
    return f"{LIST}/{doctor.pk}/slots"


@pytest.fixture
def doctor():
    DoctorFactory.create()
    return DoctorFactory.create()


class Statements:
    """Counts what is asked of the database."""

    def __enter__(self):
        self.count = 0
        self.wrapper = connection.execute_wrapper(self.one)
        self.wrapper.__enter__()
        return self

    def one(self, execute, *statement):
        self.count += 1
        return execute(*statement)

    def __exit__(self, *failed):
        self.wrapper.__exit__(*failed)


def asked(client, address, **more):
    """Ask; answers the answer and how many statements it cost."""
    with Statements() as statements:
        answer = client.get(address, **more)
    return answer, statements.count


def kept(client, address, **more):
    """Ask until it is kept; answers the bytes."""
    for _ in range(2):
        answer = client.get(address, **more)
        assert answer.status_code == 200, answer.content
    assert asked(client, address, **more)[1] == 1
    return answer.content


def fresh(client, address, settings, **more):
    """Ask for the answer as it is made without anything kept."""
    settings.KEPT_ANSWERS = False
    try:
        return client.get(address, **more).content
    finally:
        settings.KEPT_ANSWERS = True


# --- What it costs -------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [lambda doctor: LIST, page, slots], ids=["list", "page", "slots"])
def test_the_second_to_ask_has_it_kept_and_the_third_costs_one_statement(client, doctor, settings, address):
    address = address(doctor)
    (first, made), (second, kept_now), (third, hit) = (asked(client, address) for _ in range(3))
    # What changed of whom, before all else, and when something held is free again.
    assert (kept_now, hit) == (made + 2, 1)
    assert first.content == second.content == third.content == fresh(client, address, settings)
    own = {"X-Request-ID"}
    assert {name: second[name] for name in second.headers if name not in own} == {
        name: third[name] for name in third.headers if name not in own
    }
    assert third["Content-Type"] == "application/json"
    assert third["Allow"] == "GET, HEAD, OPTIONS"


def test_a_note_says_little_and_is_soon_old(client, doctor, monkeypatch):
    made = asked(client, LIST)[1]
    assert shelf.bytes < 2_000
    began = time.monotonic()
    monkeypatch.setattr(kept_answers.time, "monotonic", lambda: began + kept_answers.SECONDS + 1)
    # Nobody asked for a minute: the next one is the first again, and costs nothing more.
    assert asked(client, LIST)[1] == made


def test_without_the_setting_nothing_is_kept(client, doctor, settings):
    settings.KEPT_ANSWERS = False
    first, *others = [asked(client, LIST)[1] for _ in range(3)]
    assert others == [first] * 2
    assert first > 1
    assert not shelf.rows


def test_one_act_drops_the_answers_it_concerns_and_no_others(client, doctor):
    """In the order by experience one booking does not take everybody's pages with it."""
    other = DoctorProfile.objects.exclude(pk=doctor.pk).get()
    DoctorProfile.objects.filter(pk=doctor.pk).update(experience=F("experience") + 1)
    pages = {number: f"{LIST}?pageSize=1&page={number}" for number in (1, 2)}
    everything = [*pages.values(), LIST, page(doctor), page(other), slots(doctor), slots(other)]
    for address in everything:
        kept(client, address)
    WeeklyHours.objects.filter(doctor=doctor).update(start_minute=F("start_minute") + 30)
    dropped = {address for address in everything if asked(client, address)[1] > 1}
    assert dropped == {pages[1], LIST, page(doctor), slots(doctor)}
    for address in everything:
        kept(client, address)
    DoctorProfile.objects.filter(pk=doctor.pk).update(bio="Another one.")
    assert all(asked(client, address)[1] > 1 for address in everything)


def test_an_order_by_the_next_free_time_is_made_each_time_and_has_its_tag(client, doctor):
    for query in ({"ordering": "nextFree"}, {"availableBy": "2030-02-01"}):
        costs = [asked(client, LIST, query_params=query)[1] for _ in range(3)]
        assert costs == [costs[0]] * 3
        answer = client.get(LIST, query_params=query)
        again = client.get(LIST, query_params=query, HTTP_IF_NONE_MATCH=answer["ETag"])
        assert (again.status_code, again.content) == (304, b"")
    assert not shelf.rows


# --- Spellings and room ----------------------------------------------------------------------------


def test_what_nobody_reads_of_a_query_makes_no_other_answer(client, doctor):
    kept(client, LIST)
    for query in ("?utm=1", "?page=1", "?pageSize=20&x=y", "?page=9&page=1", "?search=", "?pageSize=%20%32%30"):
        with Statements() as statements:
            client.get(LIST + query)
        # An empty search is a search to the reader of queries; all others are the plain list.
        assert statements.count == 1 or query == "?search=", query
    for number in range(100):
        client.get(f"{LIST}?utm={number}")
    assert len(shelf.rows) == 2


@pytest.mark.parametrize(
    "query",
    ["page=0", "pageSize=x", "ordering=up", "city=" + "x" * 101, "search=%00", "&" * 300, "page=%ff", "page=1&" * 250],
)
def test_a_query_that_is_refused_is_refused_as_before(client, doctor, settings, query):
    for _ in range(3):
        answer = client.get(f"{LIST}?{query}")
        settings.KEPT_ANSWERS = False
        assert client.get(f"{LIST}?{query}").status_code == answer.status_code
        settings.KEPT_ANSWERS = True
        if answer.status_code != 200:
            assert (answer["Cache-Control"], answer.get("ETag")) == ("no-store", None)
            assert answer.json()["success"] is False


def test_many_different_questions_take_no_more_room_than_there_is(client, doctor, monkeypatch):
    small = Shelf(12_000, 9)
    monkeypatch.setattr(kept_answers, "shelf", small)
    for number in range(12):
        for _ in range(3):
            client.get(f"{LIST}?search=nobody{number}")
            client.get(f"{LIST}?pageSize={number + 1}")
        assert small.bytes <= 12_000
        assert len(small.rows) <= 9
        assert small.bytes == sum(one.size for one in small.rows.values())
    assert len(small.rows) > 3
    assert kept_answers.spelled.cache_info().maxsize <= 2_048
    assert kept_answers.takes_json.cache_info().maxsize <= 256


def test_the_longest_unasked_goes_first():
    small = Shelf(10**9, 3)
    for key in "abc":
        small.put(key, Kept(()))
    small.get("a")
    small.put("d", Kept(()))
    assert list(small.rows) == ["c", "a", "d"]
    small.put("c", Kept((), content=b"x" * 100))
    assert (list(small.rows), small.bytes) == (["a", "d", "c"], sum(one.size for one in small.rows.values()))
    # One that is larger than all the room there is.
    tiny = Shelf(1_500, 3)
    tiny.put("a", Kept((), content=b"x" * 1_000))
    assert (len(tiny.rows), tiny.bytes) == (0, 0)


# --- Who is answered -------------------------------------------------------------------------------


@pytest.mark.parametrize("address", [lambda doctor: LIST, page, slots], ids=["list", "page", "slots"])
def test_who_shows_a_token_is_never_answered_from_what_is_kept(client, doctor, patient, client_of, address):
    address = address(doctor)
    bytes_ = kept(client, address)
    for token in ("Bearer nonsense", "Bearer a.b.c"):
        answer = client.get(address, HTTP_AUTHORIZATION=token)
        assert (answer.status_code, answer.json()["code"], answer["Cache-Control"]) == (
            401,
            "session_ended",
            "no-store",
        )
    known = tag_of(bytes_)
    for answer in (
        client_of(patient).get(address, HTTP_IF_NONE_MATCH=known),
        client.get(address, HTTP_AUTHORIZATION="Basic x", HTTP_IF_NONE_MATCH=known),
        client.get(address, HTTP_AUTHORIZATION="", HTTP_IF_NONE_MATCH=known),
    ):
        assert (answer.status_code, answer.content) == (200, bytes_)
        assert (answer["Cache-Control"], answer.get("ETag"), answer.get("Vary")) == ("no-store", None, "origin")


def test_ones_own_hold_is_shown_to_its_holder_alone(client, doctor):
    kept(client, slots(doctor))
    held = client.post(
        "/api/appointments/hold",
        {"doctorId": str(doctor.pk), "appointmentDate": "2030-01-08", "appointmentTime": "09:00"},
        content_type="application/json",
    ).json()["data"]
    assert "09:00" not in client.get(slots(doctor)).json()["data"]["slots"][1]["times"]
    for _ in range(3):
        own = client.get(slots(doctor), {"holdId": held["holdId"]})
        assert "09:00" in own.json()["data"]["slots"][1]["times"]
        assert (own["Cache-Control"], own.get("ETag")) == ("no-store", None)
        assert "09:00" not in client.get(slots(doctor)).json()["data"]["slots"][1]["times"]
    kept(client, slots(doctor) + "?holdId=")


def test_other_methods_and_other_types_are_answered_as_before(client, doctor):
    body = kept(client, LIST)
    head = client.head(LIST)
    assert (head.status_code, head.content, head["ETag"], head["Content-Length"]) == (
        200, b"", tag_of(body), str(len(body)),
    )  # fmt: skip
    for method in ("post", "put", "patch", "delete", "options"):
        answer = getattr(client, method)(LIST)
        assert (answer.status_code, answer["Cache-Control"], answer["Allow"]) == (405, "no-store", "GET, HEAD, OPTIONS")
        assert answer.json()["code"] == "method_not_allowed"
    assert client.get(LIST, HTTP_ACCEPT="text/html").status_code == 406
    assert client.get(LIST, HTTP_ACCEPT="text/html;" + "x" * 300).status_code == 406
    for accept in ("*/*", "application/json", "application/*;q=0.1, text/html"):
        assert client.get(LIST, HTTP_ACCEPT=accept).content == body
    # A type with words of its own is answered by its words, and not kept.
    odd = client.get(LIST, HTTP_ACCEPT="application/json;indent=4")
    assert odd["Content-Type"].startswith("application/json")
    assert client.get(LIST)["Content-Type"] == "application/json"
    assert client.get(LIST + "/", HTTP_X_REQUESTED_WITH="x").content == body
    assert client.get(page(doctor).replace("-", "")).status_code == 404


def test_an_answer_that_is_no_success_is_not_kept(client, doctor):
    gone = page(doctor).replace(str(doctor.pk)[:6], "000000")
    for _ in range(3):
        answer = client.get(gone)
        assert (answer.status_code, answer.json()["code"], answer["Cache-Control"]) == (
            404, "doctor_unavailable", "no-store",
        )  # fmt: skip
    assert not shelf.rows


# --- Tags ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_kept", [True, False])
def test_whoever_has_the_bytes_is_told_so(client, doctor, settings, is_kept):
    settings.KEPT_ANSWERS = is_kept
    for _ in range(3):
        answer = client.get(LIST)
    tag = answer["ETag"]
    assert tag == tag_of(answer.content)
    assert (answer["Cache-Control"], answer["Vary"]) == ("no-cache", "Accept-Encoding, Authorization, origin")
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(LIST, HTTP_IF_NONE_MATCH=known)
        assert (again.status_code, again.content) == (304, b"")
        assert {again[name] for name in ("ETag", "Cache-Control", "Vary")} == {
            tag, "no-cache", "Accept-Encoding, Authorization, origin",
        }  # fmt: skip
        assert again.get("Content-Type") is None
        assert again["X-Request-ID"] != answer["X-Request-ID"]
        assert again["X-Content-Type-Options"] == "nosniff"
    for unknown in ('"other"', "", tag.strip('"')):
        assert client.get(LIST, HTTP_IF_NONE_MATCH=unknown).content == answer.content
    DoctorProfile.objects.update(bio="Another one.")
    changed = client.get(LIST, HTTP_IF_NONE_MATCH=tag)
    assert (changed.status_code, changed["ETag"] != tag) == (200, True)


def test_what_everybody_may_read_is_compressed_and_nothing_else(client, doctor):
    plain = client.get(LIST)
    assert len(plain.content) > kept_answers.LEAST_COMPRESSED
    for coding, opened in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        # Made anew, noted, made anew and kept, from what is kept.
        for _ in range(4):
            answer = client.get(LIST, HTTP_ACCEPT_ENCODING=coding)
            assert (answer["Content-Encoding"], opened(answer.content)) == (coding, plain.content)
            assert len(answer.content) < len(plain.content) / 2
        assert answer["ETag"] not in (plain["ETag"], None)
        again = client.get(LIST, HTTP_ACCEPT_ENCODING=coding, HTTP_IF_NONE_MATCH=answer["ETag"])
        assert (again.status_code, again.content, again.get("Content-Encoding")) == (304, b"", None)
        # The bytes of one coding are none of another's.
        other = client.get(LIST, HTTP_IF_NONE_MATCH=answer["ETag"])
        assert (other.status_code, other.content, other.get("Content-Encoding")) == (200, plain.content, None)
    short = client.get(LIST, {"search": "nobody"}, HTTP_ACCEPT_ENCODING="br")
    assert (short.json()["data"]["doctors"], short.get("Content-Encoding")) == ([], None)
    own = client.get(LIST, HTTP_ACCEPT_ENCODING="br", HTTP_AUTHORIZATION="Bearer x")
    assert own.get("Content-Encoding") is None


# --- What must go on ---------------------------------------------------------------------------------


def test_a_search_in_vain_counts_for_everyone_who_makes_it(client, doctor):
    WeeklyHours.objects.filter(doctor=doctor).delete()
    for number in range(1, 6):
        client.get(slots(doctor))
        assert MissedSearch.objects.get().times == number
        client.get(LIST, {"availableBy": "2020-01-01"})
        MissedSearch.objects.filter(specialization="").delete()
    # Two statements of the count's own, beside the one of what is kept.
    assert asked(client, slots(doctor))[1] == 3
    client.head(slots(doctor))
    assert MissedSearch.objects.get().times == 7


def test_whoever_tries_ids_is_slowed_down_from_what_is_kept_too(client, doctor, monkeypatch):
    monkeypatch.setattr(misses, "of_network", Limit("misses-address", 2))
    kept(client, page(doctor))
    for number in range(3):
        client.get(f"{LIST}/00000000-0000-4000-8000-{number:012}")
    refused = client.get(page(doctor))
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    # The list names nothing.
    assert client.get(LIST).status_code == 200


def test_each_answer_has_its_line_and_its_id(client, doctor, caplog):
    kept(client, page(doctor))
    caplog.clear()
    with caplog.at_level("INFO", logger="config.access"):
        ids = {client.get(page(doctor))["X-Request-ID"] for _ in range(2)}
        client.get(page(doctor), HTTP_IF_NONE_MATCH="*")
    facts = [record.request_facts for record in caplog.records]
    assert len(ids) == 2
    assert [(one["route"], one["status"], one["userId"]) for one in facts] == [
        ("/api/doctors/<uuid:pk>", status, None) for status in (200, 200, 304)
    ]


def test_a_database_that_is_away_is_told_as_ever(doctor, client, monkeypatch):
    kept(client, LIST)
    calls = []

    def away(doctors):
        calls.append(doctors)
        raise OperationalError

    monkeypatch.setattr(freshness, "token_of", away)
    answer = client.get(LIST)
    assert (answer.status_code, answer.json()["code"], answer["Cache-Control"]) == (503, "unavailable", "no-store")
    # Asked once: each time costs whoever waits.
    assert len(calls) == 1


# --- Time ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "shift", "rules"),
    [
        # 10:00 in New York can be had until the second before.
        ("2030-01-07T14:59:30Z", 30, {}),
        # With a notice of an hour, 11:00 can be had in the first second of 10:00 and not in the next.
        ("2030-01-07T15:00:00.5Z", 0.5, {"min_notice_minutes": 60}),
        ("2030-01-07T14:59:30Z", 31, {"min_notice_minutes": 60}),
        # At midnight in New York one day more comes within reach.
        ("2030-01-08T04:59:30Z", 30, {"visit_minutes": 240, "max_days_ahead": 1}),
        # Licences end by the date of UTC's.
        ("2030-01-06T23:59:59.9Z", 0.1, {"license_expires_on": "2030-01-06"}),
    ],
)
def test_an_answer_is_over_when_time_changes_it(clock, client, doctor, settings, at, shift, rules):
    DoctorProfile.objects.update(**rules)
    clock.move_to(at)
    before = {address: kept(client, address) for address in (LIST, page(doctor), slots(doctor))}
    clock.shift(shift)
    for address, bytes_ in before.items():
        answer = client.get(address)
        assert answer.content != bytes_
        assert answer.status_code in {200, 404}
        if answer.status_code == 200:
            assert answer.content == fresh(client, address, settings)


def test_what_is_held_is_free_again_when_it_runs_out(clock, client, doctor, settings):
    start = timezone.now().replace(hour=16, second=0)
    for expires in (timedelta(seconds=5), timedelta(seconds=12.5)):
        Claim.objects.create(
            kind="hold", doctor=doctor, starts_at=start, ends_at=start + timedelta(hours=1),
            busy_until=start + timedelta(hours=1), expires_at=timezone.now() + expires,
        )  # fmt: skip
        start += timedelta(hours=1)
    addresses = (LIST, page(doctor), slots(doctor))
    held = {address: kept(client, address) for address in addresses}
    clock.shift(4.999)
    assert all(asked(client, address)[1] == 1 for address in addresses)
    clock.shift(0.001)
    for address in addresses:
        first = client.get(address).content
        assert first != held[address]
        held[address] = kept(client, address)
    clock.shift(7.5)
    for address in addresses:
        assert client.get(address).content == fresh(client, address, settings) != held[address]


def test_a_clock_that_is_set_back_serves_nothing_of_the_future(clock, client, doctor, settings):
    kept(client, slots(doctor))
    clock.shift(-3600)
    assert asked(client, slots(doctor))[1] > 1
    assert client.get(slots(doctor)).content == fresh(client, slots(doctor), settings)


def test_nothing_is_kept_for_more_than_a_minute(client, doctor, monkeypatch):
    kept(client, LIST)
    later = time.monotonic() + kept_answers.SECONDS
    monkeypatch.setattr(kept_answers.time, "monotonic", lambda: later)
    assert asked(client, LIST)[1] > 1


# --- Changes amid an answer ----------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["before the data", "after the data", "after the token of the second"])
@pytest.mark.parametrize("address", [lambda doctor: LIST, page, slots], ids=["list", "page", "slots"])
def test_what_is_committed_while_an_answer_is_made_is_in_the_next_one(
    client, doctor, settings, monkeypatch, place, address
):
    address = address(doctor)
    acts = []

    def act():
        if acts:
            WeeklyHours.objects.filter(doctor=doctor, start_minute__lt=780).update(start_minute=acts.pop())

    made, token_of = kept_answers.serve, freshness.token_of
    if place == "after the token of the second":
        monkeypatch.setattr(freshness, "token_of", lambda doctors: (token_of(doctors), act())[0])
    else:

        def serve(view, request, ask):
            def disturbed():
                if place == "before the data":
                    act()
                answer = ask()
                answer.render()
                if place == "after the data":
                    act()
                return answer

            return made(view, request, disturbed)

        monkeypatch.setattr(kept_answers, "serve", serve)
    for minute in (600, 610, 620, 630, 640):
        client.get(address)
        acts.append(minute)
        client.get(address)
        acts.clear()
        assert client.get(address).content == fresh(client, address, settings)
        assert client.get(address).content == fresh(client, address, settings)
