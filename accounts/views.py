"""Views of sign-in, registration, profile, sessions and calendar feed."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import role_serializers
from accounts.auth.login import sign_in
from accounts.auth.mfa_serializers import LoginData
from accounts.auth.mfa_views import build_login_response
from accounts.auth.reauthentication import Proof
from accounts.auth.sessions import end_other_sessions, end_own_session, list_active_sessions, open_session, sign_out
from accounts.authentication import get_session, get_user
from accounts.calendar_feed import create_feed, find_feed, revoke_feed
from accounts.models import CalendarFeed, Session, User
from accounts.notifications.languages import preferred_language
from accounts.permissions import IsDoctor, IsPatient
from accounts.profile import change_password, update_profile
from accounts.registration import register_patient
from accounts.serializers import (
    CalendarFeedData,
    CalendarFeedSerializer,
    LoginSerializer,
    NewCalendarFeedData,
    PasswordChangeSerializer,
    PatientRegistrationSerializer,
    ProfileChangesSerializer,
    SessionsData,
    SessionSerializer,
    SignedInData,
    UserData,
)
from config.api.parsers import MultipartJSONParser, StrictJSONParser
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet


@extend_schema(tags=["auth"])
class SignInViewSet(ApiViewSet):
    """Sign in."""

    no_personal_data_reason = "The account that signs in."
    queryset = Session.objects.none()
    # Tokens are ignored, so that an expired one does not prevent signing in.
    authentication_classes = ()
    permission_classes = (AllowAny,)
    extra_error_statuses = ("401", "403")

    @extend_schema(operation_id="login", request=LoginSerializer, responses=LoginData)
    def login(self, request: Request) -> ApiResponse:
        """Sign in with email, password and role; users with a second step get a ticket for it instead of a token."""
        form = self.validate_body(LoginSerializer)
        return build_login_response(sign_in(form["email"], form["password"], form["role"], request, timezone.now()))


@extend_schema(tags=["auth"])
class SignOutViewSet(ApiViewSet):
    """Sign out."""

    no_personal_data_reason = "Nothing but that it is done."
    queryset = Session.objects.none()
    second_step_exempt_actions = ("logout",)

    @extend_schema(operation_id="logout", request=None, responses={200: None})
    def logout(self, request: Request) -> ApiResponse:
        """End the current session and invalidate its token."""
        sign_out(get_session(request), timezone.now())
        return ApiResponse(message="Signed out")


@extend_schema(tags=["auth"])
class PatientRegistrationViewSet(ApiViewSet):
    """Registration of patients."""

    no_personal_data_reason = "The new account's own data."
    queryset = User.objects.none()
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="registerPatient", request=PatientRegistrationSerializer, responses={201: SignedInData})
    def create(self, request: Request) -> ApiResponse:
        """Create a patient's account and sign in."""
        form = self.validate_body(PatientRegistrationSerializer)
        now = timezone.now()
        user = register_patient(form, now, preferred_language(request))
        token = open_session(user, request, now)
        return ApiResponse(
            {"token": token, "user": role_serializers.serialize_user(user)}, "Registration successful", status=201
        )


@extend_schema(tags=["auth"])
class ProfileViewSet(ApiViewSet):
    """The current user's profile."""

    no_personal_data_reason = "The reader's own profile."
    queryset = User.objects.none()
    parser_classes = (StrictJSONParser, MultipartJSONParser)
    json_parts = ("address", "passkey")
    second_step_exempt_actions = ("retrieve",)

    @extend_schema(operation_id="profile_retrieve", responses=UserData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return the current user's profile."""
        return ApiResponse({"user": role_serializers.serialize_user(get_user(request))})

    @extend_schema(operation_id="profile_update", request=ProfileChangesSerializer, responses=UserData)
    def update(self, request: Request) -> ApiResponse:
        """Change the fields that are sent; absent fields stay."""
        user = update_profile(
            get_user(request), self.validate_body(ProfileChangesSerializer, partial=True), timezone.now()
        )
        return ApiResponse({"user": role_serializers.serialize_user(user)}, "Profile updated successfully")


@extend_schema(tags=["auth"])
class PasswordViewSet(ApiViewSet):
    """The current user's password."""

    no_personal_data_reason = "The reader's own account."
    queryset = User.objects.none()

    @extend_schema(operation_id="password_update", request=PasswordChangeSerializer, responses={200: None})
    def update(self, request: Request) -> ApiResponse:
        """Set a new password and end all other sessions."""
        form = self.validate_body(PasswordChangeSerializer)
        proof = Proof.from_form(form)
        change_password(get_user(request), proof, form["new_password"], get_session(request), timezone.now())
        return ApiResponse(message="Password changed successfully")


@extend_schema(tags=["auth"])
class SessionViewSet(ApiViewSet):
    """The current user's sessions."""

    no_personal_data_reason = "The reader's own sessions."
    queryset = Session.objects.none()

    @extend_schema(operation_id="sessions_list", responses=SessionsData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """List the current user's active sessions, the most recently used first."""
        sessions = list_active_sessions(get_user(request), timezone.now())
        return ApiResponse(
            {"sessions": SessionSerializer(sessions, many=True, context={"current": get_session(request)}).data}
        )

    @extend_schema(operation_id="sessions_destroy_others", responses={200: None})
    def bulk_destroy(self, request: Request) -> ApiResponse:
        """End all other sessions of the current user."""
        end_other_sessions(get_session(request), timezone.now())
        return ApiResponse(message="Signed out everywhere else")

    @extend_schema(operation_id="sessions_destroy", responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """End a session of the current user."""
        end_own_session(get_user(request), pk, timezone.now())
        return ApiResponse(message="Session ended")


@extend_schema(tags=["auth"])
class CalendarFeedViewSet(ApiViewSet):
    """The private URL of the current user's calendar."""

    no_personal_data_reason = "The reader's own address."
    queryset = CalendarFeed.objects.none()
    permission_classes = (IsPatient | IsDoctor,)

    @extend_schema(operation_id="calendar_feed_retrieve", responses=CalendarFeedData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return whether there is a URL; it can't be shown again."""
        feed = find_feed(get_user(request))
        return ApiResponse({"feed": CalendarFeedSerializer(feed).data if feed else None})

    @extend_schema(operation_id="calendar_feed_create", request=None, responses={201: NewCalendarFeedData})
    def create(self, request: Request) -> ApiResponse:
        """Create a URL and show it once; an earlier one stops working."""
        feed, address = create_feed(get_user(request), timezone.now())
        return ApiResponse(
            {"feed": CalendarFeedSerializer(feed).data, "address": address}, "Calendar address made", status=201
        )

    @extend_schema(operation_id="calendar_feed_destroy", responses={200: None})
    def destroy(self, request: Request) -> ApiResponse:
        """Revoke the URL."""
        revoke_feed(get_user(request), actor=get_user(request))
        return ApiResponse(message="Calendar address taken back")
