"""Messages are in their reader's language: all of each message, with names as they are, and only for that reader."""

import ast
import os
import re
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings as site
from django.core import checks
from django.test import RequestFactory
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from accounts.models import Notice, User
from accounts.notifications import registry
from accounts.notifications.languages import check_compiled_messages, preferred_language, user_language
from accounts.notifications.outbox import notify_user
from accounts.notifications.registry import ALWAYS, Message, RegisteredComposer
from accounts.tests.mail_links import deliver, text_of
from accounts.tests.notifications.hostile_name import HOSTILE
from accounts.tests.registration_form import form
from adminpanel.tests.admin.staff import client_for, page_of, staff_member

pytestmark = pytest.mark.either_engine

KEYWORDS = {"_": None, "ngettext": (1, 2)}
LANGUAGES = list(dict(site.LANGUAGES))
TRANSLATED = [language for language in LANGUAGES if language != "en"]


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
            found |= {text for _line, text, _comments, _context in extract("python", file, KEYWORDS)}
    return found


def calls(tree):
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS
    ]


def values_by_call(tree):
    """Return the names of the values with which each text is formatted: of `_("…").format(name=…)`, `name`."""
    return {
        id(node.func.value): {keyword.arg for keyword in node.keywords}
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format"
    }


def places(text):
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


# --- Every text has its translation -----------------------------------------------------------


def test_each_text_is_a_literal_that_is_formatted_with_its_placeholders():
    marked = set()
    for path in sources():
        tree = ast.parse(path.read_text())
        values = values_by_call(tree)
        for call in calls(tree):
            texts = call.args[: 1 if call.func.id == "_" else 2]
            assert all(isinstance(text, ast.Constant) for text in texts), f"{path}:{call.lineno}"
            words = tuple(text.value for text in texts)
            given = values.get(id(call), set())
            if None in given:
                given = given - {None} | set(site.CONTACT) & places(words[0])
            for text in words:
                assert places(text) == given, f"{path}:{call.lineno}"
            marked.add(words if len(words) > 1 else words[0])
    assert len(marked) > 100
    # A text that the extractor can't see, as inside an f-string, would never be translated.
    assert marked == extracted()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated(language):
    with (site.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po").open("rb") as file:
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


def test_every_text_of_a_message_is_marked():
    """In the files whose words reach users, every text that looks like words is marked for translation."""
    unmarked = []
    for path in sources():
        tree = ast.parse(path.read_text())
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        if not {"Message", "gettext"} & names or path.name in {"delivery.py", "inbox.py", "registry.py"}:
            continue
        documentation = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        marked = {id(part) for call in calls(tree) for part in ast.walk(call)}
        # What goes into the log is for operators.
        marked |= {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("logger.")
            for part in ast.walk(node)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in documentation | marked
            ):
                unmarked += [(path.name, node.value)] if re.search(r"^[A-Z][a-z]|[A-Za-z] [A-Za-z]", node.value) else []
    names_of_things = {"Firefox", "Chrome", "Safari", "Edge", "Edg", "Opera", "Android", "Windows", "Linux", "Mac OS X"}
    names_of_things |= {"Email", "Firefox/", "Chrome/", "Safari/", "Message-ID", "Date", "Auto-Submitted", "Wellhour"}
    names_of_things |= {"Content-Language", "List-Unsubscribe", "EEEE d 'de' MMMM 'de' y"}
    assert [(name, text) for name, text in unmarked if text not in names_of_things] == []


# --- Composing --------------------------------------------------------------------------------


def test_each_language_has_its_words_and_plural_forms():
    assert (get_language(), _("Where")) == ("en", "Where")
    one, many = "Your {number} appointment on {day}", "Your {number} appointments on {day}"
    with override("de"):
        with suppress(ValueError), override("es"):
            assert _("Where") == "Dónde"
            raise ValueError("broken")
        assert _("Where") == "Wo"
        numbers = [ngettext(one, many, count).format(number=count, day="X") for count in (1, 2)]
        assert numbers == ["Ihr 1 Termin am X", "Ihre 2 Termine am X"]
    assert [ngettext(one, many, count) for count in (1, 2)] == [one, many]
    assert get_language() == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_put_in_as_they_are(language):
    with override(language):
        for text in (text for text in extracted() if isinstance(text, str)):
            if names := places(text):
                assert HOSTILE in _(text).format(**dict.fromkeys(names, HOSTILE))


def test_threads_compose_in_different_languages_at_the_same_time():
    barrier = threading.Barrier(len(LANGUAGES), timeout=20)

    def compose(language):
        words = set()
        with override(language):
            for _round in range(200):
                barrier.wait()
                words.add((get_language(), _("Where")))
        return words

    with ThreadPoolExecutor(len(LANGUAGES)) as pool:
        words = [*pool.map(compose, LANGUAGES)]
    assert words == [{("en", "Where")}, {("de", "Wo")}, {("es", "Dónde")}]


# --- What is compiled -------------------------------------------------------------------------


def test_messages_are_compiled():
    assert check_compiled_messages() == []


@pytest.mark.parametrize(
    ("is_production", "level", "code"), [(True, checks.ERROR, "E001"), (False, checks.WARNING, "W001")]
)
@pytest.mark.parametrize("state", ["missing", "old"])
def test_a_language_without_current_compiled_messages_is_reported(
    settings, tmp_path, is_production, level, code, state
):
    shutil.copytree(settings.BASE_DIR / "locale", tmp_path, dirs_exist_ok=True)
    settings.LOCALE_PATHS, settings.IS_PRODUCTION = [tmp_path], is_production
    file = tmp_path / "es" / "LC_MESSAGES" / "django.mo"
    if state == "missing":
        file.unlink()
    else:
        source = file.with_suffix(".po")
        source.write_text(source.read_text().replace('"Dónde"', '"En dónde"'))
        os.utime(source, (0, 0))
    (message,) = checks.run_checks(tags=[checks.Tags.translation], include_deployment_checks=True)
    assert (message.level, message.id) == (level, f"accounts.{code}")
    assert message.msg == f"{file} is missing or old: compile the messages with `pybabel compile -D django -d locale`."


# --- Only messages are translated -------------------------------------------------------------


def test_staff_site_and_api_errors_stay_english_whatever_the_browser_asks_for(client, db):
    for path in ("/staff/login/", "/api/auth/profile", "/api/nowhere", "/api/doctors?page=x"):
        english = client.get(path, HTTP_ACCEPT_LANGUAGE="en")
        german = client.get(path, HTTP_ACCEPT_LANGUAGE="de")
        assert german.status_code == english.status_code
        assert without_tokens(german.content) == without_tokens(english.content), path
    assert get_language() == "en"


def without_tokens(body):
    """Leave out what is random in each response."""
    return re.sub(rb'(nonce|value|"(?:requestId|request_id)"\s*:\s*)=?"[^"]+"', b"", body)


# --- Whose language ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"), [("fr-CA,es-419;q=0.3,de;q=0.2", "es"), ("en-GB,de;q=0.9", "en"), ("fr", "")]
)
def test_messages_are_in_the_language_with_messages_that_the_browser_prefers(header, language):
    request = RequestFactory().get("/", headers={"accept-language": header})
    assert preferred_language(request) == language


@pytest.mark.parametrize(("header", "language"), [("de-CH,de;q=0.9", "de"), ("fr", ""), (None, "")])
def test_registration_stores_the_browsers_language(api, client_of, db, header, language):
    headers = {} if header is None else {"HTTP_ACCEPT_LANGUAGE": header}
    assert api.post("/api/auth/register/patient", form(), format="json", **headers).status_code == 201
    user = User.objects.get()
    assert (user.language, user_language(user)) == (language, language or "en")
    # What is chosen counts from then on, whatever a browser says.
    client = client_of(user)
    answer = client.put("/api/auth/notice-settings", {"language": "es"}, format="json", HTTP_ACCEPT_LANGUAGE="de")
    assert answer.json()["data"]["language"] == "es"
    assert User.objects.get().language == "es"


def test_without_a_choice_the_sites_language_counts(patient, settings):
    settings.MESSAGE_LANGUAGE = "de"
    notify_user("account.password_changed", patient)
    assert registry.compose_message(Notice.objects.get()).title == "Ihr Passwort wurde geändert"
    # A language that the site has given up is no fault.
    patient.language = "tlh"
    assert user_language(patient) == "de"


# --- In mails, at the bell and for staff ------------------------------------------------------


def test_each_reader_gets_their_own_language_and_it_leaks_to_nobody(patient, other_patient, admin, mail, monkeypatch):
    def broken(notice):
        assert get_language() == "es"
        raise ValueError("broken")

    monkeypatch.setitem(registry._composers, "test.broken", RegisteredComposer(broken, ALWAYS))
    User.objects.filter(pk=patient.pk).update(language="de")
    User.objects.filter(pk=admin.pk).update(language="es")
    for person in (patient, other_patient, admin):
        notify_user("account.password_changed", person)
    notify_user("test.broken", admin)
    notify_user("account.password_changed", other_patient)
    assert deliver() == {"sent": 4, "postponed": 1}
    seen = [(to, one["Subject"], one["Content-Language"]) for to, one in mail.messages]
    english = (other_patient.email, "Your password was changed", "en")
    assert seen == [
        (patient.email, "Ihr Passwort wurde geändert", "de"),
        english,
        (admin.email, "Se ha cambiado su contraseña", "es"),
        english,
    ]
    for (_to, one), (_recipient, _subject, language) in zip(mail.messages, seen, strict=True):
        page = one.get_body(("html",)).get_content()
        assert f'<html lang="{language}">' in page
    machine = "Diese Nachricht wurde automatisch verschickt. Bitte antworten Sie nicht darauf."
    german = mail.messages[0][1]
    assert machine in text_of(german)
    assert machine in german.get_body(("html",)).get_content()
    assert "automated message" not in german.as_string()
    assert get_language() == "en"


def test_the_bell_speaks_it_and_hears_of_a_change(patient, client_of):
    notify_user("account.password_changed", patient)
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


def test_a_composer_does_not_need_to_name_the_language(patient, monkeypatch):
    monkeypatch.setitem(
        registry._composers, "test.plain", RegisteredComposer(lambda notice: Message("Hi", "Hi"), ALWAYS)
    )
    patient.language = "de"
    patient.save()
    notify_user("test.plain", patient)
    assert registry.compose_message(Notice.objects.get()).language == "de"


def test_staff_read_the_words_as_their_reader_does(patient):
    User.objects.update(language="es")
    notify_user("account.password_changed", patient)
    page = client_for(staff_member("view_notice")).get(page_of(Notice, Notice.objects.get())).content.decode()
    assert "Se ha cambiado su contraseña" in page
    assert '<html lang="en' in page
    assert "Recipient" in page
