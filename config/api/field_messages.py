"""Validation messages for users, in place of DRF's messages for developers.

`FIELD` is a placeholder for the field's name. `name_field` replaces it where the errors of a request are collected,
since a field doesn't know its path in the request.
"""

import re

from rest_framework import serializers

FIELD = "<field>"
REQUIRED = f"Enter the {FIELD}."
INVALID_CHOICE = f"Choose the {FIELD} from the list."
NOT_A_LIST = f"Send the {FIELD} as a list."
MIN_LENGTH = f"Choose at least {{min_length}} for the {FIELD}."
MAX_LENGTH = f"The {FIELD} can have at most {{max_length}} entries."
MIN_VALUE = f"The {FIELD} must be {{min_value}} or more."
MAX_VALUE = f"The {FIELD} must be {{max_value}} or less."
TOO_LARGE = f"The {FIELD} is too large."
INVALID_DATE = f"Enter the {FIELD} as a date like 2026-12-08."
INVALID_NUMBER = f"Enter the {FIELD} as a number."

MESSAGES: dict[type[serializers.Field], dict[str, str]] = {  # type: ignore[type-arg]  # of any kind
    serializers.Field: {"required": REQUIRED, "null": REQUIRED},
    serializers.BooleanField: {"invalid": f"Choose yes or no for the {FIELD}."},
    serializers.CharField: {
        "invalid": f"Enter the {FIELD} as text.",
        "blank": REQUIRED,
        "max_length": f"The {FIELD} can have at most {{max_length}} characters.",
        "min_length": f"The {FIELD} must have at least {{min_length}} characters.",
    },
    serializers.EmailField: {"invalid": "Enter an email address like name@example.com."},
    serializers.URLField: {"invalid": "Enter a link that starts with https://."},
    serializers.RegexField: {"invalid": f"Check the {FIELD}."},
    serializers.UUIDField: {"invalid": f"We can't find this {FIELD}."},
    serializers.IntegerField: {
        "invalid": f"Enter the {FIELD} as a whole number.",
        "min_value": MIN_VALUE,
        "max_value": MAX_VALUE,
        "max_string_length": TOO_LARGE,
    },
    serializers.FloatField: {
        "invalid": INVALID_NUMBER,
        "min_value": MIN_VALUE,
        "max_value": MAX_VALUE,
        "max_string_length": TOO_LARGE,
    },
    serializers.DecimalField: {
        "invalid": INVALID_NUMBER,
        "min_value": MIN_VALUE,
        "max_value": MAX_VALUE,
        "max_digits": TOO_LARGE,
        "max_whole_digits": TOO_LARGE,
        "max_decimal_places": f"The {FIELD} can have at most {{max_decimal_places}} decimal places.",
        "max_string_length": TOO_LARGE,
    },
    serializers.DateTimeField: {
        "invalid": INVALID_DATE,
        "date": INVALID_DATE,
        "make_aware": INVALID_DATE,
        "overflow": INVALID_DATE,
    },
    serializers.DateField: {"invalid": INVALID_DATE, "datetime": INVALID_DATE},
    serializers.TimeField: {"invalid": f"Enter the {FIELD} as a time like 09:00."},
    serializers.ChoiceField: {"invalid_choice": INVALID_CHOICE},
    serializers.MultipleChoiceField: {
        "invalid_choice": INVALID_CHOICE,
        "not_a_list": NOT_A_LIST,
        "empty": INVALID_CHOICE,
    },
    serializers.ListField: {
        "not_a_list": NOT_A_LIST,
        "empty": REQUIRED,
        "min_length": MIN_LENGTH,
        "max_length": MAX_LENGTH,
    },
    serializers.DictField: {"not_a_dict": f"Fill in the {FIELD}.", "empty": REQUIRED},
    serializers.JSONField: {"invalid": f"Check the {FIELD}."},
    serializers.FileField: {
        "required": f"Choose the {FIELD}.",
        "invalid": f"Send the {FIELD} as a file.",
        "no_name": f"Give the {FIELD} a file name.",
        "empty": f"The {FIELD} is empty. Choose another file.",
        "max_length": f"The file name of the {FIELD} is too long.",
    },
    serializers.BaseSerializer: {},
    serializers.Serializer: {"invalid": f"Fill in the {FIELD}."},
    serializers.ListSerializer: {
        "not_a_list": NOT_A_LIST,
        "empty": REQUIRED,
        "min_length": MIN_LENGTH,
        "max_length": MAX_LENGTH,
    },
}


def install_messages() -> None:
    """Replace the default messages of DRF's field classes; subclasses with a message of their own keep it."""
    for field, messages in MESSAGES.items():
        field.default_error_messages = {**vars(field).get("default_error_messages", {}), **messages}


# Names of fields whose wire name isn't readable.
LABELS = {
    "agreedToPrivacy": "agreement to the privacy policy",
    "appointmentDate": "date",
    "appointmentTime": "time",
    "bufferMinutes": "pause between appointments",
    "cancelCutoffHours": "cancellation limit",
    "confirmPassword": "password confirmation",
    "confirmReview": "confirmation",
    "dateOfBirth": "date of birth",
    "doctorId": "doctor",
    "email": "email address",
    "form": "form",
    "from": "start",
    "holdId": "reserved time",
    "id": "entry",
    "_id": "entry",
    "image": "picture",
    "isApproved": "approval",
    "maxDaysAhead": "number of days ahead",
    "minNoticeMinutes": "notice",
    "outsideHours": "time outside your hours",
    "pageSize": "number of rows",
    "phone": "phone number",
    "profilePicture": "picture link",
    "removeImage": "removal of the picture",
    "search": "search words",
    "to": "end",
    "visitMinutes": "length of an appointment",
    "visits": "decisions about appointments",
    "zipCode": "ZIP code",
}
# Prefixes for nested fields that could be mistaken for the user's own.
PREFIXES = {"hospital": "hospital "}
CAMEL_CASE_BOUNDARY = re.compile(r"(?<=[a-z])(?=[A-Z])")


def name_field(message: str, path: str) -> str:
    """Replace the placeholder in a message by the name of the field at `path`, like "hospital.phone"."""
    return message.replace(FIELD, get_label(path)) if FIELD in message else message


def get_label(path: str) -> str:
    """Return the display name of the field at a path of wire names."""
    names = [name for name in path.split(".") if name and not name.isdigit()] or ["form"]
    label = LABELS.get(names[-1]) or CAMEL_CASE_BOUNDARY.sub(" ", names[-1]).lower()
    prefix = next((PREFIXES[name] for name in names[:-1] if name in PREFIXES), "")
    return label if label.startswith(prefix) else f"{prefix}{label}"
