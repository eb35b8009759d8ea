"""Many people want one free time at the same moment.

Each round 32 people book at once: in one kind of round all of them the same time of one doctor, in the other each a
time of a doctor of one's own. The two kinds take turns on one server. Losers are refused with the reason and the
nearest free times, as they are in the product; who wins pays for the commit. That is why answering a contested time
should cost no more than booking free ones, unless the racers stand in each other's way.
"""

import contextlib
import json
import selectors
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from benchmarks.harness import RATIOS, Table, request, site, taken_apart

RACERS = 32
ROUNDS = 200
# Rounds of one kind before the other has its turn; each turn begins with others' caches, and is long enough to forget.
TURN = 10
SEED = ("--doctors", "200", "--patients", "200")


class Crowd:
    """Open connections, one a person, on which all ask at once."""

    def __init__(self, port: int, stack: contextlib.ExitStack) -> None:
        self.sockets = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)) for _ in range(RACERS)
        ]
        self.waiting = stack.enter_context(selectors.DefaultSelector())
        for number, each in enumerate(self.sockets):
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.waiting.register(each, selectors.EVENT_READ, number)

    def ask(self, requests: Sequence[bytes]) -> list[str]:
        """Send everybody's request, then wait for everybody's answer: its status, and its code where it is refused."""
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
                if answer := taken_apart(received[key.data]):
                    code = "" if answer[0] < 400 else f" {json.loads(answer[1])['code']}"
                    answers.append(f"{answer[0]}{code}")
        return answers


def main(arguments: list[str]) -> None:
    """Race on PostgreSQL, or with `sqlite` there; a number says how many rounds."""
    engine = "sqlite" if "sqlite" in arguments else "postgresql"
    rounds = next((int(each) for each in arguments if each.isdecimal()), ROUNDS)
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(site(engine, seed=SEED))
        times: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for day in ours.ask_inside("benchmarks.people:free_times", RACERS + 20, 12):
            for one in day:
                times[one["doctor"]].append(one)
        # Who is asked for by all, and whom each has to oneself; a doctor of few hours is nobody's.
        often = [each for each in times.values() if len(each) >= rounds][: RACERS + 1]
        if len(often) <= RACERS:
            raise RuntimeError(f"{rounds} rounds are more than the doctors have free times")
        people = ours.ask_inside("benchmarks.people:patients", 2 * RACERS)

        def booking(one: dict[str, Any], person: Sequence[str]) -> bytes:
            told = {"doctorId": one["doctor"], "appointmentDate": one["date"], "appointmentTime": one["time"]}
            return request("POST", "/api/appointments", json.dumps(told).encode(), token=person[1])

        kinds = {
            "one time for all": [[booking(often[0][n], each) for each in people[:RACERS]] for n in range(rounds)],
            "a time for each": [
                [booking(mine[n], each) for mine, each in zip(often[1:], people[RACERS:], strict=True)]
                for n in range(rounds)
            ],
        }
        crowd = Crowd(ours.port, stack)
        spent, processor = dict.fromkeys(kinds, 0.0), dict.fromkeys(kinds, 0.0)
        answers: dict[str, list[Counter[str]]] = {name: [] for name in kinds}
        for first in range(0, rounds, TURN):
            for name, asked in kinds.items():
                began, before = time.perf_counter(), ours.cpu_seconds()
                for each in asked[first : first + TURN]:
                    answers[name].append(Counter(crowd.ask(each)))
                spent[name] += time.perf_counter() - began
                processor[name] += ours.cpu_seconds() - before
    table = Table(f"{engine}, {RACERS} at once, {rounds} rounds of each", ("what", "answers/s", "CPU ms"))
    for name in kinds:
        asked_in_all = rounds * RACERS
        table.line(name, asked_in_all / spent[name], processor[name] * 1000 / asked_in_all)
    for name, found in answers.items():
        total: Counter[str] = sum(found, Counter())
        table.line(f"  {name}: {', '.join(f'{count:,} × {what}' for what, count in total.most_common())}")
    ratios = Table("What must hold", RATIOS)
    fair = sum(round_ == Counter({"201": 1, "409 slot_taken": RACERS - 1}) for round_ in answers["one time for all"])
    ratios.ratio("rounds with one winner, all others told why", fair / rounds, least=1)
    ratios.ratio("answers a second, contested ÷ free", spent["a time for each"] / spent["one time for all"], least=1)
