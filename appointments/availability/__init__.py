"""Changes of a doctor's hours, and what they mean for booked appointments."""
