"""One's own account over HTTP: take one's data away, close it. Parse, call, answer."""

import tempfile

from django.http import FileResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.authentication import person_of
from accounts.limits import Limit
from accounts.models import User
from accounts.profile import check_own_password
from accounts.serializers import PasswordAgainSerializer
from adminpanel.people_wire import EffectsData
from adminpanel.personal_data import write_export
from appointments.endings import end_account, look_ahead
from appointments.serializers import visits_on_wire
from config.downloads import FileRenderer
from config.viewsets import WireViewSet
from config.wire import Answer

# Each one reads everything about a person.
exports = Limit("exports", 5)
# What is larger waits on the disk.
IN_MEMORY = 4 * 1024 * 1024


@extend_schema(tags=["auth"])
class OwnAccountViewSet(WireViewSet):
    """What people may do with their own account, whatever their role."""

    queryset = User.objects.none()

    def ask_password(self) -> User:
        """Answer who asks, once the password has been given again; raises `invalid` naming it."""
        person = person_of(self.request)
        check_own_password(person, self.read(PasswordAgainSerializer)["current_password"])
        return person

    @extend_schema(operation_id="account_closing", responses=EffectsData)
    def closing(self, request: Request) -> Answer:
        """Say what closing one's account would do: visits ahead, and how many people hear of it."""
        person, now = person_of(request), timezone.now()
        effects = look_ahead(person, now, by=person, ending=True, own=True)
        visits = visits_on_wire(effects.appointments, person, now, without_clinical=True)
        return Answer({"effects": {"upcoming": effects.upcoming, "messages": effects.messages, "appointments": visits}})

    @extend_schema(operation_id="account_close", request=PasswordAgainSerializer, responses={200: None})
    def close(self, request: Request) -> Answer:
        """Close one's account for good: visits ahead are cancelled and told of, every session ends."""
        person = self.ask_password()
        end_account(person.pk, by=person, now=timezone.now(), own=True)
        return Answer(message="Your account is closed")


@extend_schema(tags=["auth"])
class OwnDataViewSet(OwnAccountViewSet):
    """One's data, to take away."""

    def get_renderers(self) -> list[BaseRenderer]:
        return [FileRenderer()]

    @extend_schema(
        operation_id="account_export",
        request=PasswordAgainSerializer,
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def create(self, request: Request) -> FileResponse:
        """Hand out all that is kept about whoever asks, as a ZIP file."""
        person, now = self.ask_password(), timezone.now()
        exports.take(str(person.pk))
        # Closed, and so deleted, when the answer has been sent.
        out = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - as said
        try:
            write_export(person, out, now, by=person)
            out.seek(0)
        except BaseException:
            out.close()
            raise
        response = FileResponse(out, as_attachment=True, filename=f"wellhour-{now.date().isoformat()}.zip")
        response["Content-Type"] = "application/zip"
        response["Cache-Control"] = "no-store"
        return response
