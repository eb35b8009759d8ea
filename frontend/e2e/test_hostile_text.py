"""Hostile text on every screen: nothing runs, nothing is fetched from elsewhere, pages fit, and it reads as typed.

The site is one of its own, so that no other walk meets these people.
"""

import contextlib
import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pytest
from accessibility import TOO_WIDE
from api_client import ApiClient, Person
from page_errors import PageErrors
from playwright.sync_api import BrowserContext, Page, ViewportSize
from steps import wait_until_loaded

from accounts.tests.factories import PASSWORD
from accounts.tests.text.hostile_texts import NOWHERE, TEXTS
from config.testing import RealServer, run_server

NARROW: ViewportSize = {"width": 360, "height": 740}
FREE = [text for name, text in TEXTS.items() if name not in NOWHERE and text.strip()]
# Of how many texts one is searched for in the short form.
EVERY = int(os.environ.get("HOSTILE_TEXT_EVERY", "11"))
MARKER = "the people: "
# What no account can be made for by a call: appointments in the past, staff, and doctors whom somebody has approved.
PEOPLE = """
import json
from datetime import timedelta
from django.utils import timezone
from accounts.tests.factories import AdminFactory, PatientFactory
from appointments.tests.factories import make_appointment
from doctors.tests.factories import DoctorFactory
from doctors.models import Approval
texts = json.loads({texts!r})
today = timezone.now().date()
admin = AdminFactory.create(email="chief@example.com", is_staff=True, is_superuser=True)
patient = PatientFactory.create(email="patient@example.com", name="Pia Patient")
doctor = DoctorFactory.create(user__email="doctor@example.com", user__name="Dora Doctor")
waiting = DoctorFactory.create(
    user__email="waiting@example.com", user__name="Wim Waiting", approval=Approval.PENDING, approved_at=None)
def appointment(days, time, **more):
    return str(make_appointment(doctor, patient, today + timedelta(days=days), time, **more).pk)
appointments = {{
    "past": appointment(-2, "10:00", status="confirmed", symptoms=texts[0]),
    "pending": appointment(7, "10:00", symptoms=texts[1]),
    "asked": appointment(8, "10:00", status="confirmed", symptoms=texts[2]),
    "cancelled": appointment(9, "10:00", symptoms=texts[0]),
    "replied": appointment(9, "15:00", status="confirmed", cancel_requested_at=timezone.now()),
    "proposed": appointment(10, "10:00", symptoms=texts[1]),
}}
print({marker!r} + json.dumps({{"doctor": str(doctor.pk), "waiting": str(waiting.pk), "patient": str(patient.pk),
    "admin": str(admin.pk), "day": str(today + timedelta(days=11)), **appointments}}))
"""
ALL_THAT_IS_SEEN = """
() => [document.title, document.body.textContent, document.body.innerText,
  ...[...document.querySelectorAll('input, textarea, select')].map((box) => box.value),
  ...[...document.querySelectorAll('[aria-label], [title], [alt]')]
  .flatMap((each) => [each.ariaLabel, each.title, each.alt])].join('\\n')
"""


def chunks(texts: list[str], limit: int) -> list[str]:
    """Put texts together, one a line, as far as a field holds."""
    made = [""]
    for text in texts:
        if len(made[-1]) + len(text) + 1 > limit:
            made.append("")
        made[-1] = f"{made[-1]}\n{text}".strip("\n")
    return made


def plain(text: str) -> str:
    """Return a text as it is kept, all its white space being one space."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip()


@dataclass
class HostileSite:
    """The site, who is on it, and what was typed there."""

    api: ApiClient
    ids: dict[str, str]
    people: dict[str, Person]
    typed: list[str] = field(default_factory=list)

    def put(self, who: str, method: str, path: str, body: dict[str, Any], *typed: str) -> bool:
        """Call the API; return whether it took the texts, which are then to be seen."""
        with contextlib.suppress(AssertionError):
            self.api.call(method, path.format(**self.ids), body, self.people[who].token)
            self.typed += typed
            return True
        return False


@pytest.fixture(scope="module")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """Run a site without the demo's people."""
    with run_server(tmp_path_factory.mktemp("hostile"), DELIVERY="off", HOUSEKEEPING="off") as server:
        yield server


@pytest.fixture(scope="module")
def hostile(hostile_site: RealServer) -> HostileSite:
    """Type hostile text into whatever the pages show."""
    api = ApiClient(hostile_site.url)
    parts = chunks(FREE, 1300)
    script = PEOPLE.format(texts=json.dumps(parts[:3]), marker=MARKER)
    printed = hostile_site.manage("shell", "-c", script)
    ids = json.loads(printed.split(MARKER, 1)[1].splitlines()[0])
    roles = {"patient": "patient", "doctor": "doctor", "waiting": "doctor", "chief": "admin"}
    people = {name: api.sign_in_again(f"{name}@example.com", PASSWORD, role) for name, role in roles.items()}
    made = HostileSite(api, ids, people)
    type_everywhere(made, parts)
    return made


def type_everywhere(hostile: HostileSite, parts: list[str]) -> None:
    """Fill in every field that some page shows; what is refused is refused, and tried elsewhere."""
    lines = iter(FREE * 9)

    def line(who: str, path: str, *names: str, limit: int = 100) -> None:
        """Type a text that this field takes."""
        for text in lines:
            body: Any = text
            for name in reversed(names):
                body = {name: body}
            if len(text) <= limit and hostile.put(who, "PUT", path, body, text):
                return

    for who in ("doctor", "waiting"):
        for part in (("name",), *(("address", each) for each in ("street", "city", "state"))):
            line(who, "/doctors/profile", "hospital", *part)
        assert hostile.put(who, "PUT", "/doctors/profile", {"bio": parts[0]})
    for part in ("street", "city", "state"):
        line("patient", "/auth/profile", "address", part)
    of_one_line = [text for text in FREE if text.isprintable()]
    medicines = [{"medicine": text, "dose": "1", "frequency": "daily", "days": 1} for text in of_one_line[:18]]
    record = {
        "revision": 0,
        "diagnosis": parts[0],
        "notes": parts[1],
        "prescription": {"notes": parts[2], "items": medicines},
    }
    assert hostile.put("doctor", "PUT", "/appointments/{past}/visit", record, *FREE)
    reasons = chunks(FREE, 480)
    assert hostile.put("patient", "POST", "/appointments/{asked}/cancel-request", {"reason": reasons[0]}, reasons[0])
    assert hostile.put("chief", "PUT", "/admin/appointments/{cancelled}/cancel", {"reason": reasons[1]}, reasons[1])
    accepted = {"status": "cancelled", "reason": reasons[3]}
    assert hostile.put("doctor", "PUT", "/appointments/{replied}/status", accepted, reasons[3])
    proposal = {"appointmentDate": hostile.ids["day"], "appointmentTime": "11:00", "reason": reasons[2]}
    hostile.put("doctor", "POST", "/appointments/{proposed}/proposal", proposal, reasons[2])
    overrides = [{"date": hostile.ids["day"], "hours": [], "reason": FREE[0]}]
    hostile.put("doctor", "PUT", "/doctors/schedule", {"overrides": overrides}, FREE[0])
    claim = {"licenseNumber": "EX-1", "licenseAuthority": FREE[3], "licenseRegion": FREE[5]}
    claim |= {"licenseExpiresOn": "2099-01-01", "message": parts[0]}
    assert hostile.put("waiting", "POST", "/doctors/verification", claim, FREE[3])
    decision = {"isApproved": False, "reason": reasons[0], "note": reasons[1]}
    hostile.put("chief", "PUT", "/doctors/{waiting}/approve", decision, reasons[0])


@dataclass
class Look:
    """One person's window, and all that went wrong or was seen in it."""

    context: BrowserContext
    page: Page
    origin: str
    seen: str = ""
    wrong: list[str] = field(default_factory=list)

    def at(self, path: str, *, is_ours: bool = True) -> None:
        """Open a page on a narrow screen and see what became of the text."""
        self.page.goto(self.origin + path)
        if is_ours:
            wait_until_loaded(self.page)
        else:
            self.page.wait_for_load_state("networkidle")
        ran = self.page.evaluate("() => [window.ran, {}.ran, document.cookie].filter(Boolean)")
        wide = self.page.evaluate(TOO_WIDE) if is_ours else []
        self.wrong += [f"{path}: {each}" for each in [*ran, *wide]]
        self.seen += "\n" + self.page.evaluate(ALL_THAT_IS_SEEN)

    def missing(self, texts: list[str]) -> list[str]:
        """Return which texts were nowhere to be seen as they were typed."""
        seen = plain(self.seen)
        return [text for text in texts if plain(text) not in seen]


@pytest.fixture
def page_errors(hostile_site: RealServer) -> Iterator[PageErrors]:
    """Fail the test for whatever its pages complained about, on this site."""
    found = PageErrors(hostile_site.url)
    yield found
    found.check()


@pytest.fixture
def look(hostile_site: RealServer, open_context: Callable[..., BrowserContext]) -> Callable[[Person | None], Look]:
    """Open somebody's window of 360 px, in which a dialog or a request to elsewhere is a fault."""

    def open_(person: Person | None) -> Look:
        context = open_context(person)
        made = Look(context, context.new_page(), hostile_site.url)
        made.page.set_viewport_size(NARROW)
        context.on("dialog", lambda dialog: (made.wrong.append(f"dialog {dialog.message}"), dialog.dismiss()))
        context.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((hostile_site.url, "data:", "blob:"))
                else made.wrong.append(f"asked {request.url}")
            ),
        )
        context.on("page", lambda page: made.wrong.append(f"opened {page.url}"))
        return made

    return open_


PATIENTS_PAGES = (
    *("/patient/dashboard", "/patient/appointments", "/patient/appointments?scope=past", "/patient/records"),
    *("/patient/appointments/{past}", "/patient/appointments/{pending}", "/patient/appointments/{asked}"),
    *("/patient/appointments/{cancelled}", "/patient/appointments/{proposed}", "/patient/appointments/{pending}/move"),
    "/patient/appointments/{replied}",
    *("/profile", "/profile?edit=1", "/patient/profile", "/notices", "/doctors/{doctor}", "/patient/doctors"),
)
DOCTORS_PAGES = (
    *("/doctor/dashboard", "/doctor/appointments", "/doctor/appointments?view=week", "/doctor/patients"),
    *("/doctor/appointments/{past}", "/doctor/appointments/{past}?edit=1", "/doctor/appointments/{pending}"),
    *("/doctor/appointments/{asked}", "/doctor/appointments/{cancelled}", "/doctor/appointments/{proposed}"),
    "/doctor/appointments/{replied}",
    *("/doctor/patients/{patient}", "/doctor/records", "/doctor/schedule", "/profile", "/profile?edit=1", "/notices"),
    "/profile?view=public",
)
ADMINS_PAGES = (
    *("/admin/dashboard", "/admin/doctors", "/admin/doctors/{doctor}", "/admin/doctors/{waiting}", "/admin/users"),
    *("/admin/records", "/admin/audit", "/admin/analytics", "/notices"),
)
STAFFS_PAGES = (
    *("accounts/user/{patient}/change/", "accounts/user/{doctor}/change/", "accounts/user/{patient}/history/"),
    *("doctors/doctorprofile/", "doctors/doctorprofile/{doctor}/change/", "doctors/verification/"),
    *("appointments/appointment/", "appointments/appointment/{past}/change/", "appointments/appointmentrecord/"),
    *(
        "appointments/appointment/{cancelled}/change/",
        "appointments/proposal/",
        "accounts/user/",
        "accounts/auditevent/",
    ),
)


def test_patient_pages_show_hostile_text_literally(hostile: HostileSite, look: Callable[..., Look]) -> None:
    window = look(hostile.people["patient"])
    for path in PATIENTS_PAGES:
        window.at(path.format(**hostile.ids))
    assert window.wrong == [], window.wrong
    # The whole of it stands in the record that the doctor wrote.
    assert window.missing(FREE) == []


def test_doctor_pages_show_hostile_text_literally(hostile: HostileSite, look: Callable[..., Look]) -> None:
    window = look(hostile.people["doctor"])
    for path in DOCTORS_PAGES:
        window.at(path.format(**hostile.ids))
    assert window.wrong == [], window.wrong
    assert window.missing(FREE) == []
    own = look(hostile.people["waiting"])
    for path in ("/doctor/verification", "/doctor/dashboard", "/profile", "/profile?edit=1"):
        own.at(path)
    assert own.wrong == [], own.wrong
    assert own.missing([FREE[3], *chunks(FREE, 480)[0].splitlines()]) == []


def test_admin_pages_show_hostile_text_literally(hostile: HostileSite, look: Callable[..., Look]) -> None:
    window = look(hostile.people["chief"])
    for path in ADMINS_PAGES:
        window.at(path.format(**hostile.ids))
    assert window.wrong == [], window.wrong
    assert window.missing(chunks(FREE, 1300)[0].splitlines()) == []


def test_staff_pages_show_hostile_text_literally(hostile: HostileSite, look: Callable[..., Look]) -> None:
    window = look(None)
    window.page.goto(f"{window.origin}/staff/login/")
    window.page.get_by_label("mail").fill("chief@example.com")
    window.page.get_by_label("Password").fill(PASSWORD)
    window.page.get_by_role("button", name="Sign in").click()
    window.page.wait_for_url("**/staff/")
    for path in STAFFS_PAGES:
        window.at(f"/staff/{path.format(**hostile.ids)}", is_ours=False)
    # Staff's own cookies are none that a script can read.
    assert window.wrong == [], window.wrong
    assert window.missing(FREE) == []


SEARCHES = (
    ("patient", "/patient/doctors?search={text}&city={text}"),
    ("doctor", "/doctor/records?search={text}"),
    ("doctor", "/doctor/patients?search={text}"),
    ("chief", "/admin/users?search={text}"),
    ("chief", "/admin/records?search={text}"),
)


def test_hostile_text_in_a_url_is_shown_literally(
    hostile: HostileSite, look: Callable[..., Look], page_errors: PageErrors
) -> None:
    """What the address bar holds is shown in boxes and sentences; a crafted link runs nothing."""
    page_errors.expect("404 /api/doctors/*", "400 /api/auth/password/reset/check")
    # An address without a page is a 404 itself.
    page_errors.allow("404 /*")
    # Those are looked for as well that no field takes, but for what no address can hold.
    searched = [text for text in TEXTS.values() if "\ud800" not in text][::EVERY]
    windows = {who: look(hostile.people[who]) for who in ("patient", "doctor", "chief")}
    for number, text in enumerate(searched):
        who, path = SEARCHES[number % len(SEARCHES)]
        windows[who].at(path.format(text=quote(text)))
    # One after which no line breaks, in whatever repeats what is looked for.
    for who, path in SEARCHES:
        windows[who].at(path.format(text=TEXTS["one long word"][:100]))
    for path in ("/login?next={text}", "/reset-password?token={text}", "/{text}", "/doctors/{text}"):
        windows["patient"].at(path.format(text=quote(TEXTS["javascript address"], safe="")))
    for window in windows.values():
        assert window.wrong == [], window.wrong
