"""Which role may make a call: 401 when nobody is signed in, 403 `wrong_role` for another role. Join them with `|`."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.models import Role


class HasRole(BasePermission):
    """Let the people of one role in."""

    role: Role

    def has_permission(self, request: Request, view: Any) -> bool:
        # What is refused to a visitor without a session is answered by DRF with 401.
        return bool(request.user.is_authenticated and request.user.role == self.role)


class IsPatient(HasRole):
    role = Role.PATIENT


class IsDoctor(HasRole):
    role = Role.DOCTOR


class IsAdmin(HasRole):
    role = Role.ADMIN
