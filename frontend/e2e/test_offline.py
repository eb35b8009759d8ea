"""Test pages without a network, and their recovery when it is back."""

import re
from collections.abc import Callable

import pytest
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import Page, expect
from steps import go_to, wait_until_loaded

OFFLINE = "You’re offline. We’ll retry when you’re back."
RECOVERY_MS = 3_000


@pytest.fixture(autouse=True)
def allow_lost_requests(page_errors: PageErrors) -> None:
    """Allow requests to fail when the network is lost."""
    page_errors.allow("net::ERR_INTERNET_DISCONNECTED *")


@pytest.fixture
def patient(api: ApiClient) -> Person:
    return api.sign_in("patient")


def go_offline(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.get_by_text(OFFLINE).first).to_be_visible()


def go_online(page: Page) -> None:
    page.context.set_offline(False)


def expect_no_error(page: Page) -> None:
    """Check that the page blames neither the server nor the user."""
    for sentence in ("our fault", "Something went wrong", "Check your connection", "could not load", "Failed to"):
        expect(page.locator("body")).not_to_contain_text(sentence)


def test_page_whose_script_failed_to_load_opens_when_online_again(
    open_page_as: Callable[[Person], Page], patient: Person, page_errors: PageErrors
) -> None:
    page_errors.expect("net::ERR_INTERNET_DISCONNECTED *", "console *")
    page = open_page_as(patient)
    go_to(page, "/patient/dashboard")
    wait_until_loaded(page)
    go_offline(page)
    page.get_by_role("link", name="View Records").click()
    expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
    expect_no_error(page)
    go_online(page)
    expect(page).to_have_url(re.compile("/patient/records$"))
    expect(page.get_by_role("heading", level=1, name="Medical records")).to_be_visible(timeout=RECOVERY_MS)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)


def test_page_whose_messages_failed_to_load_offers_to_try_again(page: Page, page_errors: PageErrors) -> None:
    page_errors.expect("net::ERR_FAILED *", "console *")
    page.route("**/shell.*.json", lambda route: route.abort())
    page.goto("/about")
    expect(page.get_by_role("alert").get_by_role("heading", name="This page didn’t load")).to_be_visible()
    expect(page).to_have_title("This page didn’t load - Wellhour")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1, name="About Us")).to_be_visible()
    expect(page.get_by_role("link", name="Contact", exact=True)).to_be_visible()


def test_search_waits_offline_and_continues_when_online(page: Page) -> None:
    go_to(page, "/patient/doctors")
    wait_until_loaded(page)
    cards = page.locator("main").get_by_role("article")
    go_offline(page)
    page.get_by_label("Name or specialization").fill("derm")
    page.keyboard.press("Enter")
    results = page.locator("main").get_by_role("status").filter(has_text=OFFLINE)
    expect(results).to_be_visible()
    expect(cards).to_have_count(0)
    expect_no_error(page)
    go_online(page)
    expect(cards.filter(has_text="Dermatology").first).to_be_visible(timeout=RECOVERY_MS)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)


def test_list_waits_offline_and_loads_when_online(open_page_as: Callable[[Person], Page], patient: Person) -> None:
    page = open_page_as(patient)
    go_to(page, "/patient/appointments")
    wait_until_loaded(page)
    go_offline(page)
    page.get_by_role("link", name="Past", exact=True).click()
    expect(page.locator("main").get_by_text(OFFLINE)).to_be_visible()
    expect_no_error(page)
    go_online(page)
    expect(page.locator("main").get_by_text("Completed").first).to_be_visible(timeout=RECOVERY_MS)


def test_action_offline_fails_immediately_and_is_not_sent_later(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("net::ERR_INTERNET_DISCONNECTED /api/*")
    person = api.register()
    doctor = next(each for each in api.doctors(pageSize="100") if not each["instantConfirmation"])
    appointment = api.book(person, doctor)
    page = open_page_as(person)
    go_to(page, f"/patient/appointments/{appointment['_id']}")
    wait_until_loaded(page)
    go_offline(page)
    page.get_by_role("button", name="Cancel Appointment").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel appointment").click()
    expect(page.get_by_role("alert").filter(has_text="Failed to cancel appointment. You’re offline.")).to_be_visible()
    go_online(page)
    expect(page.get_by_text(OFFLINE)).to_have_count(0)
    page.wait_for_timeout(1_000)
    assert (
        api.call("GET", f"/appointments/{appointment['_id']}", token=person.token)["appointment"]["status"]
        != "cancelled"
    )


def test_request_that_hangs_shows_an_error_after_ten_seconds(
    open_page_as: Callable[[Person], Page], patient: Person, page_errors: PageErrors
) -> None:
    page = open_page_as(patient)
    page.route("**/api/appointments?*", lambda route: None)
    page.goto("/patient/appointments")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_timeout(8_000)
    expect(page.get_by_text("Failed to fetch appointments")).to_have_count(0)
    expect(page.get_by_text("Failed to fetch appointments")).to_be_visible(timeout=4_000)
    page.unroute_all(behavior="ignoreErrors")
