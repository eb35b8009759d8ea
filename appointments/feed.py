"""A person's visits as one calendar that their own calendar reads by itself, under a private address."""

import hashlib
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from accounts.calendar_feed import reader_of
from accounts.languages import language_of, speaking
from accounts.models import User
from appointments.calendar_files import feed_file
from appointments.models import Appointment
from appointments.models.appointment import AppointmentQuerySet
from config.errors import RuleBroken

PAST = timedelta(days=365)
# Rises when the same visits are written in another way, so that calendars read them anew.
FORM = 1
# What an entry is made of; clinical text is not even read.
SHOWN = (
    *("doctor_id", "patient_id", "status", "date", "time", "time_zone", "starts_at", "ends_at", "respond_by"),
    *("created_at", "updated_at", "version", "doctor_name", "patient_name"),
    *("hospital_name", "hospital_street", "hospital_city", "hospital_state", "hospital_zip_code", "hospital_phone"),
)


@csrf_exempt  # nothing is changed here, and a POST should hear that it may not, not that it lacks a token
@require_safe
def answer(request: HttpRequest, secret: str) -> HttpResponse:
    """Answer the calendar, or 304 where nothing has changed; anything but a living address is 404."""
    try:
        reader = reader_of(secret)
    except RuleBroken as refused:
        return plain(refused.message, refused.status, {"Retry-After": str(refused.retry_after or 60)})
    if reader is None:
        return plain("There is no calendar at this address.", 404)
    now = timezone.now()
    visits = visits_of(reader, now)
    etag = etag_of(reader, visits)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        with speaking(language_of(reader)):
            file = feed_file(visits.only(*SHOWN).order_by("starts_at", "pk"), reader, now)
        response = HttpResponse(file, content_type="text/calendar; charset=utf-8; method=PUBLISH")
        response["Content-Disposition"] = 'inline; filename="wellhour.ics"'
    response["ETag"] = etag
    return private(response)


def visits_of(reader: User, now: datetime) -> AppointmentQuerySet:
    """Keep the reader's own visits of the past year and all to come, but for those that do not take place."""
    return Appointment.objects.of_person(reader).filter(starts_at__gt=now - PAST).not_cancelled(now)


def etag_of(reader: User, visits: AppointmentQuerySet) -> str:
    """Answer a tag that changes whenever the calendar would; it reads no visit as a whole.

    Each change of a visit raises its version, and what comes or goes is counted.
    """
    state = visits.aggregate(
        count=Count("pk"), versions=Sum("version"), changed=Max("updated_at"), waiting=Count("pk", Q(status="pending"))
    )
    said = repr((FORM, settings.BASE_URL, reader.pk.hex, reader.role, language_of(reader), sorted(state.items())))
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def private(response: HttpResponse) -> HttpResponse:
    """Keep an answer out of shared caches and search engines, and its address out of other sites' logs."""
    response["Cache-Control"] = "private, no-cache"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def plain(sentence: str, status: int, headers: dict[str, str] | None = None) -> HttpResponse:
    """Answer a sentence, without a page around it: it is a calendar that asks."""
    return private(
        HttpResponse(f"{sentence}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers)
    )
