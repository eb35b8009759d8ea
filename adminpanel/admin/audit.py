"""The trail, its seals, the outbox and the housekeeping's heartbeat."""

from typing import Any, ClassVar
from uuid import UUID

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html_join

from accounts.access_log import readings_by_day, utc_day
from accounts.audit.log import Action, record
from accounts.models import AuditEvent, AuditSeal, Heartbeat, Notice, Reading, StrayFile, User
from accounts.notifications.inbox import words_of
from accounts.notifications.retry import can_be_sent_again, send_again
from adminpanel.admin.base import ReadOnly, SureForm, acting, choose, counted, happened, may
from adminpanel.queries.audit import event_names

# As many actors of a day as a filter offers.
ACTORS_OFFERED = 20


class EventFilter(admin.SimpleListFilter):
    """The names that stand on the trail, read off its index."""

    title = "event"
    parameter_name = "event"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in event_names()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(event=self.value()) if self.value() is not None else queryset


class LookedInto(ReadOnly):
    """A table about what others did; looking into it is in the audit log."""

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return self.written_down(request, super().changelist_view(request, extra_context))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.written_down(request, super().change_view(request, object_id, form_url, extra_context))

    def written_down(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Write down that somebody looked into the trail."""
        if response.status_code == 200:
            # Read first: what is shown does not hold this very look.
            response.render()  # type: ignore[attr-defined]  # the admin answers with a TemplateResponse
            record("audit.read", Action.READ, "audit", None, by=acting(request))
        return response


@admin.register(AuditEvent)
class AuditEventAdmin(LookedInto):
    """Who did what to what, when and from where; looking into it is written down too."""

    without_personal_data = "Ids alone; reading it is in the audit log itself: `audit.read`."
    list_display = ("recorded_at", "event", "outcome", "agent_role", "agent_id", "entity_type", "entity_id")
    list_filter = (EventFilter, "outcome", "recorded_at")
    search_fields = ("event", "request_id")
    search_help_text = "The beginning of an event's name, a request's id, or the id of a person or thing"
    ordering = ("-id",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find by what stands in an index."""
        term = search_term.strip()
        if not term or "\x00" in term:
            return (queryset.none() if term else queryset), False
        wanted = Q(request_id=term) | Q(event__in=event_names(term))
        try:
            # An id of ours with dashes; a request's has none, and is no person's.
            wanted |= Q(agent_id=UUID(term)) | Q(entity_id=str(UUID(term)))
        except ValueError:
            wanted |= Q(entity_id=term)
        return queryset.filter(wanted), False


class ActorsDayFilter(admin.SimpleListFilter):
    """The actors of the chosen day, those who were shown data of most people first."""

    title = "who read, of how many people today"
    parameter_name = "actor_id"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        rows = list(readings_by_day().filter(day=utc_day(timezone.now()))[:ACTORS_OFFERED])
        names = dict(User.objects.filter(pk__in=[row["actor_id"] for row in rows]).values_list("pk", "name"))
        return [(str(row["actor_id"]), f"{names.get(row['actor_id'], '')}: {row['people']}") for row in rows]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        try:
            return queryset.filter(actor_id=UUID(self.value())) if self.value() else queryset
        except ValueError:
            return queryset.none()


@admin.register(Reading)
class ReadingAdmin(LookedInto):
    """Who was shown whose personal data, by day; looking at it is in the audit log too."""

    without_personal_data = "Ids alone; reading it is in the audit log: `audit.read`."
    list_display = (
        *("day", "actor_id", "actor_role", "view", "subject_type", "subject_id", "person_id", "times", "last_at"),
    )
    list_filter = ("day", ActorsDayFilter)
    search_fields = ("view__exact",)
    search_help_text = "A whole id of the person who read, of the person whose data it is, or of what was shown"
    found_by_id = ("actor_id", "person_id", "subject_id")
    ordering = ("-id",)


@admin.register(AuditSeal)
class AuditSealAdmin(ReadOnly):
    """The sealed batches of the trail."""

    without_personal_data = "Digests."
    list_display = fields = ("id", "first_event", "last_event", "sealed_at", "hash", "previous_hash")
    search_fields = ("hash__exact",)
    search_help_text = "A whole hash"
    found_by_id: ClassVar[tuple[str, ...]] = ()
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # A batch's digests are tens of kilobytes that nobody reads.
        return super().get_queryset(request).defer("digests")


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    """What people are told: written with the change it tells of, then delivered."""

    shows = ("user", "recipient_id", "recipient_id")
    list_display = ("created_at", "event", "recipient", "state", "due_at", "attempts", "delivered_at", "error")
    list_select_related = ("recipient",)
    list_filter = (choose("state", Notice.State.choices), happened("delivered_at", "delivered"))
    fields = (
        *("created_at", "event", "recipient", "channel", "state", "due_at", "attempts", "delivered_at", "error"),
        *("read_at", "words"),
    )
    search_fields = ("recipient__email__exact",)
    search_help_text = "The recipient's whole email address or id"
    found_by_id = ("recipient",)
    ordering = ("-id",)
    entity = "notice"
    actions = ("send_again",)

    @admin.display(description="in words")
    def words(self, notice: Notice) -> str:
        """Return what the notice says as of now, without a link that would let its reader act."""
        message = words_of(notice)
        if message is None:
            return "It helps nobody any more, and is not sent."
        facts = [f"{name}: {value}" for name, value in message.facts]
        lines = (message.subject, message.title, *message.lines, *facts, *message.closing)
        return format_html_join("", "<p>{}</p>", ((line,) for line in lines))

    def acts_on(self, request: HttpRequest, one: Notice) -> list[tuple[str, str]]:
        return super().acts_on(request, one) if can_be_sent_again(one) else []

    def has_send_again_permission(self, request: HttpRequest) -> bool:
        """Return whether this member of staff may have failed messages tried again."""
        return may(request, "accounts.send_again_notice")

    @admin.action(description="Try again", permissions=["send_again"])
    def send_again(self, request: HttpRequest, notices: QuerySet[Notice]) -> HttpResponse | None:
        """Show why each failed and whether it still helps, then put it back into the outbox."""

        def told(notice: Notice) -> list[str]:
            if not can_be_sent_again(notice):
                return [f"{notice.get_state_display()}: stays as it is"]
            why = f"Failed after {counted(notice.attempts, 'try', 'tries')}: {notice.error or 'no reason is known'}"
            still = [] if words_of(notice) else ["It helps nobody any more, and will be dropped"]
            return [f"For {notice.recipient.name}", why, *still]

        if self.too_many(request, notices):
            return None
        if not SureForm(request.POST).is_valid():
            words = "First fix what stopped the message. If it did arrive after all, it arrives a second time."
            return self.ask_first(
                request, notices.select_related("recipient"), action="send_again", title="Try these messages again?",
                verb="Try again", form=SureForm(), told=told, words=words,
            )  # fmt: skip
        now, by = timezone.now(), acting(request)
        self.do_each(request, notices, lambda one: send_again(one, by=by, now=now), "will be tried again at once")
        return None


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnly):
    """When the housekeeping last did its round."""

    without_personal_data = "When the site's own work was done."
    list_display = ("name", "beat_at", "holder", "lease_until")
    search_fields = ("name",)
    found_by_id: ClassVar[tuple[str, ...]] = ()
    ordering = ("name",)


@admin.register(StrayFile)
class StrayFileAdmin(ReadOnly):
    """Files about to be deleted, or not named by a row yet; one that is long due says that a storage is away."""

    without_personal_data = "Names of files."
    list_display = ("due_at", "storage", "name")
    search_fields = ("name__exact",)
    search_help_text = "The whole name of a file"
    found_by_id: ClassVar[tuple[str, ...]] = ()
    ordering = ("due_at",)
