"""The registration form of a patient."""


def form(**changes):
    """A patient's registration form as the page sends it."""
    return {
        "name": "Nora Newcomer",
        "email": "nora@example.com",
        "password": "quiet-harbour-9",
        "confirmPassword": "quiet-harbour-9",
        "role": "patient",
        "phone": "+1 202 555 0110",
        "dateOfBirth": "1990-02-28",
        "gender": "female",
        "address": {"street": "1 Quay", "city": "Springfield", "state": "Illinois", "zipCode": "62701"},
        "bloodGroup": "AB-",
        "agreedToPrivacy": True,
        "timeZone": "America/New_York",
    } | changes
