"""The command that makes an admin."""

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import AuditEvent, Role, User
from accounts.tests.factories import PatientFactory
from adminpanel.management.commands import create_admin


def run(**options):
    out = io.StringIO()
    call_command("create_admin", stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def typed(monkeypatch):
    """Sit at a terminal and type these answers."""

    def answer(*lines):
        waiting = iter(lines)
        monkeypatch.setattr("sys.stdin", Terminal())
        monkeypatch.setattr("getpass.getpass", lambda question: next(waiting))
        monkeypatch.setattr(create_admin.ask, "__defaults__", (lambda question: next(waiting),))

    return answer


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_admin_is_created_from_the_environment_and_audited(db, monkeypatch):
    monkeypatch.setenv("ADMIN_EMAIL", "Keeper@Example.com")
    monkeypatch.setenv("ADMIN_NAME", "Kim Keeper")
    monkeypatch.setenv("ADMIN_PASSWORD", "violet-teapot")
    assert run() == "Made the admin keeper@example.com.\n"
    admin = User.objects.get()
    assert (admin.name, admin.role, admin.is_staff, admin.is_superuser) == ("Kim Keeper", Role.ADMIN, True, True)
    assert admin.check_password("violet-teapot")
    event = AuditEvent.objects.get()
    assert (event.event, event.entity_id, event.detail) == ("account.created", str(admin.pk), {"role": "admin"})


def test_missing_values_are_prompted_for(db, typed):
    typed("keeper@example.com", "Kim Keeper", "violet-teapot", "violet-teapot")
    run()
    assert User.objects.get().check_password("violet-teapot")


def test_mismatched_passwords_create_no_account(db, typed):
    typed("violet-teapot", "violet-tea-pot")
    with pytest.raises(CommandError, match=r"^The two passwords differ\.$"):
        run(email="keeper@example.com", name="Kim Keeper")
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("email", "name", "password", "message"),
    [
        ("staff_member", "Kim", "violet-teapot", "Email address: Enter an email address like name@example.com."),
        ("keeper@example.com", "<b>", "violet-teapot", "Name: Use only letters, spaces, hyphens"),
        ("keeper@example.com", "Kim", "password", "Password: This password is too common."),
        ("keeper@example.com", "Kim", "tiny", "Password: Password must be at least 6 characters long"),
        ("ADA@example.com", "Kim", "violet-teapot", "There is already an account with that email address."),
        ("keeper@example.com", "Kim", "", "There is no terminal to ask at: give ADMIN_PASSWORD."),
        ("", "Kim", "violet-teapot", "There is no terminal to ask at: give --email."),
    ],
)
def test_invalid_value_is_rejected_in_one_sentence(db, monkeypatch, email, name, password, message):
    PatientFactory.create(email="ada@example.com")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setenv("ADMIN_PASSWORD", password)
    with pytest.raises(CommandError) as refused:
        run(email=email, name=name)
    assert str(refused.value).startswith(message)
    assert User.objects.count() == 1
