"""Test every page against WCAG 2.2 AA, in light and dark, on desktop and phone."""

import re
import time
from collections.abc import Callable

import pytest
from accessibility import PHONE, check_colors, check_everywhere
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import BrowserContext, Page, expect
from steps import go_to, wait_until_loaded

from config.testing import RealServer

# The name of a page, who looks at it, and its address.
PAGES = [
    ("home", None, "/"),
    ("home of a patient", "patient", "/"),
    ("home of a doctor", "doctor", "/"),
    ("home of an admin", "admin", "/"),
    ("login", None, "/login"),
    ("register as a patient", None, "/register"),
    ("register as a doctor", None, "/register?role=doctor"),
    ("forgotten password", None, "/forgot-password"),
    ("new password", None, "/reset-password?token=a"),
    ("new password, incomplete link", None, "/reset-password"),
    ("confirm email", None, "/confirm-email?token=a"),
    ("unsubscribe", None, "/unsubscribe?token=a"),
    ("unsubscribe, incomplete link", None, "/unsubscribe"),
    ("notices of a patient", "patient", "/notices"),
    ("notices of a doctor", "doctor", "/notices"),
    ("notices of an admin", "admin", "/notices"),
    ("notices, all read", "reader", "/notices?unread=1"),
    ("notice settings of a patient", "patient", "/profile/notices"),
    ("notice settings of a doctor", "doctor", "/profile/notices"),
    ("find", None, "/patient/doctors"),
    ("find as a patient", "patient", "/patient/doctors"),
    ("find, narrowed", None, "/patient/doctors?search=a&specialization=General+Medicine&city=New+York"),
    ("find, nobody", None, "/patient/doctors?search=zzzz"),
    ("doctor", None, "/doctors/{doctor}"),
    ("doctor, unknown", None, "/doctors/00000000-0000-7000-8000-000000000000"),
    ("book, to choose", "patient", "/patient/book-appointment/{doctor}"),
    ("book, chosen", None, "/patient/book-appointment/{doctor}?date={date}&time={time}"),
    ("book, as a doctor", "doctor", "/patient/book-appointment/{doctor}?date={date}&time={time}"),
    ("patient dashboard", "patient", "/patient/dashboard"),
    ("patient dashboard, empty", "nobody", "/patient/dashboard"),
    ("appointments", "patient", "/patient/appointments"),
    ("appointments, past", "patient", "/patient/appointments?scope=past"),
    ("appointments, empty", "nobody", "/patient/appointments"),
    ("appointments, booked", "patient", "/patient/appointments?booked={appointment}"),
    ("appointment", "patient", "/patient/appointments/{appointment}"),
    ("appointment, to move", "patient", "/patient/appointments/{appointment}/move"),
    ("appointment, completed", "patient", "/patient/appointments/{completed}"),
    ("appointment, cancelled", "patient", "/patient/appointments/{cancelled}"),
    ("appointment, unknown", "patient", "/patient/appointments/00000000-0000-7000-8000-000000000000"),
    ("records", "patient", "/patient/records"),
    ("records, empty", "nobody", "/patient/records"),
    ("simple profile", "patient", "/patient/profile"),
    ("profile of a patient", "patient", "/profile"),
    ("profile editor of a patient", "patient", "/profile?edit=1"),
    ("profile of a doctor", "doctor", "/profile"),
    ("profile editor of a doctor", "doctor", "/profile?edit=1"),
    ("profile of an admin", "admin", "/profile"),
    ("profile editor of an admin", "admin", "/profile?edit=1"),
    ("doctor dashboard", "doctor", "/doctor/dashboard"),
    ("doctor dashboard, waiting", "unapproved", "/doctor/dashboard"),
    ("doctor appointments", "doctor", "/doctor/appointments"),
    ("doctor appointments, empty", "unapproved", "/doctor/appointments?status=pending"),
    ("doctor appointments, day", "doctor", "/doctor/appointments?view=day"),
    ("doctor appointments, week", "doctor", "/doctor/appointments?view=week"),
    ("doctor appointments, week, empty", "unapproved", "/doctor/appointments?view=week"),
    ("doctor patients", "doctor", "/doctor/patients"),
    ("doctor patients, empty", "unapproved", "/doctor/patients"),
    ("doctor patient", "doctor", "/doctor/patients/{patient_here}"),
    ("doctor patient, unknown", "doctor", "/doctor/patients/00000000-0000-7000-8000-000000000000"),
    ("doctor books", "doctor", "/doctor/patients/{patient_here}/book"),
    ("doctor books, typed", "doctor", "/doctor/patients/{patient_here}/book?date={date}&time=23:00"),
    ("doctor schedule", "doctor", "/doctor/schedule"),
    ("appointment of a doctor, to be answered", "doctor", "/doctor/appointments/{pending_here}"),
    ("appointment of a doctor, being written", "doctor", "/doctor/appointments/{confirmed_here}"),
    ("appointment of a doctor, written", "doctor", "/doctor/appointments/{completed_here}"),
    ("appointment of a doctor, being changed", "doctor", "/doctor/appointments/{completed_here}?edit=1"),
    ("appointment of a doctor, unknown", "doctor", "/doctor/appointments/00000000-0000-7000-8000-000000000000"),
    ("records of a doctor", "doctor", "/doctor/records"),
    ("records of a doctor, empty", "unapproved", "/doctor/records"),
    ("public profile", "doctor", "/profile?view=public"),
    ("public profile, waiting", "unapproved", "/profile?view=public"),
    ("profile, waiting", "unapproved", "/profile"),
    ("admin dashboard", "admin", "/admin/dashboard"),
    ("appointments of all", "admin", "/admin/records"),
    ("appointments of all, none", "admin", "/admin/records?search=zzzz"),
    ("trail", "admin", "/admin/audit"),
    ("trail, nothing", "admin", "/admin/audit?requestId=zzzz"),
    ("readings", "admin", "/admin/audit/readings"),
    ("readings, nothing", "admin", "/admin/audit/readings?actor=zzzz"),
    ("figures", "admin", "/admin/analytics"),
    ("figures, nothing", "admin", "/admin/analytics?from=2020-01-01&to=2020-01-07"),
    ("verification, waiting", "unapproved", "/doctor/verification"),
    ("verification", "doctor", "/doctor/verification"),
    ("users", "admin", "/admin/users"),
    ("users, nobody", "admin", "/admin/users?search=zzzz"),
    ("doctors of an admin", "admin", "/admin/doctors"),
    ("doctors of an admin, nobody", "admin", "/admin/doctors?search=zzzz"),
    ("case, open", "admin", "/admin/doctors/{unapproved}"),
    ("case, decided", "admin", "/admin/doctors/{doctor}"),
    ("case, unknown", "admin", "/admin/doctors/00000000-0000-7000-8000-000000000000"),
    ("about", None, "/about"),
    ("contact", None, "/contact"),
    ("privacy", None, "/privacy"),
    ("imprint", None, "/imprint"),
    ("terms", None, "/terms"),
]


TEXTS = (("imprint", "en"), ("imprint", "de"), ("terms", "en"))
CHANGE_ALL_COLORS = """
() => {
  const colors = () => [...document.querySelectorAll('body *')].map((element) => getComputedStyle(element).color);
  const before = colors();
  document.documentElement.dataset.theme = 'dark';
  const now = colors();
  const moving = document.getAnimations().map(({ effect }) => effect.target.outerHTML.slice(0, 80));
  if (now.every((color, place) => color === before[place])) moving.push('no color changed');
  return moving;
}
"""


@pytest.fixture(scope="session")
def accounts(api: ApiClient) -> dict[str, Person]:
    """Return demo accounts, patients without appointments and without unread messages, and an unapproved doctor."""
    reader = api.register()
    api.call("PUT", "/notices/read", {"all": True}, reader.token)
    return {role: api.sign_in(role) for role in ("patient", "doctor", "admin")} | {
        "nobody": api.register(),
        "reader": reader,
        "unapproved": api.register_doctor(),
    }


@pytest.fixture(scope="session")
def texts(site: RealServer, api: ApiClient) -> None:
    """Publish an imprint in two languages, and terms; pages know of them some seconds later."""
    words = "Example Practice\n1 Elm Street\n\n# Contact\nhttps://care.example.org\n\n## Hours\n- Monday\n- Tuesday"
    rows = [{"kind": kind, "language": language, "text": words} for kind, language in TEXTS]
    site.manage(
        "shell",
        f"--command=from adminpanel.models import SiteText; from django.utils import timezone; "
        f"[SiteText.objects.create(**row, updated_at=timezone.now()) for row in {rows!r}]",
    )
    deadline = time.monotonic() + 30
    while api.call("GET", "/config")["texts"] != ["imprint", "terms"]:
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.fixture(scope="session")
def path_values(api: ApiClient, accounts: dict[str, Person], texts: None) -> dict[str, str]:
    """Return parameters of page paths: a doctor, a time, appointments in several states."""
    doctor = api.doctor()
    # Neither the next time, which soon passes and other tests book, nor the last, which they book too.
    times = api.free_times(doctor)
    date, time = times[len(times) // 2]

    def appointment(query: str, whose: str = "patient") -> str:
        listed = api.call("GET", f"/appointments?{query}", token=accounts[whose].token)["appointments"]
        return str(listed[0]["_id"])

    patients = api.call("GET", "/doctors/patients", token=accounts["doctor"].token)["patients"]
    return {
        "patient_here": patients[0]["_id"],
        "doctor": doctor["_id"],
        "unapproved": accounts["unapproved"].id,
        "date": date,
        "time": time,
        "appointment": appointment("scope=upcoming"),
        "completed": appointment("status=completed"),
        "cancelled": appointment("status=cancelled"),
        **{
            f"{status}_here": appointment(f"status={status}", "doctor")
            for status in ("pending", "confirmed", "completed")
        },
    }


@pytest.mark.parametrize(("name", "who", "path"), PAGES, ids=[name for name, _, _ in PAGES])
def test_page_is_accessible(
    open_shared_context: Callable[[Person | None], tuple[BrowserContext, PageErrors]],
    accounts: dict[str, Person],
    path_values: dict[str, str],
    name: str,
    who: str | None,
    path: str,
) -> None:
    context, page_errors = open_shared_context(accounts[who] if who else None)
    if name.endswith("unknown"):
        page_errors.expect("404 /api/*")
    with context.new_page() as page:
        # The link of a mail that was never sent: its form is looked at here, not its end.
        page.route("**/api/auth/password/reset/check", lambda route: route.fulfill(json={"success": True, "data": {}}))
        page.goto(path.format(**path_values))
        wait_until_loaded(page)
        expect(page).to_have_title(re.compile(r"^(?!Error).*Wellhour$"))
        assert check_everywhere(page) == []
    page_errors.check()


def test_rejected_registration_is_accessible(page: Page) -> None:
    go_to(page, "/register?role=doctor")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("alert").filter(has_text="There is a problem")).to_be_visible()
    assert check_everywhere(page) == []


def test_month_and_its_times_are_accessible(page: Page, path_values: dict[str, str]) -> None:
    go_to(page, f"/doctors/{path_values['doctor']}")
    page.get_by_role("button", name="Choose another date").click()
    expect(page.get_by_role("grid")).to_be_visible()
    wait_until_loaded(page)
    assert check_everywhere(page) == []


def test_selected_day_is_readable_under_the_pointer(page: Page, path_values: dict[str, str]) -> None:
    go_to(page, f"/doctors/{path_values['doctor']}")
    day = page.locator("button[aria-pressed=true]").first
    day.hover()
    assert check_colors(page) == []


def test_menus_are_accessible(open_page_as: Callable[[Person], Page], accounts: dict[str, Person]) -> None:
    page = open_page_as(accounts["patient"])
    go_to(page, "/about")
    page.get_by_role("button", name="Account menu").click()
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    assert check_colors(page) == []
    # A click outside closes it.
    page.get_by_role("heading", level=1).click()
    expect(page.get_by_role("button", name="Logout")).to_be_hidden()
    page.set_viewport_size(PHONE)
    heading = page.get_by_role("heading", level=1)
    place = heading.bounding_box()
    page.get_by_role("button", name="Open menu").click()
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    # It lies over the page, which stays where it is.
    assert heading.bounding_box() == place
    assert check_colors(page, "phone") == []
    assert check_everywhere(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Logout")).to_be_hidden()
    expect(page.get_by_role("button", name="Open menu")).to_be_focused()
    page.get_by_role("button", name="Open menu").click()
    page.mouse.click(200, PHONE["height"] - 40)
    expect(page.get_by_role("button", name="Logout")).to_be_hidden()


def test_dialogs_are_accessible(open_page_as: Callable[[Person], Page], accounts: dict[str, Person]) -> None:
    desk = open_page_as(accounts["doctor"])
    desk.goto("/doctor/appointments?status=pending")
    desk.get_by_role("button", name="Confirm").first.click()
    question = desk.get_by_role("alertdialog")
    expect(question).to_be_visible()
    assert check_everywhere(desk) == []
    desk.keyboard.press("Escape")
    expect(question).to_be_hidden()
    desk.get_by_role("button", name="Decline").first.click()
    expect(desk.get_by_role("dialog")).to_be_visible()
    assert check_everywhere(desk) == []


def test_error_states_are_accessible(
    open_page_as: Callable[[Person], Page],
    accounts: dict[str, Person],
    path_values: dict[str, str],
    page_errors: PageErrors,
) -> None:
    page_errors.expect("503 /api/auth/profile", "console *")
    page = open_page_as(accounts["nobody"])
    page.route("**/api/auth/profile", lambda route: route.fulfill(status=503, body=""))
    page.goto("/patient/appointments")
    expect(page.get_by_role("heading", name="We can’t reach Wellhour right now")).to_be_visible()
    assert check_everywhere(page) == []
    page.unroute("**/api/auth/profile")
    page.route("**/api/doctors/*", lambda route: route.fulfill(body='{"data": {"doctor": {"name": 7}}}'))
    page.goto(f"/doctors/{path_values['doctor']}")
    expect(page.get_by_role("heading", name="Something went wrong")).to_be_visible()
    assert check_everywhere(page) == []


def test_reduced_motion_disables_animations(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    go_to(page, "/")
    # Every color of the page changes at once; with a transition, however short, some would be on their way.
    assert page.evaluate(CHANGE_ALL_COLORS) == []
    assert page.evaluate("document.getAnimations().length") == 0
