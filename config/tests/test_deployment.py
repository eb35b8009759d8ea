"""Test the files of `deploy/` with the programs that read them; `dev.py soak deployment` installs those."""

import contextlib
import http.client
import http.server
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from django.core.management import get_commands

from adminpanel.management.commands.backup import EXIT_FILES_LOST
from config.env.options import Options
from config.env.reader import OTHER_VARIABLES, read_file
from config.testing import ROOT, build_server, create_migrated_database, find_free_port
from config.tests.proxies import DEPLOY, Caddy, Nginx

# The path of the program; without it, the test that runs it is left out.
SYSTEMD_ANALYZE = os.environ.get("SYSTEMD_ANALYZE", "")
SECONDS = float(os.environ.get("DEPLOYMENT_SECONDS", "8"))
UNITS = sorted(path for path in (DEPLOY / "systemd").iterdir() if path.suffix in {".service", ".timer"})

pytestmark = pytest.mark.either_engine


# --- What the files say ---------------------------------------------------------------------------


def test_every_variable_of_the_deploy_files_is_a_setting():
    known = {option.name for option in Options.list_options()} | OTHER_VARIABLES | {"GRANIAN_WORKERS"}
    named = set(read_file(DEPLOY / "wellhour.env.example"))
    for unit in UNITS:
        for line in re.findall(r"^Environment=(.+)$", unit.read_text(), re.MULTILINE):
            named |= set(re.findall(r"([A-Z_]+)=", line))
    compose = (DEPLOY / "compose.yaml").read_text().partition("services:")[0]
    named |= set(re.findall(r"^    ([A-Z_]+):", compose, re.MULTILINE))
    assert len(named) > 15
    assert named - known == set()


def test_compose_replaces_every_path_of_the_example():
    """The folders of the units don't exist in the image."""
    paths = {name for name, value in read_file(DEPLOY / "wellhour.env.example").items() if value.startswith("/")}
    compose = (DEPLOY / "compose.yaml").read_text().partition("services:")[0]
    replaced = dict(re.findall(r"^    ([A-Z_]+): (/.+)$", compose, re.MULTILINE))
    assert replaced.keys() == paths
    assert len(paths) == 4
    assert all(path.startswith(("/data/", "/srv/wellhour/var/")) for path in replaced.values())


def test_every_command_of_the_deploy_files_exists():
    texts = [path.read_text() for path in (*UNITS, DEPLOY / "compose.yaml")]
    named = {name for text in texts for name in re.findall(r"manage\.py[\", ]+([a-z_]+)", text)}
    assert named == {"backup", "check", "deliver", "housekeeping", "migrate"}


@pytest.mark.parametrize("page", ["deployment", "operations"])
def test_every_command_and_script_of_the_pages_exists(page):
    text = (ROOT / "docs" / f"{page}.md").read_text()
    named = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert {"backup", "restore"} & named
    # Run by manage.py itself.
    assert named - set(get_commands()) - {"version"} == set()
    assert [
        name for name in re.findall(r"^ *(deploy/[a-z-]+)$", text, re.MULTILINE) if not (ROOT / name).is_file()
    ] == []


def test_no_secret_gets_into_the_image_or_into_git():
    ignored_by_docker = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert {"**/.env", "deploy/*.env", ".git", "var"} <= set(ignored_by_docker)
    for name in (".env", "deploy/.env", "deploy/wellhour.env"):
        assert subprocess.run(["git", "check-ignore", "--quiet", name], cwd=ROOT, check=False).returncode == 0, name


def test_every_server_is_started_with_the_same_options():
    unit = (DEPLOY / "systemd" / "wellhour@.service").read_text()
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    (start,) = re.findall(r"^ExecStart=.* -m granian (.+)$", unit, re.MULTILINE)
    image = " ".join(re.findall(r'"([^"]+)"', dockerfile[dockerfile.index('"granian"') :].replace("\\\n", "")))
    assert image.removeprefix("granian ") == start.replace("127.0.0.1", "0.0.0.0").replace("%i", "8000").replace(
        "--respawn-interval 15 ", ""
    )


def test_retention_runs_after_a_backup_without_lost_files():
    unit = (DEPLOY / "systemd" / "wellhour-backup.service").read_text()
    assert re.findall(r"^SuccessExitStatus=(.+)$", unit, re.MULTILINE) == [str(EXIT_FILES_LOST)]


# --- Proxies ----------------------------------------------------------------------------------------


class EchoServer(http.server.ThreadingHTTPServer):
    is_updated = True


class Echo(http.server.BaseHTTPRequestHandler):
    """Sends the headers of a request back."""

    server: EchoServer

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/busy":
            self.send_response(503)
            self.send_header("Content-Length", "4")
            self.end_headers()
            self.wfile.write(b"busy")
            return
        if self.path.startswith("/static/new") and not self.server.is_updated:
            self.send_error(404)
            return
        body = "".join(f"{name}: {value}\n" for name, value in self.headers.items()).lower().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@contextlib.contextmanager
def echo_server(port: int, *, is_updated: bool = True) -> Iterator[None]:
    server = EchoServer(("127.0.0.1", port), Echo)
    server.is_updated = is_updated
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


PROXIES = [
    pytest.param(Nginx, marks=pytest.mark.soak("NGINX")),
    pytest.param(Caddy, marks=pytest.mark.soak("CADDY")),
]


@pytest.mark.parametrize("proxy_class", PROXIES)
def test_proxy_sends_trustworthy_headers_only(proxy_class, tmp_path):
    ports = find_free_port(), find_free_port()
    with echo_server(ports[0]), echo_server(ports[1]), proxy_class(tmp_path, ports) as proxy:
        status, _, text = proxy.get(
            "/calendar/secret.ics?a=1",
            **{"X_Forwarded_For": "192.0.2.1", "X-Forwarded-Proto": "gopher", "Accept-Language": "de"},
        )
    headers = dict(line.split(": ", 1) for line in text.splitlines())
    assert status == 200
    assert "x_forwarded_for" not in headers
    assert headers["x-forwarded-for"].split(", ")[-1] == "127.0.0.1"
    assert headers["x-forwarded-proto"] == ("https" if proxy_class is Nginx else "http")
    assert headers["accept-language"] == "de"
    # Neither searches nor the secret addresses of calendars are logged.
    logged = "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert "secret.ics" not in logged
    assert "a=1" not in logged


@pytest.mark.parametrize("proxy_class", PROXIES)
def test_proxy_says_in_its_own_words_that_no_server_is_there(proxy_class, tmp_path):
    with proxy_class(tmp_path, (find_free_port(), find_free_port())) as proxy:
        status, headers, text = proxy.get("/calendar/secret.ics")
    assert status == 503
    assert "secret.ics" not in "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert headers["retry-after"] == "60"
    assert "Appointments are safe." in text


@pytest.mark.parametrize("proxy_class", PROXIES)
def test_full_queue_of_one_caller_takes_no_server_from_the_others(proxy_class, tmp_path):
    ports = find_free_port(), find_free_port()
    with echo_server(ports[0]), echo_server(ports[1]), proxy_class(tmp_path, ports) as proxy:
        for _ in range(10):
            status, _headers, text = proxy.get("/busy")
            assert (status, text) == (503, "busy")
            assert proxy.get("/")[0] == 200


@pytest.mark.parametrize("proxy_class", PROXIES)
def test_files_of_the_new_release_come_from_the_server_that_runs_it(proxy_class, tmp_path):
    """In the middle of an update, when the first server has been restarted and the second one has not."""
    ports = find_free_port(), find_free_port()
    with echo_server(ports[0]), echo_server(ports[1], is_updated=False), proxy_class(tmp_path, ports) as proxy:
        assert [proxy.get("/static/new.js")[0] for _ in range(10)] == [200] * 10


@pytest.mark.parametrize("proxy_class", PROXIES)
def test_missing_file_is_missing_while_one_server_is_down(proxy_class, tmp_path):
    ports = find_free_port(), find_free_port()
    with echo_server(ports[0], is_updated=False), proxy_class(tmp_path, ports) as proxy:
        for _ in range(4):
            # A server that did not respond is asked again after a second.
            time.sleep(1.1)
            status, headers, text = proxy.get("/static/new.js")
            assert status == 404
            assert "retry-after" not in headers
            assert "Appointments are safe." not in text


@pytest.mark.parametrize("proxy_class", PROXIES)
@pytest.mark.django_db(transaction=True)
def test_restarting_one_server_after_the_other_fails_no_request(proxy_class, tmp_path, record_property):
    """As `docs/deployment.md` releases: while one server restarts, the other one serves."""
    statuses: list[int | str] = []
    is_over = threading.Event()

    def visit(path: str) -> None:
        while not is_over.is_set():
            try:
                statuses.append(proxy.get(path, Host="127.0.0.1")[0])
            except (OSError, http.client.HTTPException) as error:
                statuses.append(repr(error))

    folders = [tmp_path / name for name in ("one", "two", "proxy")]
    for folder in folders:
        folder.mkdir()
    with create_migrated_database(tmp_path) as url:
        servers = [build_server(folder, url, DELIVERY="off", HOUSEKEEPING="off") for folder in folders[:2]]
        ports = tuple(int(server.url.rpartition(":")[2]) for server in servers)
        with contextlib.ExitStack() as stack:
            for server in servers:
                server.start()
                stack.callback(server.stop)
            proxy = stack.enter_context(proxy_class(folders[2], ports))
            threads = [threading.Thread(target=visit, args=(path,)) for path in ("/healthz", "/api/doctors", "/")]
            for thread in threads:
                thread.start()
            try:
                time.sleep(SECONDS / 4)
                for server in servers:
                    server.stop()
                    server.start()
                    time.sleep(SECONDS / 4)
            finally:
                is_over.set()
                for thread in threads:
                    thread.join()
    record_property("requests", len(statuses))
    assert len(statuses) > 50
    assert [status for status in statuses if status != 200] == []


# --- systemd ----------------------------------------------------------------------------------------


@pytest.mark.soak("SYSTEMD_ANALYZE")
def test_units_are_valid_and_confined(tmp_path):
    """Only what is not on this machine may be missing: the release and its interpreter."""
    for unit in UNITS:
        text = unit.read_text().replace("/opt/wellhour/current/.venv/bin/python", "/bin/true")
        (tmp_path / unit.name.replace("@.", "@8001.")).write_text(text)
    files = sorted(str(path) for path in tmp_path.iterdir())
    done = subprocess.run([SYSTEMD_ANALYZE, "verify", *files], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for file in files:
        if file.endswith(".service"):
            command = [SYSTEMD_ANALYZE, "security", "--offline=true", "--threshold=20", file]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout
