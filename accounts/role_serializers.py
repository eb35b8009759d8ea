"""The register through which each role's part of `data.user` is found.

`accounts` knows patients and admins; `doctors` adds its own part when it is ready, so that knowledge runs one way.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.serializers import Serializer

from accounts.models import User


@dataclass(frozen=True)
class RolePart:
    """How a person of one role is written as `data.user`, and the serializer that describes it."""

    serializer: type[Serializer[Any]]
    represent: Callable[[User], Mapping[str, Any]]


_parts: dict[str, RolePart] = {}


def register(role: str, part: RolePart) -> None:
    """Say how people of `role` are written."""
    _parts[str(role)] = part


def represent(user: User) -> Mapping[str, Any]:
    """Write `data.user` with the part of the person's role."""
    return _parts[user.role].represent(user)


def serializers() -> dict[str, Serializer[Any] | type[Serializer[Any]]]:
    """Return the serializers by role, for the schema."""
    return {role: part.serializer for role, part in sorted(_parts.items())}
