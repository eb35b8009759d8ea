"""Who may call what: every route and method × every audience, with the exact status.

The rows are held against the URL configuration: a route or a method without a row fails.
"""

import pytest
from rest_framework.test import APIClient

from adminpanel.tests.contracts.access_matrix import (
    AUDIENCES,
    MATRIX,
    METHODS,
    OPEN,
    get_refusal,
    list_methods,
    list_routes,
)

pytestmark = pytest.mark.every_case


def test_every_route_and_method_has_a_row():
    known = {(pattern.name, method) for pattern in list_routes() for method in list_methods(pattern)}
    assert known == set(MATRIX)


def send_request(client: APIClient, method: str, address: str) -> int:
    answer = client.generic(method, address, "{}" if method != "GET" else "", content_type="application/json")
    # Read to its end, so that nobody waits for a download that goes on.
    answer.getvalue()
    return answer.status_code


@pytest.mark.parametrize(("route", "method"), list(MATRIX), ids=str)
def test_each_audience_gets_the_status_in_the_matrix(route, method, matrix_site):
    clients, addresses = matrix_site
    got = {audience: send_request(clients[audience], method, addresses[route]) for audience in AUDIENCES}
    assert got == dict(zip(AUDIENCES, map(int, MATRIX[route, method].split()), strict=True))


@pytest.mark.either_engine
@pytest.mark.parametrize("route", dict.fromkeys(route for route, _ in MATRIX))
def test_unsupported_method_is_rejected(route, matrix_site):
    clients, addresses = matrix_site
    for method in METHODS:
        if (route, method) not in MATRIX:
            got = {audience: send_request(clients[audience], method, addresses[route]) for audience in AUDIENCES}
            assert got == {audience: get_refusal(route, audience) for audience in AUDIENCES}


@pytest.mark.either_engine
@pytest.mark.parametrize("route", [route for (route, method), row in MATRIX.items() if method == "GET" and row == OPEN])
def test_trailing_slash_is_optional(route, matrix_site):
    clients, addresses = matrix_site
    path, _, query = addresses[route].partition("?")
    answers = [clients["anonymous"].get(f"{path}{slash}?{query}") for slash in ("", "/")]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()


@pytest.mark.either_engine
def test_an_unknown_api_address_is_a_json_404(client):
    answer = client.get("/api/nothing/here")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.either_engine
def test_a_missing_static_file_is_a_plain_404(client):
    assert client.get("/static/none.js").status_code == 404


@pytest.mark.either_engine
def test_static_files_are_the_same_for_everyone_and_path_traversal_fails(matrix_site, settings, tmp_path):
    clients, _ = matrix_site
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / "style.css").write_text("body {}")
    (tmp_path / "secret.txt").write_text("secret")
    for client in clients.values():
        # The files are looked up when a server starts.
        client.handler._middleware_chain = None
        answer = client.get("/static/style.css")
        assert (answer.status_code, b"".join(answer.streaming_content)) == (200, b"body {}")
        for name in ("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "style.css/", ".", "", "%00"):
            assert client.get(f"/static/{name}").status_code in {302, 404}
        assert client.post("/static/style.css").status_code == 405
