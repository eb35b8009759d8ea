"""Follow "First hour" of `docs/deployment.md` word for word in a clean Debian, to a booked appointment with its emails.

`dev.py soak "first hour"` runs it, as root: debootstrap makes the system, its network is a namespace of its own once
everything is fetched, and `systemctl` is a script that starts what the unit files say, since no systemd runs there.
"""

import contextlib
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from config.testing import ROOT
from config.tests.clean_debian import System, enter_root, make_root

HOST = "visits.example.org"
MAIL_PORT = 2525
# Enough of systemctl for the units of `deploy/systemd`; the services of Debian are started by their own scripts.
SYSTEMCTL = r"""#!/usr/bin/python3
import os, pathlib, re, shlex, signal, subprocess, sys, time

UNITS, RUN = pathlib.Path("/etc/systemd/system"), pathlib.Path("/run/units")
RUN.mkdir(exist_ok=True)


def read_unit(name):
    base, _, instance = name.partition("@")
    file = UNITS / (f"{base}@.service" if instance else f"{name}.service")
    text = file.read_text().replace("%i", instance).replace("%%", "%")
    return [line.partition("=")[::2] for line in text.splitlines() if "=" in line and not line.startswith("#")]


def command(unit, text):
    settings = dict(unit)
    env = [pair for key, value in unit if key == "Environment" for pair in shlex.split(value)]
    start = ["runuser", "-u", settings["User"], "--", "env", "-C", settings["WorkingDirectory"]]
    return [*start, *env, *shlex.split(text)]


def is_running(name):
    pid = RUN / name
    return pid.exists() and pathlib.Path(f"/proc/{pid.read_text()}").exists()


def stop(name):
    if is_running(name):
        pid = int((RUN / name).read_text())
        os.killpg(pid, signal.SIGTERM)
        while is_running(name):
            time.sleep(0.1)


def start(name):
    unit = read_unit(name)
    for key, value in unit:
        if key == "ExecStartPre":
            subprocess.run(command(unit, value), check=True)
    settings = dict(unit)
    if settings.get("Type") == "oneshot":
        for key in ("ExecStart", "ExecStartPost"):
            subprocess.run(command(unit, settings[key]), check=True)
        return
    with open(f"/var/log/{name}.log", "ab") as log:
        process = subprocess.Popen(
            ["setsid", *command(unit, settings["ExecStart"])], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    (RUN / name).write_text(str(process.pid))
    pid = os.fork()
    if pid == 0:
        os.setsid()
        process.wait()
        os._exit(0)


def main(verb, *names):
    names = [name.removesuffix(".service") for name in names if not name.startswith("-")]
    if verb == "list-units":
        print("\n".join(f"{path.name}.service loaded" for path in sorted(RUN.glob("wellhour@*"))))
    for name in names if verb in {"enable", "start", "restart"} else []:
        if name.endswith(".timer"):
            continue
        stop(name)
        start(name)
    if verb == "reload" and names == ["nginx"]:
        subprocess.run(["service", "nginx", "restart"], check=True)
    if verb == "stop":
        for name in names:
            stop(name)


main(*sys.argv[1:])
"""


@contextlib.contextmanager
def make_system(folder: Path) -> Iterator[System]:
    """Make a system with a clone of the repository; what it mounts and starts is gone afterwards."""
    root = folder / "root"
    make_root(root, "bookworm")
    (root / "usr/local/bin/systemctl").write_text(SYSTEMCTL)
    (root / "usr/local/bin/systemctl").chmod(0o755)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(root / "repository")], check=True)
    with enter_root(root) as system:
        yield system


def list_steps() -> list[str]:
    """Return the shell blocks of "First hour", in order."""
    page = (ROOT / "docs" / "deployment.md").read_text()
    section = page.partition("## First hour")[2].partition("\n## ")[0]
    return [
        re.sub(r"^   ", "", block, flags=re.MULTILINE) for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    ]


# Run with this machine's Python in the system's network: a visitor and the mail server that the settings name.
VISITOR = r"""
import email, email.policy, json, pyotp, ssl, sys, threading, time, urllib.request
from aiosmtpd.controller import Controller

URL, HOST, MAIL_PORT = "https://127.0.0.1", sys.argv[1], int(sys.argv[2])
PASSWORD = "violet-lantern-9"
messages = []


class Mailbox:
    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        messages.append((message["to"], message["subject"]))
        return "250 OK"


def call(method, path, body=None, token=""):
    headers = {"Content-Type": "application/json", "Host": HOST}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{URL}/api{path}", content, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30, context=context) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        sys.exit(f"{error.code} {method} {path}: {error.read().decode()}")


def register(role, address, **more):
    form = {"role": role, "name": f"Invented {role.title()}", "email": address, "phone": "+1 202 555 0147",
            "dateOfBirth": "1984-07-05", "gender": "female", "password": PASSWORD, "confirmPassword": PASSWORD,
            "agreedToPrivacy": True, "timeZone": "America/New_York", **more}
    return call("POST", f"/auth/register/{role}", form)


controller = Controller(Mailbox(), hostname="127.0.0.1", port=MAIL_PORT)
controller.start()
admin = call("POST", "/auth/login", {"email": "admin@example.org", "password": PASSWORD, "role": "admin"})["token"]
secret = call("POST", "/auth/second-step/app", {"currentPassword": PASSWORD}, admin)["secret"]["text"]
code = pyotp.TOTP(secret.replace(" ", "")).now()
call("PUT", "/auth/second-step/app", {"code": code}, admin)
doctor = register("doctor", "doctor@example.org", specialization="Neurology", experience=7, licenseNumber="EX-1001",
                  consultationFee=140, hospital={"name": "Juniper Clinic", "phone": "+1 202 555 0148"})
doctor_id = doctor["user"]["_id"]
decision = {"isApproved": True, "approvalReason": "Seen in person."}
call("PUT", f"/doctors/{doctor_id}/approve", decision, admin)
patient = register("patient", "patient@example.org")
slots = call("GET", f"/doctors/{doctor_id}/slots?days=14")["slots"]
date, times = next((day["date"], day["times"]) for day in slots if day["times"])
call("POST", "/appointments", {"doctorId": doctor_id, "appointmentDate": date, "appointmentTime": times[0]},
     patient["token"])
deadline = time.monotonic() + 60
# Such as "New request: Mon, Nov 30 at 10:00 AM"; no other message names a time.
while not {"doctor@example.org", "patient@example.org"} <= {to for to, subject in messages if " at " in subject}:
    if time.monotonic() > deadline:
        sys.exit(f"No emails about the appointment: {messages}")
    time.sleep(0.5)
controller.stop()
print(json.dumps(messages))
"""
