"""What each address costs that anybody may ask for, and what keeps the costly ones from being asked for without end.

Costs are CPU time, through the whole application, compared with a cheap call of the same run, so that a slow or busy
machine changes nothing. Each case is asked with the most that it takes, in a new spelling every
time, so that nothing kept for an earlier spelling answers it.
"""

import io
import itertools
import json
import statistics
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import clear_url_caches, get_resolver, path
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.auth import passkeys
from accounts.calendar_feed import create_feed
from accounts.credentials import challenge_tokens
from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.throttling import cpu_budget
from accounts.throttling.cpu_budget import CpuBudgets
from accounts.throttling.rate_limit import RateLimit
from adminpanel.tests.admin.staff import paths_of
from adminpanel.tests.contracts.access_matrix import MATRIX
from adminpanel.tests.contracts.valid_calls import PRACTICE, REGISTRATION
from appointments.tests.factories import make_appointment
from config import urls as urlconf
from config.wsgi import application
from doctors.models import Reservation, Specialization
from doctors.tests.factories import DoctorFactory

# The database's own CPU time is another process's, so what is compared is no different there.
pytestmark = pytest.mark.either_engine

DOCTORS = 100
APPOINTMENTS = 60
REPETITIONS = 5
# How many times as much as the cheap call one may cost that nothing limits.
MAX_COST = 20
CHEAP = ("GET", "/api/config")
FORM = "application/x-www-form-urlencoded"

# --- The table: what protects each route --------------------------------------------------------

# Cheap whatever is asked; the test measures it.
CHEAP_ITSELF = "cheap"
# Made once and kept as bytes, whatever the query, language or type: the same address again is cheap.
KEPT = "kept"
# The CPU budget of the network refuses it when too much was computed; see accounts/throttling/cpu_budget.py.
CPU = "cpu budget"
# Counted by network or account: refused when the limit is spent.
LIMIT = "limit"

PROTECTED_BY = {
    ("healthz", "GET"): CHEAP_ITSELF,
    # Compares migrations once in five seconds.
    ("readyz", "GET"): CHEAP_ITSELF,
    # Refused without the token.
    ("metrics", "GET"): CHEAP_ITSELF,
    ("page", "GET"): KEPT,
    ("robots", "GET"): CHEAP_ITSELF,
    ("sitemap", "GET"): CHEAP_ITSELF,
    ("security-txt", "GET"): CHEAP_ITSELF,
    ("staff", "GET"): CHEAP_ITSELF,
    ("staff login", "GET"): CHEAP_ITSELF,
    ("staff login", "POST"): LIMIT,
    ("static", "GET"): CHEAP_ITSELF,
    ("media", "GET"): CHEAP_ITSELF,
    ("schema", "GET"): KEPT,
    ("api-docs", "GET"): KEPT,
    ("site-config", "GET"): CPU,
    ("site-text-detail", "GET"): CPU,
    ("doctor-list", "GET"): CPU,
    ("doctor-detail", "GET"): CPU,
    ("doctor-filters", "GET"): CPU,
    ("doctor-slots", "GET"): CPU,
    ("slots-explain", "GET"): CPU,
    # The right address is its owner's: their CPU budget.
    ("calendar-feed", "GET"): LIMIT,
    ("login", "POST"): LIMIT,
    ("login-second", "POST"): LIMIT,
    ("login-passkey", "POST"): LIMIT,
    ("login-passkey-options", "POST"): LIMIT,
    ("register-patient", "POST"): LIMIT,
    ("register-doctor", "POST"): LIMIT,
    ("password-reset", "POST"): LIMIT,
    ("password-reset-check", "POST"): LIMIT,
    ("password-reset-confirm", "POST"): LIMIT,
    ("email-confirm", "POST"): LIMIT,
    ("notices-unsubscribe", "GET"): CPU,
    ("notices-unsubscribe", "POST"): CHEAP_ITSELF,
    ("hold-list", "POST"): LIMIT,
    ("hold-detail", "DELETE"): CHEAP_ITSELF,
}
# Not in the access matrix, or there under no name of their own.
BESIDE_THE_MATRIX = {("staff login", "GET"), ("staff login", "POST"), ("static", "GET")}


def test_every_public_route_is_in_the_table():
    anonymous = {key for key, row in MATRIX.items() if not row.startswith("401")}
    assert anonymous | BESIDE_THE_MATRIX == set(PROTECTED_BY)


def test_staff_site_is_public_only_for_its_login(client, db):
    pages = {
        path: client.get(path).status_code
        for resolver in get_resolver().url_patterns
        if getattr(resolver, "app_name", "") == "admin"
        for path in paths_of(resolver, "/staff/")
    }
    assert len(pages) > 60
    assert {path for path, status in pages.items() if status not in {302, 404}} == {"/staff/login/"}


# --- Measuring ---------------------------------------------------------------------------------


@dataclass
class Case:
    """What is asked of a route; `{n}` becomes another number each time."""

    path: str
    body: dict[str, Any] = field(default_factory=dict)
    raw: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    # Before each call.
    prepare: object = None


numbers = itertools.count(1)


def ask(method, case):
    """Ask the application as the server does; return the status and the CPU milliseconds that it took."""
    if case.prepare:
        case.prepare()
    number = str(next(numbers))
    body = case.raw or (json.dumps(case.body).replace("{n}", number).encode() if case.body else b"")
    environ = (
        RequestFactory()
        .generic(
            method, case.path.replace("{n}", number), body, content_type=case.kind if body else "", headers=case.headers
        )
        .environ
    )
    environ["wsgi.input"] = io.BytesIO(body)
    said = []
    began = time.process_time()
    answer = application(environ, lambda status, headers, *_: said.append(int(status[:3])))
    for _ in answer:
        pass
    took = (time.process_time() - began) * 1000
    getattr(answer, "close", lambda: None)()
    return said[0], took


def cost(method, case, times=REPETITIONS):
    """Return the median of the CPU milliseconds, and the statuses that came."""
    measured = []
    for _ in range(times + 1):
        # Refused for what came before, a call would be cheap.
        cpu_budget.network_budgets.clear()
        cpu_budget.user_budgets.clear()
        cache.clear()
        measured.append(ask(method, case))
    del measured[0]
    return statistics.median(took for _, took in measured), {status for status, _ in measured}


@pytest.fixture
def served(db, one_connection, settings, monkeypatch):
    """A hundred doctors and a patient with a calendar, with passwords hashed and budgets kept as in production."""
    monkeypatch.setattr(cpu_budget, "network_budgets", CpuBudgets("cpu-address", 50))
    settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT = settings.MAX_SIGN_IN_ATTEMPTS_PER_IP = 10**6
    specializations = list(Specialization.values)
    cities = ["Springfield", "Shelbyville", "San Example", "Saint Sample"]
    doctors = [
        DoctorFactory.create(
            specialization=specializations[number % len(specializations)],
            hospital_city=cities[number % len(cities)],
            user__name=f"{['Anna', 'Maria', 'Example'][number % 3]} Sample{chr(97 + number % 26)}",
            max_days_ahead=180,
        )
        for number in range(DOCTORS)
    ]
    patient = PatientFactory.create()
    today = timezone.now().date()
    for number in range(APPOINTMENTS):
        make_appointment(doctors[number % 3], patient, today + timedelta(days=1 + number), "09:00", status="confirmed")
    settings.PASSWORD_HASHERS = ["accounts.credentials.password_hashing.Argon2Hasher"]
    return doctors[0], patient


def cases(doctor, patient):
    """List the most costly ways to ask for each route, by experience."""
    today = timezone.now().date()
    words = "+".join(("xa", "yb", "zc", "wd", "ve") * 7)[:90]
    typos = "+".join(f"cardiolgoy{letter}" for letter in "abcdefgh")[:90]
    in_a_month, late = today + timedelta(days=30), today + timedelta(days=170)
    person = {**REGISTRATION, "email": "heron{n}@example.com"}
    practice = {**person, **PRACTICE, "role": "doctor", "licenseNumber": "EX-{n}", "bio": "x" * 1000}
    junk = json.dumps({f"f{n}": [n] for n in range(3_500)}).encode()
    many = {"accept": "*/*," + "a/b;q=0.1," * 90, "accept-language": "de-DE," * 160}
    csrf = "x" * 32
    form = f"username={patient.email}&password={'x' * 100}&csrfmiddlewaretoken={csrf}".encode()
    ends = {"accept-encoding": "a;q=0.5," * 120, "if-none-match": '"a",' * 250}
    day, minute = next((day, times[0]) for day, times in list_open_days(doctor) if times)
    slot = {"doctorId": str(doctor.pk), "appointmentDate": day, "appointmentTime": minute}
    second = challenge_tokens.issue_ticket(challenge_tokens.SECOND_STEP, timezone.now(), str(patient.pk), "x")
    ticket = passkeys.begin_authentication(timezone.now()).ticket
    signed = {"ticket": ticket, "role": "patient", "passkey": {"id": "AAAA", "rawId": "AAAA"}}
    sign_in = {"email": "nobody{n}@example.com", "password": "x" * 128, "role": "patient"}
    secret = create_feed(patient, timezone.now())[1].rpartition("/")[2].removesuffix(".ics")
    return {
        ("healthz", "GET"): [Case("/healthz?{n}"), Case("/healthz", headers=many | ends)],
        ("readyz", "GET"): [Case("/readyz?{n}")],
        ("metrics", "GET"): [Case("/metrics?{n}")],
        ("page", "GET"): [
            Case(path, headers=ends)
            for path in ("/", "/patient/doctors?search={n}", f"/doctors/{doctor.pk}", "/no/such/{n}", "/x{n}.php",
                         "/" + "a/" * 4_000, "/doctors/" + "a" * 8_000)
        ],
        ("robots", "GET"): [Case("/robots.txt?{n}")],
        ("sitemap", "GET"): [Case("/sitemap.xml?{n}")],
        ("security-txt", "GET"): [Case("/.well-known/security.txt?{n}")],
        ("staff", "GET"): [Case("/staff?{n}")],
        ("staff login", "GET"): [Case("/staff/login/?next={n}", headers={"cookie": "a=b; " * 1_500})],
        ("staff login", "POST"): [Case("/staff/login/", raw=form, kind=FORM, headers={"cookie": f"csrftoken={csrf}"})],
        ("static", "GET"): [Case("/static/icon.svg?{n}", headers=ends), Case("/static/none{n}.js"),
                            Case("/static/" + "../" * 2_000)],
        ("media", "GET"): [Case("/media/pictures/none{n}.webp"), Case("/media/" + "a" * 8_000)],
        ("schema", "GET"): [Case("/api/schema?lang=x{n}", headers=many), Case("/api/schema?format=json&version={n}"),
                            Case("/api/schema", headers={"accept-encoding": "br"})],
        ("api-docs", "GET"): [Case("/api/schema/docs?{n}", headers=ends)],
        ("site-config", "GET"): [Case("/api/config?{n}", headers=ends)],
        ("site-text-detail", "GET"): [Case("/api/texts/terms?{n}"), Case("/api/texts/none{n}")],
        ("doctor-list", "GET"): [
            Case(f"/api/doctors?{query}&x={{n}}")
            for query in (
                "pageSize=100", "page=400&pageSize=20", "search=a{n}&pageSize=100", f"search={words}{{n}}",
                f"search={typos}{{n}}&pageSize=100", "search=sample&city=s&ordering=name&pageSize=100",
                "ordering=nextFree&pageSize=100", f"availableBy={late}&pageSize=100", "city=springf{n}",
            )
        ],
        ("doctor-detail", "GET"): [Case(f"/api/doctors/{doctor.pk}?{{n}}"),
                            Case("/api/doctors/00000000-0000-4000-8000-000000000001?{n}")],
        ("doctor-filters", "GET"): [Case("/api/doctors/filters?{n}")],
        ("doctor-slots", "GET"): [
            Case(f"/api/doctors/{doctor.pk}/slots?days=60&x={{n}}"),
            Case(f"/api/doctors/{doctor.pk}/slots?days=60&from={in_a_month}&holdId=no-such-hold-{{n}}"),
        ],
        ("slots-explain", "GET"): [Case(f"/api/doctors/{doctor.pk}/slots/explain?date={late}&time=09:00&x={{n}}")],
        ("calendar-feed", "GET"): [Case("/calendar/nobody-knows-{n}.ics"), Case(f"/calendar/{secret}.ics?{{n}}")],
        ("login", "POST"): [
            Case("/api/auth/login", {**sign_in, "email": patient.email}), Case("/api/auth/login", sign_in),
            Case("/api/auth/login", {**sign_in, "email": patient.email, "password": PASSWORD}),
            Case("/api/auth/login", raw=junk),
        ],
        ("login-second", "POST"): [Case("/api/auth/login/second", {"ticket": second, "code": "123456"})],
        ("login-passkey", "POST"): [Case("/api/auth/login/passkey", signed)],
        ("login-passkey-options", "POST"): [Case("/api/auth/login/passkey/options")],
        ("register-patient", "POST"): [Case("/api/auth/register/patient", person | {"role": "patient"}),
                                       Case("/api/auth/register/patient", raw=junk)],
        ("register-doctor", "POST"): [Case("/api/auth/register/doctor", practice)],
        ("password-reset", "POST"): [Case("/api/auth/password/reset", {"email": "nobody{n}@example.com"}),
                                     Case("/api/auth/password/reset", {"email": patient.email})],
        ("password-reset-check", "POST"): [Case("/api/auth/password/reset/check", {"token": "x" * 300})],
        ("password-reset-confirm", "POST"): [
            Case("/api/auth/password/reset/confirm", {"token": "x" * 300, "newPassword": "seven-tall-herons"})
        ],
        ("email-confirm", "POST"): [Case("/api/auth/email/confirm", {"token": "x" * 300})],
        ("notices-unsubscribe", "GET"): [Case("/api/notices/unsubscribe?token=" + "x" * 390 + "{n}")],
        ("notices-unsubscribe", "POST"): [Case("/api/notices/unsubscribe?token=" + "x" * 390 + "{n}"),
                                          Case("/api/notices/unsubscribe?token=x", raw=junk)],
        ("hold-list", "POST"): [
            Case("/api/appointments/hold", slot, prepare=Reservation.objects.filter(kind=Reservation.Kind.HOLD).delete)
        ],
        ("hold-detail", "DELETE"): [Case("/api/appointments/hold/no-such-hold-{n}")],
    }  # fmt: skip


def exhaust_budget(subject):
    """Return budgets in which somebody has nothing left."""
    budgets = CpuBudgets("cpu-address", 50)
    budgets.charge(subject, 10**6)
    budgets.clear = lambda: None
    return budgets


def list_open_days(doctor):
    """List days with free times of a doctor, as anybody is shown."""
    answer = APIClient().get(f"/api/doctors/{doctor.pk}/slots?days=14").json()["data"]["slots"]
    return [(day["date"], day["times"]) for day in answer]


def measure(served):
    """Return how many times as much as the cheap call each case costs, by route."""
    cheap = cost(CHEAP[0], Case(CHEAP[1]), times=30)
    found = {}
    for (route, method), some in cases(*served).items():
        found[route, method] = []
        for case in some:
            took, statuses = cost(method, case)
            assert statuses.isdisjoint({429, 431, 500, 503}), (route, case.path, statuses)
            found[route, method].append(took / cheap[0])
    return found


def test_expensive_public_routes_are_limited_or_cached(served, record_property):
    found = measure(served)
    assert set(found) == set(PROTECTED_BY)
    worst = {key: max(ratios) for key, ratios in found.items()}
    for (route, method), ratio in sorted(worst.items(), key=lambda item: -item[1])[:8]:
        record_property(f"{method} {route}", f"{ratio:.1f} times the cheap call")
    costly = {key for key, ratio in worst.items() if ratio > MAX_COST and PROTECTED_BY[key] in {CHEAP_ITSELF, KEPT}}
    assert costly == set()
    # Of these it is known: without a budget, the list would cost too much.
    assert worst["doctor-list", "GET"] > 10


def test_limited_routes_reject_requests_over_the_limit(served, monkeypatch, settings):
    settings.PUBLIC_CACHE_SECONDS = 0
    cheap, everything = cost(CHEAP[0], Case(CHEAP[1]), times=30)[0], cases(*served)
    monkeypatch.setattr(RateLimit, "count", lambda limit, *subject: (10**9, time.time() + 900))
    monkeypatch.setattr(RateLimit, "check", lambda limit, *subject: limit.raise_if_exceeded(0, 1, time.time() + 9))
    monkeypatch.setattr(cpu_budget, "network_budgets", exhaust_budget("127.0.0.1"))
    # A calendar's address is its owner's.
    monkeypatch.setattr(cpu_budget, "user_budgets", exhaust_budget(str(served[1].pk)))
    wrong = {}
    for (route, method), protection in PROTECTED_BY.items():
        if protection in {LIMIT, CPU}:
            for case in everything[route, method]:
                # JSON that is none of the form's is refused before it is counted; its cost is bounded by its length.
                if not case.raw or case.kind == FORM:
                    took, statuses = cost(method, case, times=3)
                    if statuses != {429} or took > MAX_COST * cheap:
                        wrong[route, method, case.path] = (statuses, round(took / cheap, 1))
    assert wrong == {}


def test_check_finds_an_expensive_unprotected_route(served, monkeypatch):
    cheap = cost(CHEAP[0], Case(CHEAP[1]), times=10)[0]

    def slow(request):
        # `cheap` is in milliseconds.
        until = time.process_time() + 2 * MAX_COST * cheap / 1000
        while time.process_time() < until:
            pass
        return HttpResponse()

    monkeypatch.setattr(urlconf, "urlpatterns", [path("healthz", slow, name="healthz"), *urlconf.urlpatterns])
    clear_url_caches()
    assert cost("GET", Case("/healthz"))[0] > MAX_COST * cheap
    monkeypatch.undo()
    clear_url_caches()
    assert cost("GET", Case("/healthz"))[0] < MAX_COST * cheap
