"""Test that repeated uploads of one or many users hold few threads of a worker, so that others are served."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from accounts.tests.files.pictures import picture
from accounts.tests.registration_form import form
from config.testing import RealServer

pytestmark = pytest.mark.either_engine

LOOPS = 40
UPLOADS = 2


def token_of(server: RealServer, email: str) -> str:
    """Register a patient and return the token."""
    answer = httpx.post(f"{server.url}/api/auth/register/patient", json=form(email=email), timeout=60)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["token"])


@pytest.mark.parametrize("accounts", [1, 10])
def test_repeated_portrait_uploads_do_not_block_other_users(real_server, accounts):
    server = real_server()
    tokens = [token_of(server, f"loop{number}@example.com") for number in range(accounts)]
    content = picture("PNG", (1500, 1500))
    told: Counter[int | str] = Counter()

    def upload_in_a_loop(number: int) -> None:
        headers = {"Authorization": f"Bearer {tokens[number % accounts]}"}
        with httpx.Client(base_url=server.url, timeout=120, headers=headers) as client:
            for _ in range(UPLOADS):
                try:
                    answer = client.put("/api/auth/profile", files={"image": ("me.png", content, "image/png")})
                except httpx.RemoteProtocolError:
                    # An upload that is refused may take the connection of another one of its address with it.
                    told["closed"] += 1
                    continue
                told[answer.status_code] += 1
                if answer.status_code in {429, 503}:
                    assert int(answer.headers["Retry-After"]) > 0

    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with (
        ThreadPoolExecutor(LOOPS) as pool,
        httpx.Client(base_url=server.url, timeout=120, transport=elsewhere) as somebody,
    ):
        loops = [pool.submit(upload_in_a_loop, number) for number in range(LOOPS)]
        read: Counter[int] = Counter()
        while not all(each.done() for each in loops):
            read[somebody.get("/api/doctors").status_code] += 1
        for each in loops:
            each.result()
    assert set(read) == {200}
    assert sum(told.values()) == LOOPS * UPLOADS
    assert told[200] > 0
    # Most are rejected at once: by the places of a person and of all, and by the limit of one account.
    assert told[429] + told[503] > told[200]
    assert set(told) - {503, "closed"} == {200, 429}
