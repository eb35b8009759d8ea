"""Permissions on the staff site, which only superusers grant and revoke; each change is audited."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import Role, User
from config.api.errors import DomainError


@dataclass(frozen=True)
class Rights:
    """A user's permissions; groups and permissions are ids."""

    is_staff: bool
    is_superuser: bool
    groups: frozenset[int]
    permissions: frozenset[int]

    @classmethod
    def of(cls, person: User) -> Self:
        return cls(
            is_staff=person.is_staff,
            is_superuser=person.is_superuser,
            groups=frozenset(person.groups.values_list("pk", flat=True)),
            permissions=frozenset(person.user_permissions.values_list("pk", flat=True)),
        )

    def to_audit_detail(self) -> dict[str, Any]:
        """Return the permissions for the audit log."""
        return {
            "isStaff": self.is_staff,
            "isSuperuser": self.is_superuser,
            "groups": sorted(self.groups),
            "permissions": sorted(self.permissions),
        }


def set_rights(person: User, rights: Rights, *, actor: User) -> None:
    """Set a user's permissions, if they differ.

    Raise `wrong_role` unless the actor is a superuser, `not_found` unless the user is an active admin, and
    `own_account` if superusers would demote themselves, so that there is always one.
    """
    with transaction.atomic():
        # Locked in one order, so that two superusers who demote each other neither deadlock nor both succeed.
        both = User.objects.active().filter(pk__in=[actor.pk, person.pk]).locked().order_by("pk")
        found = {one.pk: one for one in both}
        if actor.pk not in found or not found[actor.pk].is_superuser:
            raise DomainError("wrong_role")
        locked = found.get(person.pk)
        if locked is None or locked.role != Role.ADMIN:
            raise DomainError("not_found")
        before = Rights.of(locked)
        if before == rights:
            return
        if locked.pk == actor.pk and not (rights.is_staff and rights.is_superuser):
            raise DomainError("own_account")
        locked.is_staff, locked.is_superuser = rights.is_staff, rights.is_superuser
        locked.save(update_fields=["is_staff", "is_superuser"])
        locked.groups.set(rights.groups)
        locked.user_permissions.set(rights.permissions)
        detail = {"from": before.to_audit_detail(), "to": rights.to_audit_detail()}
        record_event("staff.rights_changed", Action.UPDATE, "user", locked.pk, actor=actor, detail=detail)


def save_group(group: Group, permissions: Collection[Permission], *, actor: User) -> None:
    """Create a group, or change its name or permissions if they differ."""
    with transaction.atomic():
        check_superuser(actor)
        new = group.pk is None
        before = set() if new else set(group.permissions.values_list("pk", flat=True))
        after = {one.pk for one in permissions}
        renamed = new or not Group.objects.filter(pk=group.pk, name=group.name).exists()
        if not renamed and before == after:
            return
        group.save()
        group.permissions.set(after)
        record_event(
            "staff.group_created" if new else "staff.group_changed",
            Action.CREATE if new else Action.UPDATE,
            "group",
            str(group.pk),
            actor=actor,
            detail={"from": sorted(before), "to": sorted(after)},
        )


def delete_group(group: Group, *, actor: User) -> None:
    """Delete a group and revoke its permissions."""
    with transaction.atomic():
        check_superuser(actor)
        members = [str(pk) for pk in User.objects.filter(groups=group).order_by("pk").values_list("pk", flat=True)]
        pk = str(group.pk)
        group.delete()
        record_event("staff.group_deleted", Action.DELETE, "group", pk, actor=actor, detail={"members": members})


def check_superuser(actor: User) -> None:
    """Raise `wrong_role` unless the actor is an active superuser."""
    if not User.objects.active().filter(pk=actor.pk, is_superuser=True).exists():
        raise DomainError("wrong_role")
