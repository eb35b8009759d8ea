"""Remove one access check at a time and expect a failing test: `python3 dev.py mutate`.

    python3 dev.py mutate --list                 list the mutants and run nothing
    python3 dev.py mutate                        everything; a table, and exit code 1 if a mutant survived
    python3 dev.py mutate --only permission      those with one of these words in their kind or key
    python3 dev.py mutate --rest                 those that earlier runs did not kill
    python3 dev.py mutate --jobs 4               four at a time
    python3 dev.py mutate --only holds --tests appointments/tests/scheduling/test_holds.py
                                                 with these tests only; survivors are not recorded

The tests run once without a mutant while coverage.py records which test runs which line. Each mutant is then tested
with the tests that run its lines, until one fails: first the test that killed it before, then the most specific ones.
This happens in copies of the source tree, on a SQLite file for each run. Results are saved in `var/mutations/`, so
that `--rest` continues a run that was stopped.

A mutant that survives needs a test, unless its change makes no difference: those are listed in `EQUIVALENT`, each with
the reason.
"""

import argparse
import json
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

from tools.mutation.coverage_map import RESULTS, list_exclusions, load_coverage_map
from tools.mutation.equivalents import EQUIVALENT
from tools.mutation.finder import Mutant, find_mutants
from tools.mutation.options import add_arguments
from tools.mutation.preloaded import PreloadedTests
from tools.mutation.source_copy import BROKEN, KILLED, SURVIVED, Outcome, SourceCopy


def load_results() -> dict[str, dict[str, str]]:
    """Return the results of earlier runs by the key of the mutant."""
    file = RESULTS / "results.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def run_mutants(selected: Sequence[Mutant], jobs: int, tests: Sequence[str] = ()) -> list[Outcome]:
    """Test each mutant and save its result at once, unless it survived only some `tests`."""
    results, outcomes, lock = load_results(), dict[str, Outcome](), threading.Lock()
    idle: SimpleQueue[PreloadedTests] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="wellhour-mutants-") as path, ExitStack() as stack:
        folder = Path(path)
        first = SourceCopy(folder / "0")
        coverage_map = load_coverage_map(first, tests)
        for number in range(jobs):
            copy = SourceCopy(folder / str(number), first.template) if number else first
            preloaded = PreloadedTests(copy, *list_exclusions(tests), *tests)
            stack.callback(preloaded.stop)
            idle.put(preloaded)

        def test_one(mutant: Mutant) -> None:
            old = results.get(mutant.key, {})
            candidates = coverage_map.list_tests(mutant, [old["by"]] if old.get("result") == KILLED else [])
            preloaded = idle.get()
            try:
                outcome = preloaded.test_mutant(mutant, candidates)
            finally:
                idle.put(preloaded)
            with lock:
                outcomes[mutant.key] = outcome
                if outcome.result == KILLED or not tests:
                    results[mutant.key] = {"result": outcome.result, "by": outcome.by}
                RESULTS.mkdir(parents=True, exist_ok=True)
                (RESULTS / "results.json").write_text(json.dumps(results, indent=1, sort_keys=True))
                print(f"{len(outcomes):>4}/{len(selected)} {format_outcome(outcome)}", flush=True)

        with ThreadPoolExecutor(jobs) as pool:
            for future in [pool.submit(test_one, mutant) for mutant in selected]:
                future.result()
    return [outcomes[mutant.key] for mutant in selected]


def format_outcome(outcome: Outcome) -> str:
    """Return one line of the table."""
    mutant, by = outcome.mutant, outcome.by
    if outcome.result == SURVIVED and mutant.key in EQUIVALENT:
        by = f"equivalent: {EQUIVALENT[mutant.key]}"
    what = mutant.key.partition(" ")[2]
    return f"{outcome.result:<9} {mutant.path}:{mutant.line} {mutant.kind}: {what} | {by} ({outcome.seconds:.0f} s)"


def print_report(outcomes: Sequence[Outcome]) -> int:
    """Print the counts by kind, and each surviving mutant; return the exit code."""
    alive = [each for each in outcomes if each.result == SURVIVED and each.mutant.key not in EQUIVALENT]
    broken = [each for each in outcomes if each.result == BROKEN]
    # A mutant listed as equivalent that dies is not equivalent.
    wrong = [each for each in outcomes if each.result == KILLED and each.mutant.key in EQUIVALENT]
    print(f"\n{'Kind':<12} {'Mutants':>7} {'Killed':>7} {'Equivalent':>10} {'Alive':>6}")
    kinds = dict.fromkeys(each.mutant.kind for each in outcomes)
    for kind in [*kinds, "all"]:
        own = [each for each in outcomes if kind in {each.mutant.kind, "all"}]
        killed = sum(each.result == KILLED for each in own)
        living = sum(each in alive or each in broken for each in own)
        print(f"{kind:<12} {len(own):>7} {killed:>7} {len(own) - killed - living:>10} {living:>6}")
    for title, some in (("Alive", alive), ("Broken", broken), ("Listed as equivalent, but killed", wrong)):
        for each in some:
            print(f"{title}: {format_outcome(each)}")
    return 1 if alive or broken or wrong else 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py mutate", description=(__doc__ or "").partition("\n")[0])
    add_arguments(parser)
    options = parser.parse_args(arguments)
    selected = find_mutants(options.only)
    if options.rest:
        done = load_results()
        selected = [each for each in selected if done.get(each.key, {}).get("result") != KILLED]
    if options.list_only:
        for mutant in selected:
            print(f"{mutant.kind:<12} {mutant.path}:{mutant.line} {mutant.key.partition(' ')[2]}")
        print(f"{len(selected)} mutants")
        return 0
    return print_report(run_mutants(selected, options.jobs, options.tests))
