"""Models of people, their access, the audit log and the outbox; one file a subject."""

from accounts.models.audit import AuditEvent, AuditSeal
from accounts.models.calendar_feed import CalendarFeed
from accounts.models.lease import Heartbeat
from accounts.models.mfa import AuthenticatorApp, Passkey, RecoveryCode, SpentTicket
from accounts.models.notification import Notice, NoticeQuerySet, NoticeSettings
from accounts.models.password_reset import ResetRequest
from accounts.models.reading import Reading
from accounts.models.session import Session, SessionQuerySet
from accounts.models.stored_file import StrayFile
from accounts.models.user import (
    AccountStatus,
    BloodGroup,
    Gender,
    PatientDetails,
    Role,
    User,
    UserManager,
    UserQuerySet,
)

__all__ = [
    "AccountStatus",
    "AuditEvent",
    "AuditSeal",
    "AuthenticatorApp",
    "BloodGroup",
    "CalendarFeed",
    "Gender",
    "Heartbeat",
    "Notice",
    "NoticeQuerySet",
    "NoticeSettings",
    "Passkey",
    "PatientDetails",
    "Reading",
    "RecoveryCode",
    "ResetRequest",
    "Role",
    "Session",
    "SessionQuerySet",
    "SpentTicket",
    "StrayFile",
    "User",
    "UserManager",
    "UserQuerySet",
]
