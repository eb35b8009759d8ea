"""Test the appointment actions of doctors and admins."""

import re
from collections.abc import Callable
from urllib.parse import quote

from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import Page, expect
from steps import fill_registration, go_to, move_start_near_now, new_address

from config.testing import RealServer

SECRET = "A worry that is only for the doctor"


def test_doctor_confirms_and_completes_an_appointment(page: Page, site: RealServer, api: ApiClient) -> None:
    doctor = api.doctor(search=api.sign_in("doctor").name)
    patient = api.register()
    appointment = api.book(patient, doctor, symptoms=SECRET)

    go_to(page, "/login")
    page.get_by_role("button", name="Fill in as doctor").click()
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url("/doctor/dashboard")
    page.get_by_role("link", name="View Appointments").click()
    page.get_by_role("link", name=re.compile(r"^Pending\s*\d+$")).click()
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=patient.name))
    expect(card).to_contain_text(SECRET)
    # The list asks before each change, in the specification's words.
    card.get_by_role("button", name="Confirm").click()
    question = page.get_by_role("alertdialog", name="Are you sure you want to mark this appointment as confirmed?")
    question.get_by_role("button", name="Go back").click()
    card.get_by_role("button", name="Confirm").click()
    question.get_by_role("button", name="Confirm").click()
    banner = page.get_by_text("Appointment marked as confirmed successfully!")
    expect(banner).to_be_visible()
    # The row stays where it is, so that nothing slides away under the pointer.
    expect(card).to_contain_text("Confirmed")
    expect(banner).to_be_hidden()
    # What is ahead can't be completed.
    expect(card.get_by_role("button", name="Reschedule")).to_be_visible()
    expect(card.get_by_role("button", name="Mark as completed")).to_have_count(0)

    move_start_near_now(site, appointment["_id"])
    page.goto(f"/doctor/appointments?status=confirmed&search={patient.name}")
    card.get_by_role("button", name="Mark as completed").click()
    question = page.get_by_role("alertdialog", name="Are you sure you want to mark this appointment as completed?")
    expect(question).to_contain_text("It hasn’t started yet.")
    question.get_by_role("button", name="Mark as completed").click()
    expect(page.get_by_text("Appointment marked as completed successfully!")).to_be_visible()
    expect(card).to_contain_text("Completed")
    expect(card.get_by_role("button", name="Reopen")).to_be_visible()
    page.get_by_role("link", name=re.compile(r"^Completed\s*\d+$")).click()
    expect(page).to_have_url(re.compile(r"[?&]status=completed"))
    expect(card).to_contain_text(SECRET)


def test_patient_sees_the_reason_of_a_declined_request(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    account = api.sign_in("doctor")
    patient = api.register()
    appointment = api.book(patient, api.doctor(search=account.name))
    desk = open_page_as(account)
    desk.goto("/doctor/appointments?status=pending")
    card = desk.get_by_role("listitem").filter(has=desk.get_by_role("heading", name=patient.name))
    card.get_by_role("button", name="Decline").click()
    question = desk.get_by_role("dialog", name="Are you sure you want to mark this appointment as cancelled?")
    question.get_by_label("Reason").fill("I am away that week.")
    question.get_by_role("button", name="Decline").click()
    expect(desk.get_by_text("Appointment marked as cancelled successfully!")).to_be_visible()

    page = open_page_as(patient)
    page.goto(f"/patient/appointments/{appointment['_id']}")
    expect(page.get_by_role("main")).to_contain_text("declined this request. Reason: I am away that week.")


def test_doctor_sees_that_the_patient_has_cancelled(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/appointments/*/status")
    account = api.sign_in("doctor")
    patient = api.register()
    appointment = api.book(patient, api.doctor(search=account.name))
    page = open_page_as(account)
    page.goto("/doctor/appointments?status=pending")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=patient.name))
    card.get_by_role("button", name="Confirm").click()
    api.call("PUT", f"/appointments/{appointment['_id']}/cancel", {}, patient.token)
    page.get_by_role("alertdialog").get_by_role("button", name="Confirm").click()
    # An error stays until it is dismissed; the list shows what is true now.
    alert = page.get_by_role("alert").filter(has=page.get_by_role("button", name="Dismiss"))
    expect(alert).to_be_visible()
    expect(card).to_have_count(0)
    alert.get_by_role("button", name="Dismiss").click()
    expect(alert).to_be_hidden()


def test_new_doctor_registers_and_waits_for_approval(page: Page, api: ApiClient) -> None:
    go_to(page, "/about")
    page.get_by_role("link", name="Join as a doctor").click()
    expect(page.get_by_label("Register as")).to_have_value("doctor")
    fill_registration(page, "Basil Crowhurst", new_address())
    page.get_by_label("Hospital name").fill("Willow Practice")
    page.get_by_role("button", name="Create account").click()
    missing = page.get_by_role("alert").filter(has_text="Please fill in all required doctor fields")
    expect(missing).to_be_focused()
    missing.get_by_role("link", name="License number").click()
    expect(page.get_by_label("License number")).to_be_focused()
    page.get_by_label("Specialization").select_option("Neurology")
    page.get_by_label("Years of experience").fill("9")
    page.get_by_label("License number").fill("LIC-2231")
    page.get_by_label("Consultation fee").fill("99.50")
    page.get_by_role("button", name="Create account").click()

    expect(page).to_have_url("/doctor/dashboard")
    expect(page.get_by_role("heading", name="Welcome, Dr. Basil Crowhurst")).to_be_visible()
    expect(page.get_by_text("Waiting for approval")).to_be_visible()
    expect(page.get_by_text("No requests")).to_be_visible()
    page.get_by_role("link", name="View your profile").click()
    expect(page.get_by_text("Waiting for approval")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("$99.50")
    # Nobody finds who is not approved.
    page.goto("/patient/doctors?search=Crowhurst")
    expect(page.get_by_role("heading", name="No doctors", exact=True)).to_be_visible()


def test_admin_sees_appointments_without_clinical_text(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    doctor = api.doctor(specialization="Ophthalmology")
    patient = api.register()
    api.book(patient, doctor, latest=True, symptoms=SECRET, notes="Another secret")

    page = open_page_as(api.sign_in("admin"))
    with page.expect_response(re.compile("/api/admin/records")) as answer:
        page.goto(f"/admin/records?search={quote(patient.name)}")
    row = page.get_by_role("row").filter(has_text=patient.name)
    expect(row).to_contain_text("Dr. " + doctor["name"].removeprefix("Dr. "))
    expect(row).to_contain_text(re.compile("Pending|Confirmed"))
    expect(page.get_by_role("main")).not_to_contain_text("secret")
    expect(page.get_by_role("main")).not_to_contain_text(SECRET)
    listed = answer.value.json()["data"]["appointments"]
    assert patient.name in {appointment["patient"]["name"] for appointment in listed}
    clinical = {"symptoms", "notes", "diagnosis", "prescription"}
    assert [
        clinical & set(appointment) for appointment in listed if any(appointment.get(name) for name in clinical)
    ] == []
