"""The public directory: search, filters, listings and demand."""
