"""Fold text for search: without case, accents and punctuation, in the same way on both engines.

Python does this because `lower`, `unaccent` and collations differ between databases and servers. Stored text and
queries are folded by the same functions. Increase `VERSION` when a result changes; the next migrate then refolds
stored text.
"""

import re
import unicodedata
from collections.abc import Iterator

VERSION = 2

# Longer words and texts are truncated, because index entries are limited in bytes.
MAX_WORD_LENGTH = 64
MAX_TEXT_LENGTH = 200

# Letters that Unicode does not decompose, but that people write without their stroke or as two letters.
LETTER_SPELLINGS = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ĸ": "k",
        "ŋ": "n", "ŧ": "t", "ƶ": "z", "ƀ": "b", "ǥ": "g", "ɨ": "i", "ʉ": "u", "ə": "e", "ⱥ": "a", "ɇ": "e", "ɉ": "j",
        "ɍ": "r", "ɏ": "y", "ꞓ": "c", "ȼ": "c", "ȿ": "s", "ɓ": "b", "ɗ": "d", "ɠ": "g", "ƙ": "k", "ƴ": "y",
    }
)  # fmt: skip
# Removed within a word, so that O'Neill is oneill with any of them.
APOSTROPHES = dict.fromkeys(map(ord, "'`´’‘‛ʼʹʻ′＇·"))
# Marks of these classes (Unicode 4.3) are parts of letters: nuktas, the dots of kana, viramas. Others are accents.
INSEPARABLE_MARK_CLASSES = range(10)
# Scripts without spaces between words, in which a search may begin anywhere in a word.
UNSPACED_SCRIPTS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)
MAX_UNSPACED_LENGTH = 12


def remove_accents(text: str) -> str:
    """Return text without accents, decomposed (NFKD)."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if unicodedata.combining(letter) in INSEPARABLE_MARK_CLASSES
    )


def fold_text(text: str) -> str:
    """Return text without case and accents; punctuation and spaces stay."""
    plain = remove_accents(remove_accents(text).casefold()).translate(LETTER_SPELLINGS)
    return unicodedata.normalize("NFC", plain)


def split_words(text: str) -> Iterator[list[str]]:
    """Return the words of a text, each as the list of its hyphenated parts, folded."""
    parts: list[str] = [""]
    # Before folding, which turns some apostrophes into spaces.
    for letter in fold_text(text.translate(APOSTROPHES)):
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


def split_search_words(text: str) -> list[str]:
    """Return the unique words of a search, in their order."""
    return list(dict.fromkeys(part[:MAX_WORD_LENGTH] for parts in split_words(text) for part in parts))


def split_indexed_words(text: str) -> list[str]:
    """Return the unique words under which a text is found.

    They include hyphenated words written as one, and the ends of words in scripts without spaces.
    """
    words: dict[str, None] = {}
    # After the plain words, so that truncation of a long text removes these first.
    variants: dict[str, None] = {}
    for parts in split_words(text):
        words |= {part[:MAX_WORD_LENGTH]: None for part in parts}
        if len(parts) > 1:
            variants["".join(parts)[:MAX_WORD_LENGTH]] = None
        for part in parts:
            if UNSPACED_SCRIPTS.search(part) and len(part) <= MAX_UNSPACED_LENGTH:
                variants |= {part[at:]: None for at in range(1, len(part))}
    result, length = [], 0
    for word in words | variants:
        length += len(word) + 1
        if length > MAX_TEXT_LENGTH:
            break
        result.append(word)
    return result


def is_one_edit_apart(word: str, other: str) -> bool:
    """Return whether inserting, deleting or replacing a letter, or swapping two neighbors, turns one into the other."""
    if abs(len(word) - len(other)) > 1 or word == other:
        return False
    start = 0
    while start < min(len(word), len(other)) and word[start] == other[start]:
        start += 1
    tail, other_tail = word[start:], other[start:]
    return (
        tail[1:] == other_tail[1:]
        or tail == other_tail[1:]
        or tail[1:] == other_tail
        or (len(tail) == len(other_tail) and tail[:2] == other_tail[1::-1] and tail[2:] == other_tail[2:])
    )
