"""Which language a user reads messages in."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks
from django.utils.translation import get_supported_language_variant, to_locale
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.models import User


def user_language(user: User) -> str:
    """Return the language that the user chose or their browser asked for at registration, else the site's."""
    return user.language if user.language in dict(settings.LANGUAGES) else settings.MESSAGE_LANGUAGE


def negotiate_language(accept_language: str) -> str:
    """Return the supported language that a browser prefers (RFC 9110, 12.5.4), or "" if it names none of them."""
    for language, quality in parse_accept_lang_header(accept_language):
        if quality > 0:
            try:
                return get_supported_language_variant(language)
            except LookupError:
                continue
    return ""


@checks.register(checks.Tags.translation, deploy=True)
def check_compiled_messages(**kwargs: Any) -> list[checks.CheckMessage]:
    """Report languages without compiled messages: Django would use English for them without a word.

    It is an error in production, where the server does not start with it, and a warning elsewhere.
    """
    (folder,) = map(Path, settings.LOCALE_PATHS)
    files = [
        folder / to_locale(language) / "LC_MESSAGES" / "django.mo"
        for language in dict(settings.LANGUAGES)
        if language != settings.LANGUAGE_CODE
    ]
    level, code = (checks.Error, "accounts.E001") if settings.IS_PRODUCTION else (checks.Warning, "accounts.W001")
    return [
        level(f"{file} is missing: compile the messages with `pybabel compile -D django -d locale`.", id=code)
        for file in files
        if not file.is_file()
    ]
