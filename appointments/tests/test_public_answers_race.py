"""Two real servers on one database: whoever has been told that a time is theirs is offered to nobody any more."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from accounts.tests.test_session_processes import beside
from appointments.tests.test_races import free_slots, meet

BOOKERS = 4


@pytest.fixture
def two(real_server):
    """Two servers, an approved doctor and some patients."""
    first = real_server(workers=1)
    with beside(first) as second:
        clients, doctor_id = meet(first, BOOKERS)
        yield first, second, clients, doctor_id
        for client in clients:
            client.close()


def offered(answer):
    """Answer the times that are offered: (date, time)."""
    return {(day["date"], each) for day in answer.json()["data"]["slots"] for each in day["times"]}


def until_kept(client, address):
    """Ask so often that what is kept is what is answered; answers the tag."""
    for _ in range(3):
        answer = client.get(address)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    return answer.headers["etag"]


def test_what_one_process_writes_the_other_one_shows(two):
    first, second, (patient, *_), doctor_id = two
    with httpx.Client(base_url=first.url) as here, httpx.Client(base_url=second.url) as there:
        addresses = (f"/api/doctors/{doctor_id}/slots?days=62", f"/api/doctors/{doctor_id}", "/api/doctors?pageSize=5")
        slot, other = free_slots(patient, doctor_id)[:2]
        acts = [
            lambda: patient.post("/api/appointments", json={"doctorId": doctor_id, **slot}),
            lambda: patient.put(f"/api/appointments/{visits[0]}/reschedule", json=other),
            lambda: patient.put(f"/api/appointments/{visits[0]}/cancel", json={}),
            # By hand, past everything.
            lambda: first.sql("UPDATE doctors_doctorprofile SET bio = 'Listens.'"),
            lambda: first.sql("UPDATE accounts_user SET name = 'Ada Other'"),
            lambda: first.sql("DELETE FROM doctors_weeklyhours WHERE weekday > 1"),
        ]
        visits: list[str] = []
        for number, act in enumerate(acts):
            tags = [[until_kept(client, each) for each in addresses] for client in (here, there)]
            assert tags[0] == tags[1]
            answer = act()
            if isinstance(answer, httpx.Response):
                assert answer.status_code in {200, 201}, answer.text
                visits.append(answer.json()["data"]["appointment"]["_id"])
            for client in (there, here):
                known = zip(addresses, tags[0], strict=True)
                statuses = [client.get(each, headers={"If-None-Match": tag}).status_code for each, tag in known]
                # A doctor's page and card show the next six times alone.
                assert statuses[0] == 200 or number in {3, 4}
                assert statuses[1:] == [200, 200] or number == 5
            assert here.get(addresses[2]).content == there.get(addresses[2]).content


def test_a_time_that_somebody_has_is_offered_to_nobody_after_that(two):
    """Readers ask both servers without a pause while others book: each answer is checked against what was
    acknowledged before it was asked for."""
    first, second, patients, doctor_id = two
    address = f"/api/doctors/{doctor_id}/slots?days=62"
    slots = free_slots(patients[0], doctor_id)[: 15 * BOOKERS]
    acknowledged: list[tuple[str, str]] = []
    wrong: list[str] = []
    kept = made = 0
    is_over = threading.Event()

    def check(client, certain):
        answer = client.get(address)
        assert answer.status_code == 200, answer.text
        if both := certain & offered(answer):
            wrong.append(f"{sorted(both)} at {client.base_url}")

    def read(server):
        nonlocal kept, made
        tag = ""
        with httpx.Client(base_url=server.url, timeout=60) as client:
            while not is_over.is_set():
                check(client, set(acknowledged))
                answer = client.get(address, headers={"If-None-Match": tag})
                kept, made = kept + (answer.status_code == 304), made + (answer.status_code == 200)
                tag = answer.headers["etag"]

    def book(number):
        with httpx.Client(base_url=first.url) as here, httpx.Client(base_url=second.url) as there:
            for slot in slots[number::BOOKERS]:
                answer = patients[number].post("/api/appointments", json={"doctorId": doctor_id, **slot})
                assert answer.status_code == 201, answer.text
                mine = (slot["appointmentDate"], slot["appointmentTime"])
                acknowledged.append(mine)
                for client in (there, here):
                    check(client, {mine})
                time.sleep(0.02)

    with ThreadPoolExecutor(BOOKERS + 2) as pool:
        readers = [pool.submit(read, server) for server in (first, second)]
        bookers = [pool.submit(book, number) for number in range(BOOKERS)]
        for one in bookers:
            one.result()
        is_over.set()
        for one in readers:
            one.result()
    assert wrong == []
    assert len(acknowledged) == 15 * BOOKERS
    # Both came to pass: answers from what was kept, and answers made anew.
    assert kept
    assert made
