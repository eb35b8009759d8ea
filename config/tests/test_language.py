"""Test in which language a page is served."""

import json
import re

import pytest
from django.test import Client

from config import spa
from config.language import negotiate_language
from config.testing import ROOT

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]


@pytest.fixture
def languages(settings, monkeypatch):
    """Pages in English, German and Arabic, each with the name of its language instead of a text."""
    settings.INTERFACE_LANGUAGES = ["en", "de", "ar"]
    settings.BASE_URL = "https://visits.example.org"
    build = json.loads(json.dumps(spa.load_build()))
    for page in build["pages"]:
        page["html"] = {language: f"<h1>in {language}</h1>" for language in settings.INTERFACE_LANGUAGES}
    monkeypatch.setattr(spa, "load_build", lambda: build)
    spa.render_page.cache_clear()
    yield
    spa.render_page.cache_clear()


def test_every_language_that_is_offered_is_built(settings):
    """Languages may be built before they are offered, which takes translated messages of the server as well."""
    built = json.loads((settings.STATIC_ROOT / "app" / "pages.json").read_text())["languages"]
    locales = re.search(r"locales: \[(.*)\]", (ROOT / "frontend/lingui.config.ts").read_text())[1]
    assert re.findall(r"\w+", locales) == [*built, spa.PSEUDO_LOCALE]
    assert set(settings.INTERFACE_LANGUAGES) <= set(built)
    assert set(settings.INTERFACE_LANGUAGES) <= dict(settings.LANGUAGES).keys()


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr-CA,fr;q=0.9,ar-eg;q=0.3,de;q=0.2", "ar"),
        ("zh-hant-TW", "zh-Hant"),
        ("de;q=0,ar;q=0.1", "ar"),
        ("*", ""),
        ("", ""),
        ("de;q=much", ""),
        ("\x00{}%s<b>", ""),
        ("de," * 4000, "de"),
        ("x" * 9000, ""),
    ],
)
def test_negotiation_takes_the_available_language_that_the_browser_prefers(header, language):
    assert negotiate_language(header, {"en", "de", "ar", "zh-Hant"}) == language


@pytest.mark.parametrize(
    ("path", "cookie", "header", "language"),
    [
        ("/about?lang=ar", "de", "en", "ar"),
        ("/about", "de", "ar", "de"),
        ("/about?lang=xx", "yy", "ar-EG", "ar"),
        ("/about?lang=", "", "fr", "en"),
        ("/about?lang=de%00", "de;", "", "en"),
    ],
)
def test_page_is_in_the_language_of_the_address_the_cookie_or_the_browser(languages, path, cookie, header, language):
    response = Client(headers={"accept-language": header, "cookie": f'language="{cookie}"'}).get(path)
    assert response["Content-Language"] == language
    assert response["Vary"] == "Accept-Encoding, Accept-Language, Cookie"
    html = response.content.decode()
    direction = ' dir="rtl"' if language == "ar" else ""
    assert f'<html lang="{language}"{direction} data-catalogs=' in html
    assert f"<h1>in {language}</h1>" in html
    assert set(re.findall(r"assets/[\w-]+\.(\w+)-\w+\.json", html)) == {language}


def test_languages_of_a_page_are_cached_apart(languages):
    client = Client()
    etags = {client.get(f"/about?lang={language}")["ETag"] for language in ("en", "de", "ar")}
    assert len(etags) == 3
    german = client.get("/about?lang=de")["ETag"]
    assert Client(headers={"if-none-match": german}).get("/about?lang=de").status_code == 304
    assert Client(headers={"if-none-match": german}).get("/about?lang=ar").status_code == 200


def test_page_names_its_address_in_each_language(languages):
    assert Client().get("/doctors/a%0Ab?lang=de&date=2026-12-08")["Link"].split(", ") == [
        '<https://visits.example.org/doctors/a%0Ab?lang=en>; rel="alternate"; hreflang="en"',
        '<https://visits.example.org/doctors/a%0Ab?lang=de>; rel="alternate"; hreflang="de"',
        '<https://visits.example.org/doctors/a%0Ab?lang=ar>; rel="alternate"; hreflang="ar"',
        '<https://visits.example.org/doctors/a%0Ab>; rel="alternate"; hreflang="x-default"',
    ]
    assert "Link" not in Client().get("/no/such").headers


def test_site_in_one_language_names_no_others():
    response = Client(headers={"accept-language": "de"}).get("/about")
    assert response["Content-Language"] == "en"
    assert "Link" not in response.headers
