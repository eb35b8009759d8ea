"""Where things are in this checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VAR = ROOT / "var"
REPORTS = VAR / "reports"
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
FRONTEND = ROOT / "frontend"
FRONTEND_DIST = ROOT / "frontend_dist"
STATIC_ROOT = ROOT / "staticfiles"
LOCALE = ROOT / "locale"
OPENAPI = ROOT / "docs" / "openapi.yaml"
# The Python packages that are linted and type-checked.
PACKAGES = ("config", "accounts", "doctors", "appointments", "adminpanel", "benchmarks", "tools")
