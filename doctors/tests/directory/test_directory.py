"""Test the public directory: visibility, fields, order and cost."""

from datetime import date, time, timedelta

import pytest
from django.utils import timezone

from accounts.models import AccountStatus
from accounts.tests.factories import PatientFactory, UserFactory
from appointments.scheduling.booking import book_appointment
from doctors import views
from doctors.availability.calendar import store_next_free
from doctors.models import Approval, DoctorProfile
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

PUBLIC_KEYS = {
    "_id", "name", "specialization", "experience", "consultationFee", "currency", "rating", "hospital", "bio",
    "profilePicture", "workingDays", "workingHours", "timeZone", "instantConfirmation", "verifiedOn",
    "nextFree", "nextTimes",
}  # fmt: skip


def names(client, **query):
    answer = client.get("/api/doctors", query)
    assert answer.status_code == 200, answer.json()
    return [doctor["name"] for doctor in answer.json()["data"]["doctors"]]


def doctor(name, **fields):
    return DoctorFactory(user=UserFactory(name=name, role="doctor", **fields.pop("user", {})), **fields)


def test_a_listed_doctor_shows_exactly_the_public_fields(client):
    doctor("Ada Sample")
    (shown,) = client.get("/api/doctors").json()["data"]["doctors"]
    assert set(shown) == PUBLIC_KEYS
    assert shown["workingDays"] == ["monday", "tuesday", "wednesday", "thursday", "friday"]
    assert shown["workingHours"] == {"start": "09:00", "end": "18:00"}
    assert shown["consultationFee"] == 120.0
    assert len(shown["nextTimes"]) == 6
    assert shown["nextFree"] == shown["nextTimes"][0]


@pytest.mark.parametrize("approval", [Approval.PENDING, Approval.REJECTED, Approval.REVOKED])
def test_only_approved_doctors_are_listed(client, approval):
    hidden = doctor("Hidden Sample", approval=approval)
    assert names(client) == []
    answer = client.get(f"/api/doctors/{hidden.pk}")
    assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (
        404,
        "doctor_unavailable",
        "Doctor not found or unavailable.",
    )
    assert client.get(f"/api/doctors/{hidden.pk}/slots").status_code == 404


NO_DOCTOR = "9d1c1f0e-6f0b-4d0e-8a3e-2f6d0b7c5a41"


@pytest.mark.parametrize("odd", ["nope", "1", "undefined", f"{NO_DOCTOR}x", NO_DOCTOR, "%F0%9F%99%82"])
def test_malformed_and_unknown_ids_get_the_same_response(client, odd):
    for address in (f"/api/doctors/{odd}", f"/api/doctors/{odd}/", f"/api/doctors/{odd}/slots"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (
            404,
            "doctor_unavailable",
            "Doctor not found or unavailable.",
        ), address


def test_doctor_unlisted_between_two_queries_is_not_shown(client, monkeypatch):
    gone, stays = doctor("Gone Sample"), doctor("Stays Sample")
    read = views.list_cards

    def a_moment_later(*args, **more):
        DoctorProfile.objects.filter(pk=gone.pk).update(approval=Approval.REVOKED)
        return read(*args, **more)

    monkeypatch.setattr(views, "list_cards", a_moment_later)
    assert names(client) == [stays.user.name]


@pytest.mark.parametrize("stop", [{"status": AccountStatus.INACTIVE}, {"ended_at": timezone.now()}])
def test_deactivated_and_closed_doctors_are_not_listed(client, stop):
    doctor("Hidden Sample", user=stop)
    assert names(client) == []


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("ada", ["Ada Sample"]),
        ("SAMPLE ada", ["Ada Sample"]),
        ("Dr. Ada", ["Ada Sample"]),
        ("neuro", ["Ben Other"]),
        ("ben neuro", ["Ben Other"]),
        ("ada neuro", []),
        ("%", []),
        ("_", []),
    ],
)
def test_search_looks_in_name_and_specialization(client, search, found):
    doctor("Ada Sample", specialization="Cardiology")
    doctor("Ben Other", specialization="Neurology")
    assert names(client, search=search) == found


def test_filters_are_combined(client):
    doctor("Ada Sample", specialization="Cardiology", hospital_city="Springfield")
    doctor("Ben Other", specialization="Cardiology", hospital_city="Shelbyville")
    doctor("Cai Third", specialization="Urology", hospital_city="Springfield")
    assert names(client, specialization="Cardiology", city="spring") == ["Ada Sample"]


def test_list_has_the_requested_order(client):
    doctor("Ada", experience=5, consultation_fee=90, rating_average="4.00", rating_count=3)
    doctor("Ben", experience=30, consultation_fee=200, rating_average="4.90", rating_count=9)
    doctor("Cai", experience=12, consultation_fee=50)
    assert names(client) == ["Ben", "Cai", "Ada"]
    assert names(client, ordering="consultationFee") == ["Cai", "Ada", "Ben"]
    assert names(client, ordering="-rating") == ["Ben", "Ada", "Cai"]
    assert names(client, ordering="name") == ["Ada", "Ben", "Cai"]


def test_soonest_first_follows_a_booking(client, django_capture_on_commit_callbacks):
    early = doctor("Early", time_zone="Pacific/Kiritimati")
    other = doctor("Other", time_zone="Pacific/Kiritimati")
    first = client.get(f"/api/doctors/{early.pk}").json()["data"]["doctor"]["nextFree"]
    with django_capture_on_commit_callbacks(execute=True):
        book_appointment(
            PatientFactory.create(), early.pk, date.fromisoformat(first["date"]), time.fromisoformat(first["time"]),
            symptoms="", notes="", now=timezone.now(),
        )  # fmt: skip
    assert names(client, ordering="nextFree") == ["Other", "Early"]
    early.refresh_from_db()
    other.refresh_from_db()
    assert early.next_free_at > other.next_free_at


def test_a_doctor_without_hours_has_no_next_free_time_and_comes_last(client):
    doctor("None", working={"days": []})
    doctor("Some")
    assert names(client, ordering="nextFree") == ["Some", "None"]
    shown = client.get("/api/doctors", {"search": "None"}).json()["data"]["doctors"][0]
    assert (shown["nextFree"], shown["nextTimes"], shown["workingDays"], shown["workingHours"]) == (None, [], [], None)


def test_soonest_first_includes_doctors_without_a_time_on_later_pages(client):
    for number in range(7):
        doctor(f"Doctor {chr(65 + number)}")
    profiles = list(DoctorProfile.objects.order_by("user__name"))
    now = timezone.now()
    for hours, profile in zip([5, None, 2, 9, None, 1, 3], profiles, strict=True):
        profile.next_free_at = profile.next_free_until = None if hours is None else now + timedelta(hours=hours)
    # Times that have passed are no times, however early they sort.
    profiles[3].next_free_at = profiles[3].next_free_until = now - timedelta(hours=1)
    store_next_free(profiles)
    whole = ["Doctor F", "Doctor C", "Doctor G", "Doctor A", *(
        profile.user.name for profile in sorted([profiles[1], profiles[3], profiles[4]], key=lambda one: one.pk)
    )]  # fmt: skip
    for size in (1, 2, 3, 4, 7, 20):
        paged = []
        for page in range(1, 8):
            found = names(client, ordering="nextFree", page=page, pageSize=size)
            assert len(found) <= size
            paged += found
        assert paged == whole


def test_pages_do_not_repeat_a_row(client):
    for number in range(5):
        doctor(f"Same {number}", experience=7)
    seen = [names(client, page=page, pageSize=2) for page in (1, 2, 3)]
    assert sorted(name for page in seen for name in page) == [f"Same {number}" for number in range(5)]
    pagination = client.get("/api/doctors", {"page": 2, "pageSize": 2}).json()["data"]["pagination"]
    assert pagination == {"page": 2, "pageSize": 2, "hasNext": True, "count": 5, "countIsExact": True}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"page": 0}, "page"),
        ({"page": "x"}, "page"),
        ({"pageSize": 101}, "pageSize"),
        ({"page": 600}, "page"),
        ({"ordering": "password"}, "ordering"),
        ({"specialization": "Magic"}, "specialization"),
        ({"search": "a\x00b"}, "search"),
        ({"city": "x" * 101}, "city"),
    ],
)
def test_invalid_query_names_its_parameter(client, query, field):
    answer = client.get("/api/doctors", query)
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (400, "invalid", [field])


@pytest.mark.parametrize("rows", [1, 20])
def test_list_takes_the_same_queries_for_one_row_and_twenty(client, rows, django_assert_num_queries):
    for _ in range(rows):
        DoctorFactory()
    # Which doctors, and their cards; a list that fits on its page needs no count.
    with django_assert_num_queries(2):
        assert len(client.get("/api/doctors").json()["data"]["doctors"]) == rows
    with django_assert_num_queries(3 if rows > 1 else 2):
        assert len(client.get("/api/doctors", {"pageSize": 10}).json()["data"]["doctors"]) == min(rows, 10)


@pytest.mark.parametrize("days", [1, 62])
def test_slots_take_the_same_queries_for_one_day_and_62(client, days, django_assert_num_queries):
    one = DoctorFactory()
    with django_assert_num_queries(1):
        assert len(client.get(f"/api/doctors/{one.pk}/slots", {"days": days}).json()["data"]["slots"]) == days


def test_slots_of_a_free_day_have_the_default_times(client):
    one = DoctorFactory()
    monday = timezone.now().date() + timedelta(days=7 - timezone.now().weekday())
    data = client.get(f"/api/doctors/{one.pk}/slots", {"from": monday.isoformat(), "days": 7}).json()["data"]
    times = ["09:00", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00"]
    assert [day["times"] for day in data["slots"]] == [times] * 5 + [[], []]
    assert (data["timeZone"], data["visitMinutes"]) == ("America/New_York", 60)


@pytest.mark.parametrize("query", [{"days": 0}, {"days": 63}, {"from": "2026-02-30"}, {"from": "tomorrow"}])
def test_slots_reject_an_invalid_range(client, query):
    assert client.get(f"/api/doctors/{DoctorFactory().pk}/slots", query).status_code == 400


@pytest.mark.parametrize("first", ["0001-01-01", "9999-12-31"])
def test_slots_at_the_first_and_last_dates_cause_no_error(client, first):
    answer = client.get(f"/api/doctors/{DoctorFactory().pk}/slots", {"from": first, "days": 2})
    assert answer.status_code == 200
