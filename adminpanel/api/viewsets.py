"""Base class of views for admins."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from accounts.authentication import get_user
from accounts.models import User
from accounts.permissions import IsAdmin
from appointments.models import Appointment
from appointments.serializers import serialize_appointments
from config.api.viewsets import ApiViewSet


class AdminViewSet(ApiViewSet):
    """Base of views for admins."""

    queryset = User.objects.none()
    permission_classes = (IsAdmin,)

    def serialize_appointments(self, appointments: Iterable[Appointment]) -> list[Any]:
        """Return appointments without clinical text."""
        return serialize_appointments(appointments, get_user(self.request), timezone.now())
