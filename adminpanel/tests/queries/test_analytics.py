"""The admin's figures, held against appointments that are counted by hand."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from appointments.models import Appointment
from appointments.tests.factories import make_appointment
from doctors.models import MissedSearch, OfferedTime
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

MONDAY = date(2030, 1, 7)
NOTHING = {
    "bookings": 0, "cancelledByPatient": 0, "cancelledByDoctor": 0, "cancelledByAdmin": 0, "expired": 0,
    "cancelledLate": 0, "completed": 0, "noShows": 0, "searchesWithoutTime": 0, "medianMinutesToConfirm": None,
    "offeredMinutes": None, "usedMinutes": None,
}  # fmt: skip


@pytest.fixture(autouse=True)
def clock(time_machine):
    time_machine.move_to(datetime(2030, 1, 16, 12, tzinfo=UTC), tick=False)


@pytest.fixture
def figures(users, client_of):
    desk = client_of(users.admin)

    def ask(**query):
        answer = desk.get("/api/admin/analytics", {"from": "2030-01-07", "to": "2030-01-13", **query})
        assert answer.status_code == 200, answer.json()
        return answer.json()["data"]

    return ask


def at(day, hour=12, minute=0):
    return datetime(2030, 1, day, hour, minute, tzinfo=UTC)


def by_start(data):
    return {
        row["start"]: {name: value for name, value in row.items() if name != "start" and value != NOTHING[name]}
        for row in data["series"]
    }


def test_events_are_counted_on_their_day(users, figures):
    day = MONDAY + timedelta(days=2)
    for n, (status, more) in enumerate(
        [
            ("pending", {"created_at": at(7)}),
            ("pending", {"created_at": at(13, 23, 59)}),
            ("pending", {"created_at": at(14, 0, 0)}),
            ("cancelled", {"created_at": at(1), "updated_at": at(8), "cancelled_by": "patient"}),
            ("cancelled", {"created_at": at(1), "updated_at": at(9, 19), "cancelled_by": "doctor"}),
            ("cancelled", {"created_at": at(1), "updated_at": at(9), "cancelled_by": "admin"}),
            ("cancelled", {"created_at": at(1), "updated_at": at(9), "cancelled_by": "system"}),
            ("completed", {"created_at": at(1)}),
            ("completed", {"created_at": at(1), "attended": False}),
        ]
    ):
        make_appointment(users.doctor, users.patient, day if status == "completed" else MONDAY + timedelta(days=3),
                   f"{9 + n:02d}:00", status=status, **more)  # fmt: skip
    MissedSearch.objects.create(date=date(2030, 1, 10), times=4)
    OfferedTime.objects.create(
        date=day, specialization="Cardiology", city="Springfield", offered_minutes=480, used_minutes=120
    )
    data = figures()
    assert (data["from"], data["to"], data["by"], len(data["series"])) == ("2030-01-07", "2030-01-13", "day", 7)
    assert by_start(data) == {
        "2030-01-07": {"bookings": 1},
        "2030-01-08": {"cancelledByPatient": 1},
        # 19:00 in UTC is 14:00 in New York, less than a day before the appointment at 13:00 on the next.
        "2030-01-09": {
            "cancelledByDoctor": 1, "cancelledByAdmin": 1, "expired": 1, "cancelledLate": 1,
            "completed": 1, "noShows": 1, "offeredMinutes": 480, "usedMinutes": 120,
        },
        "2030-01-10": {"searchesWithoutTime": 4},
        "2030-01-11": {}, "2030-01-12": {},
        "2030-01-13": {"bookings": 1},
    }  # fmt: skip
    assert data["totals"] == {
        **NOTHING, "bookings": 2, "cancelledByPatient": 1, "cancelledByDoctor": 1, "cancelledByAdmin": 1,
        "expired": 1, "cancelledLate": 1, "completed": 1, "noShows": 1, "searchesWithoutTime": 4,
        "offeredMinutes": 480, "usedMinutes": 120,
    }  # fmt: skip


def test_weeks_start_on_monday_and_sum_their_days(users, figures):
    for n, day in enumerate((6, 7, 13, 14)):
        make_appointment(users.doctor, users.patient, MONDAY, f"{9 + n:02d}:00", created_at=at(day))
    data = figures(**{"from": "2030-01-06", "to": "2030-01-14", "by": "week"})
    assert [(row["start"], row["bookings"]) for row in data["series"]] == [
        ("2029-12-31", 1), ("2030-01-07", 2), ("2030-01-14", 1),
    ]  # fmt: skip
    assert data["totals"]["bookings"] == 4


@pytest.mark.parametrize(
    ("waits", "median"), [([30], 30), ([10, 50], 30), ([5, 500, 20], 20), ([1, 2, 10, 1000], 6), ([], None)]
)
def test_the_time_to_confirm_is_a_median(users, figures, waits, median):
    for n, minutes in enumerate(waits):
        made = at(8) - timedelta(minutes=minutes)
        make_appointment(
            users.doctor,
            users.patient,
            MONDAY + timedelta(days=n),
            status="confirmed",
            created_at=made,
            confirmed_at=at(8),
        )
    # Answered on another day, and confirmed at once: neither counts there.
    make_appointment(users.other_doctor, users.patient, MONDAY, "15:00", status="confirmed", created_at=at(8))
    data = figures()
    assert (data["totals"]["medianMinutesToConfirm"], data["series"][1]["medianMinutesToConfirm"]) == (median, median)
    assert figures(by="week")["series"][0]["medianMinutesToConfirm"] == median


def test_the_median_of_all_is_not_the_median_of_days(users, figures):
    for n, (day, minutes) in enumerate([(7, 10), (8, 100), (8, 200), (8, 300)]):
        make_appointment(
            users.doctor, users.patient, MONDAY, f"{9 + n:02d}:00", status="confirmed",
            created_at=at(day) - timedelta(minutes=minutes), confirmed_at=at(day),
        )  # fmt: skip
    data = figures()
    assert [row["medianMinutesToConfirm"] for row in data["series"][:2]] == [10, 200]
    assert data["totals"]["medianMinutesToConfirm"] == 150


def test_specialization_and_city_filter_all_figures(users, figures):
    other = DoctorFactory.create(specialization="Urology", hospital_city="Shelbyville")
    for doctor in (users.doctor, other):
        make_appointment(doctor, users.patient, MONDAY, "09:00" if doctor is other else "10:00", created_at=at(8))
        place = {"specialization": doctor.specialization, "city": doctor.hospital_city}
        MissedSearch.objects.create(date=MONDAY, times=1, **place)
        OfferedTime.objects.create(date=MONDAY, offered_minutes=100, used_minutes=10, **place)
    for query in (
        {"specialization": "Urology"},
        {"city": "shelbyVILLE"},
        {"specialization": "Urology", "city": "Shelbyville"},
    ):
        data = figures(**query)
        totals = data["totals"]
        assert (totals["bookings"], totals["searchesWithoutTime"], totals["offeredMinutes"]) == (1, 1, 100)
        assert [row["name"] for row in data["byCity"]] == ["Shelbyville"]
    assert figures()["totals"]["bookings"] == 2
    assert figures(specialization="Urology", city="Springfield")["totals"] == NOTHING


def test_booking_outcomes_are_grouped_by_specialization_and_city(users, figures):
    urology = DoctorFactory.create(specialization="Urology", hospital_city="Shelbyville")
    for n, (doctor, status, more) in enumerate(
        [
            (users.doctor, "completed", {}), (users.doctor, "completed", {"attended": False}),
            (users.doctor, "cancelled", {}), (urology, "pending", {}), (urology, "completed", {"created_at": at(1)}),
        ]
    ):  # fmt: skip
        make_appointment(
            doctor, users.patient, MONDAY, f"{9 + n:02d}:00", status=status, **{"created_at": at(8), **more}
        )
    data = figures()
    one = {"bookings": 3, "completed": 1, "cancelled": 1, "noShows": 1}
    other = {"bookings": 1, "completed": 0, "cancelled": 0, "noShows": 0}
    assert data["bySpecialization"] == [{"name": "Cardiology", **one}, {"name": "Urology", **other}]
    assert data["byCity"] == [{"name": "Springfield", **one}, {"name": "Shelbyville", **other}]


def test_time_to_confirm_excludes_instant_bookings(users, client_of):
    appointment = make_appointment(users.doctor, users.patient, date(2030, 1, 22))
    answer = client_of(users.doctor.user).put(
        f"/api/appointments/{appointment.pk}/status", {"status": "confirmed"}, format="json"
    )
    assert (answer.status_code, Appointment.objects.get().confirmed_at) == (200, timezone.now())


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2030-02-01", "to": "2030-01-01"}, "from"), ({"from": "2028-01-01", "to": "2030-01-01"}, "from"),
        ({"from": "0001-01-01", "to": "9999-12-31"}, "to"), ({"from": "2020-01-01", "by": "week"}, "from"),
        ({"to": "9999-12-31"}, "to"), ({"from": "yesterday"}, "from"), ({"by": "month"}, "by"),
        ({"specialization": "Alchemy"}, "specialization"), ({"city": "a\u202eb"}, "city"), ({"to": "0001-01-01"}, "to"),
    ],
)  # fmt: skip
def test_invalid_period_is_a_field_error(users, client_of, query, field):
    answer = client_of(users.admin).get("/api/admin/analytics", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_default_period_is_the_last_30_days(users, client_of):
    data = client_of(users.admin).get("/api/admin/analytics").json()["data"]
    assert (data["from"], data["to"], len(data["series"])) == ("2029-12-18", "2030-01-16", 30)


@pytest.mark.parametrize("appointments", [1, 12])
def test_analytics_take_the_same_queries_for_few_rows_and_many(
    users, client_of, appointments, django_assert_num_queries
):
    for n in range(appointments):
        make_appointment(
            users.doctor,
            users.patient,
            MONDAY + timedelta(days=n),
            created_at=at(8),
            status="confirmed",
            confirmed_at=at(9),
        )
    desk = client_of(users.admin)
    with django_assert_num_queries(11):
        desk.get("/api/admin/analytics", {"from": "2029-02-01", "to": "2030-01-13"})
