"""The version of this release, see CHANGELOG.md, and the commit that it was built from."""

import re
from pathlib import Path

RELEASE = "0.1.0"
# Written by deploy/build-release.
REVISION_FILE = Path(__file__).resolve().parent.parent / "REVISION"
REVISION_LENGTH = 8


def read_version(file: Path) -> str:
    """Return the release, with the file's commit, if it has one, as build metadata (Semantic Versioning 2.0.0, 10)."""
    try:
        revision = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return RELEASE
    return f"{RELEASE}+{revision[:REVISION_LENGTH]}" if re.fullmatch("[0-9a-f]{8,64}", revision) else RELEASE


VERSION = read_version(REVISION_FILE)
