"""Test the request data of audit events."""

import pytest
from django.test import RequestFactory

from accounts.models import AuditEvent, Notice
from accounts.notifications.outbox import notify_user, notify_users
from config.http.middleware import get_client_address

LOGIN = "/api/auth/login"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "remote", "address"),
    [
        (0, "", "203.0.113.9", "203.0.113.9"),
        (0, "198.51.100.1", "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1", "10.0.0.1", "198.51.100.1"),
        (1, "6.6.6.6, 198.51.100.1", "10.0.0.1", "198.51.100.1"),
        (2, "6.6.6.6, 198.51.100.1, 10.0.0.2", "10.0.0.1", "198.51.100.1"),
        (2, "198.51.100.1", "10.0.0.1", "10.0.0.1"),
        (1, "<script>", "10.0.0.1", "10.0.0.1"),
        (1, "", "10.0.0.1", "10.0.0.1"),
        (0, "", "", ""),
        (0, "", "2001:DB8::1", "2001:db8::1"),
    ],
)
def test_forwarded_address_is_trusted_from_our_proxies_only(settings, proxies, forwarded, remote, address):
    settings.TRUSTED_PROXIES = proxies

    request = RequestFactory().get("/", HTTP_X_FORWARDED_FOR=forwarded, REMOTE_ADDR=remote)

    assert get_client_address(request) == address


def test_failed_attempt_stores_no_personal_text_in_the_audit_log(api, patient):
    api.post(LOGIN, {"email": patient.email, "password": "hunter-22", "role": "patient"}, format="json")

    [event] = AuditEvent.objects.values()
    # Words that no id in hexadecimal digits can hold by chance.
    for word in (patient.email, patient.name, "hunter"):
        assert word.lower() not in str(event).lower()


def test_one_change_creates_one_notice(patient):
    notify_users("account.registered", "user", patient.pk, [patient])
    notify_users("account.registered", "user", patient.pk, [patient])

    assert Notice.objects.count() == 1


def test_repeated_event_creates_another_notice(patient, other_patient):
    for person in (patient, patient, other_patient):
        notify_user("account.password_changed", person)

    assert sorted(Notice.objects.values_list("recipient", "version")) == sorted(
        [(patient.pk, 1), (patient.pk, 2), (other_patient.pk, 1)]
    )
