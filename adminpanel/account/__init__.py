"""What people do with their own account: closing, export and erasure."""
