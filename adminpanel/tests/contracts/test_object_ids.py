"""An id in a path, a query or a body opens nothing that is not one's own, and nobody learns whether it exists.

Another person's row answers exactly as one that is nowhere: same status, same body. What is no id at all is a 404 in a
path and a 400 that names its field in a body, and never a 500.
"""

import json
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import resolve
from django.utils import timezone

from accounts.models import Notice, Passkey, Session
from adminpanel.tests.contracts.access_matrix import AUDIENCES, MATRIX, list_routes
from adminpanel.tests.contracts.populated_site import PopulatedSite
from adminpanel.tests.contracts.response_recorder import assert_empty, read_content
from adminpanel.tests.contracts.valid_calls import CALLS, format_day, free_time, send
from appointments.models import Attachment
from doctors.models import Absence, BlockedTime, Reservation
from doctors.tests.factories import DoctorFactory

NOWHERE = UUID("01890a5d-ac96-774b-bcce-b302099a8057")
# What may stand in a path where an id is due.
ODD_IN_PATH = {
    "upper case": lambda real: real.upper(),
    "braces": lambda real: f"%7B{real}%7D",
    "an address of ids": lambda real: f"urn:uuid:{real}",
    "no hyphens": lambda real: real.replace("-", ""),
    "a NUL": lambda real: f"{real}%00",
    "a line's end": lambda real: f"{real}%0A",
    "10,000 characters": lambda real: "a" * 10_000,
    "a list": lambda real: f"%5B%22{real}%22%5D",
    "a mapping": lambda real: "%7B%22id%22:1%7D",
    "a number": lambda real: "1",
    "a huge number": lambda real: "9" * 40,
    "thousands of digits": lambda real: "9" * 5000,
    "null": lambda real: "null",
    "a step up": lambda real: "%2e%2e",
    "other digits": lambda real: "%D9%A1",
    "not UTF-8": lambda real: "%ff",
    "two": lambda real: f"{real},{real}",
    "SQL": lambda real: "'%20OR%201=1--",
}
ODD_IN_BODY = {
    "upper case": str(NOWHERE).upper(), "braces": f"{{{NOWHERE}}}", "an address of ids": f"urn:uuid:{NOWHERE}",
    "no hyphens": NOWHERE.hex, "a NUL": f"{NOWHERE}\x00", "10,000 characters": "a" * 10_000, "a list": [str(NOWHERE)],
    "a mapping": {"id": str(NOWHERE)}, "a number": 7, "a fraction": 1.5, "a huge number": 9**40, "null": None,
    "true": True, "nothing": "", "a pattern": "%", "a lone surrogate": "\ud800",
}  # fmt: skip


def without_request(answer) -> tuple[int, object]:
    """Return what a caller can compare: all but the id of the request."""
    body = read_content(answer)
    if answer.headers.get("Content-Type", "").startswith("application/json"):
        return answer.status_code, {**json.loads(body), "requestId": ""}
    return answer.status_code, body


@pytest.fixture
def strangers(populated_site: PopulatedSite) -> dict[str, list[object]]:
    """Name, by the kind of row that an address names, those that are somebody else's or of another kind."""
    users, rows, now = populated_site.users, populated_site.rows, timezone.now()
    other_file = Attachment.objects.create(
        appointment=rows["others"], name="other.pdf", content_type="application/pdf", size=8, sha256="0" * 64,
        stored_as=rows["attachment"].stored_as, added_at=now, added_by=users.other_doctor.user,
    )  # fmt: skip
    other_stretch = BlockedTime.objects.create(
        doctor=users.other_doctor, date=now.date(), start_minute=0, end_minute=60
    )
    other_absence = Absence.objects.create(
        doctor=users.other_doctor, from_date=now.date(), from_minute=0, to_date=now.date(), to_minute=1440
    )
    other_passkey = Passkey.objects.create(
        user=users.other_patient, name="Phone", credential_id="y", public_key=b"", created_at=now
    )
    gone = DoctorFactory.create(user__ended_at=now)
    ended = users.deactivated
    ended.ended_at = now
    ended.save()
    return {
        "appointment": [rows["others"].pk, rows["stranded"].pk, users.patient.pk, users.doctor.pk],
        "file": [other_file.pk, rows["appointment"].pk, users.patient.pk],
        "session": [Session.objects.filter(user=users.other_patient).latest("pk").pk, users.patient.pk],
        "patient": [users.other_patient.pk, users.doctor.pk, users.admin.pk],
        "stretch": [other_stretch.pk],
        "absence": [other_absence.pk, rows["appointment"].pk],
        "listed doctor": [
            gone.pk,
            users.unapproved_doctor.pk,
            rows["stranded"].doctor_id,
            users.patient.pk,
            rows["appointment"].pk,
        ],
        "doctor": [gone.pk, users.patient.pk, users.admin.pk, rows["appointment"].pk],
        "user": [ended.pk, gone.pk, rows["appointment"].pk],
        "any appointment": [users.patient.pk, users.doctor.pk],
        "passkey": [other_passkey.pk, users.patient.pk],
        "case": [rows["open case"].pk, users.doctor.pk],
        "secret": ["0" * 32],
        "name": ["pictures/none.webp"],
        "text": ["imprint", "none"],
    }


# Which kind of row a part of an address names; for an admin, where that differs.
KINDS = {
    ("session-detail", "pk"): "session",
    ("passkey-detail", "pk"): "passkey",
    ("passkey-remove", "pk"): "passkey",
    ("doctor-detail", "pk"): "listed doctor",
    ("doctor-slots", "pk"): "listed doctor",
    ("slots-explain", "pk"): "listed doctor",
    ("booking-draft-detail", "pk"): "listed doctor",
    ("doctor-patient-detail", "pk"): "patient",
    ("doctor-patient-history", "pk"): "patient",
    ("doctor-patient-book", "pk"): "patient",
    ("blocked-time-detail", "pk"): "stretch",
    ("absence-detail", "pk"): "absence",
    ("hold-detail", "secret"): "secret",
    ("calendar-feed", "secret"): "secret",
    ("media", "name"): "name",
    ("site-text-detail", "kind"): "text",
    ("attachment-detail", "file"): "file",
    ("admin-user-detail", "pk"): "user",
    ("admin-user-set-status", "pk"): "user",
    ("admin-doctor-detail", "pk"): "doctor",
    ("admin-doctor-document", "pk"): "doctor",
    ("admin-doctor-document", "case"): "case",
    ("approve-doctor", "pk"): "doctor",
    ("admin-appointment-cancel", "pk"): "any appointment",
    **{
        (route, "pk"): "appointment"
        for route in (
            "appointment-detail", "appointment-cancel", "appointment-cancel-request", "appointment-proposal",
            "appointment-reschedule", "appointment-set-status", "appointment-undo", "appointment-reopen",
            "appointment-move", "calendar-file", "visit", "visit-versions", "visit-draft", "prescription",
            "attachment-list", "attachment-detail", "reader-list",
        )
    },
}  # fmt: skip
# An admin looks at every appointment; staff and the doctor are told why a time can't be had, for any doctor.
BY_ADMIN = {"appointment": "any appointment", "listed doctor": "user"}
# There a number is an id like any other.
NUMBERED = {"blocked-time-detail"}


def test_every_url_parameter_is_tested():
    named = {(pattern.name, part) for pattern in list_routes() for part in pattern.pattern.converters}
    assert set(KINDS) == named


def list_callers(route: str, method: str) -> list[str]:
    """List the audiences that are let in at all."""
    row = dict(zip(AUDIENCES, MATRIX[route, method].split(), strict=True))
    let_in = [who for who in AUDIENCES if row[who] not in {"401", "403"}]
    # One of each role, the owner first: others of the same role are strangers themselves.
    roles: dict[str, str] = {}
    for who in let_in:
        roles.setdefault("patient" if "patient" in who else "doctor" if "doctor" in who else who, who)
    return [who for who in roles.values() if who not in {"deactivated", "signed out"}]


def asked(site: PopulatedSite, route: str, method: str, who: str, address: str):
    """Make the call that would succeed, at another address."""
    cache.clear()
    call = next((c for c in CALLS.values() if (c.route, c.method) == (route, method) and c.who == who), None)
    body = call.body(site) if call else {}
    kind = call.kind if call else "json"
    with transaction.atomic():
        answer = getattr(site.clients[who], method.lower())(address, body if method != "GET" else None, format=kind)
        compared = without_request(answer)
        transaction.set_rollback(True)
    return compared


def test_foreign_object_is_not_found(populated_site, strangers):
    wrong = {}
    for (route, part), kind in KINDS.items():
        address = populated_site.addresses[route]
        real = str(resolve(address.partition("?")[0]).kwargs[part]) if route != "hold-detail" else "nobody-knows-this"
        nowhere = (
            "999999999"
            if route in NUMBERED
            else "n" * 32
            if kind == "secret"
            else "x.webp"
            if kind == "name"
            else NOWHERE
        )
        for method in ("GET", "POST", "PUT", "DELETE"):
            if (route, method) not in MATRIX:
                continue
            for who in list_callers(route, method):
                missing = asked(populated_site, route, method, who, address.replace(real, str(nowhere)))
                # An empty or wrong body is refused first, no matter whose row it is about.
                if missing[0] not in {404, 400}:
                    wrong[f"{method} {route}.{part} as {who}, nowhere"] = missing
                which = BY_ADMIN.get(kind, kind) if who == "admin" else kind
                for number, stranger in enumerate(strangers[which]):
                    found = asked(populated_site, route, method, who, address.replace(real, str(stranger)))
                    if found != missing:
                        wrong[f"{method} {route}.{part} as {who}, {which} {number}"] = (found, missing)
    assert_empty(wrong)


def test_malformed_id_is_not_found(populated_site):
    wrong = {}
    for route, part in KINDS:
        address = populated_site.addresses[route]
        real = str(resolve(address.partition("?")[0]).kwargs[part]) if route != "hold-detail" else "nobody-knows-this"
        for method in ("GET", "POST", "PUT", "DELETE"):
            if (route, method) not in MATRIX:
                continue
            who = list_callers(route, method)[0]
            for what, odd in ODD_IN_PATH.items():
                if odd(real) == real or (route in NUMBERED and what == "a number"):
                    continue
                status, body = asked(populated_site, route, method, who, address.replace(real, odd(real)))
                # Where the route is another one, or what is sent is told first, that is fine; a row is not.
                if status not in ({404, 405} if method != "GET" else {404}) and not (
                    status == 400 and part == "secret"
                ):
                    wrong[f"{method} {route}.{part}: {what}"] = (status, body if status < 500 else "")
    assert_empty(wrong)


# --- In a body --------------------------------------------------------------------------------

# A call; where the id stands in its body; and the status for an id of nobody's.
IN_BODY = {
    ("book", "doctorId"): 404,
    ("keep a time", "doctorId"): 404,
    ("keep a time as a visitor", "doctorId"): 404,
}


def send_body(site: PopulatedSite, name: str, **more):
    cache.clear()
    with transaction.atomic():
        CALLS[name].prepare(site)
        compared = without_request(send(CALLS[name], site, more=more))
        transaction.set_rollback(True)
    return compared


@pytest.mark.parametrize(("name", "field"), IN_BODY, ids=str)
def test_unlisted_doctor_in_a_body_is_not_found(name, field, populated_site, strangers):
    missing = send_body(populated_site, name, **{field: str(NOWHERE)})
    assert (missing[0], missing[1]["code"], list(missing[1]["errors"])) == (404, "doctor_unavailable", [field])
    assert [send_body(populated_site, name, **{field: str(one)}) for one in strangers["listed doctor"]] == [missing] * 5


@pytest.mark.parametrize(("name", "field"), IN_BODY, ids=str)
def test_malformed_id_in_a_body_is_a_field_error(name, field, populated_site):
    told = {what: send_body(populated_site, name, **{field: odd}) for what, odd in ODD_IN_BODY.items()}
    assert {what: (status, list(body["errors"])) for what, (status, body) in told.items()} == dict.fromkeys(
        ODD_IN_BODY, (400, [field])
    )


def test_bulk_action_reports_only_existing_accounts(populated_site, strangers):
    gone = [str(one) for one in (*strangers["user"], NOWHERE)]
    status, body = send_body(populated_site, "stop several", ids=gone)
    assert (status, body["data"]["changed"]) == (200, [])
    assert {(each["code"], each["message"]) for each in body["data"]["refused"]} == {("not_found", "Not found.")}
    for what, odd in ODD_IN_BODY.items():
        status, body = send_body(populated_site, "stop several", ids=[str(populated_site.users.patient.pk), odd])
        assert (what, status, [name.split(".")[0] for name in body["errors"]]) == (what, 400, ["ids"])


def test_notices_of_others_are_ignored_like_missing_ones(populated_site):
    other = Notice.objects.filter(recipient=populated_site.users.other_patient).first()
    calls = []
    for ids in ([10**9], [other.pk]):
        answer = populated_site.clients["patient owner"].put("/api/notices/read", {"ids": ids}, format="json")
        calls.append(without_request(answer))
    assert calls[0] == calls[1]
    assert calls[0][0] == 200
    assert Notice.objects.get(pk=other.pk).read_at is None
    for odd in (str(other.pk), -1, 0, 1.5, True, None, [], {}, 10**30, "x"):
        answer = populated_site.clients["patient owner"].put("/api/notices/read", {"ids": [odd]}, format="json")
        assert (answer.status_code, [name.split(".")[0] for name in answer.json()["errors"]]) == (400, ["ids"])


@pytest.mark.parametrize("name", ["change it over an appointment", "block an appointment's time"])
def test_schedule_decisions_apply_to_own_appointments_only(name, populated_site):
    own = {str(populated_site.rows["asked"].pk): "cancel"}
    answers = [
        send_body(populated_site, name, visits={**own, str(one): "cancel"})
        for one in (NOWHERE, populated_site.rows["others"].pk, populated_site.users.patient.pk)
    ]
    assert [(status, body["code"]) for status, body in answers] == [(400, "invalid")] * 3
    messages = [[text for texts in body["errors"].values() for text in texts] for _, body in answers]
    assert messages[0] == messages[1] == messages[2]
    for what, odd in ODD_IN_BODY.items():
        if isinstance(odd, str):
            status, body = send_body(populated_site, name, visits={**own, odd: "cancel"})
            assert (what, status, [key.split(".")[0] for key in body["errors"]]) == (what, 400, ["visits"])


def test_hold_secret_of_another_user_is_useless(populated_site):
    body = {"doctorId": str(populated_site.users.doctor.pk), **free_time(populated_site)}
    kept = populated_site.clients["patient owner"].post("/api/appointments/hold", body, format="json").json()["data"]
    wrong = [
        without_request(
            populated_site.clients["other patient"].post("/api/appointments", {**body, "holdId": secret}, format="json")
        )
        for secret in ("nobody-knows-this", "", str(uuid4()))
    ]
    assert [(status, answer["code"]) for status, answer in wrong] == [(409, "slot_taken")] * 3
    assert len(kept["holdId"]) >= 32
    for what, odd in ODD_IN_BODY.items():
        if what in {"nothing", "upper case", "braces", "an address of ids", "no hyphens", "a pattern"}:
            continue  # texts like any other secret
        status, answer = send_body(populated_site, "keep a time", holdId=odd)
        assert (what, status, list(answer["errors"])) == (what, 400, ["holdId"])


def test_releasing_a_hold_releases_no_other(populated_site):
    body = {"doctorId": str(populated_site.users.doctor.pk), **free_time(populated_site)}
    kept = populated_site.clients["patient owner"].post("/api/appointments/hold", body, format="json").json()["data"]
    reservations = set(Reservation.objects.values_list("pk", flat=True))
    assert populated_site.clients["anonymous"].delete("/api/appointments/hold/nobody-knows-this").status_code == 404
    assert set(Reservation.objects.values_list("pk", flat=True)) == reservations
    assert populated_site.clients["anonymous"].delete(f"/api/appointments/hold/{kept['holdId']}").status_code == 200
    assert len(reservations - set(Reservation.objects.values_list("pk", flat=True))) == 1


# --- In a query -------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["doctor owner", "patient owner"])
def test_patient_filter_finds_own_appointments_only(who, populated_site):
    client, users = populated_site.clients[who], populated_site.users
    answers = [
        without_request(client.get(f"/api/appointments?counts=true&patient={one}"))
        for one in (NOWHERE, users.other_patient.pk, users.other_doctor.pk)
    ]
    assert answers[0] == answers[1] == answers[2]
    assert (answers[0][0], answers[0][1]["data"]["appointments"]) == (200, [])
    csv = [
        without_request(populated_site.clients["doctor owner"].get(f"/api/doctors/appointments.csv?patient={one}"))
        for one in (NOWHERE, users.other_patient.pk)
    ]
    assert csv[0] == csv[1]
    for what, odd in ODD_IN_PATH.items():
        answer = client.get(f"/api/appointments?patient={odd(str(users.patient.pk))}")
        assert (what, answer.status_code, list(answer.json()["errors"])) == (what, 400, ["patient"])


def test_hold_in_a_query_shows_no_time_of_others(populated_site):
    body = {"doctorId": str(populated_site.users.doctor.pk), **free_time(populated_site)}
    populated_site.clients["patient owner"].post("/api/appointments/hold", body, format="json")
    address = f"/api/doctors/{populated_site.users.doctor.pk}/slots?from={format_day(populated_site)}&days=1"
    seen = {
        secret: without_request(populated_site.clients["anonymous"].get(f"{address}&holdId={secret}"))
        for secret in ("", "nobody-knows-this", str(populated_site.users.patient.pk))
    }
    assert len({repr(answer) for answer in seen.values()}) == 1
    assert "10:00" not in json.dumps(seen[""][1]["data"]["slots"])
