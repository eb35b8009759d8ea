"""An appointment from its booking to the record that the patient reads."""

import re
from collections.abc import Callable
from typing import Any

from accessibility import check_colors
from api_client import ApiClient, Person
from keyboard import Keyboard
from page_errors import PageErrors
from playwright.sync_api import Page, expect
from steps import move_start_near_now, wait_until_loaded

from config.testing import RealServer

REASON = "My eyes itch whenever I am in the park."
DIAGNOSIS = "Seasonal allergy, mild."
COMPLETED = "Appointment marked as completed successfully!"
IMAGE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def get_doctor(api: ApiClient, account: Person) -> dict[str, Any]:
    """Find the known doctor as patients do."""
    return api.doctor(search=account.name)


def booked(api: ApiClient, account: Person, confirmed: bool = True) -> tuple[Person, str]:
    """Make a patient with an appointment; return the patient and the appointment's id."""
    patient = api.register(dateOfBirth="1984-07-05")
    appointment = api.book(patient, get_doctor(api, account), symptoms=REASON)["_id"]
    if confirmed:
        api.call("PUT", f"/appointments/{appointment}/status", {"status": "confirmed"}, account.token)
    return patient, appointment


def test_patient_reads_the_record_of_a_booked_appointment(
    open_page_as: Callable[[Person], Page], site: RealServer, api: ApiClient
) -> None:
    account = api.sign_in("doctor")
    doctor = get_doctor(api, account)
    patient = api.register(dateOfBirth="1984-07-05")

    page = open_page_as(patient)
    free = doctor["nextFree"]
    page.goto(f"/patient/book-appointment/{doctor['_id']}?date={free['date']}&time={free['time']}")
    page.get_by_label("Symptoms").fill(REASON)
    page.get_by_role("button", name="Book", exact=True).click()
    panel = page.get_by_role("status").filter(has_text="Request sent")
    expect(panel.get_by_text("Appointment booked successfully!")).to_be_visible()

    # The doctor finds the request on top, sees why, and confirms it.
    desk = open_page_as(account)
    desk.goto("/doctor/dashboard")
    wait_until_loaded(desk)
    more = desk.get_by_role("button", name=re.compile(r"^Show \d+ more$"))
    if more.count():
        more.first.click()
    card = desk.get_by_role("listitem").filter(has=desk.get_by_role("heading", name=patient.name)).first
    expect(card).to_contain_text(REASON)
    card.get_by_role("button", name="Confirm").click()
    expect(card.get_by_role("button", name="Undo")).to_be_visible()
    address = card.get_by_role("link", name=patient.name).get_attribute("href")
    assert address
    move_start_near_now(site, address.rsplit("/", 1)[1])
    card.get_by_role("link", name=patient.name).click()

    expect(desk.get_by_role("heading", level=1, name=patient.name)).to_be_focused()
    expect(desk.get_by_role("main")).to_contain_text("Born 5 July 1984")
    expect(desk.get_by_role("region", name="Reason")).to_contain_text(REASON)
    expect(desk.get_by_role("region", name="Earlier appointments with you")).to_contain_text("This is the first one.")
    assert check_colors(desk, "writing") == []

    # What is written stands on the server before it is saved, and survives a reload.
    desk.get_by_label("Diagnosis").fill(DIAGNOSIS)
    desk.get_by_role("button", name="Add a medicine").click()
    medicine = desk.get_by_role("group", name="Cetirizine")
    desk.get_by_label("Medicine", exact=True).fill("Cetirizine")
    medicine.get_by_label("Dose").fill("10 mg")
    medicine.get_by_label("How often").fill("once a day")
    medicine.get_by_label("Days").fill("30")
    desk.get_by_role("button", name="2 weeks").click()
    expect(desk.get_by_text(re.compile(r"^Draft saved \d\d:\d\d$"))).to_be_visible()
    desk.reload()
    expect(desk.get_by_label("Diagnosis")).to_have_value(DIAGNOSIS)
    expect(desk.get_by_role("group", name="Cetirizine").get_by_label("Days")).to_have_value("30")

    desk.get_by_label("Add files").set_input_files(
        [
            {"name": "Skin test.png", "mimeType": "image/png", "buffer": IMAGE},
            {"name": "page.html", "mimeType": "text/html", "buffer": b"<script>alert(1)</script>"},
        ]
    )
    expect(desk.get_by_text("You can add only PDF, JPEG, PNG, and WebP files.")).to_be_visible()
    expect(desk.get_by_role("button", name="Download Skin test")).to_be_visible()
    desk.get_by_role("button", name="Dismiss page.html").click()

    desk.get_by_role("button", name="Complete appointment").click()
    question = desk.get_by_role("dialog", name="Are you sure you want to mark this appointment as completed?")
    expect(question).to_contain_text("This appointment hasn’t started yet.")
    expect(question).to_contain_text("Cetirizine: 10 mg, once a day, for 30 days")
    expect(question).to_contain_text("$120")
    assert check_colors(desk, "completing") == []
    question.get_by_role("button", name="Complete appointment").click()
    expect(desk.get_by_text(COMPLETED)).to_be_visible()
    expect(desk.get_by_role("heading", level=1)).to_be_focused()
    record = desk.get_by_role("region", name="Record")
    expect(record).to_contain_text(DIAGNOSIS)
    with desk.expect_download() as download:
        record.get_by_role("button", name="Download prescription (PDF)").click()
    assert download.value.path().read_bytes()[:5] == b"%PDF-"
    # On paper the record stands alone.
    desk.emulate_media(media="print")
    expect(desk.get_by_text("Appointment record")).to_be_visible()
    expect(record).to_be_hidden()
    expect(desk.get_by_role("banner")).to_be_hidden()
    desk.emulate_media(media="screen")
    expect(record.get_by_role("link", name="Book a follow-up")).to_have_attribute(
        "href", re.compile(rf"^/doctor/patients/{patient.id}/book\?")
    )

    # The patient reads what to do next, keeps the papers, and sees who opened them.
    page.goto("/patient/records")
    mine = page.get_by_role("listitem").filter(has_text=DIAGNOSIS).first
    expect(mine).to_contain_text("Come back in 2 weeks, around ")
    expect(mine).to_contain_text("10 mg, once a day, for 30 days")
    mine.get_by_role("link", name=re.compile("^Files, history and access log")).click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    with page.expect_download() as paper:
        page.get_by_role("button", name="Download prescription (PDF)").click()
    assert paper.value.path().read_bytes()[:5] == b"%PDF-"
    with page.expect_download() as file:
        page.get_by_role("button", name="Download Skin test").click()
    assert file.value.suggested_filename.startswith("Skin test")
    page.get_by_text("Who opened this record").click()
    about = page.get_by_role("region", name="About this record")
    expect(about).to_contain_text(f"{doctor['name']} opened this appointment")
    page.get_by_text("Is something wrong or missing?").click()
    expect(page.get_by_role("region", name="About this record").get_by_role("link")).to_be_visible()
    assert check_colors(page, "the record") == []

    # A change is a version, and what it said before stays readable for both.
    desk.get_by_role("link", name="Edit record").click()
    desk.get_by_label("Diagnosis").fill("Hay fever.")
    desk.get_by_role("button", name="Save record").click()
    expect(desk.get_by_text("Record saved")).to_be_visible()
    expect(desk.get_by_role("region", name="Record")).to_contain_text("Hay fever.")
    page.reload()
    page.get_by_text("Changed once: earlier versions").click()
    expect(page.get_by_role("region", name="Appointment summary")).to_contain_text("Hay fever.")
    expect(page.get_by_role("region", name="Appointment summary")).to_contain_text(DIAGNOSIS)

    desk.goto("/doctor/records")
    desk.get_by_label("Search").fill(patient.name)
    expect(desk).to_have_url(re.compile(r"/doctor/records\?search="))
    row = desk.get_by_role("main").get_by_role("listitem")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Changed once")
    assert check_colors(desk, "records") == []
    row.get_by_role("link", name=patient.name).click()
    expect(desk.get_by_role("heading", level=1, name=patient.name)).to_be_focused()


def test_appointment_is_confirmed_recorded_and_completed_by_keyboard(
    open_page_as: Callable[[Person], Page], site: RealServer, api: ApiClient
) -> None:
    account = api.sign_in("doctor")
    _, appointment = booked(api, account, confirmed=False)
    move_start_near_now(site, appointment)
    page = open_page_as(account)
    keys = Keyboard(page)
    page.goto(f"/doctor/appointments/{appointment}")
    wait_until_loaded(page)

    keys.tab_to(page.get_by_role("button", name="Confirm"))
    keys.press("Enter")
    expect(page.get_by_role("alertdialog")).to_be_visible()
    keys.press("Enter")
    expect(page.get_by_text("Appointment marked as confirmed successfully!")).to_be_visible()

    keys.tab_to(page.get_by_label("Diagnosis"))
    keys.type(DIAGNOSIS)
    keys.press("Control+s")
    expect(page.get_by_text("Record saved")).to_be_visible()
    expect(page.get_by_label("Diagnosis")).to_be_focused()
    keys.tab_to(page.get_by_role("button", name="Add a medicine"))
    keys.press("Enter")
    keys.type("Cetirizine")
    keys.press("Tab")
    keys.type("10 mg")
    # Enter goes on to the next medicine; one that is not needed is taken away again.
    keys.press("Enter")
    keys.type("Nasal spray")
    expect(page.get_by_role("button", name="Remove Nasal spray")).to_be_visible()
    keys.tab_to(page.get_by_role("button", name="Remove Nasal spray"))
    keys.press("Enter")
    expect(page.get_by_label("Medicine", exact=True)).to_be_focused()
    keys.press("Control+Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Cetirizine: 10 mg")
    expect(page.get_by_role("dialog")).not_to_contain_text("Nasal spray")
    keys.tab_to(page.get_by_role("dialog").get_by_role("button", name="Complete appointment"))
    keys.press("Enter")
    expect(page.get_by_text(COMPLETED)).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("region", name="Record")).to_contain_text("Cetirizine")


def test_record_text_survives_a_lost_connection_and_another_window(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("net::ERR_INTERNET_DISCONNECTED *")
    page_errors.expect("409 /api/appointments/*/visit/draft")
    account = api.sign_in("doctor")
    patient, appointment = booked(api, account)
    page = open_page_as(account)
    page.goto(f"/doctor/appointments?search={patient.name}")
    page.get_by_role("heading", name=patient.name).get_by_role("link").click()
    page.get_by_label("Diagnosis").fill("Typed with a connection")
    saved = page.get_by_text(re.compile(r"^Draft saved \d\d:\d\d$"))
    expect(saved).to_be_visible()

    page.context.set_offline(True)
    page.get_by_label("Diagnosis").fill("Typed without a connection")
    expect(page.get_by_text("Not saved yet: no connection.").first).to_be_visible()
    # Leaving the page loses nothing.
    page.get_by_role("link", name="Appointments", exact=True).first.click()
    page.go_back()
    expect(page.get_by_label("Diagnosis")).to_have_value("Typed without a connection")
    page.context.set_offline(False)
    expect(saved).to_be_visible()
    draft = api.call("GET", f"/appointments/{appointment}/visit", token=account.token)["draft"]
    assert draft["content"]["diagnosis"] == "Typed without a connection"

    # Another window writes; neither version is lost.
    other = {**draft["content"], "diagnosis": "Typed elsewhere"}
    api.call(
        "PUT",
        f"/appointments/{appointment}/visit/draft",
        {"content": other, "revision": draft["revision"]},
        account.token,
    )
    page.get_by_label("Diagnosis").fill("Typed here")
    page.get_by_role("button", name="View the other version").click()
    dialog = page.get_by_role("dialog", name="The other version")
    expect(dialog).to_contain_text("Typed elsewhere")
    dialog.get_by_role("button", name="Use the other version").click()
    expect(page.get_by_label("Diagnosis")).to_have_value("Typed elsewhere")
    page.get_by_role("button", name="Restore my version").click()
    expect(page.get_by_label("Diagnosis")).to_have_value("Typed here")
    expect(saved).to_be_visible()
    page.reload()
    expect(page.get_by_label("Diagnosis")).to_have_value("Typed here")
