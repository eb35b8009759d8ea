"""What the admin dashboard reads."""
