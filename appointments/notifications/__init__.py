"""Messages about appointments, and reminders."""
