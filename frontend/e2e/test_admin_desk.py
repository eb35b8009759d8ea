"""Test the lists of admins, and data export, account closure and verification of users."""

import io
import re
import zipfile
from collections.abc import Callable

import pytest
from accessibility import check_everywhere
from api_client import PASSWORD, ApiClient, Person
from keyboard import Keyboard
from page_errors import PageErrors
from PIL import Image
from playwright.sync_api import Page, expect
from steps import wait_until_loaded

PageOf = Callable[[Person], Page]
SECRET = "A worry that is only for the doctor"


def wait_for_table(page: Page) -> None:
    """Wait until the list shows its rows."""
    wait_until_loaded(page)
    expect(page.get_by_role("main").get_by_role("table").first).to_be_visible()


def test_admin_finds_and_cancels_an_appointment(open_page_as: PageOf, api: ApiClient) -> None:
    patient = api.register()
    appointment = api.book(patient, api.doctor(specialization="Pediatrics"), latest=True, symptoms=SECRET)
    page = open_page_as(api.sign_in("admin"))
    page.goto("/admin/records")
    wait_for_table(page)
    page.get_by_label("Patient or doctor").press_sequentially(patient.name)
    expect(page).to_have_url(f"/admin/records?search={patient.name.replace(' ', '+')}")
    rows = page.get_by_role("table", name="Appointments").locator("tbody").get_by_role("row")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="1 to 1 of 1")).to_be_visible()
    expect(page.get_by_role("main")).not_to_contain_text(SECRET)

    page.get_by_role("button", name=f"Cancel the appointment of {patient.name}").click()
    question = page.get_by_role("dialog", name="Are you sure you want to cancel this appointment?")
    question.get_by_role("button", name="Cancel appointment").click()
    expect(question.get_by_role("alert")).to_contain_text("Please give a reason.")
    question.get_by_label("Reason").fill("The clinic is flooded.")
    question.get_by_role("button", name="Cancel appointment").click()
    expect(page.get_by_text("Appointment cancelled successfully")).to_be_visible()
    expect(rows).to_contain_text("The clinic is flooded.")
    expect(rows.get_by_role("button")).to_have_count(0)
    expect(rows).to_be_focused()

    page.get_by_label("Status").select_option("Cancelled")
    expect(page).to_have_url(re.compile(r"status=cancelled"))
    expect(rows).to_contain_text("The clinic is flooded.")
    page.get_by_role("link", name="Remove filter: Cancelled").click()
    page.get_by_label("Status").select_option("Completed")
    expect(page.get_by_text("No matching appointments")).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(1)
    theirs = open_page_as(patient)
    theirs.goto(f"/patient/appointments/{appointment['_id']}")
    expect(theirs.get_by_role("main")).to_contain_text("The clinic is flooded.")


def test_admin_filters_the_audit_log_by_user(open_page_as: PageOf, api: ApiClient) -> None:
    patient = api.register()
    api.book(patient, api.doctor(specialization="Dermatology"), latest=True)
    page = open_page_as(api.sign_in("admin"))
    page.goto("/admin/audit")
    wait_for_table(page)
    page.get_by_label("Event", exact=True).select_option(label="Appointment booked")
    expect(page).to_have_url("/admin/audit?event=appointment.booked")
    table = page.get_by_role("table", name="Events")
    table.get_by_role("link", name=patient.name).first.click()
    expect(page).to_have_url(f"/admin/audit?event=appointment.booked&agent={patient.id}")
    expect(table.get_by_role("button", name="Details of: Appointment booked")).to_have_count(1)
    page.get_by_role("link", name="Remove filter: Appointment booked").click()
    expect(page).to_have_url(f"/admin/audit?agent={patient.id}")
    expect(table.get_by_text("Registered", exact=True)).to_be_visible()

    more = table.get_by_role("button", name="Details of: Appointment booked")
    expect(more).to_have_attribute("aria-expanded", "false")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(table).to_contain_text("appointment.booked")
    request = table.locator("dl").get_by_role("link").first
    code = request.inner_text()
    request.click()
    expect(page).to_have_url(re.compile(f"requestId={code}"))
    expect(page.get_by_label("Request")).to_have_value(code)

    page.goto(f"/admin/audit?agent={patient.id}&event=appointment.")
    wait_for_table(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download CSV").click()
    content = saved.value.path().read_text(encoding="utf-8-sig")
    assert [line.count(patient.id) for line in content.splitlines()] == [0, 1]
    assert '"appointment.booked"' in content
    expect(page.get_by_text("Saved to your downloads")).to_be_visible()

    page.goto("/admin/audit?requestId=nothinglikeit")
    expect(page.get_by_text("No matching events")).to_be_visible()
    page.get_by_role("link", name="Show all events").click()
    expect(page).to_have_url("/admin/audit")


def test_analytics_work_by_keyboard(open_page_as: PageOf, api: ApiClient) -> None:
    page = open_page_as(api.sign_in("admin"))
    page.goto("/admin/analytics")
    wait_until_loaded(page)
    cursor = page.get_by_role("slider", name="Bookings, step by step")
    person = Keyboard(page)
    person.tab_to(cursor)
    last = cursor.get_attribute("aria-valuetext") or ""
    person.press("ArrowLeft")
    expect(cursor).not_to_have_attribute("aria-valuetext", last)
    person.press("End")
    expect(cursor).to_have_attribute("aria-valuetext", last)
    # What is read out stands below the chart too.
    expect(page.get_by_role("region", name="Bookings", exact=True)).to_contain_text(last)

    summary = page.get_by_role("region", name="Bookings", exact=True).locator("summary")
    person.tab_to(summary)
    person.press("Enter")
    table = page.get_by_role("table", name="Bookings")
    expect(table.locator("tbody").get_by_role("row")).to_have_count(30)
    day, number = last.split(": ")
    expect(table.get_by_role("row", name=re.compile(f"^{day}"))).to_contain_text(number)

    page.get_by_role("link", name="7 days", exact=True).click()
    expect(table.locator("tbody").get_by_role("row")).to_have_count(7)
    page.get_by_label("By", exact=True).select_option("Week")
    expect(page).to_have_url(re.compile("by=week"))
    expect(table.locator("tbody").get_by_role("row").first).to_contain_text("Week of")


@pytest.mark.parametrize("width", [390, 320])
def test_no_figure_is_clipped_on_a_phone(open_page_as: PageOf, api: ApiClient, width: int) -> None:
    page = open_page_as(api.sign_in("admin"))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto("/admin/analytics")
    wait_until_loaded(page)
    for unit in ("city", "specialization"):
        table = page.get_by_role("region", name=re.compile(f"^By {unit}, table"))
        expect(table.get_by_role("cell").first).to_be_visible()
        assert table.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_figure_links_to_its_appointments(open_page_as: PageOf, api: ApiClient) -> None:
    page = open_page_as(api.sign_in("admin"))
    page.goto("/admin/analytics")
    wait_until_loaded(page)
    figure = page.locator("dl > div").filter(has=page.get_by_text("Completed", exact=True))
    number = figure.locator("dd").first.inner_text()
    assert int(number) > 0
    figure.get_by_role("link", name="Completed appointments").click()
    expect(page).to_have_url(re.compile(r"^[^?]+/admin/records\?status=completed&attended=true&from=.+&to="))
    expect(page.get_by_role("status").filter(has_text=re.compile(rf" of {number}$"))).to_be_visible()
    page.go_back()
    page.get_by_role("table", name="By specialization").get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("specialization="))
    expect(page.get_by_role("table", name="By specialization").locator("tbody").get_by_role("row")).to_have_count(1)

    # Narrowed figures lead to their own rows, each counted by its own dates.
    figure = page.locator("dl > div").filter(has=page.get_by_text("Bookings", exact=True))
    narrowed = figure.locator("dd").first.inner_text()
    assert int(narrowed) > 0
    figure.get_by_role("link", name="Appointments booked").click()
    expect(page).to_have_url(re.compile(r"/admin/records\?dates=booked&specialization=.+&from=.+&to="))
    expect(page.get_by_role("status").filter(has_text=re.compile(rf" of {narrowed}$"))).to_be_visible()


def test_user_exports_their_data_and_closes_the_account(
    open_page_as: PageOf, api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("400 /api/auth/account/export")
    patient = api.register()
    api.book(patient, api.doctor(specialization="Urology"), latest=True, symptoms="My own words")
    page = open_page_as(patient)
    page.goto("/profile")
    wait_until_loaded(page)
    data = page.get_by_role("region", name="Your data")
    data.get_by_text("Download your data", exact=True).click()
    data.get_by_label("Your password").fill("not my password")
    data.get_by_role("button", name="Download ZIP").click()
    expect(data.get_by_role("alert")).to_be_focused()
    data.get_by_label("Your password").fill(PASSWORD)
    with page.expect_download() as saved:
        data.get_by_role("button", name="Download ZIP").click()
    assert re.fullmatch(r"wellhour-\d{4}-\d\d-\d\d\.zip", saved.value.suggested_filename)
    with zipfile.ZipFile(saved.value.path()) as file:
        everything = b"".join(map(file.read, file.namelist())).decode()
    assert patient.email in everything
    assert "My own words" in everything

    data.get_by_role("button", name="Close your account").click()
    question = page.get_by_role("dialog", name="Close your account?")
    expect(question).to_contain_text("We’ll cancel 1 upcoming appointment")
    question.get_by_role("button", name="Keep account").click()
    expect(question).to_be_hidden()
    data.get_by_role("button", name="Close your account").click()
    question.get_by_label("Your password").fill(PASSWORD)
    question.get_by_role("button", name="Close account").click()
    expect(page).to_have_url("/")
    expect(page.get_by_text("Your account is closed")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Login")).to_be_visible()
    page.goto("/profile")
    expect(page).to_have_url("/login?next=%2Fprofile")


def test_last_admin_sees_why_the_account_cannot_be_closed(
    open_page_as: PageOf, api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/auth/account/closing")
    page = open_page_as(api.sign_in("admin"))
    page.goto("/profile")
    wait_until_loaded(page)
    page.get_by_role("button", name="Close your account").click()
    question = page.get_by_role("dialog", name="Close your account?")
    expect(question).to_contain_text("last active admin")
    expect(question.get_by_role("button", name="Close account")).to_have_count(0)


def create_scan() -> bytes:
    """Make a picture of a document."""
    content = io.BytesIO()
    Image.new("RGB", (600, 800), "ivory").save(content, "PNG")
    return content.getvalue()


def test_rejected_doctor_applies_again_with_a_document(open_page_as: PageOf, api: ApiClient) -> None:
    doctor, admin = api.register_doctor(), api.sign_in("admin")
    verdict = {"isApproved": False, "reason": "The copy of your license is missing."}
    api.call("PUT", f"/doctors/{doctor.id}/approve", verdict, admin.token)
    page = open_page_as(doctor)
    page.goto("/doctor/dashboard")
    page.get_by_role("link", name="Apply again").click()
    expect(page).to_have_url("/doctor/verification")
    main = page.get_by_role("main")
    expect(main).to_contain_text("Your application wasn’t approved")
    expect(main.get_by_text("The copy of your license is missing.").first).to_be_visible()

    page.get_by_role("button", name="Apply again").click()
    problems = page.get_by_role("alert").filter(has_text="There is a problem")
    expect(problems).to_be_focused()
    expect(problems.get_by_role("link")).to_have_count(2)
    page.get_by_label("Issued by").fill("Board of Elm County")
    expiry = page.get_by_role("group", name="Valid until")
    for label, number in (("Day", "31"), ("Month", "12"), ("Year", "2031")):
        expiry.get_by_label(label).fill(number)
    page.get_by_label("Message to our staff").fill("Here it is.")
    page.get_by_label("Document").set_input_files(
        {"name": "license.png", "mimeType": "image/png", "buffer": create_scan()}
    )
    page.get_by_role("button", name="Apply again").click()
    expect(page.get_by_text("Application sent")).to_be_visible()
    expect(main).to_contain_text("We’re verifying your license")
    cases = main.get_by_role("region", name="Your applications").get_by_role("listitem")
    expect(cases).to_have_count(2)
    expect(cases.first).to_contain_text("In review")
    expect(cases.first).to_contain_text("license.png")
    expect(cases.nth(1)).to_contain_text("Not approved")
    # What was sent does not wait to be sent again.
    page.get_by_text("Application form").click()
    expect(page.get_by_label("Issued by")).to_have_value("Board of Elm County")
    expect(page.get_by_label("Document")).to_have_value("")
    page.get_by_label("Document").set_input_files(
        {"name": "second.png", "mimeType": "image/png", "buffer": create_scan()}
    )
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Application changed")).to_be_visible()
    expect(cases.first).to_contain_text("second.png")
    expect(page.get_by_label("Document")).to_have_value("")
    expect(page.get_by_role("button", name="Remove second.png")).to_have_count(0)
    seen = api.call("GET", f"/admin/doctors/{doctor.id}", token=admin.token)
    assert (seen["cases"][0]["state"], seen["cases"][0]["message"]) == ("open", "Here it is.")
    assert seen["cases"][0]["document"]["contentType"] == "image/png"

    page.goto("/profile")
    expect(page.get_by_role("main").get_by_role("link", name="See your application")).to_be_visible()


def test_unsupported_document_shows_an_error(open_page_as: PageOf, api: ApiClient, page_errors: PageErrors) -> None:
    page_errors.expect("400 /api/doctors/verification")
    page = open_page_as(api.register_doctor())
    page.goto("/doctor/verification")
    wait_until_loaded(page)
    expect(page.get_by_role("main")).to_contain_text("we still need to know who issued it")
    page.get_by_label("Issued by").fill("Board of Elm County")
    for label, number in (("Day", "31"), ("Month", "12"), ("Year", "2031")):
        page.get_by_role("group", name="Valid until").get_by_label(label).fill(number)
    # Named like a picture, so that only the server can tell.
    fake = {"name": "license.png", "mimeType": "image/png", "buffer": b"Not a picture"}
    page.get_by_label("Document").set_input_files(fake)
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_role("alert").filter(has_text="There is a problem")).to_be_focused()
    expect(page.get_by_label("Issued by")).to_have_value("Board of Elm County")


def test_expanded_content_is_accessible(open_page_as: PageOf, api: ApiClient) -> None:
    admin, doctor = open_page_as(api.sign_in("admin")), open_page_as(api.register_doctor())
    admin.goto("/admin/audit")
    wait_for_table(admin)
    admin.get_by_role("button", name="Details of").first.click()
    found = [f"detail {line}" for line in check_everywhere(admin)]
    admin.goto("/admin/analytics")
    wait_until_loaded(admin)
    admin.get_by_role("slider").nth(1).focus()
    for summary in admin.locator("main summary").all()[:3]:
        summary.click()
    found += [f"tables {line}" for line in check_everywhere(admin)]
    doctor.goto("/doctor/verification")
    wait_until_loaded(doctor)
    found += [f"form {line}" for line in check_everywhere(doctor)]
    doctor.goto("/profile")
    doctor.get_by_text("Download your data", exact=True).click()
    doctor.get_by_role("button", name="Close your account").click()
    expect(doctor.get_by_role("dialog")).to_contain_text("can’t be undone")
    found += [f"closing {line}" for line in check_everywhere(doctor)]
    assert found == []
