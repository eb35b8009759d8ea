"""What spans all apps, over HTTP."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.models import BloodGroup, Role
from adminpanel.demo import demo_accounts
from config.viewsets import WireViewSet
from config.wire import Answer, LocalTimeField
from doctors.hours import BOOKABLE_TIMES
from doctors.models import FILTER_SPECIALIZATIONS, Specialization


class DemoAccountSerializer(serializers.Serializer[Any]):
    """An account that anyone may sign in to; only where `DEMO` is on."""

    role = serializers.ChoiceField(choices=Role.choices)
    email = serializers.CharField()
    password = serializers.CharField()


class PoliciesSerializer(serializers.Serializer[Any]):
    """Which of the settings that widen the rules are on."""

    patientCancelsConfirmedUntilHours = serializers.IntegerField(allow_null=True)
    doctorCancelsConfirmed = serializers.BooleanField()
    openRequestsPerPatient = serializers.IntegerField(help_text="How many may wait for an answer.")
    bookingsPerHour = serializers.IntegerField(help_text="How many visits one patient may book within an hour.")
    pictureLinks = serializers.BooleanField()


class IdleMinutesSerializer(serializers.Serializer[Any]):
    """After how many idle minutes a session ends, by role."""

    patient = serializers.IntegerField()
    doctor = serializers.IntegerField()
    admin = serializers.IntegerField()


class HomeClaimsSerializer(serializers.Serializer[Any]):
    """The fixed texts of the home page."""

    patients = serializers.CharField()
    rating = serializers.CharField()
    support = serializers.CharField()


class ContactSerializer(serializers.Serializer[Any]):
    """How to reach the people behind the site."""

    email = serializers.CharField()
    phone = serializers.CharField()
    address = serializers.CharField()


class SiteConfigData(serializers.Serializer[Any]):
    """`data` of the public settings."""

    currency = serializers.CharField()
    demoAccounts = DemoAccountSerializer(many=True)
    bookableTimes = serializers.ListField(child=LocalTimeField())
    specializations = serializers.ListField(child=serializers.CharField())
    filterSpecializations = serializers.ListField(child=serializers.CharField())
    bloodGroups = serializers.ListField(child=serializers.CharField())
    passwordMinLength = serializers.IntegerField()
    policies = PoliciesSerializer()
    idleMinutes = IdleMinutesSerializer()
    homeClaims = HomeClaimsSerializer()
    contact = ContactSerializer()


def public_settings() -> dict[str, Any]:
    """Answer what every page knows of this site; no request and no row changes it."""
    return {
        "currency": settings.CURRENCY,
        "demoAccounts": demo_accounts() if settings.DEMO else [],
        "bookableTimes": BOOKABLE_TIMES,
        "specializations": Specialization.values,
        "filterSpecializations": FILTER_SPECIALIZATIONS,
        "bloodGroups": BloodGroup.values,
        "passwordMinLength": settings.PASSWORD_MIN_LENGTH,
        "policies": {
            "patientCancelsConfirmedUntilHours": settings.PATIENT_CANCELS_CONFIRMED_UNTIL_HOURS,
            "doctorCancelsConfirmed": settings.DOCTOR_CANCELS_CONFIRMED,
            "openRequestsPerPatient": settings.OPEN_REQUESTS_PER_PATIENT,
            "bookingsPerHour": settings.BOOKINGS_PER_HOUR,
            "pictureLinks": settings.PICTURE_LINKS,
        },
        "idleMinutes": settings.SESSION_IDLE_MINUTES,
        "homeClaims": settings.HOME_CLAIMS,
        "contact": settings.CONTACT,
    }


@extend_schema(tags=["config"])
class SiteConfigViewSet(WireViewSet):
    """The public settings of this site."""

    permission_classes = (AllowAny,)
    authentication_classes = ()

    @extend_schema(operation_id="config_retrieve", responses=SiteConfigData)
    def retrieve(self, request: Request) -> Answer:
        """Tell the currency, the option lists, the policies and, where `DEMO` is on, the demo accounts."""
        return Answer(public_settings())
