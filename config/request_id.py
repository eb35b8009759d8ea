"""The id of the request being answered, for the log, the audit trail and error bodies."""

from contextvars import ContextVar

current_request_id: ContextVar[str] = ContextVar("current_request_id", default="-")
