"""Factories of users with every field filled in."""

from datetime import UTC, date, datetime

from factory.declarations import RelatedFactory, Sequence
from factory.django import DjangoModelFactory, Password

from accounts.models import BloodGroup, Gender, PatientDetails, Role, User

PASSWORD = "plain-brown-teapot"


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User
        skip_postgeneration_save = True

    name = Sequence(lambda n: f"Invented Person {'ABCDEFGHIJ'[n % 10]}")
    email = Sequence(lambda n: f"person{n}@example.com")
    # Not those of the site, of a clinic and of the named people, which tests tell apart from any other person's.
    phone = Sequence(lambda n: f"+120255501{10 + n % 80}")
    gender = Gender.OTHER
    date_of_birth = date(1985, 6, 15)
    role = Role.PATIENT
    agreed_to_privacy_at = datetime(2026, 1, 1, tzinfo=UTC)
    email_confirmed_at = datetime(2026, 1, 1, tzinfo=UTC)
    password = Password(PASSWORD)


class PatientDetailsFactory(DjangoModelFactory[PatientDetails]):
    class Meta:
        model = PatientDetails

    street = "12 Invented Lane"
    city = "Springfield"
    state = "Illinois"
    zip_code = "62701"
    blood_group = BloodGroup.O_POSITIVE


class PatientFactory(UserFactory):
    role = Role.PATIENT
    patient_details = RelatedFactory(PatientDetailsFactory, factory_related_name="user")


class AdminFactory(UserFactory):
    role = Role.ADMIN
