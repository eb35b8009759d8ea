"""Views of a doctor's own applications."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.permissions import IsDoctor
from config.api.parsers import MultipartJSONParser, StrictJSONParser
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from doctors.models import DoctorProfile
from doctors.verification.applications import submit_application
from doctors.verification.serializers import ApplicationSerializer, OwnCaseData, OwnCasesData, OwnCaseSerializer

MAX_LISTED_CASES = 20


@extend_schema(tags=["doctors"])
class ApplicationViewSet(ApiViewSet):
    """A doctor's own applications to be verified."""

    no_personal_data_reason = "The reader's own applications."
    queryset = DoctorProfile.objects.none()
    permission_classes = (IsDoctor,)
    parser_classes = (StrictJSONParser, MultipartJSONParser)

    @extend_schema(operation_id="doctors_verification_list", responses=OwnCasesData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """Return the current doctor's approval and applications, with their decisions."""
        doctor = DoctorProfile.objects.get(pk=get_user(request).pk)
        cases = doctor.verifications.order_by("-submitted_at", "-pk")[:MAX_LISTED_CASES]
        return ApiResponse(OwnCasesData({"approval": doctor, "isApproved": doctor.is_approved, "cases": cases}).data)

    @extend_schema(
        operation_id="doctors_verification_create",
        request={"multipart/form-data": ApplicationSerializer, "application/json": ApplicationSerializer},
        responses={
            201: OwnCaseData,
            200: OpenApiResponse(OwnCaseData, description="The application that still waits was brought up to date."),
        },
    )
    def create(self, request: Request) -> ApiResponse:
        """Apply to be listed, or to have a renewed license verified; an open application is updated."""
        claimed = self.validate_body(ApplicationSerializer)
        upload = claimed.pop("document", None)
        document = (upload.name or "", upload.read()) if upload else None
        case, is_new = submit_application(get_user(request), claimed, document, now=timezone.now())
        message = "Application sent" if is_new else "Application changed"
        return ApiResponse({"case": OwnCaseSerializer(case).data}, message, status=201 if is_new else 200)
