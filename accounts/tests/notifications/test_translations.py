"""What people are told is said in their language: all of it, safely, and to nobody else."""

import ast
import re
from contextlib import suppress
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings as site
from django.core.exceptions import ImproperlyConfigured

from accounts.languages import asked_for, catalog_path, language_of, say, say_number, speaking, spoken
from accounts.models import Notice, User
from accounts.notifications import registry
from accounts.notifications.outbox import tell
from accounts.notifications.registry import ALWAYS, Message, Registered
from accounts.tests.mail_links import deliver, text_of
from accounts.tests.test_registration import form
from adminpanel.tests.admin.staff import client_for, keeper, page_of

pytestmark = pytest.mark.either_engine

KEYWORDS = {"say": None, "say_number": (1, 2)}
TRANSLATED = [code for code in site.MESSAGE_LANGUAGES if code != "en"]
HOSTILE = "Ada {name} {0.__class__} %s 100% %(x)d <b>Bold</b> & {{ Co }}"


def sources():
    """Return the files of our apps that run in production."""
    for app in ("accounts", "doctors", "appointments", "adminpanel"):
        for path in sorted(Path(apps.get_app_config(app).path).rglob("*.py")):
            if not {"tests", "migrations"} & set(path.parts):
                yield path


def extracted():
    """Return what the extractor of the translations finds: texts, or pairs of one and many."""
    found = set()
    for path in sources():
        with path.open("rb") as file:
            found |= {text for _, text, _, _ in extract("python", file, KEYWORDS)}
    return found


def calls(tree):
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS
    ]


def places(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


# --- Every text has its translation -----------------------------------------------------------


def test_each_text_is_written_out_where_it_is_said_and_has_a_value_for_each_place():
    said = set()
    for path in sources():
        for call in calls(ast.parse(path.read_text())):
            if path.name == "languages.py":
                continue
            texts = call.args[: 1 if call.func.id == "say" else 2]
            assert all(isinstance(text, ast.Constant) for text in texts), f"{path}:{call.lineno}"
            words = tuple(text.value for text in texts)
            given = {keyword.arg for keyword in call.keywords}
            if None in given:
                given = given - {None} | set(site.CONTACT) & places(words[0])
            if call.func.id == "say_number":
                given.add("number")
            for text in words:
                assert places(text) == given, f"{path}:{call.lineno}"
            said.add(words if len(words) > 1 else words[0])
    assert len(said) > 100
    # What stands where the extractor can't see it, inside an f-string say, would never be translated.
    assert said == extracted()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language):
    with catalog_path(language).open("rb") as file:
        catalog = read_po(file, locale=language, abort_invalid=True)
    translated = {message.id: message for message in catalog if message.id}
    assert set(translated) == extracted()
    for text, message in translated.items():
        assert not message.fuzzy, text
        sources, targets = ((text,), (message.string,)) if isinstance(text, str) else (text, message.string)
        assert len(targets) == (catalog.num_plurals if len(sources) > 1 else 1)
        for target in targets:
            assert target.strip() == target != "", text
            assert places(target) == places(sources[0]), text
            # A question stays one, and a sentence ends.
            assert target.endswith(("?", ".", ":")) == sources[0].endswith(("?", ".", ":")), text


def test_nothing_is_told_that_is_not_said():
    """In the files whose words reach people, every text that looks like words goes through `say`."""
    unsaid = []
    for path in sources():
        tree = ast.parse(path.read_text())
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        if not {"Message", "say"} & names or path.name in {"delivery.py", "inbox.py", "registry.py"}:
            continue
        documentation = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        said = {id(part) for call in calls(tree) for part in ast.walk(call)}
        # What goes into the log is for operators.
        said |= {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("logger.")
            for part in ast.walk(node)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation | said:
                unsaid += [(path.name, node.value)] if re.search(r"^[A-Z][a-z]|[A-Za-z] [A-Za-z]", node.value) else []
    names_of_things = {"Firefox", "Chrome", "Safari", "Edge", "Edg", "Opera", "Android", "Windows", "Linux", "Mac OS X"}
    names_of_things |= {"Email", "Firefox/", "Chrome/", "Safari/", "Message-ID", "Date", "Auto-Submitted", "Wellhour"}
    names_of_things |= {"Content-Language", "List-Unsubscribe", "EEEE d 'de' MMMM 'de' y"}
    assert [(name, text) for name, text in unsaid if text not in names_of_things] == []


# --- Speaking ---------------------------------------------------------------------------------


def test_what_is_spoken_ends_with_the_block():
    assert (spoken(), say("Where")) == ("en", "Where")
    with speaking("de"):
        with suppress(ValueError), speaking("es"):
            assert say("Where") == "Dónde"
            raise ValueError("broken")
        assert say("Where") == "Wo"
        numbers = [
            say_number("Your {number} appointment on {day}", "Your {number} appointments on {day}", count, day="X")
            for count in (1, 2)
        ]
        assert numbers == ["Ihr 1 Termin am X", "Ihre 2 Termine am X"]
    assert spoken() == "en"


@pytest.mark.parametrize("language", site.MESSAGE_LANGUAGES)
def test_names_are_put_in_as_they_are(language):
    with speaking(language):
        for text in (text for text in extracted() if isinstance(text, str)):
            if names := places(text):
                assert HOSTILE in say(text, **dict.fromkeys(names, HOSTILE))


# --- Whose language ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("DE-at,de;q=0.9,en;q=0.5", "de"),
        ("fr-CA,fr;q=0.9,es;q=0.3,de;q=0.2", "es"),
        ("es-419", "es"),
        ("en-GB,de;q=0.9", "en"),
        ("de;q=0,es;q=0.1", "es"),
        ("fr", ""),
        ("*", ""),
        ("", ""),
        ("de;q=much", ""),
        ("\x00{}%s<b>", ""),
        ("de," * 4000, "de"),
        ("x" * 9000, ""),
    ],
)
def test_a_browser_asks_for_a_language(header, language):
    assert asked_for(header) == language


@pytest.mark.parametrize(("header", "language"), [("de-CH,de;q=0.9", "de"), ("fr", ""), (None, "")])
def test_a_new_person_is_spoken_to_as_their_browser_asks(api, client_of, db, header, language):
    headers = {} if header is None else {"HTTP_ACCEPT_LANGUAGE": header}
    assert api.post("/api/auth/register/patient", form(), format="json", **headers).status_code == 201
    user = User.objects.get()
    assert (user.language, language_of(user)) == (language, language or "en")
    # What is chosen counts from then on, whatever a browser says.
    client = client_of(user)
    answer = client.put("/api/auth/notice-settings", {"language": "es"}, format="json", HTTP_ACCEPT_LANGUAGE="de")
    assert answer.json()["data"]["language"] == "es"
    assert User.objects.get().language == "es"


def test_who_has_not_chosen_is_spoken_to_in_the_sites_language(patient, settings):
    settings.MESSAGE_LANGUAGE = "de"
    tell("account.password_changed", patient)
    assert registry.compose(Notice.objects.get()).title == "Ihr Passwort wurde geändert"
    # A language that the site has given up is no fault.
    patient.language = "tlh"
    assert language_of(patient) == "de"


def test_a_language_that_there_is_not_stops_the_start():
    import os
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        check=False, capture_output=True, text=True, cwd=site.BASE_DIR,
        env={**os.environ, "MESSAGE_LANGUAGE": "tlh"},
    )  # fmt: skip
    assert done.returncode != 0
    assert f"{ImproperlyConfigured.__name__}: MESSAGE_LANGUAGE must be one of en, de, es." in done.stderr


# --- In mails, at the bell and for staff ------------------------------------------------------


def test_each_reader_gets_their_own_language_and_it_leaks_to_nobody(patient, other_patient, admin, mail, monkeypatch):
    def broken(notice):
        assert spoken() == "es"
        raise ValueError("broken")

    monkeypatch.setitem(registry._register, "test.broken", Registered(broken, ALWAYS))
    User.objects.filter(pk=patient.pk).update(language="de")
    User.objects.filter(pk=admin.pk).update(language="es")
    for person in (patient, other_patient, admin):
        tell("account.password_changed", person)
    tell("test.broken", admin)
    tell("account.password_changed", other_patient)
    assert deliver() == {"sent": 4, "postponed": 1}
    seen = [(to, one["Subject"], one["Content-Language"]) for to, one in mail.mails]
    english = (other_patient.email, "Your password was changed", "en")
    assert seen == [
        (patient.email, "Ihr Passwort wurde geändert", "de"),
        english,
        (admin.email, "Se ha cambiado su contraseña", "es"),
        english,
    ]
    for (_, one), (_, _, language) in zip(mail.mails, seen, strict=True):
        page = one.get_body(("html",)).get_content()
        assert f'<html lang="{language}">' in page
    machine = "Diese Nachricht wurde automatisch verschickt. Bitte antworten Sie nicht darauf."
    german = mail.mails[0][1]
    assert machine in text_of(german)
    assert machine in german.get_body(("html",)).get_content()
    assert "automated message" not in german.as_string()
    assert spoken() == "en"


def test_the_bell_speaks_it_and_hears_of_a_change(patient, client_of):
    tell("account.password_changed", patient)
    client = client_of(patient)
    first = client.get("/api/notices/unread")
    assert first.json()["data"]["latest"]["language"] == "en"
    client.put("/api/auth/notice-settings", {"language": "de"}, format="json")
    second = client.get("/api/notices/unread", HTTP_IF_NONE_MATCH=first["ETag"])
    latest = second.json()["data"]["latest"]
    assert (latest["title"], latest["language"]) == ("Ihr Passwort wurde geändert", "de")
    (row,) = client.get("/api/notices").json()["data"]["notices"]
    assert row["facts"][0]["name"] == "Wann"
    assert " Uhr, Ortszeit New York (" in row["facts"][0]["value"]


def test_a_composer_need_not_know_of_languages(patient, monkeypatch):
    monkeypatch.setitem(registry._register, "test.plain", Registered(lambda notice: Message("Hi", "Hi"), ALWAYS))
    patient.language = "de"
    patient.save()
    tell("test.plain", patient)
    assert registry.compose(Notice.objects.get()).language == "de"


def test_staff_read_the_words_as_their_reader_does(patient):
    User.objects.update(language="es")
    tell("account.password_changed", patient)
    page = client_for(keeper("view_notice")).get(page_of(Notice, Notice.objects.get())).content.decode()
    assert "Se ha cambiado su contraseña" in page
    assert '<html lang="en' in page
    assert "Recipient" in page
