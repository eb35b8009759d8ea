"""Doctors, their verification and their calendar."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from adminpanel.admin.base import ReadOnly, ReasonForm, SureForm, acting, check_reason, choose, may, staying
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
from doctors.verification.decisions import Decision, EvidencePart, decide, find_gaps, missing_evidence, open_case_of
from doctors.weekly_hours import WEEKDAYS, format_minute


class SeenForm(SureForm):
    """A yes to what was shown: the open cases, as they were then."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)


class SeenReasonForm(ReasonForm):
    """A reason, with the open cases as they were shown."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)


class ApproveForm(SeenForm):
    """A yes to what was shown, with the reason for an exception where evidence is missing."""

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
        return check_reason(self.cleaned_data["reason"])


def gaps_of(doctor: DoctorProfile, case: Verification | None) -> list[str]:
    """Return what is missing to approve a doctor as the open case claims."""
    if case is None:
        return missing_evidence(doctor, None)
    return find_gaps(case.license_authority, case.license_expires_on, has_document=case.document is not None)


def open_cases(doctors: QuerySet[DoctorProfile]) -> dict[UUID, Verification]:
    """Read the open cases of these doctors, by doctor, in one statement."""
    chosen = [doctor.pk for doctor in doctors]
    return {case.doctor_id: case for case in Verification.objects.filter(doctor__in=chosen, state=CaseState.OPEN)}


def as_seen(cases: Mapping[UUID, Verification]) -> str:
    """Write down which cases were shown, and how they were."""
    return " ".join(f"{case.pk}:{case.revision}" for case in cases.values())


def refuse_unseen(doctor: DoctorProfile, seen: str) -> None:
    """Raise `case_changed` unless the open case, where there is one, was shown as it is. The doctor is locked."""
    case = open_case_of(doctor)
    if case is not None and f"{case.pk}:{case.revision}" not in seen.split():
        raise DomainError("case_changed")


def license_of(row: DoctorProfile | Verification) -> str:
    """Write a licence in one line."""
    parts = (row.license_number, row.license_authority, row.license_region)
    until = f"until {row.license_expires_on}" if row.license_expires_on else "without an end"
    return f"{', '.join(part for part in parts if part)}, {until}"


@admin.register(DoctorProfile)
class DoctorAdmin(ReadOnly):
    """Doctors. Whether patients can find one is decided by acts, never by hand."""

    shows = ("doctor", "pk", "pk")
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

    def acts_on(self, request: HttpRequest, one: DoctorProfile) -> list[tuple[str, str]]:
        fitting = {
            Approval.PENDING: {"approve", "reject"},
            Approval.APPROVED: {"revoke"},
            Approval.REJECTED: {"approve"},
            Approval.REVOKED: {"approve"},
        }[Approval(one.approval)]
        return [] if one.user.ended_at else [act for act in super().acts_on(request, one) if act[0] in fitting]

    def has_decide_permission(self, request: HttpRequest) -> bool:
        """Return whether this member of staff may decide who is listed."""
        return may(request, "doctors.decide_verification")

    def claimed(self, doctor: DoctorProfile, case: Verification | None) -> list[str]:
        """Say what stands of a doctor's licence, and what the open case claims instead."""
        now_is = f"{doctor.specialization}, {doctor.get_approval_display().lower()}"
        claims = [f"Licence {license_of(doctor)}"]
        if case is not None and license_of(case) != license_of(doctor):
            claims.append(f"Claimed now: {license_of(case)}")
        return [now_is, *claims]

    @admin.action(description="Approve", permissions=["decide"])
    def approve(self, request: HttpRequest, doctors: QuerySet[DoctorProfile]) -> HttpResponse | None:
        """Show what each claims, ask, then let patients find them."""
        if self.too_many(request, doctors):
            return None
        cases = open_cases(doctors)
        gaps = {doctor.pk: gaps_of(doctor, cases.get(doctor.pk)) for doctor in doctors}
        needs_reason = any(gaps.values())
        form = ApproveForm(request.POST, needs_reason=needs_reason)
        if not form.is_valid():

            def told(doctor: DoctorProfile) -> list[str]:
                missing = [f"Missing: {', '.join(EvidencePart(part).label for part in gaps[doctor.pk])}"]
                return [*self.claimed(doctor, cases.get(doctor.pk)), *(missing if gaps[doctor.pk] else [])]

            return self.ask_first(
                request, doctors, action="approve", title="Approve these doctors?", verb="Approve",
                form=form if "reason" in request.POST
                else ApproveForm(initial={"seen": as_seen(cases)}, needs_reason=needs_reason),
                told=told, words="Patients can find and book them right away. Each of them gets an email.",
            )  # fmt: skip
        now, seen, reason = timezone.now(), form.cleaned_data["seen"], form.cleaned_data.get("reason", "")

        def act(doctor: DoctorProfile) -> None:
            lock_doctor(doctor.pk)
            refuse_unseen(doctor, seen)
            decide(doctor.pk, Decision(True, exception=reason), by=acting(request), now=now)

        self.do_each(request, doctors, act, "approved")
        return None

    @admin.action(description="Reject, with a reason", permissions=["decide"])
    def reject(self, request: HttpRequest, doctors: QuerySet[DoctorProfile]) -> HttpResponse | None:
        """Ask why, then tell doctors who wait that they are not listed; they may apply again."""
        return self.refuse_listing(
            request, doctors, "reject", "Reject these doctors?", "Reject", "rejected", self.claimed,
            "They can answer by applying again.",
        )  # fmt: skip

    @admin.action(description="Revoke, with a reason", permissions=["decide"])
    def revoke(self, request: HttpRequest, doctors: QuerySet[DoctorProfile]) -> HttpResponse | None:
        """Show which appointments stay behind, ask why, then take doctors out of the directory."""
        now = timezone.now()

        def told(doctor: DoctorProfile, case: Verification | None) -> list[str]:
            return [*self.claimed(doctor, case), *staying(preview_effects(doctor.user, now))]

        return self.refuse_listing(
            request, doctors, "revoke", "Revoke these approvals?", "Revoke", "revoked", told,
            "Patients can't find or book them any more.",
        )  # fmt: skip

    def refuse_listing(
        self,
        request: HttpRequest,
        doctors: QuerySet[DoctorProfile],
        action: str,
        title: str,
        verb: str,
        done: str,
        told: Any,
        words: str,
    ) -> HttpResponse | None:
        """Reject or revoke: the same decision, of which a doctor's approval says what it is."""
        if self.too_many(request, doctors):
            return None
        cases = open_cases(doctors)
        form = SeenReasonForm(
            request.POST if "reason" in request.POST else None,
            readers="The doctor reads it.",
            initial={"seen": as_seen(cases)},
        )
        if not form.is_valid():
            return self.ask_first(
                request, doctors, action=action, title=title, verb=verb, form=form,
                told=lambda one: told(one, cases.get(one.pk)), words=words,
            )  # fmt: skip
        now, reason, seen = timezone.now(), form.cleaned_data["reason"], form.cleaned_data["seen"]

        def act(doctor: DoctorProfile) -> None:
            # Read again under its lock, so that nobody who is listed is rejected, nor who waits revoked.
            locked = lock_doctor(doctor.pk)
            if locked is None or (locked.approval == Approval.APPROVED) != (action == "revoke"):
                raise DomainError("illegal_transition", f"can't be {done} now.")
            refuse_unseen(doctor, seen)
            decide(doctor.pk, Decision(False, reason=reason), by=acting(request), now=now)

        self.do_each(request, doctors, act, done)
        return None


@admin.register(Verification)
class VerificationAdmin(ReadOnly):
    """Applications to be listed, with what staff decided."""

    shows = ("doctor", "doctor_id", "doctor_id")
    entity = "doctor"
    list_display = ("doctor", "license_number", "state", "submitted_at", "decided_at", "decided_by")
    list_select_related = ("doctor__user", "decided_by")
    list_filter = ("state",)
    search_fields = ("license_number",)
    search_help_text = "License number, or the id of the case or the doctor"
    found_by_id = ("pk", "doctor")
    ordering = ("-id",)
    exclude = ("document_stored_as", "document_sha256")

    def entity_of(self, one: Verification) -> Any:
        return one.doctor_id

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("doctor__user", "decided_by")


class OfDoctor(ReadOnly):
    """A table that hangs on a doctor."""

    shows = ("doctor", "doctor_id", "doctor_id")
    list_select_related: ClassVar[tuple[str, ...]] = ("doctor__user",)
    search_fields = ("doctor__user__email__exact",)
    search_help_text = "The doctor's whole email address or id"
    found_by_id: ClassVar[tuple[str, ...]] = ("doctor",)
    ordering = ("-pk",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("doctor__user")

    @admin.display(description="from")
    def starts(self, row: Any) -> str:
        """Return the start as on a clock."""
        return format_minute(row.start_minute)

    @admin.display(description="to")
    def ends(self, row: Any) -> str:
        """Return the end as on a clock."""
        return format_minute(row.end_minute)


@admin.register(WeeklyHours)
class WeeklyHoursAdmin(OfDoctor):
    """The hours of each weekday."""

    list_display = fields = ("doctor", "day", "starts", "ends")
    list_filter = (choose("weekday", [(number, day) for number, day in enumerate(WEEKDAYS)]),)

    @admin.display(description="weekday")
    def day(self, row: WeeklyHours) -> str:
        """Return the weekday's name."""
        return WEEKDAYS[row.weekday].capitalize()


@admin.register(DayOverride)
class DayOverrideAdmin(OfDoctor):
    """Dates with hours of their own, and days off."""

    list_display = fields = ("doctor", "date", "open", "reason")
    list_filter = ("date",)

    @admin.display(description="hours")
    def open(self, row: DayOverride) -> str:
        """Return the hours as on a clock."""
        return ", ".join(f"{format_minute(start)} to {format_minute(end)}" for start, end in row.hours) or "Day off"


@admin.register(BlockedTime)
class BlockedTimeAdmin(OfDoctor):
    """Stretches of a date in which no appointment is offered."""

    list_display = fields = ("doctor", "date", "starts", "ends", "reason")
    list_filter = ("date",)


@admin.register(Absence)
class AbsenceAdmin(OfDoctor):
    """Time off from one date and time to another."""

    list_display = fields = ("doctor", "from_date", "starts", "to_date", "ends", "reason")
    list_filter = ("from_date",)

    @admin.display(description="from")
    def starts(self, row: Any) -> str:
        """Return the start as on a clock."""
        return format_minute(row.from_minute)

    @admin.display(description="to")
    def ends(self, row: Any) -> str:
        """Return the end as on a clock."""
        return format_minute(row.to_minute)


@admin.register(Reservation)
class ReservationAdmin(OfDoctor):
    """Taken time: appointments, holds and proposals."""

    shows = ("user", "patient_id", "patient_id")
    list_display = ("starts_at", "kind", "doctor", "patient", "ends_at", "expires_at")
    list_select_related = ("doctor__user", "patient")
    list_filter = ("kind",)
    found_by_id: ClassVar[tuple[str, ...]] = ("pk", "doctor", "patient")
    # A hold's secret, even hashed, and the network that asked for it are nobody's business.
    exclude = ("secret_hash", "network")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("doctor__user", "patient")


@admin.register(HeldTime)
class HeldTimeAdmin(OfDoctor):
    """For how long times were held, until they can be held again; by whom is kept as a hash that nobody needs."""

    list_display = fields = ("starts_at", "doctor", "held_seconds", "ended_at")


@admin.register(OfferedTime)
class OfferedTimeAdmin(ReadOnly):
    """What was offered and used on each date, by specialization and city."""

    without_personal_data = "Figures of a date and a city."
    list_display = ("date", "specialization", "city", "offered_minutes", "used_minutes")
    list_filter = ("date",)
    found_by_id = ()
    search_fields = ("specialization", "city")
    ordering = ("-date", "specialization", "city")


@admin.register(MissedSearch)
class MissedSearchAdmin(ReadOnly):
    """How often a search found no free time, by date and place."""

    without_personal_data = "Figures of a date and a city."
    list_display = ("date", "specialization", "city", "times")
    list_filter = ("date",)
    found_by_id = ()
    search_fields = ("specialization", "city")
    ordering = ("-date", "specialization", "city")
