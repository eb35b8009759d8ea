"""Base of the views that show a person's own appointments."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.authentication import get_user
from appointments.access_log import LISTS, opened
from appointments.models import Appointment, AppointmentQuerySet
from appointments.serializers import (
    AppointmentSerializer,
    appointments_on_wire,
)
from config.api.viewsets import ApiViewSet


class OwnAppointments(ApiViewSet):
    """The current user's appointments, and how they are written for them."""

    queryset = Appointment.objects.none()
    serializer_class = AppointmentSerializer

    def visible(self) -> AppointmentQuerySet:
        """Return the rows that the reader may see, with what the wire needs of their people."""
        return Appointment.objects.visible_to(get_user(self.request)).with_people()

    def read_anew(self, pk: UUID) -> Any:
        """Write an appointment as it stands after an act."""
        return self.on_wire(self.visible().get(pk=pk))

    def on_wire(self, appointment: Any, what: str = "visit") -> Any:
        """Write an appointment, or the rows of one of the lists, for the reader, and that they were opened."""
        many = what in LISTS
        appointments, reader = appointment if many else [appointment], get_user(self.request)
        opened(appointments, reader, what)
        written = appointments_on_wire(appointments, reader, timezone.now())
        return written if many else written[0]
