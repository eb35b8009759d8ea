"""Appointments as calendar files and as a private feed."""
