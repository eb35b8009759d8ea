"""Test invalid values in every field: a 4xx that names the field, and no changed row."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from accounts.models import AuditEvent, Notice, PatientDetails, Session, User
from accounts.tests.factories import PASSWORD
from accounts.tests.registration_form import form

REGISTER = "/api/auth/register/patient"
LOGIN = "/api/auth/login"
PROFILE = "/api/auth/profile"
CHANGE_PASSWORD = "/api/auth/password"

Values = dict[str, Any]

# As much as the JSON of a visitor may hold.
LONG = "a" * 60_000
NOT_TEXT: Values = {
    "null": None,
    "a number": 7,
    "a fraction": 1.5,
    "true": True,
    "a list": ["x"],
    "an object": {"x": "y"},
}
NOT_FOR_ANY_TEXT: Values = {
    "60 kB": LONG,
    "NUL": "a\x00b",
    "a control": "a\x1bb",
    "a C1 control": "a\x85b",
    "a lone surrogate": "a\ud800b",
    "a lone low surrogate": "\udfff",
    "an override": "a\u202eb",
    "a right-to-left mark": "a\u200fb",
    "an isolate": "a\u2067b",
    "a noncharacter": "a\uffffb",
}
NOT_FOR_A_LINE: Values = NOT_FOR_ANY_TEXT | {
    "a line break": "a\nb",
    "a tab": "a\tb",
    "a line separator": "a\u2028b",
    "a zero-width space": "a\u200bb",
    "a byte order mark": "a\ufeffb",
    "a soft hyphen": "a\u00adb",
    "a tag character": "a\U000e0041b",
}
NOT_FOR_A_NAME: Values = NOT_FOR_A_LINE | {
    "empty": "",
    "blank": "  ",
    "an emoji": "Ada \U0001f600",
    "a keycap emoji": "Ada 1\ufe0f\u20e3",
    "a heart": "Ada \u2764",
    "HTML": "<b>Ada</b>",
    "a script": "<script>alert(1)</script>",
    "a currency sign": "Ada $",
    "digits only": "12345",
    "punctuation only": "---",
    "a joiner": "A\u200dda",
    "a private character": "Ada\ue000",
    "too long": "a" * 121,
}
NOT_A_PHONE: Values = NOT_FOR_A_LINE | {
    "letters": "call me",
    "HTML": "<b>1</b>",
    "an emoji": "\U0001f4de",
    "too few digits": "12345",
    "too many digits": "1234567890123456",
    "a date": "1985-03-27",
    "two plus signs": "++12025550100",
    "an extension without its number": "+1 202 555 0100 ext.",
    "too long": "+1" + " " * 300 + "2025550100",
    "brackets only": "((((((",
}
NOT_AN_EMAIL: Values = NOT_FOR_A_LINE | {
    "empty": "",
    "no at": "ada.example.com",
    "no name": "@example.com",
    "no domain": "ada@",
    "two ats": "ada@b@example.com",
    "a space": "ada lovelace@example.com",
    "no dot": "ada@example",
    "HTML": "<script>@example.com",
    "quoted HTML": '"<script>"@example.com',
    "quoted": '"ada"@example.com',
    "an emoji": "\U0001f600@example.com",
    "a display name": "Ada <ada@example.com>",
    "another alphabet": "\u0430da@example.com",
    "an empty label": "ada@example..com",
    "too long": "a" * 250 + "@example.com",
    "a long international domain": "ada@" + "\u00fc" * 200 + ".example",
    "a header": "ada@example.com\nBcc: all@example.com",
}
NOT_A_BIRTH_DATE: Values = {
    "empty": "",
    "null": None,
    "a number": 19900228,
    "a list": ["1990-02-28"],
    "an object": {},
    "true": True,
    "no such day": "2026-02-30",
    "no leap year": "1999-02-29",
    "no such month": "1990-13-01",
    "day zero": "1990-01-00",
    "another order": "28-02-1990",
    "slashes": "1990/02/28",
    "short": "1990-2-28",
    "with a time": "1990-02-28T00:00:00",
    "a week date": "1990-W09-3",
    "compact": "19900228",
    "the year 9999": "9999-12-31",
    "the year 10000": "10000-01-01",
    "the year 0": "0000-01-01",
    "before 1900": "1899-12-31",
    "in two days": "2026-03-04",
    "other digits": "\u0661\u0669\u0669\u0660-02-28",
    "a line break behind": "1990-02-28\n",
    "NUL": "1990-02-28\x00",
    "a lone surrogate": "\ud800",
    "60 kB": LONG,
    "HTML": "<b>1990-02-28</b>",
}
NOT_A_CHOICE: Values = NOT_TEXT | {
    "unknown": "x",
    "capital": "MALE",
    "NUL": "male\x00",
    "a lone surrogate": "\ud800",
    "60 kB": LONG,
    "HTML": "<b>male</b>",
    "an emoji": "\U0001f600",
    "a space behind": "male ",
}
NOT_A_PASSWORD: Values = {name: NOT_TEXT[name] for name in NOT_TEXT} | {
    "empty": "",
    "60 kB": LONG,
    "too long": "Aa9-" * 33,
    "NUL": "quiet-harbour\x009",
    "a lone surrogate": "quiet-harbour-\ud800",
}
NOT_AN_ADDRESS: Values = {"null": None, "a number": 7, "true": True, "a list": ["x"]}
NOT_A_ZONE: Values = NOT_FOR_A_LINE | {
    "empty": "", "unknown": "Mars/Olympus", "a path": "../../etc/passwd", "an offset": "+02:00", "no place": "Factory",
    "another case": "america/new_york", "HTML": "<b>UTC</b>",
}  # fmt: skip

PARTS = {"street": 200, "city": 100, "state": 100, "zipCode": 20}
ADDRESS_PARTS: dict[str, Values] = {
    f"address.{part}": NOT_TEXT | NOT_FOR_A_LINE | {"too long": "a" * (most + 1)} for part, most in PARTS.items()
}

COMMON: dict[str, Values] = {
    "name": NOT_TEXT | NOT_FOR_A_NAME,
    "email": NOT_TEXT | NOT_AN_EMAIL,
    "phone": NOT_TEXT | NOT_A_PHONE,
    "gender": NOT_A_CHOICE | {"empty": ""},
    "dateOfBirth": NOT_A_BIRTH_DATE,
    "bloodGroup": NOT_A_CHOICE | {"another group": "C+", "lower case": "ab+"},
    "address": NOT_AN_ADDRESS,
    **ADDRESS_PARTS,
}
REGISTRATION: dict[str, Values] = COMMON | {
    "phone": COMMON["phone"] | {"empty": ""},
    "password": NOT_A_PASSWORD,
    "confirmPassword": NOT_A_PASSWORD,
    "role": NOT_A_CHOICE | {"empty": "", "doctor": "doctor", "admin": "admin"},
    "agreedToPrivacy": {"false": False, "null": None, "a text": "true", "one": 1, "a list": [True], "empty": ""},
    "timeZone": NOT_TEXT | NOT_A_ZONE,
    "address": NOT_AN_ADDRESS | {"a text": "1 Quay"},
}
PROFILE_CHANGES: dict[str, Values] = COMMON | {
    "image": NOT_TEXT | {"empty": "", "a text": "x"},
    "removeImage": {"null": None, "a text": "perhaps", "a number": 7, "a list": [True], "an object": {}, "empty": ""},
    "profilePicture": {name: value for name, value in (NOT_TEXT | NOT_FOR_A_LINE).items() if name != "null"}
    | {"too long": "https://example.com/" + "a" * 2000},
    "currentPassword": {name: value for name, value in NOT_A_PASSWORD.items() if name != "empty"},
    "address": NOT_AN_ADDRESS
    | {"a line too long": "a" * 451}
    | {f"a line with {k}": v for k, v in NOT_FOR_A_LINE.items()},
}
SIGNING_IN: dict[str, Values] = {
    "email": NOT_TEXT | NOT_AN_EMAIL,
    "password": NOT_A_PASSWORD,
    "role": NOT_A_CHOICE | {"empty": ""},
}
PASSWORD_CHANGE: dict[str, Values] = {"currentPassword": NOT_A_PASSWORD, "newPassword": NOT_A_PASSWORD}


def cases(fields: dict[str, Values]) -> dict[str, tuple[str, Any]]:
    return {f"{field}: {what}": (field, value) for field, values in fields.items() for what, value in values.items()}


def each_of(fields: dict[str, Values]):
    return pytest.mark.parametrize(("field", "value"), cases(fields).values(), ids=cases(fields))


def body(**fields: Any) -> str:
    """Write JSON as a hostile client would, with lone surrogates as escapes."""
    return json.dumps(fields, ensure_ascii=True)


def with_field(sent: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    outer, _, inner = field.partition(".")
    return sent | {outer: {inner: value} if inner else value}


def rows() -> list[Any]:
    """Everything that a refused call might have changed."""
    return [
        list(model.objects.order_by("pk").values()) for model in (User, PatientDetails, Session, AuditEvent, Notice)
    ]


@pytest.fixture(autouse=True)
def march():
    with time_machine.travel(datetime(2026, 3, 2, 12, tzinfo=UTC), tick=False):
        yield


def refused(answer, field: str) -> None:
    reply = answer.json()
    assert (answer.status_code, reply["success"], reply["code"]) == (400, False, "invalid"), reply
    assert field in reply["errors"], reply["errors"]
    assert all(isinstance(text, str) and text for texts in reply["errors"].values() for text in texts)


@each_of(REGISTRATION)
def test_registration_names_the_invalid_field(api, db, field, value):
    answer = api.post(REGISTER, body(**with_field(form(), field, value)), content_type="application/json")

    refused(answer, field)
    # A password that is none also differs from its repetition.
    assert set(answer.json()["errors"]) <= {field, "confirmPassword"}
    assert rows() == [[], [], [], [], []]


@pytest.mark.parametrize(
    "field", ["name", "email", "password", "confirmPassword", "role", "phone", "dateOfBirth", "agreedToPrivacy"]
)
def test_registration_names_the_missing_field(api, db, field):
    sent = form()
    del sent[field]

    refused(api.post(REGISTER, sent, format="json"), field)
    assert rows() == [[], [], [], [], []]


@each_of(SIGNING_IN)
def test_login_names_the_invalid_field(api, patient, field, value):
    before = rows()
    sent = {"email": patient.email, "password": PASSWORD, "role": "patient"} | {field: value}

    answer = api.post(LOGIN, body(**sent), content_type="application/json")

    refused(answer, field)
    assert list(answer.json()["errors"]) == [field]
    assert rows() == before


@pytest.mark.parametrize("field", ["email", "password", "role"])
def test_login_names_the_missing_field(api, patient, field):
    sent = {"email": patient.email, "password": PASSWORD, "role": "patient"}
    del sent[field]

    refused(api.post(LOGIN, sent, format="json"), field)


@each_of(PROFILE_CHANGES)
def test_profile_names_the_invalid_field(patient, client_of, field, value):
    client = client_of(patient)
    before = rows()

    answer = client.put(
        PROFILE, body(**with_field({"name": "Ada Renamed"}, field, value)), content_type="application/json"
    )

    refused(answer, field)
    assert list(answer.json()["errors"]) == [field]
    assert rows() == before


@each_of(PASSWORD_CHANGE)
def test_password_change_names_the_invalid_field(patient, client_of, field, value):
    client = client_of(patient)
    before = rows()
    sent = {"currentPassword": PASSWORD, "newPassword": "fresh-blue-kettle"} | {field: value}

    refused(client.put(CHANGE_PASSWORD, body(**sent), content_type="application/json"), field)
    assert rows() == before


NO_OBJECT = {
    "nothing": b"",
    "broken": b'{"name": "Ada"',
    "a list": b"[]",
    "a text": b'"name"',
    "a number": b"7",
    "null": b"null",
    "NaN": b'{"name": NaN}',
    "Infinity": b'{"name": -Infinity}',
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "UTF-16": '{"name": "Ada"}'.encode("utf-16"),
    "nested deeply": b'{"name": ' * 6_000 + b"1" + b"}" * 6_000,
    "lists nested deeply": b'{"name": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "a number of 5000 digits": b'{"name": ' + b"9" * 5000 + b"}",
    "two objects": b"{}{}",
    "XML": b"<name>Ada</name>",
}
CALLS = [("post", LOGIN), ("post", REGISTER), ("put", PROFILE), ("put", CHANGE_PASSWORD)]


@pytest.mark.parametrize(("method", "address"), CALLS)
@pytest.mark.parametrize("content", NO_OBJECT.values(), ids=NO_OBJECT)
def test_body_that_is_not_a_json_object_is_malformed(patient, client_of, method, address, content):
    client = client_of(patient)
    before = rows()

    answer = getattr(client, method)(address, content, content_type="application/json")

    # An empty body is an empty object: each field is missing; for a profile that is no change.
    if content:
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    else:
        assert answer.status_code == (200 if address == PROFILE else 400)
    assert rows() == before


@pytest.mark.parametrize(("method", "address"), CALLS)
@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/html; charset=utf-8",
        "application/x-www-form-urlencoded",
        "application/xml",
        "rubbish",
    ],
)  # fmt: skip
def test_another_content_type_is_refused(patient, client_of, method, address, content_type):
    client = client_of(patient)
    before = rows()

    answer = getattr(client, method)(address, b'{"name": "Ada"}', content_type=content_type)

    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert rows() == before


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("multipart/form-data", (400, "malformed")),
        ("multipart/form-data; boundary=", (400, "malformed")),
        ("multipart/form-data; boundary=\xff", (400, "malformed")),
        ("multipart/form-data; boundary=" + "x" * 300, (415, "unsupported_media_type")),
    ],
)
def test_a_broken_form_is_refused(patient, client_of, content_type, expected):
    answer = client_of(patient).put(PROFILE, b"rubbish", content_type=content_type)

    assert (answer.status_code, answer.json()["code"]) == expected


def form_of(*parts: tuple[str, bytes]) -> bytes:
    lines = [b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (n.encode(), v) for n, v in parts]
    return b"".join(lines) + b"--x--\r\n"


FORM_TYPE = "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("part", "status"),
    [
        ((("name", b""),), 400),
        ((("name", b"\xff\xfe"),), 400),
        ((("name", b"a\x00b"),), 400),
        ((("gender", b"x"),), 400),
        ((("dateOfBirth", b"2026-02-30"),), 400),
        ((("address", b"{"),), 400),
        ((("address", b"12 Lane"),), 200),
        ((("address", b"[1]"),), 400),
        ((("address", b'{"city": 7}'),), 400),
        ((("address", b'{"city": "\\ud800"}'),), 400),
        ((("address", b"[" * 100_000),), 400),
        ((("image", b"no file"),), 400),
        ((("removeImage", b"perhaps"),), 400),
        ((("name", b"a" * 2_000_000),), 413),
        (tuple((f"field{number}", b"x") for number in range(300)), 400),
    ],
    ids=range(15),
)
def test_a_form_with_a_wrong_part_is_refused(patient, client_of, part, status):
    before = rows()
    client = client_of(patient)

    answer = client.put(PROFILE, form_of(*part), content_type=FORM_TYPE)

    assert answer.status_code == status
    if status != 200:
        assert answer.json()["success"] is False
        assert rows()[:2] == before[:2]


def test_too_many_files_are_refused(patient, client_of):
    files = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="f%d"; filename="a"\r\n\r\nx\r\n' % number for number in range(5)
    )

    answer = client_of(patient).put(PROFILE, files + b"--x--\r\n", content_type=FORM_TYPE)

    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_body_of_more_than_six_megabytes_is_refused(api, db):
    answer = api.post(LOGIN, b'{"email": "' + b"a" * 7_000_000 + b'"}', content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("address", "methods"),
    [
        (LOGIN, ["get", "put", "patch", "delete"]),
        (REGISTER, ["get", "put", "patch", "delete"]),
        (PROFILE, ["post", "patch", "delete"]),
        (CHANGE_PASSWORD, ["get", "post", "patch", "delete"]),
        ("/api/auth/logout", ["get", "put", "patch", "delete"]),
        ("/api/auth/sessions", ["post", "put", "patch"]),
    ],
)
def test_another_method_is_not_allowed(patient, client_of, address, methods):
    client = client_of(patient)
    for method in methods:
        answer = getattr(client, method)(address)

        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert method.upper() not in answer["Allow"]


@pytest.mark.parametrize("role", ["patients", "admin", "doctor%00", "", "Patient", "../login"])
def test_registration_rejects_other_roles(api, db, role):
    answer = api.post(f"/api/auth/register/{role}", form(), format="json")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Jos\u00e9 d'Arc-O\u2019Neill Jr."),
        ("name", "\u738b\u5c0f\u660e"),
        ("name", "\u0645\u062d\u0645\u062f \u0639\u0644\u064a"),
        ("name", "\u0928\u093f\u0915\u093f\u0924\u093e"),
        ("name", "Zo\u0308e"),
        ("name", "a" * 120),
        ("phone", "+44 (0)20 7946 0000"),
        ("phone", "202.555.0100"),
        ("dateOfBirth", "1900-01-01"),
        ("dateOfBirth", "2026-03-02"),
        ("dateOfBirth", "2024-02-29"),
        ("gender", "other"),
        ("bloodGroup", ""),
        ("address.street", "12\u00bd R\u00fcckert-Stra\u00dfe #4 & Co"),
        ("address.city", "\u65b0\u5bbf"),
    ],
)
def test_real_names_and_addresses_are_accepted(patient, client_of, field, value):
    answer = client_of(patient).put(PROFILE, with_field({}, field, value), format="json")

    assert answer.status_code == 200, answer.json()
