"""A doctor's hours, a day off and its preview, and a visit across a clock change seen from two zones."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from backstage import Backstage, Person
from faults import Faults
from playwright.sync_api import Page, expect

from config.testing import RealServer

# The browser of every test stands in New York.
CLINIC, HOME = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")


def odd_tuesday() -> date:
    """Find a Tuesday between the clock changes of the two zones, when they are five hours apart instead of six."""
    day = datetime.now(UTC).date() + timedelta(days=7)
    while True:
        noon = datetime.combine(day, time(12), UTC)
        apart = noon.astimezone(CLINIC).utcoffset() - noon.astimezone(HOME).utcoffset()  # type: ignore[operator]  # both zones have one
        if day.weekday() == 1 and apart == timedelta(hours=5):
            return day
        day += timedelta(days=1)


def words(day: date) -> str:
    """Write a day as the pages do: with its year where that is another one."""
    year = "" if day.year == datetime.now(HOME).year else f" {day.year}"
    return f"{day:%A} {day.day} {day:%B}{year}"


def test_a_day_off_asks_about_the_visit_that_two_zones_see_at_the_right_hour(
    site: RealServer, page_of: Callable[..., Page], backstage: Backstage, faults: Faults
) -> None:
    account = backstage.register_doctor()
    site.sql(
        f"UPDATE doctors_doctorprofile SET approval = 'approved' WHERE license_number = '{licence(backstage, account)}'"
    )
    backstage.ask("PUT", "/doctors/schedule", {"maxDaysAhead": 400, "timeZone": "Europe/Berlin"}, account.token)
    day = odd_tuesday()

    desk = page_of(account)
    desk.goto("/doctor/schedule")
    desk.get_by_label("Tuesday, start of hours 1").fill("08:00")
    desk.get_by_role("button", name="Save schedule").click()
    expect(desk.get_by_text("Schedule saved")).to_be_visible()

    patient = backstage.register()
    page = page_of(patient)
    page.goto(f"/patient/book-appointment/{account.id}?date={day}&time=08:00")
    expect(page.get_by_role("heading", name=f"08:00, {words(day)} with Dr.")).to_be_visible()
    summary = page.get_by_role("region", name="Your appointment")
    expect(summary).to_contain_text("Kept for you until")
    expect(summary).to_contain_text("03:00 your time")
    summary.get_by_role("button", name="Book").click()
    panel = page.get_by_role("status").filter(has_text="Appointment booked successfully!")
    expect(panel).to_be_visible()
    visit = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=account.name))
    expect(visit).to_contain_text(f"{words(day)}, 08:00")
    expect(visit).to_contain_text("03:00 your time")

    desk.goto("/doctor/appointments")
    seen = desk.get_by_role("listitem").filter(has=desk.get_by_role("heading", name=patient.name))
    expect(seen).to_contain_text(f"{words(day)}, 08:00")

    desk.goto("/doctor/schedule")
    desk.get_by_label("First day").fill(day.isoformat())
    desk.get_by_role("button", name="Take these days off").click()
    desk.get_by_role("button", name="Save schedule").click()
    expect(desk.get_by_role("heading", name="1 visit lies outside the new hours")).to_be_visible()
    affected = desk.get_by_role("listitem").filter(has_text=patient.name)
    expect(affected.get_by_role("radio", name="Keep it, marked as outside your hours")).to_be_checked()
    desk.get_by_role("button", name="Save schedule").click()
    expect(desk.get_by_text("Schedule saved")).to_be_visible()

    desk.goto("/doctor/appointments")
    expect(seen).to_contain_text("Outside your hours")
    faults.expect("409 /api/appointments/hold")
    page.goto(f"/patient/book-appointment/{account.id}?date={day}&time=09:00")
    expect(page.get_by_role("main")).to_contain_text("This time can’t be kept for you")


def licence(backstage: Backstage, account: Person) -> str:
    """Answer a doctor's licence number."""
    return str(backstage.ask("GET", "/auth/profile", token=account.token)["user"]["licenseNumber"])
