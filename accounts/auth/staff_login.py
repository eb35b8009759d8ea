"""Sign in to the staff site: the same sessions, limits and trail as everywhere, in a cookie of `/staff/` alone."""

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
from accounts.auth.login import SecondStep, SecondStepDue, SignedIn, sign_in, take_second_step
from accounts.auth.sessions import sign_out
from accounts.authentication import SessionTokenAuthentication, named_in
from accounts.credentials import mfa_status
from accounts.models import Role, Session, User
from accounts.text.email_addresses import canonical_email
from config.api.errors import DomainError

COOKIE = "staff"
PATH = "/staff/"


class StaffAuthenticationMiddleware(AuthenticationMiddleware):
    """Return who is asking on the staff site; everywhere else the cookie means nothing.

    Stands in for Django's own, whose sessions would outlive an account: here too the session row is the authority,
    read together with the person on each request.
    """

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: person_behind(request))  # type: ignore[assignment]  # as Django's own does


class StaffMessageMiddleware(MessageMiddleware):
    """Keep Django's messages on the staff site; nobody shows any elsewhere, and making their place has its price."""

    def process_request(self, request: HttpRequest) -> None:
        if request.path_info.startswith(PATH):
            super().process_request(request)


def session_behind(request: HttpRequest) -> Session | None:
    """Read the living session that the cookie names, once for each request."""
    if not hasattr(request, "_staff_session"):
        request._staff_session = living_session(request)  # type: ignore[attr-defined]  # kept with the request
    session: Session | None = request._staff_session  # type: ignore[attr-defined]  # as above
    return session


def living_session(request: HttpRequest) -> Session | None:
    """Read the session that the cookie of a request to the staff site names, if it is alive."""
    raw = request.COOKIES.get(COOKIE, "") if request.path.startswith(PATH) else ""
    if not raw:
        return None
    try:
        return SessionTokenAuthentication().living_session(*named_in(raw.encode()))
    except (TokenError, AuthenticationFailed):
        return None


def person_behind(request: HttpRequest) -> User | AnonymousUser:
    """Return the person whose session the cookie names, or nobody."""
    session = session_behind(request)
    return session.user if session else AnonymousUser()


def is_staff(user: object) -> bool:
    """Return whether someone may enter the staff site."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.role == Role.ADMIN


def staff_sign_in(request: HttpRequest, email: str, password: str) -> str | SecondStepDue:
    """Open a session for a member of staff; return the token for the cookie, or what the second step needs.

    Raises what `sign_in` raises, but `login_failed` for an account of another role and for an admin who is not staff:
    this page signs in nobody else. Raises `second_step_required` for a person who must first set up a second step,
    which is done on the profile.
    """
    now = timezone.now()
    try:
        done = sign_in(canonical_email(email), password, Role.ADMIN, request, now)
    except DomainError as refused:
        if refused.code != "wrong_role":
            raise
        raise DomainError("login_failed") from refused
    if is_staff(done.user) and not mfa_status.is_due(done.user):
        return done.token if isinstance(done, SignedIn) else done
    if isinstance(done, SignedIn):
        sign_out(Session.objects.select_related("user").get(pk=named_in(done.token.encode())[0]), now)
    if is_staff(done.user):
        raise DomainError("second_step_required")
    record_event("staff.refused", Action.EXECUTE, "user", done.user.pk, actor=done.user, outcome=Outcome.MINOR_FAILURE)
    raise DomainError("login_failed")


def staff_second_step(request: HttpRequest, ticket: str, sent: SecondStep) -> str:
    """Finish the sign-in of a member of staff; return the token for the cookie. Raises what `take_second_step` raises.

    A ticket of the API serves as well: it says no more than that the password was right.
    """
    return take_second_step(ticket, sent, request, timezone.now(), may=is_staff).token


def keep(response: HttpResponse, token: str) -> None:
    """Put the token into a cookie that no script reads and no other site sends."""
    response.set_cookie(
        COOKIE,
        token,
        max_age=settings.SESSION_HOURS * 3600,
        path=PATH,
        secure=settings.IS_PRODUCTION,
        httponly=True,
        samesite="Strict",
    )


def leave(request: HttpRequest, response: HttpResponse) -> None:
    """End the session and take the cookie back."""
    session = session_behind(request)
    if session:
        sign_out(session, timezone.now())
    response.delete_cookie(COOKIE, path=PATH, samesite="Strict")
