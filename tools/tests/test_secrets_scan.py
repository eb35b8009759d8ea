"""Test that unreviewed secrets in the sources are found."""

import json

import pytest

from tools import secrets_scan
from tools.errors import CommandError

pytestmark = pytest.mark.either_engine


def test_secret_is_new_until_it_is_reviewed(monkeypatch, tmp_path):
    finding = {"hashed_secret": "1" * 40, "line_number": 3, "type": "Private Key"}
    monkeypatch.setattr(secrets_scan, "scan_for_secrets", lambda env: {"config/settings.py": [finding]})
    baseline = tmp_path / "baseline"
    monkeypatch.setattr(secrets_scan, "SECRETS_BASELINE", baseline)
    baseline.write_text("{}")
    with pytest.raises(CommandError, match="1 new"):
        secrets_scan.find_new_secrets({})
    baseline.write_text(json.dumps({"config/settings.py": {"1" * 40: "made up"}}))
    assert secrets_scan.find_new_secrets({}) == "1 reviewed, none new"


def test_each_reviewed_secret_has_a_reason():
    reviewed = json.loads(secrets_scan.SECRETS_BASELINE.read_text())
    assert reviewed
    for file, reasons in reviewed.items():
        assert (secrets_scan.ROOT / file).is_file(), file
        assert all(len(reason) > 20 for reason in reasons.values()), file
