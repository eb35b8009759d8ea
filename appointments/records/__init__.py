"""Visit records, their attachments and prescriptions."""
