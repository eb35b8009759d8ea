"""Backups: all rows and uploaded files in one archive."""
