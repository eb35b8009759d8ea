"""One spelling for words that are searched: without case, accents and punctuation, on every engine the same.

Done here and not by the database, since `lower`, `unaccent` and collations differ from one engine and one server to the
next. What is stored and what is looked for go through the same function. Raise `VERSION` when an answer changes:
stored words are then refolded after the next migrate.
"""

import re
import unicodedata
from collections.abc import Iterator

VERSION = 2

# Longer words are cut, and a text keeps so many letters: index entries have a limit of bytes.
WORD_LETTERS = 64
TEXT_LETTERS = 200

# Letters that Unicode does not take apart though people write them without their stroke or as two.
LETTERS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ĸ": "k",
        "ŋ": "n", "ŧ": "t", "ƶ": "z", "ƀ": "b", "ǥ": "g", "ɨ": "i", "ʉ": "u", "ə": "e", "ⱥ": "a", "ɇ": "e", "ɉ": "j",
        "ɍ": "r", "ɏ": "y", "ꞓ": "c", "ȼ": "c", "ȿ": "s", "ɓ": "b", "ɗ": "d", "ɠ": "g", "ƙ": "k", "ƴ": "y",
    }
)  # fmt: skip
# Within a word these are left out: O'Neill is oneill, written with whichever sign.
APOSTROPHES = dict.fromkeys(map(ord, "'`´’‘‛ʼʹʻ′＇·"))
# Marks of these classes (Unicode 4.3) are parts of letters: nuktas, the dots of kana, viramas. Others are accents.
LETTERS_OWN_MARKS = range(10)
# Scripts that put no space between words, so that a name's later parts would never begin one.
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
UNSPACED_LETTERS = 12


def without_accents(text: str) -> str:
    """Take text apart (NFKD) and leave out the accents."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text) if unicodedata.combining(letter) in LETTERS_OWN_MARKS
    )


def fold(text: str) -> str:
    """Return text without case and accents; punctuation and spaces stay."""
    plain = without_accents(without_accents(text).casefold()).translate(LETTERS)
    return unicodedata.normalize("NFC", plain)


def tokens(text: str) -> Iterator[list[str]]:
    """Return the words of a text, each as the list of its hyphenated parts, folded."""
    parts: list[str] = [""]
    # Before the folding, which makes a space of some.
    for letter in fold(text.translate(APOSTROPHES)):
        category = unicodedata.category(letter)
        if category[0] in "LNM":
            parts[-1] += letter
        elif ord(letter) in APOSTROPHES or category == "Cf":
            continue
        elif category == "Pd":
            parts.append("")
        else:
            yield [part for part in parts if part]
            parts = [""]
    yield [part for part in parts if part]


def words(text: str) -> list[str]:
    """Return the words that a search asks for, each once, in their order."""
    return list(dict.fromkeys(part[:WORD_LETTERS] for parts in tokens(text) for part in parts))


def stored_words(text: str) -> list[str]:
    """Return the words under which a text is found, each once.

    Besides its words these are hyphenated ones written as one, and the ends of words in scripts without spaces.
    """
    plain: dict[str, None] = {}
    # Behind the plain ones, so that these are what a long text goes without.
    more: dict[str, None] = {}
    for parts in tokens(text):
        plain |= {part[:WORD_LETTERS]: None for part in parts}
        if len(parts) > 1:
            more["".join(parts)[:WORD_LETTERS]] = None
        for part in parts:
            if UNSPACED.search(part) and len(part) <= UNSPACED_LETTERS:
                more |= {part[at:]: None for at in range(1, len(part))}
    kept, letters = [], 0
    for word in plain | more:
        letters += len(word) + 1
        if letters > TEXT_LETTERS:
            break
        kept.append(word)
    return kept


def one_edit_apart(one: str, other: str) -> bool:
    """Return whether one letter more, less or other, or two neighbours swapped, makes one word of the other."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, others = one[start:], other[start:]
    return (
        rest[1:] == others[1:]
        or rest == others[1:]
        or rest[1:] == others
        or (len(rest) == len(others) and rest[:2] == others[1::-1] and rest[2:] == others[2:])
    )
