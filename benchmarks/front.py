"""What a page weighs, and how soon it stands on a telephone.

Bytes are counted as a first visit loads them, scripts and styles compressed with gzip, beside a page of React and
the router alone, built in the same run by the same bundler: the share that is ours. Lighthouse opens home, find and
book as a slow telephone on a slow line would (its own default, simulated); each figure is the median of three. It
measures wall-clock time, so that a busy machine makes every figure worse: the benchmark index that it prints tells how
busy.
"""

import gzip
import json
import os
import shutil
import statistics
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.harness import RATIOS, Site, Table, site
from config.testing import ROOT

HERE = ROOT / "benchmarks" / "front"
APP = Path(os.environ.get("STATIC_ROOT", ROOT / "staticfiles")) / "app"
LIGHTHOUSE = HERE / "node_modules" / "lighthouse" / "cli" / "index.js"
REPEATS = 3
# Lighthouse now and then sees no page begin (NO_NAVSTART) on a machine that is busy.
TRIES = 3
MOST_KB = 130
# Of the pages that are opened as a patient comes: the first thing seen, the search, the form.
PAGES = {"home": "/", "find": "/patient/doctors", "book": "/patient/book-appointment/{doctor}"}
FLAGS = "headless=new no-sandbox disable-background-networking disable-component-update disable-sync no-first-run"
# The audit, what it is called here, and what is wanted of it.
AUDITS = {
    "first-contentful-paint": ("FCP ms", None),
    "largest-contentful-paint": ("LCP ms", 1500),
    "total-blocking-time": ("TBT ms", 100),
    "cumulative-layout-shift": ("CLS", 0.02),
}
SCORE = 98


class Failed(Exception):  # noqa: N818 - reported as a line of the table, not raised at a programmer
    """A program of Node's failed; the text is the end of what it said."""


def run(*command: str, **environment: str) -> str:
    """Run a program of Node's and return what it printed. Raise `Failed` with its complaint when it fails."""
    done = subprocess.run(command, cwd=HERE, env=os.environ | environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise Failed(f"{' '.join(command[:2])}: {' '.join(said[-3:])[-500:]}")
    return done.stdout


@cache
def weight(file: str) -> int:
    """Weigh a file of the bundle, in bytes, compressed with gzip."""
    return len(gzip.compress((APP / file).read_bytes(), 9))


def weights(table: Table) -> None:
    """Print what each page loads, in kB, and how many times the floor that is."""
    floor = int(run("node", "floor.mjs")) / 1000
    built = json.loads((APP / "pages.json").read_text())
    table.line("React and the router alone", floor, 1.0, "")
    for page in built["pages"]:
        kb = sum(map(weight, {built["boot"], *page["scripts"], *page["styles"]})) / 1000
        public = not page["pattern"].startswith(("/doctor/", "/admin/"))
        wanted = ("holds" if kb <= MOST_KB else "MISSED") if public else ""
        table.line(page["pattern"], kb, kb / floor, wanted)


def open_page(url: str, chromium: str) -> dict[str, Any]:
    """Return Lighthouse's report of a page, trying again when a run fails. Raise `Failed` when all do."""
    for attempt in range(1, TRIES + 1):
        try:
            return open_page_once(url, chromium)
        except Failed:
            if attempt == TRIES:
                raise
    raise AssertionError("there is at least one try")


def open_page_once(url: str, chromium: str) -> dict[str, Any]:
    """Return Lighthouse's report of a page that it opened once."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        flags = " ".join(f"--{flag}" for flag in FLAGS.split())
        run(
            *("node", str(LIGHTHOUSE), url, "--quiet", "--only-categories=performance", "--output=json"),
            *(f"--output-path={report}", f"--chrome-flags={flags}"),
            CHROME_PATH=chromium,
        )
        try:
            found: dict[str, Any] = json.loads(report.read_text())
        except (OSError, ValueError) as error:
            raise Failed(f"Lighthouse wrote no report: {error}") from None
    # Such a report has no figures.
    if problem := found.get("runtimeError"):
        raise Failed(f"Lighthouse: {problem.get('code', 'unknown error')}")
    return found


def measure_page(server: Site, path: str, chromium: str) -> dict[str, float]:
    """Return the medians of a page's figures, by their name here."""
    reports = [open_page(server.url + path, chromium) for _ in range(REPEATS)]
    figures = {
        name: statistics.median(report["audits"][audit]["numericValue"] for report in reports)
        for audit, (name, _) in AUDITS.items()
    }
    figures["score"] = statistics.median(100 * report["categories"]["performance"]["score"] for report in reports)
    figures["index"] = statistics.median(report["environment"]["benchmarkIndex"] for report in reports)
    return figures


def main(arguments: list[str]) -> None:
    """Weigh all pages, then open three; `weights` as an argument leaves the second out, which needs Chromium."""
    weights(Table("Scripts and styles of a first visit, gzip", ("page", "kB", "× floor", f"≤ {MOST_KB}")))
    if "weights" in arguments:
        return
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        raise SystemExit("There is no Chromium on PATH; CHROMIUM may name one.")
    if not LIGHTHOUSE.exists():
        try:
            run("npm", "ci")
        except Failed as failure:
            raise SystemExit(f"Lighthouse can't be installed. {failure}") from None
    table = Table(f"Lighthouse, a telephone on a slow line, median of {REPEATS}", RATIOS)
    with site("sqlite") as server:
        doctor = server.ask_inside("benchmarks.people:doctors", 1)[0]
        for name, path in PAGES.items():
            try:
                figures = measure_page(server, path.format(doctor=doctor), chromium)
            except Failed as failure:
                table.line(f"{name}: not measured after {TRIES} tries. {failure}")
                continue
            table.ratio(f"{name}: score", figures["score"], least=SCORE)
            for figure, wanted in AUDITS.values():
                table.ratio(f"{name}: {figure}", figures[figure], most=wanted)
            table.ratio(f"{name}: benchmark index of the machine", figures["index"])
