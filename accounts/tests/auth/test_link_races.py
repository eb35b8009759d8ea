"""Test that an emailed link is validated twice: before any work, and again with the row of the user locked."""

import pytest
from django.core.signing import Signer
from django.utils import timezone

from accounts.credentials import signed_links
from accounts.models import AccountStatus, User
from accounts.notifications.preferences import UNSUBSCRIBE_SALT
from config.api.errors import DomainError

pytestmark = pytest.mark.django_db

PURPOSES = [signed_links.PASSWORD_RESET, signed_links.OWN_EMAIL, signed_links.NEW_EMAIL]


def token_for(user, purpose):
    return signed_links.build_link(purpose, user, timezone.now()).split("?token=")[1]


def is_refused(answer):
    return (answer.status_code, answer.json()["code"]) == (400, "link_invalid")


CHANGES = {
    "stopped": {"status": AccountStatus.INACTIVE},
    "ended": {"ended_at": timezone.now()},
    "its ground is gone": {"email": "other@example.com"},
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("purpose", PURPOSES, ids=lambda purpose: purpose.name)
def test_link_of_a_changed_user_is_rejected_on_first_read(purpose, change, patient):
    token = token_for(patient, purpose)
    assert signed_links.get_link_user(purpose, token, timezone.now()) == patient
    User.objects.filter(pk=patient.pk).update(**CHANGES[change])
    with pytest.raises(DomainError, match="link_invalid"):
        signed_links.get_link_user(purpose, token, timezone.now())


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("purpose", PURPOSES, ids=lambda purpose: purpose.name)
def test_link_of_a_user_who_changes_between_reads_is_rejected(purpose, change, patient, monkeypatch):
    token, first_look = token_for(patient, purpose), signed_links.get_link_user

    def overtaken(*args):
        """Let somebody be quicker, between the look and the lock."""
        person = first_look(*args)
        User.objects.filter(pk=patient.pk).update(**CHANGES[change])
        return person

    monkeypatch.setattr(signed_links, "get_link_user", overtaken)
    with pytest.raises(DomainError, match="link_invalid"):
        signed_links.lock_link_user(purpose, token, timezone.now())


@pytest.mark.parametrize(
    "content", [{"a": 1, "b": 2, "c": 3}, "abc", ["x", "y"], ["a", 1, "b", "c"], [], 3, None], ids=repr
)
def test_signed_value_of_another_form_is_not_a_link(content, api):
    token = Signer(salt=signed_links.PASSWORD_RESET.salt).sign_object(content)
    body = {"token": token, "newPassword": "fresh-blue-kettle"}
    assert is_refused(api.post("/api/auth/password/reset/confirm", body, format="json"))


def test_unsubscribe_link_without_a_kind_changes_nothing(api, patient):
    for kind in ("always", "", "nothing", 7):
        token = Signer(salt=UNSUBSCRIBE_SALT).sign_object([patient.pk.hex, kind])
        assert is_refused(api.post(f"/api/notices/unsubscribe?token={token}"))
    User.objects.filter(pk=patient.pk).update(ended_at=timezone.now())
    token = Signer(salt=UNSUBSCRIBE_SALT).sign_object([patient.pk.hex, "reminder"])
    assert is_refused(api.post(f"/api/notices/unsubscribe?token={token}"))
