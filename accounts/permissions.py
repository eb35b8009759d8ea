"""Permissions by role; combine them with `|`."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.models import Role


class HasRole(BasePermission):
    """Allow one role."""

    role: Role

    def has_permission(self, request: Request, view: Any) -> bool:
        # DRF turns a denial into 401 for visitors, and into 403 for other roles.
        return bool(request.user.is_authenticated and request.user.role == self.role)


class IsPatient(HasRole):
    role = Role.PATIENT


class IsDoctor(HasRole):
    role = Role.DOCTOR


class IsAdmin(HasRole):
    role = Role.ADMIN
