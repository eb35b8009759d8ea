"""What text may hold, field by field; every app's serializers reuse these.

Character classes are those of the Unicode Standard, chapter 4.5 (general category).
"""

import functools
import re
import unicodedata
import zoneinfo
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import validate_email
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.addresses import canonical_email
from config.wire import LocalDateField

# Marks that turn the direction of what follows: text that reads otherwise than it is stored (Unicode TR 36, 2.5).
BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Controls, line and paragraph separators, lone surrogates and noncharacters.
CONTROL = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
NOT_IN_A_LINE = re.compile(f"[{CONTROL}{BIDI}\u00ad\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]")
# As above, but lines and tabs are what free text is made of.
NOT_IN_FREE_TEXT = re.compile(
    f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff{BIDI}]"
)
QUOTING = re.compile(r'["<>\\]')
# What addresses of pages and mailboxes are made of, and no name is: names stand in mails, where they would be links.
IN_ADDRESSES = frozenset("/\\:@")
VARIATION_SELECTORS = range(0xFE00, 0xFE10)

EARLIEST_BIRTH = date(1900, 1, 1)
PHONE = re.compile(r"\+?[0-9(][0-9 ()./-]*", re.ASCII)
PHONE_DIGITS = range(6, 16)  # ITU-T E.164: 15 at most

LINE_MESSAGE = "Leave out line breaks and invisible characters."
FREE_TEXT_MESSAGE = "Leave out invisible characters."
NAME_MESSAGE = "Use letters, spaces, hyphens, apostrophes and full stops only."


class TextField(serializers.CharField):
    """Text of a bounded length, kept in Unicode's composed form (NFC) so that equal words compare equal."""

    default_error_messages = {"not_text": "Enter text."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 200)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        # DRF would turn numbers into text; what isn't text was meant as something else.
        if not isinstance(data, str):
            self.fail("not_text")
        if self.max_length is not None and len(data) > self.max_length * 2 + 64:
            # Far too long: say so without walking through a megabyte first.
            self.fail("max_length", max_length=self.max_length)
        self.check_characters(data.strip() if self.trim_whitespace else data)
        return unicodedata.normalize("NFC", super().to_internal_value(data))

    def check_characters(self, text: str) -> None:
        """Refuse what this kind of text may not hold."""


class LineField(TextField):
    """One line: a street, a city, a search."""

    default_error_messages = {"characters": LINE_MESSAGE}

    def check_characters(self, text: str) -> None:
        if NOT_IN_A_LINE.search(text):
            self.fail("characters")


class FreeTextField(TextField):
    """Several lines in a person's own words."""

    default_error_messages = {"characters": FREE_TEXT_MESSAGE}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 2000)
        super().__init__(**kwargs)

    def check_characters(self, text: str) -> None:
        if NOT_IN_FREE_TEXT.search(text):
            self.fail("characters")

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data).replace("\r\n", "\n").replace("\r", "\n")


class NameField(LineField):
    """What a person is called: at least one letter, and no symbol, emoji or markup."""

    default_error_messages = {"name": NAME_MESSAGE, "no_letter": "Enter a name."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 120)
        super().__init__(**kwargs)

    def check_characters(self, text: str) -> None:
        if not text:
            return
        super().check_characters(text)
        categories = [unicodedata.category(character) for character in text]
        if any(
            # Format, private, unassigned, symbols and enclosing marks, and what only chooses an emoji's looks.
            category in {"Cf", "Co", "Cn", "Me"}
            or category.startswith("S")
            or character in IN_ADDRESSES
            or ord(character) in VARIATION_SELECTORS
            for character, category in zip(text, categories, strict=True)
        ):
            self.fail("name")
        if not any(category.startswith("L") for category in categories):
            self.fail("no_letter")


class PhoneField(LineField):
    """A telephone number as people write it, with 6 to 15 digits."""

    default_error_messages = {"phone": "Enter a phone number like +1 202 555 0100."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 32)
        super().__init__(**kwargs)

    def check_characters(self, text: str) -> None:
        if not text:
            return
        super().check_characters(text)
        if not PHONE.fullmatch(text) or sum(character.isdigit() for character in text) not in PHONE_DIGITS:
            self.fail("phone")


@extend_schema_field({"type": "string", "format": "email", "maxLength": 254})
class EmailAddressField(LineField):
    """An e-mail address; the value is its canonical spelling."""

    default_error_messages = {"email": "Enter a valid e-mail address."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 254)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        address = canonical_email(super().to_internal_value(data))
        # Quoted local parts are lawful and nobody's; what comes so is markup.
        if QUOTING.search(address):
            self.fail("email")
        try:
            validate_email(address)
        except DjangoValidationError:
            self.fail("email")
        if len(address) > (self.max_length or 254):
            self.fail("max_length", max_length=self.max_length)
        return address


@extend_schema_field({"type": "string", "format": "password"})
class PasswordField(TextField):
    """A password: any characters, taken as they are."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 128)
        super().__init__(trim_whitespace=False, write_only=True, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_text")
        return serializers.CharField.to_internal_value(self, data)


class BirthDateField(LocalDateField):
    """A date of birth: real, not before 1900 and not in the future."""

    default_error_messages = {
        "too_early": "Enter a date of birth from 1900 on.",
        "future": "Enter a date of birth that is not in the future.",
    }

    def to_internal_value(self, data: Any) -> date:
        born = super().to_internal_value(data)
        if born < EARLIEST_BIRTH:
            self.fail("too_early")
        # The date line: somewhere it is already tomorrow. A newborn there must not be refused.
        if born > timezone.now().astimezone(zoneinfo.ZoneInfo("Pacific/Kiritimati")).date():
            self.fail("future")
        return born


@functools.cache
def known_time_zones() -> frozenset[str]:
    """Answer the zones of the IANA database, without its few names that are no place or offset."""
    return frozenset(zoneinfo.available_timezones() - {"Factory", "localtime", "posixrules"})


class TimeZoneField(LineField):
    """A name of the IANA time zone database, like `Europe/Berlin`."""

    default_error_messages = {"unknown": "Choose a time zone like America/New_York."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 64)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if name and name not in known_time_zones():
            self.fail("unknown")
        return name


class ChoiceField(serializers.ChoiceField):
    """One of a list; the refusal does not repeat what was sent."""

    default_error_messages = {"invalid_choice": "Choose one of the list."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input="")
        return super().to_internal_value(data)


class YesField(serializers.BooleanField):
    """An agreement: only a plain `true` will do."""

    default_error_messages = {"must_agree": "Please agree to go on."}

    def to_internal_value(self, data: Any) -> bool:
        if data is not True:
            self.fail("must_agree")
        return True
