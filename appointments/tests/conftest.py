"""What tests of single appointments share."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from accounts.models import User
from appointments.models import Appointment


@pytest.fixture
def call(client_of: Callable[[User], APIClient]) -> Callable[..., Response]:
    """Call a route of an appointment as a person, `call(person, appointment, "post", "/undo", **body)`."""

    def send(person: User, appointment: Appointment, method: str = "get", path: str = "", /, **body: Any) -> Response:
        response: Response = getattr(client_of(person), method)(
            f"/api/appointments/{appointment.pk}{path}", body or None, format="json"
        )
        return response

    return send
