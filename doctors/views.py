"""Doctors over HTTP: parse, call, answer."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import role_parts
from accounts.authentication import person_of
from accounts.languages import asked_for
from accounts.models import Role
from accounts.permissions import IsDoctor
from accounts.serializers import SignedInData, UserData
from accounts.sessions import open_session
from config.errors import RuleBroken
from config.viewsets import WireViewSet
from config.wire import Answer, MultipartJSONParser, Page, StrictJSONParser
from doctors import directory, kept_answers, replica
from doctors.calendar_rows import Own
from doctors.cards import cards, offer
from doctors.demand import missed
from doctors.models import DoctorProfile
from doctors.profile import update_doctor
from doctors.registration import register_doctor
from doctors.requests import DoctorRegistrationSerializer, DoctorUpdateSerializer
from doctors.serializers import (
    DirectoryQuery,
    DoctorData,
    DoctorsData,
    DoctorSerializer,
    SlotsData,
    SlotsQuery,
    doctor_writer,
    slots_writer,
)

A_WEEK = 7

# What browsers ask whether they have it already; see `kept_answers`.
KNOWN = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)
UNCHANGED = OpenApiResponse(description="Nothing has changed.")


@extend_schema(tags=["doctors"])
class DirectoryViewSet(WireViewSet):
    """The public directory: approved doctors and their free times."""

    queryset = DoctorProfile.objects.none()
    serializer_class = DoctorSerializer
    permission_classes = (AllowAny,)
    # For `kept_answers`: whose times a list shows, and where they were looked for in vain.
    shown: Sequence[UUID] = ()
    missed_at: tuple[str, str] | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        # Whether what is kept is still true is asked of the database that would answer anew.
        ask = partial(kept_answers.serve, self, request, partial(super().dispatch, request, *args, **kwargs))
        return replica.serve(request, ask)

    def missed(self, now: datetime, specialization: str, city: str) -> None:
        """Count a search in vain, and let whoever is served the same answer be counted too."""
        self.missed_at = (specialization, city)
        missed(now, specialization, city)

    def own(self, secret: str) -> Own:
        """Answer whose holds are not shown as taken: those of the patient who asks, and the one of a secret."""
        user = self.request.user
        return Own(user if user.is_authenticated and user.role == Role.PATIENT else None, secret)

    @extend_schema(
        operation_id="doctors_list",
        parameters=[DirectoryQuery, KNOWN],
        responses={200: DoctorsData, 304: UNCHANGED},
        filters=False,
    )
    def list(self, request: Request) -> Answer:
        """Search the directory; each doctor comes with the next free times."""
        query = self.read_query(DirectoryQuery)
        now = timezone.now()
        page = Page(directory.search(query, now), query)
        self.shown = page.rows
        if query.get("availableBy") and not page.count:
            self.missed(now, query.get("specialization", ""), query.get("city", ""))
        # Asked once more who may be found: between two statements a doctor may have been taken off the list.
        doctors = cards(page.rows, now, only_listed=True)
        return Answer({"doctors": doctor_writer.many(doctors), "pagination": page.pagination})

    @extend_schema(operation_id="doctors_retrieve", parameters=[KNOWN], responses={200: DoctorData, 304: UNCHANGED})
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show one doctor."""
        found = cards([pk], timezone.now(), only_listed=True)
        if not found:
            raise RuleBroken("doctor_unavailable")
        return Answer({"doctor": doctor_writer.one(found[0])})

    @extend_schema(
        operation_id="doctors_slots",
        parameters=[SlotsQuery, KNOWN],
        responses={200: SlotsData, 304: UNCHANGED},
        filters=False,
    )
    def slots(self, request: Request, pk: UUID) -> Answer:
        """List a doctor's free times, one entry a day, on the clinic's own clock."""
        query = self.read_query(SlotsQuery)
        now = timezone.now()
        offered = offer(pk, now, query.get("from"), query["days"], self.own(query["holdId"]))
        if offered is None:
            raise RuleBroken("doctor_unavailable")
        # A closed day is no search in vain; who pages on to later days has been counted on the first ones.
        if query["days"] >= A_WEEK and offered.from_today and not any(day.times for day in offered.days):
            self.missed(now, offered.specialization, offered.city)
        return Answer(slots_writer.one(offered))


@extend_schema(tags=["doctors"])
class OwnProfileViewSet(WireViewSet):
    """A doctor's own profile."""

    queryset = DoctorProfile.objects.none()
    permission_classes = (IsDoctor,)
    parser_classes = (StrictJSONParser, MultipartJSONParser)
    json_parts = ("hospital", "workingDays", "workingHours")

    @extend_schema(operation_id="doctors_profile_update", request=DoctorUpdateSerializer, responses=UserData)
    def update(self, request: Request) -> Answer:
        """Change what is sent; what is absent stays."""
        changes = self.read(DoctorUpdateSerializer, partial=True)
        user = update_doctor(person_of(request), changes, now=timezone.now())
        return Answer({"user": role_parts.represent(user)}, "Profile updated successfully")


@extend_schema(tags=["auth"])
class DoctorRegistrationViewSet(WireViewSet):
    """A doctor's registration; staff verify the doctor afterwards."""

    queryset = DoctorProfile.objects.none()
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="registerDoctor", request=DoctorRegistrationSerializer, responses={201: SignedInData})
    def create(self, request: Request) -> Answer:
        """Open a doctor's account, waiting for approval, and sign in to it."""
        form = self.read(DoctorRegistrationSerializer)
        now = timezone.now()
        user = register_doctor(form, now=now, language=asked_for(request.headers.get("Accept-Language", "")))
        token = open_session(user, request, now)
        return Answer({"token": token, "user": role_parts.represent(user)}, "Registration successful", status=201)
