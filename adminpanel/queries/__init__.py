"""Queries of the admin dashboard."""
