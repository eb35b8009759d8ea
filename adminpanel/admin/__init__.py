"""What staff see of each table, and what they may do: the same acts as the API, never a bare save."""

from adminpanel.admin import appointments, audit, doctors, users

__all__ = ["appointments", "audit", "doctors", "users"]
