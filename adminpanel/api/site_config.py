"""The public configuration of the site."""

from collections.abc import Sequence
from datetime import time
from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.models import BloodGroup, Role
from accounts.text.phone_numbers import get_dialing_rules
from adminpanel.models import SiteText
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.site_texts import list_published_kinds
from config.api.fields import LocalTimeField, format_time
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from doctors.models import Specialization
from doctors.models.profile import FILTER_SPECIALIZATIONS

# The specification's bookable times: 09:00 to 18:00 without lunch from 13:00 to 14:00.
BOOKABLE_TIMES = [time(hour) for hour in (9, 10, 11, 12, 14, 15, 16, 17)]


class DemoAccountSerializer(serializers.Serializer[Any]):
    """An account that anyone may sign in to; only where `DEMO` is on."""

    role = serializers.ChoiceField(choices=Role.choices)
    email = serializers.CharField()
    password = serializers.CharField()


class PoliciesSerializer(serializers.Serializer[Any]):
    """Settings that change the rules."""

    doctorCancelsConfirmed = serializers.BooleanField()
    openRequestsPerPatient = serializers.IntegerField(help_text="How many may wait for an answer.")
    bookingsPerHour = serializers.IntegerField(help_text="How many appointments one patient may book within an hour.")
    pictureLinks = serializers.BooleanField()


class IdleMinutesSerializer(serializers.Serializer[Any]):
    """The idle timeout of sessions in minutes, by role."""

    patient = serializers.IntegerField()
    doctor = serializers.IntegerField()
    admin = serializers.IntegerField()


class HomeClaimsSerializer(serializers.Serializer[Any]):
    """The fixed texts of the home page."""

    patients = serializers.CharField()
    rating = serializers.CharField()
    support = serializers.CharField()


class ContactSerializer(serializers.Serializer[Any]):
    """The contact data of the operator."""

    email = serializers.CharField()
    phone = serializers.CharField()
    address = serializers.CharField()


class DialingSerializer(serializers.Serializer[Any]):
    """How phone numbers of the site's country are dialed from anywhere."""

    callingCode = serializers.CharField(help_text="Without the plus sign.")
    trunkPrefix = serializers.CharField(help_text="What comes before a number within the country and is left out then.")


class SiteConfigData(serializers.Serializer[Any]):
    """`data` of the public settings."""

    siteName = serializers.CharField()
    languages = serializers.ListField(child=serializers.CharField(), help_text="Of the pages (BCP 47).")
    currency = serializers.CharField()
    defaultCountry = serializers.CharField(help_text="Of addresses that name none; a code of ISO 3166.")
    dialing = DialingSerializer()
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
    texts = serializers.ListField(
        child=serializers.ChoiceField(choices=SiteText.Kind.choices),
        help_text="The kinds of texts that the operator has published.",
    )


def build_site_config(texts: Sequence[str]) -> dict[str, Any]:
    """Return the configuration, which depends only on settings and on the kinds of texts that are published."""
    return {
        "siteName": settings.SITE_NAME,
        "languages": settings.INTERFACE_LANGUAGES,
        "currency": settings.CURRENCY,
        "defaultCountry": settings.DEFAULT_COUNTRY,
        "dialing": get_dialing_rules(),
        "demoAccounts": list(DEMO_ACCOUNTS) if settings.DEMO else [],
        "bookableTimes": [format_time(each) for each in BOOKABLE_TIMES],
        "specializations": Specialization.values,
        "filterSpecializations": FILTER_SPECIALIZATIONS,
        "bloodGroups": BloodGroup.values,
        "passwordMinLength": settings.PASSWORD_MIN_LENGTH,
        "policies": {
            "doctorCancelsConfirmed": settings.DOCTOR_CANCELS_CONFIRMED,
            "openRequestsPerPatient": settings.MAX_OPEN_REQUESTS_PER_PATIENT,
            "bookingsPerHour": settings.MAX_BOOKINGS_PER_HOUR,
            "pictureLinks": settings.PICTURE_LINKS,
        },
        "idleMinutes": settings.SESSION_IDLE_MINUTES,
        "homeClaims": settings.HOME_CLAIMS,
        "contact": settings.CONTACT,
        "texts": texts,
    }


@extend_schema(tags=["config"])
class SiteConfigViewSet(ApiViewSet):
    """The public settings of this site."""

    no_personal_data_reason = "Settings, the same for everybody."
    permission_classes = (AllowAny,)
    authentication_classes = ()

    @extend_schema(operation_id="config_retrieve", responses=SiteConfigData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return the currency, the option lists, the policies and, where `DEMO` is on, the demo accounts."""
        return ApiResponse(build_site_config(list_published_kinds()))
