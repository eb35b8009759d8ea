"""Test the rotation of the key that stored secrets are encrypted with."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts.credentials import encryption
from accounts.credentials.encryption import decrypt_secret, encrypt_secret, rotate_secrets
from accounts.models import AuditEvent, AuthenticatorApp
from accounts.tests.auth.authenticators import SECOND, code_of, enrol, ticket_of
from accounts.tests.factories import PatientFactory
from config.testing import ROOT

OLD, CURRENT, UNKNOWN = ("old-key-" * 8, "current-key-" * 5, "unknown-key-" * 5)
NOON = "2026-03-02T12:00:00Z"


def create_apps(settings, key, count, *, is_on=True):
    """Store `count` secrets encrypted with a key; return the users' ids."""
    settings.SECRET_KEY = key
    now = timezone.now()
    return [
        AuthenticatorApp.objects.create(
            user=PatientFactory(), secret=encrypt_secret("A" * 32), started_at=now, turned_on_at=now if is_on else None
        ).pk
        for _ in range(count)
    ]


def use_new_key(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = CURRENT, [OLD]


def read_counts(rotation):
    return rotation.current, rotation.outdated, rotation.undecryptable


def test_every_secret_is_encrypted_with_the_current_key(db, settings, monkeypatch):
    monkeypatch.setattr(encryption, "BATCH_SIZE", 2)
    create_apps(settings, OLD, 5)
    create_apps(settings, OLD, 1, is_on=False)
    create_apps(settings, CURRENT, 2)
    use_new_key(settings)

    assert read_counts(rotate_secrets()) == (2, 6, [])

    settings.SECRET_KEY_FALLBACKS = []
    assert {decrypt_secret(stored) for stored in AuthenticatorApp.objects.values_list("secret", flat=True)} == {
        "A" * 32
    }
    assert read_counts(rotate_secrets()) == (8, 0, [])
    details = AuditEvent.objects.filter(event="data.keys_rotated").values_list("action", "detail")
    # One row for each batch that changed something.
    assert sum(detail["count"] for _, detail in details) == 6
    assert {action for action, _ in details} == {"U"}


def test_a_second_rotation_writes_nothing(db, settings):
    create_apps(settings, OLD, 2)
    use_new_key(settings)
    rotate_secrets()
    stored = set(AuthenticatorApp.objects.values_list("secret", flat=True))
    events = AuditEvent.objects.count()
    rotate_secrets()
    assert set(AuthenticatorApp.objects.values_list("secret", flat=True)) == stored
    assert AuditEvent.objects.count() == events


def test_a_secret_that_no_key_decrypts_stays_and_is_named(db, settings, capsys):
    [lost] = create_apps(settings, UNKNOWN, 1)
    # One that was never turned on signs nobody in.
    create_apps(settings, UNKNOWN, 1, is_on=False)
    create_apps(settings, OLD, 1)
    use_new_key(settings)
    stored = AuthenticatorApp.objects.get(pk=lost).secret
    for _ in range(2):
        with pytest.raises(CommandError, match=rf"(?s)decrypts the authenticator apps of these users.*\n{lost}\Z"):
            call_command("rotate_keys")
    assert AuthenticatorApp.objects.get(pk=lost).secret == stored
    assert capsys.readouterr().out == (
        "0 secrets were encrypted with SECRET_KEY already, 1 are encrypted with it now, 1 can't be decrypted.\n"
        "1 secrets were encrypted with SECRET_KEY already, 0 are encrypted with it now, 1 can't be decrypted.\n"
    )


def test_check_changes_nothing(db, settings, capsys):
    create_apps(settings, OLD, 2)
    use_new_key(settings)
    stored = set(AuthenticatorApp.objects.values_list("secret", flat=True))
    with pytest.raises(CommandError, match="The fallbacks are still needed"):
        call_command("rotate_keys", "--check")
    assert "2 are still encrypted with a former key" in capsys.readouterr().out
    assert set(AuthenticatorApp.objects.values_list("secret", flat=True)) == stored
    assert not AuditEvent.objects.filter(event="data.keys_rotated").exists()
    call_command("rotate_keys")
    call_command("rotate_keys", "--check")


def test_codes_work_after_rotation_without_the_fallback(db, settings, patient, client_of, api):
    with time_machine.travel(NOON, tick=False) as clock:
        settings.SECRET_KEY = OLD
        secret, _ = enrol(client_of(patient))
        patient.refresh_from_db()
        use_new_key(settings)
        call_command("rotate_keys")
        settings.SECRET_KEY_FALLBACKS = []
        clock.shift(timedelta(seconds=30))
        answer = api.post(SECOND, {"ticket": ticket_of(api, patient), "code": code_of(secret)}, format="json")
        assert (answer.status_code, "token" in answer.json()["data"]) == (200, True)


def test_a_secret_whose_key_is_gone_is_logged(settings, caplog):
    settings.SECRET_KEY = OLD
    stored = encrypt_secret("A" * 32)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = CURRENT, []
    assert decrypt_secret(stored) is None
    assert "`manage.py rotate_keys --check` names everyone concerned" in caplog.text
    assert stored not in caplog.text


def test_rotation_locks_its_rows(db, settings, django_assert_num_queries):
    create_apps(settings, OLD, 1)
    use_new_key(settings)
    # Two batches, the second empty: savepoints, SELECT, UPDATE, audit row.
    with django_assert_num_queries(8) as queries:
        rotate_secrets()
    selects = [each["sql"] for each in queries if each["sql"].startswith("SELECT")]
    assert all(("FOR UPDATE" in each) == (connection.vendor == "postgresql") for each in selects)


def test_nothing_else_is_encrypted():
    """Whatever else comes to be encrypted has to be rotated too."""
    sources = [path for path in ROOT.glob("*/**/*.py") if "tests" not in path.parts and ".venv" not in path.parts]
    encrypting = {
        path.relative_to(ROOT).as_posix()
        for path in sources
        if re.search(r"^(?:from|import) cryptography", path.read_text(), re.MULTILINE)
    }
    assert "accounts/credentials/encryption.py" in encrypting
    assert encrypting - {"accounts/credentials/encryption.py"} == set()
