"""The short form of `dev.py mutate`: every check is found, and taking two of them away is noticed."""

import ast
from collections import Counter

import pytest

from adminpanel.tests.mutation_equivalents import EQUIVALENT
from adminpanel.tests.mutation_sites import ROOT, mutants
from adminpanel.tests.mutations import KILLED, SURVIVED, Bench

pytestmark = pytest.mark.either_engine

# At least so many of each kind; more come with the code, and a search that finds less has gone blind.
LEAST = {
    "permission": 30, "visibility": 40, "owner": 87, "role": 85, "refusal": 200, "judgement": 80, "condition": 8,
    "transition": 36,
}  # fmt: skip
# Of each kind one that must be found, whatever else moves.
KNOWN = {
    "adminpanel/for_admins.py ForAdmins: (IsAdmin,) -> ()",
    "appointments/views.py AppointmentViewSet.get_permissions: IsDoctor | IsAdmin -> AllowAny",
    'config/settings.py REST_FRAMEWORK: ["rest_framework.permissions.IsAuthenticated"] -> []',
    "appointments/views.py OwnVisits.visible: .visible_to(person_of(self.request)) -> .all()",
    "doctors/views.py DirectoryViewSet.retrieve: True -> False",
    "accounts/bell.py notices_of: filter: recipient=person -> (channel=MAILBOX, event__in=messages.shown_events())",
    "accounts/permissions.py HasRole.has_permission: request.user.role == self.role -> True",
    "appointments/blocked.py unblock: not own.exists() -> False",
    "appointments/booking.py book: caps.refuse_too_many_of_patient(patient, waiting, lately, now) -> pass",
    "accounts/sign_in.py take_second_step: second_per_person.take(person_id) -> pass",
    "accounts/sign_in.py take_second_step: tickets.spend(ticket) -> pass",
    "accounts/sign_in.py take_second_step: is_right(user, sent, ticket_text, now) -> True",
    "accounts/sign_in.py sign_in: not user.is_active -> False",
    "accounts/second_step_changes.py something_added: end_sessions(",
    "accounts/passkeys.py accept: False -> True",
    "accounts/profile.py check_own_password: not check_password(password, user.password) -> False",
    "appointments/models/appointment.py module: no PATIENT: CONFIRMED to CANCELLED -> ",
}
MATRIX = "adminpanel/tests/test_access_matrix.py::test_each_audience_gets_exactly_what_the_matrix_says"
# A check, and the test that notices when it is gone.
SAMPLES = {
    "adminpanel/for_admins.py ForAdmins: (IsAdmin,) -> ()": f"{MATRIX}[admin-users-GET]",
    "appointments/views.py OwnVisits.visible: .visible_to(person_of(self.request)) -> .all()": f"{MATRIX}[readers-GET]",
}


@pytest.fixture(scope="module")
def found():
    return mutants()


def test_every_check_is_found(found):
    counts = Counter(each.kind for each in found)
    assert {kind: counts[kind] for kind in LEAST if counts[kind] < LEAST[kind]} == {}
    assert set(counts) == set(LEAST)
    keys = [each.key for each in found]
    assert len(set(keys)) == len(keys)
    missing = {known for known in KNOWN if not any(key.startswith(known) for key in keys)}
    assert missing == set()


def test_each_mutant_is_a_program(found):
    sources = {each.path: (ROOT / each.path).read_bytes() for each in found}
    for each in found:
        changed = each.apply(sources[each.path])
        assert changed != sources[each.path], each.key
        ast.parse(changed)


def test_each_equivalent_stands_and_says_why(found):
    assert set(EQUIVALENT) - {each.key for each in found} == set()
    assert {key for key, why in EQUIVALENT.items() if len(why) < 20} == set()


def test_a_check_taken_away_is_noticed(found, tmp_path):
    by_key = {each.key: each for each in found}
    bench = Bench(tmp_path / "bench")
    code, printed = bench.pytest(tests=list(SAMPLES.values()))
    assert code == 0, printed
    for key, test in SAMPLES.items():
        outcome = bench.attempt(by_key[key], [test])
        assert (key, outcome.result, outcome.by) == (key, KILLED, test)
    # Nothing is left of them.
    assert (bench.tree / "adminpanel/for_admins.py").read_bytes() == (ROOT / "adminpanel/for_admins.py").read_bytes()
    # What its tests do not run survives, and is said to.
    outcome = bench.attempt(by_key[next(iter(SAMPLES))], ["accounts/tests/test_text_rules.py"])
    assert outcome.result == SURVIVED
