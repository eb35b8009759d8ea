"""Admin classes of the audit log, its seals, the outbox, heartbeats and stray files."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html_join

from accounts.access_log import count_readings_by_day, get_utc_day
from accounts.audit.log import Action, record_event
from accounts.models import AuditEvent, AuditSeal, Heartbeat, Notice, Reading, StrayFile, User
from accounts.notifications.inbox import compose_or_log
from accounts.notifications.retry import can_retry, retry_notice
from adminpanel.admin.base import (
    ConfirmForm,
    ReadOnlyAdmin,
    choices_filter,
    format_count,
    get_staff_user,
    has_permission,
    is_set_filter,
)
from adminpanel.queries.audit import list_event_names

MAX_ACTORS = 20


class EventFilter(admin.SimpleListFilter):
    """The names of audit events, read from an index."""

    title = "event"
    parameter_name = "event"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in list_event_names()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(event=self.value()) if self.value() is not None else queryset


class AccessLoggedAdmin(ReadOnlyAdmin):
    """An admin of logs; reading them is logged too."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return self.record_access(request, super().changelist_view(request, extra_context))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.record_access(request, super().change_view(request, object_id, form_url, extra_context))

    def record_access(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Record that the log was read."""
        if response.status_code == 200:
            # Rendered first, so that the page doesn't include this event.
            response.render()  # type: ignore[attr-defined]  # the admin answers with a TemplateResponse
            record_event("audit.read", Action.READ, "audit", None, actor=get_staff_user(request))
        return response


@admin.register(AuditEvent)
class AuditEventAdmin(AccessLoggedAdmin):
    """Audit events; reading them is logged too."""

    no_personal_data_reason = "Ids alone; reading it is in the audit log itself: `audit.read`."
    list_display = ("recorded_at", "event", "outcome", "agent_role", "agent_id", "entity_type", "entity_id")
    list_filter = (EventFilter, "outcome", "recorded_at")
    search_fields = ("event", "request_id")
    search_help_text = "The beginning of an event's name, a request's id, or the id of a person or thing"
    ordering = ("-id",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search by indexed columns."""
        term = search_term.strip()
        if not term or "\x00" in term:
            return (queryset.none() if term else queryset), False
        condition = Q(request_id=term) | Q(event__in=list_event_names(term))
        try:
            # Only request ids have no dashes.
            condition |= Q(agent_id=UUID(term)) | Q(entity_id=str(UUID(term)))
        except ValueError:
            condition |= Q(entity_id=term)
        return queryset.filter(condition), False


class ActorsDayFilter(admin.SimpleListFilter):
    """Today's readers of personal data, those with the most people first."""

    title = "who read, of how many people today"
    parameter_name = "actor_id"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        rows = list(count_readings_by_day().filter(day=get_utc_day(timezone.now()))[:MAX_ACTORS])
        names = dict(User.objects.filter(pk__in=[row["actor_id"] for row in rows]).values_list("pk", "name"))
        return [(str(row["actor_id"]), f"{names.get(row['actor_id'], '')}: {row['people']}") for row in rows]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        try:
            return queryset.filter(actor_id=UUID(self.value())) if self.value() else queryset
        except ValueError:
            return queryset.none()


@admin.register(Reading)
class ReadingAdmin(AccessLoggedAdmin):
    """The access log: who was shown whose personal data, by day."""

    no_personal_data_reason = "Ids alone; reading it is in the audit log: `audit.read`."
    list_display = (
        *("day", "actor_id", "actor_role", "view", "subject_type", "subject_id", "person_id", "times", "last_at"),
    )
    list_filter = ("day", ActorsDayFilter)
    search_fields = ("view__exact",)
    search_help_text = "A whole id of the person who read, of the person whose data it is, or of what was shown"
    id_search_fields = ("actor_id", "person_id", "subject_id")
    ordering = ("-id",)


@admin.register(AuditSeal)
class AuditSealAdmin(ReadOnlyAdmin):
    """Seals of the audit log."""

    no_personal_data_reason = "Digests."
    list_display = fields = ("id", "first_event", "last_event", "sealed_at", "hash", "previous_hash")
    search_fields = ("hash__exact",)
    search_help_text = "A whole hash"
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # A batch's digests are tens of kilobytes.
        return super().get_queryset(request).defer("digests")


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    """The outbox of notifications."""

    subject_fields = ("user", "recipient_id", "recipient_id")
    list_display = ("created_at", "event", "recipient", "state", "due_at", "attempts", "delivered_at", "error")
    list_select_related = ("recipient",)
    list_filter = (choices_filter("state", Notice.State.choices), is_set_filter("delivered_at", "delivered"))
    fields = (
        *("created_at", "event", "recipient", "channel", "state", "due_at", "attempts", "delivered_at", "error"),
        *("read_at", "words"),
    )
    search_fields = ("recipient__email__exact",)
    search_help_text = "The recipient's whole email address or id"
    id_search_fields = ("recipient",)
    ordering = ("-id",)
    entity = "notice"
    actions = ("send_again",)

    @admin.display(description="in words")
    def words(self, notice: Notice) -> str:
        """Return the current text of a notification, without links that act."""
        message = compose_or_log(notice)
        if message is None:
            return "It helps nobody any more, and is not sent."
        facts = [f"{name}: {value}" for name, value in message.facts]
        lines = (message.subject, message.title, *message.lines, *facts, *message.closing)
        return format_html_join("", "<p>{}</p>", ((line,) for line in lines))

    def get_row_actions(self, request: HttpRequest, one: Notice) -> list[tuple[str, str]]:
        return super().get_row_actions(request, one) if can_retry(one) else []

    def has_send_again_permission(self, request: HttpRequest) -> bool:
        """Return whether staff may retry failed notifications."""
        return has_permission(request, "accounts.send_again_notice")

    @admin.action(description="Try again", permissions=["send_again"])
    def send_again(self, request: HttpRequest, notices: QuerySet[Notice]) -> HttpResponse | None:
        """Retry failed notifications after a confirmation that shows the errors."""

        def describe(notice: Notice) -> list[str]:
            if not can_retry(notice):
                return [f"{notice.get_state_display()}: stays as it is"]
            why = (
                f"Failed after {format_count(notice.attempts, 'try', 'tries')}: {notice.error or 'no reason is known'}"
            )
            still = [] if compose_or_log(notice) else ["It helps nobody any more, and will be dropped"]
            return [f"For {notice.recipient.name}", why, *still]

        if self.reject_too_many(request, notices):
            return None
        if not ConfirmForm(request.POST).is_valid():
            words = "First fix what stopped the message. If it did arrive after all, it arrives a second time."
            return self.render_confirmation(
                request, notices.select_related("recipient"), action="send_again", title="Try these messages again?",
                verb="Try again", form=ConfirmForm(), describe=describe, words=words,
            )  # fmt: skip
        now, actor = timezone.now(), get_staff_user(request)
        self.apply_to_each(
            request, notices, lambda one: retry_notice(one, actor=actor, now=now), "will be tried again at once"
        )
        return None


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """Leases and heartbeats of background workers."""

    no_personal_data_reason = "When the site's own work was done."
    list_display = ("name", "beat_at", "holder", "lease_until")
    search_fields = ("name",)
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    ordering = ("name",)


@admin.register(StrayFile)
class StrayFileAdmin(ReadOnlyAdmin):
    """Stored files without a reference; one that has been due for long indicates an unavailable storage."""

    no_personal_data_reason = "Names of files."
    list_display = ("due_at", "storage", "name")
    search_fields = ("name__exact",)
    search_help_text = "The whole name of a file"
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    ordering = ("due_at",)
