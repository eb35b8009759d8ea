"""Each call that changes what the public sees: signed-in users see it at once, visitors within five seconds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.tests.factories import PatientFactory
from adminpanel.tests.admin.staff import client_for, page_of, staff_member
from adminpanel.tests.contracts.response_recorder import read_content
from adminpanel.tests.contracts.valid_calls import CALLS, send
from appointments.scheduling.expiry import sweep_expired
from appointments.tests.factories import make_appointment
from doctors.models import DoctorProfile

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

# A Monday, 10:00 in New York, within a minute.
NOW = datetime(2030, 1, 7, 15, 0, 10, tzinfo=UTC)


class Pages:
    """What a visitor and a signed-in user see at some addresses."""

    def __init__(self, settings, client_of, *urls):
        self.settings, self.urls = settings, urls
        self.visitor, self.signed_in = Client(), client_of(PatientFactory.create())

    def fetch(self, client):
        """Return status and body at each address; the bodies of errors name their requests."""
        responses = {url: client.get(url) for url in self.urls}
        return {
            url: (response.status_code, response.content if response.status_code == 200 else b"")
            for url, response in responses.items()
        }

    def fetch_cached(self):
        return self.fetch(self.visitor)

    def fetch_current(self):
        """Return what a signed-in user sees, and check that it is what is computed for visitors."""
        self.settings.PUBLIC_CACHE_SECONDS = 0
        try:
            computed = self.fetch(self.visitor)
        finally:
            self.settings.PUBLIC_CACHE_SECONDS = 5
        assert self.fetch(self.signed_in) == computed
        return computed


@pytest.fixture
def clock(settings):
    settings.PUBLIC_CACHE_SECONDS = 5
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def pages(clock, settings, client_of, users):
    doctor = users.doctor.pk
    return Pages(settings, client_of, "/api/doctors", f"/api/doctors/{doctor}", f"/api/doctors/{doctor}/slots")


# The calls that change what everybody sees of the doctor whom they are about.
SHOWN = {
    "close one's account", "change a person who is a doctor", "change the schedule", "change it over an appointment",
    "change a practice", "change a practice by form", "book for a patient", "block a stretch",
    "book", "cancel", "cancel as admin", "keep a time", "keep a time as a visitor", "let it go",
    "reschedule", "propose", "accept", "move at once", "say that one cannot come", "cancel by status as admin",
    "take time off", "cancel at the desk", "delete a doctor", "revoke", "approve", "delete a user",
}  # fmt: skip


def test_change_is_visible_immediately_when_signed_in_and_within_five_seconds_otherwise(
    populated_site, settings, client_of
):
    doctor = populated_site.users.doctor.pk
    pages = Pages(settings, client_of, "/api/doctors", f"/api/doctors/{doctor}/slots?days=21")
    settings.PUBLIC_CACHE_SECONDS = 5
    shown = set()
    now = timezone.now().replace(second=30)
    with time_machine.travel(now, tick=False) as clock:
        for name, call in CALLS.items():
            clock.move_to(now)
            for cache in caches.all():
                cache.clear()
            with transaction.atomic():
                call.prepare(populated_site)
                # Some calls make what they name.
                address = call.get_address(populated_site)
                before = pages.fetch_cached()
                response = send(replace(call, address=lambda _, found=address: found), populated_site)
                assert (name, response.status_code) == (name, call.status)
                read_content(response)
                current = pages.fetch_current()
                if current != before:
                    shown.add(name)
                clock.shift(4.999)
                assert (name, pages.fetch_cached()) == (name, before)
                clock.shift(0.001)
                assert (name, pages.fetch_cached()) == (name, pages.fetch_current())
                transaction.set_rollback(True)
    assert shown == SHOWN


@pytest.mark.parametrize("action", ["stop", "end", "revoke"])
def test_change_on_the_staff_site_is_visible_within_five_seconds(clock, pages, users, action):
    before = pages.fetch_cached()
    table = page_of(DoctorProfile if action == "revoke" else User)
    form = {"action": action, "_selected_action": [str(users.doctor.pk)], "sure": "yes", "reason": "A complaint."}
    client_for(staff_member(superuser=True)).post(table, form)
    current = pages.fetch_current()
    assert {status for status, _ in current.values()} == {200, 404}
    assert current != before
    clock.shift(5)
    assert pages.fetch_cached() == current


def test_expired_request_frees_its_time_before_housekeeping_runs(clock, pages, users):
    appointment = make_appointment(
        users.doctor, users.patient, NOW.date(), "14:00", respond_by=NOW + timedelta(seconds=7)
    )
    before = pages.fetch_cached()
    clock.shift(7)
    after = pages.fetch_cached()
    assert after == pages.fetch_current() != before
    # Maintenance changes nothing more that the public sees.
    assert sweep_expired(timezone.now())
    appointment.refresh_from_db()
    assert (appointment.status, pages.fetch_current()) == ("cancelled", after)
