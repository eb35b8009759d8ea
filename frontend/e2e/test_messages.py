"""Test emailed links, notification settings and the inbox."""

import email
import email.policy
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import TypeVar
from urllib.error import HTTPError

import pytest
from accessibility import PHONE, check_everywhere
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import Page, expect
from steps import go_to, new_address, sign_in, wait_until_loaded

from accounts.notifications.channels import build_email
from accounts.notifications.registry import Message
from config.testing import RealServer

NEW_PASSWORD = "copper-orchard-4"
T = TypeVar("T")
# The bell is to tell within fifteen seconds; the machine may be busy.
PATIENCE = 60


def list_emails_to(site: RealServer, address: str) -> Iterator[EmailMessage]:
    """Yield the emails to an address; the site writes them to files."""
    for file in sorted(Path(site.environment["MAIL_FOLDER"]).glob("*")):
        # One file holds what was sent over one connection, with a rule below each mail.
        for text in re.split(r"^-{79}\n", file.read_text(), flags=re.MULTILINE):
            mail = email.message_from_string(text, EmailMessage, policy=email.policy.default)
            if mail["To"] and address in mail["To"]:
                yield mail


def get_emailed_link(site: RealServer, address: str, path: str, subject: str = "") -> str:
    """Wait for a mail with a link to a page; return the page's path with its token."""

    def found() -> str | None:
        for mail in list_emails_to(site, address):
            text = mail.get_body(("plain",))
            link = text and re.search(rf"{re.escape(site.url)}({path}\?token=\S+)", text.get_content())
            if link and subject in mail["Subject"]:
                return link[1]
        return None

    return wait_for(found, f"A mail to {address} leads to {path}")


def wait_for(look: Callable[[], T | None], what: str) -> T:
    """Look until there is something."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.3)
    raise AssertionError(f"It did not come: {what}.")


def test_password_is_reset_through_the_mailed_link(page: Page, api: ApiClient, site: RealServer) -> None:
    person = api.register()
    go_to(page, "/login")
    page.get_by_role("link", name="Forgot your password?").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("button", name="Send link").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter your email address")
    page.get_by_label("Email address").fill(person.email)
    page.get_by_role("button", name="Send link").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_focused()
    assert check_everywhere(page) == []

    link = get_emailed_link(site, person.email, "/reset-password")
    # A mail scanner that opens it, once or twice, uses nothing up.
    for _ in range(2):
        page.goto(link)
        wait_until_loaded(page)
    page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
    page.get_by_label("Confirm new password").fill(NEW_PASSWORD + "5")
    page.get_by_role("button", name="Save new password").click()
    expect(page.get_by_role("alert")).to_contain_text("Passwords do not match")
    page.get_by_label("Confirm new password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Save new password").click()
    expect(page.get_by_text("You’ve changed your password. Sign in with the new one.")).to_be_visible()

    sign_in(page, person.email, NEW_PASSWORD)
    expect(page).to_have_url("/patient/dashboard")


def test_reset_ends_sessions_and_its_link_works_once(
    open_page_as: Callable[[Person], Page], page: Page, api: ApiClient, site: RealServer, page_errors: PageErrors
) -> None:
    page_errors.expect("401 /api/*", "400 /api/auth/password/reset/*")
    person = api.register()
    elsewhere = open_page_as(person)
    elsewhere.goto("/patient/dashboard")
    wait_until_loaded(elsewhere)
    api.call("POST", "/auth/password/reset", {"email": person.email})
    link = get_emailed_link(site, person.email, "/reset-password")

    page.goto(link)
    page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
    page.get_by_label("Confirm new password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Save new password").click()
    expect(page).to_have_url("/login?reset=1")
    # The other browser learns of it by itself.
    expect(elsewhere).to_have_url(re.compile("/login"), timeout=PATIENCE * 1000)
    # A used link says so before anyone types a new password.
    page.goto(link)
    expect(page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    assert check_everywhere(page) == []
    page.get_by_role("link", name="Ask for a new link").click()
    expect(page).to_have_url("/forgot-password")


def test_new_email_is_confirmed_by_a_button(
    open_page_as: Callable[[Person], Page], api: ApiClient, site: RealServer
) -> None:
    person = api.register()
    page = open_page_as(person)

    def request_change(address: str) -> None:
        body = {"email": address, "currentPassword": person.password}
        api.call("PUT", "/auth/profile", body, person.token)
        page.goto("/profile")
        expect(page.get_by_text(address)).to_be_visible()

    request_change(new_address())
    assert check_everywhere(page) == []
    page.get_by_role("button", name="Keep the old address").click()
    expect(page.get_by_role("button", name="Keep the old address")).to_be_hidden()

    address = new_address()
    request_change(address)
    go_to(page, get_emailed_link(site, address, "/confirm-email"))
    wait_until_loaded(page)
    assert api.call("GET", "/auth/profile", token=person.token)["user"]["email"] == person.email
    assert check_everywhere(page) == []
    page.get_by_role("button", name="Confirm this address").click()
    expect(page.get_by_role("heading", name="Your email address is confirmed")).to_be_focused()
    page.get_by_role("link", name="Go to your profile").click()
    expect(page.get_by_text(address)).to_be_visible()


def test_registration_link_can_be_resent(
    open_page_as: Callable[[Person], Page], api: ApiClient, site: RealServer, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/auth/email/resend")
    person = api.register()
    page = open_page_as(person)
    page.goto("/profile")
    banner = page.get_by_text("Confirm your email address")
    expect(banner).to_be_visible()
    assert check_everywhere(page) == []
    page.get_by_role("button", name="Send the link again").click()
    expect(page.get_by_text("The link is on its way to your mailbox.")).to_be_visible()

    # Confirmed in another window, so that this one learns of it by what it is told.
    other = open_page_as(person)
    go_to(other, get_emailed_link(site, person.email, "/confirm-email", "Confirm your email address"))
    other.get_by_role("button", name="Confirm this address").click()
    expect(other.get_by_role("heading", name="Your email address is confirmed")).to_be_focused()
    page.get_by_role("button", name="Send the link again").click()
    expect(page.get_by_text("Your email address is already confirmed.")).to_be_visible()
    expect(banner).to_be_hidden()
    expect(page.get_by_text(f"{person.email}, confirmed")).to_be_visible()


def test_link_to_a_new_email_can_be_resent_a_few_times(
    open_page_as: Callable[[Person], Page], api: ApiClient, site: RealServer, page_errors: PageErrors
) -> None:
    page_errors.expect("429 /api/auth/email/pending")
    person, address = api.register(), new_address()
    api.call("PUT", "/auth/profile", {"email": address, "currentPassword": person.password}, person.token)
    page = open_page_as(person)
    for path in ("/profile", "/patient/profile"):
        page.goto(path)
        page.get_by_role("button", name="Send the email again").click()
        expect(page.get_by_text("The email is on its way to the new address.")).to_be_visible()
        assert check_everywhere(page) == []
    # One mailbox gets three in a while, no matter who asks.
    page.get_by_role("button", name="Send the email again").click()
    expect(page.get_by_text(re.compile(r"Too many attempts\. Try again in \d+ (seconds|minutes)\."))).to_be_visible()
    go_to(page, get_emailed_link(site, address, "/confirm-email"))
    page.get_by_role("button", name="Confirm this address").click()
    expect(page.get_by_role("heading", name="Your email address is confirmed")).to_be_focused()


def get_unsubscribe_url(site: RealServer, address: str) -> str:
    """Wait for an email with a List-Unsubscribe header; return its URL."""

    def found() -> str | None:
        ways = [mail["List-Unsubscribe"] for mail in list_emails_to(site, address) if mail["List-Unsubscribe"]]
        # A long line is folded after its name.
        return ways[0].strip().removeprefix("<").removesuffix(">") if ways else None

    return wait_for(found, f"A mail to {address} with List-Unsubscribe")


def outcomes(site: RealServer, person: Person, event: str) -> list[tuple[str, str]] | None:
    """Return what came of a person's notices of one event, once none waits any more."""
    rows = site.sql(f"SELECT recipient_id, state, error FROM accounts_notice WHERE event = '{event}' ORDER BY id")
    theirs = [(state, error) for who, state, error in rows if str(who).replace("-", "") == person.id.replace("-", "")]
    return None if any(state == "waiting" for state, _ in theirs) else theirs


def test_unsubscribe_link_in_a_mail_stops_its_kind(
    open_page_as: Callable[[Person], Page], api: ApiClient, site: RealServer
) -> None:
    person = api.register()
    doctor = {"_id": api.sign_in("doctor").id}
    api.book(person, doctor, latest=True)
    link = get_unsubscribe_url(site, person.email)

    def wants_changes() -> bool:
        wanted = api.call("GET", "/auth/notice-settings", token=person.token)["channels"]["changes"]
        return wanted == ["email"]

    # A look stops nothing, however often.
    page = open_page_as(person)
    for _ in range(2):
        page.goto(link)
        expect(page).to_have_url(re.compile(r"/unsubscribe\?token="))
        wait_until_loaded(page)
    assert wants_changes()
    assert check_everywhere(page) == []
    page.get_by_role("button", name="Unsubscribe").click()
    expect(page.get_by_role("heading", name="You’re unsubscribed")).to_be_focused()
    assert not wants_changes()
    assert check_everywhere(page) == []
    page.get_by_role("link", name="Manage notifications").click()
    choice = page.get_by_role("checkbox", name="Appointment updates: Email")
    expect(choice).not_to_be_checked()

    # The next one is not emailed, but still appears on the page.
    appointment = api.book(person, doctor, latest=True)
    find_message = wait_for(lambda: outcomes(site, person, "appointment.booked"), "What came of the second notice")
    assert find_message == [("sent", ""), ("dropped", "not_wanted")]
    assert len([mail for mail in list_emails_to(site, person.email) if mail["List-Unsubscribe"]]) == 1
    page.goto("/notices")
    newest = page.get_by_role("main").get_by_role("listitem").first
    expect(newest.get_by_role("link")).to_have_attribute("href", f"/patient/appointments/{appointment['_id']}")


def test_mail_clients_unsubscribe_with_one_request(api: ApiClient, site: RealServer) -> None:
    """As RFC 8058 has it: a form with one field, from anywhere, without a cookie and without following anything."""
    person = api.register()
    api.book(person, {"_id": api.sign_in("doctor").id}, latest=True)
    link = get_unsubscribe_url(site, person.email)
    (mail,) = [mail for mail in list_emails_to(site, person.email) if mail["List-Unsubscribe"]]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    call = urllib.request.Request(link, b"List-Unsubscribe=One-Click", form, method="POST")
    for _ in range(2):
        # Pressed again it changes nothing more.
        with urllib.request.urlopen(call, timeout=30) as answer:
            assert (answer.status, answer.url) == (200, link)
    settings = api.call("GET", "/auth/notice-settings", token=person.token)
    assert settings["channels"] == {"changes": [], "reminders": ["email"]}
    forged = urllib.request.Request(f"{link[:-2]}xx", b"List-Unsubscribe=One-Click", form, method="POST")
    with pytest.raises(HTTPError, match="400"):
        urllib.request.urlopen(forged, timeout=30)


def test_bell_shows_a_confirmation_made_in_another_browser(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    doctor = api.sign_in("doctor")
    patient = api.register()
    appointment = api.book(patient, {"_id": doctor.id}, latest=True)
    api.call("PUT", "/notices/read", {"all": True}, patient.token)
    page = open_page_as(patient)
    page.set_viewport_size(PHONE)
    page.goto("/patient/dashboard")
    wait_until_loaded(page)
    expect(page.get_by_role("link", name="Notifications", exact=True)).to_be_visible()
    page.evaluate("window.stillHere = true")

    desk = open_page_as(doctor)
    desk.goto(f"/doctor/appointments/{appointment['_id']}")
    desk.get_by_role("button", name="Confirm").click()
    desk.get_by_role("alertdialog").get_by_role("button", name=re.compile("confirm", re.IGNORECASE)).click()
    page.bring_to_front()
    bell = page.get_by_role("link", name="Notifications, 1 unread")
    expect(bell).to_be_visible(timeout=20_000)
    assert page.evaluate("window.stillHere") is True

    bell.click()
    notice = page.get_by_role("listitem").filter(has_text=re.compile("confirmed", re.IGNORECASE))
    expect(notice.get_by_text("New", exact=True)).to_be_visible()
    assert check_everywhere(page) == []
    notice.get_by_role("link").click()
    expect(page).to_have_url(f"/patient/appointments/{appointment['_id']}")
    expect(page.get_by_role("link", name="Notifications", exact=True)).to_be_visible()


def test_all_notices_are_marked_as_read(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    patient = api.register()
    api.book(patient, api.doctor())
    page = open_page_as(patient)
    page.goto("/notices")
    expect(page.get_by_role("link", name=re.compile(r"^Notifications, \d+ unread$"))).to_be_visible()
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_role("link", name="Notifications", exact=True)).to_be_visible()
    expect(page.get_by_text("New", exact=True)).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.get_by_role("link", name=re.compile("^Unread")).click()
    expect(page.get_by_text("You’re all caught up")).to_be_visible()


def test_notification_settings_are_saved_and_list_mandatory_mails(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    page = open_page_as(api.register())
    page.goto("/profile")
    page.get_by_role("link", name="Manage notifications").click()
    page.get_by_label("7 days before").uncheck()
    invitations = page.get_by_role("checkbox", name="Add calendar invitations to emails")
    expect(invitations).to_be_checked()
    invitations.uncheck()
    page.get_by_label("From").fill("22:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter both times, or neither")
    page.get_by_label("Until").fill("07:00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your settings are saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("7 days before")).not_to_be_checked()
    expect(page.get_by_label("2 days before")).to_be_checked()
    expect(invitations).not_to_be_checked()
    expect(page.get_by_label("From")).to_have_value("22:00")
    expect(page.get_by_role("region", name="Always on")).to_contain_text("Cancelled appointments")


def test_user_who_chooses_german_gets_german_mail(
    open_page_as: Callable[[Person], Page], api: ApiClient, site: RealServer
) -> None:
    person = api.register()
    page = open_page_as(person)
    page.goto("/profile/notices")
    by_mail = page.get_by_role("checkbox", name="Appointment reminders: Email")
    expect(by_mail).to_be_checked()
    by_mail.uncheck()
    page.get_by_label("Language of emails and notifications").select_option("Deutsch")
    assert check_everywhere(page) == []
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your settings are saved.")).to_be_visible()
    page.reload()
    expect(by_mail).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Appointment updates: Email")).to_be_checked()
    expect(page.get_by_label("Language of emails and notifications")).to_have_value("de")

    changed = {"currentPassword": person.password, "newPassword": NEW_PASSWORD}
    api.call("PUT", "/auth/password", changed, person.token)

    def find_message() -> EmailMessage | None:
        mails = list_emails_to(site, person.email)
        return next((mail for mail in mails if mail["Subject"] == "Ihr Passwort wurde geändert"), None)

    # The welcome may be in German too, where it had not gone yet when that was chosen.
    assert wait_for(find_message, "A German mail")["Content-Language"] == "de"

    page.goto("/notices")
    notice = page.get_by_role("listitem").filter(has_text="Ihr Passwort wurde geändert")
    expect(notice.get_by_role("heading")).to_have_attribute("lang", "de")


def test_appointment_can_be_saved_as_a_calendar_file(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    patient = api.register()
    appointment = api.book(patient, api.doctor())
    page = open_page_as(patient)
    for address in (
        f"/patient/appointments?booked={appointment['_id']}",
        f"/patient/appointments/{appointment['_id']}",
    ):
        page.goto(address)
        with page.expect_download() as saved:
            page.get_by_role("button", name="Add to calendar").click()
        assert saved.value.suggested_filename.endswith(".ics")
        file = saved.value.path().read_text()
        assert file.startswith("BEGIN:VCALENDAR")
        assert f"UID:{appointment['_id']}@" in file.replace("\n ", "").replace("\r", "")


def test_calendar_feed_is_created_read_and_revoked(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    patient = api.register()
    appointment = api.book(patient, api.doctor())
    page = open_page_as(patient)
    page.goto("/profile/notices")
    page.get_by_role("button", name="Create calendar link").click()
    expect(page.get_by_text("Copy it now. We won’t show it again.")).to_be_visible()
    address = page.get_by_text(re.compile(r"/calendar/.+\.ics")).inner_text()
    assert check_everywhere(page) == []
    feed = page.request.get(address)
    assert feed.status == 200
    assert f"UID:{appointment['_id']}@" in feed.text().replace("\r\n ", "")

    page.reload()
    expect(page.get_by_text("You created a link on")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text(address)
    page.get_by_role("button", name="Remove link").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove link").click()
    expect(page.get_by_text("Calendar link removed")).to_be_visible()
    expect(page.get_by_role("button", name="Create calendar link")).to_be_visible()
    assert page.request.get(address).status == 404


@pytest.mark.parametrize("width", [320, 800])
def test_long_words_do_not_widen_a_mail(page: Page, width: int) -> None:
    """A name may be one long word, and an address of the page is one."""
    word = "Lopadotemachoselachogaleo" * 5
    message = Message(
        "Hello",
        f"Visit with {word}",
        lines=(word,),
        facts=((word, word), ("Where", word)),
        action=("See the visit", f"/{word}"),
        closing=(word,),
    )
    page.set_viewport_size({"width": width, "height": 700})
    page.set_content(str(build_email(message, "ada@example.com", "<1@example.com>").alternatives[0][0]))
    expect(page.get_by_role("heading", name="Visit with")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
