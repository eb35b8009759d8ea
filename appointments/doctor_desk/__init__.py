"""What a doctor works with: dashboard, calendar, patients and exports."""
