"""The public accounts of a demo site."""

from typing import TypedDict

from accounts.models import Role


class DemoAccount(TypedDict):
    role: str
    email: str
    password: str


# One for each role, in the order of the sign-in page. They are public wherever DEMO is on; a production site refuses
# both DEMO and the command that creates them.
DEMO_ACCOUNTS: tuple[DemoAccount, ...] = (
    {"role": Role.PATIENT.value, "email": "patient@example.com", "password": "garden-kettle"},
    {"role": Role.DOCTOR.value, "email": "doctor@example.com", "password": "copper-meadow"},
    {"role": Role.ADMIN.value, "email": "admin@example.com", "password": "lantern-harbour"},
)
