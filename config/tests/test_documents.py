"""Check that the documents match the code: paths, tests, settings and their defaults, and the wording rules."""

import ast
import inspect
import os
import pkgutil
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from config.env.options import Options
from config.env.types import WholeNumber
from config.testing import ROOT

pytestmark = pytest.mark.either_engine

EXAMPLE = (ROOT / ".env.example").read_text()
# Of tests, and of the server itself.
OUTSIDE_VARIABLES = {"CRASH_KILLS", "GRANIAN_BLOCKING_THREADS", "GRANIAN_WORKERS", "S3_TEST_ENDPOINT", "SITE_HOST"}

IN_EXAMPLE = set(re.findall(r"^# ?([A-Z0-9_]+)=", EXAMPLE, re.MULTILINE))
# The default of each number, as it is outside of tests.
NUMBERS = {
    option.name: option.defaults["development"] for option in Options.list_options() if isinstance(option, WholeNumber)
}

# A path from the repository's root; `src/` is the frontend's.
NAMED_PATH = re.compile(
    r"(?<![\w./@{}-])"
    r"(?:accounts|adminpanel|appointments|config|doctors|frontend|docs|tools|benchmarks|locale|templates|static|src)"
    r"/[\w./-]*\.(?:py|tsx?|mjs|md|css|ya?ml|po|html|csv|json|txt)\b"
)
# A module, or something in one, in backticks; file names such as `doctors.csv` aside.
NAMED_OBJECT = re.compile(
    r"`((?:accounts|adminpanel|appointments|config|doctors)(?:\.(?!(?:csv|py|md)\b)\w+)+)(?:\(\))?`"
)
# Parts of an address, and names that a test makes up.
NO_PATHS = {"doctors/patients.csv", "doctors/appointments.csv", "doctors/new.py"}
UNTRACKED_DIRECTORIES = {".git"}
BANNED_WORDS = re.compile(r"\b(?:whoever|anew|lest|is at it|stands by|what shall become)\b", re.IGNORECASE)
BANNED_OPENINGS = re.compile(r"(?:Answer|Tell)s?\b")
JSDOC = re.compile(r"/\*\*\s*(?:\*\s*)?(\w[^\n]*)")
ADR_FORM = (
    r"# (\d{4})\. .+\n\nStatus: (accepted|superseded by (\d{4}))\n"
    r"\nContext: .+\n\nDecision: .+\n\nConsequences: "
)
ADR_FILE = re.compile(r"(\d{4})-[a-z0-9-]+\.md")


@cache
def ignored_patterns() -> list[str]:
    lines = (ROOT / ".gitignore").read_text().splitlines()
    return [line.rstrip("/") for line in lines if line and not line.startswith("#")]


def is_ignored(path: Path) -> bool:
    """Return whether .gitignore names the path; it has plain names, and paths that begin with a slash."""
    relative = f"/{path.relative_to(ROOT).as_posix()}"
    return path.name in UNTRACKED_DIRECTORIES or any(
        relative == pattern if pattern.startswith("/") else fnmatch(path.name, pattern)
        for pattern in ignored_patterns()
    )


def walk_text_files() -> Iterator[tuple[Path, str]]:
    """Yield the project's own text files and their content, without asking git."""
    for folder, directories, names in os.walk(ROOT):
        directories[:] = [name for name in directories if not is_ignored(Path(folder, name))]
        for path in (Path(folder, name) for name in sorted(names)):
            if path.is_symlink() or is_ignored(path) or path == Path(__file__):
                continue
            try:
                yield path, path.read_text()
            except UnicodeDecodeError:
                continue


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): text for path, text in walk_text_files()}


def missing_paths(text: str) -> list[str]:
    """Return the paths that a text names and that don't exist."""
    found = sorted(set(NAMED_PATH.findall(text)) - NO_PATHS)
    return [path for path in found if not (ROOT / ("frontend" if path.startswith("src/") else "") / path).is_file()]


def test_every_path_that_a_file_names_exists(sources):
    missing = {name: paths for name, text in sources.items() if (paths := missing_paths(text))}
    assert missing == {}


def is_python_name(dotted: str) -> bool:
    """Return whether a dotted name leads to a module or to something in one."""
    try:
        pkgutil.resolve_name(dotted)
    except (ImportError, AttributeError):
        return False
    return True


def test_every_python_name_that_a_file_quotes_exists(sources):
    named = {(name, dotted) for name, text in sources.items() for dotted in NAMED_OBJECT.findall(text)}
    assert len(named) > 5
    assert {each for each in named if not is_python_name(each[1])} == set()


def test_a_missing_python_name_is_noticed():
    assert is_python_name("config.testing.ROOT")
    assert not is_python_name("config.testing.no_such_name")
    assert not is_python_name("config.no_such_module")


def test_a_missing_path_is_noticed():
    text = "`config/settings.py`, src/no.ts and doctors/tests/test_no.py; not https://x.example/docs/no.md"
    assert missing_paths(text) == ["doctors/tests/test_no.py", "src/no.ts"]


def test_the_walk_finds_every_kind_of_file_and_no_build_output(sources):
    assert {
        "README.md",
        ".ci/run",
        "docs/openapi.yaml",
        "locale/de/LC_MESSAGES/django.po",
        "frontend/package.json",
    } <= set(sources)
    assert len(sources) > 900
    assert not [name for name in sources if re.search(r"(^|/)(node_modules|\.venv|var|staticfiles|\.git)/", name)]


def anchors(text: str) -> set[str]:
    """Return the anchors that a forge gives to the headings of a Markdown document."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


FOREIGN_TEST_FOLDERS = {"contracts", "samples"}


def unmirrored_folders(root: Path) -> list[str]:
    """Return the folders below each `tests` that are neither a package of their app nor one of the exceptions."""
    return [
        folder.relative_to(root).as_posix()
        for tests in sorted(root.glob("*/tests"))
        for folder in sorted(tests.rglob("*/"))
        if folder.name not in {*FOREIGN_TEST_FOLDERS, "__pycache__"}
        and not (tests.parent / folder.relative_to(tests)).is_dir()
    ]


def test_tests_mirror_the_packages_of_their_app():
    assert unmirrored_folders(ROOT) == []


def test_a_folder_of_tests_without_a_package_is_noticed(tmp_path):
    for folder in ("app/booking", "app/tests/booking/samples", "app/tests/contracts", "app/tests/former"):
        (tmp_path / folder).mkdir(parents=True)
    assert unmirrored_folders(tmp_path) == ["app/tests/former"]


def test_every_link_between_documents_resolves(sources):
    broken = []
    for name, text in sources.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", text) if name.endswith(".md") else ():
            file, _, anchor = target.partition("#")
            if file.startswith(("http:", "https:")):
                continue
            path = (ROOT / name).parent / file if file else ROOT / name
            if not path.exists() or (anchor and anchor not in anchors(path.read_text())):
                broken.append(f"{name}: {target}")
    assert broken == []


def test_the_readme_links_to_every_page_of_the_documentation():
    readme = (ROOT / "README.md").read_text()
    pages = {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert {page for page in pages if f"]({page})" not in readme} == set()


def view_files() -> dict[str, list[str]]:
    """Return the routes of each file with views, without the staff site and the pages."""
    files: dict[str, list[str]] = {}

    def walk(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> None:
        for each in patterns:
            route = prefix + str(each.pattern)
            if isinstance(each, URLResolver):
                if route != "/staff/":
                    walk(each.url_patterns, route)
            elif route != "/staff" and "^" not in route:
                view = getattr(each.callback, "cls", None) or inspect.unwrap(each.callback)
                file = Path(inspect.getfile(view)).relative_to(ROOT).as_posix()
                files.setdefault(file, []).append(re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route))

    walk(get_resolver().url_patterns)
    return files


def test_the_architecture_page_lists_the_file_of_every_route():
    expected = []
    for file, routes in sorted(view_files().items()):
        shown = ", ".join(f"`{route.removeprefix('/api')}`" for route in sorted(routes))
        expected.append(f"| `{file}` | {shown} |")
    page = (ROOT / "docs" / "architecture.md").read_text()
    listed = [line for line in page.splitlines() if re.match(r"\| `[\w/]+\.py` \| `/", line)]
    assert sorted(listed) == sorted(expected), "\n".join(expected)


@pytest.mark.parametrize("app", ["config", "accounts", "doctors", "appointments", "adminpanel"])
def test_the_architecture_page_lists_the_packages_of_each_app(app):
    packages = {folder.parent.name for folder in (ROOT / app).glob("*/__init__.py")}
    (row,) = re.findall(rf"^\| `{app}` \|.*\|(.*)\|$", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row)) == packages - {"management", "migrations", "tests"}


def test_the_security_checklist_names_tests():
    named = re.findall(r"`([\w/.-]*test_\w+\.py)`", (ROOT / "docs" / "asvs.md").read_text())
    assert len(named) > 100
    # By their path, so that the test above finds those that are gone.
    assert [path for path in named if "/" not in path] == []


def test_no_file_uses_a_banned_word(sources):
    found = [
        f"{name}:{number}: {match[0]}"
        for name, text in sources.items()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := BANNED_WORDS.search(line))
    ]
    assert found == []


def docstrings(name: str, text: str) -> Iterator[str]:
    """Yield the docstrings of a Python file, or the JSDoc comments of a TypeScript file."""
    if name.endswith(".py"):
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, documented) and (docstring := ast.get_docstring(node)):
                yield docstring
    elif name.endswith((".ts", ".tsx")):
        yield from JSDOC.findall(text)


def test_no_docstring_begins_with_answer_or_tell(sources):
    found = [
        f"{name}: {docstring.splitlines()[0]}"
        for name, text in sources.items()
        for docstring in docstrings(name, text)
        if BANNED_OPENINGS.match(docstring)
    ]
    assert found == []


def adr_files() -> dict[str, Path]:
    return {
        match[1]: path for path in sorted((ROOT / "docs/adr").iterdir()) if (match := ADR_FILE.fullmatch(path.name))
    }


def test_every_adr_has_its_parts_in_fifteen_lines():
    numbers = list(adr_files())
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]
    for number, path in adr_files().items():
        text = path.read_text()
        assert len(text.splitlines()) <= 15, path.name
        match = re.match(ADR_FORM, text, re.DOTALL)
        assert match, path.name
        assert match[1] == number, path.name
        assert match[3] is None or match[3] in numbers, path.name


def test_the_adr_index_lists_every_adr_with_its_title_and_status():
    rows = []
    for number, path in adr_files().items():
        title, status = re.findall(r"^(?:# \d{4}\. |Status: )(.+)$", path.read_text(), re.MULTILINE)[:2]
        rows.append(f"| [{number}]({path.name}) | {title} | {status} |")
    index = (ROOT / "docs" / "adr" / "README.md").read_text()
    assert [line for line in index.splitlines() if line.startswith("| [")] == rows


def test_every_adr_that_a_file_names_exists(sources):
    numbers = set(adr_files())
    named = {(name, number) for name, text in sources.items() for number in re.findall(r"\bADR (\d+)", text)}
    assert len(named) > 20
    assert {each for each in named if each[1] not in numbers} == set()


@pytest.mark.parametrize(
    "document",
    [
        "SECURITY.md",
        "README.md",
        "CONTRIBUTING.md",
        "docs/asvs.md",
        "docs/deployment.md",
        "docs/growing.md",
        "docs/operations.md",
    ],
)
def test_every_setting_that_a_document_names_exists_with_that_default(document):
    text = (ROOT / document).read_text()
    named = set(re.findall(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`", text))
    assert named - IN_EXAMPLE - OUTSIDE_VARIABLES == set()
    defaults = {
        name: int(default.replace(",", "")) for name, default in re.findall(r"`([A-Z_]+)` \(([\d,]+)[,)]", text)
    }
    assert len(defaults) >= (40 if document == "docs/operations.md" else 0)
    assert defaults == {name: NUMBERS[name] for name in defaults}
