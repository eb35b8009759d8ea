"""Middleware and responses that know nothing of the API's data."""
