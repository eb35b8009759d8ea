"""Backups: all rows, pictures and files of records in one archive, and the way back."""
