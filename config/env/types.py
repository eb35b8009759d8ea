"""The kinds of settings: each parses its text, or says what it must be."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload
from urllib.parse import unquote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

T = TypeVar("T")

ENVIRONMENTS = ("development", "production", "test")
TRUE_WORDS = {"true", "on", "yes", "1"}
FALSE_WORDS = {"false", "off", "no", "0"}
HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:]+\]", re.IGNORECASE)
BASE_DIR = Path(__file__).resolve().parents[2]


class InvalidConfiguration(ImproperlyConfigured):
    """Raised with one sentence for each setting that can't be used."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Option(Generic[T]):
    """One setting.

    Args:
        default: its value when the variable is missing or empty; a function gets the other values.
        help: what it does, in a sentence or two, for `.env.example` and `docs/settings.md`.
        production: the default in production, if it differs; likewise `test`.
        required: production refuses to start without it.
        secret: its value never appears in a message.
        shown: its default as the documents show it.
    """

    name = ""
    rule = "be set"
    accepts_empty = False

    def __init__(
        self,
        default: T,
        help: str,  # noqa: A002 - as argparse and Django's fields call it
        *,
        required: bool = False,
        secret: bool = False,
        shown: str | None = None,
        **defaults: T,
    ) -> None:
        self.help = help
        self.required = required
        self.secret = secret
        self.shown = shown
        self.defaults = dict.fromkeys(ENVIRONMENTS, default) | defaults

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, configuration: None, owner: type) -> Self: ...
    @overload
    def __get__(self, configuration: "Configuration", owner: type) -> T: ...
    def __get__(self, configuration: "Configuration | None", owner: type) -> Self | T:
        if configuration is None:
            return self
        value: T = configuration.values[self.name]
        return value

    def parse(self, text: str) -> T:
        """Return the value that a text stands for; raise ValueError if it stands for none."""
        raise NotImplementedError

    def format(self, value: T) -> str:
        """Return a value as it is written in the environment."""
        return str(value)


class Text(Option[str]):
    def parse(self, text: str) -> str:
        return text


class Name(Text):
    """What something is called, on one line."""

    def __init__(self, default: str, help: str, *, max_length: int, **options: Any) -> None:  # noqa: A002 - as in Option
        super().__init__(default, help, **options)
        self.max_length = max_length
        self.rule = f"be a name of at most {max_length} characters"

    def parse(self, text: str) -> str:
        if len(text) > self.max_length or not text.isprintable():
            raise ValueError
        return text


class Key(Text):
    """A secret of random characters."""

    def __init__(self, default: str, help: str, *, length: int, **options: Any) -> None:  # noqa: A002 - as in Option
        super().__init__(default, help, secret=True, **options)
        self.length = length


class Token(Text):
    """A secret that callers send; without one, nobody may call."""

    def __init__(self, default: str, help: str, *, length: int, **options: Any) -> None:  # noqa: A002 - as in Option
        super().__init__(default, help, secret=True, **options)
        self.length = length
        self.rule = f"have at least {length} characters, all of them letters, digits or -._~+/="

    def parse(self, text: str) -> str:
        # RFC 6750, 2.1.
        if len(text) < self.length or not re.fullmatch(r"[A-Za-z0-9._~+/=-]+", text):
            raise ValueError
        return text


class WholeNumber(Option[int]):
    def __init__(
        self,
        default: int,
        help: str,  # noqa: A002 - as in Option
        *,
        minimum: int = 0,
        maximum: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(default, help, **options)
        self.minimum = minimum
        self.maximum = maximum
        self.rule = "be a whole number " + (
            f"of at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
        )

    def parse(self, text: str) -> int:
        # A number of nine digits is larger than any limit, and far from what a database or a timer takes.
        if not (text.isascii() and text.isdecimal() and len(text) <= 9):
            raise ValueError
        value = int(text)
        if value < self.minimum or (self.maximum is not None and value > self.maximum):
            raise ValueError
        return value


class Flag(Option[bool]):
    rule = "be true or false"

    def parse(self, text: str) -> bool:
        if text.lower() not in TRUE_WORDS | FALSE_WORDS:
            raise ValueError
        return text.lower() in TRUE_WORDS

    def format(self, value: bool) -> str:
        return str(value).lower()


class Choice(Option[str]):
    """One of a few words, or of many that a function returns; `rule` then describes them."""

    def __init__(
        self,
        default: str,
        help: str,  # noqa: A002 - as in Option
        *,
        choices: Collection[str] | Callable[[], Collection[str]],
        rule: str = "",
        normalize: Callable[[str], str] = str,
        **options: Any,
    ) -> None:
        super().__init__(default, help, **options)
        self.choices = choices
        self.normalize = normalize
        self.rule = rule or f"be {join_words(list(choices if not callable(choices) else choices()))}"

    def parse(self, text: str) -> str:
        text = self.normalize(text)
        if text not in (self.choices() if callable(self.choices) else self.choices):
            raise ValueError
        return text


class TextList(Option[list[str]]):
    """Texts separated by commas, each of a pattern."""

    accepts_empty = True

    def __init__(
        self,
        default: list[str],
        help: str,  # noqa: A002 - as in Option
        *,
        is_valid: Callable[[str], object] = bool,
        rule: str = "",
        **options: Any,
    ) -> None:
        super().__init__(default, help, **options)
        self.is_valid = is_valid
        self.rule = rule

    def parse(self, text: str) -> list[str]:
        items = [item.strip() for item in text.split(",") if item.strip()]
        if not all(map(self.is_valid, items)):
            raise ValueError
        return items

    def format(self, value: list[str]) -> str:
        return ",".join(value)


class Url(Option[str]):
    """An address of one of some schemes, with a host."""

    def __init__(
        self,
        default: str,
        help: str,  # noqa: A002 - as in Option
        *,
        schemes: tuple[str, ...],
        rule: str,
        has_path: bool = True,
        **options: Any,
    ) -> None:
        super().__init__(default, help, **options)
        self.schemes = schemes
        self.rule = rule
        self.has_path = has_path

    def parse(self, text: str) -> str:
        parts = urlsplit(text)
        is_valid = parts.scheme in self.schemes and (parts.hostname or parts.scheme == "unix") and parts.port != 0
        if not is_valid or re.search(r"\s", text):
            raise ValueError
        if self.has_path:
            return text
        # Only scheme, host and port, which have no case.
        origin = f"{parts.scheme}://{parts.netloc}".lower()
        if "@" in parts.netloc or text.lower().removesuffix("/") != origin:
            raise ValueError
        return origin


class Folder(Option[Path]):
    """A folder; a relative path starts beside `manage.py`."""

    rule = "be the path of a folder"

    def parse(self, text: str) -> Path:
        path = BASE_DIR / Path(text).expanduser()
        if "\0" in text or (path.exists() and not path.is_dir()):
            raise ValueError
        return path


class File(Option[Path]):
    """A file that need not exist; a relative path starts beside `manage.py`."""

    rule = "be the path of a file"

    def parse(self, text: str) -> Path:
        path = BASE_DIR / Path(text).expanduser()
        if "\0" in text or path.is_dir():
            raise ValueError
        return path


class EmailAddress(Option[str]):
    """An email address; with `has_name` it may be written as `Name <address>`."""

    rule = "be an email address"

    def __init__(self, default: str, help: str, *, has_name: bool = False, **options: Any) -> None:  # noqa: A002 - as in Option
        super().__init__(default, help, **options)
        self.has_name = has_name

    def parse(self, text: str) -> str:
        match = re.fullmatch(r"[^<>\r\n]*<([^<>]+)>", text) if self.has_name else None
        try:
            validate_email(match[1] if match else text)
        except ValidationError as error:
            raise ValueError from error
        return text


class DatabaseUrl(Option[dict[str, Any]]):
    """The address of a database, as Django's `DATABASES` takes it."""

    def __init__(self, default: str, help: str, *, engines: tuple[str, ...], rule: str, **options: Any) -> None:  # noqa: A002 - as in Option
        super().__init__(environ.Env.db_url_config(default) if default else {}, help, secret=True, **options)
        self.engines = engines
        self.rule = rule

    def parse(self, text: str) -> dict[str, Any]:
        # django-environ warns of other schemes, and quotes the password.
        if urlsplit(text).scheme not in {"sqlite", "postgres", "postgresql"}:
            raise ValueError
        database: dict[str, Any] = environ.Env.db_url_config(text)
        # An address without a name would be SQLite in memory, gone with the process.
        if database.get("ENGINE", "").rsplit(".", 1)[-1] not in self.engines or database["NAME"] in {"", ":memory:"}:
            raise ValueError
        # A socket's folder, as in postgresql://user@%2Fvar%2Frun%2Fpostgresql/name.
        database["HOST"] = unquote(database["HOST"])
        return database


class EmailUrl(Option[dict[str, Any]]):
    """The address of a mail server, as django-environ splits it."""

    rule = "start with smtp://, smtp+tls://, smtp+ssl:// or consolemail://, and name a host"

    def __init__(self, default: str, help: str, **options: Any) -> None:  # noqa: A002 - as in Option
        super().__init__(environ.Env.email_url_config(default), help, secret=True, **options)

    def parse(self, text: str) -> dict[str, Any]:
        mail: dict[str, Any] = environ.Env.email_url_config(text)
        if mail["EMAIL_BACKEND"].endswith(".smtp.EmailBackend") and not mail["EMAIL_HOST"]:
            raise ValueError
        return mail


class Durations(Option[tuple[str, ...]]):
    """Hours or days like `7d,48h`, each named once, the longest first."""

    rule = "be hours or days like 7d,48h,2h, from 1h to 30d, none of them twice"
    accepts_empty = True

    def parse(self, text: str) -> tuple[str, ...]:
        hours: dict[int, str] = {}
        for item in filter(None, map(str.strip, text.split(","))):
            match = re.fullmatch(r"([0-9]{1,3})([dh])", item)
            if not match:
                raise ValueError
            length = int(match[1]) * {"d": 24, "h": 1}[match[2]]
            if not 1 <= length <= 30 * 24 or length in hours:
                raise ValueError
            hours[length] = item
        return tuple(hours[length] for length in sorted(hours, reverse=True))

    def format(self, value: tuple[str, ...]) -> str:
        return ",".join(value)


class Configuration:
    """Options by topic, and their values in one environment.

    A subclass inherits from classes that hold options, one class a topic, whose docstring is its title.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        """Read every option from the variables; raise InvalidConfiguration with all problems together."""
        self.values: dict[str, Any] = {}
        # The texts of those that are set.
        self.given: dict[str, str] = {}
        problems = []
        environment = variables.get("ENVIRONMENT", "").strip() or ENVIRONMENTS[0]
        for option in self.list_options():
            text = variables.get(option.name)
            may_be_empty = option.accepts_empty and not option.required
            text = None if text is None or not (text.strip() or may_be_empty) else text.strip()
            self.values[option.name] = option.defaults.get(environment, option.defaults["development"])
            if text is None:
                continue
            self.given[option.name] = text
            try:
                self.values[option.name] = option.parse(text)
            except (ValueError, KeyError, OSError, RuntimeError, ImproperlyConfigured):
                problems.append(describe_invalid(option, text))
        # One sentence for each setting is enough: the first.
        sentences: dict[str, str] = {}
        for problem in [*problems, *self.find_conflicts()]:
            sentences.setdefault(problem.split()[0], problem)
        if sentences:
            raise InvalidConfiguration(list(sentences.values()))

    def find_conflicts(self) -> Iterator[str]:
        """Yield a sentence for each value that can't be used with the others; it begins with the setting's name."""
        yield from ()

    @classmethod
    def list_topics(cls) -> Iterator[tuple[str, list[Option[Any]]]]:
        """Yield the title and the options of each topic."""
        for topic in cls.__bases__:
            options = [each for each in vars(topic).values() if isinstance(each, Option)]
            if options:
                yield (topic.__doc__ or "").strip().rstrip("."), options

    @classmethod
    def list_options(cls) -> Iterator[Option[Any]]:
        for _, options in cls.list_topics():
            yield from options


def describe_invalid(option: Option[Any], text: str) -> str:
    """Return what an option must be, beside what it is unless that is secret."""
    value = "" if option.secret else f", not {text[:60]!r}"
    return f"{option.name} must {option.rule}{value}."


def join_words(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
