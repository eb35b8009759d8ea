"""Authentication by bearer tokens. A token only names a session; its row decides whether it is valid."""

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

LAST_SEEN_INTERVAL = timedelta(minutes=1)


class SessionToken(Token):
    """A signed token with the claims `sub`, `sid`, `aud`, `iss`, `iat` and `exp` (RFC 7519)."""

    token_type = "session"  # noqa: S105 - a name that simplejwt asks for; it is not put into the token
    lifetime = timedelta(hours=settings.SESSION_HOURS)

    @classmethod
    def for_session(cls, session: Session) -> Self:
        token = cls()
        token.payload = {"sub": str(session.user_id), "sid": str(session.pk)}
        token.set_iat(at_time=session.created_at)
        token.set_exp(from_time=session.expires_at, lifetime=timedelta(0))
        return token

    def set_jti(self) -> None:
        """Omit `jti`, since `sid` identifies the session."""

    def verify(self) -> None:
        """Verify the claims as simplejwt does; raise TokenError for a time out of range."""
        try:
            super().verify()
        except (OverflowError, ValueError, OSError) as error:
            raise TokenError("time out of range") from error

    @property
    def session_id(self) -> UUID:
        """Return the session's id; raise TokenError if it is missing or malformed."""
        try:
            return UUID(self.payload["sid"])
        except (KeyError, ValueError, AttributeError, TypeError) as error:
            raise TokenError("no session") from error


class SessionTokenAuthentication(JWTAuthentication):
    """Authenticate a bearer token; `request.auth` is the session.

    A token without an active session is rejected in public views too, so that the browser notices.
    """

    def authenticate(self, request: Request) -> tuple[User, Session] | None:  # type: ignore[override]  # returns the session instead of the token
        header: bytes | None = self.get_header(request)
        raw_token = None if header is None else self.get_raw_token(header)
        if raw_token is None:
            return None
        try:
            session_id, user_id = parse_token(raw_token)
            view = (getattr(request, "parser_context", None) or {}).get("view")
            session = self.get_active_session(
                session_id, user_id, is_used=not getattr(view, "is_background_poll", False)
            )
        except TokenError as error:
            raise AuthenticationFailed from error
        if mfa_status.is_setup_required(session.user) and getattr(view, "action", None) not in getattr(
            view, "second_step_exempt_actions", ()
        ):
            raise DomainError("second_step_required")
        current_caller.set(str(session.user_id))
        return session.user, session

    def get_active_session(self, session_id: UUID, user_id: str, *, is_used: bool = True) -> Session:
        """Return a session with its user, read in one query; raise AuthenticationFailed unless both are active.

        `is_used` restarts the idle timeout.
        """
        now = timezone.now()
        session = find_session(session_id)
        if session is None or user_id != str(session.user_id) or not session.is_active_at(now):
            raise AuthenticationFailed
        if is_used and session.last_seen_at <= now - LAST_SEEN_INTERVAL:
            # Conditional, so that only one of several concurrent requests writes.
            Session.objects.filter(pk=session.pk, last_seen_at=session.last_seen_at).update(last_seen_at=now)
            session.last_seen_at = now
        return session

    def authenticate_header(self, request: Any) -> str:
        return "Bearer"


def has_canonical_signature(raw_token: bytes) -> bool:
    """Return whether the signature of a token is canonical base64url.

    Decoders ignore padding, other characters and trailing bits (RFC 4648, 3.3 and 3.5), so that one signature has
    several encodings.
    """
    signature = raw_token.rpartition(b".")[2]
    try:
        return base64url_encode(base64url_decode(signature)) == signature
    except ValueError:
        return False


@lru_cache(maxsize=4096)
def parse_token(raw_token: bytes) -> tuple[UUID, str]:
    """Return the session id and user id of a token; raise TokenError if it is invalid or expired.

    The result is cached, so the signature is verified once. Expiry is checked for each request, by the session's row.
    """
    if not has_canonical_signature(raw_token):
        raise TokenError("signature is not canonical")
    token = SessionToken(raw_token)  # type: ignore[arg-type]  # simplejwt annotates a Token and takes the raw bytes
    return token.session_id, str(token.get("sub"))


SESSION_COLUMNS, USER_COLUMNS = Columns(Session), Columns(User)
SESSION_SQL = (
    f"SELECT {SESSION_COLUMNS.select_list('s')}, {USER_COLUMNS.select_list('u')} FROM accounts_session s"  # noqa: S608 - names of our own columns
    " JOIN accounts_user u ON u.id = s.user_id WHERE s.id = %s"
)


def find_session(session_id: UUID) -> Session | None:
    """Return a session with its user from the primary database, because a replica may not know that it was ended."""
    with connection.cursor() as cursor:
        cursor.execute(SESSION_SQL, [to_db_value(session_id)])
        row = cursor.fetchone()
    if row is None:
        return None
    session = SESSION_COLUMNS.build_instance(row)
    session.user = USER_COLUMNS.build_instance(row, SESSION_COLUMNS.size)
    return session


def get_user(request: Request) -> User:
    """Return the current user, in views that require authentication."""
    assert isinstance(request.user, User)  # noqa: S101 - for the type checker; the permission class ensures it
    return request.user


def get_session(request: Request) -> Session:
    """Return the current session, in views that require authentication."""
    assert isinstance(request.auth, Session)  # noqa: S101 - as above
    return request.auth
