"""Record the keys of responses, and compare them with the expected ones.

A shape is text: each line lists the keys at one path, `hospital.address: street city`. The first lines, without a
path, are the keys of `data` itself; `[]` stands for each entry of a list.
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

# Keys that are data: their names are ids, dates or words that differ from row to row.
ANY_KEYS = "*"


def nest(path: str, *shapes: str) -> str:
    """Put shapes under a path: `nest("doctors[]", CARD)`."""
    lines = []
    for line in "\n".join(shapes).strip().splitlines():
        where, colon, keys = line.strip().rpartition(":")
        lines.append(f"{path}{'.' if colon and where else ''}{where}: {keys.strip()}")
    return "\n".join(lines)


def parse_shape(shape: str) -> set[str]:
    """Return all paths of a shape, such as `doctors[].rating.average`, with their parents."""
    found: set[str] = set()
    for line in shape.strip().splitlines():
        where, _, keys = line.strip().rpartition(":")
        for key in keys.split():
            found.add(f"{where}.{key}" if where else key)
        parts = where.split(".") if where else []
        found |= {".".join(parts[: number + 1]).removesuffix("[]") for number in range(len(parts))}
    return found


@dataclass
class ObservedKeys:
    """The keys of responses, and the paths with null or an empty list."""

    paths: set[str] = field(default_factory=set)
    empty: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)

    def observe(self, value: Any, path: str = "", open_maps: Iterable[str] = ()) -> "ObservedKeys":
        """Add the keys of a value."""
        if isinstance(value, dict):
            (self.filled if value else self.empty).add(path)
            for key, inner in value.items():
                name = ANY_KEYS if path in open_maps else key
                child = f"{path}.{name}" if path else name
                self.paths.add(child)
                self.observe(inner, child, open_maps)
        elif isinstance(value, list):
            (self.filled if value else self.empty).add(path)
            for inner in value:
                self.observe(inner, f"{path}[]", open_maps)
        elif value is None:
            self.empty.add(path)
        else:
            self.filled.add(path)
        return self

    def add(self, other: "ObservedKeys") -> None:
        """Add the keys of another response of the same kind."""
        self.paths |= other.paths
        self.empty |= other.empty
        self.filled |= other.filled

    def is_hidden(self, path: str) -> bool:
        """Return whether a path can't appear, because it or a parent was empty in all responses."""
        above = [path, *(path[: match.start()] for match in re.finditer(r"\.|\[\]", path))]
        return any(parent in self.empty and parent not in self.filled for parent in above)


def compare_keys(seen: ObservedKeys, expected: set[str]) -> list[str]:
    """Return a line for each unexpected and each missing key."""
    came = [f"{path} is new: it is not declared" for path in sorted(seen.paths - expected)]
    gone = [f"{path} is missing" for path in sorted(expected - seen.paths) if not seen.is_hidden(path)]
    return came + gone


def format_shape(paths: Iterable[str]) -> str:
    """Return paths as a shape, to read and to paste."""
    by_parent: dict[str, list[str]] = {}
    for path in sorted(paths):
        parent, _, key = path.rpartition(".")
        by_parent.setdefault(parent, []).append(key)
    return "\n".join(f"{path}: {' '.join(keys)}" if path else " ".join(keys) for path, keys in by_parent.items())


def assert_empty(wrong: dict[Any, Any]) -> None:
    """Fail with one line for each entry."""
    if wrong:
        raise AssertionError("\n".join(f"{path}: {what}" for path, what in wrong.items()))


def read_content(answer: Any) -> bytes:
    """Return the content of a response, streamed or not."""
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def observe_response(answer: Any, body: bytes, open_maps: Iterable[str] = ()) -> ObservedKeys:
    """Return what a response contains: the keys of JSON, the columns of CSV, the files of a ZIP and so on."""
    kind = answer.headers.get("Content-Type", "").split(";")[0]
    if kind == "application/json":
        return ObservedKeys().observe(json.loads(body), open_maps=open_maps)
    if kind == "text/csv":
        columns = next(csv.reader(io.StringIO(body.decode("utf-8-sig"))))
        return observe_names("column", (name.replace(" ", "-") for name in columns))
    if kind == "text/calendar":
        return observe_names("line", re.findall(r"^([A-Z-]+)[;:]", body.decode(), re.MULTILINE))
    if kind == "application/zip":
        seen = ObservedKeys()
        seen.paths.add("file")
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            for name in archive.namelist():
                stem, _, extension = name.rpartition(".")
                seen.paths.add(f"file.{stem}" if extension == "json" else "file.other")
                if extension == "json":
                    rows = json.loads(archive.read(name))
                    seen.paths |= {stem} if rows else set()
                    seen.observe(rows, stem, open_maps)
        return seen
    return observe_names("kind", [kind or "none"])


def observe_names(path: str, names: Iterable[str]) -> ObservedKeys:
    """Return names of a format other than JSON as if they were keys."""
    return ObservedKeys(paths={path, *(f"{path}.{name}" for name in names)})


def parse_response_shape(shape: str) -> set[str]:
    """Return all paths of a response, within the envelope of the API unless the shape begins with `!`."""
    if shape.lstrip().startswith("!"):
        return parse_shape(shape.lstrip()[1:])
    return parse_shape(f"data message success\n{nest('data', shape)}")
