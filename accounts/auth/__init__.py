"""Login, sessions, multi-factor authentication, password reset and email verification."""
