"""Test the short form of `dev.py mutate`: all checks are found, and removing two of them fails a test."""

import ast
from collections import Counter

import pytest

from tools.mutation.equivalents import EQUIVALENT
from tools.mutation.finder import find_mutants
from tools.mutation.source_copy import KILLED, SURVIVED, SourceCopy
from tools.paths import ROOT

pytestmark = pytest.mark.either_engine

# The least number of each kind; the finder has missed some if it finds fewer.
MIN_COUNTS = {
    "permission": 30, "visibility": 40, "owner": 87, "role": 85, "refusal": 200, "judgement": 80, "condition": 8,
    "transition": 36,
}  # fmt: skip
# Mutants of each kind that must be found.
KNOWN = {
    "adminpanel/api/viewsets.py AdminViewSet: (IsAdmin,) -> ()",
    "appointments/views.py AppointmentViewSet.get_permissions: IsDoctor | IsAdmin -> AllowAny",
    'config/settings.py REST_FRAMEWORK: ["rest_framework.permissions.IsAuthenticated"] -> []',
    "appointments/viewsets.py OwnAppointments.get_visible: .visible_to(get_user(self.request)) -> .all()",
    "doctors/views.py DirectoryViewSet.retrieve: True -> False",
    "accounts/notifications/inbox.py list_notices: filter: recipient=user -> (channel=EMAIL_CHANNEL, event__in=",
    "accounts/permissions.py HasRole.has_permission: request.user.role == self.role -> True",
    "appointments/availability/blocked_times.py unblock_time: not own.exists() -> False",
    "appointments/scheduling/booking.py book_appointment: booking_limits.refuse_too_many_of_patient(",
    "accounts/auth/login.py complete_second_step: second_step_user_limit.consume(user_id) -> pass",
    "accounts/auth/login.py complete_second_step: challenge_tokens.spend_ticket(ticket) -> pass",
    "accounts/auth/login.py complete_second_step: verify_second_step(user, response, ticket_text, now) -> True",
    "accounts/auth/login.py complete_second_step: not user.is_active -> False",
    "accounts/auth/mfa_enrollment.py enable_second_step: end_sessions(",
    "accounts/auth/passkeys.py verify_passkey: False -> True",
    "accounts/credentials/password_confirmation.py check_own_password: not check_password(password",
    "appointments/models/appointment.py module: no PATIENT: CONFIRMED to COMPLETED -> ",
}
MATRIX = "adminpanel/tests/contracts/test_access_matrix.py::test_each_audience_gets_the_status_in_the_matrix"
# A check, and the test that fails without it.
SAMPLES = {
    "adminpanel/api/viewsets.py AdminViewSet: (IsAdmin,) -> ()": f"{MATRIX}[admin-user-list-GET]",
    "appointments/viewsets.py OwnAppointments.get_visible: .visible_to(get_user(self.request)) -> .all()": (
        f"{MATRIX}[reader-list-GET]"
    ),
}


@pytest.fixture(scope="module")
def mutants():
    return find_mutants()


def test_finder_finds_checks_of_every_kind(mutants):
    counts = Counter(each.kind for each in mutants)
    assert {kind: counts[kind] for kind in MIN_COUNTS if counts[kind] < MIN_COUNTS[kind]} == {}
    assert set(counts) == set(MIN_COUNTS)
    keys = [each.key for each in mutants]
    assert len(set(keys)) == len(keys)
    missing = {known for known in KNOWN if not any(key.startswith(known) for key in keys)}
    assert missing == set()


def test_each_mutant_is_valid_python(mutants):
    sources = {each.path: (ROOT / each.path).read_bytes() for each in mutants}
    for each in mutants:
        changed = each.apply(sources[each.path])
        assert changed != sources[each.path], each.key
        ast.parse(changed)


def test_each_equivalent_mutant_exists_and_has_a_reason(mutants):
    assert set(EQUIVALENT) - {each.key for each in mutants} == set()
    assert {key for key, why in EQUIVALENT.items() if len(why) < 20} == set()


def test_removed_check_is_detected(mutants, tmp_path):
    by_key = {each.key: each for each in mutants}
    copy = SourceCopy(tmp_path / "copy")
    code, output = copy.run_pytest(tests=list(SAMPLES.values()))
    assert code == 0, output
    for key, test in SAMPLES.items():
        outcome = copy.test_mutant(by_key[key], [test])
        assert (key, outcome.result, outcome.by) == (key, KILLED, test)
    # The copy is as before.
    assert (copy.tree / "adminpanel/api/viewsets.py").read_bytes() == (ROOT / "adminpanel/api/viewsets.py").read_bytes()
    # A mutant whose lines no test runs survives.
    outcome = copy.test_mutant(by_key[next(iter(SAMPLES))], ["accounts/tests/text/test_fields.py"])
    assert (outcome.result, outcome.by) == (SURVIVED, "")
