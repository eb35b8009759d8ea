"""Read the reports of pip-audit and npm audit.

A package that could not be looked up is reported as such, never as clean.
"""

import json

# Vulnerabilities that were reviewed and don't affect us: their id, and why.
REVIEWED_VULNERABILITIES: dict[str, str] = {}
CLEAN, VULNERABLE, NOT_CHECKED = "clean", "VULNERABLE", "not checked"
EXIT_CODES = {CLEAN: 0, VULNERABLE: 1, NOT_CHECKED: 3}


def read_pip_audit(output: str) -> tuple[str, str]:
    """Return the result for a requirements file, and its detail, from the JSON of pip-audit."""
    try:
        packages = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return NOT_CHECKED, "pip-audit gave no report"
    unchecked = [package["name"] for package in packages if "skip_reason" in package]
    vulnerabilities = [
        f"{package['name']} {package['version']}: {vulnerability['id']}"
        for package in packages
        for vulnerability in package.get("vulns", [])
        if not {vulnerability["id"], *vulnerability.get("aliases", [])} & REVIEWED_VULNERABILITIES.keys()
    ]
    if vulnerabilities:
        return VULNERABLE, "; ".join(vulnerabilities)
    if unchecked or not packages:
        return NOT_CHECKED, f"{len(unchecked)} of {len(packages)} packages could not be looked up"
    return CLEAN, f"{len(packages)} packages"


def read_npm_audit(output: str) -> tuple[str, str]:
    """Return the result for package-lock.json, and its detail, from the JSON of npm audit."""
    try:
        report = json.loads(output[output.index("{") : output.rindex("}") + 1])
        counts = report["metadata"]["vulnerabilities"]
        packages = report["metadata"]["dependencies"]["total"]
    except (ValueError, KeyError, TypeError):
        return NOT_CHECKED, "npm gave no report; the registry may not support audits"
    vulnerabilities = [
        f"{name}: {source['url'].rsplit('/', 1)[-1]}"
        for name, package in sorted(report.get("vulnerabilities", {}).items())
        for source in package.get("via", [])
        if isinstance(source, dict) and source["url"].rsplit("/", 1)[-1] not in REVIEWED_VULNERABILITIES
    ]
    if vulnerabilities:
        return VULNERABLE, "; ".join(vulnerabilities)
    if counts["total"] and not REVIEWED_VULNERABILITIES:
        return VULNERABLE, f"{counts['total']} without an id"
    return CLEAN, f"{packages} packages"
