"""Views of the second step and passkeys."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts import role_serializers
from accounts.audit.log import current_address
from accounts.auth import passkeys, reauthentication, recovery_codes, totp
from accounts.auth.login import SecondStep, SecondStepRequired, SignedIn, complete_second_step, sign_in_with_passkey
from accounts.auth.mfa_serializers import (
    AddedData,
    AddedPasskeyData,
    AppCodeSerializer,
    CeremonyData,
    NewPasskeySerializer,
    PasskeyData,
    PasskeyNameSerializer,
    PasskeysData,
    PasskeySerializer,
    PasskeySignInSerializer,
    RecoveryCodesData,
    SecondSignInSerializer,
    SecondStepData,
    SecondStepSerializer,
    SecretData,
    SecretSerializer,
)
from accounts.authentication import get_session, get_user
from accounts.credentials import mfa_status
from accounts.credentials.reauthentication_fields import FactorProofSerializer
from accounts.models import User
from accounts.serializers import SignedInData
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from accounts.viewsets import UnauthenticatedViewSet
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet

options_limit = NetworkRateLimit("passkey-options", 200)
proof_limit = RateLimit("factor-proof", 60)


def build_login_response(result: SignedIn | SecondStepRequired) -> ApiResponse:
    """Return the response to a sign-in: token and user, or the required second step."""
    if isinstance(result, SignedIn):
        return ApiResponse({"token": result.token, "user": role_serializers.serialize_user(result.user)}, "Signed in")
    has_passkey = mfa_status.PASSKEY in result.methods
    options = passkeys.build_authentication_options(result.user, result.ticket) if has_passkey else None
    second_step = {"ticket": result.ticket, "methods": result.methods, "passkey": options}
    return ApiResponse({"secondStep": second_step}, "One more step")


@extend_schema(tags=["auth"])
class SecondSignInViewSet(UnauthenticatedViewSet):
    """The second step of a sign-in, and signing in without a password."""

    @extend_schema(operation_id="login_second", request=SecondSignInSerializer, responses=SignedInData)
    @action(methods=["post"], detail=False, extra_error_statuses=("401", "403"))
    def second(self, request: Request) -> ApiResponse:
        """Finish a sign-in with a code, a recovery code or a passkey."""
        form = self.validate_body(SecondSignInSerializer)
        ticket = form.pop("ticket")
        signed_in = complete_second_step(ticket, SecondStep(**form), request, timezone.now(), is_allowed=lambda _: True)
        return build_login_response(signed_in)

    @extend_schema(operation_id="login_passkey_options", request=None, responses=CeremonyData)
    @action(methods=["post"], detail=False, url_path="passkey/options")
    def passkey_options(self, request: Request) -> ApiResponse:
        """Return the options with which the browser signs in with any passkey."""
        options_limit.consume(current_address.get())
        ceremony = passkeys.begin_authentication(timezone.now())
        return ApiResponse({"ticket": ceremony.ticket, "options": ceremony.options})

    @extend_schema(operation_id="login_passkey", request=PasskeySignInSerializer, responses=SignedInData)
    @action(methods=["post"], detail=False, extra_error_statuses=("401", "403"))
    def passkey(self, request: Request) -> ApiResponse:
        """Sign in with a passkey alone."""
        form = self.validate_body(PasskeySignInSerializer)
        return build_login_response(
            sign_in_with_passkey(form["ticket"], form["passkey"], form["role"], request, timezone.now())
        )


class ReauthenticationViewSet(ApiViewSet):
    """Base of views that change how the current user signs in."""

    no_personal_data_reason = "What guards the reader's own account."
    queryset = User.objects.none()

    def reauthenticate(self) -> reauthentication.Reauthentication:
        """Check the current user's password; raise `invalid` with the field."""
        proof = reauthentication.Proof.from_form(self.validate_body(FactorProofSerializer))
        return reauthentication.reauthenticate(get_user(self.request), proof)


@extend_schema(tags=["auth"])
class SecondStepViewSet(ReauthenticationViewSet):
    """The current user's second step: the authenticator app and the recovery codes."""

    second_step_exempt_actions = (
        "retrieve",
        "begin_proof",
        "start_app",
        "turn_app_on",
        "turn_app_off",
        "make_recovery_codes",
    )

    @extend_schema(operation_id="second_step_retrieve", responses=SecondStepData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return the state of the second step; secrets and codes can't be shown again."""
        user = get_user(request)
        state = {
            "since": user.second_step_at,
            "methods": mfa_status.list_methods(user),
            "due": mfa_status.is_setup_required(user),
            "app": totp.find_app(user),
            "recoveryCodesLeft": recovery_codes.count_unused_codes(user),
        }
        return ApiResponse({"secondStep": SecondStepSerializer(state).data})

    @extend_schema(operation_id="second_step_proof_begin", request=None, responses=CeremonyData)
    @action(methods=["post"], detail=False, url_path="proof")
    def begin_proof(self, request: Request) -> ApiResponse:
        """Return the options with which the browser proves a passkey, before a change of factors."""
        user = get_user(request)
        proof_limit.consume(str(user.pk))
        ceremony = reauthentication.begin_proof(user, timezone.now())
        return ApiResponse({"ticket": ceremony.ticket, "options": ceremony.options})

    @extend_schema(operation_id="second_step_app_start", request=FactorProofSerializer, responses={201: SecretData})
    @action(methods=["post"], detail=False, url_path="app", url_name="app")
    def start_app(self, request: Request) -> ApiResponse:
        """Create the secret of an authenticator app, show it once, and wait 15 minutes for its first code."""
        now = timezone.now()
        with self.reauthenticate().authorize_change(now) as user:
            secret = totp.start_setup(user, now)
        return ApiResponse({"secret": SecretSerializer(secret).data}, "Scan the picture with your app", status=201)

    @extend_schema(operation_id="second_step_app_on", request=AppCodeSerializer, responses=AddedData)
    @start_app.mapping.put
    def turn_app_on(self, request: Request) -> ApiResponse:
        """Turn the app on by its first code."""
        code = self.validate_body(AppCodeSerializer)["code"]
        codes = totp.enable_app(get_user(request), code, get_session(request), timezone.now())
        return ApiResponse({"recoveryCodes": codes}, "Your authenticator app is on")

    @extend_schema(operation_id="second_step_app_off", request=FactorProofSerializer, responses={200: None})
    @action(methods=["post"], detail=False, url_path="app/off")
    def turn_app_off(self, request: Request) -> ApiResponse:
        """Turn the app off."""
        with self.reauthenticate().authorize_change(timezone.now()) as user:
            totp.disable_app(user)
        return ApiResponse(message="Your authenticator app is off")

    @extend_schema(
        operation_id="recovery_codes_create", request=FactorProofSerializer, responses={201: RecoveryCodesData}
    )
    @action(methods=["post"], detail=False, url_path="recovery-codes")
    def make_recovery_codes(self, request: Request) -> ApiResponse:
        """Create ten new recovery codes and show them once; earlier ones stop working."""
        now = timezone.now()
        with self.reauthenticate().authorize_change(now) as user:
            codes = recovery_codes.regenerate_codes(user, now)
        return ApiResponse({"recoveryCodes": codes}, "New recovery codes made", status=201)


@extend_schema(tags=["auth"])
class PasskeyViewSet(ReauthenticationViewSet):
    """The current user's passkeys."""

    second_step_exempt_actions = ("list", "begin", "create", "update", "remove")

    @extend_schema(operation_id="passkeys_list", responses=PasskeysData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """List the current user's passkeys, oldest first; at most 20."""
        return ApiResponse({"passkeys": PasskeySerializer(passkeys.list_passkeys(get_user(request)), many=True).data})

    @extend_schema(operation_id="passkeys_begin", request=FactorProofSerializer, responses=CeremonyData)
    @action(methods=["post"], detail=False, url_path="options")
    def begin(self, request: Request) -> ApiResponse:
        """Return the options with which the browser creates a passkey."""
        now = timezone.now()
        with self.reauthenticate().authorize_change(now) as user:
            ceremony = passkeys.begin_registration(user, now)
        return ApiResponse({"ticket": ceremony.ticket, "options": ceremony.options})

    @extend_schema(operation_id="passkeys_create", request=NewPasskeySerializer, responses={201: AddedPasskeyData})
    def create(self, request: Request) -> ApiResponse:
        """Store a passkey that the browser created."""
        form = self.validate_body(NewPasskeySerializer)
        passkey, codes = passkeys.add_passkey(
            get_user(request), form["ticket"], form["name"], form["passkey"], get_session(request), timezone.now()
        )
        return ApiResponse(
            {"passkey": PasskeySerializer(passkey).data, "recoveryCodes": codes}, "Passkey added", status=201
        )

    @extend_schema(operation_id="passkeys_rename", request=PasskeyNameSerializer, responses=PasskeyData)
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Rename a passkey."""
        passkey = passkeys.rename_passkey(get_user(request), pk, self.validate_body(PasskeyNameSerializer)["name"])
        return ApiResponse({"passkey": PasskeySerializer(passkey).data}, "Passkey renamed")

    @extend_schema(operation_id="passkeys_remove", request=FactorProofSerializer, responses={200: None})
    @action(methods=["post"], detail=True)
    def remove(self, request: Request, pk: UUID) -> ApiResponse:
        """Delete a passkey."""
        with self.reauthenticate().authorize_change(timezone.now()) as user:
            passkeys.remove_passkey(user, pk)
        return ApiResponse(message="Passkey removed")
