"""Limits on how often and how much a client may ask for."""
