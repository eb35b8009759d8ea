"""Test booking, from the search for a doctor to the booked appointment."""

import re
from collections.abc import Callable

from api_client import PASSWORD, ApiClient, Person
from keyboard import Keyboard
from page_errors import PageErrors
from playwright.sync_api import Locator, Page, expect
from steps import fill_registration, go_to, new_address, sign_in, wait_until_loaded

TIME_ON_CARD = re.compile(r"\d\d:\d\d.*, book$")
BOOKED = "Appointment booked successfully!"


def first_time(card: Locator) -> tuple[Locator, str, str, str]:
    """Find the first free time on a doctor's card; return its link, time, day and doctor as they are read out."""
    link = card.get_by_role("link", name=TIME_ON_CARD).first
    name = link.get_attribute("aria-label") or ""
    read = re.search(r"(\d\d:\d\d).*, ([^,]+), (Dr\. [^,]+), book$", name)
    assert read, name
    return link, read[1], read[2], read[3]


def test_new_patient_registers_searches_books_and_cancels(page: Page) -> None:
    go_to(page, "/")
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    expect(page.get_by_role("heading", name="Create your account")).to_be_focused()
    fill_registration(page, "Ida Marchbanks", new_address())
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url("/patient/dashboard")
    expect(page.get_by_role("heading", name="Welcome, Ida Marchbanks")).to_be_visible()
    expect(page.get_by_role("link", name="Book Your First Appointment")).to_be_visible()

    page.get_by_role("link", name="Book Now").click()
    page.get_by_label("Name or specialization").fill("derma")
    expect(page).to_have_url(re.compile(r"/patient/doctors\?search=derma$"))
    # Who is a letter away comes last.
    expect(page.get_by_role("article").first).to_contain_text("Dermatology")
    cards = page.get_by_role("article").filter(has_text="Dermatology")
    card = cards.filter(has_text="Needs confirmation").filter(has=page.get_by_role("link", name=TIME_ON_CARD)).first
    link, time, day, doctor = first_time(card)
    link.click()

    expect(page.get_by_role("heading", name="Book appointment")).to_be_focused()
    expect(page.get_by_role("heading", name=f"{time}, {day} with {doctor}")).to_be_visible()
    page.get_by_label("Symptoms").fill("An itchy patch on the left elbow, for two weeks.")
    page.get_by_label("Additional notes").fill("I am allergic to penicillin.")
    summary = page.get_by_role("region", name="Your appointment")
    expect(summary).to_contain_text(f"{doctor}, Dermatology")
    expect(summary).to_contain_text("For Ida Marchbanks")
    expect(summary).to_contain_text("Payment is disabled")
    expect(summary).to_contain_text(f"Sends a request to {doctor}. If {doctor} hasn’t replied by ")
    summary.get_by_role("button", name="Book").click()

    expect(page).to_have_url(re.compile(r"/patient/appointments\?booked="))
    panel = page.get_by_role("status").filter(has_text="Request sent")
    expect(panel.get_by_text(BOOKED)).to_be_visible()
    expect(panel).to_contain_text(f"{doctor}, {day}, {time}")
    page.reload()
    expect(panel).to_contain_text(f"Not confirmed yet. If {doctor} hasn’t replied by ")
    expect(panel).to_contain_text("your request expires")
    expect(page.get_by_text("You’re all set")).to_have_count(0)
    appointment = page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=doctor))
    expect(appointment).to_contain_text("Pending")
    expect(appointment).to_contain_text("An itchy patch on the left elbow, for two weeks.")

    appointment.get_by_role("link", name="View appointment").click()
    expect(page.get_by_role("heading", name=f"Appointment with {doctor}")).to_be_focused()
    expect(page.get_by_role("main")).to_contain_text("I am allergic to penicillin.")
    page.get_by_role("button", name="Cancel Appointment").click()
    question = page.get_by_role("alertdialog", name="Are you sure you want to cancel this appointment?")
    question.get_by_role("button", name="Keep appointment").click()
    expect(question).to_be_hidden()
    expect(page.get_by_role("main")).to_contain_text("Pending")
    page.get_by_role("button", name="Cancel Appointment").click()
    question.get_by_role("button", name="Cancel appointment").click()
    notice = page.get_by_text("Appointment cancelled successfully")
    expect(notice).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("You cancelled this appointment.")
    expect(page.get_by_role("button", name="Cancel Appointment")).to_have_count(0)
    expect(notice).to_be_hidden()

    page.get_by_role("link", name="My appointments").click()
    expect(page.get_by_text("No upcoming appointments")).to_be_visible()
    page.get_by_role("link", name="Past", exact=True).click()
    expect(page.get_by_role("listitem").filter(has_text=doctor)).to_contain_text("Cancelled")


def test_visitor_chooses_a_time_and_signs_in_afterwards(page: Page, api: ApiClient) -> None:
    patient = api.register()
    page.goto("/patient/doctors?ordering=nextFree")
    link, time, day, doctor = first_time(page.get_by_role("article").first)
    link.click()
    page.get_by_label("Symptoms").fill("Headaches in the evening.")
    page.get_by_label("Additional notes").fill("I come by wheelchair.")
    page.get_by_role("button", name="Book", exact=True).click()

    expect(page).to_have_url(re.compile(r"/login\?next=%2Fpatient%2Fbook-appointment%2F"))
    why = page.get_by_role("main").get_by_text(f"Sign in to book {time}, {day}")
    expect(why).to_contain_text(f"with {doctor}. We’re holding this time until ")
    sign_in(page, patient.email, PASSWORD)
    expect(page).to_have_url(re.compile(r"/patient/book-appointment/"))
    expect(page.get_by_role("heading", name=f"{time}, {day} with {doctor}")).to_be_visible()
    expect(page.get_by_text("Held for you until").first).to_be_visible()
    expect(page.get_by_label("Symptoms")).to_have_value("Headaches in the evening.")
    expect(page.get_by_label("Additional notes")).to_have_value("I come by wheelchair.")
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_role("main").get_by_text(BOOKED)).to_be_visible()
    expect(page.get_by_role("main").get_by_role("status").filter(has_text=BOOKED)).to_contain_text(
        f"{doctor}, {day}, {time}"
    )
    expect(page.get_by_role("listitem").filter(has_text="Headaches in the evening.")).to_be_visible()
    # Back leads past the form that has done its work and the sign-in within.
    page.go_back()
    expect(page).to_have_url(re.compile(r"/patient/doctors\?ordering=nextFree$"))


def test_own_booking_is_not_reported_as_lost(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/appointments/hold")
    patient, doctor = api.register(), api.doctor(specialization="Oncology")
    appointment = api.book(patient, doctor)
    page = open_page_as(patient)
    chosen = f"date={appointment['appointmentDate']}&time={appointment['appointmentTime']}"
    go_to(page, f"/patient/book-appointment/{doctor['_id']}?{chosen}")
    expect(page.get_by_text("You’ve already booked this")).to_be_visible()
    expect(page.get_by_text("can’t be held")).to_have_count(0)
    page.get_by_role("link", name="View appointment").click()
    expect(page).to_have_url(f"/patient/appointments/{appointment['_id']}")


def test_visitor_registers_afterwards_and_keeps_time_and_text(page: Page) -> None:
    # A list that no other test asks for as a visitor, so that it comes without booked times from the cache.
    page.goto("/patient/doctors?ordering=nextFree&specialization=Cardiology")
    link, time, day, doctor = first_time(page.get_by_role("article").first)
    link.click()
    page.get_by_label("Symptoms").fill("A stiff neck.")
    page.get_by_role("button", name="Book", exact=True).click()
    page.get_by_role("main").get_by_role("link", name="Create an account").click()
    fill_registration(page, "Otto Farthing", new_address())
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name=f"{time}, {day} with {doctor}")).to_be_visible()
    expect(page.get_by_label("Symptoms")).to_have_value("A stiff neck.")
    page.go_back()
    expect(page).to_have_url(re.compile(r"/patient/doctors\?ordering=nextFree&specialization=Cardiology$"))


def test_taken_time_keeps_the_typed_text(
    open_page_as: Callable[[Person], Page], api: ApiClient, page_errors: PageErrors
) -> None:
    page_errors.expect("409 /api/appointments", "net::ERR_FAILED /api/appointments/hold")
    doctor = api.doctor(specialization="Neurology")
    page = open_page_as(api.register())
    # A page that could not keep the time in time.
    page.route("**/api/appointments/hold", lambda route: route.abort())
    go_to(page, f"/doctors/{doctor['_id']}")
    page.get_by_role("link", name="Next opening").click()
    page.get_by_label("Symptoms").fill("Dizzy when I stand up.")
    expect(page.get_by_role("button", name="Book", exact=True)).to_be_visible()
    api.book(api.register(), doctor)

    page.get_by_role("button", name="Book", exact=True).click()
    lost = page.get_by_role("alert").filter(has_text="Sorry, this time was just taken")
    expect(lost).to_be_focused()
    lost.get_by_role("list").get_by_role("button").first.click()
    expect(lost).to_be_hidden()
    expect(page.get_by_label("Symptoms")).to_have_value("Dizzy when I stand up.")
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_role("main").get_by_text(BOOKED)).to_be_visible()


def test_second_tab_shows_the_existing_appointment_with_its_text(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    doctor = api.doctor(specialization="Neurology")
    first = open_page_as(api.register())
    go_to(first, f"/doctors/{doctor['_id']}")
    first.get_by_role("link", name="Next opening").click()
    first.get_by_label("Symptoms").fill("Dizzy when I stand up.")
    second = first.context.new_page()
    go_to(second, first.url)
    second.get_by_label("Symptoms").fill("A headache since Monday.")
    news = "You’d already booked this. Your new notes weren’t added."
    for page in (first, second):
        page.get_by_role("button", name="Book", exact=True).click()
        expect(page.get_by_role("main").get_by_text(BOOKED)).to_be_visible()
    expect(first.get_by_text(news)).to_be_hidden()
    expect(second.get_by_text(news)).to_be_visible()
    expect(second.get_by_role("main")).to_contain_text("Dizzy when I stand up.")


def test_appointment_is_booked_by_keyboard(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    page = open_page_as(api.register())
    keys = Keyboard(page)
    page.goto("/patient/doctors")
    wait_until_loaded(page)

    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    keys.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    keys.tab_to(page.get_by_label("Name or specialization"))
    keys.type("gyn")
    keys.press("Enter")
    expect(page.get_by_role("heading", name=re.compile(r"^\d+ doctors?$"))).to_be_focused()
    cards = page.get_by_role("article")
    expect(cards.filter(has_not_text="Gynecology")).to_have_count(0)
    keys.tab_to(cards.first.get_by_role("link", name=re.compile("^View Profile")))
    keys.press("Enter")
    expect(page).to_have_url(re.compile("/doctors/"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()

    keys.tab_to(page.get_by_role("button", name="Choose another date"))
    keys.press("Enter")
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    start = keys.get_focused_name()
    for _ in range(40):
        keys.press("ArrowRight")
        if re.search(r", \d+ openings?$", keys.get_focused_name()):
            break
    assert keys.get_focused_name() != start
    day = keys.get_focused_name().split(",")[0]
    keys.press("Enter")
    expect(page.get_by_role("heading", name=day)).to_be_focused()
    keys.press("Escape")
    expect(grid.get_by_role("button", name=re.compile(f"^{day}, "))).to_be_focused()
    keys.press("Enter")
    times = page.get_by_role("region", name=day)
    keys.tab_to(times.get_by_role("listitem").get_by_role("link").first)
    keys.press("Enter")

    expect(page.get_by_role("heading", name="Book appointment")).to_be_focused()
    expect(page.get_by_role("heading", name=re.compile(rf"^\d\d:\d\d, {day} with Dr\. "))).to_be_visible()
    keys.tab_to(page.get_by_label("Symptoms"))
    keys.type("A yearly check-up.")
    keys.tab_to(page.get_by_role("button", name="Book", exact=True))
    keys.press("Enter")
    expect(page.get_by_role("main").get_by_text(BOOKED)).to_be_visible()
    expect(page.get_by_role("main").get_by_role("status").filter(has_text=BOOKED)).to_contain_text(day)
    expect(page.get_by_role("heading", name="My appointments")).to_be_focused()
    expect(page.get_by_role("listitem").filter(has_text="A yearly check-up.")).to_be_visible()


def test_typed_text_survives_back_and_a_reload(open_page_as: Callable[[Person], Page], api: ApiClient) -> None:
    doctor = api.doctor(specialization="Neurology")
    page = open_page_as(api.register())
    go_to(page, "/patient/doctors")
    go_to(page, f"/doctors/{doctor['_id']}")
    page.get_by_role("link", name="Next opening").click()
    with page.expect_response(lambda answer: "/drafts/" in answer.url and answer.request.method == "PUT"):
        page.get_by_label("Symptoms").fill("Dizzy when I stand up.")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_contain_text(doctor["name"])
    page.go_forward()
    expect(page.get_by_label("Symptoms")).to_have_value("Dizzy when I stand up.")
    page.reload()
    expect(page.get_by_label("Symptoms")).to_have_value("Dizzy when I stand up.")
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_role("main").get_by_text(BOOKED)).to_be_visible()
    # What was sent is no draft any more.
    go_to(page, f"/patient/book-appointment/{doctor['_id']}")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_label("Symptoms")).to_have_value("")


def test_visitors_text_survives_a_reload_in_its_tab(page: Page, api: ApiClient) -> None:
    doctor = api.doctor(specialization="Neurology")
    go_to(page, f"/patient/book-appointment/{doctor['_id']}")
    page.get_by_label("Symptoms").fill("A stiff neck.")
    page.reload()
    expect(page.get_by_label("Symptoms")).to_have_value("A stiff neck.")
    other = page.context.new_page()
    go_to(other, f"/patient/book-appointment/{doctor['_id']}")
    expect(other.get_by_label("Symptoms")).to_have_value("")


def test_text_of_one_user_is_not_booked_by_another_in_the_same_browser(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    doctor = api.doctor(specialization="Neurology")
    anna, bob = api.register(), api.register()
    page = open_page_as(anna)
    go_to(page, f"/doctors/{doctor['_id']}")
    page.get_by_role("link", name="Next opening").click()
    page.get_by_label("Symptoms").fill("Annas private words.")
    expect(page.get_by_text(f"For {anna.name}")).to_be_visible()

    other = page.context.new_page()
    go_to(other, "/")
    other.get_by_role("button", name="Account menu").click()
    other.get_by_role("button", name="Logout").click()
    expect(page.get_by_text("You’ve been signed out, so what you typed is hidden.")).to_be_visible()
    expect(page.get_by_label("Symptoms")).to_have_value("")

    go_to(other, "/login")
    sign_in(other, bob.email, PASSWORD)
    expect(other).to_have_url("/patient/dashboard")
    expect(page.get_by_text(f"For {bob.name}")).to_be_visible()
    expect(page.get_by_label("Symptoms")).to_have_value("")
    page.get_by_role("button", name="Book", exact=True).click()
    expect(page.get_by_role("main").get_by_text(BOOKED)).to_be_visible()
    [appointment] = api.call("GET", "/appointments", token=bob.token)["appointments"]
    assert appointment["symptoms"] == ""


def test_patient_withdraws_cannot_make_it_and_cancels_before_the_cutoff(
    open_page_as: Callable[[Person], Page], api: ApiClient
) -> None:
    account = api.sign_in("doctor")
    patient = api.register()
    appointment = api.book(patient, api.doctor(search=account.name), latest=True)
    api.call("PUT", f"/appointments/{appointment['_id']}/status", {"status": "confirmed"}, account.token)
    page = open_page_as(patient)

    # Never: the doctor decides, and the patient can take it back.
    api.call("PUT", "/doctors/schedule", {"cancelCutoffHours": None}, account.token)
    go_to(page, f"/patient/appointments/{appointment['_id']}")
    page.get_by_role("button", name="I can’t make it").click()
    question = page.get_by_role("dialog", name="Can’t make it?")
    expect(question).to_contain_text("It stays booked until")
    question.get_by_role("button", name="Request cancellation").click()
    main = page.get_by_role("main")
    expect(main.get_by_text("Cancellation requested")).to_be_visible()
    expect(main.get_by_text("Confirmed", exact=True)).to_have_count(0)
    page.get_by_role("button", name="I can come after all").click()
    expect(main.get_by_text("Confirmed", exact=True)).to_be_visible()

    api.call("PUT", "/doctors/schedule", {"cancelCutoffHours": 24}, account.token)
    page.reload()
    expect(main).to_contain_text("You can cancel online until ")
    page.get_by_role("button", name="I can’t make it").click()
    expect(question).to_contain_text("right away")
    question.get_by_role("button", name="Cancel appointment").click()
    expect(page.get_by_text("Appointment cancelled successfully")).to_be_visible()
    expect(main).to_contain_text("You cancelled this appointment.")
