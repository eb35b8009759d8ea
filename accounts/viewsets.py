"""Base of the views that look up no session."""

from rest_framework.permissions import AllowAny

from accounts.models import User
from config.api.viewsets import ApiViewSet


class BlindViewSet(ApiViewSet):
    """Base for calls made with a mailed link: no session is looked up."""

    no_personal_data_reason = "Nobody is signed in: what a link's or a ticket's own account needs."
    queryset = User.objects.none()
    authentication_classes = ()
    permission_classes = (AllowAny,)
