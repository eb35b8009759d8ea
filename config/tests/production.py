"""The settings that a real site has to make, in tests."""

PRODUCTION = {
    "ENVIRONMENT": "production",
    "SECRET_KEY": "invented-" * 8,
    "BASE_URL": "https://visits.example.org",
    "ALLOWED_HOSTS": "visits.example.org",
    "DATABASE_URL": "postgresql://wellhour:secret@127.0.0.1:5432/wellhour",
    "EMAIL_URL": "smtp+tls://ann:secret@mail.example.org:587",
    "DEFAULT_FROM_EMAIL": "Visits <visits@practice.example>",
}
