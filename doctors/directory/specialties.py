"""Find the specialties that a search names, by their own, practitioners' or everyday words.

A word of a specialty matches that specialty and nothing else. "Urology" must not bring neurologists, in whose specialty
it is contained, nor "ENT" the gastroenterologists: in health care a wrong specialty is worse than no result.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from accounts.text.normalization import is_one_edit_apart, split_search_words
from doctors.models import Specialization
from doctors.search_text import PRACTITIONERS

# One line per specialty; phrases of several words between slashes.
EVERYDAY_WORDS = {
    "Cardiology": "heart / cardiac / cardiovascular",
    "Dermatology": "skin / acne / eczema / mole / moles",
    "Endocrinology": "hormone / hormones / hormonal / diabetes / diabetologist / thyroid",
    "Gastroenterology": "stomach / gut / bowel / digestive / digestion / liver / gastro / gi",
    "General Medicine": (
        "family / primary care / pcp / internist / internal medicine / family medicine / general practice / checkup"
        " / check up"
    ),
    "Gynecology": (
        "women / womens / woman / ob gyn / obgyn / obstetrics / obstetrician / pregnancy / gynaecology / gynaecologist"
    ),
    "Neurology": "brain / nerve / nerves / headache / migraine / epilepsy",
    "Oncology": "cancer / tumor / tumour",
    "Ophthalmology": "eye / eyes / vision / cataract",
    "Orthopedics": (
        "bone / bones / joint / joints / knee / hip / spine / orthopedic / orthopaedics / orthopaedic / orthopaedist"
    ),
    "Pediatrics": (
        "kid / kids / child / children / childrens / baby / babies / infant / pediatric / paediatrics / paediatrician"
    ),
    "Psychiatry": (
        "mental / mental health / therapist / therapy / psychotherapist / psychotherapy / psychologist / psychology"
        " / counselor / counsellor / counseling / depression / anxiety"
    ),
    "Pulmonology": "lung / lungs / asthma / breathing / respiratory",
    "Radiology": "xray / x ray / imaging / mri / ultrasound",
    "Surgery": "surgical / general surgery / general surgeon",
    "Urology": "kidney / kidneys / bladder / prostate / urinary",
}
# Specialties that don't exist here. They find only people with that name.
UNLISTED_WORDS = """
ent / ear nose throat / ear nose and throat / otolaryngology / otolaryngologist / dentist / dental / dentistry / teeth
/ orthodontist / allergy / allergist / rheumatology / rheumatologist / nephrology / nephrologist / hematology
/ hematologist / haematology / neurosurgery / neurosurgeon / chiropractor / podiatrist / podiatry / physiotherapist
/ physiotherapy / anesthesiology / anesthesiologist / optometrist
"""
MAX_PHRASE_WORDS = 4
# Shorter words are too similar to names: "Brian" is not corrected to "brain".
MIN_CORRECTED_LETTERS = 6


def split_terms(text: str) -> Iterator[str]:
    """Yield the terms of a line, each as folded words with single spaces."""
    for term in text.split("/"):
        if term.strip():
            yield " ".join(split_search_words(term))


# The words that the index contains for every doctor of a specialty.
INDEXED_WORDS = frozenset(
    word for name in Specialization.values for word in split_search_words(f"{name} {PRACTITIONERS.get(name, '')}")
)


def collect_terms() -> dict[str, tuple[str, ...]]:
    """Return every word and phrase that names specialties, with those specialties."""
    terms: dict[str, dict[str, None]] = {word: {} for word in INDEXED_WORDS}
    terms |= {term: {} for term in split_terms(UNLISTED_WORDS)}
    for name in Specialization.values:
        own = [*split_search_words(name), *split_search_words(PRACTITIONERS.get(name, ""))]
        for term in (" ".join(split_search_words(name)), *own, *split_terms(EVERYDAY_WORDS.get(name, ""))):
            terms.setdefault(term, {})[name] = None
    return {term: tuple(names) for term, names in terms.items()}


TERMS = collect_terms()


@dataclass(frozen=True)
class AskedWord:
    """A word of a search, or a phrase that names a specialty; `specializations` is None for an ordinary word."""

    text: str
    specializations: tuple[str, ...] | None = None

    @property
    def is_specialty(self) -> bool:
        return self.specializations is not None


def find_term(text: str) -> str | None:
    """Return the term that equals a word or phrase, or whose plural it is."""
    if text in TERMS:
        return text
    return text[:-1] if text.endswith("s") and text[:-1] in TERMS else None


def parse_search(asked: Iterable[str]) -> list[AskedWord]:
    """Return the words and phrases of a search, with the specialties that they name."""
    rest, parsed = list(asked), []
    while rest:
        for length in range(min(MAX_PHRASE_WORDS, len(rest)), 0, -1):
            text = " ".join(rest[:length])
            term = find_term(text)
            if term is not None or length == 1:
                parsed.append(AskedWord(text, TERMS[term] if term is not None else None))
                rest = rest[length:]
                break
    return parsed


def find_closest_term(word: str) -> AskedWord | None:
    """Return the specialty that a misspelled word most likely means."""
    singular = word.removesuffix("s")
    near = sorted(
        (term[0] != word[0], term not in INDEXED_WORDS, term)
        for term in TERMS
        if len(term) >= MIN_CORRECTED_LETTERS
        and (term[0] == word[0] or term in INDEXED_WORDS)
        and any(is_one_edit_apart(spelling, term) for spelling in {word, singular})
    )
    return AskedWord(near[0][2], TERMS[near[0][2]]) if near else None
