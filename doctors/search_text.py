"""The folded columns by which doctors are searched, made from name, specialization and city.

After a change here, increase `accounts.text.normalization.VERSION`.
"""

from typing import Any

from accounts.text.normalization import VERSION, fold_text, split_indexed_words, split_search_words

FOLDED_COLUMNS = ("search_text", "name_key", "city_key", "folded_of", "folded_by")
# People search for practitioners rather than for the specialty's name.
PRACTITIONERS = {
    "Cardiology": "cardiologist",
    "Dermatology": "dermatologist",
    "Endocrinology": "endocrinologist",
    "Gastroenterology": "gastroenterologist",
    "General Medicine": "general practitioner gp",
    "Gynecology": "gynecologist",
    "Neurology": "neurologist",
    "Oncology": "oncologist",
    "Ophthalmology": "ophthalmologist",
    "Orthopedics": "orthopedist",
    "Pediatrics": "pediatrician",
    "Psychiatry": "psychiatrist",
    "Pulmonology": "pulmonologist",
    "Radiology": "radiologist",
    "Surgery": "surgeon",
    "Urology": "urologist",
}
# Enough for sorting; index entries are limited in bytes.
MAX_KEY_LENGTH = 60


def build_city_key(city: str) -> str:
    """Return a city as it is stored and compared."""
    return " ".join(split_search_words(city))[:MAX_KEY_LENGTH].strip()


def list_indexed_words(name: str, specialization: str) -> list[str]:
    """Return the unique words under which a doctor is found."""
    texts = (name, specialization, PRACTITIONERS.get(specialization, ""))
    return list(dict.fromkeys(word for text in texts for word in split_indexed_words(text)))


def build_folded_columns(name: str, specialization: str, city: str) -> dict[str, Any]:
    """Return the folded columns by name.

    `search_text` contains the words, each between two spaces, so that ` word ` matches a whole word and ` word` a
    prefix. `name_key` is binary, so that both engines sort it in the same way, whatever the collation of the database.
    """
    found = list_indexed_words(name, specialization)
    values = (
        f" {' '.join(found)} " if found else "",
        " ".join(fold_text(name).split())[:MAX_KEY_LENGTH].encode(),
        build_city_key(city),
        build_source_text(name, specialization, city),
        VERSION,
    )
    return dict(zip(FOLDED_COLUMNS, values, strict=True))


def build_source_text(name: str, specialization: str, city: str) -> str:
    """Return the three as one text, which the triggers compare."""
    return f"{name}\n{specialization}\n{city}"
