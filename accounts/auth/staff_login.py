"""Sign-in to the staff site, with the same sessions, limits and audit log as the API, in a cookie for `/staff/`."""

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from rest_framework.exceptions import AuthenticationFailed
from rest_framework_simplejwt.exceptions import TokenError

from accounts.audit.log import Action, Outcome, record_event
from accounts.auth.login import SecondStep, SecondStepRequired, SignedIn, complete_second_step, sign_in
from accounts.auth.sessions import sign_out
from accounts.authentication import SessionTokenAuthentication, parse_token
from accounts.credentials import mfa_status
from accounts.models import Role, Session, User
from accounts.text.email_addresses import canonical_email
from config.api.errors import DomainError

COOKIE_NAME = "staff"
STAFF_PATH = "/staff/"


class StaffAuthenticationMiddleware(AuthenticationMiddleware):
    """Set `request.user` on the staff site from the session row; elsewhere the cookie is ignored.

    Replaces Django's middleware, whose sessions would outlive an account.
    """

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: find_staff_user(request))  # type: ignore[assignment]  # as Django's own does


class StaffMessageMiddleware(MessageMiddleware):
    """Enable Django's messages on the staff site only, because they slow down requests."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith(STAFF_PATH):
            super().process_request(request)


def get_staff_session(request: HttpRequest) -> Session | None:
    """Return the session in the cookie, read once per request."""
    if not hasattr(request, "_staff_session"):
        request._staff_session = find_session(request)  # type: ignore[attr-defined]  # kept with the request
    session: Session | None = request._staff_session  # type: ignore[attr-defined]  # as above
    return session


def find_session(request: HttpRequest) -> Session | None:
    """Return the active session in the cookie of a request to the staff site."""
    raw = request.COOKIES.get(COOKIE_NAME, "") if request.path.startswith(STAFF_PATH) else ""
    if not raw:
        return None
    try:
        return SessionTokenAuthentication().get_active_session(*parse_token(raw.encode()))
    except (TokenError, AuthenticationFailed):
        return None


def find_staff_user(request: HttpRequest) -> User | AnonymousUser:
    session = get_staff_session(request)
    return session.user if session else AnonymousUser()


def is_staff(user: object) -> bool:
    """Return whether a user may use the staff site."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.role == Role.ADMIN


def staff_sign_in(request: HttpRequest, email: str, password: str) -> str | SecondStepRequired:
    """Open a session for a staff user; return the token for the cookie, or the required second step.

    Raise what `sign_in` raises, but `login_failed` for other roles and for admins who are not staff. Raise
    `second_step_required` for users who must first set up a second step, on their profile.
    """
    now = timezone.now()
    try:
        result = sign_in(canonical_email(email), password, Role.ADMIN, request, now)
    except DomainError as error:
        if error.code != "wrong_role":
            raise
        raise DomainError("login_failed") from error
    if is_staff(result.user) and not mfa_status.is_setup_required(result.user):
        return result.token if isinstance(result, SignedIn) else result
    if isinstance(result, SignedIn):
        sign_out(Session.objects.select_related("user").get(pk=parse_token(result.token.encode())[0]), now)
    if is_staff(result.user):
        raise DomainError("second_step_required")
    record_event(
        "staff.refused", Action.EXECUTE, "user", result.user.pk, actor=result.user, outcome=Outcome.MINOR_FAILURE
    )
    raise DomainError("login_failed")


def staff_second_step(request: HttpRequest, ticket: str, sent: SecondStep) -> str:
    """Finish the sign-in of a staff user; return the token for the cookie. Raise as `complete_second_step`.

    Tickets of the API are valid too, since they only prove a correct password.
    """
    return complete_second_step(ticket, sent, request, timezone.now(), is_allowed=is_staff).token


def set_cookie(response: HttpResponse, token: str) -> None:
    """Store the token in a cookie that scripts can't read and other sites can't send."""
    response.set_cookie(
        COOKIE_NAME,
        token,
        max_age=settings.SESSION_HOURS * 3600,
        path=STAFF_PATH,
        secure=settings.IS_PRODUCTION,
        httponly=True,
        samesite="Strict",
    )


def sign_out_staff(request: HttpRequest, response: HttpResponse) -> None:
    """End the session and delete the cookie."""
    session = get_staff_session(request)
    if session:
        sign_out(session, timezone.now())
    response.delete_cookie(COOKIE_NAME, path=STAFF_PATH, samesite="Strict")
