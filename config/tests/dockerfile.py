"""Run the steps of a Dockerfile in folders instead of images, as far as `deploy/Dockerfile` needs it."""

import json
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from config.tests.clean_debian import System, build_environment, enter_root


@dataclass
class Image:
    """What the instructions of one stage have made so far."""

    root: Path
    base: str
    user: str = "root"
    folder: str = "/"
    environment: dict[str, str] = field(default_factory=dict)
    # Build arguments: variables of RUN alone.
    arguments: dict[str, str] = field(default_factory=dict)
    volumes: list[str] = field(default_factory=list)
    stop_signal: str = "SIGTERM"
    command: list[str] = field(default_factory=list)
    health_check: list[str] = field(default_factory=list)

    def build_command(self, system: System, command: list[str], *, online: bool = False) -> list[str]:
        """Return what runs a command as the image's user, in its folder and with its variables."""
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        # Each of these becomes the next one, so that signals reach the command as in a container.
        identity = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--init-groups"]
        start = [*identity, "env", "-C", self.folder, *variables]
        return system.build_command(*start, *command, online=online)

    def run(self, system: System, *command: str, online: bool = False) -> str:
        """Run a command; raise with its output when it fails."""
        done = subprocess.run(
            self.build_command(system, list(command), online=online),
            env=build_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def build_step(self, system: System, script: str) -> None:
        """Do what RUN says."""
        variables = [f"{name}={value}" for name, value in self.arguments.items()]
        self.run(system, "env", *variables, "/bin/sh", "-c", script, online=True)


def list_instructions(path: Path) -> list[tuple[str, str]]:
    """Return each instruction and its argument; lines that end with a backslash go on."""
    text = re.sub(r"\\\n", "", path.read_text())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines]


def compile_ignored(path: Path) -> re.Pattern[str]:
    """Return a pattern of the paths that a .dockerignore file excludes, and all that is below them."""
    patterns = []
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            pattern = re.escape(line).replace(r"\*\*/", "(?:.*/)?").replace(r"\*", "[^/]*")
            patterns.append(f"{pattern}(?:/.*)?")
    return re.compile("|".join(patterns))


def copy_context(context: Path, target: Path, ignored: re.Pattern[str]) -> None:
    """Copy the build's context without what is ignored."""
    for folder, folders, files in os.walk(context):
        relative = Path(folder).relative_to(context)
        folders[:] = [name for name in folders if not ignored.fullmatch(str(relative / name))]
        (target / relative).mkdir(parents=True, exist_ok=True)
        for name in files:
            if not ignored.fullmatch(str(relative / name)):
                shutil.copy2(Path(folder) / name, target / relative / name)


def build_image(dockerfile: Path, context: Path, base: Path, folder: Path, **arguments: str) -> Image:
    """Execute every instruction in order, each stage in a copy of `base`; return the last stage's image.

    `arguments` are build arguments.
    """
    ignored = compile_ignored(dockerfile.with_name(f"{dockerfile.name}.dockerignore"))
    stages: dict[str, Image] = {}
    image = Image(base, "")
    for instruction, argument in list_instructions(dockerfile):
        words = shlex.split(argument) if not argument.startswith("[") else json.loads(argument)
        if instruction == "FROM":
            root = folder / f"stage-{len(stages)}"
            subprocess.run(["cp", "-a", str(base), str(root)], check=True)
            image = Image(root, words[0])
            stages[words[2] if words[1:2] == ["AS"] else str(len(stages))] = image
        elif instruction == "WORKDIR":
            image.folder = argument
            (image.root / argument[1:]).mkdir(parents=True, exist_ok=True)
        elif instruction == "ARG":
            name, _, default = argument.partition("=")
            image.arguments[name] = arguments.get(name, default)
        elif instruction == "COPY":
            copy(words, image, stages, context, ignored)
        elif instruction == "RUN":
            with enter_root(image.root) as system:
                image.build_step(system, argument)
        else:
            configure(image, instruction, argument, words)
    return image


def configure(image: Image, instruction: str, argument: str, words: list[str]) -> None:
    """Execute an instruction that says how containers run."""
    if instruction == "ENV":
        image.environment |= dict(word.split("=", 1) for word in words)
    elif instruction == "USER":
        image.user = argument
    elif instruction == "VOLUME":
        image.volumes.append(argument)
    elif instruction == "STOPSIGNAL":
        image.stop_signal = argument
    elif instruction == "CMD":
        image.command = words
    elif instruction == "HEALTHCHECK":
        image.health_check = json.loads(argument.partition("CMD ")[2])
    else:
        # It changes no file and no process.
        assert instruction == "EXPOSE", instruction


def copy(words: list[str], image: Image, stages: dict[str, Image], context: Path, ignored: re.Pattern[str]) -> None:
    """Execute COPY, from the context or from another stage."""
    *options, source, target = words
    path = image.root / (Path(image.folder) / target).as_posix()[1:]
    if not options:
        assert source == "."
        copy_context(context, path, ignored)
        return
    (stage,) = [option.removeprefix("--from=") for option in options]
    subprocess.run(["cp", "-a", f"{stages[stage].root}{source}/.", str(make_folder(path))], check=True)


def make_folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    return path
