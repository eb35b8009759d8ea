"""Users and free times for the benchmarks; called through `call_django`."""

from datetime import timedelta
from typing import Any

from django.test import RequestFactory
from django.utils import timezone

from accounts.auth.sessions import create_session
from accounts.authentication import SessionToken
from accounts.models import Role, User
from config.api.fields import format_time
from doctors.availability.calendar import Calendar
from doctors.models import DoctorProfile

FIRST_DAY = 3
DAYS = 40


def list_doctor_ids(count: int) -> list[str]:
    """Return ids of listed doctors, newest first, since the demo's own have full calendars."""
    listed = DoctorProfile.objects.approved().order_by("-pk")
    return [str(pk) for pk in listed.values_list("pk", flat=True)[:count]]


def sign_in_patients(count: int) -> list[tuple[str, str]]:
    """Sign patients in; return their ids and tokens."""
    request = RequestFactory(HTTP_USER_AGENT="Invented Browser 1.0").get("/")
    now = timezone.now()
    users = User.objects.active().filter(role=Role.PATIENT).order_by("-pk")[:count]
    return [(str(user.pk), str(SessionToken.for_session(create_session(user, request, now)))) for user in users]


def list_free_times(doctor_count: int, count_per_day: int) -> list[list[dict[str, Any]]]:
    """Return, for each of `DAYS` days, up to `count_per_day` free times of each doctor.

    A patient who books one time a day never has two appointments at once.
    """
    now = timezone.now()
    chosen = list(DoctorProfile.objects.approved().order_by("-pk")[:doctor_count])
    days: list[list[dict[str, Any]]] = [[] for _ in range(DAYS)]
    for doctor in chosen:
        calendar = Calendar.read(doctor, now)
        first = calendar.today() + timedelta(days=FIRST_DAY)
        for number, (day, slots) in enumerate(calendar.list_free_slots(first, DAYS)):
            days[number] += [
                {
                    "doctor": str(doctor.pk),
                    "date": day.isoformat(),
                    "time": format_time(slot.time),
                    "times": {
                        "starts_at": slot.starts_at_utc.isoformat(),
                        "ends_at": slot.ends_at_utc.isoformat(),
                        "busy_until": slot.busy_until_utc.isoformat(),
                    },
                }
                for slot in slots[:count_per_day]
            ]
    return days
