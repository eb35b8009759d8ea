"""Appointment records, their attachments and prescriptions."""
