"""Users and doctors at the admin's desk: parse, call, answer."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.audit.log import Action, record
from accounts.authentication import person_of
from accounts.files.private_storage import content_of
from accounts.files.validation import EXTENSIONS
from accounts.models import AccountStatus, Role, User
from adminpanel.api.user_serializers import (
    DecisionSerializer,
    DoctorCaseData,
    DoctorDecidedData,
    DoctorForStaffSerializer,
    DoctorsForStaffData,
    DoctorsForStaffQuery,
    EffectsData,
    ListedUserSerializer,
    OneUserData,
    PreviewQuery,
    UsersData,
    UsersQuery,
    UsersStatusData,
    UsersStatusSerializer,
    UserStatusData,
    UserStatusSerializer,
)
from adminpanel.api.viewsets import ForAdmins
from adminpanel.queries import users as querie_users
from appointments.scheduling.account_closure import (
    Effects,
    appointments_ahead,
    end_account,
    preview_account_change,
    preview_effects,
    set_account_status,
    set_account_statuses,
)
from config.api.access_log import shown_people
from config.api.pagination import Page
from config.api.renderers import Answer
from config.http.downloads import FileRenderer, download
from doctors.models import Approval, DoctorProfile, Verification
from doctors.verification.decisions import LICENSE, Decision, decide

DECIDED = {
    Approval.APPROVED: "Doctor approved",
    Approval.REJECTED: "Doctor rejected",
    Approval.REVOKED: "Approval revoked",
}


class AboutPeople(ForAdmins):
    """What the calls about people have in common."""

    def preview(self) -> bool:
        """Return whether the call only asks what would happen."""
        return bool(self.read_query(PreviewQuery)["preview"])

    def on_wire(self, effects: Effects) -> dict[str, Any]:
        """Write what an act does."""
        return {
            "upcoming": effects.upcoming,
            "messages": effects.messages,
            "appointments": self.appointments_on_wire(effects.appointments),
        }

    def end(self, person: User) -> Answer:
        """End a person's account, or say what that would do."""
        now = timezone.now()
        if self.preview():
            ahead = preview_account_change(person, now, by=person_of(self.request), ending=True)
            return Answer({"effects": self.on_wire(ahead)})
        effects = end_account(person.pk, by=person_of(self.request), now=now, role=person.role)
        return Answer({"effects": self.on_wire(effects)}, "Account deleted")


@extend_schema(tags=["admin"])
class UsersViewSet(AboutPeople):
    """Everybody who has an account."""

    without_personal_data = {"set_status_of_several": "The ids that the call itself names, and codes."}

    @extend_schema(operation_id="admin_users_list", parameters=[UsersQuery], responses=UsersData, filters=False)
    def list(self, request: Request) -> Answer:
        """List people, newest first, with exact totals."""
        query = self.read_query(UsersQuery)
        page = Page(querie_users.find_users(query), query)
        shown_people("user", [person.pk for person in page.rows])
        return Answer(
            {
                "users": ListedUserSerializer(page.rows, many=True).data,
                "totals": querie_users.user_totals(),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="admin_users_retrieve", responses=OneUserData)
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show one person."""
        person = get_object_or_404(User.objects.present(), pk=pk)
        shown_people("user", [person.pk])
        upcoming = appointments_ahead(person, timezone.now()).count()
        return Answer({"user": ListedUserSerializer(person).data, "upcoming": upcoming})

    @extend_schema(
        operation_id="admin_users_set_status_of_several", request=UsersStatusSerializer, responses=UsersStatusData
    )
    @action(methods=["put"], detail=False, url_path="status")
    def set_status_of_several(self, request: Request) -> Answer:
        """Stop several accounts at once, or let them go on; who can't be is named, the others are."""
        wanted = self.read(UsersStatusSerializer)
        status = AccountStatus(wanted["status"])
        changed, refused = set_account_statuses(wanted["ids"], status, by=person_of(request), now=timezone.now())
        did = "activated" if status == AccountStatus.ACTIVE else "deactivated"
        return Answer(
            {
                "changed": changed,
                "refused": [{"_id": pk, "code": why.code, "message": why.message} for pk, why in refused],
            },
            f"{len(changed)} {'account' if len(changed) == 1 else 'accounts'} {did}",
        )

    @extend_schema(
        operation_id="admin_users_set_status",
        request=UserStatusSerializer,
        parameters=[PreviewQuery],
        responses=UserStatusData,
    )
    @action(methods=["put"], detail=True, url_path="status")
    def set_status(self, request: Request, pk: UUID) -> Answer:
        """Stop an account at once, or let it go on; appointments ahead stay."""
        status = AccountStatus(self.read(UserStatusSerializer)["status"])
        now = timezone.now()
        if self.preview():
            person, message = get_object_or_404(User.objects.present(), pk=pk), ""
            stopping = status == AccountStatus.INACTIVE
            by = person_of(request)
            effects = (
                preview_account_change(person, now, by=by, ending=False) if stopping else preview_effects(person, now)
            )
        else:
            person, effects = set_account_status(pk, status, by=person_of(request), now=now)
            message = "Account activated" if status == AccountStatus.ACTIVE else "Account deactivated"
        shown_people("user", [person.pk])
        return Answer({"user": ListedUserSerializer(person).data, "effects": self.on_wire(effects)}, message)

    @extend_schema(
        operation_id="admin_users_destroy", request=None, parameters=[PreviewQuery], responses={200: EffectsData}
    )
    def destroy(self, request: Request, pk: UUID) -> Answer:
        """Delete an account: appointments ahead are cancelled and told of, past ones stay with their names."""
        return self.end(get_object_or_404(User.objects.present(), pk=pk))


@extend_schema(tags=["admin"])
class DoctorsForStaffViewSet(AboutPeople):
    """Doctors and their verification."""

    def shown(self, pk: UUID) -> DoctorProfile:
        """Read one doctor as staff see one."""
        shown_people("doctor", [pk])
        return get_object_or_404(querie_users.one_doctor(pk))

    @extend_schema(
        operation_id="admin_doctors_list",
        parameters=[DoctorsForStaffQuery],
        responses=DoctorsForStaffData,
        filters=False,
    )
    def list(self, request: Request) -> Answer:
        """List doctors, those who have waited longest for a decision first, with exact totals."""
        query = self.read_query(DoctorsForStaffQuery)
        page = Page(querie_users.find_doctors(query), query)
        shown_people("doctor", [doctor.pk for doctor in page.rows])
        return Answer(
            {
                "doctors": DoctorForStaffSerializer(page.rows, many=True).data,
                "totals": querie_users.doctor_totals(),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="admin_doctors_retrieve", responses=DoctorCaseData)
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show a doctor with every application, newest first."""
        doctor = self.shown(pk)
        upcoming = appointments_ahead(doctor.user, timezone.now()).count()
        return Answer(
            DoctorCaseData({"doctor": doctor, "cases": doctor.verifications.all(), "upcoming": upcoming}).data
        )

    @extend_schema(
        operation_id="doctors_approve",
        request=DecisionSerializer,
        parameters=[PreviewQuery],
        responses=DoctorDecidedData,
        tags=["doctors"],
    )
    def approve(self, request: Request, pk: UUID) -> Answer:
        """Approve a doctor, reject one who waits, or revoke an approval."""
        wanted = self.read(DecisionSerializer)
        now = timezone.now()
        message, changed = "", False
        if not self.preview():
            decision = Decision(
                approve=wanted["isApproved"],
                reason=wanted["reason"],
                note=wanted["note"],
                checklist=wanted.get("checklist", {}),
                keep_approval=wanted["keep_approval"],
                exception=wanted["exception"],
                revision=wanted["revision"],
                license={name: wanted[name] for name in LICENSE if name in wanted},
            )
            decided, changed = decide(pk, decision, by=person_of(request), now=now)
            message = (
                DECIDED[Approval(decided.approval)] if decided.is_approved == decision.approve else "Renewal rejected"
            )
        doctor = self.shown(pk)
        return Answer(
            {
                "doctor": DoctorForStaffSerializer(doctor).data,
                "effects": self.on_wire(preview_effects(doctor.user, now)),
                "changed": changed,
            },
            message,
        )

    @extend_schema(
        operation_id="admin_doctors_destroy", request=None, parameters=[PreviewQuery], responses={200: EffectsData}
    )
    def destroy(self, request: Request, pk: UUID) -> Answer:
        """Delete a doctor's account; any other person's is not found here."""
        return self.end(get_object_or_404(User.objects.present().filter(role=Role.DOCTOR), pk=pk))

    @extend_schema(
        operation_id="admin_doctors_document",
        responses={(200, kind): OpenApiTypes.BINARY for kind in EXTENSIONS},
    )
    @action(detail=True, url_path="cases/<uuid:case>/document", renderer_classes=(FileRenderer,))
    def document(self, request: Request, pk: UUID, case: UUID) -> HttpResponse:
        """Hand out the evidence of an application; who looked at it is written down."""
        found = get_object_or_404(Verification.objects.exclude(document_stored_as=""), pk=case, doctor=pk)
        content = content_of(found.document_stored_as)
        record("doctor.document_read", Action.READ, "doctor", pk, by=person_of(request), detail={"case": str(case)})
        shown_people("doctor", [pk])
        return download(content, found.document_type, found.document_name)
