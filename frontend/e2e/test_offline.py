"""Test pages without a network, and their recovery when it is back."""

import re
from collections.abc import Callable

import pytest
from backstage import Backstage, Person
from faults import Faults
from playwright.sync_api import Page, expect
from steps import arrive, settled

OFFLINE = "You're offline. We'll retry when you're back."
RECOVERY_MS = 3_000


@pytest.fixture(autouse=True)
def lost_calls(faults: Faults) -> None:
    """Let calls and pictures fail that are under way when the network goes."""
    faults.allow("net::ERR_INTERNET_DISCONNECTED *")


@pytest.fixture
def patient(backstage: Backstage) -> Person:
    return backstage.sign_in("patient")


def go_offline(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.get_by_text(OFFLINE).first).to_be_visible()


def go_online(page: Page) -> None:
    page.context.set_offline(False)


def expect_no_blame(page: Page) -> None:
    """See that nothing on the page calls it a fault of the server or the person."""
    for sentence in ("our fault", "Something went wrong", "Check your connection", "could not load", "Failed to"):
        expect(page.locator("body")).not_to_contain_text(sentence)


def test_page_whose_script_failed_to_load_opens_when_online_again(
    page_of: Callable[[Person], Page], patient: Person, faults: Faults
) -> None:
    faults.expect("net::ERR_INTERNET_DISCONNECTED *", "console *")
    page = page_of(patient)
    arrive(page, "/patient/dashboard")
    settled(page)
    go_offline(page)
    page.get_by_role("link", name="View Records").click()
    expect(page.get_by_role("heading", name="You're offline")).to_be_visible()
    expect_no_blame(page)
    go_online(page)
    expect(page).to_have_url(re.compile("/patient/records$"))
    expect(page.get_by_role("heading", level=1, name="Medical records")).to_be_visible(timeout=RECOVERY_MS)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)


def test_search_waits_offline_and_continues_when_online(page: Page) -> None:
    arrive(page, "/patient/doctors")
    settled(page)
    cards = page.locator("main").get_by_role("article")
    go_offline(page)
    page.get_by_label("Name or specialization").fill("derm")
    page.keyboard.press("Enter")
    results = page.locator("main").get_by_role("status").filter(has_text=OFFLINE)
    expect(results).to_be_visible()
    expect(cards).to_have_count(0)
    expect_no_blame(page)
    go_online(page)
    expect(cards.filter(has_text="Dermatology").first).to_be_visible(timeout=RECOVERY_MS)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)


def test_list_waits_offline_and_loads_when_online(page_of: Callable[[Person], Page], patient: Person) -> None:
    page = page_of(patient)
    arrive(page, "/patient/appointments")
    settled(page)
    go_offline(page)
    page.get_by_role("link", name="Past", exact=True).click()
    expect(page.locator("main").get_by_text(OFFLINE)).to_be_visible()
    expect_no_blame(page)
    go_online(page)
    expect(page.locator("main").get_by_text("Completed").first).to_be_visible(timeout=RECOVERY_MS)


def test_action_offline_fails_immediately_and_is_not_sent_later(
    page_of: Callable[[Person], Page], backstage: Backstage, faults: Faults
) -> None:
    faults.expect("net::ERR_INTERNET_DISCONNECTED /api/*")
    person = backstage.register()
    doctor = next(each for each in backstage.doctors(pageSize="100") if not each["instantConfirmation"])
    appointment = backstage.book(person, doctor)
    page = page_of(person)
    arrive(page, f"/patient/appointments/{appointment['_id']}")
    settled(page)
    go_offline(page)
    page.get_by_role("button", name="Cancel Appointment").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel appointment").click()
    expect(page.get_by_role("alert").filter(has_text="Failed to cancel appointment. You're offline.")).to_be_visible()
    go_online(page)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)
    page.wait_for_timeout(1_000)
    assert (
        backstage.ask("GET", f"/appointments/{appointment['_id']}", token=person.token)["appointment"]["status"]
        != "cancelled"
    )


def test_request_that_hangs_shows_an_error_after_ten_seconds(
    page_of: Callable[[Person], Page], patient: Person, faults: Faults
) -> None:
    page = page_of(patient)
    page.route("**/api/appointments?*", lambda route: None)
    page.goto("/patient/appointments")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_timeout(8_000)
    expect(page.get_by_text("Failed to fetch appointments")).to_have_count(0)
    expect(page.get_by_text("Failed to fetch appointments")).to_be_visible(timeout=4_000)
    page.unroute_all(behavior="ignoreErrors")
