"""Test the HTML page before scripts load: its content per route, its texts, and its caching."""

import gzip
import json
import re
from html import unescape

import brotli
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import spa
from config.testing import ROOT
from config.version import VERSION

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]

HOSTILE = '<script>alert("1")</script>'


@pytest.fixture(autouse=True)
def read_anew():
    """Pages are made once in a process's life, of settings that a test changes."""
    yield
    for kept in (spa.load_build, spa.compile_patterns, spa.render_page):
        kept.cache_clear()


def page_at(path: str) -> str:
    return Client().get(path).content.decode()


def every_html(page: spa.PrerenderedPage) -> str:
    """Return a page in all languages."""
    return "".join(page["html"].values())


def heading(html: str) -> str:
    found = re.search(r"<h1[^>]*>(.*?)</h1>", html)
    return found[1] if found else ""


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/", "See a doctor you trust, at a time that works for you"),
        ("/patient/doctors", "Find Your Doctor"),
        ("/patient/doctors/", "Find Your Doctor"),
        ("/patient/doctors?search=heart", "Find Your Doctor"),
        ("/doctors/0193c0de", "Loading doctor"),
        ("/patient/book-appointment/0193c0de", "Book appointment"),
        # Who may see these is not known yet: their frame stands alone.
        ("/patient/appointments", ""),
        ("/admin/dashboard", ""),
    ],
)
def test_page_shell_has_the_heading_of_its_route(path, said):
    html = page_at(path)
    assert heading(html) == said
    assert '<div id="root"><div' in html
    # A style attribute would be refused by the policy.
    assert " style=" not in html


@pytest.mark.parametrize(
    "path",
    ["/no/such", "/doctors/a/b", "/nobody", "/%20%3Cscript%3Ealert", "/doctor/nothing", "/admin/users/1", "/doctors"],
)
@pytest.mark.parametrize("method", ["get", "head"])
def test_an_unknown_address_is_a_404_with_the_shell(path, method):
    answer = getattr(Client(), method)(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/html; charset=utf-8")
    # A browser that has seen the shell before still learns that the address is unknown.
    again = getattr(Client(headers={"if-none-match": answer["ETag"]}), method)(path)
    assert again.status_code == 404
    html = Client().get(path).content.decode()
    assert '<div id="root"></div>' in html
    assert re.findall(r'<script type="module"[^>]* src="/static/app/assets/main-[\w-]+\.js">', html) != []
    assert re.findall("alert|such|nobody|doctors/a", html) == []


@pytest.mark.parametrize(
    "path",
    ["/media/pictures/gone.webp", "/media/x%0Ay", "/static/app/assets/main-gone.js", "/static/no.js",
     "/x.php", "/x.php/", "/wp-content/a.b.JS", "/.env", "/.git/config", "/.well-known/change-password"],
)  # fmt: skip
def test_missing_file_is_a_plain_text_404(db, path):
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "text/plain; charset=utf-8")
    assert answer.content == b"Not found.\n"


def test_a_name_with_a_dot_in_a_page_is_no_file():
    assert heading(page_at("/doctors/a.b")) == "Loading doctor"


def test_line_break_in_a_url_does_not_redirect(db):
    assert heading(page_at("/doctors/%0A")) == "Loading doctor"


def test_no_page_links_to_a_parameter_placeholder():
    """The name in an address is unknown while prerendering: no link may contain its placeholder."""
    parts = re.compile(r'(?:href|src|action)="([^"]*)"')
    pages = [page for page in spa.load_build()["pages"] if ":" in page["pattern"]]
    assert len(pages) >= 5
    wrong = {
        page["pattern"]: found
        for page in pages
        if (found := [each for each in parts.findall(every_html(page)) if "0" in re.split(r"[/?&=#]", each)])
    }
    assert wrong == {}


def test_page_preloads_the_files_of_its_route():
    files = set(re.findall(r'[" ](/static/app/assets/[^" ]+)', page_at("/doctors/0193c0de")))
    names = {re.sub(r"-[\w-]{8}\.", ".", each.rpartition("/")[2]) for each in files}
    assert {"boot.js", "main.js", "vendor.js", "ui.js", "ui.css", "DoctorPage.js", "DoctorPage.css"} <= names
    assert {"shell.en.json", "page-doctors-id.en.json"} <= names
    assert "atkinson-hyperlegible-next-latin-wght-normal.woff2" in names
    assert not names & {"HomePage.js", "staffRoutes.js", "signedInComponents.js"}
    missing = [each for each in files if not (spa.settings.STATIC_ROOT / each.removeprefix("/static/")).is_file()]
    assert missing == []


def test_page_shell_contains_no_password_form():
    """Before the code is here the browser would send it by itself, in the address."""
    secret = re.compile(r'<input[^>]* type="(password|email|tel|date)"|<textarea')
    assert [page["pattern"] for page in spa.load_build()["pages"] if secret.search(every_html(page))] == []


def test_every_sitemap_url_is_rendered():
    """The map is read by the build; a line of it that the build did not understand would be missing here."""
    source = "".join((ROOT / "frontend/src/app" / name).read_text() for name in ("routes.tsx", "staffRoutes.tsx"))
    lines = re.findall(r"\b(?:route|doctorRoute|adminRoute)\(\s*'([^']+)'", source)
    assert len(lines) == len(spa.load_build()["pages"])
    assert {each["pattern"].removeprefix("/doctor/").removeprefix("/admin/") for each in spa.load_build()["pages"]} == {
        line.removeprefix("/doctor/").removeprefix("/admin/") for line in lines
    }


def test_page_uses_the_texts_of_this_site(settings):
    settings.HOME_CLAIMS = {"patients": "7 & more", "rating": HOSTILE, "support": "9 to 5"}
    settings.CONTACT = {"email": "a@b.example", "phone": "+44 (0)20 7946-0000", "address": HOSTILE}
    html = page_at("/")
    assert "7 &amp; more patients" in html
    assert '<a href="tel:+4402079460000">+44 (0)20 7946-0000</a>' in html
    assert "<script>alert" not in html
    assert html.count("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;") == 2
    for placeholder in spa.load_build()["placeholders"].values():
        assert placeholder not in html
    # What the code takes over from is what the API says.
    config = json.loads(unescape(re.search(r'<meta name="wellhour-config" content="([^"]*)">', html)[1]))
    assert config == Client().get("/api/config").json()["data"]


def test_the_page_shows_no_claim_and_no_contact_that_is_empty(settings):
    settings.HOME_CLAIMS = {"patients": "7", "rating": "", "support": "9 to 5"}
    settings.CONTACT = {"email": "", "phone": "+44 20 7946 0000", "address": ""}
    html = page_at("/")
    stats = re.search(r'<ul[^>]* aria-label="Wellhour at a glance"[^>]*>(.*?)</ul>', html)[1]
    assert re.findall(r"</svg>([^<]*)</li>", stats) == ["7 patients", "9 to 5 support", "Verified doctors"]
    assert re.findall(r'href="((?:tel|mailto):[^"]*)"', html) == ["tel:+442079460000"]
    assert "You can also call us at +44 20 7946 0000.</p>" in html
    contact = page_at("/contact")
    assert contact.count("+44 20 7946 0000</a>") == 2
    assert re.findall(r"<h2[^>]*>(Email|Phone|Mailing address)</h2>", contact) == ["Phone"]


def test_the_page_names_no_contact_if_there_is_none(settings):
    settings.HOME_CLAIMS = dict.fromkeys(settings.HOME_CLAIMS, "")
    settings.CONTACT = dict.fromkeys(settings.CONTACT, "")
    for path in ("/", "/contact", "/patient/doctors", "/privacy", "/patient/appointments"):
        html = page_at(path)
        assert re.findall(r"tel:|mailto:|Contact us<|You can also|<ul[^>]*></ul>|\x00|9990000", html) == []
    assert re.findall(r"\w+ (?:patients|rating|support)<", page_at("/")) == []


def test_page_is_compressed_and_revalidated(db):
    plain = Client().get("/")
    assert plain["Cache-Control"] == "no-cache"
    assert (plain["Vary"], plain.headers.get("Content-Encoding")) == ("Accept-Encoding, Accept-Language, Cookie", None)
    taken = {"br": brotli.decompress, "gzip": gzip.decompress}
    for accepted, coding in (
        ("gzip, deflate, br", "br"),
        ("gzip;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br; q=1", "br"),
    ):
        answer = Client(headers={"accept-encoding": accepted}).get("/")
        assert answer["Content-Encoding"] == coding
        assert taken[coding](answer.content) == plain.content
        assert len(answer.content) < len(plain.content) / 3
        assert answer["ETag"] != plain["ETag"]
        again = Client(headers={"accept-encoding": accepted, "if-none-match": answer["ETag"]}).get("/")
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
        # What a browser has kept stands with the policy that it came with, unless this one says another.
        assert "Content-Security-Policy" in answer.headers
        assert "Content-Security-Policy" not in again.headers
    for refused in ("identity", "br;q=0", "br; q=0.0"):
        assert "Content-Encoding" not in Client(headers={"accept-encoding": refused}).get("/").headers


@pytest.mark.parametrize("path", ["/", "/login", "/nobody"])
def test_every_page_names_the_version(path):
    assert f'<meta name="generator" content="Wellhour {VERSION}">' in page_at(path)


def test_page_contains_no_user_data():
    """It is one text for all, so that neither a cache nor its compressed length can tell anything."""
    one = Client().get("/doctors/1", headers={"authorization": "Bearer abc", "cookie": "a=b", "user-agent": "c"})
    other = Client().get("/doctors/2?date=2026-12-08")
    assert one.content == other.content
    assert "nonce" not in one["Content-Security-Policy"]


def test_missing_build_is_reported(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    spa.load_build.cache_clear()
    spa.compile_patterns.cache_clear()
    with pytest.raises(ImproperlyConfigured, match="npm run build"):
        Client().get("/")
