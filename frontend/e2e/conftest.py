"""The stage of the browser tests: the production server with the demo's data, and the system's Chromium.

Every page is watched: what a browser complains about fails the test that caused it (see faults.py).
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from backstage import Backstage, Person
from faults import Faults
from playwright.sync_api import BrowserContext, Page, expect

from config.testing import ROOT, RealServer, run_server

PATIENCE_MS = 30_000
DESKTOP = {"width": 1440, "height": 900}

expect.set_options(timeout=PATIENCE_MS)


def pytest_configure(config: pytest.Config) -> None:
    """Keep a picture of what a failed test saw, outside of the sources."""
    config.option.screenshot = "only-on-failure"
    config.option.output = str(ROOT / "var" / "browser-tests")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run the whole site on a database of its own, filled as `dev.py run` fills it; its mails go into files."""
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
    """Let tests name pages by their path alone."""
    return site.url


@pytest.fixture(scope="session")
def backstage(site: RealServer) -> Backstage:
    """Bring what a test needs but isn't about."""
    return Backstage(site.url)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Take the Chromium of the system, quiet, and able to run as root."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert chromium, "There is no Chromium on PATH; CHROMIUM may name one."
    flags = "no-sandbox disable-background-networking disable-component-update disable-sync no-first-run disable-quic"
    return {
        **browser_type_launch_args,
        "executable_path": chromium,
        "args": [f"--{flag}" for flag in flags.split()],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Browse at a desk in New York; the demo's clinics are there and elsewhere."""
    return {**browser_context_args, "viewport": DESKTOP, "locale": "en-GB", "timezone_id": "America/New_York"}


@pytest.fixture
def faults(site: RealServer) -> Iterator[Faults]:
    """Fail the test for whatever its pages complained about and it did not announce."""
    found = Faults(site.url)
    yield found
    found.check()


@pytest.fixture
def open_context(faults: Faults, new_context: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """Open a watched browser window of its own, signed out or with somebody's session."""

    def opened(person: Person | None = None, **options: Any) -> BrowserContext:
        if person:
            token = {"name": "token", "value": person.token}
            origins = [{"origin": faults.origin, "localStorage": [token]}]
            options["storage_state"] = {"cookies": [], "origins": origins}
        context = new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        faults.watch(context)
        return context

    return opened


@pytest.fixture
def context(open_context: Callable[..., BrowserContext]) -> BrowserContext:
    """Open the window of a visitor; what `page` is made in."""
    return open_context()


@pytest.fixture
def page_of(open_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Open a page with somebody's session."""
    return lambda person, **options: open_context(person, **options).new_page()
