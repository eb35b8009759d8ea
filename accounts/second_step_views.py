"""The second step and passkeys over HTTP: parse, call, answer."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts import authenticator_app, passkeys, recovery_codes, role_parts, second_step
from accounts.authentication import person_of, session_of
from accounts.limits import Limit, network_of
from accounts.link_views import BlindViewSet
from accounts.models import User
from accounts.profile import check_own_password
from accounts.second_step_wire import (
    AddedData,
    AddedPasskeyData,
    AppCodeSerializer,
    AppOffSerializer,
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
from accounts.serializers import PasswordAgainSerializer, SignedInData
from accounts.sign_in import SecondStep, SecondStepDue, SignedIn, sign_in_by_passkey, take_second_step
from accounts.trail import current_address
from config.viewsets import WireViewSet
from config.wire import Answer

# A ticket costs nothing but its signature; still nobody needs so many.
tickets_asked = Limit("passkey-options", 200)


def login_answer(done: SignedIn | SecondStepDue) -> Answer:
    """Answer a sign-in: token and person, or what the second step needs."""
    if isinstance(done, SignedIn):
        return Answer({"token": done.token, "user": role_parts.represent(done.user)}, "Signed in")
    asked = passkeys.ask_for_one(done.user, done.ticket) if second_step.PASSKEY in done.methods else None
    due = {"ticket": done.ticket, "methods": done.methods, "passkey": asked}
    return Answer({"secondStep": due}, "One more step")


@extend_schema(tags=["auth"])
class SecondSignInViewSet(BlindViewSet):
    """The second step of a sign-in, and signing in without a password."""

    @extend_schema(operation_id="login_second", request=SecondSignInSerializer, responses=SignedInData)
    def second(self, request: Request) -> Answer:
        """Finish a sign-in with a code, a recovery code or a passkey."""
        form = self.read(SecondSignInSerializer)
        ticket = form.pop("ticket")
        done = take_second_step(ticket, SecondStep(**form), request, timezone.now(), may=lambda _: True)
        return login_answer(done)

    @extend_schema(operation_id="login_passkey_options", request=None, responses=CeremonyData)
    def options_for_any(self, request: Request) -> Answer:
        """Say what the browser is to sign with whatever passkey its person chooses."""
        tickets_asked.take(network_of(current_address.get()))
        asked = passkeys.ask_for_any(timezone.now())
        return Answer({"ticket": asked.ticket, "options": asked.options})

    @extend_schema(operation_id="login_passkey", request=PasskeySignInSerializer, responses=SignedInData)
    def passkey(self, request: Request) -> Answer:
        """Sign in with a passkey alone, and as what."""
        form = self.read(PasskeySignInSerializer)
        return login_answer(sign_in_by_passkey(form["ticket"], form["passkey"], form["role"], request, timezone.now()))


class GuardedViewSet(WireViewSet):
    """What guards the account of whoever asks."""

    queryset = User.objects.none()

    def ask_password(self) -> User:
        """Answer who asks, once the password has been given again; raises `invalid` naming it."""
        person = person_of(self.request)
        check_own_password(person, self.read(PasswordAgainSerializer)["current_password"])
        return person


@extend_schema(tags=["auth"])
class SecondStepViewSet(GuardedViewSet):
    """The second step of whoever asks: the authenticator app and the recovery codes."""

    without_second_step = ("retrieve", "start_app", "turn_app_on", "turn_app_off", "make_recovery_codes")

    @extend_schema(operation_id="second_step_retrieve", responses=SecondStepData)
    def retrieve(self, request: Request) -> Answer:
        """Say how one's second step stands; secrets and codes can't be shown again."""
        person = person_of(request)
        standing = {
            "since": person.second_step_at,
            "due": second_step.is_due(person),
            "app": authenticator_app.app_of(person),
            "recoveryCodesLeft": recovery_codes.left(person),
        }
        return Answer({"secondStep": SecondStepSerializer(standing).data})

    @extend_schema(operation_id="second_step_app_start", request=PasswordAgainSerializer, responses={201: SecretData})
    def start_app(self, request: Request) -> Answer:
        """Make a secret for an authenticator app and show it this once; it waits 15 minutes for its first code."""
        secret = authenticator_app.start(self.ask_password(), timezone.now())
        return Answer({"secret": SecretSerializer(secret).data}, "Scan the picture with your app", status=201)

    @extend_schema(operation_id="second_step_app_on", request=AppCodeSerializer, responses=AddedData)
    def turn_app_on(self, request: Request) -> Answer:
        """Turn the app on by its first code."""
        code = self.read(AppCodeSerializer)["code"]
        codes = authenticator_app.turn_on(person_of(request), code, session_of(request), timezone.now())
        return Answer({"recoveryCodes": codes}, "Your authenticator app is on")

    @extend_schema(operation_id="second_step_app_off", request=AppOffSerializer, responses={200: None})
    def turn_app_off(self, request: Request) -> Answer:
        """Turn the app off."""
        form = self.read(AppOffSerializer)
        person = person_of(request)
        check_own_password(person, form["current_password"])
        authenticator_app.turn_off(person, form["code"], form["recovery_code"], timezone.now())
        return Answer(message="Your authenticator app is off")

    @extend_schema(
        operation_id="recovery_codes_create", request=PasswordAgainSerializer, responses={201: RecoveryCodesData}
    )
    def make_recovery_codes(self, request: Request) -> Answer:
        """Make ten new recovery codes and show them this once; the earlier ones stop working."""
        codes = recovery_codes.make_new(self.ask_password(), timezone.now())
        return Answer({"recoveryCodes": codes}, "New recovery codes made", status=201)


@extend_schema(tags=["auth"])
class PasskeyViewSet(GuardedViewSet):
    """The passkeys of whoever asks."""

    without_second_step = ("list", "begin", "create", "rename", "remove")

    @extend_schema(operation_id="passkeys_list", responses=PasskeysData, filters=False)
    def list(self, request: Request) -> Answer:
        """List one's passkeys, the oldest first; 20 at most."""
        return Answer({"passkeys": PasskeySerializer(passkeys.of_person(person_of(request)), many=True).data})

    @extend_schema(operation_id="passkeys_begin", request=PasswordAgainSerializer, responses=CeremonyData)
    def begin(self, request: Request) -> Answer:
        """Say how the browser is to make a new passkey."""
        asked = passkeys.begin_adding(self.ask_password(), timezone.now())
        return Answer({"ticket": asked.ticket, "options": asked.options})

    @extend_schema(operation_id="passkeys_create", request=NewPasskeySerializer, responses={201: AddedPasskeyData})
    def create(self, request: Request) -> Answer:
        """Keep the passkey that the browser made."""
        form = self.read(NewPasskeySerializer)
        passkey, codes = passkeys.add(
            person_of(request), form["ticket"], form["name"], form["passkey"], session_of(request), timezone.now()
        )
        return Answer({"passkey": PasskeySerializer(passkey).data, "recoveryCodes": codes}, "Passkey added", status=201)

    @extend_schema(operation_id="passkeys_rename", request=PasskeyNameSerializer, responses=PasskeyData)
    def rename(self, request: Request, pk: UUID) -> Answer:
        """Call a passkey something else."""
        passkey = passkeys.rename(person_of(request), pk, self.read(PasskeyNameSerializer)["name"])
        return Answer({"passkey": PasskeySerializer(passkey).data}, "Passkey renamed")

    @extend_schema(operation_id="passkeys_remove", request=PasswordAgainSerializer, responses={200: None})
    def remove(self, request: Request, pk: UUID) -> Answer:
        """Forget a passkey; it lets nobody in any more."""
        passkeys.remove(self.ask_password(), pk)
        return Answer(message="Passkey removed")
