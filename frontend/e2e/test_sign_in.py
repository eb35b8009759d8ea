"""Test login, its errors, and how a session ends."""

import re
from collections.abc import Callable

import pytest
from api_client import PASSWORD, ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import BrowserContext, Page, expect
from steps import disable_bell, fill_registration, go_to, new_address, sign_in, wait_until_loaded

START_CHECK = "**/api/auth/profile"
HARMLESS = {"token", "lastRole", "colours"}


@pytest.mark.parametrize(
    ("email", "password", "role"),
    [
        ("nobody@example.com", "garden-kettle", "Patient"),
        ("patient@example.com", "a-wrong-password", "Patient"),
        ("patient@example.com", "a-wrong-password", "Doctor"),
    ],
    ids=["unknown address", "wrong password", "wrong password and role"],
)
def test_failed_login_shows_an_error(page: Page, page_errors: PageErrors, email: str, password: str, role: str) -> None:
    page_errors.expect("401 /api/auth/login")
    page.clock.install()
    page.goto("/login?next=%2Fpatient%2Frecords")
    wait_until_loaded(page)
    page.evaluate("window.stillHere = true")
    sign_in(page, email, password, role)

    message = page.get_by_role("alert").filter(has_text="Login failed")
    expect(message).to_be_focused()
    page.clock.fast_forward("02:00")
    expect(message).to_be_visible()
    expect(page).to_have_url("/login?next=%2Fpatient%2Frecords")
    expect(page).to_have_title("Error: Sign in - Wellhour")
    assert page.evaluate("window.stillHere") is True
    expect(page.get_by_label("Login as")).to_have_value(role.lower())
    expect(page.get_by_label("Email address")).to_have_value(email)
    expect(page.get_by_label("Password", exact=True)).to_have_value(password)


def test_right_password_with_another_role_offers_the_role_of_the_account(page: Page, page_errors: PageErrors) -> None:
    page_errors.expect("403 /api/auth/login")
    go_to(page, "/login")
    sign_in(page, "patient@example.com", "garden-kettle", "Doctor")

    expect(page.get_by_role("alert").filter(has_text="This is a patient account.")).to_be_focused()
    page.get_by_role("button", name="Sign in as a patient").click()
    expect(page).to_have_url("/patient/dashboard")
    assert page.evaluate("localStorage.lastRole") == "patient"


def test_empty_login_marks_its_fields(page: Page) -> None:
    go_to(page, "/login")
    page.get_by_role("button", name="Sign in").click()
    summary = page.get_by_role("alert").filter(has_text="There is a problem")
    expect(summary).to_be_focused()
    summary.get_by_role("link", name="Enter your password").click()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()


@pytest.mark.parametrize("role", ["patient", "doctor", "admin"])
def test_demo_account_opens_its_dashboard(page: Page, role: str) -> None:
    go_to(page, "/login")
    page.get_by_role("button", name=f"Fill in as {role}").click()
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"/{role}/dashboard")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Welcome, ")


def test_browser_stores_only_token_and_preferences(page: Page, context: BrowserContext, api: ApiClient) -> None:
    doctor = api.doctor()
    go_to(page, "/")
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    fill_registration(page, "Greta Plumtree", new_address())
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url("/patient/dashboard")
    page.goto(f"/patient/book-appointment/{doctor['_id']}")
    page.get_by_label("Symptoms").fill("Something that nobody else may read.")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    stored = page.evaluate("({ ...localStorage })")
    assert set(stored) <= HARMLESS
    assert stored["token"].count(".") == 2
    assert stored["colours"] == "dark"
    assert page.evaluate("({ ...sessionStorage })") == {}
    assert page.evaluate("indexedDB.databases().then((all) => all.length)") == 0
    assert context.cookies() == []

    page.get_by_role("button", name="Logout").click()
    expect(page).to_have_url("/")
    expect(page.get_by_role("banner").get_by_role("link", name="Login")).to_be_visible()
    assert set(page.evaluate("({ ...localStorage })")) <= HARMLESS - {"token"}
    # Signing in prefills the role of last time, and that is all it keeps.
    page.get_by_role("banner").get_by_role("link", name="Login").click()
    sign_in(page, "patient@example.com", "garden-kettle")
    expect(page).to_have_url("/patient/dashboard")
    assert page.evaluate("localStorage.lastRole") == "patient"


def test_protected_page_asks_to_sign_in_and_returns(page: Page, api: ApiClient) -> None:
    patient = api.register()
    page.goto("/patient/appointments?scope=past")
    expect(page).to_have_url("/login?next=%2Fpatient%2Fappointments%3Fscope%3Dpast")
    sign_in(page, patient.email, PASSWORD)
    expect(page).to_have_url("/patient/appointments?scope=past")
    expect(page.get_by_text("No past appointments")).to_be_visible()


@pytest.mark.parametrize("path", ["//example.com/", "/\\example.com", "https://example.com/", "javascript:alert(1)"])
def test_sign_in_does_not_redirect_off_site(page: Page, api: ApiClient, path: str) -> None:
    patient = api.register()
    page.goto("/login")
    go_to(page, f"/login?next={path}")
    sign_in(page, patient.email, PASSWORD)
    expect(page).to_have_url("/patient/dashboard")


def test_wrong_role_is_redirected_home(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    patient = open_page_as(api.register())
    for path in ("/doctor/dashboard", "/doctor/appointments", "/admin/dashboard"):
        patient.goto(path)
        expect(patient).to_have_url("/")
        expect(patient.get_by_role("link", name="Go to Dashboard")).to_be_visible()
    doctor = open_page_as(api.register_doctor())
    for path in ("/patient/dashboard", "/patient/appointments", "/patient/records", "/admin/dashboard"):
        doctor.goto(path)
        expect(doctor).to_have_url("/")


def test_unknown_path_links_home(page: Page, page_errors: PageErrors) -> None:
    page_errors.expect("404 /no/such/page")
    page.goto("/no/such/page")
    expect(page).to_have_url("/")
    expect(page.get_by_role("heading", name="See a doctor you trust")).to_be_visible()


def test_outage_at_start_keeps_the_token_and_offers_to_retry(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    person = api.register()
    page = open_page_as(person)
    for outage in (
        lambda route: route.fulfill(status=500, body="<h1>Server Error</h1>"),
        lambda route: route.abort("timedout"),
    ):
        page.route(START_CHECK, outage)
        page.goto("/patient/appointments")
        trouble = page.get_by_role("alert").filter(has_text="You’re still signed in.")
        expect(trouble).to_be_visible()
        expect(page).to_have_url("/patient/appointments")
        assert page.evaluate("localStorage.token") == person.token
        page.unroute(START_CHECK)
        trouble.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("heading", name="My appointments")).to_be_visible()
    page_errors.expect("500 /api/auth/profile", "net::ERR_TIMED_OUT /api/auth/profile")


def test_unanswered_start_request_times_out_after_ten_seconds(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    page = open_page_as(api.register())
    page.route(START_CHECK, lambda _: None)
    page.clock.install()
    page.goto("/patient/records")
    expect(page.get_by_role("main").get_by_role("status")).to_be_visible()
    page.clock.fast_forward(10_001)
    expect(page.get_by_role("main").get_by_role("button", name="Try again")).to_be_visible()
    page.unroute(START_CHECK)
    page.get_by_role("main").get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Medical records")).to_be_visible()


def test_public_page_stays_usable_during_an_outage(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("503 /api/auth/profile")
    page = open_page_as(api.register())
    page.route(START_CHECK, lambda route: route.fulfill(status=503, body=""))
    page.goto("/patient/doctors")
    expect(page.get_by_text("You’re still signed in.")).to_be_visible()
    expect(page.get_by_role("article").first).to_be_visible()
    page.unroute(START_CHECK)
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Account menu")).to_be_visible()


def test_session_ended_elsewhere_asks_to_sign_in_and_returns(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("401 /api/appointments")
    person = api.register()
    page = open_page_as(person)
    disable_bell(page)
    page.goto("/patient/profile")
    wait_until_loaded(page)
    api.call("POST", "/auth/logout", token=person.token)

    page.get_by_role("link", name="Dashboard").click()
    expect(page).to_have_url("/login?next=%2Fpatient%2Fdashboard")
    expect(page.get_by_text("You’ve been signed out.")).to_be_visible()
    assert page.evaluate("localStorage.token") is None
    sign_in(page, person.email, PASSWORD)
    expect(page).to_have_url("/patient/dashboard")


def test_stale_token_on_a_public_page_continues_signed_out(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("401 /api/*")
    person = api.register()
    api.call("POST", "/auth/logout", token=person.token)
    page = open_page_as(person)
    page.goto("/")
    expect(page.get_by_role("banner").get_by_role("link", name="Login")).to_be_visible()
    expect(page).to_have_url("/")
    assert page.evaluate("localStorage.token") is None


def test_idle_session_warns_before_it_ends(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    page = open_page_as(api.register())
    page.clock.install()
    page.goto("/patient/profile")
    wait_until_loaded(page)
    # What watches the clock comes with what else only the signed-in have.
    expect(page.get_by_role("button", name="Account menu")).to_be_visible()
    page.clock.fast_forward("28:10")
    warning = page.get_by_role("alertdialog", name="Are you still there?")
    expect(warning).to_be_visible()
    warning.get_by_role("button", name="Stay signed in").click()
    expect(warning).to_be_hidden()
    page.clock.fast_forward("28:10")
    expect(warning).to_be_visible()
    page.clock.fast_forward("02:00")
    expect(page).to_have_url("/login?next=%2Fpatient%2Fprofile")
    expect(page.get_by_text("You’ve been signed out.")).to_be_visible()


def test_crash_in_a_page_shows_the_error_page(page: Page, api: ApiClient, page_errors: PageErrors) -> None:
    page_errors.expect("console *")
    path = f"/doctors/{api.doctor()['_id']}"
    nonsense = '{"success": true, "message": "", "data": {"doctor": {"name": 7}}}'
    page.route(f"**/api{path}", lambda route: route.fulfill(body=nonsense, content_type="application/json"))
    page.goto(path)
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    expect(page).to_have_title("Something went wrong - Wellhour")
    expect(page.get_by_role("banner")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Go to the home page").click()
    expect(page).to_have_url("/")
    expect(page.get_by_role("heading", name="See a doctor you trust")).to_be_visible()


def test_missing_static_file_and_api_path_are_plain_404s(page: Page, page_errors: PageErrors) -> None:
    page_errors.expect("404 /static/app/assets/gone-12345678.js", "404 /api/no/such/call")
    gone = page.goto("/static/app/assets/gone-12345678.js")
    assert gone is not None
    assert gone.status == 404
    unknown = page.goto("/api/no/such/call")
    assert unknown is not None
    assert unknown.json()["code"] == "not_found"


def test_role_is_preselected_from_the_previous_page(page: Page) -> None:
    page.goto("/doctor/appointments?status=pending")
    expect(page).to_have_url(re.compile("^.*/login\\?next="))
    expect(page.get_by_label("Login as")).to_have_value("doctor")
