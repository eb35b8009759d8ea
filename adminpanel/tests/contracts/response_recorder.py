"""Say which keys an answer has, and compare that with the answers that came.

A shape is text: each line names the keys at one place, `hospital.address: street city`. The first lines, without a
place, are the keys of `data` itself; `[]` stands for each entry of a list.
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


def at(place: str, *shapes: str) -> str:
    """Put shapes under a place: `at("doctors[]", CARD)`."""
    lines = []
    for line in "\n".join(shapes).strip().splitlines():
        where, colon, keys = line.strip().rpartition(":")
        lines.append(f"{place}{'.' if colon and where else ''}{where}: {keys.strip()}")
    return "\n".join(lines)


def paths_of(shape: str) -> set[str]:
    """Spell a shape out: `doctors[].rating.average`. Whatever has something beneath it is there itself."""
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
    """The keys of one answer, and the places where there was nothing to see: null, or an empty list."""

    paths: set[str] = field(default_factory=set)
    empty: set[str] = field(default_factory=set)
    filled: set[str] = field(default_factory=set)

    def look(self, value: Any, place: str = "", open_maps: Iterable[str] = ()) -> "ObservedKeys":
        """Walk a value and note its keys."""
        if isinstance(value, dict):
            (self.filled if value else self.empty).add(place)
            for key, inner in value.items():
                name = ANY_KEYS if place in open_maps else key
                path = f"{place}.{name}" if place else name
                self.paths.add(path)
                self.look(inner, path, open_maps)
        elif isinstance(value, list):
            (self.filled if value else self.empty).add(place)
            for inner in value:
                self.look(inner, f"{place}[]", open_maps)
        elif value is None:
            self.empty.add(place)
        else:
            self.filled.add(place)
        return self

    def add(self, other: "ObservedKeys") -> None:
        """Note what another answer of the same kind has."""
        self.paths |= other.paths
        self.empty |= other.empty
        self.filled |= other.filled

    def hidden(self, path: str) -> bool:
        """Return whether a path could not be seen, because it or something above it was empty everywhere."""
        above = [path, *(path[: match.start()] for match in re.finditer(r"\.|\[\]", path))]
        return any(place in self.empty and place not in self.filled for place in above)


def differences(seen: ObservedKeys, expected: set[str]) -> list[str]:
    """Name each key that came and is not expected, and each that should have come and did not."""
    came = [f"{path} is new: nobody has said that it may be shown" for path in sorted(seen.paths - expected)]
    gone = [f"{path} is missing" for path in sorted(expected - seen.paths) if not seen.hidden(path)]
    return came + gone


def written(paths: Iterable[str]) -> str:
    """Write paths as a shape, for a person to read and to paste."""
    by_place: dict[str, list[str]] = {}
    for path in sorted(paths):
        place, _, key = path.rpartition(".")
        by_place.setdefault(place, []).append(key)
    return "\n".join(f"{place}: {' '.join(keys)}" if place else " ".join(keys) for place, keys in by_place.items())


def nothing(wrong: dict[Any, Any]) -> None:
    """Fail with everything that is wrong, one line each."""
    if wrong:
        raise AssertionError("\n".join(f"{place}: {what}" for place, what in wrong.items()))


def content(answer: Any) -> bytes:
    """Read an answer to its end, streams too."""
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def look_at(answer: Any, body: bytes, open_maps: Iterable[str] = ()) -> ObservedKeys:
    """Note what an answer has, whatever it is: the keys of JSON, the columns of CSV, the files of a ZIP …"""
    kind = answer.headers.get("Content-Type", "").split(";")[0]
    if kind == "application/json":
        return ObservedKeys().look(json.loads(body), open_maps=open_maps)
    if kind == "text/csv":
        columns = next(csv.reader(io.StringIO(body.decode("utf-8-sig"))))
        return listed("column", (name.replace(" ", "-") for name in columns))
    if kind == "text/calendar":
        return listed("line", re.findall(r"^([A-Z-]+)[;:]", body.decode(), re.MULTILINE))
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
                    seen.look(rows, stem, open_maps)
        return seen
    return listed("kind", [kind or "none"])


def listed(place: str, names: Iterable[str]) -> ObservedKeys:
    """Note what is no JSON as if it were."""
    return ObservedKeys(paths={place, *(f"{place}.{name}" for name in names)})


def expected_of(shape: str) -> set[str]:
    """Spell an answer's shape out: within the envelope of the API, unless it begins with `!`."""
    if shape.lstrip().startswith("!"):
        return paths_of(shape.lstrip()[1:])
    return paths_of(f"data message success\n{at('data', shape)}")
