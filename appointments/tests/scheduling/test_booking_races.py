"""Test that concurrent bookings of one time have one winner, over real connections to several workers."""

import os
from collections import Counter

from appointments.tests.scheduling.concurrency import (
    book_concurrently,
    register_doctor_and_patients,
)
from doctors.availability.constraints import DOCTOR_CONSTRAINT

RACERS = 32
ROUNDS = int(os.environ.get("RACE_ROUNDS", "10"))


def test_one_slot_has_one_winner(real_server) -> None:
    server = real_server(workers=2)
    clients, doctor_id = register_doctor_and_patients(server, RACERS)
    assert book_concurrently(clients, doctor_id, ROUNDS) == [Counter({"201": 1, "409 slot_taken": RACERS - 1})] * ROUNDS
    assert server.sql("SELECT count(*) FROM appointments_appointment") == [(ROUNDS,)]


def control_without_the_constraint(real_server) -> None:
    """The negative control: what the constraint prevents does happen without it."""
    server = real_server(workers=2)
    clients, doctor_id = register_doctor_and_patients(server, RACERS)
    server.sql(f"ALTER TABLE doctors_reservation DROP CONSTRAINT {DOCTOR_CONSTRAINT}")
    winners = [outcome["201"] for outcome in book_concurrently(clients, doctor_id, 6)]
    assert max(winners) > 1


if os.environ.get("DATABASE_URL", "").startswith("postgres"):
    # SQLite's single writer hides the race; `doctors/tests/availability/test_constraints.py` tests its refusal.
    test_without_the_constraint_a_slot_has_several_winners = control_without_the_constraint
