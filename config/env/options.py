"""Every setting that an operator can choose, by topic."""

import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from babel.core import get_global

from config.countries import COUNTRIES
from config.env.types import (
    BASE_DIR,
    HOST,
    Choice,
    Configuration,
    DatabaseUrl,
    Durations,
    EmailAddress,
    EmailUrl,
    File,
    Flag,
    Folder,
    Key,
    Name,
    Option,
    Text,
    TextList,
    Token,
    Url,
    WholeNumber,
)

DATA_DIR = BASE_DIR / "var"
LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español"}
DEFAULT_SECRET_KEY = "insecure-key-for-development-and-tests-only-0123456789"  # noqa: S105 - refused in production
DEFAULT_BACKUP_KEY = "insecure-backup-key-for-development-and-tests-only"
KNOWN_KEYS = {DEFAULT_SECRET_KEY, DEFAULT_BACKUP_KEY}
# One year, the least that browsers' preload lists take (https://hstspreload.org).
PRELOAD_SECONDS = 31_536_000
# Sites for documentation (RFC 2606): nobody receives mail there.
EXAMPLE_DOMAINS = (".example.com", ".example.org", ".example.net", ".invalid")


def list_currencies() -> set[str]:
    return set(get_global("all_currencies"))


def is_origin(text: str) -> bool:
    parts = urlsplit(text)
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts[2:] == ("", "", "")


class Environment:
    """Which environment"""

    ENVIRONMENT = Choice(
        "development",
        "What this site is for. Production refuses to start with settings that are unsafe for a real site.",
        choices=("development", "production", "test"),
        production="production",
        test="test",
    )
    SECRET_KEY = Key(
        DEFAULT_SECRET_KEY,
        "Signs tokens and encrypts secrets; the same for all processes. `manage.py generate_key` prints one. A new key"
        " signs everybody out: keep the former one in `SECRET_KEY_FALLBACKS` until `manage.py rotate_keys` has run, or"
        " codes of authenticator apps stop working. `dev.py run` creates one in `var/secret-key` if none is set.",
        length=50,
        required=True,
        shown="",
    )
    SECRET_KEY_FALLBACKS = TextList(
        [],
        "Former keys, separated by commas: authenticator apps and unsubscribe links from their time still work. Not"
        " needed for the apps after `manage.py rotate_keys`.",
        secret=True,
    )
    BACKUP_KEY = Key(
        DEFAULT_BACKUP_KEY,
        "Signs backups; keep it where the backups are not. Production makes and restores none without it. `manage.py"
        " generate_key` prints one.",
        length=32,
        shown="",
        production="",
    )
    BACKUP_KEY_FALLBACKS = TextList(
        [], "Former keys, separated by commas; backups signed with them can still be restored.", secret=True
    )
    DEBUG = Flag(False, "Show Django's debug pages; never in production.")
    DEMO = Flag(
        False,
        "List demo accounts on the sign-in page; never in production. `dev.py run` turns this on unless it is set or"
        " `ENVIRONMENT` is production.",
    )
    LOG_LEVEL = Choice("INFO", "The lowest level that is logged.", choices=("DEBUG", "INFO", "WARNING", "ERROR"))
    LOG_FORMAT = Choice(
        "line",
        "One JSON object per line, or lines for people to read.",
        choices=("json", "line"),
        production="json",
    )


class Addresses:
    """Addresses"""

    BASE_URL = Url(
        "http://127.0.0.1:8000",
        "The public address, like `https://visits.example.org`. Links in messages are built from it, and passkeys are"
        " bound to its host: they stop working if it changes.",
        schemes=("http", "https"),
        rule="be an address like https://visits.example.org, without a path",
        has_path=False,
        required=True,
    )
    ALLOWED_HOSTS = TextList(
        ["127.0.0.1", "localhost", "[::1]", "testserver"],
        "The host names that the site answers to, separated by commas.",
        is_valid=HOST.fullmatch,
        rule="be host names like visits.example.org, separated by commas, without https:// and ports",
        production=[],
        required=True,
        shown="127.0.0.1,localhost,[::1]",
    )
    CORS_ALLOWED_ORIGINS = TextList(
        [],
        "Other origins whose pages may call the API, like `https://app.example.com`, separated by commas.",
        is_valid=is_origin,
        rule="be origins like https://app.example.com, separated by commas, without a path",
    )
    TRUSTED_PROXIES = WholeNumber(
        0,
        "The number of your reverse proxies in front; as many entries of `X-Forwarded-For` are trusted. With a wrong"
        " number all visitors share one address's limits, or can choose their own address.",
        maximum=5,
    )
    SECURE_SSL_REDIRECT = Flag(True, "In production, redirect http to https.")
    SECURE_HSTS_SECONDS = WholeNumber(
        PRELOAD_SECONDS, "In production, for how many seconds browsers use nothing but https (HSTS)."
    )
    SECURE_HSTS_INCLUDE_SUBDOMAINS = Flag(
        False, "Whether browsers use nothing but https for all subdomains of this host, too."
    )
    SECURE_HSTS_PRELOAD = Flag(
        False,
        "Whether browsers may put this host on their preload lists; that takes months to undo.",
    )


class Data:
    """Data"""

    DATABASE_URL = DatabaseUrl(
        f"sqlite:///{DATA_DIR / 'db.sqlite3'}",
        "`postgresql://user:password@host:5432/name` or `sqlite:////absolute/path`; in development `var/db.sqlite3`.",
        engines=("sqlite3", "postgresql"),
        rule="be like postgresql://user:password@host:5432/name or sqlite:////absolute/path",
        required=True,
        shown="",
    )
    DATABASE_POOL_SIZE = WholeNumber(
        8, "PostgreSQL connections that each process keeps at most; 0 opens one per request.", maximum=100, test=0
    )
    DATABASE_POOLER = Choice(
        "off",
        "What is in front of PostgreSQL: nothing, or PgBouncer in transaction mode.",
        choices=("off", "pgbouncer"),
    )
    DATABASE_PREPARED = Choice(
        "on",
        "Whether frequent statements are prepared; `off` is the default behind a pooler. PgBouncer supports prepared"
        " statements from 1.22 on.",
        choices=("on", "off"),
    )
    DATABASE_REPLICA_URL = DatabaseUrl(
        "",
        "A read replica that serves visitors who are not signed in.",
        engines=("postgresql",),
        rule="be like postgresql://user:password@host:5432/name",
        shown="",
    )
    DATABASE_REPLICA_SECONDS = WholeNumber(
        60,
        "By how many seconds the replica may lag; beyond that it is not read.",
        # The heartbeats that tell its age are written every 15 seconds.
        minimum=20,
        maximum=3600,
    )
    DATABASE_STATEMENT_SECONDS = WholeNumber(
        15,
        "How many seconds a PostgreSQL statement may take; `manage.py` commands have no limit unless one is set here.",
        maximum=3600,
    )
    REDIS_URL = Url(
        "",
        "`redis://host:6379/0` lets several processes share one cache and one set of limits; required with more than"
        " one.",
        schemes=("redis", "rediss", "unix"),
        rule="be like redis://host:6379/0",
        secret=True,
    )
    MEDIA_ROOT = Folder(DATA_DIR / "media", "Where portraits are stored; the default is `var/media`.", shown="")
    RECORDS_ROOT = Folder(
        DATA_DIR / "records", "Where the files of records are stored; the default is `var/records`.", shown=""
    )
    STATIC_ROOT = Folder(
        BASE_DIR / "staticfiles", "Where `collectstatic` puts the built files; the default is `staticfiles/`.", shown=""
    )
    MAINTENANCE_FILE = File(
        DATA_DIR / "maintenance",
        "The file that `manage.py maintenance` makes while it is on; the default is `var/maintenance`.",
        shown="",
    )
    S3_BUCKET = Text(
        "",
        "Store uploads in this bucket of S3 or compatible storage instead of on disk. Keep it private: the"
        " application serves every file itself.",
    )
    S3_RECORDS_BUCKET = Text(
        "", "A separate bucket for the files of records; otherwise they are in `S3_BUCKET` below `records/`."
    )
    S3_ENDPOINT_URL = Url(
        "",
        "The address of a storage that is compatible with S3.",
        schemes=("http", "https"),
        rule="be an address like https://storage.example.org",
    )
    S3_REGION = Text("", "The region of the buckets.")
    S3_ACCESS_KEY = Text("", "The access key of the buckets.", secret=True)
    S3_SECRET_KEY = Text("", "The secret key of the buckets.", secret=True)
    RECORD_RETENTION_YEARS = WholeNumber(
        10,
        "How many years appointments and their records are kept after a person is erased; set it to what the law"
        " requires.",
        minimum=1,
        maximum=100,
    )
    READING_RETENTION_DAYS = WholeNumber(
        1096,
        "For how many days records of access to personal data are kept; the database keeps 90 in any case.",
        minimum=91,
    )
    PEOPLE_READ_ALERT_LIMIT = WholeNumber(
        500, "How many people's data one person may view in a day before the other admins are notified.", minimum=1
    )
    NOTICE_RETENTION_DAYS = WholeNumber(730, "How many days notifications are kept.", minimum=30, maximum=36_500)


class Capacity:
    """Capacity of one process"""

    WORKER_THREADS = WholeNumber(
        16,
        "How many threads serve requests, read by the server and the site alike. Half of them is the most that"
        " requests waiting for files, passwords, bodies, documents and exports can hold. Granian doesn't read `.env`:"
        " set it in the environment of the server's process (`dev.py run` does).",
        minimum=16,
        maximum=1024,
    )
    MAX_CONCURRENT_FILE_CHECKS = WholeNumber(
        2, "How many uploaded files are examined at the same time.", minimum=1, maximum=16
    )
    MAX_WAITING_FILE_CHECKS = WholeNumber(2, "How many more may wait.", maximum=256)
    MAX_CONCURRENT_DOCUMENTS = WholeNumber(1, "How many PDFs are printed at the same time.", minimum=1, maximum=16)
    MAX_WAITING_DOCUMENTS = WholeNumber(4, "How many more may wait.", maximum=256)
    # Nobody waits for a download: one network may have all places but one, and a slow reader keeps its place.
    MAX_CONCURRENT_EXPORTS = WholeNumber(
        3, "How many downloads of lists and of people's own data are sent at the same time.", minimum=1, maximum=64
    )
    MAX_WAITING_EXPORTS = WholeNumber(0, "How many more may wait.", maximum=256)
    MAX_CONCURRENT_PASSWORD_HASHES = WholeNumber(
        1, "How many passwords are hashed at the same time; with 16 threads at most 4.", minimum=1, maximum=64
    )
    MAX_WAITING_PASSWORD_HASHES = WholeNumber(10, "How many more may wait.", maximum=1000)
    MAX_PENDING_BODIES = WholeNumber(
        256, "How many request bodies are received at the same time.", minimum=8, maximum=10_000
    )
    MAX_PENDING_BODY_MEGABYTES = WholeNumber(
        256, "How many megabytes they may declare together.", minimum=32, maximum=100_000
    )
    PUBLIC_CACHE_SECONDS = WholeNumber(
        5,
        "How many seconds visitors may be shown the same directory page, doctor or free slots; 0 is always current.",
        maximum=60,
        test=0,
    )


class Limits:
    """Limits and abuse"""

    MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT = WholeNumber(
        5, "Failed sign-ins of one network in a quarter of an hour to one account.", minimum=1
    )
    MAX_SIGN_IN_ATTEMPTS_PER_IP = WholeNumber(50, "The same to all accounts together.", minimum=1)
    MAX_SIGN_IN_ATTEMPTS_OVERALL = WholeNumber(
        20,
        "Failed sign-ins to one account in a quarter of an hour from everywhere. Beyond it, networks and browsers"
        " that are new to the account wait up to a minute before each try.",
        minimum=1,
    )
    MAX_SIGN_INS_PER_HOUR = WholeNumber(60, "How many sessions one person may open in an hour.", minimum=1)
    MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT = WholeNumber(
        20,
        "Codes of the second step that may be tried for one account in a quarter of an hour, from everywhere.",
        minimum=1,
    )
    MAX_REGISTRATIONS_PER_IP = WholeNumber(100, "Registrations of one network in a quarter of an hour.", minimum=1)
    REGISTRATION_ALERT_LIMIT = WholeNumber(
        2000,
        "Registrations from everywhere in a quarter of an hour. Beyond it nobody is locked out: each network has 3 more"
        " tries, emails go out 2 minutes later, and admins are notified.",
        minimum=1,
    )
    MAX_PASSWORD_RESETS_PER_ACCOUNT = WholeNumber(
        3, "How often one network may ask for a new password in a quarter of an hour, for one account.", minimum=1
    )
    MAX_PASSWORD_RESETS_PER_IP = WholeNumber(30, "The same for all accounts together.", minimum=1)
    PASSWORD_RESET_ALERT_LIMIT = WholeNumber(
        1000, "The same from everywhere, with the same effect beyond it as for registrations.", minimum=1
    )
    MAX_UNKNOWN_IDS_PER_USER = WholeNumber(
        30, "Ids of private things that don't exist, requested by one person in a quarter of an hour.", minimum=1
    )
    MAX_UNKNOWN_IDS_PER_IP = WholeNumber(60, "The same by the visitors of one network.", minimum=1)
    MAX_CPU_MS_PER_IP = WholeNumber(
        50,
        "Milliseconds of CPU time in a second that one process spends on what the visitors of one network read; what is"
        " cached is free, and 0 is no limit.",
        maximum=1000,
        test=0,
    )
    MAX_CPU_MS_PER_USER = WholeNumber(150, "The same for one signed-in user.", maximum=1000, test=0)
    MAX_PORTRAITS_PER_USER = WholeNumber(20, "Portraits that one person uploads in a quarter of an hour.", minimum=1)
    MAX_PICTURE_LINKS_PER_USER = WholeNumber(10, "The same for portraits given as a link.", minimum=1)
    MAX_ATTACHMENT_UPLOADS_PER_USER = WholeNumber(60, "The same for files of records.", minimum=1)
    MAX_APPLICATIONS_PER_USER = WholeNumber(10, "The same for applications of doctors.", minimum=1)
    MAX_PRESCRIPTIONS_PER_USER = WholeNumber(100, "The same for printed prescriptions.", minimum=1)
    MAX_LIST_EXPORTS_PER_USER = WholeNumber(30, "The same for downloads of lists.", minimum=1)
    MAX_DATA_EXPORTS_PER_USER = WholeNumber(5, "The same for downloads of one's own data.", minimum=1)
    MAX_PASSWORD_CHECKS_PER_USER = WholeNumber(60, "The same for confirmations of the password.", minimum=1)
    EXPENSIVE_REQUESTS_NETWORK_MULTIPLE = WholeNumber(
        10, "How many people's worth of each of these one network may make.", minimum=1
    )
    PICTURE_LINKS = Flag(True, "Accept the https address of a portrait; the server fetches it once.")


class SignIn:
    """Sign-in and sessions"""

    PASSWORD_MIN_LENGTH = WholeNumber(6, "How many characters a password must have.", minimum=6, maximum=128)
    SESSION_IDLE_MINUTES_PATIENT = WholeNumber(
        30, "Minutes without a request after which a patient's session ends.", minimum=1, maximum=1440
    )
    SESSION_IDLE_MINUTES_DOCTOR = WholeNumber(15, "The same for doctors.", minimum=1, maximum=1440)
    SESSION_IDLE_MINUTES_ADMIN = WholeNumber(15, "The same for admins.", minimum=1, maximum=1440)
    SESSION_HOURS = WholeNumber(12, "Hours after which a session ends in any case.", minimum=1, maximum=720)
    STAFF_SECOND_STEP = Choice(
        "off",
        "Whether admins must have an authenticator app or a passkey; without one they can only set one up.",
        choices=("required", "off"),
        production="required",
    )


class Booking:
    """Booking"""

    CURRENCY = Choice(
        "USD",
        "One currency for the whole site (ISO 4217); each appointment keeps the one it was booked in.",
        choices=list_currencies,
        rule="be a three-letter code of ISO 4217, like USD",
        normalize=str.upper,
    )
    DEFAULT_TIME_ZONE = Choice(
        "America/New_York",
        "The time zone of doctors who have not chosen one.",
        choices=zoneinfo.available_timezones,
        rule="be the name of a time zone, like America/New_York",
    )
    DEFAULT_COUNTRY = Choice(
        "US",
        "The country of addresses without one (ISO 3166). Its phone numbers need no country code.",
        choices=COUNTRIES,
        rule="be a two-letter code of ISO 3166, like US",
        normalize=str.upper,
    )
    MAX_DAYS_AHEAD = WholeNumber(180, "How many days ahead people may book.", minimum=1, maximum=730)
    REQUEST_ANSWER_HOURS = WholeNumber(
        48,
        "How many hours a doctor has to answer a request, at most: never more than half of the time left before it"
        " starts.",
        minimum=1,
        maximum=8760,
    )
    PROPOSAL_ANSWER_HOURS = WholeNumber(48, "The same for a proposed time.", minimum=1, maximum=8760)
    DEFAULT_CANCEL_CUTOFF_HOURS = WholeNumber(
        24,
        "How many hours before a confirmed appointment patients can cancel it, for doctors who have not chosen"
        " otherwise.",
        maximum=672,
    )
    # Off is the specification to the letter.
    DOCTOR_CANCELS_CONFIRMED = Flag(True, "Whether doctors can cancel a confirmed appointment, with a reason.")
    HOLD_MINUTES = WholeNumber(
        5, "How many minutes a time is held while the booking form is filled.", minimum=1, maximum=60
    )
    MAX_HOLD_MINUTES = WholeNumber(
        30, "How many minutes one person or network can hold the same time in all.", minimum=1, maximum=240
    )
    MAX_HOLDS_PER_IP = WholeNumber(
        20, "How many times the visitors and unconfirmed accounts of one network can hold at once.", minimum=1
    )
    MAX_HOLD_ATTEMPTS = WholeNumber(
        300,
        "How often a network's visitors, or one person, may ask for a time to be held in a quarter of an hour.",
        minimum=1,
    )
    MAX_NETWORK_SHARE_PERCENT = WholeNumber(
        10,
        "How many percent of a doctor's free times in a week the visitors and unconfirmed accounts of one network may"
        " hold, and how many they may request. A wider IPv6 network may take a little more.",
        minimum=1,
        maximum=100,
    )
    MIN_NETWORK_SHARE = WholeNumber(2, "How many of them in any case, however few are free.", minimum=1)
    CROWDED_PERCENT = WholeNumber(
        50,
        "Admins are notified when visitors and unconfirmed accounts of several networks together have more percent than"
        " this.",
        minimum=1,
        maximum=100,
    )
    MAX_OPEN_REQUESTS_UNCONFIRMED = WholeNumber(
        1, "How many open requests an account may have before its email address is confirmed.", minimum=1
    )
    MAX_OPEN_REQUESTS_PER_PATIENT = WholeNumber(10, "How many open requests a patient may have.", minimum=1)
    MAX_APPOINTMENT_CHANGES_PER_PATIENT = WholeNumber(
        40,
        "How often a patient may book, move or propose in a quarter of an hour: each is an email to a doctor.",
        minimum=1,
    )
    MAX_BOOKINGS_PER_HOUR = WholeNumber(20, "How many appointments a patient may book within an hour.", minimum=1)
    MAX_DESK_BOOKINGS_PER_HOUR = WholeNumber(120, "How many a doctor may book for patients within an hour.", minimum=1)


class Messages:
    """Messages and background work"""

    EMAIL_URL = EmailUrl(
        "consolemail://",
        "The mail server: `smtp://host:25`, `smtp+tls://user:password@host:587` or"
        " `smtp+ssl://user:password@host:465`, with special characters percent-encoded. `consolemail://` prints each"
        " email instead, which production refuses.",
        required=True,
        shown="consolemail://",
    )
    DEFAULT_FROM_EMAIL = EmailAddress(
        "Wellhour <no-reply@example.com>",
        "The sender of emails, with a name or without.",
        has_name=True,
        required=True,
    )
    EMAIL_TIMEOUT = WholeNumber(10, "How many seconds each step of an SMTP session may take.", minimum=1, maximum=30)
    MESSAGE_LANGUAGE = Choice(
        "en",
        "The language of messages to users who have not chosen one and whose browser requested none that we have.",
        choices=LANGUAGES,
    )
    REMINDERS = Durations(
        ("7d", "48h", "2h"),
        "How long before an appointment patients are reminded, in hours or days up to 30d; empty for never. Whole"
        " days (48h too) are counted on the clinic's clock.",
    )
    DELIVERY = Choice(
        "inline",
        "Who sends messages: a thread of the server, or `manage.py deliver`.",
        choices=("inline", "off"),
        test="off",
    )
    HOUSEKEEPING = Choice(
        "inline",
        "Where requests, proposals and holds expire: in a thread of the server, or in `manage.py housekeeping`.",
        choices=("inline", "off"),
        test="off",
    )


class Monitoring:
    """Monitoring"""

    METRICS_TOKEN = Token(
        "",
        "What Prometheus sends as its bearer token to read `/metrics`; empty turns that address off.",
        length=20,
    )
    METRICS_ROOT = Folder(
        DATA_DIR / "metrics",
        "Where the processes of one machine add up their figures for `/metrics`; not to be shared between machines or"
        " containers. The default is `var/metrics`.",
        shown="",
    )
    SENTRY_DSN = Url(
        "",
        "Where exceptions are reported: the address of a project in Sentry or a compatible service. Reports contain"
        " types and locations, as the log does.",
        schemes=("http", "https"),
        rule="be an address like https://key@sentry.example.org/1",
        secret=True,
    )


class Texts:
    """What the site says of itself"""

    SITE_NAME = Name(
        "Wellhour",
        "What the site is called: on its pages, in messages, calendars and authenticator apps.",
        max_length=30,
    )
    HOME_CLAIM_PATIENTS = Text(
        "500+",
        "A claim on the home page: how many patients. What is empty here and below is not shown.",
        production="",
    )
    HOME_CLAIM_RATING = Text("4.9/5", "A claim on the home page: how people rate the site.", production="")
    HOME_CLAIM_SUPPORT = Text("24/7", "A claim on the home page: when support can be reached.", production="")
    CONTACT_EMAIL = EmailAddress(
        "hello@example.com",
        "Where people write to; also in emails, and in `/.well-known/security.txt` for reports of vulnerabilities.",
        production="",
    )
    CONTACT_PHONE = Text("+1 202 555 0100", "Where people call; also in emails.", production="")
    CONTACT_ADDRESS = Text("1 Example Street, Springfield", "Where people write letters to.", production="")


class Development:
    """Development"""

    VITE_DEV = Flag(False, "Load the pages from Vite's development server on 127.0.0.1:5173; `dev.py dev` sets this.")


class Options(
    Environment,
    Addresses,
    Data,
    Capacity,
    Limits,
    SignIn,
    Booking,
    Messages,
    Monitoring,
    Texts,
    Development,
    Configuration,
):
    """All settings of an operator, by topic in the order of the documents."""

    @property
    def prepares_statements(self) -> bool:
        """Whether connections prepare statements; behind a pooler only if that was asked for."""
        return self.DATABASE_PREPARED == "on" and (self.DATABASE_POOLER == "off" or "DATABASE_PREPARED" in self.given)

    def find_conflicts(self) -> Iterator[str]:
        """Yield a sentence for each value that can't be used with the others."""
        if self.DATABASE_REPLICA_URL and not self.DATABASE_URL["ENGINE"].endswith("postgresql"):
            yield "DATABASE_REPLICA_URL must be empty unless DATABASE_URL names a PostgreSQL database."
        if self.S3_RECORDS_BUCKET and not self.S3_BUCKET:
            yield "S3_RECORDS_BUCKET must be empty unless S3_BUCKET names a bucket."
        # Without both, the machine's role decides.
        if self.S3_ACCESS_KEY and not self.S3_SECRET_KEY:
            yield "S3_SECRET_KEY must be set, because S3_ACCESS_KEY is."
        if self.S3_SECRET_KEY and not self.S3_ACCESS_KEY:
            yield "S3_ACCESS_KEY must be set, because S3_SECRET_KEY is."
        if self.ENVIRONMENT == "production":
            yield from self.find_unsafe()

    def find_unsafe(self) -> Iterator[str]:
        """Yield a sentence for each value that a site for real people must not have."""
        for option in self.list_options():
            if option.required and option.name not in self.given:
                yield f"{option.name} must be set in production: {describe_option(option)}"
        for name in ("DEBUG", "DEMO", "VITE_DEV"):
            if self.values[name]:
                yield f"{name} must be off in production."
        if not self.BASE_URL.startswith("https://"):
            yield "BASE_URL must start with https:// in production."
        elif not is_allowed(self.BASE_URL, self.ALLOWED_HOSTS):
            yield f"BASE_URL must name one of ALLOWED_HOSTS ({', '.join(self.ALLOWED_HOSTS)})."
        if not self.EMAIL_URL["EMAIL_BACKEND"].endswith(".smtp.EmailBackend"):
            yield "EMAIL_URL must name a mail server in production: nobody would receive any message."
        if is_example(self.DEFAULT_FROM_EMAIL, urlsplit(self.BASE_URL).hostname or ""):
            yield f"DEFAULT_FROM_EMAIL must be an address of your own in production, not {self.DEFAULT_FROM_EMAIL!r}."
        yield from self.find_relative_paths()
        yield from self.find_weak_keys()
        if self.SECURE_HSTS_PRELOAD and not (
            self.SECURE_HSTS_INCLUDE_SUBDOMAINS and self.SECURE_HSTS_SECONDS >= PRELOAD_SECONDS
        ):
            yield (
                "SECURE_HSTS_PRELOAD must be off unless SECURE_HSTS_INCLUDE_SUBDOMAINS is on and SECURE_HSTS_SECONDS is"
                f" at least {PRELOAD_SECONDS}: preload lists take no other hosts."
            )

    def find_relative_paths(self) -> Iterator[str]:
        """Yield a sentence for each path of data inside the release, which the next release would not find."""
        for option in (Options.MEDIA_ROOT, Options.RECORDS_ROOT, Options.METRICS_ROOT, Options.MAINTENANCE_FILE):
            text = self.given.get(option.name)
            if text is not None and not Path(text).expanduser().is_absolute():
                yield f"{option.name} must be an absolute path in production, not {text!r}."

    def find_weak_keys(self) -> Iterator[str]:
        """Yield a sentence for each key that is short or known."""
        keys: dict[Option[Any], list[str]] = {
            Options.SECRET_KEY: [self.SECRET_KEY],
            Options.BACKUP_KEY: [self.BACKUP_KEY],
            Options.BACKUP_KEY_FALLBACKS: self.BACKUP_KEY_FALLBACKS,
            Options.SECRET_KEY_FALLBACKS: self.SECRET_KEY_FALLBACKS,
        }
        for option, values in keys.items():
            length = Options.SECRET_KEY.length if option is Options.SECRET_KEY else Options.BACKUP_KEY.length
            if any(len(value) < length or value in KNOWN_KEYS for value in values if value):
                yield f"{option.name} must be at least {length} random characters in production."


def describe_option(option: Option[Any]) -> str:
    """Return the first sentence of an option's help, without markup."""
    return option.help.replace("`", "").split(". ")[0].rstrip(".") + "."


def is_example(sender: str, site: str) -> bool:
    """Return whether a sender's domain is one for documentation, unless the site's host is that or a part of it."""
    domain = sender.rstrip(">").rsplit("@")[-1].lower()
    return f".{domain}".endswith(EXAMPLE_DOMAINS) and not f".{site}".endswith(f".{domain}")


def is_allowed(url: str, hosts: list[str]) -> bool:
    """Return whether `ALLOWED_HOSTS` names the host of an address; one that starts with a dot includes subdomains."""
    host = urlsplit(url).hostname or ""
    return any(
        host == allowed.lower().lstrip(".").strip("[]") or (allowed[0] == "." and host.endswith(allowed.lower()))
        for allowed in hosts
    )
