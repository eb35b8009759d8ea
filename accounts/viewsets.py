"""Base class of views without authentication."""

from rest_framework.permissions import AllowAny

from accounts.models import User
from config.api.viewsets import ApiViewSet


class UnauthenticatedViewSet(ApiViewSet):
    """Base of views that ignore bearer tokens, such as those of emailed links."""

    no_personal_data_reason = "Nobody is signed in: what a link's or a ticket's own account needs."
    queryset = User.objects.none()
    authentication_classes = ()
    permission_classes = (AllowAny,)
