"""Whatever public answers are made of leaves a row when it changes, by any road, and in the same moment."""

import threading
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.utils import timezone

from accounts.models import AccountStatus
from accounts.tests.factories import PatientFactory
from doctors import claims, freshness
from doctors.calendar import keep_next_free, store_next_free
from doctors.free_times import Slot
from doctors.freshness import LISTING, token_of
from doctors.models import Approval, BlockedTime, Claim, DayOverride, DoctorProfile, PublicChange, WeeklyHours
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

DAY = date(2030, 1, 8)
TEN = datetime(2030, 1, 8, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


def claim(doctor, start=TEN, **more):
    return Claim.objects.create(
        kind="visit", doctor=doctor, starts_at=start, ends_at=start + HOUR, busy_until=start + HOUR, **more
    )


def changed(act):
    """Run an act; answers the topics of the rows that it left, each once."""
    before = set(PublicChange.objects.values_list("pk", flat=True))
    act()
    return set(PublicChange.objects.exclude(pk__in=before).values_list("topic", flat=True))


@pytest.fixture
def doctor():
    return DoctorFactory.create()


def raw(statement, *values):
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


# --- What leaves a row ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "column", "value"),
    [
        (claim, "busy_until", TEN + 2 * HOUR),
        (
            lambda doctor: WeeklyHours.objects.create(doctor=doctor, weekday=5, start_minute=1, end_minute=2),
            "end_minute",
            1440,
        ),
        (lambda doctor: DayOverride.objects.create(doctor=doctor, date=DAY, hours=[]), "date", date(2030, 1, 9)),
        (
            lambda doctor: BlockedTime.objects.create(doctor=doctor, date=DAY, start_minute=0, end_minute=9),
            "end_minute",
            10,
        ),
    ],
)
def test_what_makes_times_tells_of_its_doctor(doctor, make, column, value):
    other = DoctorFactory.create()
    model = type(make(other))
    assert changed(lambda: make(doctor)) == {doctor.pk}
    mine = model.objects.filter(doctor=doctor)
    assert changed(lambda: mine.order_by().update(**{column: value})) == {doctor.pk}
    # Moved to somebody else: both have other times.
    last = mine.order_by("-pk").first()
    third = DoctorFactory.create()
    assert changed(lambda: model.objects.filter(pk=last.pk).update(doctor=third)) == {doctor.pk, third.pk}
    assert changed(lambda: model.objects.filter(pk=last.pk).delete()) == {third.pk}
    # A statement that meets no row changes nothing.
    assert changed(lambda: model.objects.filter(pk=last.pk).update(doctor=other)) == set()


# These the search's triggers put right at once, from columns that tell.
PUT_RIGHT = {"is_listed", "folded_of"}


@pytest.mark.parametrize(
    "field",
    [field for field in DoctorProfile._meta.concrete_fields if field.name not in PUT_RIGHT],
    ids=lambda field: field.name,
)
def test_a_profile_tells_of_every_column_but_those_that_nobody_sees(doctor, field):
    """A new column tells too, until somebody says that it need not."""
    values = {
        "DateField": DAY, "DateTimeField": TEN, "CharField": "x", "TextField": "x", "BooleanField": True,
        "DecimalField": 1, "PositiveSmallIntegerField": 11, "PositiveIntegerField": 11,
        "BinaryField": b"x",
    }  # fmt: skip
    special = {"approval": Approval.REVOKED, "time_zone": "UTC"}
    if field.primary_key:
        return
    value = special.get(field.name) or values[field.get_internal_type()]
    rows = DoctorProfile.objects.filter(pk=doctor.pk)
    wanted = set() if field.name in freshness.UNSEEN else {LISTING}
    assert changed(lambda: rows.update(**{field.name: value})) == wanted
    # Written again as it is, nothing has changed.
    assert changed(lambda: rows.update(**{field.name: value})) == set()


def test_those_who_are_not_listed_tell_of_nothing_until_they_are():
    pending = changed(lambda: DoctorFactory.create(approval=Approval.PENDING))
    waiting = DoctorProfile.objects.get()
    rows = DoctorProfile.objects.filter(pk=waiting.pk)
    assert pending == {waiting.pk}  # the hours
    assert changed(lambda: rows.update(bio="Listens.")) == set()
    assert changed(lambda: rows.update(approval=Approval.APPROVED)) == {LISTING}
    assert changed(lambda: rows.update(approval=Approval.REVOKED)) == {LISTING}
    assert changed(lambda: rows.update(bio="Listens first.")) == set()
    assert LISTING in changed(DoctorFactory.create)
    WeeklyHours.objects.all().delete()
    assert changed(rows.delete) == set()
    assert changed(lambda: DoctorProfile.objects.all().delete()) == {LISTING}


@pytest.mark.parametrize(
    ("change", "tells"),
    [
        ({"name": "Ada Other"}, True),
        ({"picture": "portraits/x.webp"}, True),
        ({"status": AccountStatus.INACTIVE}, True),
        ({"ended_at": TEN}, True),
        ({"phone": "+1 202 555 0111", "language": "de", "password": "x", "date_of_birth": DAY}, False),
    ],
)
def test_an_account_tells_of_what_its_doctor_s_card_shows(doctor, change, tells):
    users = type(doctor.user).objects
    assert changed(lambda: users.filter(pk=doctor.pk).update(**change)) == ({LISTING} if tells else set())
    patient = PatientFactory.create()
    assert changed(lambda: users.filter(pk=patient.pk).update(**change)) == set()


def test_raw_sql_tells_too(doctor):
    assert changed(lambda: raw("UPDATE doctors_doctorprofile SET bio = 'Other'")) == {LISTING}
    assert changed(lambda: raw("DELETE FROM doctors_weeklyhours")) == {doctor.pk}


def test_the_kept_next_free_time_tells_nothing(doctor):
    """Each booking writes it: the pages of all others would go with it."""
    doctor.next_free_at = doctor.next_free_until = TEN
    assert changed(lambda: store_next_free([doctor])) == set()


def test_the_loser_of_a_race_leaves_nothing(doctor):
    claim(doctor)
    slot = Slot(DAY, "10:00", *(int((TEN + hours * HOUR).timestamp()) for hours in (0, 1, 1)))
    assert changed(lambda: claims.take("visit", doctor, None, slot, TEN)) == set()


def test_what_is_rolled_back_leaves_nothing(doctor):
    before = token_of([doctor.pk])

    def act():
        with transaction.atomic():
            claim(doctor)
            assert token_of([doctor.pk]) != before
            transaction.set_rollback(True)

    assert changed(act) == set()
    assert token_of([doctor.pk]) == before


def test_who_writes_many_at_once_leaves_few_rows_where_statements_are_told(doctor):
    rows = [
        Claim(kind="visit", doctor=doctor, starts_at=at, ends_at=at + HOUR, busy_until=at + HOUR)
        for at in (TEN + number * HOUR for number in range(30))
    ]
    before = PublicChange.objects.count()
    Claim.objects.bulk_create(rows)
    assert PublicChange.objects.count() - before == (1 if connection.vendor == "postgresql" else 30)


# --- Tokens ----------------------------------------------------------------------------------------


def test_a_token_is_one_statement_and_concerns_those_it_names(doctor, django_assert_num_queries):
    other = DoctorFactory.create()
    with django_assert_num_queries(1):
        before, others, nobodys = token_of([doctor.pk]), 0, 0
    others, nobodys = token_of([other.pk]), token_of([])
    claim(doctor)
    assert token_of([doctor.pk]) != before
    assert (token_of([other.pk]), token_of([])) == (others, nobodys)
    DoctorProfile.objects.filter(pk=other.pk).update(bio="Other")
    assert token_of([]) != nobodys


def test_a_token_of_a_hundred_is_read_off_its_index():
    ids = [UUID(int=number) for number in range(1, 101)]
    with connection.execute_wrapper(lambda execute, sql, params, many, context: told.append((sql, params)) or execute(
        sql, params, many, context
    )):  # fmt: skip
        told = []
        freshness.note_all()
        told.clear()
        token_of(ids)
    ((sql, params),) = told
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table without rows is read whole, whatever stands beside it.
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(("EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN ") + sql, params)
        plan = str(cursor.fetchall())
    assert "Index Only Scan using change_of_topic" in plan or "USING COVERING INDEX change_of_topic" in plan


def test_no_two_changes_are_alike(doctor):
    """Were a mark ever 0, or the same, a change could hide in a sum."""
    for number in range(20):
        claim(doctor, TEN + number * HOUR)
    marks = set(PublicChange.objects.values_list("mark", flat=True))
    assert len(marks) == PublicChange.objects.count()
    assert all(0 <= mark < freshness.MARKS for mark in marks)


def test_nothing_is_told_where_nothing_is_known_or_too_much(doctor, monkeypatch):
    assert token_of([doctor.pk]) is not None
    monkeypatch.setattr(freshness, "MOST_SUMMED", PublicChange.objects.count() - 1)
    assert token_of([doctor.pk]) is None
    monkeypatch.undo()
    PublicChange.objects.filter(topic=LISTING).delete()
    # Emptied by somebody: an earlier token might be met again.
    assert token_of([doctor.pk]) is None


# --- Forgetting --------------------------------------------------------------------------------------


def test_old_rows_are_forgotten_in_portions_and_no_token_comes_back(doctor, monkeypatch):
    monkeypatch.setattr(freshness, "BATCH", 7)
    for number in range(20):
        claim(doctor, TEN + number * HOUR)
    later = timezone.now() + freshness.KEPT_FOR + timedelta(minutes=1)
    seen = {token_of([doctor.pk])}
    assert freshness.forget_old(timezone.now()) == 0
    number = PublicChange.objects.count()
    assert freshness.forget_old(later) == number
    assert set(PublicChange.objects.values_list("topic", flat=True)) == {LISTING}
    assert PublicChange.objects.count() == -(-number // 7)
    assert token_of([doctor.pk]) not in seen | {None}
    # Alone, what is left is not made anew again and again.
    PublicChange.objects.exclude(pk=PublicChange.objects.last().pk).delete()
    last = token_of([doctor.pk])
    assert freshness.forget_old(later) == 0
    assert token_of([doctor.pk]) == last


def test_a_change_that_comes_and_is_forgotten_between_two_readings_is_seen(doctor):
    """As one does whose transaction took longer than rows are kept."""
    before = token_of([doctor.pk])
    claim(doctor)
    PublicChange.objects.update(made_at=timezone.now() - timedelta(hours=1))
    assert freshness.forget_old(timezone.now()) > 0
    assert not PublicChange.objects.filter(topic=doctor.pk).exists()
    assert token_of([doctor.pk]) != before


def test_too_many_rows_are_forgotten_before_their_time(doctor, monkeypatch):
    monkeypatch.setattr(freshness, "MOST_KEPT", 5)
    for number in range(6):
        claim(doctor, TEN + number * HOUR)
    assert freshness.forget_old(timezone.now()) > 5


def test_an_emptied_table_is_told_of_again():
    PublicChange.objects.all().delete()
    assert freshness.forget_old(timezone.now()) == 0
    assert token_of([]) is not None


# --- Real transactions -------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_who_commits_late_is_seen_then_and_not_before():
    """Rows are numbered when they are written and seen when they are committed, in whichever order.

    SQLite has one writer at a time, and so one order.
    """
    if connection.vendor == "sqlite":
        return
    slow, fast = DoctorFactory.create(), DoctorFactory.create()
    written, go_on = threading.Event(), threading.Event()

    def write_slowly():
        try:
            with transaction.atomic():
                claim(slow)
                written.set()
                assert go_on.wait(20)
        finally:
            connections.close_all()

    before = token_of([slow.pk])
    thread = threading.Thread(target=write_slowly)
    thread.start()
    assert written.wait(20)
    claim(fast)
    meanwhile = token_of([slow.pk])
    assert (meanwhile, Claim.objects.filter(doctor=slow).exists()) == (before, False)
    go_on.set()
    thread.join()
    assert token_of([slow.pk]) != meanwhile


@pytest.mark.django_db(transaction=True)
def test_changes_of_one_doctor_do_not_wait_for_one_another():
    doctor = DoctorFactory.create()
    keep_next_free([])
    if connection.vendor == "sqlite":
        return
    ours, theirs = connections["default"].copy(), connections["default"].copy()
    try:
        with ours.cursor() as one, theirs.cursor() as two:
            for cursor, start in ((one, TEN), (two, TEN + HOUR)):
                cursor.execute("BEGIN; SET LOCAL lock_timeout = '2s'")
                cursor.execute(
                    "INSERT INTO doctors_claim (id, kind, doctor_id, starts_at, ends_at, busy_until, created_at,"
                    " secret_hash, network) VALUES (gen_random_uuid(), 'visit', %s, %s, %s, %s, now(), '', '')",
                    [doctor.pk, start, start + HOUR, start + HOUR],
                )
            two.execute("COMMIT")
            one.execute("COMMIT")
    finally:
        ours.close()
        theirs.close()
    assert Claim.objects.count() == 2


# --- The triggers ------------------------------------------------------------------------------------


def test_the_triggers_stand_after_migrate():
    assert freshness.missing(connection) == set()


@pytest.mark.django_db(transaction=True)
def test_what_is_missing_is_seen_and_put_up_again(client):
    doctor = DoctorFactory.create()
    on = "" if connection.vendor == "sqlite" else " ON doctors_claim"
    raw(f"DROP TRIGGER public_doctors_claim_insert{on}")
    try:
        assert client.get("/readyz").json()["amiss"] == ["public_doctors_claim_insert does not stand"]
        # The negative control: without it nobody learns of a booking.
        assert changed(lambda: claim(doctor)) == set()
    finally:
        # Nobody knows what was missed meanwhile.
        assert changed(freshness.put_up) == {LISTING}
    assert client.get("/readyz").json()["amiss"] == []
    assert changed(freshness.put_up) == set()
    if connection.vendor == "postgresql":
        raw("ALTER TABLE doctors_claim DISABLE TRIGGER public_doctors_claim_insert")
        assert freshness.missing(connection) == {"public_doctors_claim_insert"}
        raw("CREATE OR REPLACE FUNCTION public_person_changed() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'")
        assert freshness.missing(connection) == {"public_doctors_claim_insert", "public_person_changed"}
        freshness.put_up()
        assert freshness.missing(connection) == set()


@pytest.mark.django_db(transaction=True)
def test_a_migration_takes_them_down_and_puts_them_up():
    """SQLite would stumble over a trigger of one table that names another; on both they need their own table."""
    DoctorFactory.create()
    before = token_of([])
    try:
        call_command("migrate", "doctors", "0008", verbosity=0)
        assert set(freshness.names()) <= freshness.missing(connection)
        WeeklyHours.objects.all().delete()  # refused by nothing
    finally:
        call_command("migrate", verbosity=0)
    assert freshness.missing(connection) == set()
    assert token_of([]) not in (None, before)
