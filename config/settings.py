"""Django's settings, made from the options of the environment (`config/env/options.py`)."""

import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONCE, NONE, SELF

from config.env.options import DATA_DIR
from config.env.options import LANGUAGES as LANGUAGE_NAMES
from config.env.reader import read_options
from config.env.types import BASE_DIR, InvalidConfiguration
from config.version import RELEASE

try:
    options, CONFIGURATION_WARNINGS = read_options(os.environ, BASE_DIR / ".env")
except InvalidConfiguration as error:
    # Without a traceback, which would hide the sentences.
    sys.exit(str(error))

ENVIRONMENT = options.ENVIRONMENT
IS_PRODUCTION = ENVIRONMENT == "production"
IS_TEST = ENVIRONMENT == "test"
SECRET_KEY = options.SECRET_KEY
SECRET_KEY_FALLBACKS = options.SECRET_KEY_FALLBACKS
BACKUP_KEY = options.BACKUP_KEY
BACKUP_KEY_FALLBACKS = options.BACKUP_KEY_FALLBACKS
DEBUG = options.DEBUG
DEMO = options.DEMO

# --- Addresses --------------------------------------------------------------------------------

BASE_URL = options.BASE_URL
ALLOWED_HOSTS = options.ALLOWED_HOSTS
CORS_ALLOWED_ORIGINS = options.CORS_ALLOWED_ORIGINS
CORS_URLS_REGEX = r"^/api/.*$"
TRUSTED_PROXIES = options.TRUSTED_PROXIES

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
    "config.http.misconfiguration.MisconfigurationMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.http.maintenance.MaintenanceMiddleware",
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
# The staff site and API errors are in English; messages are composed in their reader's language.
LANGUAGE_CODE = "en"
LANGUAGES = list(LANGUAGE_NAMES.items())
# Those in which both the pages (frontend/lingui.config.ts) and everything that the server says are complete.
INTERFACE_LANGUAGES = ["en"]
LANGUAGE_COOKIE_NAME = "language"
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
                "config.context_processors.site_name",
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
# Whether subdomains and preload lists are told to use https is the operator's choice.
SILENCED_SYSTEM_CHECKS = ["admin.E410", "security.W005", "security.W021"]

# --- Database ---------------------------------------------------------------------------------

STATEMENT_SECONDS = options.DATABASE_STATEMENT_SECONDS
POOL_SIZE = options.DATABASE_POOL_SIZE
POOLER = options.DATABASE_POOLER
PREPARED = options.prepares_statements


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
        "PRAGMA cache_size=-250;",
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
        "prepare_threshold": 2 if PREPARED else None,
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
    # The pool checks a connection by an empty query before it gives it to a request: after a restart of the server, the
    # idle ones are dead.
    database["CONN_HEALTH_CHECKS"] = True
    # Behind a pooler the limits of sessions stand with the role, see docs/growing.md; no cursor outlives its
    # transaction.
    return {**database, "DISABLE_SERVER_SIDE_CURSORS": POOLER != "off"}


# A release may be in a folder that nobody writes to; only the database of development needs this one.
if DATA_DIR in Path(options.DATABASE_URL["NAME"]).parents:
    DATA_DIR.mkdir(exist_ok=True)
DATABASES: dict[str, dict[str, Any]] = {}
if options.DATABASE_URL["ENGINE"].endswith("sqlite3"):
    DATABASES["default"] = as_sqlite(options.DATABASE_URL)
else:
    DATABASES["default"] = as_postgresql(options.DATABASE_URL)
# For what visitors see of the directory, see doctors/directory/replica.py.
if options.DATABASE_REPLICA_URL:
    DATABASES["replica"] = {**as_postgresql(options.DATABASE_REPLICA_URL), "TEST": {"MIRROR": "default"}}
    DATABASE_ROUTERS = ["config.db.router.ReplicaRouter"]
REPLICA_SECONDS = options.DATABASE_REPLICA_SECONDS

REDIS_URL = options.REDIS_URL
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
STATIC_ROOT = options.STATIC_ROOT
if not IS_PRODUCTION:
    STATIC_ROOT.mkdir(parents=True, exist_ok=True)
FRONTEND_DIST = BASE_DIR / "frontend_dist"
# The staff site's typeface, under names that its style sheet can name; without it the system's own serves.
_fonts = BASE_DIR / "frontend/node_modules/@fontsource-variable/atkinson-hyperlegible-next/files"
STATICFILES_DIRS: list[Any] = [
    BASE_DIR / "static",
    *([FRONTEND_DIST] if FRONTEND_DIST.is_dir() else []),
    *([("fonts", _fonts)] if _fonts.is_dir() else []),
]
MAINTENANCE_FILE = options.MAINTENANCE_FILE
MEDIA_URL = "/media/"
MEDIA_ROOT = options.MEDIA_ROOT

RECORDS_ROOT = options.RECORDS_ROOT

S3_BUCKET = options.S3_BUCKET
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
    # Only sites with S3 load its client.
    from botocore.config import Config  # type: ignore[import-untyped]  # it brings no types

    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            "bucket_name": S3_BUCKET,
            "endpoint_url": options.S3_ENDPOINT_URL or None,
            "region_name": options.S3_REGION or None,
            "access_key": options.S3_ACCESS_KEY or None,
            "secret_key": options.S3_SECRET_KEY or None,
            "default_acl": None,
            "file_overwrite": False,
            # A bucket that hangs must not take the threads that serve people with it, as it would for minutes.
            "client_config": Config(connect_timeout=3, read_timeout=5, retries={"total_max_attempts": 2}),
        },
    }
    # The same place, or a bucket of its own with rules of its own.
    STORAGES["records"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {
            **STORAGES["default"]["OPTIONS"],
            "bucket_name": options.S3_RECORDS_BUCKET or S3_BUCKET,
            "location": "records",
            "default_acl": "private",
        },
    }

# Only names that carry a content hash may be kept for ever.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/app/assets/.+-[\w-]{8}\.\w+$"
WHITENOISE_KEEP_ONLY_HASHED_FILES = False
WHITENOISE_AUTOREFRESH = False
# Served at the root: `/favicon.ico`.
WHITENOISE_ROOT = BASE_DIR / "static" / "root"

VITE_DEV = options.VITE_DEV
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
    "portrait": options.MAX_PORTRAITS_PER_USER,
    "picture-link": options.MAX_PICTURE_LINKS_PER_USER,
    "attachment": options.MAX_ATTACHMENT_UPLOADS_PER_USER,
    "application": options.MAX_APPLICATIONS_PER_USER,
    "prescription": options.MAX_PRESCRIPTIONS_PER_USER,
    "list-export": options.MAX_LIST_EXPORTS_PER_USER,
    "data-export": options.MAX_DATA_EXPORTS_PER_USER,
    "password-check": options.MAX_PASSWORD_CHECKS_PER_USER,
}
EXPENSIVE_REQUESTS_NETWORK_MULTIPLE = options.EXPENSIVE_REQUESTS_NETWORK_MULTIPLE

MAX_PICTURE_BYTES = 5 * 1024 * 1024
MAX_PICTURE_PIXELS = 16_000_000
PICTURE_LINKS = options.PICTURE_LINKS
RECORD_RETENTION_YEARS = options.RECORD_RETENTION_YEARS
READING_RETENTION_DAYS = options.READING_RETENTION_DAYS
PEOPLE_READ_ALERT_LIMIT = options.PEOPLE_READ_ALERT_LIMIT
NOTICE_RETENTION_DAYS = options.NOTICE_RETENTION_DAYS
MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024
MAX_ATTACHMENT_PIXELS = 50_000_000
MAX_ATTACHMENTS = 20
WORKER_THREADS = options.WORKER_THREADS
MAX_CONCURRENT_FILE_CHECKS = options.MAX_CONCURRENT_FILE_CHECKS
MAX_WAITING_FILE_CHECKS = options.MAX_WAITING_FILE_CHECKS
MAX_CONCURRENT_DOCUMENTS = options.MAX_CONCURRENT_DOCUMENTS
MAX_WAITING_DOCUMENTS = options.MAX_WAITING_DOCUMENTS
MAX_CONCURRENT_EXPORTS = options.MAX_CONCURRENT_EXPORTS
MAX_WAITING_EXPORTS = options.MAX_WAITING_EXPORTS
# A body may be one file and the form around it, never more.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 2
MAX_BODY_BYTES = max(MAX_PICTURE_BYTES, MAX_ATTACHMENT_BYTES) + 1024 * 1024
MAX_PENDING_BODIES = options.MAX_PENDING_BODIES
MAX_PENDING_BODY_BYTES = options.MAX_PENDING_BODY_MEGABYTES * 1024 * 1024
# An uploaded file that was not checked yet gets no file of its own; it is small enough.
FILE_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES

# --- Sign-in and sessions ---------------------------------------------------------------------

PASSWORD_MIN_LENGTH = options.PASSWORD_MIN_LENGTH
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
SESSION_IDLE_MINUTES: dict[str, int] = {
    "patient": options.SESSION_IDLE_MINUTES_PATIENT,
    "doctor": options.SESSION_IDLE_MINUTES_DOCTOR,
    "admin": options.SESSION_IDLE_MINUTES_ADMIN,
}
SESSION_HOURS = options.SESSION_HOURS
SIMPLE_JWT: dict[str, Any] = {
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
MAX_CONCURRENT_PASSWORD_HASHES = options.MAX_CONCURRENT_PASSWORD_HASHES
MAX_WAITING_PASSWORD_HASHES = options.MAX_WAITING_PASSWORD_HASHES
MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT = options.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT
MAX_SIGN_IN_ATTEMPTS_PER_IP = options.MAX_SIGN_IN_ATTEMPTS_PER_IP
MAX_SIGN_IN_ATTEMPTS_OVERALL = options.MAX_SIGN_IN_ATTEMPTS_OVERALL
MAX_SIGN_INS_PER_HOUR = options.MAX_SIGN_INS_PER_HOUR
MAX_REGISTRATIONS_PER_IP = options.MAX_REGISTRATIONS_PER_IP
REGISTRATION_ALERT_LIMIT = options.REGISTRATION_ALERT_LIMIT
MAX_UNKNOWN_IDS_PER_USER = options.MAX_UNKNOWN_IDS_PER_USER
MAX_UNKNOWN_IDS_PER_IP = options.MAX_UNKNOWN_IDS_PER_IP
MAX_CPU_MS_PER_IP = options.MAX_CPU_MS_PER_IP
MAX_CPU_MS_PER_USER = options.MAX_CPU_MS_PER_USER
MAX_PASSWORD_RESETS_PER_ACCOUNT = options.MAX_PASSWORD_RESETS_PER_ACCOUNT
MAX_PASSWORD_RESETS_PER_IP = options.MAX_PASSWORD_RESETS_PER_IP
PASSWORD_RESET_ALERT_LIMIT = options.PASSWORD_RESET_ALERT_LIMIT

MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT = options.MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT
STAFF_SECOND_STEP = options.STAFF_SECOND_STEP

# --- Messages ---------------------------------------------------------------------------------

EMAIL_BACKEND = options.EMAIL_URL["EMAIL_BACKEND"]
EMAIL_HOST = options.EMAIL_URL["EMAIL_HOST"] or ""
EMAIL_PORT = options.EMAIL_URL["EMAIL_PORT"] or 25
EMAIL_HOST_USER = options.EMAIL_URL["EMAIL_HOST_USER"] or ""
EMAIL_HOST_PASSWORD = options.EMAIL_URL["EMAIL_HOST_PASSWORD"] or ""
EMAIL_USE_TLS = bool(options.EMAIL_URL.get("EMAIL_USE_TLS"))
EMAIL_USE_SSL = bool(options.EMAIL_URL.get("EMAIL_USE_SSL"))
EMAIL_FILE_PATH = options.EMAIL_URL["EMAIL_FILE_PATH"] or None
EMAIL_TIMEOUT = options.EMAIL_TIMEOUT
DEFAULT_FROM_EMAIL = options.DEFAULT_FROM_EMAIL
MESSAGE_LANGUAGE = options.MESSAGE_LANGUAGE
DELIVERY = options.DELIVERY
REMINDERS = options.REMINDERS

# --- Booking ----------------------------------------------------------------------------------

CURRENCY = options.CURRENCY
DEFAULT_TIME_ZONE = options.DEFAULT_TIME_ZONE
DEFAULT_COUNTRY = options.DEFAULT_COUNTRY
MAX_DAYS_AHEAD = options.MAX_DAYS_AHEAD
REQUEST_ANSWER_HOURS = options.REQUEST_ANSWER_HOURS
PROPOSAL_ANSWER_HOURS = options.PROPOSAL_ANSWER_HOURS
MAX_APPOINTMENT_CHANGES_PER_PATIENT = options.MAX_APPOINTMENT_CHANGES_PER_PATIENT
HOLD_MINUTES = options.HOLD_MINUTES
MAX_HOLD_MINUTES = options.MAX_HOLD_MINUTES
MAX_HOLDS_PER_IP = options.MAX_HOLDS_PER_IP
MAX_HOLD_ATTEMPTS = options.MAX_HOLD_ATTEMPTS
MAX_NETWORK_SHARE_PERCENT = options.MAX_NETWORK_SHARE_PERCENT
MIN_NETWORK_SHARE = options.MIN_NETWORK_SHARE
CROWDED_PERCENT = options.CROWDED_PERCENT
MAX_OPEN_REQUESTS_UNCONFIRMED = options.MAX_OPEN_REQUESTS_UNCONFIRMED
MAX_OPEN_REQUESTS_PER_PATIENT = options.MAX_OPEN_REQUESTS_PER_PATIENT
MAX_BOOKINGS_PER_HOUR = options.MAX_BOOKINGS_PER_HOUR
MAX_DESK_BOOKINGS_PER_HOUR = options.MAX_DESK_BOOKINGS_PER_HOUR
PUBLIC_CACHE_SECONDS = options.PUBLIC_CACHE_SECONDS
HOUSEKEEPING = options.HOUSEKEEPING
DEFAULT_CANCEL_CUTOFF_HOURS = options.DEFAULT_CANCEL_CUTOFF_HOURS
DOCTOR_CANCELS_CONFIRMED = options.DOCTOR_CANCELS_CONFIRMED

# --- What an operator may word differently ----------------------------------------------------

SITE_NAME = options.SITE_NAME
HOME_CLAIMS = {
    "patients": options.HOME_CLAIM_PATIENTS,
    "rating": options.HOME_CLAIM_RATING,
    "support": options.HOME_CLAIM_SUPPORT,
}
CONTACT = {
    "email": options.CONTACT_EMAIL,
    "phone": options.CONTACT_PHONE,
    "address": options.CONTACT_ADDRESS,
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
    # Not that of the build: the document is committed.
    "VERSION": RELEASE,
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
    SECURE_SSL_REDIRECT = options.SECURE_SSL_REDIRECT
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_HSTS_SECONDS = options.SECURE_HSTS_SECONDS
    SECURE_HSTS_INCLUDE_SUBDOMAINS = options.SECURE_HSTS_INCLUDE_SUBDOMAINS
    SECURE_HSTS_PRELOAD = options.SECURE_HSTS_PRELOAD
    if TRUSTED_PROXIES:
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Monitoring -------------------------------------------------------------------------------

METRICS_TOKEN = options.METRICS_TOKEN
METRICS_ROOT = options.METRICS_ROOT
SENTRY_DSN = options.SENTRY_DSN

# --- Logs -------------------------------------------------------------------------------------

LOG_FORMAT = options.LOG_FORMAT
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"failed requests": {"()": "config.log_formatters.FailedRequestFilter"}},
    "formatters": {
        "json": {"()": "config.log_formatters.JsonFormatter"},
        "line": {"()": "config.log_formatters.LineFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": LOG_FORMAT}},
    "root": {"handlers": ["console"], "level": options.LOG_LEVEL},
    "loggers": {
        # Django's own handlers would print what ours leave out, and mail it to admins.
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        # A 4xx is the caller's affair and stands in the access log; the development server's lines stand there too.
        "django.request": {"level": "ERROR", "filters": ["failed requests"]},
        "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
        # `config.http.misconfiguration` logs it with the setting's name.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # `config.db.postgresql.outage` logs the reason, which is redacted here.
        "psycopg.pool": {"level": "ERROR"},
    },
}
