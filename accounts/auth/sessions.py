"""Open and end sessions."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.audit.log import Action, current_address, record_event
from accounts.authentication import SessionToken
from accounts.credentials.user_agents import clean_user_agent, compute_device_digest, describe_device
from accounts.models import Session, SessionQuerySet, User
from accounts.throttling.rate_limit import get_network
from config.api.errors import DomainError

# Why a session ended.
SIGNED_OUT = "signed_out"
ENDED_ELSEWHERE = "ended_elsewhere"
PASSWORD_CHANGED = "password_changed"  # noqa: S105 - a reason, no secret
PASSWORD_RESET = "password_reset"  # noqa: S105 - as above
DEACTIVATED = "deactivated"
ACCOUNT_ENDED = "account_ended"
RESTORED = "restored"
SECOND_STEP_CHANGED = "second_step_changed"
BY_OPERATOR = "ended_by_operator"


def open_session(user: User, request: Request | HttpRequest, now: datetime) -> str:
    """Open a session and return its token."""
    return str(SessionToken.for_session(create_session(user, request, now)))


def create_session(user: User, request: Request | HttpRequest, now: datetime) -> Session:
    agent, address = request.META.get("HTTP_USER_AGENT", ""), current_address.get()
    return Session.objects.create(
        user=user,
        created_at=now,
        last_seen_at=now,
        expires_at=now + timedelta(hours=settings.SESSION_HOURS),
        ip_address=address,
        user_agent=clean_user_agent(agent),
        device=compute_device_digest(user.email, address, agent),
    )


MAX_COMPARED_SESSIONS = 200


def is_new_device(session: Session) -> bool:
    """Return whether an earlier session exists, but none with this kind of browser from this network.

    Versions of a browser and addresses within a network count as the same.
    """
    earlier = session.user.sessions.exclude(pk=session.pk).order_by("-created_at")
    known = {
        (get_network(address), describe_device(agent))
        for address, agent in earlier.values_list("ip_address", "user_agent")[:MAX_COMPARED_SESSIONS]
    }
    return bool(known) and (get_network(session.ip_address), describe_device(session.user_agent)) not in known


def list_active_sessions(user: User, now: datetime) -> list[Session]:
    """Return a user's active sessions, the most recently used first."""
    sessions = user.sessions.open(now).select_related("user").order_by("-last_seen_at")
    return [session for session in sessions if session.is_active_at(now)]


def end_sessions(sessions: SessionQuerySet, reason: str, now: datetime) -> int:
    """End the open sessions in a queryset; return how many. Their tokens are invalid from the next request on."""
    return sessions.filter(ended_at=None).update(ended_at=now, ended_because=reason)


def sign_out(session: Session, now: datetime) -> None:
    """End the current session."""
    with transaction.atomic():
        end_sessions(Session.objects.filter(pk=session.pk), SIGNED_OUT, now)
        record_event("account.signed_out", Action.EXECUTE, "session", session.pk, actor=session.user)


def end_own_session(user: User, session_id: UUID, now: datetime) -> None:
    """End an open session of this user; raise `not_found` for any other."""
    with transaction.atomic():
        if not end_sessions(user.sessions.open(now).filter(pk=session_id), ENDED_ELSEWHERE, now):
            raise DomainError("not_found")
        record_event("account.session_ended", Action.EXECUTE, "session", session_id, actor=user)


def end_other_sessions(session: Session, now: datetime) -> int:
    """End all sessions of the user except the current one; return how many."""
    with transaction.atomic():
        ended = end_sessions(session.user.sessions.open(now).exclude(pk=session.pk), ENDED_ELSEWHERE, now)
        if ended:
            record_event("account.other_sessions_ended", Action.EXECUTE, "user", session.user_id, actor=session.user)
    return ended


def end_sessions_by_operator(user: User | None, now: datetime) -> int:
    """End all sessions of a user, or of everyone if None; return how many."""
    sessions = Session.objects.all() if user is None else user.sessions.all()
    with transaction.atomic():
        if user:
            # A concurrent sign-in of this user finishes first and is ended too.
            User.objects.locked().filter(pk=user.pk).first()
        ended = end_sessions(sessions.open(now), BY_OPERATOR, now)
        if ended:
            whose = user.pk if user else None
            record_event(
                "account.sessions_ended", Action.EXECUTE, "user", whose, actor=None, detail={"sessions": ended}
            )
    return ended
