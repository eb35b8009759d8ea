"""People on the wire: `data.user`, sessions, and what the calls take."""

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
    BirthDateField,
    ChoiceField,
    CountryField,
    EmailAddressField,
    HasCountry,
    LineField,
    NameField,
    PasswordField,
    PhoneField,
    TimeZoneField,
    YesField,
)
from accounts.text.postal_addresses import split_address
from accounts.throttling.expensive_requests import PORTRAIT
from config.api.errors import DomainError, flatten_errors
from config.api.fields import InstantField, WireModelSerializer

# --- What is answered -------------------------------------------------------------------------


class AddressSerializer(WireModelSerializer):
    """A home address."""

    country = CountryField(read_only=True)

    class Meta:
        model = PatientDetails
        fields = ("street", "city", "state", "zipCode", "country")
        read_only_fields = fields


def role_field(role: Role) -> type[serializers.ReadOnlyField]:
    """Return the field that tells people of one role from the others, in the schema too."""
    described: type[serializers.ReadOnlyField] = extend_schema_field({"type": "string", "const": role.value})(
        type("RoleField", (serializers.ReadOnlyField,), {})
    )
    return described


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

    role = role_field(Role.PATIENT)()
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

    role = role_field(Role.ADMIN)()
    secondStepDue = serializers.SerializerMethodField(
        help_text="Whether a second step must be set up before anything else can be done."
    )

    class Meta(PersonSerializer.Meta):
        fields = (*PersonSerializer.Meta.fields, "secondStepDue")
        read_only_fields = fields

    def get_secondStepDue(self, user: User) -> bool:  # noqa: N802 - DRF derives the name from the wire's
        return mfa_status.is_setup_required(user)


def represent_patient(user: User) -> Mapping[str, Any]:
    """Write a patient; one whose details were never saved has empty ones."""
    user.patient_details = PatientDetails.objects.filter(pk=user.pk).first() or PatientDetails(user=user)
    return PatientUserSerializer(user).data


def represent_admin(user: User) -> Mapping[str, Any]:
    """Write an admin."""
    return AdminUserSerializer(user).data


def register_role_parts() -> None:
    """Say how patients and admins are written."""
    role_serializers.register(Role.PATIENT, role_serializers.RolePart(PatientUserSerializer, represent_patient))
    role_serializers.register(Role.ADMIN, role_serializers.RolePart(AdminUserSerializer, represent_admin))


def user_schema() -> PolymorphicProxySerializer:
    """Describe `data.user`: one shape a role, told apart by `role`."""
    # A function, read when the schema is made: by then every app has registered its part.
    return PolymorphicProxySerializer(
        component_name="User", serializers=role_serializers.serializers, resource_type_field_name="role"
    )


@extend_schema_field(user_schema())
class UserField(serializers.ReadOnlyField):
    """`data.user` in an answer; `role_parts.represent` writes it."""


class UserData(serializers.Serializer[Any]):
    """`data` with a person."""

    user = UserField()


class SignedInData(UserData):
    """`data` of a sign-in or registration."""

    token = serializers.CharField(read_only=True)


class SessionSerializer(WireModelSerializer):
    """A place where the person is signed in."""

    current = serializers.SerializerMethodField(help_text="Whether this is the session that asks.")
    createdAt = InstantField(source="created_at", read_only=True)
    lastSeenAt = InstantField(source="last_seen_at", read_only=True)

    class Meta:
        model = Session
        fields = ("_id", "current", "createdAt", "lastSeenAt", "userAgent", "ipAddress")
        read_only_fields = fields

    def get_current(self, session: Session) -> bool:
        return bool(session.pk == self.context["current"].pk)


class SessionsData(serializers.Serializer[Any]):
    """`data` of a person's sessions."""

    sessions = SessionSerializer(many=True, read_only=True)


class CalendarFeedSerializer(serializers.Serializer[Any]):
    """A person's calendar address."""

    createdAt = InstantField(source="created_at", read_only=True)


class CalendarFeedData(serializers.Serializer[Any]):
    """`data` of whether there is a calendar address."""

    feed = CalendarFeedSerializer(read_only=True, allow_null=True)


class NewCalendarFeedData(CalendarFeedData):
    """`data` of a new calendar address, which is shown this once."""

    feed = CalendarFeedSerializer(read_only=True)
    address = serializers.URLField(read_only=True)


# --- What is taken ----------------------------------------------------------------------------


class LoginSerializer(serializers.Serializer[Any]):
    """Who wants to sign in, and as what."""

    email = EmailAddressField()
    password = PasswordField()
    role = ChoiceField(choices=Role.choices)


class AddressChangesSerializer(serializers.Serializer[Any]):
    """A home address as sent; parts that are absent stay."""

    street = LineField(max_length=200, required=False, allow_blank=True)
    city = LineField(max_length=100, required=False, allow_blank=True)
    state = LineField(max_length=100, required=False, allow_blank=True)
    zipCode = LineField(source="zip_code", max_length=20, required=False, allow_blank=True)
    country = CountryField(required=False, allow_blank=True)


class RegistrationSerializer(HasCountry):
    """The part of the registration form that every role fills in.

    A subclass sets `path_role`, adds its own fields and, in `broken_rules`, its own rule. Fields of
    another role are passed over.
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
    agreedToPrivacy = YesField(source="agreed_to_privacy")
    timeZone = TimeZoneField(source="time_zone", required=False)

    def broken_rules(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        """Return the specification's sentences (section 5) that `data` breaks, in its order, with their fields."""
        password = data.get("password")
        broken = {}
        if password != data.get("confirmPassword"):
            broken["Passwords do not match"] = ["confirmPassword"]
        if not isinstance(password, str) or len(password) < settings.PASSWORD_MIN_LENGTH:
            broken[get_too_short_message(settings.PASSWORD_MIN_LENGTH)] = ["password"]
        return broken

    def to_internal_value(self, data: Any) -> Any:
        """Check everything at once: `message` is the first broken rule's, `errors` marks every wrong field."""
        errors: dict[str, list[str]] = {}
        validated: Any = {}
        try:
            validated = super().to_internal_value(data)
        except serializers.ValidationError as wrong:
            errors = flatten_errors(wrong.detail)
        broken = self.broken_rules(data)
        for sentence, fields in broken.items():
            for field in fields:
                errors.setdefault(field, [sentence])
        if "role" not in errors and data["role"] != self.path_role:
            errors["role"] = [f"This address registers a {self.path_role} only."]
        if "password" not in errors and (weak := weaknesses(data["password"], data)):
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


def weaknesses(password: str, person: Mapping[str, Any]) -> list[str]:
    """Return what Django's validators say against a password of this person."""
    known = {name: person[name][:254] for name in ("name", "email", "phone") if isinstance(person.get(name), str)}
    try:
        validate_password(password, User(**known))
    except DjangoValidationError as weak:
        return list(weak.messages)
    return []


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
        except avatars.ImageRejectedError as refused:
            raise serializers.ValidationError(str(refused)) from refused


@extend_schema_field({"oneOf": [{"$ref": "#/components/schemas/AddressChangesRequest"}, {"type": "string"}]})
class AddressChangesField(serializers.Field):  # type: ignore[type-arg]  # a mapping or a text
    """An address in its parts, or on one line as the simple form sends it."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and not data.lstrip().startswith(("{", "[")):
            line: str = LineField(max_length=450, allow_blank=True).run_validation(data)
            if line == getattr(self.parent, "stored_address_line", None):
                return line
            # The line is split where the stored address is known; here its parts are only checked.
            read = split_address(line)
            wire_names = {"zip_code": "zipCode"}
            parts = AddressChangesSerializer(data={wire_names.get(name, name): part for name, part in read.items()})
            parts.is_valid(raise_exception=True)
            return line
        # A mapping; or a form's part that was meant as JSON and is none, which is told so here.
        parts = AddressChangesSerializer(data=data)
        parts.is_valid(raise_exception=True)
        return parts.validated_data


class PersonChangesSerializer(ProofFields, HasCountry):
    """The part of a profile that every role can change; absent fields stay unchanged."""

    name = NameField(required=False)
    phone = PhoneField(required=False, allow_blank=True)
    gender = ChoiceField(choices=Gender.choices, required=False)
    dateOfBirth = BirthDateField(source="date_of_birth", required=False)
    email = EmailAddressField(
        required=False,
        help_text=(
            "A new one needs `currentPassword`, where the account has a second step a current factor too, and waits"
            " until it is confirmed."
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
        help_text="An https link, fetched once; the present path, null and an empty text change nothing.",
    )


class ProfileChangesSerializer(PersonChangesSerializer):
    """What `PUT /api/auth/profile` takes; address and blood group are a patient's."""

    address = AddressChangesField(required=False)
    bloodGroup = ChoiceField(source="blood_group", choices=BloodGroup.choices, required=False, allow_blank=True)

    def read_stored(self) -> None:
        user = self.context["request"].user
        details = PatientDetails.objects.filter(pk=user.pk).first() if user.role == Role.PATIENT else None
        self.stored_phone, self.stored_country = user.phone, details.country if details else ""
        self.stored_address_line = details.address_line if details else ""


class PasswordAgainSerializer(serializers.Serializer[Any]):
    """The password, asked again before what can't be undone, must not be seen or guards the account."""

    currentPassword = PasswordField(source="current_password")


class PasswordChangeSerializer(FactorProofSerializer):
    """The current password, a current factor where the account has a second step, and the new password."""

    newPassword = PasswordField(source="new_password")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        attrs = super().validate(attrs)
        user = self.context["request"].user
        password = attrs["new_password"]
        weak = weaknesses(password, {"name": user.name, "email": user.email, "phone": user.phone})
        if weak:
            too_short = get_too_short_message(settings.PASSWORD_MIN_LENGTH)
            raise DomainError("invalid", too_short if too_short in weak else "", errors={"newPassword": weak})
        return attrs
