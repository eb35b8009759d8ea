"""The accounts that anyone may try a demo site with."""

from typing import TypedDict

from accounts.models import Role


class DemoAccount(TypedDict):
    """How to sign in to one of them."""

    role: str
    email: str
    password: str


# Published on purpose wherever DEMO is on; a production site refuses both DEMO and the command that makes them.
DEMO_ACCOUNTS: tuple[DemoAccount, ...] = (
    {"role": Role.PATIENT.value, "email": "patient@example.com", "password": "garden-kettle"},
    {"role": Role.DOCTOR.value, "email": "doctor@example.com", "password": "copper-meadow"},
    {"role": Role.ADMIN.value, "email": "admin@example.com", "password": "lantern-harbour"},
)


def demo_accounts() -> list[DemoAccount]:
    """Return one account for each role, in the order in which the sign-in page lists them."""
    return list(DEMO_ACCOUNTS)
