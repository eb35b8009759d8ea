"""Django's PostgreSQL backend with a deadline of the client's own."""
