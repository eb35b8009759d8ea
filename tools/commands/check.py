"""Run the quick part of `test`: format, lint, types, layers, migrations, and the frontend's own checks."""

import functools

from tools.build import compile_messages, generate_api_client
from tools.environment import Env, test_environment
from tools.packages import install_node_packages, node_environment, prepare_python
from tools.paths import FRONTEND, PACKAGES, PYTHON, VENV
from tools.process import run_checked
from tools.reports import Report
from tools.secrets_scan import find_new_secrets

HELP = "the quick part: format, lint, types, layers"
SCRIPTS = ("dev.py", "manage.py")


def run() -> int:
    prepare_python(development=True)
    report = Report()
    run_quick_checks(report, test_environment())
    return report.finish()


def run_quick_checks(report: Report, env: Env) -> None:
    def run_tool(name: str, *argv: str) -> None:
        report.run_part(name, functools.partial(run_checked, argv, env))

    run_tool("ruff format", PYTHON, "-m", "ruff", "format", "--check", "--output-format=concise", ".")
    run_tool("ruff check", PYTHON, "-m", "ruff", "check", "--output-format=concise", ".")
    run_tool("mypy", PYTHON, "-m", "mypy", *SCRIPTS, *PACKAGES)
    run_tool("bandit", PYTHON, "-m", "bandit", "--quiet", "-c", "pyproject.toml", "-r", *PACKAGES, *SCRIPTS)
    report.run_part("secrets", lambda: find_new_secrets(env))
    run_tool("import-linter", str(VENV / "bin" / "lint-imports"))
    # Without compiled messages, each command of Django warns of them.
    report.run_part("messages", compile_messages)
    run_tool("migrations", PYTHON, "manage.py", "makemigrations", "--check", "--dry-run")
    report.run_part("node packages", lambda: install_node_packages(development=True))
    report.run_part("api client", generate_api_client, ["node packages"])
    frontend = functools.partial(run_checked, ["npm", "run", "check"], node_environment(), FRONTEND)
    report.run_part("biome, tsc, knip", frontend, ["api client"])
