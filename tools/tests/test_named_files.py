"""Test that the files named by the tools exist."""

import pytest

from tools.commands.soak import PARTS
from tools.mutation.coverage_map import DEFAULT_TESTS, DEFAULT_TESTS_BY_KIND, EXCLUDED_TESTS
from tools.mutation.finder import EXCLUDED_FILES
from tools.paths import ROOT

pytestmark = pytest.mark.either_engine

NAMED = {*(file for part in PARTS.values() for file in part.files), *EXCLUDED_TESTS, DEFAULT_TESTS}
NAMED |= {*DEFAULT_TESTS_BY_KIND.values(), *EXCLUDED_FILES}


@pytest.mark.parametrize("file", sorted(NAMED))
def test_named_file_exists(file):
    assert (ROOT / file).is_file()
