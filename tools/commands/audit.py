"""Look up known vulnerabilities of the pinned packages; exit with 3 where some could not be looked up."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from tools.audit_reports import EXIT_CODES, NOT_CHECKED, read_npm_audit, read_pip_audit
from tools.environment import Env, base_environment
from tools.packages import install_requirements, node_environment, prepare_python
from tools.paths import FRONTEND, PYTHON, ROOT

HELP = "look up known vulnerabilities of the pinned packages"
TIMEOUT_SECONDS = 300


def run() -> int:
    install_audit_packages()
    env, rows = base_environment(), []
    for name in sorted(path.name for path in ROOT.glob("requirements*.txt")):
        argv = [PYTHON, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json", "-r", name]
        rows.append((name, *read_pip_audit(run_ignoring_exit_code(argv, env))))
    npm_report = run_ignoring_exit_code(["npm", "audit", "--json"], node_environment(), FRONTEND)
    rows.append(("package-lock.json", *read_npm_audit(npm_report)))
    print(f"\n{'List':<24} {'Result':<12} Detail")
    for name, result, detail in rows:
        print(f"{name:<24} {result:<12} {detail}")
    if any(result == NOT_CHECKED for _, result, _ in rows):
        print(f"A list that was {NOT_CHECKED} is neither clean nor vulnerable.")
    codes = {EXIT_CODES[result] for _, result, _ in rows}
    return 1 if 1 in codes else max(codes)


def install_audit_packages() -> None:
    prepare_python(development=True)
    install_requirements("Audit packages", "requirements.txt", "requirements-dev.txt", "requirements-audit.txt")


def run_ignoring_exit_code(argv: Sequence[str], env: Env, cwd: Path = ROOT) -> str:
    """Return the output of a program whose exit code tells what it found; empty if it did not run."""
    try:
        done = subprocess.run(
            argv, check=False, env=env, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout
