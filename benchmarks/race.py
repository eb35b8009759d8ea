"""Many patients book the same free time at the same moment.

In each round 32 patients book at once: in one kind of round all the same time of one doctor, in the other each a time
of a different doctor. The two kinds take turns on one server. Rejected patients get the reason and the nearest free
times; only the winner causes a commit. So contested bookings should cost no more than free ones, unless there is lock
contention.
"""

import contextlib
import json
import selectors
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from benchmarks.harness import RATIO_COLUMNS, Table, build_request, get_engine, parse_response, run_site

RACERS = 32
ROUNDS = 200
# Rounds of one kind before the other follows, enough to outweigh the cold caches of the first.
ROUNDS_PER_TURN = 10
SEED = ("--doctors", "200", "--patients", "200")


class Racers:
    """Open connections, one per patient, that send their requests at once."""

    def __init__(self, port: int, stack: contextlib.ExitStack) -> None:
        self.sockets = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in range(RACERS)
        ]
        self.waiting = stack.enter_context(selectors.DefaultSelector())
        for number, each in enumerate(self.sockets):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.waiting.register(each, selectors.EVENT_READ, number)

    def send(self, requests: Sequence[bytes]) -> list[str]:
        """Send all requests, then return all responses: the status, and the error code if there is one."""
        received = [b""] * RACERS
        answers: list[str] = []
        for each, what in zip(self.sockets, requests, strict=True):
            each.sendall(what)
        while len(answers) < RACERS:
            for key, _ in self.waiting.select(60):
                more = self.sockets[key.data].recv(1 << 16)
                if not more:
                    raise RuntimeError(f"cut off after {received[key.data]!r}")
                received[key.data] += more
                if answer := parse_response(received[key.data]):
                    code = "" if answer[0] < 400 else f" {json.loads(answer[1])['code']}"
                    answers.append(f"{answer[0]}{code}")
        return answers


def main(arguments: list[str]) -> None:
    """Race on PostgreSQL, or on SQLite with the argument `sqlite`; a number sets the rounds."""
    engine = get_engine(arguments)
    rounds = next((int(each) for each in arguments if each.isdecimal()), ROUNDS)
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(run_site(engine, seed=SEED))
        times: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for day in ours.call_django("benchmarks.fixtures:list_free_times", RACERS + 20, 12):
            for one in day:
                times[one["doctor"]].append(one)
        # The contested doctor, and one for each racer; doctors with too few hours are left out.
        often = [each for each in times.values() if len(each) >= rounds][: RACERS + 1]
        if len(often) <= RACERS:
            raise RuntimeError(f"{rounds} rounds are more than the doctors have free times")
        people = ours.call_django("benchmarks.fixtures:sign_in_patients", 2 * RACERS)

        def booking(one: dict[str, Any], person: Sequence[str]) -> bytes:
            fields = {"doctorId": one["doctor"], "appointmentDate": one["date"], "appointmentTime": one["time"]}
            return build_request("POST", "/api/appointments", json.dumps(fields).encode(), token=person[1])

        kinds = {
            "one time for all": [[booking(often[0][n], each) for each in people[:RACERS]] for n in range(rounds)],
            "a time for each": [
                [booking(mine[n], each) for mine, each in zip(often[1:], people[RACERS:], strict=True)]
                for n in range(rounds)
            ],
        }
        racers = Racers(ours.port, stack)
        spent, processor = dict.fromkeys(kinds, 0.0), dict.fromkeys(kinds, 0.0)
        answers: dict[str, list[Counter[str]]] = {name: [] for name in kinds}
        for first in range(0, rounds, ROUNDS_PER_TURN):
            for name, requests in kinds.items():
                began, before = time.perf_counter(), ours.get_cpu_seconds()
                for each in requests[first : first + ROUNDS_PER_TURN]:
                    answers[name].append(Counter(racers.send(each)))
                spent[name] += time.perf_counter() - began
                processor[name] += ours.get_cpu_seconds() - before
    table = Table(f"{engine}, {RACERS} at once, {rounds} rounds of each", ("what", "answers/s", "CPU ms"))
    for name in kinds:
        asked_in_all = rounds * RACERS
        table.print_row(name, asked_in_all / spent[name], processor[name] * 1000 / asked_in_all)
    for name, counters in answers.items():
        total: Counter[str] = sum(counters, Counter())
        table.print_row(f"  {name}: {', '.join(f'{count:,} × {what}' for what, count in total.most_common())}")
    ratios = Table("What must hold", RATIO_COLUMNS)
    fair_rounds = sum(
        counter == Counter({"201": 1, "409 slot_taken": RACERS - 1}) for counter in answers["one time for all"]
    )
    ratios.print_ratio("rounds with one winner, all others told why", fair_rounds / rounds, minimum=1)
    ratios.print_ratio(
        "answers a second, contested ÷ free", spent["a time for each"] / spent["one time for all"], minimum=1
    )
