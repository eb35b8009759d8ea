"""Steps that several browser tests share."""

import uuid
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from backstage import PASSWORD
from playwright.sync_api import Locator, Page, expect

from config.testing import RealServer

CLINIC = ZoneInfo("America/New_York")

# React has taken the heading over, so that what stands before it answers too.
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


def arrive(page: Page, path: str) -> None:
    """Go to a page and wait until it is alive: before, a link loads a whole page and a button does nothing."""
    page.goto(path)
    page.evaluate(ALIVE)


def new_address() -> str:
    """Return an email address that nobody has."""
    return f"somebody.{uuid.uuid4().hex[:8]}@example.com"


def fill_birth_date(place: Page | Locator, day: int, month: int, year: int) -> None:
    """Type a date of birth into its three boxes."""
    boxes = place.get_by_role("group", name="Date of birth")
    for label, number in (("Day", day), ("Month", month), ("Year", year)):
        boxes.get_by_label(label).fill(str(number))


def fill_registration(page: Page, name: str, email: str) -> None:
    """Fill in what both roles are asked for."""
    page.get_by_label("Full name").fill(name)
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Phone number").fill("+1 202 555 0123")
    fill_birth_date(page, 27, 3, 1985)
    page.get_by_role("radio", name="Female").check()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_label("I have read and agree").check()


def sign_in(page: Page, email: str, password: str, role: str = "Patient") -> None:
    """Fill in the sign-in form and send it."""
    page.get_by_label("Login as").select_option(label=role)
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def settled(page: Page) -> None:
    """Wait until the page shows what it came to show."""
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("main").get_by_text("Loading", exact=True)).to_have_count(0)
    expect(page.locator("main").get_by_text("Looking for doctors", exact=True)).to_have_count(0)


def start_soon(site: RealServer, appointment: str, minutes: int = 5) -> None:
    """Move an appointment in the database to some minutes from now, or ago: no call can, and completing asks for it."""
    clinic = datetime.now(CLINIC) + timedelta(minutes=minutes)
    start = clinic.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    key = appointment.replace("-", "") if site.is_sqlite else appointment
    site.sql(
        f"UPDATE appointments_appointment SET date = '{clinic:%Y-%m-%d}', time = '{clinic:%H:%M}:00', "
        f"starts_at = '{start}', ends_at = '{start + timedelta(minutes=59)}' WHERE id = '{key}'"
    )


def quiet_bell(page: Page) -> None:
    """Keep the bell from asking, where another call is to be the first to learn that a session has ended."""
    nothing = {"success": True, "message": "", "data": {"unread": 0, "latest": None}}
    page.route("**/api/notices/unread", lambda route: route.fulfill(json=nothing))
