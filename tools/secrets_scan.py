"""Look for keys and passwords in the sources."""

import json

from tools.environment import Env
from tools.errors import CommandError
from tools.paths import PYTHON, ROOT
from tools.process import run_quietly

SECRETS_BASELINE = ROOT / ".secrets.baseline"
EXCLUDED_FILES = r"requirements.*\.txt|package-lock\.json|\.secrets\.baseline"


def scan_for_secrets(env: Env) -> dict[str, list[dict[str, object]]]:
    """Return what looks like a key or a password, by tracked file."""
    # Ruff looks for assignments to names like "password", since it can tell tests from the product.
    scan = [PYTHON, "-m", "detect_secrets", "scan", "--disable-plugin", "KeywordDetector"]
    output = run_quietly("secrets", [*scan, "--exclude-files", EXCLUDED_FILES], env)
    results: dict[str, list[dict[str, object]]] = json.loads(output)["results"]
    return results


def find_new_secrets(env: Env) -> str:
    """Raise CommandError for anything that looks like a secret and is not in the reviewed baseline."""
    reviewed = json.loads(SECRETS_BASELINE.read_text())
    new = [
        f"{file}:{finding['line_number']}: {finding['type']}"
        for file, findings in scan_for_secrets(env).items()
        for finding in findings
        if finding["hashed_secret"] not in reviewed.get(file, {})
    ]
    if new:
        print(*new, sep="\n")
        raise CommandError(
            f"{len(new)} new; remove it, or add its hash and why it is no secret to {SECRETS_BASELINE.name}", 1
        )
    return f"{sum(map(len, reviewed.values()))} reviewed, none new"
