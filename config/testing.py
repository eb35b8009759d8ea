"""Pytest plugin, loaded before Django's settings: a test run is its own environment."""

import os

os.environ.setdefault("ENVIRONMENT", "test")
