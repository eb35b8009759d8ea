"""The registry of serializers of `data.user` by role.

`accounts` registers patients and admins, and `doctors` registers doctors, so that imports go one way.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.serializers import Serializer

from accounts.models import User


@dataclass(frozen=True)
class RolePart:
    """The serializer of a role, and the function that returns its data."""

    serializer: type[Serializer[Any]]
    represent: Callable[[User], Mapping[str, Any]]


_parts: dict[str, RolePart] = {}


def register(role: str, part: RolePart) -> None:
    _parts[str(role)] = part


def represent(user: User) -> Mapping[str, Any]:
    """Return `data.user` of a user."""
    return _parts[user.role].represent(user)


def serializers() -> dict[str, Serializer[Any] | type[Serializer[Any]]]:
    """Return the serializers by role, for the schema."""
    return {role: part.serializer for role, part in sorted(_parts.items())}
