"""The registry of serializers of `data.user` by role.

`accounts` registers patients and admins, and `doctors` registers doctors, so that imports go one way.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rest_framework.serializers import Serializer

from accounts.models import User

_serializers: dict[str, type[Serializer[Any]]] = {}
_serialize_functions: dict[str, Callable[[User], Mapping[str, Any]]] = {}


def register_role(role: str, serializer: type[Serializer[Any]], serialize: Callable[[User], Mapping[str, Any]]) -> None:
    """Set the serializer of a role, for the schema, and the function that returns its data."""
    _serializers[str(role)] = serializer
    _serialize_functions[str(role)] = serialize


def serialize_user(user: User) -> Mapping[str, Any]:
    """Return `data.user` of a user."""
    return _serialize_functions[user.role](user)


def list_serializers() -> dict[str, Serializer[Any] | type[Serializer[Any]]]:
    return dict(sorted(_serializers.items()))
