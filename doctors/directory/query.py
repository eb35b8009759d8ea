"""Search, filter and order the public directory."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from accounts.text.normalization import split_search_words
from doctors.directory.search import Search, SearchResult
from doctors.models import Specialization
from doctors.models.profile import FILTER_SPECIALIZATIONS

ORDERINGS = ("-experience", "consultationFee", "-rating", "name", "nextFree")

# People type titles, which names don't contain.
TITLES = {"dr", "doctor", "prof", "professor"}


def search_directory(query: Mapping[str, Any], now: datetime) -> SearchResult:
    """Return the listed doctors that match `search`, `specialization` and `city`, in the requested order.

    Each word of `search` must be in the name or the specialization, or name the specialty in everyday words.
    Without an ordering, the best match comes first. The id breaks ties, so that pages never repeat a row.
    """
    text, city = query.get("search", ""), query.get("city", "")
    words = split_search_words(text)
    wanted = [word for word in words if word not in TITLES]
    # Punctuation alone matches nothing.
    matches_nothing = bool(text.strip() and not words) or bool(city.strip() and not split_search_words(city))
    return SearchResult(
        Search(
            text=" ".join(wanted),
            specialization=query.get("specialization") or "",
            city=city,
            available_by=query.get("availableBy"),
            ordering=query.get("ordering") or "",
            now=now,
            matches_nothing=matches_nothing,
            is_literal=query.get("literal", False),
        )
    )


class SearchExample(NamedTuple):
    """A search that finds a doctor."""

    specialization: str
    city: str


class DirectoryFilters(NamedTuple):
    """The choices of the directory's form."""

    specializations: list[str]
    example: SearchExample | None


def list_filters(now: datetime) -> DirectoryFilters:
    """Return the specializations to filter by, and an example of a search that finds a doctor.

    The specification's list comes first, then the other specializations that have listed doctors.
    """
    search = Search(now=now)
    others = [name for name in Specialization.values if name not in FILTER_SPECIALIZATIONS]
    example = search.find_example()
    return DirectoryFilters(
        [*FILTER_SPECIALIZATIONS, *search.filter_staffed(others)],
        SearchExample(*example) if example else None,
    )
