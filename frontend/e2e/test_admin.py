"""Test the decisions of admins about doctors and accounts."""

import re
import uuid
from collections.abc import Callable

from accessibility import DESKTOP, check_everywhere
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import Locator, Page, expect
from steps import wait_until_loaded

REASON = "The register does not list this number."
CHECKS = ("The person is", "The license is genuine", "The issuer’s register", "It covers the specialty")


def open_case(admin: Page, doctor: Person) -> None:
    """Find a doctor in the list, as one types, and open the case."""
    admin.goto("/admin/doctors")
    admin.get_by_label("Name, specialization or email").fill(doctor.name)
    expect(admin).to_have_url(re.compile("search=Wilma"))
    admin.get_by_role("main").get_by_role("link", name=f"Dr. {doctor.name}", exact=True).click()
    expect(admin.get_by_role("heading", level=1, name=doctor.name)).to_be_visible()


def find_row(admin: Page, person: Person) -> Locator:
    """Find a person in the list of users."""
    admin.goto("/admin/users")
    admin.get_by_label("Name or email").fill(person.email)
    expect(admin).to_have_url(re.compile("search=wilma"))
    return admin.get_by_role("row").filter(has_text=person.email)


def test_doctor_is_rejected_with_a_reason_then_approved_and_found(
    page: Page, open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    doctor = api.register_doctor()
    desk = open_page_as(doctor)
    desk.goto("/profile")
    expect(desk.get_by_text("Waiting for approval")).to_be_visible()

    admin = open_page_as(api.sign_in("admin"))
    open_case(admin, doctor)
    buttons = admin.get_by_role("region", name="Your decision").get_by_role("button")
    expect(buttons.filter(has_text=re.compile("^(Approve|Reject)$"))).to_have_text(["Approve", "Reject"])
    admin.get_by_role("button", name="Reject").click()
    expect(admin.get_by_role("alert").filter(has_text="There is a problem")).to_contain_text("Please give a reason.")
    admin.get_by_label("Note").fill("Asked the authority by telephone.")
    admin.get_by_label("Reason for rejecting").fill(REASON)
    admin.get_by_role("button", name="Reject").click()
    # The answer takes the place of the form, and the next case is at hand.
    expect(admin.get_by_role("heading", name="Doctor rejected")).to_be_focused()
    expect(admin.get_by_role("region", name="Doctor rejected").get_by_role("link").first).to_be_visible()
    expect(admin.get_by_role("button", name="Approve")).to_have_count(0)
    expect(admin.get_by_role("region", name="Earlier applications")).to_contain_text(REASON)

    desk.reload()
    expect(desk.get_by_role("main")).to_contain_text(REASON)
    expect(desk.get_by_role("main")).not_to_contain_text("by telephone")

    admin.reload()
    admin.get_by_label("The person is").check()
    admin.get_by_role("button", name="Approve").click()
    # Nobody is approved without issuer, expiry and document unless somebody says why.
    expect(admin.get_by_role("alert").filter(has_text="There is a problem")).to_contain_text("without this evidence")
    admin.get_by_label("Reason to approve without it").fill("Seen in person.")
    admin.get_by_role("button", name="Approve").click()
    question = admin.get_by_role("alertdialog")
    expect(question).to_contain_text("The license is genuine and valid")
    question.get_by_role("button", name="Go back").click()
    for check in CHECKS:
        admin.get_by_label(check).check()
    admin.get_by_role("button", name="Approve").click()
    expect(admin.get_by_role("heading", name="Doctor approved")).to_be_focused()
    expect(admin.get_by_role("button", name="Revoke Approval")).to_have_count(0)

    page.goto("/patient/doctors")
    page.get_by_label("Name or specialization").fill(doctor.name)
    expect(page.get_by_role("main").get_by_role("heading", name=doctor.name)).to_be_visible()


def test_approval_is_revoked_after_a_preview(
    page: Page, open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    staff = api.sign_in("admin")
    doctor = api.register_doctor()
    api.call(
        "PUT", f"/doctors/{doctor.id}/approve", {"isApproved": True, "approvalReason": "Seen in person."}, staff.token
    )
    patient = api.register()
    appointment = api.book(patient, api.doctor(search=doctor.name))

    admin = open_page_as(staff)
    open_case(admin, doctor)
    admin.get_by_role("button", name="Revoke Approval").click()
    question = admin.get_by_role("alertdialog", name="Are you sure you want to revoke this approval?")
    expect(question).to_contain_text("1 upcoming appointment stays booked")
    expect(question.get_by_role("list", name="Upcoming appointments")).to_contain_text(patient.name)
    assert check_everywhere(admin) == []
    admin.set_viewport_size(DESKTOP)
    question.get_by_role("button", name="Go back").click()
    assert api.call("GET", f"/doctors/{doctor.id}")["doctor"]["name"] == doctor.name

    admin.get_by_role("button", name="Revoke Approval").click()
    question.get_by_role("button", name="Revoke Approval").click()
    expect(question.get_by_role("alert")).to_contain_text("Please give a reason.")
    question.get_by_label("Reason").fill(REASON)
    question.get_by_role("button", name="Revoke Approval").click()
    expect(admin.get_by_role("status").filter(has_text="Approval revoked")).to_be_visible()

    page_errors.expect("404 /api/doctors/*")
    page.goto(f"/doctors/{doctor.id}")
    expect(page.get_by_text("Doctor not found or unavailable.")).to_be_visible()
    stands = api.call("GET", f"/appointments/{appointment['_id']}", token=patient.token)["appointment"]
    assert stands["status"] == "pending"

    admin.get_by_role("link", name="Dashboard", exact=True).click()
    stranded = admin.get_by_role("region", name="Appointments needing attention")
    expect(stranded).to_contain_text(patient.name)
    stranded.get_by_role("button", name=f"the appointment of {patient.name}").click()
    reason = admin.get_by_role("dialog")
    reason.get_by_label("Reason").fill("The doctor left the site.")
    reason.get_by_role("button", name="Cancel appointment").click()
    # The row stays where it is, so that nothing slides away under the pointer.
    expect(stranded).to_contain_text("The doctor left the site.")
    theirs = open_page_as(patient)
    theirs.goto(f"/patient/appointments/{appointment['_id']}")
    expect(theirs.get_by_role("main")).to_contain_text("The doctor left the site.")
    assert check_everywhere(admin) == []


def test_deactivated_user_is_sent_to_sign_in_on_the_next_click(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    patient = api.register()
    elsewhere = open_page_as(patient)
    elsewhere.goto("/patient/dashboard")
    wait_until_loaded(elsewhere)

    admin = open_page_as(api.sign_in("admin"))
    row = find_row(admin, patient)
    row.get_by_role("button", name="Deactivate").click()
    question = admin.get_by_role("alertdialog", name="Are you sure you want to deactivate this user?")
    expect(question).to_contain_text("There are no upcoming appointments.")
    question.get_by_role("button", name="Deactivate").click()
    expect(admin.get_by_role("status").filter(has_text="Account deactivated")).to_be_visible()
    expect(row).to_contain_text("Inactive")

    page_errors.expect("401 /api/*")
    elsewhere.get_by_role("link", name="View Records").click()
    expect(elsewhere).to_have_url(re.compile(r"/login\?next="))

    row.get_by_role("button", name="Activate").click()
    admin.get_by_role("alertdialog").get_by_role("button", name="Activate").click()
    expect(row).to_contain_text("Active")
    assert api.sign_in_again(patient.email, patient.password, "patient").id == patient.id


def test_several_users_are_deactivated_and_reactivated(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    family = f"Quince-{uuid.uuid4().hex[:8]}"
    people = [api.register(name=f"{first} {family}") for first in ("Ada", "Ben")]
    admin = open_page_as(api.sign_in("admin"))
    admin.goto(f"/admin/users?search={family}&ordering=name")
    statuses = admin.get_by_role("row").filter(has_text=family)
    expect(statuses).to_have_count(len(people))
    admin.get_by_label("Select all on this page").check()
    admin.get_by_role("button", name="Deactivate selected").click()
    question = admin.get_by_role("alertdialog", name="Are you sure you want to deactivate 2 users?")
    question.get_by_role("button", name="Deactivate").click()
    done = admin.get_by_role("status").filter(has_text="2 users deactivated.")
    expect(done).to_be_visible()
    expect(statuses.filter(has_text="Inactive")).to_have_count(2)
    assert check_everywhere(admin) == []
    admin.set_viewport_size(DESKTOP)
    done.get_by_role("button", name="Undo").click()
    expect(admin.get_by_role("status").filter(has_text="2 users activated.")).to_be_visible()
    expect(statuses.filter(has_text="Inactive")).to_have_count(0)


def test_deleted_doctor_is_not_listed(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    doctor = api.register_doctor()
    admin = open_page_as(api.sign_in("admin"))
    open_case(admin, doctor)
    address = admin.url
    admin.get_by_role("button", name="Delete").click()
    question = admin.get_by_role("alertdialog", name="Are you sure you want to delete this doctor?")
    expect(question).to_contain_text("This can’t be undone.")
    question.get_by_role("button", name="Delete").click()
    expect(admin.get_by_role("status").filter(has_text="Account deleted")).to_be_visible()
    expect(admin).to_have_url(re.compile("/admin/doctors$"))

    page_errors.expect("404 /api/admin/doctors/*")
    admin.goto(address)
    expect(admin.get_by_role("heading", name="Doctor not found")).to_be_visible()
    admin.get_by_role("link", name="Show all doctors").click()
    expect(admin.get_by_role("heading", name="Doctors", exact=True)).to_be_visible()


def test_admin_cannot_act_on_their_own_account(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    staff = api.sign_in("admin")
    admin = open_page_as(staff)
    admin.goto(f"/admin/users?search={staff.email}")
    own = admin.get_by_role("row").filter(has_text=staff.email)
    expect(own).to_contain_text("This is you")
    expect(own.get_by_role("button")).to_have_count(0)
    expect(own.get_by_role("checkbox")).to_have_count(0)
