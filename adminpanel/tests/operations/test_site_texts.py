"""Test imprint, terms and privacy policy: who writes them, where they appear, and what is left of a change."""

import hashlib
import json
import re
from html import unescape

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from accounts.models import AuditEvent
from adminpanel.models import MAX_TEXT_LENGTH, SiteText
from adminpanel.operations import site_texts
from adminpanel.operations.site_texts import list_published_kinds
from adminpanel.tests.admin.staff import client_for, page_of, staff_member

pytestmark = pytest.mark.django_db

ADD = f"{page_of(SiteText)}add/"


def publish(kind: str, text: str = "Words", language: str = "en") -> SiteText:
    return SiteText.objects.create(kind=kind, language=language, text=text, updated_at=timezone.now())


def links(html):
    footer = html[html.index("<footer") :]
    return re.findall(r'href="(/[a-z]*)"', footer)


def config_of(html):
    return json.loads(unescape(re.search(r'<meta name="wellhour-config" content="([^"]*)">', html)[1]))


def test_without_texts_nothing_links_to_them_and_their_pages_are_unknown(client):
    html = client.get("/").text
    assert links(html) == ["/", "/about", "/contact", "/privacy"]
    assert config_of(html)["texts"] == client.get("/api/config").json()["data"]["texts"] == []
    assert [client.get(path).status_code for path in ("/imprint", "/terms", "/imprint/")] == [404, 404, 404]
    assert client.get("/api/texts/imprint").json()["code"] == "not_found"
    assert "/imprint" not in client.get("/sitemap.xml").text


def test_a_text_has_a_page_and_links_in_footer_and_sitemap(client, settings):
    settings.BASE_URL = "https://visits.example.org"
    publish("imprint", "Example Practice\n1 Elm Street")
    for path in ("/", "/contact", "/patient/appointments", "/imprint"):
        html = client.get(path).text
        assert links(html) == ["/", "/about", "/contact", "/privacy", "/imprint"]
        assert config_of(html)["texts"] == ["imprint"]
    assert [client.get(path).status_code for path in ("/imprint", "/terms")] == [200, 404]
    assert "<loc>https://visits.example.org/imprint</loc>" in client.get("/sitemap.xml").text
    assert "/terms" not in client.get("/sitemap.xml").text
    (text,) = client.get("/api/texts/imprint").json()["data"]["texts"]
    assert (text["language"], text["text"]) == ("en", "Example Practice\n1 Elm Street")
    publish("terms")
    assert links(client.get("/").text) == ["/", "/about", "/contact", "/privacy", "/terms", "/imprint"]


def test_a_privacy_policy_replaces_the_one_of_the_pages(client):
    before = client.get("/privacy").text
    assert "We don’t sell your data" in before
    publish("privacy")
    after = client.get("/privacy").text
    assert "We don’t sell your data" not in after
    assert '<div id="root"></div>' in after
    # It has no content before its scripts, which are not to wait then.
    assert re.findall(r'<script type="module"[^>]* src="/static/app/assets/main-[\w-]+\.js">', after) != []
    assert "data-code" not in after


def test_the_language_of_the_site_comes_first(client, settings):
    settings.MESSAGE_LANGUAGE = "es"
    for language in ("de", "es", "en"):
        publish("terms", f"In {language}", language)
    texts = client.get("/api/texts/terms").json()["data"]["texts"]
    assert [text["language"] for text in texts] == ["es", "de", "en"]


def test_pages_know_the_kinds_for_seconds_and_without_the_database(
    client, settings, monkeypatch, django_assert_num_queries
):
    settings.PUBLIC_CACHE_SECONDS = 5
    clock = [100.0]
    monkeypatch.setattr(site_texts.time, "monotonic", lambda: clock[0])
    assert list_published_kinds() == ()
    publish("terms")
    clock[0] += 4.9
    with django_assert_num_queries(0):
        assert list_published_kinds() == ()
    clock[0] += 0.2
    assert list_published_kinds() == ("terms",)

    class Away:
        def order_by(self, *names):
            raise OperationalError("away")

    monkeypatch.setattr(SiteText, "objects", Away())
    for _ in range(3):
        clock[0] += 6
        assert list_published_kinds() == ("terms",)
    assert client.get("/terms").status_code == 200


def test_a_change_shows_at_once_in_the_process_that_made_it(settings):
    settings.PUBLIC_CACHE_SECONDS = 60
    client = client_for(staff_member(superuser=True))
    assert list_published_kinds() == ()
    client.post(ADD, {"kind": "terms", "language": "en", "text": "Be kind."})
    assert list_published_kinds() == ("terms",)
    client.post(page_of(SiteText, SiteText.objects.get(), "delete"), {"post": "yes"})
    assert list_published_kinds() == ()


def test_each_change_is_audited_with_the_digest_of_the_text():
    author = staff_member("view_sitetext", "edit_sitetext")
    client = client_for(author)
    client.post(ADD, {"kind": "terms", "language": "en", "text": "Be kind.\r\nAlways."})
    text = SiteText.objects.get()
    assert text.text == "Be kind.\nAlways."
    client.post(page_of(SiteText, text), {"kind": "terms", "language": "en", "text": "Be kind.\nAlways."})
    client.post(page_of(SiteText, text), {"kind": "terms", "language": "de", "text": "Seid nett."})
    client.post(page_of(SiteText, text, "delete"), {"post": "yes"})
    other = publish("imprint")
    client.post(page_of(SiteText), {"action": "delete_selected", "_selected_action": [str(other.pk)], "post": "yes"})
    assert not SiteText.objects.exists()
    events = AuditEvent.objects.filter(entity_type="site_text").order_by("id")
    assert {event.agent_id for event in events} == {author.pk}

    def detail(kind, language, text):
        return {"kind": kind, "language": language, "sha256": hashlib.sha256(text.encode()).hexdigest()}

    assert [(event.event, event.entity_id, event.detail) for event in events] == [
        ("site_text.created", str(text.pk), detail("terms", "en", "Be kind.\nAlways.")),
        ("site_text.changed", str(text.pk), detail("terms", "de", "Seid nett.")),
        ("site_text.deleted", str(text.pk), detail("terms", "de", "Seid nett.")),
        ("site_text.deleted", str(other.pk), detail("imprint", "en", "Words")),
    ]


def test_only_staff_with_the_permission_write():
    text = publish("terms")
    reader = client_for(staff_member("view_sitetext"))
    body = {"kind": "imprint", "language": "en", "text": "Mine"}
    assert reader.get(page_of(SiteText, text)).status_code == 200
    for path, sent in (
        (ADD, body), (page_of(SiteText, text), body), (page_of(SiteText, text, "delete"), {"post": "yes"}),
    ):  # fmt: skip
        assert reader.post(path, sent).status_code == 403
    assert client_for(staff_member()).get(page_of(SiteText)).status_code == 403
    assert [(each.kind, each.text) for each in SiteText.objects.all()] == [("terms", "Words")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": ""}, "This field is required."),
        ({"text": "a\x07b"}, "Leave out invisible characters."),
        ({"text": "a" * (MAX_TEXT_LENGTH + 1)}, "at most 100000 characters"),
        ({"kind": "other"}, "Select a valid choice."),
        ({"language": "English"}, "Enter a language code like en, de or pt-BR."),
        ({}, "already exists."),
    ],
)
def test_the_form_says_what_is_wrong(change, message):
    publish("terms")
    client = client_for(staff_member(superuser=True))
    response = client.post(ADD, {"kind": "terms", "language": "en", "text": "Be kind.", **change})
    assert response.status_code == 200
    assert message in response.text
    assert SiteText.objects.count() == 1


def test_the_database_takes_one_text_of_a_kind_and_language_and_no_empty_one():
    publish("terms")
    for kind, text in (("terms", "Again"), ("imprint", "")):
        with pytest.raises(IntegrityError), transaction.atomic():
            publish(kind, text)
