"""Test staff actions: the same as in the API, each with its permission and one audit event."""

import re
from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.core import mail
from django.db import OperationalError
from django.utils import timezone
from django.utils.html import escape

from accounts.models import AuditEvent, Notice, PatientDetails, User
from accounts.notifications import delivery, registry
from accounts.notifications.outbox import notify_user
from accounts.staff_permissions import StaffPermissions, set_staff_permissions
from accounts.tests.factories import PatientFactory
from adminpanel.admin.users import get_grantable_permissions
from adminpanel.tests.admin.staff import client_for, page_of, staff_member
from appointments.models import Appointment
from appointments.scheduling.account_closure import set_account_status
from appointments.tests.factories import make_appointment
from config.api.errors import DomainError
from doctors.models import DoctorProfile
from doctors.verification.decisions import change_case, open_case

pytestmark = pytest.mark.django_db

USERS, DOCTORS, NOTICES = page_of(User), page_of(DoctorProfile), page_of(Notice)


def run_action(client, table, action, *chosen, **more):
    return client.post(table, {"action": action, "_selected_action": [str(one.pk) for one in chosen], **more})


def seen(asked):
    """Return which cases the page that asks has shown."""
    return dict(re.findall(r'name="(seen)" value="([^"]*)"', asked.content.decode()))


def trail():
    """Return what was written of acts, in order."""
    rows = AuditEvent.objects.exclude(event__in=("account.signed_in", "audit.read", "record.read")).order_by("id")
    return list(rows.values_list("event", "agent_id", "entity_type", "entity_id"))


@pytest.fixture
def appointment(users):
    return make_appointment(
        users.doctor, users.patient, timezone.now().date() + timedelta(days=2), symptoms="A secret cough."
    )


# --- People -------------------------------------------------------------------------------------


def test_deactivation_asks_for_confirmation_and_can_be_undone(users, appointment):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    asked = run_action(client, USERS, "stop", users.patient).content.decode()
    assert "1 appointment ahead will stay" in asked
    assert str(appointment) in asked
    assert "secret" not in asked
    assert trail() == []
    run_action(client, USERS, "stop", users.patient, sure="yes")
    users.patient.refresh_from_db()
    assert (users.patient.status, trail()) == (
        "inactive", [("account.deactivated", superuser.pk, "user", str(users.patient.pk))]
    )  # fmt: skip
    # The undo is a form with its own token, and nothing that a link could do.
    form = re.search(r'<form [^>]*class="undo">.*?</form>', client.get(USERS).content.decode(), re.DOTALL)[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert (fields["action"], fields["_selected_action"]) == ("start", str(users.patient.pk))
    assert "csrfmiddlewaretoken" in fields
    client.get(USERS, fields)
    users.patient.refresh_from_db()
    assert users.patient.status == "inactive"
    client.post(USERS, fields)
    users.patient.refresh_from_db()
    assert users.patient.status == "active"
    assert trail()[1:] == [("account.activated", superuser.pk, "user", str(users.patient.pk))]


def test_undo_skips_users_deactivated_before(users):
    client = client_for(staff_member(superuser=True))
    run_action(client, USERS, "stop", users.patient, users.deactivated, sure="yes")
    page = client.get(USERS).content.decode()
    form = re.search(r'<form [^>]*class="undo">.*?</form>', page, re.DOTALL)[0]
    assert str(users.patient.pk) in form
    assert str(users.deactivated.pk) not in form


def test_deletion_shows_its_effects_and_closes_the_account(users, appointment):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    asked = run_action(client, USERS, "end", users.patient).content.decode()
    assert "1 appointment ahead will be cancelled, and 1 person told" in asked
    make_appointment(users.other_doctor, users.patient, timezone.now().date() + timedelta(days=3))
    asked = run_action(client, USERS, "end", users.patient).content.decode()
    assert "2 appointments ahead will be cancelled, and 2 people told" in asked
    Appointment.objects.filter(doctor=users.other_doctor).delete()
    run_action(client, USERS, "end", users.patient, sure="yes")
    appointment.refresh_from_db()
    users.patient.refresh_from_db()
    assert (appointment.status, users.patient.ended_at is None) == ("cancelled", False)
    assert trail() == [
        ("appointment.cancelled", superuser.pk, "appointment", str(appointment.pk)),
        ("account.ended", superuser.pk, "user", str(users.patient.pk)),
    ]
    run_action(client, USERS, "end", users.patient, sure="yes")
    assert len(trail()) == 2


@pytest.mark.parametrize("action", ["stop", "end"])
def test_admin_cannot_deactivate_themselves(action):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    run_action(client, USERS, action, superuser, sure="yes")
    assert "own account" in client.get(USERS).content.decode()
    superuser.refresh_from_db()
    assert (superuser.is_active, trail()) == (True, [])


def test_action_applies_to_at_most_100_rows(users, monkeypatch):
    monkeypatch.setattr("adminpanel.admin.base.MAX_ROWS_PER_ACTION", 1)
    client = client_for(staff_member(superuser=True))
    run_action(client, USERS, "stop", users.patient, users.other_patient, sure="yes")
    assert "Choose at most 1 at once." in client.get(USERS).content.decode()
    assert trail() == []


# --- Doctors ------------------------------------------------------------------------------------


def test_approval_actions_match_the_api(users, appointment):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    waiting, listed = users.unapproved_doctor, users.doctor
    open_case(waiting, timezone.now())
    assert waiting.license_number in run_action(client, DOCTORS, "approve", waiting).content.decode()
    # Who waits is not revoked, and who is listed is not rejected.
    run_action(client, DOCTORS, "revoke", waiting, reason="No.")
    run_action(client, DOCTORS, "reject", listed, reason="No.")
    assert trail() == []
    shown = seen(run_action(client, DOCTORS, "reject", waiting))
    run_action(client, DOCTORS, "reject", waiting, reason="The number is not on the register.", **shown)
    waiting.refresh_from_db()
    assert (waiting.approval, waiting.approval_reason) == ("rejected", "The number is not on the register.")
    assert waiting.verifications.get().decided_by == superuser
    # Without issuer, expiry and document a reason is needed, which only staff read.
    asked = run_action(client, DOCTORS, "approve", waiting, sure="yes").content.decode()
    assert "Missing: who issued the license, when the license expires, a copy of the license" in asked
    waiting.refresh_from_db()
    assert waiting.approval == "rejected"
    run_action(client, DOCTORS, "approve", waiting, sure="yes", reason="Seen in person.")
    newest = waiting.verifications.order_by("-submitted_at", "-pk").first()
    assert (newest.note, newest.reason) == ("Seen in person.", "")
    assert "1 appointment ahead will stay" in run_action(client, DOCTORS, "revoke", listed).content.decode()
    run_action(client, DOCTORS, "revoke", listed, reason="A complaint.")
    listed.refresh_from_db()
    assert listed.approval == "revoked"
    assert trail() == [
        ("doctor.rejected", superuser.pk, "doctor", str(waiting.pk)),
        ("doctor.approved", superuser.pk, "doctor", str(waiting.pk)),
        ("doctor.revoked", superuser.pk, "doctor", str(listed.pk)),
    ]


@pytest.mark.parametrize("act", ["approve", "reject", "revoke"])
def test_decision_applies_only_to_the_case_shown(users, act):
    doctor = users.doctor if act == "revoke" else users.unapproved_doctor
    case = open_case(doctor, timezone.now())
    change_case(case, {"license_number": "EX-SEEN"})
    client, yes = (
        client_for(staff_member(superuser=True)),
        {"reason": "No.", **({"sure": "yes"} if act == "approve" else {})},
    )
    asked = run_action(client, DOCTORS, act, doctor)
    assert "Claimed now: EX-SEEN" in asked.content.decode()
    change_case(case, {"license_number": "EX-UNSEEN"})
    for shown in (seen(asked), {}):
        run_action(client, DOCTORS, act, doctor, **yes, **shown)
        assert "has changed this application" in client.get(DOCTORS).content.decode()
    assert trail() == []
    run_action(client, DOCTORS, act, doctor, **yes, **seen(run_action(client, DOCTORS, act, doctor)))
    assert len(trail()) == 1


def test_database_error_on_one_row_is_reported_and_others_are_saved(users, monkeypatch):
    first, *others = PatientFactory.create_batch(4)

    def act(pk, *rest, **named):
        if pk != first.pk:
            raise OperationalError("lock timeout")
        return set_account_status(pk, *rest, **named)

    monkeypatch.setattr("adminpanel.admin.users.set_account_status", act)
    client = client_for(staff_member(superuser=True))
    assert run_action(client, USERS, "stop", first, *others, sure="yes").status_code == 302
    page = client.get(USERS).content.decode()
    assert page.count("The service is briefly unavailable") == 1
    assert User.objects.filter(status="inactive").count() in {1, 2}


def test_duplicate_license_is_reported(users):
    DoctorProfile.objects.filter(pk=users.unapproved_doctor.pk).update(license_number=users.doctor.license_number)
    client = client_for(staff_member(superuser=True))
    run_action(client, DOCTORS, "approve", users.unapproved_doctor, sure="yes", reason="Seen in person.")
    assert "Another listed doctor has this license" in client.get(DOCTORS).content.decode()
    users.unapproved_doctor.refresh_from_db()
    assert (users.unapproved_doctor.approval, trail()) == ("pending", [])


# --- Messages -----------------------------------------------------------------------------------


@pytest.fixture
def failed(users):
    """A message that was refused for good."""
    notify_user("account.password_changed", users.patient)
    return failing(Notice.objects.get())


def failing(notice, **more):
    fields = {"state": "failed", "attempts": 9, "error": "smtp_550", "message_id": "<kept@example.com>", **more}
    Notice.objects.filter(pk=notice.pk).update(**fields)
    notice.refresh_from_db()
    return notice


def test_failed_message_is_retried_after_confirmation(users, failed, settings):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    asked = run_action(client, NOTICES, "send_again", failed).content.decode()
    assert "Failed after 9 tries: smtp_550" in asked
    assert escape(users.patient.name) in asked
    assert trail() == []
    assert delivery.deliver_notices(timezone.now()) == {}
    run_action(client, NOTICES, "send_again", failed, sure="yes")
    failed.refresh_from_db()
    assert (failed.state, failed.attempts, failed.error, failed.lease_until) == ("waiting", 0, "", None)
    assert trail() == [("notice.sent_again", superuser.pk, "notice", str(failed.pk))]
    assert AuditEvent.objects.get(event="notice.sent_again").detail == {"notice": "account.password_changed"}
    assert delivery.deliver_notices(timezone.now()) == {"sent": 1}
    (sent,) = mail.outbox
    assert (sent.to, sent.extra_headers["Message-ID"]) == ([users.patient.email], "<kept@example.com>")
    page = client.get(page_of(Notice, failed, "history")).content.decode()
    assert ("notice.sent_again" in page, superuser.name in page) == (True, True)


@pytest.mark.parametrize("state", ["waiting", "sent", "dropped", "merged"])
def test_messages_that_did_not_fail_are_not_retried(users, failed, state):
    other = failing(failed, state=state, error="", attempts=1)
    before = Notice.objects.values().get()
    client = client_for(staff_member(superuser=True))
    assert "send_again" not in client.get(page_of(Notice, other)).content.decode()
    assert "stays as it is" in run_action(client, NOTICES, "send_again", other).content.decode()
    run_action(client, NOTICES, "send_again", other, sure="yes")
    assert "nothing to retry" in client.get(NOTICES).content.decode()
    assert (trail(), Notice.objects.values().get()) == ([], before)


def test_message_with_a_deleted_address_is_not_sent_elsewhere(users, failed):
    """A former address is told of its end; the new one must not get that instead."""
    now = timezone.now()
    failing(failed, address="former@example.com", created_at=now - delivery.FAILED_ADDRESS_RETENTION)
    # However lately it was tried.
    assert delivery.delete_failed_addresses(now) == 1
    client = client_for(staff_member(superuser=True))
    assert "stays as it is" in run_action(client, NOTICES, "send_again", failed).content.decode()
    run_action(client, NOTICES, "send_again", failed, sure="yes")
    assert "has been deleted, so it can" in client.get(NOTICES).content.decode()
    assert (trail(), delivery.deliver_notices(now), mail.outbox) == ([], {}, [])


def test_outdated_message_is_reported_and_dropped(users, failed):
    failing(failed, event="account.deactivated")
    client = client_for(staff_member(superuser=True))
    assert "It helps nobody any more" in run_action(client, NOTICES, "send_again", failed).content.decode()
    run_action(client, NOTICES, "send_again", failed, sure="yes")
    assert (delivery.deliver_notices(timezone.now()), mail.outbox) == ({"dropped": 1}, [])


def test_only_failed_messages_of_a_selection_are_retried(users, failed):
    for _ in range(2):
        notify_user("account.password_changed", users.patient)
    client = client_for(staff_member(superuser=True))
    run_action(client, NOTICES, "send_again", *Notice.objects.all(), sure="yes")
    assert set(Notice.objects.values_list("state", flat=True)) == {"waiting"}
    assert [entity for _, _, _, entity in trail()] == [str(failed.pk)]


# --- Permissions --------------------------------------------------------------------------------

ACTS = {
    "stop": (User, "stop_user", "patient", {"sure": "yes"}),
    "start": (User, "stop_user", "deactivated", {"sure": "yes"}),
    "end": (User, "end_user", "other_patient", {"sure": "yes"}),
    "approve": (DoctorProfile, "decide_verification", "unapproved_doctor", {"sure": "yes", "reason": "Seen."}),
    "reject": (DoctorProfile, "decide_verification", "unapproved_doctor", {"reason": "No."}),
    "revoke": (DoctorProfile, "decide_verification", "doctor", {"reason": "No."}),
    "cancel": (Appointment, "cancel_appointment", "appointment", {"reason": "No."}),
    "send_again": (Notice, "send_again_notice", "failed", {"sure": "yes"}),
}


@pytest.mark.parametrize("action", ACTS)
def test_each_action_requires_its_permission(users, appointment, failed, action):
    model, needed, who, more = ACTS[action]
    view = f"view_{model._meta.model_name}"
    one = {"appointment": appointment, "failed": failed}.get(who) or getattr(users, who)
    others = [code for _, code, _, _ in ACTS.values() if code != needed]
    every = Permission.objects.exclude(codename=needed).values_list("codename", flat=True)
    # Without it; with it, but not that of the table; and with just both.
    for codes, worked in [([view, *others, *every], 0), ([needed], 0), ([view, needed], 1)]:
        client = client_for(staff_member(*codes))
        page = client.get(page_of(model, one))
        assert (f'name="action" value="{action}"' in page.content.decode()) == bool(worked)
        run_action(client, page_of(model), action, one, **more)
        assert len(trail()) == worked, codes


# --- Rights -------------------------------------------------------------------------------------


def form_of(**more):
    return {"groups": [], "user_permissions": [], **more}


def test_superuser_grants_and_revokes_permissions_with_one_audit_event_each(users):
    superuser, page = staff_member(superuser=True), page_of(User, users.admin)
    client = client_for(superuser)
    group = Group.objects.create(name="Desk")
    permission = Permission.objects.get(codename="stop_user")
    assert "Can deactivate and activate an account" in client.get(page).content.decode()
    given = form_of(is_staff="on", groups=[group.pk], user_permissions=[permission.pk])
    client.post(page, {**given, "name": "Mallory", "role": "doctor", "password": "x", "status": "inactive"})
    client.post(page, given)
    users.admin.refresh_from_db()
    assert (users.admin.is_staff, users.admin.is_superuser, users.admin.role, users.admin.status) == (
        True, False, "admin", "active"
    )  # fmt: skip
    assert users.admin.name != "Mallory"
    assert users.admin.has_perm("accounts.stop_user")
    assert trail() == [("staff.rights_changed", superuser.pk, "user", str(users.admin.pk))]
    nothing = {"isStaff": False, "isSuperuser": False, "groups": [], "permissions": []}
    assert AuditEvent.objects.get(event="staff.rights_changed").detail == {
        "from": nothing,
        "to": {"isStaff": True, "isSuperuser": False, "groups": [group.pk], "permissions": [permission.pk]},
    }
    client.post(page, form_of())
    assert AuditEvent.objects.filter(event="staff.rights_changed").latest("id").detail["to"] == nothing
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("field", ["groups", "user_permissions"])
@pytest.mark.parametrize("odd", ["zz", "-1", "\u0663", "9" * 30, "9" * 5000, "", "1 OR 1=1", "\x00"])
def test_unknown_permissions_are_rejected_by_the_form(users, field, odd):
    client = client_for(staff_member(superuser=True))
    answer = client.post(page_of(User, users.admin), {field: [odd], "is_staff": "on"})
    assert answer.status_code == 200
    assert "Select a valid choice" in answer.content.decode() or "is not a valid value" in answer.content.decode()
    assert not AuditEvent.objects.filter(event="staff.rights_changed").exists()


def test_superuser_cannot_change_their_own_rights(users):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    answer = client.post(page_of(User, superuser), form_of(is_staff="on"), follow=True)
    assert "own account" in answer.content.decode()
    client.post(page_of(User, superuser), form_of(is_superuser="on"))
    superuser.refresh_from_db()
    assert (superuser.is_superuser, superuser.is_staff, trail()) == (True, True, [])


@pytest.mark.parametrize("who", ["patient", "doctor"])
def test_only_admins_can_be_granted_permissions(users, who):
    person = users.patient if who == "patient" else users.doctor.user
    answer = client_for(staff_member(superuser=True)).post(
        page_of(User, person), form_of(is_staff="on", is_superuser="on")
    )
    assert answer.status_code == 403
    person.refresh_from_db()
    assert (person.is_staff, person.is_superuser) == (False, False)


def test_staff_without_superuser_cannot_grant_permissions(users):
    mallory = staff_member("view_user", "change_user", "view_group", "add_group", "change_group", "delete_group")
    client = client_for(mallory)
    group = Group.objects.create(name="Desk")
    answers = [
        client.post(page_of(User, mallory), form_of(is_staff="on", is_superuser="on")),
        client.post(page_of(Group, group), {"name": "x", "permissions": []}),
        client.post(f"{page_of(Group)}add/", {"name": "x", "permissions": []}),
        client.post(page_of(Group, group, "delete"), {"post": "yes"}),
    ]
    assert [answer.status_code for answer in answers] == [403] * 4
    with pytest.raises(DomainError, match="wrong_role"):
        set_staff_permissions(users.admin, StaffPermissions(True, True, frozenset(), frozenset()), actor=mallory)
    assert trail() == []


def test_group_changes_write_one_audit_event_each():
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    permission = Permission.objects.get(codename="view_user")
    client.post(f"{page_of(Group)}add/", {"name": "Desk", "permissions": [permission.pk]})
    group = Group.objects.get()
    client.post(page_of(Group, group), {"name": "Desk", "permissions": [permission.pk]})
    client.post(page_of(Group, group), {"name": "Front desk", "permissions": []})
    superuser.groups.add(group)
    other = Group.objects.create(name="Other")
    client.post(page_of(Group, group, "delete"), {"post": "yes"})
    run_action(client, page_of(Group), "delete_selected", other, post="yes")
    assert not Group.objects.exists()
    assert trail() == [
        (f"staff.group_{act}", superuser.pk, "group", str(pk))
        for act, pk in [("created", group.pk), ("changed", group.pk), ("deleted", group.pk), ("deleted", other.pk)]
    ]
    assert AuditEvent.objects.filter(event="staff.group_deleted").earliest("id").detail == {
        "members": [str(superuser.pk)]
    }
    assert not LogEntry.objects.exists()


def test_only_effective_permissions_are_offered():
    codes = set(get_grantable_permissions().values_list("codename", flat=True))
    assert {code for _, code, _, _ in ACTS.values()} | {"view_clinical", "view_user", "view_group"} <= codes
    assert not [code for code in codes if code.startswith(("add_", "change_", "delete_"))]


def test_history_of_a_row_is_its_audit_log(users):
    superuser = staff_member(superuser=True)
    client = client_for(superuser)
    run_action(client, USERS, "stop", users.patient, sure="yes")
    page = client.get(page_of(User, users.patient, "history")).content.decode()
    assert "account.deactivated" in page
    assert superuser.name in page


def test_notice_is_shown_as_text_without_the_link_of_its_mail(users):
    users.patient.email_confirmed_at = None
    users.patient.save(update_fields=["email_confirmed_at"])
    notify_user("account.registered", users.patient)
    notice = Notice.objects.get()
    message = registry.compose_message(notice)
    assert message is not None
    assert message.secret_action is not None
    page = client_for(staff_member("view_notice")).get(page_of(Notice, notice)).content.decode()
    for words in (message.subject, *message.lines):
        assert escape(words) in page
    assert message.secret_action[1] not in page
    assert "token" not in page.lower().replace("csrfmiddlewaretoken", "")
    # What helps nobody any more says so, and is no fault.
    notice.event = "nobody.knows"
    notice.save()
    assert (
        "It helps nobody any more"
        in client_for(staff_member("view_notice")).get(page_of(Notice, notice)).content.decode()
    )


def test_user_page_shows_the_fields_of_the_role(users):
    PatientDetails.objects.filter(user=users.patient).update(street="1 Sample Road")
    client = client_for(staff_member(superuser=True))
    pages = [client.get(page_of(User, one)).content.decode() for one in (users.patient, users.doctor.user, users.admin)]
    assert ["1 Sample Road" in page for page in pages] == [True, False, False]
    assert ["user_permissions" in page or "uperuser status" in page for page in pages] == [False, False, True]
