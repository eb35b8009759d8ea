"""Test the directory search: matches, ranking, index maintenance and query plans."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import AccountStatus, User
from accounts.tests.factories import UserFactory
from accounts.text.normalization import is_one_edit_apart, split_indexed_words, split_search_words
from adminpanel.operations.housekeeping import run_round
from adminpanel.operations.seeding.load_data import LoadData
from config.tests.db.query_plans import analyze_tables, find_table_scans
from doctors.directory import query as directory_query
from doctors.directory import search, search_index
from doctors.directory.search_index import find_inconsistencies
from doctors.directory.specialties import (
    EVERYDAY_WORDS,
    INDEXED_WORDS,
    TERMS,
    UNLISTED_WORDS,
    find_closest_term,
    parse_search,
)
from doctors.models import Approval, DoctorProfile, Specialization
from doctors.models.profile import FILTER_SPECIALIZATIONS
from doctors.search_text import PRACTITIONERS
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]


def doctor(name, **fields):
    return DoctorFactory(user=UserFactory(name=name, role="doctor"), **fields)


def found(client, **query):
    answer = client.get("/api/doctors", query)
    assert answer.status_code == 200, answer.json()
    return [one["name"] for one in answer.json()["data"]["doctors"]]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("garcia jose", ["José García"]),
        ("JOSÉ", ["José García"]),
        ("jose\u0301", ["José García"]),
        ("Dr. García", ["José García"]),
        ("Prof. Dr. Jose", ["José García"]),
        ("g", ["José García"]),
        ("ga", ["José García"]),
        ("ar", []),
        ("arc", ["José García"]),
        ("cardiolgy", ["José García"]),
        ("Garcai", ["José García"]),
        ("Grcia", ["José García"]),
        ("Gaarcia", ["José García"]),
        ("Gaaarcia", []),
        ("oneill", ["Aoife O'Neill"]),
        ("O’Neill", ["Aoife O'Neill"]),
        ("neill", ["Aoife O'Neill"]),
        ("o neill", ["Aoife O'Neill"]),
        ("Müller-Lüdenscheidt", ["Tobias Müller-Lüdenscheidt"]),
        ("mullerludenscheidt", ["Tobias Müller-Lüdenscheidt"]),
        ("ludenscheid tobias", ["Tobias Müller-Lüdenscheidt"]),
        ("strasse", ["Eva Straße"]),
        ("STRASSE", ["Eva Straße"]),
        ("lukasz", ["Łukasz Øst"]),
        ("ost", ["Łukasz Øst"]),
        ("мария", ["Мария Ёлкина"]),
        ("елкина", ["Мария Ёлкина"]),
        ("太郎", ["田中太郎"]),
        ("田", ["田中太郎"]),
        ("dermatology jose", []),
        ("cardiologist", ["José García"]), ("Cardiologists", ["José García"]), ("cardiologi", ["José García"]),
        ("a pediatrician", []), ("Pediatrician", ["Łukasz Øst"]), ("jose dermatologist", []),
        ("Professor García", ["José García"]),
        ("zzz", []),
        ("%", []), ("_", []), ("\"'*^:", []), ("🙂", []), ("x" * 100, []), ("NEAR(jose garcia)", []),
        ("jose OR aoife", []), ("jose*", ["José García"]), ('"jose"', ["José García"]), ("jose 🙂", ["José García"]),
        ("jose -garcia", ["José García"]), ("jose'); DROP TABLE x; --", []), ("%s %d %(a)s", []),
        ("a " * 50, ["Aoife O'Neill"]),
    ],
)  # fmt: skip
def test_words_find_the_expected_doctors(client, text, who):
    doctor("José García", specialization="Cardiology")
    doctor("Aoife O'Neill", specialization="Urology")
    doctor("Tobias Müller-Lüdenscheidt", specialization="Psychiatry")
    doctor("Eva Straße", specialization="Radiology")
    doctor("Łukasz Øst", specialization="Pediatrics")
    doctor("Мария Ёлкина", specialization="Dermatology")
    doctor("田中太郎", specialization="Oncology")
    assert found(client, search=text) == who


def test_every_specialization_has_a_term_for_its_practitioners():
    assert set(PRACTITIONERS) == set(Specialization.values) - {"Other"}


# --- Specialties --------------------------------------------------------------------------------


@pytest.fixture
def faculty():
    """One doctor of each specialty, called by it."""
    for number, name in enumerate(Specialization.values):
        doctor(f"{'ABCDEFGHIJKLMNOPQ'[number]} Quill", specialization=name)


def specialties_found(client, text, **query):
    answer = client.get("/api/doctors", {"search": text, **query}).json()["data"]
    return [one["specialization"] for one in answer["doctors"]], answer["corrected"]


@pytest.mark.parametrize(
    ("text", "specialties"),
    [
        ("urology", ["Urology"]), ("Urologists", ["Urology"]), ("uro", ["Urology"]), ("urolog", ["Urology"]),
        ("neurology", ["Neurology"]), ("ENT", []), ("ent doctor", []), ("ear, nose and throat", []), ("ology", []),
        ("ologist", []), ("oncology", ["Oncology"]), ("cardio", ["Cardiology"]), ("heart", ["Cardiology"]),
        ("heart doctor", ["Cardiology"]), ("skin", ["Dermatology"]), ("eye doctor", ["Ophthalmology"]),
        ("kids", ["Pediatrics"]), ("OB/GYN", ["Gynecology"]), ("women's", ["Gynecology"]),
        ("family doctor", ["General Medicine"]), ("primary care", ["General Medicine"]),
        ("General Medicine", ["General Medicine"]), ("medicine", ["General Medicine"]),
        ("general practitioner", ["General Medicine"]), ("therapist", ["Psychiatry"]), ("psychologist", ["Psychiatry"]),
        ("general surgery", ["Surgery"]), ("surgeon", ["Surgery"]), ("x-ray", ["Radiology"]), ("dentist", []),
        ("paediatrics", ["Pediatrics"]), ("orthopaedic surgeon", []), ("other", ["Other"]), ("nephrology", []),
        ("heart quill", ["Cardiology"]), ("quill kids", ["Pediatrics"]), ("lungs", ["Pulmonology"]),
    ],
)  # fmt: skip
def test_specialty_search_finds_no_other_specialty(client, faculty, text, specialties):
    assert specialties_found(client, text) == (specialties, None)


def test_every_term_of_a_specialty_finds_that_specialty_alone(client, faculty):
    for term, names in TERMS.items():
        specialties, corrected = specialties_found(client, term)
        assert (sorted(specialties), corrected) == (sorted(names), None), term


def test_everyday_words_name_listed_specialties():
    assert set(EVERYDAY_WORDS) == set(Specialization.values) - {"Other"}
    assert [one.specializations for one in parse_search(split_search_words("ear nose throat"))] == [()]
    assert "ent" in UNLISTED_WORDS.split()


def test_doctors_named_like_an_everyday_word_are_found_by_it(client):
    doctor("Julia Child", specialization="Surgery")
    doctor("Ada Childs", specialization="Urology")
    doctor("Mauro Quill", specialization="Cardiology")
    doctor("Eva Sample", specialization="Pediatrics")
    doctor("Otto Sample", specialization="Neurology")
    assert found(client, search="julia child") == ["Julia Child"]
    assert sorted(found(client, search="childs")) == ["Ada Childs", "Eva Sample"]
    # Inside a name, but not inside "neurology".
    assert sorted(found(client, search="uro")) == ["Ada Childs", "Mauro Quill"]


@pytest.mark.parametrize(
    ("text", "specialties", "corrected"),
    [
        ("cardioligy", ["Cardiology"], "cardiology"),
        ("Dr. Cardioligy", ["Cardiology"], "cardiology"),
        ("nurology", ["Neurology"], "neurology"),
        ("oncolgy", ["Oncology"], "oncology"),
        ("kardiology", ["Cardiology"], "cardiology"),
        ("theraqist", ["Psychiatry"], "therapist"),
        ("cardioligists", ["Cardiology"], "cardiologist"),
        ("quil cardioligy", ["Cardiology"], "quil cardiology"),
        ("zzzz", [], None),
        # No everyday word for somebody's name.
        ("brian", [], None),
        ("harte", [], None),
    ],
)
def test_corrected_typo_is_reported(client, faculty, text, specialties, corrected):
    told = corrected and {"from": text, "to": corrected}
    assert specialties_found(client, text) == (specialties, told)
    assert specialties_found(client, text, literal="true") == ([], None)


def test_typo_in_a_name_is_corrected_only_without_exact_matches(client):
    for name in ("Ada Silverbrook", "Bo Smith", "Cy Smyth", "Di Smithson"):
        doctor(name)
    answer = client.get("/api/doctors", {"search": " Silverbrok "}).json()["data"]
    assert [one["name"] for one in answer["doctors"]] == ["Ada Silverbrook"]
    assert answer["corrected"] == {"from": "Silverbrok", "to": "silverbrook"}
    answer = client.get("/api/doctors", {"search": "smeth"}).json()["data"]
    assert [one["name"] for one in answer["doctors"]] == ["Bo Smith", "Cy Smyth"]
    assert answer["corrected"] == {"from": "smeth", "to": "smith or smyth"}
    answer = client.get("/api/doctors", {"search": "smih"}).json()["data"]
    assert answer["corrected"] == {"from": "smih", "to": "smith"}
    answer = client.get("/api/doctors", {"search": "smith"}).json()["data"]
    assert [one["name"] for one in answer["doctors"]] == ["Bo Smith", "Di Smithson", "Cy Smyth"]
    assert answer["corrected"] is None
    assert found(client, search="smith", literal="true") == ["Bo Smith", "Di Smithson"]


def test_the_filter_lists_every_specialization_that_has_doctors(client):
    doctor("Ada Sample", specialization="Urology", hospital_city="Zürich", experience=1)
    doctor("Bo Sample", specialization="Oncology", hospital_city="", experience=40)
    doctor("Cy Sample", specialization="Surgery", approval=Approval.PENDING)
    doctor("Di Sample", specialization="Radiology", license_expires_on=timezone.now().date() - timedelta(days=1))
    doctor("Ed Sample", specialization="Other", hospital_city="Zürich", experience=50)
    data = client.get("/api/doctors/filters").json()["data"]
    assert data["specializations"] == [*FILTER_SPECIALIZATIONS, "Oncology", "Urology", "Other"]
    assert data["example"] == {"specialization": "Urology", "city": "Zürich"}
    assert found(client, search="Urology", city="Zürich") == ["Ada Sample"]


def test_filter_offers_the_default_list_without_doctors(client):
    data = client.get("/api/doctors/filters").json()["data"]
    assert data == {"specializations": FILTER_SPECIALIZATIONS, "example": None}


def test_titles_alone_find_every_doctor(client):
    doctor("José García")
    assert found(client, search="Dr.") == found(client, search="") == ["José García"]


@pytest.mark.parametrize(
    ("city", "number"),
    [("zurich", 1), ("ZÜRICH", 1), ("Züri", 1), ("rich", 1), ("york new", 1), ("new y", 1), ("%", 0), ("Bern", 0)],
)
def test_cities_match_without_accents_and_case(client, city, number):
    doctor("A", hospital_city="Zürich")
    doctor("B", hospital_city="New York")
    doctor("C", hospital_city="")
    assert len(found(client, city=city)) == number


def test_the_best_match_comes_first_unless_an_order_is_asked_for(client):
    for experience, name in enumerate(["Rosa Ann", "Ruth Anna", "Karl Mann", "Otto Anne", "Ines Hanna", "Emil Ana"]):
        doctor(name, experience=experience, consultation_fee=100 - experience)
    # A whole word, then a beginning, then inside; "Ana" is too short a word to be forgiven.
    assert found(client, search="ann") == ["Rosa Ann", "Otto Anne", "Ruth Anna", "Ines Hanna", "Karl Mann"]
    assert found(client, search="anna") == ["Ruth Anna", "Ines Hanna", "Emil Ana", "Otto Anne", "Rosa Ann"]
    by_fee = found(client, search="anna", ordering="consultationFee")
    assert by_fee == ["Emil Ana", "Ines Hanna", "Otto Anne", "Ruth Anna", "Rosa Ann"]
    assert found(client, search="anna", ordering="name") == sorted(by_fee)


def test_row_is_ranked_by_its_worst_matching_word(client):
    """Nothing has "ross" inside a longer word, so that its tiers are fewer than those of "anna"."""
    for experience, name in enumerate(["Hanna Ross", "Anna Rosa", "Hanna Rosa"]):
        doctor(name, experience=experience)
    assert found(client, search="anna ross") == ["Hanna Ross", "Hanna Rosa", "Anna Rosa"]


# --- Against a plain reading of the rules -------------------------------------------------------

NAMES = """
ann anna hanna anne mann ana rosa rose ross jose josé josefa ö o'neill müller-ann lee le l
""".split()  # noqa: SIM905 - a list of one line
QUERIES = [*NAMES, "a", "an", "ros", "jos", "card", "cardiolgy", "neuro", "logy", "nn", "ose", "annaa", "xq"]


NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def tier(word, kept):
    if word in kept:
        return 0
    if word in INDEXED_WORDS:
        return None
    if any(each.startswith(word) for each in kept):
        return 1
    if len(word) >= 3 and any(word in each for each in kept if each not in INDEXED_WORDS):
        return 2
    names = [each for each in kept if each not in INDEXED_WORDS]
    return 3 if len(word) >= 4 and any(len(each) >= 3 and is_one_edit_apart(word, each) for each in names) else None


def corrected(word, everything):
    """Return the specialty that is searched for instead of a word that nobody has."""
    is_known = any(
        each.startswith(word) or (word in each and len(word) >= 3 and each not in INDEXED_WORDS) for each in everything
    )
    meant = find_closest_term(word) if len(word) >= 4 and not is_known else None
    return meant.text if meant and meant.text in INDEXED_WORDS else word


def expected(doctors, text, specialization, city, ordering):
    hits = []
    kept_of = {
        one: [
            *split_indexed_words(one.user.name), *split_indexed_words(one.specialization),
            *split_indexed_words(PRACTITIONERS[one.specialization]),
        ]
        for one in doctors
    }  # fmt: skip
    everything = {word for kept in kept_of.values() for word in kept}
    for one, kept in kept_of.items():
        tiers = [tier(corrected(word, everything), kept) for word in split_search_words(text)]
        if None in tiers or (specialization and one.specialization != specialization):
            continue
        if all(part in " ".join(split_search_words(one.hospital_city)) for part in split_search_words(city)):
            hits.append((max(tiers, default=0), one))
    keys = {
        "": lambda hit: (hit[0], -hit[1].experience, hit[1].pk),
        "-experience": lambda hit: (-hit[1].experience, hit[1].pk),
        "consultationFee": lambda hit: (hit[1].consultation_fee, hit[1].pk),
        "-rating": lambda hit: (-hit[1].rating_average, -hit[1].rating_count, hit[1].pk),
        "name": lambda hit: (bytes(hit[1].name_key), hit[1].pk),
        "nextFree": lambda hit: (hit[1].next_free_at is None, hit[1].next_free_at or NEVER, hit[1].pk),
    }
    return [one.pk for _, one in sorted(hits, key=keys[ordering])]


def test_every_search_page_matches_the_model(monkeypatch):
    """Gathering and walking come to the same, and pages to the whole list, each row once."""
    now = timezone.now()
    for number in range(48):
        one = doctor(
            f"{NAMES[number % 17]} {NAMES[number * 7 % 18]}", experience=number % 5, consultation_fee=number % 3,
            specialization=("Cardiology", "Neurology", "Urology")[number % 3],
            hospital_city=("Zürich", "New York", "York", "")[number % 4],
            rating_average=number % 2, rating_count=number % 3,
        )  # fmt: skip
        if number % 3 == 0:
            DoctorProfile.objects.filter(pk=one.pk).update(next_free_at=None, next_free_until=None)
    doctors = list(DoctorProfile.objects.select_related("user"))

    @settings(max_examples=45, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        st.lists(st.sampled_from(QUERIES), max_size=3).map(" ".join),
        st.sampled_from(["", "", "Cardiology", "Other"]),
        st.sampled_from(["", "", "york", "rich", "new"]),
        st.sampled_from(["", "", *directory_query.ORDERINGS]),
        st.sampled_from([(1_500, 4_000, 200), (2, 5, 4), (1, 1, 0), (4, 100, 6)]),
        st.sampled_from([5, 11, 60]),
    )
    def check(text, specialization, city, ordering, bounds, size):
        for name, value in zip(("SMALL_RESULT_SIZE", "LARGE_RESULT_SIZE", "DEEP_OFFSET"), bounds, strict=True):
            monkeypatch.setattr(search, name, value)
        query = {"search": text, "specialization": specialization, "city": city, "ordering": ordering}
        wanted = expected(doctors, text, specialization, city, ordering)
        paged = []
        for start in range(0, len(wanted) + 1, size):
            rows = directory_query.search_directory(query, now)
            page = rows[start : start + size]
            assert len(page) <= size
            paged += page
            assert rows.order_by()[:1_001].count() == len(wanted)
        assert paged == wanted

    check()


# --- What keeps it true -------------------------------------------------------------------------


def renamed(one):
    one.user.name = "Renée Åström"
    one.user.save()


def renamed_one_field(one):
    one.user.name = "Renée Åström"
    one.user.save(update_fields=["name"])


def bulk_updated(one):
    one.user.name = "Renée Åström"
    User.objects.bulk_update([one.user], ["name"])


def told_by_sql(one):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET name = %s WHERE name = %s", ["Renée Åström", one.user.name])
    assert directory_query.search_directory({"search": "before"}, timezone.now())[0:20] == []
    run_round(timezone.now())


def moved(one):
    one.hospital_city, one.specialization = "Łódź", "Urology"
    one.save(update_fields=["hospital_city", "specialization"])


def moved_by_sql(one):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE doctors_doctorprofile SET hospital_city = 'Łódź', specialization = 'Urology'")
    run_round(timezone.now())


def rejected_and_back(one):
    DoctorProfile.objects.filter(pk=one.pk).update(approval=Approval.REVOKED)
    assert find_inconsistencies() == {}
    assert not DoctorProfile.objects.get(pk=one.pk).is_listed
    DoctorProfile.objects.filter(pk=one.pk).update(approval=Approval.APPROVED)


def written_over(one):
    """As an instance that was read before."""
    stale = DoctorProfile.objects.get(pk=one.pk)
    User.objects.filter(pk=one.pk).update(name="Renée Åström", status=AccountStatus.INACTIVE)
    stale.bio = "x"
    stale.save()
    run_round(timezone.now())


def made_in_bulk(one):
    people = [UserFactory(name=f"Bulk Né {number}", role="doctor") for number in range(3)]
    DoctorProfile.objects.bulk_create(
        DoctorProfile(
            user=person, specialization="Surgery", experience=1, license_number=f"B{person.pk}", consultation_fee=1,
            hospital_name="H", approval="approved",
        )
        for person in people
    )  # fmt: skip
    assert len(directory_query.search_directory({"search": "bulk ne"}, timezone.now())[0:20]) == 3


ACTS = {
    "saved": renamed,
    "saved a field": renamed_one_field,
    "updated": lambda one: User.objects.filter(pk=one.pk).update(name="Renée Åström"),
    "updated in bulk": bulk_updated,
    "renamed by SQL": told_by_sql,
    "profile saved": moved,
    "profiles updated": lambda one: DoctorProfile.objects.update(hospital_city="Łódź", specialization="Urology"),
    "moved by SQL": moved_by_sql,
    "stopped": lambda one: User.objects.filter(pk=one.pk).update(status=AccountStatus.INACTIVE),
    "ended": lambda one: User.objects.filter(pk=one.pk).update(ended_at=timezone.now()),
    "revoked and approved": rejected_and_back,
    "written over": written_over,
    "made in bulk": made_in_bulk,
    "taken away": lambda one: one.delete(),
    "seeded": lambda one: LoadData(timezone.now()).create_doctors(60),
}


def names_found(text):
    ids = directory_query.search_directory({"search": text}, timezone.now())[0:20]
    return set(User.objects.filter(pk__in=ids).values_list("name", flat=True))


@pytest.mark.parametrize("act", ACTS)
def test_every_change_of_a_doctor_updates_the_search_index(act):
    one, other = doctor("Ada Before", hospital_city="Zürich"), doctor("Bo Other")
    assert find_inconsistencies() == {}
    with transaction.atomic():
        ACTS[act](one)
    assert find_inconsistencies() == {}
    assert other.user.name in names_found("other")
    names = names_found("renee astrom")
    changed = User.objects.filter(pk=one.pk, name="Renée Åström", status="active").exists()
    assert names == ({"Renée Åström"} if changed else set())


def test_removed_name_leaves_no_word_in_the_index(client):
    one = doctor("Quuxina Before")
    User.objects.filter(pk=one.pk).update(name="Ada Sample")
    run_round(timezone.now())
    tables = search_index.get_table_names(connection.vendor)
    with connection.cursor() as cursor:
        for table in ("entry", "word", "typo"):
            cursor.execute(f"SELECT count(*) FROM {tables[table]} WHERE word = 'quuxina'")
            assert cursor.fetchone()[0] == 0
    assert found(client, search="quuxina") == found(client, search="uuxin") == []


def test_command_finds_and_repairs_index_differences(capsys):
    one = doctor("Ada Sample")
    call_command("check_search")
    other = {"search_text": " eve ", "folded_of": DoctorProfile.objects.get(pk=one.pk).folded_of}
    DoctorProfile.objects.filter(pk=one.pk).update(**other)
    with pytest.raises(CommandError, match="1 doctors"):
        call_command("check_search")
    call_command("check_search", "--repair")
    assert capsys.readouterr().out.endswith("The search index is correct.\n")
    assert find_inconsistencies() == {}


def test_missing_triggers_are_detected_and_restored(client):
    doctor("Ada Sample")
    assert search_index.find_missing_triggers(connection) == set()
    with connection.cursor() as cursor:
        on = "" if connection.vendor == "sqlite" else " ON doctors_doctorprofile"
        cursor.execute(f"DROP TRIGGER search_doctor_entries{on}")
        cursor.execute("UPDATE doctors_doctorprofile SET hospital_city = 'Nowhere'")
    assert search_index.find_missing_triggers(connection) == {"search_doctor_entries"}
    assert "search_doctor_entries is missing" in client.get("/readyz").json()["amiss"]
    search_index.create_triggers()
    assert search_index.find_missing_triggers(connection) == set()
    assert find_inconsistencies() == {}


def test_search_works_without_trigrams(client, monkeypatch, caplog):
    doctor("Ada Sample")
    if connection.vendor == "sqlite":
        monkeypatch.setattr(search, "has_trigram_tokenizer", lambda: False)
    else:
        monkeypatch.setattr(search_index, "TRIGRAMS", "CREATE EXTENSION nothing_of_that_name")
        search_index.create_trigram_index(connection)
        assert "CREATE EXTENSION pg_trgm" in caplog.text
    assert found(client, search="ampl") == ["Ada Sample"]


# --- What it costs ------------------------------------------------------------------------------

LARGE = ("doctors_doctorprofile", "accounts_user", "doctors_weeklyhours", "entry", "doctors_search_entry")


@pytest.mark.django_db(transaction=True)
def test_no_search_scans_a_table():
    LoadData(timezone.now()).create_doctors(3_000)
    analyze_tables()
    if connection.vendor == "postgresql":
        # As autovacuum does in time: until then an index alone does not know which rows are seen.
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE) doctors_doctorprofile")
    now = timezone.now()
    soon = (now + timedelta(days=2)).date()
    asked = [
        *({"search": text} for text in ("a", "an", "ann", "cardiology", "cardiolgy", "xqz", "a c", "an cardio", "o a")),
        {"search": "heart"},
        *({"ordering": order} for order in directory_query.ORDERINGS),
        *({"search": "cardiology", "ordering": order} for order in directory_query.ORDERINGS),
        *({"specialization": "Cardiology", "ordering": order} for order in directory_query.ORDERINGS),
        {"city": "berlin"}, {"city": "new y", "search": "a"}, {"specialization": "Urology", "city": "berlin"},
        {"specialization": "Urology", "city": "berlin", "search": "an", "availableBy": soon},
        {"availableBy": soon}, {"availableBy": soon, "ordering": "name"},
    ]  # fmt: skip
    scans = {}
    for bounds in ((1_500, 4_000, 200), (5, 50, 10)):
        search.SMALL_RESULT_SIZE, search.LARGE_RESULT_SIZE, search.DEEP_OFFSET = bounds
        # Among three thousand rows PostgreSQL may rather read them all, as it finds them vacuumed or not: so it is
        # asked whether there is an index for each statement.
        prefer_indexes(True)
        try:
            for query in asked:
                for start in (0, 60):
                    with CaptureQueriesContext(connection) as captured:
                        rows = directory_query.search_directory(query, now)
                        rows[start : start + 21]
                        rows.order_by()[:1_001].count()
                    assert len(captured) <= 12, captured.captured_queries
                    for one in captured.captured_queries:
                        if whole := reads_whole(one["sql"]):
                            scans[str(query), one["sql"]] = whole
            with CaptureQueriesContext(connection) as captured:
                directory_query.list_filters(now)
            assert len(captured) == 3
            for one in captured.captured_queries:
                if whole := reads_whole(one["sql"]):
                    scans["filters", one["sql"]] = whole
        finally:
            search.SMALL_RESULT_SIZE, search.LARGE_RESULT_SIZE, search.DEEP_OFFSET = 1_500, 4_000, 200
            prefer_indexes(False)
    assert scans == {}


def prefer_indexes(do):
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET enable_seqscan = off" if do else "RESET enable_seqscan")


def reads_whole(statement):
    """Return the large tables that a statement reads from end to end.

    On SQLite what goes along one of the orders' indexes until a LIMIT does not.
    """
    statement = statement.replace("%", "%%")
    if connection.vendor == "postgresql":
        return find_table_scans(statement, LARGE)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}", ())
        steps = [row[3] for row in cursor.fetchall()]
    scanned = [step for step in steps if re.match(rf"SCAN (d|e|{'|'.join(LARGE)})\b", step)]
    return [step for step in scanned if " LIMIT " not in statement or not re.search(r"USING .*INDEX found_", step)]


def test_check_finds_a_search_with_a_table_scan():
    entry = search_index.get_table_names(connection.vendor)["entry"]
    for statement in (
        "SELECT d.bio FROM doctors_doctorprofile d WHERE d.search_text LIKE '%a%' LIMIT 20",
        "SELECT bio FROM doctors_doctorprofile WHERE hospital_city LIKE '%a%'",
        f"SELECT doctor_id, word FROM {entry} WHERE word || 'x' = 'yx'",
    ):
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off")
                cursor.execute("SET LOCAL enable_bitmapscan = off")
            assert reads_whole(statement), statement
