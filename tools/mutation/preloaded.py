"""Run tests that are loaded already on one mutant after another."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from tools.mutation.finder import Mutant
from tools.mutation.source_copy import KILLED, PLUGINS, TIMEOUT_SECONDS, Outcome, SourceCopy
from tools.paths import ROOT

# How many tests a new process runs on a mutant that changes a function, and on any other.
MAX_TESTS_OF_FUNCTION, MAX_TESTS = 25, 200


class PreloadedTests:
    """A process that has loaded the tests of one copy and runs them on one mutant after another (`plugin.py`).

    Most mutants change the body of a function or one value, and are killed in a fraction of a second. Other changes,
    and mutants that seem to survive, are tested again by a new process on the changed file.
    """

    def __init__(self, copy: SourceCopy, *arguments: str) -> None:
        self.copy = copy
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        environment = {
            **copy.environment(copy.folder / "preloaded.sqlite3"), "MUTANT_ORDERS": str(orders),
            "MUTANT_ANSWERS": str(answers),
        }  # fmt: skip
        self.log = (copy.folder / "preloaded.log").open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *PLUGINS, "-p", "tools.mutation.plugin", "-p", "no:cacheprovider",
             "-q", "-s", "--tb=no", *arguments],
            cwd=copy.tree, env=environment, stdout=self.log, stderr=subprocess.STDOUT, pass_fds=(orders, answers),
        )  # fmt: skip
        os.close(orders)
        os.close(answers)
        self.reader = os.fdopen(self.answers)
        self.tests = set(json.loads(self.reader.readline() or "[]"))

    def run_tests(self, tests: Sequence[str], mutant: Mutant | None = None) -> dict[str, str]:
        """Run tests on a mutant, or without it on the original code."""
        database = self.copy.folder / "preloaded-run.sqlite3"
        for leftover in self.copy.folder.glob("preloaded-run.sqlite3*"):
            leftover.unlink()
        shutil.copy(self.copy.template, database)
        order: dict[str, Any] = {
            "database": str(database),
            "tests": list(tests),
            "source": "",
            "path": "",
            "line": 0,
            "seconds": TIMEOUT_SECONDS,
        }
        if mutant:
            source = (ROOT / mutant.path).read_bytes()
            order |= {"source": mutant.apply(source).decode(), "path": str(self.copy.tree / mutant.path)}
            order |= {"line": mutant.line, "in_function": mutant.in_function}
        os.write(self.orders, f"{json.dumps(order)}\n".encode())
        return dict(
            json.loads(
                self.reader.readline() or '{"result": "broken", "by": "the process with the loaded tests ended"}'
            )
        )

    def test_mutant(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Run tests on a mutant, and again in a new process unless a test clearly failed because of it."""
        start, remaining = time.monotonic(), list(tests)
        while True:
            answer = self.run_tests(remaining, mutant)
            if answer["result"] == "hangs":
                return Outcome(mutant, KILLED, answer["by"], time.monotonic() - start)
            if answer["result"] != "killed":
                break
            if self.run_tests([answer["by"]])["result"] == "survived":
                return Outcome(mutant, KILLED, answer["by"], time.monotonic() - start)
            # It fails in a forked child without the mutant too.
            remaining.remove(answer["by"])
        # The mutant seems to survive; a new process makes sure that the code was really replaced.
        outcome = self.copy.test_mutant(mutant, tests[: MAX_TESTS_OF_FUNCTION if mutant.in_function else MAX_TESTS])
        return Outcome(mutant, outcome.result, outcome.by, time.monotonic() - start)

    def stop(self) -> None:
        """End the process."""
        os.close(self.orders)
        self.process.wait(60)
        self.reader.close()
        self.log.close()
