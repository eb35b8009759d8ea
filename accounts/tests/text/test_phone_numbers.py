"""Test phone numbers: parsed in common formats, stored as E.164, shown in one format."""

import re

import pytest

from accounts.models import PatientDetails, User
from accounts.tests.registration_form import form
from accounts.text.phone_numbers import DATE_MESSAGE, PHONE_MESSAGE, format_phone, parse_phone
from adminpanel.operations.seeding.places import CITIES
from doctors.models import DoctorProfile
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.either_engine

PROFILE = "/api/auth/profile"


@pytest.mark.parametrize(
    ("text", "country", "stored"),
    [
        ("", "", ""),
        ("+1 202 555 0100", "", "+12025550100"),
        ("(202) 555-0100", "", "+12025550100"),
        ("202.555.0100", "", "+12025550100"),
        ("1-202-555-0100", "", "+12025550100"),
        ("+1 202 555 0100 ext. 12", "", "+12025550100;ext=12"),
        ("+1 202 555 0100 x12", "", "+12025550100;ext=12"),
        ("+1-202-555-0100;ext=12", "", "+12025550100;ext=12"),
        ("(202) 555-0100, extension 12", "", "+12025550100;ext=12"),
        ("020 7946 0018 x3", "GB", "+442079460018;ext=3"),
        ("+44 20.7946/0958", "", "+442079460958"),
        ("\u0662\u0660\u0662\u0665\u0665\u0665\u0660\u0661\u0660\u0660", "", "+12025550100"),
        ("\uff0b\uff11 202\u2011555\u20110100", "", "+12025550100"),
        ("030 23125 012", "DE", "+493023125012"),
    ],
)
def test_phone_number_is_stored_in_one_format(text, country, stored):
    assert parse_phone(text, country) == stored


@pytest.mark.parametrize(
    "text",
    ["call me", "12345", "911", "1234567890123456", "++12025550100", "((((((", "+1 202 555 0100 ext.", "+999 123456"],
)
def test_impossible_phone_number_is_rejected(text):
    with pytest.raises(ValueError, match=f"^{re.escape(PHONE_MESSAGE)}$"):
        parse_phone(text)


@pytest.mark.parametrize(
    "text", ["1985-03-27", "27.03.1985", "12/08/1985", "03 27 1985", "\u0661\u0669\u0668\u0665-3-27"]
)
@pytest.mark.parametrize("country", ["US", "GB", "DE"])
def test_date_is_not_accepted_as_a_phone_number(text, country):
    with pytest.raises(ValueError, match=re.escape(DATE_MESSAGE)):
        parse_phone(text, country)


@pytest.mark.parametrize(
    ("stored", "country", "shown"),
    [
        ("", "", ""),
        ("+12025550100", "", "(202) 555-0100"),
        ("+12025550100;ext=12", "", "(202) 555-0100 ext. 12"),
        ("+12025550100", "DE", "+1 202-555-0100"),
        ("+442079460018;ext=3", "GB", "+44 20 7946 0018 ext. 3"),
        ("call the desk", "", "call the desk"),
    ],
)
def test_number_is_shown_nationally_in_the_site_s_country(stored, country, shown):
    assert format_phone(stored, country) == shown


def test_site_in_another_country_shows_its_own_numbers_nationally(settings):
    settings.DEFAULT_COUNTRY = "GB"

    assert format_phone("+442079460018;ext=3") == "020 7946 0018 ext. 3"
    assert format_phone("+12025550100") == "+1 202-555-0100"
    assert parse_phone("020 7946 0018") == "+442079460018"


@pytest.mark.parametrize("stored", ["+12025550100", "+12025550100;ext=12", "+442079460018;ext=3", "+390212345678"])
@pytest.mark.parametrize("country", ["US", "CA", "GB", "IT", "DE"])
def test_displayed_number_can_be_parsed_again(stored, country):
    assert parse_phone(format_phone(stored, country), country) == stored


def test_demo_cities_have_numbers_in_one_form():
    for city in CITIES.values():
        for person in range(100):
            assert parse_phone(city.get_phone(person)) == city.get_phone(person)


def test_registration_reads_a_local_number_in_the_country_of_the_address(api, db):
    answer = api.post(
        "/api/auth/register/patient", form(phone="020 7946 0018 x3", address={"country": "GB"}), format="json"
    )

    assert answer.status_code == 201
    assert User.objects.get().phone == "+442079460018;ext=3"
    user = answer.json()["data"]["user"]
    assert (user["phone"], user["address"]["country"]) == ("+44 20 7946 0018 ext. 3", "GB")


def test_profile_reads_a_local_number_in_the_stored_country(patient, client_of):
    PatientDetails.objects.update(country="DE")

    answer = client_of(patient).put(PROFILE, {"phone": "030 23125 012"}, format="json")

    assert answer.json()["data"]["user"]["phone"] == "+49 30 23125012"


def test_displayed_number_sent_back_stays_when_the_country_changes(patient, client_of):
    client = client_of(patient)
    shown = client.get(PROFILE).json()["data"]["user"]["phone"]

    answer = client.put(PROFILE, {"phone": shown, "address": {"country": "DE"}}, format="json")

    user = answer.json()["data"]["user"]
    assert (user["address"]["country"], user["phone"]) == ("DE", "+1 202-555-0101")
    assert User.objects.get().phone == "+12025550101"


def test_unknown_country_is_refused(patient, client_of):
    for country in ("XX", "us", "USA"):
        answer = client_of(patient).put(PROFILE, {"address": {"country": country}}, format="json")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["address.country"])


def test_clinic_reads_a_local_number_in_its_own_country(db, client_of):
    doctor = DoctorFactory.create()

    answer = client_of(doctor.user).put(
        "/api/doctors/profile",
        {"hospital": {"phone": "030 23125 012 x7", "address": {"country": "DE"}}},
        format="json",
    )

    hospital = answer.json()["data"]["user"]["hospital"]
    assert (hospital["phone"], hospital["address"]["country"]) == ("+49 30 23125012 ext. 7", "DE")
    profile = DoctorProfile.objects.get()
    assert (profile.hospital_phone, profile.hospital_name) == ("+493023125012;ext=7", "Example General")
