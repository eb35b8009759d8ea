"""Test what the log says of other servers' failures, and how often."""

import pytest

from config import failure_reasons
from config.failure_reasons import LogThrottle, describe_reason

pytestmark = pytest.mark.either_engine


def test_reason_is_one_short_line_without_secrets():
    error = OSError("no entry for ann:hunter2-longer\n(hunter2)\t" + "x" * 500)
    reason = describe_reason(error, "ann", "hunter2", "hunter2-longer", "")
    assert reason.startswith("no entry for …:… (…) xxx")
    assert len(reason) == 200


def test_error_without_words_is_named_by_its_type():
    assert describe_reason(TimeoutError()) == "TimeoutError"


def test_a_key_is_logged_once_in_a_period_and_few_keys_at_all(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(failure_reasons.time, "monotonic", lambda: now[0])
    throttle = LogThrottle(seconds=60, max_keys=2)
    assert [throttle.allows(key) for key in ("a", "a", "b", "c")] == [True, False, True, False]
    now[0] += 60
    assert [throttle.allows(key) for key in ("c", "a", "b")] == [True, True, False]
