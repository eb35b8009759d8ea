"""Mutation testing of access checks: remove one check at a time and expect a failing test."""
