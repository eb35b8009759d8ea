"""Check that the pre-commit hooks look at the same packages as `dev.py check`."""

import re

import pytest

from tools.paths import PACKAGES, ROOT

pytestmark = pytest.mark.either_engine


def test_the_hooks_check_the_packages_that_dev_py_checks():
    config = (ROOT / ".pre-commit-config.yaml").read_text()
    hooks = re.findall(r"entry: .* -m (?:mypy|bandit) (.*)$", config, re.MULTILINE)
    assert len(hooks) == 2
    for hook in hooks:
        assert {word for word in hook.split() if (ROOT / word).is_dir()} == set(PACKAGES)
