"""Views of users and doctors for admins."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.audit.log import Action, record_event
from accounts.authentication import get_user
from accounts.files.private_storage import read_file
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
from adminpanel.api.viewsets import AdminViewSet
from adminpanel.queries import users as user_queries
from appointments.scheduling.account_closure import (
    Effects,
    end_account,
    list_upcoming_appointments,
    preview_account_change,
    preview_effects,
    set_account_status,
    set_account_statuses,
)
from config.api.access_log import add_people
from config.api.pagination import Page
from config.api.renderers import ApiResponse
from config.http.downloads import FileRenderer, download
from doctors.models import Approval, DoctorProfile, Verification
from doctors.verification.decisions import LICENSE_FIELDS, Decision, decide_application

DECISION_MESSAGES = {
    Approval.APPROVED: "Doctor approved",
    Approval.REJECTED: "Doctor rejected",
    Approval.REVOKED: "Approval revoked",
}


class UserAdminViewSet(AdminViewSet):
    """Base of views of accounts."""

    def is_preview(self) -> bool:
        """Return whether the request is a preview."""
        return bool(self.validate_query(PreviewQuery)["preview"])

    def serialize_effects(self, effects: Effects) -> dict[str, Any]:
        return {
            "upcoming": effects.upcoming,
            "messages": effects.messages,
            "appointments": self.serialize_appointments(effects.appointments),
        }

    def close_account(self, user: User) -> ApiResponse:
        """Close an account, or preview that."""
        now = timezone.now()
        if self.is_preview():
            ahead = preview_account_change(user, now, actor=get_user(self.request), ending=True)
            return ApiResponse({"effects": self.serialize_effects(ahead)})
        effects = end_account(user.pk, actor=get_user(self.request), now=now, role=user.role)
        return ApiResponse({"effects": self.serialize_effects(effects)}, "Account deleted")


@extend_schema(tags=["admin"])
class UsersViewSet(UserAdminViewSet):
    """Users with an open account."""

    no_personal_data_reason = {"set_status_of_several": "The ids that the call itself names, and codes."}

    @extend_schema(operation_id="admin_users_list", parameters=[UsersQuery], responses=UsersData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """List users, newest first, with exact totals."""
        query = self.validate_query(UsersQuery)
        page = Page(user_queries.find_users(query), query)
        add_people("user", [user.pk for user in page.rows])
        return ApiResponse(
            {
                "users": ListedUserSerializer(page.rows, many=True).data,
                "totals": user_queries.count_users(),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="admin_users_retrieve", responses=OneUserData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Return one user."""
        user = get_object_or_404(User.objects.present(), pk=pk)
        add_people("user", [user.pk])
        upcoming = list_upcoming_appointments(user, timezone.now()).count()
        return ApiResponse({"user": ListedUserSerializer(user).data, "upcoming": upcoming})

    @extend_schema(
        operation_id="admin_users_set_status_of_several", request=UsersStatusSerializer, responses=UsersStatusData
    )
    @action(methods=["put"], detail=False, url_path="status")
    def set_status_of_several(self, request: Request) -> ApiResponse:
        """Deactivate or activate several accounts; rejected ones are listed."""
        data = self.validate_body(UsersStatusSerializer)
        status = AccountStatus(data["status"])
        changed, refused = set_account_statuses(data["ids"], status, actor=get_user(request), now=timezone.now())
        verb = "activated" if status == AccountStatus.ACTIVE else "deactivated"
        return ApiResponse(
            {
                "changed": changed,
                "refused": [{"_id": pk, "code": why.code, "message": why.message} for pk, why in refused],
            },
            f"{len(changed)} {'account' if len(changed) == 1 else 'accounts'} {verb}",
        )

    @extend_schema(
        operation_id="admin_users_set_status",
        request=UserStatusSerializer,
        parameters=[PreviewQuery],
        responses=UserStatusData,
    )
    @action(methods=["put"], detail=True, url_path="status")
    def set_status(self, request: Request, pk: UUID) -> ApiResponse:
        """Deactivate or activate an account; upcoming appointments stay."""
        status = AccountStatus(self.validate_body(UserStatusSerializer)["status"])
        now = timezone.now()
        if self.is_preview():
            user, message = get_object_or_404(User.objects.present(), pk=pk), ""
            stopping = status == AccountStatus.INACTIVE
            actor = get_user(request)
            effects = (
                preview_account_change(user, now, actor=actor, ending=False) if stopping else preview_effects(user, now)
            )
        else:
            user, effects = set_account_status(pk, status, actor=get_user(request), now=now)
            message = "Account activated" if status == AccountStatus.ACTIVE else "Account deactivated"
        add_people("user", [user.pk])
        return ApiResponse(
            {"user": ListedUserSerializer(user).data, "effects": self.serialize_effects(effects)}, message
        )

    @extend_schema(
        operation_id="admin_users_destroy", request=None, parameters=[PreviewQuery], responses={200: EffectsData}
    )
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Close an account: upcoming appointments are cancelled, past ones stay with their names."""
        return self.close_account(get_object_or_404(User.objects.present(), pk=pk))


@extend_schema(tags=["admin"])
class DoctorsForStaffViewSet(UserAdminViewSet):
    """Doctors and their verification."""

    def get_doctor(self, pk: UUID) -> DoctorProfile:
        """Return one doctor for staff."""
        add_people("doctor", [pk])
        return get_object_or_404(user_queries.find_doctor(pk))

    @extend_schema(
        operation_id="admin_doctors_list",
        parameters=[DoctorsForStaffQuery],
        responses=DoctorsForStaffData,
        filters=False,
    )
    def list(self, request: Request) -> ApiResponse:
        """List doctors, those who have waited longest for a decision first, with exact totals."""
        query = self.validate_query(DoctorsForStaffQuery)
        page = Page(user_queries.find_doctors(query), query)
        add_people("doctor", [doctor.pk for doctor in page.rows])
        return ApiResponse(
            {
                "doctors": DoctorForStaffSerializer(page.rows, many=True).data,
                "totals": user_queries.count_doctors(),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="admin_doctors_retrieve", responses=DoctorCaseData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Return a doctor with all applications, newest first."""
        doctor = self.get_doctor(pk)
        upcoming = list_upcoming_appointments(doctor.user, timezone.now()).count()
        return ApiResponse(
            DoctorCaseData({"doctor": doctor, "cases": doctor.verifications.all(), "upcoming": upcoming}).data
        )

    @extend_schema(
        operation_id="doctors_approve",
        request=DecisionSerializer,
        parameters=[PreviewQuery],
        responses=DoctorDecidedData,
        tags=["doctors"],
    )
    def approve(self, request: Request, pk: UUID) -> ApiResponse:
        """Approve or reject a doctor, or revoke an approval."""
        data = self.validate_body(DecisionSerializer)
        now = timezone.now()
        message, changed = "", False
        if not self.is_preview():
            decision = Decision(
                approve=data["isApproved"],
                reason=data["reason"],
                note=data["note"],
                checklist=data.get("checklist", {}),
                keep_approval=data["keep_approval"],
                exception=data["exception"],
                revision=data["revision"],
                license={name: data[name] for name in LICENSE_FIELDS if name in data},
            )
            decided, changed = decide_application(pk, decision, actor=get_user(request), now=now)
            message = (
                DECISION_MESSAGES[Approval(decided.approval)]
                if decided.is_approved == decision.approve
                else "Renewal rejected"
            )
        doctor = self.get_doctor(pk)
        return ApiResponse(
            {
                "doctor": DoctorForStaffSerializer(doctor).data,
                "effects": self.serialize_effects(preview_effects(doctor.user, now)),
                "changed": changed,
            },
            message,
        )

    @extend_schema(
        operation_id="admin_doctors_destroy", request=None, parameters=[PreviewQuery], responses={200: EffectsData}
    )
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Close a doctor's account; raise Http404 for any other user."""
        return self.close_account(get_object_or_404(User.objects.present().filter(role=Role.DOCTOR), pk=pk))

    @extend_schema(
        operation_id="admin_doctors_document",
        responses={(200, kind): OpenApiTypes.BINARY for kind in EXTENSIONS},
    )
    @action(detail=True, url_path="cases/<uuid:case>/document", renderer_classes=(FileRenderer,))
    def document(self, request: Request, pk: UUID, case: UUID) -> HttpResponse:
        """Return the evidence of an application; the access is recorded."""
        found = get_object_or_404(Verification.objects.exclude(document_stored_as=""), pk=case, doctor=pk)
        content = read_file(found.document_stored_as)
        record_event(
            "doctor.document_read", Action.READ, "doctor", pk, actor=get_user(request), detail={"case": str(case)}
        )
        add_people("doctor", [pk])
        return download(content, found.document_type, found.document_name)
