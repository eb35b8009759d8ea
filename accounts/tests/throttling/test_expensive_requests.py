"""Test that expensive requests are limited per user and network and run inside a bulkhead."""

import ast
from collections import defaultdict
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.throttling import expensive_requests
from accounts.throttling.expensive_requests import ExpensiveRequest
from config.api.errors import DomainError

COSTS = [value for value in vars(expensive_requests).values() if isinstance(value, ExpensiveRequest)]


@pytest.fixture
def two_each(settings):
    """Everybody may ask twice, and three times as often from one network."""
    settings.MAX_EXPENSIVE_REQUESTS_PER_USER = dict.fromkeys(settings.MAX_EXPENSIVE_REQUESTS_PER_USER, 2)
    settings.EXPENSIVE_REQUESTS_NETWORK_MULTIPLE = 1.5


def portrait(client, **headers):
    file = SimpleUploadedFile("me.png", b"no picture", "image/png")
    return client.put("/api/auth/profile", {"image": file}, format="multipart", **headers)


def password(client, **headers):
    form = {"currentPassword": PASSWORD, "newPassword": PASSWORD}
    return client.put("/api/auth/password", form, format="json", **headers)


def test_every_limit_setting_has_a_cost_and_every_cost_a_setting():
    assert sorted(each.name for each in COSTS) == sorted(site.MAX_EXPENSIVE_REQUESTS_PER_USER)


@pytest.mark.parametrize("call", [portrait, password])
def test_expensive_requests_are_limited_per_user_and_network(call, two_each, patient, other_patient, client_of):
    mine, others = client_of(patient), client_of(other_patient)
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}

    first = [call(mine).status_code for _ in range(2)]
    assert 429 not in first
    refused = call(mine)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    assert 0 < int(refused.headers["Retry-After"]) <= 901
    # The account is what counts, wherever it asks from.
    assert call(mine, **elsewhere).status_code == 429
    # One more from this network, then its other people wait too, and only there.
    assert call(others).status_code != 429
    assert call(others).status_code == 429
    third = client_of(PatientFactory.create())
    assert call(third).status_code == 429
    assert call(third, **elsewhere).status_code != 429


def test_slow_readers_of_one_network_do_not_block_other_downloads():
    with ExitStack() as stack:
        for number in range(expensive_requests.exports.size):
            with suppress(DomainError):
                stack.enter_context(expensive_requests.exports.acquire(f"person {number}", "192.0.2.7"))
        stack.enter_context(expensive_requests.exports.acquire("another", "192.0.2.8"))


def test_nothing_is_counted_outside_a_request(two_each):
    for _ in range(9):
        expensive_requests.PORTRAIT.consume()


# --- Where places are taken -----------------------------------------------------------------------

ROOT = Path(site.BASE_DIR)
# What starts a process, speaks to a server that somebody names, prints, packs, decodes or hashes.
COSTLY = {
    *("subprocess.run", "subprocess.Popen", "subprocess.call", "subprocess.check_output", "os.fork", "os.posix_spawn"),
    *("os.system", "multiprocessing.Process", "zipfile.ZipFile", "typst.compile"),
    *("CheckedConnection", "executor.submit", "Image.open", "spreadsheets.lines", "lines"),
}
TAKES_A_PLACE = {"acquire_place"}
# Run by an operator, never for a request; the examiner is the process that the others start.
NOT_SERVING = ("tests", "seeding", "management", "backups", "migrations")
NOT_SERVING_FILES = (
    "config/testing.py",
    "accounts/files/sandbox_worker.py",
    "config/http/csv.py",
    "config/typesetting.py",
)


def called(node: ast.AST) -> set[str]:
    """Return the names that are called inside a node: `name`, and `module.name` for an attribute of a name."""
    names = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            if isinstance(each.func, ast.Name):
                names.add(each.func.id)
            elif isinstance(each.func, ast.Attribute):
                names.add(each.func.attr)
                if isinstance(each.func.value, ast.Name):
                    names.add(f"{each.func.value.id}.{each.func.attr}")
    return names


def without_a_place(sources: dict[str, str]) -> list[str]:
    """Return the functions that do something costly and hold no place, and that nobody calls who holds one."""
    functions: dict[str, list[tuple[str, set[str]]]] = defaultdict(list)
    for file, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                functions[node.name].append((file, called(node)))
    waiting = [
        (name, file) for name, found in functions.items() for file, calls in found
        if calls & COSTLY and not calls & TAKES_A_PLACE
    ]  # fmt: skip
    bad, seen = [], set(waiting)
    while waiting:
        name, file = waiting.pop()
        callers = [
            (caller, where, calls) for caller, found in functions.items() for where, calls in found
            if name in calls and caller != name
        ]  # fmt: skip
        if not callers:
            bad.append(f"{file}: {name}")
        for caller, where, calls in callers:
            if not calls & TAKES_A_PLACE and (caller, where) not in seen:
                seen.add((caller, where))
                waiting.append((caller, where))
    return sorted(bad)


def product() -> dict[str, str]:
    """Return the sources that serve requests."""
    files = {
        str(file.relative_to(ROOT)): file
        for package in ("config", "accounts", "doctors", "appointments", "adminpanel")
        for file in (ROOT / package).rglob("*.py")
    }
    return {
        name: file.read_text()
        for name, file in files.items()
        if name not in NOT_SERVING_FILES and not set(NOT_SERVING) & set(name.split("/"))
    }


def test_every_expensive_call_runs_inside_a_bulkhead():
    assert without_a_place(product()) == []


def test_check_finds_an_expensive_call_outside_a_bulkhead():
    sources = product()
    examiner = sources["accounts/files/validation.py"]
    assert "with acquire_place(bulkhead):" in examiner
    sources["accounts/files/validation.py"] = examiner.replace("with acquire_place(bulkhead):", "if True:")
    found = without_a_place(sources)
    assert found
    sources["accounts/files/validation.py"] = examiner
    sources["doctors/new.py"] = "import subprocess\ndef shrink(x):\n    return subprocess.run(['shrink'])\n"
    assert without_a_place(sources) == ["doctors/new.py: shrink"]
