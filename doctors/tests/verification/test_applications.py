"""Test verification applications and the decisions of staff."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.files.validation import REJECTION_MESSAGES, sanitize_file
from accounts.models import AuditEvent, Notice
from accounts.tests.files.hostile_files import HOSTILE, pdf
from doctors.models import DoctorProfile, Verification
from doctors.verification import applications

pytestmark = pytest.mark.django_db

CALL = "/api/doctors/verification"
NEXT_YEAR = (timezone.now().date() + timedelta(days=365)).isoformat()
CLAIM = {
    "licenseNumber": "EX-7701",
    "licenseAuthority": "Example Board",
    "licenseRegion": "Ohio",
    "licenseExpiresOn": NEXT_YEAR,
    "message": "Here is the new one.",
}


def evidence(content=None, name="my license.pdf"):
    return SimpleUploadedFile(name, pdf() if content is None else content, "application/pdf")


def stored():
    folder = Path(storages["records"].base_location)
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def own(users, client_of):
    return client_of(users.unapproved_doctor.user)


@pytest.fixture
def desk(users, client_of):
    return client_of(users.admin)


def decide(desk, doctor, **body):
    # Most doctors here have no document: an approval needs a reason.
    why = {"approvalReason": "Seen in person."} if body.get("isApproved") is True else {}
    return desk.put(f"/api/doctors/{doctor.pk}/approve", {**why, **body}, format="json")


def test_a_doctor_applies_with_evidence_and_staff_read_it(own, desk, users, client_of):
    doctor = users.unapproved_doctor
    answer = own.post(CALL, {**CLAIM, "document": evidence()}, format="multipart")
    assert (answer.status_code, answer.json()["message"]) == (201, "Application sent")
    case = answer.json()["data"]["case"]
    assert {name: case[name] for name in CLAIM} == CLAIM
    assert case["document"] == {
        "name": "my license.pdf",
        "contentType": "application/pdf",
        "size": len(sanitize_file(pdf()).content),
    }
    assert (case["state"], case["decidedAt"], case["reason"]) == ("open", None, "")
    assert own.get(CALL).json()["data"] == {
        "approval": {"state": "pending", "reason": ""}, "isApproved": False, "cases": [case],
    }  # fmt: skip
    # The profile says what is claimed.
    doctor.refresh_from_db()
    assert (doctor.license_number, doctor.license_authority, doctor.approval) == ("EX-7701", "Example Board", "pending")
    [shown] = desk.get(f"/api/admin/doctors/{doctor.pk}").json()["data"]["cases"]
    assert (shown["document"], shown["revision"], shown["message"]) == (case["document"], 1, "Here is the new one.")
    file = desk.get(f"/api/admin/doctors/{doctor.pk}/cases/{case['_id']}/document")
    assert (file.status_code, file.content) == (200, sanitize_file(pdf()).content)
    assert file["Content-Disposition"] == 'attachment; filename="my license.pdf"'
    assert file["Cache-Control"] == "no-store"
    assert Verification.objects.get().document_sha256 == hashlib.sha256(sanitize_file(pdf()).content).hexdigest()
    assert list(AuditEvent.objects.order_by("id").values_list("event", "action", "agent_id", "entity_id")) == [
        ("doctor.applied", "C", doctor.pk, str(doctor.pk)),
        ("doctor.document_read", "R", users.admin.pk, str(doctor.pk)),
    ]
    # Under another doctor's address it is not there.
    other = f"/api/admin/doctors/{users.doctor.pk}/cases/{case['_id']}/document"
    assert desk.get(other).status_code == 404


def test_pending_application_can_be_updated(own, users, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = own.post(CALL, {**CLAIM, "document": evidence()}, format="multipart").json()["data"]["case"]
        [before] = stored()
        answer = own.post(
            CALL, {**CLAIM, "licenseRegion": "Utah", "document": evidence(pdf(), "other.pdf")}, format="multipart"
        )
    assert (answer.status_code, answer.json()["message"]) == (200, "Application changed")
    case = answer.json()["data"]["case"]
    assert (case["_id"], case["submittedAt"]) == (first["_id"], first["submittedAt"])
    assert (case["licenseRegion"], case["document"]["name"]) == ("Utah", "other.pdf")
    # The file that was replaced is gone; what is not sent stays.
    [after] = stored()
    assert after != before
    assert own.post(CALL, CLAIM, format="json").json()["data"]["case"]["document"]["name"] == "other.pdf"
    assert Verification.objects.get().revision == 3


def test_decision_applies_only_to_the_version_shown(own, desk, users):
    own.post(CALL, CLAIM, format="json")
    own.post(CALL, {**CLAIM, "licenseNumber": "EX-7702"}, format="json")
    stale = decide(desk, users.unapproved_doctor, isApproved=True, caseRevision=1)
    assert (stale.status_code, stale.json()["code"]) == (409, "case_changed")
    assert Verification.objects.get().state == "open"
    assert decide(desk, users.unapproved_doctor, isApproved=True, caseRevision=2).status_code == 200
    again = decide(desk, users.unapproved_doctor, isApproved=True, caseRevision=2)
    assert again.json()["code"] == "case_changed"


def test_rejected_doctor_can_apply_again(own, desk, users, api):
    doctor = users.unapproved_doctor
    own.post(CALL, CLAIM, format="json")
    decide(desk, doctor, isApproved=False, reason="The license can't be read.")
    shown = own.get(CALL).json()["data"]
    assert shown["approval"] == {"state": "rejected", "reason": "The license can't be read."}
    assert [(case["state"], case["reason"]) for case in shown["cases"]] == [("rejected", "The license can't be read.")]
    again = own.post(CALL, {**CLAIM, "licenseNumber": "EX-7703", "document": evidence()}, format="multipart")
    assert again.status_code == 201
    assert [case["state"] for case in own.get(CALL).json()["data"]["cases"]] == ["open", "rejected"]
    doctor.refresh_from_db()
    assert (doctor.approval, doctor.approval_reason) == ("pending", "")
    assert decide(desk, doctor, isApproved=True).status_code == 200
    assert api.get(f"/api/doctors/{doctor.pk}").status_code == 200


def test_pending_renewal_keeps_the_approval(desk, users, client_of, api):
    doctor = users.doctor
    number = doctor.license_number
    own = client_of(doctor.user)
    assert own.post(CALL, CLAIM, format="json").status_code == 201
    doctor.refresh_from_db()
    assert (doctor.approval, doctor.license_number) == ("approved", number)
    assert api.get(f"/api/doctors/{doctor.pk}").status_code == 200
    assert decide(desk, doctor, isApproved=True, note="Looked it up.").json()["message"] == "Doctor approved"
    doctor.refresh_from_db()
    assert (doctor.license_number, doctor.license_expires_on.isoformat()) == ("EX-7701", NEXT_YEAR)
    assert Verification.objects.get().state == "approved"
    assert list(Notice.objects.values_list("event", flat=True)) == ["doctor.license_renewed"]


def test_renewal_can_be_rejected_without_revoking(desk, users, client_of):
    doctor, own = users.doctor, client_of(users.doctor.user)
    own.post(CALL, CLAIM, format="json")
    answer = decide(desk, doctor, isApproved=False, keepApproval=True, reason="Another name.")
    assert (answer.json()["message"], answer.json()["data"]["doctor"]["isApproved"]) == ("Renewal rejected", True)
    [case] = own.get(CALL).json()["data"]["cases"]
    assert (case["state"], case["reason"]) == ("rejected", "Another name.")
    assert list(Notice.objects.values_list("event", flat=True)) == ["doctor.renewal_rejected"]
    again = decide(desk, doctor, isApproved=False, keepApproval=True, reason="Another name.")
    assert (again.status_code, again.json()["code"]) == (409, "case_changed")
    # Without the word it revokes, whether a case is open or not.
    assert decide(desk, doctor, isApproved=False, reason="Complaints.").json()["message"] == "Approval revoked"


def test_a_decision_without_a_case_keeps_its_reason_and_note(desk, users):
    decide(desk, users.doctor, isApproved=False, reason="Complaints.", note="Two of them.")
    decide(desk, users.doctor, isApproved=True, note="Settled.")
    cases = desk.get(f"/api/admin/doctors/{users.doctor.pk}").json()["data"]["cases"]
    assert [(case["state"], case["reason"], case["note"]) for case in cases] == [
        ("approved", "", "Seen in person.\nSettled."), ("revoked", "Complaints.", "Two of them."),
    ]  # fmt: skip


def test_expired_license_is_not_approved(own, desk, users):
    own.post(CALL, CLAIM, format="json")
    answer = decide(desk, users.unapproved_doctor, isApproved=True, licenseExpiresOn="2020-01-01")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["licenseExpiresOn"])
    assert Verification.objects.get().state == "open"


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"licenseNumber": ""}, ["licenseNumber"]), ({"licenseAuthority": None}, ["licenseAuthority"]),
        ({"licenseExpiresOn": "2020-01-01"}, ["licenseExpiresOn"]),
        ({"licenseExpiresOn": "soon"}, ["licenseExpiresOn"]),
        ({"message": "x" * 2001}, ["message"]), ({"licenseRegion": "a\u202eb"}, ["licenseRegion"]),
        ({"document": "no file"}, ["document"]), ({"document": None}, ["document"]),
    ],
)  # fmt: skip
def test_invalid_application_is_a_field_error_and_creates_nothing(own, changes, fields):
    answer = own.post(CALL, {**CLAIM, **changes}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, fields)
    assert not Verification.objects.exists()


# The rest of the corpus is tried where files are examined.
@pytest.mark.parametrize("name", ["nothing", "eicar", "html", "zip", "svg"])
def test_hostile_document_is_rejected_and_not_stored(own, name):
    make, code = HOSTILE[name]
    answer = own.post(CALL, {**CLAIM, "document": evidence(make())}, format="multipart")
    assert (answer.status_code, answer.json()["errors"]) == (400, {"document": [REJECTION_MESSAGES[code]]})
    assert (Verification.objects.count(), stored()) == (0, [])


def test_failed_application_leaves_no_file(own, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("the database is away")

    monkeypatch.setattr(applications, "record_event", fail)
    own.raise_request_exception = False
    assert own.post(CALL, {**CLAIM, "document": evidence()}, format="multipart").status_code == 500
    assert (Verification.objects.count(), stored()) == (0, [])


def test_applications_are_limited(own):
    answers = [own.post(CALL, CLAIM, format="json").status_code for _ in range(11)]
    assert answers == [201] + [200] * 9 + [429]


def test_profile_change_updates_the_open_case(own, users):
    own.post(CALL, CLAIM, format="json")
    assert own.put("/api/doctors/profile", {"licenseNumber": "EX-9"}, format="json").status_code == 200
    case = Verification.objects.get()
    assert (case.license_number, case.license_authority, case.revision) == ("EX-9", "Example Board", 2)
    assert DoctorProfile.objects.get(pk=users.unapproved_doctor.pk).license_number == "EX-9"
