"""Test how much of a doctor's calendar visitors and unconfirmed accounts of one network can take."""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from itertools import cycle

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import AuditEvent, Notice, User
from accounts.tests.factories import PatientFactory
from appointments.models import Appointment
from appointments.scheduling import network_quota
from appointments.tests.factories import make_appointment
from doctors.availability.calendar import Calendar
from doctors.models import DoctorProfile, HeldTime, Reservation
from doctors.tests.factories import DoctorFactory
from doctors.weekly_hours import WEEKDAYS

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York. The next weeks have 40 times each, on five days.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
NEXT_MONDAY = date(2030, 1, 14)
TIMES = ("09:00", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00")
WEEK = [
    ((NEXT_MONDAY + timedelta(days=number)).isoformat(), clock) for number in range(5) for clock in TIMES
]  # fmt: skip
HOME, OFFICE = "203.0.113.7", "198.51.100.9"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def unconfirmed():
    return lambda: PatientFactory.create(email_confirmed_at=None)


def hold(client, doctor, slot, address=HOME, **more):
    body = {"doctorId": str(doctor.pk), "appointmentDate": slot[0], "appointmentTime": slot[1], **more}
    return client.post("/api/appointments/hold", body, format="json", REMOTE_ADDR=address)


def book(client, doctor, slot, address=HOME, **more):
    body = {"doctorId": str(doctor.pk), "appointmentDate": slot[0], "appointmentTime": slot[1], **more}
    return client.post("/api/appointments", body, format="json", REMOTE_ADDR=address)


def statuses(answers):
    return [answer.status_code for answer in answers]


def free_times(doctor, days=14):
    calendar = Calendar.read(doctor, timezone.now())
    return [
        (day.isoformat(), f"{slot.time:%H:%M}")
        for day, slots in calendar.list_free_slots(date(2030, 1, 8), days)
        for slot in slots
    ]  # fmt: skip


# --- Holds -----------------------------------------------------------------------------------


def test_three_ips_cannot_hold_two_weeks_of_a_doctor(users):
    """The attack of the review: each free time of 14 days, held without an account."""
    free = free_times(users.doctor)
    assert len(free) == 80
    answers = [
        hold(APIClient(), users.doctor, slot, f"203.0.113.{number % 3}") for number, slot in enumerate(free)
    ]  # fmt: skip
    kept = [answer for answer in answers if answer.status_code == 201]
    weeks = Counter(reservation.starts_at.isocalendar().week for reservation in Reservation.objects.all())
    # Each address has a tenth of what the others leave: of 32 times, of 40, and of 40 of which Monday's 8 were tried.
    assert (len(kept), weeks) == (26, {2: 9, 3: 9, 4: 8})
    assert {answer.json()["code"] for answer in answers if answer not in kept} == {"network_share_taken"}
    assert len(free_times(users.doctor)) == 80 - len(kept)


def test_each_network_can_hold_a_tenth_of_a_week(users):
    answers = [hold(APIClient(), users.doctor, slot) for slot in WEEK[:5]]
    assert statuses(answers) == [201] * 4 + [429]
    assert answers[4].json()["code"] == "network_share_taken"
    assert answers[4].json()["message"] == (
        "People on your network are holding as many of this doctor's times as we allow. You can still book this one."
    )
    assert answers[4]["Retry-After"] == "300"
    # Another doctor, another week and another network are not concerned.
    assert hold(APIClient(), users.other_doctor, WEEK[4]).status_code == 201
    assert hold(APIClient(), users.doctor, ("2030-01-21", "09:00")).status_code == 201
    assert hold(APIClient(), users.doctor, WEEK[4], OFFICE).status_code == 201


def test_two_times_of_a_week_can_always_be_held(users):
    for slot in WEEK[:-3]:
        make_appointment(users.doctor, users.other_patient, date.fromisoformat(slot[0]), slot[1], status="confirmed")
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[-3:]) == [201, 201, 429]


def test_share_is_a_setting(users, settings):
    settings.MAX_NETWORK_SHARE_PERCENT, settings.MIN_NETWORK_SHARE = 3, 1
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[:2]) == [201, 429]
    settings.MIN_NETWORK_SHARE = 2
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[1:3]) == [201, 429]


def test_visitor_who_changes_the_time_releases_the_old_hold(users):
    visitors = [APIClient() for _ in range(4)]
    secrets = [
        hold(visitor, users.doctor, slot).json()["data"]["holdId"]
        for visitor, slot in zip(visitors, WEEK, strict=False)
    ]  # fmt: skip
    assert hold(visitors[0], users.doctor, WEEK[6], holdId=secrets[0]).status_code == 201
    assert hold(APIClient(), users.doctor, WEEK[0]).status_code == 429
    assert APIClient().delete(f"/api/appointments/hold/{secrets[1]}").status_code == 200
    assert hold(APIClient(), users.doctor, WEEK[0]).status_code == 201


def test_expired_holds_do_not_count(users, clock):
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[:4]) == [201] * 4
    clock.shift(timedelta(minutes=5))
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[4:9]) == [201] * 4 + [429]


def test_user_with_a_confirmed_email_is_not_limited_by_neighbors(users, client_of, settings):
    settings.MAX_HOLDS_PER_IP = 4
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[:4]) == [201] * 4
    assert hold(APIClient(), users.other_doctor, WEEK[4]).json()["code"] == "too_many"
    assert hold(client_of(users.patient), users.doctor, WEEK[4]).status_code == 201
    # Nor does that hold count for them.
    assert sorted(Reservation.objects.values_list("network", flat=True)) == ["", *[HOME] * 4]
    assert book(client_of(users.patient), users.doctor, WEEK[4]).status_code == 201
    assert book(client_of(users.other_patient), users.doctor, WEEK[5]).status_code == 201


def test_user_counts_toward_the_network_until_the_email_is_confirmed(users, client_of, unconfirmed):
    people = [unconfirmed() for _ in range(5)]
    answers = [hold(client_of(person), users.doctor, slot) for person, slot in zip(people, WEEK, strict=False)]
    assert statuses(answers) == [201] * 4 + [429]
    # What is theirs alone is no part of the network's week: two of 38 are left.
    User.objects.filter(pk__in=[people[0].pk, people[1].pk]).update(email_confirmed_at=NOW)
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[4:6]) == [201, 429]


def test_wider_ipv6_networks_have_a_wider_share(users, settings):
    settings.MAX_NETWORK_SHARE_PERCENT = 5
    rows = [
        # A /64 has two of forty, the /56 around it twice as many, the /48 four times.
        ("2001:db8:1:200::1", 201), ("2001:db8:1:200::2", 201), ("2001:db8:1:200::3", 429),
        ("2001:db8:1:2ff::1", 201), ("2001:db8:1:2fe::1", 201), ("2001:db8:1:201::1", 429),
        ("2001:db8:1:300::1", 201), ("2001:db8:1:400::1", 201), ("2001:db8:1:500::1", 201), ("2001:db8:1:600::1", 201),
        ("2001:db8:1:700::1", 429),
        ("2001:db8:2::1", 201),
    ]  # fmt: skip
    free = iter(WEEK)
    assert [hold(APIClient(), users.doctor, next(free), address).status_code for address, _ in rows] == [
        status for _, status in rows
    ]


def test_wider_ipv6_networks_hold_more_in_all(users, settings):
    settings.MAX_HOLDS_PER_IP = 1
    settings.MAX_NETWORK_SHARE_PERCENT = 100
    free = iter(WEEK)
    prefixes = ["2001:db8:1:200", "2001:db8:1:200", *(f"2001:db8:1:20{number}" for number in range(1, 5))]
    answers = [hold(APIClient(), users.doctor, next(free), f"{prefix}::1") for prefix in prefixes]
    assert statuses(answers) == [201, 429, 201, 201, 201, 429]
    assert answers[-1].json()["code"] == "too_many"
    answers = [hold(APIClient(), users.doctor, next(free), f"2001:db8:1:{number}00::1") for number in range(3, 10)]
    assert statuses(answers) == [201] * 7


@pytest.mark.parametrize(
    ("address", "stored"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:0db8:0000:0000"),
        ("2001:db8:1:2ff:3::9", "2001:0db8:0001:02ff"),
        ("", "unknown"),
    ],
)
def test_wider_networks_are_prefixes_of_stored_networks(address, stored):
    assert network_quota.format_network(address) == stored


def test_prefix_match_excludes_other_networks():
    assert not network_quota.is_within("203.0.113.77", "203.0.113.7")


# --- Requests --------------------------------------------------------------------------------


def test_twelve_new_accounts_of_one_network_request_no_more_than_its_share(users, client_of, unconfirmed):
    """The attack of the review: 12 accounts whose address nobody confirmed, ten requests each."""
    clients, slots = [client_of(unconfirmed()) for _ in range(12)], cycle(WEEK)
    answers = [book(client, users.doctor, next(slots)) for client in clients for _ in range(10)]
    assert Counter(answer.json().get("code") for answer in answers) == {
        None: 4, "email_unconfirmed": 108, "slot_taken": 8,
    }  # fmt: skip
    # Each has one.
    assert Appointment.objects.values("patient").distinct().count() == 4
    refused = answers[-1]
    assert (refused.status_code, refused.json()["data"]) == (409, {"reason": "network"})
    assert refused.json()["message"] == (
        "Confirm your email address first. Several new accounts on your network have already asked this doctor for an"
        " appointment that week."
    )
    slot = free_times(users.doctor)[-1]
    assert book(client_of(users.patient), users.doctor, slot).status_code == 201
    assert book(client_of(unconfirmed()), users.doctor, free_times(users.doctor)[-1], OFFICE).status_code == 201


def test_second_request_requires_a_confirmed_email(users, client_of, unconfirmed):
    person = unconfirmed()
    client = client_of(person)
    first = book(client, users.doctor, WEEK[0])
    assert first.status_code == 201
    refused = book(client, users.other_doctor, WEEK[1])
    assert (refused.status_code, refused.json()["code"], refused.json()["data"]) == (
        409, "email_unconfirmed", {"reason": "second_request"},
    )  # fmt: skip
    assert refused.json()["message"] == "Confirm your email address first. Then you can book more appointments."
    # The same request once more is no second one.
    assert book(client, users.doctor, WEEK[0]).status_code == 200
    User.objects.filter(pk=person.pk).update(email_confirmed_at=NOW)
    assert book(client, users.other_doctor, WEEK[1]).status_code == 201


def test_finished_first_request_allows_another(users, client_of, unconfirmed):
    client = client_of(unconfirmed())
    appointment = book(client, users.doctor, WEEK[0]).json()["data"]["appointment"]["_id"]
    assert client.put(f"/api/appointments/{appointment}/cancel").status_code == 200
    again = book(client, users.doctor, WEEK[1]).json()["data"]["appointment"]["_id"]
    doctor = client_of(users.doctor.user)
    assert doctor.put(f"/api/appointments/{again}/status", {"status": "confirmed"}, format="json").status_code == 200
    # The doctor has confirmed it, so it is no request any more, and no network's.
    assert Reservation.objects.get().network == ""
    assert book(client, users.doctor, WEEK[2]).status_code == 201


def test_upcoming_instant_booking_counts_as_a_request(users, client_of, unconfirmed, clock):
    DoctorProfile.objects.update(instant_confirmation=True)
    client = client_of(unconfirmed())
    assert statuses(book(client, users.doctor, slot) for slot in WEEK[:2]) == [201, 409]
    people = [client_of(unconfirmed()) for _ in range(4)]
    answers = [book(one, users.doctor, slot) for one, slot in zip(people, WEEK[2:], strict=False)]
    assert statuses(answers) == [201] * 3 + [409]


def test_bookings_by_the_doctor_do_not_count(users, client_of, unconfirmed):
    person = unconfirmed()
    make_appointment(users.doctor, person, date(2030, 1, 8), status="completed")
    desk = client_of(users.doctor.user)
    body = {"appointmentDate": WEEK[0][0], "appointmentTime": WEEK[0][1]}
    for hour in ("09:00", "10:00", "11:00"):
        answer = desk.post(
            f"/api/doctors/patients/{person.pk}/appointments", {**body, "appointmentTime": hour}, format="json"
        )
        assert answer.status_code == 201
    assert set(Reservation.objects.values_list("network", flat=True)) == {""}
    assert book(client_of(person), users.doctor, WEEK[9]).status_code == 201


def test_holds_and_requests_are_counted_separately(users, client_of, unconfirmed):
    assert statuses(hold(APIClient(), users.doctor, slot) for slot in WEEK[:4]) == [201] * 4
    answers = [book(client_of(unconfirmed()), users.doctor, slot) for slot in WEEK[4:9]]
    assert statuses(answers) == [201] * 4 + [409]


def test_booking_what_a_visitor_held_turns_the_hold_into_a_request_of_the_network(users, client_of, unconfirmed):
    secret = hold(APIClient(), users.doctor, WEEK[0]).json()["data"]["holdId"]
    assert book(client_of(unconfirmed()), users.doctor, WEEK[0], holdId=secret).status_code == 201
    assert list(Reservation.objects.values_list("kind", "network", "renewable_until")) == [("appointment", HOME, None)]
    secret = hold(APIClient(), users.doctor, WEEK[1]).json()["data"]["holdId"]
    assert book(client_of(users.patient), users.doctor, WEEK[1], holdId=secret).status_code == 201
    assert Reservation.objects.get(patient=users.patient).network == ""


def test_requests_cannot_be_moved_into_a_week_with_an_exhausted_share(users, client_of, unconfirmed):
    people = [client_of(unconfirmed()) for _ in range(5)]
    appointments = [
        book(one, users.doctor, slot).json()["data"]["appointment"]["_id"]
        for one, slot in zip(people, [*WEEK[:4], ("2030-01-22", "09:00")], strict=True)
    ]

    def move(number, slot):
        body = {"appointmentDate": slot[0], "appointmentTime": slot[1]}
        return people[number].put(
            f"/api/appointments/{appointments[number]}/reschedule", body, format="json", REMOTE_ADDR=HOME
        )

    assert move(4, WEEK[6]).json()["code"] == "email_unconfirmed"
    # Within the week nothing more is taken.
    assert move(0, WEEK[6]).status_code == 200
    User.objects.filter(email_confirmed_at=None).update(email_confirmed_at=NOW)
    assert move(4, WEEK[7]).status_code == 200


def test_proposed_time_counts_toward_the_network(users, client_of, unconfirmed):
    DoctorProfile.objects.update(instant_confirmation=True)
    people = [client_of(unconfirmed()) for _ in range(4)]
    appointments = [
        book(one, users.doctor, slot).json()["data"]["appointment"]["_id"]
        for one, slot in zip(people[:3], WEEK, strict=False)
    ]
    body = {"appointmentDate": WEEK[5][0], "appointmentTime": WEEK[5][1]}
    answer = people[0].post(f"/api/appointments/{appointments[0]}/proposal", body, format="json", REMOTE_ADDR=HOME)
    assert answer.status_code == 201
    assert book(people[3], users.doctor, WEEK[6]).json()["code"] == "email_unconfirmed"


# --- The pause -------------------------------------------------------------------------------


def test_repeated_holds_of_one_time_end_after_30_minutes(users, clock):
    visitor = APIClient()
    for number in range(6):
        answer = hold(visitor, users.doctor, WEEK[0])
        assert (number, answer.status_code) == (number, 201)
        clock.shift(timedelta(minutes=4, seconds=59))
        assert visitor.delete(f"/api/appointments/hold/{answer.json()['data']['holdId']}").status_code == 200
        clock.shift(timedelta(seconds=1))
    refused = hold(visitor, users.doctor, WEEK[0])
    assert (refused.status_code, refused.json()["code"]) == (429, "hold_paused")
    assert refused["Retry-After"] == str(30 * 60 - 1)
    # The other times of the doctor, and the time for others, are as free as ever.
    assert hold(visitor, users.doctor, WEEK[1]).status_code == 201
    assert hold(APIClient(), users.doctor, WEEK[0], OFFICE).status_code == 201
    clock.shift(timedelta(minutes=30))
    assert hold(visitor, users.doctor, WEEK[0]).status_code == 201


def test_expired_hold_does_not_bypass_the_pause(users, clock):
    """Nobody has swept it away yet when the network asks for the time again."""
    for _ in range(6):
        assert hold(APIClient(), users.doctor, WEEK[0]).status_code == 201
        clock.shift(timedelta(minutes=5))
    assert hold(APIClient(), users.doctor, WEEK[0]).json()["code"] == "hold_paused"
    assert HeldTime.objects.get().held_seconds == 25 * 60


def test_last_hold_ends_after_30_minutes_in_total(users, clock):
    secret = hold(APIClient(), users.doctor, WEEK[0]).json()["data"]["holdId"]
    for _ in range(7):
        clock.shift(timedelta(minutes=4))
        hold(APIClient(), users.doctor, WEEK[0], holdId=secret)
    assert APIClient().delete(f"/api/appointments/hold/{secret}").status_code == 200
    answer = hold(APIClient(), users.doctor, WEEK[0])
    assert answer.json()["data"]["expiresAt"] == "2030-01-07T15:30:00Z"


def test_visitor_who_changes_the_time_is_not_rejected(users, client_of, clock):
    client = client_of(users.patient)
    for number in range(20):
        assert hold(client, users.doctor, WEEK[number % 2]).status_code == 201
        clock.shift(timedelta(seconds=20))
    # Only the minutes for which it was held count: 200 seconds of each.
    assert HeldTime.objects.get(starts_at="2030-01-14T14:00:00Z").held_seconds == 200
    # A reload keeps the hold.
    before = Reservation.objects.get().pk
    assert hold(client, users.doctor, WEEK[1]).status_code == 201
    assert Reservation.objects.get().pk == before


def test_paused_user_can_still_book_and_others_hold(users, client_of, clock):
    client = client_of(users.patient)
    for _ in range(6):
        assert hold(client, users.doctor, WEEK[0]).status_code == 201
        clock.shift(timedelta(minutes=5))
    assert hold(client, users.doctor, WEEK[0]).json()["code"] == "hold_paused"
    assert hold(client_of(users.other_patient), users.doctor, WEEK[0]).status_code == 201
    clock.shift(timedelta(minutes=5))
    assert book(client, users.doctor, WEEK[0]).status_code == 201


def test_long_break_resets_the_limit(users, clock):
    secret = hold(APIClient(), users.doctor, WEEK[0]).json()["data"]["holdId"]
    for _ in range(5):
        clock.shift(timedelta(minutes=4))
        hold(APIClient(), users.doctor, WEEK[0], holdId=secret)
    clock.shift(timedelta(minutes=36))
    secret = hold(APIClient(), users.doctor, WEEK[0]).json()["data"]["holdId"]
    for minutes in (4, 4, 4, 4, 4, 4):
        clock.shift(timedelta(minutes=minutes))
        assert hold(APIClient(), users.doctor, WEEK[0], holdId=secret).json()["data"]["holdId"] == secret


def test_hold_history_is_deleted_after_the_pause(users, client_of, clock, unconfirmed):
    secret = hold(APIClient(), users.doctor, WEEK[0]).json()["data"]["holdId"]
    APIClient().delete(f"/api/appointments/hold/{secret}")
    DoctorProfile.objects.update(instant_confirmation=True)
    book(client_of(unconfirmed()), users.doctor, WEEK[0])
    clock.shift(timedelta(minutes=29, seconds=59))
    assert network_quota.delete_old_held_times(timezone.now()) == {"held times": 0, "networks": 0}
    clock.shift(timedelta(seconds=1))
    assert network_quota.delete_old_held_times(timezone.now()) == {"held times": 1, "networks": 0}
    clock.move_to(datetime(2030, 1, 14, 14, tzinfo=UTC))
    assert network_quota.delete_old_held_times(timezone.now()) == {"held times": 0, "networks": 1}
    assert Reservation.objects.get().network == ""


# --- The alert -------------------------------------------------------------------------------


def test_admins_are_notified_once_a_day_when_many_networks_take_most_of_a_week(users, client_of, settings, caplog):
    settings.MAX_NETWORK_SHARE_PERCENT = 25
    for number, slot in enumerate(WEEK[:20]):
        assert hold(APIClient(), users.doctor, slot, f"203.0.113.{number % 4}").status_code in {201, 429}
    told = Notice.objects.filter(event="limit.calendar_crowded")
    # Ten of the first, then less: until twenty of forty are taken nobody is alarmed.
    assert not told.exists()
    for number, slot in enumerate(WEEK[20:30]):
        hold(APIClient(), users.doctor, slot, f"198.51.100.{number % 4}")
    detail = {"week": "2030-01-14", "taken": 21, "of": 40, "networks": 5}
    assert [(one.recipient_id, one.subject_id, one.detail) for one in told] == [
        (users.admin.pk, str(users.doctor.pk), detail)
    ]
    event = AuditEvent.objects.get(event="limit.calendar_crowded")
    assert (event.entity_type, event.entity_id, event.detail) == ("doctor", str(users.doctor.pk), detail)
    assert [record.message for record in caplog.records if record.name == "appointments.scheduling.network_quota"] == [
        f"Unverified people have 21 of 40 times in a week of doctor {users.doctor.pk}"
    ]
    shown = client_of(users.admin).get("/api/notices").json()["data"]["notices"][0]
    assert shown["title"] == f"{users.doctor.user.name}'s free times are being taken by unconfirmed visitors"
    assert [fact["value"] for fact in shown["facts"]] == ["Monday, January 14, 2030", "21 of 40", "5"]
    assert shown["path"] == f"/admin/doctors/{users.doctor.pk}"


def test_one_network_does_not_notify_admins(users, settings):
    settings.MAX_NETWORK_SHARE_PERCENT = 100
    settings.MAX_HOLDS_PER_IP = 100
    for slot in WEEK[:39]:
        assert hold(APIClient(), users.doctor, slot).status_code == 201
    assert hold(APIClient(), users.doctor, WEEK[39], OFFICE).status_code == 201
    assert not Notice.objects.filter(event="limit.calendar_crowded").exists()


def test_few_users_who_book_the_last_times_do_not_notify_admins(users):
    for slot in WEEK[:-5]:
        make_appointment(users.doctor, users.other_patient, date.fromisoformat(slot[0]), slot[1], status="confirmed")
    for number, slot in enumerate(WEEK[-5:]):
        assert hold(APIClient(), users.doctor, slot, f"203.0.113.{number}").status_code == 201
    assert not Notice.objects.filter(event="limit.calendar_crowded").exists()


# --- Its cost --------------------------------------------------------------------------------


@pytest.mark.parametrize("taken", [0, 3])
def test_counting_takes_the_same_queries_for_any_number_of_reservations(taken, users, django_assert_num_queries):
    for slot in WEEK[1 : 1 + taken]:
        hold(APIClient(), users.doctor, slot)
    doctor = users.doctor
    calendar = Calendar.read(doctor, NOW)
    slot = calendar.find_slot(NEXT_MONDAY, time(9))
    # The week; the network's holds anywhere; what was held before.
    with django_assert_num_queries(3):
        week = network_quota.read_week(doctor, slot, calendar, [])
        network_quota.refuse_too_many_holds(HOME, [], NOW)
        network_quota.refuse_hold(week, HOME, NOW)
        network_quota.compute_renewable_until(week, doctor, slot, "0" * 64, NOW)
    assert (week.free, len(week.reservations)) == (40 - taken, taken)


def test_week_is_in_the_time_zone_of_the_clinic(db, settings):
    """Monday 00:00 in Kiritimati is Sunday 10:00 in UTC."""
    settings.MAX_NETWORK_SHARE_PERCENT, settings.MIN_NETWORK_SHARE = 1, 1
    doctor = DoctorFactory.create(
        time_zone="Pacific/Kiritimati", working={"days": WEEKDAYS, "hours": {"start": "00:00", "end": "24:00"}}
    )
    last = hold(APIClient(), doctor, ("2030-01-13", "23:00"))
    first = hold(APIClient(), doctor, ("2030-01-14", "00:00"))
    assert statuses([last, first]) == [201, 201]
    assert hold(APIClient(), doctor, ("2030-01-14", "01:00")).status_code == 429
