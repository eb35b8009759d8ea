"""What the calls of the admin's desk have in common."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from accounts.models import User
from accounts.permissions import IsAdmin
from appointments.models import Appointment
from appointments.serializers import AppointmentSerializer
from config.viewsets import WireViewSet


class ForAdmins(WireViewSet):
    """A call for admins alone."""

    queryset = User.objects.none()
    permission_classes = (IsAdmin,)

    def visits_on_wire(self, visits: Iterable[Appointment]) -> list[Any]:
        """Write visits for an admin: without clinical text."""
        context = {"reader": self.request.user, "now": timezone.now()}
        return [AppointmentSerializer(visit, context=context).data for visit in visits]
