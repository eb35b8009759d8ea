"""Every answer has exactly the keys that `response_keys.py` says, for each audience; and reading writes nothing.

A new route or field fails here with its name. To add one: give the route its row in `access_matrix.py`, and, if it
writes, a call in `valid_calls.py`; run

    SHOW_ANSWERS=answers.txt python -m pytest -n0 -q adminpanel/tests/contracts/test_response_keys.py

read what stands in that file then, and put it into `response_keys.py` for those who may see it. What a reading call
writes (the trail, a count) is declared there too, with the reason.
"""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import transaction

from accounts.models import Session
from adminpanel.tests.contracts import response_keys as reviewed
from adminpanel.tests.contracts.access_matrix import AUDIENCES, MATRIX, ROUTES_OF_FILES, get_refusal, list_read_routes
from adminpanel.tests.contracts.populated_site import CANARY
from adminpanel.tests.contracts.response_keys import EVERYONE, SHAPES, WRITES, WRITING
from adminpanel.tests.contracts.response_recorder import (
    ObservedKeys,
    assert_empty,
    compare_keys,
    format_shape,
    observe_response,
    parse_response_shape,
    read_content,
)
from adminpanel.tests.contracts.valid_calls import CALLS, send
from adminpanel.tests.contracts.write_guard import UnexpectedWrite, allow_writes_only

REFUSAL = {"success", "message", "code", "errors", "data", "requestId"}
# There is another admin, so that this one may go.
STATUS_EXCEPTIONS = {("account-closing", "admin")}
# Keys there are data.
OPEN_MAPS = ("data.events[].detail", "what-you-did-and-what-was-done[].detail", "notices[].detail")


def show(title, seen):
    """Put a shape into a file where somebody asks for it."""
    if name := os.environ.get("SHOW_ANSWERS"):
        with Path(name).open("a") as out:
            out.write(f"{title}\n{format_shape(path.removeprefix('data.') for path in seen.paths)}\n\n")


def get_shape(route, audience):
    """Return the shape that an audience gets, or None where it gets none."""
    for who, shape in SHAPES.get((route, "GET"), ()):
        if audience in who:
            return shape
    return None


def get_status(route, audience):
    """Return the status for the populated site: the matrix's, but for what stands there now."""
    if route in ROUTES_OF_FILES or (route, audience) in STATUS_EXCEPTIONS:
        return 200
    return int(MATRIX[route, "GET"].split()[AUDIENCES.index(audience)])


def test_every_read_route_declares_its_keys_per_audience():
    assert set(AUDIENCES) == set(EVERYONE)
    said = {
        route: {who for audiences, _ in SHAPES.get((route, "GET"), ()) for who in audiences}
        for route in list_read_routes()
    }
    due = {route: {who for who in AUDIENCES if get_status(route, who) == 200} for route in list_read_routes()}
    assert said == due
    assert {route for route, _ in SHAPES} <= set(list_read_routes())


def observe_route(site, route, audience, wrong):
    """Call every address of a route as one audience; return what was seen, and to which tables it wrote."""
    seen, wrote, title = ObservedKeys(), set(), f"GET {route} as {audience}"
    for address in site.list_addresses(route):
        try:
            with allow_writes_only(reviewed.SESSION, *WRITES.get((route, "GET"), ())) as tables:
                answer = site.clients[audience].get(address)
                body = read_content(answer)
            wrote |= tables
        except UnexpectedWrite as refused:
            wrong[title, address] = f"writes: {refused}"
            continue
        if answer.status_code != get_status(route, audience):
            wrong[title, address] = answer.status_code
        elif answer.status_code == 200:
            seen.add(observe_response(answer, body, OPEN_MAPS))
        elif answer.status_code >= 400 and address.startswith("/api/"):
            told = answer.json()
            if set(told) != REFUSAL or told["data"] != {}:
                wrong[title, address] = told
        if leaked := leaks(route, audience, body, site):
            wrong[title, address, "shows"] = leaked
    return seen, wrote


def test_every_response_has_exactly_its_keys_and_reads_write_nothing(populated_site):
    wrong, all_seen, unseen = {}, set(), {}
    for route in list_read_routes():
        seen_by_shape, wrote = {}, set()
        for audience in AUDIENCES:
            seen, tables = observe_route(populated_site, route, audience, wrong)
            wrote |= tables
            shape = get_shape(route, audience)
            if shape is not None:
                if found := compare_keys(seen, parse_response_shape(shape)):
                    wrong[f"GET {route} as {audience}"] = found
                seen_by_shape.setdefault(shape, ObservedKeys()).add(seen)
                all_seen |= seen.paths
        for shape, seen in seen_by_shape.items():
            show(f"GET {route}", seen)
            unseen[route] = parse_response_shape(shape) - seen.paths
        declared = set(WRITES.get((route, "GET"), ()))
        if wrote - {reviewed.SESSION} != declared:
            wrong[f"GET {route} writes"] = f"{sorted(wrote)}, not {sorted(declared)}"
    assert_empty(wrong)
    # Nothing is expected that no answer could have shown: at least elsewhere, where the shape is the same.
    tails = {path.split("[]")[-1].lstrip(".") for path in all_seen} | {path.partition(".")[2] for path in all_seen}
    nowhere = {
        route: sorted(path for path in paths if not any(get_suffix(path, n) in tails for n in range(1, 4)))
        for route, paths in unseen.items()
    }
    assert_empty({route: paths for route, paths in nowhere.items() if paths})


def get_suffix(path, parts):
    return ".".join(path.replace("[]", "").split(".")[-parts:])


def leaks(route, audience, body, site):
    """Name what stands in an answer and must not."""
    found = []
    if route in reviewed.PUBLIC_ROUTES and audience not in {"doctor owner", "admin"}:
        for doctor in (site.users.doctor, site.users.other_doctor, site.users.unapproved_doctor):
            user = doctor.user
            secrets = (
                user.email,
                user.phone,
                doctor.license_number,
                user.date_of_birth.isoformat(),
                "soon@example.com",
            )
            found += [text for text in secrets if text.encode() in body]
    if (audience == "admin" or route in reviewed.PUBLIC_ROUTES) and CANARY.encode() in body:
        found.append(CANARY)
    return found


def test_head_and_options_change_nothing(populated_site):
    wrong = {}
    for route in list_read_routes():
        for audience in AUDIENCES:
            client, address = populated_site.clients[audience], populated_site.addresses[route]
            try:
                with allow_writes_only(reviewed.SESSION, *WRITES.get((route, "GET"), ())):
                    head = client.head(address)
                    read_content(head)
                with allow_writes_only(reviewed.SESSION):
                    options = client.options(address)
            except UnexpectedWrite as refused:
                wrong[route, audience] = f"writes: {refused}"
                continue
            expected = (get_status(route, audience), get_refusal(route, audience))
            if (head.status_code, options.status_code) != expected:
                wrong[route, audience] = (head.status_code, options.status_code), expected
    assert_empty(wrong)


def test_public_responses_have_no_private_doctor_keys():
    found = {}
    for route in reviewed.PUBLIC_ROUTES:
        for who, shape in SHAPES[route, "GET"]:
            if "anonymous" in who:
                paths = {
                    path.removeprefix("data.") for path in parse_response_shape(shape)
                } - reviewed.PUBLIC_ALL_THE_SAME
                found[route] = {path for path in paths if path.rpartition(".")[2] in reviewed.NEVER_PUBLIC}
    assert found == {route: set() for route in reviewed.PUBLIC_ROUTES}


def test_admin_responses_have_no_clinical_keys():
    found = {}
    for (route, _), groups in SHAPES.items():
        for who, shape in groups:
            if "admin" in who:
                keys = {part.removesuffix("[]") for path in parse_response_shape(shape) for part in path.split(".")}
                found[route] = keys & reviewed.CLINICAL
    for name, shape in WRITING.items():
        if CALLS[name].who == "admin":
            keys = {part.removesuffix("[]") for path in parse_response_shape(shape) for part in path.split(".")}
            found[name] = keys & reviewed.CLINICAL
    assert_empty({place: keys for place, keys in found.items() if keys})


def test_every_write_route_declares_its_keys():
    assert {(call.route, call.method) for call in CALLS.values()} == {row for row in MATRIX if row[1] != "GET"}
    assert set(WRITING) == set(CALLS)


def test_every_write_response_has_exactly_its_keys(populated_site):
    wrong = {}
    for name, call in CALLS.items():
        cache.clear()
        with transaction.atomic():
            call.prepare(populated_site)
            answer = send(call, populated_site)
            body = read_content(answer)
            transaction.set_rollback(True)
        if answer.status_code != call.status:
            wrong[name] = (answer.status_code, body[:300])
            continue
        seen = observe_response(answer, body, OPEN_MAPS)
        show(f'"{name}":', seen)
        if found := compare_keys(seen, parse_response_shape(WRITING.get(name, ""))):
            wrong[name] = found
        if call.who == "admin" and CANARY.encode() in body:
            wrong[f"{name}: shows"] = CANARY
    assert_empty(wrong)


def test_check_names_a_new_key():
    seen = ObservedKeys().observe(
        {"doctors": [{"name": "A", "hospital": {"phone": "1"}, "email": "a@example.com"}], "next": None}
    )
    assert compare_keys(seen, {"doctors", "doctors[].name", "doctors[].hospital", "next", "next.date", "total"}) == [
        "doctors[].email is new: it is not declared",
        "doctors[].hospital.phone is new: it is not declared",
        "total is missing",
    ]


@pytest.mark.parametrize(
    "statement",
    ["UPDATE accounts_user SET name = 'X'", "DELETE FROM accounts_user", 'INSERT INTO "accounts_user" VALUES (1)',
     "WITH a AS (SELECT 1) UPDATE accounts_user SET name = 'X'", "SELECT 1 INTO other", "DROP TABLE accounts_user",
     "REPLACE INTO accounts_user VALUES (1)", "TRUNCATE accounts_user"],
)  # fmt: skip
def test_write_guard_rejects_writes(statement, db):
    from django.db import connection

    with pytest.raises(UnexpectedWrite), allow_writes_only("accounts_session"), connection.cursor() as cursor:
        cursor.execute(statement)


def test_write_guard_reports_writes_even_when_the_error_is_caught(db, users):
    with allow_writes_only("accounts_session") as seen:
        list(Session.objects.all())
        Session.objects.create(user=users.patient, expires_at=users.patient.created_at)
    assert seen == {"accounts_session"}
    with pytest.raises(UnexpectedWrite, match="accounts_user"):
        save_and_clear(users.patient)


def save_and_clear(person):
    """Write what must not be written, and catch what says so."""
    with allow_writes_only("accounts_session"), suppress(UnexpectedWrite):
        person.save()
