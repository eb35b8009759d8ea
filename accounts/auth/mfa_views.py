"""The second step and passkeys over HTTP: parse, call, answer."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts import role_serializers
from accounts.audit.log import current_address
from accounts.auth import passkeys, reauthentication, recovery_codes, totp
from accounts.auth.login import SecondStep, SecondStepDue, SignedIn, sign_in_by_passkey, take_second_step
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
from accounts.authentication import person_of, session_of
from accounts.credentials import mfa_status
from accounts.credentials.reauthentication_fields import FactorProofSerializer
from accounts.models import User
from accounts.serializers import SignedInData
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from accounts.viewsets import BlindViewSet
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet

# A ticket costs nothing but its signature; still nobody needs so many.
tickets_asked = NetworkRateLimit("passkey-options", 200)
proofs_begun = RateLimit("factor-proof", 60)


def login_answer(done: SignedIn | SecondStepDue) -> ApiResponse:
    """Return a sign-in: token and person, or what the second step needs."""
    if isinstance(done, SignedIn):
        return ApiResponse({"token": done.token, "user": role_serializers.represent(done.user)}, "Signed in")
    asked = passkeys.ask_for_one(done.user, done.ticket) if mfa_status.PASSKEY in done.methods else None
    due = {"ticket": done.ticket, "methods": done.methods, "passkey": asked}
    return ApiResponse({"secondStep": due}, "One more step")


@extend_schema(tags=["auth"])
class SecondSignInViewSet(BlindViewSet):
    """The second step of a sign-in, and signing in without a password."""

    @extend_schema(operation_id="login_second", request=SecondSignInSerializer, responses=SignedInData)
    @action(methods=["post"], detail=False, extra_error_statuses=("401", "403"))
    def second(self, request: Request) -> ApiResponse:
        """Finish a sign-in with a code, a recovery code or a passkey."""
        form = self.validate_body(SecondSignInSerializer)
        ticket = form.pop("ticket")
        done = take_second_step(ticket, SecondStep(**form), request, timezone.now(), may=lambda _: True)
        return login_answer(done)

    @extend_schema(operation_id="login_passkey_options", request=None, responses=CeremonyData)
    @action(methods=["post"], detail=False, url_path="passkey/options")
    def passkey_options(self, request: Request) -> ApiResponse:
        """Say what the browser is to sign with whatever passkey its person chooses."""
        tickets_asked.consume(current_address.get())
        asked = passkeys.ask_for_any(timezone.now())
        return ApiResponse({"ticket": asked.ticket, "options": asked.options})

    @extend_schema(operation_id="login_passkey", request=PasskeySignInSerializer, responses=SignedInData)
    @action(methods=["post"], detail=False, extra_error_statuses=("401", "403"))
    def passkey(self, request: Request) -> ApiResponse:
        """Sign in with a passkey alone, and as what."""
        form = self.validate_body(PasskeySignInSerializer)
        return login_answer(sign_in_by_passkey(form["ticket"], form["passkey"], form["role"], request, timezone.now()))


class GuardedViewSet(ApiViewSet):
    """What guards the current user's account."""

    no_personal_data_reason = "What guards the reader's own account."
    queryset = User.objects.none()

    def checked(self) -> reauthentication.Checked:
        """Return who asks, once the guard has checked the password; raises `invalid` naming the field."""
        proof = reauthentication.Proof.in_form(self.validate_body(FactorProofSerializer))
        return reauthentication.check(person_of(self.request), proof)


@extend_schema(tags=["auth"])
class SecondStepViewSet(GuardedViewSet):
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
        """Say how one's second step stands; secrets and codes can't be shown again."""
        person = person_of(request)
        standing = {
            "since": person.second_step_at,
            "methods": mfa_status.methods_of(person),
            "due": mfa_status.is_due(person),
            "app": totp.app_of(person),
            "recoveryCodesLeft": recovery_codes.left(person),
        }
        return ApiResponse({"secondStep": SecondStepSerializer(standing).data})

    @extend_schema(operation_id="second_step_proof_begin", request=None, responses=CeremonyData)
    @action(methods=["post"], detail=False, url_path="proof")
    def begin_proof(self, request: Request) -> ApiResponse:
        """Say what the browser is to sign with a passkey, as proof for a change of factors."""
        person = person_of(request)
        proofs_begun.consume(str(person.pk))
        asked = reauthentication.begin_proof(person, timezone.now())
        return ApiResponse({"ticket": asked.ticket, "options": asked.options})

    @extend_schema(operation_id="second_step_app_start", request=FactorProofSerializer, responses={201: SecretData})
    @action(methods=["post"], detail=False, url_path="app", url_name="app")
    def start_app(self, request: Request) -> ApiResponse:
        """Make a secret for an authenticator app and show it this once; it waits 15 minutes for its first code."""
        now = timezone.now()
        with self.checked().change(now) as person:
            secret = totp.start(person, now)
        return ApiResponse({"secret": SecretSerializer(secret).data}, "Scan the picture with your app", status=201)

    @extend_schema(operation_id="second_step_app_on", request=AppCodeSerializer, responses=AddedData)
    @start_app.mapping.put
    def turn_app_on(self, request: Request) -> ApiResponse:
        """Turn the app on by its first code."""
        code = self.validate_body(AppCodeSerializer)["code"]
        codes = totp.turn_on(person_of(request), code, session_of(request), timezone.now())
        return ApiResponse({"recoveryCodes": codes}, "Your authenticator app is on")

    @extend_schema(operation_id="second_step_app_off", request=FactorProofSerializer, responses={200: None})
    @action(methods=["post"], detail=False, url_path="app/off")
    def turn_app_off(self, request: Request) -> ApiResponse:
        """Turn the app off."""
        with self.checked().change(timezone.now()) as person:
            totp.turn_off(person)
        return ApiResponse(message="Your authenticator app is off")

    @extend_schema(
        operation_id="recovery_codes_create", request=FactorProofSerializer, responses={201: RecoveryCodesData}
    )
    @action(methods=["post"], detail=False, url_path="recovery-codes")
    def make_recovery_codes(self, request: Request) -> ApiResponse:
        """Make ten new recovery codes and show them this once; the earlier ones stop working."""
        now = timezone.now()
        with self.checked().change(now) as person:
            codes = recovery_codes.make_new(person, now)
        return ApiResponse({"recoveryCodes": codes}, "New recovery codes made", status=201)


@extend_schema(tags=["auth"])
class PasskeyViewSet(GuardedViewSet):
    """The current user's passkeys."""

    second_step_exempt_actions = ("list", "begin", "create", "update", "remove")

    @extend_schema(operation_id="passkeys_list", responses=PasskeysData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """List one's passkeys, the oldest first; 20 at most."""
        return ApiResponse({"passkeys": PasskeySerializer(passkeys.of_person(person_of(request)), many=True).data})

    @extend_schema(operation_id="passkeys_begin", request=FactorProofSerializer, responses=CeremonyData)
    @action(methods=["post"], detail=False, url_path="options")
    def begin(self, request: Request) -> ApiResponse:
        """Say how the browser is to make a new passkey."""
        now = timezone.now()
        with self.checked().change(now) as person:
            asked = passkeys.begin_adding(person, now)
        return ApiResponse({"ticket": asked.ticket, "options": asked.options})

    @extend_schema(operation_id="passkeys_create", request=NewPasskeySerializer, responses={201: AddedPasskeyData})
    def create(self, request: Request) -> ApiResponse:
        """Keep the passkey that the browser made."""
        form = self.validate_body(NewPasskeySerializer)
        passkey, codes = passkeys.add(
            person_of(request), form["ticket"], form["name"], form["passkey"], session_of(request), timezone.now()
        )
        return ApiResponse(
            {"passkey": PasskeySerializer(passkey).data, "recoveryCodes": codes}, "Passkey added", status=201
        )

    @extend_schema(operation_id="passkeys_rename", request=PasskeyNameSerializer, responses=PasskeyData)
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Call a passkey something else."""
        passkey = passkeys.rename(person_of(request), pk, self.validate_body(PasskeyNameSerializer)["name"])
        return ApiResponse({"passkey": PasskeySerializer(passkey).data}, "Passkey renamed")

    @extend_schema(operation_id="passkeys_remove", request=FactorProofSerializer, responses={200: None})
    @action(methods=["post"], detail=True)
    def remove(self, request: Request, pk: UUID) -> ApiResponse:
        """Forget a passkey; it lets nobody in any more."""
        with self.checked().change(timezone.now()) as person:
            passkeys.remove(person, pk)
        return ApiResponse(message="Passkey removed")
