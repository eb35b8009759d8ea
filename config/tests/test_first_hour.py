"""Test that "First hour" of `docs/deployment.md` leads from a clean Debian to a booked appointment with its emails."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.tests.clean_debian import copy_network_files
from config.tests.first_hour import HOST, MAIL_PORT, VISITOR, list_steps, make_system

pytestmark = pytest.mark.either_engine

SETTINGS = {
    "BASE_URL": f"https://{HOST}",
    "ALLOWED_HOSTS": HOST,
    "DATABASE_URL": "postgresql://wellhour@%2Fvar%2Frun%2Fpostgresql/wellhour",
    "EMAIL_URL": f"smtp://127.0.0.1:{MAIL_PORT}",
    "DEFAULT_FROM_EMAIL": "Visits <visits@practice.example>",
}
# What a person does by hand, and what needs the internet: a certificate.
BY_HAND = {
    "REPOSITORY": "/repository",
    "VERSION": "0.1.0",
    "YOUR.HOST": HOST,
    f"certbot certonly --webroot -w /var/www/html -d {HOST} --deploy-hook 'systemctl reload nginx'": (
        f"mkdir -p /etc/letsencrypt/live/{HOST}; cd /etc/letsencrypt/live/{HOST};"
        " openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout privkey.pem -out fullchain.pem;"
        " cd -"
    ),
    # Nothing accepts mail yet.
    "manage.py check_connections": "manage.py check_connections 2>&1 | grep '1 connection failed'",
    "manage.py sendtestemail you@example.org": (
        f"manage.py sendtestemail you@example.org 2>&1 | grep 'through 127.0.0.1:{MAIL_PORT}: .*Connection refused'"
    ),
    "manage.py create_admin": "manage.py create_admin --email admin@example.org --name 'Invented Admin'",
}


def edit_settings(folder: str) -> str:
    """Return a script that fills the settings in, with two keys as `generate_key` prints them."""
    key = f"$({folder}/.venv/bin/python {folder}/manage.py generate_key)"
    lines = [f"s|^{name}=.*|{name}={value}|" for name, value in SETTINGS.items()]
    edits = " ".join(f"-e '{line}'" for line in lines)
    keys = f'-e "s|^SECRET_KEY=.*|SECRET_KEY={key}|" -e "s|^BACKUP_KEY=.*|BACKUP_KEY={key}|"'
    return f"sed -i {edits} {keys} /etc/wellhour/wellhour.env"


def test_the_page_has_a_block_for_each_step():
    assert len(list_steps()) == 7


@pytest.mark.soak("FIRST_HOUR")
def test_first_hour_leads_to_a_booked_appointment(tmp_path, record_property):
    start = time.monotonic()
    count = 0
    release = "/opt/wellhour/releases/0.1.0"
    with make_system(Path(tmp_path)) as system:
        system.run("apt-get update -qq; apt-get install -y -qq git ca-certificates", online=True)
        # The package has replaced what this machine trusts.
        copy_network_files(system.root)
        # The page's version is a tag; here it is what is tested.
        system.run("git config --global --add safe.directory '*'; git -C /repository tag -f v0.1.0", online=True)
        for number, block in enumerate(list_steps(), 1):
            script = block
            count += len([line for line in block.splitlines() if line and not line.startswith("#")])
            for old, new in BY_HAND.items():
                script = script.replace(old, new)
            script = re.sub(r"^editor .*$", edit_settings(release), script, flags=re.MULTILINE)
            if number > 3:
                script = f"cd {release}; export ADMIN_PASSWORD=violet-lantern-9; {script}"
            began = time.monotonic()
            system.run(script, online=number in {1, 3})
            if number == 1:
                # Debian's packages start these on a machine with systemd.
                # It was installed beside this machine's own PostgreSQL, and so took another port.
                system.run("pg_conftool 15 main set port 5432")
                system.run("service postgresql start; service redis-server start; service nginx start")
                system.run("pg_lsclusters --no-header | grep online || { tail -n 5 /var/log/postgresql/*; exit 1; }")
            record_property(f"step {number}, seconds", round(time.monotonic() - began))
        assert system.namespace
        command = ["nsenter", f"--net=/proc/{system.namespace.pid}/ns/net", "--", sys.executable, "-c", VISITOR]
        done = subprocess.run([*command, HOST, str(MAIL_PORT)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + system.run("tail -n 20 /var/log/wellhour*.log")
        messages = json.loads(done.stdout)
        record_property("emails", len(messages))
        # The servers restart in turn, and a backup is made.
        system.run(
            f"cd {release}; deploy/restart-servers; systemctl start wellhour-backup; ls /var/backups/wellhour/*.tar"
        )
    record_property("commands", count)
    record_property("minutes", round((time.monotonic() - start) / 60, 1))
