"""Fixtures of the browser tests: the production server with the demo data, and the system's Chromium.

Errors that a browser reports fail the test (see page_errors.py).
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from api_client import ApiClient, Person, storage_state
from page_errors import PageErrors
from playwright.sync_api import Browser, BrowserContext, Page, expect

from config.testing import ROOT, RealServer, run_server

PATIENCE_MS = 30_000
DESKTOP = {"width": 1440, "height": 900}

expect.set_options(timeout=PATIENCE_MS)


def pytest_configure(config: pytest.Config) -> None:
    """Save screenshots of failed tests outside of the sources."""
    config.option.screenshot = "only-on-failure"
    config.option.output = str(ROOT / "var" / "browser-tests")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run the site on its own database with the demo data; emails are written to files."""
    mails = tmp_path_factory.mktemp("mails")
    with run_server(
        tmp_path_factory.mktemp("site"),
        DEMO="true",
        DELIVERY="inline",
        EMAIL_URL=f"filemail:///{mails}",
        MAIL_FOLDER=str(mails),
    ) as server:
        server.manage("seed_demo")
        yield server


@pytest.fixture(scope="session")
def base_url(site: RealServer) -> str:
    """Let tests open pages by path."""
    return site.url


@pytest.fixture(scope="session")
def api(site: RealServer) -> ApiClient:
    """Return an API client for test setup."""
    return ApiClient(site.url)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's Chromium, without background services, also as root."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, "Chromium is not on PATH; set CHROMIUM."
    flags = "no-sandbox disable-background-networking disable-component-update disable-sync no-first-run disable-quic"
    # Drawing by an emulated graphics card takes longer than without one.
    flags += " disable-gpu"
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": [f"--{flag}" for flag in flags.split()],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Use a desktop browser in New York; demo clinics are there and elsewhere."""
    return {**browser_context_args, "viewport": DESKTOP, "locale": "en-GB", "timezone_id": "America/New_York"}


@pytest.fixture
def page_errors(site: RealServer) -> Iterator[PageErrors]:
    """Fail the test for unexpected errors of its pages."""
    found = PageErrors(site.url)
    yield found
    found.check()


@pytest.fixture
def open_context(page_errors: PageErrors, new_context: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """Return a function that opens a browser context, signed out or as a user."""

    def open_(person: Person | None = None, **options: Any) -> BrowserContext:
        if person:
            options["storage_state"] = storage_state(person, page_errors.origin)
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        page_errors.watch(context)
        return context

    return open_


@pytest.fixture(scope="module")
def open_shared_context(
    browser: Browser, browser_context_args: dict[str, Any], site: RealServer
) -> Iterator[Callable[[Person | None], tuple[BrowserContext, PageErrors]]]:
    """Return a function that opens one browser context for each user and returns it with the errors of its pages.

    The test has to check those.
    """
    opened: dict[Person | None, tuple[BrowserContext, PageErrors]] = {}

    def open_once(person: Person | None) -> tuple[BrowserContext, PageErrors]:
        if person not in opened:
            state = {"storage_state": storage_state(person, site.url)} if person else {}
            context = browser.new_context(**browser_context_args, **state)
            context.set_default_timeout(PATIENCE_MS)
            opened[person] = context, PageErrors(site.url)
            opened[person][1].watch(context)
        context, page_errors = opened[person]
        page_errors.clear()
        return context, page_errors

    yield open_once
    for context, _ in opened.values():
        context.close()


@pytest.fixture
def context(open_context: Callable[..., BrowserContext]) -> BrowserContext:
    """Return a signed-out context, which the `page` fixture uses."""
    return open_context()


@pytest.fixture
def open_page_as(open_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Return a function that opens a page as a user."""
    return lambda person, **options: open_context(person, **options).new_page()
