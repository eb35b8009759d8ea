"""Phone numbers: read as people write them, stored in one form, shown in one form.

Stored is E.164 with the extension behind it as RFC 3966 has it, like `+12025550100;ext=12`.
"""

import re
import unicodedata
from functools import lru_cache

import phonenumbers
from django.conf import settings
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberFormat

# phonenumbers would find a number in any text; a field holds one number and nothing else.
PHONE = re.compile(
    r"\+?[0-9(][0-9 ()./-]*(?:[ ,;]*(?:extension|ext\.?|x|#|;ext=)[ .:]*[0-9]{1,7})?", re.ASCII | re.IGNORECASE
)
DATE = re.compile(r"(?:(?:19|20)\d\d([-./ ])\d{1,2}\1\d{1,2}|\d{1,2}([-./ ])\d{1,2}\2(?:19|20)\d\d)", re.ASCII)

PHONE_MESSAGE = "Enter a phone number like +1 202 555 0100."
DATE_MESSAGE = "This looks like a date. Enter a phone number like +1 202 555 0100."


def parse_phone(text: str, country: str = "") -> str:
    """Return the stored form of a phone number, an empty text for an empty one.

    Args:
        text: The number as a person wrote it, with or without extension, in the digits of any script.
        country: ISO 3166 code of the country whose numbers need no country code; the site's when empty.

    Raises:
        ValueError: With the sentence for the person.
    """
    written = plain_digits(text)
    if not written:
        return ""
    if DATE.fullmatch(written):
        raise ValueError(DATE_MESSAGE)
    if not PHONE.fullmatch(written):
        raise ValueError(PHONE_MESSAGE)
    try:
        number = phonenumbers.parse(written, country or settings.DEFAULT_COUNTRY)
    except NumberParseException:
        raise ValueError(PHONE_MESSAGE) from None
    if not phonenumbers.is_possible_number(number):
        raise ValueError(PHONE_MESSAGE)
    extension = f";ext={number.extension}" if number.extension else ""
    return f"{phonenumbers.format_number(number, PhoneNumberFormat.E164)}{extension}"


def plain_digits(text: str) -> str:
    """Return `text` with every decimal digit and full-width sign as ASCII, dashes as hyphens, one space at a time."""
    plain = "".join(
        str(unicodedata.decimal(character)) if unicodedata.category(character) == "Nd" else character
        for character in unicodedata.normalize("NFKC", text)
    )
    return " ".join(re.sub(r"[\u2010-\u2015\u2212]", "-", plain).split())


def format_phone(stored: str, country: str = "") -> str:
    """Return a stored phone number as people read it.

    National where the site and the address are in the number's own country, else international, so that the site's
    readers can dial it. `parse_phone` reads it back. `country` is that of the address, the site's when empty.
    """
    return written_for(stored, settings.DEFAULT_COUNTRY, country or settings.DEFAULT_COUNTRY)


@lru_cache(maxsize=16384)
def written_for(stored: str, site: str, country: str) -> str:
    number = number_of(stored)
    if number is None:
        return stored
    codes = {phonenumbers.country_code_for_region(site), phonenumbers.country_code_for_region(country)}
    is_national = codes == {number.country_code}
    form = PhoneNumberFormat.NATIONAL if is_national else PhoneNumberFormat.INTERNATIONAL
    extension, number.extension = number.extension, None
    return phonenumbers.format_number(number, form) + (f" ext. {extension}" if extension else "")


def number_of(stored: str) -> PhoneNumber | None:
    """Return the parts of a stored phone number; None for one from before numbers were checked."""
    try:
        return phonenumbers.parse(stored)
    except NumberParseException:
        return None


def dialing_rules() -> dict[str, str]:
    """Return what a page needs to dial a number of the site's own country from anywhere."""
    code = phonenumbers.country_code_for_region(settings.DEFAULT_COUNTRY)
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(settings.DEFAULT_COUNTRY, None)
    return {"callingCode": str(code or ""), "trunkPrefix": (metadata and metadata.national_prefix) or ""}
