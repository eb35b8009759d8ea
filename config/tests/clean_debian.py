"""A clean Debian in a folder, made by debootstrap, whose network is a namespace of its own once all is fetched."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

NETWORK_FILES = (
    "/etc/resolv.conf",
    "/etc/pip.conf",
    "/etc/npmrc",
    "/root/.npmrc",
    "/etc/ssl/certs/ca-certificates.crt",
)


class System:
    """A clean Debian in a folder, in whose network nothing else listens."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.namespace: subprocess.Popen[bytes] | None = None

    def build_command(self, *command: str, online: bool = False) -> list[str]:
        """Return what runs a command in the system, in its own network unless it is `online`."""
        start = ["chroot", str(self.root), *command]
        if online:
            return start
        assert self.namespace
        return ["nsenter", f"--net=/proc/{self.namespace.pid}/ns/net", "--", *start]

    def run(self, script: str, *, online: bool = False) -> str:
        """Run a shell script in the system; raise with its output when it fails."""
        command = self.build_command("/bin/bash", "-ec", script, online=online)
        done = subprocess.run(command, env=build_environment(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout


def build_environment() -> dict[str, str]:
    """Return the variables of a fresh login, and those with which pip and npm find their registries."""
    environment = {
        name: value for name, value in os.environ.items() if name.startswith(("PIP_", "NODE_", "npm_", "NPM_"))
    }
    environment |= {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
    return environment | {"DEBIAN_FRONTEND": "noninteractive", "LANG": "C.UTF-8"}


def make_root(root: Path, release: str, packages: Sequence[str] = ()) -> None:
    """Make a minimal Debian with some more packages, which reaches the registries as this machine does."""
    include = [f"--include={','.join(packages)}"] if packages else []
    command = ["debootstrap", "--variant=minbase", *include, release, str(root)]
    subprocess.run(command, check=True, capture_output=True)
    copy_network_files(root)
    for path in Path("/etc/apt/apt.conf.d").glob("*"):
        shutil.copy(path, root / "etc/apt/apt.conf.d")
    (root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (root / "usr/sbin/policy-rc.d").chmod(0o755)


@contextlib.contextmanager
def enter_root(root: Path) -> Iterator[System]:
    """Yield the system in a folder; what it mounts and starts is gone afterwards."""
    system = System(root)
    with contextlib.ExitStack() as stack:
        for source, target in (("proc", "proc"), ("/dev", "dev")):
            kind = ["-t", "proc"] if source == "proc" else ["--rbind"]
            subprocess.run(["mount", *kind, source, str(root / target)], check=True)
            # What is unmounted here stays mounted elsewhere.
            subprocess.run(["mount", "--make-rslave", str(root / target)], check=True)
            stack.callback(subprocess.run, ["umount", "--recursive", "--lazy", str(root / target)], check=True)
        system.namespace = subprocess.Popen(["unshare", "--net", "sleep", "7200"])
        stack.callback(system.namespace.wait)
        stack.callback(system.namespace.terminate)
        stack.callback(kill_processes, root)
        time.sleep(0.5)
        subprocess.run(
            ["nsenter", f"--net=/proc/{system.namespace.pid}/ns/net", "ip", "link", "set", "lo", "up"], check=True
        )
        yield system


def copy_network_files(root: Path) -> None:
    """Let the system know how this machine reaches the registries, and whom it trusts."""
    for path in NETWORK_FILES:
        if Path(path).exists():
            (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, root / path[1:])


def kill_processes(root: Path) -> None:
    """End what runs in the system: the processes whose root it is."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (process / "root").readlink() == root:
                os.kill(int(process.name), 9)
