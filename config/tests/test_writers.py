"""What a compiled serializer writes is what DRF would write, whatever the rows hold."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rest_framework import negotiation, serializers
from rest_framework.exceptions import NotAcceptable
from rest_framework.request import Request
from rest_framework.test import APIClient, APIRequestFactory

from accounts.models import Gender
from config.viewsets import checked_query, takes_json
from config.wire import EnvelopeRenderer, InstantField, LocalDateField, LocalTimeField, SecondField, plain
from config.writers import Writer
from doctors.free_times import Slot
from doctors.models import Specialization
from doctors.serializers import DirectoryQuery

pytestmark = pytest.mark.either_engine

TEXTS = st.sampled_from(
    ["", "Zoë Ødegård", "李 小龙", "שלום", "🙂", '"quoted"\\', "</script>", "a\x00b", "\u2028", "\ud800"]
)
ODD = [
    *(None, True, False, 0, -1, 2**31 - 1, 2**70, 1.5, float("nan"), "12", "yes", "null", b"x"),
    *(Decimal("0.00"), Decimal("12.5"), Decimal("-3.14159"), Decimal("1E+3"), Decimal("NaN"), Decimal("123456789.99")),
    *(UUID(int=7), date(1, 1, 1), date(9999, 12, 31), time(9, 5), time(23, 59, 59), Gender.OTHER),
    *(Specialization.CARDIOLOGY, datetime(2026, 3, 1, 12, 0, 0, 999_999, tzinfo=UTC), datetime(2026, 3, 1, 12)),  # noqa: DTZ001 - odd on purpose
    *(datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=5, minutes=45))), [], ["09:00", None, "x"], ("a",)),
    *({}, {"start": "09:00", "end": "10:00", "starts_at": 5, "date": date(2026, 1, 1), "time": "09:00"}),
    *(Slot(date(2026, 1, 1), "09:00", 1_767_258_000, 1_767_261_600, 1_767_261_600), lambda: "called", object),
]
# What a field of this kind holds every day.
USUAL: dict[type[Any], st.SearchStrategy[Any]] = {
    serializers.CharField: TEXTS,
    serializers.ChoiceField: st.sampled_from(["Cardiology", "monday", Specialization.UROLOGY, ""]),
    serializers.IntegerField: st.integers(-5, 2**40),
    serializers.BooleanField: st.booleans(),
    serializers.DecimalField: st.decimals(0, 999, places=2),
    serializers.UUIDField: st.uuids(),
    LocalDateField: st.dates(),
    LocalTimeField: st.sampled_from(["09:00", "23:59", time(7, 30)]),
    SecondField: st.integers(0, 4_000_000_000),
    InstantField: st.datetimes(timezones=st.just(UTC)),
    serializers.ListField: st.lists(st.sampled_from(["monday", "09:00", "sunday"])),
}


@st.composite
def rows_of(draw: Any, serializer: Any) -> Any:
    """Draw a row for a serializer: mostly what its fields hold every day, now and then anything."""
    row = SimpleNamespace()
    fill(draw, row, serializer)
    return row


def fill(draw: Any, row: SimpleNamespace, serializer: Any) -> None:
    for field in serializer.fields.values():
        if field.source == "*":
            if isinstance(field, serializers.Serializer):
                fill(draw, row, field)
            continue
        *way, last = field.source_attrs or [field.source]
        holder = row
        for name in way:
            if not hasattr(holder, name):
                setattr(holder, name, SimpleNamespace())
            holder = getattr(holder, name)
        kind = draw(st.integers(0, 19))
        if kind == 0:
            # Missing: DRF knows what that means.
            continue
        setattr(holder, last, draw(st.sampled_from(ODD)) if kind < 4 else usual(draw, field))


def usual(draw: Any, field: Any) -> Any:
    if isinstance(field, serializers.ListSerializer):
        return [draw(rows_of(field.child)) for _ in range(draw(st.integers(0, 3)))]
    if isinstance(field, serializers.Serializer):
        return draw(rows_of(field))
    kinds = [USUAL[kind] for kind in type(field).__mro__ if kind in USUAL]
    return draw(kinds[0] if kinds else st.sampled_from(ODD))


def written(write: Any, row: Any) -> bytes | type[BaseException]:
    """Answer the JSON, or the kind of error that keeps it from being written."""
    try:
        return orjson.dumps(write(row), default=plain)
    except Exception as failed:  # noqa: BLE001 - whichever it is, both roads must meet it
        return type(failed)


@pytest.mark.parametrize("writer", Writer.made, ids=lambda writer: writer.serializer.__name__)
def test_both_roads_write_the_same(writer: Writer) -> None:
    assert writer.made

    @settings(max_examples=60, deadline=None)
    @given(row=rows_of(writer.serializer()))
    def holds(row: Any) -> None:
        assert written(writer.one, row) == written(writer.serializer().to_representation, row)

    holds()


class Inner(serializers.Serializer[Any]):
    start = LocalTimeField()
    missing = serializers.CharField(default="as declared")


class OwnWay(serializers.CharField):
    def to_representation(self, value: Any) -> str:
        return f"<{value}>"


class FromRow(serializers.CharField):
    def get_attribute(self, instance: Any) -> Any:
        return len(vars(instance))


class Everything(serializers.Serializer[Any]):
    """Fields of every kind that the writers know, and some that they must leave to DRF."""

    text = serializers.CharField(source="a.b")
    either = serializers.ChoiceField(choices=[(1, "one"), ("2", "two")])
    amount = serializers.DecimalField(max_digits=6, decimal_places=2)
    as_text = serializers.DecimalField(max_digits=6, decimal_places=2, coerce_to_string=True, source="amount")
    ratio = serializers.FloatField()
    flag = serializers.BooleanField(allow_null=True)
    key = serializers.UUIDField(format="hex")
    at = InstantField()
    own = OwnWay(required=False)
    counted = FromRow()
    told = serializers.SerializerMethodField()
    raw = serializers.ReadOnlyField()
    inner = Inner(required=False, allow_null=True)
    inners = Inner(many=True)
    flat = Inner(source="*")
    numbers = serializers.ListField(child=serializers.IntegerField())
    hidden = serializers.CharField(write_only=True)

    def get_told(self, row: Any) -> Any:
        return getattr(row, "raw", None)


def test_every_kind_of_field_is_written_as_by_drf() -> None:
    writer = Writer(Everything)
    Writer.made.remove(writer)

    @settings(max_examples=100, deadline=None)
    @given(row=rows_of(Everything()))
    def holds(row: Any) -> None:
        assert written(writer.one, row) == written(Everything().to_representation, row)

    holds()


def test_a_usual_row_takes_the_short_road(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: what is compared above is not DRF with itself."""
    writer = Writer(Inner)
    Writer.made.remove(writer)
    one = writer.one
    monkeypatch.setattr(Inner, "to_representation", None)
    monkeypatch.setattr(LocalTimeField, "to_representation", None)
    assert one(SimpleNamespace(start="09:00", missing="no")) == {"start": "09:00", "missing": "no"}


@pytest.mark.parametrize(
    "accept",
    [
        *("*/*", "application/json", "application/json, text/plain, */*", "text/html, */*;q=0.8", "text/html", ""),
        *("application/*", "application/json; indent=4", "text/html;q=1, application/json", "*/*;q=0", "nonsense", ","),
        *("a/b," * 63 + "*/*", "a/b," * 64 + "*/*"),
    ],
)
def test_what_plainly_takes_json_takes_it_for_drf_too(accept: str) -> None:
    request = Request(APIRequestFactory().get("/", HTTP_ACCEPT=accept))
    try:
        renderer, _ = negotiation.DefaultContentNegotiation().select_renderer(request, [EnvelopeRenderer()])
        by_drf = renderer.media_type
    except NotAcceptable:
        by_drf = ""
    assert not takes_json(accept) or len(accept) > 200 or by_drf == "application/json"


def test_a_query_that_was_refused_is_asked_about_anew() -> None:
    checked_query.cache_clear()
    for _ in range(2):
        with pytest.raises(serializers.ValidationError):
            checked_query(DirectoryQuery, "page=x")
        assert checked_query(DirectoryQuery, "search=Zo%C3%AB&page=2")["search"] == "Zoë"
    assert checked_query.cache_info().hits == 1


@pytest.mark.django_db
def test_what_one_caller_does_with_a_query_is_not_remembered(api: APIClient) -> None:
    first = api.get("/api/doctors?page=3").json()["data"]["pagination"]
    assert api.get("/api/doctors?page=3").json()["data"]["pagination"] == first
    for accept, status in [("text/html", 406), ("application/json", 200), ("image/png, */*", 200)]:
        assert api.get("/api/doctors", HTTP_ACCEPT=accept).status_code == status
    assert api.head("/api/doctors").status_code == 200
    assert api.options("/api/doctors").status_code == 405
    assert api.post("/api/doctors").status_code == 405
