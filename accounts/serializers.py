"""Serializers of users, registration, profiles and sessions."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from accounts import role_serializers
from accounts.credentials import mfa_status
from accounts.credentials.password_hashing import get_too_short_message
from accounts.credentials.reauthentication_fields import FactorProofSerializer, ProofFields
from accounts.files import avatars
from accounts.models import BloodGroup, Gender, PatientDetails, Role, Session, User
from accounts.text.fields import (
    AcceptedField,
    BirthDateField,
    ChoiceField,
    CountryField,
    EmailAddressField,
    LineField,
    NameField,
    PasswordField,
    PhoneCountrySerializer,
    PhoneField,
    TimeZoneField,
)
from accounts.text.postal_addresses import split_address
from accounts.throttling.expensive_requests import PORTRAIT
from config.api.errors import DomainError, flatten_errors
from config.api.fields import InstantField, WireModelSerializer

# --- Responses ----------------------------------------------------------------------------------


class AddressSerializer(WireModelSerializer):
    """A home address."""

    country = CountryField(read_only=True)

    class Meta:
        model = PatientDetails
        fields = ("street", "city", "state", "zipCode", "country")
        read_only_fields = fields


def build_role_field(role: Role) -> type[serializers.ReadOnlyField]:
    """Return a field whose schema is the constant role, as the discriminator of `data.user`."""
    field: type[serializers.ReadOnlyField] = extend_schema_field({"type": "string", "const": role.value})(
        type("RoleField", (serializers.ReadOnlyField,), {})
    )
    return field


class PersonSerializer(WireModelSerializer):
    """What `data.user` holds for every role."""

    createdAt = InstantField(source="created_at", read_only=True)
    phone = PhoneField(read_only=True)
    profilePicture = serializers.CharField(source="profile_picture", read_only=True, allow_null=True)
    pendingEmail = serializers.SerializerMethodField(help_text="A new address that waits to be confirmed.")
    emailConfirmed = serializers.SerializerMethodField(help_text="Whether `email` was confirmed from its mailbox.")

    class Meta:
        model = User
        fields: tuple[str, ...] = (
            "_id",
            "name",
            "email",
            "phone",
            "gender",
            "dateOfBirth",
            "role",
            "status",
            "createdAt",
            "profilePicture",
            "pendingEmail",
            "emailConfirmed",
        )
        read_only_fields = fields

    def get_emailConfirmed(self, user: User) -> bool:  # noqa: N802 - DRF derives the name from the wire's
        return user.email_confirmed_at is not None

    def get_pendingEmail(self, user: User) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        return user.pending_email or None


class PatientUserSerializer(PersonSerializer):
    """`data.user` of a patient."""

    role = build_role_field(Role.PATIENT)()
    phone = PhoneField(country_from="patient_details.country", read_only=True)
    address = AddressSerializer(source="patient_details", read_only=True)
    bloodGroup = ChoiceField(
        source="patient_details.blood_group", choices=[*BloodGroup.choices, ("", "")], read_only=True
    )

    class Meta(PersonSerializer.Meta):
        fields = (*PersonSerializer.Meta.fields, "address", "bloodGroup")
        read_only_fields = fields


class AdminUserSerializer(PersonSerializer):
    """`data.user` of an admin."""

    role = build_role_field(Role.ADMIN)()
    secondStepDue = serializers.SerializerMethodField(
        help_text="Whether a second step must be set up before anything else can be done."
    )

    class Meta(PersonSerializer.Meta):
        fields = (*PersonSerializer.Meta.fields, "secondStepDue")
        read_only_fields = fields

    def get_secondStepDue(self, user: User) -> bool:  # noqa: N802 - DRF derives the name from the wire's
        return mfa_status.is_setup_required(user)


def serialize_patient(user: User) -> Mapping[str, Any]:
    """Return a patient's data, with empty details if none are stored."""
    user.patient_details = PatientDetails.objects.filter(pk=user.pk).first() or PatientDetails(user=user)
    return PatientUserSerializer(user).data


def register_roles() -> None:
    role_serializers.register_role(Role.PATIENT, PatientUserSerializer, serialize_patient)
    role_serializers.register_role(Role.ADMIN, AdminUserSerializer, lambda user: AdminUserSerializer(user).data)


def build_user_schema() -> PolymorphicProxySerializer:
    """Return the schema of `data.user`: one of several components, by `role`."""
    # A function, which is called after all apps have registered theirs.
    return PolymorphicProxySerializer(
        component_name="User", serializers=role_serializers.list_serializers, resource_type_field_name="role"
    )


@extend_schema_field(build_user_schema())
class UserField(serializers.ReadOnlyField):
    """`data.user` in a response; see `role_serializers.serialize_user`."""


class UserData(serializers.Serializer[Any]):
    """`data` with a user."""

    user = UserField()


class SignedInData(UserData):
    """`data` of a sign-in or registration."""

    token = serializers.CharField(read_only=True)


class SessionSerializer(WireModelSerializer):
    """A session of the user."""

    current = serializers.SerializerMethodField(help_text="Whether this is the current session.")
    createdAt = InstantField(source="created_at", read_only=True)
    lastSeenAt = InstantField(source="last_seen_at", read_only=True)

    class Meta:
        model = Session
        fields = ("_id", "current", "createdAt", "lastSeenAt", "userAgent", "ipAddress")
        read_only_fields = fields

    def get_current(self, session: Session) -> bool:
        return bool(session.pk == self.context["current"].pk)


class SessionsData(serializers.Serializer[Any]):
    """`data` of the user's sessions."""

    sessions = SessionSerializer(many=True, read_only=True)


class CalendarFeedSerializer(serializers.Serializer[Any]):
    """The private URL of the user's calendar."""

    createdAt = InstantField(source="created_at", read_only=True)


class CalendarFeedData(serializers.Serializer[Any]):
    """`data` of the calendar URL, if there is one."""

    feed = CalendarFeedSerializer(read_only=True, allow_null=True)


class NewCalendarFeedData(CalendarFeedData):
    """`data` of a new calendar URL, which is shown only once."""

    feed = CalendarFeedSerializer(read_only=True)
    address = serializers.URLField(read_only=True)


# --- Requests -----------------------------------------------------------------------------------


class LoginSerializer(serializers.Serializer[Any]):
    """The credentials and the role to sign in with."""

    email = EmailAddressField()
    password = PasswordField()
    role = ChoiceField(choices=Role.choices)


class AddressChangesSerializer(serializers.Serializer[Any]):
    """Changes of a home address; absent parts stay."""

    street = LineField(max_length=200, required=False, allow_blank=True)
    city = LineField(max_length=100, required=False, allow_blank=True)
    state = LineField(max_length=100, required=False, allow_blank=True)
    zipCode = LineField(source="zip_code", max_length=20, required=False, allow_blank=True)
    country = CountryField(required=False, allow_blank=True)


class RegistrationSerializer(PhoneCountrySerializer):
    """The part of the registration form that every role fills in.

    A subclass sets `path_role`, adds its own fields and, in `find_broken_rules`, its own rules.
    Fields of other roles are ignored.
    """

    path_role: ClassVar[Role]

    name = NameField()
    email = EmailAddressField()
    password = PasswordField()
    confirmPassword = PasswordField()
    role = ChoiceField(choices=Role.choices)
    phone = PhoneField()
    dateOfBirth = BirthDateField(source="date_of_birth")
    gender = ChoiceField(choices=Gender.choices, default=Gender.MALE)
    agreedToPrivacy = AcceptedField(source="agreed_to_privacy")
    timeZone = TimeZoneField(source="time_zone", required=False)

    def find_broken_rules(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        """Return the messages of broken rules (specification, section 5), in its order, with their fields."""
        password = data.get("password")
        broken = {}
        if password != data.get("confirmPassword"):
            broken["Passwords do not match"] = ["confirmPassword"]
        if not isinstance(password, str) or len(password) < settings.PASSWORD_MIN_LENGTH:
            broken[get_too_short_message(settings.PASSWORD_MIN_LENGTH)] = ["password"]
        return broken

    def to_internal_value(self, data: Any) -> Any:
        """Validate everything at once: `message` is that of the first broken rule, `errors` has all invalid fields."""
        errors: dict[str, list[str]] = {}
        validated: Any = {}
        try:
            validated = super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors = flatten_errors(error.detail)
        broken = self.find_broken_rules(data)
        for message, fields in broken.items():
            for field in fields:
                errors.setdefault(field, [message])
        if "role" not in errors and data["role"] != self.path_role:
            errors["role"] = [f"This address registers a {self.path_role} only."]
        if "password" not in errors and (weak := list_password_weaknesses(data["password"], data)):
            errors["password"] = weak
        if errors:
            raise DomainError("invalid", next(iter(broken), ""), errors=errors)
        return validated


class PatientRegistrationSerializer(RegistrationSerializer):
    """A patient's registration form."""

    path_role = Role.PATIENT

    address = AddressChangesSerializer(required=False, default=dict)
    bloodGroup = ChoiceField(
        source="blood_group", choices=BloodGroup.choices, required=False, default="", allow_blank=True
    )


def list_password_weaknesses(password: str, user: Mapping[str, Any]) -> list[str]:
    """Return the messages of Django's password validators."""
    attributes = {name: user[name][:254] for name in ("name", "email", "phone") if isinstance(user.get(name), str)}
    try:
        validate_password(password, User(**attributes))
    except DjangoValidationError as error:
        return list(error.messages)
    return []


def check_new_password(password: str, user: User) -> None:
    """Raise `invalid` for the field `newPassword` if Django's validators reject the password."""
    messages = list_password_weaknesses(password, {"name": user.name, "email": user.email, "phone": user.phone})
    if messages:
        too_short = get_too_short_message(settings.PASSWORD_MIN_LENGTH)
        raise DomainError("invalid", too_short if too_short in messages else "", errors={"newPassword": messages})


@extend_schema_field({"type": "string", "format": "binary"})
class PictureField(serializers.FileField):
    """An uploaded picture; the value is the re-encoded WebP, see `accounts/files/avatars.py`."""

    default_error_messages = {"invalid": "Send the picture as a file."}

    def to_internal_value(self, data: Any) -> bytes:  # type: ignore[override]  # what is kept is not the file that came
        if not isinstance(data, UploadedFile):
            self.fail("invalid")
        if (data.size or 0) > settings.MAX_PICTURE_BYTES:
            raise DomainError(
                "too_large", avatars.TOO_LARGE_MESSAGE, errors={self.field_name or "image": [avatars.TOO_LARGE_MESSAGE]}
            )
        try:
            PORTRAIT.consume()
            return avatars.sanitize_avatar(data.read())
        except avatars.ImageRejectedError as error:
            raise serializers.ValidationError(str(error)) from error


@extend_schema_field({"oneOf": [{"$ref": "#/components/schemas/AddressChangesRequest"}, {"type": "string"}]})
class AddressChangesField(serializers.Field):  # type: ignore[type-arg]  # a mapping or a text
    """An address as an object, or as a single line."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and not data.lstrip().startswith(("{", "[")):
            line: str = LineField(max_length=450, allow_blank=True).run_validation(data)
            if line == getattr(self.parent, "stored_address_line", None):
                return line
            # Only validated here; the profile splits the line.
            address = split_address(line)
            wire_names = {"zip_code": "zipCode"}
            parts = AddressChangesSerializer(data={wire_names.get(name, name): part for name, part in address.items()})
            parts.is_valid(raise_exception=True)
            return line
        # A mapping, or invalid JSON in a form, which is an error here.
        parts = AddressChangesSerializer(data=data)
        parts.is_valid(raise_exception=True)
        return parts.validated_data


class PersonChangesSerializer(ProofFields, PhoneCountrySerializer):
    """Changes of the profile fields that all roles have; absent fields stay."""

    name = NameField(required=False)
    phone = PhoneField(required=False, allow_blank=True)
    gender = ChoiceField(choices=Gender.choices, required=False)
    dateOfBirth = BirthDateField(source="date_of_birth", required=False)
    email = EmailAddressField(
        required=False,
        help_text=(
            "A new one requires `currentPassword` and, if the account has one, a second factor, and is pending until it"
            " is confirmed."
        ),
    )
    currentPassword = PasswordField(source="current_password", required=False, allow_blank=True)
    image = PictureField(required=False, help_text="JPEG, PNG or WebP, at most 5 MB and 16 megapixels.")
    removeImage = serializers.BooleanField(source="remove_image", required=False)
    profilePicture = LineField(
        source="profile_picture",
        max_length=2000,
        required=False,
        allow_null=True,
        allow_blank=True,
        help_text='An https URL, fetched once; the current path, null and "" change nothing.',
    )


class ProfileChangesSerializer(PersonChangesSerializer):
    """The body of `PUT /api/auth/profile`; only patients have an address and a blood group."""

    address = AddressChangesField(required=False)
    bloodGroup = ChoiceField(source="blood_group", choices=BloodGroup.choices, required=False, allow_blank=True)

    def load_stored_values(self) -> None:
        user = self.context["request"].user
        details = PatientDetails.objects.filter(pk=user.pk).first() if user.role == Role.PATIENT else None
        self.stored_phone, self.stored_country = user.phone, details.country if details else ""
        self.stored_address_line = details.address_line if details else ""


class PasswordAgainSerializer(serializers.Serializer[Any]):
    """The current password, required again for irreversible or sensitive actions."""

    currentPassword = PasswordField(source="current_password")


class PasswordChangeSerializer(FactorProofSerializer):
    """The current password, a second factor if the account has one, and the new password."""

    newPassword = PasswordField(source="new_password")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        check_new_password(attrs["new_password"], self.context["request"].user)
        return attrs
