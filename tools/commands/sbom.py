"""Write a software bill of materials in CycloneDX: var/sbom/python.json and var/sbom/frontend.json."""

import json

from tools.commands.audit import install_audit_packages
from tools.environment import base_environment
from tools.packages import node_environment
from tools.paths import FRONTEND, PYTHON, ROOT, VAR
from tools.process import run_quietly

HELP = "write the software bill of materials (CycloneDX)"


def run() -> int:
    install_audit_packages()
    folder = VAR / "sbom"
    folder.mkdir(parents=True, exist_ok=True)
    python = [PYTHON, "-m", "cyclonedx_py", "requirements", "requirements.txt", "--of", "JSON", "--output-reproducible"]
    frontend = ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev"]
    for name, argv, env, cwd in (
        ("python.json", python, base_environment(), ROOT),
        ("frontend.json", frontend, node_environment(), FRONTEND),
    ):
        output = run_quietly(name, argv, env, cwd)
        bill = json.loads(output[output.index("{") : output.rindex("}") + 1])
        (folder / name).write_text(json.dumps(bill, indent=2))
        print(f"{folder / name}: {len(bill['components'])} components, CycloneDX {bill['specVersion']}")
    return 0
