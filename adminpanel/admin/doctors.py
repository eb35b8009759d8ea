"""Doctors, their verification and their calendar."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from adminpanel.admin.base import (
    ConfirmForm,
    ReadOnlyAdmin,
    ReasonForm,
    choices_filter,
    clean_reason_text,
    describe_remaining,
    get_staff_user,
    has_permission,
)
from appointments.scheduling.account_closure import preview_effects
from config.api.errors import DomainError
from doctors.availability.calendar import lock_doctor
from doctors.models import (
    Absence,
    Approval,
    BlockedTime,
    CaseState,
    DayOverride,
    DoctorProfile,
    HeldTime,
    MissedSearch,
    OfferedTime,
    Reservation,
    Verification,
    WeeklyHours,
)
from doctors.verification.decisions import (
    Decision,
    EvidencePart,
    decide_application,
    find_gaps,
    find_open_case,
    list_missing_evidence,
)
from doctors.weekly_hours import WEEKDAYS, format_minute


class SeenForm(ConfirmForm):
    """A confirmation with the open cases that the page showed, and their revisions."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)


class SeenReasonForm(ReasonForm):
    """A reason, with the open cases that the page showed."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)


class ApproveForm(SeenForm):
    """A confirmation, with a reason if evidence is missing."""

    reason = forms.CharField(
        label="Reason to approve although evidence is missing",
        help_text="Only staff can read it.",
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, needs_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_reason:
            del self.fields["reason"]

    def clean_reason(self) -> str:
        return clean_reason_text(self.cleaned_data["reason"])


def find_case_gaps(doctor: DoctorProfile, case: Verification | None) -> list[str]:
    """Return the evidence that is missing to approve a doctor's open case."""
    if case is None:
        return list_missing_evidence(doctor, None)
    return find_gaps(case.license_authority, case.license_expires_on, has_document=case.document is not None)


def get_open_cases(doctors: QuerySet[DoctorProfile]) -> dict[UUID, Verification]:
    """Return the open cases of doctors by doctor, in one query."""
    chosen = [doctor.pk for doctor in doctors]
    return {case.doctor_id: case for case in Verification.objects.filter(doctor__in=chosen, state=CaseState.OPEN)}


def serialize_cases(cases: Mapping[UUID, Verification]) -> str:
    """Return the ids and revisions of cases as text."""
    return " ".join(f"{case.pk}:{case.revision}" for case in cases.values())


def check_cases_seen(doctor: DoctorProfile, seen: str) -> None:
    """Raise `case_changed` if the open case is not the one in `seen`. Requires the doctor's lock."""
    case = find_open_case(doctor)
    if case is not None and f"{case.pk}:{case.revision}" not in seen.split():
        raise DomainError("case_changed")


def format_license(row: DoctorProfile | Verification) -> str:
    """Return a license on one line."""
    parts = (row.license_number, row.license_authority, row.license_region)
    until = f"until {row.license_expires_on}" if row.license_expires_on else "without an end"
    return f"{', '.join(part for part in parts if part)}, {until}"


@admin.register(DoctorProfile)
class DoctorAdmin(ReadOnlyAdmin):
    """Doctors. Whether one is listed is changed only by actions."""

    subject_fields = ("doctor", "pk", "pk")
    entity = "doctor"
    list_display = ("user", "specialization", "approval", "license_number", "license_expires_on", "hospital_city")
    list_select_related = ("user",)
    list_filter = ("approval", "specialization")
    search_fields = ("user__name", "user__email", "license_number")
    search_help_text = "Name, email address, license number or id"
    ordering = ("-pk",)
    actions = ("approve", "reject", "revoke")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("user")

    # --- Acts ---------------------------------------------------------------------------------

    def get_row_actions(self, request: HttpRequest, one: DoctorProfile) -> list[tuple[str, str]]:
        applicable = {
            Approval.PENDING: {"approve", "reject"},
            Approval.APPROVED: {"revoke"},
            Approval.REJECTED: {"approve"},
            Approval.REVOKED: {"approve"},
        }[Approval(one.approval)]
        return (
            [] if one.user.ended_at else [act for act in super().get_row_actions(request, one) if act[0] in applicable]
        )

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Return whether staff may approve and reject doctors."""
        return has_permission(request, "doctors.decide_verification")

    def describe_license(self, doctor: DoctorProfile, case: Verification | None) -> list[str]:
        """Describe a doctor's license, and the one that the open case claims."""
        status = f"{doctor.specialization}, {doctor.get_approval_display().lower()}"
        claims = [f"License {format_license(doctor)}"]
        if case is not None and format_license(case) != format_license(doctor):
            claims.append(f"Claimed now: {format_license(case)}")
        return [status, *claims]

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, doctors: QuerySet[DoctorProfile]) -> HttpResponse | None:
        """Approve doctors after a confirmation that shows their evidence."""
        if self.reject_too_many(request, doctors):
            return None
        cases = get_open_cases(doctors)
        gaps = {doctor.pk: find_case_gaps(doctor, cases.get(doctor.pk)) for doctor in doctors}
        needs_reason = any(gaps.values())
        form = ApproveForm(request.POST, needs_reason=needs_reason)
        if not form.is_valid():

            def describe(doctor: DoctorProfile) -> list[str]:
                missing = [f"Missing: {', '.join(EvidencePart(part).label for part in gaps[doctor.pk])}"]
                return [*self.describe_license(doctor, cases.get(doctor.pk)), *(missing if gaps[doctor.pk] else [])]

            return self.render_confirmation(
                request, doctors, action="approve", title="Approve these doctors?", verb="Approve",
                form=form if "reason" in request.POST
                else ApproveForm(initial={"seen": serialize_cases(cases)}, needs_reason=needs_reason),
                describe=describe, words="Patients can find and book them right away. Each of them gets an email.",
            )  # fmt: skip
        now, seen, reason = timezone.now(), form.cleaned_data["seen"], form.cleaned_data.get("reason", "")

        def act(doctor: DoctorProfile) -> None:
            lock_doctor(doctor.pk)
            check_cases_seen(doctor, seen)
            decide_application(doctor.pk, Decision(True, exception=reason), actor=get_staff_user(request), now=now)

        self.apply_to_each(request, doctors, act, "approved")
        return None

    @admin.action(description="Reject, with a reason", permissions=["decide"])
    def reject(self, request: HttpRequest, doctors: QuerySet[DoctorProfile]) -> HttpResponse | None:
        """Reject applicants with a reason."""
        return self.reject_or_revoke(
            request, doctors, "reject", "Reject these doctors?", "Reject", "rejected", self.describe_license,
            "They can answer by applying again.",
        )  # fmt: skip

    @admin.action(description="Revoke, with a reason", permissions=["decide"])
    def revoke(self, request: HttpRequest, doctors: QuerySet[DoctorProfile]) -> HttpResponse | None:
        """Remove doctors from the directory, with a reason and after showing their upcoming appointments."""
        now = timezone.now()

        def describe(doctor: DoctorProfile, case: Verification | None) -> list[str]:
            return [*self.describe_license(doctor, case), *describe_remaining(preview_effects(doctor.user, now))]

        return self.reject_or_revoke(
            request, doctors, "revoke", "Revoke these approvals?", "Revoke", "revoked", describe,
            "Patients can't find or book them any more.",
        )  # fmt: skip

    def reject_or_revoke(
        self,
        request: HttpRequest,
        doctors: QuerySet[DoctorProfile],
        action: str,
        title: str,
        verb: str,
        done: str,
        describe: Any,
        words: str,
    ) -> HttpResponse | None:
        """Record a negative decision; the doctor's approval determines whether that is a rejection or a revocation."""
        if self.reject_too_many(request, doctors):
            return None
        cases = get_open_cases(doctors)
        form = SeenReasonForm(
            request.POST if "reason" in request.POST else None,
            readers="The doctor reads it.",
            initial={"seen": serialize_cases(cases)},
        )
        if not form.is_valid():
            return self.render_confirmation(
                request, doctors, action=action, title=title, verb=verb, form=form,
                describe=lambda one: describe(one, cases.get(one.pk)), words=words,
            )  # fmt: skip
        now, reason, seen = timezone.now(), form.cleaned_data["reason"], form.cleaned_data["seen"]

        def act(doctor: DoctorProfile) -> None:
            # Reloaded with a lock, so that no listed doctor is rejected and no pending one revoked.
            locked = lock_doctor(doctor.pk)
            if locked is None or (locked.approval == Approval.APPROVED) != (action == "revoke"):
                raise DomainError("illegal_transition", f"can't be {done} now.")
            check_cases_seen(doctor, seen)
            decide_application(doctor.pk, Decision(False, reason=reason), actor=get_staff_user(request), now=now)

        self.apply_to_each(request, doctors, act, done)
        return None


@admin.register(Verification)
class VerificationAdmin(ReadOnlyAdmin):
    """Doctors' applications and the decisions on them."""

    subject_fields = ("doctor", "doctor_id", "doctor_id")
    entity = "doctor"
    list_display = ("doctor", "license_number", "state", "submitted_at", "decided_at", "decided_by")
    list_select_related = ("doctor__user", "decided_by")
    list_filter = ("state",)
    search_fields = ("license_number",)
    search_help_text = "License number, or the id of the case or the doctor"
    id_search_fields = ("pk", "doctor")
    ordering = ("-id",)
    exclude = ("document_stored_as", "document_sha256")

    def get_entity_id(self, one: Verification) -> Any:
        return one.doctor_id

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("doctor__user", "decided_by")


class DoctorRelatedAdmin(ReadOnlyAdmin):
    """Base admin of rows that belong to a doctor."""

    subject_fields = ("doctor", "doctor_id", "doctor_id")
    list_select_related: ClassVar[tuple[str, ...]] = ("doctor__user",)
    search_fields = ("doctor__user__email__exact",)
    search_help_text = "The doctor's whole email address or id"
    id_search_fields: ClassVar[tuple[str, ...]] = ("doctor",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("doctor__user")

    @admin.display(description="from")
    def starts(self, row: Any) -> str:
        """Return the local start time."""
        return format_minute(row.start_minute)

    @admin.display(description="to")
    def ends(self, row: Any) -> str:
        """Return the local end time."""
        return format_minute(row.end_minute)


@admin.register(WeeklyHours)
class WeeklyHoursAdmin(DoctorRelatedAdmin):
    """The hours of each weekday."""

    list_display = fields = ("doctor", "day", "starts", "ends")
    list_filter = (choices_filter("weekday", [(number, day) for number, day in enumerate(WEEKDAYS)]),)

    @admin.display(description="weekday")
    def day(self, row: WeeklyHours) -> str:
        """Return the weekday's name."""
        return WEEKDAYS[row.weekday].capitalize()


@admin.register(DayOverride)
class DayOverrideAdmin(DoctorRelatedAdmin):
    """Overrides of single dates, and days off."""

    list_display = fields = ("doctor", "date", "open", "reason")
    list_filter = ("date",)

    @admin.display(description="hours")
    def open(self, row: DayOverride) -> str:
        """Return the local hours."""
        return ", ".join(f"{format_minute(start)} to {format_minute(end)}" for start, end in row.hours) or "Day off"


@admin.register(BlockedTime)
class BlockedTimeAdmin(DoctorRelatedAdmin):
    """Blocked intervals."""

    list_display = fields = ("doctor", "date", "starts", "ends", "reason")
    list_filter = ("date",)


@admin.register(Absence)
class AbsenceAdmin(DoctorRelatedAdmin):
    """Absences."""

    list_display = fields = ("doctor", "from_date", "starts", "to_date", "ends", "reason")
    list_filter = ("from_date",)

    @admin.display(description="from")
    def starts(self, row: Any) -> str:
        """Return the local start time."""
        return format_minute(row.from_minute)

    @admin.display(description="to")
    def ends(self, row: Any) -> str:
        """Return the local end time."""
        return format_minute(row.to_minute)


@admin.register(Reservation)
class ReservationAdmin(DoctorRelatedAdmin):
    """Reserved time: appointments, holds and proposals."""

    subject_fields = ("user", "patient_id", "patient_id")
    list_display = ("starts_at", "kind", "doctor", "patient", "ends_at", "expires_at")
    list_select_related = ("doctor__user", "patient")
    list_filter = ("kind",)
    id_search_fields: ClassVar[tuple[str, ...]] = ("pk", "doctor", "patient")
    # Staff need neither the hash of a hold's secret nor the network.
    exclude = ("secret_hash", "network")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("doctor__user", "patient")


@admin.register(HeldTime)
class HeldTimeAdmin(DoctorRelatedAdmin):
    """How long times were held, without the hash of the holder."""

    list_display = fields = ("starts_at", "doctor", "held_seconds", "ended_at")


@admin.register(OfferedTime)
class OfferedTimeAdmin(ReadOnlyAdmin):
    """Offered and booked time by date, specialization and city."""

    no_personal_data_reason = "Figures of a date and a city."
    list_display = ("date", "specialization", "city", "offered_minutes", "used_minutes")
    list_filter = ("date",)
    id_search_fields = ()
    search_fields = ("specialization", "city")
    ordering = ("-date", "specialization", "city")


@admin.register(MissedSearch)
class MissedSearchAdmin(ReadOnlyAdmin):
    """How often a search found no free time, by date and place."""

    no_personal_data_reason = "Figures of a date and a city."
    list_display = ("date", "specialization", "city", "times")
    list_filter = ("date",)
    id_search_fields = ()
    search_fields = ("specialization", "city")
    ordering = ("-date", "specialization", "city")
