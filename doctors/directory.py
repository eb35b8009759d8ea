"""Search, filter and order the public directory."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from accounts.folding import words
from doctors.search import Found, Search

ORDERINGS = ("-experience", "consultationFee", "-rating", "name", "nextFree")

# People write the title, which no name holds.
TITLES = {"dr", "doctor", "prof", "professor"}


def search(query: Mapping[str, Any], now: datetime) -> Found:
    """Answer the listed doctors that match `search`, `specialization` and `city`, in the order asked for.

    Each word of `search` must stand in the name or the specialization, or in what its doctors are called. Without an
    order, who matches best comes first. The id breaks ties, so that pages never repeat a row.
    """
    text, city = query.get("search", ""), query.get("city", "")
    asked = words(text)
    wanted = [word for word in asked if word not in TITLES]
    # Signs alone are in nobody's name.
    is_vain = bool(text.strip() and not asked) or bool(city.strip() and not words(city))
    return Found(
        Search(
            text=" ".join(wanted),
            specialization=query.get("specialization") or "",
            city=city,
            available_by=query.get("availableBy"),
            ordering=query.get("ordering") or "",
            now=now,
            is_vain=is_vain,
        )
    )
