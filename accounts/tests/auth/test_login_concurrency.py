"""Test that login limits are exact for concurrent attempts, in threads and processes, with any client headers."""

import os
import re
import threading
from collections import Counter

import httpx

from accounts.tests.redis_server import LittleRedis, redis
from config.testing import RealServer, find_free_port

ATTEMPTS = 50
ROUNDS = int(os.environ.get("LOGIN_ROUNDS", "1"))
PASSWORD = "seven-tall-herons"
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


def register(server: RealServer, email: str) -> None:
    answer = httpx.post(f"{server.url}/api/auth/register/patient", json={**PERSON, "email": email}, timeout=60)
    assert answer.status_code == 201, answer.text


def attempt(server: RealServer, email: str, headers: dict[str, str], password: str = "wrong-one") -> httpx.Response:
    return httpx.post(
        f"{server.url}/api/auth/login",
        json={"email": email, "password": password, "role": "patient"},
        headers=headers,
        timeout=60,
    )


def attempt_at_staff(server: RealServer, email: str, headers: dict[str, str]) -> httpx.Response:
    with httpx.Client(base_url=server.url, timeout=60, headers=headers) as client:
        page = client.get("/staff/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token
        form = {"username": email, "password": "wrong-one", "csrfmiddlewaretoken": token[1]}
        return client.post("/staff/login/", data=form, headers={"Referer": f"{server.url}/staff/login/"})


def run_concurrently(*tries) -> Counter[int]:
    """Let all tries begin at the same moment; return how often each status came."""
    answers: list[httpx.Response] = []
    start = threading.Barrier(len(tries))

    def run(one) -> None:
        start.wait(timeout=60)
        answers.append(one())

    threads = [threading.Thread(target=run, args=(one,)) for one in tries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    refused = [int(answer.headers["Retry-After"]) for answer in answers if answer.status_code == 429]
    # From a little less than the whole quarter of an hour; the storm itself took some of it.
    assert all(600 < seconds <= 901 for seconds in refused), refused
    return Counter(answer.status_code for answer in answers)


def spelled(email: str, number: int) -> str:
    """Spell an address in ways that lead to one mailbox."""
    wide = "".join(chr(ord(letter) + 0xFEE0) if letter.isalpha() else letter for letter in email.partition("@")[0])
    return [email, email.upper(), email.title(), f"{wide}@{email.partition('@')[2]}", f" {email}"][number % 5]


def claims(number: int) -> dict[str, str]:
    """Claim to come from somewhere else each time."""
    elsewhere = f"203.0.113.{number + 1}"
    return {
        "X-Forwarded-For": f"{elsewhere}, {elsewhere}",
        "Forwarded": f"for={elsewhere};proto=https",
        "X-Real-IP": elsewhere,
        "Client-IP": elsewhere,
        "True-Client-IP": elsewhere,
        "X-Forwarded": elsewhere,
        "X-Client-IP": elsewhere,
    }


def test_one_process_allows_exactly_the_limit_of_attempts(real_server):
    server = real_server(
        MAX_SIGN_IN_ATTEMPTS_PER_IP=str((ATTEMPTS + 1) * ROUNDS), MAX_WAITING_PASSWORD_HASHES=str(ATTEMPTS)
    )
    for number in range(ROUNDS):
        email = f"heron{number}@example.com"
        register(server, email)
        got = run_concurrently(
            *(lambda n=n, email=email: attempt(server, spelled(email, n), claims(n)) for n in range(ATTEMPTS - 10)),
            *(lambda n=n, email=email: attempt_at_staff(server, spelled(email, n), claims(n)) for n in range(10)),
        )
        assert got == {401: 5, 429: ATTEMPTS - 5}
        # The right password comes too late, from here.
        assert attempt(server, email, claims(99), PASSWORD).status_code == 429
    # Those were all the tries that this address has: not one is left for anybody else's account.
    others = [lambda n=n: attempt(server, f"nobody{n}@example.com", claims(n)) for n in range(ATTEMPTS)]
    assert run_concurrently(*others) == {429: ATTEMPTS}


def test_processes_with_shared_counters_allow_exactly_the_limit(real_server, tmp_path):
    with redis(tmp_path) as counters:
        server = real_server(
            workers=2, REDIS_URL=counters, TRUSTED_PROXIES="1", MAX_SIGN_IN_ATTEMPTS_PER_IP="50",
            MAX_WAITING_PASSWORD_HASHES=str(ATTEMPTS),
        )  # fmt: skip
        for number in range(ROUNDS):
            email = f"heron{number}@example.com"
            register(server, email)
            # Only what the proxy wrote counts: the last.
            here = f"198.51.100.{number + 1}"
            tries = [
                lambda n=n, email=email, here=here: attempt(
                    server, spelled(email, n), claims(n) | {"X-Forwarded-For": f"203.0.113.{n}, {here}"}
                )
                for n in range(ATTEMPTS)
            ]
            assert run_concurrently(*tries) == {401: 5, 429: ATTEMPTS - 5}
            victim = {"X-Forwarded-For": f"{here}, 192.0.2.9"}
            assert attempt(server, email, victim, PASSWORD).status_code == 200
        # A whole network of IPv6 is one address.
        register(server, "ibis@example.com")
        tries = [
            lambda n=n: attempt(server, "ibis@example.com", {"X-Forwarded-For": f"2001:db8:7:8:{n:x}::{n:x}"})
            for n in range(ATTEMPTS)
        ]
        assert run_concurrently(*tries) == {401: 5, 429: ATTEMPTS - 5}
        # Many accounts from one address.
        tries = [
            lambda n=n: attempt(server, f"nobody{n}@example.com", {"X-Forwarded-For": "198.51.100.200"})
            for n in range(60)
        ]
        assert run_concurrently(*tries) == {401: 50, 429: 10}


def test_login_is_rejected_while_the_counters_are_unavailable(real_server):
    port = find_free_port()
    with LittleRedis(port):
        server = real_server(REDIS_URL=f"redis://127.0.0.1:{port}/0?protocol=2")
    answer = attempt(server, "heron@example.com", {})
    assert (answer.status_code, answer.json()["code"], answer.headers["Retry-After"]) == (503, "unavailable", "5")
    assert attempt_at_staff(server, "heron@example.com", {}).status_code == 503
    # What needs no counting goes on, and the rest as soon as they are back.
    assert httpx.get(f"{server.url}/api/doctors").status_code == 200
    with LittleRedis(port):
        assert attempt(server, "heron@example.com", {}).status_code == 401
