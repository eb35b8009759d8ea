"""Test a doctor's hours, the preview of a day off, and an appointment across a DST change in two time zones."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from accessibility import check_colors
from api_client import ApiClient, Person
from page_errors import PageErrors
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


def format_day(day: date) -> str:
    """Write a day as the pages do: with its year where that is another one."""
    year = "" if day.year == datetime.now(HOME).year else f" {day.year}"
    return f"{day:%A} {day.day} {day:%B}{year}"


def test_day_off_asks_about_an_appointment_shown_in_two_time_zones(
    site: RealServer, open_page_as: Callable[..., Page], api: ApiClient, page_errors: PageErrors
) -> None:
    account = api.register_doctor()
    license_number = get_license_number(api, account)
    site.sql(f"UPDATE doctors_doctorprofile SET approval = 'approved' WHERE license_number = '{license_number}'")
    api.call("PUT", "/doctors/schedule", {"maxDaysAhead": 400, "timeZone": "Europe/Berlin"}, account.token)
    day = odd_tuesday()

    desk = open_page_as(account)
    desk.goto("/doctor/schedule")
    desk.get_by_label("Tuesday, start of hours 1").fill("08:00")
    desk.get_by_role("button", name="Save schedule").click()
    expect(desk.get_by_text("Schedule saved")).to_be_visible()

    patient = api.register()
    page = open_page_as(patient)
    page.goto(f"/patient/book-appointment/{account.id}?date={day}&time=08:00")
    expect(page.get_by_role("heading", name=f"08:00, {format_day(day)} with Dr.")).to_be_visible()
    summary = page.get_by_role("region", name="Your appointment")
    expect(summary).to_contain_text("Held for you until")
    expect(summary).to_contain_text("03:00 your time")
    summary.get_by_role("button", name="Book").click()
    expect(page.get_by_role("main").get_by_text("Appointment booked successfully!")).to_be_visible()
    appointment = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=account.name))
    expect(appointment).to_contain_text(f"{format_day(day)}, 08:00")
    expect(appointment).to_contain_text("03:00 your time")

    desk.goto("/doctor/appointments")
    seen = desk.get_by_role("listitem").filter(has=desk.get_by_role("heading", name=patient.name))
    expect(seen).to_contain_text(f"{format_day(day)}, 08:00")

    desk.goto("/doctor/schedule")
    desk.get_by_role("button", name="Add time off").click()
    dialog = desk.get_by_role("dialog")
    dialog.get_by_label("First day").fill(day.isoformat())
    dialog.get_by_role("button", name="Save time off").click()
    expect(dialog).to_contain_text("1 appointment falls within")
    affected = dialog.get_by_role("listitem").filter(has_text=patient.name)
    what = affected.get_by_label(re.compile("^What happens"))
    # A patient who is not asked would come to a closed door.
    expect(what).to_have_value("propose")
    what.select_option("keep")
    dialog.get_by_role("button", name="Save time off").click()
    expect(desk.get_by_text("Time off saved")).to_be_visible()

    desk.goto("/doctor/appointments")
    expect(seen).to_contain_text("Outside your hours")
    page_errors.expect("409 /api/appointments/hold")
    page.goto(f"/patient/book-appointment/{account.id}?date={day}&time=09:00")
    expect(page.get_by_role("main")).to_contain_text("can’t be held for you")


WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@pytest.fixture
def busy_doctor(site: RealServer, api: ApiClient) -> tuple[Person, list[Person], date]:
    """A doctor with twelve confirmed appointments tomorrow, one after the other."""
    account = api.register_doctor()
    license_number = get_license_number(api, account)
    site.sql(f"UPDATE doctors_doctorprofile SET approval = 'approved' WHERE license_number = '{license_number}'")
    hours = {weekday: [{"start": "08:00", "end": "20:00"}] for weekday in WEEKDAYS}
    schedule = {"timeZone": str(CLINIC), "visitMinutes": 60, "instantConfirmation": True, "weeklyHours": hours}
    api.call("PUT", "/doctors/schedule", schedule, account.token)
    tomorrow = datetime.now(CLINIC).date() + timedelta(days=1)
    patients = []
    for hour in range(8, 20):
        patient = api.register()
        body = {
            "doctorId": account.id, "appointmentDate": str(tomorrow), "appointmentTime": f"{hour:02}:00",
            "symptoms": "A cough.",
        }  # fmt: skip
        api.call("POST", "/appointments", body, patient.token)
        patients.append(patient)
    return account, patients, tomorrow


def test_ill_doctor_proposes_new_times_to_twelve_patients_in_three_clicks(
    open_page_as: Callable[..., Page], api: ApiClient, busy_doctor: tuple[Person, list[Person], date]
) -> None:
    account, patients, tomorrow = busy_doctor
    desk = open_page_as(account)
    desk.goto("/doctor/schedule")
    desk.get_by_role("button", name="Add time off").click()
    dialog = desk.get_by_role("dialog")
    # Tomorrow, the whole day, is what most want.
    expect(dialog.get_by_label("First day")).to_have_value(str(tomorrow))
    dialog.get_by_role("button", name="Save time off").click()
    expect(dialog).to_contain_text("12 appointments fall within")
    rows = dialog.get_by_role("listitem")
    expect(rows).to_have_count(12)
    expect(rows.first.get_by_role("link")).to_have_attribute("href", re.compile(r"^tel:(\+1)?2025550147$"))
    assert check_colors(desk, "affected appointments") == []
    dialog.get_by_role("button", name="Save time off").click()
    expect(desk.get_by_text("12 new times suggested. We’ve notified the patients.")).to_be_visible()

    times = set()
    for patient in patients:
        (appointment,) = api.call("GET", "/appointments", token=patient.token)["appointments"]
        proposal = appointment["proposal"]
        times.add((proposal["appointmentDate"], proposal["appointmentTime"]))
    assert len(times) == 12
    assert all(day > str(tomorrow) for day, _ in times)
    expect(desk.get_by_role("list", name="Time off").get_by_role("listitem")).to_have_count(1)


def test_doctor_cancels_everything_during_time_off_and_deletes_it(
    open_page_as: Callable[..., Page], api: ApiClient, busy_doctor: tuple[Person, list[Person], date]
) -> None:
    account, patients, _ = busy_doctor
    desk = open_page_as(account)
    desk.goto("/doctor/appointments?view=week")
    desk.get_by_role("button", name="Add time off").click()
    dialog = desk.get_by_role("dialog")
    dialog.get_by_role("button", name="Save time off").click()
    dialog.get_by_role("button", name="Cancel all").click()
    dialog.get_by_role("button", name="Save time off").click()
    # The summary's link leads to the reason.
    dialog.get_by_role("link", name="Please give a reason for cancelling.").click()
    desk.keyboard.type("The doctor is ill.")
    dialog.get_by_role("button", name="Save time off").click()
    expect(desk.get_by_text("12 appointments cancelled. We’ve notified the patients.")).to_be_visible()
    for patient in patients:
        (appointment,) = api.call("GET", "/appointments", token=patient.token)["appointments"]
        assert (appointment["status"], appointment["cancelReason"]) == ("cancelled", "The doctor is ill.")

    desk.goto("/doctor/schedule")
    entry = desk.get_by_role("list", name="Time off").get_by_role("listitem")
    entry.get_by_role("button", name=re.compile("^Remove")).click()
    expect(desk.get_by_text("Time off removed")).to_be_visible()
    expect(entry).to_have_count(0)


def get_license_number(api: ApiClient, account: Person) -> str:
    """Return a doctor's license number."""
    return str(api.call("GET", "/auth/profile", token=account.token)["user"]["licenseNumber"])
