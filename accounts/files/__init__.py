"""Uploaded files: validation in a sandbox, storage and deletion."""
