"""Test pictures fetched from a link, with protection against server-side request forgery."""

import http.client
import http.server
import socket
import threading
import time

import pytest

from accounts.files import avatars, remote_image
from accounts.models import User
from accounts.tests.files import pictures as made

pytestmark = pytest.mark.either_engine

PROFILE = "/api/auth/profile"
ASK = "https://pictures.example.com/me.png"
# A public address (TEST-NET blocks count as private), never connected to here.
PUBLIC = "93.184.215.14"


class SiteServer(http.server.ThreadingHTTPServer):
    """A server on this machine that remembers what it answered and is silent about broken connections."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Site)
        self.seen: list[tuple[str, str]] = []

    def handle_error(self, request, client_address):
        pass


class Site(http.server.BaseHTTPRequestHandler):
    """A web site with good and ill-natured answers."""

    server: SiteServer
    content = made.picture("PNG")

    def do_GET(self):
        getattr(self, f"answer_{self.path.strip('/').split('?')[0]}")()

    def send(self, status: int, content: bytes, **headers: str):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def answer_good(self):
        self.server.seen.append((self.path, self.headers["Host"]))
        self.send(200, self.content, Content_Length=str(len(self.content)))

    def answer_redirect(self):
        self.send(302, b"", Location="/good")

    def handle_404(self):
        self.send(404, self.content)

    def answer_large(self):
        self.send(200, b"\x00" * (5 * 1024 * 1024 + 1))

    def answer_endless(self):
        self.send_response(200)
        self.end_headers()
        while True:
            self.wfile.write(b"\x00" * 65536)

    def answer_dripping(self):
        self.send_response(200)
        self.send_header("Content-Length", "100000")
        self.end_headers()
        while True:
            self.wfile.write(b"\x00")
            time.sleep(0.05)

    def answer_silent(self):
        time.sleep(3)

    def answer_rubbish(self):
        self.wfile.write(b"\x00\x01\x02 rubbish\r\n\r\n")

    def answer_short(self):
        self.send(200, self.content[:60], Content_Length="100000")

    def log_message(self, *args):
        pass


@pytest.fixture
def site():
    """A real HTTP server on this machine."""
    server = SiteServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def download(site, path: str, seconds: float = 5.0) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", site.server_port, timeout=seconds)
    return remote_image.download(connection, path, time.monotonic() + seconds)


def test_direct_response_is_read(site):
    assert download(site, "/good?x=1") == Site.content
    assert site.seen == [("/good?x=1", f"127.0.0.1:{site.server_port}")]


@pytest.mark.parametrize("path", ["/redirect", "/missing", "/rubbish"])
def test_only_a_direct_success_is_accepted(site, path):
    with pytest.raises(avatars.ImageRejectedError, match=remote_image.NOT_FETCHED_MESSAGE):
        download(site, path)
    assert site.seen == []


@pytest.mark.parametrize("path", ["/large", "/endless"])
def test_reading_stops_after_five_megabytes(site, path):
    with pytest.raises(avatars.ImageRejectedError, match="larger than 5 MB"):
        download(site, path)


@pytest.mark.parametrize("path", ["/dripping", "/silent"])
def test_deadline_covers_the_whole_download(site, path):
    begun = time.monotonic()
    with pytest.raises(avatars.ImageRejectedError, match=remote_image.NOT_FETCHED_MESSAGE):
        download(site, path, seconds=0.5)
    assert time.monotonic() - begun < 2


def test_incomplete_response_is_rejected(site):
    with pytest.raises(avatars.ImageRejectedError):
        avatars.sanitize_avatar(download(site, "/short"))


def test_refused_connection_is_reported():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        connection = http.client.HTTPConnection("127.0.0.1", unused.getsockname()[1], timeout=1)
        with pytest.raises(avatars.ImageRejectedError, match=remote_image.NOT_FETCHED_MESSAGE):
            remote_image.download(connection, "/", time.monotonic() + 1)


def test_connection_uses_the_checked_ip_and_verifies_the_hosts_certificate(site):
    connection = remote_image.CheckedConnection("pictures.example.com", "127.0.0.1", timeout=2)
    connection.port = site.server_port

    # The site speaks no TLS: the handshake reaches it, and fails there.
    with pytest.raises(avatars.ImageRejectedError):
        remote_image.download(connection, "/good", time.monotonic() + 2)
    assert connection.tls.check_hostname
    assert connection.host == "pictures.example.com"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::a00:1", "2002:7f00:1::",
        "2001::1", "::127.0.0.1", "localhost", "",
    ],
)  # fmt: skip
def test_private_ip_is_rejected(address):
    assert not remote_image.is_public(address)


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:2800:21f:cb07::1", f"::ffff:{PUBLIC}"])
def test_public_ip_is_accepted(address):
    assert remote_image.is_public(address)


@pytest.fixture
def names(monkeypatch):
    """A name server that answers what a test writes down, and remembers what it was asked."""
    known = {"pictures.example.com": [PUBLIC]}
    asked = []

    def getaddrinfo(host, port, *args, **kwargs):
        asked.append(host)
        if host not in known:
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in known[host]]

    monkeypatch.setattr("socket.getaddrinfo", getaddrinfo)
    known["asked"] = asked
    return known


@pytest.fixture
def downloads(monkeypatch):
    """What would have been downloaded, from which address and by which name."""
    made_so_far = []

    def download(connection, target, deadline):
        made_so_far.append((connection.host, connection.address, target))
        return made.picture("PNG")

    monkeypatch.setattr(remote_image, "download", download)
    return made_so_far


def put_link(client, link):
    return client.put(PROFILE, {"profilePicture": link}, format="json")


def test_linked_picture_is_fetched_once_and_stored(patient, client_of, names, downloads):
    client = client_of(patient)

    answer = put_link(client, f"{ASK}?size=1#top")

    assert answer.status_code == 200
    path = answer.json()["data"]["user"]["profilePicture"]
    assert path.startswith("/media/pictures/")
    assert downloads == [("pictures.example.com", PUBLIC, "/me.png?size=1")]
    assert names["asked"] == ["pictures.example.com"]

    # Our own path, as the form sends it back, is no new link.
    for unchanged in (path, f"http://127.0.0.1:8000{path}"):
        assert put_link(client, unchanged).json()["data"]["user"]["profilePicture"] == path
    assert len(downloads) == 1


@pytest.mark.parametrize("empty", [None, ""])
def test_empty_link_keeps_the_picture(patient, client_of, names, downloads, empty):
    client = client_of(patient)
    path = put_link(client, ASK).json()["data"]["user"]["profilePicture"]

    assert put_link(client, empty).json()["data"]["user"]["profilePicture"] == path
    removed = client.put(PROFILE, {"profilePicture": empty, "removeImage": True}, format="json")
    assert removed.json()["data"]["user"]["profilePicture"] is None
    assert User.objects.get().picture == ""


@pytest.mark.parametrize(
    "link",
    [
        "http://pictures.example.com/me.png", "ftp://pictures.example.com/me.png", "//pictures.example.com/me.png",
        "file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "data:image/png;base64,AAAA", "me.png",
        "/media/pictures/somebody-elses.webp", "https://", "https:///me.png", "https://[::1/me.png",
        "https://pictures.example.com:x/", "https://pictures example.com/", "https://pict\u00fcres.example.com/",
    ],
)  # fmt: skip
def test_only_https_links_are_accepted(patient, client_of, names, downloads, link):
    answer = put_link(client_of(patient), link)

    assert (answer.status_code, answer.json()["errors"]) == (400, {"profilePicture": [remote_image.NOT_HTTPS_MESSAGE]})
    assert names["asked"] == downloads == []


@pytest.mark.parametrize(
    "link",
    [
        "https://user:secret@pictures.example.com/", "https://pictures.example.com:8443/",
        "https://pictures.example.com:22/", "https://unknown.example.com/",
    ],
)  # fmt: skip
def test_links_with_other_ports_or_passwords_are_rejected(patient, client_of, names, downloads, link):
    answer = put_link(client_of(patient), link)

    assert (answer.status_code, answer.json()["errors"]) == (
        400,
        {"profilePicture": [remote_image.NOT_FETCHED_MESSAGE]},
    )
    assert downloads == []


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1",
        "169.254.169.254", "192.168.0.1", "[fd00:ec2::254]",
    ],
)  # fmt: skip
def test_real_resolver_rejects_links_into_our_network(patient, client_of, downloads, host):
    answer = put_link(client_of(patient), f"https://{host}/latest/meta-data")

    assert (answer.status_code, answer.json()["errors"]) == (
        400,
        {"profilePicture": [remote_image.NOT_FETCHED_MESSAGE]},
    )
    assert downloads == []


def test_host_with_one_private_ip_among_public_ones_is_rejected(patient, client_of, names, downloads):
    names["pictures.example.com"] = [PUBLIC, "10.0.0.1"]

    assert put_link(client_of(patient), ASK).status_code == 400
    assert downloads == []


def test_unresponsive_name_server_hits_the_deadline(monkeypatch):
    answer = threading.Event()
    monkeypatch.setattr("socket.getaddrinfo", lambda *args, **kwargs: answer.wait(5))

    with pytest.raises(avatars.ImageRejectedError):
        remote_image.resolve_public_address("pictures.example.com", time.monotonic() + 0.2)
    answer.set()


def test_content_that_is_not_a_picture_is_rejected(patient, client_of, names, downloads, monkeypatch):
    monkeypatch.setattr(remote_image, "download", lambda *args: made.SVG)

    answer = put_link(client_of(patient), ASK)

    assert answer.json()["errors"] == {"profilePicture": [avatars.NOT_AN_IMAGE_MESSAGE]}
    assert User.objects.get().picture == ""


def test_links_can_be_disabled(patient, client_of, names, downloads, settings):
    settings.PICTURE_LINKS = False

    answer = put_link(client_of(patient), ASK)

    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["profilePicture"])
    assert names["asked"] == downloads == []


def test_link_fetching_is_rate_limited(patient, client_of, names, downloads, settings):
    settings.MAX_EXPENSIVE_REQUESTS_PER_USER = {**settings.MAX_EXPENSIVE_REQUESTS_PER_USER, "picture-link": 2}
    client = client_of(patient)

    assert [put_link(client, f"{ASK}?{number}").status_code for number in range(3)] == [200, 200, 429]
    assert len(downloads) == 2


def test_upload_takes_precedence_over_a_link(patient, client_of, names, downloads):
    from django.core.files.uploadedfile import SimpleUploadedFile

    upload = SimpleUploadedFile("me.png", made.picture("PNG"), "image/png")
    answer = client_of(patient).put(PROFILE, {"image": upload, "profilePicture": ASK}, format="multipart")

    assert answer.status_code == 200
    assert downloads == []
