"""Test that two servers on one database both see the end of a session at the next request."""

import socket

import httpx
import pytest

from accounts.tests.auth.second_server import start_second_server
from config.testing import RealServer

pytestmark = pytest.mark.either_engine

PASSWORD = "seven-tall-herons"
PROFILE = "/api/auth/profile"
PERSON = {
    "role": "patient",
    "name": "Heron Example",
    "password": PASSWORD,
    "confirmPassword": PASSWORD,
    "phone": "+1 202 555 0142",
    "dateOfBirth": "1990-04-01",
    "agreedToPrivacy": True,
    "timeZone": "UTC",
}


class TwoServers:
    """Two servers, and people who are signed in."""

    def __init__(self, first: RealServer, second: RealServer) -> None:
        self.first, self.second = first, second
        self.people = 0
        first.environment["ADMIN_PASSWORD"] = PASSWORD
        first.manage("create_admin", "--email", "ingrid@example.com", "--name", "Ingrid Admin")
        self.admin = self.sign_in("ingrid@example.com", "admin")

    def register(self) -> tuple[str, str, str]:
        """Open an account; return its address, the person's id and a token."""
        self.people += 1
        email = f"heron{self.people}@example.com"
        answer = httpx.post(f"{self.first.url}/api/auth/register/patient", json={**PERSON, "email": email})
        assert answer.status_code == 201, answer.text
        return email, answer.json()["data"]["user"]["_id"], answer.json()["data"]["token"]

    def sign_in(self, email: str, role: str = "patient", password: str = PASSWORD) -> str:
        answer = httpx.post(
            f"{self.first.url}/api/auth/login", json={"email": email, "password": password, "role": role}
        )
        assert answer.status_code == 200, answer.text
        return str(answer.json()["data"]["token"])

    def call(self, server: RealServer, token: str, method: str, address: str, **body: object) -> httpx.Response:
        # Each on a connection of its own, so that nothing hangs on one.
        return httpx.request(
            method, f"{server.url}{address}", headers={"Authorization": f"Bearer {token}"}, json=body or None
        )

    def act(self, token: str, method: str, address: str, **body: object) -> None:
        answer = self.call(self.first, token, method, address, **body)
        assert answer.status_code == 200, answer.text

    def statuses(self, token: str) -> set[tuple[int, str]]:
        """Ask both servers; return what they say."""
        answers = [self.call(server, token, "GET", PROFILE) for server in (self.second, self.first)]
        return {(answer.status_code, answer.json().get("code", "")) for answer in answers}


ALIVE = {(200, "")}
OVER = {(401, "session_ended")}


def sign_out(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.act(token, "POST", "/api/auth/logout")


def deactivate(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.act(servers.admin, "PUT", f"/api/admin/users/{person}/status", status="inactive")


def delete(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.act(servers.admin, "DELETE", f"/api/admin/users/{person}")


def close(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.act(token, "POST", "/api/auth/account/close", currentPassword=PASSWORD)


def change_password_elsewhere(servers: TwoServers, email: str, person: str, token: str) -> None:
    other = servers.sign_in(email)
    servers.act(other, "PUT", "/api/auth/password", currentPassword=PASSWORD, newPassword="eight-tall-herons")
    # The session that changed it goes on.
    assert servers.statuses(other) == ALIVE


def end_all_elsewhere(servers: TwoServers, email: str, person: str, token: str) -> None:
    other = servers.sign_in(email)
    servers.act(other, "DELETE", "/api/auth/sessions")
    assert servers.statuses(other) == ALIVE


def end_one_device(servers: TwoServers, email: str, person: str, token: str) -> None:
    other = servers.sign_in(email)
    listed = servers.call(servers.second, other, "GET", "/api/auth/sessions").json()["data"]["sessions"]
    (device,) = [each["_id"] for each in listed if not each["current"]]
    servers.act(other, "DELETE", f"/api/auth/sessions/{device}")
    assert servers.statuses(other) == ALIVE


def change_the_role_in_the_database(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.first.sql(f"UPDATE accounts_user SET role = 'admin' WHERE email = '{email}'")


def change_the_password_in_the_database(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.first.sql(f"UPDATE accounts_user SET password = 'another' WHERE email = '{email}'")


def erase(servers: TwoServers, email: str, person: str, token: str) -> None:
    servers.first.manage("erase_person", email, "--yes")


ENDINGS = [
    sign_out,
    deactivate,
    delete,
    close,
    change_password_elsewhere,
    end_all_elsewhere,
    end_one_device,
    change_the_role_in_the_database,
    change_the_password_in_the_database,
    erase,
]


def test_every_session_end_is_visible_to_both_processes_immediately(real_server, subtests):
    first = real_server()
    with start_second_server(first) as second:
        servers = TwoServers(first, second)
        for end in ENDINGS:
            with subtests.test(end.__name__):
                email, person, token = servers.register()
                assert servers.statuses(token) == ALIVE
                end(servers, email, person, token)
                assert servers.statuses(token) == OVER
        good, bad = servers.sign_in("ingrid@example.com", "admin"), "not.a.token"
        with subtests.test("two tokens in one request are none"):
            assert [status_of_two(first, tokens) for tokens in ([good, bad], [bad, good])] == [b"401", b"401"]
        # Nobody else was put out.
        assert servers.statuses(servers.admin) == ALIVE


def status_of_two(server: RealServer, tokens: list[str]) -> bytes:
    """Send one request with two Authorization headers; return its status."""
    lines = [f"Authorization: Bearer {token}" for token in tokens]
    with socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1]))) as connection:
        connection.sendall("\r\n".join([f"GET {PROFILE} HTTP/1.1", "Host: localhost", *lines, "", ""]).encode())
        return connection.recv(100).split()[1]
