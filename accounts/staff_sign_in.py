"""Sign in to the staff site: the same sessions, limits and trail as everywhere, in a cookie of `/staff/` alone."""

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from rest_framework.exceptions import AuthenticationFailed
from rest_framework_simplejwt.exceptions import TokenError

from accounts.addresses import canonical_email
from accounts.authentication import SessionToken, SessionTokenAuthentication
from accounts.models import Role, Session, User
from accounts.sessions import sign_out
from accounts.sign_in import sign_in
from accounts.trail import Action, Outcome, record
from config.errors import RuleBroken

COOKIE = "staff"
PATH = "/staff/"


class StaffAuthenticationMiddleware(AuthenticationMiddleware):
    """Answer who is asking on the staff site; everywhere else the cookie means nothing.

    Stands in for Django's own, whose sessions would outlive an account: here too the session row is the authority,
    read together with the person on each request.
    """

    def process_request(self, request: HttpRequest) -> None:
        request.user = SimpleLazyObject(lambda: person_behind(request))  # type: ignore[assignment]  # as Django's own does


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
        return SessionTokenAuthentication().living_session(SessionToken(raw.encode()))  # type: ignore[arg-type]  # as in authentication.py
    except (TokenError, AuthenticationFailed):
        return None


def person_behind(request: HttpRequest) -> User | AnonymousUser:
    """Answer the person whose session the cookie names, or nobody."""
    session = session_behind(request)
    return session.user if session else AnonymousUser()


def is_staff(user: object) -> bool:
    """Tell whether someone may enter the staff site."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.role == Role.ADMIN


def staff_sign_in(request: HttpRequest, email: str, password: str) -> str:
    """Open a session for a member of staff; answers the token for the cookie.

    Raises what `sign_in` raises, and `login_failed` in the same words for an admin who is no staff.
    """
    now = timezone.now()
    user, token = sign_in(canonical_email(email), password, Role.ADMIN, request, now)
    if is_staff(user):
        return token
    sign_out(Session.objects.select_related("user").get(pk=SessionToken(token).session_id), now)  # type: ignore[arg-type]  # as above
    record("staff.refused", Action.EXECUTE, "user", user.pk, by=user, outcome=Outcome.MINOR_FAILURE)
    raise RuleBroken("login_failed")


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
