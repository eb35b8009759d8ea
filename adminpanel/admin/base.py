"""What all tables of the staff site share: read-only, counted up to a limit, with the trail as their history."""

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
from accounts.audit.log import Action, record
from accounts.models import AuditEvent, User
from accounts.text.fields import NOT_IN_FREE_TEXT
from accounts.text.substring_search import match_words
from adminpanel.queries.audit import names_of
from appointments.scheduling.account_closure import Effects
from config.api.access_log import collecting, shown
from config.api.errors import DomainError, as_rule
from config.api.pagination import ROW_LIMIT

# How many rows one act of staff may touch; as many as the API takes at once.
ACT_LIMIT = 100
# With how many people an undo still fits into the cookie that carries the message.
UNDO_LIMIT = 20
HISTORY = 100
# How filters of lists ask for a column.
FILTERED_BY = frozenset({"", "exact", "in", "isnull", "gte", "lt"})


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # of any rows
    """Counts no further than one can page: a table of millions is never counted to its end."""

    @cached_property
    def counted(self) -> int:
        """Count the rows, stopping one past the limit."""
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # the admin hands a queryset
        return rows.order_by()[: ROW_LIMIT + 1].count()

    @property
    def count(self) -> int:
        return min(self.counted, ROW_LIMIT)

    @property
    def has_more(self) -> bool:
        """Return whether there are more rows than can be paged."""
        return self.counted > ROW_LIMIT


def acting(request: HttpRequest) -> User:
    """Return who acts; the site let nobody else in."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def may(request: HttpRequest, permission: str) -> bool:
    """Return whether this member of staff has a permission."""
    return acting(request).has_perm(permission)


class TrailForHistory(admin.ModelAdmin):  # type: ignore[type-arg]  # one base for all models
    """A table whose history is the audit trail; Django's own log is not written (ADR 0040)."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = BoundedPaginator
    list_per_page = 50
    # Only what an index orders; each table names its columns.
    sortable_by: ClassVar[tuple[str, ...]] = ()
    # What the trail calls a row of this table; empty where the trail names none.
    entity = ""
    # Columns of folded text that words are searched in, instead of `search_fields`.
    folded_fields: ClassVar[tuple[str, ...]] = ()
    # The columns that a whole id in the search field is compared with.
    found_by_id: ClassVar[tuple[str, ...]] = ("pk",)
    # What a row shows, as the audit log names it; the attributes with its id and with the id of the person it is about.
    shows: ClassVar[tuple[str, str, str] | None] = None
    # Why a table without `shows` shows nobody's data.
    without_personal_data = ""

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Django's would let those look too who may change, which nobody may here.
        return may(request, f"{self.opts.app_label}.view_{self.opts.model_name}")

    def entity_of(self, one: Any) -> Any:
        """Return the id under which the trail knows a row."""
        return one.pk

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing: the act has written its row of the trail."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Write nothing, as above."""

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        """Write nothing, as above."""

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        # PostgreSQL knows no text with a zero byte, and so no row that is called by one.
        return None if "\x00" in object_id else super().get_object(request, object_id, from_field)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Narrow by what the page's own filters name, and nothing else.

        Django lets an address narrow by any column of the table. One who may see the list alone could guess at what it
        does not show, letter by letter: what an appointment is about, a password's digest, where a message goes.
        """
        chosen = self.list_filter if request is None else self.get_list_filter(request)
        # A column, a column with its kind of filter, or a filter with a name of its own.
        names = {one[0] if isinstance(one, tuple) else getattr(one, "parameter_name", one) for one in chosen}
        column, _, kind = lookup.partition("__")
        return column in names and kind in FILTERED_BY

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find by a whole id, which costs nothing, or by words; an address is kept in small letters."""
        term = search_term.strip()
        if "\x00" in term:
            return queryset.none(), False
        try:
            wanted = UUID(term)
        except ValueError:
            if self.folded_fields:
                return queryset.filter(match_words(term, *self.folded_fields)), False
            return super().get_search_results(request, queryset, term.lower())
        somewhere = Q()
        for column in self.found_by_id:
            somewhere |= Q(**{column: wanted})
        return queryset.filter(somewhere), False

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """Narrow and read the list; what no column can hold is a wrong address, not a crash."""
        try:
            with transaction.atomic():
                found = super().get_changelist_instance(request)
                # Here, not while the page is written, when nothing could be answered any more.
                len(found.result_list)
        except (ValueError, OverflowError, ValidationError, DataError) as odd:
            raise IncorrectLookupParameters from odd
        return found

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any], *args: Any) -> HttpResponse | None:
        """Do an act to the chosen rows; what is no id of this table is told, not looked for."""
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
        return self.recorded(request, lambda: super(TrailForHistory, self).changelist_view(request, context))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.recorded(
            request, lambda: super(TrailForHistory, self).change_view(request, object_id, form_url, extra_context)
        )

    def recorded(self, request: HttpRequest, respond: Callable[[], HttpResponse]) -> HttpResponse:
        """Respond, and record whose data the page shows: the rows of a list, one row, or the rows of a question."""
        with collecting() as collected:
            response = respond()
            context = getattr(response, "context_data", None) or {}
            listed = context["cl"].result_list if "cl" in context else [one for one, _ in context.get("chosen", ())]
            for one in [*listed, *filter(None, (context.get("original"), context.get("object")))]:
                self.note_shown(one)
        if response.status_code == 200 and request.resolver_match:
            record_readings(acting(request), request.resolver_match.view_name, collected.subjects.values())
        return response

    def note_shown(self, one: Any) -> None:
        """Note that a page shows this row."""
        if self.shows is not None:
            kind, pk, person = self.shows
            if found := attrgetter(person)(one):
                shown(kind, [(attrgetter(pk)(one), found)])

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return self.recorded(request, lambda: self.history(request, object_id))

    def history(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show what the trail says of this row; looking into it is written down, as everywhere."""
        one = self.get_object(request, object_id)
        if one is None:
            raise Http404
        if not self.has_view_permission(request, one) or not may(request, "accounts.view_auditevent"):
            raise PermissionDenied
        events: list[AuditEvent] = []
        if self.entity:
            found = AuditEvent.objects.filter(entity_type=self.entity, entity_id=str(self.entity_of(one)))
            events = list(found.order_by("-id")[:HISTORY])
        entity = self.entity_of(one) if self.entity else None
        record("audit.read", Action.READ, self.entity or "audit", entity, by=acting(request))
        names = names_of(events)
        return TemplateResponse(
            request,
            "staff/history.html",
            {
                **self.admin_site.each_context(request),
                "title": "History",
                "subtitle": str(one),
                "opts": self.opts,
                "object": one,
                "events": [(event, names.get(event.agent_id) if event.agent_id else "") for event in events],
            },
        )


class ReadOnly(TrailForHistory):
    """A table that staff look at; what they may do with it stands in its actions."""

    change_form_template = "staff/one.html"

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def acts_on(self, request: HttpRequest, one: Any) -> list[tuple[str, str]]:
        """Return the acts, by name and words, that this member of staff is offered on the page of one row."""
        offered = self.get_actions(request).items()
        return [(name, str(act[2])) for name, act in offered if act is not None]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        one = self.get_object(request, object_id) if object_id else None
        acts = self.acts_on(request, one) if one is not None and self.has_view_permission(request, one) else []
        return super().changeform_view(request, object_id, form_url, {**(extra_context or {}), "acts": acts})

    # --- Acts ---------------------------------------------------------------------------------

    def ask_first(
        self,
        request: HttpRequest,
        chosen: QuerySet[Any],
        *,
        action: str,
        title: str,
        verb: str,
        form: forms.Form,
        told: Callable[[Any], Sequence[str]],
        words: str = "",
    ) -> HttpResponse:
        """Show what an act would do to each row, and ask; nothing is changed yet."""
        return TemplateResponse(
            request,
            "staff/confirm.html",
            {
                **self.admin_site.each_context(request),
                "title": title,
                "opts": self.opts,
                "form": form,
                "chosen": [(one, told(one)) for one in chosen],
                "action": action,
                "verb": verb,
                "words": words,
            },
        )

    def too_many(self, request: HttpRequest, chosen: QuerySet[Any]) -> bool:
        """Return whether more rows were chosen than one act takes; then says so."""
        if chosen[: ACT_LIMIT + 1].count() <= ACT_LIMIT:
            return False
        self.message_user(request, f"Choose at most {ACT_LIMIT} at once.", messages.ERROR)
        return True

    def do_each(
        self, request: HttpRequest, chosen: Iterable[Any], act: Callable[[Any], object], done: str
    ) -> list[models.Model]:
        """Do an act to each row in a transaction of its own, and say how it went; return those it worked for."""
        worked = []
        for one in chosen:
            try:
                with transaction.atomic():
                    act(one)
            except (DomainError, DatabaseError) as broken:
                refused = as_rule(broken)
                if refused is None:
                    raise
                self.message_user(request, f"{one}: {refused.message}", messages.ERROR)
                if refused.code == "unavailable":
                    # Nobody waits a hundred times; what was done stays and is told.
                    break
            else:
                worked.append(one)
        if len(worked) == 1:
            self.message_user(request, f"{worked[0]}: {done}.", messages.SUCCESS)
        elif worked:
            self.message_user(request, f"{len(worked)} {self.opts.verbose_name_plural}: {done}.", messages.SUCCESS)
        return worked

    def offer_undo(self, request: HttpRequest, rows: Sequence[models.Model], action: str, verb: str) -> None:
        """Offer to take an act back: a form, so that no link and no other site can do it."""
        if not 0 < len(rows) <= UNDO_LIMIT:
            return
        context = {"rows": rows, "action": action, "verb": verb, "opts": self.opts}
        self.message_user(request, render_to_string("staff/undo.html", context, request), messages.INFO)


class SureForm(forms.Form):
    """A yes, said on the page that shows what will happen."""

    sure = forms.CharField(widget=forms.HiddenInput, initial="yes")


def check_reason(text: str) -> str:
    """Return a reason as it is kept; raise `ValidationError` for signs that nobody sees."""
    reason = str(text).replace("\r\n", "\n")
    if NOT_IN_FREE_TEXT.search(reason):
        raise forms.ValidationError("Leave out invisible characters.")
    return reason


class ReasonForm(forms.Form):
    """Why staff do what they do; the people concerned read it."""

    reason = forms.CharField(max_length=500, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, readers: str = "Both sides read it.", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = readers

    def clean_reason(self) -> str:
        return check_reason(self.cleaned_data["reason"])


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def staying(effects: Effects) -> list[str]:
    """Say which appointments an act leaves standing: how many, and the first of them."""
    shown("appointment", ((appointment.pk, appointment.patient_id) for appointment in effects.appointments))
    stay = f"{counted(effects.upcoming, 'appointment')} ahead will stay, listed on the admin's desk"
    return [stay if effects.upcoming else "No appointments ahead", *map(str, effects.appointments)]


def choose(column: str, choices: Iterable[tuple[Any, Any]], title: str = "") -> type[admin.SimpleListFilter]:
    """Make a filter over choices that the code knows, where Django's own would read the whole table for them."""
    offered = [(str(value), str(label).capitalize()) for value, label in choices]

    class Chosen(admin.SimpleListFilter):
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return offered

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            # What is not offered finds nothing, rather than everything.
            return queryset.filter(**{column: self.value()}) if self.value() is not None else queryset

    Chosen.title = title or column.replace("_", " ")
    return Chosen


def happened(column: str, words: str) -> type[admin.SimpleListFilter]:
    """Make a filter over whether something has happened, asked so that an index can answer."""

    class Happened(admin.SimpleListFilter):
        title = parameter_name = words

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [("no", "No"), ("yes", "Yes")]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            wanted = {"no": True, "yes": False}.get(self.value() or "")
            return queryset if wanted is None else queryset.filter(**{f"{column}__isnull": wanted})

    return Happened
