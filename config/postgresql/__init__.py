"""Django's PostgreSQL, with a deadline of the client's own."""
