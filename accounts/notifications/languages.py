"""Which language a user reads messages in."""

from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core import checks
from django.http import HttpRequest
from django.utils.translation import to_locale

from accounts.models import User
from config.language import negotiate_language


def user_language(user: User) -> str:
    """Return the language that the user chose or their browser asked for at registration, else the site's."""
    return user.language if user.language in dict(settings.LANGUAGES) else settings.MESSAGE_LANGUAGE


def preferred_language(request: HttpRequest) -> str:
    """Return the language that a visitor chose, or else that the browser asks for; "" if we have no messages in it."""
    languages = dict(settings.LANGUAGES)
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in languages else negotiate_language(request.headers.get("Accept-Language", ""), languages)


@checks.register(checks.Tags.translation, deploy=True)
def check_compiled_messages(**kwargs: Any) -> list[checks.CheckMessage]:
    """Report languages whose messages are not compiled as they are now: Django would use English or earlier texts.

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
        level(f"{file} is missing or old: compile the messages with `pybabel compile -D django -d locale`.", id=code)
        for file in files
        if not is_compiled(file)
    ]


def is_compiled(file: Path) -> bool:
    """Return whether a compiled file has the texts of its source; times of files say nothing after a checkout."""
    if not file.is_file():
        return False
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(file.with_suffix(".po").read_bytes())))
    return read_texts(compiled.getvalue()) == read_texts(file.read_bytes())


def read_texts(compiled: bytes) -> list[tuple[Any, ...]]:
    """Return the messages of a compiled file, without its header."""
    return [(message.context, message.id, message.string) for message in read_mo(BytesIO(compiled)) if message.id]
