"""Test maintenance mode."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.http.maintenance import read_message

pytestmark = pytest.mark.either_engine


@pytest.fixture(autouse=True)
def file(tmp_path, settings):
    settings.MAINTENANCE_FILE = tmp_path / "not" / "yet" / "maintenance"
    return settings.MAINTENANCE_FILE


def maintenance(*arguments: str, **options: str) -> str:
    output = io.StringIO()
    call_command("maintenance", *arguments, stdout=output, **options)
    return output.getvalue().strip()


def test_maintenance_is_turned_on_and_off(file):
    assert maintenance() == "Maintenance mode is off."
    assert maintenance("on").startswith("Maintenance mode is on since 20")
    assert maintenance("on", message="Back at 22:00.").startswith("Maintenance mode is on since 20")
    assert file.read_text() == "Back at 22:00."
    assert maintenance().startswith("Maintenance mode is on")
    assert maintenance("off") == maintenance("off") == "Maintenance mode is off."


def test_page_says_so_and_escapes_the_message(client):
    maintenance("on", message="Back at <22:00>.")
    for path in ("/", "/doctors/4", "/staff/", "/calendar/secret.ics", "/media/pictures/x.webp"):
        response = client.get(path)
        assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (503, "60", "no-store")
        assert "Back at &lt;22:00&gt;." in response.text
        assert "default-src" in response["Content-Security-Policy"]


@pytest.mark.parametrize("method", ["get", "post", "delete", "options"])
def test_api_responds_with_its_error(client, method):
    maintenance("on")
    response = getattr(client, method)("/api/appointments")
    assert (response.status_code, response["Retry-After"]) == (503, "60")
    assert response.json()["code"] == "maintenance"
    assert response.json()["message"] == "The site is being improved. Please try again in a minute."


@pytest.mark.django_db
def test_health_checks_and_static_files_are_served(client):
    maintenance("on")
    assert client.get("/healthz").status_code == 200
    response = client.get("/readyz")
    assert (response.status_code, response.json()["maintenance"]) == (200, "on")
    assert client.get("/static/no-such-file.js").status_code == 503
    maintenance("off")
    assert client.get("/api/no-such-call").status_code == 404
    assert client.get("/readyz").json()["maintenance"] == "off"


def test_page_needs_no_database(client, django_db_blocker):
    maintenance("on")
    with django_db_blocker.block():
        assert client.get("/").status_code == 503


def test_message_without_on_and_an_unusable_file_are_errors_in_one_sentence(file, settings):
    with pytest.raises(CommandError, match="--message needs `on`"):
        maintenance("off", message="Back soon.")
    file.parent.parent.mkdir()
    file.parent.write_text("")
    with pytest.raises(CommandError, match="MAINTENANCE_FILE can't be used: File exists"):
        maintenance("on")


def test_file_that_cannot_be_read_counts_too(client, file):
    file.parent.mkdir(parents=True)
    file.write_bytes(b"Back at 22:00\xff")
    assert "Back at 22:00\N{REPLACEMENT CHARACTER}" in client.get("/").text
    file.unlink()
    file.mkdir()
    assert client.get("/").status_code == 503
    assert client.get("/healthz").status_code == 200


def test_file_in_a_folder_that_may_not_be_searched_counts_too(monkeypatch):
    def stat(path):
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", stat)
        assert read_message() == ""
