"""What messages about appointments say, and reminders."""
