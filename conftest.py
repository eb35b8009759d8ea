"""Fixtures and rules of all tests."""

import functools
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import httpx._transports.default
import hypothesis
import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core.cache import caches
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from django.test import RequestFactory, TransactionTestCase
from django.utils import timezone
from pytest_django import Settings
from rest_framework.test import APIClient
from whitenoise.base import WhiteNoise

from accounts.audit.append_only import build_triggers, disable_triggers
from accounts.audit.log import current_caller
from accounts.auth.sessions import open_session
from accounts.models import User
from accounts.notifications import inbox
from accounts.tests.factories import AdminFactory, PatientFactory
from accounts.tests.mail_links import BASE
from accounts.tests.mail_server import MailServer, serving, use
from config.http.concurrency_limit import thread_budget
from tools.build import compile_messages

# A busy machine must not fail a property by the time that one example takes.
hypothesis.settings.register_profile("untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("untimed")


def pytest_configure() -> None:
    compile_messages()


def pytest_collection_finish() -> None:
    """Let the collector leave alone what lives as long as the run; going through it again took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--first-and-last",
        action="store_true",
        help="run the first and the last case of a parametrized test, and all cases only where it is marked every_case",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what only `dev.py soak` runs, what needs PostgreSQL, and what `--first-and-last` leaves out."""
    selected = [item for item in items if all(mark.args[0] in os.environ for mark in item.iter_markers("soak"))]
    if connection.vendor != "postgresql":
        selected = [item for item in selected if not item.get_closest_marker("postgresql")]
    if config.getoption("--first-and-last"):
        ends: dict[str, list[pytest.Item]] = {}
        for item in selected:
            first, _, _ = item.nodeid.partition("[")
            ends[first] = [*ends.get(first, [])[:1], item]
        kept = {item for pair in ends.values() for item in pair}
        selected = [item for item in selected if item in kept or item.get_closest_marker("every_case")]
    if deselected := {*items} - {*selected}:
        config.hook.pytest_deselected(items=list(deselected))
        items[:] = selected


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """Empty the caches, so that neither counters nor responses leak from test to test."""
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.fixture(autouse=True)
def free_places() -> Iterator[None]:
    """Nobody holds a place from the test before; a test's client closes no stream that is not read."""
    nobody = current_caller.set("")
    yield
    current_caller.reset(nobody)
    for bulkhead in thread_budget.bulkheads:
        bulkhead.release_all()


@pytest.fixture(autouse=True)
def steady_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for which the bell's tag holds never ends amid a test."""
    monkeypatch.setattr(inbox, "UNREAD_ETAG_SECONDS", 10**12)


@pytest.fixture(autouse=True)
def media_root(settings: Settings, tmp_path: Path) -> Path:
    """Uploaded files of a test vanish with it."""
    folder = tmp_path / "media"
    settings.MEDIA_ROOT = folder
    records = settings.STORAGES["records"]
    if "location" in records["OPTIONS"]:
        options = {**records["OPTIONS"], "location": tmp_path / "records"}
        settings.STORAGES = {**settings.STORAGES, "records": {**records, "OPTIONS": options}}
    return folder


@pytest.fixture
def mail(settings: Settings) -> Iterator[MailServer]:
    """A real mail server to which our mails go; their links begin with `BASE`."""
    settings.BASE_URL = BASE
    with serving() as server:
        use(settings, server)
        yield server


@pytest.fixture
def api() -> APIClient:
    """A visitor who is not signed in."""
    return APIClient()


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the transaction open of a test that asks the application itself: a request ends by closing one."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def client_of() -> Callable[[User], APIClient]:
    """Sign a person in, with a real session and its token."""

    def signed_in(user: User) -> APIClient:
        client = APIClient()
        request = RequestFactory(HTTP_USER_AGENT="Invented Browser 1.0").get("/")
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {open_session(user, request, timezone.now())}")
        return client

    return signed_in


@pytest.fixture
def patient(db: None) -> User:
    return PatientFactory.create(name="Ada Patient", email="ada@example.com", phone="+12025550101")


@pytest.fixture
def other_patient(db: None) -> User:
    return PatientFactory.create(name="Omar Stranger", email="omar@example.com", phone="+12025550102")


@pytest.fixture
def admin(db: None) -> User:
    return AdminFactory.create(name="Ingrid Admin", email="ingrid@example.com", phone="+12025550103")


@pytest.fixture(autouse=True, scope="session")
def static_files_are_looked_up_once() -> Iterator[None]:
    """Let all clients of a run share what the collected files are: each looking it up again took half of the run."""
    look_up = WhiteNoise.update_files_dictionary
    known: dict[tuple[str, str], dict[str, object]] = {}

    def remembered(self: WhiteNoise, root: str, prefix: str) -> None:
        before = self.files
        if (root, prefix) not in known:
            self.files = {}
            look_up(self, root, prefix)
            known[root, prefix] = self.files
        self.files = before | known[root, prefix]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoise, "update_files_dictionary", remembered)
        yield


@pytest.fixture(autouse=True, scope="session")
def certificates_are_read_once() -> Iterator[None]:
    """Let all HTTP clients of a run share their TLS settings: reading the certificates took 20 ms for each client."""
    module = httpx._transports.default
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "create_ssl_context", functools.cache(module.create_ssl_context))
        yield


# With more rows than this, TRUNCATE is quicker on PostgreSQL, which checks every foreign key for each deleted row.
MAX_ROWS_TO_DELETE = 500


@pytest.fixture(autouse=True, scope="session")
def fast_flush() -> Iterator[None]:
    """Empty the database after each test with real transactions by DELETE.

    Django's own flush truncates every table and runs all `post_migrate` receivers, which took most of such a test.
    """
    flush = TransactionTestCase._fixture_teardown

    def empty(self: TransactionTestCase) -> None:
        if connection.vendor == "postgresql" and has_many_rows():
            with disable_triggers():
                flush(self)
        else:
            delete_all_rows()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty)
        yield


def has_many_rows() -> bool:
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} OFFSET %s LIMIT 1", [MAX_ROWS_TO_DELETE])
            if cursor.fetchone():
                return True
    return False


def delete_all_rows() -> None:
    """Delete the rows of all tables, except those that `migrate` writes for Django itself."""
    kept = {ContentType._meta.db_table, Permission._meta.db_table}
    tables = [name for name in connection.introspection.django_table_names(only_existing=True) if name not in kept]
    with connection.cursor() as cursor:
        filled = []
        for table in tables:
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
            filled += [table] if cursor.fetchone() else []
        # The audit log refuses deletion to everybody else.
        append_only = {table for table, _ in build_triggers(connection.vendor).values()}
        # SQLite would look for the children of each deleted row, also where their foreign key has no index.
        with (
            disable_triggers() if append_only & {*filled} else nullcontext(),
            connection.constraint_checks_disabled(),
            transaction.atomic(),
        ):
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL statement_timeout = 0")
            for table in filled:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
