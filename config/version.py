"""The version of this release, see CHANGELOG.md."""

VERSION = "0.1.0"
