"""What staff see of each table, and what they may do: the same acts as the API, never a bare save."""

from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts.models import User
from accounts.text_rules import NOT_IN_FREE_TEXT
from appointments.models import Appointment, Status
from appointments.reading import STAFF, opened
from appointments.states import move
from config.errors import RuleBroken

CLINICAL = (
    "symptoms",
    "patient_notes",
    "doctor_notes",
    "diagnosis",
    "prescription_notes",
    "prescription_items",
    "follow_up_days",
)


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # one base for all models
    """A table that staff look at; what they may do with it stands in its actions."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReasonForm(forms.Form):
    """Why staff do what they do; the people concerned read it."""

    reason = forms.CharField(max_length=500, widget=forms.Textarea(attrs={"rows": 3}), help_text="Both sides read it.")

    def clean_reason(self) -> str:
        reason = str(self.cleaned_data["reason"]).replace("\r\n", "\n")
        if NOT_IN_FREE_TEXT.search(reason):
            raise forms.ValidationError("Leave out invisible characters.")
        return reason


@admin.register(Appointment)
class AppointmentAdmin(ReadOnly):
    """Visits. Clinical text has a permission of its own, and reading it is written to the trail."""

    list_display = ("starts_at", "patient_name", "doctor_name", "specialization", "status_now", "attended", "booked_by")
    list_display_links = ("starts_at", "patient_name")
    list_filter = ("status", "attended", "booked_by", "specialization")
    search_fields = ("patient_name", "doctor_name")
    search_help_text = "Name of the patient or the doctor"
    ordering = ("-starts_at", "id")
    actions = ("cancel",)
    hidden: ClassVar[set[str]] = {"claim", *CLINICAL}

    @admin.display(description="status", ordering="status")
    def status_now(self, visit: Appointment) -> str:
        """Answer the status as everybody reads it: a request past its deadline has ended."""
        return Status.CANCELLED.label if visit.is_overdue(timezone.now()) else visit.get_status_display()

    def may_read(self, request: HttpRequest) -> bool:
        """Tell whether this member of staff may read clinical text."""
        return isinstance(request.user, User) and request.user.has_perm("appointments.view_clinical")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        shown = [field.name for field in Appointment._meta.concrete_fields if field.name not in self.hidden]
        shown.insert(shown.index("status") + 1, "status_now")
        return [*shown, *CLINICAL] if self.may_read(request) else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return self.get_fields(request, obj)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = super().change_view(request, object_id, form_url, extra_context)
        if response.status_code == 200 and self.may_read(request) and isinstance(request.user, User):
            opened(Appointment.objects.filter(pk=UUID(object_id)), request.user, STAFF)
        return response

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        """Tell whether this member of staff may cancel visits."""
        return isinstance(request.user, User) and request.user.has_perm("appointments.cancel_appointment")

    @admin.action(description="Cancel, with a reason", permissions=["cancel"])
    def cancel(self, request: HttpRequest, visits: QuerySet[Appointment]) -> HttpResponse | None:
        """Ask for the reason, then take each visit the road that the API takes; what can't be cancelled stays."""
        if not isinstance(request.user, User):
            raise PermissionDenied
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        if not form.is_valid():
            return TemplateResponse(
                request,
                "staff/reason.html",
                {
                    **self.admin_site.each_context(request),
                    "title": "Cancel visits",
                    "opts": self.opts,
                    "form": form,
                    "chosen": visits,
                    "action": "cancel",
                    "verb": "Cancel visits",
                },
            )
        now = timezone.now()
        for visit in visits:
            try:
                move(visit, Status.CANCELLED, by=request.user, now=now, reason=form.cleaned_data["reason"])
            except RuleBroken as refused:
                self.message_user(request, f"{visit}: {refused.message}", messages.ERROR)
            else:
                self.message_user(request, f"{visit}: cancelled.", messages.SUCCESS)
        return None
