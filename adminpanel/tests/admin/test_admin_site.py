"""Test the staff site: access, content, and that its actions match the API."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.audit.log import Action, record_event
from accounts.auth.account_status import set_user_status
from accounts.models import AccountStatus, AuditEvent, Session
from accounts.tests.factories import AdminFactory, UserFactory
from appointments.models import Appointment, Proposal, RecordDraft, Status
from appointments.tests.factories import make_appointment

pytestmark = pytest.mark.django_db

PASSWORD = "violet-teapot"
LIST = "/staff/appointments/appointment/"


@pytest.fixture
def staff_user():
    return AdminFactory.create(name="Kim Staff", email="kim@example.com", password=PASSWORD, is_staff=True)


@pytest.fixture
def superuser(staff_user):
    staff_user.is_superuser = True
    staff_user.save()
    return staff_user


def enter(email, password=PASSWORD, **more):
    client = Client()
    answer = client.post("/staff/login/", {"username": email, "password": password, **more})
    return client, answer


def allow(user, *codenames):
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))


@pytest.fixture
def appointment(users):
    return make_appointment(
        users.doctor, users.patient, timezone.now().date() + timedelta(days=2), symptoms="A secret cough."
    )


def test_staff_login_sets_a_cookie_for_the_staff_site_only(superuser, settings):
    client, answer = enter("Kim@Example.com")
    assert (answer.status_code, answer["Location"]) == (302, "/staff/")
    cookie = client.cookies["staff"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/staff/", True, "Strict")
    assert client.get("/staff/").status_code == 200
    assert list(Session.objects.values_list("user", "ended_at")) == [(superuser.pk, None)]
    # The API asks for a bearer token; a cookie is nothing to it.
    client.cookies["staff"]["path"] = "/"
    assert client.get("/api/auth/profile").status_code == 401


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "TRACK", "NONSENSE"])
@pytest.mark.parametrize("page", ["", "login/", "logout/", "accounts/user/", "jsi18n/", "autocomplete/", "no/such/"])
def test_only_get_and_post_are_allowed(superuser, page, method):
    for client in (Client(), enter("kim@example.com")[0]):
        answer = client.generic(method, f"/staff/{page}")
        assert (answer.status_code, answer.get("Allow")) == (405, "GET, HEAD, POST")


def test_users_who_are_not_staff_get_the_same_error(staff_user):
    UserFactory.create(role="doctor", email="doctor@example.org", password=PASSWORD)
    AdminFactory.create(email="desk@example.org", password=PASSWORD, is_staff=False)
    pages = []
    for email, password in [
        ("kim@example.com", "wrong-teapot"),
        ("nobody@example.org", PASSWORD),
        ("doctor@example.org", PASSWORD),
        ("desk@example.org", PASSWORD),
    ]:
        client, answer = enter(email, password)
        assert answer.status_code == 401
        assert "staff" not in client.cookies
        pages.append("Login failed" in answer.content.decode())
    assert pages == [True] * 4
    assert Session.objects.filter(ended_at=None).count() == 0


def test_staff_login_shares_the_rate_limit_of_the_api(staff_user, api):
    for _ in range(5):
        api.post(
            "/api/auth/login",
            {"email": "kim@example.com", "password": "wrong", "role": "admin"},
            format="json",
        )
    _, answer = enter("kim@example.com")
    assert answer.status_code == 429


def test_deactivated_account_is_signed_out_on_the_next_request(superuser):
    client, _ = enter("kim@example.com")
    set_user_status(superuser, AccountStatus.INACTIVE, actor=None, now=timezone.now())
    answer = client.get("/staff/")
    assert (answer.status_code, answer["Location"]) == (302, "/staff/login/?next=/staff/")
    set_user_status(superuser, AccountStatus.ACTIVE, actor=None, now=timezone.now())
    assert client.get("/staff/").status_code == 302


def test_signed_in_staff_can_log_in_as_another_user(superuser):
    client, _ = enter("kim@example.com")
    other = AdminFactory.create(email="lee@example.com", password=PASSWORD, is_staff=True)
    assert client.post("/staff/login/", {"username": other.email, "password": PASSWORD}).status_code == 302
    assert Session.objects.filter(user=other, ended_at=None).count() == 1
    wrong = client.post("/staff/login/", {"username": other.email, "password": "wrong"})
    assert wrong.status_code == 401


def test_signing_out_ends_the_session(superuser):
    client, _ = enter("kim@example.com")
    assert client.get("/staff/logout/").status_code == 302
    assert client.get("/staff/").status_code == 200
    client.post("/staff/logout/")
    assert client.get("/staff/").status_code == 302
    assert Session.objects.get().ended_because == "signed_out"


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/", "//evil.example", "///evil.example", "/profile", "x", "/staff", "/staffing/",
        "/staff/../profile", "/staff/..", "/staff/./../api/doctors", "/staff/%2e%2e/api/doctors",
        "/staff/.%2E/api/doctors", "/staff/%252e%252e/api/doctors", "/staff/%25252e%25252e/api", "/staff/..%2fapi",
        "/staff/..%5capi", "/staff\\..\\api", "/staff/..\\api", "/staff/\t../api", "/staff/.\t./api",
        "/staff/.%09./api", "/staff/%00../api", "/staff//evil.example", "/staff/%2f/evil.example", "/staff/.",
        " /staff/", "\\\\evil.example", "/\\evil.example", "javascript:alert(1)", "/staff/" + "a" * 2000,
    ],
)  # fmt: skip
def test_login_does_not_redirect_off_site(superuser, wanted):
    client, answer = enter("kim@example.com", next=wanted)
    assert (answer.status_code, answer["Location"]) == (302, "/staff/")
    answer = client.get("/staff/login/", {"next": wanted})
    assert (answer.status_code, answer["Location"]) == (302, "/staff/")


@pytest.mark.parametrize(
    "wanted",
    [
        "/staff/accounts/user/?q=a/../b&o=1#x",
        "/staff/accounts/",
        "/staff/accounts/user/?next=//evil.example",
        "/staff/",
    ],
)
def test_login_redirects_within_the_staff_site(superuser, wanted):
    _, answer = enter("kim@example.com", next=wanted)
    assert (answer.status_code, answer["Location"]) == (302, wanted)


def test_cross_site_form_is_rejected(superuser):
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/staff/login/", {"username": "kim@example.com", "password": PASSWORD})
    assert answer.status_code == 403
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("address", "leads_to"),
    [
        ("/staff/login/?next=/staff/accounts/", "/staff/login/?next=/staff/accounts/"),
        ('/staff/login/?next="><script>', "/staff/login/?next=%22%3E%3Cscript%3E"),
        (LIST, "/staff/"),
    ],
)
def test_expired_form_shows_our_message(superuser, address, leads_to):
    """Django's own page speaks of CSRF and DEBUG, and brings a style that our policy refuses."""
    answer = Client(enforce_csrf_checks=True).post(address, {"ticket": "x"})
    assert (answer.status_code, "Content-Security-Policy" in answer) == (403, True)
    assert f'<a href="{leads_to}">Try again</a>' in answer.text
    assert not re.search(r"CSRF|DEBUG|<style|style=|<script>", answer.text)


def test_forbidden_action_shows_our_message(staff_user):
    client, _ = enter("kim@example.com")
    answer = client.get(LIST)
    assert answer.status_code == 403
    assert "<h1>You may not do this</h1>" in answer.text
    assert "Content-Security-Policy" in answer


@pytest.mark.parametrize("path", [LIST, f"{LIST}add/", "/staff/nothing/", "/staff/r/1/1/", "/staff/password_change/"])
def test_staff_pages_and_errors_are_not_cached(staff_user, path):
    client, _ = enter("kim@example.com")
    for answer in (client.get(path), Client(enforce_csrf_checks=True).post(path)):
        assert "no-store" in answer["Cache-Control"], (path, answer.status_code)


def test_every_page_requires_login(appointment):
    for address in [
        "/staff/", LIST, f"{LIST}{appointment.pk}/change/", f"{LIST}add/", f"{LIST}{appointment.pk}/delete/",
        f"{LIST}{appointment.pk}/history/", "/staff/autocomplete/",
    ]:  # fmt: skip
        answer = Client().get(address)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/staff/login/"), address


def test_password_change_is_in_the_profile(superuser):
    client, _ = enter("kim@example.com")
    for name in ("password_change", "password_change_done"):
        assert client.get(reverse(f"admin:{name}"))["Location"] == "/profile"


@pytest.mark.parametrize("before", Status.values)
def test_cancellation_follows_the_transition_table(superuser, users, client_of, before):
    """The table of the API, held against the staff site: what an admin may do there, staff may do here."""
    day = timezone.now().date() + timedelta(days=2)
    twin = make_appointment(users.other_doctor, users.other_patient, day, status=before)
    appointment = make_appointment(users.doctor, users.patient, day, status=before)
    client_of(users.admin).put(
        f"/api/appointments/{twin.pk}/status", {"status": "cancelled", "reason": "Told by phone."}, format="json"
    )
    client, _ = enter("kim@example.com")
    chosen = {"action": "cancel", "_selected_action": [str(appointment.pk)]}
    asked = client.post(LIST, chosen)
    appointment.refresh_from_db()
    assert (asked.status_code, appointment.status) == (200, before)
    done = client.post(LIST, {**chosen, "reason": "Told by phone."}, follow=True)
    assert ("already cancelled" in done.content.decode()) is (before == "cancelled")
    for one in (appointment, twin):
        one.refresh_from_db()
    assert [(one.status, one.cancelled_by, one.cancel_reason, one.version) for one in (appointment,)] == [
        (one.status, one.cancelled_by, one.cancel_reason, one.version) for one in (twin,)
    ]
    acts = AuditEvent.objects.filter(event="appointment.cancelled").values_list("entity_id", "agent_id", "detail")
    expected = {"from": before, "to": "cancelled"}
    live = before in {"pending", "confirmed"}
    assert sorted(acts, key=str) == sorted(
        [(str(twin.pk), users.admin.pk, expected), (str(appointment.pk), superuser.pk, expected)] if live else [],
        key=str,
    )


@pytest.mark.parametrize("codes", [["view_appointment"], ["view_auditevent"], ["view_appointment", "view_auditevent"]])
def test_history_requires_permission_for_row_and_audit_log(codes, staff_user, appointment):
    allow(staff_user, *codes)
    client, _ = enter("kim@example.com")
    assert client.get(f"{LIST}{appointment.pk}/history/").status_code == (200 if len(codes) == 2 else 403)


def test_history_is_limited_to_one_row(superuser, appointment, users):
    other = make_appointment(users.doctor, users.other_patient, appointment.date, "15:00")
    record_event("appointment.own", Action.UPDATE, "appointment", appointment.pk, actor=superuser)
    record_event("appointment.other", Action.UPDATE, "appointment", other.pk, actor=superuser)
    record_event("reservation.other", Action.UPDATE, "reservation", appointment.pk, actor=superuser)
    client, _ = enter("kim@example.com")
    page = client.get(f"{LIST}{appointment.pk}/history/").content.decode()
    assert [name in page for name in ("appointment.own", "appointment.other", "reservation.other")] == [
        True,
        False,
        False,
    ]


def test_missing_row_has_no_history(superuser, appointment):
    client, _ = enter("kim@example.com")
    assert client.get(f"{LIST}{appointment.pk}/history/").status_code == 200
    for nothing in (appointment.doctor_id, "7", "x"):
        assert client.get(f"{LIST}{nothing}/history/").status_code == 404
    assert AuditEvent.objects.filter(event="audit.read").count() == 1


@pytest.mark.parametrize("target", Status.values)
@pytest.mark.parametrize("before", Status.values)
def test_status_cannot_be_edited_in_a_form(superuser, users, before, target):
    appointment = make_appointment(
        users.doctor, users.patient, timezone.now().date() + timedelta(days=2), status=before
    )
    client, _ = enter("kim@example.com")
    answer = client.post(f"{LIST}{appointment.pk}/change/", {"status": target})
    assert answer.status_code == 403
    assert client.post(f"{LIST}{appointment.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Appointment.objects.get().status == before


def test_reason_is_required(superuser, appointment):
    client, _ = enter("kim@example.com")
    answer = client.post(LIST, {"action": "cancel", "_selected_action": [str(appointment.pk)], "reason": "\u202e"})
    assert "Leave out invisible characters." in answer.content.decode()
    answer = client.post(LIST, {"action": "cancel", "_selected_action": [str(appointment.pk)], "reason": "  "})
    assert "This field is required." in answer.content.decode()
    appointment.refresh_from_db()
    assert appointment.status == "pending"


def test_staff_have_exactly_their_permissions(staff_user, appointment):
    client, _ = enter("kim@example.com")
    page = f"{LIST}{appointment.pk}/change/"
    chosen = {"action": "cancel", "_selected_action": [str(appointment.pk)], "reason": "Told by phone."}
    assert [client.get(LIST).status_code, client.get(page).status_code] == [403, 403]
    allow(staff_user, "view_appointment")
    assert "A secret cough." not in client.get(page).content.decode()
    assert "A secret cough." not in client.get(LIST).content.decode()
    client.post(LIST, chosen)
    appointment.refresh_from_db()
    assert appointment.status == "pending"
    allow(staff_user, "view_appointment", "cancel_appointment")
    client.post(LIST, chosen)
    appointment.refresh_from_db()
    assert appointment.status == "cancelled"


def test_reading_clinical_text_is_audited(staff_user, appointment):
    allow(staff_user, "view_appointment", "view_clinical")
    client, _ = enter("kim@example.com")
    client.get(LIST)
    assert not AuditEvent.objects.filter(event="record.read").exists()
    page = client.get(f"{LIST}{appointment.pk}/change/").content.decode()
    assert "A secret cough." in page
    assert "Only the patient, the doctor, and staff with special permission can read this." in page
    assert list(
        AuditEvent.objects.filter(event="record.read").values_list("agent_id", "entity_type", "entity_id", "detail")
    ) == [(staff_user.pk, "appointment", str(appointment.pk), {"what": "staff"})]


def test_messages_between_patient_and_doctor_are_clinical_text(staff_user, appointment):
    words = "My chemotherapy begins."
    Appointment.objects.filter(pk=appointment.pk).update(cancel_request_reason=words, cancel_reason=words)
    proposal = Proposal.objects.create(
        appointment=appointment, proposed_by="patient", reason=words, date=appointment.date, time=appointment.time,
        time_zone="UTC",
        starts_at=appointment.starts_at, ends_at=appointment.ends_at, created_at=appointment.created_at,
        expires_at=appointment.starts_at, answer="declined",
    )  # fmt: skip
    pages = [f"{LIST}{appointment.pk}/change/", f"/staff/appointments/proposal/{proposal.pk}/change/"]
    allow(staff_user, "view_appointment", "view_proposal")
    client, _ = enter("kim@example.com")
    shown = [client.get(page) for page in pages]
    assert [(page.status_code, words in page.content.decode()) for page in shown] == [(200, False)] * 2
    assert not AuditEvent.objects.filter(event="record.read").exists()
    allow(staff_user, "view_appointment", "view_proposal", "view_clinical")
    assert all(words in client.get(page).content.decode() for page in pages)
    assert AuditEvent.objects.filter(event="record.read", entity_id=str(appointment.pk)).count() == 2


def test_doctors_reply_to_cannot_make_it_is_clinical_text(staff_user, appointment):
    words = "Start the chemotherapy at home."
    Appointment.objects.filter(pk=appointment.pk).update(cancel_reply=words)
    page = f"{LIST}{appointment.pk}/change/"
    allow(staff_user, "view_appointment")
    client, _ = enter("kim@example.com")
    assert words not in client.get(page).content.decode()
    allow(staff_user, "view_appointment", "view_clinical")
    assert words in client.get(page).content.decode()
    assert words not in client.get(LIST, {"q": words}).content.decode().replace(f'value="{words}"', "")


def test_page_without_clinical_text_is_not_audited_as_read(staff_user, appointment):
    # A table without medical columns.
    draft = RecordDraft.objects.create(appointment=appointment, saved_at=timezone.now())
    allow(staff_user, "view_appointment")
    client, _ = enter("kim@example.com")
    assert client.get(f"{LIST}{appointment.pk}/change/").status_code == 200
    allow(staff_user, "view_appointment", "view_recorddraft", "view_clinical")
    assert client.get(f"/staff/appointments/recorddraft/{draft.pk}/change/").status_code == 200
    # What is not there was read by nobody either.
    assert client.get(f"{LIST}{appointment.doctor_id}/change/").status_code == 302
    assert not AuditEvent.objects.filter(event="record.read").exists()


@pytest.mark.parametrize(
    ("table", "guess"),
    [
        ("appointments/appointment", "symptoms__icontains=cough"),
        ("appointments/appointment", "patient_notes__startswith=A"),
        ("accounts/user", "password__startswith=argon2"),
        ("accounts/notice", "address__startswith=a"),
        ("accounts/notice", "detail__digest__startswith=a"),
        ("accounts/calendarfeed", "secret_hash__startswith=a"),
        ("accounts/notice", "recipient__email=kim@example.com"),
    ],
)
def test_lists_cannot_be_filtered_by_hidden_fields(superuser, appointment, table, guess):
    """Neither for those who may read clinical text: there it would stand on no trail."""
    client, _ = enter(superuser.email)
    assert client.get(f"/staff/{table}/").status_code == 200
    assert client.get(f"/staff/{table}/?{guess}").status_code == 400
