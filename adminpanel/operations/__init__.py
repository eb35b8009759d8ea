"""Maintenance and seeding, run by operators."""
