"""Test that the right to grant permissions is checked again under the lock."""

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from accounts.models import AccountStatus, AuditEvent, User
from accounts.staff_permissions import StaffPermissions, delete_group, save_group, set_staff_permissions
from accounts.tests.factories import AdminFactory, PatientFactory
from config.api.errors import DomainError

pytestmark = pytest.mark.django_db

EVERYTHING = StaffPermissions(True, True, frozenset(), frozenset())
NO_SUPERUSER = {
    "demoted": {"is_superuser": False},
    "stopped": {"status": AccountStatus.INACTIVE},
    "ended": {"ended_at": timezone.now()},
}
NO_ADMIN = {
    "stopped": {"status": AccountStatus.INACTIVE},
    "ended": {"ended_at": timezone.now()},
    "a patient": {"role": "patient"},
    "a doctor": {"role": "doctor"},
}


@pytest.fixture
def superuser():
    return AdminFactory.create(is_staff=True, is_superuser=True)


@pytest.mark.parametrize("what", NO_SUPERUSER)
def test_former_superuser_cannot_grant_permissions(what, superuser):
    person, group = AdminFactory.create(), Group.objects.create(name="Desk")
    User.objects.filter(pk=superuser.pk).update(**NO_SUPERUSER[what])
    acts = [
        lambda: set_staff_permissions(person, EVERYTHING, actor=superuser),
        lambda: save_group(Group(name="Other"), [], actor=superuser),
        lambda: delete_group(group, actor=superuser),
    ]
    for act in acts:
        with pytest.raises(DomainError, match="wrong_role"):
            act()
    assert not User.objects.get(pk=person.pk).is_superuser
    assert list(Group.objects.values_list("name", flat=True)) == ["Desk"]
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("what", NO_ADMIN)
def test_former_admin_cannot_be_granted_permissions(what, superuser):
    person = AdminFactory.create()
    User.objects.filter(pk=person.pk).update(**NO_ADMIN[what])
    with pytest.raises(DomainError, match="not_found"):
        set_staff_permissions(person, EVERYTHING, actor=superuser)
    assert not User.objects.get(pk=person.pk).is_superuser


def test_only_admins_can_have_staff_permissions(superuser):
    person = PatientFactory.create()
    with pytest.raises(DomainError, match="not_found"):
        set_staff_permissions(person, EVERYTHING, actor=superuser)
    set_staff_permissions(superuser, EVERYTHING, actor=superuser)
    for less in (
        StaffPermissions(True, False, frozenset(), frozenset()),
        StaffPermissions(False, True, frozenset(), frozenset()),
    ):
        with pytest.raises(DomainError, match="own_account"):
            set_staff_permissions(superuser, less, actor=superuser)
