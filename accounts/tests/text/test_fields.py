"""Test the text fields that all apps share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.exceptions import ValidationError

from accounts.text.email_addresses import canonical_email
from accounts.text.fields import EmailAddressField, FreeTextField, LineField, NameField, TimeZoneField

pytestmark = pytest.mark.either_engine

# Old and new, generic and of countries, in other scripts too.
TOP_LEVEL_DOMAINS = (
    "com", "org", "net", "de", "li", "ng", "la", "io", "example", "museum", "photography", "kim", "xn--p1ai",
    "\u0440\u0444", "\u4e2d\u56fd", "\u09ad\u09be\u09b0\u09a4", "\u0627\u0645\u0627\u0631\u0627\u062a",
)  # fmt: skip


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
def test_free_text_is_kept_as_typed(sent, kept):
    assert FreeTextField().run_validation(sent) == kept


@pytest.mark.parametrize(
    "text",
    [
        "a\x00b", "a\x07b", "a\x1b[31mb", "a\x7fb", "a\x85b", "a\u2028b", "a\ud800b", "a\ufdd0b", "a\u202eb",
        "a\u2066b", "a\u200fb", "x" * 2001, "x" * 1_000_000, 7, None, ["a"], {"a": 1}, True,
    ],
)  # fmt: skip
def test_free_text_drops_invisible_characters(text):
    with pytest.raises(ValidationError):
        FreeTextField().run_validation(text)


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\u200bb", "a\u2028b", "a\ufeffb", "a\u202db", "x" * 201])
def test_line_field_rejects_line_breaks(text):
    with pytest.raises(ValidationError):
        LineField(max_length=200).run_validation(text)


def test_line_field_keeps_joiners_that_scripts_need():
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # with a zero-width non-joiner

    assert LineField(max_length=200).run_validation(persian) == persian


def test_length_limits_count_the_stored_text():
    # Decomposed, these are 240 characters; kept are 120.
    assert NameField().run_validation("e\u0301" * 120) == "\u00e9" * 120
    with pytest.raises(ValidationError):
        NameField().run_validation("e\u0301" * 121)


@pytest.mark.parametrize("name", ["Win https://prizes.example", "ada@example.com", "www.example.org/x", "Ana \\N Ruiz"])
def test_name_cannot_be_an_address(name):
    with pytest.raises(ValidationError, match="apostrophes"):
        NameField().run_validation(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann evil.example", "evil.example", "Ann (evil.example)", "Ann,evil.com", "EVIL.COM", "Evil.Com", "evil.co.uk",
        "sub.evil.example", "Ann www.x", "WWW.evil", "www.evil.example", "x.com", "t.co", "J.Smith.com", "dr.lol",
        "Ann evil\u3002example", "Ann evil\uff0eexample", "Ann evil\uff61example", "\uff45vil.example",
        "Ann evil\u2024example", "\u0441\u0430\u0439\u0442.\u0440\u0444", "m\u00fcnchen.example",
        "evil.xn--p1ai", "Ann 192.0.2.1", "evil.example.", ".evil.example", "evil-clinic.example",
        "\u0909\u0926\u093e\u0939\u0930\u0923.\u092d\u093e\u0930\u0924", "Mary.Ann",
        "xn--mnchen-3ya.example", "st.shop", "dr.smith", "win_now.example", "Ann evil...evil.example",
    ],
)  # fmt: skip
def test_name_cannot_contain_a_domain(name):
    with pytest.raises(ValidationError, match="put a space after a period"):
        NameField().run_validation(name)


@pytest.mark.parametrize("end", TOP_LEVEL_DOMAINS)
def test_name_cannot_end_in_a_top_level_domain(end):
    with pytest.raises(ValidationError, match="put a space after a period"):
        NameField().run_validation(f"Ann evil.{end}")


@pytest.mark.parametrize(
    "name",
    [
        "Dr. J.R. Smith", "J.R.Smith", "J. P. Morgan", "St.John", "Anne-Marie St. Clair", "J.R.R. Tolkien", "Dr.Smith",
        "Ma.Teresa Cruz", "Mary Ann", "Martin Luther King, Jr.", "Ada Lee, M.D.", "Ada Lee Ph.D.", "Ada Lee B.Sc.",
        "A.B. Yehoshua", "Sta.Maria", "Prof.Dr.Ada Lee", "J.-P. Sartre", "Wm. Wu", "Y.Li", "Ada L.", "Nguy\u1ec5n V.A.",
        "Paral\u00b7lel", "\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9", "\u738b.", "O'Neil Sr.", "Ann ... Lee", "Lee 3",
    ],
)  # fmt: skip
def test_initials_and_abbreviations_are_not_domains(name):
    assert NameField().run_validation(name) == name


@pytest.mark.parametrize(
    "name",
    ["Mary-Jane O'Brien, Jr.", "Anna (Ann) Lee", "\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9", "J. T\u00f8rn"],
)
def test_names_of_many_scripts_are_accepted(name):
    assert NameField().run_validation(name) == name


@pytest.mark.parametrize("apostrophe", "\u0060\u00b4\u02bc\u2018\u2019\u201b\u2032\uff07'")
def test_similar_apostrophes_are_normalized(apostrophe):
    assert NameField().run_validation(f"Siobh\u00e1n O{apostrophe}Brien") == "Siobh\u00e1n O'Brien"


@pytest.mark.parametrize(
    "name",
    [
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",  # Persian, with a non-joiner
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",  # Sinhala, with a joiner
        "\u0915\u094d\u200d\u0937",  # Devanagari, with a joiner
        "O",
        "\u738b",
        "\u00d8 A",
    ],
)
def test_names_keep_the_joiners_of_their_script_and_may_be_one_letter(name):
    assert NameField().run_validation(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "A\u200dda",
        "Ada\u200c",
        "\u200c\u0639\u0644\u06cc",
        "\u0639\u200c",
        "\u0639\u200c\u200c\u0644",
        "\u0639 \u200c\u0644",
        "\u202eadA",
        "Ada\u200f",
        "\u2067Ada\u2069",
        "\u0639\u061c\u0644",
    ],
)
def test_names_reject_other_invisible_characters(name):
    with pytest.raises(ValidationError):
        NameField().run_validation(name)


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", "UTC", "Asia/Kolkata", "Etc/GMT-3"])
def test_zones_of_the_iana_database_are_known(zone):
    assert TimeZoneField().run_validation(zone) == zone


@given(st.text(max_size=60))
def test_any_text_is_accepted_or_rejected_cleanly(text):
    try:
        kept = LineField(max_length=60, allow_blank=True).run_validation(text)
    except ValidationError:
        return
    assert LineField(max_length=60, allow_blank=True).run_validation(kept) == kept
    kept.encode()


@given(st.emails() | st.text(max_size=60).map(lambda text: f"{text}@example.com"))
def test_every_accepted_email_has_one_normal_form(text):
    try:
        kept = EmailAddressField().run_validation(text)
    except ValidationError:
        return
    assert canonical_email(kept) == kept == EmailAddressField().run_validation(kept)
    assert kept.isascii()
    if text.isascii():
        assert EmailAddressField().run_validation(text.upper()) == kept
