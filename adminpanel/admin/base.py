"""Base classes of the staff site: read-only, with bounded counts, and the audit log as history."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db import DatabaseError, DataError, models, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.functional import cached_property

from accounts.access_log import record_readings
from accounts.audit.log import Action, record_event
from accounts.models import AuditEvent, User
from accounts.text.fields import NOT_IN_FREE_TEXT
from accounts.text.substring_search import match_words
from adminpanel.queries.audit import get_actor_names
from appointments.scheduling.account_closure import Effects
from config.api.access_log import add_subjects, collect_subjects
from config.api.errors import DomainError, to_domain_error
from config.api.pagination import ROW_LIMIT

# The same limit as in the API.
MAX_ROWS_PER_ACTION = 100
# More rows don't fit into the cookie that carries the message.
MAX_UNDO_ROWS = 20
MAX_HISTORY_EVENTS = 100
# Lookups that list filters use.
ALLOWED_LOOKUPS = frozenset({"", "exact", "in", "isnull", "gte", "lt"})


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # of any rows
    """Stops counting at the last row that can be paged."""

    @cached_property
    def bounded_count(self) -> int:
        """Count the rows, stopping one past the limit."""
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # the admin hands a queryset
        return rows.order_by()[: ROW_LIMIT + 1].count()

    @property
    def count(self) -> int:
        return min(self.bounded_count, ROW_LIMIT)

    @property
    def has_more(self) -> bool:
        """Return whether there are more rows than can be paged."""
        return self.bounded_count > ROW_LIMIT


def get_staff_user(request: HttpRequest) -> User:
    """Return the signed-in member of staff."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def has_permission(request: HttpRequest, permission: str) -> bool:
    """Return whether the signed-in member of staff has a permission."""
    return get_staff_user(request).has_perm(permission)


class AuditedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # one base for all models
    """An admin with the audit log as history; Django's admin log is not written (ADR 0040)."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    list_per_page = 50
    # Only columns with an index.
    sortable_by: ClassVar[tuple[str, ...]] = ()
    # The entity type of rows in the audit log, if they are in it.
    entity = ""
    # Normalized text columns to search for words, instead of `search_fields`.
    folded_fields: ClassVar[tuple[str, ...]] = ()
    # Columns that are compared with an id in the search field.
    id_search_fields: ClassVar[tuple[str, ...]] = ("pk",)
    # The kind of personal data in a row, and the attributes with the row's id and the person's id.
    subject_fields: ClassVar[tuple[str, str, str] | None] = None
    # Why a table without `subject_fields` shows no personal data.
    no_personal_data_reason = ""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Django also accepts the change permission.
        return has_permission(request, f"{self.opts.app_label}.view_{self.opts.model_name}")

    def get_entity_id(self, row: Any) -> Any:
        """Return the id of a row in the audit log."""
        return row.pk

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Do nothing: the service has written the audit event."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Do nothing, as above."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Do nothing, as above."""

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        # PostgreSQL rejects NUL bytes in text.
        return None if "\x00" in object_id else super().get_object(request, object_id, from_field)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Allow only the lookups of the page's own filters.

        Django allows a URL to filter by any local column. Staff who may only see the list could guess the hidden
        columns letter by letter: symptoms, password hashes, email addresses.
        """
        chosen = self.list_filter if request is None else self.get_list_filter(request)
        # A column, a column with its filter class, or a filter class.
        names = {row[0] if isinstance(row, tuple) else getattr(row, "parameter_name", row) for row in chosen}
        column, _, kind = lookup.partition("__")
        return column in names and kind in ALLOWED_LOOKUPS

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search by an id, which is cheap, or by words; email addresses are stored in lower case."""
        term = search_term.strip()
        if "\x00" in term:
            return queryset.none(), False
        try:
            pk = UUID(term)
        except ValueError:
            if self.folded_fields:
                return queryset.filter(match_words(term, *self.folded_fields)), False
            return super().get_search_results(request, queryset, term.lower())
        condition = Q()
        for column in self.id_search_fields:
            condition |= Q(**{column: pk})
        return queryset.filter(condition), False

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Return the list; treat values that no column can hold as an invalid lookup."""
        try:
            with transaction.atomic():
                changelist = super().get_changelist_instance(request)
                # Evaluated here, since an error while the template renders can't be handled.
                len(changelist.result_list)
        except (ValueError, OverflowError, ValidationError, DataError) as error:
            raise IncorrectLookupParameters from error
        return changelist

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *args: Any) -> HttpResponse | None:
        """Run an action on the selected rows; reject values that are no id of this table."""
        pk = self.opts.pk
        column = getattr(pk, "target_field", pk)
        for chosen in request.POST.getlist(ACTION_CHECKBOX_NAME):
            try:
                column.run_validators(column.to_python(chosen))
            except ValidationError:
                self.message_user(request, "What was chosen is not here.", messages.ERROR)
                return HttpResponseRedirect(request.get_full_path())
        return super().response_action(request, queryset, *args)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = str(self.opts.verbose_name_plural)
        context = {"title": title[:1].upper() + title[1:], **(extra_context or {})}
        return self.respond_and_record(request, lambda: super(AuditedAdmin, self).changelist_view(request, context))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.respond_and_record(
            request, lambda: super(AuditedAdmin, self).change_view(request, object_id, form_url, extra_context)
        )

    def respond_and_record(self, request: HttpRequest, respond: Callable[[], HttpResponse]) -> HttpResponse:
        """Respond, and record whose data the page shows: a list, one row, or the rows to confirm."""
        with collect_subjects() as collected:
            response = respond()
            context = getattr(response, "context_data", None) or {}
            listed = context["cl"].result_list if "cl" in context else [row for row, _ in context.get("chosen", ())]
            for row in [*listed, *filter(None, (context.get("original"), context.get("object")))]:
                self.add_row_subjects(row)
        if response.status_code == 200 and request.resolver_match:
            record_readings(get_staff_user(request), request.resolver_match.view_name, collected.subjects.values())
        return response

    def add_row_subjects(self, row: Any) -> None:
        """Add a row to the subjects of the response."""
        if self.subject_fields is not None:
            kind, pk, person = self.subject_fields
            if found := attrgetter(person)(row):
                add_subjects(kind, [(attrgetter(pk)(row), found)])

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.respond_and_record(request, lambda: self.render_history(request, object_id))

    def render_history(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the audit events of a row, and record the access."""
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        if not self.has_view_permission(request, row) or not has_permission(request, "accounts.view_auditevent"):
            raise PermissionDenied
        events: list[AuditEvent] = []
        if self.entity:
            found = AuditEvent.objects.filter(entity_type=self.entity, entity_id=str(self.get_entity_id(row)))
            events = list(found.order_by("-id")[:MAX_HISTORY_EVENTS])
        entity = self.get_entity_id(row) if self.entity else None
        record_event("audit.read", Action.READ, self.entity or "audit", entity, actor=get_staff_user(request))
        names = get_actor_names(events)
        return TemplateResponse(
            request,
            "staff/history.html",
            {
                **self.admin_site.each_context(request),
                "title": "History",
                "subtitle": str(row),
                "opts": self.opts,
                "object": row,
                "events": [(event, names.get(event.agent_id) if event.agent_id else "") for event in events],
            },
        )


class ReadOnlyAdmin(AuditedAdmin):
    """A read-only admin; staff change rows only through its actions."""

    change_form_template = "staff/one.html"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_row_actions(self, request: HttpRequest, row: Any) -> list[tuple[str, str]]:
        """Return the names and labels of the actions that are available for a row."""
        offered = self.get_actions(request).items()
        return [(name, str(act[2])) for name, act in offered if act is not None]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        row = self.get_object(request, object_id) if object_id else None
        acts = self.get_row_actions(request, row) if row is not None and self.has_view_permission(request, row) else []
        return super().changeform_view(request, object_id, form_url, {**(extra_context or {}), "acts": acts})

    # --- Acts ---------------------------------------------------------------------------------

    def render_confirmation(
        self,
        request: HttpRequest,
        chosen: QuerySet[Any],
        *,
        action: str,
        title: str,
        verb: str,
        form: forms.Form,
        describe: Callable[[Any], Sequence[str]],
        words: str = "",
    ) -> HttpResponse:
        """Ask for confirmation of an action, with its effect on each row."""
        return TemplateResponse(
            request,
            "staff/confirm.html",
            {
                **self.admin_site.each_context(request),
                "title": title,
                "opts": self.opts,
                "form": form,
                "chosen": [(row, describe(row)) for row in chosen],
                "action": action,
                "verb": verb,
                "words": words,
            },
        )

    def reject_too_many(self, request: HttpRequest, chosen: QuerySet[Any]) -> bool:
        """Return whether too many rows were selected for one action, after adding an error message."""
        if chosen[: MAX_ROWS_PER_ACTION + 1].count() <= MAX_ROWS_PER_ACTION:
            return False
        self.message_user(request, f"Choose at most {MAX_ROWS_PER_ACTION} at once.", messages.ERROR)
        return True

    def apply_to_each(
        self, request: HttpRequest, chosen: Iterable[Any], act: Callable[[Any], object], done: str
    ) -> list[models.Model]:
        """Apply an action to each row in its own transaction, add messages, and return the rows that succeeded."""
        succeeded = []
        for row in chosen:
            try:
                with transaction.atomic():
                    act(row)
            except (DomainError, DatabaseError) as exception:
                error = to_domain_error(exception)
                if error is None:
                    raise
                self.message_user(request, f"{row}: {error.message}", messages.ERROR)
                if error.code == "unavailable":
                    # Don't wait for each of a hundred rows; keep what was done.
                    break
            else:
                succeeded.append(row)
        if len(succeeded) == 1:
            self.message_user(request, f"{succeeded[0]}: {done}.", messages.SUCCESS)
        elif succeeded:
            self.message_user(request, f"{len(succeeded)} {self.opts.verbose_name_plural}: {done}.", messages.SUCCESS)
        return succeeded

    def offer_undo(self, request: HttpRequest, rows: Sequence[models.Model], action: str, verb: str) -> None:
        """Add a message with a form, protected against CSRF, to undo an action."""
        if not 0 < len(rows) <= MAX_UNDO_ROWS:
            return
        context = {"rows": rows, "action": action, "verb": verb, "opts": self.opts}
        self.message_user(request, render_to_string("staff/undo.html", context, request), messages.INFO)


class ConfirmForm(forms.Form):
    """The confirmation of an action."""

    sure = forms.CharField(widget=forms.HiddenInput, initial="yes")


def clean_reason_text(text: str) -> str:
    """Return a reason with normalized line breaks; raise `ValidationError` for invisible characters."""
    reason = str(text).replace("\r\n", "\n")
    if NOT_IN_FREE_TEXT.search(reason):
        raise forms.ValidationError("Leave out invisible characters.")
    return reason


class ReasonForm(forms.Form):
    """The reason for an action, shown to the people concerned."""

    reason = forms.CharField(max_length=500, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, readers: str = "Both sides read it.", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = readers

    def clean_reason(self) -> str:
        return clean_reason_text(self.cleaned_data["reason"])


def format_count(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, like "2 appointments"."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def describe_remaining(effects: Effects) -> list[str]:
    """Describe the upcoming appointments that an action leaves unchanged."""
    add_subjects("appointment", ((appointment.pk, appointment.patient_id) for appointment in effects.appointments))
    stay = f"{format_count(effects.upcoming, 'appointment')} ahead will stay, listed on the admin's desk"
    return [stay if effects.upcoming else "No appointments ahead", *map(str, effects.appointments)]


def choices_filter(column: str, choices: Iterable[tuple[Any, Any]], title: str = "") -> type[admin.SimpleListFilter]:
    """Return a filter by fixed choices; Django's own reads them from the whole table."""
    offered = [(str(value), str(label).capitalize()) for value, label in choices]

    class ChoicesFilter(admin.SimpleListFilter):
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return offered

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            # An unknown value matches nothing, rather than everything.
            return queryset.filter(**{column: self.value()}) if self.value() is not None else queryset

    ChoicesFilter.title = title or column.replace("_", " ")
    return ChoicesFilter


def is_set_filter(column: str, words: str) -> type[admin.SimpleListFilter]:
    """Return a filter by whether a column is set, in a form that can use an index."""

    class IsSetFilter(admin.SimpleListFilter):
        title = parameter_name = words

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [("no", "No"), ("yes", "Yes")]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            is_null = {"no": True, "yes": False}.get(self.value() or "")
            return queryset if is_null is None else queryset.filter(**{f"{column}__isnull": is_null})

    return IsSetFilter
