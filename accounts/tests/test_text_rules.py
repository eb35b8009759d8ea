"""What text may hold, for the fields that other apps reuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from accounts.addresses import canonical_email
from accounts.text_rules import EmailAddressField, FreeTextField, LineField, NameField, TimeZoneField


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Two lines\nof text", "Two lines\nof text"),
        ("Windows\r\nlines\rand old ones", "Windows\nlines\nand old ones"),
        ("a\ttab", "a\ttab"),
        ("fever > 39 \u00b0C \U0001f912 <b>since Monday</b>", "fever > 39 \u00b0C \U0001f912 <b>since Monday</b>"),
        ("family \U0001f468\u200d\U0001f469\u200d\U0001f467", "family \U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("\u05db\u05d0\u05d1 \u05e8\u05d0\u05e9", "\u05db\u05d0\u05d1 \u05e8\u05d0\u05e9"),
        ("cafe\u0301", "caf\u00e9"),
        ("  edges \n", "edges"),
    ],
)
def test_free_text_is_a_person_s_own_words(sent, kept):
    assert FreeTextField().run_validation(sent) == kept


@pytest.mark.parametrize(
    "text",
    [
        "a\x00b", "a\x07b", "a\x1b[31mb", "a\x7fb", "a\x85b", "a\u2028b", "a\ud800b", "a\ufdd0b", "a\u202eb",
        "a\u2066b", "a\u200fb", "x" * 2001, "x" * 1_000_000, 7, None, ["a"], {"a": 1}, True,
    ],
)  # fmt: skip
def test_free_text_holds_nothing_invisible(text):
    with pytest.raises(ValidationError):
        FreeTextField().run_validation(text)


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\u200bb", "a\u2028b", "a\ufeffb", "a\u202db", "x" * 201])
def test_a_line_is_one_line(text):
    with pytest.raises(ValidationError):
        LineField(max_length=200).run_validation(text)


def test_a_line_keeps_what_scripts_need():
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # with a zero-width non-joiner

    assert LineField(max_length=200).run_validation(persian) == persian


def test_lengths_count_what_is_kept():
    # Decomposed, these are 240 characters; kept are 120.
    assert NameField().run_validation("e\u0301" * 120) == "\u00e9" * 120
    with pytest.raises(ValidationError):
        NameField().run_validation("e\u0301" * 121)


@pytest.mark.parametrize("name", ["Win https://prizes.example", "ada@example.com", "www.example.org/x", "Ana \\N Ruiz"])
def test_a_name_is_no_address(name):
    with pytest.raises(ValidationError, match="apostrophes"):
        NameField().run_validation(name)


@pytest.mark.parametrize(
    "name",
    ["Mary-Jane O\u2019Brien, Jr.", "Anna (Ann) Lee", "\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9", "J. T\u00f8rn"],
)
def test_names_are_written_in_many_ways(name):
    assert NameField().run_validation(name) == name


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", "UTC", "Asia/Kolkata", "Etc/GMT-3"])
def test_zones_of_the_iana_database_are_known(zone):
    assert TimeZoneField().run_validation(zone) == zone


@given(st.text(max_size=60))
def test_any_text_is_a_line_or_refused(text):
    try:
        kept = LineField(max_length=60, allow_blank=True).run_validation(text)
    except ValidationError:
        return
    assert LineField(max_length=60, allow_blank=True).run_validation(kept) == kept
    kept.encode()


@given(st.emails() | st.text(max_size=60).map(lambda text: f"{text}@example.com"))
def test_any_address_that_is_taken_has_one_spelling(text):
    try:
        kept = EmailAddressField().run_validation(text)
    except ValidationError:
        return
    assert canonical_email(kept) == kept == EmailAddressField().run_validation(kept)
    assert kept.isascii()
    if text.isascii():
        assert EmailAddressField().run_validation(text.upper()) == kept
