"""Test that the documents about settings are those that the options make."""

import pytest

from config.env.documents import render_env_example, render_settings_page
from config.env.options import Options
from config.testing import ROOT

pytestmark = pytest.mark.either_engine

HINT = "run `python3 dev.py settings`"


def test_the_example_is_current():
    assert (ROOT / ".env.example").read_text() == render_env_example(), HINT


def test_the_settings_page_is_current():
    assert (ROOT / "docs" / "settings.md").read_text() == render_settings_page(), HINT


def test_no_document_shows_a_key():
    shown = render_env_example() + render_settings_page()
    secrets = [str(value) for option in Options.list_options() if option.secret for value in option.defaults.values()]
    assert [secret for secret in secrets if len(secret) > 10 and secret in shown] == []
