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
class StaffPermissions:
    """A user's permissions; groups and permissions are ids."""

    is_staff: bool
    is_superuser: bool
    groups: frozenset[int]
    permissions: frozenset[int]

    @classmethod
    def from_user(cls, user: User) -> Self:
        return cls(
            is_staff=user.is_staff,
            is_superuser=user.is_superuser,
            groups=frozenset(user.groups.values_list("pk", flat=True)),
            permissions=frozenset(user.user_permissions.values_list("pk", flat=True)),
        )

    def to_audit_detail(self) -> dict[str, Any]:
        """Return the permissions for the audit log."""
        return {
            "isStaff": self.is_staff,
            "isSuperuser": self.is_superuser,
            "groups": sorted(self.groups),
            "permissions": sorted(self.permissions),
        }


def set_staff_permissions(user: User, permissions: StaffPermissions, *, actor: User) -> None:
    """Set a user's permissions, if they differ.

    Raise `wrong_role` unless the actor is a superuser, `not_found` unless the user is an active admin, and
    `own_account` if superusers would demote themselves, so that there is always one.
    """
    with transaction.atomic():
        # Locked in one order, so that two superusers who demote each other neither deadlock nor both succeed.
        users = User.objects.active().filter(pk__in=[actor.pk, user.pk]).locked().order_by("pk")
        users_by_id = {user.pk: user for user in users}
        if actor.pk not in users_by_id or not users_by_id[actor.pk].is_superuser:
            raise DomainError("wrong_role")
        locked = users_by_id.get(user.pk)
        if locked is None or locked.role != Role.ADMIN:
            raise DomainError("not_found")
        before = StaffPermissions.from_user(locked)
        if before == permissions:
            return
        if locked.pk == actor.pk and not (permissions.is_staff and permissions.is_superuser):
            raise DomainError("own_account")
        locked.is_staff, locked.is_superuser = permissions.is_staff, permissions.is_superuser
        locked.save(update_fields=["is_staff", "is_superuser"])
        locked.groups.set(permissions.groups)
        locked.user_permissions.set(permissions.permissions)
        detail = {"from": before.to_audit_detail(), "to": permissions.to_audit_detail()}
        record_event("staff.rights_changed", Action.UPDATE, "user", locked.pk, actor=actor, detail=detail)


def save_group(group: Group, permissions: Collection[Permission], *, actor: User) -> None:
    """Create a group, or change its name or permissions if they differ."""
    with transaction.atomic():
        check_superuser(actor)
        is_new = group.pk is None
        before = set() if is_new else set(group.permissions.values_list("pk", flat=True))
        after = {permission.pk for permission in permissions}
        is_renamed = is_new or not Group.objects.filter(pk=group.pk, name=group.name).exists()
        if not is_renamed and before == after:
            return
        group.save()
        group.permissions.set(after)
        record_event(
            "staff.group_created" if is_new else "staff.group_changed",
            Action.CREATE if is_new else Action.UPDATE,
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
