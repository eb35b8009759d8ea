"""Serializers of the admin dashboard, appointments and audit log."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import AuditEvent
from accounts.text.fields import ChoiceField, FreeTextField, LineField
from adminpanel.queries.appointments import DATES, UNFINISHED
from adminpanel.queries.audit import MAX_APPOINTMENTS, MAX_PEOPLE, parse_uuid
from appointments.models import Status
from appointments.serializers import AppointmentSerializer
from config.api.fields import InstantField, LocalDateField
from config.api.pagination import PageQuery, PaginationSerializer
from doctors.models import Specialization, Verification
from doctors.verification.decisions import CaseKind, EvidencePart, find_gaps, get_case_kind


class WaitingDoctorSerializer(serializers.Serializer[Verification]):
    """The doctor of an open case."""

    _id = serializers.UUIDField(source="doctor_id")
    name = serializers.CharField(source="doctor.user.name")
    email = serializers.CharField(source="doctor.user.email")
    specialization = serializers.CharField()
    hospital = serializers.CharField(source="doctor.hospital_name")
    profilePicture = serializers.CharField(source="doctor.user.profile_picture", allow_null=True)


class DecisionWaitingSerializer(serializers.Serializer[Verification]):
    """An open case of a doctor."""

    _id = serializers.UUIDField(source="id")
    submittedAt = InstantField(source="submitted_at")
    kind = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField(help_text="What is missing to approve it.")
    doctor = WaitingDoctorSerializer(source="*")

    @extend_schema_field(serializers.ChoiceField(choices=CaseKind.choices))
    def get_kind(self, case: Verification) -> str:
        return get_case_kind(case.doctor.approval)

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=EvidencePart.choices)))
    def get_missing(self, case: Verification) -> list[str]:
        return find_gaps(case.license_authority, case.license_expires_on, has_document=case.document is not None)


class OverviewTotals(serializers.Serializer[Any]):
    """Exact totals; `unfinished` are confirmed appointments that have ended and were not completed."""

    users = serializers.IntegerField()
    patients = serializers.IntegerField()
    doctors = serializers.IntegerField()
    approvedDoctors = serializers.IntegerField()
    pendingDoctors = serializers.IntegerField()
    newApplications = serializers.IntegerField(help_text="Open applications of doctors who are not listed.")
    renewals = serializers.IntegerField(help_text="Open applications of listed doctors, with another license.")
    appointments = serializers.IntegerField()
    unfinished = serializers.IntegerField()


class StrandedSerializer(serializers.Serializer[Any]):
    """Upcoming appointments that may not take place."""

    count = serializers.IntegerField()
    appointments = AppointmentSerializer(many=True, help_text="At most 10, soonest first, without clinical text.")


class HousekeepingHealth(serializers.Serializer[Any]):
    """The last round of housekeeping."""

    beatAt = InstantField(allow_null=True)
    late = serializers.BooleanField()


class NoticesHealth(serializers.Serializer[Any]):
    """The numbers of waiting and failed notices, and the last round of the delivery."""

    waiting = serializers.IntegerField()
    failed = serializers.IntegerField()
    beatAt = InstantField(allow_null=True)
    late = serializers.BooleanField()


class AuditHealth(serializers.Serializer[Any]):
    """When the audit log was last sealed, and the number of unsealed rows."""

    sealedAt = InstantField(allow_null=True)
    unsealed = serializers.IntegerField()
    late = serializers.BooleanField()


class HealthSerializer(serializers.Serializer[Any]):
    """The state of the background work."""

    version = serializers.CharField(help_text="The release that runs.")
    housekeeping = HousekeepingHealth()
    notices = NoticesHealth()
    audit = AuditHealth()


class ComparedSerializer(serializers.Serializer[Any]):
    """The last 24 hours beside the same 24 hours a week before."""

    last24Hours = serializers.IntegerField()
    weekBefore = serializers.IntegerField()


class ComparisonSerializer(serializers.Serializer[Any]):
    """New bookings and users."""

    bookings = ComparedSerializer()
    newUsers = ComparedSerializer()


class OverviewData(serializers.Serializer[Any]):
    """`data` of the admin's dashboard."""

    totals = OverviewTotals()
    decisions = DecisionWaitingSerializer(many=True, help_text="Oldest first, at most 20.")
    stranded = StrandedSerializer()
    health = HealthSerializer()
    comparison = ComparisonSerializer()


class DatesQuery(PageQuery):
    """A page and a range of dates, both included."""

    def get_fields(self) -> dict[str, Any]:
        # `from` is a Python keyword.
        return {**super().get_fields(), "from": LocalDateField(required=False), "to": LocalDateField(required=False)}


class RecordsQuery(DatesQuery):
    """Filters of the list of all appointments, which analytics uses, too, so that each figure links to its rows."""

    search = LineField(
        max_length=100, required=False, allow_blank=True, help_text="Words of a doctor's or patient's name."
    )
    status = ChoiceField(choices=[*Status.values, UNFINISHED], required=False, allow_blank=True)
    dates = ChoiceField(
        choices=DATES,
        default="visit",
        help_text="What was between the dates: the appointment (clinic's dates), its booking or cancellation (UTC).",
    )
    specialization = ChoiceField(choices=Specialization.choices, required=False, allow_blank=True)
    city = LineField(max_length=100, required=False, allow_blank=True, help_text="The clinic's, whole, in any case.")
    attended = serializers.BooleanField(required=False, allow_null=True, default=None)


class CancelSerializer(serializers.Serializer[Any]):
    """The reason for cancelling an appointment, which both sides read."""

    reason = FreeTextField(max_length=500)


class AuditEventSerializer(serializers.Serializer[AuditEvent]):
    """One row of the audit log; columns after FHIR R4's AuditEvent. The context holds `names` by id."""

    id = serializers.IntegerField()
    recordedAt = InstantField(source="recorded_at")
    event = serializers.CharField()
    action = serializers.ChoiceField(choices=AuditEvent.Action.choices)
    outcome = serializers.ChoiceField(choices=AuditEvent.Outcome.choices)
    agentId = serializers.UUIDField(source="agent_id", allow_null=True)
    agentName = serializers.SerializerMethodField()
    agentRole = serializers.CharField(source="agent_role")
    sourceAddress = serializers.CharField(source="source_address")
    entityType = serializers.CharField(source="entity_type")
    entityId = serializers.CharField(source="entity_id")
    entityName = serializers.SerializerMethodField()
    requestId = serializers.CharField(source="request_id")
    detail = serializers.DictField()

    def get_agentName(self, event: AuditEvent) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        name: str | None = self.context["names"].get(event.agent_id)
        return name

    def get_entityName(self, event: AuditEvent) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        name: str | None = self.context["names"].get(parse_uuid(event.entity_id))
        return name


class AuditQuery(DatesQuery):
    """Filters of the audit log. Dates are in UTC."""

    event = LineField(max_length=48, required=False, allow_blank=True, help_text="A name, or how names begin.")
    agent = LineField(
        max_length=100,
        required=False,
        allow_blank=True,
        help_text="Who acted: an id, its last 8 characters, or words of the name.",
    )
    entityType = LineField(max_length=24, required=False, allow_blank=True)
    entity = LineField(
        max_length=100,
        required=False,
        allow_blank=True,
        help_text=(
            "What was acted on: an id, its last 8 characters, or words of a person's name. By name, at most"
            f" {MAX_PEOPLE} people and their {MAX_APPOINTMENTS} latest appointments are looked for."
        ),
    )
    outcome = ChoiceField(choices=AuditEvent.Outcome.choices, required=False, allow_blank=True)
    requestId = LineField(max_length=32, required=False, allow_blank=True)


class AuditData(serializers.Serializer[Any]):
    """`data` of the audit log."""

    events = AuditEventSerializer(many=True)
    pagination = PaginationSerializer()
