"""Serializer fields for text, used by all apps.

Character classes are the general categories of the Unicode Standard, chapter 4.5.
"""

import functools
import re
import unicodedata
import zoneinfo
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import validate_email
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.text.email_addresses import FULL_STOPS, canonical_email
from accounts.text.phone_numbers import PHONE_MESSAGE, format_phone, parse_phone
from config.api.fields import LocalDateField
from config.countries import COUNTRIES, default_country

# Direction marks, which can make text look different from what is stored (Unicode TR 36, 2.5).
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Controls, line and paragraph separators, lone surrogates and noncharacters.
CONTROL_CHARACTERS = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
NOT_IN_A_LINE = re.compile(
    f"[{CONTROL_CHARACTERS}{BIDI_CONTROLS}\u00ad\u180e\u200b\u2060-\u2065\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
# As above, but line breaks and tabs are allowed.
NOT_IN_FREE_TEXT = re.compile(
    f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff{BIDI_CONTROLS}]"
)
UNTYPABLE_CHARACTERS = re.compile("[\x00\ud800-\udfff]")
QUOTING_CHARACTERS = re.compile(r'["<>\\]')
# Characters of URLs and email addresses, which mail programs would turn into links in a message that contains the name.
IN_ADDRESSES = frozenset("/\\:@")
VARIATION_SELECTORS = range(0xFE00, 0xFE10)
# Characters typed instead of an apostrophe; each name has a single spelling.
APOSTROPHES = dict.fromkeys(map(ord, "\u0060\u00b4\u02bc\u2018\u2019\u201b\u2032\uff07"), "'")
JOINERS = frozenset("\u200c\u200d")
# Scripts in which a joiner or non-joiner between two letters is part of the spelling, by the first word of their
# characters' names (Unicode Standard Annex 31, 2.3).
JOINING_SCRIPTS = re.compile(
    "(?:ARABIC|SYRIAC|NKO|MONGOLIAN|MANDAIC|DEVANAGARI|BENGALI|GURMUKHI|GUJARATI|ORIYA|TAMIL|TELUGU|KANNADA|MALAYALAM|"
    "SINHALA|MYANMAR|KHMER|TIBETAN|BALINESE|JAVANESE) "
)

EARLIEST_BIRTH = date(1900, 1, 1)

LINE_MESSAGE = "Leave out line breaks and invisible characters."
FREE_TEXT_MESSAGE = "Leave out invisible characters."
NAME_MESSAGE = "Use only letters, spaces, hyphens, apostrophes and periods."
DOMAIN_MESSAGE = "Leave out web addresses. In a name, put a space after a period."
# Abbreviations that people write without a space after the period: "St.John", "Ma.Teresa".
ABBREVIATIONS = {
    "abd", "adv", "dipl", "dr", "dra", "fr", "geo", "hj", "hon", "ing", "ma", "mag", "md", "mme", "mohd", "mr", "mrs",
    "ms", "muh", "mx", "prof", "rev", "sr", "st", "sta", "ste", "sto", "wm",
}  # fmt: skip
# Common top-level domains, after which even an initial or an abbreviation makes a domain name.
DOMAIN_ENDS = {
    "ai", "app", "biz", "click", "club", "co", "com", "dev", "edu", "example", "gov", "icu", "info", "io", "link",
    "live", "lol", "me", "net", "online", "org", "page", "pro", "shop", "site", "store", "test", "top", "tv", "vip",
    "work", "xyz",
}  # fmt: skip


class TextField(serializers.CharField):
    """Text of limited length, normalized to NFC so that equal words compare equal."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 200)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        # DRF would convert numbers to text.
        if not isinstance(data, str):
            self.fail("invalid")
        if self.max_length is not None and len(data) > self.max_length * 2 + 64:
            # Don't process a megabyte of text that is far too long anyway.
            self.fail("max_length", max_length=self.max_length)
        self.check_characters(data.strip() if self.trim_whitespace else data)
        return unicodedata.normalize("NFC", super().to_internal_value(data))

    def check_characters(self, text: str) -> None:
        """Raise a validation error for characters that this field does not accept."""


class LineField(TextField):
    """A single line, such as a street, a city or a search."""

    default_error_messages = {"characters": LINE_MESSAGE}

    def check_characters(self, text: str) -> None:
        if NOT_IN_A_LINE.search(text):
            self.fail("characters")


class FreeTextField(TextField):
    """Text of several lines."""

    default_error_messages = {"characters": FREE_TEXT_MESSAGE}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 2000)
        super().__init__(**kwargs)

    def check_characters(self, text: str) -> None:
        if NOT_IN_FREE_TEXT.search(text):
            self.fail("characters")

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data).replace("\r\n", "\n").replace("\r", "\n")


class TokenField(LineField):
    """A token or secret, not normalized, so that no two texts mean the same token."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        super().to_internal_value(data)
        # NFC would turn a Kelvin sign into a K.
        return str(data)


class NameField(LineField):
    """A person's name: at least one letter, and no symbol, emoji, markup or web address."""

    default_error_messages = {"name": NAME_MESSAGE, "no_letter": "Enter a name.", "domain": DOMAIN_MESSAGE}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 120)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        return super().to_internal_value(data.translate(APOSTROPHES) if isinstance(data, str) else data)

    def check_characters(self, text: str) -> None:
        if not text:
            return
        super().check_characters(text)
        text = remove_joiners(text)
        categories = [unicodedata.category(character) for character in text]
        if any(
            # Format, private, unassigned, symbol and enclosing mark characters, and emoji variation selectors.
            category in {"Cf", "Co", "Cn", "Me"}
            or category.startswith("S")
            or character in IN_ADDRESSES
            or ord(character) in VARIATION_SELECTORS
            for character, category in zip(text, categories, strict=True)
        ):
            self.fail("name")
        if not any(category.startswith("L") for category in categories):
            self.fail("no_letter")
        if contains_domain(text):
            self.fail("domain")


def contains_domain(text: str) -> bool:
    """Return whether a name contains a domain name or an IPv4 address, which mail programs turn into links.

    Initials and abbreviations may precede a period without a space ("J.R.Smith").
    """
    normalized = FULL_STOPS.sub(".", unicodedata.normalize("NFKC", text))
    letters = (
        character if character in ".-_" or unicodedata.category(character)[0] in "LMN" else " "
        for character in normalized
    )
    # No domain has two periods in a row.
    words = re.sub(r"\.{2,}", " ", "".join(letters)).split()
    return any(is_domain(word.strip(".").split(".")) for word in words)


def is_domain(labels: list[str]) -> bool:
    """Return whether labels form a domain name or an IPv4 address."""
    *before, last = (label.casefold() for label in labels)
    if not before:
        return False
    if "www" in before or (len(labels) == 4 and all(label.isdecimal() for label in labels)):
        return True
    is_end = len(last) >= 2 and all(unicodedata.category(character)[0] in "LM" for character in last)
    if not is_end and not last.startswith("xn--"):
        return False
    if last in DOMAIN_ENDS:
        return True
    return not all(len(label) == 1 or (label in ABBREVIATIONS and not labels[-1].islower()) for label in before)


def remove_joiners(text: str) -> str:
    """Return a name without the joiners that its script needs; joiners elsewhere remain."""
    return "".join(
        character
        for index, character in enumerate(text)
        if character not in JOINERS
        or not (is_joining_letter(text[index - 1 : index]) and is_joining_letter(text[index + 1 : index + 2]))
    )


def is_joining_letter(character: str) -> bool:
    """Return whether this is a letter, or a mark on one, of a script in `JOINING_SCRIPTS`."""
    return (
        bool(character)
        and unicodedata.category(character)[0] in "LM"
        and JOINING_SCRIPTS.match(unicodedata.name(character, "")) is not None
    )


class CountryField(LineField):
    """An ISO 3166 country code; empty text means the site's country."""

    default_error_messages = {"unknown": "Choose a country from the list."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 2)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        code = super().to_internal_value(data)
        if code and code not in COUNTRIES:
            self.fail("unknown")
        return code or default_country()

    def to_representation(self, value: str) -> str:
        # An older process may write rows without a country during an upgrade.
        return value or default_country()


class PhoneField(LineField):
    """A phone number in any common notation, stored in the form of `accounts.text.phone_numbers`.

    Args:
        country_from: Path from the instance to the attribute with the country of the number's address.
    """

    default_error_messages = {"characters": PHONE_MESSAGE, "max_length": PHONE_MESSAGE}

    def __init__(self, country_from: str = "", **kwargs: Any) -> None:
        self.country_from = country_from
        kwargs.setdefault("max_length", 60)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        address = next((parent for parent in iterate_parents(self) if isinstance(parent, PhoneCountrySerializer)), None)
        if address is not None and text == address.stored_phone_text:
            # The number as it was displayed is unchanged, even if the address moves to another country.
            return address.stored_phone
        try:
            return parse_phone(text, address.country if address is not None else "")
        except ValueError as error:
            raise serializers.ValidationError(str(error), code="phone") from error

    def get_attribute(self, instance: Any) -> Any:
        stored = super().get_attribute(instance)
        country = instance
        for name in self.country_from.split(".") if self.country_from else ():
            country = getattr(country, name, "")
        return format_phone(stored, country if isinstance(country, str) else "") if isinstance(stored, str) else stored


def iterate_parents(field: serializers.Field[Any, Any, Any, Any]) -> Iterator[Any]:
    """Yield the serializers that contain a field, the innermost first."""
    parent: Any = field.parent
    while parent is not None:
        yield parent
        parent = parent.parent


class PhoneCountrySerializer(serializers.Serializer[Any]):
    """Determines the country of the phone number's address before the fields are parsed."""

    # From the address in the data or, if it has none, from the stored address; empty means the site's country.
    country = ""
    stored_phone = ""

    @property
    def stored_phone_text(self) -> str:
        """The stored number as the page displays it."""
        return format_phone(self.stored_phone, self.stored_country) if self.stored_phone else ""

    stored_country = ""

    def to_internal_value(self, data: Any) -> Any:
        self.load_stored_values()
        address = self.get_address(data) if isinstance(data, Mapping) else None
        country = address.get("country") if isinstance(address, Mapping) else None
        # An unknown country is an error of the address, not of the number.
        self.country = country if isinstance(country, str) and country in COUNTRIES else self.stored_country
        return super().to_internal_value(data)

    def get_address(self, data: Mapping[str, Any]) -> Any:
        """Return the part of the data that is the address."""
        return data.get("address")

    def load_stored_values(self) -> None:
        """Set `stored_country` and `stored_phone`; a registration has none."""


@extend_schema_field({"type": "string", "format": "email", "maxLength": 254})
class EmailAddressField(LineField):
    """An email address, converted to its canonical form."""

    default_error_messages = {"email": "Enter an email address like name@example.com."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 254)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        address = canonical_email(super().to_internal_value(data))
        # Quoted local parts are valid but unused in practice; such input is markup.
        if QUOTING_CHARACTERS.search(address):
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
    """A password, unchanged: any characters except those that no keyboard can type."""

    default_error_messages = {"characters": FREE_TEXT_MESSAGE}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 128)
        super().__init__(trim_whitespace=False, write_only=True, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if UNTYPABLE_CHARACTERS.search(data):
            self.fail("characters")
        return serializers.CharField.to_internal_value(self, data)


class BirthDateField(LocalDateField):
    """A date of birth: real, not before 1900 and not in the future."""

    default_error_messages = {
        "too_early": "Enter a date of birth from 1900 on.",
        "future": "Enter a date of birth that is not in the future.",
    }

    def to_internal_value(self, data: Any) -> date:
        birth_date = super().to_internal_value(data)
        if birth_date < EARLIEST_BIRTH:
            self.fail("too_early")
        # East of the date line it is already tomorrow.
        if birth_date > timezone.now().astimezone(zoneinfo.ZoneInfo("Pacific/Kiritimati")).date():
            self.fail("future")
        return birth_date


@functools.cache
def known_time_zones() -> frozenset[str]:
    """Return the zones of the IANA database, without its few names that are neither places nor offsets."""
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
    """A choice that accepts only strings."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input="")
        return super().to_internal_value(data)


class AcceptedField(serializers.BooleanField):
    """A boolean that must be `true`, for example a consent."""

    default_error_messages = {"must_agree": "Please agree to go on."}

    def to_internal_value(self, data: Any) -> bool:
        if data is not True:
            self.fail("must_agree")
        return True
