"""The description of the API: fresh, and true under random requests."""

import os
from io import StringIO
from pathlib import Path

import pytest
import schemathesis
from django.conf import settings
from django.core.management import call_command
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from schemathesis.checks import CHECKS

from config.wsgi import application

pytestmark = pytest.mark.usefixtures("one_connection")

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "8"))

schema = schemathesis.openapi.from_path(Path(settings.BASE_DIR) / "docs" / "openapi.yaml")
schema.app = application

HELD = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
)


def test_the_committed_description_is_fresh():
    # Twice: the second one a process makes must not be marked by the first.
    for _ in range(2):
        made = StringIO()
        call_command("spectacular", "--validate", "--fail-on-warn", stdout=made)
        assert (Path(settings.BASE_DIR) / "docs" / "openapi.yaml").read_text() == made.getvalue(), (
            "run python3 dev.py openapi"
        )


def test_the_page_names_every_operation(client):
    page = client.get("/api/schema/docs").content.decode()
    operations = [result.ok() for result in schema.get_all_operations()]
    assert operations
    for operation in operations:
        assert f'id="{operation.definition.raw["operationId"]}"' in page


def choices():
    """List each choice that the description offers in the query of an address without ids: (address, query)."""
    for path, item in schema.raw_schema["paths"].items():
        for parameter in item.get("get", {}).get("parameters", []) if "{" not in path else []:
            told = parameter["schema"].get("items", parameter["schema"])
            if told.get("enum") and parameter["in"] == "query":
                yield from ((path, {parameter["name"]: choice}) for choice in told["enum"])


def test_every_choice_that_is_offered_is_answered(cast, client_of):
    """One query serves several addresses, and random requests may miss the one that knows a choice no more."""
    clients = [client_of(who) for who in (cast.patient, cast.doctor.user, cast.admin)]
    offered = list(choices())
    assert ("/api/doctors/appointments.csv", {"ordering": "nearest"}) in offered
    for path, query in offered:
        for client in clients:
            plain, chosen = (client.get(path, asked) for asked in ({}, query))
            # Some choices are a doctor's alone.
            assert chosen.status_code in {plain.status_code, 403}, (path, query)
            assert chosen.status_code < 500, (path, query)
            # Those are written while they are read.
            assert not chosen.streaming or list(chosen.streaming_content), (path, query)


@pytest.mark.parametrize("role", ["anonymous", "patient", "doctor", "admin"])
@schema.parametrize()
@hypothesis_settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_random_requests_get_documented_answers(case, role, cast, client_of):
    person = {"patient": cast.patient, "doctor": cast.doctor.user, "admin": cast.admin}.get(role)
    # A session for each request: one of them may be the sign-out.
    headers = dict(client_of(person)._credentials) if person else {}
    token = headers.get("HTTP_AUTHORIZATION")
    # Whoever reads the answers here reads them as they are.
    plain = {"Accept-Encoding": "identity"}
    case.call_and_validate(headers={"Authorization": token, **plain} if token else plain, checks=HELD)
