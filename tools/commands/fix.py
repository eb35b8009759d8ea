"""Format the code and fix what the linters can fix."""

from tools.environment import base_environment
from tools.packages import install_node_packages, node_environment, prepare_python
from tools.paths import FRONTEND, PYTHON
from tools.process import run_checked

HELP = "format the code and fix what the linters can fix"


def run() -> int:
    prepare_python(development=True)
    install_node_packages(development=True)
    env = base_environment()
    run_checked([PYTHON, "-m", "ruff", "check", "--fix-only", "."], env)
    run_checked([PYTHON, "-m", "ruff", "format", "."], env)
    run_checked(["npm", "run", "fix"], node_environment(), FRONTEND)
    return 0
