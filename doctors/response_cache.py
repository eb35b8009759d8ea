"""Cache of the public directory for visitors, whose data may be a few seconds old.

Each process caches whole responses, compressed, for `PUBLIC_CACHE_SECONDS`. Signed-in users and visitors who hold a
slot always get current data, and booking checks the database, so a stale slot is refused with alternatives. Browsers
revalidate each time (`no-cache` with an ETag), so that no second lifetime adds to this one.

Measured in one process on SQLite with 1,000 doctors: a cached page of the directory takes 0.6 ms, middleware included,
and is 13 to 27 times as fast as a computed one. Compressing it for each response (GZipMiddleware) would take 2.7 times
as long. `benchmarks/overhead.py` holds the first ratio to at least 6.
"""

import hashlib
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework import serializers

from config.api.viewsets import MAX_CACHED_LENGTH, accepts_json, validate_cached_query
from config.http.compression import QUICK_COMPRESSORS, choose_coding
from config.http.etag import etag_of
from doctors.directory.demand_stats import record_missed_search
from doctors.serializers import DirectoryQuery, SlotsQuery

# A list of 20 doctors takes 26 kB, or 5 kB compressed. With the cache's MAX_ENTRIES this bounds its memory.
MAX_BODY_BYTES = 32_000
# A smaller body fits into one packet.
MIN_COMPRESSED_BYTES = 1_000

QUERY_SERIALIZERS: dict[str, type[serializers.Serializer[Any]] | None] = {
    "list": DirectoryQuery,
    "filters": None,
    "retrieve": None,
    "slots": SlotsQuery,
}


class CachedResponse(NamedTuple):
    """A successful response to visitors."""

    body: bytes
    headers: dict[str, str]
    # Unix time before the data were read.
    read_at: float
    # Specialization and city in which a search found no free time.
    missed_at: tuple[str, str] | None
    # Whether a search for free times found any; None for other responses.
    found_times: bool | None

    def is_fresh(self, now: float) -> bool:
        """Return whether the response may be served; False after the clock was set back."""
        return self.read_at <= now < self.read_at + settings.PUBLIC_CACHE_SECONDS


def is_visitor(request: HttpRequest) -> bool:
    """Return whether a request reads without a session (the API reads no cookies) and without a hold of its own."""
    is_read = request.method in {"GET", "HEAD"}
    return is_read and "HTTP_AUTHORIZATION" not in request.META and not request.GET.get("holdId")


def build_cache_key(view: Any, request: HttpRequest, coding: str) -> str | None:
    """Return the key of a visitor's request, the same for all spellings of a query; None if it is not cached.

    Unknown parameters are left out, so that they can't fill the cache.
    """
    meta = request.META
    query, accept = meta.get("QUERY_STRING", ""), meta.get("HTTP_ACCEPT", "*/*")
    # A character set changes how the query is decoded, and parameters of the media type are part of the response.
    is_plain = request.encoding is None and not request.content_params
    if not is_plain or max(len(query), len(accept)) > MAX_CACHED_LENGTH or not accepts_json(accept):
        return None
    action = view.action_map[(request.method or "").lower()]
    serializer_class = QUERY_SERIALIZERS[action]
    try:
        parameters = sorted(validate_cached_query(serializer_class, query).items()) if serializer_class else []
    except serializers.ValidationError:
        return None
    # Hashed, since keys of Django's caches are short and without spaces.
    return hashlib.sha256(repr((action, view.kwargs.get("pk"), parameters, coding)).encode()).hexdigest()


def get_cached_response(view: Any, request: HttpRequest, respond: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return a visitor's response from the cache, or from `respond`, which is then cached.

    The view's `missed_at` and `found_times` are stored with the response, so that each search is counted.
    """
    coding = choose_coding(request)
    key = build_cache_key(view, request, coding)
    if key is None:
        return respond()
    is_enabled = settings.PUBLIC_CACHE_SECONDS > 0
    now = time.time()
    entry: CachedResponse | None = caches["public"].get(key) if is_enabled else None
    if entry is not None and entry.is_fresh(now):
        view.found_times = entry.found_times
        if entry.missed_at:
            record_missed_search(timezone.now(), *entry.missed_at)
    else:
        response: Any = respond()
        if response.status_code != 200:
            return response  # type: ignore[no-any-return]  # an error, which is not cached
        response.render()
        entry = CachedResponse(*compress(response, coding), now, view.missed_at, view.found_times)
        if is_enabled and len(entry.body) <= MAX_BODY_BYTES:
            caches["public"].set(key, entry, settings.PUBLIC_CACHE_SECONDS)
    response = HttpResponse(entry.body, headers=entry.headers)
    return get_conditional_response(request, entry.headers["ETag"], response=response) or response


def compress(response: HttpResponse, coding: str) -> tuple[bytes, dict[str, str]]:
    """Return the compressed body and the headers. Nothing in the body is secret, so its length may reveal content."""
    body = response.content
    if coding and len(body) >= MIN_COMPRESSED_BYTES:
        body = QUICK_COMPRESSORS[coding](body)
        response["Content-Encoding"] = coding
    response["ETag"] = etag_of(body)
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept-Encoding", "Authorization"])
    return body, dict(response.items())
