"""Test the daily statistics of offered times and unsuccessful searches."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from accounts.models import AccountStatus
from appointments.tests.factories import make_appointment
from doctors.directory import demand_stats
from doctors.directory.demand_stats import count_date, count_next_date
from doctors.models import BlockedTime, DayOverride, DoctorProfile, MissedSearch, OfferedTime
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

# A Tuesday without a clock change.
TUESDAY = date(2030, 1, 8)
DAY = 8 * 60


def counted(day=TUESDAY):
    rows = OfferedTime.objects.filter(date=day)
    return {(row.specialization, row.city): (row.offered_minutes, row.used_minutes) for row in rows}


def test_hours_are_summed_by_specialization_and_city(users):
    DoctorProfile.objects.filter(pk=users.other_doctor.pk).update(specialization="Urology", hospital_city="Shelbyville")
    make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="completed")
    make_appointment(users.doctor, users.other_patient, TUESDAY, "17:00", status="confirmed")
    make_appointment(users.doctor, users.patient, TUESDAY + timedelta(days=1), "09:00")
    make_appointment(users.doctor, users.patient, TUESDAY, "11:00", status="cancelled")
    count_date(TUESDAY)
    assert counted() == {("Cardiology", "Springfield"): (DAY, 120), ("Urology", "Shelbyville"): (DAY, 0)}
    # Counting again replaces the figures and adds nothing.
    count_date(TUESDAY)
    assert counted()["Cardiology", "Springfield"] == (DAY, 120)


def test_days_off_and_blocked_hours_are_not_offered(users):
    DayOverride.objects.create(doctor=users.other_doctor, date=TUESDAY, hours=[])
    # Over the lunch break, too: what is no hour can't be blocked.
    BlockedTime.objects.create(doctor=users.doctor, date=TUESDAY, start_minute=12 * 60, end_minute=15 * 60)
    BlockedTime.objects.create(doctor=users.doctor, date=TUESDAY + timedelta(days=1), start_minute=0, end_minute=1440)
    count_date(TUESDAY)
    assert counted() == {("Cardiology", "Springfield"): (DAY - 120, 0)}


def test_appointment_counts_on_the_date_of_the_clinic(users):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(time_zone="Pacific/Kiritimati")
    users.doctor.refresh_from_db()
    # 09:00 there is the evening before in UTC.
    make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    for day, used in ((TUESDAY - timedelta(days=1), 0), (TUESDAY, 60), (TUESDAY + timedelta(days=1), 0)):
        count_date(day)
        assert sum(minutes for _, minutes in counted(day).values()) == used


def test_unlisted_doctor_offers_nothing(users):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(license_expires_on=TUESDAY - timedelta(days=1))
    users.other_doctor.user.status = AccountStatus.INACTIVE
    users.other_doctor.user.save()
    count_date(TUESDAY)
    # The date is counted, so that it is not looked at for ever.
    assert counted() == {("", ""): (0, 0)}


def test_each_date_is_counted_once_when_it_is_over_everywhere(users, time_machine):
    time_machine.move_to(datetime(2030, 1, 9, 11, 59, tzinfo=UTC), tick=False)
    assert (count_next_date(timezone.now()), counted(TUESDAY - timedelta(days=1)) != {}) == (1, True)
    assert (count_next_date(timezone.now()), counted()) == (0, {})
    time_machine.move_to(datetime(2030, 1, 9, 12, 0, tzinfo=UTC), tick=False)
    assert (count_next_date(timezone.now()), counted() != {}) == (1, True)
    # After a pause the dates are caught up one by one, as far back as the hours are still known.
    time_machine.move_to(datetime(2030, 6, 30, 12, 0, tzinfo=UTC), tick=False)
    rounds = 0
    while count_next_date(timezone.now()):
        rounds += 1
    assert rounds == 32
    assert OfferedTime.objects.latest("date").date == date(2030, 6, 29)


@pytest.mark.parametrize("doctors", [1, 20])
def test_counting_takes_the_same_queries_for_one_doctor_and_twenty(doctors, django_assert_num_queries):
    DoctorFactory.create_batch(doctors)
    with django_assert_num_queries(7):
        count_date(TUESDAY)


# --- Searches -----------------------------------------------------------------------------------


def missed_searches():
    return list(MissedSearch.objects.order_by("pk").values_list("date", "specialization", "city", "times"))


def test_a_search_that_finds_no_free_time_is_counted(api, users):
    today = timezone.now().date()
    past = (today - timedelta(days=400)).isoformat()
    for query in (
        {"availableBy": past},
        {"availableBy": past},
        {"availableBy": past, "specialization": "Cardiology", "city": "springFIELD"},
        # Nobody is there: what was typed is kept nowhere.
        {"availableBy": past, "city": "12 Private Lane"},
        # Nothing found, but not for want of time.
        {"search": "nobody at all"},
        {"availableBy": (today + timedelta(days=30)).isoformat()},
    ):
        assert api.get("/api/doctors", query).status_code == 200
    assert missed_searches() == [(today, "", "", 3), (today, "Cardiology", "Springfield", 1)]


def test_a_doctor_without_a_free_time_in_the_coming_week_is_counted(api, users, client_of):
    doctor = users.doctor
    address = f"/api/doctors/{doctor.pk}/slots"
    api.get(address, {"days": 14})
    assert missed_searches() == []
    DoctorProfile.objects.filter(pk=doctor.pk).update(max_days_ahead=0, min_notice_minutes=2 * 24 * 60)
    later = (timezone.now().date() + timedelta(days=20)).isoformat()
    for query in ({"days": 14}, {"days": 1}, {"days": 14, "from": later}):
        assert api.get(address, query).status_code == 200
    assert missed_searches() == [(timezone.now().date(), "Cardiology", "Springfield", 1)]


def test_failed_count_does_not_fail_the_search(api, users, monkeypatch):
    def fail(key):
        raise DatabaseError("read only")

    monkeypatch.setattr(demand_stats, "increment_count", fail)
    answer = api.get("/api/doctors", {"availableBy": "2020-01-01"})
    assert (answer.status_code, answer.json()["data"]["doctors"]) == (200, [])


def test_concurrent_first_counts_are_both_counted(monkeypatch):
    key = {"date": TUESDAY, "specialization": "", "city": ""}
    MissedSearch.objects.create(**key, times=1)
    look, looks = MissedSearch.objects.filter, []

    def too_early(**query):
        # At the first look the other's row was not there yet.
        looks.append(query)
        return look(**query) if len(looks) > 1 else MissedSearch.objects.none()

    monkeypatch.setattr(MissedSearch.objects, "filter", too_early)
    demand_stats.increment_count(key)
    assert missed_searches() == [(TUESDAY, "", "", 2)]
