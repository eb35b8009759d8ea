"""The size of pages, and how fast they load on a phone.

Sizes are those of a first visit, scripts, styles and messages compressed with gzip, compared with a page of React and
the router only, built in the same run by the same bundler. Lighthouse opens home, find and book as a slow phone on a
slow connection would (its default, simulated); each figure is the median of three. It measures wall-clock time, so a
busy machine makes every figure worse; the benchmark index that it prints shows how busy.
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

from benchmarks.harness import RATIO_COLUMNS, Site, Table, run_site
from config.spa import SHELL_CATALOG
from config.testing import ROOT

FOLDER = ROOT / "benchmarks" / "front"
APP = Path(os.environ.get("STATIC_ROOT", ROOT / "staticfiles")) / "app"
LIGHTHOUSE = FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"
REPETITIONS = 3
# On a busy machine Lighthouse sometimes fails with NO_NAVSTART.
MAX_ATTEMPTS = 3
MAX_PAGE_KB = 136
PAGES = {"home": "/", "find": "/patient/doctors", "book": "/patient/book-appointment/{doctor}"}
FLAGS = "headless=new no-sandbox disable-background-networking disable-component-update disable-sync no-first-run"
# The audit, its name in the table, and its target.
AUDITS = {
    "first-contentful-paint": ("FCP ms", None),
    "largest-contentful-paint": ("LCP ms", 1500),
    "total-blocking-time": ("TBT ms", 100),
    "cumulative-layout-shift": ("CLS", 0.02),
}
MIN_SCORE = 98


class ToolError(Exception):
    """A Node program failed; the message is the end of its output."""


def run(*command: str, **environment: str) -> str:
    """Run a Node program and return its output; raise `ToolError` if it fails."""
    done = subprocess.run(
        command, cwd=FOLDER, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        output = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise ToolError(f"{' '.join(command[:2])}: {' '.join(output[-3:])[-500:]}")
    return done.stdout


@cache
def get_gzip_size(file: str) -> int:
    """Return the size of a file of the bundle in bytes, compressed with gzip."""
    return len(gzip.compress((APP / file).read_bytes(), 9))


def print_page_sizes(table: Table) -> None:
    """Print the size of each page in kB, and as a multiple of the minimum."""
    floor = int(run("node", "floor.mjs")) / 1000
    built = json.loads((APP / "pages.json").read_text())
    table.print_row("React and the router alone", floor, 1.0, "")
    for page in built["pages"]:
        messages = [built["catalogs"].format(catalog=name, locale="en") for name in (SHELL_CATALOG, page["catalog"])]
        kb = sum(map(get_gzip_size, {built["boot"], *page["scripts"], *page["styles"], *messages})) / 1000
        public = not page["pattern"].startswith(("/doctor/", "/admin/"))
        target = ("holds" if kb <= MAX_PAGE_KB else "MISSED") if public else ""
        table.print_row(page["pattern"], kb, kb / floor, target)


def open_page(url: str, chromium: str) -> dict[str, Any]:
    """Return Lighthouse's report of a page, repeating failed runs; raise `ToolError` if all fail."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            return open_page_once(url, chromium)
        except ToolError:
            if attempt == MAX_ATTEMPTS:
                raise
    raise AssertionError("there is at least one try")


def open_page_once(url: str, chromium: str) -> dict[str, Any]:
    """Return Lighthouse's report of a page from one run."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        flags = " ".join(f"--{flag}" for flag in FLAGS.split())
        run(
            *("node", str(LIGHTHOUSE), url, "--quiet", "--only-categories=performance", "--output=json"),
            *(f"--output-path={report}", f"--chrome-flags={flags}"),
            CHROME_PATH=chromium,
        )
        try:
            report_data: dict[str, Any] = json.loads(report.read_text())
        except (OSError, ValueError) as error:
            raise ToolError(f"Lighthouse wrote no report: {error}") from None
    if problem := report_data.get("runtimeError"):
        raise ToolError(f"Lighthouse: {problem.get('code', 'unknown error')}")
    return report_data


def measure_page(server: Site, path: str, chromium: str) -> dict[str, float]:
    """Return the medians of a page's figures by their names in the table."""
    reports = [open_page(server.url + path, chromium) for _ in range(REPETITIONS)]
    figures = {
        name: statistics.median(report["audits"][audit]["numericValue"] for report in reports)
        for audit, (name, _) in AUDITS.items()
    }
    figures["score"] = statistics.median(100 * report["categories"]["performance"]["score"] for report in reports)
    figures["index"] = statistics.median(report["environment"]["benchmarkIndex"] for report in reports)
    return figures


def main(arguments: list[str]) -> None:
    """Measure the sizes of all pages, then, without the argument `weights`, open three with Lighthouse."""
    print_page_sizes(
        Table("Scripts, styles and messages of a first visit, gzip", ("page", "kB", "× floor", f"≤ {MAX_PAGE_KB}"))
    )
    if "weights" in arguments:
        return
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        raise SystemExit("There is no Chromium on PATH; CHROMIUM can name one.")
    if not LIGHTHOUSE.exists():
        try:
            run("npm", "ci")
        except ToolError as failure:
            raise SystemExit(f"Lighthouse can't be installed. {failure}") from None
    table = Table(f"Lighthouse, a phone on a slow connection, median of {REPETITIONS}", RATIO_COLUMNS)
    with run_site("sqlite") as server:
        doctor = server.call_django("benchmarks.fixtures:list_doctor_ids", 1)[0]
        for name, path in PAGES.items():
            try:
                figures = measure_page(server, path.format(doctor=doctor), chromium)
            except ToolError as failure:
                table.print_row(f"{name}: not measured after {MAX_ATTEMPTS} tries. {failure}")
                continue
            table.print_ratio(f"{name}: score", figures["score"], minimum=MIN_SCORE)
            for figure, target in AUDITS.values():
                table.print_ratio(f"{name}: {figure}", figures[figure], maximum=target)
            table.print_ratio(f"{name}: benchmark index of the machine", figures["index"])
