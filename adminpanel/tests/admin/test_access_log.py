"""Test that every table of the staff site logs whose data it shows, or is exempt."""

from operator import attrgetter

import pytest
from django.contrib import admin

from accounts.models import Reading, User
from adminpanel.tests.admin.staff import MAKERS, TABLES, client_for, page_of, staff_member

pytestmark = pytest.mark.django_db
every_table = pytest.mark.parametrize("model", TABLES, ids=lambda model: model._meta.model_name)


def test_every_table_is_logged_or_exempt():
    sites = {model: admin.site._registry[model] for model in TABLES}
    assert [
        model for model, site in sites.items() if (site.subject_fields is None) != bool(site.no_personal_data_reason)
    ] == []


@every_table
def test_list_row_and_history_reads_are_logged_exactly(model):
    person, site = staff_member(superuser=True), admin.site._registry[model]
    client = client_for(person)
    row = MAKERS[model]()
    rows = model._default_manager.all() if model is User else [row]
    pages = {
        "changelist": (page_of(model), rows),
        "change": (page_of(model, row), [row]),
        "history": (page_of(model, row, "history"), [row]),
    }
    for view, (address, listed) in pages.items():
        assert client.get(address).status_code == 200
        expected = set()
        if site.subject_fields is not None:
            kind, pk, owner = site.subject_fields
            expected = {(kind, attrgetter(pk)(one), attrgetter(owner)(one), 1) for one in listed}
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_{view}"
        found = Reading.objects.filter(actor_id=person.pk, view=name)
        shown = set(found.values_list("subject_type", "subject_id", "person_id", "times"))
        others = {one for one in shown if one[2] not in {each[2] for each in expected}}
        assert {one for one in expected if one[2] != person.pk} <= shown
        # A maker may make more rows of the table than the one that it returns.
        assert not others or view == "changelist"
