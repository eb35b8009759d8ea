"""What of a doctor is searched, folded: columns kept beside the name, the specialization and the city.

After a change of what they are made of, raise `accounts.text.normalization.VERSION`.
"""

from typing import Any

from accounts.text.normalization import VERSION, fold_text, split_indexed_words, split_search_words

# The columns.
FOLDED = ("search_text", "name_key", "city_key", "folded_of", "folded_by")
# What people search for: not the field's name but its practitioner's.
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
# An order needs no more, and index entries have a limit of bytes.
KEY_LETTERS = 60


def city_key(city: str) -> str:
    """Return a city's words on one line, as they are kept and compared."""
    return " ".join(split_search_words(city))[:KEY_LETTERS].strip()


def searched_words(name: str, specialization: str) -> list[str]:
    """Return the words under which a doctor is found, each once."""
    texts = (name, specialization, PRACTITIONERS.get(specialization, ""))
    return list(dict.fromkeys(word for text in texts for word in split_indexed_words(text)))


def folded_columns(name: str, specialization: str, city: str) -> dict[str, Any]:
    """Return the columns that are made of these three, by their names.

    `search_text` is the words, each between two spaces, so that ` word ` finds a whole one and ` word` a beginning.
    `name_key` is bytes, which both engines put in one order, whatever the collation of the database.
    """
    found = searched_words(name, specialization)
    values = (
        f" {' '.join(found)} " if found else "",
        " ".join(fold_text(name).split())[:KEY_LETTERS].encode(),
        city_key(city),
        made_of(name, specialization, city),
        VERSION,
    )
    return dict(zip(FOLDED, values, strict=True))


def made_of(name: str, specialization: str, city: str) -> str:
    """Write the three in one text, as the triggers do, who compare it."""
    return f"{name}\n{specialization}\n{city}"
