"""The doctor's dashboard, calendar, patients and exports."""
