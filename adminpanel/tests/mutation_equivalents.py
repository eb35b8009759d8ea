"""Mutants that no test can kill, each with the reason why nobody could tell the difference."""

EQUIVALENT: dict[str, str] = {}
