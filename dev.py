#!/usr/bin/env python3
"""Set up, run and check Wellhour. It needs Python 3.11 or newer and nothing else.

Every step leaves a stamp made from what went into it, and is skipped while the stamp holds.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import http.client
import importlib.util
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from xml.etree import ElementTree as ET

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 22

if sys.version_info < OLDEST_PYTHON:
    print(
        "Wellhour needs Python {}.{} or newer; this is {}.{}.".format(*OLDEST_PYTHON, *sys.version_info),
        file=sys.stderr,
    )
    sys.exit(2)

ROOT = Path(__file__).resolve().parent
VAR = ROOT / "var"
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
STAMPS = VENV / "stamps"
FRONTEND = ROOT / "frontend"
DIST = ROOT / "frontend_dist"
STATIC_ROOT = ROOT / "staticfiles"
OPENAPI = ROOT / "docs" / "openapi.yaml"
PACKAGES = ("config", "accounts", "doctors", "appointments", "adminpanel", "benchmarks")

BLOCKING_THREADS = 16
LONGEST_PART = 40 * 60  # seconds; a part that takes longer hangs
UNREACHABLE = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|dns error|[Ff]ailed to lookup address|error sending"
    r"|Name or service not known|Temporary failure (in name resolution|resolving)|Failed to establish a new connection"
    r"|Network is unreachable|Could not resolve"
)

Env = dict[str, str]


class Problem(Exception):  # noqa: N818 - it is told to a person, not raised at a programmer
    """Ends the program, or one part of a test run, with a sentence for the person at the keyboard.

    Code 2 says that something is missing, so that the thing could not run; code 1 that it ran and failed.
    """

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


class Interrupted(BaseException):
    """Ctrl-C, or a polite request to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def on_signal(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # we are ending already; a second Ctrl-C changes nothing
    raise Interrupted(number)


# --- Child processes --------------------------------------------------------------------------


def descendants(pid: int) -> list[int]:
    """All that a process has started, and what they have started, in sessions of their own too."""
    children: dict[int, list[int]] = {}
    for line in (capture(["ps", "-A", "-o", "pid=,ppid="], plain_environment()) or "").splitlines():
        each, parent = map(int, line.split())
        children.setdefault(parent, []).append(each)
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found[1:]


def stop(process: subprocess.Popen[str]) -> None:
    """End a child and all that it started; each child leads a process group of its own."""
    if process.stdin:
        process.stdin.close()
    # Tests start servers and browsers in sessions of their own, which the signal to the group does not reach.
    family = descendants(process.pid) if process.poll() is None else []
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
        os.killpg(process.pid, signal.SIGKILL)
    for each in family:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def child(
    argv: Sequence[str], env: Env, cwd: Path = ROOT, stdin: int = subprocess.DEVNULL, output: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Start a program; whatever ends the block ends the program too."""
    errors = None if output is None else subprocess.STDOUT
    try:
        process = subprocess.Popen(
            argv, env=env, cwd=cwd, stdin=stdin, stdout=output, stderr=errors, text=True, start_new_session=True
        )
    except FileNotFoundError as error:
        raise Problem(f"{error.filename} is missing.") from None
    try:
        yield process
    finally:
        stop(process)


def quietly(name: str, argv: Sequence[str], env: Env, cwd: Path = ROOT) -> str:
    """Run a program to its end and return what it printed; show that only when it fails."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        with child(argv, env | {"NO_COLOR": "1"}, cwd, output=log.fileno()) as process:
            code = process.wait()
        log.seek(0)
        printed = log.read()
    if code:
        raise Problem(f"{printed.rstrip()}\n{name} failed (exit code {code}); what it said stands above.", 1)
    return printed


def fetch(name: str, argv: Sequence[str], env: Env, cwd: Path = ROOT) -> None:
    """Run a program that needs the network; say so in one line when there is none."""
    try:
        quietly(name, argv, env, cwd)
    except Problem as problem:
        if UNREACHABLE.search(str(problem)):
            raise Problem(f"{name}: the package registry can't be reached. Check the network and try again.") from None
        raise


def capture(argv: Sequence[str], env: Env) -> str | None:
    """Ask a program something short; None when it can't answer."""
    try:
        done = subprocess.run(argv, check=False, env=env, cwd=ROOT, capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


# --- Stamps -----------------------------------------------------------------------------------

NOT_SOURCE = {"node_modules", "__pycache__", "e2e", "coverage", "test-results"}


def files_under(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - NOT_SOURCE)
        yield from (Path(folder, name) for name in sorted(names))


def fingerprint(*inputs: Path | str) -> str:
    """Hash texts, files and whole folders by their content."""
    digest = hashlib.sha256()
    for each in inputs:
        for path in files_under(each) if isinstance(each, Path) else ():
            digest.update(f"{path}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        digest.update(f"{each}\0".encode())
    return digest.hexdigest()


@contextlib.contextmanager
def timed(name: str) -> Iterator[None]:
    print(f"  {name:<22} ", end="", flush=True)
    began = time.monotonic()
    try:
        yield
    except BaseException:
        print("stopped", flush=True)
        raise
    print(f"{time.monotonic() - began:.1f} s", flush=True)


def step(name: str, key: str, makes: Path, action: Callable[[], object]) -> None:
    """Do the action unless its stamp says that it was done with the same inputs and its output is still there."""
    stamp = STAMPS / name.lower().replace(" ", "-")
    if makes.exists() and stamp.exists() and stamp.read_text() == key:
        print(f"  {name:<22} up to date", flush=True)
        return
    stamp.unlink(missing_ok=True)
    with timed(name):
        action()
    STAMPS.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key)


# --- Settings ---------------------------------------------------------------------------------


def assignments(path: Path) -> Env:
    """The NAME=value lines of a file like .env."""
    found: Env = {}
    if path.is_file():
        for name, value in re.findall(r"^(?:export )?(\w+)=(.*)$", path.read_text(), re.MULTILINE):
            found[name] = value.strip().strip("\"'")
    return found


def plain_environment() -> Env:
    """What we were started with, less what would turn another Python's or Node's head."""
    left_out = {"VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "NODE_ENV", "DJANGO_SETTINGS_MODULE"}
    return {name: value for name, value in os.environ.items() if name not in left_out}


def test_environment() -> Env:
    """The same for everybody: no setting of the shell or of .env reaches the tests."""
    settings = re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    env = {name: value for name, value in plain_environment().items() if name not in settings}
    return env | {
        "ENVIRONMENT": "test",
        "DATABASE_URL": f"sqlite:///{VAR / 'db.sqlite3'}",
        "STATIC_ROOT": str(STATIC_ROOT),
    }


def secret_key() -> str:
    """A key of this machine's own, made once and readable by its owner alone."""
    path = VAR / "secret-key"
    if not path.exists():
        path.touch(0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


def run_environment(host: str, port: int, **forced: str) -> Env:
    """Fill in what neither the environment nor .env says."""
    env = plain_environment()
    said = {name: value for name, value in (assignments(ROOT / ".env") | env).items() if value}  # empty is unsaid
    defaults = {"SECRET_KEY": secret_key(), "BASE_URL": address(host, port), "STATIC_ROOT": str(STATIC_ROOT)}
    if said.get("ENVIRONMENT") != "production":
        defaults["DEMO"] = "true"
        if host not in ("127.0.0.1", "localhost"):
            ours = {"127.0.0.1", "localhost", "[::1]", socket.gethostname(), *addresses_of(host)}
            defaults["ALLOWED_HOSTS"] = ",".join(sorted(ours))
    return env | {name: said.get(name, default) for name, default in defaults.items()} | forced


def addresses_of(host: str) -> set[str]:
    """The addresses under which a server bound to this host is reached."""
    wildcard = host in ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
    with contextlib.suppress(OSError):
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname() if wildcard else host, None)}
        return {f"[{each}]" if ":" in each else each for each in found}
    return set()


def address(host: str, port: int) -> str:
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


# --- Steps ------------------------------------------------------------------------------------


def make_venv() -> None:
    """A virtual environment that lies here, has pip and a Python that is new enough; any other is made anew."""
    if VENV.is_symlink():
        raise Problem(f"{VENV} is a link: making it anew would empty the environment behind it. Remove the link first.")
    pip = VENV / "bin" / "pip"
    check = f"import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    lies_here = pip.exists() and str(VENV) in pip.read_text()
    if lies_here and capture([PYTHON, "-c", check], plain_environment()) is not None:
        return
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        raise Problem(
            "This Python can't make virtual environments: its venv or ensurepip module is missing. "
            f"On Debian and Ubuntu: apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        )
    with timed("Virtual environment"):
        quietly("Virtual environment", [sys.executable, "-m", "venv", "--clear", str(VENV)], plain_environment())


def install(name: str, *files: str) -> None:
    """Install from hashed lists with uv, which itself comes from such a list."""
    lists = [ROOT / each for each in files]
    options = [part for each in lists for part in ("-r", str(each))]
    uv = [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON, "--require-hashes", *options]
    uv += ["--compile-bytecode"]  # or each start compiles Django anew where Python may not write it down
    step(name, fingerprint(*lists), Path(PYTHON), lambda: fetch(name, uv, plain_environment()))


def prepare_python(full: bool) -> None:
    make_venv()
    uv = ROOT / "requirements-uv.txt"
    pip = [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(uv)]
    step("uv", fingerprint(uv), VENV / "bin" / "uv", lambda: fetch("uv", pip, plain_environment()))
    install("Python packages", "requirements.txt")
    if full:
        install("Test packages", "requirements.txt", "requirements-dev.txt")


def node_major(env: Env) -> int:
    node, npm = shutil.which("node", path=env.get("PATH")), shutil.which("npm", path=env.get("PATH"))
    version = re.match(r"v(\d+)", capture([node, "--version"], env) or "") if node and npm else None
    return int(version[1]) if version else 0


@functools.cache
def node_environment() -> Env:
    """An environment in which `node` and `npm` are new enough: the system's, or those of a Python wheel."""
    env = plain_environment()
    if node_major(env) >= OLDEST_NODE:
        return env
    install("Node", "requirements-node.txt")
    return env | {"PATH": f"{VENV / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}"}


def npm_run(name: str, script: str) -> None:
    quietly(name, ["npm", "run", script], node_environment(), FRONTEND)


def node_packages(full: bool) -> None:
    key = fingerprint(FRONTEND / "package.json", FRONTEND / "package-lock.json", str(node_major(node_environment())))
    makes = FRONTEND / "node_modules" / ".package-lock.json"
    stamp = STAMPS / "node-packages"
    # A full set serves for running too; the reverse does not hold.
    full = full or (stamp.exists() and stamp.read_text() == f"full {key}")
    npm = ["npm", "ci", "--include=dev" if full else "--omit=dev"]
    action = functools.partial(fetch, "Node packages", npm, node_environment(), FRONTEND)
    step("Node packages", f"{'full' if full else 'run'} {key}", makes, action)


def api_client() -> None:
    config = list(FRONTEND.glob("openapi-ts.config.*"))
    key = fingerprint(OPENAPI, FRONTEND / "package-lock.json", *config)
    step("API client", key, FRONTEND / "src" / "api" / "generated", lambda: npm_run("API client", "client"))


def bundle() -> None:
    step("Bundle", fingerprint(FRONTEND), DIST / "app" / "manifest.json", lambda: npm_run("Bundle", "build"))


def manage(name: str, env: Env, *arguments: str) -> str:
    return quietly(name, [PYTHON, "manage.py", *arguments], env)


def static_files(env: Env) -> None:
    root = ROOT / env["STATIC_ROOT"]
    key = fingerprint(DIST, ROOT / "static", ROOT / "requirements.txt", ROOT / "config" / "settings.py", str(root))
    # Django REST framework's own pages are not used here.
    action = ["collectstatic", "--clear", "--no-input", "--ignore=rest_framework"]
    step("Static files", key, root / "app" / "manifest.json", lambda: manage("Static files", env, *action))


# One process for all three, since starting Django takes longer than what there is to do on most days.
SETTLE = """
import django, sys
from django.core.management import call_command
django.setup()
call_command("migrate", interactive=False)
if "demo" in sys.argv:
    call_command("seed_demo")
    call_command("seed_demo", list=True)
"""


def database(env: Env) -> list[str]:
    """Bring the database up to date; return the demo accounts, if this one has any. Both commands know what is done."""
    demo = ["demo"] if env.get("DEMO", "").lower() in ("true", "on", "ok", "y", "yes", "1") else []
    name = "Database, demo data" if demo else "Database"
    # As for the commands of manage.py: a migration may take longer than any request.
    settled = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_STATEMENT_SECONDS": "0"}
    with timed(name):
        printed = quietly(name, [PYTHON, "-c", SETTLE, *demo], env | settled)
    return [line for line in printed.splitlines() if line.count("\t") == 2]


# --- Commands: run and dev --------------------------------------------------------------------


def require_free(host: str, port: int) -> str:
    """Make sure that we can serve there; answer the numeric address, which is all that the server takes."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise Problem(f"{host} is not an address of this machine.") from None
    family, kind, _, _, target = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(target)
        except OSError as error:
            raise Problem(
                f"Port {port} on {host} can't be used ({error.strerror}). Choose another with --port."
            ) from None
    return str(target[0])


def answers(url: str) -> bool:
    """Whether anything speaks HTTP there; which status it sends depends on ALLOWED_HOSTS and is no concern here."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", "/healthz")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def run(host: str, port: int) -> int:
    require_free(host, port)
    print("Setting up", flush=True)
    prepare_python(full=False)
    env = run_environment(host, port)
    node_packages(full=False)
    api_client()
    bundle()
    static_files(env)
    accounts = database(env)
    numeric = require_free(host, port)  # once more: minutes may have passed
    granian = [PYTHON, "-m", "granian", "--interface", "wsgi", "--http", "1", "--host", numeric, "--port", str(port)]
    granian += [
        "--workers",
        "1",
        "--blocking-threads",
        str(BLOCKING_THREADS),
        "--respawn-failed-workers",
        "--log-level",
        "error",
        "config.wsgi:application",
    ]
    with child(granian, env) as server:
        while not answers(address(host, port)):
            if server.poll() is not None:
                raise Problem("The server did not start; what it said stands above.", 1)
            time.sleep(0.1)
        print(f"\nWellhour is at {address(host, port)} - Ctrl-C ends it.", flush=True)
        for account in accounts:
            role, email, password = account.split("\t")
            print(f"  {role:<8} {email:<32} {password}", flush=True)
        with contextlib.suppress(Interrupted):
            raise Problem(f"The server ended by itself (exit code {server.wait()}).", 1)
    print("\nEnded.")
    return 0


def dev(host: str, port: int) -> int:
    """Django that reloads itself, beside Vite that reloads the page."""
    require_free(host, port)
    require_free("127.0.0.1", 5173)
    print("Setting up", flush=True)
    prepare_python(full=True)
    env = run_environment(host, port, DEBUG="true", VITE_DEV="true")
    node_packages(full=True)
    api_client()
    accounts = database(env)
    node = node_environment()
    print(f"\nWellhour is at {address(host, port)} - Ctrl-C ends it.", *accounts, sep="\n  ", flush=True)
    with contextlib.suppress(Interrupted), contextlib.ExitStack() as both:
        django = both.enter_context(child([PYTHON, "manage.py", "runserver", f"{host}:{port}"], env))
        vite = both.enter_context(child(["npm", "run", "dev"], node, FRONTEND))
        while django.poll() is None and vite.poll() is None:
            time.sleep(0.5)
        raise Problem("One of the two servers ended; what it said stands above.", 1)
    return 0


# --- Commands: check and test -----------------------------------------------------------------


@dataclass
class Report:
    """What ran, what did not, and how it went."""

    rows: list[tuple[str, str, float, str]] = field(default_factory=list)
    # What was tried how often, and what was measured, by part; a soak's alone.
    tried: dict[str, list[str]] = field(default_factory=dict)
    measured: dict[str, list[str]] = field(default_factory=dict)

    def part(self, name: str, action: Callable[[], str | None], needs: Sequence[str] = ()) -> None:
        """Run one part; a failure is kept for the table, so that all the others are seen too."""
        print(f"\n== {name}", flush=True)
        began = time.monotonic()
        try:
            if missing := [row[0] for row in self.rows if row[0] in needs and row[1] != "passed"]:
                raise Problem(f"needs {', '.join(missing)}")
            result, detail = "passed", action() or ""
        except Problem as problem:
            print(problem, flush=True)
            result, detail = "FAILED" if problem.code == 1 else "did not run", str(problem).splitlines()[-1]
        self.rows.append((name, result, time.monotonic() - began, detail))

    def finish(self) -> int:
        wide = max(24, *(len(row[0]) for row in self.rows)) if self.rows else 24
        print(f"\n{'Part':<{wide}} {'Result':<12} {'Time':>7}  Detail")
        for name, result, seconds, detail in self.rows:
            tried = " ".join(self.tried.get(name, []))
            print(f"{name:<{wide}} {result:<12} {seconds:>6.1f}s  {detail} {tried}".rstrip())
            for each in self.measured.get(name, []):
                print(f"{'':<{wide}}   {each}")
        passed = sum(row[1] == "passed" for row in self.rows)
        print(f"{'Total':<{wide + 13}} {sum(row[2] for row in self.rows):>6.1f}s")
        if passed < len(self.rows):
            print("Not all is well: see the rows that say FAILED or did not run.")
        print(f"{passed} passed, {len(self.rows) - passed} failed", flush=True)
        return 0 if passed == len(self.rows) else 1


def loudly(argv: Sequence[str], env: Env, cwd: Path = ROOT) -> None:
    with child(argv, env, cwd) as process:
        try:
            code = process.wait(timeout=LONGEST_PART)
        except subprocess.TimeoutExpired:
            raise Problem(f"still running after {LONGEST_PART // 60} minutes, ended", 1) from None
    if code:
        raise Problem(f"exit code {code}", 1)


def counted(argv: Sequence[str], env: Env, junit: Path, cwd: Path = ROOT) -> str:
    """Run tests, then read how many there were; one that was skipped counts as a failure."""
    junit.unlink(missing_ok=True)
    failure: Problem | None = None
    try:
        loudly(argv, env, cwd)
    except Problem as problem:
        failure = problem
    if not junit.exists():
        raise failure or Problem("left no report", 1)
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in ET.parse(junit).iter("testsuite"):  # noqa: S314 - our own tools have just written it
        for name in counts:
            counts[name] += int(suite.get(name) or 0)
    failed = counts["failures"] + counts["errors"]
    summary = f"{counts['tests'] - failed - counts['skipped']} passed, {failed} failed, {counts['skipped']} skipped"
    if failure or failed or counts["skipped"] or not counts["tests"]:
        raise Problem(summary, 1)
    return summary


def quick_parts(report: Report, env: Env) -> None:
    """Format, lint, types, the layers, the migrations, and the frontend's own checks."""
    node = node_environment()
    for words in ("format --check", "check"):
        ruff = [PYTHON, "-m", "ruff", *words.split(), "--output-format=concise", "."]
        report.part(f"ruff {words.split()[0]}", functools.partial(loudly, ruff, env))
    report.part("mypy", lambda: loudly([PYTHON, "-m", "mypy", "dev.py", *PACKAGES], env))
    bandit = [PYTHON, "-m", "bandit", "--quiet", "-c", "pyproject.toml", "-r", *PACKAGES, "dev.py", "manage.py"]
    report.part("bandit", lambda: loudly(bandit, env))
    report.part("secrets", lambda: no_new_secrets(env))
    report.part("import-linter", lambda: loudly([str(VENV / "bin" / "lint-imports")], env))
    report.part("migrations", lambda: loudly([PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"], env))
    report.part("node packages", lambda: node_packages(full=True))
    report.part("api client", api_client, ["node packages"])
    report.part("biome, tsc, knip", lambda: loudly(["npm", "run", "check"], node, FRONTEND), ["api client"])


SECRETS_BASELINE = ROOT / ".secrets.baseline"


def secrets_in_sources(env: Env) -> dict[str, list[dict[str, object]]]:
    """Look through all that git keeps for what looks like a key or a password."""
    # Words beside "password" are ruff's to find, which knows tests from the product.
    scan = [PYTHON, "-m", "detect_secrets", "scan", "--disable-plugin", "KeywordDetector"]
    printed = quietly(
        "secrets", [*scan, "--exclude-files", r"requirements.*\.txt|package-lock\.json|\.secrets\.baseline"], env
    )
    found: dict[str, list[dict[str, object]]] = json.loads(printed)["results"]
    return found


def no_new_secrets(env: Env) -> str:
    """Refuse what looks like a secret and is not among those that somebody has looked at."""
    known = json.loads(SECRETS_BASELINE.read_text())
    new = [
        f"{file}:{each['line_number']}: {each['type']}"
        for file, found in secrets_in_sources(env).items()
        for each in found
        if each["hashed_secret"] not in known.get(file, {})
    ]
    if new:
        print(*new, sep="\n")
        raise Problem(f"{len(new)} new; take it out, or add its hash and why it is none to {SECRETS_BASELINE.name}", 1)
    return f"{sum(map(len, known.values()))} looked at, none new"


def check() -> int:
    prepare_python(full=True)
    report = Report()
    quick_parts(report, test_environment())
    return report.finish()


def test() -> int:
    prepare_python(full=True)
    reports = VAR / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    env, node, report = test_environment(), node_environment(), Report()
    quick_parts(report, env)

    pytest = [PYTHON, "-m", "pytest"]
    # Two at a time, each with a site and a browser of its own; the walks of one file stay together.
    browser = [*pytest, "-n2", "--dist=loadfile", "frontend/e2e", f"--junitxml={reports / 'browser.xml'}"]
    vitest = ["npm", "test", "--", "--reporter=default", "--reporter=junit"]
    vitest += [f"--outputFile.junit={reports / 'vitest.xml'}"]

    report.part("vitest", lambda: counted(vitest, node, reports / "vitest.xml", FRONTEND), ["api client"])
    report.part("bundle", bundle, ["api client"])
    report.part("page weight", lambda: loudly(["npm", "run", "budget"], node, FRONTEND), ["bundle"])
    report.part("static files", lambda: static_files(env), ["bundle"])
    report.part(
        "pytest on SQLite",
        lambda: counted([*pytest, "-n2", f"--junitxml={reports / 'sqlite.xml'}"], env, reports / "sqlite.xml"),
    )
    report.part(
        "pytest on PostgreSQL",
        lambda: on_postgresql([*pytest, "-n2", "-m", "not either_engine"], env, reports / "postgresql.xml"),
    )
    report.part(
        "browser tests",
        lambda: counted(browser, env | {"CHROMIUM": chromium(env)}, reports / "browser.xml"),
        ["static files"],
    )
    return report.finish()


@dataclass
class Soaked:
    """A part of the soak: its tests, and the counts that say how often they try; `test` runs a short form of each."""

    files: Sequence[str]
    counts: dict[str, str]
    engines: Sequence[str] = ("SQLite", "PostgreSQL")


SOAK = {
    "engine against its model": Soaked(
        ["doctors/tests/test_free_times.py"], {"HYPOTHESIS_EXAMPLES": "10000"}, engines=["SQLite"]
    ),
    "calendar machine": Soaked(
        ["appointments/tests/test_calendar_machine.py"], {"MACHINE_EXAMPLES": "150", "MACHINE_STEPS": "50"}
    ),
    "duels": Soaked(
        ["appointments/tests/test_duels.py", "appointments/tests/test_crossing_acts.py"], {"DUEL_ROUNDS": "200"}
    ),
    "races": Soaked(["appointments/tests/test_races.py"], {"RACE_ROUNDS": "200"}),
    "desk at scale": Soaked(["appointments/tests/test_scale.py"], {"SCALE_PATIENTS": "20000"}),
    "people at scale": Soaked(["adminpanel/tests/test_people_scale.py"], {"SCALE_PEOPLE": "100000"}),
    "messages at scale": Soaked(["appointments/tests/test_messages_scale.py"], {"SCALE_NOTICES": "5000"}),
    "workers that are killed": Soaked(
        ["accounts/tests/test_delivery_processes.py", "accounts/tests/test_reset_processes.py"], {"MAIL_KILLS": "50"}
    ),
    "reminders against a naive model": Soaked(
        ["appointments/tests/test_reminder_fortnight.py"], {"REMINDER_VISITS": "1000"}
    ),
    "forged tokens and ended sessions": Soaked(
        ["accounts/tests/test_sessions.py", "accounts/tests/test_session_processes.py"], {"FORGED_TOKENS": "5000"}
    ),
    "storms of sign-ins": Soaked(["accounts/tests/test_sign_in_storm.py"], {"STORM_ROUNDS": "10"}),
    "failed sign-ins take equally long": Soaked(["accounts/tests/test_sign_in_timing.py"], {"TIMED_TRIES": "300"}),
    "caps on bookings and tried ids": Soaked(
        ["appointments/tests/test_caps.py", "adminpanel/tests/test_misses.py"], {"CAP_ROUNDS": "20"}
    ),
    "random requests": Soaked(["config/tests/test_openapi.py"], {"SCHEMA_EXAMPLES": "50"}),
    "hostile requests": Soaked(["config/tests/test_bodies.py"], {"HOSTILE_ROUNDS": "10", "SLOW_CONNECTIONS": "60"}),
    "hostile text": Soaked(["adminpanel/tests/test_hostile_text.py"], {"HOSTILE_TEXT_EVERY": "1"}),
    "hostile files": Soaked(
        ["accounts/tests/test_hostile_uploads.py", "appointments/tests/test_attachments.py"], {"HOSTILE_ROUNDS": "10"}
    ),
    "privacy of logs": Soaked(["adminpanel/tests/test_privacy_of_logs.py"], {}),
    "crashes": Soaked(
        ["config/tests/test_crash.py"],
        {"CRASH_KILLS": "50", "CRASH_ENDS": "20", "DATABASE_KILLS": "10", "PAUSE_SECONDS": "30"},
    ),
    "behind PgBouncer": Soaked(["config/tests/test_pooler.py"], {"POOLER_SECONDS": "60"}),
    "backups": Soaked(["adminpanel/tests/test_backups.py"], {"BACKUP_FLIPS": "1000"}),
}


def told_in(junit: Path) -> list[str]:
    """Read what tests measured, from the properties of their report."""
    tree = ET.parse(junit)  # noqa: S314 - our own tools have just written it
    return [f"{each.get('name')}: {each.get('value')}" for each in tree.iter("property")]


def soak(only: str | None) -> int:
    """Run the long forms of what `test` runs in short; the engine once, the rest on both databases.

    A count that the environment names is taken from there, so that each can be raised.
    """
    prepare_python(full=True)
    reports = VAR / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    report = Report()
    for name, part in SOAK.items():
        if only and only not in name:
            continue
        for engine in part.engines:
            counts = {each: os.environ.get(each, usual) for each, usual in part.counts.items()}
            junit = reports / f"soak-{name.replace(' ', '-')}-{engine}.xml"
            report.part(f"{name}, {engine}", functools.partial(soaked, name, engine, counts, junit))
            report.tried[f"{name}, {engine}"] = [f"{each}={count}" for each, count in counts.items()]
            report.measured[f"{name}, {engine}"] = told_in(junit) if junit.exists() else []
    return report.finish()


def soaked(name: str, engine: str, counts: Env, junit: Path) -> str:
    """Run a part of the soak on one of the databases, with what it needs of the system's."""
    junit.unlink(missing_ok=True)
    env = test_environment() | counts
    if name == "behind PgBouncer":
        env = env | {"PGBOUNCER": program(env, "pgbouncer", "pgbouncer")}
    pytest = [PYTHON, "-m", "pytest", "-q", *SOAK[name].files]
    if engine == "PostgreSQL":
        return on_postgresql(pytest, env, junit)
    return counted([*pytest, f"--junitxml={junit}"], env, junit)


def mutate(only: Sequence[str], jobs: int | None, listing: bool, rest: bool, tests: Sequence[str]) -> int:
    """Take each check of the code away in turn; every time a test must fail. See adminpanel/tests/mutations.py."""
    prepare_python(full=True)
    argv = [PYTHON, "-m", "adminpanel.tests.mutations", *(part for word in only for part in ("--only", word))]
    argv += [part for file in tests for part in ("--tests", file)]
    argv += [*(["--jobs", str(jobs)] if jobs else []), *(["--list"] if listing else []), *(["--rest"] if rest else [])]
    with child(argv, test_environment()) as process:
        return process.wait()


def bench(name: str | None, arguments: Sequence[str]) -> int:
    """Measure; see benchmarks/. What a benchmark needs of the built pages is made first."""
    prepare_python(full=True)
    env = test_environment()
    node_packages(full=True)
    api_client()
    bundle()
    static_files(env)
    with postgresql(env) as url:
        argv = [PYTHON, "-m", "benchmarks", *([name] if name else []), *arguments]
        with child(argv, env | {"BENCHMARK_POSTGRESQL": url}) as process:
            return process.wait()


PROBE = """
import psycopg, sys
with psycopg.connect(sys.argv[1], connect_timeout=3) as connection:
    (may,) = connection.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    gist = connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'btree_gist'").fetchone()
    sys.exit(0 if may and gist and connection.info.server_version >= 140000 else 1)
"""
# Drops the database named and those that tests have named after it, then makes it if asked to.
OUR_DATABASE = """
import psycopg, sys
url, name, *make = sys.argv[1:]
with psycopg.connect(url, autocommit=True) as connection:
    found = connection.execute("SELECT datname FROM pg_database WHERE strpos(datname, %s) > 0", [name]).fetchall()
    for (old,) in found:
        connection.execute(f'DROP DATABASE "{old}" WITH (FORCE)')
    if make:
        connection.execute(f'CREATE DATABASE "{name}"')
"""
# Ends, and takes the server and its data along, when told to or when the program that started it is gone.
WHEEL = """
import pgserver, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
print(pgserver.get_server(sys.argv[1], cleanup_mode="delete").get_uri(), flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def postgresql(env: Env) -> Iterator[str]:
    """The address of a PostgreSQL that may make test databases: the one named, the machine's, or one of our own."""
    name = "DATABASE_URL_TEST_POSTGRES"
    named = os.environ.get(name) or assignments(ROOT / ".env").get(name)
    users = dict.fromkeys((os.environ.get("USER") or "root", "root", "postgres"))
    for url in [named] if named else [f"postgresql://{user}@127.0.0.1:5432/postgres" for user in users]:
        if capture([PYTHON, "-c", PROBE, url], env) is None:
            continue
        if named:
            yield named
            return
        # A database of this checkout's own, so that two of them don't drop each other's test databases.
        ours = f"wellhour_{fingerprint(str(ROOT))[:8]}"
        capture([PYTHON, "-c", OUR_DATABASE, url, ours, "make"], env)
        try:
            yield url.removesuffix("postgres") + ours
        finally:
            capture([PYTHON, "-c", OUR_DATABASE, url, ours], env)
        return
    if named:
        raise Problem(f"{name} names no PostgreSQL 14+ with btree_gist that lets us make databases")
    wheel = [PYTHON, "-W", "ignore", "-c", WHEEL]
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wellhour-pg-", ignore_cleanup_errors=True))
        server = stack.enter_context(child([*wheel, folder], env, stdin=subprocess.PIPE, output=subprocess.PIPE))
        printed = ""
        for line in server.stdout or ():
            printed += line
            if line.startswith("postgresql://"):
                yield line.strip()
                return
        raise Problem(f"{printed}no PostgreSQL answered, and the wheel's did not start")


def on_postgresql(pytest: list[str], env: Env, junit: Path) -> str:
    with postgresql(env) as url:
        print(f"Using {re.sub(r':[^:@/]*@', ':***@', url)}", flush=True)
        return counted([*pytest, f"--junitxml={junit}"], env | {"DATABASE_URL": url}, junit)


def program(env: Env, package: str, *names: str) -> str:
    """The path of a program of the system's; Debian's package is installed where we may."""

    def find() -> str | None:
        # Servers stand where only root looks.
        path = os.pathsep.join((env.get("PATH", ""), "/usr/sbin"))
        return next((path for path in (shutil.which(name, path=path) for name in names) if path), None)

    if not find() and os.geteuid() == 0 and shutil.which("apt-get"):
        apt = env | {"DEBIAN_FRONTEND": "noninteractive"}
        fetch("apt-get update", ["apt-get", "update"], apt)
        fetch(package, ["apt-get", "install", "--yes", "--no-install-recommends", package], apt)
    found = find()
    if not found:
        raise Problem(f"no {names[0]} on PATH; install your system's package `{package}`")
    return found


def chromium(env: Env) -> str:
    """The path of a Chromium."""
    return program(env, "chromium", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


# --- Commands: what is known about the packages -----------------------------------------------

# Vulnerabilities that were read and found to be none for us: their id, and why.
ANSWERED: dict[str, str] = {}
CLEAN, FOUND, NOT_ASKED = "clean", "FOUND", "not asked"
AUDIT_CODES = {CLEAN: 0, FOUND: 1, NOT_ASKED: 3}


def pip_verdict(printed: str) -> tuple[str, str]:
    """Read what pip-audit says of a list: a package that it could not ask about was not asked about."""
    try:
        packages = json.loads(printed)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return NOT_ASKED, "could not be asked: no answer that can be read"
    unasked = [each["name"] for each in packages if "skip_reason" in each]
    found = [
        f"{each['name']} {each['version']}: {known['id']}"
        for each in packages
        for known in each.get("vulns", [])
        if not {known["id"], *known.get("aliases", [])} & ANSWERED.keys()
    ]
    if found:
        return FOUND, "; ".join(found)
    if unasked or not packages:
        return NOT_ASKED, f"could not be asked about {len(unasked) or 'any'} of {len(packages)} packages"
    return CLEAN, f"{len(packages)} packages"


def npm_verdict(printed: str) -> tuple[str, str]:
    """Read what npm audit says; an endpoint that refuses or is not there was not asked."""
    try:
        said = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])
        counts = said["metadata"]["vulnerabilities"]
        packages = said["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError, TypeError):
        return NOT_ASKED, "could not be asked: the registry answers no audits"
    found = [
        f"{name}: {via['url'].rsplit('/', 1)[-1]}"
        for name, each in sorted(said.get("vulnerabilities", {}).items())
        for via in each.get("via", [])
        if isinstance(via, dict) and via["url"].rsplit("/", 1)[-1] not in ANSWERED
    ]
    if found:
        return FOUND, "; ".join(found)
    if counts["total"] and not ANSWERED:
        return FOUND, f"{counts['total']} without a name"
    return CLEAN, f"{packages} packages"


def audit_packages() -> None:
    """Install what asks about packages; nothing else needs it."""
    prepare_python(full=True)
    install("Audit packages", "requirements.txt", "requirements-dev.txt", "requirements-audit.txt")


def audit() -> int:
    """Ask whether a package that we pin is known to be vulnerable. Ends with 3 where nobody could be asked."""
    audit_packages()
    env, node, rows = plain_environment(), node_environment(), []
    for name in sorted(path.name for path in ROOT.glob("requirements*.txt")):
        asked = [PYTHON, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json", "-r", name]
        rows.append((name, *pip_verdict(answer_of(asked, env))))
    rows.append(("package-lock.json", *npm_verdict(answer_of(["npm", "audit", "--json"], node, FRONTEND))))
    print(f"\n{'List':<24} {'Result':<12} Detail")
    for name, result, detail in rows:
        print(f"{name:<24} {result:<12} {detail}")
    if any(result == NOT_ASKED for _, result, _ in rows):
        print("Where nobody could be asked, this says neither that all is well nor that it is not.")
    codes = {AUDIT_CODES[result] for _, result, _ in rows}
    return 1 if 1 in codes else max(codes)


def answer_of(argv: Sequence[str], env: Env, cwd: Path = ROOT) -> str:
    """Answer what a program prints, however it ends."""
    try:
        done = subprocess.run(argv, check=False, env=env, cwd=cwd, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def sbom() -> int:
    """Write what the running product is made of, as CycloneDX: var/sbom/python.json and var/sbom/frontend.json."""
    audit_packages()
    folder = VAR / "sbom"
    folder.mkdir(parents=True, exist_ok=True)
    of_python = [
        PYTHON,
        "-m",
        "cyclonedx_py",
        "requirements",
        "requirements.txt",
        "--of",
        "JSON",
        "--output-reproducible",
    ]
    of_frontend = ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev"]
    for name, argv, env, cwd in (
        ("python.json", of_python, plain_environment(), ROOT),
        ("frontend.json", of_frontend, node_environment(), FRONTEND),
    ):
        printed = quietly(name, argv, env, cwd)
        made = json.loads(printed[printed.index("{") : printed.rindex("}") + 1])
        (folder / name).write_text(json.dumps(made, indent=2))
        print(f"{folder / name}: {len(made['components'])} components, CycloneDX {made['specVersion']}")
    return 0


# --- Commands: the rest -----------------------------------------------------------------------


def fix() -> int:
    prepare_python(full=True)
    env, node = plain_environment(), node_environment()
    node_packages(full=True)
    loudly([PYTHON, "-m", "ruff", "check", "--fix-only", "."], env)
    loudly([PYTHON, "-m", "ruff", "format", "."], env)
    loudly(["npm", "run", "fix"], node, FRONTEND)
    return 0


def openapi() -> int:
    """Write docs/openapi.yaml from the code, then the frontend's client from that."""
    prepare_python(full=False)
    OPENAPI.parent.mkdir(exist_ok=True)
    manage("OpenAPI", test_environment(), "spectacular", "--file", str(OPENAPI), "--validate", "--fail-on-warn")
    node_packages(full=False)
    api_client()
    return 0


def lock(upgrade: bool) -> int:
    """Turn each requirements*.in into a list of exact, hashed packages that names no registry."""
    prepare_python(full=False)
    options = ["--quiet", "--generate-hashes", "--universal", "--python-version", "{}.{}".format(*OLDEST_PYTHON)]
    options += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    options += ["--upgrade"] if upgrade else []
    for source in (
        "requirements.in",
        "requirements-dev.in",
        "requirements-uv.in",
        "requirements-node.in",
        "requirements-audit.in",
    ):
        target = source.replace(".in", ".txt")
        with timed(target):
            fetch(source, [PYTHON, "-m", "uv", "pip", "compile", *options, source, "-o", target], plain_environment())
        if "://" in (ROOT / target).read_text():
            raise Problem(f"{target} names the address of a registry; pin a released version instead.", 1)
    return 0


def port_number(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError("must be from 1 to 65535")
    return int(text)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py", description="Set up, run and check Wellhour.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, words in (("run", "set up what is missing and serve the site"), ("dev", "serve it with hot reload")):
        command = commands.add_parser(name, help=words)
        command.add_argument("--host", default="127.0.0.1")
        command.add_argument("--port", default=8000, type=port_number)
    commands.add_parser("test", help="everything: lint, types, tests on both databases, browser tests")
    long = commands.add_parser("soak", help="the long forms of the tests that race and search")
    long.add_argument(
        "only", nargs="?", help="a word of the name of what to run: engine, machine, duels, races, crashes"
    )
    measured = commands.add_parser("bench", help="measure, as ratios within one run; see benchmarks/")
    measured.add_argument("name", nargs="?", help="ceiling, race, search, flat, front, peers, login or memory")
    measured.add_argument("arguments", nargs=argparse.REMAINDER, help="what that benchmark takes")
    mutants = commands.add_parser("mutate", help="take each check of who may do what away; a test must notice")
    mutants.add_argument("--only", action="append", default=[], help="a word of a mutant's kind or key; may come again")
    mutants.add_argument("--jobs", type=int, help="so many at a time")
    mutants.add_argument("--list", action="store_true", dest="listing", help="say what would be taken away")
    mutants.add_argument("--rest", action="store_true", help="only what earlier runs did not kill")
    mutants.add_argument("--tests", action="append", default=[], help="a file of tests to try alone; may come again")
    commands.add_parser("check", help="the quick part: format, lint, types, layers")
    commands.add_parser("audit", help="ask whether a pinned package is known to be vulnerable")
    commands.add_parser("sbom", help="write what the product is made of (CycloneDX)")
    commands.add_parser("fix", help="mend formatting and what the linters can mend")
    commands.add_parser("openapi", help="write docs/openapi.yaml and the client made from it")
    locks = commands.add_parser("lock", help="compile requirements*.in into hashed lists")
    locks.add_argument("--upgrade", action="store_true", help="take newer versions where the pins allow")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    options = vars(parse(argv))
    command: Callable[..., int] = globals()[options.pop("command")]
    if os.name != "posix":
        raise Problem("Wellhour is developed on Linux and macOS; on Windows use WSL.")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup means it
            signal.signal(number, on_signal)
    try:
        VAR.mkdir(exist_ok=True)
        return command(**options)
    except PermissionError as error:
        raise Problem(f"No permission to write {error.filename}.") from None


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Problem as problem:
        print(problem, file=sys.stderr)
        sys.exit(problem.code)
    except Interrupted as interrupted:
        sys.exit(128 + interrupted.number)
