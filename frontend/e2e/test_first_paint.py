"""Test pages before their scripts load: React hydrates in place, without layout shift or repeated requests."""

import re
from collections.abc import Callable

import pytest
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import BrowserContext, Page, Route, ViewportSize, expect
from steps import wait_until_loaded

PHONE: ViewportSize = {"width": 360, "height": 780}
# CLS of Core Web Vitals, but all in one window: no page here lives longer.
MOST_SHIFT = 0.02
# The page, its heading before the code runs, and after the answers are here.
PAGES = {
    "home": ("/", "See a doctor you trust", "See a doctor you trust"),
    "find": ("/patient/doctors", "Find Your Doctor", "Find Your Doctor"),
    "doctor": ("/doctors/{doctor}", "Loading doctor", "Dr. "),
    "book": ("/patient/book-appointment/{doctor}", "Book appointment", "Book appointment"),
}
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) {
      window.shifts.push([entry.value, entry.sources.map(({ node }) => (node?.outerHTML ?? '').slice(0, 90))]);
    }
  }
}).observe({ type: 'layout-shift', buffered: true });
"""


@pytest.fixture(scope="module")
def doctor(api: ApiClient) -> str:
    """Return the id of a doctor who can be booked."""
    return str(api.doctor()["_id"])


def hold_scripts(page: Page) -> list[Route]:
    """Hold back the main script; return the held requests."""
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.route(re.compile(r"/static/app/assets/main-.*\.js"), hold)
    return waiting


def release_scripts(page: Page, waiting: list[Route]) -> None:
    """Continue the held requests once there are any."""
    while not waiting:
        page.wait_for_timeout(20)
    for route in waiting:
        route.continue_()
    page.unroute_all()


@pytest.mark.parametrize("size", [PHONE, {"width": 1440, "height": 900}], ids=["phone", "desktop"])
@pytest.mark.parametrize("name", PAGES)
def test_server_rendered_page_is_hydrated_in_place(
    context: BrowserContext, doctor: str, name: str, size: ViewportSize
) -> None:
    path, before, after = PAGES[name]
    page = context.new_page()
    page.set_viewport_size(size)
    page.add_init_script(WATCH)
    waiting = hold_scripts(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.format(doctor=doctor), wait_until="commit")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text(before)
    drawn = heading.element_handle()
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    release_scripts(page, waiting)
    wait_until_loaded(page)
    expect(heading).to_contain_text(after)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("(drawn) => drawn === document.querySelector('h1')", drawn), "The heading is another one."
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts
    calls = [url.partition("/api")[2] for url in asked if "/api/" in url]
    assert len(calls) == len(set(calls)), calls
    assert "/config" not in calls


def test_signed_in_user_sees_no_visitor_content(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    page = open_page_as(api.sign_in("patient"))
    waiting = hold_scripts(page)
    page.goto("/", wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    header = page.get_by_role("banner")
    expect(header.get_by_role("link", name="Wellhour, home page")).to_be_visible()
    assert (
        page.get_by_text("Register", exact=False).evaluate_all(
            "(found) => found.filter((each) => each.checkVisibility({ visibilityProperty: true })).length"
        )
        == 0
    )
    release_scripts(page, waiting)
    expect(header.get_by_role("button", name="Account menu")).to_be_visible()
    expect(page.get_by_role("link", name="Go to Dashboard")).to_be_visible()
    expect(page.get_by_role("link", name="Register Now")).to_have_count(0)


def test_color_scheme_applies_before_scripts_load(page: Page) -> None:
    page.goto("/about")
    page.evaluate("localStorage.setItem('colours', 'dark')")
    hold_scripts(page)
    page.goto("/", wait_until="commit")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(20, 24, 26)"


def test_page_without_scripts_explains_that_they_are_required(open_context: Callable[..., BrowserContext]) -> None:
    page = open_context(java_script_enabled=False).new_page()
    page.goto("/")
    expect(page.locator(".no-script")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_label("Doctor or specialty").fill("Cardiology")
    page.get_by_role("button", name="Find a doctor").click()
    expect(page).to_have_url(re.compile(r"/patient/doctors\?search=Cardiology"))
    expect(page.get_by_role("heading", name="Find Your Doctor")).to_be_visible()


@pytest.mark.parametrize("path", ["/login", "/register", "/forgot-password", "/reset-password?token=x"])
def test_no_password_form_is_shown_before_its_script(page: Page, page_errors: PageErrors, path: str) -> None:
    """The browser would send it by itself, in the address; and what is typed would be gone when the code comes."""
    page_errors.allow("400 /api/auth/password/reset/check")
    waiting = hold_scripts(page)
    page.goto(path, wait_until="commit")
    expect(page.locator("header")).to_be_visible()
    assert page.locator("input, textarea, form").count() == 0
    release_scripts(page, waiting)
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_cached_page_runs_again(page: Page) -> None:
    for _ in range(3):
        page.goto("/login")
        expect(page.get_by_label("Email address")).to_be_visible()


@pytest.mark.parametrize("path", ["/patient/doctors", "/patient/doctors?ordering=name", "/"])
def test_text_typed_before_scripts_load_is_kept(page: Page, path: str) -> None:
    waiting = hold_scripts(page)
    page.goto(path, wait_until="commit")
    field = page.locator("#root input[name=search]").first
    field.fill("Oakapple")
    release_scripts(page, waiting)
    wait_until_loaded(page)
    expect(field).to_have_value("Oakapple")
    expect(field).to_be_focused()
    if path != "/":
        expect(page.get_by_role("main").get_by_role("heading", level=3)).to_have_count(1)


@pytest.mark.parametrize("path", ["/nowhere", "/doctors/a/b", "/doctor/nothing", "/admin/nothing"])
def test_unknown_page_is_a_404_that_links_home(page: Page, page_errors: PageErrors, path: str) -> None:
    page_errors.expect(f"404 {path}")
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 404
    expect(page).to_have_url("/")
    expect(page.get_by_role("alert").filter(has_text="We couldn’t find that page.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("path", ["/patient/dashboard", "/patient/appointments", "/patient/records", "/profile"])
def test_signed_in_page_renders_without_layout_shift(
    open_page_as: Callable[[Person], Page], api: ApiClient, path: str
) -> None:
    account = api.sign_in("patient")
    ensure_proposal(api, account)
    page = open_page_as(account)
    page.set_viewport_size({"width": 390, "height": 844})
    page.add_init_script(WATCH)

    def slowly(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/api/**", slowly)
    page.goto(path)
    page.wait_for_load_state("networkidle")
    wait_until_loaded(page)
    if path in ("/patient/dashboard", "/patient/appointments"):
        expect(page.get_by_role("button", name="Accept new time").first).to_be_visible()
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts


def ensure_proposal(api: ApiClient, patient: Person) -> None:
    """Ensure that the patient has an appointment with an open proposal."""
    doctor = api.sign_in("doctor")
    known = {"_id": doctor.id}
    ahead = api.call("GET", "/appointments?scope=upcoming&pageSize=100", token=patient.token)["appointments"]
    if any(appointment["proposal"] for appointment in ahead):
        return
    appointment = api.book(patient, known, latest=True)
    date, time = api.free_times(known)[-1]
    wanted = {"appointmentDate": date, "appointmentTime": time, "reason": "I am away that day."}
    api.call("POST", f"/appointments/{appointment['_id']}/proposal", wanted, doctor.token)
