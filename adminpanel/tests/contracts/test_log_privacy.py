"""No word of anybody's is written into the log: every route, every kind of failure, and a real server.

One made-up word stands in every field that a call takes; it must be found nowhere. Each fault has a control: what a
formatter that knows no rules writes of the same records does hold the word.
"""

import contextlib
import io
import json
import logging
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DataError, IntegrityError, OperationalError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient
from rest_framework.views import APIView

from accounts.models import AuditEvent, Session
from accounts.notifications import delivery
from accounts.notifications.channels import CHANNELS
from accounts.notifications.outbox import notify_user
from accounts.tests.files.pictures import picture
from adminpanel.tests.admin.staff import client_for, staff_member
from adminpanel.tests.contracts.access_matrix import AUDIENCES, MATRIX, list_methods, list_routes
from adminpanel.tests.contracts.schema_values import BIRTH, WORD, fill_path, fill_schema
from appointments.tests.factories import make_appointment
from config.log_formatters import JsonFormatter, LineFormatter
from config.testing import find_free_port

pytestmark = pytest.mark.either_engine

PHONE = "+1 202 555 0177"
# None of them can stand by chance in an id, which is made of hexadecimal digits.
SECRETS = ("qanarie", BIRTH, PHONE, PHONE.replace(" ", "").strip("+"))
HEADERS = {
    "user-agent": f"{WORD} 1.0",
    "referer": f"https://{WORD}.example.com/?{WORD}",
    "x-forwarded-for": WORD,
    "accept-language": WORD,
    "cookie": f"{WORD}={WORD}",
    "x-request-id": WORD,
}
# The only part of a request that is logged on purpose, so that a wrong ALLOWED_HOSTS is noticed.
OTHER_HOST = "elsewhere.example"
QUERY = f"?search={WORD}&email={WORD}@example.com&token={WORD}&name={WORD}&city={WORD}&{WORD}={WORD}"
NO_SUCH = (
    *(f"/{WORD}", f"/api/{WORD}", f"/api/{WORD}/{WORD}", f"/media/{WORD}.webp", f"/media/pictures/{WORD}.webp"),
    *(f"/static/{WORD}.js", f"/staff/{WORD}/", f"/staff/accounts/user/{WORD}/change/", f"/calendar/{WORD}.ics"),
    f"/staff/accounts/user/?q={WORD}",
)


def find_secrets(text: str) -> list[str]:
    """Return which of the words stand in a text, with what stands around them."""
    low = text.lower()
    return [text[max(0, low.find(each) - 80) : low.find(each) + 40] for each in SECRETS if each in low]


class Written:
    """What the log's forms write, and what one without our rules would."""

    def __init__(self) -> None:
        self.json, self.lines, self.bare = io.StringIO(), io.StringIO(), io.StringIO()
        forms = (JsonFormatter(), self.json), (LineFormatter(), self.lines), (logging.Formatter(), self.bare)
        self.handlers = []
        for formatter, stream in forms:
            handler = logging.StreamHandler(stream)
            handler.setFormatter(formatter)
            self.handlers.append(handler)

    def facts(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.json.getvalue().splitlines()]

    def held(self) -> list[str]:
        """Return what our forms let through."""
        return find_secrets(self.json.getvalue()) + find_secrets(self.lines.getvalue())


@pytest.fixture
def log_output():
    """Listen to every logger, down to the last word."""
    root, heard = logging.getLogger(), Written()
    names = ("", "django", "django.request", "django.security", "django.security.DisallowedHost", "config.access")
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.DEBUG)
    for handler in heard.handlers:
        root.addHandler(handler)
    yield heard
    for handler in heard.handlers:
        root.removeHandler(handler)
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.fixture(scope="module")
def schema():
    return SchemaGenerator().get_schema(request=None, public=True)


@pytest.fixture
def calls(users, client_of, schema):
    """Every route and method with the word in everything that it takes, as those who may call it."""
    appointment = make_appointment(
        users.doctor, users.patient, timezone.now().date() - timedelta(days=1), status="confirmed"
    )
    people = {"patient owner": users.patient, "doctor owner": users.doctor.user, "admin": users.admin}
    clients = {name: client_of(person) for name, person in people.items()}
    for client in clients.values():
        client.raise_request_exception = False
    session = Session.objects.get(user=users.patient)

    def key_of(route: str) -> object:
        if route.startswith(("admin-user", "doctor-patient")):
            return users.patient.pk
        if route.startswith(("admin-doctor", "doctor", "slots", "approve")):
            return users.doctor.pk
        return session.pk if route == "session-detail" else appointment.pk

    def described(pattern) -> Iterator[tuple[APIClient, str, str, dict[str, Any]]]:
        values = {
            name: {"UUIDConverter": key_of(pattern.name), "IntConverter": 7}.get(type(kind).__name__, WORD)
            for name, kind in pattern.pattern.converters.items()
        }
        address = reverse(pattern.name, kwargs=values)
        said = schema["paths"].get("/" + fill_path(pattern, address, values), {})
        row = next(MATRIX[pattern.name, method] for method in list_methods(pattern)).split()
        fitting = [row[AUDIENCES.index(name)] in ("200", "201", "400", "409", "415") for name in clients]
        client = list(clients.values())[fitting.index(True) if True in fitting else 0]
        for method in sorted(list_methods(pattern)):
            yield client, method, address, build_body(schema, said.get(method.lower(), {}))

    every = [call for pattern in list_routes() if pattern.name != "page" for call in described(pattern)]
    # Those that end a session or an account come last.
    every.sort(key=lambda call: ("logout" in call[2], call[2].endswith(("close", str(users.patient.pk)))))

    def make() -> int:
        # Among those below is one that ends the patient's session.
        send_files(clients, appointment)
        for client, method, address, body in every:
            with transaction.atomic():
                answer = client.generic(
                    method, address + QUERY, json.dumps(body), content_type="application/json", headers=HEADERS
                )
            read_response(answer)
        made = len(every) + len(NO_SUCH) * 2 + 6
        ask_without_session()
        return made

    return make


def read_response(answer) -> None:
    """Read a stream to its end; that closes it, too."""
    if getattr(answer, "streaming", False):
        with contextlib.suppress(Exception):
            b"".join(answer.streaming_content)


def send_files(clients: dict[str, APIClient], appointment) -> None:
    """Send files with the word for a name."""
    for method, address, name in (
        ("put", "/api/auth/profile", "image"),
        ("post", f"/api/appointments/{appointment.pk}/attachments", "file"),
    ):
        picked = SimpleUploadedFile(f"{WORD}.png", picture("PNG"), "image/png")
        client = clients["patient owner" if name == "image" else "doctor owner"]
        with transaction.atomic():
            getattr(client, method)(address, {name: picked, "bio": WORD}, format="multipart", headers=HEADERS)


def ask_without_session() -> None:
    """Ask for what is not there, and in ways that are none."""
    anybody = Client(raise_request_exception=False, headers=HEADERS)
    for address in NO_SUCH:
        for method in ("get", "post"):
            with transaction.atomic():
                read_response(getattr(anybody, method)(address, query_params={"q": WORD}))
    with transaction.atomic():
        read_response(anybody.get("/", headers={"host": OTHER_HOST}))
        read_response(anybody.generic(WORD.upper(), "/api/doctors"))
        read_response(anybody.post("/api/auth/login", f"{{{WORD}", content_type="application/json"))
    with transaction.atomic():
        read_response(anybody.post("/staff/login/", {"username": f"{WORD}@example.com", "password": WORD}))


def build_body(schema: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any]:
    """Fill in everything that a call takes."""
    content: dict[str, Any] = operation.get("requestBody", {}).get("content", {})
    first: dict[str, Any] = next(iter(content.values()), {})
    part = first.get("schema")
    body = fill_schema(schema, part) if part else {}
    return body if isinstance(body, dict) else {}


def crash_in_views(patch) -> None:
    def crash(self, request, *args, **kwargs):
        raise RuntimeError(f"{WORD} {BIRTH} {request.query_params} {request.data}")

    patch.setattr(APIView, "initial", crash)


def refuse_writes(kind):
    """Have the database refuse every row, quoting it as PostgreSQL does."""

    def refuse(execute, sql, params, many, context):
        if sql.startswith(("INSERT", "UPDATE")) and "SAVEPOINT" not in sql:
            raise kind(f"refused\nDETAIL:  Key ({sql})=({params}) {WORD} {BIRTH} {PHONE}.") from ValueError(WORD)
        return execute(sql, params, many, context)

    return refuse


def break_storage(patch) -> None:
    def lost(self, name, *args):
        raise OSError(5, "Input/output error", f"{name} {WORD}")

    patch.setattr(FileSystemStorage, "_save", lost)
    patch.setattr(FileSystemStorage, "_open", lost)


FAULTS = {
    "none": lambda patch: None,
    "a crash in every view": crash_in_views,
    "storage away": break_storage,
    "a row that the database refuses": DataError,
    "a row that breaks a rule": IntegrityError,
    "a database that is away": OperationalError,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_log_contains_no_personal_text(calls, log_output, monkeypatch, capfd, fault):
    rows_before = AuditEvent.objects.count()
    with monkeypatch.context() as patch, contextlib.ExitStack() as stack:
        if isinstance(FAULTS[fault], type):
            stack.enter_context(connection.execute_wrapper(refuse_writes(FAULTS[fault])))
        else:
            FAULTS[fault](patch)
        made = calls()
    requests = [each for each in log_output.facts() if each["logger"] == "config.access"]
    assert len(requests) == made
    assert log_output.held() == []
    out, err = capfd.readouterr()
    assert find_secrets(out + err) == []
    if fault == "none":
        assert AuditEvent.objects.count() > rows_before + 10
        assert sum(each["status"] in (200, 201) for each in requests) > 30
    else:
        # The control: the same records, written as Python writes them.
        assert find_secrets(log_output.bare.getvalue()), "the fault was nowhere to be seen"
    told = {cause["type"] for each in log_output.facts() for cause in each.get("exception", [])}
    wanted = {"a crash in every view": "builtins.RuntimeError", "storage away": "builtins.OSError"}
    if fault in wanted:
        assert wanted[fault] in told
    assert [str(row) for row in AuditEvent.objects.values() if find_secrets(str(row))] == []


def test_failed_mail_is_logged_without_recipient_and_content(log_output, users, monkeypatch):
    """A channel that breaks in a way that nobody foresaw quotes address and words."""
    users.patient.name, users.patient.email = f"{WORD} Newcomb", f"{WORD}@example.com".lower()
    users.patient.save()

    class Broken(CHANNELS["email"]):
        def send(self, message, address, message_id):
            raise RuntimeError(f"{address} {message}")

    monkeypatch.setitem(CHANNELS, "email", Broken)
    notify_user("account.password_changed", users.patient)
    delivery.deliver_notices(timezone.now())
    assert "could not be handed over" in log_output.json.getvalue()
    assert log_output.held() == []
    assert find_secrets(log_output.bare.getvalue())


def test_request_log_has_what_an_operator_needs(log_output, users, client_of):
    answer = client_of(users.patient).get(f"/api/doctors/{users.doctor.pk}?search={WORD}")
    [line] = [each for each in log_output.facts() if each["logger"] == "config.access"]
    assert {name: line[name] for name in ("level", "requestId", "method", "route", "status", "userId")} == {
        "level": "INFO",
        "requestId": answer["X-Request-ID"],
        "method": "GET",
        "route": "/api/doctors/<uuid:pk>",
        "status": 200,
        "userId": str(users.patient.pk),
    }
    assert line["ms"] > 0
    assert f"[{answer['X-Request-ID']}] GET /api/doctors/<uuid:pk> 200 " in log_output.lines.getvalue()


def test_staff_are_logged_by_id_without_a_lookup(log_output, users, django_assert_num_queries):
    superuser = staff_member(superuser=True)
    client_for(superuser).get("/staff/accounts/user/")
    # A page asks which texts of the operator exist, and nothing about the user.
    with django_assert_num_queries(1) as captured:
        build_client().get("/about")
    assert "adminpanel_sitetext" in captured[0]["sql"]
    user_ids = [each["userId"] for each in log_output.facts() if each["logger"] == "config.access"]
    assert user_ids == [str(superuser.pk), None]


def build_client() -> Client:
    return Client(headers={"cookie": "staff=nothing"})


def test_broken_stream_is_logged_without_its_text(log_output, users, client_of, monkeypatch):
    def breaking(*args, **kwargs):
        yield "a,b"
        raise ValueError(WORD)

    monkeypatch.setattr("appointments.doctor_desk.exports.lines", breaking, raising=False)
    monkeypatch.setattr("config.http.csv.lines", breaking)
    answer = client_of(users.doctor.user).get("/api/doctors/patients.csv")
    with pytest.raises(Exception, match=r"^$") as told:
        b"".join(answer.streaming_content)
    assert (type(told.value).__name__, told.value.__cause__) == ("ResponseAbortedError", None)
    [line] = [each for each in log_output.facts() if each["message"] == "A response was aborted"]
    assert (line["requestId"], line["exception"][0]["type"]) == (answer["X-Request-ID"], "builtins.ValueError")
    assert log_output.held() == []


def test_log_lines_cannot_be_injected(log_output):
    logging.getLogger("accounts.tests").warning("first\n12:00:00 INFO config.access forged")
    logging.getLogger("somebody").warning("said %s %d %r", WORD, 7, ValueError(WORD))
    logging.getLogger("somebody").warning(WORD)
    assert len(log_output.lines.getvalue().splitlines()) == len(log_output.json.getvalue().splitlines()) == 3
    assert [each["message"] for each in log_output.facts()][1:] == ["said … 7 'ValueError'", "…"]


# --- A real server ----------------------------------------------------------------------------


def ask(
    url: str, method: str = "GET", body: object = None, token: str = "", **headers: str
) -> tuple[int, dict[str, Any]]:
    """Call a real server."""
    content = None if body is None else json.dumps(body).encode()
    said = {"Content-Type": "application/json", **HEADERS, **headers}
    if token:
        said["Authorization"] = f"Bearer {token}"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, content, said, method=method), timeout=30) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text[:1] == b"{" else {}
    except urllib.error.HTTPError as refused:
        text = refused.read()
        return refused.code, json.loads(text) if text[:1] == b"{" else {}


@pytest.mark.django_db(transaction=True)
def test_real_server_prints_no_personal_text(real_server, tmp_path):
    media = tmp_path / "media"
    media.mkdir()
    server = real_server(
        ENVIRONMENT="production",
        SECRET_KEY="x-secret-of-this-test-alone-" * 3,
        ALLOWED_HOSTS="127.0.0.1",
        BASE_URL="https://127.0.0.1",
        DEFAULT_FROM_EMAIL="visits@practice.example",
        SECURE_SSL_REDIRECT="false",
        EMAIL_URL=f"smtp://{WORD}:{WORD}@127.0.0.1:{find_free_port()}",
        DELIVERY="inline",
        HOUSEKEEPING="inline",
        MEDIA_ROOT=str(media),
        LOG_LEVEL="DEBUG",
    )
    # A file where the folder was makes each upload fail.
    media.rmdir()
    media.write_text("")
    form = {
        "role": "patient",
        "name": f"{WORD} Newcomb",
        "email": f"{WORD}@example.com",
        "phone": PHONE,
        "dateOfBirth": BIRTH,
        "gender": "female",
        "address": {"street": WORD, "city": WORD},
        "password": f"{WORD}-violet-9",
        "confirmPassword": f"{WORD}-violet-9",
        "agreedToPrivacy": True,
    }
    api = f"{server.url}/api"
    status, made = ask(f"{api}/auth/register/patient", "POST", form)
    assert status == 201
    token = made["data"]["token"]
    assert ask(f"{api}/auth/register/patient", "POST", form)[0] == 409
    assert ask(f"{api}/auth/login", "POST", {**form, "password": WORD})[0] == 401
    assert ask(f"{api}/auth/password/reset", "POST", {"email": form["email"]})[0] == 200
    assert ask(f"{api}/doctors{QUERY}", token=token)[0] == 200
    for address in NO_SUCH:
        ask(server.url + address)
        ask(server.url + address, "POST", form)
    ask(f"{server.url}/", Host=OTHER_HOST)
    part = f'--b\r\nContent-Disposition: form-data; name="image"; filename="{WORD}.png"\r\n\r\n'.encode()
    upload = urllib.request.Request(
        f"{api}/auth/profile",
        part + picture("PNG") + b"\r\n--b--\r\n",
        {**HEADERS, "Content-Type": "multipart/form-data; boundary=b", "Authorization": f"Bearer {token}"},
        method="PUT",
    )
    with pytest.raises(urllib.error.HTTPError, match="500"):
        urllib.request.urlopen(upload, timeout=30)
    raw_requests(server.url)
    server.sql("ALTER TABLE accounts_notice RENAME TO away")
    assert ask(f"{api}/auth/register/patient", "POST", {**form, "email": f"{WORD}2@example.com"})[0] >= 500
    server.sql("ALTER TABLE accounts_user RENAME TO nobody")
    assert ask(f"{api}/auth/profile", token=token)[0] >= 500
    assert ask(f"{api}/auth/login", "POST", form)[0] >= 500
    server.stop()
    printed = Path(server.log).read_text()
    assert find_secrets(printed) == []
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    # What is not ours is granian's own: that it started and ended, and a remark on how many threads it has.
    others = [line for line in printed.splitlines() if not line.startswith("{")]
    assert [line for line in others if "[INFO]" not in line and "Python threads" not in line] == []
    assert {"config.access", "django.request"} <= {line["logger"] for line in lines}
    causes = {cause["type"] for line in lines for cause in line.get("exception", [])}
    assert causes & {"builtins.FileExistsError", "builtins.NotADirectoryError"}
    assert all({"time", "level", "message", "requestId"} <= set(line) for line in lines)


def raw_requests(url: str) -> None:
    """Send what no library would."""
    port = int(url.rsplit(":", 1)[1])
    for sent in (
        f"GET /{WORD} HTTP/9.9\r\n\r\n",
        f"{WORD} / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        f"GET / HTTP/1.1\r\n{WORD}\r\n\r\n",
        f"POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{WORD}",
        f"GET /%ff%fe{WORD} HTTP/1.1\r\nHost: {OTHER_HOST}\r\nConnection: close\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection_:
            connection_.sendall(sent.encode())
            # The server may hang up first.
            with contextlib.suppress(OSError):
                connection_.shutdown(socket.SHUT_WR)
                connection_.recv(1000)
