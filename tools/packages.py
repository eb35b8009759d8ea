"""Install Python and Node packages from hashed lists."""

import functools
import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

from tools import OLDEST_PYTHON
from tools.environment import Env, base_environment
from tools.errors import CommandError
from tools.paths import FRONTEND, PYTHON, ROOT, VENV
from tools.process import capture_output, run_download, run_quietly
from tools.steps import STAMPS, fingerprint, print_duration, run_step, setup_lock

OLDEST_NODE = 22


def prepare_python(*, development: bool) -> None:
    """Install the product's packages, and with `development` those of the tests and checks."""
    with setup_lock():
        create_virtualenv()
        uv = ROOT / "requirements-uv.txt"
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(uv)]
        run_step("uv", fingerprint(uv), VENV / "bin" / "uv", lambda: run_download("uv", pip, base_environment()))
        install_requirements("Python packages", "requirements.txt")
        if development:
            install_requirements("Test packages", "requirements.txt", "requirements-dev.txt")


def create_virtualenv() -> None:
    """Create the virtual environment unless there is one made for this path, with pip and a supported Python."""
    if VENV.is_symlink():
        raise CommandError(
            f"{VENV} is a link: creating it again would empty the environment behind it. Remove the link first."
        )
    pip = VENV / "bin" / "pip"
    check = f"import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    is_for_this_path = pip.exists() and str(VENV) in pip.read_text()
    if is_for_this_path and capture_output([PYTHON, "-c", check], base_environment()) is not None:
        return
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        raise CommandError(
            "This Python can't create virtual environments: its venv or ensurepip module is missing. "
            f"On Debian and Ubuntu: apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        )
    with print_duration("Virtual environment"):
        run_quietly("Virtual environment", [sys.executable, "-m", "venv", "--clear", str(VENV)], base_environment())


def install_requirements(name: str, *files: str) -> None:
    """Install hashed requirements with uv, which is itself installed from such a file."""
    paths = [ROOT / file for file in files]
    options = [part for path in paths for part in ("-r", str(path))]
    uv = [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON, "--require-hashes", *options]
    uv += ["--compile-bytecode"]  # or each start compiles Django again where Python may not write bytecode
    run_step(name, fingerprint(*paths), Path(PYTHON), lambda: run_download(name, uv, base_environment()))


def install_node_packages(*, development: bool) -> None:
    """Install the frontend's packages, and with `development` those of its tests and checks."""
    version = str(get_node_version(node_environment()))
    key = fingerprint(FRONTEND / "package.json", FRONTEND / "package-lock.json", version)
    output = FRONTEND / "node_modules" / ".package-lock.json"
    stamp = STAMPS / "node-packages"
    # A full installation serves for running too; the reverse does not hold.
    development = development or (stamp.exists() and stamp.read_text() == f"full {key}")
    npm = ["npm", "ci", "--include=dev" if development else "--omit=dev"]
    action = functools.partial(run_download, "Node packages", npm, node_environment(), FRONTEND)
    run_step("Node packages", f"{'full' if development else 'run'} {key}", output, action)


@functools.cache
def node_environment() -> Env:
    """Return an environment in which `node` and `npm` are recent: the system's, or else those of a Python wheel."""
    env = base_environment()
    if get_node_version(env) >= OLDEST_NODE:
        return env
    install_requirements("Node", "requirements-node.txt")
    return env | {"PATH": f"{VENV / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}"}


def get_node_version(env: Env) -> int:
    """Return the major version of Node, or 0 if Node or npm is missing."""
    node, npm = shutil.which("node", path=env.get("PATH")), shutil.which("npm", path=env.get("PATH"))
    version = re.match(r"v(\d+)", capture_output([node, "--version"], env) or "") if node and npm else None
    return int(version[1]) if version else 0


def install_program(env: Env, package: str, *names: str) -> str:
    """Return the path of a system program; if it is missing and we are root on Debian, install its package."""
    # Daemons are in a folder that only root's PATH has.
    path = os.pathsep.join((env.get("PATH", ""), "/usr/sbin"))

    def find_program() -> str | None:
        return next((found for found in (shutil.which(name, path=path) for name in names) if found), None)

    if not find_program() and os.geteuid() == 0 and shutil.which("apt-get"):
        apt = env | {"DEBIAN_FRONTEND": "noninteractive"}
        run_download("apt-get update", ["apt-get", "update"], apt)
        run_download(package, ["apt-get", "install", "--yes", "--no-install-recommends", package], apt)
    program = find_program()
    if not program:
        raise CommandError(f"no {names[0]} on PATH; install your system's package `{package}`")
    return program


def install_chromium(env: Env) -> str:
    """Return the path of a Chromium or Chrome; install Chromium if need be and possible."""
    return install_program(env, "chromium", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
