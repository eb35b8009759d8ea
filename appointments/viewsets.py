"""Base class of views of a user's own appointments."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.authentication import get_user
from appointments.access_log import LIST_VIEWS, log_access
from appointments.models import Appointment, AppointmentQuerySet
from appointments.serializers import (
    AppointmentSerializer,
    serialize_appointments,
)
from config.api.viewsets import ApiViewSet


class OwnAppointments(ApiViewSet):
    """Base of views of the current user's appointments."""

    queryset = Appointment.objects.none()
    serializer_class = AppointmentSerializer

    def get_visible(self) -> AppointmentQuerySet:
        """Return the appointments that the reader may see, with participants and proposals."""
        return Appointment.objects.visible_to(get_user(self.request)).with_people()

    def get_current(self, pk: UUID) -> Any:
        """Return the current state of an appointment."""
        return self.serialize(self.get_visible().get(pk=pk))

    def serialize(self, appointment: Any, what: str = "visit") -> Any:
        """Return an appointment, or the rows of a list, for the reader, and record the access."""
        many = what in LIST_VIEWS
        appointments, reader = appointment if many else [appointment], get_user(self.request)
        log_access(appointments, reader, what)
        written = serialize_appointments(appointments, reader, timezone.now())
        return written if many else written[0]
