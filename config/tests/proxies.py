"""Real proxies with the site files of `deploy/`, in front of two servers."""

import contextlib
import http.client
import os
import shutil
import ssl
import subprocess
import time
from pathlib import Path

from config.testing import ROOT, find_free_port

DEPLOY = ROOT / "deploy"
# Paths of these programs; without one, the tests that run it are left out.
NGINX = os.environ.get("NGINX", "")
CADDY = os.environ.get("CADDY", "")


class Proxy:
    """A real proxy with the site file of `deploy/`, in front of two ports."""

    def __init__(self, folder: Path, ports: tuple[int, int]) -> None:
        self.folder = folder
        self.ports = ports
        self.port = find_free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        raise NotImplementedError

    def connect(self) -> http.client.HTTPConnection:
        raise NotImplementedError

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
        connection = self.connect()
        try:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read().decode()
        finally:
            connection.close()

    def __enter__(self) -> "Proxy":
        log = (self.folder / "proxy.log").open("wb")
        # nginx takes the variable of its own name for inherited sockets.
        environment = {name: value for name, value in os.environ.items() if name != "NGINX"} | {
            "SITE_HOST": f"http://127.0.0.1:{self.port}",
            "SITE_UPSTREAM": " ".join(f"127.0.0.1:{port}" for port in self.ports),
            "XDG_DATA_HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder),
        }
        self.process = subprocess.Popen(self.command(), env=environment, stdout=log, stderr=subprocess.STDOUT)
        log.close()
        deadline = time.monotonic() + 20
        while True:
            with contextlib.suppress(OSError):
                self.get("/")
                return self
            assert time.monotonic() < deadline, (self.folder / "proxy.log").read_text()
            time.sleep(0.1)

    def __exit__(self, *error: object) -> None:
        assert self.process
        self.process.terminate()
        self.process.wait(20)


class Nginx(Proxy):
    def command(self) -> list[str]:
        # A certificate of our own, other ports, and folders that need no root; the rest is the file as it stands.
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
        subprocess.run([*request, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
        site = (DEPLOY / "nginx" / "wellhour.conf").read_text()
        changes = {
            "127.0.0.1:8001": f"127.0.0.1:{self.ports[0]}",
            "127.0.0.1:8002": f"127.0.0.1:{self.ports[1]}",
            "listen 80;": f"listen 127.0.0.1:{find_free_port()};",
            "listen [::]:80;": "",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "listen [::]:443 ssl http2;": "",
            "/etc/letsencrypt/live/visits.example.org/fullchain.pem": str(certificate),
            "/etc/letsencrypt/live/visits.example.org/privkey.pem": str(key),
            "/var/log/nginx/wellhour.log": str(self.folder / "access.log"),
            "/var/log/nginx/wellhour-error.log": str(self.folder / "error.log"),
            "/opt/wellhour/current/deploy/nginx": str(DEPLOY / "nginx"),
        }
        for old, new in changes.items():
            assert old in site, old
            site = site.replace(old, new)
        # Readable for the workers, which aren't root.
        for folder in (self.folder, *list(self.folder.parents)[:2]):
            folder.chmod(0o755)
        paths = "\n".join(
            f"{kind}_temp_path {self.folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder}/pid; error_log stderr;\nevents {{}}\nhttp {{\n{paths}\n{site}\n}}\n"
        )
        return [NGINX, "-c", str(self.folder / "nginx.conf"), "-p", str(self.folder)]

    def connect(self) -> http.client.HTTPConnection:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=context)


class Caddy(Proxy):
    def command(self) -> list[str]:
        shutil.copy(DEPLOY / "caddy" / "Caddyfile", self.folder / "Caddyfile")
        # Only this test's own instance: no port for administration.
        text = (self.folder / "Caddyfile").read_text().replace("lb_try_duration 30s", "lb_try_duration 10s")
        (self.folder / "Caddyfile").write_text(text.replace("{\n", "{\n\tadmin off\n", 1))
        return [CADDY, "run", "--config", str(self.folder / "Caddyfile"), "--adapter", "caddyfile"]

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
