"""Test that every table of the staff site responds, takes constant queries, and follows permissions."""

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import AuditEvent, PatientDetails, Session, User
from adminpanel.admin.base import BoundedPaginator, ReadOnlyAdmin
from adminpanel.models import SiteText
from adminpanel.tests.admin.staff import KEPT_FROM_ALL, MAKERS, SECRET, TABLES, client_for, page_of, staff_member
from appointments.models import Appointment, AppointmentRecord, Attachment, Proposal, TimeChange

pytestmark = pytest.mark.django_db

OURS = ("accounts", "doctors", "appointments", "adminpanel")
every_table = pytest.mark.parametrize("model", TABLES, ids=lambda model: model._meta.model_name)


def test_every_model_is_registered():
    """A new model is registered, or this fails; a patient's details stand on the person's page."""
    ours = {model for model in apps.get_models() if model._meta.app_label in OURS}
    assert {*ours, Group} - {PatientDetails} == set(TABLES) == set(MAKERS)


@every_table
def test_list_takes_the_same_queries_for_one_row_and_twenty(model):
    client = client_for(staff_member(superuser=True))
    costs = []
    for more in (1, 19):
        for _ in range(more):
            MAKERS[model]()
        # What the first request of all reads once for the process is no part of a list's cost.
        client.get(page_of(model))
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(page_of(model))
        assert answer.status_code == 200
        costs.append(len(captured))
    assert answer.content.count(b'name="_selected_action"') in {0, *range(20, 50)}
    assert len(answer.context["cl"].result_list) >= 20
    assert costs[0] == costs[1]


@every_table
def test_every_page_responds(model):
    client = client_for(staff_member(superuser=True))
    one = MAKERS[model]()
    assert client.get(page_of(model, one)).status_code == 200
    assert client.get(page_of(model, one, "history")).status_code == 200
    for words in (
        "ada",
        "ada@example.com",
        "0199a1b2-0000-7000-8000-000000000000",
        "%_\\'",
        "a\x00b",
        "user.",
        "7" * 40,
    ):
        assert client.get(page_of(model), {"q": words}).status_code == 200, words
    lists = client.get(page_of(model)).context["cl"]
    for spec in lists.filter_specs:
        for choice in spec.choices(lists):
            assert client.get(page_of(model) + choice["query_string"]).status_code == 200, choice
    for column in range(1, len(lists.list_display) + 1):
        assert client.get(page_of(model), {"o": f"-{column}"}).status_code == 200


@every_table
def test_full_id_finds_only_its_row(model):
    site = admin.site._registry[model]
    if "pk" not in site.id_search_fields or model is AuditEvent:
        return
    client = client_for(staff_member(superuser=True))
    one, _ = MAKERS[model](), MAKERS[model]()
    found = client.get(page_of(model), {"q": str(one.pk)}).context["cl"].queryset
    assert list(found) == [one]


# --- Who may ------------------------------------------------------------------------------------


@every_table
def test_staff_see_only_tables_they_have_permission_for(model):
    name = model._meta.model_name
    one = MAKERS[model]()
    pages = [page_of(model), page_of(model, one)]
    others = [
        f"{act}_{other._meta.model_name}"
        for other in TABLES
        for act in ("view", "add", "change", "delete")
        if (act, other) != ("view", model)
    ]
    acts = ["stop_user", "end_user", "decide_verification", "cancel_appointment", "view_clinical", "send_again_notice"]
    stranger, reader = client_for(staff_member(*others, *acts)), client_for(staff_member(f"view_{name}"))
    assert [stranger.get(page).status_code for page in pages] == [403, 403]
    assert [reader.get(page).status_code for page in pages] == [200, 200]
    # The history is the trail, which has a permission of its own.
    expected = 200 if model is AuditEvent else 403
    assert reader.get(page_of(model, one, "history")).status_code == expected


@every_table
def test_no_permission_allows_direct_edits(model):
    """Django's permissions to add, change and delete mean nothing here, but to superusers for groups and rights."""
    name = model._meta.model_name
    client = client_for(staff_member(*(f"{act}_{name}" for act in ("view", "add", "change", "delete"))))
    one = MAKERS[model]()
    before = list(model.objects.order_by("pk").values())
    answers = [
        client.post(f"{page_of(model)}add/", {"name": "x"}),
        client.post(page_of(model, one), {"name": "x", "status": "inactive", "is_staff": "on"}),
        client.post(page_of(model, one, "delete"), {"post": "yes"}),
    ]
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    client.post(page_of(model), {"action": "delete_selected", "_selected_action": [str(one.pk)], "post": "yes"})
    assert [row for row in model.objects.order_by("pk").values() if row in before] == before


@every_table
def test_superuser_cannot_edit_rows_with_business_rules(model):
    if model in {Group, SiteText}:
        return
    client = client_for(staff_member(superuser=True))
    one = MAKERS[model]()
    assert isinstance(admin.site._registry[model], ReadOnlyAdmin)
    for address in (f"{page_of(model)}add/", page_of(model, one, "delete")):
        assert client.post(address, {"post": "yes"}).status_code == 403
    assert client.post(page_of(model, one), {"status": "x"}).status_code == 403


# --- What is shown ------------------------------------------------------------------------------


@every_table
def test_clinical_text_is_hidden_from_lists_always_and_from_pages_without_permission(model):
    one = MAKERS[model]()
    seeing, blind = staff_member(superuser=True), staff_member(f"view_{model._meta.model_name}", "view_auditevent")
    for person in (seeing, blind):
        assert SECRET not in client_for(person).get(page_of(model)).content.decode()
        assert SECRET not in client_for(person).get(page_of(model, one, "history")).content.decode()
    assert SECRET not in client_for(blind).get(page_of(model, one)).content.decode()
    assert not AuditEvent.objects.filter(event="record.read").exists()
    shown = SECRET in client_for(seeing).get(page_of(model, one)).content.decode()
    assert shown == (model in {Appointment, Proposal, TimeChange, AppointmentRecord, Attachment})
    appointment = one if model is Appointment else getattr(one, "appointment", None)
    readings = AuditEvent.objects.filter(event="record.read").values_list("agent_id", "entity_id", "detail")
    assert list(readings) == ([(seeing.pk, str(appointment.pk), {"what": "staff"})] if shown else [])


@every_table
def test_secret_hashes_are_not_shown(model):
    one = MAKERS[model]()
    pages = [page_of(model), page_of(model, one), page_of(model, one, "history")]
    client = client_for(staff_member(superuser=True))
    text = "".join(client.get(page).content.decode() for page in pages)
    labels = "password|secret.hash|stored.as|document.sha256"
    # Django's own link to the change of one's password is no column.
    text = text.replace("/staff/password_change/", "").replace("Change password", "")
    assert not re.search(labels, text, re.IGNORECASE), re.search(labels, text, re.IGNORECASE)
    assert "$argon2" not in text
    assert KEPT_FROM_ALL not in text
    assert User.objects.first().password not in text
    for session in Session.objects.all():
        assert client.cookies["staff"].value not in text
        assert model is Session or str(session.pk) not in text


def test_reading_the_audit_log_is_audited():
    client = client_for(staff_member("view_auditevent"))
    one = MAKERS[AuditEvent]()
    before = AuditEvent.objects.count()
    for page in (page_of(AuditEvent), page_of(AuditEvent, one), page_of(AuditEvent, one, "history")):
        client.get(page)
        before += 1
        assert (AuditEvent.objects.count(), AuditEvent.objects.latest("id").event) == (before, "audit.read")


def test_count_stops_at_the_last_page(monkeypatch):
    monkeypatch.setattr("adminpanel.admin.base.ROW_LIMIT", 3)
    client = client_for(staff_member(superuser=True))
    for _ in range(3):
        MAKERS[Group]()
    assert "3 groups" in " ".join(client.get(page_of(Group)).content.decode().split())
    MAKERS[Group]()
    answer = client.get(page_of(Group))
    assert "3+ groups" in " ".join(answer.content.decode().split())
    assert answer.context["cl"].paginator.num_pages == 1
    with CaptureQueriesContext(connection) as captured:
        assert BoundedPaginator(Group.objects.order_by("name"), 50).count == 3
    assert "LIMIT 4" in captured.captured_queries[0]["sql"]
