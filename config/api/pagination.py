"""Pagination of lists."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from django.db.models import QuerySet
from rest_framework import serializers

from config.api.errors import DomainError


class PaginationSerializer(serializers.Serializer):  # type: ignore[type-arg]  # describes a dict
    """The position of a page in its list."""

    page = serializers.IntegerField()
    pageSize = serializers.IntegerField()
    hasNext = serializers.BooleanField()
    count = serializers.IntegerField(help_text="Counting stops at 1,000.")
    countIsExact = serializers.BooleanField(help_text="False where there are more than `count`.")


class PageQuery(serializers.Serializer):  # type: ignore[type-arg]  # describes query parameters
    """The pagination parameters of a list."""

    page = serializers.IntegerField(default=1, min_value=1, max_value=10_000)
    pageSize = serializers.IntegerField(default=20, min_value=1, max_value=100)


COUNT_LIMIT = 1_000
ROW_LIMIT = 10_000


class Countable(Protocol):
    """A queryset or a slice of one, for counting."""

    def __getitem__(self, part: slice, /) -> Any: ...

    def count(self) -> int: ...


class Rows(Protocol):
    """A queryset, or an object that can be sliced and counted like one."""

    def __getitem__(self, part: slice, /) -> Iterable[Any]: ...

    def order_by(self) -> Countable:
        """Return the same rows, unordered."""


class ConcatenatedRows:
    """Two ordered querysets, concatenated and sliced and counted like one."""

    def __init__(self, rows: QuerySet[Any], first: QuerySet[Any], rest: QuerySet[Any]) -> None:
        self.rows, self.first, self.rest = rows, first, rest

    def __getitem__(self, part: slice) -> list[Any]:
        start, stop = part.start or 0, part.stop
        rows = list(self.first[start:stop])
        if len(rows) == stop - start:
            return rows
        before = start + len(rows) if rows else self.first.order_by()[:stop].count()
        return rows + list(self.rest[max(0, start - before) : stop - before])

    def order_by(self) -> QuerySet[Any]:
        """Return all rows, unordered."""
        return self.rows.order_by()


class Page:
    """One page of a queryset, read in two statements: the rows, and a count that stops at 1,000."""

    def __init__(self, queryset: Rows, query: Mapping[str, Any]) -> None:
        self.number, self.size = query["page"], query["pageSize"]
        first = (self.number - 1) * self.size
        if first >= ROW_LIMIT:
            raise DomainError(
                "invalid", errors={"page": ["Only the first 10,000 rows can be paged; narrow the search."]}
            )
        rows = list(queryset[first : first + self.size + 1])
        self.rows = rows[: self.size]
        self.has_next = len(rows) > self.size and first + self.size < ROW_LIMIT
        counted = queryset.order_by()[: COUNT_LIMIT + 1].count()
        self.count, self.is_exact = min(counted, COUNT_LIMIT), counted <= COUNT_LIMIT

    @property
    def pagination(self) -> dict[str, Any]:
        """Return `data.pagination`."""
        return {
            "page": self.number,
            "pageSize": self.size,
            "hasNext": self.has_next,
            "count": self.count,
            "countIsExact": self.is_exact,
        }
