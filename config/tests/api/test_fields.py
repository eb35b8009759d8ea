"""Serializer fields: how times are written on the wire."""

from datetime import time

import pytest
from rest_framework.exceptions import ValidationError

from config.api.fields import LocalTimeField

pytestmark = pytest.mark.either_engine


@pytest.mark.parametrize(("text", "value"), [("00:00", time(0)), ("09:05", time(9, 5)), ("23:59", time(23, 59))])
def test_local_time_is_read_and_written_in_one_form(text, value):
    field = LocalTimeField()
    assert field.run_validation(text) == value
    assert field.to_representation(value) == text


@pytest.mark.parametrize("text", ["9:00", "09:00:30", "24:00", "09:60", "", "０９:００", "09:00\n", "-1:00", 900])
def test_malformed_local_time_is_refused(text):
    with pytest.raises(ValidationError):
        LocalTimeField().run_validation(text)
