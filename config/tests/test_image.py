"""Execute `deploy/Dockerfile` step by step in a clean Debian, and run its command as `deploy/compose.yaml` does.

No registry of images is asked: debootstrap makes the Debian release that FROM names, with the Python that it names.
`dev.py soak image` runs it, as root.
"""

import contextlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from config.env.reader import read_file
from config.testing import ROOT
from config.tests.clean_debian import System, build_environment, enter_root, make_root
from config.tests.dockerfile import Image, build_image, compile_ignored, list_instructions
from config.version import RELEASE

DOCKERFILE = ROOT / "deploy" / "Dockerfile"
# What the official image of Python has besides Debian's essential packages.
BASE_PACKAGES = ("python3", "python3-venv", "ca-certificates", "netbase", "tzdata")
# Secrets and leftovers that a build must not take from the folder of the repository.
PRIVATE_FILES = (".env", "deploy/.env", "deploy/wellhour.env", "var/db.sqlite3", "var/secret-key", "frontend/.env")
STOP_SECONDS = 30

pytestmark = pytest.mark.either_engine


def read_base() -> tuple[str, str]:
    """Return the version of Python and the release of Debian that every stage of the image is based on."""
    bases = {argument.split()[0] for name, argument in list_instructions(DOCKERFILE) if name == "FROM"}
    (base,) = bases
    match = re.fullmatch(r"python:(3\.\d+)-slim-(\w+)", base)
    assert match
    return match[1], match[2]


def test_all_stages_have_one_base_of_a_known_release():
    assert read_base() == ("3.13", "trixie")


def test_ignored_paths_are_matched_as_docker_does():
    ignored = compile_ignored(DOCKERFILE.with_name("Dockerfile.dockerignore"))
    taken = ["manage.py", "deploy/wellhour.env.example", "config/env/options.py", "static/icon.svg", ".env.example"]
    left = [*PRIVATE_FILES, ".git/config", "frontend/node_modules/a/b.js", "config/__pycache__/a.pyc", "locale/a.mo"]
    assert [path for path in taken if ignored.fullmatch(path)] == []
    assert [path for path in left if not ignored.fullmatch(path)] == []


@contextlib.contextmanager
def mount_as_compose_does(image: Image) -> Iterator[None]:
    """Mount what `compose.yaml` asks for: nothing can be written but temporary folders and the volume."""
    compose = (ROOT / "deploy" / "compose.yaml").read_text()
    assert "read_only: true" in compose
    (folders,) = re.findall(r"tmpfs: \[(.+)\]", compose)
    with contextlib.ExitStack() as stack:
        volume = image.root / image.volumes[0][1:]
        mounts = [["--bind", str(volume), str(volume)]]
        mounts += [["-t", "tmpfs", "-o", "mode=1777", "tmpfs", f"{image.root}{name}"] for name in folders.split(", ")]
        subprocess.run(["mount", "--bind", str(image.root), str(image.root)], check=True)
        stack.callback(subprocess.run, ["umount", "--recursive", "--lazy", str(image.root)], check=True)
        for mount in mounts:
            subprocess.run(["mount", *mount], check=True)
        subprocess.run(["mount", "-o", "remount,ro,bind", str(image.root)], check=True)
        yield


# Run with this machine's Python in the system's network.
CALL = """
import sys, urllib.error, urllib.request
headers = {"Host": "visits.example.org", "X-Forwarded-Proto": "https"}
request = urllib.request.Request("http://127.0.0.1:8000" + sys.argv[1], headers=headers)
try:
    response = urllib.request.urlopen(request, timeout=10)
except urllib.error.HTTPError as error:
    response = error
except OSError:
    sys.exit("0 ")
print(response.status, response.read().decode())
"""


def call(system: System, path: str) -> tuple[int, str]:
    """Return the status and the text of a response, or 0 when nobody listens."""
    assert system.namespace
    command = ["nsenter", f"--net=/proc/{system.namespace.pid}/ns/net", "--", sys.executable, "-c", CALL, path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    status, _, text = (done.stdout or "0 ").partition(" ")
    return int(status), text


@pytest.mark.soak("IMAGE")
def test_image_is_built_and_serves(tmp_path, record_property):
    start = time.monotonic()
    python, release = read_base()
    base, context = tmp_path / "base", tmp_path / "context"
    make_root(base, release, BASE_PACKAGES)
    assert (base / "usr/bin/python3").resolve().name == f"python{python}"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(context)], check=True)
    for name in PRIVATE_FILES:
        (context / name).parent.mkdir(exist_ok=True)
        (context / name).write_text("SECRET_KEY=hunter2-of-another-site")
    image = build_image(DOCKERFILE, context, base, tmp_path, REVISION="1a2b3c4d" * 5)
    record_property("minutes to build", round((time.monotonic() - start) / 60, 1))
    home = image.root / "srv/wellhour"
    assert [name for name in (*PRIVATE_FILES, ".git", "frontend/node_modules") if (home / name).exists()] == []
    assert (image.user, image.folder) == ("wellhour", "/srv/wellhour")
    serve(image, record_property)
    record_property("minutes", round((time.monotonic() - start) / 60, 1))


def serve(image: Image, record_property) -> None:
    """Make keys, migrate and serve; then stop."""
    with mount_as_compose_does(image), enter_root(image.root) as system:
        manage = ("/srv/wellhour/.venv/bin/python", "manage.py")
        # As `docker run … generate_key`, before there are settings.
        keys = [image.run(system, *manage, "generate_key").strip() for _ in range(2)]
        image.environment |= read_settings(*keys)
        assert image.run(system, *manage, "version") == f"{RELEASE}+1a2b3c4d\n"
        image.run(system, *manage, "check", "--deploy")
        image.run(system, *manage, "migrate", "--no-input")
        log = image.root.with_name("server.log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                image.build_command(system, image.command), env=build_environment(), stdout=output, stderr=output
            )
        deadline = time.monotonic() + 60
        while call(system, "/readyz")[0] != 200:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, (call(system, "/readyz"), log.read_text())
            time.sleep(0.5)
        record_property("/readyz", call(system, "/readyz")[1])
        image.run(system, *image.health_check)
        status, page = call(system, "/")
        assert (status, "<title>Wellhour</title>" in page) == (200, True)
        (script, *_) = re.findall(r'src="(/static/app/assets/[^"]+\.js)"', page)
        assert call(system, script)[0] == 200
        assert call(system, "/api/doctors")[0] == 200
        backup = subprocess.run(
            image.build_command(system, [*manage, "backup", "-"]),
            env=build_environment(),
            capture_output=True,
            check=False,
        )
        assert backup.returncode == 0, backup.stderr
        assert backup.stdout.count(b"manifest.json") >= 1
        process.send_signal(getattr(signal, image.stop_signal))
        assert process.wait(STOP_SECONDS) == 0, log.read_text()


def read_settings(secret_key: str, backup_key: str) -> dict[str, str]:
    """Return the example's settings, filled in and overridden as `compose.yaml` does, but with SQLite and no Redis."""
    compose = (ROOT / "deploy" / "compose.yaml").read_text().partition("services:")[0]
    fixed = dict(re.findall(r'^    ([A-Z_]+): "?([^"\n]+)"?$', compose, re.MULTILINE))
    assert {"DATABASE_URL", "REDIS_URL", "MEDIA_ROOT"} < fixed.keys()
    own = {"SECRET_KEY": secret_key, "BACKUP_KEY": backup_key, "DEFAULT_FROM_EMAIL": "Visits <visits@practice.example>"}
    databases = {"DATABASE_URL": "sqlite:////data/db.sqlite3", "REDIS_URL": ""}
    return {**read_file(ROOT / "deploy" / "wellhour.env.example"), **fixed, **own, **databases}
