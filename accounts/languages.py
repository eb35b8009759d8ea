"""In which language a person is told things.

What people are told is written in English in the code, as `say("…")`, and translated in `locale/`. Who composes a
message does so while its reader's language is spoken; outside of that everything is English.
"""

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path

from babel import negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation.trans_real import parse_accept_lang_header

from accounts.models import User

# What the code is written in.
ENGLISH = "en"

_spoken: ContextVar[str] = ContextVar("spoken_language", default=ENGLISH)


def spoken() -> str:
    """Return the language that is spoken now."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak a language within the block, and what was spoken before after it, however it ends."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def say(text: str, /, **values: object) -> str:
    """Return a text in the language that is spoken, with the values in its places.

    The text is written out where this is called, so that a test finds it. Values are put in as they are: what looks
    like a place in a name is none.
    """
    return catalog(spoken()).gettext(text).format(**values)


def say_number(one: str, many: str, number: int, /, **values: object) -> str:
    """Return a text that depends on a number, which stands at `{number}`."""
    return catalog(spoken()).ngettext(one, many, number).format(number=number, **values)


@cache
def catalog(language: str) -> gettext.NullTranslations:
    """Read a language's translations, once. They are compiled in memory: nothing need be built beforehand."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    with catalog_path(language).open("rb") as file:
        translated = read_po(file, locale=language, abort_invalid=True)
    compiled = BytesIO()
    write_mo(compiled, translated)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def catalog_path(language: str) -> Path:
    """Return where a language's translations stand."""
    return Path(settings.BASE_DIR, "locale", f"{language}.po")


# --- Whose language ---------------------------------------------------------------------------


def language_of(person: User) -> str:
    """Return the language that a person chose or their browser asked for, else the site's."""
    return person.language if person.language in settings.MESSAGE_LANGUAGES else settings.MESSAGE_LANGUAGE


def asked_for(accept_language: str) -> str:
    """Return which of our languages a browser likes best (RFC 9110, 12.5.4); "" where it names none of them."""
    wanted = [language for language, quality in parse_accept_lang_header(accept_language) if quality > 0]
    return negotiate_locale(wanted, list(settings.MESSAGE_LANGUAGES), sep="-") or ""
