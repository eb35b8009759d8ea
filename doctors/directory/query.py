"""Search, filter and order the public directory."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from accounts.text.normalization import split_search_words
from doctors.directory.search import Found, Search
from doctors.models import Specialization
from doctors.models.profile import FILTER_SPECIALIZATIONS

ORDERINGS = ("-experience", "consultationFee", "-rating", "name", "nextFree")

# People write the title, which no name holds.
TITLES = {"dr", "doctor", "prof", "professor"}


def search(query: Mapping[str, Any], now: datetime) -> Found:
    """Return the listed doctors that match `search`, `specialization` and `city`, in the order asked for.

    Each word of `search` must be in the name or the specialization, or name the specialty in everyday words. Without an
    order, who matches best comes first. The id breaks ties, so that pages never repeat a row.
    """
    text, city = query.get("search", ""), query.get("city", "")
    asked = split_search_words(text)
    wanted = [word for word in asked if word not in TITLES]
    # Signs alone are in nobody's name.
    is_vain = bool(text.strip() and not asked) or bool(city.strip() and not split_search_words(city))
    return Found(
        Search(
            text=" ".join(wanted),
            specialization=query.get("specialization") or "",
            city=city,
            available_by=query.get("availableBy"),
            ordering=query.get("ordering") or "",
            now=now,
            is_vain=is_vain,
            is_literal=query.get("literal", False),
        )
    )


class SearchExample(NamedTuple):
    """A specialization and a city where somebody is found."""

    specialization: str
    city: str


class DirectoryFilters(NamedTuple):
    """What the directory's form offers."""

    specializations: list[str]
    example: SearchExample | None


def read_filters(now: datetime) -> DirectoryFilters:
    """Return the specializations to filter by, and an example of a search that finds somebody.

    The specification's list comes first and complete; the other specializations follow as far as they have doctors.
    """
    search = Search(now=now)
    others = [name for name in Specialization.values if name not in FILTER_SPECIALIZATIONS]
    example = search.find_example()
    return DirectoryFilters(
        [*FILTER_SPECIALIZATIONS, *search.keep_staffed(others)],
        SearchExample(*example) if example else None,
    )
