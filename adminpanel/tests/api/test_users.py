"""Test the administration of users and doctors."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from accounts.models import AccountStatus, AuditEvent, Notice, User
from accounts.tests.factories import AdminFactory, PatientFactory, UserFactory
from appointments.models import Appointment
from appointments.tests.factories import make_appointment
from config.api.fields import format_utc
from doctors.models import DoctorProfile, Verification
from doctors.tests.factories import DoctorFactory
from doctors.verification.decisions import open_case

pytestmark = pytest.mark.django_db

USER_KEYS = {
    "_id", "name", "email", "phone", "gender", "dateOfBirth", "role", "status", "createdAt", "lastSignInAt",
    "profilePicture",
}  # fmt: skip


@pytest.fixture
def desk(users, client_of):
    return client_of(users.admin)


def names(answer, key="users"):
    assert answer.status_code == 200, answer.json()
    return [one["name"] for one in answer.json()["data"][key]]


# --- Users ------------------------------------------------------------------------------------


def test_users_are_listed_with_exact_totals(desk, users):
    ended = PatientFactory.create(name="Long Gone")
    desk.delete(f"/api/admin/users/{ended.pk}")
    data = desk.get("/api/admin/users").json()["data"]
    assert data["totals"] == {"all": 7, "patients": 3, "doctors": 3, "admins": 1, "active": 6, "inactive": 1}
    assert {one["_id"] for one in data["users"]} == {
        str(one.pk)
        for one in (
            users.patient, users.other_patient, users.doctor, users.other_doctor, users.unapproved_doctor, users.admin,
            users.deactivated,
        )
    }  # fmt: skip
    assert set(data["users"][0]) == USER_KEYS
    assert data["pagination"]["count"] == 7


def test_users_are_found_by_name_and_address_role_and_status(desk):
    PatientFactory.create(name="Zoe Findable", email="zoe@example.org")
    UserFactory.create(name="Zed Findable", email="zed@example.org", role="admin", status=AccountStatus.INACTIVE)
    for query, found in [
        ({"search": "findable"}, {"Zoe Findable", "Zed Findable"}),
        ({"search": "zoe@EXAMPLE"}, {"Zoe Findable"}),
        ({"search": "findable zed"}, {"Zed Findable"}),
        ({"search": "findable", "role": "patient"}, {"Zoe Findable"}),
        ({"search": "findable", "status": "inactive"}, {"Zed Findable"}),
        ({"search": "100%"}, set()),
        ({"search": "_"}, set()),
    ]:
        assert set(names(desk.get("/api/admin/users", query))) == found, query
    ordered = names(desk.get("/api/admin/users", {"search": "findable", "ordering": "-name"}))
    assert ordered == ["Zoe Findable", "Zed Findable"]


@pytest.mark.parametrize(
    ("query", "field"),
    [("role=king", "role"), ("status=asleep", "status"), ("ordering=age", "ordering"), ("page=0", "page"),
     ("pageSize=101", "pageSize"), ("search=%00", "search")],
)  # fmt: skip
def test_invalid_query_is_a_field_error(desk, query, field):
    answer = desk.get(f"/api/admin/users?{query}")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


@pytest.mark.parametrize("rows", [1, 20])
def test_lists_take_the_same_queries_for_one_row_and_twenty(
    desk, rows, django_assert_num_queries, django_assert_max_num_queries
):
    for number in range(rows - 1):
        doctor = DoctorFactory.create(approval="pending", approved_at=None)
        open_case(doctor, timezone.now() - timedelta(days=number))
    # The session, the rows, the count and the totals, who was read.
    with django_assert_num_queries(5):
        desk.get("/api/admin/users")
    with django_assert_num_queries(7):
        desk.get("/api/admin/doctors?ordering=-createdAt")
    # Those who wait and the others are read one after the other.
    with django_assert_max_num_queries(9):
        desk.get("/api/admin/doctors")


def test_deactivated_account_is_signed_out_immediately_and_can_be_reactivated(desk, users, client_of):
    theirs = client_of(users.patient)
    address = f"/api/admin/users/{users.patient.pk}/status"
    answer = desk.put(address, {"status": "inactive"}, format="json")
    assert (answer.status_code, answer.json()["message"]) == (200, "Account deactivated")
    assert answer.json()["data"]["user"]["status"] == "inactive"
    assert theirs.get("/api/auth/profile").status_code == 401
    assert desk.put(address, {"status": "inactive"}, format="json").status_code == 200
    assert desk.put(address, {"status": "active"}, format="json").json()["message"] == "Account activated"
    assert theirs.get("/api/auth/profile").status_code == 401
    events = AuditEvent.objects.filter(entity_id=str(users.patient.pk)).order_by("id").values_list("event", "agent_id")
    assert list(events) == [("account.deactivated", users.admin.pk), ("account.activated", users.admin.pk)]


@pytest.mark.parametrize("body", [{}, {"status": None}, {"status": "asleep"}, {"status": ["active"]}, {"status": 1}])
def test_invalid_status_is_a_field_error(desk, users, body):
    answer = desk.put(f"/api/admin/users/{users.patient.pk}/status", body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["status"])


def test_preview_lists_effects_and_changes_nothing(desk, users):
    appointment = make_appointment(
        users.doctor, users.patient, timezone.now().date() + timedelta(days=2), symptoms="A secret."
    )
    before = list(User.objects.order_by("pk").values()), AuditEvent.objects.count(), Notice.objects.count()
    for answer in [
        desk.put(f"/api/admin/users/{users.patient.pk}/status?preview=true", {"status": "inactive"}, format="json"),
        desk.put(f"/api/admin/users/{users.patient.pk}/status?preview=true", {"status": "active"}, format="json"),
        desk.delete(f"/api/admin/users/{users.patient.pk}?preview=true"),
        desk.delete(f"/api/admin/doctors/{users.doctor.pk}?preview=true"),
        desk.put(f"/api/doctors/{users.doctor.pk}/approve?preview=true", {"isApproved": False}, format="json"),
    ]:
        effects = answer.json()["data"]["effects"]
        assert (effects["upcoming"], effects["messages"]) == (1, 1)
        assert [one["_id"] for one in effects["appointments"]] == [str(appointment.pk)]
        assert "A secret." not in answer.content.decode()
    assert (list(User.objects.order_by("pk").values()), AuditEvent.objects.count(), Notice.objects.count()) == before
    assert Appointment.objects.get().status == "pending"


def test_preview_rejects_what_the_action_rejects(desk, users):
    own = f"/api/admin/users/{users.admin.pk}"
    for answer in (
        desk.delete(f"{own}?preview=true"),
        desk.put(f"{own}/status?preview=true", {"status": "inactive"}, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "own_account")


def test_user_detail_lists_upcoming_appointments(desk, users):
    make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=2))
    data = desk.get(f"/api/admin/users/{users.patient.pk}").json()["data"]
    assert (set(data["user"]), data["user"]["_id"], data["upcoming"]) == (USER_KEYS, str(users.patient.pk), 1)
    desk.delete(f"/api/admin/users/{users.patient.pk}")
    assert desk.get(f"/api/admin/users/{users.patient.pk}").status_code == 404


def test_bulk_deactivation_reports_skipped_accounts(desk, users, client_of):
    reader = client_of(users.patient)
    other = AdminFactory.create()
    gone = "00000000-0000-0000-0000-000000000000"
    ids = [users.patient.pk, users.doctor.pk, users.deactivated.pk, users.admin.pk, other.pk, users.patient.pk, gone]
    answer = desk.put("/api/admin/users/status", {"ids": list(map(str, ids)), "status": "inactive"}, format="json")
    assert (answer.status_code, answer.json()["message"]) == (200, "3 accounts deactivated")
    data = answer.json()["data"]
    assert data["changed"] == [str(users.patient.pk), str(users.doctor.pk), str(other.pk)]
    assert [(one["_id"], one["code"]) for one in data["refused"]] == [
        (str(users.admin.pk), "own_account"), (gone, "not_found"),
    ]  # fmt: skip
    assert reader.get("/api/auth/profile").status_code == 401
    # Undone by asking for the other status; what was stopped before stays so.
    undone = desk.put("/api/admin/users/status", {"ids": data["changed"], "status": "active"}, format="json")
    assert undone.json()["data"] == {"changed": data["changed"], "refused": []}
    stopped = User.objects.filter(status=AccountStatus.INACTIVE)
    assert list(stopped) == [users.deactivated]
    assert AuditEvent.objects.filter(event="account.deactivated").count() == 3
    assert AuditEvent.objects.filter(event="account.activated").count() == 3


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"ids", "status"}), ({"ids": [], "status": "inactive"}, {"ids"}),
        ({"ids": "x", "status": "inactive"}, {"ids"}),
        ({"ids": ["x"], "status": "inactive"}, {"ids.0"}), ({"ids": [1], "status": "inactive"}, {"ids.0"}),
        ({"ids": ["00000000-0000-0000-0000-000000000000"] * 101, "status": "inactive"}, {"ids"}),
    ],
)  # fmt: skip
def test_invalid_list_of_accounts_is_a_field_error(desk, body, fields):
    answer = desk.put("/api/admin/users/status", body, format="json")
    assert (answer.status_code, set(answer.json()["errors"])) == (400, fields)


def test_deleted_account_cannot_be_restored(desk, users):
    address = f"/api/admin/users/{users.patient.pk}"
    assert desk.delete(address).json()["message"] == "Account deleted"
    for again in (desk.delete(address), desk.delete(f"{address}?preview=true")):
        assert (again.status_code, again.json()["code"]) == (404, "not_found")
    assert desk.put(f"{address}/status", {"status": "active"}, format="json").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("get", "users/{pk}", None), ("put", "users/{pk}/status?preview=true", {"status": "inactive"}),
        ("delete", "users/{pk}?preview=true", None), ("delete", "doctors/{pk}?preview=true", None),
        ("get", "doctors/{pk}", None), ("delete", "doctors/{pk}", None),
    ],
)  # fmt: skip
def test_closed_account_is_found_by_no_route(method, path, body, desk, users):
    User.objects.filter(pk=users.doctor.pk).update(ended_at=timezone.now())
    answer = getattr(desk, method)(f"/api/admin/{path.format(pk=users.doctor.pk)}", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_evidence_is_found_only_with_its_doctor(desk, users):
    stored = storages["records"].save("d/l.pdf", ContentFile(b"%PDF-1.7"))
    case = Verification.objects.create(
        doctor=users.doctor, submitted_at=timezone.now(), document_name="license.pdf",
        document_type="application/pdf", document_stored_as=stored,
    )  # fmt: skip
    found = [
        desk.get(f"/api/admin/doctors/{doctor.pk}/cases/{case.pk}/document").status_code
        for doctor in (users.other_doctor, users.doctor)
    ]
    assert found == [404, 200]
    assert list(AuditEvent.objects.filter(event="doctor.document_read").values_list("entity_id", flat=True)) == [
        str(users.doctor.pk)
    ]


def test_doctor_waits_only_for_their_own_decision(desk, users):
    now = timezone.now()
    case = open_case(users.unapproved_doctor, now)
    waits = {
        one["_id"]: (one["openCase"], one["waitingSince"])
        for one in desk.get("/api/admin/doctors").json()["data"]["doctors"]
    }
    assert waits == {
        str(users.unapproved_doctor.pk): (str(case.pk), format_utc(now)),
        str(users.doctor.pk): (None, None),
        str(users.other_doctor.pk): (None, None),
    }


def test_admin_cannot_deactivate_themselves_or_the_last_admin(desk, users):
    own = f"/api/admin/users/{users.admin.pk}"
    for answer in (desk.delete(own), desk.put(f"{own}/status", {"status": "inactive"}, format="json")):
        assert (answer.status_code, answer.json()["code"]) == (409, "own_account")
    other = AdminFactory.create()
    assert desk.delete(f"/api/admin/users/{other.pk}").status_code == 200


def test_doctor_deletion_accepts_doctors_only(desk, users):
    assert desk.delete(f"/api/admin/doctors/{users.patient.pk}").status_code == 404
    assert desk.delete(f"/api/admin/doctors/{users.doctor.pk}").status_code == 200
    assert desk.get(f"/api/admin/doctors/{users.doctor.pk}").status_code == 404
    assert names(desk.get("/api/admin/doctors"), "doctors").count(users.doctor.user.name) == 0


# --- Doctors ----------------------------------------------------------------------------------


def test_longest_waiting_doctors_come_first_with_exact_totals(desk, users):
    now = timezone.now()
    for days, name in ((1, "Late"), (3, "Early")):
        doctor = DoctorFactory.create(
            user=UserFactory.create(name=name, role="doctor"), approval="pending", approved_at=None
        )
        open_case(doctor, now - timedelta(days=days))
    data = desk.get("/api/admin/doctors").json()["data"]
    assert [one["name"] for one in data["doctors"][:2]] == ["Early", "Late"]
    assert data["doctors"][0]["openCase"] == str(Verification.objects.get(doctor__user__name="Early").pk)
    assert data["totals"] == {
        "all": 5, "approved": 2, "pending": 3, "rejected": 0, "revoked": 0, "specializations": 1,
    }  # fmt: skip
    assert names(desk.get("/api/admin/doctors", {"search": "earl", "status": "pending"}), "doctors") == ["Early"]
    assert names(desk.get("/api/admin/doctors", {"search": "cardio early"}), "doctors") == ["Early"]


def decide(desk, doctor, **body):
    # Most doctors here have no document: an approval needs a reason.
    why = {"approvalReason": "Seen in person."} if body.get("isApproved") is True else {}
    return desk.put(f"/api/doctors/{doctor.pk}/approve", {**why, **body}, format="json")


def test_approved_doctor_is_listed_immediately(desk, users, api, django_capture_on_commit_callbacks):
    doctor = users.unapproved_doctor
    open_case(doctor, timezone.now())
    assert api.get(f"/api/doctors/{doctor.pk}").status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        answer = decide(
            desk, doctor, isApproved=True, note="Called the register.", checklist={"identity": True, "license": True},
            licenseAuthority="Example Board", licenseRegion="Illinois", licenseExpiresOn="2031-05-31",
        )  # fmt: skip
    assert (answer.status_code, answer.json()["message"]) == (200, "Doctor approved")
    shown = answer.json()["data"]["doctor"]
    assert (shown["isApproved"], shown["openCase"], shown["licenseExpiresOn"]) == (True, None, "2031-05-31")
    public = api.get(f"/api/doctors/{doctor.pk}").json()["data"]["doctor"]
    assert public["verifiedOn"] == timezone.now().date().isoformat()
    assert "license" not in str(public).lower()
    [case] = desk.get(f"/api/admin/doctors/{doctor.pk}").json()["data"]["cases"]
    assert (case["state"], case["note"], case["decidedBy"]) == (
        "approved", "Seen in person.\nCalled the register.", users.admin.name,
    )  # fmt: skip
    assert case["checklist"] == {"identity": True, "license": True, "register": False, "specialization": False}
    assert list(Notice.objects.values_list("event", "recipient_id")) == [("doctor.approved", doctor.pk)]


def test_repeated_decision_writes_once(desk, users):
    for _ in range(2):
        assert decide(desk, users.unapproved_doctor, isApproved=True).status_code == 200
    for _ in range(2):
        assert decide(desk, users.unapproved_doctor, isApproved=False).json()["message"] == "Approval revoked"
    assert list(AuditEvent.objects.order_by("id").values_list("event", flat=True)) == [
        "doctor.approved", "doctor.revoked",
    ]  # fmt: skip


def test_rejected_doctor_sees_the_reason_and_leaves_the_queue(desk, users, client_of):
    doctor = users.unapproved_doctor
    open_case(doctor, timezone.now())
    answer = decide(desk, doctor, isApproved=False, reason="The license can't be read.", note="Blurred.")
    assert answer.json()["data"]["doctor"]["approval"] == {"state": "rejected", "reason": "The license can't be read."}
    own = client_of(doctor.user).get("/api/auth/profile").json()["data"]["user"]
    assert own["approval"] == {"state": "rejected", "reason": "The license can't be read."}
    assert "Blurred." not in str(own)
    assert Verification.objects.get().state == "rejected"


def test_revoked_doctor_keeps_appointments_and_is_not_listed(desk, users, api, client_of):
    appointment = make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=2))
    answer = decide(desk, users.doctor, isApproved=False, reason="Complaints.")
    assert answer.json()["data"]["effects"]["upcoming"] == 1
    assert api.get(f"/api/doctors/{users.doctor.pk}").status_code == 404
    done = client_of(users.doctor.user).put(
        f"/api/appointments/{appointment.pk}/status", {"status": "confirmed"}, format="json"
    )
    assert done.status_code == 200


def test_listed_doctors_cannot_share_a_license(desk, users):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(
        license_number="ab-123.4", license_authority="Example Board", license_region="Ohio"
    )
    DoctorProfile.objects.filter(pk=users.unapproved_doctor.pk).update(
        license_number="AB 1234", license_authority="EXAMPLE board", license_region="ohio"
    )
    answer = decide(desk, users.unapproved_doctor, isApproved=True)
    assert (answer.status_code, answer.json()["code"]) == (409, "license_taken")
    assert list(answer.json()["errors"]) == ["licenseNumber"]
    assert DoctorProfile.objects.get(pk=users.unapproved_doctor.pk).approval == "pending"
    assert not AuditEvent.objects.exists()
    assert decide(desk, users.unapproved_doctor, isApproved=True, licenseRegion="Utah").status_code == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "isApproved"), ({"isApproved": "perhaps"}, "isApproved"), ({"isApproved": None}, "isApproved"),
        ({"isApproved": True, "reason": 5}, "reason"), ({"isApproved": True, "note": "x" * 2001}, "note"),
        ({"isApproved": True, "checklist": {"identity": "so so"}}, "checklist.identity"),
        ({"isApproved": True, "checklist": []}, "checklist"),
        ({"isApproved": True, "licenseExpiresOn": "2031-02-30"}, "licenseExpiresOn"),
        ({"isApproved": True, "licenseAuthority": "a\u202eb"}, "licenseAuthority"),
        ({"isApproved": True, "licenseNumber": ""}, "licenseNumber"),
    ],
)  # fmt: skip
def test_invalid_decision_is_a_field_error_and_changes_nothing(desk, users, body, field):
    answer = desk.put(f"/api/doctors/{users.unapproved_doctor.pk}/approve", body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert DoctorProfile.objects.get(pk=users.unapproved_doctor.pk).approval == "pending"


def test_expired_license_hides_the_doctor_after_two_warnings(desk, users, api, time_machine):
    from doctors.verification.decisions import expire_licenses, warn_of_expiry

    decide(desk, users.doctor, isApproved=True, licenseExpiresOn="2031-05-31")
    Notice.objects.all().delete()
    noon = datetime(2031, 5, 31, 12, tzinfo=UTC)
    told = []
    for days in (31, 30, 29, 8, 7, 1, 0, -1):
        time_machine.move_to(noon - timedelta(days=days))
        now = timezone.now()
        told.append((days, warn_of_expiry(now), expire_licenses(now)))
        listed = DoctorProfile.objects.approved().filter(pk=users.doctor.pk).exists()
        assert listed == (days >= 0)
    assert told == [(31, 0, 0), (30, 1, 0), (29, 0, 0), (8, 0, 0), (7, 1, 0), (1, 0, 0), (0, 0, 0), (-1, 0, 1)]
    assert list(Notice.objects.order_by("id").values_list("event", "version")) == [
        ("doctor.license_expiring", 1), ("doctor.license_expiring", 2), ("doctor.license_expired", 1),
    ]  # fmt: skip
    users.doctor.refresh_from_db()
    assert (users.doctor.approval, users.doctor.approval_reason) == ("revoked", "The license has run out.")


# --- Approving without evidence -----------------------------------------------------------------


def complete(doctor, **fields):
    """Give a doctor's open case an issuer, an expiry date and a document."""
    case = open_case(doctor, timezone.now())
    changes = {
        "license_authority": "Board", "license_expires_on": date(2031, 5, 31), "document_name": "license.pdf",
        "document_stored_as": "d/license.pdf", **fields,
    }  # fmt: skip
    Verification.objects.filter(pk=case.pk).update(**changes)
    return Verification.objects.get(pk=case.pk)


@pytest.mark.parametrize(
    ("fields", "missing", "sentence"),
    [
        ({}, [], ""),
        ({"license_authority": ""}, ["licenseAuthority"], "who issued the license"),
        ({"license_expires_on": None}, ["licenseExpiresOn"], "when the license expires"),
        ({"document_stored_as": ""}, ["document"], "a copy of the license"),
        (
            {"license_authority": "", "license_expires_on": None, "document_stored_as": ""},
            ["licenseAuthority", "licenseExpiresOn", "document"],
            "who issued the license, when the license expires and a copy of the license",
        ),
    ],
)
def test_an_approval_without_evidence_needs_a_reason(desk, users, client_of, fields, missing, sentence):
    doctor = users.unapproved_doctor
    complete(doctor, **fields)
    address = f"/api/doctors/{doctor.pk}/approve"
    shown = desk.get(f"/api/admin/doctors/{doctor.pk}").json()["data"]["doctor"]
    assert (shown["missing"], shown["openCaseKind"]) == (missing, "new")
    for reason in ({}, {"approvalReason": "  "}) if missing else ():
        answer = desk.put(address, {"isApproved": True, "note": "Hm.", **reason}, format="json")
        assert (answer.status_code, answer.json()["errors"]) == (
            400,
            {
                "approvalReason": [
                    f"The application does not show {sentence}. Please give a reason to approve it anyway."
                ]
            },
        )
        assert not DoctorProfile.objects.get(pk=doctor.pk).is_approved
    why = {"approvalReason": "Seen in person."} if missing else {}
    answer = desk.put(address, {"isApproved": True, "note": "Hm.", **why}, format="json")
    assert (answer.status_code, answer.json()["data"]["changed"]) == (200, True)
    trail = AuditEvent.objects.get(event="doctor.approved")
    assert trail.detail == {"from": "pending", "to": "approved", **({"missing": missing} if missing else {})}
    # Staff read why; the doctor does not.
    case = Verification.objects.get(doctor=doctor)
    assert (case.note, case.reason) == ("Seen in person.\nHm." if missing else "Hm.", "")
    assert "Seen in person" not in client_of(doctor.user).get("/api/doctors/verification").content.decode()


def test_data_entered_by_staff_counts_as_evidence(desk, users):
    doctor = users.unapproved_doctor
    complete(doctor, license_authority="", license_expires_on=None)
    corrected = {"licenseAuthority": "Board", "licenseExpiresOn": "2031-05-31"}
    answer = desk.put(f"/api/doctors/{doctor.pk}/approve", {"isApproved": True, **corrected}, format="json")
    assert answer.status_code == 200


def test_renewal_is_distinguished_from_a_new_application(desk, users):
    complete(users.doctor, license_number="EX-NEW")
    open_case(users.unapproved_doctor, timezone.now())
    doctors = desk.get("/api/admin/doctors").json()["data"]["doctors"]
    kinds = {one["_id"]: one["openCaseKind"] for one in doctors}
    assert kinds[str(users.doctor.pk)] == "renewal"
    assert kinds[str(users.unapproved_doctor.pk)] == "new"
    data = desk.get("/api/admin/dashboard").json()["data"]
    assert {one["doctor"]["_id"]: (one["kind"], one["missing"]) for one in data["decisions"]} == {
        str(users.doctor.pk): ("renewal", []),
        str(users.unapproved_doctor.pk): ("new", ["licenseAuthority", "licenseExpiresOn", "document"]),
    }
    totals = data["totals"]
    assert (totals["newApplications"], totals["renewals"], totals["pendingDoctors"]) == (1, 1, 1)


def test_deciding_a_closed_case_changes_nothing_and_reports_it(desk, users):
    address = f"/api/doctors/{users.doctor.pk}/approve"
    for reason, changed in (("Complaints.", True), ("Too late.", False)):
        answer = desk.put(address, {"isApproved": False, "reason": reason}, format="json")
        assert (answer.status_code, answer.json()["data"]["changed"]) == (200, changed)
    users.doctor.refresh_from_db()
    assert users.doctor.approval_reason == "Complaints."
