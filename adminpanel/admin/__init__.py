"""What staff see of each table, and what they may do: the same acts as the API, never a bare save."""

from adminpanel.admin import doctors, people, trail, visits

__all__ = ["doctors", "people", "trail", "visits"]
