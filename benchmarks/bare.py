"""What the product is compared with: plain Django functions that send the same SQL, and nothing else.

`replay` keeps no copy of the product's statements, which would fall behind them: asked for an address for the first
time, it has the product answer it once, keeps each SELECT with its values, and from then on sends those, all rows
read, and writes them as JSON.
"""

from collections.abc import Callable
from typing import Any

import orjson
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import resolve

Statements = list[tuple[str, Any]]
kept: dict[str, Statements] = {}


def recorded(address: str) -> Statements:
    """Have the product answer an address; answer the SELECT statements that it sent."""
    found: Statements = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().startswith(("SELECT", "WITH")):
            found.append((sql, params))
        return execute(sql, params, many, context)

    path, _, _ = address.partition("?")
    view = resolve(path)
    with connection.execute_wrapper(note):
        answer = view.func(RequestFactory().get(address), *view.args, **view.kwargs)
        if hasattr(answer, "render"):
            answer.render()
    if answer.status_code != 200:
        raise RuntimeError(f"{address} answers {answer.status_code}")
    return found


def replay(request: HttpRequest) -> HttpResponse:
    """Send the statements of `?of=` and write their rows."""
    address = request.GET["of"]
    if address not in kept:
        kept[address] = recorded(address)
    rows = []
    with connection.cursor() as cursor:
        for sql, params in kept[address]:
            cursor.execute(sql, params)
            rows.append(cursor.fetchall())
    return written(rows)


def written(value: Any) -> HttpResponse:
    """Write a value as JSON; no middleware tells the length here."""
    body = orjson.dumps(value, default=str)
    return HttpResponse(body, content_type="application/json", headers={"Content-Length": str(len(body))})


def statements_of(address: str) -> list[str]:
    """Answer the statements of an address with their values written in; for pgbench."""
    texts = []
    for sql, params in recorded(address):
        with connection.cursor() as cursor:
            texts.append(cursor.mogrify(sql, params) if hasattr(cursor, "mogrify") else sql)
    return [text.decode() if isinstance(text, bytes) else str(text) for text in texts]


def book(request: HttpRequest) -> HttpResponse:
    """Stand in for the booking until its own inserts stand here."""
    raise NotImplementedError
