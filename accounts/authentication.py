"""Who is asking: the token is an envelope, the session row is the authority."""

from datetime import timedelta
from functools import lru_cache
from typing import Any, Self
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone
from jwt.utils import base64url_decode, base64url_encode
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework_simplejwt.authentication import JWTAuthentication
from rest_framework_simplejwt.exceptions import TokenError
from rest_framework_simplejwt.tokens import Token

from accounts.audit.log import current_caller
from accounts.credentials import mfa_status
from accounts.models import Session, User
from config.api.errors import DomainError
from config.db.raw_sql import Columns, to_db_value

TOUCH_EVERY = timedelta(minutes=1)


class SessionToken(Token):
    """The signed name of a session: `sub`, `sid`, `aud`, `iss`, `iat` and `exp` (RFC 7519)."""

    token_type = "session"  # noqa: S105 - a name that simplejwt asks for; it is not put into the token
    lifetime = timedelta(hours=settings.SESSION_HOURS)

    @classmethod
    def naming(cls, session: Session) -> Self:
        """Make the token of a session."""
        token = cls()
        token.payload = {"sub": str(session.user_id), "sid": str(session.pk)}
        token.set_iat(at_time=session.created_at)
        token.set_exp(from_time=session.expires_at, lifetime=timedelta(0))
        return token

    def set_jti(self) -> None:
        """Leave `jti` out: `sid` names the session."""

    def verify(self) -> None:
        """Check the claims as simplejwt does; a moment beyond what a date can hold is refused, not stumbled over."""
        try:
            super().verify()
        except (OverflowError, ValueError, OSError) as broken:
            raise TokenError("no moment") from broken

    @property
    def session_id(self) -> UUID:
        """Return the session's id; raises TokenError where it is none."""
        try:
            return UUID(self.payload["sid"])
        except (KeyError, ValueError, AttributeError, TypeError) as broken:
            raise TokenError("no session") from broken


class SessionTokenAuthentication(JWTAuthentication):
    """Find the session and the person that a bearer token names; `request.auth` is the session.

    A token that names no living session is refused on public calls too, so that a browser learns of it.
    """

    def authenticate(self, request: Request) -> tuple[User, Session] | None:  # type: ignore[override]  # the session stands where simplejwt puts its token
        header: bytes | None = self.get_header(request)
        raw_token = None if header is None else self.get_raw_token(header)
        if raw_token is None:
            return None
        try:
            session_id, person_id = named_in(raw_token)
            view = (getattr(request, "parser_context", None) or {}).get("view")
            session = self.living_session(session_id, person_id, is_used=not getattr(view, "is_background_poll", False))
        except TokenError as refused:
            raise AuthenticationFailed from refused
        if mfa_status.is_setup_required(session.user) and getattr(view, "action", None) not in getattr(
            view, "second_step_exempt_actions", ()
        ):
            raise DomainError("second_step_required")
        current_caller.set(str(session.user_id))
        return session.user, session

    def living_session(self, session_id: UUID, person_id: str, *, is_used: bool = True) -> Session:
        """Read session and person in one query; raises AuthenticationFailed unless both are alive.

        `is_used`: somebody is there, so the idle time starts over.
        """
        now = timezone.now()
        session = session_called(session_id)
        if session is None or person_id != str(session.user_id) or not session.is_living(now):
            raise AuthenticationFailed
        if is_used and session.last_seen_at <= now - TOUCH_EVERY:
            # Conditional, so that of several requests at once one writes.
            Session.objects.filter(pk=session.pk, last_seen_at=session.last_seen_at).update(last_seen_at=now)
            session.last_seen_at = now
        return session

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"


def has_one_spelling(raw_token: bytes) -> bool:
    """Return whether the signature of a token is written as we write it.

    The signature covers the text of the other parts, but its own base64 has more than one spelling: decoders pass over
    padding, foreign characters and the last bits (RFC 4648, 3.3 and 3.5).
    """
    signature = raw_token.rpartition(b".")[2]
    try:
        return base64url_encode(base64url_decode(signature)) == signature
    except ValueError:
        return False


@lru_cache(maxsize=4096)
def named_in(raw_token: bytes) -> tuple[UUID, str]:
    """Return the session and the person that a token names; raises TokenError unless it is ours and not over.

    What one token names is always the same, so its signature is checked once. That it is over since, or was ended, the
    row tells at each request, by the same moments.
    """
    if not has_one_spelling(raw_token):
        raise TokenError("not as it was written")
    token = SessionToken(raw_token)  # type: ignore[arg-type]  # simplejwt annotates a Token and takes the raw bytes
    return token.session_id, str(token.get("sub"))


SESSION, PERSON = Columns(Session), Columns(User)
CALLED = (
    f"SELECT {SESSION.select_list('s')}, {PERSON.select_list('u')} FROM accounts_session s"  # noqa: S608 - names of our own columns
    " JOIN accounts_user u ON u.id = s.user_id WHERE s.id = %s"
)


def session_called(session_id: UUID) -> Session | None:
    """Read a session and its person, from the database that is written to: what was ended a moment ago has ended."""
    with connection.cursor() as cursor:
        cursor.execute(CALLED, [to_db_value(session_id)])
        row = cursor.fetchone()
    if row is None:
        return None
    session = SESSION.build_instance(row)
    session.user = PERSON.build_instance(row, SESSION.size)
    return session


def person_of(request: Request) -> User:
    """Return who is asking; for calls that only a signed-in person reaches."""
    assert isinstance(request.user, User)  # noqa: S101 - for the type checker; the permission has seen to it
    return request.user


def session_of(request: Request) -> Session:
    """Return the session that is asking; for calls that only a signed-in person reaches."""
    assert isinstance(request.auth, Session)  # noqa: S101 - as above
    return request.auth
