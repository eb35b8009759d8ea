"""The staff site as the access matrix has the API: every page × who is there, the status; looking changes nothing.

A new table needs its row in `staff.py`; a new page of the site, its line below.
"""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone

from accounts.auth.sessions import end_sessions
from accounts.models import AccountStatus, Session, User
from accounts.tests.factories import AdminFactory
from adminpanel.tests.admin.staff import MAKERS, TABLES, client_for, page_of, staff_member
from adminpanel.tests.contracts.response_recorder import assert_empty, read_content
from adminpanel.tests.contracts.write_guard import UnexpectedWrite, allow_writes_only
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

# A visitor, a doctor and an admin who is no staff, each with a session; staff who were stopped or have signed out;
# staff without a permission, staff who may look at every table, and a superuser.
AUDIENCES = ("visitor", "doctor", "admin", "stopped", "signed out", "newcomer", "looker", "chief")
OUTSIDE = "302 302 302 302 302"
# What is seen of a table: nothing, the table, or the table.
LOOKING = f"{OUTSIDE} 403 200 200"
NOBODY = f"{OUTSIDE} 403 403 403"
SITE = {
    "/staff/": f"{OUTSIDE} 200 200 200",
    # A signed-in user is redirected.
    "/staff/login/": "200 200 200 200 200 302 302 302",
    # Only a form signs out; a look leads away.
    "/staff/logout/": "302 302 302 302 302 302 302 302",
    "/staff/password_change/": "302 302 302 302 302 302 302 302",
    "/staff/password_change/done/": "302 302 302 302 302 302 302 302",
    "/staff/jsi18n/": f"{OUTSIDE} 200 200 200",
    "/staff/autocomplete/": f"{OUTSIDE} 403 403 403",
    "/staff/autocomplete/?app_label=accounts&model_name=user&field_name=groups&term=a": f"{OUTSIDE} 403 200 200",
    "/staff/accounts/": f"{OUTSIDE} 404 200 200",
    "/staff/doctors/": f"{OUTSIDE} 404 200 200",
    "/staff/appointments/": f"{OUTSIDE} 404 200 200",
    "/staff/adminpanel/": f"{OUTSIDE} 404 200 200",
    "/staff/auth/": f"{OUTSIDE} 404 200 200",
    "/staff/r/1/1/": f"{OUTSIDE} 404 404 404",
    "/staff/nowhere/": f"{OUTSIDE} 404 404 404",
}
# The pages of one row, and of a table.
PAGES = {"changelist": LOOKING, "add": NOBODY, "change": LOOKING, "history": LOOKING, "delete": NOBODY, "": None}
# The tables whose rows are made and deleted by hand, by superusers.
BY_HAND = {(table, page): f"{OUTSIDE} 403 403 200" for table in ("group", "sitetext") for page in ("add", "delete")}
# Clinical text asks for a permission of its own; the looker has it. Both, and the trail, write down who looked.
TRAIL = {"accounts_session", "accounts_auditevent", "accounts_reading"}


@pytest.fixture
def clients():
    """Sign everybody in who can be."""
    looker = staff_member()
    looker.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    stopped = staff_member(superuser=True)
    gone = staff_member(superuser=True)
    people = {
        "visitor": Client(), "doctor": client_for(DoctorFactory.create(user__is_staff=True).user),
        "admin": client_for(AdminFactory.create()), "stopped": client_for(stopped), "signed out": client_for(gone),
        "newcomer": client_for(staff_member()), "looker": client_for(looker),
        "chief": client_for(staff_member(superuser=True)),
    }  # fmt: skip
    User.objects.filter(pk=stopped.pk).update(status=AccountStatus.INACTIVE)
    end_sessions(Session.objects.filter(user=gone), "signed_out", timezone.now())
    Session.objects.filter(ended_at=None).update(last_seen_at=timezone.now() - timedelta(minutes=10))
    return people


def names_of_pages():
    def walk(patterns):
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            elif isinstance(pattern, URLPattern):
                yield pattern.name

    return set(walk(admin.site.urls[0]))


def test_every_page_has_a_row_in_the_matrix():
    of_tables = {
        f"{model._meta.app_label}_{model._meta.model_name}_{page}" for model in TABLES for page in PAGES if page
    }
    # Without a name: the old address of a row's page, which leads to the new one; and whatever is nowhere.
    of_site = {
        "index", "login", "logout", "password_change", "password_change_done", "autocomplete", "jsi18n",
        "view_on_site", "app_list",
    }  # fmt: skip
    assert names_of_pages() - {None} == of_tables | of_site


def statuses(clients, address, wrong):
    """Look at a page as each audience, and see that nothing is written but who looked."""
    found = []
    for who in AUDIENCES:
        try:
            with allow_writes_only(*TRAIL):
                answer = clients[who].get(address)
                read_content(answer)
        except UnexpectedWrite as refused:
            wrong[f"{address} as {who}"] = f"writes: {refused}"
            found.append("-")
            continue
        outside = answer.status_code == 302 and answer["Location"].startswith("/staff/login/?next=")
        if who in AUDIENCES[:5] and answer.status_code == 302 and not outside and address not in SITE:
            wrong[f"{address} as {who}"] = answer["Location"]
        found.append(str(answer.status_code))
    return " ".join(found)


def test_each_site_page_admits_exactly_its_audiences(clients):
    wrong = {}
    for address, expected in SITE.items():
        got = statuses(clients, address, wrong)
        if got != expected:
            wrong[address] = got
    assert_empty(wrong)


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_each_table_page_admits_exactly_its_audiences(model, clients):
    one, wrong = MAKERS[model](), {}
    for page, usual in PAGES.items():
        if page == "":
            address, expected = f"{page_of(model)}{one.pk}/", f"{OUTSIDE} 302 302 302"
        else:
            address = page_of(model) + {"changelist": "", "add": "add/"}.get(page, f"{one.pk}/{page}/")
            expected = BY_HAND.get((model._meta.model_name, page), usual)
        got = statuses(clients, address, wrong)
        if got != expected:
            wrong[address] = got
    assert_empty(wrong)
