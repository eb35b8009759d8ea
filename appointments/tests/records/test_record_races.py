"""Test concurrent record writes over real connections to several workers."""

from itertools import pairwise

import pytest

from appointments.tests.scheduling.concurrency import (
    list_free_slots,
    register_doctor_and_patients,
    run_concurrently,
    sign_in,
)

pytestmark = pytest.mark.every_case

PARTS = ("diagnosis", "notes", "followUpDays")


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A doctor's client on a running server, and a way to make confirmed appointments."""
    from config.testing import run_server

    with run_server(tmp_path_factory.mktemp("records"), workers=2) as server:
        (patient,), doctor_id = register_doctor_and_patients(server, 1)
        doctor = sign_in(server, "doctor0@example.com", "doctor")
        slots = iter(list_free_slots(patient, doctor_id))

        def confirmed():
            booked = patient.post("/api/appointments", json={"doctorId": doctor_id, **next(slots)})
            address = f"/api/appointments/{booked.json()['data']['appointment']['_id']}"
            assert doctor.put(f"{address}/status", json={"status": "confirmed"}).status_code == 200
            # It can be completed from shortly before its start.
            server.sql("UPDATE appointments_appointment SET starts_at = created_at")
            return f"{address}/visit"

        yield doctor, confirmed
        doctor.close()
        patient.close()


def outcomes(answers):
    return sorted(f"{answer.status_code} {answer.json().get('code', '')}".strip() for answer in answers)


def test_concurrent_writes_of_different_parts_add_one_version_each(desk):
    doctor, confirmed = desk
    appointment = confirmed()
    bodies = [
        {part: number + 1 if part == "followUpDays" else f"word {number}"} for number in range(3) for part in PARTS
    ]
    answers = run_concurrently(*(lambda body=body: doctor.put(appointment, json=body) for body in bodies))
    assert outcomes(answers) == ["200"] * len(bodies)
    versions = doctor.get(f"{appointment}/versions").json()["data"]["versions"]
    assert [row["version"] for row in versions] == list(range(len(bodies), 0, -1))
    # Each version differs from the one before in exactly one part: nobody wrote over what another had written.
    for after, before in pairwise(versions):
        assert sum(after[part] != before[part] for part in PARTS) == 1
    assert doctor.get(appointment).json()["data"]["record"] == versions[0]


def test_concurrent_writes_from_one_version_have_one_winner_and_conflicts(desk):
    doctor, confirmed = desk
    for _ in range(5):
        appointment = confirmed()
        bodies = [{"diagnosis": f"word {number}", "version": 0} for number in range(4)]
        answers = run_concurrently(*(lambda body=body, to=appointment: doctor.put(to, json=body) for body in bodies))
        assert outcomes(answers) == ["200", *["409 record_changed"] * 3]
        stands = doctor.get(appointment).json()["data"]["record"]
        assert stands["version"] == 1
        assert all(answer.json()["data"]["record"] == stands for answer in answers)


@pytest.mark.parametrize("revision", [0, 1])
def test_concurrent_draft_saves_have_one_winner(revision, desk):
    doctor, confirmed = desk
    for _ in range(5):
        draft = f"{confirmed()}/draft"
        if revision:
            assert doctor.put(draft, json={"content": {}, "revision": 0}).status_code == 200
        bodies = [{"content": {"diagnosis": f"word {number}"}, "revision": revision} for number in range(4)]
        answers = run_concurrently(*(lambda body=body, to=draft: doctor.put(to, json=body) for body in bodies))
        assert outcomes(answers) == ["200", *["409 draft_changed"] * 3]
        stands = doctor.get(draft.removesuffix("/draft")).json()["data"]["draft"]
        assert stands["revision"] == revision + 1
        assert all(answer.json()["data"]["draft"] == stands for answer in answers)


def test_concurrent_completion_and_record_write_are_consistent(desk):
    doctor, confirmed = desk
    for _ in range(5):
        appointment = confirmed()
        status = appointment.removesuffix("/visit") + "/status"
        completing = {"status": "completed", "visit": {"diagnosis": "completed", "version": 0}}
        answers = run_concurrently(
            lambda to=status, body=completing: doctor.put(to, json=body),
            lambda to=appointment: doctor.put(to, json={"diagnosis": "written", "version": 0}),
        )
        assert outcomes(answers) == ["200", "409 record_changed"]
        shown = doctor.get(appointment).json()["data"]
        assert shown["record"]["version"] == 1
        # Both or neither: the one who lost the record has not completed the appointment.
        is_completed = shown["appointment"]["status"] == "completed"
        assert is_completed == (shown["record"]["diagnosis"] == "completed")
