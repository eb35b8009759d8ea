"""The audit log: who did what, who read whose data, and what keeps both append-only."""
