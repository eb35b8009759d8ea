"""What of a doctor is searched, folded: columns kept beside the name, the specialization and the city."""

from typing import Any

from accounts.folding import VERSION, fold, stored_words, words

# The columns.
FOLDED = ("search_text", "name_key", "city_key", "folded_of", "folded_by")
# An order needs no more, and index entries have a limit of bytes.
KEY_LETTERS = 60


def city_key(city: str) -> str:
    """Answer a city's words on one line, as they are kept and compared."""
    return " ".join(words(city))[:KEY_LETTERS].strip()


def folded_columns(name: str, specialization: str, city: str) -> dict[str, Any]:
    """Answer the columns that are made of these three, by their names.

    `search_text` is the words, each between two spaces, so that ` word ` finds a whole one and ` word` a beginning.
    `name_key` is bytes, which both engines put in one order, whatever the collation of the database.
    """
    found = dict.fromkeys([*stored_words(name), *stored_words(specialization)])
    values = (
        f" {' '.join(found)} " if found else "",
        " ".join(fold(name).split())[:KEY_LETTERS].encode(),
        city_key(city),
        made_of(name, specialization, city),
        VERSION,
    )
    return dict(zip(FOLDED, values, strict=True))


def made_of(name: str, specialization: str, city: str) -> str:
    """Write the three in one text, as the triggers do, who compare it."""
    return f"{name}\n{specialization}\n{city}"
