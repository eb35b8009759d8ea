"""Test that each setting which can't be used is named in one sentence, and all of them at once."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from config.env.former_names import FORMER_NAMES
from config.env.options import Options
from config.env.reader import find_misspelt, read_file, read_options
from config.env.types import InvalidConfiguration
from config.testing import ROOT
from config.tests.production import PRODUCTION

pytestmark = pytest.mark.either_engine


def read_table(name):
    """Return the rows of a file of lines like `NAME=value -> sentence`."""
    lines = (Path(__file__).parent / name).read_text().splitlines()
    return [re.fullmatch(r"(\w+)=(.*) -> (.+)", line).groups() for line in lines]


def problems_of(variables: dict[str, str]) -> list[str]:
    try:
        Options(variables)
    except InvalidConfiguration as error:
        return error.problems
    return []


@pytest.mark.parametrize(("name", "value", "sentence"), read_table("invalid.txt"))
def test_invalid_value_is_named_with_what_it_must_be(name, value, sentence):
    assert problems_of({name: value}) == [sentence]


@pytest.mark.parametrize(("name", "value", "sentence"), read_table("unsafe.txt"))
def test_production_refuses_an_unsafe_value(name, value, sentence):
    assert sentence in problems_of(PRODUCTION | {name: value})


def test_production_starts_with_the_required_settings():
    assert problems_of(PRODUCTION) == []


@pytest.mark.parametrize(
    "variables",
    [
        {"DEFAULT_FROM_EMAIL": "Visits <visits@visits.example.org>"},
        {"DEFAULT_FROM_EMAIL": "visits@example.org"},
        {"MEDIA_ROOT": "/var/lib/wellhour/media", "MAINTENANCE_FILE": "~/maintenance"},
        {"S3_BUCKET": "uploads"},
        {"S3_BUCKET": "uploads", "S3_ACCESS_KEY": "invented", "S3_SECRET_KEY": "invented"},
    ],
)
def test_production_accepts_a_sender_of_the_site_absolute_paths_and_both_keys_or_none(variables):
    assert problems_of(PRODUCTION | variables) == []


@pytest.mark.parametrize("page", ["deploy/wellhour.env.example", "docs/operations.md"])
def test_settings_that_a_page_shows_for_production_start(tmp_path, page):
    text = (ROOT / page).read_text()
    block = text if page.endswith(".example") else text.partition("## Settings")[2].split("```")[1].removeprefix("sh")
    (tmp_path / ".env").write_text(
        re.sub(r"^(SECRET_KEY|BACKUP_KEY)=\S*", rf"\1={'invented-' * 8}", block, flags=re.MULTILINE)
    )
    shown = read_file(tmp_path / ".env")
    assert shown["ENVIRONMENT"] == "production"
    assert problems_of(shown) == []


def test_production_claims_nothing_and_names_no_contact_by_default():
    names = [option.name for option in Options.list_options() if option.name.startswith(("HOME_CLAIM_", "CONTACT_"))]
    assert len(names) == 6
    assert {Options(PRODUCTION).values[name] for name in names} == {""}
    assert "" not in {Options({}).values[name] for name in names}


def test_every_option_says_in_sentences_what_it_does():
    assert [option.name for option in Options.list_options() if not option.help.endswith(".")] == []


def test_every_default_is_a_value_that_its_option_accepts():
    for option in Options.list_options():
        for default in option.defaults.values():
            text = option.format(default)
            if default and not isinstance(default, dict):
                assert option.parse(text) == default, option.name


def test_all_problems_are_reported_together_without_a_traceback_and_without_secrets():
    environment = {
        "PATH": os.environ["PATH"],
        **PRODUCTION,
        "DATABASE_URL": "postgres//wellhour:hunter2@db",
        "SESSION_HOURS": "long",
        "BASE_URL": "http://visits.example.org",
    }
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "DATABASE_URL must be like postgresql://user:password@host:5432/name or sqlite:////absolute/path.",
        "SESSION_HOURS must be a whole number from 1 to 720, not 'long'.",
        "BASE_URL must start with https:// in production.",
    ]


def test_environment_overrides_the_file_and_an_empty_value_counts_as_not_set(tmp_path):
    file = tmp_path / ".env"
    file.write_text("SESSION_HOURS=3\nMAX_DAYS_AHEAD=90\nCURRENCY=EUR\nREMINDERS=\n")
    environment = {"SESSION_HOURS": "5", "CURRENCY": ""}
    options, warnings = read_options(environment, file)
    assert (options.SESSION_HOURS, options.MAX_DAYS_AHEAD, options.CURRENCY, options.REMINDERS) == (5, 90, "USD", ())
    assert warnings == []
    assert environment["MAX_DAYS_AHEAD"] == "90"


def test_unreadable_lines_of_the_file_are_named_without_their_values(tmp_path, capsys, caplog):
    file = tmp_path / ".env"
    file.write_text(
        '# A comment\n\n   \nexport CURRENCY=EUR\nREDIS_URL = redis://:hunter2@h/0\nHOME_CLAIM_RATING="4.8\n'
        "SITE_NAME='Ann's'\nCONTACT_PHONE='\nhunter2\n"
    )
    with pytest.raises(InvalidConfiguration) as error:
        read_file(file)
    spaces = "can't be read: write NAME=value, without spaces around the equals sign."
    quote = "has a quotation mark that isn't closed at its end."
    assert error.value.problems == [
        f"Line 5 of {file} {spaces}",
        f"Line 6 of {file} {quote}",
        f"Line 8 of {file} {quote}",
        f"Line 9 of {file} {spaces}",
    ]
    assert "hunter2" not in "".join([*capsys.readouterr(), caplog.text])


def test_the_restore_drill_uses_nothing_of_the_site(tmp_path):
    drill = (ROOT / "docs" / "operations.md").read_text().partition("### Practice a restore")[2]
    exports = dict(re.findall(r"([A-Z][A-Z0-9_]+)=(\S*)", "".join(re.findall(r"^export .+\n", drill, re.MULTILINE))))
    site = PRODUCTION | {
        "REDIS_URL": "redis://127.0.0.1:6379/0",
        "DATABASE_REPLICA_URL": "postgresql://wellhour@replica/wellhour",
        "S3_BUCKET": "uploads",
        "S3_RECORDS_BUCKET": "records",
        "MEDIA_ROOT": "/var/lib/wellhour/media",
        "RECORDS_ROOT": "/var/lib/wellhour/records",
        "METRICS_ROOT": "/var/lib/wellhour/metrics",
        "METRICS_TOKEN": "invented-token-of-the-site",
        "MAINTENANCE_FILE": "/var/lib/wellhour/maintenance",
        "SENTRY_DSN": "https://key@sentry.example.org/1",
    }
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in site.items()))
    options, warnings = read_options(exports, tmp_path / ".env")
    shared = {name for name in site if options.values[name] == Options(site).values[name]}
    # The secrets in the backup need the key; the sender is not used.
    assert shared == {"SECRET_KEY", "DEFAULT_FROM_EMAIL"}
    assert (options.SENTRY_DSN, options.METRICS_TOKEN, options.DELIVERY, options.HOUSEKEEPING) == ("", "", "off", "off")
    assert warnings == []


def test_a_test_run_reads_no_file(tmp_path):
    (tmp_path / ".env").write_text("SESSION_HOURS=3\n")
    assert read_options({"ENVIRONMENT": "test"}, tmp_path / ".env")[0].SESSION_HOURS == 12


def test_file_is_read_without_touching_the_environment(tmp_path):
    file = tmp_path / ".env"
    file.write_text("# a comment\nexport CURRENCY='EUR'\nWELLHOUR_TEST_ONLY=1\n")
    assert read_file(file) == {"CURRENCY": "EUR", "WELLHOUR_TEST_ONLY": "1"}
    assert "WELLHOUR_TEST_ONLY" not in os.environ


def test_misspelt_names_are_reported():
    in_file = ["REDIS_URI", "STATSD", "GRANIAN_WORKERS"]
    environment = ["PATH", "HOME", "DATABASE_URLS", "LANG", "ALLOWED_HOST", *in_file]
    assert list(find_misspelt(environment, in_file)) == [
        "ALLOWED_HOST is not a setting; did you mean ALLOWED_HOSTS?",
        "DATABASE_URLS is not a setting; did you mean DATABASE_URL?",
        "REDIS_URI is not a setting; did you mean REDIS_URL?",
        "STATSD is not a setting; nothing reads it.",
    ]


@pytest.mark.parametrize("names", [(["BOOKINGS_PER_HOUR"], []), ([], ["BOOKINGS_PER_HOUR"])], ids=["variable", "file"])
def test_former_names_are_warned_of_wherever_they_are_set(names):
    assert list(find_misspelt(*names)) == [
        "BOOKINGS_PER_HOUR is no longer a setting; its name is MAX_BOOKINGS_PER_HOUR now."
    ]


def test_the_former_names_are_those_of_the_changelog():
    rows = re.findall(r"^  - `([A-Z_]+)`: `([A-Z_]+)`$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert dict(rows) == FORMER_NAMES
    settings = {option.name for option in Options.list_options()}
    assert set(FORMER_NAMES.values()) <= settings
    assert set(FORMER_NAMES) & settings == set()


@pytest.mark.parametrize(
    ("pooler", "given", "prepares"),
    [("off", {}, True), ("pgbouncer", {}, False), ("pgbouncer", {"DATABASE_PREPARED": "on"}, True)],
)
def test_statements_are_prepared_behind_a_pooler_only_on_request(pooler, given, prepares):
    assert Options({"DATABASE_POOLER": pooler, **given}).prepares_statements is prepares


def test_database_may_be_reached_through_a_socket():
    options = Options({"DATABASE_URL": "postgresql://wellhour@%2Fvar%2Frun%2Fpostgresql/wellhour"})
    assert (options.DATABASE_URL["HOST"], options.DATABASE_URL["NAME"]) == ("/var/run/postgresql", "wellhour")


def test_base_url_has_no_case_and_no_slash_at_its_end():
    assert Options({"BASE_URL": "HTTPS://Visits.example.org:8443/"}).BASE_URL == "https://visits.example.org:8443"


@pytest.mark.parametrize("kind", ["a folder", "a link to nothing", "other bytes"])
def test_file_that_cannot_be_read_is_no_site_for_development(tmp_path, kind):
    file = tmp_path / ".env"
    if kind == "a folder":
        file.mkdir()
    elif kind == "a link to nothing":
        file.symlink_to(tmp_path / "nothing")
    else:
        file.write_bytes(b"CURRENCY=\xff")
    with pytest.raises(InvalidConfiguration, match=f"The settings in {file} can't be read: "):
        read_options({}, file)
