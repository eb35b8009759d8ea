"""Test that the OpenAPI file is current and holds for random requests."""

import gzip
import itertools
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import brotli
import pytest
import schemathesis
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, note
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import CHECKS
from schemathesis.generation.meta import TestPhase
from yaml import safe_load

from config.api import openapi_document, openapi_page
from config.api.openapi_document import OncePerProcess
from config.wsgi import application

pytestmark = pytest.mark.usefixtures("one_connection")

TURNS = itertools.count()
EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "4" if connection.vendor == "sqlite" else "2"))
# Of the boundary values, one in so many is sent; all of them with 1.
COVERAGE_EVERY = int(os.environ.get("SCHEMA_COVERAGE_EVERY", "4"))

schema = schemathesis.openapi.from_path(Path(settings.BASE_DIR) / "docs" / "openapi.yaml")
schema.app = application
# Some hundred boundary values an operation: how they are refused does not depend on the database.
schema.config.phases.coverage.enabled = connection.vendor == "sqlite"

OAI = "application/vnd.oai.openapi"
MEDIA_TYPES = (OAI, "application/yaml", f"{OAI}+json", "application/json")
FILE = 'inline; filename="Wellhour.%s"'

HELD = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
)


@pytest.mark.either_engine
def test_committed_openapi_file_is_current():
    # Twice: the second one a process makes must not be marked by the first.
    for _ in range(2):
        made = StringIO()
        call_command("spectacular", "--validate", "--fail-on-warn", stdout=made)
        assert (Path(settings.BASE_DIR) / "docs" / "openapi.yaml").read_text() == made.getvalue(), (
            "run python3 dev.py openapi"
        )


@pytest.mark.either_engine
def test_page_lists_every_operation(client):
    page = client.get("/api/schema/docs").content.decode()
    operations = [result.ok() for result in schema.get_all_operations()]
    assert operations
    for operation in operations:
        assert f'id="{operation.definition.raw["operationId"]}"' in page


def served(client, *, query="", **headers):
    return client.get(f"/api/schema{query}", headers=headers)


@pytest.mark.either_engine
def test_openapi_file_is_served_as_committed(client):
    yaml = served(client)
    assert yaml.content == (Path(settings.BASE_DIR) / "docs" / "openapi.yaml").read_bytes()
    as_json = served(client, accept="application/json")
    assert as_json.json() == safe_load(yaml.content)
    assert {
        (accept, answer["Content-Type"], answer["Content-Disposition"], answer.content == as_json.content)
        for accept in ("*/*", "application/*", *MEDIA_TYPES, "application/json; indent=4", "text/html, */*;q=0.1")
        for answer in [served(client, accept=accept)]
    } == {
        ("*/*", f"{OAI}; charset=utf-8", FILE % "yaml", False),
        ("application/*", f"{OAI}; charset=utf-8", FILE % "yaml", False),
        ("text/html, */*;q=0.1", f"{OAI}; charset=utf-8", FILE % "yaml", False),
        (OAI, f"{OAI}; charset=utf-8", FILE % "yaml", False),
        ("application/yaml", "application/yaml; charset=utf-8", FILE % "yaml", False),
        (f"{OAI}+json", f"{OAI}+json", FILE % "json", True),
        ("application/json", "application/json", FILE % "json", True),
        ("application/json; indent=4", "application/json", FILE % "json", True),
    }
    assert served(client, query="?format=json").content == as_json.content
    assert served(client, query="?format=yaml", accept="application/*").content == yaml.content
    assert served(client, query="?format=json", accept="application/yaml").status_code == 406
    assert served(client, accept="text/html").json()["code"] == "not_acceptable"
    assert served(client, accept="*/*," + "a/b," * 400).status_code == 406


@pytest.mark.either_engine
@pytest.mark.parametrize("address", ["/api/schema", "/api/schema?format=json", "/api/schema/docs"])
def test_openapi_file_is_cacheable_with_revalidation(client, address):
    plain = client.get(address)
    seen = set()
    for coding, unpack in (("", bytes), ("gzip", gzip.decompress), ("br", brotli.decompress)):
        answer = client.get(address, headers={"accept-encoding": coding})
        assert (answer["Cache-Control"], answer.get("Content-Encoding", "")) == ("public, no-cache", coding)
        assert {"Accept-Encoding"} <= {part.strip() for part in answer["Vary"].split(",")}
        assert unpack(answer.content) == plain.content
        assert answer["Content-Length"] == str(len(answer.content))
        seen.add(answer["ETag"])
        head = client.head(address, headers={"accept-encoding": coding})
        assert (head.content, head["ETag"], head["Content-Length"]) == (b"", answer["ETag"], answer["Content-Length"])
        for known in (answer["ETag"], f"W/{answer['ETag']}", "*"):
            again = client.get(address, headers={"accept-encoding": coding, "if-none-match": known})
            assert (again.status_code, again.content) == (304, b"")
            assert (again["ETag"], again["Cache-Control"]) == (answer["ETag"], "public, no-cache")
    assert len(seen) == 3
    assert client.get(address, headers={"if-none-match": '"other"'}).content == plain.content


@pytest.mark.either_engine
def test_openapi_file_is_generated_once(client, monkeypatch):
    for address in ("/api/schema", "/api/schema?format=json", "/api/schema/docs"):
        assert client.get(address).status_code == 200
    monkeypatch.setattr(SchemaGenerator, "get_schema", None)
    monkeypatch.setattr(openapi_document, "OpenApiYamlRenderer", None)
    monkeypatch.setattr(openapi_page, "render_to_string", None)
    yaml = served(client).content
    for query in ("?lang=de", "?lang=xx", "?version=2", "?format=xx", "?format=", "?lang=de&lang=en", "?x=1"):
        assert served(client, query=query).content == yaml
        assert client.get(f"/api/schema/docs{query}").status_code == 200
    for header in ({"accept-language": "de"}, {"authorization": "Bearer x"}, {"accept": "application/yaml;x=1"}):
        assert served(client, **header).content == yaml
    for number in range(200):
        assert served(client, accept=f"application/yaml;x={number}").content == yaml
    assert openapi_document.negotiate_format.cache_info().currsize <= 64


@pytest.mark.either_engine
def test_concurrent_requests_generate_the_openapi_file_once():
    calls, start = [], threading.Barrier(8)

    def compute():
        calls.append(1)
        time.sleep(0.05)
        return "made"

    once = OncePerProcess(compute)

    def ask():
        start.wait(10)
        return once()

    with ThreadPoolExecutor(8) as pool:
        assert {task.result() for task in [pool.submit(ask) for _ in range(8)]} == {"made"}
    assert calls == [1]


def choices():
    """List each choice that the description offers in the query of an address without ids: (address, query)."""
    for path, item in schema.raw_schema["paths"].items():
        for parameter in item.get("get", {}).get("parameters", []) if "{" not in path else []:
            told = parameter["schema"].get("items", parameter["schema"])
            if told.get("enum") and parameter["in"] == "query":
                yield from ((path, {parameter["name"]: choice}) for choice in told["enum"])


@pytest.mark.either_engine
def test_every_documented_media_type_is_served(users, client_of):
    """One query serves several addresses, and random requests may miss the one that knows a choice no more."""
    clients = [client_of(who) for who in (users.patient, users.doctor.user, users.admin)]
    offered = list(choices())
    assert ("/api/doctors/appointments.csv", {"ordering": "nearest"}) in offered
    for client in clients:
        plain: dict[str, int] = {}
        for path, query in [*((path, {}) for path in dict.fromkeys(path for path, _ in offered)), *offered]:
            # Exports are limited, and an unread one holds a place.
            cache.clear()
            answer = client.get(path, query)
            # Some choices are a doctor's alone.
            assert answer.status_code in {plain.setdefault(path, answer.status_code), 403}, (path, query)
            assert answer.status_code < 500, (path, query)
            # Those are written while they are read.
            assert not answer.streaming or list(answer.streaming_content), (path, query)


# One test an operation for all roles, since preparing to generate its requests takes longer than sending them.
@pytest.mark.every_case
@schema.parametrize()
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_random_requests_get_documented_answers(case, users, client_of):
    people = [None, users.patient, users.doctor.user, users.admin]
    if case.meta.phase.name == TestPhase.COVERAGE:
        # So many that each is sent by one person, in turn.
        round_number, turn = divmod(next(TURNS), COVERAGE_EVERY)
        people = [people[round_number % len(people)]] if turn == 0 else []
    for person in people:
        note(f"as {person.role if person else 'a visitor'}")
        # Responses are read here as they are sent.
        headers = {"Accept-Encoding": "identity"}
        if person:
            # A session for each request: one of them may be the sign-out.
            headers["Authorization"] = client_of(person)._credentials["HTTP_AUTHORIZATION"]
        case.call_and_validate(headers=headers, checks=HELD)
