"""A doctor's applications over HTTP: parse, call, answer."""

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.permissions import IsDoctor
from config.api.parsers import MultipartJSONParser, StrictJSONParser
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from doctors.models import DoctorProfile
from doctors.verification.applications import apply
from doctors.verification.serializers import ApplicationSerializer, OwnCaseData, OwnCasesData, OwnCaseSerializer

SHOWN = 20


@extend_schema(tags=["doctors"])
class ApplicationViewSet(ApiViewSet):
    """A doctor's own applications to be verified."""

    no_personal_data_reason = "The reader's own applications."
    queryset = DoctorProfile.objects.none()
    permission_classes = (IsDoctor,)
    parser_classes = (StrictJSONParser, MultipartJSONParser)

    @extend_schema(operation_id="doctors_verification_list", responses=OwnCasesData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """Show how one's own verification stands, and every application with its decision."""
        doctor = DoctorProfile.objects.get(pk=get_user(request).pk)
        cases = doctor.verifications.order_by("-submitted_at", "-pk")[:SHOWN]
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
        """Apply to be listed, or to have a renewed licence verified; while one waits, it is brought up to date."""
        claimed = self.validate_body(ApplicationSerializer)
        upload = claimed.pop("document", None)
        document = (upload.name or "", upload.read()) if upload else None
        case, made = apply(get_user(request), claimed, document, now=timezone.now())
        message = "Application sent" if made else "Application changed"
        return ApiResponse({"case": OwnCaseSerializer(case).data}, message, status=201 if made else 200)
