"""Views of the public directory, and of doctors' registration and profile."""

from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import role_serializers
from accounts.auth.sessions import open_session
from accounts.authentication import get_user
from accounts.models import Role
from accounts.notifications.languages import preferred_language
from accounts.permissions import IsDoctor
from accounts.serializers import SignedInData, UserData
from config.api.errors import DomainError
from config.api.pagination import Page
from config.api.parsers import MultipartJSONParser, StrictJSONParser
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from config.metrics import instruments
from doctors import response_cache
from doctors.availability.queries import HoldOwner
from doctors.directory import query as directory_query
from doctors.directory import replica
from doctors.directory.demand_stats import record_missed_search
from doctors.directory.listings import list_cards, list_offer
from doctors.input_serializers import DoctorRegistrationSerializer, DoctorUpdateSerializer
from doctors.models import DoctorProfile
from doctors.profile import update_doctor
from doctors.registration import register_doctor
from doctors.serializers import (
    DirectoryFiltersData,
    DirectoryQuery,
    DoctorData,
    DoctorPageSerializer,
    DoctorsData,
    DoctorSerializer,
    SlotsData,
    SlotsQuery,
)

DAYS_PER_WEEK = 7

IF_NONE_MATCH = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)
NOT_MODIFIED = OpenApiResponse(description="Nothing has changed.")


@extend_schema(tags=["doctors"])
class DirectoryViewSet(ApiViewSet):
    """The public directory: approved doctors and their free times."""

    no_personal_data_reason = "What is public of doctors, and times that nobody has."
    queryset = DoctorProfile.objects.none()
    serializer_class = DoctorSerializer
    permission_classes = (AllowAny,)
    public_object_actions = ("retrieve", "slots")
    # Specialization and city of a search without a free time; the response cache counts its repetitions.
    missed_at: tuple[str, str] | None = None
    # Whether a search for free times found any; None for other requests. The response cache stores it.
    found_times: bool | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        respond = partial(super().dispatch, request, *args, **kwargs)
        if response_cache.is_visitor(request):
            response = response_cache.get_cached_response(self, request, partial(replica.read_from_replica, respond))
        else:
            response = respond()
        if self.found_times is not None:
            search = "doctor" if "pk" in self.kwargs else "directory"
            instruments.count_slot_search(search, has_result=self.found_times)
        return response

    def count_missed_search(self, now: datetime, specialization: str, city: str) -> None:
        """Count a search that found no free time, also if it was served from the cache."""
        self.missed_at = (specialization, city)
        record_missed_search(now, specialization, city)

    def get_hold_owner(self, secret: str) -> HoldOwner:
        """Return the owner of holds that are not shown as taken."""
        user = self.request.user
        return HoldOwner(user if user.is_authenticated and user.role == Role.PATIENT else None, secret)

    @extend_schema(
        operation_id="doctors_list",
        parameters=[DirectoryQuery, IF_NONE_MATCH],
        responses={200: DoctorsData, 304: NOT_MODIFIED},
        filters=False,
    )
    def list(self, request: Request) -> ApiResponse:
        """Search the directory; each doctor has the next free times."""
        query = self.validate_query(DirectoryQuery)
        now = timezone.now()
        found = directory_query.search_directory(query, now)
        page = Page(found, query)
        if query.get("availableBy"):
            self.found_times = bool(page.count)
        if self.found_times is False:
            self.count_missed_search(now, query.get("specialization", ""), query.get("city", ""))
        # Checked again, because a doctor may have been unlisted since the search.
        doctors = list_cards(page.rows, now, only_listed=True)
        corrected = found.search.corrected_search
        return ApiResponse(
            {
                "doctors": DoctorSerializer(doctors, many=True).data,
                "corrected": corrected and {"from": query["search"].strip(), "to": corrected},
                "pagination": page.pagination,
            }
        )

    @extend_schema(
        operation_id="doctors_filters",
        parameters=[IF_NONE_MATCH],
        responses={200: DirectoryFiltersData, 304: NOT_MODIFIED},
    )
    @action(detail=False)
    def filters(self, request: Request) -> ApiResponse:
        """Return the specializations that the directory can be filtered by, and an example of a search."""
        filters = directory_query.list_filters(timezone.now())
        example = filters.example and filters.example._asdict()
        return ApiResponse({"specializations": filters.specializations, "example": example})

    @extend_schema(
        operation_id="doctors_retrieve", parameters=[IF_NONE_MATCH], responses={200: DoctorData, 304: NOT_MODIFIED}
    )
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Show one doctor."""
        found = list_cards([pk], timezone.now(), only_listed=True)
        if not found:
            raise DomainError("doctor_unavailable")
        return ApiResponse({"doctor": DoctorPageSerializer(found[0]).data})

    @extend_schema(
        operation_id="doctors_slots",
        parameters=[SlotsQuery, IF_NONE_MATCH],
        responses={200: SlotsData, 304: NOT_MODIFIED},
        filters=False,
    )
    @action(detail=True)
    def slots(self, request: Request, pk: UUID) -> ApiResponse:
        """List a doctor's free times by day, in local time."""
        query = self.validate_query(SlotsQuery)
        now = timezone.now()
        offered = list_offer(pk, now, query.get("from"), query["days"], self.get_hold_owner(query["holdId"]))
        if offered is None:
            raise DomainError("doctor_unavailable")
        self.found_times = any(day.times for day in offered.days)
        # Days off don't count, nor do later pages of a search that was counted already.
        if query["days"] >= DAYS_PER_WEEK and offered.from_today and not self.found_times:
            self.count_missed_search(now, offered.specialization, offered.city)
        return ApiResponse(SlotsData(offered).data)


@extend_schema(tags=["doctors"])
class OwnProfileViewSet(ApiViewSet):
    """A doctor's own profile."""

    no_personal_data_reason = "The reader's own profile."
    queryset = DoctorProfile.objects.none()
    permission_classes = (IsDoctor,)
    parser_classes = (StrictJSONParser, MultipartJSONParser)
    json_parts = ("hospital", "workingDays", "workingHours", "passkey")

    @extend_schema(operation_id="doctors_profile_update", request=DoctorUpdateSerializer, responses=UserData)
    def update(self, request: Request) -> ApiResponse:
        """Change the fields that are sent; absent fields stay."""
        changes = self.validate_body(DoctorUpdateSerializer, partial=True)
        user = update_doctor(get_user(request), changes, now=timezone.now())
        return ApiResponse({"user": role_serializers.serialize_user(user)}, "Profile updated successfully")


@extend_schema(tags=["auth"])
class DoctorRegistrationViewSet(ApiViewSet):
    """Registration of doctors, whom staff verify afterwards."""

    no_personal_data_reason = "The new account's own data."
    queryset = DoctorProfile.objects.none()
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="registerDoctor", request=DoctorRegistrationSerializer, responses={201: SignedInData})
    def create(self, request: Request) -> ApiResponse:
        """Create a doctor's account, pending approval, and sign in."""
        form = self.validate_body(DoctorRegistrationSerializer)
        now = timezone.now()
        user = register_doctor(form, now=now, language=preferred_language(request))
        token = open_session(user, request, now)
        return ApiResponse(
            {"token": token, "user": role_serializers.serialize_user(user)}, "Registration successful", status=201
        )
