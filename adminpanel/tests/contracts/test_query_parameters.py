"""Malformed query parameters: lists of the API and the staff site answer 200 or 4xx, never 5xx."""

import os

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group

from accounts.models import User
from adminpanel.tests.admin.staff import MAKERS, TABLES, client_for, page_of, staff_member
from appointments.models import Appointment
from doctors.models import DoctorProfile

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

ODD = {
    "nothing": "", "a NUL": "%00", "not UTF-8": "%ff%fe", "a lone surrogate": "%ed%a0%80", "a huge number": "9" * 30,
    "thousands of digits": "9" * 5000, "the last date": "9999-12-31", "the first date": "0001-01-01",
    "no date": "2026-02-30", "a list": "[]", "negative": "-1", "long": "x" * 5000, "a pattern": "%25_\\'\"",
    "an emoji": "%F0%9F%98%80",
}  # fmt: skip
# Each parameter gets one in so many of these values in the short form, each the next ones; all of them with 1.
EVERY = int(os.environ.get("QUERY_VALUES_EVERY", "7"))
FINE = {200, 302, 400, 403, 404}
LISTS = {
    "/api/admin/users": ("search", "role", "status", "ordering", "page", "pageSize"),
    "/api/admin/doctors": ("search", "status", "specialization", "ordering", "page", "pageSize"),
    "/api/admin/records": ("search", "status", "attended", "from", "to", "page", "pageSize"),
    "/api/admin/analytics": ("by", "specialization", "city", "from", "to"),
    "/api/admin/audit": ("event", "agent", "entityType", "entity", "outcome", "requestId", "from", "to", "page"),
    "/api/admin/audit.csv": ("event", "agent", "entityType", "entity", "outcome", "requestId", "from", "to"),
}


def values_for(number):
    """Return the values that the parameter with this number gets, by their names."""
    return dict(list(ODD.items())[number % EVERY :: EVERY])


def read(answer):
    """Return the status, having read the whole body: a stream fails late."""
    if answer.streaming:
        b"".join(answer.streaming_content)
    return answer.status_code


@pytest.mark.parametrize("address", LISTS)
def test_list_accepts_or_rejects_any_query(address, users, client_of, settings):
    settings.MAX_EXPENSIVE_REQUESTS_PER_USER = {**settings.MAX_EXPENSIVE_REQUESTS_PER_USER, "list-export": 1000}
    desk = client_of(users.admin)
    desk.raise_request_exception = False
    failed = {}
    for number, name in enumerate(LISTS[address]):
        for what, value in values_for(number).items():
            status = read(desk.get(f"{address}?{name}=1&{name}={value}"))
            if status not in {200, 400}:
                failed[f"{name}: {what}"] = status
    assert failed == {}


def list_parameters(model):
    """Return what a table's address can be narrowed by."""
    names = ["q", "p", "o", "all", "_to_field", "_popup", "pk", "pk__in"]
    for chosen in admin.site._registry[model].list_filter:
        if isinstance(chosen, type):
            names.append(chosen.parameter_name)
        else:
            field = chosen if isinstance(chosen, str) else chosen[0]
            names += [f"{field}__{how}" for how in ("exact", "gte", "lt", "isnull", "in")]
    return names


# Django warns of dates in an address that say no zone.
@pytest.mark.filterwarnings("ignore:.*naive datetime:RuntimeWarning")
@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_staff_changelist_accepts_or_rejects_any_query(model, db):
    MAKERS[model]()
    client = client_for(staff_member(superuser=True))
    client.raise_request_exception = False
    table = page_of(model)
    # Tables start at different values, so that together they get all of them for each kind of filter.
    start = TABLES.index(model)
    tried = [
        f"{table}?{name}={value}"
        for number, name in enumerate(list_parameters(model), start)
        for value in values_for(number).values()
    ]
    tried += [
        f"{table}{value}/{page}/"
        for number, page in enumerate(("change", "history", "delete"), start)
        for value in values_for(number).values()
    ]
    assert [address for address in tried if read(client.get(address)) not in FINE] == []


@pytest.mark.parametrize("model", [User, DoctorProfile, Appointment, Group], ids=lambda model: model.__name__)
def test_staff_action_accepts_or_rejects_any_choice(model, db):
    MAKERS[model]()
    client = client_for(staff_member(superuser=True))
    client.raise_request_exception = False
    failed = []
    for act in (*list_actions(model), "delete_selected", ""):
        for chosen in ("\x00", "9" * 30, "9" * 5000, "-1", "", "x"):
            answer = client.post(page_of(model), {"action": act, "_selected_action": [chosen], "reason": "\x00"})
            if answer.status_code not in FINE:
                failed.append((act, chosen, answer.status_code))
    assert failed == []


def list_actions(model):
    return admin.site._registry[model].actions or ()


def test_autocomplete_accepts_or_rejects_any_query(db):
    client = client_for(staff_member(superuser=True))
    client.raise_request_exception = False
    failed = {}
    for name in ("app_label", "model_name", "field_name", "term", "page"):
        for what, value in ODD.items():
            query = {"app_label": "accounts", "model_name": "user", "field_name": "groups", "term": "a", "page": "1"}
            text = "&".join(f"{key}={value if key == name else usual}" for key, usual in query.items())
            status = read(client.get(f"/staff/autocomplete/?{text}"))
            if status not in FINE:
                failed[f"{name}: {what}"] = status
    assert failed == {}
