"""The outbox, the channels that empty it, and what each person wants to receive."""
