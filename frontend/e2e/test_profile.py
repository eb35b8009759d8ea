"""Test the profile: the full editor, the short form, the picture and the password."""

import io
import re
from collections.abc import Callable

from api_client import PASSWORD, ApiClient, Person
from page_errors import PageErrors
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect
from steps import disable_bell, fill_birth_date, go_to, new_address, sign_in, wait_until_loaded


def picture(name: str = "me.png") -> FilePayload:
    """Make a small picture as a camera would hand it over."""
    content = io.BytesIO()
    Image.new("RGB", (640, 480), "teal").save(content, "PNG")
    return {"name": name, "mimeType": "image/png", "buffer": content.getvalue()}


def choose_picture(page: Page, file: FilePayload) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Upload picture").click()
    chooser.value.set_files(file)


def test_patient_edits_everything_and_uploads_a_picture(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    page = open_page_as(api.register())
    go_to(page, "/")
    page.get_by_role("button", name="Account menu").click()
    page.get_by_role("banner").get_by_role("link", name="Edit Profile").click()
    expect(page).to_have_url("/profile")
    page.get_by_role("main").get_by_role("link", name="Edit Profile").click()
    page.get_by_label("Full name").fill("Undine Halloran")
    page.get_by_label("Phone number").fill("+44 20 7946 0018")
    page.get_by_role("radio", name="Other").check()
    fill_birth_date(page, 29, 2, 1992)
    page.get_by_label("Street").fill("4 Elder Row")
    page.get_by_label("City").fill("Boston")
    page.get_by_label("State").fill("MA")
    page.get_by_label("ZIP code").fill("02108")
    page.get_by_label("Blood group").select_option("AB-")
    choose_picture(page, picture())
    expect(page.get_by_role("button", name="Change picture")).to_be_visible()
    page.get_by_role("button", name="Save Information").click()

    expect(page).to_have_url("/profile")
    expect(page.get_by_text("Profile updated successfully")).to_be_visible()
    main = page.get_by_role("main")
    for fact in ("+44 20 7946 0018", "Other", "29 February 1992", "4 Elder Row", "Boston, MA 02108", "AB-"):
        expect(main).to_contain_text(fact)
    expect(main.get_by_role("heading", name="Undine Halloran")).to_be_visible()
    # The picture is really drawn: in the page and in the header, from our own address.
    for face in (main.locator("img").first, page.get_by_role("banner").locator("img")):
        expect(face).to_have_attribute("src", re.compile(r"^/media/pictures/[\w-]+\.webp$"))
        expect(face).to_have_js_property("naturalWidth", 512)
    page.reload()
    expect(main.get_by_role("heading", name="Undine Halloran")).to_be_visible()

    main.get_by_role("link", name="Edit Profile").click()
    page.get_by_role("button", name="Remove picture").click()
    page.get_by_role("button", name="Save Information").click()
    expect(page).to_have_url("/profile")
    expect(main.locator("img")).to_have_count(0)


def test_unsupported_picture_shows_an_error(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("400 /api/auth/profile")
    page = open_page_as(api.register())
    page.goto("/profile?edit=1")
    group = page.get_by_role("group", name="Picture")
    choose_picture(page, {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"Not a picture"})
    expect(group).to_contain_text("Choose a JPEG, PNG or WebP picture")
    page.get_by_label("Full name").fill("Typed Before The Refusal")
    # Named like a picture, so that only the server can tell; the browser's preview shows nothing either.
    choose_picture(page, {"name": "me.png", "mimeType": "image/png", "buffer": b"Not a picture"})
    page.get_by_role("button", name="Save Information").click()
    expect(page.get_by_role("alert").filter(has_text="There is a problem")).to_be_focused()
    expect(page.get_by_label("Full name")).to_have_value("Typed Before The Refusal")


def test_doctor_edits_the_practice_and_uploads_a_picture(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    page = open_page_as(api.register_doctor())
    page.goto("/profile?edit=1")
    page.get_by_label("Years of experience").fill("12")
    page.get_by_label("Consultation fee").fill("155.25")
    page.get_by_label("Bio").fill("I listen first.")
    page.get_by_label("Hospital name").fill("Foxglove House")
    page.get_by_label("Working hours start").fill("10:00")
    page.get_by_label("Working hours end").fill("16:00")
    page.get_by_role("checkbox", name="Friday").uncheck()
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    page.get_by_label("Confirm appointments instantly").check()
    choose_picture(page, picture())
    page.get_by_role("button", name="Save Information").click()
    expect(page).to_have_url("/profile")
    main = page.get_by_role("main")
    for fact in (
        "12 years",
        "$155.25",
        "I listen first.",
        "Foxglove House",
        "10:00 to 13:00 and 14:00 to 16:00",
        "Europe/Lisbon",
        "Confirmed instantly",
    ):
        expect(main).to_contain_text(fact)
    expect(main.get_by_text("Monday to Thursday", exact=True)).to_be_visible()
    expect(main.locator("img").first).to_have_js_property("naturalWidth", 512)


def test_approved_doctor_confirms_before_changing_verified_data(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/doctors/profile")
    page = open_page_as(api.sign_in("doctor"))
    page.goto("/profile?edit=1")
    page.get_by_label("License number").fill("CHANGED-1")
    page.get_by_role("button", name="Save Information").click()
    question = page.get_by_role("alertdialog", name="This needs a new approval")
    question.get_by_role("button", name="Keep editing").click()
    expect(question).to_be_hidden()
    expect(page.get_by_label("License number")).to_have_value("CHANGED-1")
    page.goto("/profile")
    wait_until_loaded(page)
    expect(page.get_by_role("main")).not_to_contain_text("CHANGED-1")


def test_dashboard_links_to_the_editor_of_the_email(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    person = api.register()
    page = open_page_as(person)
    go_to(page, "/patient/dashboard")
    page.get_by_role("main").get_by_role("link", name="Edit Profile").click()
    expect(page).to_have_url("/profile?edit=1")
    page.get_by_label("Street").fill("99 Elm Road")
    page.get_by_label("City").fill("Boston")
    page.get_by_label("Phone number").fill("(202) 555-0177 x12")
    page.get_by_role("button", name="Change email").click()
    address = new_address()
    page.get_by_label("Email address").fill(address)
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Save Information").click()
    expect(page).to_have_url("/profile")
    main = page.get_by_role("main")
    for fact in ("99 Elm Road", "Boston", "(202) 555-0177 ext. 12", address, person.email):
        expect(main).to_contain_text(fact)


def test_schedule_that_is_not_uniform_is_shown_by_weekday_and_edited_in_the_schedule(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    person = api.register_doctor()
    hours = {"monday": [{"start": "09:00", "end": "12:00"}], "sunday": [{"start": "07:00", "end": "19:00"}]}
    api.call("PUT", "/doctors/schedule", {"weeklyHours": hours}, token=person.token)
    page = open_page_as(person)
    page.goto("/profile?edit=1")
    expect(page.get_by_label("Bio")).to_be_visible()
    expect(page.get_by_label("Working hours start")).to_have_count(0)
    page.get_by_label("Bio").fill("I listen first.")
    page.get_by_role("button", name="Save Information").click()
    expect(page).to_have_url("/profile")
    main = page.get_by_role("main")
    for fact in ("I listen first.", "09:00 to 12:00", "07:00 to 19:00"):
        expect(main).to_contain_text(fact)


def test_short_form_updates_and_computes_the_age(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    page = open_page_as(api.register())
    page.goto("/patient/profile")
    expect(page.get_by_label("Age", exact=True)).to_have_attribute("readonly", "")
    page.get_by_label("Name", exact=True).fill("Xenia Blackwood")
    fill_birth_date(page, 1, 1, 2000)
    expect(page.get_by_label("Age", exact=True)).to_have_value(str(page.evaluate("new Date().getFullYear() - 2000")))
    page.get_by_label(re.compile("^Address")).fill("9 Orchard Lane, Chicago")
    expect(page.get_by_role("status").filter(has_text="We’ll save this address")).to_contain_text("Chicago")
    page.get_by_role("button", name="Update Profile").click()
    expect(page.get_by_text("Profile updated successfully!")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Xenia Blackwood")
    expect(page.get_by_label(re.compile("^Address"))).to_have_value("9 Orchard Lane, Chicago")
    page.get_by_label("Profile picture URL").fill("http://example.com/me.png")
    page.get_by_role("button", name="Update Profile").click()
    expect(page.get_by_role("alert").filter(has_text="Enter a link that starts with https://")).to_be_focused()


def test_user_signs_out_other_sessions(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    person = api.register()
    for _ in range(2):
        api.sign_in_again(person.email, PASSWORD, "patient")
    here = open_page_as(person)
    here.goto("/profile")
    places = here.get_by_role("region", name="Where you’re signed in")
    expect(places.get_by_role("listitem")).to_have_count(3)
    places.get_by_role("button", name="Sign out everywhere else").click()
    expect(here.get_by_text("Signed out everywhere else", exact=True)).to_be_visible()
    expect(places.get_by_role("listitem")).to_have_count(1)
    expect(places.get_by_role("button")).to_have_count(0)


def test_new_password_signs_out_other_sessions(
    open_page_as: Callable[[Person], Page], page: Page, api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("401 /api/auth/sessions", "401 /api/auth/login")
    person = api.register()
    elsewhere = open_page_as(api.sign_in_again(person.email, PASSWORD, "patient"))
    disable_bell(elsewhere)
    elsewhere.goto("/patient/dashboard")
    wait_until_loaded(elsewhere)
    here = open_page_as(person)
    here.goto("/profile")
    expect(here.get_by_role("region", name="Where you’re signed in").get_by_role("listitem")).to_have_count(2)
    here.get_by_text("Change password").first.click()
    here.get_by_label("Current password").fill(PASSWORD)
    here.get_by_label("New password").fill("umbrella-forest-31")
    here.get_by_role("button", name="Change password").click()
    expect(here.get_by_role("status").filter(has_text="assword")).to_be_visible()
    expect(here.get_by_role("region", name="Where you’re signed in").get_by_role("listitem")).to_have_count(1)

    elsewhere.get_by_role("button", name="Account menu").click()
    elsewhere.get_by_role("banner").get_by_role("link", name="Edit Profile").click()
    expect(elsewhere).to_have_url("/login?next=%2Fprofile")
    sign_in(elsewhere, person.email, PASSWORD)
    expect(elsewhere.get_by_role("alert").filter(has_text="Login failed")).to_be_visible()
    sign_in(elsewhere, person.email, "umbrella-forest-31")
    expect(elsewhere).to_have_url("/profile")
