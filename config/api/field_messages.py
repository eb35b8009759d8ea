"""What a field says when it refuses a value: sentences for people, instead of the framework's for developers.

`FIELD` in a sentence is the place of the field's name; `name_field` fills it in where the errors of a request are
collected, since a field does not know there in which part of the request it is.
"""

import re

from rest_framework import serializers

FIELD = "<field>"
MISSING = f"Enter the {FIELD}."
CHOOSE = f"Choose the {FIELD} from the list."
NO_LIST = f"Send the {FIELD} as a list."
TOO_FEW = f"Choose at least {{min_length}} for the {FIELD}."
TOO_MANY = f"The {FIELD} can have at most {{max_length}} entries."
AT_LEAST = f"The {FIELD} must be {{min_value}} or more."
AT_MOST = f"The {FIELD} must be {{max_value}} or less."
TOO_LARGE = f"The {FIELD} is too large."
DATE = f"Enter the {FIELD} as a date like 2026-12-08."
NUMBER = f"Enter the {FIELD} as a number."

MESSAGES: dict[type[serializers.Field], dict[str, str]] = {  # type: ignore[type-arg]  # of any kind
    serializers.Field: {"required": MISSING, "null": MISSING},
    serializers.BooleanField: {"invalid": f"Choose yes or no for the {FIELD}."},
    serializers.CharField: {
        "invalid": f"Enter the {FIELD} as text.",
        "blank": MISSING,
        "max_length": f"The {FIELD} can have at most {{max_length}} characters.",
        "min_length": f"The {FIELD} must have at least {{min_length}} characters.",
    },
    serializers.EmailField: {"invalid": "Enter an email address like name@example.com."},
    serializers.URLField: {"invalid": "Enter a link that starts with https://."},
    serializers.RegexField: {"invalid": f"Check the {FIELD}."},
    serializers.UUIDField: {"invalid": f"We can't find this {FIELD}."},
    serializers.IntegerField: {
        "invalid": f"Enter the {FIELD} as a whole number.",
        "min_value": AT_LEAST,
        "max_value": AT_MOST,
        "max_string_length": TOO_LARGE,
    },
    serializers.FloatField: {
        "invalid": NUMBER,
        "min_value": AT_LEAST,
        "max_value": AT_MOST,
        "max_string_length": TOO_LARGE,
    },
    serializers.DecimalField: {
        "invalid": NUMBER,
        "min_value": AT_LEAST,
        "max_value": AT_MOST,
        "max_digits": TOO_LARGE,
        "max_whole_digits": TOO_LARGE,
        "max_decimal_places": f"The {FIELD} can have at most {{max_decimal_places}} decimal places.",
        "max_string_length": TOO_LARGE,
    },
    serializers.DateTimeField: {"invalid": DATE, "date": DATE, "make_aware": DATE, "overflow": DATE},
    serializers.DateField: {"invalid": DATE, "datetime": DATE},
    serializers.TimeField: {"invalid": f"Enter the {FIELD} as a time like 09:00."},
    serializers.ChoiceField: {"invalid_choice": CHOOSE},
    serializers.MultipleChoiceField: {"invalid_choice": CHOOSE, "not_a_list": NO_LIST, "empty": CHOOSE},
    serializers.ListField: {"not_a_list": NO_LIST, "empty": MISSING, "min_length": TOO_FEW, "max_length": TOO_MANY},
    serializers.DictField: {"not_a_dict": f"Fill in the {FIELD}.", "empty": MISSING},
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
        "not_a_list": NO_LIST,
        "empty": MISSING,
        "min_length": TOO_FEW,
        "max_length": TOO_MANY,
    },
}


def use_plain_messages() -> None:
    """Replace the messages of DRF's fields; a field class of ours with its own message keeps it."""
    for field, messages in MESSAGES.items():
        field.default_error_messages = {**vars(field).get("default_error_messages", {}), **messages}


# What a field is called where its name on the wire doesn't say it.
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
# Parts whose fields would else be mistaken for the person's own.
PREFIXES = {"hospital": "hospital "}
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def name_field(message: str, path: str) -> str:
    """Return a message with the name of the field at `path` in it, like "hospital.phone"."""
    return message.replace(FIELD, label_of(path)) if FIELD in message else message


def label_of(path: str) -> str:
    """Return what a person calls the field at a path of wire names."""
    names = [name for name in path.split(".") if name and not name.isdigit()] or ["form"]
    label = LABELS.get(names[-1]) or HUMP.sub(" ", names[-1]).lower()
    prefix = next((PREFIXES[name] for name in names[:-1] if name in PREFIXES), "")
    return label if label.startswith(prefix) else f"{prefix}{label}"
