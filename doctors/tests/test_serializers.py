"""Test that hand-written serializer output matches the declared fields."""

from datetime import UTC, time
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework import serializers

from config.api.renderers import to_json_value
from doctors.directory.listings import Card, Day, Offer
from doctors.models import Specialization
from doctors.serializers import DoctorPageSerializer, DoctorSerializer, SlotsData
from doctors.slot_engine import Rules, Slot

pytestmark = pytest.mark.either_engine

texts = st.sampled_from(["", "Zoë Ødegård", "李 小龙", "שלום", "🙂", '"quoted"\\', "</script>", "\u2028"])
amounts = st.decimals(0, 999, places=2)
counts = st.integers(0, 2**31 - 1)
phones = st.sampled_from(["", "+12025550101", "+4930901820", "from before numbers were checked"])
countries = st.sampled_from(["", "US", "DE"])
hours = st.tuples(st.integers(0, 1439), st.integers(1, 600)).map(lambda span: (span[0], sum(span)))
weeks = st.dictionaries(st.integers(0, 6), st.lists(hours, max_size=1).map(tuple))
seconds = st.integers(0, 4_000_000_000)
clock_times = st.sampled_from([time(0), time(9, 5), time(23, 59), time(7, 30)])
slots = st.builds(Slot, st.dates(), clock_times, seconds, seconds, seconds)
cards = st.builds(
    Card,
    user_id=st.uuids(),
    specialization=st.sampled_from(Specialization.values),
    experience=counts,
    consultation_fee=amounts,
    bio=texts,
    **{f"hospital_{name}": texts for name in ("name", "street", "city", "state", "zip_code")},
    hospital_country=countries,
    hospital_phone=phones,
    rating_average=st.decimals(0, 5, places=2),
    rating_count=counts,
    time_zone=texts,
    instant_confirmation=st.booleans(),
    approved_at=st.none() | st.datetimes(timezones=st.just(UTC)),
    name=texts,
    picture=st.sampled_from(["", "pictures/a.webp"]),
    rules=weeks.map(lambda week: Rules("America/New_York", weekly=week)),
    next_times=st.lists(slots, max_size=3),
)
offers = st.builds(
    Offer,
    texts,
    counts,
    st.lists(st.builds(Day, st.dates(), st.lists(clock_times, max_size=3)), max_size=3),
    st.none() | slots,
    st.dates(),
    texts,
    texts,
    st.booleans(),
)


@pytest.mark.parametrize(
    ("serializer_class", "rows"),
    [(DoctorSerializer, cards), (DoctorPageSerializer, cards), (SlotsData, offers)],
    ids=["card", "page", "slots"],
)
def test_hand_written_output_matches_the_serializer_fields(serializer_class: Any, rows: Any) -> None:
    @settings(max_examples=100, deadline=None)
    @given(row=rows)
    def check(row: Any) -> None:
        serializer = serializer_class(row)
        declared = serializers.Serializer.to_representation(serializer, row)
        # Bytes, so that the order of keys counts.
        assert orjson.dumps(serializer.data, default=to_json_value) == orjson.dumps(declared, default=to_json_value)

    check()
