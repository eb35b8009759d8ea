"""Read many rows without holding all of them at once."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.db import connections
from django.db.models import QuerySet


def iterate(queryset: QuerySet[Any, Any], size: int) -> Iterator[Any]:
    """Return the rows of an ordered query that is not sliced, in portions of `size`.

    Behind a pooler no cursor outlives its transaction, and a transaction must not wait for a download: there
    the keys are read first, and the rows by their keys. A row that changes meanwhile is read as it is then.
    """
    if not connections[queryset.db].settings_dict.get("DISABLE_SERVER_SIDE_CURSORS"):
        yield from queryset.iterator(chunk_size=size)
        return
    keys = iter(list(queryset.values_list("pk", flat=True)))
    while portion := list(islice(keys, size)):
        yield from queryset.filter(pk__in=portion)
