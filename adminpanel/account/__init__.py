"""Users' own accounts: closing, export and erasure."""
