"""Admin classes of appointments, records and proposals."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.models import Role
from adminpanel.admin.base import ReadOnlyAdmin, ReasonForm, choices_filter, get_staff_user, has_permission
from appointments.access_log import STAFF_VIEW, log_access
from appointments.models import (
    LIVE,
    Appointment,
    AppointmentRecord,
    Attachment,
    BookingDraft,
    PatientOfDoctor,
    Proposal,
    RecordDraft,
    Status,
    TimeChange,
)
from appointments.transitions import change_status
from config.api.errors import DomainError
from doctors.models import Specialization

CLINICAL_FIELDS = (
    "symptoms",
    "patient_notes",
    "doctor_notes",
    "diagnosis",
    "prescription_notes",
    "prescription_items",
    "follow_up_days",
    # Messages between patient and doctor may be clinical too.
    "cancel_reason",
    "cancel_request_reason",
    "cancel_reply",
)


ROLES = [(role, role.label) for role in Role]
# The same is on the booking page and in the privacy policy.
CLINICAL_DESCRIPTION = (
    "Only the patient, the doctor, and staff with special permission can read this. Every time it's opened is logged, "
    "and the patient sees the log."
)


class ClinicalAdmin(ReadOnlyAdmin):
    """An admin with clinical text, which requires its own permission, is in no list, and is logged when read."""

    clinical: ClassVar[tuple[str, ...]] = ()
    hidden: ClassVar[tuple[str, ...]] = ()

    def can_read_clinical(self, request: HttpRequest) -> bool:
        """Return whether staff may read clinical text."""
        return has_permission(request, "appointments.view_clinical")

    def get_appointment_id(self, one: Any) -> Any:
        """Return the id of the appointment that a row belongs to."""
        return one.appointment_id

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        out = {*self.hidden, *self.clinical}
        shown = [field.name for field in self.opts.concrete_fields if field.name not in out]
        return [*shown, *self.clinical] if self.can_read_clinical(request) else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return self.get_fields(request, obj)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = self.get_fields(request, obj)
        groups: list[Any] = [(None, {"fields": [name for name in fields if name not in self.clinical]})]
        if self.clinical and self.can_read_clinical(request):
            groups.append(("Medical texts", {"fields": list(self.clinical), "description": CLINICAL_DESCRIPTION}))
        return groups

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        response = super().change_view(request, object_id, form_url, extra_context)
        if response.status_code == 200 and self.clinical and self.can_read_clinical(request):
            one = self.get_object(request, object_id)
            log_access(Appointment.objects.filter(pk=self.get_appointment_id(one)), get_staff_user(request), STAFF_VIEW)
        return response


@admin.register(Appointment)
class AppointmentAdmin(ClinicalAdmin):
    """Appointments, with an action to cancel them."""

    subject_fields = ("appointment", "pk", "patient_id")
    list_display = ("starts_at", "patient_name", "doctor_name", "specialization", "status_now", "attended", "booked_by")
    list_display_links = ("starts_at", "patient_name")
    list_filter = (
        "status",
        "attended",
        choices_filter("booked_by", ROLES),
        choices_filter("specialization", Specialization.choices),
        ("starts_at", admin.DateFieldListFilter),
    )
    search_fields = ("patient_name", "doctor_name")
    folded_fields = ("people_text",)
    search_help_text = "Name of the patient or the doctor, or an id of the appointment or of either"
    id_search_fields = ("pk", "patient", "doctor")
    ordering = ("-starts_at", "id")
    actions = ("cancel",)
    entity = "appointment"
    hidden = ("reservation",)
    clinical = CLINICAL_FIELDS

    @admin.display(description="status", ordering="status")
    def status_now(self, appointment: Appointment) -> str:
        """Return the effective status: a request past its deadline is cancelled."""
        return Status.CANCELLED.label if appointment.is_overdue(timezone.now()) else appointment.get_status_display()

    def get_appointment_id(self, one: Appointment) -> Any:
        return one.pk

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        shown = super().get_fields(request, obj)
        return ["status_now" if name == "status" else name for name in shown]

    def get_row_actions(self, request: HttpRequest, one: Appointment) -> list[tuple[str, str]]:
        live = one.status in LIVE and not one.is_overdue(timezone.now())
        return super().get_row_actions(request, one) if live else []

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        """Return whether staff may cancel appointments."""
        return has_permission(request, "appointments.cancel_appointment")

    @admin.action(description="Cancel, with a reason", permissions=["cancel"])
    def cancel(self, request: HttpRequest, appointments: QuerySet[Appointment]) -> HttpResponse | None:
        """Cancel appointments with a reason, by the same service as the API."""
        if self.reject_too_many(request, appointments):
            return None
        form = ReasonForm(request.POST if "reason" in request.POST else None)
        if not form.is_valid():
            return self.render_confirmation(
                request, appointments, action="cancel", title="Cancel these appointments?", verb="Cancel appointments",
                form=form,
                describe=lambda appointment: [f"{self.status_now(appointment)}, {appointment.time_zone}"],
                words="The patient and the doctor get an email with the reason.",
            )  # fmt: skip
        now, actor = timezone.now(), get_staff_user(request)
        reason = form.cleaned_data["reason"]

        def cancel_one(one: Appointment) -> None:
            if not change_status(one, Status.CANCELLED, actor=actor, now=now, reason=reason):
                raise DomainError(
                    "illegal_transition", "This appointment was already cancelled. Your reason wasn't saved."
                )

        self.apply_to_each(request, appointments, cancel_one, "cancelled")
        return None


class AppointmentRelatedAdmin(ReadOnlyAdmin):
    """Base admin of rows that belong to an appointment."""

    subject_fields = ("appointment", "appointment_id", "appointment.patient_id")
    list_select_related: ClassVar[tuple[str, ...]] = ("appointment",)
    search_fields = ("appointment__patient_name", "appointment__doctor_name")
    folded_fields: ClassVar[tuple[str, ...]] = ("appointment__people_text",)
    search_help_text = "Name of the patient or the doctor, or the appointment's id"
    id_search_fields: ClassVar[tuple[str, ...]] = ("appointment",)
    ordering = ("-pk",)


@admin.register(TimeChange)
class TimeChangeAdmin(ClinicalAdmin, AppointmentRelatedAdmin):
    """Earlier times of appointments; the reasons are messages to patients."""

    clinical = ("reason",)
    list_display = ("appointment", "changed_at", "changed_by", "from_date", "from_time", "to_date", "to_time")
    list_filter = (choices_filter("changed_by", ROLES),)


@admin.register(Proposal)
class ProposalAdmin(ClinicalAdmin, AppointmentRelatedAdmin):
    """Proposed times; the reasons are messages between patient and doctor."""

    clinical = ("reason",)
    hidden = ("reservation",)
    list_display = ("appointment", "date", "time", "proposed_by", "answer", "created_at", "expires_at")
    list_filter = ("answer", "proposed_by")


@admin.register(AppointmentRecord)
class AppointmentRecordAdmin(ClinicalAdmin, AppointmentRelatedAdmin):
    """Versions of records."""

    clinical = ("diagnosis", "notes", "prescription_notes", "prescription_items", "follow_up_days")
    list_display = ("appointment", "version", "written_at", "written_by")
    list_select_related = ("appointment", "written_by")


@admin.register(RecordDraft)
class RecordDraftAdmin(AppointmentRelatedAdmin):
    """Drafts of records, without their content (ADR 0026)."""

    list_display = fields = ("appointment", "revision", "saved_at")


@admin.register(BookingDraft)
class BookingDraftAdmin(ReadOnlyAdmin):
    """Drafts of booking forms, without their content (ADR 0026)."""

    subject_fields = ("user", "patient_id", "patient_id")
    list_display = fields = ("patient", "doctor", "saved_at")
    list_select_related = ("patient", "doctor__user")
    search_fields = ("patient__name",)
    search_help_text = "The patient's name, or the id of the patient or the doctor"
    id_search_fields = ("patient", "doctor")
    ordering = ("-pk",)


@admin.register(Attachment)
class AttachmentAdmin(ClinicalAdmin, AppointmentRelatedAdmin):
    """Attachments; their names may reveal a diagnosis."""

    clinical = ("name",)
    hidden = ("stored_as", "sha256")
    list_display = ("appointment", "content_type", "size", "added_at", "added_by", "removed_at")
    list_select_related = ("appointment", "added_by")


@admin.register(PatientOfDoctor)
class PatientOfDoctorAdmin(ReadOnlyAdmin):
    """Patients of doctors."""

    subject_fields = ("user", "patient_id", "patient_id")
    list_display = ("name", "doctor", "since", "last_booked_at")
    list_select_related = ("doctor__user",)
    search_fields = ("name",)
    folded_fields = ("search_text",)
    search_help_text = "The patient's name, or the id of the patient or the doctor"
    id_search_fields = ("patient", "doctor")
    ordering = ("-pk",)
