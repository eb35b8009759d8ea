"""Helpers that read responses about appointments."""

from typing import Any


def shown(answer: Any) -> dict[str, Any]:
    """Return the appointment of a response that succeeded."""
    assert answer.status_code in {200, 201}, answer.json()
    appointment: dict[str, Any] = answer.json()["data"]["appointment"]
    return appointment
