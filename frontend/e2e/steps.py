"""Steps shared by browser tests."""

import uuid
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from api_client import PASSWORD
from playwright.sync_api import Locator, Page, expect

from config.testing import RealServer

CLINIC = ZoneInfo("America/New_York")

# Resolves once React has hydrated the heading, and thus everything before it.
ALIVE = """
() => new Promise((done) => {
  const look = () => {
    const heading = document.querySelector('h1');
    if (heading && Object.keys(heading).some((key) => key.startsWith('__reactProps'))) done();
    else requestAnimationFrame(look);
  };
  look();
})
"""


def go_to(page: Page, path: str) -> None:
    """Open a page and wait for hydration: before, links load whole pages and buttons do nothing."""
    page.goto(path)
    page.evaluate(ALIVE)


def new_address() -> str:
    """Return an unused email address."""
    return f"somebody.{uuid.uuid4().hex[:8]}@example.com"


def fill_birth_date(place: Page | Locator, day: int, month: int, year: int) -> None:
    """Type a date of birth into its three inputs."""
    boxes = place.get_by_role("group", name="Date of birth")
    for label, number in (("Day", day), ("Month", month), ("Year", year)):
        boxes.get_by_label(label).fill(str(number))


def fill_registration(page: Page, name: str, email: str) -> None:
    """Fill in the registration fields of both roles."""
    page.get_by_label("Full name").fill(name)
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Phone number").fill("+1 202 555 0123")
    fill_birth_date(page, 27, 3, 1985)
    page.get_by_role("radio", name="Female").check()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_label("I have read and agree").check()


def sign_in(page: Page, email: str, password: str, role: str = "Patient") -> None:
    """Fill in and submit the sign-in form."""
    page.get_by_label("Login as").select_option(label=role)
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def wait_until_loaded(page: Page) -> None:
    """Wait until the page has loaded its data."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main").get_by_text("Loading", exact=True)).to_have_count(0)
    expect(page.locator("main").get_by_text("Looking for doctors", exact=True)).to_have_count(0)


def move_start_near_now(site: RealServer, appointment: str, minutes: int = 5) -> None:
    """Move an appointment to some minutes from now in the database, which the API does not allow."""
    clinic = datetime.now(CLINIC) + timedelta(minutes=minutes)
    start = clinic.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    key = appointment.replace("-", "") if site.is_sqlite else appointment
    site.sql(
        f"UPDATE appointments_appointment SET date = '{clinic:%Y-%m-%d}', time = '{clinic:%H:%M}:00', "
        f"starts_at = '{start}', ends_at = '{start + timedelta(minutes=59)}' WHERE id = '{key}'"
    )


def disable_bell(page: Page) -> None:
    """Mock the unread count, so that another request is the first to notice an ended session."""
    nothing = {"success": True, "message": "", "data": {"unread": 0, "latest": None}}
    page.route("**/api/notices/unread", lambda route: route.fulfill(json=nothing))
