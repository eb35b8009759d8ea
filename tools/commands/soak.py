"""Run the long forms of the tests that race, search and measure; `test` runs a short form of each."""

import argparse
import functools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.build import build_site
from tools.environment import Env, test_environment
from tools.packages import install_node_packages, install_program, prepare_python
from tools.paths import REPORTS
from tools.reports import Report, read_properties, run_pytest, run_pytest_on_postgresql
from tools.steps import setup_lock

HELP = "the long forms of the tests that race and search"


@dataclass
class SoakPart:
    """Some test files, and the environment variables that say how often they try."""

    files: Sequence[str]
    counts: dict[str, str]
    engines: Sequence[str] = ("SQLite", "PostgreSQL")


PARTS = {
    "engine against its model": SoakPart(
        ["doctors/tests/test_slot_engine.py"], {"HYPOTHESIS_EXAMPLES": "10000"}, engines=["SQLite"]
    ),
    "calendar machine": SoakPart(
        ["appointments/tests/scheduling/test_calendar_machine.py"], {"MACHINE_EXAMPLES": "150", "MACHINE_STEPS": "50"}
    ),
    "concurrent changes": SoakPart(
        [
            "appointments/tests/scheduling/test_slot_races.py",
            "appointments/tests/scheduling/test_concurrent_changes.py",
            "adminpanel/tests/api/test_admin_races.py",
        ],
        {"CONCURRENCY_ROUNDS": "200"},
    ),
    "booking races": SoakPart(["appointments/tests/scheduling/test_booking_races.py"], {"RACE_ROUNDS": "200"}),
    "dashboard at scale": SoakPart(["appointments/tests/doctor_desk/test_scale.py"], {"SCALE_PATIENTS": "20000"}),
    "users at scale": SoakPart(["adminpanel/tests/queries/test_users_scale.py"], {"SCALE_PEOPLE": "100000"}),
    "messages at scale": SoakPart(
        ["appointments/tests/notifications/test_messages_scale.py"], {"SCALE_NOTICES": "5000"}
    ),
    "killed workers": SoakPart(
        [
            "accounts/tests/notifications/test_delivery_processes.py",
            "accounts/tests/auth/test_password_reset_processes.py",
        ],
        {"MAIL_KILLS": "50"},
    ),
    "reminders against a naive model": SoakPart(
        ["appointments/tests/notifications/test_reminder_fortnight.py"], {"REMINDER_APPOINTMENTS": "1000"}
    ),
    "forged tokens and ended sessions": SoakPart(
        ["accounts/tests/auth/test_sessions.py", "accounts/tests/auth/test_session_processes.py"],
        {"FORGED_TOKENS": "5000"},
    ),
    "concurrent sign-ins": SoakPart(["accounts/tests/auth/test_login_concurrency.py"], {"LOGIN_ROUNDS": "10"}),
    "failed sign-ins take equally long": SoakPart(["accounts/tests/auth/test_login_timing.py"], {"TIMED_TRIES": "300"}),
    "booking limits and id enumeration": SoakPart(
        ["appointments/tests/scheduling/test_booking_limits.py", "adminpanel/tests/contracts/test_id_enumeration.py"],
        {"CAP_ROUNDS": "20"},
    ),
    "network quota": SoakPart(
        ["appointments/tests/scheduling/test_network_quota_races.py"], {"NETWORK_ROUNDS": "50"}, engines=["PostgreSQL"]
    ),
    "limits under races": SoakPart(
        ["adminpanel/tests/contracts/test_counted_limits.py"], {"LIMIT_ROUNDS": "50"}, engines=["PostgreSQL"]
    ),
    "email enumeration": SoakPart(["adminpanel/tests/contracts/test_email_enumeration.py"], {"EMAIL_ADDRESSES": "300"}),
    "random requests": SoakPart(
        ["config/tests/api/test_openapi.py"], {"SCHEMA_EXAMPLES": "50", "SCHEMA_COVERAGE_EVERY": "1"}
    ),
    "hostile requests": SoakPart(
        ["config/tests/test_request_body.py"], {"HOSTILE_ROUNDS": "10", "SLOW_CONNECTIONS": "60"}
    ),
    "hostile text": SoakPart(["adminpanel/tests/contracts/test_hostile_text.py"], {"HOSTILE_TEXT_EVERY": "1"}),
    "malformed values": SoakPart(
        [
            "adminpanel/tests/contracts/test_query_parameters.py",
            "adminpanel/tests/contracts/test_error_messages.py",
            "adminpanel/tests/contracts/test_field_names.py",
        ],
        {"QUERY_VALUES_EVERY": "1", "WRONG_VALUES_EVERY": "1", "FIELD_NAMES_EVERY": "1"},
    ),
    "hostile files": SoakPart(
        ["accounts/tests/files/test_hostile_uploads.py", "appointments/tests/records/test_attachments.py"],
        {"HOSTILE_ROUNDS": "10", "HOSTILE_FILES_EVERY": "1"},
    ),
    "privacy of logs": SoakPart(["adminpanel/tests/contracts/test_log_privacy.py"], {}),
    "crashes": SoakPart(
        ["config/tests/test_crash.py"],
        {"CRASH_KILLS": "50", "CRASH_ENDS": "20", "DATABASE_KILLS": "10", "PAUSE_SECONDS": "30"},
    ),
    "service under load": SoakPart(
        ["adminpanel/tests/contracts/test_service_under_load.py"],
        {"LOAD_SECONDS": "10", "LOAD_ROUNDS": "3", "LOAD_TIMES": "2"},
    ),
    "behind PgBouncer": SoakPart(["config/tests/db/test_pgbouncer.py"], {"POOLER_SECONDS": "60"}),
    "deployment": SoakPart(["config/tests/test_deployment.py"], {"DEPLOYMENT_SECONDS": "60"}, engines=["SQLite"]),
    "first hour": SoakPart(["config/tests/test_first_hour.py"], {"FIRST_HOUR": "1"}, engines=["SQLite"]),
    "image": SoakPart(["config/tests/test_image.py"], {"IMAGE": "1"}, engines=["SQLite"]),
    # Its databases are of both engines.
    "upgrade": SoakPart(["config/tests/test_upgrade.py"], {"UPGRADE_FROM": "newest"}, engines=["PostgreSQL"]),
    # Its PostgreSQL is one of its own, which it stops.
    "outages": SoakPart(["config/tests/test_outages.py"], {"OUTAGES": "1"}, engines=["SQLite"]),
    "backups": SoakPart(["adminpanel/tests/operations/test_backups.py"], {"BACKUP_FLIPS": "1000"}),
}

# What a part runs besides ours: Debian's packages and their programs, whose paths the tests find in variables.
PROGRAMS = {
    "behind PgBouncer": {"pgbouncer": "pgbouncer"},
    "first hour": {"debootstrap": "debootstrap"},
    "image": {"debootstrap": "debootstrap"},
    "upgrade": {"nginx-light": "nginx"},
    "deployment": {"nginx-light": "nginx", "caddy": "caddy", "systemd": "systemd-analyze"},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "only", nargs="?", help="a word of the name of what to run: engine, machine, concurrent, races, crashes"
    )


def run(only: str | None) -> int:
    """Run each part on its databases; a count that is set in the environment replaces the usual one."""
    with setup_lock():
        prepare_python(development=True)
        install_node_packages(development=True)
        build_site(test_environment())
    REPORTS.mkdir(parents=True, exist_ok=True)
    report = Report()
    for name, part in PARTS.items():
        if only and only not in name:
            continue
        counts = {variable: os.environ.get(variable, count) for variable, count in part.counts.items()}
        for engine in part.engines:
            junit = REPORTS / f"soak-{name.replace(' ', '-')}-{engine}.xml"
            row = report.run_part(f"{name}, {engine}", functools.partial(run_soak_part, name, engine, counts, junit))
            row.settings = [f"{variable}={count}" for variable, count in counts.items()]
            row.figures = read_properties(junit)
    return report.finish()


def run_soak_part(name: str, engine: str, counts: Env, junit: Path) -> str:
    junit.unlink(missing_ok=True)
    env = test_environment() | counts
    for package, program in PROGRAMS.get(name, {}).items():
        env = env | {program.upper().replace("-", "_"): install_program(env, package, program)}
    arguments = ["-q", *PARTS[name].files]
    if engine == "PostgreSQL":
        return run_pytest_on_postgresql(arguments, env, junit)
    return run_pytest(arguments, env, junit)
