"""Parsing and formatting of phone numbers.

They are stored as E.164, followed by the extension as in RFC 3966: `+12025550100;ext=12`.
"""

import re
import unicodedata
from functools import lru_cache

import phonenumbers
from django.conf import settings
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberFormat

# phonenumbers finds a number in any text; a field must contain nothing else.
PHONE = re.compile(
    r"\+?[0-9(][0-9 ()./-]*(?:[ ,;]*(?:extension|ext\.?|x|#|;ext=)[ .:]*[0-9]{1,7})?", re.ASCII | re.IGNORECASE
)
DATE = re.compile(r"(?:(?:19|20)\d\d([-./ ])\d{1,2}\1\d{1,2}|\d{1,2}([-./ ])\d{1,2}\2(?:19|20)\d\d)", re.ASCII)

PHONE_MESSAGE = "Enter a phone number like +1 202 555 0100."
DATE_MESSAGE = "This looks like a date. Enter a phone number like +1 202 555 0100."


def parse_phone(text: str, country: str = "") -> str:
    """Return the stored form of a phone number, or "" for an empty one.

    Args:
        text: The number as entered, with or without an extension, in the digits of any script.
        country: ISO 3166 code of the country whose numbers need no country code; empty for the site's.

    Raises:
        ValueError: With the message for the user.
    """
    normalized = normalize_digits(text)
    if not normalized:
        return ""
    if DATE.fullmatch(normalized):
        raise ValueError(DATE_MESSAGE)
    if not PHONE.fullmatch(normalized):
        raise ValueError(PHONE_MESSAGE)
    try:
        number = phonenumbers.parse(normalized, country or settings.DEFAULT_COUNTRY)
    except NumberParseException:
        raise ValueError(PHONE_MESSAGE) from None
    if not phonenumbers.is_possible_number(number):
        raise ValueError(PHONE_MESSAGE)
    extension = f";ext={number.extension}" if number.extension else ""
    return f"{phonenumbers.format_number(number, PhoneNumberFormat.E164)}{extension}"


def normalize_digits(text: str) -> str:
    """Return `text` with every decimal digit and full-width sign as ASCII, dashes as hyphens, one space at a time."""
    plain = "".join(
        str(unicodedata.decimal(character)) if unicodedata.category(character) == "Nd" else character
        for character in unicodedata.normalize("NFKC", text)
    )
    return " ".join(re.sub(r"[\u2010-\u2015\u2212]", "-", plain).split())


def format_phone(stored: str, country: str = "") -> str:
    """Return a stored phone number as it is displayed.

    It is in national format if the site and the address are in the number's country, and otherwise international, so
    that it can be dialed. `parse_phone` accepts the result. `country` is that of the address; empty for the site's.
    """
    return format_for_country(stored, settings.DEFAULT_COUNTRY, country or settings.DEFAULT_COUNTRY)


@lru_cache(maxsize=16384)
def format_for_country(stored: str, site_country: str, country: str) -> str:
    number = parse_stored_phone(stored)
    if number is None:
        return stored
    codes = {phonenumbers.country_code_for_region(site_country), phonenumbers.country_code_for_region(country)}
    is_national = codes == {number.country_code}
    form = PhoneNumberFormat.NATIONAL if is_national else PhoneNumberFormat.INTERNATIONAL
    extension, number.extension = number.extension, None
    return phonenumbers.format_number(number, form) + (f" ext. {extension}" if extension else "")


def parse_stored_phone(stored: str) -> PhoneNumber | None:
    """Parse a stored phone number; return None for one that was stored before numbers were validated."""
    try:
        return phonenumbers.parse(stored)
    except NumberParseException:
        return None


def get_dialing_rules() -> dict[str, str]:
    """Return what a page needs to make numbers of the site's country dialable from anywhere."""
    code = phonenumbers.country_code_for_region(settings.DEFAULT_COUNTRY)
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(settings.DEFAULT_COUNTRY, None)
    return {"callingCode": str(code or ""), "trunkPrefix": (metadata and metadata.national_prefix) or ""}
