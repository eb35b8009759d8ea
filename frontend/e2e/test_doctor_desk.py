"""Test the desk of a doctor: worklist, calendar, patients and keyboard shortcuts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from accessibility import NARROWEST, PHONE, check_colors
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import Locator, Page, expect
from steps import CLINIC, move_start_near_now, wait_until_loaded

from config.testing import RealServer

REASON = "My knee clicks when I climb stairs."
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
CONFIRMED = "Appointment marked as confirmed successfully!"


@dataclass
class Practice:
    """A doctor of one's own, open every day from nine to five, and the week after this one."""

    api: ApiClient
    account: Person
    monday: date

    def on(self, weekday: int) -> date:
        return self.monday + timedelta(days=weekday)

    def booked(self, day: date, time: str, confirmed: bool = True) -> tuple[Person, str]:
        """Make a patient with an appointment; return both."""
        patient = self.api.register()
        wanted = {"appointmentDate": day.isoformat(), "appointmentTime": time, "symptoms": REASON}
        asked = self.api.call("POST", "/appointments", {"doctorId": self.account.id, **wanted}, patient.token)
        appointment = str(asked["appointment"]["_id"])
        if confirmed:
            self.api.call("PUT", f"/appointments/{appointment}/status", {"status": "confirmed"}, self.account.token)
        return patient, appointment

    def appointment(self, appointment: str) -> dict[str, Any]:
        appointment: dict[str, Any] = self.api.call("GET", f"/appointments/{appointment}", token=self.account.token)[
            "appointment"
        ]
        return appointment


# Selects whose chosen words need more room than they have.
CUT_OFF = """
(selects) => selects.filter((select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(select.selectedOptions[0].text).width > room;
}).map((select) => select.name)
"""


@pytest.fixture
def practice(site: RealServer, api: ApiClient) -> Practice:
    """Open a practice that no other test knows."""
    account = api.register_doctor()
    license_number = api.call("GET", "/auth/profile", token=account.token)["user"]["licenseNumber"]
    site.sql(f"UPDATE doctors_doctorprofile SET approval = 'approved' WHERE license_number = '{license_number}'")
    hours = {weekday: [{"start": "09:00", "end": "17:00"}] for weekday in WEEKDAYS}
    api.call(
        "PUT",
        "/doctors/schedule",
        {"timeZone": str(CLINIC), "visitMinutes": 60, "minNoticeMinutes": 0, "weeklyHours": hours},
        account.token,
    )
    today = datetime.now(CLINIC).date()
    return Practice(api, account, today + timedelta(days=7 - today.weekday()))


def format_day(day: date) -> str:
    """Format a day like the pages, with the year unless it is the current one."""
    year = "" if day.year == datetime.now(CLINIC).year else f" {day.year}"
    return f"{day:%A} {day.day} {day:%B}{year}"


def open_week(page: Page, day: date) -> None:
    page.goto(f"/doctor/appointments?view=week&date={day}")
    expect(page.locator("[data-column]")).to_have_count(7)


def column(page: Page, day: date) -> Locator:
    return page.locator(f'[data-column="{day}"]')


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with intermediate mouse moves."""
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def find_point(page: Page, day: date, minute: int) -> tuple[float, float]:
    """Return the coordinates of a minute; the calendar spans 8:00 to 18:00."""
    box = column(page, day).bounding_box()
    assert box
    return box["x"] + 30, box["y"] + box["height"] * (minute - 8 * 60) / (10 * 60)


def spoken_name(name: str) -> re.Pattern[str]:
    """Match an accessible name; browsers put spaces between its parts."""
    return re.compile(re.escape(name).replace(",", r"\s*,"))


def get_focused_text(page: Page) -> str:
    return re.sub(r"\s+", " ", str(page.evaluate("document.activeElement.textContent"))).strip()


def test_requests_are_confirmed_and_undone_by_keyboard_in_place(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    patient, appointment = practice.booked(practice.on(1), "10:00", confirmed=False)
    other, _ = practice.booked(practice.on(1), "11:00", confirmed=False)
    page = open_page_as(practice.account)
    page.goto("/doctor/dashboard")
    wait_until_loaded(page)
    queue = page.get_by_role("region", name="Waiting for your reply")
    expect(queue.get_by_role("listitem")).to_have_count(2)
    card = queue.get_by_role("listitem").filter(has_text=patient.name)
    expect(card).to_contain_text(REASON)
    expect(card).to_contain_text(f"{format_day(practice.on(1))}, 10:00")
    expect(card).to_contain_text("Reply by")
    assert check_colors(page) == []

    page.keyboard.press("n")
    expect(card.get_by_role("heading")).to_be_focused()
    page.keyboard.press("c")
    # One press confirms, and nothing is asked.
    undo = card.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    assert practice.appointment(appointment)["status"] == "confirmed"
    assert check_colors(page, "undo") == []
    page.keyboard.press("u")
    expect(card.get_by_role("button", name="Confirm")).to_be_visible()
    assert practice.appointment(appointment)["status"] == "pending"
    expect(card.get_by_role("heading")).to_be_focused()
    page.keyboard.press("c")
    expect(undo).to_be_visible()
    # The offer to undo ends with its ten seconds.
    expect(undo).to_have_count(0)
    expect(card).to_contain_text("Confirmed")
    expect(queue.get_by_role("listitem")).to_have_count(2)
    expect(page.get_by_role("region", name="Now and next")).to_contain_text(patient.name)
    page.keyboard.press("n")
    expect(queue.get_by_role("heading", name=other.name)).to_be_focused()
    page.keyboard.press("p")
    page.keyboard.press("o")
    expect(page).to_have_url(f"/doctor/appointments/{appointment}")


def test_request_dialog_looks_like_every_other_dialog(open_page_as: Callable[..., Page], practice: Practice) -> None:
    practice.booked(practice.on(1), "10:00", confirmed=False)
    page = open_page_as(practice.account)
    page.goto("/doctor/dashboard")
    page.get_by_role("button", name="Decline").click()
    dialog = page.get_by_role("dialog", name="Decline this request?")
    head = dialog.get_by_role("heading")
    edges = dialog.get_by_role("button", name=re.compile("^(Decline|Go back)$")).evaluate_all(
        "(buttons) => buttons.map((button) => button.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    assert edges[1][0] - edges[0][1] == 12
    # As large as on every other page.
    assert head.evaluate("heading => getComputedStyle(heading).fontSize") == "24px"


def test_figures_link_to_their_rows(open_page_as: Callable[..., Page], practice: Practice) -> None:
    practice.booked(practice.on(2), "09:00")
    page = open_page_as(practice.account)
    page.goto("/doctor/dashboard")
    figures = page.get_by_role("region", name="Figures")
    for label, number in (("Total appointments", 1), ("Today’s appointments", 0), ("Total patients", 1)):
        expect(figures.get_by_role("link", name=re.compile(rf"{label}\s*{number}$"))).to_be_visible()
    earnings = figures.get_by_role("link", name="Total earnings")
    expect(earnings).to_have_text(re.compile(r"Total earnings\s*\$0\s*Completed, without no-shows$"))
    earnings.click()
    expect(page).to_have_url("/doctor/appointments?status=completed&attended=true")
    expect(page.get_by_text("No completed appointments match")).to_be_visible()


def test_list_shows_counts_and_searches_while_typing(open_page_as: Callable[..., Page], practice: Practice) -> None:
    patient, _ = practice.booked(practice.on(1), "10:00", confirmed=False)
    practice.booked(practice.on(2), "10:00")
    page = open_page_as(practice.account)
    page.goto("/doctor/appointments")
    filters = page.get_by_role("navigation", name="Filter by status")
    for label in ("All 2", "Pending 1", "Confirmed 1", "Completed 0", "Cancelled 0"):
        expect(filters.get_by_role("link", name=re.compile(label.replace(" ", r"\s*")))).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    # Letters that are keys elsewhere are only letters here.
    page.keyboard.type(patient.email)
    expect(page).to_have_url(re.compile(r"\?search=wilma"))
    cards = page.get_by_role("main").get_by_role("heading", level=2)
    expect(cards).to_have_count(1)
    expect(cards).to_have_text(patient.name)
    expect(filters.get_by_role("link", name=re.compile(r"All\s*1"))).to_be_visible()
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Confirm").click()
    expect(page.get_by_text(CONFIRMED)).to_be_visible()
    # The row stays, and the counts are right at once.
    expect(cards).to_have_text(patient.name)
    expect(filters.get_by_role("link", name=re.compile(r"Pending\s*0"))).to_be_visible()
    expect(filters.get_by_role("link", name=re.compile(r"Confirmed\s*1"))).to_be_visible()
    assert check_colors(page) == []


def test_week_and_day_are_navigated_by_keyboard(open_page_as: Callable[..., Page], practice: Practice) -> None:
    patient, _ = practice.booked(practice.on(1), "10:00")
    page = open_page_as(practice.account)
    open_week(page, practice.monday)
    appointment = page.get_by_role("button", name=spoken_name(f"10:00 to 11:00, {patient.name}, Confirmed"))
    expect(appointment).to_be_visible()
    assert check_colors(page, "week") == []

    appointment.focus()
    page.keyboard.press("ArrowDown")
    assert get_focused_text(page) == "11:00 to 12:00, free"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert get_focused_text(page) == "10:00 to 11:00, free"
    page.keyboard.press("ArrowLeft")
    expect(appointment).to_be_focused()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name=patient.name)
    expect(dialog).to_contain_text(REASON)
    assert check_colors(page, "dialog") == []
    page.keyboard.press("Escape")
    expect(appointment).to_be_focused()

    page.keyboard.press("PageDown")
    expect(page).to_have_url(f"/doctor/appointments?view=week&date={practice.on(8)}")
    expect(column(page, practice.on(8)).locator("[data-item]:focus")).to_have_count(1)
    page.keyboard.press("PageUp")
    expect(appointment).to_be_focused()
    page.keyboard.press("d")
    expect(page).to_have_url(f"/doctor/appointments?view=day&date={practice.on(1)}")
    expect(page.get_by_role("main").get_by_role("heading", level=2)).to_have_text(format_day(practice.on(1)))
    expect(appointment).to_be_visible()
    assert check_colors(page, "day") == []
    page.get_by_role("heading", level=1).focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"/doctor/appointments?view=day&date={practice.on(2)}")
    page.keyboard.press("t")
    expect(page).to_have_url("/doctor/appointments?view=day")
    page.keyboard.press("l")
    expect(page).to_have_url("/doctor/appointments")


def test_on_a_phone_the_week_is_a_list(open_page_as: Callable[..., Page], practice: Practice) -> None:
    patient, _ = practice.booked(practice.on(1), "10:00")
    page = open_page_as(practice.account)
    page.set_viewport_size(PHONE)
    open_week(page, practice.monday)
    day = page.get_by_role("region", name=re.compile(rf"Tue {practice.on(1).day} "))
    expect(day.get_by_role("button")).to_have_count(1)
    expect(day.get_by_role("button")).to_contain_text(patient.name)
    expect(page.get_by_text("No appointments", exact=True)).to_have_count(6)
    expect(page.get_by_role("list", name="How appointments look")).to_contain_text("No-show")
    assert check_colors(page) == []


def test_touch_screens_show_no_keyboard_or_drag_hints(open_page_as: Callable[..., Page], practice: Practice) -> None:
    _, appointment = practice.booked(practice.on(1), "10:00")
    page = open_page_as(practice.account, has_touch=True, is_mobile=True)
    page.set_viewport_size(PHONE)
    open_week(page, practice.monday)
    expect(page.get_by_role("list", name="How appointments look")).to_be_visible()
    expect(page.get_by_text("Drag an appointment")).to_be_hidden()
    expect(page.get_by_role("button", name="Keyboard shortcuts")).to_be_hidden()
    page.goto(f"/doctor/appointments/{appointment}")
    expect(page.get_by_role("button", name="Save record")).to_be_visible()
    expect(page.get_by_text("Ctrl", exact=True).first).to_be_hidden()


def test_dragging_an_appointment_opens_a_filled_in_proposal(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    patient, appointment = practice.booked(practice.on(1), "10:00")
    other, _ = practice.booked(practice.on(3), "09:00")
    page = open_page_as(practice.account)
    open_week(page, practice.monday)
    page.get_by_role("button", name=re.compile(other.name)).wait_for()

    # Onto another appointment: it lands on the nearest time that patients are offered.
    drag(page, find_point(page, practice.on(1), 10 * 60 + 20), find_point(page, practice.on(3), 9 * 60 + 20))
    dialog = page.get_by_role("dialog", name="Reschedule")
    expect(dialog.get_by_role("button", name=f"Suggest {format_day(practice.on(3))}, 10:00")).to_be_visible()
    page.keyboard.press("Escape")

    drag(page, find_point(page, practice.on(1), 10 * 60 + 20), find_point(page, practice.on(4), 14 * 60 + 27))
    dialog.get_by_role("button", name=f"Suggest {format_day(practice.on(4))}, 14:00").click()
    expect(page.get_by_text("Suggestion sent")).to_be_visible()
    expect(
        page.get_by_role("button", name=spoken_name(f"{patient.name}, Confirmed, another time suggested"))
    ).to_be_visible()
    expect(column(page, practice.on(4))).to_contain_text(f"Suggested to {patient.name}")
    proposal = practice.appointment(appointment)["proposal"]
    assert (proposal["appointmentDate"], proposal["appointmentTime"]) == (str(practice.on(4)), "14:00")


def test_dragging_blocks_time_and_asks_about_affected_appointments(
    open_page_as: Callable[..., Page], practice: Practice, page_errors: PageErrors
) -> None:
    patient, appointment = practice.booked(practice.on(2), "10:00")
    page = open_page_as(practice.account)
    open_week(page, practice.monday)
    page.get_by_role("button", name=re.compile(patient.name)).wait_for()

    drag(page, find_point(page, practice.on(1), 14 * 60 + 5), find_point(page, practice.on(1), 15 * 60 + 55))
    dialog = page.get_by_role("dialog", name="Block this time")
    expect(dialog.get_by_label("From")).to_have_value("14:00")
    expect(dialog.get_by_label("Until")).to_have_value("16:00")
    dialog.get_by_label("Reason").fill("Ward round")
    assert check_colors(page, "dialog") == []
    dialog.get_by_role("button", name="Block this time").click()
    expect(page.get_by_text("Time blocked")).to_be_visible()
    block = page.get_by_role("button", name=spoken_name("14:00 to 16:00, Ward round, blocked"))
    block.click()
    page.get_by_role("dialog", name="Blocked time").get_by_role("button", name="Unblock").click()
    expect(page.get_by_text("Time unblocked.")).to_be_visible()
    expect(block).to_have_count(0)

    # The same without a drag, over an appointment.
    page_errors.expect("409 /api/doctors/schedule/blocked")
    page.get_by_role("button", name="Book or block time").click()
    page.get_by_role("radio", name="Block this time").check()
    dialog.get_by_label("Date").fill(str(practice.on(2)))
    dialog.get_by_label("From").fill("9.30")
    dialog.get_by_label("Until").fill("12")
    dialog.get_by_role("button", name="Block this time").click()
    inside = page.get_by_role("dialog", name="Appointments during this time")
    expect(inside.get_by_role("heading", name=patient.name)).to_be_visible()
    inside.get_by_label(re.compile("^What happens")).select_option("keep")
    inside.get_by_role("button", name="Block this time").click()
    expect(page.get_by_text("Time blocked")).to_be_visible()
    expect(
        page.get_by_role("button", name=spoken_name(f"{patient.name}, Confirmed, outside your hours"))
    ).to_be_visible()
    assert practice.appointment(appointment)["outsideHours"] is True


def test_narrowest_screen_shows_the_whole_sort_control(open_page_as: Callable[..., Page], practice: Practice) -> None:
    page = open_page_as(practice.account)
    page.set_viewport_size(NARROWEST)
    page.goto("/doctor/patients")
    expect(page.get_by_label("Sort by")).to_be_visible()
    assert page.get_by_role("main").get_by_role("combobox").evaluate_all(CUT_OFF) == []


def test_patient_is_found_contacted_and_booked_outside_the_hours(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    patient, first = practice.booked(practice.on(1), "10:00")
    practice.booked(practice.on(1), "11:00")
    page = open_page_as(practice.account)
    page.goto("/doctor/patients")
    wait_until_loaded(page)
    assert check_colors(page, "patients") == []
    totals = page.get_by_role("main").locator("dl").first
    expect(totals).to_contain_text(re.compile(r"Total\s*2\s*Male\s*0\s*Female\s*2\s*Other\s*0"))
    page.get_by_label("Name or email").fill(patient.email)
    expect(page).to_have_url(re.compile(r"search="))
    cards = page.get_by_role("main").get_by_role("listitem")
    expect(cards).to_have_count(1)
    cards.get_by_role("button", name="Contact").click()
    contact = page.get_by_role("dialog", name=f"Contact {patient.name}")
    expect(contact.get_by_role("link", name=patient.email)).to_have_attribute("href", f"mailto:{patient.email}")
    assert check_colors(page, "contact") == []
    page.keyboard.press("Escape")

    cards.get_by_role("link", name="View History").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(patient.name)
    expect(page.get_by_role("main")).to_contain_text(REASON)
    assert check_colors(page, "history") == []
    page.get_by_role("link", name="Book an appointment").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Book an appointment for {patient.name}")
    page.get_by_role("radio", name="Another date and time").check()
    page.get_by_label("Date", exact=True).fill(str(practice.on(2)))
    page.get_by_label("Time", exact=True).fill("1930")
    page.get_by_label("Reason for the appointment").fill("Stitches out.")
    expect(page.get_by_text("Outside your hours", exact=True)).to_be_visible()
    expect(page.get_by_text(f"{format_day(practice.on(2))}, 19:30")).to_be_visible()
    assert check_colors(page, "book") == []
    page.get_by_role("button", name="Book outside your hours").click()
    expect(page.get_by_text(f"Appointment booked for {patient.name}")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/doctor/appointments/[0-9a-f-]+$"))
    booked = practice.appointment(page.url.rsplit("/", 1)[1])
    assert (booked["status"], booked["outsideHours"], booked["bookedBy"]) == ("confirmed", True, "doctor")
    assert booked["_id"] != first

    theirs = open_page_as(patient)
    theirs.goto("/patient/appointments")
    expect(theirs.get_by_role("main")).to_contain_text(f"{format_day(practice.on(2))}, 19:30")


def test_empty_time_is_booked_for_a_patient_from_the_calendar(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    patient, _ = practice.booked(practice.on(1), "10:00")
    page = open_page_as(practice.account)
    open_week(page, practice.monday)
    column(page, practice.on(3)).get_by_role("button", name="15:00 to 16:00, free").click()
    dialog = page.get_by_role("dialog", name="Book for a patient")
    expect(dialog.get_by_label("Time", exact=True)).to_have_value("15:00")
    dialog.get_by_role("list", name="Patients").get_by_role("link", name=patient.name).click()
    expect(page).to_have_url(re.compile(rf"/book\?date={practice.on(3)}&time=15%3A00$"))
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_text(f"Appointment booked for {patient.name}")).to_be_visible()
    open_week(page, practice.monday)
    expect(column(page, practice.on(3)).get_by_role("button", name=patient.name)).to_be_visible()


def test_no_show_is_marked_on_the_dashboard_and_reopened(
    site: RealServer, open_page_as: Callable[..., Page], practice: Practice
) -> None:
    patient, appointment = practice.booked(practice.on(1), "10:00")
    move_start_near_now(site, appointment, minutes=-24 * 60)
    page = open_page_as(practice.account)
    page.goto("/doctor/dashboard")
    wait_until_loaded(page)
    row = page.get_by_role("region", name="To complete").get_by_role("listitem").filter(has_text=patient.name)
    assert check_colors(page) == []
    row.get_by_role("button", name="No-show").click()
    page.get_by_role("alertdialog").get_by_role("button", name="No-show").click()
    expect(row).to_contain_text("The patient didn’t come.")
    assert practice.appointment(appointment)["attended"] is False
    # No fee for it.
    expect(page.get_by_role("link", name=re.compile("Total earnings"))).to_have_text(
        re.compile(r"Total earnings\s*\$0\s*Completed, without no-shows$")
    )

    page.goto("/doctor/appointments?status=completed")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=patient.name))
    expect(card.get_by_text("No-show", exact=True).first).to_be_visible()
    expect(card.get_by_text("Completed", exact=True)).to_have_count(0)
    card.get_by_role("button", name="Reopen").click()
    page.get_by_role("alertdialog", name="Reopen this appointment?").get_by_role("button", name="Reopen").click()
    expect(page.get_by_text("Appointment reopened")).to_be_visible()
    assert (practice.appointment(appointment)["status"], practice.appointment(appointment)["attended"]) == (
        "confirmed",
        None,
    )


def test_a_proposed_time_waits_for_the_patient_and_accepting_confirms_it(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    patient, appointment = practice.booked(practice.on(1), "10:00", confirmed=False)
    page = open_page_as(practice.account)
    page.goto("/doctor/dashboard")
    wait_until_loaded(page)
    queue = page.get_by_role("region", name="Waiting for your reply")
    queue.get_by_role("button", name="Reschedule").click()
    dialog = page.get_by_role("dialog", name="Reschedule")
    assert check_colors(page, "reschedule") == []
    # Not today, where 11:00 is over from some hour on.
    dialog.get_by_text(f"{practice.on(2).day} {practice.on(2):%b}", exact=True).click()
    dialog.get_by_role("button", name="11:00").first.click()
    dialog.get_by_role("button", name=re.compile("^Suggest .*11:00$")).click()
    expect(page.get_by_text("Suggestion sent")).to_be_visible()
    page.reload()
    section = page.get_by_role("region", name="Waiting for the patient")
    expect(section).to_contain_text(patient.name)
    expect(page.get_by_text("No requests")).to_be_visible()
    assert check_colors(page, "waiting for the patient") == []

    practice.api.call("PUT", f"/appointments/{appointment}/proposal", {"accept": True}, patient.token)
    page.reload()
    expect(page.get_by_role("region", name="Now and next")).to_contain_text(patient.name)
    expect(section).to_have_count(0)
    assert (practice.appointment(appointment)["status"], practice.appointment(appointment)["appointmentTime"]) == (
        "confirmed",
        "11:00",
    )


def test_an_appointment_is_moved_at_once_and_cancelled_with_a_reason(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    _, appointment = practice.booked(practice.on(1), "10:00")
    page = open_page_as(practice.account)
    page.goto(f"/doctor/appointments/{appointment}")
    wait_until_loaded(page)
    page.get_by_role("button", name="Reschedule").click()
    dialog = page.get_by_role("dialog", name="Reschedule")
    expect(dialog.get_by_role("link", name=re.compile("555"))).to_have_attribute("href", re.compile("^tel:"))
    dialog.get_by_role("radio", name="Move now (agreed by phone)").check()
    dialog.get_by_role("radio", name="Another date and time").check()
    dialog.get_by_label("Date", exact=True).fill(str(practice.on(2)))
    dialog.get_by_label("Time", exact=True).fill("19:30")
    dialog.get_by_role("button", name=f"Move to {format_day(practice.on(2))}, 19:30").click()
    expect(page.get_by_text("Appointment moved")).to_be_visible()
    moved = practice.appointment(appointment)
    assert (moved["appointmentDate"], moved["appointmentTime"], moved["outsideHours"]) == (
        str(practice.on(2)), "19:30", True,
    )  # fmt: skip

    page.get_by_role("button", name="Cancel appointment").click()
    question = page.get_by_role("dialog")
    question.get_by_role("button", name="Cancel appointment").click()
    expect(question.get_by_role("alert")).to_contain_text("Please give a reason.")
    question.get_by_label("Reason").fill("I am ill.")
    question.get_by_role("button", name="Cancel appointment").click()
    expect(page.get_by_text("Appointment marked as cancelled successfully!")).to_be_visible()
    assert practice.appointment(appointment)["cancelReason"] == "I am ill."


def test_cannot_make_it_is_listed_first_and_accepted_in_one_click(
    site: RealServer, open_page_as: Callable[..., Page], practice: Practice
) -> None:
    practice.booked(practice.on(1), "09:00", confirmed=False)
    patient, appointment = practice.booked(practice.on(1), "10:00")
    move_start_near_now(site, appointment, minutes=120)
    # After the doctor's cutoff the doctor decides.
    practice.api.call("POST", f"/appointments/{appointment}/cancel-request", {"reason": "I am ill."}, patient.token)
    page = open_page_as(practice.account)
    page.goto("/doctor/dashboard")
    wait_until_loaded(page)
    queue = page.get_by_role("region", name="Waiting for your reply")
    first = queue.get_by_role("listitem").first
    expect(first).to_contain_text(f"{patient.name} can’t make it.")
    expect(first.get_by_role("link", name=re.compile("^Call "))).to_have_attribute("href", re.compile("^tel:"))
    first.get_by_role("button", name="Accept and cancel").click()
    expect(first).to_contain_text("Cancelled")
    cancelled = practice.appointment(appointment)
    assert (cancelled["status"], cancelled["cancelledBy"]) == ("cancelled", "patient")


@pytest.mark.parametrize("path", ["/doctor/dashboard", "/doctor/appointments?status=pending"])
def test_stale_window_shows_the_error_and_keeps_the_reason(
    path: str, open_page_as: Callable[..., Page], practice: Practice, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/appointments/*/status")
    patient, appointment = practice.booked(practice.on(1), "10:00", confirmed=False)
    stale, fresh = open_page_as(practice.account), open_page_as(practice.account)
    stale.goto(path)
    stale.get_by_role("button", name="Decline").click()
    fresh.goto("/doctor/dashboard")
    fresh.get_by_role("button", name="Confirm").click()
    expect(fresh.get_by_text("Confirmed. We’ll notify")).to_be_visible()

    dialog = stale.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("I am away that week.")
    dialog.get_by_role("button", name="Decline").click()
    alert = stale.get_by_role("alert")
    expect(alert).to_contain_text("This appointment has already been confirmed. Nothing was changed.")
    expect(alert).to_contain_text(patient.name)
    expect(alert).to_contain_text("I am away that week.")
    # The request is gone from this window too, and the error is not.
    expect(stale.get_by_role("button", name="Decline")).to_have_count(0)
    expect(alert).to_be_visible()
    assert check_colors(stale, "error") == []
    assert practice.appointment(appointment)["status"] == "confirmed"


def test_keyboard_shortcuts_are_listed_and_can_be_disabled(
    open_page_as: Callable[..., Page], practice: Practice
) -> None:
    page = open_page_as(practice.account)
    page.goto("/doctor/appointments")
    wait_until_loaded(page)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Confirm the request in this row")
    assert check_colors(page) == []
    dialog.get_by_role("checkbox", name="Use these keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    page.keyboard.press("?")
    page.reload()
    wait_until_loaded(page)
    page.keyboard.press("w")
    expect(page).to_have_url("/doctor/appointments")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_role("checkbox", name="Use these keys").check()
    page.keyboard.press("Escape")
    page.keyboard.press("w")
    expect(page).to_have_url("/doctor/appointments?view=week")


def test_tables_are_saved_with_the_session(open_page_as: Callable[..., Page], practice: Practice) -> None:
    patient, _ = practice.booked(practice.on(1), "10:00")
    page = open_page_as(practice.account)
    for path, name in (("/doctor/patients", "patients"), ("/doctor/appointments", "appointments")):
        page.goto(path)
        wait_until_loaded(page)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Download CSV").click()
        assert name in saved.value.suggested_filename
        assert saved.value.suggested_filename.endswith(".csv")
        assert patient.email in saved.value.path().read_text()
