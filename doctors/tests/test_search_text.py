"""Test the normalization of searched words, which is the same for stored text and queries on every engine."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.text.normalization import (
    MAX_TEXT_LENGTH,
    MAX_WORD_LENGTH,
    fold_text,
    is_one_edit_apart,
    split_indexed_words,
    split_search_words,
)
from doctors.search_text import build_folded_columns

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=120)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("José García", ["jose", "garcia"]),
        ("JOSÉ  garci\u0301a", ["jose", "garcia"]),
        ("Straße Groß", ["strasse", "gross"]),
        ("Øyvind Åse Łukasz Đorđe Æsa Œuvre Þór Hałina Ħal", [
            "oyvind", "ase", "lukasz", "dorde", "aesa", "oeuvre", "thor", "halina", "hal",
        ]),
        ("O'Neill O’Neill O´Neill OʼNeill", ["oneill"]),
        ("Müller-Lüdenscheidt Müller‐Lüdenscheidt", ["muller", "ludenscheidt"]),
        ("IŞIK ışık Işık İstanbul", ["isik", "istanbul"]),
        ("ΟΔΥΣΣΕΎΣ Οδυσσεύς", ["οδυσσευσ"]),
        ("МАРИЯ Фёдор Фэдор", ["мария", "федор", "фэдор"]),
        ("Ngọc Nguyễn Trần", ["ngoc", "nguyen", "tran"]),
        ("山田 ガ か", ["山田", "ガ", "か"]),
        ("김민준", ["김민준"]),
        ("मुहम्मद", ["मुहम्मद"]),
        ("مُحَمَّد محمد", ["محمد"]),
        ("ｆｕｌｌ ﬁne Ⅳ", ["full", "fine", "iv"]),
        ("% _ \" * ^ : 🙂 \x00", []),
        ("x" * 100, ["x" * MAX_WORD_LENGTH]),
    ],
)  # fmt: skip
def test_words_are_normalized(text, folded):
    assert split_search_words(text) == folded


def test_hyphenated_word_is_found_as_one_word_too():
    assert split_indexed_words("Anna-Lena O'Neill") == ["anna", "lena", "oneill", "annalena"]


def test_a_script_without_spaces_is_found_by_the_end_of_a_name():
    assert split_indexed_words("田中太郎") == ["田中太郎", "中太郎", "太郎", "郎"]


@given(TEXTS)
def test_normalization_is_idempotent_and_bounded(text):
    once = split_search_words(text)
    assert split_search_words(" ".join(once)) == once
    assert (
        fold_text(text)
        == fold_text(unicodedata.normalize("NFD", text))
        == fold_text(unicodedata.normalize("NFC", text))
    )
    assert split_search_words(text) == split_search_words(unicodedata.normalize("NFC", text))
    for word in split_indexed_words(text):
        assert 0 < len(word) <= MAX_WORD_LENGTH
        assert all(unicodedata.category(letter)[0] in "LNM" for letter in word)
    assert sum(len(word) + 1 for word in split_indexed_words(text)) <= MAX_TEXT_LENGTH
    kept = build_folded_columns(text, "Cardiology", text)
    # What an index entry of either engine holds.
    assert len(kept["search_text"].encode()) + len(kept["city_key"].encode()) + len(kept["name_key"]) < 2_400


@given(TEXTS)
def test_every_stored_name_is_found_by_each_of_its_words(text):
    asked, stored = split_search_words(text), split_indexed_words(text)
    within = len(" ".join(asked)) < MAX_TEXT_LENGTH
    assert stored[: len(asked)] == asked if within else stored == asked[: len(stored)]


@given(st.text("abcd", max_size=6), st.text("abcd", max_size=6))
def test_one_edit_matches_the_definition(one, other):
    def edits(word):
        for at in range(len(word) + 1):
            yield from (word[:at] + letter + word[at:] for letter in "abcd")
        for at in range(len(word)):
            yield word[:at] + word[at + 1 :]
            yield from (word[:at] + letter + word[at + 1 :] for letter in "abcd")
            yield word[:at] + word[at : at + 2][::-1] + word[at + 2 :]

    assert is_one_edit_apart(one, other) is (one != other and other in set(edits(one)))
