"""The outbox, delivery channels, and notification preferences."""
