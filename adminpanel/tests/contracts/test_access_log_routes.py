"""Reading other people's data is recorded by every route, or the route says why it shows none.

The tables are held against the URL configuration: a new route without a row fails.
"""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import InternalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.calendar_feed import create_feed
from accounts.models import Reading, User
from accounts.tests.factories import PatientFactory
from adminpanel.tests.admin.staff import client_for, staff_member
from adminpanel.tests.contracts.access_matrix import MATRIX, list_methods, list_routes
from adminpanel.tests.contracts.valid_calls import CALLS, send
from appointments.models import Appointment
from config.api.access_log import UndeclaredAccessError
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from doctors.models import DoctorProfile

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

# Routes that are no viewsets of ours, and why they record nothing.
OTHER_ROUTES = {
    "healthz": "no person",
    "readyz": "no person",
    "metrics": "no person",
    "staff": "a redirect",
    "page": "the page's own files",
    "robots": "no person",
    "sitemap": "no person",
    "security-txt": "the operator's contact",
    "media": "portraits, public by a name that can't be guessed",
    "schema": "the API's description",
    "api-docs": "the API's description",
}
# What only the patient of an appointment may call: the rows would be about the reader.
OF_ITS_PATIENT = {
    ("appointment-list", "POST"),
    ("appointment-reschedule", "PUT"),
    ("appointment-cancel-request", "POST"),
    ("appointment-cancel-request", "DELETE"),
}
# Acts whose response is a sentence.
SENTENCE = {
    ("account-close", "POST"),
    ("absence-detail", "DELETE"),
    ("blocked-time-detail", "DELETE"),
    ("visit-draft", "DELETE"),
    ("attachment-detail", "DELETE"),
}


def appointments(site, *names):
    return {("appointment", site.rows[name].pk, site.rows[name].patient_id) for name in names}


def list_all_appointments(site, **filters):
    return {("appointment", pk, who) for pk, who in Appointment.objects.filter(**filters).values_list("pk", "patient")}


def people(*ids, kind="user"):
    return {(kind, pk, pk) for pk in ids}


def list_doctors_appointments(site):
    return list_all_appointments(site, doctor=site.users.doctor)


def list_other_people(site):
    return people(*User.objects.present().exclude(pk=site.users.admin.pk).values_list("pk", flat=True))


def doctors(site):
    return people(*DoctorProfile.objects.values_list("pk", flat=True), kind="doctor")


def list_not_cancelled(site):
    return list_all_appointments(site, doctor=site.users.doctor) - appointments(site, "expired")


# By route and audience: what the populated site shows of other people, as (kind, id, person).
SHOWN_PEOPLE = {
    ("account-closing", "doctor owner"): lambda site: appointments(site, "appointment", "asked", "today", "waits"),
    ("appointment-list", "doctor owner"): list_doctors_appointments,
    ("appointment-list", "admin"): list_all_appointments,
    ("appointment-detail", "doctor owner"): lambda site: appointments(site, "appointment"),
    ("appointment-detail", "admin"): lambda site: appointments(site, "appointment"),
    ("calendar-file", "doctor owner"): lambda site: appointments(site, "appointment"),
    ("visit", "doctor owner"): lambda site: appointments(site, "appointment", "past", "unfinished"),
    ("visit-versions", "doctor owner"): lambda site: appointments(site, "appointment"),
    ("prescription", "doctor owner"): lambda site: appointments(site, "appointment"),
    ("attachment-detail", "doctor owner"): lambda site: appointments(site, "appointment"),
    ("doctor-calendar", "doctor owner"): lambda site: appointments(
        site, "appointment", "asked", "today", "waits", "expired"
    ),
    ("doctor-dashboard", "doctor owner"): list_not_cancelled,
    ("doctor-patient-list", "doctor owner"): lambda site: people(site.users.patient.pk, site.users.deactivated.pk),
    ("doctor-patients-csv", "doctor owner"): lambda site: people(site.users.patient.pk, site.users.deactivated.pk),
    ("doctor-appointments-csv", "doctor owner"): lambda site: people(site.users.patient.pk),
    ("doctor-patient-detail", "doctor owner"): lambda site: people(site.users.patient.pk),
    ("doctor-patient-history", "doctor owner"): lambda site: (
        list_doctors_appointments(site) | people(site.users.patient.pk)
    ),
    ("admin-dashboard", "admin"): lambda site: (
        appointments(site, "stranded") | people(site.users.doctor.pk, site.users.unapproved_doctor.pk, kind="doctor")
    ),
    ("admin-records", "admin"): list_all_appointments,
    # The record was read by the doctor.
    ("admin-reading-list", "admin"): lambda site: people(site.users.doctor.user.pk),
    ("admin-audit-list", "admin"): lambda site: (
        appointments(site, "appointment") | people(site.users.doctor.pk, site.users.patient.pk)
    ),
    ("admin-user-list", "admin"): list_other_people,
    ("admin-user-detail", "admin"): lambda site: people(site.users.patient.pk),
    ("admin-doctor-list", "admin"): doctors,
    ("admin-doctor-detail", "admin"): lambda site: people(site.users.doctor.pk, kind="doctor"),
    ("admin-doctor-document", "admin"): lambda site: people(site.users.doctor.pk, kind="doctor"),
}
ENDED = ("appointment", "asked", "today", "waits")
# By the name of a call in `valid_calls.py`.
SHOWN_BY_ACTS = {
    "change it over an appointment": lambda site: appointments(site, "asked"),
    "block an appointment's time": lambda site: appointments(site, "asked"),
    "take time off": lambda site: appointments(site, "asked"),
    "attach a file": lambda site: appointments(site, "past"),
    "type a draft": lambda site: appointments(site, "past"),
    "write a record": lambda site: appointments(site, "past"),
    "complete": lambda site: appointments(site, "unfinished"),
    "confirm": lambda site: appointments(site, "appointment"),
    "propose": lambda site: appointments(site, "appointment"),
    "move at once": lambda site: appointments(site, "appointment"),
    "undo a confirmation": lambda site: appointments(site, "confirmed"),
    "reopen": lambda site: appointments(site, "completed"),
    "book for a patient": lambda site: list_all_appointments(site, symptoms="A cough."),
    "cancel as admin": lambda site: appointments(site, "appointment"),
    "cancel by status as admin": lambda site: appointments(site, "appointment"),
    "cancel at the desk": lambda site: appointments(site, "appointment"),
    "stop an account": lambda site: appointments(site, *ENDED) | people(site.users.patient.pk),
    "delete a user": lambda site: appointments(site, *ENDED),
    "delete a doctor": lambda site: appointments(site, *ENDED),
    "approve": lambda site: people(site.users.unapproved_doctor.pk, kind="doctor"),
    "revoke": lambda site: appointments(site, *ENDED) | people(site.users.doctor.pk, kind="doctor"),
}
AUDIENCES = ("patient owner", "other patient", "doctor owner", "admin")


def get_person(site, who):
    users = site.users
    named = {"patient owner": users.patient, "other patient": users.other_patient, "admin": users.admin}
    return named.get(who) or (users.doctor if who == "doctor owner" else users.unapproved_doctor).user


def fetch(client, address):
    return read_all(client.get(address))


def read_all(answer):
    """Read a response to its end, which closes its file."""
    if answer.streaming:
        b"".join(answer.streaming_content)
    return answer


def list_rows(view, without=()):
    """Return all that is recorded, with how often; it is by one view alone."""
    rows = Reading.objects.exclude(pk__in=without)
    assert set(rows.values_list("view", flat=True)) <= {view}
    columns = ("actor_id", "subject_type", "subject_id", "person_id", "times")
    return {row[:4]: row[4] for row in rows.values_list(*columns)}


def test_every_route_is_logged_or_exempt():
    """Add a route that shows somebody's data to the tables above; give any other view `no_personal_data_reason`."""
    recorded = {(route, "GET") for route, _ in SHOWN_PEOPLE} | {("calendar-feed", "GET")}
    recorded |= {(CALLS[name].route, CALLS[name].method) for name in SHOWN_BY_ACTS}
    # The calls of `valid_calls.py` show nobody there; the doctor's reply and time off over appointments do.
    recorded |= {("appointment-proposal", "PUT"), ("absence-detail", "PUT")}
    unsaid, needless = [], []
    for pattern in list_routes():
        view = getattr(pattern.callback, "cls", None)
        actions = getattr(pattern.callback, "actions", {})
        for method in list_methods(pattern):
            row = (pattern.name, method)
            why = OTHER_ROUTES.get(pattern.name, "")
            if isinstance(view, type) and issubclass(view, ApiViewSet):
                said = view.no_personal_data_reason
                why = said if isinstance(said, str) else said.get(actions[method.lower()], "")
            listed = [row in group for group in (recorded, OF_ITS_PATIENT, SENTENCE)]
            if sum(listed) + bool(why) == 0:
                unsaid.append(row)
            if sum(listed) + bool(why) > 1:
                needless.append(row)
    assert (unsaid, needless) == ([], [])


def test_each_read_is_logged_exactly(populated_site):
    wrong = {}
    for route in sorted(route for route, method in MATRIX if method == "GET" and route not in OTHER_ROUTES):
        for who in AUDIENCES:
            expected = SHOWN_PEOPLE.get((route, who), lambda site: set())(populated_site)
            with transaction.atomic():
                before = set(Reading.objects.values_list("pk", flat=True))
                for times in (1, 2):
                    fetch(populated_site.clients[who], populated_site.addresses[route])
                    found = list_rows(route, without=before)
                    if found != {(get_person(populated_site, who).pk, *row): times for row in expected}:
                        wrong[route, who, times] = found, expected
                transaction.set_rollback(True)
    assert wrong == {}


def test_action_logs_whose_data_it_shows(populated_site):
    wrong = {}
    for name, call in CALLS.items():
        cache.clear()
        with transaction.atomic():
            call.prepare(populated_site)
            before = set(Reading.objects.values_list("pk", flat=True))
            answer = read_all(send(call, populated_site))
            expected = SHOWN_BY_ACTS.get(name, lambda site: set())(populated_site)
            found = list_rows(call.route, without=before)
            actors = {row[0] for row in found} - {get_person(populated_site, call.who).pk}
            if actors or {row[1:] for row in found} != expected or answer.status_code != call.status:
                wrong[name] = found, expected, answer.status_code
            transaction.set_rollback(True)
    assert wrong == {}


@pytest.mark.parametrize("number", [1, 3])
def test_logging_takes_one_query_for_one_row_and_three(users, client_of, number):
    PatientFactory.create_batch(number)
    client = client_of(users.admin)
    address = f"/api/admin/users?pageSize={number}"
    client.get(address)

    with CaptureQueriesContext(connection) as captured:
        client.get(address)

    writes = [one["sql"] for one in captured if "accounts_reading" in one["sql"]]
    assert (len(writes), writes[0].count("INSERT INTO")) == (1, 1)
    assert set(Reading.objects.values_list("times", flat=True)) == {2}
    assert Reading.objects.count() == number


def test_visitors_and_patients_on_their_own_pages_are_not_logged(api, users, client_of, populated_site):
    calls = [
        (api, "doctor-list"), (api, "doctor-detail"), (api, "doctor-slots"),
        (populated_site.clients["patient owner"], "appointment-list"),
        (populated_site.clients["patient owner"], "visit"), (populated_site.clients["patient owner"], "profile"),
    ]  # fmt: skip
    with CaptureQueriesContext(connection) as captured:
        for client, route in calls:
            assert client.get(populated_site.addresses[route]).status_code == 200
    assert [one["sql"] for one in captured if "accounts_reading" in one["sql"]] == []


def test_every_user_on_a_page_is_logged(users, client_of):
    PatientFactory.create_batch(5)
    client = client_of(users.admin)
    on_pages = set()
    for page in (1, 2, 3):
        on_pages |= {
            one["_id"] for one in client.get(f"/api/admin/users?pageSize=2&page={page}").json()["data"]["users"]
        }

    assert set(map(str, Reading.objects.values_list("person_id", flat=True))) == on_pages - {str(users.admin.pk)}


def test_feed_of_a_doctor_is_logged_and_of_a_patient_is_not(populated_site, api):
    for person in (populated_site.users.doctor.user, populated_site.users.patient):
        _, address = create_feed(person, timezone.now())
        answer = api.get(f"/calendar/{address.rsplit('/', 1)[1]}")
        assert answer.status_code == 200
        # What has not changed shows nothing.
        again = api.get(f"/calendar/{address.rsplit('/', 1)[1]}", headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304

    doctor = populated_site.users.doctor.user.pk
    expected = list_not_cancelled(populated_site)
    before = Reading.objects.filter(view="populated_site").values("pk")
    assert list_rows("calendar-feed", without=before) == {(doctor, *row): 1 for row in expected}


def test_staff_autocomplete_suggests_no_users():
    """Suggestions leave no row, so none may name people."""
    client = client_for(staff_member(superuser=True))
    suggested = set()
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if field.is_relation and field.concrete:
                asked = {"app_label": model._meta.app_label, "model_name": model._meta.model_name, "term": ""}
                answer = client.get("/staff/autocomplete/", {**asked, "field_name": field.name})
                suggested |= {(model, field.name, field.related_model)} if answer.status_code == 200 else set()

    assert suggested == {(User, "groups", Group)}
    assert not Reading.objects.exists()


def test_data_is_not_shown_when_logging_fails(users, client_of, monkeypatch):
    """A database that only reads, for one."""
    client = client_of(users.admin)

    def fail(*args):
        raise InternalError("cannot execute INSERT in a read-only transaction")

    monkeypatch.setattr("accounts.access_log.insert", fail)
    answer = client.get(f"/api/admin/users/{users.patient.pk}")

    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "unavailable", "5")
    assert users.patient.email not in answer.content.decode()
    assert client.get("/api/auth/profile").status_code == 200


def test_view_without_an_access_log_declaration_fails(users, rf, monkeypatch):
    class UndeclaredView(ApiViewSet):
        authentication_classes = ()
        permission_classes = ()

        def retrieve(self, request):
            return ApiResponse({"name": users.patient.name})

    class ExemptView(UndeclaredView):
        no_personal_data_reason = {"retrieve": "A test."}

    def ask(view):
        request = rf.get("/")
        request.user = users.admin
        return view.as_view({"get": "retrieve"})(request)

    monkeypatch.setattr("rest_framework.request.Request.user", users.admin)
    with pytest.raises(UndeclaredAccessError):
        ask(UndeclaredView)
    assert ask(ExemptView).status_code == 200
