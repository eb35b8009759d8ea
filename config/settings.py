"""The one settings file; development, production and test differ by environment alone.

Every variable read here stands in `.env.example`. A value that can't be used stops the start
with the name of its variable.
"""

import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config.countries import COUNTRIES

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = BASE_DIR / "var"

env = environ.Env()
# A test run is the same on every machine, whatever stands in its `.env`.
if env.str("ENVIRONMENT", default="development") != "test":
    environ.Env.read_env(BASE_DIR / ".env")


def read_int(name: str, default: int, *, minimum: int = 0, maximum: int | None = None) -> int:
    """Return an integer from the environment; raise `ImproperlyConfigured` if it is out of range."""
    value = env.int(name, default=default)
    if value < minimum or (maximum is not None and value > maximum):
        raise ImproperlyConfigured(f"{name} must be from {minimum} to {maximum if maximum is not None else '∞'}.")
    return int(value)


def times_before(name: str, default: list[str]) -> tuple[str, ...]:
    """Read times like `7d` or `2h` from the environment, each named once; the longest comes first."""
    hours: dict[int, str] = {}
    for text in map(str.strip, env.list(name, default=default)):
        number, unit = text[:-1], {"d": 24, "h": 1}.get(text[-1:], 0)
        length = int(number) * unit if number.isascii() and number.isdecimal() and len(number) <= 3 else 0
        if not 1 <= length <= 30 * 24:
            raise ImproperlyConfigured(f"{name} must be hours or days like 7d,48h,2h, from 1h to 30d.")
        if length in hours:
            raise ImproperlyConfigured(f"{name} names {hours[length]} and {text}, which are the same.")
        hours[length] = text
    return tuple(hours[length] for length in sorted(hours, reverse=True))


# --- Which environment ------------------------------------------------------------------------

ENVIRONMENT = env.str("ENVIRONMENT", default="development")
if ENVIRONMENT not in {"development", "production", "test"}:
    raise ImproperlyConfigured("ENVIRONMENT must be development, production or test.")
IS_PRODUCTION = ENVIRONMENT == "production"
IS_TEST = ENVIRONMENT == "test"

DEFAULT_SECRET_KEY = "insecure-key-for-development-and-tests-only-0123456789"  # noqa: S105 - refused in production
SECRET_KEY = env.str("SECRET_KEY", default=DEFAULT_SECRET_KEY)
# Earlier ones: what was signed or encrypted with them is still read.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
DEFAULT_BACKUP_KEY = "insecure-backup-key-for-development-and-tests-only"
# Signs backups and is kept apart from them (`adminpanel/operations/backups`). Without one, production makes none and
# restores none.
BACKUP_KEY = env.str("BACKUP_KEY", default="" if IS_PRODUCTION else DEFAULT_BACKUP_KEY)
# Earlier ones: what was signed with them can still be restored.
BACKUP_KEY_FALLBACKS = env.list("BACKUP_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
DEMO = env.bool("DEMO", default=False)

if IS_PRODUCTION:
    if SECRET_KEY == DEFAULT_SECRET_KEY or len(SECRET_KEY) < 50:
        raise ImproperlyConfigured("SECRET_KEY must be set to at least 50 random characters in production.")
    if any(len(key) < 32 or key == DEFAULT_BACKUP_KEY for key in (BACKUP_KEY, *BACKUP_KEY_FALLBACKS) if key):
        raise ImproperlyConfigured("BACKUP_KEY must be at least 32 random characters in production.")
    if DEBUG:
        raise ImproperlyConfigured("DEBUG can't be on in production.")
    if DEMO:
        raise ImproperlyConfigured("DEMO can't be on in production: it publishes accounts with passwords.")

# --- Addresses --------------------------------------------------------------------------------

# The address of the site as people type it. Links in messages are built from it, never from the Host header.
BASE_URL = env.str("BASE_URL", default="http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS", default=[] if IS_PRODUCTION else ["127.0.0.1", "localhost", "[::1]", "testserver"]
)
if IS_PRODUCTION and not ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts that this site answers to in production.")
CORS_ALLOWED_ORIGINS = env.list("CORS_ALLOWED_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/.*$"
# How many proxies of ours stand in front; only that many entries of X-Forwarded-For are believed.
TRUSTED_PROXIES = read_int("TRUSTED_PROXIES", 0, maximum=5)

# --- Django -----------------------------------------------------------------------------------

INSTALLED_APPS = [
    "adminpanel.apps.StaffSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "csp",
    "django_vite",
    "drf_spectacular",
    "rest_framework",
    "accounts",
    "doctors",
    "appointments",
    "adminpanel.apps.AdminpanelConfig",
]

MIDDLEWARE = [
    "config.http.middleware.RequestIdMiddleware",
    "config.http.security_headers.BrowserSafetyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "accounts.audit.middleware.SourceAddressMiddleware",
    "config.http.middleware.ApiMiddleware",
    "accounts.throttling.id_enumeration.IdEnumerationMiddleware",
    "accounts.throttling.cpu_budget.CpuMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.auth.staff_login.StaffAuthenticationMiddleware",
    "accounts.auth.staff_login.StaffMessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.http.security_headers.PagePolicyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_I18N = True
# Pages, the staff site and API errors are in English; messages are composed in their reader's language.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
# Dates on the staff site as everywhere else, with their zone: Django's own are America's and name none.
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
TIME_ZONE = "UTC"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "csp.context_processors.nonce",
                # The staff site's own.
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Cookies are the staff site's alone: the API knows bearer tokens, and the page none of either.
CSRF_COOKIE_PATH = "/staff/"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SECURE = IS_PRODUCTION
# The cookie that carries the staff site's messages goes by these.
SESSION_COOKIE_SECURE = IS_PRODUCTION
SESSION_COOKIE_SAMESITE = "Strict"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
# There is no session but ours, so the admin site does not need Django's.
SILENCED_SYSTEM_CHECKS = ["admin.E410"]

# --- Database ---------------------------------------------------------------------------------

# What serves people must not hang; what operators run by hand may take its time (see manage.py): 0 is no limit.
STATEMENT_SECONDS = read_int("DATABASE_STATEMENT_SECONDS", 15, maximum=3600)
# Connections that each process keeps to PostgreSQL; 0 opens one for each request, as tests do unless they say more.
POOL_SIZE = read_int("DATABASE_POOL_SIZE", 0 if IS_TEST else 8, maximum=100)
# Between the site and the database: nothing, or PgBouncer in transaction mode, where no session lasts.
POOLER = env.str("DATABASE_POOLER", default="off")
if POOLER not in {"off", "pgbouncer"}:
    raise ImproperlyConfigured("DATABASE_POOLER must be off or pgbouncer.")
# `on`: what a connection asks for a third time is parsed and planned no more. A pooler that hands one session to many
# in turn must know of it, as PgBouncer does from 1.22 on, with max_prepared_statements.
PREPARED = env.str("DATABASE_PREPARED", default="on" if POOLER == "off" else "off")
if PREPARED not in {"on", "off"}:
    raise ImproperlyConfigured("DATABASE_PREPARED must be on or off.")


def as_sqlite(database: dict[str, Any]) -> dict[str, Any]:
    """Complete what a URL says of a SQLite file."""
    # WAL lets readers go on beside the one writer; IMMEDIATE takes the write lock at the start of a
    # transaction, so that two racing bookings wait for each other instead of failing half-way.
    options = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # FULL, so that what was answered outlives a power cut too; a test's database needs not.
        "init_command": f"PRAGMA journal_mode=WAL; PRAGMA synchronous={'NORMAL' if IS_TEST else 'FULL'};"
        "PRAGMA foreign_keys=ON;"
        # In kB, and for each connection, so for each thread; what falls out is still in the system's own cache.
        "PRAGMA cache_size=-1000;",
    }
    # Each thread keeps its connection: the last one that closes takes the log away, and creating it needs room, so that
    # a full disk would keep readers out too.
    return {**database, "OPTIONS": options, "CONN_MAX_AGE": None}


def as_postgresql(database: dict[str, Any]) -> dict[str, Any]:
    """Complete what a URL says of a PostgreSQL database."""
    options = {
        **database.get("OPTIONS", {}),
        "connect_timeout": 3,
        # Values travel beside the statement, prepared or not, so that both type them alike.
        "server_side_binding": True,
        "prepare_threshold": 2 if PREPARED == "on" else None,
    }
    if POOLER == "off":
        options["options"] = (
            f"-c statement_timeout={STATEMENT_SECONDS * 1000} -c lock_timeout=5000"
            f" -c idle_in_transaction_session_timeout={STATEMENT_SECONDS * 2000}"
        )
    if POOL_SIZE:
        options["pool"] = {"min_size": 1, "max_size": POOL_SIZE, "timeout": 3}
    # Django's own engine, which also detects a server that accepts connections but does not reply.
    database = {**database, "ENGINE": "config.db.postgresql", "OPTIONS": options, "CONN_MAX_AGE": 0}
    # Behind a pooler the limits of sessions stand with the role, see docs/operations.md; no cursor outlives its
    # transaction.
    return {**database, "DISABLE_SERVER_SIDE_CURSORS": POOLER != "off"}


DATA_DIR.mkdir(exist_ok=True)
_database = env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")
DATABASES: dict[str, dict[str, Any]] = {}
if _database["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] = as_sqlite(_database)
elif _database["ENGINE"].endswith("postgresql"):
    DATABASES["default"] = as_postgresql(_database)
else:
    raise ImproperlyConfigured("DATABASE_URL must name a SQLite or PostgreSQL database.")

# A read replica for what visitors see of the directory, see doctors/directory/replica.py.
if env.str("DATABASE_REPLICA_URL", default=""):
    _database = env.db_url("DATABASE_REPLICA_URL")
    if not (_database["ENGINE"].endswith("postgresql") and DATABASES["default"]["ENGINE"].endswith("postgresql")):
        raise ImproperlyConfigured("DATABASE_REPLICA_URL must name a PostgreSQL database that follows another one.")
    DATABASES["replica"] = {**as_postgresql(_database), "TEST": {"MIRROR": "default"}}
    DATABASE_ROUTERS = ["config.db.router.ReplicaRouter"]
# A replica further behind than this is not read. The heartbeats that tell its age are written every 15 seconds.
REPLICA_SECONDS = read_int("DATABASE_REPLICA_SECONDS", 60, minimum=20, maximum=3600)

REDIS_URL = env.str("REDIS_URL", default="")
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            # One that hangs must not take the threads that serve people with it.
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
        }
        if REDIS_URL
        # Large, so that spraying addresses can't push the counters of earlier tries out.
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
    ),
    # Responses to visitors: at most 500 times 32 kB in each process. Not in Redis, where counters must find room.
    "public": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "public",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}

# --- Files ------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
FRONTEND_DIST = BASE_DIR / "frontend_dist"
# The staff site's typeface, under names that its style sheet can name; without it the system's own serves.
_fonts = BASE_DIR / "frontend/node_modules/@fontsource-variable/atkinson-hyperlegible-next/files"
STATICFILES_DIRS: list[Any] = [
    BASE_DIR / "static",
    *([FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []),
    *([("fonts", _fonts)] if _fonts.is_dir() else []),
]
MEDIA_URL = "/media/"
MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(DATA_DIR / "media")))

# What belongs to appointments' records; served by no address of its own.
RECORDS_ROOT = Path(env.str("RECORDS_ROOT", default=str(DATA_DIR / "records")))

S3_BUCKET = env.str("S3_BUCKET", default="")
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "records": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": RECORDS_ROOT,
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
    # Vite has put a hash into every name of the bundle; hashing again would load it twice.
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
if S3_BUCKET:
    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "endpoint_url": env.str("S3_ENDPOINT_URL", default=None),
            "region_name": env.str("S3_REGION", default=None),
            "access_key": env.str("S3_ACCESS_KEY", default=None),
            "secret_key": env.str("S3_SECRET_KEY", default=None),
            "default_acl": None,
            "file_overwrite": False,
        },
    }
    # The same place, or a bucket of its own with rules of its own.
    STORAGES["records"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            **STORAGES["default"]["OPTIONS"],
            "bucket_name": env.str("S3_RECORDS_BUCKET", default=S3_BUCKET),
            "location": "records",
            "default_acl": "private",
        },
    }

# Only names that carry a content hash may be kept for ever.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/app/assets/.+-[\w-]{8}\.\w+$"
WHITENOISE_KEEP_ONLY_HASHED_FILES = False
WHITENOISE_AUTOREFRESH = False

VITE_DEV = env.bool("VITE_DEV", default=False)
DJANGO_VITE = {
    "default": {
        "dev_mode": VITE_DEV,
        "dev_server_host": "127.0.0.1",
        "dev_server_port": 5173,
        "static_url_prefix": "app",
        "manifest_path": STATIC_ROOT / "app" / "manifest.json",
    }
}

# How often one person may ask in a quarter of an hour for what costs much, and how many people's worth one network may
# (`accounts/throttling/expensive_requests.py`).
MAX_EXPENSIVE_REQUESTS_PER_USER = {
    "portrait": read_int("MAX_PORTRAITS_PER_USER", 20, minimum=1),
    "picture-link": read_int("MAX_PICTURE_LINKS_PER_USER", 10, minimum=1),
    "attachment": read_int("MAX_ATTACHMENT_UPLOADS_PER_USER", 60, minimum=1),
    "application": read_int("MAX_APPLICATIONS_PER_USER", 10, minimum=1),
    "prescription": read_int("MAX_PRESCRIPTIONS_PER_USER", 100, minimum=1),
    "list-export": read_int("MAX_LIST_EXPORTS_PER_USER", 30, minimum=1),
    "data-export": read_int("MAX_DATA_EXPORTS_PER_USER", 5, minimum=1),
    "password-check": read_int("MAX_PASSWORD_CHECKS_PER_USER", 60, minimum=1),
}
EXPENSIVE_REQUESTS_NETWORK_MULTIPLE = read_int("EXPENSIVE_REQUESTS_NETWORK_MULTIPLE", 10, minimum=1)

MAX_PICTURE_BYTES = 5 * 1024 * 1024
MAX_PICTURE_PIXELS = 16_000_000
PICTURE_LINKS = env.bool("PICTURE_LINKS", default=True)
# How long appointments and what was written about them are kept after a person is erased; the law of the place decides.
RECORD_RETENTION_YEARS = read_int("RECORD_RETENTION_YEARS", 10, minimum=1, maximum=100)
# For how many days it is kept who read whose personal data; the database deletes none that are younger than 90 days.
READING_RETENTION_DAYS = read_int("READING_RETENTION_DAYS", 1096, minimum=91)
# Of how many people one person may read something in a day of UTC before the other admins are told.
PEOPLE_READ_ALERT_LIMIT = read_int("PEOPLE_READ_ALERT_LIMIT", 500, minimum=1)
# How long messages are kept once written, sent or not: they are no record, and the trail tells what happened.
NOTICE_RETENTION_DAYS = read_int("NOTICE_RETENTION_DAYS", 730, minimum=30, maximum=36_500)
MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
MAX_ATTACHMENT_PIXELS = 50_000_000
MAX_ATTACHMENTS = 20
# How many threads serve requests in one process; the server reads the same variable. Half of them is the most that
# callers who wait for something scarce can hold (`config/http/concurrency_limit.py`).
WORKER_THREADS = read_int("WORKER_THREADS", 16, minimum=16, maximum=1024)
# How many files are examined at the same time in one process; another one waits for its turn.
MAX_CONCURRENT_FILE_CHECKS = read_int("MAX_CONCURRENT_FILE_CHECKS", 2, minimum=1, maximum=16)
MAX_WAITING_FILE_CHECKS = read_int("MAX_WAITING_FILE_CHECKS", 2, maximum=256)
# How many documents are printed and how many downloads of many rows are sent at the same time in one process.
MAX_CONCURRENT_DOCUMENTS = read_int("MAX_CONCURRENT_DOCUMENTS", 1, minimum=1, maximum=16)
MAX_WAITING_DOCUMENTS = read_int("MAX_WAITING_DOCUMENTS", 4, maximum=256)
# Nobody waits for a download: one network may have all places but one, and a slow reader keeps its place.
MAX_CONCURRENT_EXPORTS = read_int("MAX_CONCURRENT_EXPORTS", 3, minimum=1, maximum=64)
MAX_WAITING_EXPORTS = read_int("MAX_WAITING_EXPORTS", 0, maximum=256)
# A body may be one file and the form around it, never more.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 2
MAX_BODY_BYTES = max(MAX_PICTURE_BYTES, MAX_ATTACHMENT_BYTES) + 1024 * 1024
# How many request bodies one process receives at the same time, and their bytes together (`config/request_body.py`).
MAX_PENDING_BODIES = read_int("MAX_PENDING_BODIES", 256, minimum=8, maximum=10_000)
MAX_PENDING_BODY_BYTES = read_int("MAX_PENDING_BODY_MEGABYTES", 256, minimum=32) * 1024 * 1024
# An uploaded file that was not checked yet gets no file of its own; it is small enough.
FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES

# --- Sign-in and sessions ---------------------------------------------------------------------

PASSWORD_MIN_LENGTH = read_int("PASSWORD_MIN_LENGTH", 6, minimum=6, maximum=128)
PASSWORD_HASHERS = (
    ["django.contrib.auth.hashers.MD5PasswordHasher"]
    if IS_TEST
    else ["accounts.credentials.password_hashing.Argon2Hasher"]
)
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "accounts.credentials.password_hashing.MinimumLengthValidator",
        "OPTIONS": {"min_length": PASSWORD_MIN_LENGTH},
    },
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("name", "email", "phone")},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
SESSION_IDLE_MINUTES = {
    "patient": read_int("SESSION_IDLE_MINUTES_PATIENT", 30, minimum=1),
    "doctor": read_int("SESSION_IDLE_MINUTES_DOCTOR", 15, minimum=1),
    "admin": read_int("SESSION_IDLE_MINUTES_ADMIN", 15, minimum=1),
}
SESSION_HOURS = read_int("SESSION_HOURS", 12, minimum=1)
SIMPLE_JWT = {
    "ALGORITHM": "HS256",
    "SIGNING_KEY": SECRET_KEY,
    "AUDIENCE": "wellhour",
    "ISSUER": "wellhour",
    "ACCESS_TOKEN_LIFETIME": timedelta(hours=SESSION_HOURS),
    "USER_ID_CLAIM": "sub",
    # The session row says what the token may do; it needs no type and no id of its own.
    "TOKEN_TYPE_CLAIM": None,
    "JTI_CLAIM": None,
    "AUTH_HEADER_TYPES": ("Bearer", "bearer"),
    # Two machines' clocks never agree to the second.
    "LEEWAY": 30,
}
# How many passwords are hashed at the same time, and how many may wait for their turn, in one process.
MAX_CONCURRENT_PASSWORD_HASHES = read_int("MAX_CONCURRENT_PASSWORD_HASHES", 1, minimum=1, maximum=64)
MAX_WAITING_PASSWORD_HASHES = read_int("MAX_WAITING_PASSWORD_HASHES", 10, maximum=1000)
# Tries allowed in a quarter of an hour.
MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT = read_int("MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT", 5, minimum=1)
MAX_SIGN_IN_ATTEMPTS_PER_IP = read_int("MAX_SIGN_IN_ATTEMPTS_PER_IP", 50, minimum=1)
# Failures for one address in a quarter of an hour from all networks together, after which networks that are new to the
# account wait up to a minute before each try; and how many sessions a person may open in an hour.
MAX_SIGN_IN_ATTEMPTS_OVERALL = read_int("MAX_SIGN_IN_ATTEMPTS_OVERALL", 20, minimum=1)
MAX_SIGN_INS_PER_HOUR = read_int("MAX_SIGN_INS_PER_HOUR", 60, minimum=1)
MAX_REGISTRATIONS_PER_IP = read_int("MAX_REGISTRATIONS_PER_IP", 100, minimum=1)
# And from all networks together: beyond it something is wrong. Each network then has a few tries, mails wait, and
# admins are told.
REGISTRATION_ALERT_LIMIT = read_int("REGISTRATION_ALERT_LIMIT", 2000, minimum=1)
# How many objects that are not there may be asked for by their ids, by one person and by a network's visitors.
MAX_UNKNOWN_IDS_PER_USER = read_int("MAX_UNKNOWN_IDS_PER_USER", 30, minimum=1)
MAX_UNKNOWN_IDS_PER_IP = read_int("MAX_UNKNOWN_IDS_PER_IP", 60, minimum=1)
# How many milliseconds of CPU time in a second one process spends on what one network's visitors, or one user, read; 0
# is no limit. Tests read as quickly as they can, all from one address.
MAX_CPU_MS_PER_IP = read_int("MAX_CPU_MS_PER_IP", 0 if IS_TEST else 50, maximum=1000)
MAX_CPU_MS_PER_USER = read_int("MAX_CPU_MS_PER_USER", 0 if IS_TEST else 150, maximum=1000)
# How often a network may ask for a new password in a quarter of an hour, for one account and for all.
MAX_PASSWORD_RESETS_PER_ACCOUNT = read_int("MAX_PASSWORD_RESETS_PER_ACCOUNT", 3, minimum=1)
MAX_PASSWORD_RESETS_PER_IP = read_int("MAX_PASSWORD_RESETS_PER_IP", 30, minimum=1)
# From all networks together; beyond it as with registrations.
PASSWORD_RESET_ALERT_LIMIT = read_int("PASSWORD_RESET_ALERT_LIMIT", 1000, minimum=1)

# Codes that may be tried for one account in a quarter of an hour from everywhere: the password is known by then.
MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT = read_int("MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT", 20, minimum=1)
# Whether admins must have a second step: without one they can set it up and do nothing else.
STAFF_SECOND_STEP = env.str("STAFF_SECOND_STEP", default="required" if IS_PRODUCTION else "off")
if STAFF_SECOND_STEP not in {"required", "off"}:
    raise ImproperlyConfigured("STAFF_SECOND_STEP must be required or off.")

# --- Messages ---------------------------------------------------------------------------------

# Where mail goes out. In development it is printed; a site for real people must say, or nobody would hear of anything.
if IS_PRODUCTION and not env.str("EMAIL_URL", default=""):
    raise ImproperlyConfigured(
        "EMAIL_URL must name the mail server in production, like smtp+tls://user:password@host:587."
    )
try:
    _mail = env.email_url("EMAIL_URL", default="consolemail://")
except (KeyError, ValueError, ImproperlyConfigured) as unknown:
    raise ImproperlyConfigured(
        "EMAIL_URL must start with smtp://, smtp+tls://, smtp+ssl:// or consolemail://."
    ) from unknown
EMAIL_BACKEND = _mail["EMAIL_BACKEND"]
EMAIL_HOST = _mail["EMAIL_HOST"] or ""
EMAIL_PORT = _mail["EMAIL_PORT"] or 25
EMAIL_HOST_USER = _mail["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = _mail["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS = bool(_mail.get("EMAIL_USE_TLS"))
EMAIL_USE_SSL = bool(_mail.get("EMAIL_USE_SSL"))
EMAIL_FILE_PATH = _mail["EMAIL_FILE_PATH"] or None
# For each step of the talk with the mail server, in seconds.
EMAIL_TIMEOUT = read_int("EMAIL_TIMEOUT", 10, minimum=1, maximum=30)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Wellhour <no-reply@example.com>")
# The language of messages to users who have not chosen one, and whose browser asked for none of LANGUAGES.
MESSAGE_LANGUAGE = env.str("MESSAGE_LANGUAGE", default="en")
if MESSAGE_LANGUAGE not in dict(LANGUAGES):
    raise ImproperlyConfigured(f"MESSAGE_LANGUAGE must be one of {', '.join(dict(LANGUAGES))}.")
# `inline`: the serving process sends what waits; `off`: `manage.py deliver` does it.
DELIVERY = env.str("DELIVERY", default="off" if IS_TEST else "inline")
if DELIVERY not in {"inline", "off"}:
    raise ImproperlyConfigured("DELIVERY must be inline or off.")
# How long before an appointment its patient is reminded; whole days (48h too) are counted on the clinic's clock.
REMINDERS = times_before("REMINDERS", ["7d", "48h", "2h"])

# --- Booking ----------------------------------------------------------------------------------

CURRENCY = env.str("CURRENCY", default="USD").upper()
if not (len(CURRENCY) == 3 and CURRENCY.isascii() and CURRENCY.isalpha()):
    raise ImproperlyConfigured("CURRENCY must be a three-letter code of ISO 4217, like USD.")
DEFAULT_TIME_ZONE = env.str("DEFAULT_TIME_ZONE", default="America/New_York")
# The country of addresses that name none; its phone numbers need no country code.
DEFAULT_COUNTRY = env.str("DEFAULT_COUNTRY", default="US").upper()
if DEFAULT_COUNTRY not in COUNTRIES:
    raise ImproperlyConfigured("DEFAULT_COUNTRY must be a two-letter code of ISO 3166, like US.")
MAX_DAYS_AHEAD = read_int("MAX_DAYS_AHEAD", 180, minimum=1, maximum=730)
REQUEST_ANSWER_HOURS = read_int("REQUEST_ANSWER_HOURS", 48, minimum=1)
PROPOSAL_ANSWER_HOURS = read_int("PROPOSAL_ANSWER_HOURS", 48, minimum=1)
# How often a patient may book, move or propose in a quarter of an hour: each time somebody else gets a mail.
MAX_APPOINTMENT_CHANGES_PER_PATIENT = read_int("MAX_APPOINTMENT_CHANGES_PER_PATIENT", 40, minimum=1)
HOLD_MINUTES = read_int("HOLD_MINUTES", 5, minimum=1, maximum=60)
MAX_HOLD_MINUTES = read_int("MAX_HOLD_MINUTES", 30, minimum=1, maximum=240)
MAX_HOLDS_PER_IP = read_int("MAX_HOLDS_PER_IP", 20, minimum=1)
# How often a network's visitors, or one person, may ask for a time to be held in a quarter of an hour.
MAX_HOLD_ATTEMPTS = read_int("MAX_HOLD_ATTEMPTS", 300, minimum=1)
# What the unverified people of one network (visitors, and accounts whose email address is not confirmed) may hold of a
# doctor's free times in a week, and have requested: so many percent each, but always so many.
MAX_NETWORK_SHARE_PERCENT = read_int("MAX_NETWORK_SHARE_PERCENT", 10, minimum=1, maximum=100)
MIN_NETWORK_SHARE = read_int("MIN_NETWORK_SHARE", 2, minimum=1)
# Admins are notified once a day when the unverified people of all networks together have more than that of a week.
CROWDED_PERCENT = read_int("CROWDED_PERCENT", 50, minimum=1, maximum=100)
# How many open requests an account may have before its email address is confirmed.
MAX_OPEN_REQUESTS_UNCONFIRMED = read_int("MAX_OPEN_REQUESTS_UNCONFIRMED", 1, minimum=1)
# How many of a patient's requests may wait for an answer, how many appointments a patient may book within an hour,
# whatever became of them, and how many a doctor may book for patients within one.
MAX_OPEN_REQUESTS_PER_PATIENT = read_int("MAX_OPEN_REQUESTS_PER_PATIENT", 10, minimum=1)
MAX_BOOKINGS_PER_HOUR = read_int("MAX_BOOKINGS_PER_HOUR", 20, minimum=1)
MAX_DESK_BOOKINGS_PER_HOUR = read_int("MAX_DESK_BOOKINGS_PER_HOUR", 120, minimum=1)
# How old what visitors see of the directory may be; 0 turns that cache off, as in tests that compare before and after.
PUBLIC_CACHE_SECONDS = read_int("PUBLIC_CACHE_SECONDS", 0 if IS_TEST else 5, maximum=60)
# `inline`: the serving process does the housekeeping too; `off`: `manage.py housekeeping` does it.
HOUSEKEEPING = env.str("HOUSEKEEPING", default="off" if IS_TEST else "inline")
if HOUSEKEEPING not in {"inline", "off"}:
    raise ImproperlyConfigured("HOUSEKEEPING must be inline or off.")
# How many hours before a confirmed appointment patients can cancel it, unless the doctor chooses otherwise.
DEFAULT_CANCEL_CUTOFF_HOURS = read_int("DEFAULT_CANCEL_CUTOFF_HOURS", 24, maximum=672)
# Whether a doctor can cancel a confirmed appointment, with a reason; off is the specification to the letter.
DOCTOR_CANCELS_CONFIRMED = env.bool("DOCTOR_CANCELS_CONFIRMED", default=True)

# --- What an operator may word differently ----------------------------------------------------

HOME_CLAIMS = {
    "patients": env.str("HOME_CLAIM_PATIENTS", default="500+"),
    "rating": env.str("HOME_CLAIM_RATING", default="4.9/5"),
    "support": env.str("HOME_CLAIM_SUPPORT", default="24/7"),
}
CONTACT = {
    "email": env.str("CONTACT_EMAIL", default="hello@example.com"),
    "phone": env.str("CONTACT_PHONE", default="+1 202 555 0100"),
    "address": env.str("CONTACT_ADDRESS", default="1 Example Street, Springfield"),
}

# --- API --------------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.SessionTokenAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": [
        "accounts.throttling.cpu_budget.CpuThrottle",
        "accounts.throttling.id_enumeration.IdEnumerationThrottle",
    ],
    "DEFAULT_RENDERER_CLASSES": ["config.api.renderers.EnvelopeRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "config.api.openapi.WireSchema",
    "EXCEPTION_HANDLER": "config.api.errors.handle_exception",
    # OPTIONS beyond CORS is a method like any other that isn't taken.
    "DEFAULT_METADATA_CLASS": None,
    "COERCE_DECIMAL_TO_STRING": False,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Wellhour",
    "DESCRIPTION": "Patients find verified doctors and book appointments; doctors run their day; admins keep watch.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
    # In one order always: the order of a set of methods changes from run to run.
    "SORT_OPERATIONS": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "SCHEMA_PATH_PREFIX": r"/api",
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums"],
    "ENUM_NAME_OVERRIDES": {
        "Role": "accounts.models.Role",
        "Gender": "accounts.models.Gender",
        "BloodGroup": "accounts.models.BloodGroup",
        "AccountStatus": "accounts.models.AccountStatus",
        "Specialization": "doctors.models.Specialization",
        "ApprovalState": "doctors.models.Approval",
        "CaseState": "doctors.models.CaseState",
        "CaseKind": "doctors.verification.decisions.CaseKind",
        "Evidence": "doctors.verification.decisions.EvidencePart",
        "AppointmentStatus": "appointments.models.Status",
    },
}

# --- Browser safety ---------------------------------------------------------------------------

_vite = ["http://127.0.0.1:5173", "ws://127.0.0.1:5173"] if VITE_DEV else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        # Vite's dev server writes scripts and style tags into the page; the built bundle never does.
        "script-src": [SELF, *([NONCE, *_vite] if VITE_DEV else [])],
        "style-src": [SELF, *(["'unsafe-inline'", *_vite] if VITE_DEV else [])],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF, *_vite],
        "connect-src": [SELF, *_vite],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
        # No text becomes markup or code, and no policy of ours says otherwise; Vite's dev server writes markup.
        **({} if VITE_DEV else {"require-trusted-types-for": ["'script'"], "trusted-types": [NONE]}),
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if IS_PRODUCTION:
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
    SECURE_HSTS_SECONDS = read_int("SECURE_HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Logs -------------------------------------------------------------------------------------

LOG_FORMAT = env.str("LOG_FORMAT", default="json" if IS_PRODUCTION else "line")
if LOG_FORMAT not in {"json", "line"}:
    raise ImproperlyConfigured("LOG_FORMAT must be json or line.")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "json": {"()": "config.log_formatters.JsonFormatter"},
        "line": {"()": "config.log_formatters.LineFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
    "loggers": {
        # Django's own handlers would print what ours leave out, and mail it to admins.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # A 4xx is the caller's affair and stands in the access log; the development server's lines stand there too.
        "django.request": {"level": "ERROR"},
        "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
}
