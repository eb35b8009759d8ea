"""Booking, holding, rescheduling and ending appointments."""
