"""Test two-step login and passkeys, on a site that requires them of staff and has the host name that passkeys need."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pyotp
import pytest
from accessibility import check_colors, check_everywhere
from api_client import PASSWORD, ApiClient
from keyboard import Keyboard
from page_errors import PageErrors
from playwright.sync_api import BrowserContext, Locator, Page, expect
from steps import go_to, sign_in, wait_until_loaded

from config.testing import RealServer, run_server

SECOND = "/api/auth/login/second"


@pytest.fixture(scope="module")
def named_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run the site under a name, with a second step required of staff."""
    folder = tmp_path_factory.mktemp("named")
    settings = {"STAFF_SECOND_STEP": "required", "EMAIL_URL": "dummymail://", "ADMIN_PASSWORD": PASSWORD}
    with run_server(folder, host="localhost", **settings) as server:
        server.manage("create_admin", "--email", "chief@example.com", "--name", "Kim Chief")
        yield server


@pytest.fixture
def named_api(named_site: RealServer) -> ApiClient:
    """Bring people of that site."""
    return ApiClient(named_site.url)


@pytest.fixture
def page_errors(named_site: RealServer) -> Iterator[PageErrors]:
    """Fail the test for whatever its pages complained about and it did not announce."""
    found = PageErrors(named_site.url)
    yield found
    found.check()


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], named_site: RealServer) -> dict[str, Any]:
    """Let paths be those of that site."""
    return {**browser_context_args, "base_url": named_site.url}


@pytest.fixture
def open_page(open_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Open a page of that site, signed out or with somebody's session."""
    return lambda person=None: open_context(person).new_page()


def section(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name)


def compute_code(key: str, later: int = 0) -> str:
    """Compute the code that the app shows `later` half minutes from now."""
    return pyotp.TOTP(key.replace(" ", "")).at(int(time.time()) + later * 30)


def sign_out(page: Page) -> None:
    # A page that arrives late would take the focus, and with it the menu.
    wait_until_loaded(page)
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("button", name="Logout").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Login")).to_be_visible()
    go_to(page, "/login")


def read_recovery_codes(page: Page) -> list[str]:
    """Read the new recovery codes and close the dialog."""
    dialog = page.get_by_role("alertdialog", name="Save your recovery codes")
    expect(dialog.get_by_role("listitem")).to_have_count(10)
    # On a phone it is taller than the screen, and begins at its beginning nevertheless.
    expect(dialog.get_by_role("heading")).to_be_in_viewport()
    # What can't be shown again goes by the button alone, and that is in sight.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("dialog => dialog.matches(':modal')")
    expect(dialog.get_by_role("button", name="I’ve saved them")).to_be_in_viewport(ratio=1)
    codes = dialog.get_by_role("listitem").all_inner_texts()
    dialog.get_by_role("button", name="I’ve saved them").click()
    expect(dialog).to_be_hidden()
    return codes


def set_up_app(page: Page, password: str = PASSWORD) -> tuple[str, list[str]]:
    """Set up an authenticator app in the profile; return its key and the recovery codes."""
    step = section(page, "Two-step sign-in")
    step.get_by_text("Set up an authenticator app").click()
    step.get_by_label("Your password").fill(password)
    step.get_by_role("button", name="Continue").click()
    expect(step.get_by_role("img", name="QR code with the key below")).to_be_visible()
    key = step.locator("code").inner_text()
    step.get_by_label("6-digit code").fill(compute_code(key))
    step.get_by_role("button", name="Turn on").click()
    return key, read_recovery_codes(page)


def add_virtual_authenticator(page: Page) -> None:
    """Add a virtual authenticator with user verification."""
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def add_passkey(page: Page, name: str, recovery_code: str = "") -> None:
    """Add a passkey; where there is a second step it is confirmed with a passkey, or with a recovery code."""
    keys = section(page, "Passkeys")
    keys.get_by_text("Add a passkey").click()
    keys.get_by_label("Name").fill(name)
    keys.get_by_label("Your password").fill(PASSWORD)
    if recovery_code:
        use_recovery_code(keys, recovery_code)
    keys.get_by_role("button", name="Add passkey").click()


def use_recovery_code(form: Locator, code: str) -> None:
    """Confirm a change with a recovery code."""
    form.get_by_role("button", name="Use a recovery code").click()
    expect(form.get_by_label("Recovery code")).to_be_focused()
    form.get_by_label("Recovery code").fill(code)


def test_app_is_set_up_and_signs_in_with_codes_and_recovery_codes(
    open_page: Callable[..., Page], named_api: ApiClient, page_errors: PageErrors
) -> None:
    person = named_api.register()
    page = open_page(person)
    page.goto("/profile")
    wait_until_loaded(page)
    desktop = page.viewport_size
    page.set_viewport_size({"width": 360, "height": 640})
    key, codes = set_up_app(page)
    assert desktop is not None
    page.set_viewport_size(desktop)
    expect(section(page, "Two-step sign-in").get_by_text("10 recovery codes left.")).to_be_visible()
    sign_out(page)

    sign_in(page, person.email, PASSWORD)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    assert page.evaluate("localStorage.token") is None
    # The code that turned it on is spent.
    page_errors.expect(f"401 {SECOND}")
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").filter(has_text="That code isn't right.")).to_be_focused()
    expect(page.get_by_label("Code")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Code").fill(compute_code(key, later=1))
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url("/patient/dashboard")

    sign_out(page)
    sign_in(page, person.email, PASSWORD)
    page.get_by_role("button", name="Use a recovery code").click()
    page.get_by_label("Recovery code").fill(codes[0].upper())
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url("/patient/dashboard")

    page.goto("/profile")
    step = section(page, "Two-step sign-in")
    expect(step.get_by_text("9 recovery codes left.")).to_be_visible()
    step.get_by_text("Make new recovery codes").click()
    step.get_by_label("Your password").fill(PASSWORD)
    # The password alone makes none.
    step.get_by_role("button", name="Make new codes").click()
    expect(step.get_by_role("alert").filter(has_text="Enter the six digits")).to_be_focused()
    expect(step.get_by_label("6-digit code")).to_have_attribute("aria-invalid", "true")
    use_recovery_code(step, codes[1])
    step.get_by_role("button", name="Make new codes").click()
    fresh = read_recovery_codes(page)
    assert not set(fresh) & set(codes)
    step.get_by_text("Turn off the authenticator app").click()
    off = step.locator("form").filter(has=page.get_by_role("button", name="Turn off"))
    off.get_by_label("Your password").fill(PASSWORD)
    use_recovery_code(off, fresh[9])
    off.get_by_role("button", name="Turn off").click()
    expect(step.get_by_text("Off", exact=True)).to_be_visible()
    expect(step.get_by_role("heading", name="Two-step sign-in")).to_be_focused()
    sign_out(page)
    sign_in(page, person.email, PASSWORD)
    expect(page).to_have_url("/patient/dashboard")


def test_second_step_works_by_keyboard(open_page: Callable[..., Page], named_api: ApiClient) -> None:
    person = named_api.register()
    page = open_page(person)
    hands = Keyboard(page)
    page.goto("/profile")
    wait_until_loaded(page)
    step = section(page, "Two-step sign-in")
    hands.tab_to(step.locator("summary").filter(has_text="Set up an authenticator app"))
    hands.press("Enter")
    hands.tab_to(step.get_by_label("Your password"))
    hands.type(PASSWORD)
    hands.press("Enter")
    expect(step.get_by_role("img", name="QR code with the key below")).to_be_visible()
    expect(step.get_by_text("Scan this QR code with your app")).to_be_focused()
    key = step.locator("code").inner_text()
    hands.tab_to(step.get_by_label("6-digit code"))
    hands.type(compute_code(key))
    hands.press("Enter")
    kept = page.get_by_role("button", name="I’ve saved them")
    expect(kept).to_be_visible()
    if not kept.evaluate("element => element === document.activeElement"):
        hands.tab_to(kept)
    hands.press("Enter")
    sign_out(page)
    sign_in(page, person.email, PASSWORD)
    hands.tab_to(page.get_by_label("Code"))
    hands.type(compute_code(key, later=1))
    hands.press("Enter")
    expect(page).to_have_url("/patient/dashboard")


def test_passkey_is_added_and_signs_in_with_and_without_the_password(
    open_page: Callable[..., Page], named_api: ApiClient, page_errors: PageErrors
) -> None:
    person = named_api.register()
    page = open_page(person)
    add_virtual_authenticator(page)
    page.goto("/profile")
    wait_until_loaded(page)
    add_passkey(page, "Desk")
    read_recovery_codes(page)
    keys = section(page, "Passkeys")
    expect(keys.get_by_role("listitem")).to_contain_text("Not used yet")
    keys.get_by_role("button", name="Rename Desk").click()
    dialog = page.get_by_role("dialog", name="Rename the passkey")
    dialog.get_by_label("Name").fill("Window seat")
    dialog.get_by_role("button", name="Rename", exact=True).click()
    expect(keys.get_by_role("listitem")).to_contain_text("Window seat")
    # The browser says that the device has one already.
    add_passkey(page, "Again")
    expect(page.get_by_role("alert").filter(has_text="already has a passkey for your account")).to_be_visible()

    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page).to_have_url("/patient/dashboard")

    sign_out(page)
    sign_in(page, person.email, PASSWORD)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url("/patient/dashboard")

    # The passkey proves who it is, so the page may name the account's role.
    sign_out(page)
    page_errors.expect("403 /api/auth/login/passkey")
    page.get_by_label("Login as").select_option(label="Doctor")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("button", name="Sign in as a patient").click()
    expect(page).to_have_url("/patient/dashboard")

    page.goto("/profile")
    expect(keys.get_by_role("listitem")).to_contain_text("Last used")
    keys.get_by_role("button", name="Remove Window seat").click()
    dialog = page.get_by_role("dialog", name="Remove the passkey Window seat?")
    dialog.get_by_label("Your password").fill(PASSWORD)
    expect(dialog.get_by_text("Your browser will ask for your passkey.")).to_be_visible()
    dialog.get_by_role("button", name="Remove passkey").click()
    expect(keys.get_by_role("listitem")).to_have_count(0)
    expect(section(page, "Two-step sign-in").get_by_text("Off", exact=True)).to_be_visible()


def test_staff_must_set_up_a_second_step_and_use_it_on_the_staff_site(
    open_page: Callable[..., Page], named_site: RealServer, page_errors: PageErrors
) -> None:
    page = open_page()
    add_virtual_authenticator(page)
    # Nothing is there for those who have none.
    # What the home page shows is asked for before it is known that a second step is wanting.
    page_errors.expect("403 /staff/login/", "403 /api/doctors")
    page.goto("/staff/")
    page.get_by_label("Email address").fill("chief@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Sign in on the site and set it up").click()
    expect(page).to_have_url("/login?next=%2Fprofile")

    sign_in(page, "chief@example.com", PASSWORD, "Admin")
    expect(page.get_by_role("heading", name="Set up two-step sign-in")).to_be_visible()
    for path in ("/admin/dashboard", "/", "/notices"):
        page.goto(path)
        expect(page).to_have_url("/profile")
    key, codes = set_up_app(page)
    expect(page.get_by_role("heading", name="Profile", exact=True)).to_be_visible()
    page.goto("/admin/dashboard")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Welcome")
    page.goto("/profile")
    add_passkey(page, "Chief's key", codes[0])
    expect(section(page, "Passkeys").get_by_role("listitem")).to_contain_text("Chief's key")

    page_errors.expect("401 /staff/login/")
    page.goto("/staff/")
    page.get_by_label("Email address").fill("chief@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    code = page.get_by_label("Code of your app, or a recovery code")
    expect(code).to_be_focused()
    assert check_colors(page, "staff's second step") == []
    code.fill("000000")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").filter(has_text="That code isn't right.")).to_be_visible()
    code.fill(compute_code(key, later=1))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="All data")).to_be_visible()

    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Email address").fill("chief@example.com")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="All data")).to_be_visible()


def test_password_and_address_change_with_a_factor(
    open_page: Callable[..., Page], named_api: ApiClient, page_errors: PageErrors
) -> None:
    person = named_api.register()
    page = open_page(person)
    page.goto("/profile")
    wait_until_loaded(page)
    _, codes = set_up_app(page)

    password = section(page, "Password")
    password.get_by_text("Change password").first.click()
    password.get_by_label("Current password").fill(PASSWORD)
    password.get_by_label("New password").fill("seven-quiet-lamps")
    use_recovery_code(password, "not one of mine")
    page_errors.expect("400 /api/auth/password")
    password.get_by_role("button", name="Change password").click()
    expect(password.get_by_role("alert").filter(has_text="This recovery code is not right")).to_be_focused()
    expect(password.get_by_label("Recovery code")).to_have_attribute("aria-invalid", "true")
    # What was typed is kept.
    expect(password.get_by_label("New password")).to_have_value("seven-quiet-lamps")
    password.get_by_label("Recovery code").fill(codes[0])
    password.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed successfully")).to_be_visible()
    expect(password.get_by_label("Recovery code")).to_have_value("")

    page.goto("/profile?edit=1")
    wait_until_loaded(page)
    page.get_by_role("button", name="Change email").click()
    page.get_by_label("Email address").fill("moved@example.com")
    page.get_by_label("Current password").fill("seven-quiet-lamps")
    page.get_by_role("button", name="Save Information").click()
    expect(page.get_by_role("alert").filter(has_text="Enter the six digits your app shows")).to_be_focused()
    use_recovery_code(page.locator("form"), codes[1])
    page.get_by_role("button", name="Save Information").click()
    expect(page.get_by_text("We sent an email to moved@example.com")).to_be_visible()


def test_second_step_pages_are_accessible(open_page: Callable[..., Page], named_api: ApiClient) -> None:
    person = named_api.register()
    page = open_page(person)
    add_virtual_authenticator(page)
    page.goto("/profile")
    wait_until_loaded(page)
    step, keys = section(page, "Two-step sign-in"), section(page, "Passkeys")
    keys.get_by_text("Add a passkey").click()
    step.get_by_text("Set up an authenticator app").click()
    step.get_by_label("Your password").fill(PASSWORD)
    step.get_by_role("button", name="Continue").click()
    expect(step.get_by_role("img")).to_be_visible()
    assert check_everywhere(page) == []
    key = step.locator("code").inner_text()
    step.get_by_label("6-digit code").fill(compute_code(key))
    step.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("alertdialog", name="Save your recovery codes")).to_be_visible()
    assert check_everywhere(page) == []
    read_recovery_codes(page)
    for summary in ("Turn off the authenticator app", "Make new recovery codes"):
        step.get_by_text(summary).click()
    assert check_everywhere(page) == []
    sign_out_narrow(page)
    sign_in(page, person.email, PASSWORD)
    expect(page.get_by_label("Code")).to_be_visible()
    assert check_everywhere(page) == []
    page.get_by_role("button", name="Use a recovery code").click()
    expect(page.get_by_label("Recovery code")).to_be_visible()
    assert check_everywhere(page) == []


def sign_out_narrow(page: Page) -> None:
    """Sign out where the menu is folded away."""
    page.evaluate("localStorage.removeItem('token')")
    go_to(page, "/login")
