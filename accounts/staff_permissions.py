"""What staff may do on the staff site: given and taken by superusers alone, each time with a row of the trail."""

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
    """What one person may do there; groups and permissions by their ids."""

    is_staff: bool
    is_superuser: bool
    groups: frozenset[int]
    permissions: frozenset[int]

    @classmethod
    def of(cls, person: User) -> Self:
        """Read what a person may do now."""
        return cls(
            is_staff=person.is_staff,
            is_superuser=person.is_superuser,
            groups=frozenset(person.groups.values_list("pk", flat=True)),
            permissions=frozenset(person.user_permissions.values_list("pk", flat=True)),
        )

    def on_trail(self) -> dict[str, Any]:
        """Write these rights down, in ids alone."""
        return {
            "isStaff": self.is_staff,
            "isSuperuser": self.is_superuser,
            "groups": sorted(self.groups),
            "permissions": sorted(self.permissions),
        }


def set_rights(person: User, rights: Rights, *, actor: User) -> None:
    """Give and take rights; what stands already changes nothing.

    Raises `wrong_role` unless a superuser acts, `not_found` for anybody but an active admin, and
    `own_account` where superusers would shut themselves out. So the last superuser always stays one.
    """
    with transaction.atomic():
        # Both at once and in one order, so that two who demote each other neither wait for one another nor succeed.
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
        detail = {"from": before.on_trail(), "to": rights.on_trail()}
        record_event("staff.rights_changed", Action.UPDATE, "user", locked.pk, actor=actor, detail=detail)


def save_group(group: Group, permissions: Collection[Permission], *, actor: User) -> None:
    """Make a group of permissions, or change its name or what it gives; what stands already changes nothing."""
    with transaction.atomic():
        refuse_others(actor)
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
    """Delete a group; its members lose what it gave."""
    with transaction.atomic():
        refuse_others(actor)
        members = [str(pk) for pk in User.objects.filter(groups=group).order_by("pk").values_list("pk", flat=True)]
        pk = str(group.pk)
        group.delete()
        record_event("staff.group_deleted", Action.DELETE, "group", pk, actor=actor, detail={"members": members})


def refuse_others(actor: User) -> None:
    """Raise `wrong_role` unless a superuser acts, who still is one."""
    if not User.objects.active().filter(pk=actor.pk, is_superuser=True).exists():
        raise DomainError("wrong_role")
