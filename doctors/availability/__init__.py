"""A doctor's calendar: rules, free slots and reservations."""
