"""Passwords, tokens and the second factor: what authentication is built from."""
