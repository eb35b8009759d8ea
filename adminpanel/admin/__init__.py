"""The admin classes of the staff site; its actions use the same services as the API."""

from adminpanel.admin import appointments, audit, doctors, site_texts, users

__all__ = ["appointments", "audit", "doctors", "site_texts", "users"]
